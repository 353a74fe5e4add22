// What is told of a hand beyond its result: corrections before and after, fans that fell away, who did what.

import { html } from "../core/dom.js";
import { clock, known, signed, t } from "../core/texts.js";
import { told } from "../core/told.js";
import { beside, worth } from "./outcome.js";
import { nameOf, playerName, satAt } from "./seats.js";
import { notCounted } from "./verdict.js";

const asked = { number: 0, seq: -1 };

/** Ask for the record of a hand once; `ui.record` holds it, null while it is on its way or not for this device. */
export async function askRecord(page, ui) {
  const doc = page.doc();
  const number = doc?.history[ui.hand]?.hand_no;
  if (number === undefined || (asked.number === number && asked.seq === doc.seq)) return;
  Object.assign(asked, { number, seq: doc.seq });
  ui.record = null;
  const record = await told(`/api/v1/hands/${number}`);
  if (record && asked.number === number) ui.record = record;
  page.draw();
}

const roleName = (role) => (known(`devices.role.${role}`) ? t(`devices.role.${role}`) : t(`record.role.${role}`));

/** A page signs with its name; the table, the camera and the demonstration with theirs. */
const signature = (name) => ["nav", "device"].map((kind) => `${kind}.${name}`).filter(known).map((key) => t(key))[0] ?? name;

/** Who did it; a button of the table is that of who sat there in this hand. */
function whoOf(doc, number) {
  const row = doc.history.find((one) => one.hand_no === number);
  return (step) => [roleName(step.role), step.seat === null ? signature(step.name) : satAt(doc, row, step.seat), signature(step.device)].filter(Boolean).join(" · ");
}

const winners = (doc, wins) => wins.map(([player, total]) => `${playerName(doc, player)} ${worth(doc, total)}`).join(t("bill.and")) || t("record.nobody");

/** One correction as a table: who had what before, and has after it. */
function correction(doc, record, one, who) {
  const players = doc.seats.filter((seat) => seat.playing !== false);
  const moved = (player) => html`<td><s>${signed(one.before[player])}</s></td><td><b>${signed(one.after[player])}</b></td>`;
  const [was, is] = [one.wins_before, one.wins_after].map((wins) => winners(doc, wins));
  const winner = one.what === "hand" && was !== is
    ? html`<tr><th scope="row">${t("correct.winner")}</th><td><s>${was}</s></td><td><b>${is}</b></td></tr>` : "";
  return html`<table class="changes"><caption>${clock(one.step.at_ms)} ${who(one.step)}: ${one.step.reason} ${beside(doc, one.what, one.winner_after)}${one.hand_no === record.hand_no ? ""
    : html` (${t("record.follows", { number: one.hand_no })})`}</caption>
    <thead><tr><th scope="col">${t("setup.name")}</th><th scope="col">${t("record.before")}</th><th scope="col">${t("record.after")}</th></tr></thead>
    <tbody>${winner}${players.map((seat) => html`<tr data-moved="${one.before[seat.player] === one.after[seat.player] ? "no" : "yes"}"><th scope="row">${seat.name}</th>${moved(seat.player)}</tr>`)}</tbody></table>`;
}

const stepRow = (who) => (step) => html`<li class="log-line"><span>${clock(step.at_ms)}</span><b>${step.what}</b><span>${who(step)}</span>${step.reason ? html`<span>${step.reason}</span>` : ""}
  <small class="empty">${t("record.entry", { number: step.seq })}</small></li>`;

/** The record of the hand of this row; nothing while it is not there. */
export function recordView(doc, record, row) {
  if (!row || record?.hand_no !== row.hand_no) return "";
  const who = whoOf(doc, row.hand_no);
  return html`<section class="record">
    ${record.not_counted.map((one) => html`${record.not_counted.length > 1 ? html`<b>${nameOf(doc, one.seat)}</b>` : ""}${notCounted(one.lines)}`)}
    ${record.corrections.length ? html`<h3>${t("record.corrections")}</h3>${record.corrections.map((one) => correction(doc, record, one, who))}` : ""}
    <details class="steps"><summary>${t("record.steps", { count: record.steps.length })}</summary><ol>${record.steps.map(stepRow(who))}</ol></details></section>`;
}
