// What happens in a hand beside wins: kongs, discards taken, turned tiles, declarations. One question, one tap.

import { html } from "../core/dom.js";
import { command } from "../core/send.js";
import { fanName, signed, t } from "../core/texts.js";
import { emptyEntry, entryFields, entryView } from "./entry.js";
import { die } from "./icons.js";
import { nameOf, players, seatRing } from "./seats.js";
import { noticed } from "./seen-ask.js";
import { fullHand, splitTiles, tile, tileKeyboard } from "./tiles.js";

const KONGS = ["kong_open", "kong_added", "kong_concealed"];
const LAID_ONE_BY_ONE = ["hongzhong", "laizi"];
const LIABLE = ["\u5341\u4e8c\u5f35", "\u5927\u4e09\u5143", "\u5927\u56db\u559c"]; // terms of the rules, shown by their names
const SUITS = ["m", "p", "s"];

/** Each action as the command it becomes and the questions that fill it, in order; birds are those of a starting win. */
const PLAYS = {
  kong: { kind: "kong", steps: ({ meld_kind: kind }) => ["meld_kind", "seat", ...(kind === "kong_open" ? ["from_seat"] : []), ...(LAID_ONE_BY_ONE.includes(kind) ? [] : ["tile"])] },
  /** One that a finished hand had: `wins` are those of the hand, and it was made before one of them or after the last. */
  kong_past: { kind: "kong", steps: ({ meld_kind: kind }, _, wins) => ["meld_kind", "seat", ...(kind === "kong_open" ? ["from_seat"] : []), "tile", ...(wins.some((win) => win.stage) ? ["stage"] : [])] },
  take_discard: { kind: "take_discard", steps: () => ["meld_kind", "seat", "from_seat"] },
  turn_tile: { kind: "turn_tile", fixed: { what: "flip" }, steps: () => ["tile"] },
  start_win: { kind: "start_win", steps: (given, birds) => ["seat", "hand", ...Array.from({ length: birds }, (_, i) => `bird${i + 1}`)] },
  liable: { kind: "liable", steps: () => ["beneficiary", "feeder", "makes"] },
  pass_win: { kind: "pass_win", steps: () => ["seat", "tile"] },
  leave: { kind: "leave", steps: () => ["seat"] },
  sea: { kind: "sea", steps: () => ["seat", "take"] },
  declare_open: { kind: "declare", fixed: { what: "open" }, steps: () => ["seat"] },
  declare_double: { kind: "declare", fixed: { what: "double" }, steps: () => ["seat"] },
  declare_void: { kind: "declare", fixed: { what: "void" }, steps: () => ["seat", "suit"] },
};

/** The actions that this sheet can do of those the table allows now; a roaming last tile that was offered goes on below. */
const possible = (doc) => (doc.hand?.actions ?? []).filter((name) => name in PLAYS && !(name === "sea" && seaNext(doc) !== null));
const seaNext = (doc) => doc.hand?.sea_next ?? null;

/** What is being entered: the action, the answers so far, dealt tiles being typed. */
export const playState = () => ({ action: "", given: {}, entry: null });

const birdsOf = (doc) => doc.hand?.start_birds ?? 0;

const nextStep = (doc, { action, given, wins = [] }) => (action ? PLAYS[action].steps(given, birdsOf(doc), wins).find((step) => !(step in given)) : undefined);

/** The fields of the command: the birds that were tapped one by one are one text. */
function fieldsOf({ action, given }) {
  const birds = Object.keys(given).filter((name) => name.startsWith("bird"));
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => !birds.includes(name)));
  return { ...PLAYS[action].fixed, ...fields, ...(birds.length ? { birds: birds.map((name) => given[name]).join("") } : {}) };
}

const pick = (value, face) => html`<button type="button" class="way" data-do="play-give" data-value="${value}"><b>${face}</b></button>`;

function meldKinds(doc, action) {
  if (action === "take_discard") return ["chi", "peng"];
  return doc.game.ruleset === "wuhan" && action === "kong" ? [...KONGS, ...LAID_ONE_BY_ONE] : KONGS;
}

