// The steps of the set-up wizard as views of (state, what was chosen), and what counts as ready.

import { html, pressed } from "../core/dom.js";
import { LANGUAGES } from "../core/prefs.js";
import { t } from "../core/texts.js";
import { icon } from "./icons.js";

const PLACES = ["home", "club", "tournament"];
const CAMERA_STEPS = ["light", "corners"];
const DEVICE_STEPS = ["place", "camera", "tiles", "table", ...CAMERA_STEPS];
/** Every step, in order. */
export const ALL = ["language", "place", "camera", "light", "corners", "tiles", "table", "rules", "tablet", "trial", "report"];
const running = (doc) => Boolean(doc.game && !doc.round.finished);

/** The steps in order: what needs a camera only where there is one or was just chosen, devices only where they can be chosen here. */
export function stepsOf(doc, ui) {
  return ALL.filter((name) => (ui.set ? ui.set.camera.id || doc.devices.camera.state !== "absent" || !CAMERA_STEPS.includes(name) : !DEVICE_STEPS.includes(name)));
}

/** Whether a device is there; without one by choice there is nothing to check. */
const within = ({ state }, chosen) => (chosen || state !== "absent" ? state === "live" : null);

/** Ready (true), missing (false), or nothing to check (null), by step. */
export function checks(doc, ui) {
  const place = ui.set?.place ?? "home";
  return {
    language: true,
    place: place === "home" || ui.pins === null ? true : ui.pins.some((one) => one.pin),
    camera: within(doc.devices.camera, ui.set?.camera.id),
    light: null,
    corners: Boolean(ui.set?.corners) && !doc.problems.some((one) => one.key === "camera_moved"),
    tiles: null,
    table: within(doc.devices.table, ui.set?.line.words.length),
    rules: running(doc),
    tablet: null,
    trial: doc.history.length > 0,
    report: null,
  };
}

function language() {
  return html`<h2>${t("wizard.language")}</h2><div class="way-row">${LANGUAGES.map((code) => html`<button type="button" class="way" data-do="set-language"
    data-language="${code}" lang="${code}" ${pressed(document.documentElement.lang === code)}><b>${t(`language.${code}`)}</b></button>`)}</div>`;
}

function pinForm(ui) {
  const missing = (ui.pins ?? []).filter((one) => one.may_set && !one.pin && ["referee", "chief", "tablet"].includes(one.role));
  const set = (ui.pins ?? []).filter((one) => one.pin);
  return html`${set.length ? html`<p>✓ ${t("wizard.pin_set")} ${set.map((one) => t(`devices.role.${one.role}`)).join(" · ")}</p>` : ""}
    ${missing.map((one) => html`<form class="in-line" data-submit="wizard-pin" data-key="pin-${one.role}"><input type="hidden" name="role" value="${one.role}">
      <label class="field">${t("wizard.pin_for", { role: t(`devices.role.${one.role}`) })}<input name="pin" type="password" inputmode="numeric" pattern="[0-9]{4,12}" autocomplete="new-password" required></label>
      <button class="button">${t("wizard.pin_give")}</button></form>`)}`;
}

function place(doc, ui) {
  const chosen = ui.set?.place ?? "home";
  return html`<h2>${t("wizard.place")}</h2><div class="way-row">${PLACES.map((name) => html`<button type="button" class="way" data-do="wizard-place" data-place="${name}"
    ${pressed(chosen === name)}><b>${t(`wizard.place.${name}`)}</b><small>${t(`wizard.place.${name}.hint`)}</small></button>`)}</div>
    ${chosen === "home" ? "" : html`<p>${t("wizard.pin_hint")}</p>${pinForm(ui)}`}
    ${document.body.dataset.trust !== "no" ? "" : html`<p>▲ ${t("report.secure_hint")} <a href="/trust">${t("trust.title")}</a></p>`}`;
}

