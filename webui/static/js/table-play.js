// Everything players do with the tablet at the table: the sheets over the scoreboard and their taps.

import { command } from "./core/send.js";
import { side } from "./core/prefs.js";
import { t } from "./core/texts.js";
import { claimBody, claimState, claimTitle, questionList } from "./parts/claim.js";
import { whoView } from "./parts/claim-who.js";
import { claimTaps } from "./parts/claim-taps.js";
import { drawnOf, drawnState, drawnSheet, drawnTaps } from "./parts/drawn.js";
import { keepsEntered, playedHand } from "./parts/entered.js";
import { handSheet } from "./parts/hand-sheets.js";
import { callSheet, diceSheet, endSheet, gameSheet, undoSheet } from "./parts/play-sheets.js";
import { playState, playsView, playTaps } from "./parts/plays.js";
import { players } from "./parts/seats.js";
import { seenState, seenTaps, seenView, tileView } from "./parts/seen-ask.js";
import { rememberNames, setupFields, setupState, setupView } from "./parts/setup.js";
import * as sheets from "./parts/sheets.js";

const role = document.body.dataset.role;
const can = role !== "viewer";
const referee = role === "referee";
const WITHOUT_GAME = ["setup", "view", "pin"];

const VIEWS = {
  win: (doc, ui) => (doc.claim && !ui.claim.another
    ? { title: claimTitle(doc), kind: "tall", body: claimBody(doc, ui.claim, { referee, can, another: true }) }
    : { title: t("win.title"), body: whoView(doc, ui.claim, side()) }),
  setup: (doc, ui) => ({ title: t("setup.title"), kind: "tall", body: setupView(ui.setup) }),
  view: (doc) => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet({ game: referee && doc.game && !doc.round.finished, mode: doc.game?.mode }) }),
  game: (doc) => ({ title: t("game.title"), kind: "small", body: gameSheet(doc) }),
  end: (doc) => ({ title: t("game.end"), kind: "small", body: endSheet(doc) }),
  undo: (doc) => ({ title: t("act.undo"), kind: "small", body: undoSheet(doc) }),
  draw: (doc, ui) => drawnSheet(doc, ui.drawn),
  dice: (doc, ui) => ({ title: t("act.dice"), kind: "small", body: diceSheet(doc, ui.dice) }),
  call: (doc) => ({ title: t("act.call"), kind: "small", body: callSheet(doc) }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
  needs: (doc, ui) => ({ title: t("board.middle"), kind: "small", body: questionList(doc, doc.hand?.needs ?? [], ui.claim.picking) }),
  seen: (doc, ui) => ({ title: t("seen.ask"), kind: "small", body: seenView(doc, ui.seen) }),
  "seen-tile": (doc, ui) => ({ title: t("seen.fix"), kind: "small", body: tileView(doc, ui.seen) }),
  plays: (doc, ui) => ({ title: t(`plays.${ui.play.action || (doc.hand?.actions.includes("kong") ? "open" : "more")}`), kind: ui.play.entry ? "" : "small", body: playsView(doc, ui.play, side()) }),
  hand: (doc, ui) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }), body: handSheet(doc, ui.hand) }),
};

/** Who has the tile keyboard: dealt tiles shown, tiles shown at the end of the wall, or the claimed hand. */
const typing = (ui) => ({ plays: ui.play, draw: ui.drawn }[ui.sheet] ?? ui.claim);

function gameTaps(page, ui, { show, close, sendAndClose }) {
  return {
    "new-game": async () => {
      const answer = await fetch(`/api/v1/rulesets?language=${document.documentElement.lang}`);
      ui.setup.rulesets = (await answer.json()).rulesets;
      show("setup");
    },
    "setup-dealer": (element) => { ui.setup.dealer = Number(element.dataset.seat); page.draw(); },
    "setup-mode": (element) => { ui.setup.mode = element.dataset.mode; page.draw(); },
    "setup-ruleset": (element) => { ui.setup.ruleset = element.value; page.draw(); },
    "setup-open": async (form) => {
      const fields = setupFields(form, ui.setup);
      if (!await page.attempt(() => command("open_game", fields))) return;
      rememberNames(form);
      close();
    },
    rename: (form) => { const fields = new FormData(form); sendAndClose("rename_seats", { names: players(page.doc()).map(({ seat }) => fields.get(`name${seat}`)) }); },
    substitute: (form) => { const fields = new FormData(form); sendAndClose("substitute", { seat: Number(fields.get("seat")), name: fields.get("name") }); },
    "game-end": () => sendAndClose("close_game"),
  };
}

