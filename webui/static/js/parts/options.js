// Setting the house rules of a game right: each as it is, what would differ, every payment that moves, and why.

import { flag, html } from "../core/dom.js";
import { command } from "../core/send.js";
import { t } from "../core/texts.js";
import { changeTable } from "./correct.js";
import { optionField, optionName, optionsOf, valueName } from "./setup.js";

/** What is being filled in; `rules` are the rules of the game as `/api/v1/rulesets` describes them. */
export const optionsState = (rules, game) => ({ rules, present: game.options, wanted: game.options, reason: "", changes: null });

/** Ask for the rules of this game, with the notes on their options in the language of this device. */
export async function askRules(name) {
  const answer = await fetch(`/api/v1/rulesets?language=${document.documentElement.lang}`);
  return (await answer.json()).rulesets.find((one) => one.name === name);
}

const valueIn = (options, option) => (option.name in options ? options[option.name] : option.default);

const differing = (ui) => ui.rules.options.filter((one) => valueIn(ui.present, one) !== valueIn(ui.wanted, one));

/** Options that no field shows (lists, tables) stay as they are. */
const unshown = (ui) => Object.fromEntries(Object.entries(ui.present).filter(([name]) => ui.rules.options.every((one) => one.name !== name)));

const changed = (ui) => (option) => html`<li><b>${optionName(option.name)}</b> <s>${valueName(option.name, valueIn(ui.present, option))}</s>
  <span aria-hidden="true">→</span> <b>${valueName(option.name, valueIn(ui.wanted, option))}</b></li>`;

/** The sheet. */
export function optionsView(doc, ui) {
  if (!ui.rules.options.length) return html`<p class="empty">${t("correct.options_none")}</p>`;
  const differs = differing(ui);
  const ready = differs.length && ui.reason;
  return html`<form class="stack" data-submit="options-send" data-input="options-change">
    <p>${t("correct.options_hint")}</p>
    <div class="option-grid">${ui.rules.options.map((one) => optionField(one, valueIn(ui.present, one)))}</div>
    <label class="field">${t("correct.reason")}<input name="reason" maxlength="200" required autocomplete="off"></label>
    ${differs.length ? html`<ul class="differs">${differs.map(changed(ui))}</ul>` : ""}
    ${changeTable(doc, ui.changes)}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="options-preview" ${flag("disabled", !ready)}>${t("correct.preview")}</button>
      <button class="button main" ${flag("disabled", !ready || !ui.changes)}>${t("correct.send")}</button></div></form>`;
}

/** What the taps do. */
export function optionsTaps(page) {
  const send = (preview) => page.attempt(() => {
    const { wanted, reason } = page.ui();
    return command("correct_options", { options: wanted, reason, preview });
  });
  return {
    "options-change": (form) => {
      const ui = page.ui();
      const fields = new FormData(form);
      Object.assign(ui, { wanted: { ...unshown(ui), ...optionsOf(fields, ui.rules) }, reason: fields.get("reason").trim(), changes: null });
      page.draw();
    },
    "options-preview": async () => { const answer = await send(true); if (answer) { page.ui().changes = answer.changes; page.draw(); } },
    "options-send": async () => { if (await send(false)) page.close(); },
  };
}
