// A claimed win from 和 to the approved score: who, from whom, the hand, open questions, the verdict, agreement.
// Pure views of (state, what this device is doing); the taps are handled in claim-taps.js.

import { html } from "../core/dom.js";
import { signed, t, tileName } from "../core/texts.js";
import { verdict } from "./bill.js";
import { entryView } from "./entry.js";
import { icon } from "./icons.js";
import { crop, mark, sureness } from "./picture.js";
import { sentence } from "./say.js";
import { nameOf, seatRing } from "./seats.js";
import { meldTiles, splitTiles, tile, tileKeyboard, tileRow } from "./tiles.js";

const FULL = 14;
const SELF = ["self_draw", "kong_replacement"];
const KINDS = { 3: ["chi", "peng"], 4: ["kong_open", "kong_added", "kong_concealed"] };

/** What one device is doing with the claim; nothing of it counts before it is sent. */
export const claimState = () => ({ seat: null, another: false, picking: null, entry: null, fixing: null, progress: null, fold: null });

// ---------------------------------------------------------------- who, from whom

/** Step one: who says 和. Step two: drawn or discarded, and by whom. */
export function whoView(doc, ui, side) {
  const alive = doc.seats.filter((seat) => !seat.dead && !doc.claims.some((claim) => claim.seat === seat.seat)).map((seat) => seat.seat);
  if (ui.seat === null) {
    return html`<section class="who"><h2>${t("win.who")}</h2>${seatRing(doc, side, { action: "who", only: alive })}
      ${ui.another ? html`<div class="sheet-end"><button type="button" class="button quiet" data-do="who-back">${t("act.back")}</button></div>` : ""}</section>`;
  }
  const others = doc.seats.map((seat) => seat.seat).filter((seat) => seat !== ui.seat);
  return html`<section class="who"><h2>${t("win.how", { name: nameOf(doc, ui.seat) })}</h2>
    <button type="button" class="button main big wide" data-do="claim" data-source="self_draw">${t("source.self_draw")}</button>
    <p class="or">${t("win.or_from")}</p>
    ${seatRing(doc, side, { action: "claim", only: others, note: () => html`<small>${t("win.discarded")}</small>` })}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="who-back">${t("act.back")}</button></div></section>`;
}

// ---------------------------------------------------------------- the hand

function ways(claim, ui, { photo = true }) {
  if (claim.reading || ui.progress !== null) {
    const share = ui.progress === null ? "" : html`<progress max="1" value="${ui.progress}"></progress>`;
    return html`<section class="reading" role="status"><span class="spin" aria-hidden="true"></span>
      <p>${ui.progress !== null && ui.progress < 1 ? t("win.uploading") : t("win.reading")}</p>${share}</section>`;
  }
  return html`<section class="ways"><h3>${t("win.ways")}</h3><div class="way-row">
    <button type="button" class="way" data-do="camera">${icon("camera")}<b>${t("win.camera")}</b><small>${t("win.camera_hint")}</small></button>
    ${photo ? html`<label class="way">${icon("phone")}<b>${t("win.photo")}</b><small>${t("win.photo_hint")}</small>
      <input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>` : ""}
    <button type="button" class="way" data-do="entry">${icon("keys")}<b>${t("win.type")}</b><small>${t("win.type_hint")}</small></button>
  </div>${photo ? html`<details class="qr"><summary>${t("win.qr")}</summary><img src="/qr/snap.svg" alt="${t("win.qr")}" width="220" height="220" loading="lazy"></details>` : ""}</section>`;
}

function seenTile(claim, seen, ui) {
  const sort = sureness(seen);
  return html`<button type="button" class="seen" data-key="seen-${seen.index}" data-do="fix" data-index="${seen.index}" data-sure="${sort}"
    data-role="${seen.role}" aria-pressed="${ui.fixing === seen.index ? "true" : "false"}"
    aria-label="${tileName(seen.tile)}, ${t(`sure.${sort}`)}${seen.role === "win" ? `, ${t("win.win_tile")}` : ""}">
    ${claim.picture ? crop(claim.picture, seen.box) : ""}${tile(seen.tile)}
    <span class="mark" aria-hidden="true">${mark(seen)}</span></button>`;
}

