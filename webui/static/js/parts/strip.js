// The head of a page: where one is, the table's devices, and the tools that every page has.

import { html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { icon } from "./icons.js";

/** A round button of the head; `label` is the key of its name. */
export const tool = (action, label, face) => html`<button type="button" class="tool" data-do="${action}" aria-label="${t(label)}">${face}</button>`;

/** The head with its heading: `chips` are the devices, `before` and `between` tools beside the language; `view` = whether the page has that sheet. */
export const strip = (where, { chips = "", before = "", between = "", view = true } = {}) => html`<header class="strip"><div class="where">${where}</div>
  ${chips ? html`<div class="chips">${chips}</div>` : ""}<div class="tools">${before}${tool("language", "view.language", html`<span class="lang">${t("view.language_next")}</span>`)}${between}${view ? tool("view", "view.title", icon("view")) : ""}</div></header>`;
