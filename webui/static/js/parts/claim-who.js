// The first two taps of a win: who says 和, and drawn or discarded by whom.

import { html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { nameOf, players, seatRing } from "./seats.js";
import { faces } from "./seen.js";

/** The last discard, if the camera followed it and it was not the winner's own: the likeliest answer. */
const lastOf = (doc, winner) => (doc.table?.last && doc.table.last.seat !== winner ? doc.table.last : null);

/** Step one: who says 和. Step two: drawn or discarded, and by whom. */
export function whoView(doc, ui, side) {
  const alive = players(doc).filter((seat) => !seat.dead && !seat.out && !doc.claims.some((claim) => claim.seat === seat.seat)).map((seat) => seat.seat);
  if (ui.seat === null) {
    return html`<section class="who"><h2>${t("win.who")}</h2>${seatRing(doc, side, { action: "who", only: alive })}
      ${ui.another ? html`<div class="sheet-end"><button type="button" class="button quiet" data-do="who-back">${t("act.back")}</button></div>` : ""}</section>`;
  }
  const others = players(doc).filter((seat) => !seat.out).map((seat) => seat.seat).filter((seat) => seat !== ui.seat);
  const last = lastOf(doc, ui.seat);
  return html`<section class="who"><h2>${t("win.how", { name: nameOf(doc, ui.seat) })}</h2>
    ${last ? html`<button type="button" class="button main big wide" data-do="claim" data-seat="${last.seat}">${faces(last.tile)} ${t("win.from", { name: nameOf(doc, last.seat) })}
      <small class="by-camera">${t("seen.by_camera")}</small></button>` : ""}
    <button type="button" class="button ${last ? "" : "main"} big wide" data-do="claim" data-source="self_draw">${t("source.self_draw")}</button>
    <p class="or">${t("win.or_from")}</p>
    ${seatRing(doc, side, { action: "claim", only: others, note: () => html`<small>${t("win.discarded")}</small>` })}
    <div class="sheet-end"><button type="button" class="button quiet" data-do="who-back">${t("act.back")}</button></div></section>`;
}
