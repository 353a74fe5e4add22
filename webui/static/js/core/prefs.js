// How this device likes to see the pages. Cookies, so that the server paints the first frame right already.

/** The languages of the pages, in the order of the button that goes through them. */
export const LANGUAGES = ["zh-Hans", "zh-Hant", "en"];

const YEAR_S = 31536000;
const root = document.documentElement;

function keep(name, value) {
  document.cookie = `paiju_${name}=${value}; path=/; max-age=${YEAR_S}; samesite=strict`;
}

/** Which seat sits at this device's side (bottom of the screen). */
export const side = () => Number(root.dataset.side);

export function turnSide() {
  root.dataset.side = (side() + 1) % 4;
  keep("side", root.dataset.side);
}

export function setSize(size) {
  root.dataset.size = size;
  keep("size", size);
}

export const size = () => Number(root.dataset.size);

/** What is on the screen now: `dark` or `light`. */
export function shownTheme() {
  if (root.dataset.theme !== "auto") return root.dataset.theme;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export function flipTheme() {
  root.dataset.theme = shownTheme() === "dark" ? "light" : "dark";
  keep("theme", root.dataset.theme);
}

export function setLanguage(language) {
  root.lang = language;
  keep("lang", language);
}

const PACE = "paiju-pace";

/** Whether this device shows a bar for the time of a turn: by itself only in a competition. */
export function timed(mode) {
  let kept = null;
  try { kept = localStorage.getItem(PACE); } catch { /* a closed store: the usual */ }
  return (kept ?? (mode === "competition" ? "on" : "off")) === "on";
}

export function setTimed(on) {
  try { localStorage.setItem(PACE, on ? "on" : "off"); } catch { /* a closed store forgets */ }
}
