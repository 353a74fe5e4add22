// The felt's four corners: found by themselves, drawn over the picture, moved by finger, mouse or arrow keys.

import { flag, html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { sentence } from "./say.js";

const LETTERS = "ABCD";
const NAMES = ["far_left", "far_right", "near_right", "near_left"];
const STEP = 0.002;
const SETTLED_MS = 250;
const LOUPE = 0.09; // of the picture's width

/** What is being set; `points` as shares of the picture, from its top left clockwise. */
const cornerState = () => ({ points: null, seat: 0, quality: null, byHand: false, held: null, error: null, check: null, shown: null, kept: false, timer: 0 });

/** The edge a seat sits at, as the two corners it lies between: bottom, right, top, left. */
const EDGES = [[3, 2], [2, 1], [1, 0], [0, 3]];

const place = (points, i, size) => [points[i][0] * size.width, points[i][1] * size.height];

function handle(points, i, size, active) {
  const [x, y] = place(points, i, size);
  const r = size.width / 60;
  return html`<g class="corner" tabindex="0" role="button" data-corner="${i}" data-held="${active ? "yes" : "no"}" aria-label="${t(`corner.${NAMES[i]}`)}" aria-describedby="corner-help">
    <circle class="grip" cx="${x}" cy="${y}" r="${r * 4.5}"></circle><circle class="ring" cx="${x}" cy="${y}" r="${r}"></circle><circle class="dot" cx="${x}" cy="${y}" r="${r / 6}"></circle></g>`;
}

function seatMark(points, edge, seat, size) {
  const [a, b] = EDGES[edge].map((i) => place(points, i, size));
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / 4 * (axis ? size.height : size.width));
  const at = [0, 1].map((axis) => (a[axis] + b[axis]) / 2 * 0.88 + middle[axis] * 0.12);
  const letter = LETTERS[(edge - seat + 4) % 4];
  const r = size.width / 28;
  return html`<g class="seat-mark" role="button" tabindex="0" data-do="corner-seat" data-seat="${edge}" data-own="${edge === seat ? "yes" : "no"}" aria-label="${t("corner.seat", { letter })}">
    <circle class="grip" cx="${at[0]}" cy="${at[1]}" r="${r * 2.1}"></circle><circle cx="${at[0]}" cy="${at[1]}" r="${r}"></circle><text x="${at[0]}" y="${at[1]}" font-size="${r * 1.2}" text-anchor="middle" dominant-baseline="central">${letter}</text></g>`;
}

function loupe(points, i, seen) {
  const [x, y] = place(points, i, seen);
  const half = seen.width * LOUPE / 2;
  return html`<svg class="loupe" data-side="${points[i][0] < 0.5 ? "right" : "left"}" viewBox="${x - half} ${y - half} ${2 * half} ${2 * half}" aria-hidden="true">
    <image href="${seen.src}" width="${seen.width}" height="${seen.height}"></image>
    <path d="M${x - half} ${y}H${x + half}M${x} ${y - half}V${y + half}"></path></svg>`;
}

function editor(doc, ui) {
  const { points, seat, held } = ui.corners;
  const picture = ui.watch.see("/api/v1/setup/picture");
  const seen = picture.value ?? ui.corners.lastPicture;
  if (picture.value) ui.corners.lastPicture = picture.value;
  if (!seen) return html`<p class="no-shot">${picture.error ? sentence(doc, picture.error) : t("wizard.camera_opening")}</p>`;
  if (!points) return html`<img src="${seen.src}" alt="${t("device.camera")}">`;
  const outline = points.map((_, i) => place(points, i, seen).join(",")).join(" ");
  return html`<img src="${seen.src}" alt="${t("device.camera")}"><svg class="corner-board" viewBox="0 0 ${seen.width} ${seen.height}"><polygon points="${outline}"></polygon>
    ${[0, 1, 2, 3].map((edge) => seatMark(points, edge, seat, seen))}${points.map((_, i) => handle(points, i, seen, held === i))}</svg>
    ${held === null ? "" : loupe(points, held, seen)}`;
}

function preview(ui) {
  const own = ui.corners;
  const url = own.settled && `/api/v1/setup/preview?points=${own.settled}&seat=${own.seat}`;
  const seen = url ? ui.watch.seeOnce(url) : null;
  if (seen?.value) own.shown = seen.value.src;
  const seats = html`${[0, 1, 2, 3].map((edge) => html`<span class="preview-seat" data-edge="${edge}">${LETTERS[edge]}</span>`)}`;
  return html`<figure class="preview">${own.shown && !seen?.error ? html`<img src="${own.shown}" alt="${t("corner.preview")}">` : html`<p class="no-shot">${t("corner.no_preview")}</p>`}${seats}
    <figcaption>${t("corner.preview")}</figcaption></figure>`;
}

const qualityOf = ({ byHand, quality }) => (byHand || quality === null ? "hand" : quality >= 0.97 ? "best" : quality >= 0.9 ? "good" : "fair");

