// The phone as camera: photograph the laid-down hand, see what was read, set it right.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { side } from "./core/prefs.js";
import { t } from "./core/texts.js";
import { claimBody, claimState, claimTitle } from "./parts/claim.js";
import { whoView } from "./parts/claim-who.js";
import { claimTaps } from "./parts/claim-taps.js";
import { icon } from "./parts/icons.js";
import { overlay, pictureSize } from "./parts/picture.js";
import * as sheets from "./parts/sheets.js";

const role = document.body.dataset.role;
const can = role !== "viewer";
const ui = { sheet: null, claim: claimState() };
let repaint = () => {};

function shutter() {
  return html`<label class="shutter">${icon("camera")}<b>${t("snap.take")}</b><small>${t("snap.hint")}</small>
    <input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>`;
}

function content(doc) {
  const { claim } = doc;
  if (!doc.game) return html`<p class="empty">${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a>`;
  if (!can) return html`<button type="button" class="button big" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button>`;
  if (!claim) return whoView(doc, ui.claim, side());
  const fresh = !claim.tiles.length && !claim.hand && !claim.reading && ui.claim.progress === null && !ui.claim.entry;
  const seen = claim.picture && claim.how !== "manual" && !ui.claim.entry
    ? html`<section class="evidence-box">${overlay(claim.picture, claim.tiles, pictureSize(claim.picture, () => repaint()), { chosen: ui.claim.fixing })}</section>` : "";
  return html`<h2 class="snap-title">${claimTitle(doc)}</h2>${fresh ? shutter() : ""}${seen}${claimBody(doc, ui.claim, { referee: role === "referee", can, photo: false })}`;
}

const body = (doc) => html`<header class="strip"><div class="where"><h1>${t("snap.title")}</h1></div>
  <div class="tools"><button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button>
  <button type="button" class="tool" data-do="view" aria-label="${t("view.title")}">${icon("view")}</button></div></header>
  <div class="snap">${content(doc)}</div>`;

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
};

function taps(page) {
  repaint = page.draw;
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  return { ...claimTaps({ ...page, ui: () => ui.claim }), close: () => { ui.sheet = null; page.draw(); }, view: open("view"), unlock: open("pin") };
}

function onState(doc, before) {
  if (before?.claim && !doc.claim) ui.claim = claimState();
}

startPage({ body, taps, onState, sheet: (doc) => (ui.sheet ? SHEETS[ui.sheet](doc) : null) });
