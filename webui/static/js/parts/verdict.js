// What the rules say of a hand that is claimed: its value and bill, fans that do not count, or why it is no win.

import { html } from "../core/dom.js";
import { fanName, known, t } from "../core/texts.js";
import { fanLines, payments } from "./bill.js";
import { worth } from "./outcome.js";

const reasonOf = (reason) => (known(`reason.${reason}`) ? t(`reason.${reason}`) : reason);

/** Fans that the hand shows too but that do not count. */
export function notCounted(lines) {
  if (!lines?.length) return "";
  return html`<details class="not-counted"><summary>${t("bill.not_counted", { count: lines.length })}</summary>
    <ul>${lines.map((line) => html`<li><s>${fanName(line.name)}</s> <span>${t("bill.covered_by", { name: fanName(line.why) })}</span></li>`)}</ul></details>`;
}

/** The verdict on a claimed hand: its value and bill, or why it is refused. Without `payments` no amount is final. */
export function verdict(doc, found, toCheck = 0) {
  const head = found.valid
    ? found.payments && html`<p class="total"><b>${found.total}</b> <span>${t(`bill.${doc.game.counted_in}`)}</span></p>`
    : html`<p class="refusal" role="alert"><b>${toCheck ? html`<span aria-hidden="true">?</span> ${t("bill.check_first")}` : html`<span aria-hidden="true">✕</span> ${t("bill.refused")}`}</b>
        <span>${toCheck ? t("bill.as_read", { reason: reasonOf(found.reason) }) : reasonOf(found.reason)}</span>
        ${found.total ? html`<span>${t("bill.computed", { points: worth(doc, found.total) })}</span>` : ""}</p>`;
  return html`<section class="verdict" data-valid="${found.valid ? "yes" : "no"}" aria-label="${t("bill.title")}">
    ${head}${found.fans.length ? fanLines(found.fans) : ""}${notCounted(found.not_counted)}
    ${found.notes?.length ? html`<ul class="notes">${found.notes.map((note) => html`<li>${note}</li>`)}</ul>` : ""}
    ${found.valid && found.payments ? payments(doc, found.payments) : ""}
  </section>`;
}