function seats(doc, { given, action }, step, side) {
  const other = { from_seat: given.seat, feeder: given.beneficiary }[step];
  const may = players(doc).filter((seat) => (action === "kong_past" || Boolean(seat.out) === (action === "leave")) && seat.seat !== other).map((seat) => seat.seat);
  return seatRing(doc, side, { action: "play-give", only: action === "liable" ? players(doc).map((seat) => seat.seat).filter((seat) => seat !== other) : may });
}

/** Before which of the wins of its hand a kong was made: those of one tile are one moment. */
function stages(doc, wins) {
  const [last] = wins.slice(-1);
  const names = (stage) => wins.filter((win) => win.stage === stage).map((win) => nameOf(doc, win.seat)).join(t("bill.and"));
  return [...Array.from({ length: last.stage + 1 }, (_, stage) => pick(String(stage), t("plays.before_win", { name: names(stage) }))), pick(String(last.stage + 1), t("plays.after_wins"))];
}

function stepView(doc, ui, step, side) {
  if (step.startsWith("bird")) return html`<h3>${t("say.ask_birds", { number: step.slice(4), count: birdsOf(doc) })}</h3>${tileKeyboard("play-give", { limit: 99, flowers: false })}`;
  const ask = html`<h3>${t(ui.action === "sea" && step === "seat" ? "plays.ask.first" : `plays.ask.${step}`, { name: nameOf(doc, ui.given.seat) })}</h3>`;
  if (step === "meld_kind") return html`${ask}<div class="way-row">${meldKinds(doc, ui.action).map((kind) => pick(kind, t(`meld.${kind}`)))}</div>`;
  if (step === "take") return html`${ask}<div class="way-row">${pick("yes", t("plays.take"))}${pick("no", t("plays.refuse"))}</div>`;
  if (step === "suit") return html`${ask}<div class="way-row">${SUITS.map((suit) => pick(suit, t(`say.suit_${suit}`)))}</div>`;
  if (step === "stage") return html`${ask}<div class="way-row">${stages(doc, ui.wins)}</div>`;
  if (step === "makes") return html`${ask}<div class="way-row">${LIABLE.map((term) => pick(term, fanName(term)))}</div>`;
  if (step === "tile") {
    return html`${ask}${tileKeyboard("play-give", { limit: 99, flowers: false })}
      ${ui.action.startsWith("kong") ? html`<div class="sheet-end"><button type="button" class="button quiet" data-do="play-give" data-value="">${t("plays.tile_open")}</button></div>` : ""}`;
  }
  return html`${ask}${seats(doc, ui, step, side)}`;
}

const paid = (doc, payments) => players(doc).filter((seat) => payments[seat.seat])
  .map((seat) => html`<span class="paid">${seat.name} <b>${signed(payments[seat.seat])}</b></span>`);

/** Whose kong or starting win it is, or who left. */
export function sideWords(doc, side) {
  const name = nameOf(doc, side.seat);
  return side.what !== "kong" ? t(side.what === "leave" ? "plays.leave_line" : "plays.start_line", { name })
    : side.from_seat === null ? t("plays.kong_line", { name, kind: t(`meld.${side.meld_kind}`) })
      : t("plays.kong_from", { name, kind: t(`meld.${side.meld_kind}`), from: nameOf(doc, side.from_seat) });
}

/** A kong, a starting win, or who left, with what it paid at once, and a button. */
export function sideLine(doc, side, button) {
  return html`<li>${side.tile ? tile(side.tile) : ""}<span>${sideWords(doc, side)}</span> ${paid(doc, side.payments)} ${button}</li>`;
}

function passedLine(doc, seat, tiles) {
  return html`<li><span>${t("plays.passed", { name: nameOf(doc, Number(seat)), tiles: "" })}</span> ${splitTiles(tiles).map((name) => tile(name))}
    <button type="button" class="pick" data-do="play-acted" data-seat="${seat}">${t("plays.acted")}</button></li>`;
}

/** Who must say whether he stays in a contract. */
function askedView(doc) {
  return (doc.hand?.asked ?? []).map((seat) => html`<div class="question"><p><span aria-hidden="true">?</span> ${t("plays.asked", { name: nameOf(doc, seat) })}</p>
    <div class="choices">${["stay", "quit"].map((what) => html`<button type="button" class="pick" data-do="play-contract" data-seat="${seat}" data-what="${what}">${t(`plays.${what}`)}</button>`)}</div></div>`);
}

