// The picture a hand was read from: crops beside the tiles, and the whole with boxes over it.

import { html } from "../core/dom.js";
import { t, tileName } from "../core/texts.js";
import { face } from "./tiles.js";

const MARKS = { sure: "✓", check: "?", unreadable: "✕" };

/** With more tiles than this in the picture the names over the boxes would hide each other. */
const CROWDED = 22;

/** A person's word outweighs the eyes. */
export const sureness = (seen) => (seen.pinned ? "fixed" : seen.sure);

/** The mark of a tile: ✓ sure, ? check, ✕ unreadable, ✎ set by a person. */
export const mark = (seen) => (seen.pinned ? "✎" : MARKS[seen.sure]);

const url = (id) => `/evidence/${id}`;

/** The part of the picture that shows one tile. */
export function crop(picture, box) {
  const [x1, y1, x2, y2] = box;
  const edge = Math.max(x2 - x1, y2 - y1) * 0.08;
  return html`<svg class="crop" viewBox="${x1 - edge} ${y1 - edge} ${x2 - x1 + 2 * edge} ${y2 - y1 + 2 * edge}" aria-hidden="true"
    ><image href="${url(picture)}"/></svg>`;
}

const sizes = new Map();

/** Width and height of a picture once it is loaded; `done` is called when that becomes known. */
export function pictureSize(id, done) {
  if (sizes.has(id)) return sizes.get(id);
  sizes.set(id, null);
  const image = new Image();
  image.onload = () => { sizes.set(id, [image.naturalWidth, image.naturalHeight]); done(); };
  image.src = url(id);
  return null;
}

/** The part of the picture around the hand: x, y, width, height; all of it where no tile was found. */
function region(tiles, [width, height]) {
  const boxes = tiles.filter((seen) => seen.role !== "out" && seen.tile !== "").map((seen) => seen.box);
  if (!boxes.length) return [0, 0, width, height];
  const edge = 1.2 * Math.max(...boxes.map(([x1, y1, x2, y2]) => Math.max(x2 - x1, y2 - y1)));
  const left = Math.max(0, Math.min(...boxes.map((box) => box[0])) - edge);
  const top = Math.max(0, Math.min(...boxes.map((box) => box[1])) - edge);
  const right = Math.min(width, Math.max(...boxes.map((box) => box[2])) + edge);
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box[3])) + edge);
  return [left, top, right - left, bottom - top];
}

/** The picture around the hand with a box per tile; tapping a box corrects that tile. */
export function overlay(picture, tiles, size, { chosen = null } = {}) {
  if (!size) return html`<p class="loading">${t("picture.loading")}</p>`;
  const view = region(tiles, size);
  const unit = Math.max(view[2], view[3]) / 100;
  const crowded = tiles.length > CROWDED;
  const boxes = tiles.filter((seen) => seen.tile !== "").map((seen) => {
    const [x1, y1, x2, y2] = seen.box;
    const tag = Math.min(unit * 3, (x2 - x1) * 0.8);
    return html`<g class="seen-box" data-sure="${sureness(seen)}" data-role="${seen.role}" data-chosen="${chosen === seen.index ? "yes" : "no"}"
      data-do="fix" data-index="${seen.index}" role="button" tabindex="0" aria-label="${tileName(seen.tile)} ${t(`sure.${sureness(seen)}`)}">
      <rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" rx="${unit * 0.6}"/>
      ${seen.role === "out" || (crowded && chosen !== seen.index) ? "" : html`<rect class="tag" x="${x1}" y="${y1 - tag * 1.6}" width="${tag}" height="${tag * 1.35}" rx="${tag / 6}"/><image href="${face(seen.tile)}" x="${x1}" y="${y1 - tag * 1.6}" width="${tag}" height="${tag * 1.35}"/>
      ${seen.sure === "sure" && !seen.pinned ? "" : html`<text x="${x1 + tag * 1.1}" y="${y1 - tag * 0.45}" font-size="${tag}">${mark(seen)}</text>`}`}
    </g>`;
  });
  return html`<svg class="overlay" viewBox="${view.join(" ")}" role="group" aria-label="${t("picture.title")}">
    <image href="${url(picture)}" width="${size[0]}" height="${size[1]}"/>${boxes}</svg>`;
}
