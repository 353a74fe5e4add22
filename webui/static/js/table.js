// The tablet at the table: the scoreboard, and everything players do with it.

import { html } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { side } from "./core/prefs.js";
import { command } from "./core/send.js";
import { t } from "./core/texts.js";
import { board } from "./parts/board.js";
import { claimBody, claimState, claimTitle, questionList } from "./parts/claim.js";
import { whoView } from "./parts/claim-who.js";
import { claimTaps } from "./parts/claim-taps.js";
import { players } from "./parts/seats.js";
import { rememberNames, setupFields, setupState, setupView } from "./parts/setup.js";
import * as sheets from "./parts/sheets.js";

const role = document.body.dataset.role;
const can = role !== "viewer";
const referee = role === "referee";
const ui = { sheet: null, claim: claimState(), setup: setupState(), dice: [null, null], hand: 0, compare: null };

const show = (name) => { ui.sheet = name; };

function body(doc) {
  return doc.game ? board(doc, { side: side(), can, referee, compare: ui.compare })
    : html`<section class="welcome"><div class="crest" aria-hidden="true">${t("app.sign")}</div><h1>${t("app.name")}</h1><p>${t("setup.none")}</p>
      ${referee ? html`<button type="button" class="button big hu" data-do="new-game">${t("act.new_game")}</button>`
    : html`<button type="button" class="button big" data-do="unlock">${t("pin.unlock")}</button>`}
      <div class="tools"><button type="button" class="button quiet" data-do="view">${t("view.title")}</button></div></section>`;
}

const SHEETS = {
  win: (doc) => (doc.claim && !ui.claim.another
    ? { title: claimTitle(doc), kind: "tall", body: claimBody(doc, ui.claim, { referee, can, another: true }) }
    : { title: t("win.title"), body: whoView(doc, ui.claim, side()) }),
  setup: () => ({ title: t("setup.title"), kind: "tall", body: setupView(ui.setup) }),
  view: (doc) => ({ title: t("view.title"), kind: "small", body: sheets.viewSheet({ game: referee && doc.game && !doc.round.finished }) }),
  game: (doc) => ({ title: t("game.title"), kind: "small", body: sheets.gameSheet(doc) }),
  undo: (doc) => ({ title: t("act.undo"), kind: "small", body: sheets.undoSheet(doc) }),
  draw: () => ({ title: t("act.draw"), kind: "small", body: sheets.drawSheet() }),
  dice: (doc) => ({ title: t("act.dice"), kind: "small", body: sheets.diceSheet(doc, ui.dice) }),
  call: (doc) => ({ title: t("act.call"), kind: "small", body: sheets.callSheet(doc) }),
  pin: () => ({ title: t("pin.unlock"), kind: "small", body: sheets.pinSheet() }),
  needs: (doc) => ({ title: t("board.middle"), kind: "small", body: questionList(doc, doc.hand?.needs ?? [], ui.claim.picking) }),
  hand: (doc) => ({ title: t("hand.title", { number: doc.history[ui.hand]?.hand_no ?? "" }), body: sheets.handSheet(doc, ui.hand) }),
};

function taps(page) {
  const open = (name) => () => { show(name); page.draw(); };
  const close = () => { ui.sheet = null; ui.claim.seat = null; ui.claim.another = false; page.draw(); };
  const sendAndClose = async (kind, fields) => { if (await page.attempt(() => command(kind, fields))) close(); };
  return {
    ...claimTaps({ ...page, ui: () => ui.claim }),
    close,
    win: open("win"), view: open("view"), undo: open("undo"), draw: open("draw"), call: open("call"), game: open("game"), needs: open("needs"), unlock: open("pin"),
    dice: () => { ui.dice = [null, null]; show("dice"); page.draw(); },
    compare: (element) => { const seat = Number(element.dataset.seat); ui.compare = ui.compare === seat ? null : seat; page.draw(); },
    "new-game": async () => {
      const answer = await fetch("/api/v1/rulesets");
      ui.setup.rulesets = (await answer.json()).rulesets;
      show("setup");
      page.draw();
    },
    "setup-dealer": (element) => { ui.setup.dealer = Number(element.dataset.seat); page.draw(); },
    "setup-mode": (element) => { ui.setup.mode = element.dataset.mode; page.draw(); },
    "setup-ruleset": (element) => { ui.setup.ruleset = element.value; page.draw(); },
    "setup-open": async (form) => {
      const fields = setupFields(form, ui.setup);
      if (!await page.attempt(() => command("open_game", fields))) return;
      rememberNames(fields.names);
      close();
    },
    rename: (form) => { const fields = new FormData(form); sendAndClose("rename_seats", { names: players(page.doc()).map(({ seat }) => fields.get(`name${seat}`)) }); },
    "game-end": () => sendAndClose("close_game"),
    "undo-send": () => sendAndClose("undo_last", { reason: document.getElementById("undo-reason").value }),
    "draw-send": () => sendAndClose("draw_hand"),
    "draw-void": () => sendAndClose("draw_hand", { void: true }),
    die: (element) => { ui.dice[Number(element.dataset.place)] = Number(element.dataset.value); page.draw(); },
    "dice-send": async () => {
      const second = page.doc().dice.length > 0;
      if (await page.attempt(() => command("dice", { values: ui.dice }))) {
        ui.dice = [null, null];
        if (second) ui.sheet = null;
      }
      page.draw();
    },
    "dice-yes": () => page.attempt(() => command("confirm_dice", { roll: page.doc().dice_ask.roll })),
    "dice-no": () => page.attempt(() => command("void_dice", { roll: page.doc().dice_ask.roll })),
    "start-hand": () => sendAndClose("start_hand"),
    "call-send": (element) => sendAndClose("call_referee", { seat: side(), reason: element.dataset.reason }),
    "hand-detail": () => { ui.hand = page.doc().history.length - 1; show("hand"); page.draw(); },
    "hand-step": (element) => { ui.hand += Number(element.dataset.step); page.draw(); },
  };
}

/** A claim that somebody opened elsewhere shows here too; a settled one closes the sheet. */
function onState(doc, before) {
  const had = Boolean(before?.claim);
  if (doc.claim && !had && before) show("win");
  if (ui.sheet === "needs" && !doc.hand?.needs?.length) ui.sheet = null;
  if (!doc.claim && had) {
    ui.claim = claimState();
    if (ui.sheet === "win") ui.sheet = null;
  }
}

startPage({ body, taps, onState, sheet: (doc) => (ui.sheet && (doc.game || ["setup", "view", "pin"].includes(ui.sheet)) ? SHEETS[ui.sheet](doc) : null) });
