// The score sheet as people keep it on paper: a row per hand, a column per player, signatures below.

import { html } from "../core/dom.js";
import { signed, t } from "../core/texts.js";
import { scoresBefore } from "./evening.js";
import { outcomeLine, worths } from "./outcome.js";
import { players } from "./seats.js";

/** The columns: players by the seat they started on. */
const columns = (doc) => players(doc).map(({ player, name, off }) => ({ player, name, off })).sort((a, b) => a.player - b.player);

const day = (at) => new Date(at).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });

/** The whole sheet; there is at least one hand. */
export function scoreSheet(doc) {
  const who = columns(doc);
  const before = scoresBefore(doc);
  const sums = who.map(({ player }) => before[player]);
  const rows = doc.history.map((row) => {
    const cells = who.map(({ player, name }, i) => {
      const points = row.payments[row.players.indexOf(player)];
      sums[i] += points;
      return html`<td data-name="${name}">${signed(points)}<small> ${signed(sums[i])}</small></td>`;
    });
    return html`<tr><th scope="row">${row.hand_no}</th><td class="words">${t(`round.${row.round_wind}`)}</td><td class="words">${outcomeLine(doc, row)}</td>
      <td class="worth">${row.outcome === "win" ? worths(row) : ""}</td>${cells}</tr>`;
  });
  return html`<section class="panel"><div class="wide"><table class="tally score-sheet"><caption>${t("evening.sheet")} · ${t(`ruleset.${doc.game.ruleset}`)} v${doc.game.ruleset_version} · ${day(doc.history[0].at)}</caption>
    <thead><tr><th scope="col">${t("correct.hand")}</th><th scope="col" class="words">${t("evening.round")}</th><th scope="col" class="words">${t("evening.result")}</th><th scope="col">${t(`evening.worth.${doc.game.counted_in}`)}</th>
      ${who.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
    <tfoot><tr><th scope="row" colspan="4">${t("evening.sum")}</th>${sums.map((sum, i) => html`<td data-name="${who[i].name}"><b>${signed(sum)}</b>${who[i].off ? html`<small> ${t("seat.off", { points: who[i].off })}</small>` : ""}</td>`)}</tr>
      <tr class="only-paper"><th scope="row" colspan="4">${t("evening.signature")}</th>${who.map(() => html`<td>________</td>`)}</tr></tfoot></table></div></section>`;
}
