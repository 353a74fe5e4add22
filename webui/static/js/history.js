// The evening: how the scores ran, what each player did, the score sheet, every hand with its picture.

import { html, styleSheet } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { t } from "./core/texts.js";
import { told } from "./core/told.js";
import { fanList, numbersTable, scoreGraph, secondsList, settlementList } from "./parts/evening.js";
import { scoreSheet } from "./parts/score-sheet.js";
import { handSheet, historyList } from "./parts/hand-sheets.js";
import * as sheets from "./parts/sheets.js";
import { strip } from "./parts/strip.js";

const ui = { sheet: null, hand: 0, record: null, numbers: null, numbersAt: -1 };

const heading = () => strip(html`<h1>${t("evening.title")}</h1>`);

const exports = () => html`<section class="panel exports"><h2>${t("evening.export")}</h2><div class="modes">
  <a class="pick" href="/export/game.pdf" download>${t("evening.pdf")}</a><a class="pick" href="/export/game.csv" download>${t("evening.csv")}</a>
  <a class="pick" href="/export/game.json" download>${t("evening.json")}</a><button type="button" class="pick" data-do="print">${t("evening.print")}</button>
  <a class="pick" href="/export/paper.pdf" download>${t("evening.paper_names")}</a><a class="pick" href="/export/paper.pdf?names=no" download>${t("evening.paper_blank")}</a></div></section>`;

function numbersView(doc) {
  const { evening, players, games, seconds_to_score: times } = ui.numbers ?? { evening: [], players: [], games: 0, seconds_to_score: null };
  return { evening: html`<section class="panel">${numbersTable(doc, evening)}</section>`,
    more: html`${secondsList(doc, times)}${fanList(evening)}${games > 1 ? html`<section class="panel screen-only">${numbersTable(doc, players, games)}</section>` : ""}` };
}

function body(doc) {
  if (!doc.game) return html`${heading()}<section class="welcome"><p>${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a></section>`;
  const numbers = numbersView(doc);
  return html`${heading()}<div class="evening">
    ${doc.history.length ? html`<section class="panel graph-panel">${scoreGraph(doc)}</section>` : ""}
    ${settlementList(doc)}
    ${doc.history.length ? numbers.evening : ""}
    ${doc.history.length ? scoreSheet(doc) : ""}${exports()}${numbers.more}
    <section class="panel history-panel"><h2>${t("desk.history")}</h2>${historyList(doc)}</section></div>`;
}

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  hand: (doc) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }), body: handSheet(doc, ui.hand, records?.recordView(doc, ui.record, doc.history[ui.hand])) }),
};

let repaint = () => {};
let records = null;

/** What only an opened hand needs, fetched with the first one. */
async function openHand(page, index) {
  ui.hand = index;
  ui.sheet = "hand";
  if (!records) [records] = await Promise.all([import("./parts/hand-record.js"), styleSheet("claim")]);
  records.askRecord(page, ui);
  page.draw();
}

/** What the players did and how long the wins took comes from the ledger, asked again when it has grown. */
async function askNumbers(seq) {
  if (ui.numbersAt === seq) return;
  ui.numbersAt = seq;
  ui.numbers = (await told("/api/v1/statistics")) ?? ui.numbers;
  repaint();
}

const taps = (page) => {
  repaint = page.draw;
  return {
    close: () => { ui.sheet = null; page.draw(); },
    view: () => { ui.sheet = "view"; page.draw(); },
    print: () => window.print(),
    "hand-detail": (element) => openHand(page, Number(element.dataset.index)),
    "hand-step": (element) => openHand(page, ui.hand + Number(element.dataset.step)),
  };
};

startPage({ past: true, body, taps, onState: (doc) => { askNumbers(doc.seq); }, sheet: (doc) => (ui.sheet ? SHEETS[ui.sheet](doc) : null) });
