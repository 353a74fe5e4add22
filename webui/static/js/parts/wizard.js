// The steps of the set-up wizard as views of (state, what this device chose), and what counts as ready.

import { html, pressed } from "../core/dom.js";
import { known, t } from "../core/texts.js";
import { die, icon } from "./icons.js";
import { sentence } from "./say.js";
import { setupView } from "./setup.js";

/** The steps in order. */
export const STEPS = ["language", "place", "camera", "rules", "table", "tablet", "trial", "report"];

const LANGUAGES = ["zh-Hans", "zh-Hant", "en"];
const PLACES = ["home", "club", "tournament"];
const running = (doc) => Boolean(doc.game && !doc.round.finished);
const machineDice = (doc) => (doc.dice_ask ? doc.dice_ask.values : doc.dice.filter((one) => one.source === "table").map((one) => one.values)[0]);

/** Ready (true), missing (false), or nothing to check (null), by step. */
export function checks(doc, ui) {
  return {
    language: true,
    place: ui.place === "home" || ui.pin === null ? true : ui.pin,
    camera: doc.devices.camera.state === "live",
    rules: running(doc),
    table: doc.devices.table.state === "live",
    tablet: null,
    trial: doc.history.length > 0,
    report: null,
  };
}

function language() {
  return html`<h2>${t("wizard.language")}</h2><div class="way-row">${LANGUAGES.map((code) => html`<button type="button" class="way" data-do="set-language"
    data-language="${code}" lang="${code}" ${pressed(document.documentElement.lang === code)}><b>${t(`language.${code}`)}</b></button>`)}</div>`;
}

function place(doc, ui) {
  const pin = ui.pin ? t("wizard.pin_set") : t("wizard.pin_missing");
  return html`<h2>${t("wizard.place")}</h2><div class="way-row">${PLACES.map((name) => html`<button type="button" class="way" data-do="wizard-place" data-place="${name}"
    ${pressed(ui.place === name)}><b>${t(`wizard.place.${name}`)}</b><small>${t(`wizard.place.${name}.hint`)}</small></button>`)}</div>
    ${ui.place === "home" && !ui.pin ? "" : html`<p>${pin}</p>`}`;
}

const problemsOf = (doc, source) => doc.problems.filter((one) => one.source === source).map((one) => html`<p class="stale">▲ ${sentence(doc, one)}</p>`);

function camera(doc) {
  const { state } = doc.devices.camera;
  const words = state === "live" ? "wizard.camera_live" : state === "absent" ? "wizard.camera_none" : "wizard.camera_bad";
  return html`<h2>${t("wizard.camera")}</h2><p>${state === "live" ? "✓ " : ""}${t(words)}</p>${problemsOf(doc, "camera")}${problemsOf(doc, "eyes")}
    ${state === "absent" ? "" : html`<p>${t("wizard.camera_more")}</p>`}
    <div class="wizard-qr"><figure><img src="/qr/snap.svg" alt="${t("wizard.snap")}" width="220" height="220"><figcaption>${icon("phone")} ${t("wizard.snap")}</figcaption></figure></div>`;
}

function rules(doc, ui) {
  if (running(doc)) return html`<h2>${t("wizard.rules")}</h2><p>✓ ${t("wizard.rules_open", { rules: `${t(`ruleset.${doc.game.ruleset}`)} · ${t(`mode.${doc.game.mode}`)}` })}</p>`;
  if (!ui.referee) return html`<h2>${t("wizard.rules")}</h2><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button>`;
  const about = `ruleset.${ui.setup.ruleset}.about`;
  return html`<h2>${t("wizard.rules")}</h2>${known(about) ? html`<p>${t(about)}</p>` : ""}${setupView(ui.setup)}`;
}

function line(doc) {
  const { state } = doc.devices.table;
  const dice = machineDice(doc);
  if (state === "absent") return html`<h2>${t("device.table")}</h2><p>${t("wizard.table_none")}</p>`;
  return html`<h2>${t("wizard.table")}</h2><p>${t("wizard.table_state", { state: t(`device.state.${state}`) })}</p>
    ${dice ? html`<p>✓ ${t("wizard.table_dice")} <span class="dice">${dice.map(die)}</span></p>` : html`<p role="status">${t("wizard.table_wait")}</p>`}${problemsOf(doc, "table")}`;
}

function tablet() {
  const code = (page, label) => html`<figure><img src="/qr/${page}.svg" alt="${label}" width="220" height="220"><figcaption>${label}</figcaption></figure>`;
  return html`<h2>${t("wizard.tablet")}</h2><p>${t("wizard.tablet_hint")}</p>
    <div class="wizard-qr">${code("table", t("nav.table"))}${code("desk", t("wizard.desk_hint"))}${code("snap", t("nav.snap"))}</div>
    <div class="modes"><button type="button" class="pick" data-do="full">${icon("full")} ${t("view.full")}</button>
      <button type="button" class="pick" data-do="wizard-sound">${icon("voice")} ${t("wizard.sound")}</button></div>`;
}

const trial = (doc) => html`<h2>${t("wizard.trial")}</h2><p>${t("wizard.trial_hint")}</p>
  <p role="status">${doc.history.length ? html`✓ ${t("wizard.trial_done")}` : t("wizard.trial_open")}</p><a class="button" href="/">${t("wizard.go")}</a>`;

/** Good, missing, or nothing connected, which is a choice: hands and dice can be typed. */
const levelOf = (good, state = "") => (good ? "good" : state === "absent" ? "none" : "open");

function report(doc, ui) {
  const done = checks(doc, ui);
  const rows = [["wizard.pin", levelOf(done.place)], ["device.camera", levelOf(done.camera, doc.devices.camera.state)], ["wizard.game", levelOf(done.rules)],
    ["device.table", levelOf(done.table, doc.devices.table.state)], ["wizard.trial", levelOf(done.trial)], ["wizard.secure", levelOf(window.isSecureContext)]];
  const signs = { good: "✓", open: "▲", none: "○" };
  return html`<h2>${t("wizard.report")}</h2><ul class="checks">${rows.map(([key, level]) => html`<li data-level="${level}"><span aria-hidden="true">${signs[level]}</span> ${t(key)}
    <b>${t(`wizard.report_${level}`)}</b></li>`)}</ul>
    <div class="modes screen-only"><button type="button" class="pick" data-do="print">${t("evening.print")}</button></div>`;
}

const VIEWS = { language, place, camera, rules, table: line, tablet, trial, report };

/** One step. */
export const stepView = (name, doc, ui) => VIEWS[name](doc, ui);
