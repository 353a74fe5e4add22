// What else of a hand can be put right: hands shown at the empty wall, kongs and starting wins, birds, suits given up, the last tile.

import { html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import { seaRows, shownRows, suitRows } from "./drawn.js";
import { sideLine } from "./plays.js";
import { players } from "./seats.js";
import { splitTiles, tile } from "./tiles.js";

/** What was paid at once, and what of it does not count so far; a tap says that it was none. */
function sides(doc, ui) {
  const kongs = doc.hand?.pays_at_once.includes("kong"), { sides: counted = [] } = ui.row, aside = ui.win?.aside ?? [];
  if (!counted.length && !aside.length && !kongs) return "";
  const drop = (index) => html`<button type="button" class="pick" data-do="correct-drop" data-value="${index}" ${pressed(ui.dropped.includes(index))}>${t("plays.drop")}</button>`;
  return html`<h3>${t(doc.game.ruleset === "changsha" ? "correct.sides" : "correct.kongs")}</h3><ul class="play-log">${counted.map((side, index) => sideLine(doc, side, drop(index)))}${
    aside.map((side, index) => sideLine(doc, { ...side, payments: [0, 0, 0, 0] }, html`<small>${t("correct.aside")}</small> ${drop(counted.length + index)}`))}${
    ui.added.map((side, index) => sideLine(doc, { what: "kong", payments: [0, 0, 0, 0], ...side }, html`<button type="button" class="pick" data-do="correct-kong-drop" data-value="${index}">${t("plays.drop")}</button>`))}</ul>
    ${kongs ? html`<p><button type="button" class="pick" data-do="correct-kong">+ ${t("correct.add_kong")}</button></p>` : ""}`;
}

/** The birds that were turned, to be told anew. */
function birds(facts) {
  if (!facts.birds) return "";
  return html`<h3>${t("correct.birds")}</h3><p>${splitTiles(facts.birds).map((name) => tile(name))}
    <button type="button" class="pick" data-do="correct-birds">${t("correct.birds_anew")}</button></p>`;
}

/** The hand that a player shows at the empty wall, as it stands or as it is said here. */
export function shownBy(ui, seat) {
  const { hand, melds = [] } = ui.win?.table.players?.[seat] ?? {};
  return ui.players[seat]?.hand === undefined ? (hand ? { hand, melds: melds.map(({ type, tiles, from }) => ({ kind: type, tiles, from_seat: from ?? null })) } : null) : ui.players[seat];
}

/** Whether he is ready, where only that is shown or somebody has ruled it. */
export const readyBy = (ui, seat) => ui.players[seat]?.ready ?? ui.win?.table.players?.[seat]?.ready;

function shown(doc, ui) {
  const seats = players(doc).filter(({ seat }) => ui.win?.inside.includes(seat));
  const known = { hand: (seat) => shownBy(ui, seat), ready: (seat) => readyBy(ui, seat), action: "correct" };
  const { shows, refused } = ui.win ?? {}, asked = refused?.key === "why.dead_ready" ? refused.params.seat : null;
  const ruled = shows === "hands" ? seats.filter(({ seat }) => seat === asked || readyBy(ui, seat) !== undefined) : [];
  return html`${shownRows(shows, seats, known)}${ruled.length ? shownRows("ready", ruled, known) : ""}`;
}

/** All of it, as far as this game and this hand have it. */
export function handRows(doc, ui) {
  const facts = { ...ui.win?.table, ...ui.facts }, { ruleset, options } = doc.game;
  if (ui.outcome === "void") return "";
  return html`${shown(doc, ui)}${sides(doc, ui)}${ui.outcome === "win" ? birds(facts) : ""}
    ${options.dingque && ui.outcome !== "broken_off" ? suitRows(players(doc), (seat) => facts.players?.[seat]?.void, "correct-suit") : ""}
    ${ui.outcome === "draw" && ruleset === "changsha" ? seaRows(doc, ui, "correct-sea") : ""}`;
}
