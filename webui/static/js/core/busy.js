// A demonstration waits for whoever is at it: from a touch on, and while a sheet or a keyboard of tiles stays open here.

import { post } from "./send.js";

const LATELY_MS = 30000; // a page left alone with a sheet open holds nobody up
const AGAIN_MS = 2000;
const OPEN = "dialog[open], .fix, .entry, .picker";

/** Say so with every touch and, while something is open, every two seconds. */
export function tellBusy() {
  let touched = -Infinity;
  const tell = () => post("/api/v1/busy", {}).catch(() => {});
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { touched = performance.now(); tell(); }, { capture: true });
  setInterval(() => { if (performance.now() - touched < LATELY_MS && document.querySelector(OPEN)) tell(); }, AGAIN_MS);
}
