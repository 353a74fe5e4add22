// What the camera followed of the hand: melds, discards and flowers by seat, whose turn it is, and for how long.

import { html } from "../core/dom.js";
import { t, tileName } from "../core/texts.js";
import { nameOf } from "./seats.js";
import { face, tile } from "./tiles.js";

const SHOWN = 2; // faces of a tile in doubt that fit on it
const SIX = 6, FOUR = 4; // discards, and tiles of a meld, that lie in a row

/** A tile by its faces: one, two small ones where it is in doubt, a question mark where nobody knows. */
export function faces(text, { at = null, last = false } = {}) {
  const names = text.split("/");
  const mark = last ? "newest" : "";
  if (names.length === 1 && text !== "x") return tile(text, mark);
  const name = text === "x" ? t("seen.unseen") : t("seen.doubt", { tiles: names.map(tileName).join(t("seen.or")) });
  const inside = names.length <= SHOWN && text !== "x"
    ? names.map((one) => html`<img src="${face(one)}" alt="" width="30" height="40" draggable="false">`) : "?";
  return at ? html`<button type="button" class="tile doubt ${mark}" data-do="seen-tile" data-seat="${at.seat}" data-zone="${at.zone}" data-index="${at.index}"
    data-faces="${text}" aria-label="${name}">${inside}</button>` : html`<span class="tile doubt ${mark}" role="img" aria-label="${name}">${inside}</span>`;
}

/** A kong that nobody looked into lies face down. */
const meldFace = (meld, text, at) => (meld.kind === "kong_concealed" && text === "x" ? tile("x") : faces(text, { at }));

function meldsOf(doc, seat, can) {
  let index = -1;
  return doc.table.melds[seat.seat].map((meld) => {
    const fed = meld.from_seat === null ? "" : ` ${t("seen.fed", { name: nameOf(doc, meld.from_seat) })}`;
    return html`<li><span class="tiles meld" role="group" aria-label="${t(`meld.${meld.kind}`)}${fed}">${meld.tiles.map((text) => {
      index += 1;
      return meldFace(meld, text, can ? { seat: seat.seat, zone: "melds", index } : null);
    })}</span></li>`;
  });
}

/** What lies open before a player. */
export function lies(doc, seat, can) {
  const { ponds, melds, flowers, last } = doc.table;
  const pond = ponds[seat.seat];
  const at = (zone, index) => (can ? { seat: seat.seat, zone, index } : null);
  const newest = last?.seat === seat.seat ? pond.length - 1 : -1;
  const open = melds[seat.seat].length + Math.ceil(flowers[seat.seat].length / FOUR);
  return html`<div class="lies">${open ? html`<div class="open" data-rows="${open}">
    ${melds[seat.seat].length ? html`<ul class="melds" aria-label="${t("seen.melds", seat)}">${meldsOf(doc, seat, can)}</ul>` : ""}
    ${flowers[seat.seat].length ? html`<ul class="tiles flowers" aria-label="${t("seen.flowers", seat)}">${flowers[seat.seat].map((text, i) => html`<li>${faces(text, { at: at("flowers", i) })}</li>`)}</ul>` : ""}</div>` : ""}
    ${pond.length ? html`<ol class="pond" data-rows="${Math.ceil(pond.length / SIX)}" aria-label="${t("seen.pond", seat)}">${pond.map((text, i) => html`<li>${faces(text, { at: at("pond", i), last: i === newest })}</li>`)}</ol>` : ""}
  </div>`;
}

/** The mark of the player whose turn it is, and on devices that want it a bar for the time: advice only. */
export function turnMark(doc, seat, timed) {
  const turn = doc.pace?.turn ?? doc.table?.turn ?? null;
  if (turn !== seat.seat || doc.claims.length) return "";
  const bar = timed && doc.pace ? html`<span class="pace" data-key="pace-${doc.pace.since}" data-limit="${doc.pace.limit_s}" role="img"
    aria-label="${t("pace.label", { name: seat.name, seconds: doc.pace.limit_s })}"><i></i></span>` : "";
  return html`<span class="turn"><span aria-hidden="true">▶</span> ${t("seen.turn")}</span>${bar}`;
}

/** One tap leads to what the camera asks. */
export const askMark = (doc) => (doc.table?.question
  ? html`<button type="button" class="pick" data-do="seen">? ${t("seen.ask")}</button>` : "");
