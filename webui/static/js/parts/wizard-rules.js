// The rulesets as cards, each with what sets it apart, its version, and its whole text to read.

import { html, pressed } from "../core/dom.js";
import { command } from "../core/send.js";
import { known, t } from "../core/texts.js";
import { told } from "../core/told.js";
import { rememberNames, setupFields, setupState, setupView } from "./setup.js";

const nameOf = (name) => (known(`ruleset.${name}`) ? t(`ruleset.${name}`) : name);

function card(rules, chosen) {
  const about = `ruleset.${rules.name}.about`;
  const ours = rules.options.filter((one) => one.house).length;
  return html`<button type="button" class="way rules-card" data-do="wizard-ruleset" data-ruleset="${rules.name}" ${pressed(chosen)}><b>${nameOf(rules.name)}</b>
    <small>${known(about) ? t(about) : ""}</small><small>${t("wizard.rules_version", { version: rules.version, count: rules.options.length })}${ours ? ` · ${t("wizard.rules_ours", { count: ours })}` : ""}</small></button>`;
}

/** The choice of a ruleset, in place of a list. */
function rulesetCards(ui) {
  const { rulesets, ruleset } = ui.setup;
  return html`<div class="rules-cards" role="group" aria-label="${t("setup.ruleset")}">${rulesets.map((one) => card(one, one.name === ruleset))}</div>
    <button type="button" class="pick" data-do="wizard-read-rules">${t("wizard.rules_read")}</button>${ui.rulesText ? html`<pre class="rules-text" tabindex="0">${ui.rulesText}</pre>` : ""}`;
}

export function rulesView(ui) {
  if (ui.setup.language !== document.documentElement.lang) ui.setup.ask();
  return setupView(ui.setup, rulesetCards(ui));
}

/** Choosing rules, names and mode, and opening the game. */
export function start(ui, { draw, attempt, onwards }) {
  const language = () => document.documentElement.lang;
  /** The notes on options come in the language of this device, so another language asks again. */
  const ask = async () => {
    ui.setup.language = language();
    ui.rulesText = "";
    ui.setup.rulesets = (await told(`/api/v1/rulesets?language=${language()}`))?.rulesets ?? [];
    draw();
  };
  ui.setup = { ...setupState(), language: "", ask };
  const change = (work) => (element) => { work(element.dataset); draw(); };
  return {
    begin: () => { if (ui.set?.place === "tournament") ui.setup.mode = "competition"; },
    taps: {
      "wizard-ruleset": change(({ ruleset }) => { ui.setup.ruleset = ruleset; ui.rulesText = ""; }),
      "wizard-read-rules": async () => {
        ui.rulesText = ui.rulesText ? "" : (await told(`/api/v1/rules?name=${ui.setup.ruleset}&language=${language()}`))?.text ?? "";
        draw();
      },
      "setup-dealer": change(({ seat }) => { ui.setup.dealer = Number(seat); }),
      "setup-mode": change(({ mode }) => { ui.setup.mode = mode; }),
      "setup-open": async (form) => {
        const fields = setupFields(form, ui.setup);
        if (!await attempt(() => command("open_game", fields))) return;
        rememberNames(form);
        onwards(1);
      },
    },
  };
}
