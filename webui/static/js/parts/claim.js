// A claimed win on its way to the approved score: open questions, circumstances, the verdict, agreement, decision.
// Pure views of (state, what this device is doing); the taps are handled in claim-taps.js.

import { flag, html, pressed, unfolded } from "../core/dom.js";
import { fanName, known, signed, t, tileName } from "../core/texts.js";
import { fixView, pictureHand, sums, toCheck, typedHand, ways } from "./claim-hand.js";
import { entryView } from "./entry.js";
import { icon } from "./icons.js";
import { crop } from "./picture.js";
import { worth } from "./outcome.js";
import { noticed } from "./seen-ask.js";
import { sentence } from "./say.js";
import { nameOf, players } from "./seats.js";
import { fullHand, tile, tileKeyboard } from "./tiles.js";
import { verdict } from "./verdict.js";

/** Where a win on the replacement is 槓上花; elsewhere 槓上開花. */
const NAMED_SHORT = ["sichuan", "wuhan"];
const KONG_FLOWER = "\u69d3\u4e0a\u82b1";
const SELF = ["self_draw", "kong_replacement"];

/**
 * What one device is doing with the claim; nothing of it counts before it is sent: the seat chosen so far, a further
 * claim, the question whose keyboard is open, the hand being typed, the tile being fixed, the upload's progress, a cancelling that needs a second tap.
 */
export const claimState = () => ({ seat: null, another: false, picking: null, entry: null, fixing: null, progress: null, waiving: false });

function choiceFace(doc, choice) {
  if (choice.tile) return html`${tile(choice.tile)}${choice.total === null || choice.total === undefined ? "" : html` <b>${choice.total}</b>`}`;
  return html`${sentence(doc, { key: choice.text_key, text: choice.text_key })} ${choice.seat === null || choice.seat === undefined ? "" : nameOf(doc, choice.seat)}`;
}

const SHOWN_QUESTIONS = 3;

/** The first few open questions; the others follow when these are answered. */
export function questionList(doc, questions, picking) {
  if (!questions.length) return "";
  const more = questions.length - SHOWN_QUESTIONS;
  return html`<ul class="questions">${questions.slice(0, SHOWN_QUESTIONS).map((one, i) => questionView(doc, one, i, picking))}
    ${more > 0 ? html`<li class="more">${t("win.more_questions", { count: more })}</li>` : ""}</ul>`;
}

function questionView(doc, question, number, picking) {
  const [first] = question.tiles;
  const open = question.pick && (picking === question.id || !question.choices.some((choice) => choice.tile)); // no likely tile to offer first
  const about = doc.claim?.picture && question.text_key === "ask_tile" && first !== undefined ? crop(doc.claim.picture, doc.claim.tiles[first].box) : "";
  return html`<li class="question" data-key="${question.id}">${about}<p><span aria-hidden="true">?</span> ${sentence(doc, { key: question.text_key, params: question.params })}</p>
    <div class="choices">${question.choices.map((choice, i) => html`<button type="button" class="pick" data-do="answer" data-question="${number}"
      data-choice="${i}" ${choice.tile ? html`aria-label="${tileName(choice.tile)}"` : ""}>${choiceFace(doc, choice)}</button>`)}
      ${question.pick && !open ? html`<button type="button" class="pick" data-do="pick-open" data-question="${question.id}">${t("say.other")}…</button>` : ""}</div>
    ${open ? html`<div class="picker" data-question="${number}">${tileKeyboard("pick-tile", { limit: 99, flowers: question.pick.kind === "fix_tile" })}</div>` : ""}</li>`;
}

function toggle(action, on, label) {
  return html`<button type="button" class="pick" data-do="${action}" ${pressed(on)}
    ><span class="box" aria-hidden="true">${on ? "☑" : "☐"}</span> ${label}</button>`;
}

/** Two ways to win that only this game has. */
const changshaSources = (claim, self) => html`${self ? "" : toggle("fact-kong-discard", claim.source === "kong_discard", t("source.kong_discard"))}
  ${toggle("fact-sea", claim.source === "sea_bottom", t("source.sea_bottom"))}`;

const OFF = { discards_before: 1, kong_feeder: null, wall_left: null };

