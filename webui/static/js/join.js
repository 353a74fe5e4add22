// Where a pairing code leads: the ticket behind the # makes this device what the code says, once.

import { html, paint } from "./core/dom.js";
import { join } from "./core/entrust.js";
import { Refusal } from "./core/send.js";
import { known, loadTexts, t } from "./core/texts.js";

const root = document.getElementById("page");

function show(words, link) {
  paint(root, html`<section class="snap" role="alert"><h1>${t("join.title")}</h1><p>${words}</p>${link ?? ""}</section>`);
}

async function start() {
  await loadTexts();
  document.title = t("join.title");
  const ticket = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  try {
    const { page } = await join(ticket);
    location.replace(page);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    show(known(`say.${error.key}`) ? t(`say.${error.key}`) : error.text, html`<p><a class="button main" href="/">${t("nav.table")}</a></p>`);
  }
}

start();
