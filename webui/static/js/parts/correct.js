// Setting a played hand right, and turning a claim down: before, after, who gains, why.

import { flag, html, pressed } from "../core/dom.js";
import { command } from "../core/send.js";
import { signed, t } from "../core/texts.js";
import { circumstances, questionList } from "./claim.js";
import { entryFields, entryView } from "./entry.js";
import { beside, isHand } from "./outcome.js";
import { handRows, readyBy, shownBy } from "./correct-hand.js";
import { shownEntry } from "./drawn.js";
import { playState, playsView } from "./plays.js";
import { sentence } from "./say.js";
import { nameOf, playerName, players, windAt } from "./seats.js";
import { wholeHand } from "./tiles.js";
import { verdict } from "./verdict.js";

/** How a hand may have ended; broken off only where something is paid before the end. */
const endings = (doc, ui) => ["win", "draw", ...(doc.hand?.pays_at_once.length || ui.row.outcome === "broken_off" ? ["broken_off"] : []), "void", "seats"];
const FED = ["discard", "rob_kong", "kong_discard", "sea_bottom"];

/** The wins of a hand as they were told last, also of one that counts no more. */
const winsOf = (row) => (row.told?.length ? row.told : row.wins ?? []);

/** One of them. */
function winOf(row, number) {
  const wins = winsOf(row);
  const win = wins.length ? wins[number] : { seat: row.winner, source: row.source, from_seat: row.from_seat, laid: row };
  const { hand, melds, win_tile, flowers } = win.laid;
  return { win_no: number, winner: win.seat, source: win.source, from_seat: win.from_seat, laid: { hand, melds, win_tile, flowers }, stated: {}, win: null };
}

/** The hand in which something happened, if it is over: a false win or a penalty is not corrected by itself. */
export const handOf = (doc, row) => doc.history.find((one) => one.hand_no === row?.hand_no && isHand(one));

/**
 * What the referee is changing about one hand; starts as the hand is. `stated` are circumstances of the win that are
 * said here, `facts` those of the hand, `players` what is shown at the empty wall by seat; `win` is what the table knows and asks of such a win.
 */
export const correctState = (row) => ({ hand_no: row.hand_no, row, outcome: row.outcome, ...winOf(row, 0),
  facts: {}, players: {}, dropped: [], added: [], play: playState(), sea: "", seaSeat: null, seating: [...row.players], exchanged: null, entry: null, picking: null, reason: "", changes: null });

/** The win as the sheet of a claim shows it. */
export const asClaim = (ui) => ({ seat: ui.winner, source: ui.source, from_seat: ui.from_seat, ...ui.laid, tiles: [], seen: null, from_camera: [],
  facts: ui.win?.facts ?? { more: {} }, offers: ui.win?.offers ?? {}, questions: ui.outcome === "seats" ? [] : ui.win?.questions ?? [] });

/** What is said of a claim, said of this win instead: by the names of the commands. */
const SAYS = {
  set_facts: (ui, { source, from_seat: from = null, more = {}, ...flags }) => {
    if (source) Object.assign(ui, { source, from_seat: from, stated: { ...ui.stated, more: {} } }); // what was said of another way says nothing of this one
    ui.stated = { ...ui.stated, ...flags, more: { ...ui.stated.more, ...more } };
  },
  hand_facts: (ui, { facts }) => {
    const players = { ...ui.facts.players };
    for (const [seat, said] of Object.entries(facts.players ?? {})) players[seat] = { ...players[seat], ...said };
    ui.facts = { ...ui.facts, ...facts, ...(facts.players ? { players } : {}) };
  },
  drop_side: (ui, { index }) => { ui.dropped = [...ui.dropped, index]; },
  hand_manual: (ui, { hand, melds, win_tile, flowers }) => { ui.laid = { hand, melds, win_tile, flowers }; },
  declare: (ui, { seat, suit }) => SAYS.hand_facts(ui, { facts: { players: { [seat]: { void: suit } } } }),
  kong: (ui, { seat, meld_kind, tile: name = null, from_seat = null, stage = 0 }) => {
    ui.added = [...ui.added, { seat, meld_kind, tile: name, from_seat, stage: Number(stage) }];
  },
  turn_tile: (ui, { what = "flip", tile }) => {
    if (what === "flip") SAYS.hand_facts(ui, { facts: { flip: tile } });
    else if (!ui.waits) SAYS.hand_facts(ui, { facts: { birds: (ui.win.table.birds ?? "") + tile } }); // else nobody knows which bird this is
  },
};

