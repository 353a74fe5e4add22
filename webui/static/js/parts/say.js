// Sentences of the table in this language, with seats and tiles by name.

import { known, t, tileName } from "../core/texts.js";
import { nameOf } from "./seats.js";

const SEATS = ["seat", "by", "from_seat", "dealer"];

function readable(doc, key, params) {
  const shown = { ...params };
  for (const name of key === "dice_wrong_seat" ? [...SEATS, "expected"] : SEATS) {
    if (typeof shown[name] === "number") shown[name] = (doc?.seats.length && nameOf(doc, shown[name])) || "ABCD"[shown[name]]; // nobody sits there
  }
  for (const [name, group] of [["tile", "tile"], ["reason", "reason"], ["meld", "meld"], ["field", "say.why.field"]]) {
    const word = `${group}.${shown[name]}`.replace(/\.\d+$/, "");
    if (known(word)) shown[name] = t(word);
  }
  if (shown.tiles) shown.tiles = shown.tiles.replace(/(\d+)([mpszf])/g, (_, digits, suit) => [...digits].map((digit) => tileName(digit + suit)).join(" "));
  if (shown.why) shown.detail = t(`say.${shown.why}`, shown);
  return shown;
}

/** A sentence by its key; the table's own English text where the catalogue has none. */
export function sentence(doc, { key, params = {}, text = "" }) {
  return key && known(`say.${key}`) ? t(`say.${key}`, readable(doc, key, params)) : text;
}