function diceTaps(page, ui, { show, sendAndClose }) {
  return {
    dice: () => { ui.dice = [null, null]; show("dice"); },
    die: (element) => { ui.dice[Number(element.dataset.place)] = Number(element.dataset.value); page.draw(); },
    "dice-send": async () => {
      const second = page.doc().dice.length > 0;
      const values = ui.dice;
      ui.dice = [null, null]; // what is tapped from now on is the next throw
      page.draw();
      if (!(await page.attempt(() => command("dice", { values })))) ui.dice = values;
      else if (second && ui.sheet === "dice") ui.sheet = null;
      page.draw();
    },
    "dice-yes": () => page.attempt(() => command("confirm_dice", { roll: page.doc().dice_ask.roll })),
    "dice-no": () => page.attempt(() => command("void_dice", { roll: page.doc().dice_ask.roll })),
    "start-hand": () => sendAndClose("start_hand"),
  };
}

function taps(page, ui) {
  const show = (name) => { ui.sheet = name; page.draw(); };
  const open = (name) => () => show(name);
  const close = () => { ui.sheet = null; ui.claim.seat = null; ui.claim.another = false; page.draw(); };
  const sendAndClose = async (kind, fields) => {
    const own = ui.sheet; // the state may come before the answer, and with it the sheet of a claim that is open again
    if (await page.attempt(() => command(kind, fields)) && ui.sheet === own) close();
  };
  const doing = { show, close, sendAndClose };
  const shut = (...own) => () => { if (own.includes(ui.sheet)) close(); };
  const claims = claimTaps({ ...page, ui: () => typing(ui) });
  const plays = playTaps({ ...page, ui: () => ui.play, close: shut("plays") });
  const drawn = drawnTaps({ ...page, ui: () => ui.drawn, close: shut("draw") });
  return {
    ...claims, ...plays, ...drawn, ...seenTaps({ ...page, ui: () => ui.seen, close: shut("seen", "seen-tile") }), ...gameTaps(page, ui, doing), ...diceTaps(page, ui, doing),
    "entry-close": (element) => (ui.sheet === "plays" ? plays["play-back"] : claims["entry-close"])(element),
    "entry-send": (element) => ({ plays: plays["play-hand"], draw: drawn["drawn-hand"] }[ui.sheet] ?? claims["entry-send"])(element),
    close,
    win: open("win"), view: open("view"), undo: open("undo"), call: open("call"), game: open("game"), "game-ending": open("end"), needs: open("needs"), unlock: open("pin"),
    seen: () => { ui.seen = seenState(); show("seen"); },
    "seen-tile": ({ dataset }) => {
      ui.seen = { ...seenState(), tile: { seat: Number(dataset.seat), zone: dataset.zone, index: Number(dataset.index), faces: dataset.faces } };
      show("seen-tile");
    },
    draw: () => { ui.drawn = drawnOf(page.doc(), ui.drawn); show("draw"); },
    plays: () => { if (!ui.play.entry) ui.play = playState(); show("plays"); },
    "undo-send": () => sendAndClose("undo_last", { reason: document.getElementById("undo-reason").value }),
    "call-send": (element) => sendAndClose("call_referee", { seat: side(), reason: element.dataset.reason }),
    "hand-detail": () => { ui.hand = page.doc().history.length - 1; show("hand"); },
    "hand-step": (element) => { ui.hand += Number(element.dataset.step); page.draw(); },
  };
}

/** A claim that somebody opened elsewhere shows here too; a settled one closes the sheet. */
function follow(ui, doc, before) {
  const had = Boolean(before?.claim);
  if (doc.claim && !had && before) ui.sheet = "win";
  if (ui.sheet === "seen" && !doc.table?.question) ui.sheet = null;
  if (ui.sheet === "needs" && !doc.hand?.needs?.length) ui.sheet = null;
  if (had && doc.claim?.seat !== before.claim.seat) { // nobody's tiles are sent for another player
    const { seat, another } = ui.claim;
    Object.assign(ui.claim, claimState(), doc.claim && { seat, another });
    if (!doc.claim && ui.sheet === "win") ui.sheet = null;
  }
  if (before?.game && playedHand(doc) !== playedHand(before)) ui.play = playState();
}

/** Join the scoreboard. */
export function start(page, ui) {
  Object.assign(ui, { claim: claimState(), setup: setupState(), play: playState(), drawn: drawnState(), seen: seenState(), dice: [null, null], hand: 0 });
  const takeUp = keepsEntered(page, ui);
  return {
    taps: taps(page, ui),
    sheet: (doc) => (ui.sheet && (doc.game || WITHOUT_GAME.includes(ui.sheet)) ? VIEWS[ui.sheet](doc, ui) : null),
    onState: (doc, before) => { takeUp(doc); follow(ui, doc, before); },
  };
}
