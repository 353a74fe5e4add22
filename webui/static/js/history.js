// The evening: how the scores ran, what each player did, the score sheet, every hand with its picture.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { t } from "./core/texts.js";
import { scoreGraph, secondsList, settlementList, tallyTable } from "./parts/evening.js";
import { icon } from "./parts/icons.js";
import { scoreSheet } from "./parts/score-sheet.js";
import * as sheets from "./parts/sheets.js";

const ui = { sheet: null, hand: 0, times: null, timesAt: -1 };

const heading = () => html`<header class="strip"><div class="where"><h1>${t("evening.title")}</h1></div>
  <div class="tools"><button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button>
  <button type="button" class="tool" data-do="view" aria-label="${t("view.title")}">${icon("view")}</button></div></header>`;

const exports = () => html`<section class="panel exports"><h2>${t("evening.export")}</h2><div class="modes">
  <a class="pick" href="/export/game.csv" download>${t("evening.csv")}</a><a class="pick" href="/export/game.json" download>${t("evening.json")}</a>
  <button type="button" class="pick" data-do="print">${t("evening.print")}</button></div></section>`;

function body(doc) {
  if (!doc.game) return html`${heading()}<section class="welcome"><p>${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a></section>`;
  return html`${heading()}<div class="evening">
    ${doc.history.length ? html`<section class="panel graph-panel">${scoreGraph(doc)}</section>` : ""}
    ${settlementList(doc)}
    <section class="panel">${tallyTable(doc)}</section>
    ${doc.history.length ? scoreSheet(doc) : ""}${secondsList(doc, ui.times)}${exports()}
    <section class="panel history-panel"><h2>${t("desk.history")}</h2>${sheets.historyList(doc)}</section></div>`;
}

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  hand: (doc) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }), body: sheets.handSheet(doc, ui.hand) }),
};

let repaint = () => {};

/** How long the wins took comes from the ledger's own times, asked again when the ledger has grown. */
async function askTimes(seq) {
  if (ui.timesAt === seq) return;
  ui.timesAt = seq;
  const answer = await fetch("/api/v1/statistics").catch(() => null);
  if (answer?.ok) ui.times = (await answer.json()).seconds_to_score;
  repaint();
}

const taps = (page) => {
  repaint = page.draw;
  return {
    close: () => { ui.sheet = null; page.draw(); },
    view: () => { ui.sheet = "view"; page.draw(); },
    print: () => window.print(),
    "hand-detail": (element) => { ui.hand = Number(element.dataset.index); ui.sheet = "hand"; page.draw(); },
    "hand-step": (element) => { ui.hand += Number(element.dataset.step); page.draw(); },
  };
};

startPage({ body, taps, onState: (doc) => { askTimes(doc.seq); }, sheet: (doc) => (ui.sheet ? SHEETS[ui.sheet](doc) : null) });
