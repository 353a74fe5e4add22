// The case on the referee's desk: the evidence, the decision, penalties, corrections; by touch and by keyboard.

import { html, pressed, styleSheet } from "./core/dom.js";
import { side } from "./core/prefs.js";
import { command, leaveCorrection, ownCorrection } from "./core/send.js";
import { t, tileName } from "./core/texts.js";
import { chime } from "./core/voice.js";
import { handDetail } from "./parts/bill.js";
import { claimBody, claimState, claimTitle, ready } from "./parts/claim.js";
import { whoView } from "./parts/claim-who.js";
import { toCheck } from "./parts/claim-hand.js";
import { claimTaps } from "./parts/claim-taps.js";
import { asClaim, correctState, correctTaps, correctView, handOf, rejectFields, rejectView, sayOfWin, takeEntry } from "./parts/correct.js";
import { drawnOf, drawnSheet, drawnState, drawnTaps } from "./parts/drawn.js";
import { keepsEntered, playedHand } from "./parts/entered.js";
import { askRecord, recordView } from "./parts/hand-record.js";
import { restButtons } from "./parts/clock.js";
import { icon } from "./parts/icons.js";
import { askRules, optionsState, optionsTaps, optionsView } from "./parts/options.js";
import { liftButton, penaltyState, penaltyTaps, penaltyView } from "./parts/penalty.js";
import { overlay, pictureSize } from "./parts/picture.js";
import { seenState, seenTaps, seenView } from "./parts/seen-ask.js";
import { playState, playsView, playTaps } from "./parts/plays.js";
import * as sheets from "./parts/sheets.js";

const referee = document.body.dataset.role === "referee";
let repaint = () => {};
const PRESENT_MS = 4000; // an owner who is silent for ten seconds has left
const LOOK_MS = 300;

/** Correct a hand, unless another referee is at it; it stays ours as long as the sheet is open. What was entered before the page was loaded again is there. */
async function openCorrection(page, ui) {
  const row = handOf(page.doc(), page.doc().history[ui.hand]);
  if (!(await page.attempt(() => ownCorrection(row.hand_no)))) return;
  const unsent = JSON.stringify(ui.unsent?.row) === JSON.stringify(row) ? ui.unsent : null; // of a hand that is as it was
  Object.assign(ui, { correct: { ...correctState(row), ...unsent, changes: null }, unsent: unsent ? null : ui.unsent, sheet: "correct" });
  let told = performance.now();
  const timer = setInterval(() => {
    if (ui.correct?.hand_no !== row.hand_no) {
      clearInterval(timer);
      leaveCorrection(row.hand_no).catch(() => {});
    } else if (performance.now() - told >= PRESENT_MS) {
      told = performance.now();
      ownCorrection(row.hand_no).catch(() => {});
    }
  }, LOOK_MS);
  return sayOfWin({ ...page, ui: () => ui.correct }, "set_facts", {});
}

function evidence(doc, ui) {
  const { claim } = doc;
  if (!claim.picture) return html`<section class="evidence-box empty"><p>${claim.reading ? t("win.reading") : t("desk.no_picture")}</p></section>`;
  const whole = ui.look === "frame" && claim.frame;
  const tab = (name) => html`<button type="button" class="pick" data-do="look" data-look="${name}" ${pressed(whole ? name === "frame" : name === "hand")}>${t(`desk.look_${name}`)}</button>`;
  return html`<section class="evidence-box">
    ${whole ? html`<img class="overlay" src="/evidence/${claim.frame}" alt="${t("desk.look_frame")}">`
    : overlay(claim.picture, claim.how === "manual" ? [] : claim.tiles, pictureSize(claim.picture, () => repaint()), { chosen: ui.claim.fixing })}
    <div class="looks">${claim.frame && claim.frame !== claim.picture ? [tab("hand"), tab("frame")] : ""}
      <a class="full-picture" href="/evidence/${claim.frame ?? claim.picture}" target="_blank" rel="noopener">${t("desk.full_picture")}</a></div></section>
    ${fixed(claim)}`;
}

/** What a person changed of what the eyes read: before and after, tile by tile. */
function fixed(claim) {
  const changed = claim.how === "manual" ? [] : claim.tiles.filter((one) => one.pinned && one.tile !== one.seen);
  return changed.length ? html`<p class="fixed"><b>${t("desk.fixed")}</b> ${changed.map((one) => html`<span><s>${one.seen ? tileName(one.seen) : t("desk.no_tile")}</s>
    <span aria-hidden="true">→</span> <b>${one.tile ? tileName(one.tile) : t("desk.no_tile")}</b></span> `)}</p>` : "";
}