export function cornersView(doc, ui) {
  const own = ui.corners;
  const words = own.error ? html`<p>▲ ${sentence(doc, own.error)}</p>` : own.check ? html`<ul class="checks">
    <li data-level="${qualityOf(own) === "fair" ? "open" : "good"}"><span aria-hidden="true">${qualityOf(own) === "fair" ? "▲" : "✓"}</span><span>${t(`corner.quality_${qualityOf(own)}`)}</span></li>
    ${own.check.words.map((word) => html`<li data-level="${word === "tiles_well" ? "good" : "open"}"><span aria-hidden="true">${word === "tiles_well" ? "✓" : "▲"}</span><span>${t(`corner.${word}`, { pixels: own.check.tile_px, wanted: own.check.well_px })}</span></li>`)}</ul>` : "";
  return html`<h2>${t("wizard.corners")}</h2><p id="corner-help">${t("wizard.corners_hint")}</p>
    <div class="beside"><div class="live">${editor(doc, ui)}</div><div class="stack">${preview(ui)}<div role="status">${words}</div></div>
    <div class="modes"><button type="button" class="pick" data-do="corners-find">${t("corner.find")}</button>
      <button type="button" class="pick" data-do="corner-turn">${t("corner.turn")}</button>
      <button type="button" class="button main" data-do="corners-keep" ${flag("disabled", !own.points || own.error)}>${own.kept ? "✓ " : ""}${t(own.kept ? "corner.kept" : "corner.keep")}</button></div></div>`;
}

const flat = (points) => points.map((point) => point.map((side) => side.toFixed(5)).join(",")).join(",");
const inside = (share) => Math.min(1, Math.max(0, share));

/** What moves corners: finger, mouse and keys. `setUp` talks to the table, `draw` paints. */
export function start(ui, { setUp, draw, attempt }) {
  ui.corners = cornerState();
  const own = ui.corners;

  async function settle() {
    if (!own.points) return;
    own.settled = flat(own.points);
    try {
      own.check = await setUp(`/corners/check?points=${own.settled}`);
      own.error = null;
    } catch (error) { own.error = error; own.check = null; }
    draw();
  }

  function moved() {
    own.byHand = true;
    own.kept = false;
    clearTimeout(own.timer);
    own.timer = setTimeout(settle, SETTLED_MS);
    draw();
  }

  function take(found) {
    Object.assign(own, { points: found.points, quality: found.quality, byHand: false, error: null, kept: false });
    settle();
  }

  async function find() {
    try { take(await setUp("/corners")); } catch (error) {
      own.error = error;
      own.points = own.points ?? [[0.2, 0.1], [0.8, 0.1], [0.8, 0.9], [0.2, 0.9]];
      own.byHand = true;
      draw();
    }
  }

  function turn(seat) { own.seat = seat; own.kept = false; draw(); }

  const board = (element) => element.closest(".corner-board");
  const cornerOf = (event) => event.target.closest?.("[data-corner]");
  document.addEventListener("pointerdown", (event) => {
    const grip = cornerOf(event);
    if (!grip) return;
    event.preventDefault();
    grip.focus();
    own.held = Number(grip.dataset.corner);
    const area = board(grip).getBoundingClientRect();
    const follow = (at) => {
      own.points = own.points.map((point, i) => (i === own.held ? [inside((at.clientX - area.left) / area.width), inside((at.clientY - area.top) / area.height)] : point));
      moved();
    };
    const drop = () => { own.held = null; document.removeEventListener("pointermove", follow); draw(); };
    document.addEventListener("pointermove", follow);
    document.addEventListener("pointerup", drop, { once: true });
    document.addEventListener("pointercancel", drop, { once: true });
    draw();
  });
  document.addEventListener("keydown", (event) => {
    const grip = cornerOf(event);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (grip && way) {
      event.preventDefault();
      const step = event.shiftKey ? 10 * STEP : STEP;
      const i = Number(grip.dataset.corner);
      own.points = own.points.map((point, number) => (number === i ? point.map((side, axis) => inside(side + way[axis] * step)) : point));
      moved();
    }
    const mark = event.target.closest?.("[data-do=corner-seat]");
    if (mark && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); turn(Number(mark.dataset.seat)); }
  });

  return {
    reset: () => Object.assign(own, cornerState()),
    /** Begin with what is kept, or look for the corners. */
    begin: () => {
      const kept = ui.set.corners;
      if (own.points) return;
      if (kept) { Object.assign(own, { points: kept.points, seat: kept.seat, quality: null, byHand: true, kept: true }); settle(); } else find();
    },
    taps: {
      "corners-find": find,
      "corner-turn": () => turn((own.seat + 1) % 4),
      "corner-seat": (element) => turn(Number(element.dataset.seat)),
      "corners-keep": () => attempt(async () => {
        ui.set = await setUp("/corners", { points: own.points, seat: own.seat });
        own.kept = true;
        draw();
      }),
    },
  };
}
