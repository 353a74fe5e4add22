// Where a game is, in one line.

import { t } from "../core/texts.js";

/** The round and the hand; of a game that is over that it is. */
export const now = (round) => (round.finished ? t("phase.finished") : `${t(`round.${round.wind}`)} · ${t("hand.number", { number: round.hand_no })}`);