function keys(held) {
  return html`<button type="button" class="button quiet" data-do="edit">${t("act.correct")} <kbd>E</kbd></button>
    <button type="button" class="button quiet" data-do="reject">${t("act.reject")} <kbd>R</kbd></button>
    <button type="button" class="button quiet" data-do="hold">${t(held ? "act.unhold" : "act.hold")} <kbd>H</kbd></button>`;
}

/** What the queue says of the claimed win. A doubtful tile comes before the verdict: nothing is refused until it is checked. */
export function waiting(claim) {
  const doubts = claim.how === "manual" ? 0 : toCheck(claim);
  if (doubts) return t("win.to_check", { count: doubts });
  return claim.verdict && !claim.verdict.valid ? t("bill.refused") : t(`waiting.${claim.waiting_for}`);
}

/** The claimed win with everything that decides it. */
export function caseView(doc, ui) {
  if (!ui.claim) return "";
  const { held } = doc.claims[0];
  return html`<section class="panel case"><h2>${claimTitle(doc)}</h2>${held ? html`<p class="on-hold"><span aria-hidden="true">❚❚</span> ${t("desk.on_hold")}</p>` : ""}
    ${claimBody(doc, ui.claim, { referee, can: referee, evidence: evidence(doc, ui), keys: referee ? keys(held) : "" })}</section>`;
}

const VIEWS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  seen: (doc, ui) => ({ title: t("seen.ask"), kind: "small", body: seenView(doc, ui.seen) }),
  keys: () => ({ title: t("keys.title"), kind: "small", body: keyMap() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
  who: (doc, ui) => ({ title: t("win.title"), body: whoView(doc, ui.claim, side()) }),
  reject: (doc, ui) => ({ title: t("act.reject"), kind: "small", body: rejectView(doc, ui.reject) }),
  penalty: (doc, ui) => ({ title: t("penalty.title"), kind: "small", body: penaltyView(doc, ui.penalty) }),
  plays: (doc, ui) => ({ title: t(doc.hand?.actions.includes("kong") ? "plays.open" : "plays.more"), kind: ui.play.entry ? "" : "small", body: playsView(doc, ui.play, side()) }),
  draw: (doc, ui) => drawnSheet(doc, ui.drawn),
  break: (doc) => ({ title: t("clock.title"), kind: "small", body: html`<div class="stack">${restButtons(doc)}</div>` }),
  options: (doc, ui) => ({ title: t("correct.options"), kind: "tall", body: optionsView(doc, ui.options) }),
  correct: (doc, ui) => ({ title: t("correct.title", { number: ui.correct.hand_no }), kind: "tall", body: correctView(doc, ui.correct, side()) }),
  hand: (doc, ui) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }),
    body: html`${handDetail(doc, doc.history[ui.hand])}${recordView(doc, ui.record, doc.history[ui.hand])}${referee ? html`<div class="sheet-end">${liftButton(doc.history[ui.hand])}${handOf(doc, doc.history[ui.hand])
      ? html`<button type="button" class="button main" data-do="correct-open">${icon("edit")} ${t("correct.title", { number: doc.history[ui.hand].hand_no })}</button>` : ""}</div>` : ""}` }),
};

/** Start correcting: at the first tile the eyes doubt, or on the keyboard when there is no picture. */
function edit(page, ui, claims) {
  const live = page.doc().claim.tiles.filter((seen) => seen.role !== "out");
  const doubtful = live.find((seen) => !seen.pinned && seen.sure !== "sure") ?? live[0];
  if (doubtful) ui.claim.fixing = doubtful.index;
  else claims.entry();
  page.draw();
}

const KEYS = [["A", "act.approve"], ["E", "act.correct"], ["R", "act.reject"], ["H", "act.hold"], ["P", "penalty.title"], ["N", "desk.claim_for"], ["?", "keys.title"], ["Esc", "act.close"]];

