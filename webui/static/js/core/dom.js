// Pages are pure functions from state to markup; this file puts the markup on the screen.

/** Markup that is already escaped. */
class Markup {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (value === null || value === undefined || value === false || value === true) return "";
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}

/** Template tag: every value is escaped unless it is markup itself. */
export function html(strings, ...values) {
  let text = strings[0];
  values.forEach((value, i) => { text += escaped(value) + strings[i + 1]; });
  return new Markup(text);
}

/** An attribute that is there or not, e.g. `${flag("disabled", busy)}`. */
export const flag = (name, on) => new Markup(on ? name : "");

/** The attributes of a `<details>` that the state opens, and a person too. */
export const unfolded = (on) => flag("open data-open", on);

/** The attribute of a button that stays down, e.g. `${pressed(chosen)}`. */
export const pressed = (on) => new Markup(`aria-pressed="${on ? "true" : "false"}"`);

/** Make the children of `root` look like the markup, touching only what differs (focus and scrolling stay). */
export function paint(root, markup) {
  const wanted = document.createElement("template");
  wanted.innerHTML = String(markup);
  morphChildren(root, wanted.content);
}

/** Which tile or evidence a picture shows. With another one it is another element: a changed one would show the former until the new one has come. */
function pictured(element) {
  if (!/^(img|image)$/i.test(element.nodeName)) return null;
  return /^\/(static[-\w]*\/tiles|evidence)\/.*/.exec(element.getAttribute("src") ?? element.getAttribute("href"))?.[0] ?? null;
}

function sameKind(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName &&
    (a.nodeType !== Node.ELEMENT_NODE || (a.getAttribute("data-key") === b.getAttribute("data-key") && pictured(a) === pictured(b)));
}

function morphChildren(from, to) {
  const wanted = [...to.childNodes];
  wanted.forEach((next, i) => {
    let have = from.childNodes[i];
    if (have && !sameKind(have, next) && next.nodeType === Node.ELEMENT_NODE && next.hasAttribute("data-key")) {
      const match = [...from.childNodes].slice(i + 1).find((one) => sameKind(one, next));
      if (match) { from.insertBefore(match, have); have = match; }
    }
    if (!have) from.appendChild(next);
    else if (sameKind(have, next)) morph(have, next);
    else if (wanted.slice(i + 1).some((later) => sameKind(have, later))) from.insertBefore(next, have);
    else from.replaceChild(next, have);
  });
  while (from.childNodes.length > wanted.length) from.removeChild(from.lastChild);
}

function morph(have, next) {
  if (have.nodeType !== Node.ELEMENT_NODE) {
    if (have.nodeValue !== next.nodeValue) have.nodeValue = next.nodeValue;
    return;
  }
  // What a person opened or closed stays so, until the state wants it otherwise than before.
  const kept = have.nodeName === "DETAILS" && have.dataset.open === next.dataset.open ? "open" : "";
  for (const { name } of [...have.attributes]) if (name !== kept && !next.hasAttribute(name)) have.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (name !== kept && have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  if (have.matches("input, select, textarea")) {
    // What a person is typing stays; the state only sets what nobody touches.
    if (have !== document.activeElement && have.hasAttribute("data-bound")) have.value = next.getAttribute("value") ?? "";
    if (have.nodeName !== "SELECT") return;
  }
  morphChildren(have, next);
}

/** Fetch one of our style sheets; ready when it applies. It stands before a page's own, which may refine it. */
export function styleSheet(name) {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL(`../../css/${name}.css`, import.meta.url).href, onload: resolve, onerror: reject });
    document.querySelector("link[rel=stylesheet]").after(link);
  });
}

/** Run `find(name)(element, event)` for whatever carries `data-do="name"`, by click, tap or keyboard. */
export function listen(root, find) {
  const run = (event, attribute) => {
    const element = event.target.closest?.(`[${attribute}]`);
    if (!element || !root.contains(element) || element.disabled) return;
    const action = find(element.getAttribute(attribute));
    if (action) action(element, event);
  };
  root.addEventListener("click", (event) => run(event, "data-do"));
  root.addEventListener("change", (event) => run(event, "data-change"));
  root.addEventListener("input", (event) => run(event, "data-input"));
  root.addEventListener("submit", (event) => { event.preventDefault(); run(event, "data-submit"); });
}
