// Devices and problems as small signs: a shape and a word, so that no colour is needed.

import { html } from "../core/dom.js";
import { known, t } from "../core/texts.js";

const SHAPES = { good: "●", warn: "▲", bad: "■", off: "○" };
const LEVELS = {
  ok: "good", live: "good", online: "good", ready: "good", connected: "good",
  starting: "warn", connecting: "warn", stale: "warn", waiting: "warn", reconnecting: "warn", busy: "warn",
  lost: "bad", failed: "bad", error: "bad", broken: "bad", closed: "bad",
  none: "off", off: "off", absent: "off",
};

export const level = (state) => LEVELS[state] ?? "warn";

/** Camera and table, each with its state in words. */
export function deviceChips(devices) {
  return html`${["camera", "table"].map((name) => {
    const { state, age_s: age } = devices[name];
    const sort = level(state);
    const word = known(`device.state.${state}`) ? t(`device.state.${state}`) : state;
    const since = sort !== "good" && sort !== "off" && age ? t("device.age", { seconds: Math.round(age) }) : "";
    return html`<span class="chip" data-level="${sort}"><span aria-hidden="true">${SHAPES[sort]}</span>
      <span>${t(`device.${name}`)}</span> <span class="chip-state">${word} ${since}</span></span>`;
  })}`;
}

/** A sentence of the table in this language; English as the table wrote it when the catalogue has none. */
export function sentence({ key, params, text }) {
  if (!key || !known(`say.${key}`)) return text;
  return t(`say.${key}`, params);
}