/** What a group looks like before anybody says more: one kind of tile is a pung or a kong, several are a chow. */
function natural(seen) {
  if (new Set(seen.map((one) => one.tile)).size > 1) return "chi";
  return seen.length === 4 ? "kong_open" : "peng";
}

function meldChoice(claim, group, index) {
  const seen = group.tiles.map((i) => claim.tiles[i]);
  const names = seen.map((one) => one.tile).sort().join("");
  const meld = claim.melds.find((one) => splitTiles(one.tiles).sort().join("") === names);
  const choices = KINDS[group.tiles.length] ?? [];
  const chosen = meld?.kind ?? (seen.every((one) => one.role === "meld") ? natural(seen) : "");
  return html`<select class="meld-kind" data-change="meld-kind" data-group="${index}" aria-label="${t("win.meld_kind")}">
    ${[...choices, ""].map((kind) => html`<option value="${kind}" ${chosen === kind ? html`selected` : ""}>${t(kind ? `meld.${kind}` : "meld.none")}</option>`)}
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
export function countOf(claim) {
  const concealed = splitTiles(claim.hand).length;
  if (claim.hand || claim.melds.length) return concealed + 3 * claim.melds.length + (claim.win_tile ? 1 : 0);
  return claim.tiles.filter((seen) => ["concealed", "win", "meld"].includes(seen.role)).length;
}

const live = (claim) => claim.tiles.filter((seen) => seen.role !== "out" && seen.tile !== "");
const toCheck = (claim) => live(claim).filter((seen) => !seen.pinned && seen.sure !== "sure").length;

function sums(claim) {
  const check = toCheck(claim);
  const count = countOf(claim);
  return html`<p class="counter" data-full="${count === FULL ? "yes" : "no"}"><b>${count}</b>/${FULL}
    ${check ? html`<span class="to-check">? ${t("win.to_check", { count: check })}</span>`
      : live(claim).length ? html`<span class="all-sure">✓ ${t("win.all_sure")}</span>` : ""}</p>`;
}

function pictureHand(claim, ui) {
  return html`<section class="picture-hand">
    ${claim.groups.map((group, i) => groupView(claim, group, i, ui))}
  </section>`;
}

function typedHand(claim) {
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
      <button type="button" class="pick star" data-do="fix-win" ${seen.role === "win" ? html`disabled` : ""}>★ ${t("fix.is_win")}</button>
      <button type="button" class="pick" data-do="fix-to" data-tile="x">${t("fix.face_down")}</button>
      <button type="button" class="pick" data-do="fix-to" data-tile="">${t("fix.no_tile")}</button></div>
  </section>`;
}

// ---------------------------------------------------------------- questions and circumstances

function choiceFace(doc, choice) {
  if (choice.tile) return tile(choice.tile);
  return html`${sentence(doc, { key: choice.text_key, text: choice.text_key })} ${choice.seat === null || choice.seat === undefined ? "" : nameOf(doc, choice.seat)}`;
}

const SHOWN_QUESTIONS = 3;

/** The first few open questions; the others follow when these are answered. */
function questionList(doc, picking) {
  const { questions } = doc.claim;
  if (!questions.length) return "";
  const more = questions.length - SHOWN_QUESTIONS;
  return html`<ul class="questions">${questions.slice(0, SHOWN_QUESTIONS).map((one, i) => questionView(doc, one, i, picking))}
    ${more > 0 ? html`<li class="more">${t("win.more_questions", { count: more })}</li>` : ""}</ul>`;
}

