// The tablet at the table: the scoreboard. What players do with it (`table-play.js`) comes with the first touch.

import { html, styleSheet } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { side, timed } from "./core/prefs.js";
import { t } from "./core/texts.js";
import { board } from "./parts/board.js";
import { tick, times } from "./parts/times.js";

const role = document.body.dataset.role;
const can = role !== "viewer";
const referee = role === "referee";
const ui = { sheet: null, compare: null };

let dressed = false;

function body(doc) {
  if ((doc.table || doc.pace) && !dressed) {
    dressed = true;
    styleSheet("seen").catch(() => { dressed = false; });
  }
  return doc.game ? board(doc, { side: side(), can, referee, compare: ui.compare, timed: timed(doc.game.mode), times: times(doc, timed(doc.game.mode)) })
    : html`<section class="welcome"><div class="crest" aria-hidden="true">${t("app.sign")}</div><h1>${t("app.name")}</h1><p>${t("setup.none")}</p>
      ${referee ? html`<button type="button" class="button big hu" data-do="new-game">${t("act.new_game")}</button>`
    : html`<button type="button" class="button big" data-do="unlock">${t("pin.unlock")}</button>`}
      <div class="tools"><a class="button quiet" href="/setup">${t("nav.setup")}</a><button type="button" class="button quiet" data-do="view">${t("view.title")}</button></div></section>`;
}

const taps = (page) => {
  tick(page);
  return { compare: (element) => { const seat = Number(element.dataset.seat); ui.compare = ui.compare === seat ? null : seat; page.draw(); } };
};

startPage({ ui, body, taps, more: () => Promise.all([import("./table-play.js"), styleSheet("claim")]).then(([module]) => module) });
