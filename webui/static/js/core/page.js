// What every page shares: the live state, one sheet, sentences for people, and painting once per frame.

import { html, listen, paint } from "./dom.js";
import { follow } from "./live.js";
import * as prefs from "./prefs.js";
import { command, login, Refusal } from "./send.js";
import { clock, known, loadTexts, loadWordsOf, t } from "./texts.js";
import { announce, onVoices, setVoice, speaks } from "./voice.js";
import { icon } from "../parts/icons.js";
import { outcomeLine, worth, worths } from "../parts/outcome.js";
import { playWith } from "../parts/played.js";
import { sentence } from "../parts/say.js";

const TOAST_MS = 6000;

/** A confirmed hand as the voice says it; of a correction only the new value. */
function spoken(doc, row, corrected) {
  const said = row.outcome === "win" ? t("voice.win", { outcome: outcomeLine(doc, row), points: worth(doc, worths(row)) }) : outcomeLine(doc, row);
  return corrected ? t("voice.corrected", { number: row.hand_no, said }) : said;
}

/** Whether something is wrong that the words fetched so far do not say. */
const unsaid = (doc) => doc.problems.some(({ key, params }) => [key, params.why].some((said) => said && !known(`say.${said}`)));

/** A scoreboard must not go dark in the middle of a hand; only a secure page may ask for that. */
function keepAwake() {
  const ask = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", ask);
  ask();
}

/**
 * The state with the rows that this page has beside those it tells; `earlier.rows` then counts those the page lacks, and
 * a row keeps its number in `history`. Null if rows between the two are missing: the page has to begin again.
 */
function joined(next, before) {
  const earlier = next.earlier ?? { rows: 0, changed: 0 }; // kept by an older version
  if (!before?.game || before.game.id !== next.game?.id) return { ...next, earlier };
  const first = before.earlier.rows;
  if (earlier.rows > first + before.history.length) return null;
  const kept = before.history.slice(0, Math.max(0, earlier.rows - first));
  const told = next.history.slice(Math.max(0, first - earlier.rows));
  return { ...next, earlier: { ...earlier, rows: first }, history: [...kept, ...told] };
}

/**
 * Start a page.
 * @param page `{body(doc), taps(handle), ui?, sheet?(doc) -> {title, body, kind} | null, onState?(doc, before), more?()}`:
 *   `more` fetches a module whose `start(handle, ui)` gives further taps, the sheets and onState. It is fetched with
 *   the first touch, or when a claim is open, so that a page that only shows the score stays light, with its `words`;
 *   `eager` pages fetch it at once. A page about the whole evening (`past`) fetches two hundred older rows by itself.
 */
