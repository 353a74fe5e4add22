// The hand of a claimed win: how it gets in, what was read, and setting a tile right.

import { flag, html, pressed } from "../core/dom.js";
import { t, tileName } from "../core/texts.js";
import { icon } from "./icons.js";
import { crop, mark, sureness } from "./picture.js";
import { hasMeld } from "./played.js";
import { meldTiles, splitTiles, tile, tileKeyboard, tileRow } from "./tiles.js";

const KINDS = { 3: ["chi", "peng"], 4: ["kong_open", "kong_added", "kong_concealed"] };

/** The ways to get the hand in: the camera over the table if there is one, a photograph, taps. */
export function ways(claim, ui, { photo = true, camera = true }) {
  if (claim.reading || ui.progress !== null) {
    const share = ui.progress === null ? "" : html`<progress max="1" value="${ui.progress}"></progress>`;
    return html`<section class="reading" role="status"><span class="spin" aria-hidden="true"></span>
      <p>${ui.progress !== null && ui.progress < 1 ? t("win.uploading") : t("win.reading")}</p>${share}</section>`;
  }
  return html`<section class="ways"><h3>${t("win.ways")}</h3><div class="way-row">
    ${camera ? html`<button type="button" class="way" data-do="camera">${icon("camera")}<b>${t("win.camera")}</b><small>${t("win.camera_hint")}</small></button>` : ""}
    ${photo ? html`<label class="way">${icon("phone")}<b>${t("win.photo")}</b><small>${t("win.photo_hint")}</small>
      <input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>` : ""}
    <button type="button" class="way" data-do="entry">${icon("keys")}<b>${t("win.type")}</b><small>${t("win.type_hint")}</small></button>
  </div>${photo ? html`<details class="qr"><summary>${t("win.qr")}</summary><img src="/qr/snap.svg" alt="${t("win.qr")}" width="220" height="220" loading="lazy"></details>` : ""}</section>`;
}

function seenTile(claim, seen, ui) {
  const sort = sureness(seen);
  return html`<button type="button" class="seen" data-key="seen-${seen.index}" data-do="fix" data-index="${seen.index}" data-sure="${sort}"
    data-role="${seen.role}" ${pressed(ui.fixing === seen.index)}
    aria-label="${tileName(seen.tile)}, ${t(`sure.${sort}`)}${seen.role === "win" ? `, ${t("win.win_tile")}` : ""}">
    ${claim.picture ? crop(claim.picture, seen.box) : ""}${tile(seen.tile)}
    <span class="mark" aria-hidden="true">${mark(seen)}</span></button>`;
}

/** What a group looks like before anybody says more, as `table/tile_text.py`: four of one kind are a kong, concealed with a back among them. */
function natural(names) {
  const faces = names.filter((name) => name !== "x");
  if (new Set(faces).size > 1) return "chi";
  if (names.length === 4) return faces.length < 4 ? "kong_concealed" : "kong_open";
  return "peng";
}

function meldChoice(claim, group, index) {
  const seen = group.tiles.map((i) => claim.tiles[i]);
  const names = seen.map((one) => one.tile).sort();
  const face = names[0]; // a back, "x", sorts behind every face and is what the others of its kong are
  const whole = names.map((name) => (name === "x" ? face : name)).join("");
  const meld = claim.melds.find((one) => splitTiles(one.tiles).sort().join("") === whole);
  const choices = KINDS[group.tiles.length] ?? [];
  const chosen = meld?.kind ?? (seen.every((one) => one.role === "meld") ? natural(names) : "");
  return html`<select class="meld-kind" data-change="meld-kind" data-group="${index}" aria-label="${t("win.meld_kind")}">
    ${[...choices.filter((kind) => hasMeld(kind) || kind === chosen), ""].map((kind) => html`<option value="${kind}" ${flag("selected", chosen === kind)}>${t(kind ? `meld.${kind}` : "meld.none")}</option>`)}
  </select>`;
}

