// Looks at addresses again and again, but only at those that the page shows now: live pictures and live judgements.

import { Refusal } from "./send.js";

const EVERY_MS = 700;

/** A picture as `{src, width, height}`; throws a Refusal with the reason. */
async function picture(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw await refusal(answer);
  const blob = await answer.blob();
  const size = await createImageBitmap(blob);
  const shown = { src: URL.createObjectURL(blob), width: size.width, height: size.height };
  size.close();
  return shown;
}

async function json(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

const refusal = async (answer) => { const body = await answer.json().catch(() => ({})); return new Refusal(body.error ?? String(answer.status), body); };

/**
 * A watcher: `see(url)` and `read(url)` give `{value, error}` at once and keep it fresh while the page asks for it.
 * @param draw called when something new is there.
 */
export function watcher(draw) {
  const kept = new Map();
  let asked = new Set();

  async function look(entry) {
    entry.busy = true;
    const before = entry.value;
    try {
      entry.value = await entry.work(entry.url);
      entry.error = null;
      if (before?.src) setTimeout(() => URL.revokeObjectURL(before.src), 2000);
    } catch (error) {
      entry.error = error instanceof Refusal ? error : null;
      if (entry.error) entry.value = null;
    }
    entry.busy = false;
    draw();
  }

  function want(url, work, once) {
    asked.add(url);
    if (!kept.has(url)) {
      kept.set(url, { url, work, once, value: null, error: null, busy: false });
      look(kept.get(url));
    }
    return kept.get(url);
  }

  setInterval(() => {
    if (document.hidden) return;
    for (const [url, entry] of kept) {
      if (entry.busy) continue;
      if (!asked.has(url)) { if (entry.value?.src) URL.revokeObjectURL(entry.value.src); kept.delete(url); }
      else if (!entry.once) look(entry);
    }
    asked = new Set();
    draw();
  }, EVERY_MS);

  return { see: (url) => want(url, picture, false), seeOnce: (url) => want(url, picture, true), read: (url) => want(url, json, false), forget: () => kept.clear() };
}
