// Line icons in one style: 24 units, round strokes, coloured by the text around them.

import { html } from "../core/dom.js";

const PATHS = {
  turn: "M20 12a8 8 0 1 1-2.6-5.9M20 3v4.5h-4.5",
  view: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
  light: "M12 4V2M12 22v-2M4 12H2M22 12h-2M6.3 6.3L5 5M19 19l-1.3-1.3M6.3 17.7L5 19M19 5l-1.3 1.3M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  close: "M6 6l12 12M18 6L6 18",
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2",
  keys: "M4 5h4v6H4zM10 5h4v6h-4zM16 5h4v6h-4zM4 13h4v6H4zM10 13h4v6h-4zM16 13h4v6h-4z",
  call: "M12 3a5.5 5.5 0 0 0-5.5 5.5V14L4.5 17h15L17.5 14V8.5A5.5 5.5 0 0 0 12 3zM10 20h4",
  undo: "M9 6L4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-3",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  voice: "M4 10v4h4l5 4V6L8 10zM16.5 9a4.5 4.5 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  next: "M9 5l7 7-7 7",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  wall: "M3 8h18v4H3zM3 12h18v4H3zM9 8v4M15 8v4M6 12v4M12 12v4M18 12v4",
};

/** One icon; purely decorative, the control carries the label. */
export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** A die showing `value`; one and four are red, as on Chinese dice. */
export function die(value) {
  const size = value === 1 ? 5 : 3;
  return html`<svg class="die ${value === 1 || value === 4 ? "red" : ""}" viewBox="0 0 32 32" role="img"
    aria-label="${value}"><rect x="1.5" y="1.5" width="29" height="29" rx="7"/>${PIPS[value].map(([x, y]) =>
    html`<circle cx="${16 + x * 8}" cy="${16 + y * 8}" r="${size}"/>`)}</svg>`;
}
