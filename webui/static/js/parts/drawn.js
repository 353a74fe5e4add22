// A hand that nobody won: the wall is exhausted or the hand does not count, and what the players must show then.

import { html, pressed } from "../core/dom.js";
import { command } from "../core/send.js";
import { t } from "../core/texts.js";
import { playedHand } from "./entered.js";
import { emptyEntry, entryFields, entryFrom, entryView } from "./entry.js";
import { nameOf, players } from "./seats.js";
import { fullHand, wholeHand } from "./tiles.js";

const SEA = ["", "taken_no_win", "all_refused", "used_as_replacement"];

/** What is being filled in: of which hand, shown hands by seat, who is ready, the last tile, and whose tiles are being typed. */
export const drawnState = (hand = "") => ({ hand, players: {}, ready: {}, sea: "", seaSeat: null, seat: null, entry: null });

/** What was filled in of the hand being played before the sheet was closed; of another hand nothing. */
export function drawnOf(doc, before) {
  const hand = playedHand(doc);
  return before.hand === hand ? before : drawnState(hand);
}

const inside = (doc) => players(doc).filter((seat) => !seat.out);

function readyRows(seats, ready, action) {
  return html`<h3>${t("draw.ready")}</h3><div class="segment">${seats.map(({ seat, name }) => html`<button type="button" class="pick" data-do="${action}-ready" data-seat="${seat}"
    ${pressed(Boolean(ready(seat)))}>${name}: ${t(ready(seat) ? "draw.is_ready" : "draw.not_ready")}</button>`)}</div>`;
}

const RULINGS = ["is_ready", "not_ready"];

/** Whether the hands of those who may not win count as ready: no rule says so, and nothing is taken for granted. */
function deadRows(seats, ready) {
  return html`<ul class="shown-hands">${seats.map(({ seat, name }) => html`<li><b>${name}</b> ${t("seat.dead")} <span class="segment">${RULINGS.map((one) => html`<button type="button"
    class="pick" data-do="drawn-dead" data-seat="${seat}" data-value="${one}" ${pressed(ready[seat] === (one === "is_ready"))}>${t(`draw.${one}`)}</button>`)}</span></li>`)}</ul>`;
}

function handRows(seats, hand, action) {
  return html`<h3>${t("draw.hands")}</h3><ul class="shown-hands">${seats.map(({ seat, name }) => html`<li><b>${name}</b>${hand(seat) ? wholeHand(hand(seat)) : ""}
    <button type="button" class="pick" data-do="${action}-show" data-seat="${seat}">${t(hand(seat) ? "win.edit" : "draw.show")}</button></li>`)}</ul>`;
}

/** What these players show at the empty wall: `hands`, who is `ready`, or nothing; `hand` and `ready` tell it by seat. */
export const shownRows = (shows, seats, { hand, ready, action }) => (shows === "ready" ? readyRows(seats, ready, action) : shows === "hands" ? handRows(seats, hand, action) : "");

/** Tiles that are only shown, to be typed: those of `shown`, if any. */
export function shownEntry(game, shown) {
  const full = fullHand(game) - 1;
  return shown ? entryFrom(shown, full, { wins: false }) : emptyEntry(full, { wins: false });
}

const SUITS = ["m", "p", "s"];

/** Which suit each of these players had given up, where one is: it decides who pays at the empty wall. */
export function suitRows(seats, known, action) {
  return html`<h3>${t("draw.void_suits")}</h3><ul class="shown-hands">${seats.map(({ seat, name }) => html`<li><b>${name}</b><span class="segment">${SUITS.map((suit) => html`<button type="button"
    class="pick" data-do="${action}" data-seat="${seat}" data-value="${suit}" ${pressed(known(seat) === suit)}>${t(`say.suit_${suit}`)}</button>`)}</span></li>`)}</ul>`;
}

