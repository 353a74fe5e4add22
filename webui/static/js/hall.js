// The hall: one card for each table, and everything that waits for a referee at any of them, longest first.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { signed, t } from "./core/texts.js";
import { told } from "./core/told.js";
import { SHAPES } from "./parts/chips.js";
import { sentence } from "./parts/say.js";
import * as sheets from "./parts/sheets.js";
import { strip } from "./parts/strip.js";

const ASK_MS = 2000;
const SIGNS = { good: SHAPES.good, waits: "◆", trouble: SHAPES.warn, stale: SHAPES.bad };
const ui = { sheet: null, tables: null };

const nameOf = (table) => table.name || t("hall.this");
const age = (seconds) => (seconds < 60 ? t("hall.seconds", { count: seconds }) : t("hall.minutes", { count: Math.floor(seconds / 60) }));

function levelOf(table) {
  if (table.stale) return "stale";
  if (table.queue.some((one) => one.kind === "trouble")) return "trouble";
  return table.queue.length ? "waits" : "good";
}

function stateWord(table) {
  if (table.stale) return table.age_s === null ? t("hall.never") : t("hall.stale", { age: age(table.age_s) });
  if (!table.game) return t("hall.no_game");
  return table.game.finished ? t("phase.finished") : t(`phase.${table.game.phase}`);
}

function card(table) {
  const { game } = table;
  const level = levelOf(table);
  const count = (kind, key) => { const number = table.queue.filter((one) => one.kind === kind).length; return number ? html`<span class="hall-sign">${t(key, { count: number })}</span> ` : ""; };
  return html`<a class="hall-table" href="${table.url}/desk" data-level="${level}" data-key="table-${table.url}">
    <h2><span>${nameOf(table)}</span><span class="hall-sign" aria-hidden="true">${SIGNS[level]}</span></h2>
    <p><b>${stateWord(table)}</b></p>
    ${game ? html`<p>${t(`round.${game.wind}`)} · ${t("hand.number", { number: game.hand_no })} · ${t(`mode.${game.mode}`)}</p>
      <div class="hall-seats">${game.seats.map((seat) => html`<span>${seat.name}</span><b>${signed(seat.total)}</b>`)}</div>` : ""}
    ${table.trouble && !table.stale ? html`<p class="hall-sign">${t(`hall.${table.trouble}`)}</p>` : ""}
    <p class="hall-counts">${count("win", "hall.wins")}${count("call", "hall.calls")}${count("trouble", "hall.troubles")}</p></a>`;
}

function matterText(one) {
  if (one.kind === "win") return one.held ? t("desk.held") : t("hall.win");
  if (one.kind === "call") return one.reason ? sheets.reasonText(one.reason) : t("desk.call");
  return sentence(null, one);
}

function queue() {
  const all = ui.tables.flatMap((table) => table.queue.map((one) => ({ table, ...one }))).sort((a, b) => b.age_s - a.age_s);
  const sign = { win: t("desk.win_sign"), call: "☎", trouble: "▲" };
  return html`<aside><section class="panel"><h2>${t("hall.queue")} <span class="count">${all.length}</span></h2>
    ${all.length ? html`<ol class="queue">${all.map((one) => html`<li data-key="${one.table.url} ${one.id}"><a class="queue-item" href="${one.table.url}/desk" data-level="${one.kind}">
      <span class="queue-sign" aria-hidden="true">${sign[one.kind]}</span><span class="queue-text"><b>${nameOf(one.table)}${one.name ? ` · ${one.name}` : ""}</b><small>${matterText(one)}</small></span>
      <span class="queue-age">${age(one.age_s)}</span></a></li>`)}</ol>` : html`<p class="empty">${t("desk.empty")}</p>`}</section></aside>`;
}

const body = () => html`${strip(html`<h1>${t("hall.title")}</h1>`)}
  ${ui.tables ? html`<div class="hall" data-tables="${ui.tables.length}"><section class="hall-tables" aria-label="${t("hall.title")}">${ui.tables.map(card)}</section>${queue()}</div>
    ${ui.tables.length > 1 ? "" : html`<p class="rules hall-hint">${t("hall.hint")}</p>`}` : html`<p class="loading">${t("link.loading")}</p>`}`;

async function ask(page) {
  ui.tables = (await told("/api/v1/hall"))?.tables ?? ui.tables;
  page.draw();
}

const taps = (page) => {
  ask(page);
  setInterval(() => { if (!document.hidden) ask(page); }, ASK_MS);
  return { close: () => { ui.sheet = null; page.draw(); }, view: () => { ui.sheet = "view"; page.draw(); } };
};

startPage({ body, taps, sheet: () => (ui.sheet ? { title: t("view.title"), kind: "small", body: sheets.viewSheet() } : null) });
