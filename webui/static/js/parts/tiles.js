// Tiles as people see them on the table: ivory face, jade back, and a name for the screen reader.

import { html, flag } from "../core/dom.js";
import { tileName } from "../core/texts.js";
import { hasSuit } from "./played.js";

/** Split tile text such as `123m77z` into [`1m`, `2m`, ...]. */
export function splitTiles(text) {
  const tiles = [];
  let ranks = "";
  for (const sign of text ?? "") {
    if (sign === "x") tiles.push("x");
    else if (/\d/.test(sign)) ranks += sign;
    else {
      for (const rank of ranks) tiles.push(rank + sign);
      ranks = "";
    }
  }
  return tiles;
}

/** Join tiles to tile text, sorted by suit: [`2m`, `1m`] -> `12m`. */
export function joinTiles(tiles) {
  return ["m", "p", "s", "z", "f"].map((suit) => {
    const ranks = tiles.filter((tile) => tile[1] === suit).map((tile) => tile[0]).sort().join("");
    return ranks ? ranks + suit : "";
  }).join("") + "x".repeat(tiles.filter((tile) => tile === "x").length);
}

/** How many tiles a whole hand has, a kong counted as three: 14, in Fujian 17. */
export const fullHand = (game) => (game.ruleset === "fujian" ? (game.options.hand_size ?? 16) + 1 : 14);

const ORDER = "mpszf";
export const inOrder = (a, b) => ORDER.indexOf(a[1]) - ORDER.indexOf(b[1]) || a.localeCompare(b);

const FACES = new URL("../../tiles/", import.meta.url).pathname;

/** Where the picture of a tile is. */
export const face = (name) => `${FACES}${name}.svg`;

/** One tile face. */
export function tile(name, extra = "") {
  return html`<span class="tile ${extra}" role="img" aria-label="${tileName(name)}"
    ><img src="${face(name)}" alt="" width="30" height="40" draggable="false"></span>`;
}

/** Tiles side by side; `text` is tile text or a list of tiles. */
export function tileRow(text, extra = "") {
  const tiles = typeof text === "string" ? splitTiles(text) : text;
  return html`<span class="tiles ${extra}">${tiles.map((name) => tile(name))}</span>`;
}

/** A meld; a concealed kong shows its two outer tiles face down, as players lay it. */
export function meldTiles(meld) {
  const tiles = splitTiles(meld.tiles);
  const shown = meld.kind === "kong_concealed" && tiles.length === 4 ? ["x", tiles[1], tiles[2], "x"] : tiles;
  return html`<span class="tiles meld">${shown.map((name) => tile(name))}</span>`;
}

/** A whole hand as it is laid down: concealed tiles, melds, then the winning tile apart. */
export function wholeHand({ hand, melds = [], win_tile: winTile, flowers = "" }) {
  return html`<span class="hand">
    ${hand ? tileRow(hand) : ""}
    ${melds.map(meldTiles)}
    ${winTile ? html`<span class="tiles won">${tile(winTile)}</span>` : ""}
    ${flowers ? tileRow(flowers, "flowers") : ""}
  </span>`;
}

const ROWS = [["m", 9], ["p", 9], ["s", 9], ["z", 7], ["f", 8]];

/**
 * Every tile of the game as a key. `counts` says how many copies are used already: a fifth copy cannot be tapped.
 * `action` is the name of what a tap does.
 */
export function tileKeyboard(action, { counts = {}, flowers = true, limit = 4 } = {}) {
  const key = (name) => html`<button type="button" class="key" data-do="${action}" data-tile="${name}"
    aria-label="${tileName(name)}" ${flag("disabled", (counts[name] ?? 0) >= (name[1] === "f" ? 1 : limit))}
    >${tile(name)}</button>`;
  const suit = (letter, size) => html`<div class="keys" data-suit="${letter}">${
    Array.from({ length: size }, (_, i) => key(`${i + 1}${letter}`))}</div>`;
  return html`<div class="keyboard">${ROWS.filter(([letter]) => hasSuit(letter) && (flowers || letter !== "f")).map(([letter, size]) => suit(letter, size))}</div>`;
}
