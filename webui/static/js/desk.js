// The referee's desk: what waits, the scores, every hand. The case on the table (`desk-case.js`) comes when there is one.

import { html, styleSheet } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { clock, t } from "./core/texts.js";
import { deviceChips } from "./parts/chips.js";
import { clockSkew, liveness } from "./parts/liveness.js";
import { digits } from "./parts/digits.js";
import { icon } from "./parts/icons.js";
import { sentence } from "./parts/say.js";
import { now } from "./parts/now.js";
import { nameOf, players } from "./parts/seats.js";
import { historyList } from "./parts/hand-sheets.js";
import * as sheets from "./parts/sheets.js";
import { strip, tool } from "./parts/strip.js";
import { tick, times } from "./parts/times.js";

const referee = document.body.dataset.role === "referee";
const ui = { sheet: null, peek: false, hand: 0, record: null, skew: null };
let cases = null;

const button = (action, label, kind = "quiet") => html`<button type="button" class="button ${kind}" data-do="${action}">${label}</button>`;

function queueItem({ sign, title, text, action, data = {}, active = false, level = "" }) {
  return html`<li><button type="button" class="queue-item" data-do="${action}" data-level="${level}" ${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}
    aria-current="${active ? "true" : "false"}"><span class="queue-sign" aria-hidden="true">${sign}</span><span class="queue-text"><b>${title}</b><small>${text}</small></span></button></li>`;
}

/** A held win is out of the way on every desk; a tap in the queue looks at it again on this one. */
const shown = (doc) => Boolean(doc.claim) && (!doc.claims[0].held || ui.peek);

function claimText(doc, claim, place) {
  if (claim.approved) return t("desk.approved");
  if (place > 0) return t("desk.in_queue", { place: place + 1 });
  return claim.held ? t("desk.held") : (cases?.waiting(doc.claim) ?? t("link.loading"));
}

/** Hands that lay open before a win was confirmed: for the referee to judge, never a foul by machine. */
const opened = (doc) => (doc.table?.opened ?? []).map((one) => html`<li><p class="queue-item" data-level="problem"><span class="queue-sign" aria-hidden="true">▲</span>
  <span class="queue-text"><b>${t("seen.opened_title")}</b><small>${t("seen.opened", { name: nameOf(doc, one.seat) })}
  ${one.picture ? html`<a href="/evidence/${one.picture}" target="_blank" rel="noopener">${t("seen.evidence")}</a>` : ""}</small></span></p></li>`);

function queue(doc) {
  const claims = doc.claims.map((claim, i) => queueItem({ sign: t("desk.win_sign"), action: "show-claim", active: i === 0 && shown(doc),
    title: nameOf(doc, claim.seat), level: "claim", text: claimText(doc, claim, i) }));
  const calls = doc.calls.map((call) => queueItem({ sign: "☎", action: "close-call", data: { id: call.id }, level: "call",
    title: call.seat === null ? t("desk.call") : t("desk.call_from", { name: nameOf(doc, call.seat) }),
    text: `${clock(call.at)} ${sheets.reasonText(call.reason)} · ${t("desk.close_call")}` }));
  const problems = doc.problems.map((one) => html`<li><p class="queue-item" data-level="problem"><span class="queue-sign" aria-hidden="true">▲</span>
    <span class="queue-text"><b>${t(`device.${one.source}`)}</b><small>${sentence(doc, one)}</small></span></p></li>`);
  const asked = doc.table?.question ? [queueItem({ sign: "?", action: "seen", level: "call", title: t("seen.ask"), text: t(`say.${doc.table.question.text_key}`, { seat: nameOf(doc, doc.table.question.params.seat) }) })] : [];
  const all = [...claims, ...opened(doc), ...asked, ...calls, ...problems];
  return html`<section class="panel"><h2>${t("desk.queue")} <span class="count">${all.length}</span></h2>
    ${all.length ? html`<ul class="queue">${all}</ul>` : html`<p class="empty">${t("desk.empty")}</p>`}</section>`;
}

function standing(doc) {
  return html`<section class="standing">${players(doc).map((seat) => html`<div class="stand" data-key="stand-${seat.seat}">
    <span class="wind" data-dealer="${seat.dealer ? "yes" : "no"}"><b aria-hidden="true">${t(`wind.${seat.wind}.sign`)}</b></span>
    <span class="name">${seat.name}${seat.dealer ? html` <span class="dealer">◆ ${t("seat.dealer")}</span>` : ""}${seat.out ? html` <span class="claimed">${t("seat.out")}</span>` : ""}${seat.off ? html` <span class="off">${t("seat.off", { points: seat.off })}</span>` : ""}</span>
    ${digits(seat.total)}</div>`)}
    ${referee ? [button("penalty", t("penalty.title")), doc.round.finished ? "" : button("break", t("clock.title")),
      doc.hand?.actions.length || doc.table?.noticed.length ? button("plays", t(doc.hand.actions.includes("kong") ? "plays.open" : "plays.more")) : "",
      button("options", t("correct.options"))] : ""}</section>`;
}

function caseView(doc) {
  if (shown(doc)) return cases ? cases.caseView(doc, ui) : html`<section class="panel"><p class="loading">${t("link.loading")}</p></section>`;
  return html`<section class="panel quiet-desk"><div class="crest" aria-hidden="true">${t("app.sign")}</div><p>${doc.claim ? html`<b>${nameOf(doc, doc.claim.seat)}</b> · ${t("desk.on_hold")}` : t("desk.quiet")}</p>
    ${doc.round?.finished || !referee ? "" : [doc.claim ? button("hold", t("act.unhold"), "") : "", button("claim-for", t("desk.claim_for"), ""), doc.phase === "playing" ? button("draw", t("act.draw"), "") : ""]}</section>`;
}

function body(doc) {
  if (!doc.game) return html`<section class="welcome"><h1>${t("desk.title")}</h1><p>${t("setup.none")}</p><a class="button" href="/">${t("nav.table")}</a></section>`;
  const where = html`<h1>${t("desk.title")}</h1>
    <p class="rules">${now(doc.round)} · ${t(`ruleset.${doc.game.ruleset}`)} · ${t(`mode.${doc.game.mode}`)}</p>${times(doc)}`;
  return html`${strip(where, { chips: deviceChips(doc.devices),
    before: referee ? "" : button("unlock", html`${icon("lock")} ${t("pin.unlock")}`),
    between: referee ? tool("keys", "keys.title", html`<b aria-hidden="true">?</b>`) : "" })}
    <div class="desk" data-case="${shown(doc) ? "yes" : "no"}"><aside>${queue(doc)}${standing(doc)}
      ${liveness(doc, ui.skew)}
      <section class="panel"><h2>${t("desk.history")}</h2>${historyList(doc)}</section></aside>
      ${caseView(doc)}</div>`;
}

async function more() {
  [cases] = await Promise.all([import("./desk-case.js"), styleSheet("claim")]);
  return cases;
}

startPage({ ui, body, taps: (page) => { tick(page); clockSkew((skew) => { ui.skew = skew; page.draw(); }); return {}; }, more, words: "case", eager: true });
