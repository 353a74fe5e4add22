// Penalties by the referee: a player, one of the list or points of his own, a reason. Never by machine.

import { flag, html, pressed } from "../core/dom.js";
import { command } from "../core/send.js";
import { t } from "../core/texts.js";
import { players } from "./seats.js";

/** What is being filled in; `rows` is the list that the table knows. */
export const penaltyState = (rows) => ({ rows, seat: null, code: "" });

const shown = (row) => row.names[document.documentElement.lang];

/** The sheet. */
export function penaltyView(doc, ui) {
  return html`<form class="stack" data-submit="penalty-send">
    <div class="segment" role="group" aria-label="${t("penalty.who")}">${players(doc).map((seat) => html`<button type="button" class="pick" data-do="penalty-seat"
      data-seat="${seat.seat}" ${pressed(ui.seat === seat.seat)}>${seat.name}</button>`)}</div>
    <label class="field">${t("penalty.what")}<select name="code" data-change="penalty-code"><option value="">${t("penalty.own")}</option>${ui.rows.map((row) =>
    html`<option value="${row.code}">${shown(row)}</option>`)}</select></label>
    ${ui.code ? "" : html`<label class="field">${t("penalty.points")}<input name="points" type="number" inputmode="numeric" min="0" max="1000" required></label>`}
    <label class="field">${t("penalty.reason")}<input name="reason" maxlength="200" autocomplete="off"></label>
    <div class="sheet-end"><button class="button main" ${flag("disabled", ui.seat === null)}>${t("penalty.give")}</button></div></form>`;
}

/** Taking a penalty or a false win back. */
export const liftButton = (row) => (row?.id && !row.lifted
  ? html`<button type="button" class="button quiet" data-do="penalty-lift" data-id="${row.id}" data-seat="${row.winner}">${t("penalty.lift")}</button>` : "");

/** What the taps do. */
export function penaltyTaps(page) {
  return {
    "penalty-seat": (element) => { page.ui().seat = Number(element.dataset.seat); page.draw(); },
    "penalty-code": (element) => { page.ui().code = element.value; page.draw(); },
    "penalty-send": async (form) => {
      const fields = new FormData(form);
      const { seat, code } = page.ui();
      const points = code ? null : Number(fields.get("points"));
      if (await page.attempt(() => command("penalise", { seat, code, points, reason: fields.get("reason") }))) page.close();
    },
    "penalty-lift": async (element) => { if (await page.attempt(() => command("lift_penalty", { id: element.dataset.id, seat: Number(element.dataset.seat) }))) page.close(); },
  };
}
