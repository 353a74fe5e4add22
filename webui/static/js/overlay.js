// A bar with names and scores for a video stream: transparent, public data only, as many seconds late as wished.
// /overlay?delay=30

import { html, paint } from "./core/dom.js";
import { follow } from "./core/live.js";
import { loadTexts, signed, t } from "./core/texts.js";
import { now } from "./parts/now.js";
import { outcomeLine, worth, worths } from "./parts/outcome.js";
import { players } from "./parts/seats.js";
import { wholeHand } from "./parts/tiles.js";

const MOST_DELAY_S = 900;
const delay = Math.min(MOST_DELAY_S, Math.max(0, Number(new URLSearchParams(location.search).get("delay")) || 0));

function view(doc) {
  if (!doc.game) return "";
  const row = doc.history[doc.history.length - 1];
  return html`<div class="bar">${players(doc).map((seat) => html`<div class="bar-seat" data-leader="${seat.diff_to_leader === 0 ? "yes" : "no"}">
      <span class="wind" data-dealer="${seat.dealer ? "yes" : "no"}"><b>${t(`wind.${seat.wind}.sign`)}</b></span>
      <span class="name">${seat.name}</span><b class="points">${seat.total < 0 ? `−${-seat.total}` : seat.total}</b>
      ${doc.history.length ? html`<small>${signed(seat.last_change)}</small>` : ""}</div>`)}</div>
    <p class="bar-round">${now(doc.round)}</p>
    ${row && row.outcome === "win" ? html`<div class="bar-last"><b>${outcomeLine(doc, row)} ${worth(doc, worths(row))}</b>${row.hand ? wholeHand(row) : ""}</div>` : ""}`;
}

start();

async function start() {
  await loadTexts();
  const root = document.getElementById("page");
  follow((doc) => setTimeout(() => paint(root, html`${view(doc)}`), delay * 1000), () => {}, { as: "viewer", heard: () => true }); // out of sight it follows on: what it shows is late
}