const keyMap = () => html`<dl class="key-map">${KEYS.map(([key, name]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(name)}</dd></div>`)}</dl>`;

function shortcuts(page, ui, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || ui.sheet || event.ctrlKey || event.metaKey || event.altKey || !referee) return;
    const name = event.key.toLowerCase();
    const shortcut = actions.any[name] ?? (page.doc()?.claim ? actions.claim[name] : undefined);
    if (shortcut && page.doc()?.game) { event.preventDefault(); shortcut(); }
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("g[data-do]")) event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
}

function taps(page, ui) {
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  const close = () => { ui.sheet = null; ui.correct = null; ui.claim.seat = null; page.draw(); };
  const dealt = () => ui.sheet === "plays" && ui.play.entry; // the keyboard shows the tiles of a starting win
  const correction = { ...page, ui: () => ui.correct, close };
  const sent = (kind, fields) => (ui.correct ? sayOfWin(correction, kind, fields) : page.attempt(() => command(kind, fields)));
  const plays = playTaps({ ...page, ui: () => ui.correct?.play ?? ui.play, send: sent,
    close: () => { if (ui.correct) ui.correct.play = playState(); else close(); } });
  const drawn = drawnTaps({ ...page, ui: () => ui.drawn, close });
  const claims = claimTaps({ ...page, ui: () => ui.correct ?? (dealt() ? ui.play : ui.sheet === "draw" ? ui.drawn : ui.claim),
    claim: () => (ui.correct ? asClaim(ui.correct) : page.doc().claim),
    send: sent });
  const all = {
    ...claims, ...plays, ...drawn,
    ...seenTaps({ ...page, ui: () => ui.seen, close }),
    seen: async () => { await styleSheet("seen"); ui.seen = seenState(); ui.sheet = "seen"; page.draw(); },
    ...penaltyTaps({ ...page, ui: () => ui.penalty, close }),
    ...correctTaps(correction),
    ...optionsTaps({ ...page, ui: () => ui.options, close }),
    options: async () => {
      const { game } = page.doc();
      ui.options = optionsState(await askRules(game.ruleset), game);
      ui.sheet = "options";
      page.draw();
    },
    "entry-send": () => (ui.correct ? takeEntry(correction) : dealt() ? plays["play-hand"]() : ui.sheet === "draw" ? drawn["drawn-hand"]() : claims["entry-send"]()),
    "entry-close": (element) => (dealt() ? plays["play-back"] : claims["entry-close"])(element),
    plays: () => { if (!ui.play.entry) ui.play = playState(); ui.sheet = "plays"; page.draw(); },
    draw: () => { ui.drawn = drawnOf(page.doc(), ui.drawn); ui.sheet = "draw"; page.draw(); },
    claim: async (element) => { await claims.claim(element); ui.sheet = null; page.draw(); },
    close,
    view: open("view"), unlock: open("pin"), "claim-for": open("who"),
    "show-claim": () => { ui.peek = true; page.draw(); },
    keys: open("keys"), break: open("break"),
    look: (element) => { ui.look = element.dataset.look; page.draw(); },
    penalty: async () => {
      const answer = await fetch("/api/v1/penalties");
      ui.penalty = penaltyState((await answer.json()).penalties);
      ui.sheet = "penalty";
      page.draw();
    },
    hold: () => { ui.peek = false; return page.attempt(() => command("hold_claim", { held: !page.doc().claims[0].held })); },
    edit: () => edit(page, ui, claims),
    reject: () => { ui.reject = { falseWin: false }; ui.sheet = "reject"; page.draw(); },
    "reject-kind": (element) => { ui.reject.falseWin = element.dataset.false === "yes"; page.draw(); },
    "reject-send": async (form) => { if (await page.attempt(() => command("reject", rejectFields(form, ui.reject)))) close(); },
    "close-call": (element) => page.attempt(() => command("close_call", { id: element.dataset.id })),
    "hand-detail": (element) => { ui.hand = Number(element.dataset.index); ui.sheet = "hand"; askRecord(page, ui); page.draw(); },
    "correct-open": () => openCorrection(page, ui),
  };
  shortcuts(page, ui, {
    claim: { a: () => ready(page.doc()) && claims.approve(), e: all.edit, r: all.reject, h: all.hold },
    any: { p: all.penalty, n: () => !page.doc().claim && all["claim-for"](), "?": all.keys },
  });
  return all;
}

/** Payments listed before a correction hold only for the hands as they were when somebody looked. */
function forgetPreview(ui, doc, before) {
  const opened = [ui.correct, ui.options].filter((one) => one?.changes);
  if (before && opened.length && JSON.stringify(doc.history) !== JSON.stringify(before.history)) opened.forEach((one) => { one.changes = null; });
}

function follow(ui, doc, before) {
  forgetPreview(ui, doc, before);
  if (ui.sheet === "seen" && !doc.table?.question) ui.sheet = null;
  if (before && doc.calls.length > before.calls.length) chime();
  if (before?.claim && doc.claim?.seat !== before.claim.seat) { ui.claim = claimState(); ui.peek = false; if (ui.sheet === "reject") ui.sheet = null; }
  if (before?.game && playedHand(doc) !== playedHand(before)) { ui.play = playState(); if (ui.sheet === "draw") ui.sheet = null; }
}

/** Join the desk. */
export function start(page, ui) {
  repaint = page.draw;
  Object.assign(ui, { claim: claimState(), look: "hand", reject: { falseWin: false }, correct: null, options: null, penalty: null, seen: seenState(), play: playState(), drawn: drawnState() });
  const takeUp = keepsEntered(page, ui);
  return { taps: taps(page, ui), sheet: (doc) => (ui.sheet ? VIEWS[ui.sheet](doc, ui) : null), onState: (doc, before) => { takeUp(doc); follow(ui, doc, before); } };
}
