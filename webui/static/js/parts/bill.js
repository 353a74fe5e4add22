// The bill of a finished hand: tiles, what each fan is worth, who pays.

import { html } from "../core/dom.js";
import { fanName, signed, t } from "../core/texts.js";
import { wholeHand } from "./tiles.js";
import { players, satAt, windAt } from "./seats.js";
import { icon } from "./icons.js";
import { outcomeLine, worth, worths } from "./outcome.js";

/** Fan lines, dearest first. */
export function fanLines(fans) {
  return html`<ol class="fans">${fans.map((fan) => html`<li>
    <span class="fan-name">${fanName(fan.name)}${fan.count > 1 ? html` <span class="times">×${fan.count}</span>` : ""}</span>
    <span class="dots" aria-hidden="true"></span><b class="fan-value">${fan.value * fan.count}</b>
    ${fan.why ? html`<small class="covers">${t("bill.covers", { names: names(fan.why) })}</small>` : ""}
  </li>`)}</ol>`;
}

/** The rules join terms with 、; each is shown in this language. */
const names = (terms) => terms.split("、").map(fanName).join(t("bill.and"));

/** What each seat gets or pays, now or in a finished hand. */
export function payments(doc, amounts, row = null) {
  const wind = (seat) => (row ? windAt(doc, seat.seat, row.dealer) : seat.wind);
  return html`<ul class="payments" aria-label="${t("bill.payments")}">${players(doc).map((seat) => html`<li
    data-sign="${Math.sign(amounts[seat.seat])}"><span class="sign" aria-hidden="true">${t(`wind.${wind(seat)}.sign`)}</span>
    <span class="name">${row ? satAt(doc, row, seat.seat) : seat.name}</span><b>${signed(amounts[seat.seat])}</b></li>`)}</ul>`;
}

/** The strip under the scoreboard; a tap opens the whole bill. */
export function lastHand(doc) {
  const row = doc.history[doc.history.length - 1];
  if (!row) return html`<p class="only-heard" aria-live="polite"></p><section class="last empty"><p>${t("last.none")}</p></section>`;
  const fans = row.fans.map((fan) => html`<span class="fan">${fanName(fan.name)} <b>${fan.value * fan.count}</b></span>`);
  return html`<p class="only-heard" aria-live="polite">${t("last.hand", { number: row.hand_no })} ${outcomeLine(doc, row)} ${row.total ? worth(doc, worths(row)) : ""}</p>
  <button type="button" class="last" data-do="hand-detail" data-hand="${row.hand_no}">
    <span class="last-head"><span class="last-no">${t("last.hand", { number: row.hand_no })}</span>
      <b>${outcomeLine(doc, row)}</b>
      ${row.outcome === "win" ? html`<b class="last-total">${worth(doc, worths(row))}</b>` : ""}
      ${row.corrected ? html`<span class="corrected">${icon("edit")} ${t("last.corrected")}</span>` : ""}</span>
    ${row.outcome === "win" && row.hand ? wholeHand(row) : ""}
    ${fans.length ? html`<span class="last-fans">${fans}</span>` : ""}
  </button>`;
}

const SEATS_NOTED = ["pigs", "not_ready", "ready"];

/** What a drawn hand was settled by, and what had been paid before the hand ended: not all kongs are. */
function beside(doc, row) {
  const noted = SEATS_NOTED.map((name) => [name, row.notes?.[name] ?? []]).map(([name, seats]) => [name, Array.isArray(seats) ? seats : Object.keys(seats)])
    .filter(([, seats]) => seats.length);
  const paid = (side) => players(doc).filter((seat) => side.payments[seat.seat]).map((seat) => `${satAt(doc, row, seat.seat)} ${signed(side.payments[seat.seat])}`).join(t("bill.and"));
  const sides = (row.sides ?? []).filter((side) => side.payments.some(Boolean));
  return html`${noted.map(([name, seats]) => html`<p><b>${t(`bill.${name}`)}</b> ${seats.map((seat) => satAt(doc, row, Number(seat))).join(t("bill.and"))}</p>`)}
    ${sides.length ? html`<p><b>${t("bill.sides")}</b> ${sides.map((side) => html`<span>${side.meld_kind ? `${satAt(doc, row, side.seat)} ${t(`meld.${side.meld_kind}`)}` : ""} ${paid(side)}</span> `)}</p>` : ""}`;
}

/** How one of several players won, and for how much. */
const headOf = (doc, row, win) => html`<p><b>${outcomeLine(doc, { ...row, wins: [], winner: win.seat, from_seat: win.from_seat })} ${worth(doc, win.total)}</b></p>`;

/** Everything about one finished hand. */
export function handDetail(doc, row) {
  return html`<article class="hand-detail"><div>
    <p class="total">${row.outcome === "win" ? html`<b>${worths(row)}</b> <span>${t(`bill.${doc.game.counted_in}`)}</span>` : html`<b>${outcomeLine(doc, row)}</b>`}</p>
    ${row.outcome === "win" ? html`<p>${outcomeLine(doc, row)}</p>` : ""}
    ${row.wins?.length > 1 ? headOf(doc, row, row.wins[0]) : ""}${row.hand ? wholeHand(row) : ""}
    ${row.fans.length ? fanLines(row.fans) : ""}
    ${(row.wins ?? []).slice(1).map((win) => html`${headOf(doc, row, win)}${wholeHand(win.laid)}${fanLines(win.fans)}`)}</div><div>
    ${payments(doc, row.payments, row)}${beside(doc, row)}
    ${row.corrected ? html`<p class="corrected">${icon("edit")} ${t("last.corrected")}${row.reason ? html` · ${row.reason}` : ""}</p>` : ""}
    ${pictures(row)}
  </div></article>`;
}

/** The pictures that decided the hand, one for each winner, and the whole frames they were cut from. */
function pictures(row) {
  const wins = row.wins?.length ? row.wins : [row];
  const seen = wins.filter((win, i) => win.picture && wins.findIndex((one) => one.picture === win.picture) === i);
  return seen.map((win) => html`<a class="evidence" href="/evidence/${win.picture}" target="_blank" rel="noopener"
      ><img src="/evidence/${win.picture}" alt="${t("evidence.alt", { number: row.hand_no })}" loading="lazy"></a>
    ${win.frame && win.frame !== win.picture ? html`<a class="full-frame" href="/evidence/${win.frame}" target="_blank" rel="noopener">${t("desk.full_picture")}</a>` : ""}`);
}
