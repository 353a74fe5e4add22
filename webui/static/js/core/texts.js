// Words in the language of this device. The catalogue comes from the server, as much of it as the page needs (`ONLY_FOR`
// in webui/texts.py); a missing key shows itself.

let texts = {};
let fans = {};
let part = document.body.dataset.page;
let newest = null;

async function wordsIn(language) {
  const answer = await fetch(`/texts/${language}.json?for=${part}`);
  if (!answer.ok) throw new Error(`texts: ${answer.status}`); // the words that are here stay
  return answer.json();
}

/** Of words asked for twice at once (a first touch that changes the language) those asked for last stay. */
export async function loadTexts(language = document.documentElement.lang) {
  const asked = newest = wordsIn(language);
  const words = await asked;
  if (asked === newest) ({ texts, fans } = words);
  else await newest;
}

/** Also the words of a part that is fetched later: for playing, which a page that only shows the score does without. */
export async function loadWordsOf(later) {
  part = later;
  await loadTexts();
}

/** The text of a key with `{name}` places filled, e.g. `t("win.from", {name})`. */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) return `⟦${key}⟧`;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** True if there is a text of that key. */
export const known = (key) => key in texts;

/** The name of a fan in this language; a term unknown to the catalogue is shown as the rules name it. */
export const fanName = (term) => fans[term] ?? term;

/** The spoken name of a tile, e.g. `5p`. */
export const tileName = (tile) => t(`tile.${tile}`);

/** Signed points with a real minus sign: +24, −8, 0. */
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** Local time of day, e.g. 21:05. */
export function clock(time) {
  const date = time instanceof Date ? time : new Date(time);
  return date.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
}
