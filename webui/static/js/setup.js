// The set-up wizard: from language to trial hand, and a report of what is ready. Where one is stays on this device;
// everything else is the table's own state, so another device sees the same report.

import { flag, html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { command } from "./core/send.js";
import { t } from "./core/texts.js";
import { say } from "./core/voice.js";
import { rememberNames, setupFields, setupState } from "./parts/setup.js";
import * as sheets from "./parts/sheets.js";
import { checks, STEPS, stepView } from "./parts/wizard.js";

const KEPT = "paiju_wizard";
const referee = document.body.dataset.role === "referee";
const ui = { sheet: null, pin: null, setup: setupState(), referee, ...kept() };

function kept() {
  try { return { step: 0, place: "home", ...JSON.parse(localStorage.getItem(KEPT)) }; } catch { return { step: 0, place: "home" }; }
}

function keep() {
  try { localStorage.setItem(KEPT, JSON.stringify({ step: ui.step, place: ui.place })); } catch { /* a closed store begins again next time */ }
}

function keys(doc) {
  const last = ui.step === STEPS.length - 1;
  return html`<div class="wizard-keys"><button type="button" class="button quiet" data-do="wizard-back" ${flag("disabled", !ui.step)}>${t("act.back")}</button>
    ${last ? html`<button type="button" class="button quiet" data-do="wizard-again">${t("wizard.again")}</button><a class="button main" href="/">${t("wizard.go")}</a>`
    : html`<button type="button" class="button main" data-do="wizard-next">${t(checks(doc, ui)[STEPS[ui.step]] === false ? "wizard.skip" : "wizard.next")}</button>`}</div>`;
}

function body(doc) {
  const done = checks(doc, ui);
  return html`<header class="strip"><div class="where"><h1>${t("wizard.title")}</h1><p>${t("wizard.step", { number: ui.step + 1, all: STEPS.length })}</p></div>
    <div class="tools"><button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button></div></header>
    <div class="wizard"><ol class="wizard-steps" aria-hidden="true">${STEPS.map((name, i) => html`<li data-done="${done[name] ? "yes" : "no"}" aria-current="${i === ui.step ? "step" : "false"}"></li>`)}</ol>
    <section class="panel" data-step="${STEPS[ui.step]}">${stepView(STEPS[ui.step], doc, ui)}</section>${keys(doc)}</div>`;
}

/** Whether the table has a PIN: only a device that is in may see the list, so a refusal says yes. */
async function askServer(page) {
  const answers = await Promise.all([fetch("/api/v1/paired"), fetch("/api/v1/rulesets")]).catch(() => []);
  if (!answers.length) return;
  ui.pin = answers[0].status === 403 ? true : (await answers[0].json()).pin;
  ui.setup.rulesets = (await answers[1].json()).rulesets;
  page.draw();
}

function taps(page) {
  const change = (work) => (element) => { work(element); keep(); page.draw(); };
  askServer(page);
  return {
    close: change(() => { ui.sheet = null; }),
    unlock: change(() => { ui.sheet = "pin"; }),
    "wizard-next": change(() => { ui.step += 1; scrollTo(0, 0); }),
    "wizard-back": change(() => { ui.step -= 1; }),
    "wizard-again": change(() => { ui.step = 0; }),
    "wizard-place": change((element) => { ui.place = element.dataset.place; if (ui.place === "tournament") ui.setup.mode = "competition"; }),
    "wizard-sound": () => say(t("wizard.sound_said")),
    print: () => window.print(),
    "setup-dealer": change((element) => { ui.setup.dealer = Number(element.dataset.seat); }),
    "setup-mode": change((element) => { ui.setup.mode = element.dataset.mode; }),
    "setup-ruleset": change((element) => { ui.setup.ruleset = element.value; }),
    "setup-open": async (form) => {
      const fields = setupFields(form, ui.setup);
      if (!await page.attempt(() => command("open_game", fields))) return;
      rememberNames(fields.names);
      ui.step += 1;
      keep();
      page.draw();
    },
  };
}

startPage({ body, taps, sheet: () => (ui.sheet ? { title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() } : null) });