/** Who is asked next whether he takes the roaming last tile. */
function seaView(doc) {
  const seat = seaNext(doc);
  if (seat === null) return "";
  return html`<div class="question"><p><span aria-hidden="true">?</span> ${t("plays.ask.take", { name: nameOf(doc, seat) })}</p>
    <div class="choices">${["take", "refuse"].map((what) => html`<button type="button" class="pick" data-do="play-sea" data-seat="${seat}" data-what="${what}">${t(`plays.${what}`)}</button>`)}</div></div>`;
}

/** The die that chooses the replacement of a kong. */
function dieView(doc) {
  if (!doc.wall?.die_due) return "";
  return html`<h3>${t("plays.die")}</h3><div class="dice-row">${[1, 2, 3, 4, 5, 6].map((value) => html`<button type="button" class="key dice-key" data-do="play-die" data-value="${value}">${die(value)}</button>`)}</div>`;
}

/** The sheet: what can be noted, then one question after the other; below, what this hand has seen so far. */
export function playsView(doc, ui, side) {
  const step = nextStep(doc, ui);
  if (ui.entry) return html`<h3>${t("plays.ask.hand", { name: nameOf(doc, ui.given.seat) })}</h3>${entryView(ui.entry)}`;
  if (step) {
    return html`<div class="stack plays">${stepView(doc, ui, step, side)}<div class="sheet-end">
      <button type="button" class="button quiet" data-do="play-back">${t("act.back")}</button></div></div>`;
  }
  const log = [...(doc.hand?.sides ?? []).map((one, i) => sideLine(doc, one, html`<button type="button" class="pick" data-do="play-drop" data-index="${i}">${t("plays.drop")}</button>`)), ...Object.entries(doc.hand?.facts.passed ?? {}).map(([seat, tiles]) => passedLine(doc, seat, tiles))];
  return html`<div class="stack plays">${dieView(doc)}${askedView(doc)}${seaView(doc)}${noticed(doc, true)}
    <div class="way-row">${possible(doc).map((name) => html`<button type="button" class="way" data-do="play" data-action="${name}"><b>${t(`plays.${name}`)}</b></button>`)}</div>
    ${log.length ? html`<h3>${t("plays.paid")}</h3><ul class="play-log">${log}</ul>` : ""}
    </div>`;
}

function valueOf({ dataset }) {
  if (dataset.seat !== undefined) return Number(dataset.seat);
  const said = { "": null, yes: true, no: false };
  return dataset.tile ?? (dataset.value in said ? said[dataset.value] : dataset.value);
}

/** What the taps do. */
export function playTaps(page) {
  const send = page.send ?? ((kind, fields) => page.attempt(() => command(kind, fields)));
  async function finish(ui) {
    if (await send(PLAYS[ui.action].kind, fieldsOf(ui))) page.close();
    else Object.assign(ui, playState());
    page.draw();
  }
  return {
    play: (element) => { Object.assign(page.ui(), playState(), { action: element.dataset.action }); page.draw(); },
    "play-give": async (element) => {
      const ui = page.ui(), asked = nextStep(page.doc(), ui);
      if (!asked) return; // a second tap while the last answer is on its way
      ui.given[asked] = valueOf(element);
      const step = nextStep(page.doc(), ui);
      if (step === "hand") ui.entry = emptyEntry(fullHand(page.doc().game) - (page.doc().round.dealer === ui.given.seat ? 0 : 1), { wins: false });
      if (step) page.draw();
      else await finish(ui);
    },
    "play-back": () => { Object.assign(page.ui(), playState()); page.draw(); },
    "play-hand": async () => { const ui = page.ui(); if (!ui.entry) return; ui.given.hand = entryFields(ui.entry).hand; ui.entry = null; if (nextStep(page.doc(), ui)) page.draw(); else await finish(ui); },
    "play-acted": (element) => send("pass_win", { seat: Number(element.dataset.seat), tile: null }),
    "play-drop": (element) => send("drop_side", { index: Number(element.dataset.index), count: page.doc().hand.sides.length }),
    "play-die": (element) => send("dice", { values: [Number(element.dataset.value)] }),
    "play-sea": (element) => send("sea", { seat: Number(element.dataset.seat), take: element.dataset.what === "take" }),
    "play-contract": (element) => send("declare", { seat: Number(element.dataset.seat), what: element.dataset.what }),
  };
}
