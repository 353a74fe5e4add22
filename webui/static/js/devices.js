// The devices that are in: pairing by code, revoking, PINs, and what happened lately.

import { flag, html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { endSessions, pair, revoke, setPin } from "./core/entrust.js";
import { clock, t } from "./core/texts.js";
import { told } from "./core/told.js";
import { icon } from "./parts/icons.js";
import * as sheets from "./parts/sheets.js";
import { strip } from "./parts/strip.js";

const referee = document.body.dataset.role === "referee";
const PAIRED_AS = ["tablet", "player", "scorekeeper", "referee", "organiser", "viewer"];
const ui = { sheet: null, found: null, pins: [], code: null, pairAs: PAIRED_AS[0] };

async function ask(page) {
  ui.found = (await told("/api/v1/paired")) ?? ui.found;
  ui.pins = (await told("/api/v1/pins"))?.roles ?? [];
  page.draw();
}

const roleName = (one) => `${t(`devices.role.${one.role}`)}${one.seat === null ? "" : ` ${one.seat + 1}`}`;

const MACHINES = ["iPad", "iPhone", "Android", "Windows", "Macintosh", "Linux"];

/** What kind of machine a browser says it runs on: nobody knows his tablet by the whole of that line. */
const machine = (browser) => MACHINES.find((one) => browser.includes(one)) ?? browser.slice(0, 20);

function deviceRow(one) {
  const seen = one.seen_ms ? t("devices.seen", { time: clock(one.seen_ms) }) : t("devices.not_seen");
  return html`<li class="log-line" data-key="${one.id}"><b>${roleName(one)}</b><span>${one.name}</span><span>${seen}</span>
    ${one.own ? html`<span class="corrected">${t("devices.own")}</span>` : ""}<small class="empty">${one.address} ${machine(one.browser)}</small>
    ${ui.pins.length ? html`<button type="button" class="pick" data-do="revoke" data-id="${one.id}">${t("devices.revoke")}</button>` : ""}</li>`;
}

const logRow = (line) => html`<li class="log-line"><span>${clock(line.at_ms)}</span><b>${t(`devices.log.${line.what}`)}</b><span>${line.address}</span>
  ${line.role ? html`<span>${t(`devices.role.${line.role}`)}</span>` : ""}</li>`;

function pairPanel() {
  const code = ui.code ? html`<figure><img src="data:image/svg+xml,${encodeURIComponent(ui.code.svg)}" alt="${t("devices.code")}" width="260" height="260">
    <figcaption>${t("devices.code_hint")}</figcaption></figure>` : "";
  return html`<section class="panel"><h2>${t("devices.pair")}</h2><form class="stack" data-submit="pair">
    <label class="field">${t("devices.pair_role")}<select name="role" data-change="pair-as">${PAIRED_AS.map((one) => html`<option value="${one}" ${flag("selected", one === ui.pairAs)}>${t(`devices.role.${one}`)}</option>`)}</select></label>
    ${ui.pairAs === "player" ? html`<label class="field">${t("devices.pair_seat")}<select name="seat">${[0, 1, 2, 3].map((seat) => html`<option value="${seat}">${seat + 1} (${"ABCD"[seat]})</option>`)}</select></label>` : ""}
    <label class="field">${t("devices.pair_name")}<input name="name" maxlength="40" autocomplete="off"></label>
    <div class="sheet-end"><button class="button main">${t("devices.pair_do")}</button></div></form>${code}</section>`;
}

function pinPanel() {
  if (!ui.pins.length) return "";
  return html`<section class="panel"><h2>${t("devices.pins")}</h2><p>${t("devices.pins_hint")}</p>
    ${ui.pins.map((one) => html`<form class="log-line" data-submit="set-pin" data-key="${one.role}"><b>${t(`devices.role.${one.role}`)}</b>
      <span>${one.pin ? t("devices.pin_set") : t("devices.pin_none")}</span><input type="hidden" name="role" value="${one.role}">
      <input name="pin" type="password" inputmode="numeric" minlength="4" maxlength="12" pattern="[0-9]{4,12}" autocomplete="new-password" aria-label="${t("devices.new_pin")}" ${flag("disabled", !one.may_set)}>
      <button class="pick" ${flag("disabled", !one.may_set)}>${t("devices.pin_save")}</button></form>`)}</section>`;
}

function content() {
  if (!referee) return html`<section class="panel"><p>${t("pin.why")}</p><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button></section>`;
  if (!ui.found) return html`<p class="loading">${t("link.loading")}</p>`;
  const { pin, devices, log } = ui.found;
  return html`<section class="panel">${pin ? "" : html`<p>${t("devices.open")}</p>`}
      ${devices.length ? html`<ul>${devices.map(deviceRow)}</ul>` : html`<p class="empty">${t("devices.none")}</p>`}</section>
    ${pairPanel()}${pinPanel()}
    ${ui.pins.length && devices.length ? html`<section class="panel"><form class="stack" data-submit="end-sessions"><p>${t("devices.end_hint")}</p>
      <div class="sheet-end"><button class="button main">${t("devices.end")}</button></div></form></section>` : ""}
    ${log.length ? html`<section class="panel"><h2>${t("devices.log")}</h2><ul>${log.map(logRow)}</ul></section>` : ""}`;
}

const body = () => html`${strip(html`<h1>${t("devices.title")}</h1>`)}<div class="evening">${content()}</div>`;

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
};

/** What the form of a new code wishes for. */
function wish(form) {
  const fields = new FormData(form);
  const role = fields.get("role");
  return { role, name: fields.get("name"), ...(role === "player" ? { seat: Number(fields.get("seat")) } : {}) };
}

function taps(page) {
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  const then = (work, after) => async (element) => { const done = await page.attempt(() => work(element)); if (done) after(done); };
  if (referee) ask(page);
  return {
    close: open(null), view: open("view"), unlock: open("pin"),
    "pair-as": (element) => { ui.pairAs = element.value; page.draw(); },
    pair: then((form) => pair(wish(form)), (code) => { ui.code = code; page.draw(); }),
    revoke: then((button) => revoke(button.dataset.id), () => ask(page)),
    "set-pin": then((form) => setPin(new FormData(form).get("role"), new FormData(form).get("pin") || null), () => location.reload()),
    "end-sessions": then(endSessions, () => location.reload()),
  };
}

startPage({ body, taps, sheet: () => (ui.sheet ? SHEETS[ui.sheet]() : null) });