export async function startPage(page) {
  await loadTexts();
  const root = document.getElementById("page");
  const dialog = document.getElementById("sheet");
  let doc = null;
  let told = null; // the state as it came; `doc` has the older rows of a long game too, as far as this page has them
  let outdated = false; // whether some of those rows have changed since
  let filled = false; // whether a page about the whole evening has asked for the rows before those that were told
  let link = { stale: false, since: null };
  let toast = null;
  let refusal = null; // the last one said
  let asked = false;

  function drawNow() {
    asked = false;
    const banner = link.stale ? html`<p class="stale" role="alert"><span aria-hidden="true">▲</span> ${t("link.stale", { time: clock(link.since) })}</p>` : "";
    paint(root, html`${banner}${doc ? page.body(doc) : html`<p class="loading">${t("link.loading")}</p>`}`);
    const sheet = doc && page.sheet ? page.sheet(doc) : null;
    paint(dialog, html`${sheet ? html`<header class="sheet-head"><h2 id="sheet-title" tabindex="-1" autofocus>${sheet.title}</h2>
      <button type="button" class="tool" data-do="close" aria-label="${t("act.close")}">${icon("close")}</button></header>
      <div class="sheet-body">${sheet.body}</div>` : ""}<div id="toast-in-sheet">${toastView(sheet)}</div>`);
    dialog.dataset.kind = sheet?.kind ?? "";
    if (sheet && !dialog.open) {
      dialog.showModal();
      if (!history.state?.sheet) history.pushState({ sheet: true }, ""); // the key "back" closes a sheet and stays on the page
    }
    if (!sheet && dialog.open) dialog.close();
    paint(document.getElementById("toast"), html`${sheet ? "" : toastView(true)}`);
  }

  const toastView = (wanted) => (toast && wanted ? html`<p class="toast" role="alert">${toast}</p>` : "");
  const draw = () => { if (!asked) { asked = true; requestAnimationFrame(drawNow); } };

  function say(sentence) {
    toast = sentence;
    draw();
    setTimeout(() => { if (toast === sentence) { toast = null; draw(); } }, TOAST_MS);
  }

  /** Run what was tapped; a refusal is said, and is taken off the page by the next tap that succeeds. */
  async function attempt(work) {
    const stood = refusal;
    try {
      const done = (await work()) ?? true;
      if (stood && toast === stood) { toast = null; draw(); }
      return done;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = sentence(doc, error);
      say(refusal);
      return false;
    }
  }

  async function speak(language) {
    prefs.setLanguage(language);
    await loadTexts(language);
    document.title = t("app.name");
    for (const one of document.querySelectorAll("[data-text]")) one.textContent = t(one.dataset.text);
    draw();
  }

  let rest = null;

  /** Fetch what the page does beyond showing; a failed fetch is tried again with the next touch. */
  function whole(before = doc) {
    rest = rest ?? Promise.all([page.more(), loadWordsOf(page.words ?? "play")]).then(([module]) => {
      const made = module.start(handle, page.ui);
      Object.assign(taps, made.taps);
      Object.assign(page, { sheet: made.sheet, onState: made.onState, more: null });
      if (doc) page.onState?.(doc, before);
      draw();
    }).catch((error) => { rest = null; say(t("error.offline")); throw error; });
    return rest;
  }
  const later = (name) => (element, event) => whole().then(() => taps[name]?.(element, event), () => {});

  /** Fetch older rows of the history; what came meanwhile counts. No row gets another number while a sheet shows one. */
  const past = (work) => import("./past.js").then(work).then(async (found) => {
    if (dialog.open && found.earlier.rows < doc.earlier.rows) await new Promise((shut) => dialog.addEventListener("close", shut, { once: true }));
    doc = joined(told, found) ?? doc;
    draw();
    if (found.earlier.changed !== told.earlier.changed) renew(); // a row was set right while these were on their way
  });
  const renew = () => { outdated = false; past((part) => part.renewed(doc)).catch(() => { outdated = true; }); };

  const handle = { doc: () => doc, draw, attempt, say };
  const shared = {
    turn: () => { prefs.turnSide(); draw(); },
    language: () => speak(prefs.LANGUAGES[(prefs.LANGUAGES.indexOf(document.documentElement.lang) + 1) % prefs.LANGUAGES.length]),
    "set-language": (element) => speak(element.dataset.language),
    "set-theme": (element) => { if (prefs.shownTheme() !== element.dataset.theme) prefs.flipTheme(); draw(); },
    "set-size": (element) => prefs.setSize(element.value),
    rest: (element) => attempt(() => command("rest", { minutes: Number(element.dataset.minutes) })),
    pace: () => { prefs.setTimed(!prefs.timed(doc?.game?.mode)); draw(); },
    voice: () => { setVoice(!speaks()); draw(); },
    earlier: () => attempt(() => past((part) => part.withEarlier(doc))),
    full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    "pin-send": async (form) => {
      const fields = new FormData(form);
      if (await attempt(() => login(fields.get("pin"), fields.get("role")))) location.reload();
    },
  };
  const taps = { ...shared, ...page.taps(handle) };
  listen(document.body, (name) => taps[name] ?? (page.more ? later(name) : undefined));
  if (page.eager) whole().catch(() => {}); // a keyboard works from the start
  document.addEventListener("pointerdown", () => page.more && whole().catch(() => {}), { capture: true });
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); taps.close?.(); draw(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) { taps.close?.(); draw(); } });
  window.addEventListener("popstate", () => { if (dialog.open) { taps.close?.(); draw(); } });
  window.addEventListener("unhandledrejection", (event) => say(event.reason?.text ?? t("error.page")));

  follow((state) => {
    const before = doc;
    told = state;
    const next = joined(told, before);
    if (!next) { location.reload(); return; }
    doc = next;
    playWith(doc.game);
    if (next.history.length > told.history.length && next.earlier.changed !== before.earlier.changed) outdated = true;
    if (page.past && !filled && doc.earlier.rows) { filled = true; past((part) => part.withEarlier(doc)).catch(() => { filled = false; }); }
    if (outdated) renew(); // and again with the next state, if that fails
    if (before?.game && before.game.id !== next.game?.id) taps.close?.(); // a sheet about another game
    page.onState?.(next, before);
    if (page.more && (doc.claim || unsaid(doc))) whole(before).catch(() => {});
    announce(next, before, (row, corrected) => spoken(next, row, corrected));
    draw();
  }, (next) => { link = next; draw(); }, { heard: speaks, outlived: () => import("./outlived.js").then(({ start }) => start()).catch(() => {}) });
  if (known("app.name")) document.title = t("app.name");
  keepAwake();
  if (document.body.dataset.waits) import("./busy.js").then((part) => part.tellBusy()).catch(() => {});
  onVoices(draw);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(`/sw.js?${new URL(import.meta.url).pathname.split("/")[1]}`).catch(() => {});
}
