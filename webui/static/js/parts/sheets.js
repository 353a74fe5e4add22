// The sheets that every page has: how this device shows the pages, and its PIN. Pure views; taps are named by data-do.

import { html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import * as prefs from "../core/prefs.js";
import { hasVoice, speaks } from "../core/voice.js";
import { icon } from "./icons.js";

/** Language, light, size of letters, side of the table. */
export function viewSheet({ game = false, mode = null } = {}) {
  const theme = prefs.shownTheme();
  return html`<div class="stack">
    <div class="segment" role="group" aria-label="${t("view.language")}">${prefs.LANGUAGES.map((code) => html`<button type="button" class="pick" data-do="set-language"
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
    <details class="qr" data-key="qr"><summary>${t("win.qr")}</summary><img src="/qr/snap.svg" alt="${t("win.qr")}" width="220" height="220" loading="lazy"></details>
    <nav class="links"><a href="/">${t("nav.table")}</a><a href="/desk">${t("nav.desk")}</a><a href="/snap">${t("nav.snap")}</a><a href="/history">${t("nav.history")}</a><a href="/hall">${t("nav.hall")}</a><a href="/devices">${t("devices.title")}</a><a href="/setup">${t("nav.setup")}</a></nav>
  </div>`;
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