/** Which of several wins is put right. */
function which(doc, ui) {
  const wins = winsOf(ui.row);
  if (wins.length < 2) return "";
  return html`<h3>${t("correct.which")}</h3><div class="segment" role="group">${wins.map((win, i) => pick("correct-which", i, nameOf(doc, win.seat), ui.win_no === i))}</div>`;
}

const pick = (action, value, label, on) => html`<button type="button" class="pick" data-do="${action}" data-value="${value}" ${pressed(on)}>${label}</button>`;

/** Every payment that a correction changes, before and after; nothing while nobody has looked. */
export function changeTable(doc, changes) {
  if (!changes) return "";
  const moved = changes.filter((one) => String([one.before, one.fee_before]) !== String([one.after, one.fee_after])).sort((one, other) => one.hand_no - other.hand_no);
  if (!moved.length) return html`<p class="changes">${t("correct.no_effect")}</p>`;
  const cell = (then, now) => html`<td><s>${signed(then)}</s> <span aria-hidden="true">→</span> <b>${signed(now)}</b></td>`;
  const fees = (change) => String(change.fee_before) !== String(change.fee_after);
  return html`<table class="changes"><caption>${t("correct.effect")}</caption><thead><tr><th>${t("correct.hand")}</th>${players(doc).map((seat) => html`<th>${seat.name}</th>`)}</tr></thead>
    <tbody>${moved.map((change) => html`<tr><th>${change.hand_no} ${beside(doc, change.what, change.player)}</th>${players(doc).map(({ player }) => cell(change.before[player], change.after[player]))}</tr>
      ${fees(change) ? html`<tr><th>${change.hand_no} ${t("correct.fee")}</th>${players(doc).map(({ player }) => cell(-change.fee_before[player], -change.fee_after[player]))}</tr>` : ""}`)}</tbody></table>`;
}

/** Who truly sat where from this hand on: tap two players, and they are exchanged. */
function seatsView(doc, ui) {
  const wind = (seat) => t(`wind.${windAt(doc, seat, ui.row.dealer)}.sign`);
  return html`<p>${t("correct.seats_hint", { number: ui.hand_no })}</p>
    <div class="segment" role="group">${players(doc).map(({ seat }) => pick("correct-seat", seat, html`<span class="seat-wind">${wind(seat)}</span> ${playerName(doc, ui.seating[seat])}${
      ui.seating[seat] === ui.row.players[seat] ? "" : html` <s>${playerName(doc, ui.row.players[seat])}</s>`}`, ui.exchanged === seat))}</div>`;
}

