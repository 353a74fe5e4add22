// Opening a game: four names around the table, the rules and their options, the mode, the first dealer.

import { flag, html, pressed } from "../core/dom.js";
import { known, t } from "../core/texts.js";

const NAMES = "paiju_names";
const LETTERS = "ABCD";

/** What is being filled in; the names of the last evening are proposed. */
export const setupState = () => ({ ruleset: "gb", mode: "friendly", dealer: 0, rulesets: [], names: lastNames() });

function lastNames() {
  try { return JSON.parse(localStorage.getItem(NAMES)) ?? []; } catch { return []; }
}

/** Propose the names that were typed, by seat, next time on this device. */
export function rememberNames(form) {
  const fields = new FormData(form);
  const names = [...LETTERS].map((_, number) => (fields.get(`name${number}`) ?? "").trim());
  try { localStorage.setItem(NAMES, JSON.stringify(names)); } catch { /* a closed store forgets */ }
}

export const optionName = (name) => (known(`option.${name}`) ? t(`option.${name}`) : name);
export const valueName = (name, value) => (known(`option.${name}.${value}`) ? t(`option.${name}.${value}`)
  : typeof value === "boolean" ? t(value ? "answer.yes" : "answer.no") : value === null ? t("answer.none") : String(value));

const noteOf = (option) => (option.note ? html`<small class="empty">${option.note}</small>` : "");

/** One house rule as a field; `present` is chosen, or written in it. */
export function optionField(option, present = option.default) {
  if (option.values) {
    return html`<label class="field">${optionName(option.name)}<select name="option.${option.name}">${option.values.map((value) =>
      html`<option value="${JSON.stringify(value)}" ${flag("selected", value === present)}>${valueName(option.name, value)}</option>`)}</select>${noteOf(option)}</label>`;
  }
  return html`<label class="field">${optionName(option.name)}<input name="option.${option.name}" value="${present ?? ""}"
    placeholder="${option.default ?? t("answer.none")}" autocomplete="off">${noteOf(option)}</label>`;
}

/** What the fields say: every option that differs from its default. */
export function optionsOf(fields, rules) {
  const options = {};
  for (const option of rules?.options ?? []) {
    const given = fields.get(`option.${option.name}`);
    if (given === null || given === "") continue;
    const value = option.values ? JSON.parse(given) : /^-?\d+$/.test(given) ? Number(given) : given;
    if (value !== option.default) options[option.name] = value;
  }
  return options;
}

const seat = (ui, number) => html`<div class="setup-seat" data-place="${["bottom", "right", "top", "left"][number]}">
  <label>${t("setup.seat", { letter: LETTERS[number] })}<input name="name${number}" maxlength="40" placeholder="${t("setup.name")}" autocomplete="off" value="${ui.names[number] ?? ""}"></label>
  <button type="button" class="pick" data-do="setup-dealer" data-seat="${number}" ${pressed(ui.dealer === number)}>◆ ${t("setup.first_dealer")}</button></div>`;

const MOST = { session_min: 1440, unit: 1_000_000, stake: 1_000_000_000 };
const HOUSE = Object.keys(MOST);

/** What the table agrees beside the rules: what is left empty stays as usual. */
const houseOf = (fields) => Object.fromEntries(HOUSE.filter((name) => fields.get(`house.${name}`)).map((name) => [name, Number(fields.get(`house.${name}`))]));

/** Which places are taken: two players sit opposite each other. */
const seatsOf = (ui) => (ui.ruleset === "two_player" ? [0, 2] : [0, 1, 2, 3]);

const rulesetList = (ui) => html`<div class="field"><select name="ruleset" aria-label="${t("setup.ruleset")}" data-change="setup-ruleset">${ui.rulesets.map((one) =>
  html`<option value="${one.name}" ${flag("selected", one.name === ui.ruleset)}>${known(`ruleset.${one.name}`) ? t(`ruleset.${one.name}`) : one.name}</option>`)}</select></div>`;

/** The form; `chooser` is how a ruleset is chosen, a list unless the page has another way. */
export function setupView(ui, chooser = rulesetList(ui)) {
  const rules = ui.rulesets.find((one) => one.name === ui.ruleset);
  const modes = ["friendly", "competition"];
  return html`<form class="setup" data-submit="setup-open">
    <section class="setup-names"><h3>${t("setup.who")}</h3>
      <div class="setup-table"><div class="ring-table" aria-hidden="true"></div>${seatsOf(ui).map((number) => seat(ui, number))}</div></section>
    <section class="setup-rules"><h3>${t("setup.rules")}</h3>
      ${chooser}
      <div class="mode-cards" role="group" aria-label="${t("setup.mode")}">${modes.map((mode) => html`<button type="button" class="way" data-do="setup-mode" data-mode="${mode}"
        ${pressed(ui.mode === mode)}><b>${t(`mode.${mode}`)}</b><small>${t(`mode.${mode}.hint`)}</small></button>`)}</div>
      ${rules?.options.length ? html`<details class="options" data-key="options ${ui.ruleset}"><summary>${t("setup.options")}</summary>${rules.options.map((option) => optionField(option))}</details>` : ""}
      <details class="options" data-key="house"><summary>${t("setup.house")}</summary>${HOUSE.map((name) => html`<label class="field">${t(`setup.house.${name}`)}<input name="house.${name}" type="number"
        inputmode="numeric" min="1" max="${MOST[name]}" autocomplete="off"></label>`)}</details>
    </section>
    <div class="sheet-end"><button class="button main">${t("setup.open")}</button></div>
  </form>`;
}

/** The fields of the command `open_game`, read from the form; a seat without a name is called by its letter, which is the same in every language. */
export function setupFields(form, ui) {
  const fields = new FormData(form);
  const rules = ui.rulesets.find((one) => one.name === ui.ruleset);
  const names = seatsOf(ui).map((number) => fields.get(`name${number}`).trim() || LETTERS[number]);
  return { ruleset: ui.ruleset, options: optionsOf(fields, rules), mode: ui.mode, first_dealer: seatsOf(ui).includes(ui.dealer) ? ui.dealer : 0, names, house: houseOf(fields) };
}
