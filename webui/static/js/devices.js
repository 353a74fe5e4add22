// The devices that are in, ending all sessions, and what happened lately. For the referee.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { endSessions } from "./core/send.js";
import { clock, t } from "./core/texts.js";
import { icon } from "./parts/icons.js";
import * as sheets from "./parts/sheets.js";

const referee = document.body.dataset.role === "referee";
const ui = { sheet: null, found: null };

async function ask(page) {
  const answer = await fetch("/api/v1/devices").catch(() => null);
  if (answer?.ok) ui.found = await answer.json();
  page.draw();
}

function deviceRow(one) {
  return html`<li class="log-line"><b>${t(`devices.role.${one.role}`)}</b><span>${one.address}</span><span>${t("devices.since", { time: clock(one.since_ms) })}</span>
    ${one.own ? html`<span class="corrected">${t("devices.own")}</span>` : ""}<small class="empty">${one.browser}</small></li>`;
}

const logRow = (line) => html`<li class="log-line"><span>${clock(line.at_ms)}</span><b>${t(`devices.log.${line.what}`)}</b><span>${line.address}</span>
  ${line.role ? html`<span>${t(`devices.role.${line.role}`)}</span>` : ""}</li>`;

function content() {
  if (!referee) return html`<section class="panel"><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button></section>`;
  if (!ui.found) return html`<p class="loading">${t("link.loading")}</p>`;
  const { pin, devices, log } = ui.found;
  const list = !pin ? html`<p>${t("devices.open")}</p>` : devices.length ? html`<ul>${devices.map(deviceRow)}</ul>` : html`<p class="empty">${t("devices.none")}</p>`;
  return html`<section class="panel">${list}</section>
    ${pin ? html`<section class="panel"><form class="stack" data-submit="end-sessions"><p>${t("devices.end_hint")}</p>
      <label class="field">${t("devices.new_pin")}<input name="pin" type="password" inputmode="numeric" minlength="4" maxlength="12" autocomplete="new-password"></label>
      <div class="sheet-end"><button class="button main">${t("devices.end")}</button></div></form></section>
    <section class="panel"><h2>${t("devices.log")}</h2><ul>${log.map(logRow)}</ul></section>` : ""}`;
}

const body = () => html`<header class="strip"><div class="where"><h1>${t("devices.title")}</h1></div><div class="tools">
  <button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button>
  <button type="button" class="tool" data-do="view" aria-label="${t("view.title")}">${icon("view")}</button></div></header><div class="evening">${content()}</div>`;

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
};

function taps(page) {
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  if (referee) ask(page);
  return {
    close: open(null), view: open("view"), unlock: open("pin"),
    "end-sessions": async (form) => { if (await page.attempt(() => endSessions(new FormData(form).get("pin")))) location.reload(); },
  };
}

startPage({ body, taps, sheet: () => (ui.sheet ? SHEETS[ui.sheet]() : null) });
