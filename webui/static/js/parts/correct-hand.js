// What else of a hand can be put right: kongs and starting wins, the birds, the suits given up, what became of the last tile.

import { html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import { seaRows, suitRows } from "./drawn.js";
import { sideLine } from "./plays.js";
import { players } from "./seats.js";
import { splitTiles, tile } from "./tiles.js";

/** What was paid at once; a tap says that it was none. */
function sides(doc, ui) {
  const kongs = doc.hand?.pays_at_once.includes("kong");
  if (!ui.row.sides?.length && !kongs) return "";
  const drop = (index) => html`<button type="button" class="pick" data-do="correct-drop" data-value="${index}" ${pressed(ui.dropped.includes(index))}>${t("plays.drop")}</button>`;
  return html`<h3>${t(doc.game.ruleset === "changsha" ? "correct.sides" : "correct.kongs")}</h3><ul class="play-log">${ui.row.sides.map((side, index) => sideLine(doc, side, drop(index)))}${
    ui.added.map((side, index) => sideLine(doc, { what: "kong", payments: [0, 0, 0, 0], ...side }, html`<button type="button" class="pick" data-do="correct-kong-drop" data-value="${index}">${t("plays.drop")}</button>`))}</ul>
    ${kongs ? html`<p><button type="button" class="pick" data-do="correct-kong">+ ${t("correct.add_kong")}</button></p>` : ""}`;
}

/** The birds that were turned, to be told anew. */
function birds(facts) {
  if (!facts.birds) return "";
  return html`<h3>${t("correct.birds")}</h3><p>${splitTiles(facts.birds).map((name) => tile(name))}
    <button type="button" class="pick" data-do="correct-birds">${t("correct.birds_anew")}</button></p>`;
}

/** All of it, as far as this game and this hand have it. */
export function handRows(doc, ui) {
  const facts = { ...ui.win?.table, ...ui.facts }, { ruleset, options } = doc.game;
  if (ui.outcome === "void") return "";
  return html`${sides(doc, ui)}${ui.outcome === "win" ? birds(facts) : ""}
    ${options.dingque && ui.outcome !== "broken_off" ? suitRows(players(doc), (seat) => facts.players?.[seat]?.void, "correct-suit") : ""}
    ${ui.outcome === "draw" && ruleset === "changsha" ? seaRows(doc, ui, "correct-sea") : ""}`;
}
