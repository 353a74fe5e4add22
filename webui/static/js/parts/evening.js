// The evening in numbers: what each player won and paid, and how the scores ran. Pure functions of the history.

import { html } from "../core/dom.js";
import { fanName, signed, t } from "../core/texts.js";
import { breadth, players } from "./seats.js";

const SIZE = { width: 760, height: 300, left: 84, right: 152, top: 16, bottom: 28 };
const LABEL = { apart: 26, width: 9 }; // for the large letters of a phone; a Chinese sign is two wide
const DASHES = ["", "9 5", "3 4", "14 4 3 4"];
const MARKS = [
  (x, y) => html`<circle cx="${x}" cy="${y}" r="5.5"/>`,
  (x, y) => html`<rect x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  (x, y) => html`<path d="M${x} ${y - 7}l7 12h-14z"/>`,
  (x, y) => html`<path d="M${x} ${y - 7}l7 7-7 7-7-7z"/>`,
];

/** Who plays, by the seat each one started on. */
const everybody = (doc) => players(doc).map((seat) => seat.player).sort();

/** The name of a player, by the seat he started on. */
const playerName = (doc, player) => doc.seats.find((seat) => seat.player === player)?.name ?? "";

/** Per player the score before the first row that this page has: nothing, unless the game is a long one. */
export function scoresBefore(doc) {
  const scores = [0, 0, 0, 0];
  const [first] = doc.history;
  if (doc.earlier.rows && first) first.players.forEach((player, seat) => { scores[player] = first.totals_after[seat] - first.payments[seat]; });
  return scores;
}

/** Per player the score after every row of the history. */
function courses(doc) {
  const lines = scoresBefore(doc).map((score) => [score]);
  for (const row of doc.history) {
    row.payments.forEach((points, seat) => {
      const line = lines[row.players[seat]];
      line.push(line[line.length - 1] + points);
    });
  }
  return lines;
}

/** Of the one game of an evening. */
const only = (figures) => Object.values(figures)[0] ?? 0;
const average = (one) => (one.wins ? (only(one.worth) / one.wins).toFixed(1) : "–");
/** The dearest hand won: of the one game of an evening its figure alone. */
const best = (row) => row.best[0]?.total ?? "–";
/** Of all games each with its rules and unit: figures of different rules cannot be compared. */
const bests = (row) => (row.best.length ? row.best.map((one) => html`<span class="best">${t(`ruleset.${one.ruleset}`)} <b>${one.total}</b> ${t(`bill.${one.counted_in}`)}</span>`) : "–");
/** The same of points, with the rules where there are several: they are not added. */
const sums = (row, rulesets) => (rulesets.length < 2 ? signed(only(row.points)) : rulesets.filter((name) => name in row.points).map((name) => html`<span class="best">${t(`ruleset.${name}`)} <b>${signed(row.points[name])}</b></span>`));
const EVENING = [["points"], ["wins"], ["self_drawn"], ["fed"], ["best"], ["average"], ["streak"], ["false_wins"]];
const ALL = [["games"], ["firsts"], ["points"], ["hands"], ["wins"], ["self_drawn"], ["fed"], ["best"], ["streak"]];

const keyMark = (player) => (player === undefined ? "" : html`<svg class="key-mark" viewBox="0 0 20 20" aria-hidden="true" data-player="${player}">${MARKS[player](10, 10)}</svg> `);

/** What the players did, as a table: this evening, or in so many games. */
export function numbersTable(doc, rows, games = 0) {
  const columns = games ? ALL : EVENING;
  const title = (key) => t(`evening.${key}`) + (!games && (key === "best" || key === "average") ? ` (${t(`bill.${doc.game.counted_in}`)})` : "");
  const rulesets = [...new Set(rows.flatMap((row) => Object.keys(row.points)))];
  const cells = { average, best: games ? bests : best, points: (row) => sums(row, rulesets) };
  const cell = (row, [key]) => html`<td data-name="${title(key)}">${key in cells ? cells[key](row) : row[key]}</td>`;
  return html`<div class="wide"><table class="tally numbers"><caption>${games ? t("evening.all_games", { count: games }) : t("evening.players")}</caption>
    <thead><tr><th scope="col">${t("setup.name")}</th>${columns.map(([key]) => html`<th scope="col">${title(key)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${games ? "" : keyMark(doc.seats.find((seat) => seat.name === row.name)?.player)}${row.name}</th>
      ${columns.map((column) => cell(row, column))}</tr>`)}</tbody></table></div>`;
}

const SHOWN_FANS = 12;

/** Which fans were counted, most often first. */
export function fanList(rows) {
  const counts = new Map();
  for (const [name, count] of rows.flatMap((row) => row.fans)) counts.set(name, (counts.get(name) ?? 0) + count);
  if (!counts.size) return "";
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_FANS);
  const bar = (count) => html`<svg class="bar-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${(100 * count) / most[0][1]}" height="8"/></svg>`;
  return html`<section class="panel screen-only"><h2>${t("evening.fans")}</h2><ul class="bars fan-bars">${most.map(([name, count]) => html`<li><span class="bar-name">${fanName(name)}</span>
    ${bar(count)}<b>${t("evening.times", { count })}</b></li>`)}</ul></section>`;
}

/** Who pays whom when the game is over. */
export function settlementList(doc) {
  if (!doc.settlement) return "";
  return html`<section class="panel"><h2>${t("evening.settlement")}</h2><ul class="settlement">${doc.settlement.map((debt) => html`<li>${playerName(doc, debt.payer)}
    <span aria-hidden="true">→</span> ${playerName(doc, debt.payee)} <b>${debt.points}</b></li>`)}</ul></section>`;
}

function scale(lines) {
  const all = lines.flat();
  const low = Math.min(...all);
  const high = Math.max(...all, low + 1);
  const steps = Math.max(1, lines[0].length - 1);
  const { width, height, left, right, top, bottom } = SIZE;
  return {
    x: (i) => left + (i * (width - left - right)) / steps,
    y: (points) => top + ((high - points) * (height - top - bottom)) / (high - low),
    low, high,
  };
}

/** A name that fits beside the graph; the table below has it whole. */
function short(name) {
  if (breadth(name) <= LABEL.width) return name;
  let signs = [...name];
  while (breadth(`${signs.join("")}…`) > LABEL.width) signs = signs.slice(0, -1);
  return `${signs.join("")}…`;
}

/** Names with their marks at the end of the lines, moved apart so that each can be read. */
function spread(ends) {
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  sorted.forEach((one, i) => { if (i > 0) one.y = Math.max(one.y, sorted[i - 1].y + LABEL.apart); });
  const over = sorted[sorted.length - 1].y - (SIZE.height - SIZE.bottom + 8);
  if (over > 0) for (const one of sorted) one.y -= over;
  return sorted;
}

/** How the scores ran, as lines told apart by dash and mark as well as by colour. */
export function scoreGraph(doc) {
  const lines = courses(doc);
  const { x, y, low, high } = scale(lines);
  const last = lines[0].length - 1;
  const ends = spread(everybody(doc).map((player) => ({ player, y: y(lines[player][last]) })));
  const spoken = everybody(doc).map((player) => `${playerName(doc, player)} ${signed(lines[player][last])}`).join(t("bill.and"));
  return html`<svg class="graph" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${t("evening.graph")} ${spoken}">
    ${[...new Set([low, 0, high])].map((points) => html`<g class="rule"><path d="M${SIZE.left} ${y(points)}H${SIZE.width - SIZE.right}"/>
      <text x="${SIZE.left - 8}" y="${y(points) + 4}" text-anchor="end">${signed(points)}</text></g>`)}
    ${everybody(doc).map((player) => html`<g data-player="${player}"><polyline points="${lines[player].map((points, i) => `${x(i)},${y(points)}`).join(" ")}" stroke-dasharray="${DASHES[player]}"/>
      ${MARKS[player](x(last), ends.find((one) => one.player === player).y)}</g>`)}
    ${ends.map(({ player, y: at }) => html`<text x="${SIZE.width - SIZE.right + 14}" y="${at + 5}">${short(playerName(doc, player))}</text>`)}
  </svg>`;
}

const shortly = (seconds) => (seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds)));

/** Seconds from the claim to the approved score: the middle, and a bar for every win. */
export function secondsList(doc, times) {
  if (!times || times.median === null) return "";
  const longest = Math.max(...times.wins.map((one) => one.seconds), 0.1);
  const bar = (one) => html`<li><span class="bar-name">${t("hand.number", { number: one.hand_no })}</span>
    <svg class="bar-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.5, (100 * one.seconds) / longest)}" height="8"/></svg>
    <b>${t("evening.seconds_one", { seconds: shortly(one.seconds) })}</b></li>`;
  return html`<section class="panel seconds screen-only"><h2>${t("evening.seconds")}</h2>
    <p>${t("evening.seconds_median", { seconds: shortly(times.median) })}</p><ul class="bars">${times.wins.map(bar)}</ul></section>`;
}
