// Tile check and enrolment: what is read now, and the table's own tiles learnt row after row.

import { flag, html, unfolded } from "../core/dom.js";
import { t, tileName } from "../core/texts.js";
import { icon } from "./icons.js";
import { boxesView, counts } from "./wizard-camera.js";
import { sentence } from "./say.js";
import { tile } from "./tiles.js";

/** What came of the last row that was shown. */
const tilesState = () => ({ rows: null, own: null, complete: false, busy: null, look: null, row: null, error: null });

function doubts(look) {
  return html`<ul class="doubts">${look.doubts.map((one) => html`<li>${t("wizard.row_doubt", { place: one.place, expected: tileName(one.expected), seen: tileName(one.seen) })}</li>`)}</ul>
    <div class="modes"><button type="button" class="button" data-do="row-sure">${t("wizard.row_sure")}</button><button type="button" class="button quiet" data-do="row-drop">${t("wizard.row_drop")}</button></div>`;
}

function result(doc, own) {
  if (own.error) return html`<p role="alert">▲ ${sentence(doc, own.error)}</p>`;
  if (!own.look) return "";
  const remarks = own.look.remarks.map((key) => html`<p>▲ ${t(`scene.${key}`)}</p>`);
  return html`<div role="status">${own.look.taken ? html`<p>✓ ${t("wizard.row_taken")}</p>` : doubts(own.look)}${remarks}</div>`;
}

function rowCard(doc, ui, row) {
  const own = ui.tiles;
  const busy = own.busy === row.key;
  const camera = doc.devices.camera.state === "live";
  return html`<li class="tile-row" data-key="row-${row.key}" data-shown="${row.shown ? "yes" : "no"}"><div class="row-head"><b>${row.shown ? "✓ " : ""}${t(`row.${row.key}`)}</b>
      <small>${row.shown ? t("wizard.row_shown", { count: row.shown }) : row.optional ? t("wizard.row_optional") : ""}</small></div>
    <div class="tiles">${row.tiles.map((face) => tile(face))}</div>
    <div class="modes">${camera ? html`<button type="button" class="pick" data-do="row-show" data-row="${row.key}" ${flag("disabled", own.busy)}>${busy ? t("wizard.row_looking") : t("wizard.row_show")}</button>` : ""}
      <label class="pick">${icon("camera")} ${busy && !camera ? t("wizard.row_looking") : t("wizard.row_photo")}<input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="row-photo" data-row="${row.key}" ${flag("disabled", own.busy)}></label></div>
    ${own.row === row.key ? result(doc, own) : ""}</li>`;
}

function ownTiles(own) {
  if (!own) return html`<p>${t("wizard.own_none")}</p>`;
  return html`<p>${own.usable ? "✓" : "▲"} ${t(own.usable ? "wizard.own_tiles" : "wizard.own_old", { count: own.tiles, day: own.made_on })}
    <button type="button" class="pick" data-do="tiles-forget">${t("wizard.own_forget")}</button></p>`;
}

function check(doc, ui) {
  if (doc.devices.camera.state !== "live") return "";
  const { value: scene } = ui.watch.read("/api/v1/setup/scene");
  const { value: seen } = ui.watch.see("/api/v1/setup/picture");
  return html`<div class="beside"><div class="live">${seen ? html`<img src="${seen.src}" alt="${t("device.camera")}">` : html`<p class="no-shot">${t("wizard.camera_opening")}</p>`}${boxesView(scene?.reading)}</div>
    <div class="stack">${scene ? counts(scene.reading) : html`<p role="status">${t("wizard.reading")}</p>`}<p>${t("wizard.tiles_hint")}</p></div></div>`;
}

export function tilesView(doc, ui) {
  const own = ui.tiles;
  const shown = (own.rows ?? []).filter((row) => row.shown).length;
  return html`<h2>${t("wizard.tiles")}</h2>${check(doc, ui)}
    <details class="options" ${unfolded(shown || own.rows && !own.own)}><summary>${t("wizard.enrol")}</summary><p>${t("wizard.enrol_hint")}</p>${ownTiles(own.own)}
      ${own.rows ? html`<p role="status">${t("wizard.rows_done", { shown, all: own.rows.length })}</p><progress max="${own.rows.length}" value="${shown}" aria-label="${t("wizard.enrol")}"></progress>
      <ol class="tile-rows">${own.rows.map((row) => rowCard(doc, ui, row))}</ol>
      <div class="modes"><button type="button" class="button main" data-do="tiles-keep" ${flag("disabled", !own.complete || own.busy)}>${t(own.busy === "keep" ? "wizard.learning" : "wizard.learn")}</button>
        ${shown ? html`<button type="button" class="pick" data-do="tiles-again">${t("wizard.rows_again")}</button>` : ""}</div>` : html`<p class="empty">${t("link.loading")}</p>`}</details>`;
}

/** What teaches the tiles. */
export function start(ui, { setUp, draw }) {
  ui.tiles = tilesState();
  const own = ui.tiles;
  const take = ({ rows, complete, own_tiles: kept }) => { Object.assign(own, { rows, complete, own: kept }); draw(); };
  const again = async () => take(await setUp("/tiles"));

  async function during(busy, work) {
    Object.assign(own, { busy, error: null });
    draw();
    try { await work(); } catch (error) { own.error = error; }
    own.busy = null;
    draw();
  }

  const show = (row, picture, sure) => during(row, async () => {
    const form = new FormData();
    form.append("row", row);
    if (picture) form.append("picture", picture);
    if (sure) form.append("sure", "1");
    Object.assign(own, { row, look: null, picture });
    own.look = await setUp("/tiles/row", form);
    await again();
  });

  return {
    begin: () => again().catch((error) => { own.error = error; draw(); }),
    taps: {
      "row-show": (element) => show(element.dataset.row),
      "row-photo": (element) => { const [picture] = element.files; element.value = ""; if (picture) show(element.dataset.row, picture); },
      "row-sure": () => show(own.row, own.picture, true),
      "row-drop": () => { own.look = null; draw(); },
      "tiles-keep": () => during("keep", async () => { own.look = null; take(await setUp("/tiles/keep", {})); }),
      "tiles-again": () => during("again", async () => { own.look = null; take(await setUp("/tiles/again", {})); }),
      "tiles-forget": () => during("forget", async () => take(await setUp("/tiles/forget", {}))),
    },
  };
}
