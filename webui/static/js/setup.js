// The set-up wizard: from language to trial hand, and a report of what is ready. Where it stands and what was chosen is
// kept by the table, so that another device goes on from there.

import { flag, html, styleSheet } from "./core/dom.js";
import { startPage } from "./core/page.js";
import { pair, setPin, setUp } from "./core/entrust.js";
import { t } from "./core/texts.js";
import { told } from "./core/told.js";
import { say } from "./core/voice.js";
import { watcher } from "./core/watch.js";
import { icon } from "./parts/icons.js";
import { strip } from "./parts/strip.js";
import { ALL, checks, stepsOf, stepView } from "./parts/wizard.js";

const referee = !["viewer", "tablet", "player"].includes(document.body.dataset.role);
const ui = { sheet: null, asked: false, set: null, step: "language", pins: null, code: null, cameras: null, rulesText: "", setup: null, corners: null, tiles: null, referee, watch: null };

/** What each step needs beside the frame, fetched when it comes up. */
const PARTS = {
  camera: () => import("./parts/wizard-camera.js"), light: () => import("./parts/wizard-camera.js"), corners: () => import("./parts/wizard-corners.js"),
  tiles: () => import("./parts/wizard-tiles.js"), table: () => import("./parts/wizard-line.js"), rules: () => import("./parts/wizard-rules.js"),
};
const parts = {};

/** The step that is shown: the one kept, or without a camera the last one before it that needs none. */
function stepNow(doc) {
  const steps = stepsOf(doc, ui);
  const upTo = ALL.slice(0, ALL.indexOf(ui.step) + 1).filter((name) => steps.includes(name));
  return upTo[upTo.length - 1] ?? steps[0];
}

function keys(doc) {
  const steps = stepsOf(doc, ui);
  const at = steps.indexOf(stepNow(doc));
  return html`<div class="wizard-keys"><button type="button" class="button quiet" data-do="wizard-back" ${flag("disabled", !at)}>${t("act.back")}</button>
    ${at === steps.length - 1 ? html`<button type="button" class="button quiet" data-do="wizard-again">${t("wizard.again")}</button><a class="button main" href="/">${t("wizard.go")}</a>`
    : html`<button type="button" class="button main" data-do="wizard-next">${t(checks(doc, ui)[steps[at]] === false ? "wizard.skip" : "wizard.next")}</button>`}</div>`;
}

function body(doc) {
  const steps = stepsOf(doc, ui);
  const now = stepNow(doc);
  const done = checks(doc, ui);
  const content = !referee ? html`<section class="panel"><p>${t("wizard.referee_only")}</p><button type="button" class="button" data-do="unlock">${icon("lock")} ${t("pin.unlock")}</button></section>`
    : !ui.asked ? html`<p class="loading">${t("link.loading")}</p>`
      : html`<ol class="wizard-steps" aria-hidden="true">${steps.map((name) => html`<li data-done="${done[name] ? "yes" : "no"}" aria-current="${name === now ? "step" : "false"}"></li>`)}</ol>
    <section class="panel" data-step="${now}">${settable ? "" : html`<p class="empty">${t("say.not_set_up_here")}</p>`}${parts[now] || !PARTS[now] ? stepView(now, doc, ui, parts[now]) : html`<p class="empty">${t("link.loading")}</p>`}</section>${keys(doc)}`;
  return html`${strip(html`<h1>${t("nav.setup")}</h1><p>${t("wizard.step", { number: steps.indexOf(now) + 1, all: steps.length })}</p>`, { view: false })}
    <div class="wizard">${content}</div>`;
}

/** Whether the table is set up from here; the demonstration is not, and has only the plain steps. */
const settable = document.body.dataset.setUp === "yes";

