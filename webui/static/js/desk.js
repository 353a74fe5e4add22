// The referee's desk: what waits, the evidence, the decision, and every hand that was played.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { side } from "./core/prefs.js";
import { command } from "./core/send.js";
import { clock, t } from "./core/texts.js";
import { chime } from "./core/voice.js";
import { handDetail } from "./parts/bill.js";
import { deviceChips } from "./parts/chips.js";
import { claimBody, claimState, claimTitle, ready } from "./parts/claim.js";
import { whoView } from "./parts/claim-who.js";
import { claimTaps } from "./parts/claim-taps.js";
import { correctState, correctTaps, correctView, rejectFields, rejectView, takeEntry } from "./parts/correct.js";
import { digits } from "./parts/digits.js";
import { icon } from "./parts/icons.js";
import { liftButton, penaltyState, penaltyTaps, penaltyView } from "./parts/penalty.js";
import { overlay, pictureSize } from "./parts/picture.js";
import { sentence } from "./parts/say.js";
import { nameOf, players } from "./parts/seats.js";
import * as sheets from "./parts/sheets.js";

const role = document.body.dataset.role;
const referee = role === "referee";
const ui = { sheet: null, claim: claimState(), held: false, hand: 0, reject: { falseWin: false }, correct: null, penalty: null };
let repaint = () => {};

// ---------------------------------------------------------------- views

function queueItem({ sign, title, text, action, data = {}, active = false, level = "" }) {
  return html`<li><button type="button" class="queue-item" data-do="${action}" data-level="${level}" ${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}
    aria-current="${active ? "true" : "false"}"><span class="queue-sign" aria-hidden="true">${sign}</span><span class="queue-text"><b>${title}</b><small>${text}</small></span></button></li>`;
}

const waiting = (claim) => (claim.verdict && !claim.verdict.valid ? t("bill.refused") : t(`waiting.${claim.waiting_for}`));

function queue(doc) {
  const claims = doc.claims.map((claim, i) => queueItem({ sign: t("desk.win_sign"), action: "show-claim", active: i === 0 && !ui.held,
    title: nameOf(doc, claim.seat), level: "claim",
    text: i === 0 ? (ui.held ? t("desk.held") : waiting(doc.claim)) : t("desk.in_queue", { place: i + 1 }) }));
  const calls = doc.calls.map((call) => queueItem({ sign: "☎", action: "close-call", data: { id: call.id }, level: "call",
    title: call.seat === null ? t("desk.call") : t("desk.call_from", { name: nameOf(doc, call.seat) }),
    text: `${clock(call.at)} ${sheets.reasonText(call.reason)} · ${t("desk.close_call")}` }));
  const problems = doc.problems.map((one) => html`<li><p class="queue-item" data-level="problem"><span class="queue-sign" aria-hidden="true">▲</span>
    <span class="queue-text"><b>${t(`device.${one.source}`)}</b><small>${sentence(doc, one)}</small></span></p></li>`);
  const all = [...claims, ...calls, ...problems];
  return html`<section class="panel"><h2>${t("desk.queue")} <span class="count">${all.length}</span></h2>
    ${all.length ? html`<ul class="queue">${all}</ul>` : html`<p class="empty">${t("desk.empty")}</p>`}</section>`;
}

function standing(doc) {
  return html`<section class="standing">${players(doc).map((seat) => html`<div class="stand" data-key="stand-${seat.seat}">
    <span class="wind" data-dealer="${seat.dealer ? "yes" : "no"}"><b aria-hidden="true">${t(`wind.${seat.wind}.sign`)}</b></span>
    <span class="name">${seat.name}${seat.dealer ? html` <span class="dealer">◆ ${t("seat.dealer")}</span>` : ""}</span>
    ${digits(seat.total)}</div>`)}
    ${referee ? html`<button type="button" class="button quiet" data-do="penalty">${t("penalty.title")}</button>` : ""}</section>`;
}

function evidence(doc) {
  const { claim } = doc;
  if (!claim.picture) return html`<section class="evidence-box empty"><p>${claim.reading ? t("win.reading") : t("desk.no_picture")}</p></section>`;
  return html`<section class="evidence-box">
    ${overlay(claim.picture, claim.how === "manual" ? [] : claim.tiles, pictureSize(claim.picture, () => repaint()), { chosen: ui.claim.fixing })}
    <a class="full-picture" href="/evidence/${claim.frame ?? claim.picture}" target="_blank" rel="noopener">${t("desk.full_picture")}</a></section>`;
}

function keys() {
  return html`<button type="button" class="button quiet" data-do="edit">${t("act.correct")} <kbd>E</kbd></button>
    <button type="button" class="button quiet" data-do="reject">${t("act.reject")} <kbd>R</kbd></button>
    <button type="button" class="button quiet" data-do="hold">${t("act.hold")} <kbd>H</kbd></button>`;
}

function caseView(doc) {
  if (!doc.claim || ui.held) {
    return html`<section class="panel quiet-desk"><div class="crest" aria-hidden="true">${t("app.sign")}</div><p>${t("desk.quiet")}</p>
      ${doc.round?.finished ? "" : html`<button type="button" class="button" data-do="claim-for">${t("desk.claim_for")}</button>`}</section>`;
  }
  return html`<section class="panel case"><h2>${claimTitle(doc)}</h2>
    ${claimBody(doc, ui.claim, { referee, can: referee, evidence: evidence(doc), keys: referee ? keys() : "" })}</section>`;
}