/** What became of the last tile and with whom; it decides who deals. */
export function seaRows(doc, ui, action) {
  return html`<h3>${t("draw.sea")}</h3><div class="segment">${SEA.map((one) => html`<button type="button" class="pick" data-do="${action}" data-value="${one}"
    ${pressed(ui.sea === one)}>${t(`draw.sea.${one || "none"}`)}</button>`)}</div>
    ${ui.sea ? html`<p>${t(`draw.sea_who.${ui.sea}`)}</p><div class="segment">${players(doc).map((seat) => html`<button type="button" class="pick" data-do="${action}-seat"
      data-seat="${seat.seat}" ${pressed(ui.seaSeat === seat.seat)}>${seat.name}</button>`)}</div>` : ""}`;
}

/** The sheet, and how large it is. */
export const drawnSheet = (doc, ui) => ({ title: t("act.draw"), kind: doc.hand?.shows_at_draw === "hands" ? "" : "small", body: drawnView(doc, ui) });

function drawnView(doc, ui) {
  if (ui.entry) return html`<h3>${nameOf(doc, ui.seat)}</h3>${entryView(ui.entry)}`;
  const shows = doc.hand?.shows_at_draw, seats = inside(doc), dead = seats.filter((seat) => seat.dead);
  return html`<div class="stack drawn"><p>${t("draw.ask")}</p>
    ${shownRows(shows, shows === "ready" ? seats.filter((seat) => !seat.dead) : seats, { hand: (seat) => ui.players[seat], ready: (seat) => ui.ready[seat], action: "drawn" })}${shows && dead.length ? deadRows(dead, ui.ready) : ""}${doc.hand?.actions.includes("declare_void") ? suitRows(seats, (seat) => doc.hand.facts.players?.[seat]?.void, "drawn-suit") : ""}${
      doc.hand?.actions.includes("sea") ? seaRows(doc, ui, "drawn-sea") : ""}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="draw-void">${t("draw.void")}</button>
    ${doc.hand?.sides.length || doc.hand?.wins.length ? html`<button type="button" class="button quiet" data-do="draw-broken">${t("last.broken_off")}</button>` : ""}
    <button type="button" class="button main" data-do="draw-send">${t("draw.yes")}</button></div></div>`;
}

/** The fields of `draw_hand`. */
function drawnFields(doc, ui) {
  const shows = doc.hand?.shows_at_draw;
  const ruled = ({ seat, dead }) => ui.ready[seat] ?? (dead || shows !== "ready" ? null : false);
  const shown = inside(doc).filter(({ seat }) => shows === "ready" || ui.players[seat])
    .map((seat) => [seat.seat, { hand: ui.players[seat.seat]?.hand ?? "", melds: ui.players[seat.seat]?.melds ?? [], ready: ruled(seat) }]);
  return { players: Object.fromEntries(shown), sea: ui.sea, sea_seat: ui.sea ? ui.seaSeat : null };
}

/** What the taps do. */
export function drawnTaps(page) {
  const change = (work) => (element) => { work(page.ui(), element); page.draw(); };
  const end = async (fields) => {
    if (!await page.attempt(() => command("draw_hand", fields))) return;
    Object.assign(page.ui(), drawnState());
    page.close();
  };
  return {
    "drawn-ready": change((ui, { dataset }) => { ui.ready[dataset.seat] = !ui.ready[dataset.seat]; }),
    "drawn-dead": change((ui, { dataset }) => { ui.ready[dataset.seat] = dataset.value === "is_ready"; }),
    "drawn-show": change((ui, { dataset }) => {
      ui.seat = Number(dataset.seat);
      ui.entry = shownEntry(page.doc().game, ui.players[ui.seat]);
    }),
    "drawn-hand": change((ui) => { ui.players[ui.seat] = entryFields(ui.entry); ui.entry = null; }),
    "drawn-suit": ({ dataset }) => page.attempt(() => command("declare", { seat: Number(dataset.seat), what: "void", suit: dataset.value })),
    "drawn-sea": change((ui, { dataset }) => { ui.sea = dataset.value; }),
    "drawn-sea-seat": change((ui, { dataset }) => { ui.seaSeat = Number(dataset.seat); }),
    "draw-send": () => end(drawnFields(page.doc(), page.ui())),
    "draw-void": () => end({ void: true }),
    "draw-broken": () => end({ broken_off: true }),
  };
}