function rules(doc, ui, part) {
  if (running(doc)) return html`<h2>${t("wizard.rules")}</h2><p>✓ ${t("wizard.rules_open", { rules: `${t(`ruleset.${doc.game.ruleset}`)} · ${t(`mode.${doc.game.mode}`)}` })}</p>`;
  if (!ui.referee) return html`<h2>${t("wizard.rules")}</h2><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button>`;
  return html`<h2>${t("wizard.rules")}</h2>${part.rulesView(ui)}`;
}

const figure = (src, label) => html`<figure><img src="${src}" alt="${label}" width="220" height="220"><figcaption>${label}</figcaption></figure>`;

/** With PINs a device needs a code of its own, which works once; without, the address is enough. */
function codes(ui) {
  if (!ui.pins?.some((one) => one.pin)) return html`<div class="wizard-qr">${figure("/qr/table.svg", t("nav.table"))}${figure("/qr/desk.svg", t("wizard.desk_hint"))}${figure("/qr/snap.svg", t("nav.snap"))}</div>`;
  return html`<div class="modes">${["tablet", "referee"].map((role) => html`<button type="button" class="button" data-do="wizard-pair" data-role="${role}">${icon("phone")} ${t("wizard.pair", { role: t(`devices.role.${role}`) })}</button>`)}</div>
    ${ui.code ? html`<div class="wizard-qr">${figure(`data:image/svg+xml,${encodeURIComponent(ui.code.svg)}`, t("wizard.pair_once", { role: t(`devices.role.${ui.code.role}`) }))}</div>` : ""}`;
}

function tablet(doc, ui) {
  return html`<h2>${t("wizard.tablet")}</h2><p>${t("wizard.tablet_hint")}</p>${codes(ui)}
    <div class="modes"><button type="button" class="pick" data-do="full">${icon("full")} ${t("view.full")}</button>
      <button type="button" class="pick" data-do="wizard-sound">${icon("voice")} ${t("wizard.sound")}</button></div>
    ${awake()}`;
}

/** Whether screens stay awake, as the report at the end says it. */
function awake() {
  const { trust } = document.body.dataset;
  if (trust === "yes" && "wakeLock" in navigator) return html`<p>✓ ${t("wizard.awake")}</p>`;
  return html`<p>▲ ${t({ yes: "wizard.awake_not", here: "report.secure_here", no: "report.secure_hint" }[trust])}</p>`;
}

const trial = (doc) => html`<h2>${t("wizard.trial")}</h2><p>${t("wizard.trial_hint")}</p>
  <p role="status">${doc.history.length ? html`✓ ${t("wizard.trial_done")}` : t("wizard.trial_open")}</p><a class="button" href="/">${t("wizard.go")}</a>`;

function report(doc, ui) {
  const signs = { good: "✓", open: "▲", none: "○" };
  const { value } = ui.watch.read("/api/v1/setup/report");
  const rows = value?.lines ?? [];
  return html`<h2>${t("wizard.report")}</h2>${value ? "" : html`<p class="empty">${t("link.loading")}</p>`}
    <ul class="checks">${rows.map(({ key, level, hints }) => html`<li data-level="${level}" data-line="${key}"><span aria-hidden="true">${signs[level]}</span><span>${t(`report.${key}`)}${hints.map((hint) => html`<small>${t(hint)}</small>`)}</span>
    <b>${t(`wizard.report_${level}`)}</b></li>`)}</ul>
    <div class="modes screen-only"><a class="pick" href="/setup-report.html" download="setup-report.html">${t("report.save")}</a><button type="button" class="pick" data-do="print">${t("evening.print")}</button></div>`;
}

const VIEWS = {
  language, place, rules, tablet, trial, report,
  camera: (doc, ui, part) => part.cameraView(doc, ui),
  light: (doc, ui, part) => part.lightView(doc, ui),
  corners: (doc, ui, part) => part.cornersView(doc, ui),
  tiles: (doc, ui, part) => part.tilesView(doc, ui),
  table: (doc, ui, part) => part.lineView(doc, ui),
};

/** One step; `part` is the module that its step needs beside this one. */
export const stepView = (name, doc, ui, part) => VIEWS[name](doc, ui, part);