function body(doc) {
  if (!doc.game) return html`<section class="welcome"><h1>${t("desk.title")}</h1><p>${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a></section>`;
  return html`<header class="strip"><div class="where"><h1>${t("desk.title")}</h1>
      <p class="rules">${t(`round.${doc.round.wind}`)} · ${t("hand.number", { number: doc.round.hand_no })} · ${t(`ruleset.${doc.game.ruleset}`)} ${doc.game.ruleset_version} · ${t(`mode.${doc.game.mode}`)}</p></div>
    <div class="chips">${deviceChips(doc.devices)}</div>
    <div class="tools">${referee ? "" : html`<button type="button" class="button quiet" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button>`}
      <button type="button" class="tool" data-do="language" aria-label="${t("view.language")}"><span class="lang">${t("view.language_next")}</span></button>
      <button type="button" class="tool" data-do="view" aria-label="${t("view.title")}">${icon("view")}</button></div></header>
    <div class="desk"><aside>${queue(doc)}${standing(doc)}
      <section class="panel"><h2>${t("desk.history")}</h2>${sheets.historyList(doc)}</section></aside>
      ${caseView(doc)}</div>`;
}

const SHEETS = {
  view: () => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet() }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
  who: (doc) => ({ title: t("win.title"), body: whoView(doc, ui.claim, side()) }),
  reject: (doc) => ({ title: t("act.reject"), kind: "small", body: rejectView(doc, ui.reject) }),
  penalty: (doc) => ({ title: t("penalty.title"), kind: "small", body: penaltyView(doc, ui.penalty) }),
  correct: (doc) => ({ title: t("hand.title", { number: ui.correct.hand_no }), kind: "tall", body: correctView(doc, ui.correct) }),
  hand: (doc) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }),
    body: html`${handDetail(doc, doc.history[ui.hand])}${referee ? html`<div class="sheet-end">${liftButton(doc.history[ui.hand])}<button type="button" class="button main" data-do="correct-open">${icon("edit")} ${t("act.correct")}</button></div>` : ""}` }),
};

// ---------------------------------------------------------------- taps and keys

/** Start correcting: at the first tile the eyes doubt, or on the keyboard when there is no picture. */
function edit(page, claims) {
  const live = page.doc().claim.tiles.filter((seen) => seen.role !== "out");
  const doubtful = live.find((seen) => !seen.pinned && seen.sure !== "sure") ?? live[0];
  if (doubtful) ui.claim.fixing = doubtful.index;
  else claims.entry();
  page.draw();
}

function taps(page) {
  repaint = page.draw;
  const open = (name) => () => { ui.sheet = name; page.draw(); };
  const close = () => { ui.sheet = null; ui.correct = null; ui.claim.seat = null; page.draw(); };
  const claims = claimTaps({ ...page, ui: () => ui.correct ?? ui.claim });
  const all = {
    ...claims,
    ...penaltyTaps({ ...page, ui: () => ui.penalty, close }),
    ...correctTaps({ ...page, ui: () => ui.correct, close }),
    "entry-send": () => { if (!ui.correct) return claims["entry-send"](); takeEntry(ui.correct); return page.draw(); },
    claim: async (element) => { await claims.claim(element); ui.sheet = null; page.draw(); },
    close,
    view: open("view"), unlock: open("pin"), "claim-for": open("who"),
    "show-claim": () => { ui.held = false; page.draw(); },
    penalty: async () => {
      const answer = await fetch("/api/v1/penalties");
      ui.penalty = penaltyState((await answer.json()).penalties);
      ui.sheet = "penalty";
      page.draw();
    },
    hold: () => { ui.held = !ui.held; page.draw(); },
    edit: () => edit(page, claims),
    reject: () => { ui.reject = { falseWin: false }; ui.sheet = "reject"; page.draw(); },
    "reject-kind": (element) => { ui.reject.falseWin = element.dataset.false === "yes"; page.draw(); },
    "reject-send": async (form) => { if (await page.attempt(() => command("reject", rejectFields(form, ui.reject)))) close(); },
    "close-call": (element) => page.attempt(() => command("close_call", { id: element.dataset.id })),
    "hand-detail": (element) => { ui.hand = Number(element.dataset.index); ui.sheet = "hand"; page.draw(); },
    "correct-open": () => { ui.correct = correctState(page.doc().history[ui.hand]); ui.sheet = "correct"; page.draw(); },
  };
  const shortcuts = { a: () => ready(page.doc()) && claims.approve(), e: all.edit, r: all.reject, h: all.hold };
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || ui.sheet || event.ctrlKey || event.metaKey || event.altKey || !referee) return;
    const shortcut = shortcuts[event.key.toLowerCase()];
    if (shortcut && page.doc()?.claim) { event.preventDefault(); shortcut(); }
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("g[data-do]")) event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  return all;
}

function onState(doc, before) {
  if (before && doc.calls.length > before.calls.length) chime();
  if (before?.claim && doc.claim?.seat !== before.claim.seat) { ui.claim = claimState(); ui.held = false; if (ui.sheet === "reject") ui.sheet = null; }
}

startPage({ body, taps, onState, sheet: (doc) => (ui.sheet ? SHEETS[ui.sheet](doc) : null) });
