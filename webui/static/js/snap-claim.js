// On the phone: photograph the laid-down hand, see what was read, set it right.

import { html } from "./core/dom.js";
import { t } from "./core/texts.js";
import { claimBody, claimState, claimTitle } from "./parts/claim.js";
import { claimTaps } from "./parts/claim-taps.js";
import { keepsEntered } from "./parts/entered.js";
import { icon } from "./parts/icons.js";
import { overlay, pictureSize } from "./parts/picture.js";
import * as sheets from "./parts/sheets.js";

const role = document.body.dataset.role;
let repaint = () => {};

function shutter() {
  return html`<label class="shutter">${icon("camera")}<b>${t("snap.take")}</b><small>${t("snap.hint")}</small>
    <input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>`;
}

/** The claimed hand on the phone. */
export function claimView(doc, ui) {
  const { claim } = doc;
  if (ui.claim.progress === undefined) return "";
  const fresh = !claim.tiles.length && !claim.hand && !claim.reading && ui.claim.progress === null && !ui.claim.entry;
  const seen = claim.picture && claim.how !== "manual" && !ui.claim.entry
    ? html`<section class="evidence-box">${overlay(claim.picture, claim.tiles, pictureSize(claim.picture, () => repaint()), { chosen: ui.claim.fixing })}</section>` : "";
  return html`<h2 class="snap-title">${claimTitle(doc)}</h2>${fresh ? shutter() : ""}${seen}${claimBody(doc, ui.claim, { referee: role === "referee", can: role !== "viewer", photo: false })}`;
}

const VIEWS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
};

/** Join the phone page. */
export function start(page, ui) {
  repaint = page.draw;
  ui.claim = claimState();
  const takeUp = keepsEntered(page, ui);
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  return {
    taps: { ...claimTaps({ ...page, ui: () => ui.claim }), close: () => { ui.sheet = null; page.draw(); }, view: open("view"), unlock: open("pin") },
    sheet: () => (ui.sheet ? VIEWS[ui.sheet]() : null),
    onState: (doc, before) => {
      takeUp(doc);
      if (before?.claim && doc.claim?.seat !== before.claim.seat) ui.claim = claimState();
    },
  };
}
