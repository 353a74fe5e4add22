// The line to the table: found by pressing its dice button, or chosen from the list; or none.

import { html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import { die } from "./icons.js";
import { sentence } from "./say.js";

const machineDice = (doc) => (doc.dice_ask ? doc.dice_ask.values : doc.dice.filter((one) => one.source === "table").map((one) => one.values)[0]);
const isChosen = (ui, word) => ui.set.line.words.includes(word);

function choice(ui, word, name, about) {
  return html`<li data-key="line-${word}"><button type="button" class="line-choice" data-do="choose-line" data-word="${word}" ${pressed(isChosen(ui, word))}><b>${name}</b><small>${about}</small></button></li>`;
}

function heard(port) {
  const state = port.dice ? html`<b>✓ ${t("wizard.table_dice")}</b> <span class="dice">${port.dice.map(die)}</span>` : t(`device.state.${port.state}`);
  return html`<li data-level="${port.dice ? "good" : "none"}"><span aria-hidden="true">${port.dice ? "✓" : "○"}</span><b>${port.path}</b><span>${state}</span></li>`;
}

function search(ports) {
  if (!ports.ports.length) return html`<p>${t("wizard.ports_none")}</p>`;
  return html`<div class="modes"><button type="button" class="button main" data-do="listen">${t(ports.listening ? "wizard.listening" : "wizard.listen")}</button></div>
    ${ports.listening ? html`<p role="status"><b>${t("wizard.table")}</b></p>` : ""}${ports.heard.length ? html`<ul class="checks">${ports.heard.map(heard)}</ul>` : ""}`;
}

function present(doc) {
  const { state } = doc.devices.table;
  if (state === "absent") return "";
  const dice = machineDice(doc);
  return html`<p>${t("wizard.table_state", { state: t(`device.state.${state}`) })}</p>
    ${dice ? html`<p>✓ ${t("wizard.table_dice")} <span class="dice">${dice.map(die)}</span></p>` : html`<p role="status">${t("wizard.table_wait")}</p>`}
    ${doc.problems.filter((one) => one.source === "table").map((one) => html`<p class="stale">▲ ${sentence(doc, one)}</p>`)}`;
}

export function lineView(doc, ui) {
  if (ui.set.line.given) return html`<h2>${t("device.table")}</h2><p>✓ ${t("say.line_given")}</p>${present(doc)}`;
  const { value: ports } = ui.watch.read("/api/v1/setup/ports");
  if (!ports) return html`<h2>${t("device.table")}</h2><p class="empty">${t("link.loading")}</p>`;
  return html`<h2>${t("device.table")}</h2><p>${t("wizard.line_hint")}</p>${search(ports)}${present(doc)}
    <ul class="lines">${ports.ports.map((port) => choice(ui, port.word, port.chip || port.description || port.path, port.chip || port.description ? port.path : t("wizard.line_port")))}
      ${ports.replays.map((name) => choice(ui, `replay:${name}`, name, t("wizard.line_replay")))}
      ${choice(ui, "sim", t("wizard.line_sim"), t("wizard.line_sim_hint"))}
      <li data-key="line-none"><button type="button" class="line-choice" data-do="no-line" ${pressed(!ui.set.line.words.length)}><b>${t("wizard.line_none")}</b><small>${t("wizard.line_none_hint")}</small></button></li></ul>
    <form class="in-line" data-submit="line-address"><label class="field">${t("wizard.line_address")}<input name="address" placeholder="socket:// …" autocomplete="off" inputmode="url"></label><button class="button">${t("wizard.line_use")}</button></form>`;
}

/** Dice were heard while listening: that port is the table's, and is taken at once. */
export function start(ui, { setUp, draw, attempt }) {
  async function take() {
    if (ui.step !== "table" || !ui.set) return;
    const word = ui.watch.read("/api/v1/setup/ports").value?.heard.find((one) => one.dice && !isChosen(ui, one.word))?.word;
    if (!word || ui.taken === word) return;
    ui.taken = word;
    await attempt(async () => { ui.set = await setUp("/line", { words: [word] }); draw(); });
  }
  setInterval(take, 500);
  return { begin: () => {} };
}
