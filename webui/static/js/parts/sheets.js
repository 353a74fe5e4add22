// The small sheets: view, undo, draw, dice, call, PIN, hand detail. Each is a pure view; taps are named by data-do.

import { flag, html, pressed } from "../core/dom.js";
import { clock, t } from "../core/texts.js";
import * as prefs from "../core/prefs.js";
import { hasVoice, speaks } from "../core/voice.js";
import { handDetail, outcomeLine } from "./bill.js";
import { die, icon } from "./icons.js";
import { nameOf, players } from "./seats.js";

const LANGUAGES = ["zh-Hans", "zh-Hant", "en"];

/** Language, light, size of letters, side of the table. */
export function viewSheet({ game = false, mode = null } = {}) {
  const theme = prefs.shownTheme();
  return html`<div class="stack">
    <div class="segment" role="group" aria-label="${t("view.language")}">${LANGUAGES.map((code) => html`<button type="button" class="pick" data-do="set-language"
      data-language="${code}" lang="${code}" ${pressed(document.documentElement.lang === code)}>${t(`language.${code}`)}</button>`)}</div>
    <div class="segment" role="group" aria-label="${t("view.theme")}">${["light", "dark"].map((one) => html`<button type="button" class="pick" data-do="set-theme"
      data-theme="${one}" ${pressed(theme === one)}>${icon(one)} ${t(`view.${one}`)}</button>`)}</div>
    <label class="slider">${t("view.size")}<input type="range" min="0" max="4" step="1" value="${prefs.size()}" data-input="set-size"></label>
    <div class="segment"><button type="button" class="pick voice-pick" data-do="voice" ${pressed(speaks())}>${icon("voice")} <span>${t("view.voice")}
      ${hasVoice() ? "" : html`<small>${t("view.no_voice")}</small>`}</span></button></div>
    ${mode ? html`<div class="segment"><button type="button" class="pick" data-do="pace" ${pressed(prefs.timed(mode))}>${t("view.pace")}</button></div>` : ""}
    <div class="segment"><button type="button" class="pick" data-do="turn">${icon("turn")} ${t("view.turn")}</button>
      <button type="button" class="pick" data-do="full">${icon("full")} ${t("view.full")}</button></div>
    ${game ? html`<button type="button" class="pick" data-do="game">${t("game.title")}…</button>` : ""}
    <details class="qr"><summary>${t("win.qr")}</summary><img src="/qr/snap.svg" alt="${t("win.qr")}" width="220" height="220" loading="lazy"></details>
    <nav class="links"><a href="/">${t("nav.table")}</a><a href="/desk">${t("nav.desk")}</a><a href="/snap">${t("nav.snap")}</a><a href="/history">${t("nav.history")}</a><a href="/hall">${t("nav.hall")}</a><a href="/devices">${t("devices.title")}</a><a href="/setup">${t("nav.setup")}</a></nav>
  </div>`;
}

/** New names for the seats, or the end of the game. */
export function gameSheet(doc) {
  return html`<form class="stack" data-submit="rename"><h3>${t("game.names")}</h3>
    ${players(doc).map((seat) => html`<label class="field">${t(`wind.${seat.wind}.name`)}<input name="name${seat.seat}" maxlength="40" required autocomplete="off" value="${seat.name}"></label>`)}
    <div class="sheet-end"><button class="button main">${t("game.rename")}</button></div>
    <p>${t("game.end_hint")}</p><div class="sheet-end"><button type="button" class="button quiet" data-do="game-end">${t("game.end")}</button></div></form>
    <details class="options"><summary>${t("game.substitute")}…</summary><form class="stack" data-submit="substitute">
      <label class="field">${t("game.substitute_who")}<select name="seat">${players(doc).map((seat) => html`<option value="${seat.seat}">${seat.name}</option>`)}</select></label>
      <label class="field">${t("game.substitute_name")}<input name="name" maxlength="40" required autocomplete="off"></label>
      <div class="sheet-end"><button class="button main">${t("game.substitute_do")}</button></div></form></details>`;
}

const two = (yes, yesLabel) => html`<div class="sheet-end"><button type="button" class="button quiet" data-do="close">${t("act.back")}</button>
  <button type="button" class="button main" data-do="${yes}">${yesLabel}</button></div>`;

/** What undo would take back, before it is taken back. */
export function undoSheet(doc) {
  return html`<div class="stack"><p>${t("undo.what", { what: t(`undo.${doc.undo}`) })}</p>
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

/** A call's reason in this language; free words stay as they are. */
export const reasonText = (reason) => (["count", "rules", "device", "other", "set_up_tried", "set_up_changed"].includes(reason) ? t(`call.${reason}`) : reason);

/** Unlock this device. */
export function pinSheet() {
  return html`<form class="stack" data-submit="pin-send"><p>${t("pin.why")}</p>
    <label class="field">${t("pin.pin")}<input name="pin" type="password" inputmode="numeric" autocomplete="current-password" required></label>
    <div class="segment" role="group"><label class="pick"><input type="radio" name="role" value="tablet" checked> ${t("pin.tablet")}</label>
    <label class="pick"><input type="radio" name="role" value="referee"> ${t("pin.referee")}</label>
    <label class="pick"><input type="radio" name="role" value=""> ${t("pin.own")}</label></div>
    <div class="sheet-end"><button class="button main">${t("pin.unlock")}</button></div></form>`;
}

/** All hands of the game, newest first. */
export function historyList(doc, action = "hand-detail") {
  if (!doc.history.length) return html`<p class="empty">${t("last.none")}</p>`;
  return html`<ol class="history" reversed>${doc.history.map((row, index) => ({ row, index })).reverse().map(({ row, index }) => html`<li><button type="button" class="history-row" data-do="${action}" data-index="${index}">
    <span class="history-no">${row.hand_no}</span><span>${outcomeLine(doc, row)}</span>
    <b>${row.outcome === "win" ? row.total : ""}</b>
    ${row.corrected ? html`<span class="corrected">${icon("edit")} ${t("last.corrected")}${row.reason ? html` · ${row.reason}` : ""}</span>` : ""}</button></li>`)}</ol>`;
}

/** One hand, and the way to the others. `record` is what the ledger tells beside it. */
export function handSheet(doc, index, record = "") {
  const row = doc.history[index];
  return row ? html`${handDetail(doc, row)}${record}<div class="sheet-end">
    <button type="button" class="button quiet" data-do="hand-step" data-step="-1" ${flag("disabled", !(index > 0))}>${t("hand.earlier")}</button>
    <button type="button" class="button quiet" data-do="hand-step" data-step="1" ${flag("disabled", !(index < doc.history.length - 1))}>${t("hand.later")}</button></div>` : "";
}