/** The correction dialog. */
export function correctView(doc, ui, side) {
  if (ui.entry) return html`${"seat" in ui.entry ? html`<h3>${nameOf(doc, ui.entry.seat)}</h3>` : ""}${entryView(ui.entry)}`;
  if (ui.play.action) return playsView(doc, ui.play, side);
  const win = ui.outcome === "win", claim = asClaim(ui), refused = ui.outcome !== "seats" && ui.win?.refused;
  return html`<form class="stack correct" data-submit="correct-send">${doc.claims.length ? html`<p class="refused" role="alert">${t("say.claims_open")}</p>` : ""}
    <div class="segment" role="group" aria-label="${t("correct.outcome")}">${endings(doc, ui).map((one) => pick("correct-outcome", one, t(`outcome.${one}`), ui.outcome === one))}</div>
    ${win ? html`${which(doc, ui)}<h3>${t("correct.winner")}</h3><div class="segment" role="group">${players(doc).map((seat) => pick("correct-winner", seat.seat, seat.name, ui.winner === seat.seat))}</div>
    ${circumstances(doc, claim, ui.source === null)}${questionList(doc, claim.questions, ui.picking)}
    <div class="correct-hand">${ui.laid.hand ? wholeHand(ui.laid) : ""}<button type="button" class="pick" data-do="entry">${t(ui.laid.hand ? "win.edit" : "win.type")}</button></div>${ui.win?.verdict?.valid && !refused && !claim.questions.length ? verdict(doc, ui.win.verdict) : ""}` : ""}
    ${ui.outcome === "seats" ? seatsView(doc, ui) : html`${win || !ui.win ? "" : questionList(doc, claim.questions, ui.picking)}${handRows(doc, ui)}`}
    <label class="field" data-key="reason">${t("correct.reason")}<input name="reason" maxlength="200" required autocomplete="off" data-input="correct-reason" value="${ui.reason}"></label>
    ${refused ? html`<p class="refused" role="alert">${sentence(doc, refused)}</p>` : changeTable(doc, ui.changes)}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="correct-preview" ${flag("disabled", !ui.reason)}>${t("correct.preview")}</button>
      <button class="button main" ${flag("disabled", !ui.reason || !ui.changes || refused || claim.questions.length || doc.claims.length)}>${t("correct.send")}</button></div></form>`;
}

/** The command that does it, and its fields: for a hand only what differs from it as it was. */
const wish = (ui, preview) => (ui.outcome === "seats" ? ["correct_seats", { from_hand: ui.hand_no, seating: ui.seating, reason: ui.reason, preview }]
  : ["correct_hand", correctFields(ui, preview)]);

function correctFields(ui, preview) {
  const sea = ui.sea ? { sea: ui.sea, sea_seat: ui.seaSeat } : {};
  const shown = Object.entries(ui.players).filter(([seat]) => ui.win?.inside.includes(Number(seat)));
  const fields = { hand_no: ui.hand_no, reason: ui.reason, outcome: ui.outcome, preview, facts: ui.facts, drop_sides: ui.dropped, add_kongs: ui.added,
    ...(shown.length ? { players: Object.fromEntries(shown) } : {}), ...sea };
  if (ui.outcome !== "win") return fields;
  const fed = FED.includes(ui.source) ? { from_seat: ui.from_seat ?? (ui.source === "sea_bottom" ? ui.winner : null) } : {};
  return { ...fields, win_no: ui.win_no, winner: ui.winner, source: ui.source, ...fed, ...ui.laid, ...ui.stated };
}

/** Ask the table what it knows of the win as it is stated now, and what is still to be said; nothing is written. */
async function ask(page) {
  const ui = page.ui(), asked = ui.asked = (ui.asked ?? 0) + 1;
  if (ui.outcome === "seats") return;
  ui.waits = true;
  const answer = await command("correct_hand", { ...correctFields(ui, true), reason: "?" }).catch(() => ({ win: null }));
  if (asked === ui.asked) Object.assign(ui, { win: answer.win, waits: false });
  page.draw();
}

/** What changes stands at the end of the form, with the button that does it. */
function showEnd() {
  requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector(".correct > .sheet-end")?.scrollIntoView({ block: "end" })));
}

/** Something is said of the win: what was listed before holds no longer. */
export function sayOfWin(page, kind, fields) {
  SAYS[kind](page.ui(), fields);
  page.ui().changes = null;
  page.draw();
  return ask(page);
}

/** The typed tiles become the winner's hand, or the one that their `seat` shows at the empty wall. */
export function takeEntry(page) {
  const ui = page.ui(), { entry, players: shown } = ui, { hand, melds } = entryFields(entry);
  Object.assign(ui, "seat" in entry ? { players: { ...shown, [entry.seat]: { ...shown[entry.seat], hand, melds } } } : { laid: entryFields(entry) }, { entry: null, changes: null });
  page.draw();
  return ask(page);
}