function questionView(doc, question, number, picking) {
  const [first] = question.tiles;
  const open = question.pick && (picking === question.id || !question.choices.length);
  const about = doc.claim.picture && question.text_key === "ask_tile" && first !== undefined ? crop(doc.claim.picture, doc.claim.tiles[first].box) : "";
  return html`<li class="question">${about}<p><span aria-hidden="true">?</span> ${sentence(doc, { key: question.text_key, params: question.params })}</p>
    <div class="choices">${question.choices.map((choice, i) => html`<button type="button" class="pick" data-do="answer" data-question="${number}"
      data-choice="${i}" ${choice.tile ? html`aria-label="${tileName(choice.tile)}"` : ""}>${choiceFace(doc, choice)}</button>`)}
      ${question.pick && !open ? html`<button type="button" class="pick" data-do="pick-open" data-question="${question.id}">${t("say.other")}…</button>` : ""}</div>
    ${open ? html`<div class="picker" data-question="${number}">${tileKeyboard("pick-tile", { limit: 99, flowers: question.pick.kind === "fix_tile" })}</div>` : ""}</li>`;
}

function toggle(action, on, label) {
  return html`<button type="button" class="pick" data-do="${action}" aria-pressed="${on ? "true" : "false"}"
    ><span class="box" aria-hidden="true">${on ? "☑" : "☐"}</span> ${label}</button>`;
}

function circumstances(doc, claim) {
  const self = SELF.includes(claim.source);
  const source = claim.source === null ? "" : self ? t("source.self_draw") : t("win.from", { name: nameOf(doc, claim.from_seat) });
  return html`<section class="facts"><h3>${t("win.facts")}</h3><div class="modes">
    ${source ? html`<span class="fact">${source}</span>` : ""}
    ${self ? toggle("fact-kong", claim.source === "kong_replacement", t("source.kong_replacement")) : ""}
    ${!self && claim.source ? toggle("fact-rob", claim.source === "rob_kong", t("source.rob_kong")) : ""}
    ${toggle("fact-last", claim.facts.last_tile, t("fact.last_tile"))}
    ${toggle("fact-kind", claim.facts.last_of_kind, t("fact.last_of_kind"))}</div>
    ${claim.source === null ? "" : html`<details class="change-source"><summary>${t("win.change_source")}</summary><div class="modes">
      <button type="button" class="pick" data-do="source" data-source="self_draw">${t("source.self_draw")}</button>
      ${doc.seats.filter((seat) => seat.seat !== claim.seat).map((seat) => html`<button type="button" class="pick" data-do="source" data-source="discard"
        data-seat="${seat.seat}">${t("win.from", { name: seat.name })}</button>`)}</div></details>`}</section>`;
}

/** Who else says 和, in the order in which they are heard; the seat nearest after the discarder comes first. */
function others(doc, { another = false }) {
  const names = doc.claims.slice(1).map((claim) => nameOf(doc, claim.seat)).join(t("bill.and"));
  return html`<div class="modes">${names ? html`<b>${t("win.queue", { names })}</b>` : ""}
    ${another ? html`<button type="button" class="pick" data-do="another">${t("win.another")}</button>` : ""}</div>`;
}

function announcement(claim) {
  if (claim.announced !== null) return html`<p class="announced">${t("win.announced", { points: claim.announced })}</p>`;
  return html`<form class="announce" data-submit="announce"><label for="points">${t("win.announce")}</label>
    <input id="points" name="points" type="number" inputmode="numeric" min="0" max="9999" required>
    <button class="button main">${t("win.announce_send")}</button></form>`;
}

// ---------------------------------------------------------------- agreement

