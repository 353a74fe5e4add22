// The lines of the clock on a page; what writes them (`clock.js`) is fetched only where there is such a time.

const LOOK_MS = 10_000; // so often the times are counted anew

let part = null;
let draw = () => {};

/** The page to draw again, from now on every few seconds. */
export function tick(page) {
  ({ draw } = page);
  setInterval(draw, LOOK_MS);
}

/** Break, session and, where this device shows times of turns (`timed`), the arranging of the dealt hands. */
export function times(doc, timed = false) {
  const { session, rest_until_ms: rest, opening } = doc.clock ?? {};
  if (!(session || rest || (opening && timed))) return "";
  if (!part) import("./clock.js").then((module) => { part = module; draw(); }).catch(() => {});
  return part ? part.clockLines(doc, { timed }) : "";
}
