// Setting a played hand right, and turning a claim down: before, after, who gains, why.

import { flag, html, pressed } from "../core/dom.js";
import { command } from "../core/send.js";
import { signed, t } from "../core/texts.js";
import { entryFields, entryFrom, entryView } from "./entry.js";
import { beside } from "./outcome.js";
import { nameOf, playerName, players } from "./seats.js";
import { fullHand, wholeHand } from "./tiles.js";

const OUTCOMES = ["win", "draw", "void", "seats"];
const SOURCES = ["self_draw", "discard", "rob_kong", "kong_replacement"];
const LOCAL = { changsha: ["kong_discard", "sea_bottom"] };
const FED = ["discard", "rob_kong", "kong_discard", "sea_bottom"];

/** Who may have fed a win: anybody else, or whoever took the last tile, which may be the winner himself. */
const feeders = (doc, ui) => players(doc).filter((seat) => ui.source === "sea_bottom" || seat.seat !== ui.winner);

/** One of the wins of a hand as it stands. */
function winOf(row, number) {
  const several = row.wins?.length > 1;
  const win = several ? row.wins[number] : { seat: row.winner, source: row.source, from_seat: row.from_seat, laid: row };
  const { hand, melds, win_tile, flowers } = win.laid;
  return { win_no: number, winner: win.seat, source: win.source, from_seat: win.from_seat, laid: { hand, melds, win_tile, flowers } };
}

/** What the referee is changing about one hand; starts as the hand is. */
export const correctState = (row) => ({ hand_no: row.hand_no, row, outcome: row.outcome === "false_win" ? "void" : row.outcome, ...winOf(row, 0),
  seating: [...row.players], exchanged: null, entry: null, reason: "", changes: null });

/** Which of several wins is put right. */
function which(doc, ui) {
  const wins = ui.row.wins ?? [];
  if (wins.length < 2) return "";
  return html`<h3>${t("correct.which")}</h3><div class="segment" role="group">${wins.map((win, i) => pick("correct-which", i, nameOf(doc, win.seat), ui.win_no === i))}</div>`;
}

const pick = (action, value, label, on) => html`<button type="button" class="pick" data-do="${action}" data-value="${value}" ${pressed(on)}>${label}</button>`;

/** Every payment that a correction changes, before and after; nothing while nobody has looked. */
export function changeTable(doc, changes) {
  if (!changes) return "";
  if (!changes.length) return html`<p class="changes">${t("correct.no_effect")}</p>`;
  const cell = (then, now) => html`<td><s>${signed(then)}</s> <span aria-hidden="true">→</span> <b>${signed(now)}</b></td>`;
  const fees = (change) => String(change.fee_before) !== String(change.fee_after);
  return html`<table class="changes"><caption>${t("correct.effect")}</caption><thead><tr><th>${t("correct.hand")}</th>${players(doc).map((seat) => html`<th>${seat.name}</th>`)}</tr></thead>
    <tbody>${changes.map((change) => html`<tr><th>${change.hand_no} ${beside(doc, change.what, change.player)}</th>${players(doc).map(({ player }) => cell(change.before[player], change.after[player]))}</tr>
      ${fees(change) ? html`<tr><th>${change.hand_no} ${t("correct.fee")}</th>${players(doc).map(({ player }) => cell(-change.fee_before[player], -change.fee_after[player]))}</tr>` : ""}`)}</tbody></table>`;
}

/** Who truly sat where from this hand on: tap two players, and they are exchanged. */
function seatsView(doc, ui) {
  return html`<p>${t("correct.seats_hint", { number: ui.hand_no })}</p>
    <div class="segment" role="group">${players(doc).map(({ seat }) => pick("correct-seat", seat, playerName(doc, ui.seating[seat]), ui.exchanged === seat))}</div>`;
}

/** The correction dialog. */
export function correctView(doc, ui) {
  if (ui.entry) return entryView(ui.entry);
  const win = ui.outcome === "win";
  return html`<form class="stack correct" data-submit="correct-send">
    <div class="segment" role="group" aria-label="${t("correct.outcome")}">${OUTCOMES.map((one) => pick("correct-outcome", one, t(`outcome.${one}`), ui.outcome === one))}</div>
    ${win ? html`${which(doc, ui)}<h3>${t("correct.winner")}</h3><div class="segment" role="group">${players(doc).map((seat) => pick("correct-winner", seat.seat, seat.name, ui.winner === seat.seat))}</div>
    <h3>${t("correct.source")}</h3><div class="segment" role="group">${[...SOURCES, ...(LOCAL[doc.game.ruleset] ?? [])].map((one) => pick("correct-source", one, t(`source.${one}`), ui.source === one))}</div>
    ${FED.includes(ui.source) ? html`<h3>${t(ui.source === "sea_bottom" ? "correct.taker" : "correct.from")}</h3><div class="segment" role="group">${feeders(doc, ui).map((seat) =>
    pick("correct-from", seat.seat, seat.name, (ui.from_seat ?? (ui.source === "sea_bottom" ? ui.winner : null)) === seat.seat))}</div>` : ""}
    <div class="correct-hand">${ui.laid.hand ? wholeHand(ui.laid) : ""}<button type="button" class="pick" data-do="correct-hand">${t("win.edit")}</button></div>` : ""}
    ${ui.outcome === "seats" ? seatsView(doc, ui) : ""}
    <label class="field">${t("correct.reason")}<input name="reason" maxlength="200" required autocomplete="off" data-input="correct-reason"></label>
    ${changeTable(doc, ui.changes)}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="correct-preview" ${flag("disabled", !ui.reason)}>${t("correct.preview")}</button>
      <button class="button main" ${flag("disabled", !ui.reason || !ui.changes)}>${t("correct.send")}</button></div></form>`;
}

