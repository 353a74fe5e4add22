// How a finished hand ended, in one line.

import { t } from "../core/texts.js";
import { nameOf, playerName } from "./seats.js";

/** Whether a row of the history is a hand; a false win or a penalty is none. */
export const isHand = (row) => row.outcome !== "false_win" && row.outcome !== "penalty";

/** What was paid beside the hand that a correction names: a false win or a penalty of this player; nothing for the hand. */
export const beside = (doc, what, player) => (what === "hand" ? "" : t(`last.${what}`, { winner: playerName(doc, player), name: playerName(doc, player), points: "" }));

/** How a finished hand ended, in one line. */
export function outcomeLine(doc, row) {
  const player = (seat) => nameOf(doc, doc.seats.find((one) => one.player === row.players[seat])?.seat ?? seat);
  if (row.outcome === "penalty") return t(row.lifted ? "last.penalty_lifted" : "last.penalty", { name: player(row.winner), points: row.off || "" });
  if (row.outcome === "win" && row.wins?.length > 1) return t("last.several", { winners: row.wins.map((one) => player(one.seat)).join(t("bill.and")) });
  if (row.outcome === "win") {
    const winner = player(row.winner);
    return row.from_seat === null ? t("last.self_drawn", { winner }) : t("last.from", { winner, from: player(row.from_seat) });
  }
  if (row.outcome === "false_win") return t("last.false_win", { winner: player(row.winner) });
  return t(`last.${row.outcome}`);
}
