// The scoreboard: four players as they sit, the score the biggest thing, the table's news in the middle.

import { flag, html, pressed } from "../core/dom.js";
import { fanName, signed, t } from "../core/texts.js";
import { deviceChips } from "./chips.js";
import { digits } from "./digits.js";
import { die, icon } from "./icons.js";
import { lastHand } from "./bill.js";
import { sentence } from "./say.js";
import { breadth, nameOf, place, players, result, WINDS } from "./seats.js";
import { askMark, lies, turnMark } from "./seen.js";
import { strip, tool } from "./strip.js";
import { tile } from "./tiles.js";

/** Points between the leader and the second; the leader shows these. */
function lead(doc, seat) {
  const others = players(doc).filter((one) => one.seat !== seat.seat).map(result);
  return result(seat) - Math.max(...others);
}

/** The distance to the leader, or to the player who was tapped. */
function gapText(doc, seat, compare) {
  if (compare !== null) {
    const other = doc.seats.find((one) => one.seat === compare);
    return seat.seat === compare ? t("seat.compared") : t("seat.versus", { points: signed(result(seat) - result(other)), name: other.name });
  }
  if (seat.diff_to_leader < 0) return t("seat.behind", { points: signed(seat.diff_to_leader) });
  return lead(doc, seat) > 0 ? t("seat.lead", { points: lead(doc, seat) }) : t("seat.level");
}

/** How a name fits: the shorter it is the larger it is written, and a long one takes two lines. */
const fit = (name) => (breadth(name) <= 8 ? "short" : breadth(name) <= 16 ? "middle" : "long");

function seatCard(doc, seat, { side, compare, can, timed }) {
  const leads = seat.diff_to_leader === 0 && lead(doc, seat) > 0;
  const called = doc.claims.findIndex((claim) => claim.seat === seat.seat);
  return html`<section class="seat" data-key="seat-${seat.seat}" data-place="${place(seat.seat, side)}"
    data-leader="${leads ? "yes" : "no"}" data-fit="${fit(seat.name)}" data-lies="${doc.table ? "yes" : "no"}" data-do="compare" data-seat="${seat.seat}" aria-label="${seat.name}">
    <header>
      <span class="wind" data-dealer="${seat.dealer ? "yes" : "no"}"
        ><b aria-hidden="true">${t(`wind.${seat.wind}.sign`)}</b><span>${t(`wind.${seat.wind}.name`)}</span></span>
      ${seat.dealer ? html`<span class="dealer">◆ ${t("seat.dealer")}</span>` : ""}
      <button type="button" class="name" data-do="compare" data-seat="${seat.seat}" ${pressed(compare === seat.seat)}>${seat.name}</button>
      ${turnMark(doc, seat, timed)}
    </header>
    <div class="score">${digits(seat.total)}</div>
    ${doc.table ? lies(doc, seat, can) : ""}
    <footer>
      <span class="gap">${leads && compare === null ? html`<span aria-hidden="true">▲</span> ` : ""}${gapText(doc, seat, compare)}</span>
      ${doc.history.length ? html`<span class="change"><small>${t("seat.change")}</small> ${signed(seat.last_change)}</span>` : ""}
      ${called >= 0 ? html`<span class="claimed">${t("seat.claims")}</span>` : ""}
      ${seat.dead ? html`<span class="dead">${t("seat.dead")}</span>` : ""}
      ${seat.out ? html`<span class="claimed">${t("seat.out")}</span>` : ""}
      ${seat.off ? html`<span class="off">${t("seat.off", { points: seat.off })}</span>` : ""}
    </footer>
  </section>`;
}

function throwLine(doc, one) {
  return html`<span class="throw"><span class="dice">${one.values.map(die)}</span>
    <span class="sum">${one.values.reduce((a, b) => a + b, 0)}</span>
    <span>${one.by === null ? "" : nameOf(doc, one.by)}</span></span>`;
}

/** A throw that the table reported without a check: it counts after a look and a tap. */
function diceAsk(doc) {
  const ask = doc.dice_ask;
  if (!ask) return "";
  return html`<p class="dice-ask"><span class="dice">${ask.values.map(die)}</span> ${t("dice.right")}
    <button type="button" class="pick" data-do="dice-yes">${t("answer.yes")}</button>
    <button type="button" class="pick" data-do="dice-no">${t("answer.no")}</button></p>`;
}

/** What the beginning of the hand should have told and did not. */
function needs(doc) {
  const open = doc.hand?.needs?.length ?? 0;
  return open ? html`<button type="button" class="pick" data-do="needs">? ${t("board.needs", { count: open })}</button>` : "";
}

/** The wildcard, fans that wait from earlier hands, and what the end of the wall changes. */
function circumstances(doc) {
  const { hand, wall } = doc;
  if (!hand) return "";
  return html`${hand.wild ? html`<p class="wild"><span>${t("board.wild")}</span> ${tile(hand.wild)}</p>` : ""}
    ${hand.exchange ? html`<p class="exchange">${t(`board.exchange.${hand.exchange}`)}</p>` : ""}
    ${hand.carry.length ? html`<p class="carry">${t("board.carry", { names: hand.carry.map(fanName).join(t("bill.and")) })}</p>` : ""}
    ${wall?.key ? html`<p class="wall-key"><span aria-hidden="true">▲</span> ${t(`wall.key.${wall.key}`)}</p>` : ""}`;
}

