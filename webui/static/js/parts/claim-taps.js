// What the taps on a claimed win do, for the tablet, the desk and the phone alike.

import { photo } from "../core/photo.js";
import { command } from "../core/send.js";
import { playedHand } from "./entered.js";
import { fullHand } from "./tiles.js";
import { backspace, dropFlower, dropMeld, emptyEntry, entryFields, entryFrom, press, setMode, tapTile } from "./entry.js";

/** The alternatives must be under the finger after one tap, also where the page is longer than the screen. */
function bringIntoView() {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const panel = document.querySelector(".fix");
    panel?.scrollIntoView({ block: panel.offsetHeight > innerHeight * 0.8 ? "start" : "nearest" });
  }));
}

/** With the alternatives gone, the keyboard stays at the tile that was set right. */
function backTo(index) {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector(`[data-key="seen-${index}"]`)?.focus({ preventScroll: true });
  }));
}

/**
 * Handlers for everything inside a claim.
 * @param page `{doc(), ui(), draw(), attempt(work), claim?(), send?(kind, fields)}`: the state, this device's part of it,
 *   painting, running with errors shown; which win is meant and where answers go, if not to the claim that is heard
 */
export function claimTaps(page) {
  const number = (element, name) => (element.dataset[name] === undefined ? null : Number(element.dataset[name]));
  const change = (work) => (element, event) => { work(page.ui(), element, event); page.draw(); };
  const entry = (work) => change((ui, element) => { ui.entry = work(ui.entry, element); });
  const send = page.send ?? ((kind, fields) => page.attempt(() => command(kind, fields)));
  const facts = (fields) => send("set_facts", fields);
  const claim = page.claim ?? (() => page.doc().claim);
  const questions = () => claim()?.questions ?? page.doc().hand?.needs ?? [];

  async function upload(element) {
    const [file] = element.files;
    if (!file) return;
    const ui = page.ui();
    ui.progress = 0;
    ui.fixing = null;
    page.draw();
    const of = `${playedHand(page.doc())} ${claim()?.seat}`;
    await page.attempt(() => photo(file, of, (share) => { ui.progress = share; page.draw(); }));
    ui.progress = null;
    element.value = "";
    page.draw();
  }

  return {
    who: change((ui, element) => { ui.seat = number(element, "seat"); }),
    "who-back": change((ui) => { if (ui.seat === null) ui.another = false; ui.seat = null; }),
    another: change((ui) => { ui.another = true; ui.seat = null; }),
    claim: async (element) => {
      const ui = page.ui();
      const from = number(element, "seat");
      const source = element.dataset.source ?? "discard";
      if (await send("claim_win", { seat: ui.seat, source, from_seat: from })) { ui.seat = null; ui.another = false; }
      page.draw();
    },
    camera: () => { page.ui().fixing = null; send("hand_photo", { picture: null }); },
    photo: upload,

    entry: change((ui) => { ui.fixing = null; const full = fullHand(page.doc().game); ui.entry = claim().hand ? entryFrom(claim(), full) : emptyEntry(full); }),
    "entry-close": change((ui) => { ui.entry = null; }),
    "entry-key": entry((now, element) => press(now, element.dataset.tile)),
    "entry-tile": entry((now, element) => tapTile(now, number(element, "index"))),
    "entry-meld": entry((now, element) => dropMeld(now, number(element, "index"))),
    "entry-flower": entry((now, element) => dropFlower(now, number(element, "index"))),
    "entry-mode": entry((now, element) => setMode(now, element.dataset.mode)),
    "entry-back": entry((now) => backspace(now)),
    "entry-send": async () => {
      if (await send("hand_manual", entryFields(page.ui().entry))) page.ui().entry = null;
      page.draw();
    },

    fix: (element) => {
      const index = number(element, "index");
      const ui = page.ui();
      ui.fixing = ui.fixing === index ? null : index;
      page.draw();
      if (ui.fixing !== null) bringIntoView();
    },
    "fix-close": () => {
      const index = page.ui().fixing;
      page.ui().fixing = null;
      page.draw();
      backTo(index);
    },
    "fix-to": (element) => {
      const index = page.ui().fixing;
      page.ui().fixing = null;
      page.draw();
      backTo(index);
      return send("fix_tile", { index, tile: element.dataset.tile });
    },
    "fix-win": () => {
      const index = page.ui().fixing;
      page.ui().fixing = null;
      page.draw();
      backTo(index);
      return send("set_win_tile", { index });
    },
    "meld-kind": (element) => send("set_meld", { group: number(element, "group"), meld_kind: element.value || null }),

    answer: (element) => {
      const { kind, ...fields } = questions()[number(element, "question")].choices[number(element, "choice")].command;
      return send(kind, fields);
    },
    "pick-open": change((ui, element) => { ui.picking = element.dataset.question; }),
    "pick-tile": (element) => {
      const { kind, ...fields } = questions()[number(element.closest(".picker"), "question")].pick;
      page.ui().picking = null;
      return send(kind, { ...fields, tile: element.dataset.tile });
    },
    source: (element) => facts({ source: element.dataset.source, from_seat: number(element, "seat") }),
    "fact-kong": () => facts({ source: claim().source === "kong_replacement" ? "self_draw" : "kong_replacement" }),
    "fact-rob": () => facts({ source: claim().source === "rob_kong" ? "discard" : "rob_kong", from_seat: claim().from_seat }),
    "fact-kong-discard": () => facts({ source: claim().source === "kong_discard" ? "discard" : "kong_discard", from_seat: claim().from_seat }),
    "fact-sea": () => facts({ source: claim().source !== "sea_bottom" ? "sea_bottom" : claim().from_seat === null ? "self_draw" : "discard", from_seat: claim().from_seat }),
    "fact-last": () => facts({ last_tile: !claim().facts.last_tile }),
    "fact-kind": () => facts({ last_of_kind: !claim().facts.last_of_kind }),
    "seen-enter": (element) => {
      const { kind, ...fields } = page.doc().table.noticed[number(element, "number")].command;
      return send(kind, fields);
    },
    "fact-more": (element) => facts({ more: { [element.dataset.name]: JSON.parse(element.dataset.value) } }),
    announce: (form) => send("announce", { points: Number(new FormData(form).get("points")) }),

    agree: (element) => send("agree", { seat: number(element, "seat") }),
    approve: () => send("approve"),
    "cancel-claim": async () => {
      const ui = page.ui();
      ui.waiving = !await send("cancel_claim", { seat: null, waived: ui.waiving });
      page.draw();
    },
  };
}
