// What only a person can tell of the hand being followed: the picture, the answers as buttons, any tile by hand.

import { flag, html } from "../core/dom.js";
import { fanName, t, tileName } from "../core/texts.js";
import { command } from "../core/send.js";
import { faces } from "./seen.js";
import { sentence } from "./say.js";
import { nameOf } from "./seats.js";
import { tile, tileKeyboard } from "./tiles.js";

/** What this device is doing: `tile` = the tile in doubt that was tapped, `picking` = all tiles are shown. */
export const seenState = () => ({ tile: null, picking: false });

function move(doc, one) {
  const who = t(`seen.${one.what}`, { name: one.seat === null ? "" : nameOf(doc, one.seat) });
  const from = one.from_seat === null ? "" : html` <small>${t("seen.fed", { name: nameOf(doc, one.from_seat) })}</small>`;
  return html`<span class="story-move">${who} ${one.tiles.map((text) => faces(text))}${from}</span>`;
}

function answer(doc, choice, number) {
  if (choice.tile) return html`<button type="button" class="key large" data-do="seen-answer" data-choice="${number}" aria-label="${tileName(choice.tile)}">${tile(choice.tile)}</button>`;
  if (choice.moves.length) {
    return html`<button type="button" class="story" data-do="seen-answer" data-choice="${number}">${choice.moves.map((one) => move(doc, one))}</button>`;
  }
  const said = sentence(doc, { key: choice.text_key, text: choice.text_key });
  if (choice.seat === null) return html`<button type="button" class="pick" data-do="seen-answer" data-choice="${number}">${said}</button>`;
  const name = nameOf(doc, choice.seat);
  return html`<button type="button" class="pick" data-do="seen-answer" data-choice="${number}" aria-label="${said} ${name}">${name}</button>`;
}

/** The answers in three rows: what it was, who plays next as it lies now, and that it does not matter. */
function answers(doc, { choices, pick }, picking) {
  const row = (wanted) => choices.map((choice, number) => (wanted(choice) ? answer(doc, choice, number) : ""));
  const told = (choice) => choice.tile || choice.moves.length > 0;
  const lies = (choice) => !told(choice) && choice.seat !== null;
  const first = choices.find(lies);
  return html`${choices.some(told) || pick ? html`<div class="choices">${row(told)}${pick && !picking ? html`<button type="button" class="pick" data-do="seen-other">${t("say.other")}…</button>` : ""}</div>` : ""}
    ${pick && picking ? tileKeyboard("seen-pick", { limit: 99 }) : ""}
    ${first ? html`<div class="choices"><p class="asked-next">${sentence(doc, { key: first.text_key, text: first.text_key })}</p>${row(lies)}</div>` : ""}
    <div class="choices">${row((choice) => !told(choice) && !lies(choice))}</div>`;
}

/** The question with its picture; play goes on meanwhile. */
export function seenView(doc, ui) {
  const asked = doc.table?.question;
  if (!asked) return html`<p class="empty">${t("say.seen_gone")}</p>`;
  return html`<section class="seen-ask stack">
    <p class="asked-text">${sentence(doc, { key: asked.text_key, params: asked.params })}</p>
    ${asked.picture ? html`<img class="asked-picture" src="/evidence/${asked.picture}" alt="${t("seen.evidence")}">` : ""}
    ${answers(doc, asked, ui.picking)}
    <p class="hint">${t("seen.ask_hint")}</p></section>`;
}

/** Kongs and discards taken that move money later, seen and not entered yet: one tap enters them. */
export function noticed(doc, can) {
  const found = doc.table?.noticed ?? [];
  if (!found.length) return "";
  return html`<section class="noticed"><h3>${t("seen.noticed")}</h3><ul>${found.map((choice, number) => html`<li>${choice.moves.map((one) => move(doc, one))}
    ${choice.command.makes ? html`<b>${fanName(choice.command.makes)}</b>` : ""}
    <button type="button" class="pick" data-do="seen-enter" data-number="${number}" ${flag("disabled", !can)}>${t("seen.enter")}</button></li>`)}</ul></section>`;
}

/** A tile in doubt that somebody tapped: whose it is, and which it may be. */
export function tileView(doc, ui) {
  const { faces: read, seat, zone, index } = ui.tile;
  const names = read.split("/").filter((name) => name !== "x");
  return html`<section class="seen-ask stack"><p class="asked-text">${t(`seen.${zone}`, { name: nameOf(doc, seat) })} · ${index + 1}</p><div class="choices">${names.map((name) => html`<button type="button" class="key large" data-do="seen-pick"
    data-tile="${name}" aria-label="${tileName(name)}">${tile(name)}</button>`)}</div>${tileKeyboard("seen-pick", { limit: 99 })}</section>`;
}

/** Handlers; `page` as for claimTaps, with `close()`. */
export function seenTaps(page) {
  const send = async (fields) => { if (await page.attempt(() => command("answer_seen", fields))) page.close(); };
  return {
    "seen-answer": (element) => {
      const { kind: _, ...fields } = page.doc().table.question.choices[Number(element.dataset.choice)].command;
      return send(fields);
    },
    "seen-other": () => { page.ui().picking = true; page.draw(); },
    "seen-pick": (element) => {
      const { tile: tapped } = page.ui();
      const { kind: _, ...fields } = tapped ? { seat: tapped.seat, zone: tapped.zone, index: tapped.index } : page.doc().table.question.pick;
      return send({ ...fields, tile: element.dataset.tile });
    },
  };
}