/** What the table knows of its set-up. */
async function ask() {
  ui.dressed = ui.dressed ?? Promise.all([styleSheet("claim"), styleSheet("setup")]);
  const [set, pins] = await Promise.all([settable ? setUp("").catch(() => null) : null, told("/api/v1/pins"), ui.dressed]);
  ui.set = set;
  if (set && !ui.asked) ui.step = set.step;
  ui.pins = pins?.roles ?? null;
  ui.asked = true;
}

function taps(page) {
  const { draw, attempt } = page;
  ui.watch = watcher(draw);
  const begun = {};
  const change = (work) => (element) => { work(element); draw(); };
  const take = (path, fields) => attempt(async () => { ui.set = await setUp(path, fields); draw(); });

  /** Fetch what a step needs when it comes up, and let it begin. */
  async function arrive(step = ui.step) {
    if (!referee || !PARTS[step]) return;
    parts[step] = await PARTS[step]();
    begun[step] = begun[step] ?? parts[step].start(ui, { setUp, draw, attempt, onwards });
    if (ui.set || step === "rules") begun[step].begin();
    draw();
  }

  /** What a step does that was fetched for it. */
  const by = (step, names) => Object.fromEntries(names.map((name) => [name, (element, event) => begun[step]?.taps[name](element, event)]));

  function go(step) {
    ui.step = step;
    scrollTo(0, 0);
    if (ui.set) setUp("", { step }).catch(() => {});
    arrive();
    draw();
  }

  function onwards(by) {
    const steps = stepsOf(page.doc(), ui);
    go(steps[Math.min(steps.length - 1, Math.max(0, steps.indexOf(stepNow(page.doc())) + by))]);
  }

  const chooseCamera = async (camera) => { begun.corners?.reset(); await take("/camera", { camera }); };
  ui.begin = () => { if (ui.asked && page.doc() && !ui.begun) { ui.begun = true; arrive(stepNow(page.doc())); draw(); } };
  if (referee) ask().then(ui.begin);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && referee) ask().then(draw); });

  return {
    ...by("corners", ["corners-find", "corner-turn", "corner-seat", "corners-keep"]),
    ...by("rules", ["wizard-ruleset", "wizard-read-rules", "setup-dealer", "setup-mode", "setup-open"]),
    ...by("tiles", ["row-show", "row-photo", "row-sure", "row-drop", "tiles-keep", "tiles-again", "tiles-forget"]),
    close: change(() => { ui.sheet = null; }),
    unlock: () => import("./parts/sheets.js").then((sheets) => { ui.sheet = sheets.pinSheet; draw(); }),
    "wizard-next": () => onwards(1),
    "wizard-back": () => onwards(-1),
    "wizard-again": () => go("language"),
    "wizard-place": (element) => {
      const { place } = element.dataset;
      if (ui.set) take("", { place });
    },
    "wizard-pin": (form) => attempt(async () => {
      const fields = new FormData(form);
      await setPin(fields.get("role"), fields.get("pin"));
      await ask();
      draw();
    }),
    "wizard-pair": (element) => attempt(async () => {
      const { role } = element.dataset;
      ui.code = { ...await pair({ role, name: t(`devices.role.${role}`) }), role };
      draw();
    }),
    "wizard-sound": () => { say(t("wizard.sound_said")); if (ui.set) take("", { sound: true }); },
    "choose-camera": (element) => chooseCamera(element.dataset.camera),
    "no-camera": () => chooseCamera(null),
    "camera-address": (form) => chooseCamera(new FormData(form).get("address").trim()),
    "cameras-again": change(() => { ui.cameras = null; arrive(); }),
    listen: () => { ui.taken = null; take("/ports/listen", {}); },
    "choose-line": (element) => take("/line", { words: [element.dataset.word] }),
    "line-address": (form) => take("/line", { words: [new FormData(form).get("address").trim()] }),
    "no-line": () => take("/line", { words: [] }),
    print: () => window.print(),
  };
}

startPage({ body, taps, onState: () => ui.begin?.(), sheet: () => (ui.sheet ? { title: t("pin.unlock"), kind: "small", body: ui.sheet() } : null) });