/** Circumstances beyond the usual ones: those that stand (a tap takes them back), and what this game counts too. */
function further(doc, claim) {
  const stands = (name, value) => (name === "discards_before" ? value === 0 : !name.startsWith("last_") && value !== false && value !== null);
  const button = (name, value, on) => html`<button type="button" class="pick" data-do="fact-more" data-name="${name}"
    data-value="${JSON.stringify(on ? (name in OFF ? OFF[name] : false) : value)}" ${pressed(on)}
    ><span class="box" aria-hidden="true">${on ? "☑" : "☐"}</span> ${label(doc, name, value, on)}</button>`;
  const standing = Object.entries(claim.facts.more).filter(([name, value]) => stands(name, value) && known(`fact.${name}`));
  const offered = Object.entries(claim.offers).filter(([name]) => standing.every(([one]) => one !== name));
  return [...standing.map(([name, value]) => button(name, value, true)), ...offered.map(([name, value]) => button(name, value, false))];
}

function label(doc, name, value, on) {
  if (name === "wall_left") return on ? t("fact.wall_left", { count: value }) : t("fact.last_four");
  return t(`fact.${name}`, { name: typeof value === "number" ? nameOf(doc, value) : "" });
}

/** What the camera filled in: the tile as it lay there, and that a person has the last word. */
function byCamera(claim) {
  const { seen, from_camera: names } = claim;
  if (!names.length) return "";
  const tileSeen = seen?.tile ? tile(seen.tile) : "";
  const picture = seen?.picture ? html`<a href="/evidence/${seen.picture}" target="_blank" rel="noopener"><img class="seen-picture" src="/evidence/${seen.picture}" alt="${t("seen.evidence")}"></a>` : "";
  return html`<p class="from-camera">${picture}${tileSeen}<span><b class="by-camera">${t("seen.by_camera")}</b> ${t("seen.confirm_hint")}</span></p>`;
}

/** How it was won; `open` says that from whom is to be chosen at once. */
export function circumstances(doc, claim, open = false) {
  const self = SELF.includes(claim.source);
  const source = claim.source === null ? "" : self || claim.from_seat === null ? t("source.self_draw") : t("win.from", { name: nameOf(doc, claim.from_seat) });
  return html`<section class="facts"><h3>${t("win.facts")}</h3>${byCamera(claim)}<div class="modes">
    ${source ? html`<span class="fact">${source}</span>` : ""}
    ${self ? toggle("fact-kong", claim.source === "kong_replacement", NAMED_SHORT.includes(doc.game.ruleset) ? fanName(KONG_FLOWER) : t("source.kong_replacement")) : ""}
    ${!self && claim.source ? toggle("fact-rob", claim.source === "rob_kong", t("source.rob_kong")) : ""}
    ${doc.game.ruleset === "changsha" && claim.source ? changshaSources(claim, self) : ""}
    ${toggle("fact-last", claim.facts.last_tile, t("fact.last_tile"))}
    ${doc.game.ruleset === "gb" ? toggle("fact-kind", claim.facts.last_of_kind, t("fact.last_of_kind")) : ""}
    ${further(doc, claim)}</div>
    ${claim.source === null && !open ? "" : html`<details class="change-source" data-key="source ${claim.source} ${claim.from_seat}" ${unfolded(open)}><summary>${t("win.change_source")}</summary><div class="modes">
      <button type="button" class="pick" data-do="source" data-source="self_draw">${t("source.self_draw")}</button>
      ${players(doc).filter((seat) => seat.seat !== claim.seat).map((seat) => html`<button type="button" class="pick" data-do="source" data-source="discard"
        data-seat="${seat.seat}">${t("win.from", { name: seat.name })}</button>`)}</div></details>`}</section>`;
}

/** Who else says 和, in the order in which they are heard; the seat nearest after the discarder comes first. */
function others(doc, { another = false }) {
  const names = doc.claims.slice(1).map((claim) => (claim.approved ? t("win.approved", { name: nameOf(doc, claim.seat) }) : nameOf(doc, claim.seat))).join(t("bill.and"));
  return html`<div class="modes">${names ? html`<b>${t("win.queue", { names })}</b>` : ""}
    ${another && !SELF.includes(doc.claim.source) ? html`<button type="button" class="pick" data-do="another">${t("win.another")}</button>` : ""}</div>`;
}

function announcement(doc) {
  const { claim, game } = doc;
  if (claim.announced !== null) return html`<p class="announced">${t("win.announced", { points: worth(doc, claim.announced) })}</p>`;
  return html`<form class="announce" data-submit="announce"><label for="points">${t(`win.announce.${game.figure}`)}</label>
    <input id="points" name="points" type="number" inputmode="numeric" min="0" max="99999" required>
    <button class="button main">${t("win.announce_send")}</button></form>`;
}

// ---------------------------------------------------------------- agreement

