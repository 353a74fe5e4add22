// Every part the table lives on, with a sign, a word and a number: nothing here can be put away during play.

import { html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { SHAPES } from "./chips.js";

const ASK_MS = 20000;
const MOST_SKEW_S = 5;
const LEAST_FPS = 2;

/** Measure how far this device's clock is from the table's, again and again. */
export function clockSkew(tell) {
  const ask = async () => {
    const sent = Date.now();
    const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
    const at = answer ? (await answer.json().catch(() => ({}))).at_ms : undefined;
    if (at) tell(Math.round((at - (sent + Date.now()) / 2) / 1000));
  };
  ask();
  setInterval(ask, ASK_MS);
}

const row = (level, name, value) => html`<li data-level="${level}"><span aria-hidden="true">${SHAPES[level]}</span> <span>${name}</span><b>${value}</b></li>`;

function camera({ fps, reading_ms: reading }) {
  return html`${fps === null || fps === undefined ? "" : row(fps < LEAST_FPS ? "warn" : "good", t("live.fps"), String(fps))}
    ${reading === null || reading === undefined ? "" : row("good", t("live.reading"), t("live.seconds", { seconds: (reading / 1000).toFixed(1) }))}`;
}

/** Camera, reading, line, disk and clock. `skew` is in seconds, null while it is not known. */
export function liveness(doc, skew) {
  const late = skew !== null && Math.abs(skew) > MOST_SKEW_S;
  const disk = doc.problems.some((one) => one.source === "disk");
  return html`<section class="panel liveness"><h2>${t("live.title")}</h2><ul>${camera(doc.devices.camera)}${row(disk ? "bad" : "good", t("device.disk"), t(disk ? "live.disk_low" : "live.ok"))}
    ${skew === null ? "" : row(late ? "bad" : "good", t("live.clock"), late ? t("live.clock_off", { seconds: Math.abs(skew) }) : t("live.ok"))}</ul></section>`;
}