function groupView(claim, group, index, ui) {
  const tiles = group.tiles.map((i) => claim.tiles[i]).filter((seen) => seen && seen.tile !== "");
  if (!tiles.length || tiles.every((seen) => seen.role === "out")) return "";
  const laid = tiles.every((seen) => seen.role === "meld");
  return html`<div class="group" data-kind="${laid ? "meld" : "row"}">
    <div class="seen-row">${tiles.map((seen) => seenTile(claim, seen, ui))}</div>
    ${laid || (group.kind === "meld" && KINDS[tiles.length]) ? meldChoice(claim, group, index) : ""}</div>`;
}

/** Tiles of the hand, a kong as three. */
function countOf(claim) {
  const concealed = splitTiles(claim.hand).length;
  if (claim.hand || claim.melds.length) return concealed + 3 * claim.melds.length + (claim.win_tile ? 1 : 0);
  return claim.tiles.filter((seen) => ["concealed", "win", "meld"].includes(seen.role)).length;
}

const live = (claim) => claim.tiles.filter((seen) => seen.role !== "out" && seen.tile !== "");
/** How many tiles the eyes were not sure of and nobody has confirmed. */
export const toCheck = (claim) => live(claim).filter((seen) => !seen.pinned && seen.sure !== "sure").length;

/** The counter, and how many tiles should be looked at. */
export function sums(claim, full) {
  const check = toCheck(claim);
  const count = countOf(claim);
  return html`<p class="counter" data-full="${count === full ? "yes" : "no"}"><b>${count}</b>/${full}
    ${check ? html`<span class="to-check">? ${t("win.to_check", { count: check })}</span>`
      : live(claim).length ? html`<span class="all-sure">✓ ${t("win.all_sure")}</span>` : ""}</p>`;
}

/** The tiles as they lie in the picture, each with its crop. */
export function pictureHand(claim, ui) {
  return html`<section class="picture-hand">
    ${claim.groups.map((group, i) => groupView(claim, group, i, ui))}
  </section>`;
}

/** A hand that was typed. */
export function typedHand(claim) {
  return html`<section class="typed-hand">
    ${claim.hand ? tileRow(claim.hand) : ""}
    ${claim.melds.map((meld) => html`<span class="typed-meld">${meldTiles(meld)}<small>${t(`meld.${meld.kind}`)}</small></span>`)}
    ${claim.win_tile ? html`<span class="tiles won">${tile(claim.win_tile)}</span>` : ""}
    ${claim.flowers ? tileRow(claim.flowers, "flowers") : ""}</section>`;
}

/** Set one tile right: likely alternatives first, then every tile; never more than two taps. */
export function fixView(claim, index) {
  const seen = claim.tiles[index];
  if (!seen) return "";
  const likely = [seen.seen, ...seen.also.map(([name]) => name)].filter((name, i, all) => name && name !== seen.tile && all.indexOf(name) === i).slice(0, 4);
  return html`<section class="fix" role="group" aria-label="${t("fix.title")}">
    <div class="fix-head">${claim.picture ? crop(claim.picture, seen.box) : ""}
      <p><b>${tileName(seen.tile)}</b> <span class="fix-sure" data-sure="${sureness(seen)}">${mark(seen)} ${t(`sure.${sureness(seen)}`)}</span></p>
      ${likely.length ? html`<div class="likely" aria-label="${t("fix.likely")}">${likely.map((name) => html`<button type="button" class="key large" data-do="fix-to"
        data-tile="${name}" aria-label="${tileName(name)}">${tile(name)}</button>`)}</div>` : ""}
      <button type="button" class="tool" data-do="fix-close" aria-label="${t("act.close")}">${icon("close")}</button></div>
    ${tileKeyboard("fix-to", { limit: 99 })}
    <div class="modes">
      <button type="button" class="pick star" data-do="fix-win" ${flag("disabled", seen.role === "win")}>★ ${t("fix.is_win")}</button>
      <button type="button" class="pick" data-do="fix-to" data-tile="x">${t("fix.face_down")}</button>
      <button type="button" class="pick" data-do="fix-to" data-tile="">${t("fix.no_tile")}</button></div>
  </section>`;
}
