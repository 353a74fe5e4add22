// Typing a hand: taps on a tile keyboard become concealed tiles, melds, flowers and the winning tile. Pure functions.

import { flag, html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import { hasMeld } from "./played.js";
import { inOrder, joinTiles, meldTiles, splitTiles, tile, tileKeyboard } from "./tiles.js";

const MELD_KINDS = ["chi", "peng", "kong_open", "kong_concealed", "kong_added"];

/**
 * An empty hand that will have `full` tiles; `mode` is what the next tap means: `hand`, `win` or a kind of meld.
 * `wins` is false for tiles that are only shown: none of them is the winning one.
 */
export const emptyEntry = (full = 14, { wins = true } = {}) => ({ full, wins, tiles: [], melds: [], flowers: [], win: null, mode: "hand" });

/** Take up a hand that is on the table already, to change it. */
export function entryFrom({ hand, melds, win_tile: winTile, flowers }, full = 14, { wins = true } = {}) {
  const tiles = splitTiles(hand);
  return { full, wins, tiles: winTile ? [...tiles, winTile] : tiles, win: winTile ? tiles.length : null,
    melds: melds.map((meld) => ({ ...meld })), flowers: splitTiles(flowers), mode: "hand" };
}

/** How many tiles the hand counts, a kong as three: 14 is a whole hand. */
export const counted = (entry) => entry.tiles.length + 3 * entry.melds.length;

const complete = (entry) => counted(entry) === entry.full;

/** Copies of each tile that are used. */
function used(entry) {
  const counts = {};
  const all = [...entry.tiles, ...entry.flowers, ...entry.melds.flatMap((meld) => splitTiles(meld.tiles))];
  for (const name of all) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function meldOf(kind, name) {
  const [rank, suit] = name;
  if (kind !== "chi") return { kind, tiles: rank.repeat(kind === "peng" ? 3 : 4) + suit, from_seat: null };
  if (suit === "z" || rank > 7) return null;
  return { kind, tiles: `${rank}${+rank + 1}${+rank + 2}${suit}`, from_seat: null };
}

function fits(entry, meld) {
  const counts = used(entry);
  for (const name of splitTiles(meld.tiles)) counts[name] = (counts[name] ?? 0) + 1;
  return Object.values(counts).every((count) => count <= 4) && counted(entry) + 3 <= entry.full;
}

const lastWon = (entry) => (entry.wins && complete(entry) && entry.tiles.length ? entry.tiles.length - 1 : null);

/** One tap on the tile keyboard. The last tile of a whole hand is taken for the winning one until another is chosen. */
export function press(entry, name) {
  if (name.endsWith("f")) return { ...entry, flowers: [...entry.flowers, name].sort(inOrder) };
  if (MELD_KINDS.includes(entry.mode)) {
    const meld = meldOf(entry.mode, name);
    if (!meld || !fits(entry, meld)) return entry;
    const next = { ...entry, melds: [...entry.melds, meld], mode: "hand" };
    return { ...next, win: lastWon(next) };
  }
  if (counted(entry) >= entry.full || (used(entry)[name] ?? 0) >= 4) return entry;
  const next = { ...entry, tiles: [...entry.tiles, name], mode: "hand" };
  return { ...next, win: lastWon(next) };
}

/** A tap on a concealed tile: in mode `win` it becomes the winning tile, otherwise it goes away. */
export function tapTile(entry, index) {
  if (entry.mode === "win") return { ...entry, win: index, mode: "hand" };
  return { ...entry, tiles: entry.tiles.filter((_, i) => i !== index), win: null };
}

export const dropMeld = (entry, index) => ({ ...entry, melds: entry.melds.filter((_, i) => i !== index), win: null });
export const dropFlower = (entry, index) => ({ ...entry, flowers: entry.flowers.filter((_, i) => i !== index) });

/** Take the last tap back. */
export function backspace(entry) {
  if (entry.tiles.length) return tapTile({ ...entry, mode: "hand" }, entry.tiles.length - 1);
  return entry.melds.length ? dropMeld(entry, entry.melds.length - 1) : dropFlower(entry, entry.flowers.length - 1);
}

export const setMode = (entry, mode) => ({ ...entry, mode: entry.mode === mode ? "hand" : mode });

/** The fields of the command `hand_manual`. */
export function entryFields(entry) {
  const winTile = entry.win === null ? null : entry.tiles[entry.win];
  return { hand: joinTiles(entry.tiles.filter((_, i) => i !== entry.win)), melds: entry.melds, win_tile: winTile,
    flowers: joinTiles(entry.flowers) };
}

function keyCounts(entry) {
  const counts = used(entry);
  if (entry.mode === "chi") {
    for (const suit of "mps") for (const rank of [8, 9]) counts[rank + suit] = 4;
    for (let rank = 1; rank <= 7; rank += 1) counts[`${rank}z`] = 4;
  }
  return counts;
}

function entryRow(entry) {
  const order = entry.tiles.map((name, index) => ({ name, index })).filter(({ index }) => index !== entry.win)
    .sort((a, b) => inOrder(a.name, b.name));
  const one = ({ name, index }) => html`<button type="button" class="laid" data-do="entry-tile" data-index="${index}"
    aria-label="${t(entry.mode === "win" ? "entry.make_win" : "entry.remove", { tile: t(`tile.${name}`) })}">${tile(name)}</button>`;
  const blanks = Math.max(0, entry.full - counted(entry));
  return html`<div class="entry-row" data-mode="${entry.mode}">
    ${entry.melds.map((meld, i) => html`<button type="button" class="laid laid-meld" data-do="entry-meld" data-index="${i}"
      aria-label="${t("entry.remove", { tile: t(`meld.${meld.kind}`) })}">${meldTiles(meld)}<small>${t(`meld.${meld.kind}`)}</small></button>`)}
    ${order.map(one)}
    ${Array.from({ length: blanks }, () => html`<span class="blank" aria-hidden="true"></span>`)}
    ${entry.win === null ? "" : html`<span class="win-slot">${one({ name: entry.tiles[entry.win], index: entry.win })}<small>${t("win.win_tile")}</small></span>`}
    ${entry.flowers.map((name, i) => html`<button type="button" class="laid" data-do="entry-flower" data-index="${i}"
      aria-label="${t("entry.remove", { tile: t(`tile.${name}`) })}">${tile(name, "flower")}</button>`)}
  </div>`;
}

/** The hand so far, what the next tap means, and the keyboard. */
export function entryView(entry) {
  const done = complete(entry);
  const hint = done ? (entry.mode === "win" ? t("entry.hint_win") : t("entry.hint_done"))
    : entry.mode === "hand" ? t(entry.wins ? "entry.hint_hand" : "entry.hint_show") : t(entry.mode === "chi" ? "entry.hint_chi" : "entry.hint_meld");
  const mode = (kind) => html`<button type="button" class="pick" data-do="entry-mode" data-mode="${kind}"
    ${pressed(entry.mode === kind)}>${t(`meld.${kind}`)}</button>`;
  return html`<section class="entry" aria-label="${t("entry.title")}">
    <div class="entry-head"><p class="counter" data-full="${done ? "yes" : "no"}" role="status"><b>${counted(entry)}</b>/${entry.full}</p>
      <p class="hint">${hint}</p></div>
    ${entryRow(entry)}
    <div class="modes">${MELD_KINDS.filter(hasMeld).map(mode)}
      ${entry.wins ? html`<button type="button" class="pick star" data-do="entry-mode" data-mode="win" ${pressed(entry.mode === "win")}
        ${flag("disabled", !done)}>★ ${t("entry.other_win")}</button>` : ""}
      <button type="button" class="pick" data-do="entry-back" aria-label="${t("entry.back")}" ${flag("disabled", !(counted(entry) + entry.flowers.length))}>⌫</button></div>
    ${tileKeyboard("entry-key", { counts: keyCounts(entry) })}
    <div class="sheet-end">
      <button type="button" class="button quiet" data-do="entry-close">${t("act.back")}</button>
      <button type="button" class="button main" data-do="entry-send" ${flag("disabled", !done)}>${t(entry.wins ? "entry.send" : "entry.take")}</button>
    </div>
  </section>`;
}
