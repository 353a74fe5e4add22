// Devices and problems as small signs: a shape and a word, so that no colour is needed.

import { html } from "../core/dom.js";
import { known, t } from "../core/texts.js";

export const SHAPES = { good: "●", warn: "▲", bad: "■", off: "○" };
const LEVELS = {
  live: "good", starting: "warn", opening: "warn", handshake: "warn", stale: "warn", read_only: "warn",
  frozen: "bad", ended: "bad", lost: "bad", wrong_device: "bad", absent: "off",
};

/** Camera and table, each with its state in words. */
export function deviceChips(devices) {
  return html`${["camera", "table"].map((name) => {
    const { state, age_s: age } = devices[name];
    const sort = LEVELS[state] ?? "warn";
    const word = known(`device.state.${state}`) ? t(`device.state.${state}`) : state;
    const since = sort !== "good" && sort !== "off" && age ? t("device.age", { seconds: Math.round(age) }) : "";
    return html`<span class="chip" data-level="${sort}"><span aria-hidden="true">${SHAPES[sort]}</span>
      <span>${t(`device.${name}`)}</span> <span class="chip-state">${word} ${since}</span></span>`;
  })}`;
}
