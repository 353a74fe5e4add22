// The hands that were played: all of them in a list, and one of them whole. Pure views; taps are named by data-do.

import { flag, html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { handDetail } from "./bill.js";
import { icon } from "./icons.js";
import { outcomeLine, worth, worths } from "./outcome.js";

/** All hands of the game, newest first. */
export function historyList(doc, action = "hand-detail") {
  if (!doc.history.length) return html`<p class="empty">${t("last.none")}</p>`;
  return html`<ol class="history" reversed>${doc.history.map((row, index) => ({ row, index })).reverse().map(({ row, index }) => html`<li><button type="button" class="history-row" data-do="${action}" data-index="${index}">
    <span class="history-no">${row.hand_no}</span><span>${outcomeLine(doc, row)}</span>
    <b>${row.outcome === "win" ? worth(doc, worths(row)) : ""}</b>
    ${row.corrected ? html`<span class="corrected">${icon("edit")} ${t("last.corrected")}${row.reason ? html` · ${row.reason}` : ""}</span>` : ""}</button></li>`)}</ol>${doc.earlier.rows ? html`<button type="button" class="pick" data-do="earlier">${t("last.earlier")}</button>` : ""}`;
}

/** One hand, and the way to the others. `record` is what the ledger tells beside it. */
export function handSheet(doc, index, record = "") {
  const row = doc.history[index];
  return row ? html`${handDetail(doc, row)}${record}<div class="sheet-end">
    <button type="button" class="button quiet" data-do="hand-step" data-step="-1" ${flag("disabled", !(index > 0))}>${t("hand.earlier")}</button>
    <button type="button" class="button quiet" data-do="hand-step" data-step="1" ${flag("disabled", !(index < doc.history.length - 1))}>${t("hand.later")}</button></div>` : "";
}