/** What else happens in a hand, and what only the camera has seen. */
function plays(doc) {
  const { actions, asked } = doc.hand ?? { actions: [], asked: [] }, seen = doc.table?.noticed.length;
  if (!actions.length && !seen) return "";
  const waits = asked.length > 0 || doc.wall?.die_due || (doc.hand.sea_next ?? null) !== null || seen;
  return html`<button type="button" class="pick plays-open" data-do="plays">${waits ? html`<span aria-hidden="true">?</span> ` : ""}${t(actions.includes("kong") ? "plays.open" : actions.length ? "plays.more" : "seen.ask")}</button>`;
}

/** How many tiles are left: what the table tells; else what the camera counted, which is said. */
function wallLeft(doc) {
  const seen = doc.table?.wall ?? null;
  const left = doc.wall_left ?? seen?.left ?? null;
  if (left === null) return "";
  const told = doc.wall_left !== null;
  const note = told ? (seen?.differs ? t("wall.seen_differs", { count: seen.left }) : "") : t("wall.seen");
  return html`<p class="left"><b>${left}</b> ${t("wall.left")}${note ? html` <small>· ${note}</small>` : ""}</p>`;
}

function middle(doc, can, times) {
  const hidden = doc.game.mode === "competition";
  const next = doc.dice_next
    ? html`<p class="next"><b>${nameOf(doc, doc.dice_next.by)}</b> ${t(`dice.next.${doc.dice_next.why}`)}</p>` : "";
  const broken = doc.wall_break
    ? html`<p class="break">${icon("wall")} ${t(doc.wall_break.stack ? "wall.break" : "wall.break_first", { name: nameOf(doc, doc.wall_break.seat), stack: doc.wall_break.stack })}</p>` : "";
  return html`<section class="middle" aria-label="${t("board.middle")}">
    <p class="phase">${doc.round.finished ? t("phase.finished") : t(`phase.${doc.phase}`)}</p>${can ? plays(doc) : ""}
    <div class="throws">${doc.dice.map((one) => throwLine(doc, one))}</div>
    ${times}${next}${diceAsk(doc)}${broken}${hidden ? "" : wallLeft(doc)}${hidden ? "" : circumstances(doc)}${can ? needs(doc) : ""}${can ? askMark(doc) : ""}
  </section>`;
}

function heading(doc) {
  const { round, game } = doc;
  return html`<h1><span class="round">${round.finished ? t("phase.finished") : t(`round.${round.wind}`)}</span>
    <span class="hand-no">${round.finished ? "" : round.hands ? t("hand.number_of", { number: round.hand_no, all: round.hands }) : t("hand.number", { number: round.hand_no })}</span></h1>
    <p class="rules">${t(`ruleset.${game.ruleset}`)} · ${t(`mode.${game.mode}`)}</p>`;
}

function problems(doc) {
  if (!doc.problems.length) return "";
  return html`<div role="status"><ul class="problems">${doc.problems.map((one) =>
    html`<li><span aria-hidden="true">▲</span> ${sentence(doc, one)}</li>`)}</ul></div>`;
}

function actions(doc, can, referee) {
  const playing = !doc.round.finished;
  const start = playing && ["seated", "dice", "settled"].includes(doc.phase);
  const open = doc.claim !== null;
  if (!can) return html`<nav class="actions"><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button></nav>`;
  return html`<nav class="actions">
    ${doc.round.finished ? html`<button type="button" class="button big" data-do="new-game" ${flag("disabled", !referee)}>${t("act.new_game")}</button>`
      : html`<button type="button" class="button big hu" data-do="win" data-open="${open ? "yes" : "no"}">${open ? t("act.hu_open") : t("act.hu")}</button>`}
    ${!playing ? html`<a class="button" href="/history">${t("board.settle")}</a>` : start ? html`<button type="button" class="button" data-do="dice">${t("act.dice")}</button>`
      : html`<button type="button" class="button" data-do="draw" ${flag("disabled", open)}>${t("act.draw")}</button>`}
    <button type="button" class="button" data-do="undo" ${flag("disabled", !(doc.undo && referee))}>${icon("undo")} ${t("act.undo")}</button>
    <button type="button" class="button" data-do="call">${icon("call")} ${doc.calls.length ? t("act.called") : t("act.call")}</button>
  </nav>`;
}

/** The whole scoreboard of an open game. `side` is the seat at the bottom, `can` whether this device may act, `referee` whether it may do all, `compare` the seat to measure from, `timed` whether to show the time of a turn, `times` the lines of the clock. */
export function board(doc, { side, can, referee, compare = null, timed = false, times = "" }) {
  return html`
    ${strip(heading(doc), { chips: deviceChips(doc.devices), before: tool("turn", "view.turn", icon("turn")) })}
    ${problems(doc)}
    <div class="felt" data-phase="${doc.phase}" data-lies="${doc.table ? "yes" : "no"}" data-seats="${players(doc).length}">
      ${players(doc).sort((a, b) => WINDS.indexOf(a.wind) - WINDS.indexOf(b.wind)).map((seat) => seatCard(doc, seat, { side, compare, can, timed }))}
      ${middle(doc, can, times)}
    </div>
    <footer class="foot">${lastHand(doc)}${actions(doc, can, referee)}</footer>`;
}