function agreement(doc, claim, can) {
  const others = players(doc).filter((seat) => seat.seat !== claim.seat);
  return html`<div class="agree" role="group" aria-label="${t("win.agree")}"><span>${t("win.agree")}</span>${others.map((seat) => {
    const done = claim.agreed.includes(seat.seat);
    return html`<button type="button" class="pick" data-do="agree" data-seat="${seat.seat}" ${pressed(done)} ${flag("disabled", done || !can)}
      ><span aria-hidden="true">${done ? "✔" : "○"}</span> ${seat.name}</button>`;
  })}</div>`;
}

/** Whether everything is said that an approval needs. */
export function ready(doc) {
  const { claim, game } = doc;
  if (!claim || doc.claims[0].held) return false;
  return game.mode === "competition" ? claim.waiting_for === "agree" || claim.waiting_for === "referee" || claim.waiting_for === "nothing"
    : Boolean(claim.verdict?.valid) && !claim.questions.length;
}

/** While birds are still to be turned (長沙, 廣東), what the hand is worth says nothing of what will be paid. */
const soFar = ({ verdict: found, questions }) => (found.valid && questions.length ? { ...found, payments: null, notes: [...(found.notes ?? []), t("say.birds_first")] } : found);

function decision(doc, ui, { referee, can }, keys) {
  const { claim, game } = doc;
  const open = ready(doc);
  return html`<footer class="decide">
    ${open ? agreement(doc, claim, can) : ""}${doc.claims[0].held && !keys ? html`<p class="waiting">${t("win.on_hold")}</p>` : ""}
    <div class="decide-row">${keys}<button type="button" class="button quiet" data-do="cancel-claim" ${flag("disabled", !can)}>${t(ui.waiving ? "act.waive" : "act.cancel_claim")}</button>
    ${referee ? html`<button type="button" class="button main" data-do="approve" ${flag("disabled", !(open && can))}>${t("act.approve")}${
      open && claim.verdict?.valid ? html` <b>${signed(claim.verdict.payments[claim.seat])}</b>` : ""}${keys ? html` <kbd>A</kbd>` : ""}</button>`
    : html`<p class="waiting">${open && game.mode === "competition" ? t("win.waiting_referee") : ""}</p>`}</div></footer>`;
}

/**
 * The claimed hand from the picture or the keyboard to the decision.
 * @param page `{referee, can, evidence?, keys?, photo?, another?}`: who looks, the whole picture, buttons of the desk,
 *   whether to offer a photo, whether a further player may claim here
 */
export function claimBody(doc, ui, page) {
  const { can, evidence = "", keys = "" } = page;
  const { claim } = doc;
  if (ui.entry) return entryView(ui.entry);
  const fromPicture = claim.tiles.length > 0 && claim.how !== "manual";
  const has = fromPicture || claim.hand || claim.melds.length;
  const busy = claim.reading || ui.progress !== null;
  const fixing = ui.fixing !== null && fromPicture && !busy;
  const camera = doc.devices.camera.state !== "absent";
  return html`<div class="claim-body" data-step="${has ? "hand" : "ways"}">
    <div class="claim-left">
      ${evidence}
      ${has && !busy ? sums(claim, fullHand(doc.game)) : ""}
      ${busy || !has ? ways(claim, ui, { ...page, camera }) : fromPicture ? pictureHand(claim, ui) : typedHand(claim)}
      ${fixing ? fixView(claim, ui.fixing) : ""}
      ${has && !busy && !fixing ? html`<div class="modes again">${camera ? html`<button type="button" class="pick" data-do="camera">${icon("camera")} ${t("win.again")}</button>` : ""}
        <label class="pick">${icon("phone")} ${t("win.photo")}<input type="file" accept="image/jpeg,image/png,image/webp" capture="environment" data-change="photo"></label>
        <button type="button" class="pick" data-do="entry">${icon("keys")} ${t(fromPicture ? "win.type" : "win.edit")}</button></div>` : ""}
    </div>
    <div class="claim-right">
      ${questionList(doc, claim.questions, ui.picking)}
      ${claim.verdict ? verdict(doc, soFar(claim), fromPicture ? toCheck(claim) : 0) : ""}
      ${doc.game.mode === "competition" && has ? announcement(doc) : ""}
      ${circumstances(doc, claim)}
      ${noticed(doc, can)}
      ${can ? others(doc, page) : ""}
    </div>
    ${fixing ? "" : decision(doc, ui, page, keys)}
  </div>`;
}

/** The heading of the claim: who, and from whom. */
export function claimTitle(doc) {
  const { claim } = doc;
  if (!claim) return t("win.title");
  const name = nameOf(doc, claim.seat);
  if (claim.source === null) return t("win.claims", { name });
  return SELF.includes(claim.source) || claim.from_seat === null ? t("win.claims_self", { name }) : t("win.claims_from", { name, from: nameOf(doc, claim.from_seat) });
}
