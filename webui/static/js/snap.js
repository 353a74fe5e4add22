// The phone as camera: who says 和. Photographing and setting right (`snap-claim.js`) comes with the first touch.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { side } from "./core/prefs.js";
import { t } from "./core/texts.js";
import { whoView } from "./parts/claim-who.js";
import { icon } from "./parts/icons.js";
import { strip } from "./parts/strip.js";

const can = document.body.dataset.role !== "viewer";
const ui = { sheet: null, claim: { seat: null, another: false } };
let claims = null;

function content(doc) {
  if (!doc.game) return html`<p class="empty">${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a>`;
  if (!can) return html`<p>${t("pin.why")}</p><button type="button" class="button big" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button>`;
  if (!doc.claim) return whoView(doc, ui.claim, side());
  return claims ? claims.claimView(doc, ui) : html`<p class="loading">${t("link.loading")}</p>`;
}

const body = (doc) => html`${strip(html`<h1>${t("snap.title")}</h1>`)}
  <div class="snap">${content(doc)}</div>`;

async function more() {
  const module = import("./snap-claim.js");
  claims = await module;
  return claims;
}

startPage({ ui, body, taps: () => ({}), more });
