// The small sheets over the scoreboard: names, undo, dice, calling the referee. Pure views; taps are named by data-do.

import { flag, html, pressed } from "../core/dom.js";
import { clock, signed, t } from "../core/texts.js";
import { restButtons } from "./clock.js";
import { die, icon } from "./icons.js";
import { isHand, outcomeLine } from "./outcome.js";
import { sideWords } from "./plays.js";
import { nameOf, players } from "./seats.js";
import { reasonText } from "./sheets.js";

/** New names for the seats, or the end of the game. */
export function gameSheet(doc) {
  return html`<form class="stack" data-submit="rename"><h3>${t("game.names")}</h3>
    ${players(doc).map((seat) => html`<label class="field">${t(`wind.${seat.wind}.name`)}<input name="name${seat.seat}" maxlength="40" required autocomplete="off" value="${seat.name}"></label>`)}
    <div class="sheet-end"><button class="button main">${t("game.rename")}</button></div>
    <div class="sheet-end"><button type="button" class="button quiet" data-do="game-ending">${t("game.end")}</button></div></form>
    <div class="stack">${restButtons(doc)}</div>
    <details class="options" data-key="substitute"><summary>${t("game.substitute")}…</summary><form class="stack" data-submit="substitute">
      <label class="field">${t("game.substitute_who")}<select name="seat">${players(doc).map((seat) => html`<option value="${seat.seat}">${seat.name}</option>`)}</select></label>
      <label class="field">${t("game.substitute_name")}<input name="name" maxlength="40" required autocomplete="off"></label>
      <div class="sheet-end"><button class="button main">${t("game.substitute_do")}</button></div></form></details>`;
}

const two = (yes, yesLabel) => html`<div class="sheet-end"><button type="button" class="button quiet" data-do="close">${t("act.back")}</button>
  <button type="button" class="button main" data-do="${yes}">${yesLabel}</button></div>`;

/** What becomes of a hand that is being played when the game is ended now. */
function brokenOff(doc) {
  if (["idle", "seated", "dice", "settled"].includes(doc.phase) && !doc.hand?.wins.length) return "";
  const paid = doc.hand?.wins.length || doc.hand?.sides.length;
  return html`<p><b>${t(paid ? "game.ending.paid" : "game.ending.open", { number: doc.round.hand_no })}</b></p>`;
}

/** Ending the game, asked once. */
export const endSheet = (doc) => html`<div class="stack">${brokenOff(doc)}<p>${t("game.end_hint")}</p>${two("game-end", t("game.end"))}</div>`;

/** How the hand ended that undo takes up again; of a battle only that end: the wins before it stand. */
function lastEnd(doc, row) {
  const wins = row.wins.slice(doc.undo_won);
  return row.outcome === "win" && row.wins.length && !wins.length ? t("last.draw") : outcomeLine(doc, { ...row, wins });
}

/** What undo would take back, before it is taken back. */
export function undoSheet(doc) {
  const row = doc.history.filter(isHand).pop();
  const ended = doc.undo === "hand_settled" && row;
  const what = ended ? t("undo.hand", { number: row.hand_no, result: lastEnd(doc, row) })
    : doc.undo === "wins_paid" ? t("undo.win", { name: nameOf(doc, doc.hand.wins[doc.hand.wins.length - 1].seat) })
    : doc.undo === "side_paid" && doc.hand?.sides.length ? sideWords(doc, doc.hand.sides.slice(-1)[0]) : t(`undo.${doc.undo}`);
  const back = players(doc).filter((seat) => doc.undo_pays[seat.seat]);
  return html`<div class="stack"><p>${t("undo.what", { what })}${ended && doc.undo_won ? t("undo.stand") : ""}</p>
    ${back.length ? html`<h3>${t("undo.back")}</h3><ul class="play-log">${back.map((seat) => html`<li><span>${seat.name}</span> <b>${signed(doc.undo_pays[seat.seat])}</b></li>`)}</ul>` : ""}
    <label class="field">${t("undo.reason")}<input id="undo-reason" maxlength="200" autocomplete="off"></label>${two("undo-send", t("act.undo"))}</div>`;
}

/** Two dice by hand. */
export function diceSheet(doc, chosen) {
  const row = (place) => html`<div class="dice-row">${[1, 2, 3, 4, 5, 6].map((value) => html`<button type="button" class="key dice-key" data-do="die" data-place="${place}"
    data-value="${value}" ${pressed(chosen[place] === value)}>${die(value)}</button>`)}</div>`;
  const by = doc.dice_next ? html`<p><b>${nameOf(doc, doc.dice_next.by)}</b> ${t(`dice.next.${doc.dice_next.why}`)}</p>` : "";
  return html`<div class="stack">${by}${row(0)}${row(1)}<div class="sheet-end">
    <button type="button" class="button quiet" data-do="start-hand">${t("dice.skip")}</button>
    <button type="button" class="button main" data-do="dice-send" ${flag("disabled", !(chosen[0] && chosen[1]))}>${t("dice.send")}</button></div></div>`;
}

/** Calling the referee, with the usual reasons ready to tap. */
export function callSheet(doc) {
  return html`<div class="stack">${doc.calls.map((call) => html`<p class="open-call">${icon("call")} ${t("call.waiting", { time: clock(call.at) })} ${reasonText(call.reason)}</p>`)}
    <div class="way-row">${["count", "rules", "device", "other"].map((reason) => html`<button type="button" class="way" data-do="call-send" data-reason="${reason}"
      ><b>${t(`call.${reason}`)}</b></button>`)}</div></div>`;
}
