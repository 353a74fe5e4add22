// Times around the game: the session, a break, the arranging of a dealt hand. Only shown; nothing ever ends by them.

import { html, pressed } from "../core/dom.js";
import { tableNow } from "../core/live.js";
import { clock, t } from "../core/texts.js";

const MINUTE_MS = 60_000;
const WARNING_MIN = 15;
const ARROW = " → ";

const minutesTo = (moment, now) => Math.ceil((moment - now) / MINUTE_MS);

function restLine(until, now) {
  if (!until) return "";
  const left = minutesTo(until, now);
  return html`<p class="rest" role="status">${left > 0 ? t("clock.rest", { time: clock(until), minutes: left }) : t("clock.rest_over")}</p>`;
}

/** The time left of the session; from fifteen minutes before its end on it is said in words. */
function sessionLine(session, now) {
  if (!session) return "";
  const left = minutesTo(session.ends_ms, now);
  const key = left <= 0 ? "time_up" : left <= WARNING_MIN ? "warning" : "left";
  return html`<p class="session" data-level="${key}" role="status">${key === "left" ? "" : html`<span aria-hidden="true">▲</span> `}${t(`clock.${key}`, { minutes: Math.max(0, left), time: clock(session.ends_ms) })}</p>`;
}

/** While hands are arranged: whose flowers are replaced in which order, on devices that show times. */
function openingLine(doc, opening, now) {
  if (!opening || now - opening.began_ms > 1000 * opening.limit_s) return "";
  const winds = opening.order.map((seat) => t(`wind.${doc.seats[seat].wind}.name`)).join(ARROW);
  return html`<p class="opening">${opening.order.length ? t("clock.flowers", { winds, seconds: opening.limit_s }) : t("clock.arrange", { seconds: opening.limit_s })}</p>`;
}

/** All of it for a page; `timed` is whether this device shows the times of turns. */
export function clockLines(doc, { timed = false, now = tableNow() } = {}) {
  if (!doc.clock) return "";
  return html`${restLine(doc.clock.rest_until_ms, now)}${sessionLine(doc.clock.session, now)}${timed ? openingLine(doc, doc.clock.opening, now) : ""}`;
}

const BREAKS = [5, 10, 15, 20];

/** Announce a break, or end it. */
export function restButtons(doc) {
  const on = Boolean(doc.clock?.rest_until_ms);
  return html`<h3>${t("clock.title")}</h3><div class="segment" role="group" aria-label="${t("clock.title")}">${BREAKS.map((minutes) => html`<button type="button" class="pick" data-do="rest"
    data-minutes="${minutes}" ${pressed(false)}>${t("clock.minutes", { minutes })}</button>`)}
    ${on ? html`<button type="button" class="pick" data-do="rest" data-minutes="0">${t("clock.end")}</button>` : ""}</div>`;
}
