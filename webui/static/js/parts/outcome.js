// How a finished hand ended, in words.

import { t } from "../core/texts.js";
import { playerName, satAt } from "./seats.js";

/** Whether a row of the history is a hand; a false win or a penalty is none. */
export const isHand = (row) => row.outcome !== "false_win" && row.outcome !== "penalty";

/** What was paid beside the hand that a correction names: a false win or a penalty of this player; nothing for the hand. */
export const beside = (doc, what, player) => (what === "hand" ? "" : t(`last.${what}`, { winner: playerName(doc, player), name: playerName(doc, player), points: "" }));

/** How each player won; those of one tile in one breath. */
function winLines(wins, player) {
  const moments = wins.reduce((told, win) => {
    const same = win.from_seat !== null && told.find(([one]) => one.from_seat === win.from_seat && one.stage === win.stage);
    if (same) { same.push(win); return told; }
    return [...told, [win]];
  }, []);
  return moments.map((all) => {
    const winner = all.map((one) => player(one.seat)).join(t("bill.and")), [{ from_seat: from }] = all;
    return from === null ? t("last.self_drawn", { winner }) : t("last.from", { winner, from: player(from) });
  }).join(t("last.then"));
}

/** What a win is worth with its unit: a sum of fan, or points. */
export const worth = (doc, total) => `${total} ${t(`bill.${doc.game.counted_in}`)}`;

/** What a hand was worth: of several wins each. */
export const worths = (row) => (row.wins?.length > 1 ? row.wins.map((win) => win.total).join(t("bill.and")) : row.total);

/** A false win or a penalty, and what for: its name in the list, and what the referee wrote. */
const ruled = (row, name) => [row.lifted && t("last.penalty_lifted", { name }),
  !(row.lifted && row.outcome === "penalty") && t(`last.${row.outcome}`, { winner: name, name, points: row.off || "" }).trim(),
  row.names[document.documentElement.lang], row.reason].filter(Boolean).join(" · ");

/** How it ended, in one line. */
export function outcomeLine(doc, row) {
  const player = (seat) => satAt(doc, row, seat), name = player(row.winner);
  if (!isHand(row)) return ruled(row, name);
  const wins = row.outcome === "win" && !row.wins?.length ? [{ ...row, seat: row.winner }] : row.wins;
  if (row.outcome === "win") return winLines(wins, player);
  return [...(wins?.length ? [winLines(wins, player)] : []), t(`last.${row.outcome}`)].join(t("last.then"));
}
