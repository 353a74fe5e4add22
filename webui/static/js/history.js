// The evening: how the scores ran, what each player did, every hand with its picture.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { t } from "./core/texts.js";
import { scoreGraph, settlementList, tallyTable } from "./parts/evening.js";
import { icon } from "./parts/icons.js";
import * as sheets from "./parts/sheets.js";

const ui = { sheet: null, hand: 0 };

const heading = () => html`<header class="strip"><div class="where"><h1>${t("evening.title")}</h1></div>
  <div class="tools"><button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button>
  <button type="button" class="tool" data-do="view" aria-label="${t("view.title")}">${icon("view")}</button></div></header>`;

function body(doc) {
  if (!doc.game) return html`${heading()}<section class="welcome"><p>${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a></section>`;
  return html`${heading()}<div class="evening">
    ${doc.history.length ? html`<section class="panel">${scoreGraph(doc)}</section>` : ""}
    ${settlementList(doc)}
    <section class="panel">${tallyTable(doc)}</section>
    <section class="panel"><h2>${t("desk.history")}</h2>${sheets.historyList(doc)}</section></div>`;
}

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  hand: (doc) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }), body: sheets.handSheet(doc, ui.hand) }),
};

const taps = (page) => ({
  close: () => { ui.sheet = null; page.draw(); },
  view: () => { ui.sheet = "view"; page.draw(); },
  "hand-detail": (element) => { ui.hand = Number(element.dataset.index); ui.sheet = "hand"; page.draw(); },
  "hand-step": (element) => { ui.hand += Number(element.dataset.step); page.draw(); },
});

startPage({ body, taps, sheet: (doc) => (ui.sheet ? SHEETS[ui.sheet](doc) : null) });
