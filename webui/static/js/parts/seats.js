// Who sits where on this screen. Seats run counter-clockwise; the device's own side is at the bottom.

import { flag, html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";

export const WINDS = ["E", "S", "W", "N"];
const PLACES = ["bottom", "right", "top", "left"];

/** Where a seat is drawn when seat `side` is at the bottom. */
export const place = (seat, side) => PLACES[(seat - side + 4) % 4];

/** The seats that are taken: all four, or two in a game for two. */
export const players = (doc) => doc.seats.filter((seat) => seat.playing !== false);

/** The wind of a seat; of two players one is South. */
export const windAt = (doc, seat, dealer) => WINDS[players(doc).length === 2 ? Number(seat !== dealer) : (seat - dealer + 4) % 4];

/** What places go by: the points without what penalties take off. */
export const result = (seat) => seat.total - (seat.off ?? 0);

/** The player's name at a seat, e.g. in sentences. */
export const nameOf = (doc, seat) => doc.seats.find((one) => one.seat === seat)?.name ?? t("seat.nobody");

/** The name of a player by his number, wherever he sits now. */
export const playerName = (doc, player) => doc.seats.find((one) => one.player === player)?.name ?? "";

/** Who sat there in a finished hand. */
export const satAt = (doc, row, seat) => playerName(doc, row.players[seat]) || nameOf(doc, seat);

/** How broad a name is, in letters: a Chinese sign is as broad as two. */
export const breadth = (name) => [...name].reduce((sum, sign) => sum + (sign > "\u2e80" ? 2 : 1), 0);

/** Four buttons arranged as the players sit. `only` limits which may be tapped. */
export function seatRing(doc, side, { action, chosen = null, only = null, note = null }) {
  const buttons = players(doc).map((seat) => {
    const off = only && !only.includes(seat.seat);
    return html`<button type="button" class="ring-seat" data-place="${place(seat.seat, side)}" data-do="${action}"
      data-seat="${seat.seat}" ${pressed(chosen === seat.seat)} ${flag("disabled", off)}>
      <span class="sign" aria-hidden="true">${t(`wind.${seat.wind}.sign`)}</span>
      <span class="ring-label"><span class="ring-name">${seat.name}</span>${note ? note(seat) : ""}</span>
    </button>`;
  });
  return html`<div class="ring"><div class="ring-table" aria-hidden="true"></div>${buttons}</div>`;
}