function agreement(doc, claim, can) {
  const others = doc.seats.filter((seat) => seat.seat !== claim.seat);
  return html`<div class="agree" role="group" aria-label="${t("win.agree")}"><span>${t("win.agree")}</span>${others.map((seat) => {
    const done = claim.agreed.includes(seat.seat);
    return html`<button type="button" class="pick" data-do="agree" data-seat="${seat.seat}" aria-pressed="${done ? "true" : "false"}" ${done || !can ? html`disabled` : ""}
      ><span aria-hidden="true">${done ? "✔" : "○"}</span> ${seat.name}</button>`;
  })}</div>`;
}

/** Whether everything is said that an approval needs. */
export function ready(doc) {
  const { claim, game } = doc;
  if (!claim) return false;
  return game.mode === "competition" ? claim.waiting_for === "agree" || claim.waiting_for === "referee" || claim.waiting_for === "nothing"
    : Boolean(claim.verdict?.valid);
}

function decision(doc, { referee, can }, keys) {
  const { claim, game } = doc;
  const open = ready(doc);
  return html`<footer class="decide">
    ${open ? agreement(doc, claim, can) : ""}
    <div class="decide-row">${keys}<button type="button" class="button quiet" data-do="cancel-claim" ${can ? "" : html`disabled`}>${t("act.cancel_claim")}</button>
    ${referee ? html`<button type="button" class="button main" data-do="approve" ${open && can ? "" : html`disabled`}>${t("act.approve")}${
      claim.verdict?.valid ? html` <b>${signed(claim.verdict.payments[claim.seat])}</b>` : ""}${keys ? html` <kbd>A</kbd>` : ""}</button>`
    : html`<p class="waiting">${open && game.mode === "competition" ? t("win.waiting_referee") : ""}</p>`}</div></footer>`;
}

/**
 * The claimed hand from the picture or the keyboard to the decision.
 * @param page `{referee, can, evidence?, keys?, photo?, another?}`: who looks, the whole picture, buttons of the desk,
 *   whether to offer a photo, whether a further player may claim here
 */
export function claimBody(doc, ui, page) {
  const { can, evidence = "", keys = "" } = page;
  const { claim } = doc;
  if (ui.entry) return entryView(ui.entry);
  const fromPicture = claim.tiles.length > 0 && claim.how !== "manual";
  const has = fromPicture || claim.hand || claim.melds.length;
  const busy = claim.reading || ui.progress !== null;
  const fixing = ui.fixing !== null && fromPicture && !busy;
  return html`<div class="claim-body" data-step="${has ? "hand" : "ways"}">
    <div class="claim-left">
      ${evidence}
      ${has && !busy ? sums(claim) : ""}
      ${busy || !has ? ways(claim, ui, page) : fromPicture ? pictureHand(claim, ui) : typedHand(claim)}
      ${fixing ? fixView(claim, ui.fixing) : ""}
      ${has && !busy && !fixing ? html`<div class="modes again"><button type="button" class="pick" data-do="camera">${icon("camera")} ${t("win.again")}</button>
        <label class="pick">${icon("phone")} ${t("win.photo")}<input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>
        <button type="button" class="pick" data-do="entry">${icon("keys")} ${t(fromPicture ? "win.type" : "win.edit")}</button></div>` : ""}
    </div>
    <div class="claim-right">
      ${questionList(doc, ui.picking)}
      ${claim.verdict ? verdict(doc, claim.verdict, fromPicture ? toCheck(claim) : 0) : ""}
      ${doc.game.mode === "competition" && has ? announcement(claim) : ""}
      ${circumstances(doc, claim)}
      ${can ? others(doc, page) : ""}
    </div>
    ${fixing ? "" : decision(doc, page, keys)}
  </div>`;
}

/** The heading of the claim: who, and from whom. */
export function claimTitle(doc) {
  const { claim } = doc;
  if (!claim) return t("win.title");
  const name = nameOf(doc, claim.seat);
  if (claim.source === null) return t("win.claims", { name });
  return SELF.includes(claim.source) ? t("win.claims_self", { name }) : t("win.claims_from", { name, from: nameOf(doc, claim.from_seat) });
}