/** What the taps in the correction dialog do; its tile keyboard is the one of the claim. */
export function correctTaps(page) {
  const change = (work) => (element) => { work(page.ui(), element); page.ui().changes = null; page.draw(); return ask(page); };
  const send = (preview) => page.attempt(() => command(...wish(page.ui(), preview)));
  return {
    "correct-outcome": change((ui, element) => { ui.outcome = element.dataset.value; }),
    "correct-which": change((ui, element) => { Object.assign(ui, winOf(ui.row, Number(element.dataset.value))); }),
    "correct-winner": change((ui, element) => { ui.winner = Number(element.dataset.value); ui.stated = {}; if (ui.from_seat === ui.winner) Object.assign(ui, { source: null, from_seat: null }); }),
    "correct-seat": change((ui, element) => {
      const [seat, other] = [Number(element.dataset.value), ui.exchanged];
      if (other === null) { ui.exchanged = seat; return; }
      [ui.seating[seat], ui.seating[other]] = [ui.seating[other], ui.seating[seat]];
      ui.exchanged = null;
    }),
    "correct-drop": change((ui, element) => {
      const index = Number(element.dataset.value);
      ui.dropped = ui.dropped.includes(index) ? ui.dropped.filter((one) => one !== index) : [...ui.dropped, index];
    }),
    "correct-kong": (element) => { page.ui().play = { ...playState(), action: "kong_past", wins: winsOf(page.ui().row) }; page.draw(); },
    "correct-kong-drop": change((ui, element) => { ui.added = ui.added.filter((_, index) => index !== Number(element.dataset.value)); }),
    "correct-birds": change((ui) => { ui.facts = { ...ui.facts, birds: null, _no_more_birds: null }; }),
    "correct-suit": change((ui, { dataset }) => { SAYS.declare(ui, { seat: dataset.seat, suit: dataset.value }); }),
    "correct-sea": change((ui, { dataset }) => { ui.sea = dataset.value; }),
    "correct-sea-seat": change((ui, { dataset }) => { ui.seaSeat = Number(dataset.seat); }),
    "correct-ready": change((ui, { dataset: { seat } }) => { ui.players = { ...ui.players, [seat]: { ...ui.players[seat], ready: !readyBy(ui, seat) } }; }),
    "correct-show": ({ dataset }) => {
      const ui = page.ui(), seat = Number(dataset.seat);
      ui.entry = { ...shownEntry(page.doc().game, shownBy(ui, seat)), seat };
      page.draw();
    },
    "correct-reason": (element) => { page.ui().reason = element.value.trim(); page.draw(); },
    "correct-preview": async () => { const answer = await send(true); if (answer) { Object.assign(page.ui(), { changes: answer.changes, win: answer.win }); page.draw(); showEnd(); } },
    "correct-send": async () => { if (await send(false)) page.close(); },
  };
}

/** Turning a claim down, with or without the penalty of a false win. */
export function rejectView(doc, ui) {
  return html`<form class="stack" data-submit="reject-send">
    <div class="segment" role="group"><button type="button" class="pick" data-do="reject-kind" data-false="no" ${pressed(!ui.falseWin)}>${t("reject.only")}</button>
      <button type="button" class="pick" data-do="reject-kind" data-false="yes" ${pressed(ui.falseWin)}>${t("reject.false_win")}</button></div>
    ${ui.falseWin ? html`<label class="field">${t("reject.each")}<input name="each" type="number" inputmode="numeric" min="0" max="10000" placeholder="${t("reject.by_rules")}"></label>` : ""}
    <label class="field">${t("reject.reason")}<input name="reason" maxlength="200" required autocomplete="off"></label>
    <div class="sheet-end"><button class="button main">${t("act.reject")}</button></div></form>`;
}

/** The fields of `reject`. */
export function rejectFields(form, ui) {
  const fields = new FormData(form);
  const each = fields.get("each");
  return { reason: fields.get("reason"), false_win: ui.falseWin, each: each ? Number(each) : null };
}