/** The command that does it, and its fields: for a hand only what differs from it as it was. */
const wish = (ui, preview) => (ui.outcome === "seats" ? ["correct_seats", { from_hand: ui.hand_no, seating: ui.seating, reason: ui.reason, preview }]
  : ["correct_hand", correctFields(ui, preview)]);

function correctFields(ui, preview) {
  const fields = { hand_no: ui.hand_no, reason: ui.reason, outcome: ui.outcome, preview };
  if (ui.outcome !== "win") return fields;
  const fed = FED.includes(ui.source) ? { from_seat: ui.from_seat ?? (ui.source === "sea_bottom" ? ui.winner : null) } : {};
  return { ...fields, win_no: ui.win_no, winner: ui.winner, source: ui.source, ...fed, hand: ui.laid.hand, melds: ui.laid.melds, win_tile: ui.laid.win_tile, flowers: ui.laid.flowers };
}

/** The typed tiles become the hand of the correction. */
export function takeEntry(ui) {
  ui.laid = entryFields(ui.entry);
  ui.entry = null;
  ui.changes = null;
}

/** What the taps in the correction dialog do; its tile keyboard is the one of the claim. */
export function correctTaps(page) {
  const change = (work) => (element) => { work(page.ui(), element); page.ui().changes = null; page.draw(); };
  const send = (preview) => page.attempt(() => command(...wish(page.ui(), preview)));
  return {
    "correct-outcome": change((ui, element) => { ui.outcome = element.dataset.value; }),
    "correct-which": change((ui, element) => { Object.assign(ui, winOf(ui.row, Number(element.dataset.value))); }),
    "correct-winner": change((ui, element) => { ui.winner = Number(element.dataset.value); if (ui.from_seat === ui.winner) ui.from_seat = null; }),
    "correct-source": change((ui, element) => { ui.source = element.dataset.value; }),
    "correct-from": change((ui, element) => { ui.from_seat = Number(element.dataset.value); }),
    "correct-seat": change((ui, element) => {
      const [seat, other] = [Number(element.dataset.value), ui.exchanged];
      if (other === null) { ui.exchanged = seat; return; }
      [ui.seating[seat], ui.seating[other]] = [ui.seating[other], ui.seating[seat]];
      ui.exchanged = null;
    }),
    "correct-hand": change((ui) => { ui.entry = entryFrom(ui.laid, fullHand(page.doc().game)); }),
    "correct-reason": (element) => { page.ui().reason = element.value.trim(); page.draw(); },
    "correct-preview": async () => { const answer = await send(true); if (answer) { page.ui().changes = answer.changes; page.draw(); } },
    "correct-send": async () => { if (await send(false)) page.close(); },
  };
}

/** Turning a claim down, with or without the penalty of a false win. */
export function rejectView(doc, ui) {
  return html`<form class="stack" data-submit="reject-send">
    <div class="segment" role="group"><button type="button" class="pick" data-do="reject-kind" data-false="no" ${pressed(!ui.falseWin)}>${t("reject.only")}</button>
      <button type="button" class="pick" data-do="reject-kind" data-false="yes" ${pressed(ui.falseWin)}>${t("reject.false_win")}</button></div>
    ${ui.falseWin ? html`<label class="field">${t("reject.each")}<input name="each" type="number" inputmode="numeric" min="0" max="10000" placeholder="${t("reject.by_rules")}"></label>` : ""}
    <label class="field">${t("reject.reason")}<input name="reason" maxlength="200" required autocomplete="off"></label>
    <div class="sheet-end"><button class="button main">${t("act.reject")}</button></div></form>`;
}

/** The fields of `reject`. */
export function rejectFields(form, ui) {
  const fields = new FormData(form);
  const each = fields.get("each");
  return { reason: fields.get("reason"), false_win: ui.falseWin, each: each ? Number(each) : null };
}
