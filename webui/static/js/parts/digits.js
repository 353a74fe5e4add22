// Paiju's own figures: tall, narrow, even strokes, so that a score can be read from across the table.

import { html } from "../core/dom.js";
import { signed } from "../core/texts.js";

const FIGURES = {
  0: [42, "M21 8a13 13 0 0 1 13 13v58a13 13 0 0 1-26 0v-58a13 13 0 0 1 13-13z"],
  1: [30, "M7 24L19 8v84"],
  2: [42, "M8 24v-3a13 13 0 0 1 26 0v6c0 22-26 36-26 65h27"],
  3: [42, "M8 22v-1a13 13 0 0 1 26 0v13a13 13 0 0 1-13 13h-3m3 0a13 13 0 0 1 13 13v19a13 13 0 0 1-26 0v-2"],
  4: [44, "M29 92V8L8 68h29"],
  5: [42, "M33 8H10v38c4-6 24-8 24 12v21a13 13 0 0 1-26 0v-2"],
  6: [42, "M34 22v-1a13 13 0 0 0-26 0v58a13 13 0 0 0 26 0v-20a13 13 0 0 0-26 0"],
  7: [41, "M7 8h27L18 92"],
  8: [42, "M21 47a12 12 0 0 1-12-12v-15a12 12 0 0 1 24 0v15a12 12 0 0 1-12 12a13 13 0 0 1 13 13v19a13 13 0 0 1-26 0v-19a13 13 0 0 1 13-13z"],
  9: [42, "M8 78v1a13 13 0 0 0 26 0v-58a13 13 0 0 0-26 0v20a13 13 0 0 0 26 0"],
  "+": [40, "M20 36v28M6 50h28"],
  "−": [36, "M6 50h24"],
};

/** A number as a drawing that fills its box; read aloud as the number. */
export function digits(points, { plus = false } = {}) {
  const text = plus ? signed(points) : points < 0 ? `−${-points}` : String(points);
  let x = 0;
  const strokes = [...text].map((sign) => {
    const [width, path] = FIGURES[sign];
    const mark = html`<path d="${path}" transform="translate(${x} 0)"/>`;
    x += width + 5;
    return mark;
  });
  return html`<svg class="digits" viewBox="0 0 ${x - 5} 100" role="img" aria-label="${text}">${strokes}</svg>`;
}
