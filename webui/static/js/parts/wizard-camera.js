// Which camera, and how good its picture is: thumbnails, an address, and light, focus, glare and size in plain words.

import { html, pressed } from "../core/dom.js";
import { t } from "../core/texts.js";
import { icon } from "./icons.js";
import { sentence } from "./say.js";

/** What has to be good, and which remarks speak against it. */
const ASPECTS = [["light", ["too_dark", "too_bright", "flat_light"]], ["focus", ["out_of_focus"]], ["glare", ["glare"]], ["size", ["tiles_small"]]];

const nameOf = (camera) => camera.name || t(`wizard.camera_kind.${camera.kind}`);
/** Where it is, or of what kind; a camera without a name is called by its kind already. */
const about = (camera) => (camera.kind === "device" ? html`<small>${camera.id}</small>` : camera.name ? html`<small>${t(`wizard.camera_kind.${camera.kind}`)}</small>` : "");
const thumb = (ui, id) => ui.watch.see(`/api/v1/setup/thumbnail?camera=${encodeURIComponent(id)}`);

function shot(doc, seen, label) {
  if (seen.value) return html`<img src="${seen.value.src}" alt="${label}">`;
  return seen.error ? html`<p class="no-shot">${sentence(doc, seen.error)}</p>` : html`<p class="no-shot">${t("wizard.camera_opening")}</p>`;
}

function cameraCard(doc, ui, camera) {
  const chosen = camera.id === ui.set.camera.id;
  return html`<li data-key="cam-${camera.id}"><button type="button" class="camera-card" data-do="choose-camera" data-camera="${camera.id}" ${pressed(chosen)}>
    <span class="shot">${shot(doc, thumb(ui, camera.id), nameOf(camera))}</span>
    <b>${nameOf(camera)}</b>${about(camera)}
    <span class="button ${chosen ? "main" : ""}">${t(chosen ? "wizard.camera_this" : "wizard.camera_this_one")}</span></button></li>`;
}

const addressOf = (ui) => (ui.set.camera.kind === "network" ? [{ id: ui.set.camera.id, kind: "network", name: ui.set.camera.name }] : []);

export function cameraView(doc, ui) {
  if (ui.set.camera.given) return html`<h2>${t("wizard.camera")}</h2><p>✓ ${t("say.camera_given")}</p>${livePicture(doc, ui)}`;
  const found = [...addressOf(ui), ...(ui.cameras ?? [])];
  return html`<h2>${t("wizard.camera")}</h2><p>${t("wizard.camera_hint")}</p>
    ${ui.cameras ? html`<ul class="cameras">${found.map((one) => cameraCard(doc, ui, one))}</ul>` : html`<p class="empty">${t("wizard.cameras_wait")}</p>`}
    <form class="in-line" data-submit="camera-address"><label class="field">${t("wizard.camera_address")}<input name="address" placeholder="rtsp:// …" autocomplete="off" inputmode="url"></label>
      <button class="button">${t("wizard.camera_try")}</button></form>
    <div class="modes"><button type="button" class="pick" data-do="cameras-again">${t("wizard.look_again")}</button>
      <button type="button" class="pick" data-do="no-camera" ${pressed(!ui.set.camera.id)}>${icon("phone")} ${t("wizard.camera_without")}</button></div>
    <p class="empty">${t("wizard.camera_recordings")}</p>`;
}

const livePicture = (doc, ui) => html`<div class="live">${shot(doc, ui.watch.see("/api/v1/setup/picture"), t("device.camera"))}</div>`;

function aspect([name, against], scene) {
  const found = against.filter((key) => scene.remarks.includes(key));
  const judged = name === "light" || !scene.remarks.includes("no_tiles");
  const level = !judged ? "none" : found.length ? "open" : "good";
  const words = !judged ? t("scene.unjudged") : found.length ? found.map((key) => t(`scene.${key}`)).join(" ") : t(`scene.${name}_good`);
  return html`<li data-level="${level}"><span aria-hidden="true">${{ good: "✓", open: "▲", none: "○" }[level]}</span><b>${t(name === "glare" ? "scene.glare_name" : `scene.${name}`)}</b><span>${words}</span></li>`;
}

/** The tiles that are read, drawn over the picture: a box each, with a sign where a look is needed. */
export function boxesView(reading) {
  if (!reading) return "";
  return html`<svg class="boxes" viewBox="0 0 ${reading.width} ${reading.height}" aria-hidden="true">${reading.tiles.filter((one) => one.tile !== "x").map(({ box: [x1, y1, x2, y2], sure }) => html`<g class="seen-box" data-sure="${sure}">
    <rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}"></rect>${sure === "sure" ? "" : html`<text x="${x1}" y="${y1 - 4}" font-size="${Math.max(18, (y2 - y1) * 0.5)}">?</text>`}</g>`)}</svg>`;
}

/** How many tiles are read how surely, and the advice below 98 %. */
export function counts(reading) {
  const faces = (reading?.tiles ?? []).filter((one) => one.tile !== "x");
  const all = faces.length;
  if (!all) return html`<p role="status">${t("scene.no_tiles")}</p>`;
  const sure = faces.filter((one) => one.sure === "sure").length;
  const share = Math.floor((100 * sure) / all);
  return html`<p role="status" class="tile-count"><b>${share} %</b> ${t("wizard.tiles_sure", { sure, all })}</p>${share < 98 ? html`<p>▲ ${t("wizard.tiles_advice")}</p>` : ""}`;
}

export function lightView(doc, ui) {
  const { value: scene, error } = ui.watch.read("/api/v1/setup/scene");
  const picture = ui.watch.see("/api/v1/setup/picture");
  return html`<h2>${t("wizard.light")}</h2><p>${t("wizard.light_hint")}</p><div class="beside"><div class="live">${shot(doc, picture, t("device.camera"))}${boxesView(scene?.reading)}</div>
    <div class="stack"><ul class="checks">${scene ? ASPECTS.map((one) => aspect(one, scene)) : html`<li>${error ? sentence(doc, error) : t("wizard.reading")}</li>`}</ul>
    ${scene ? counts(scene.reading) : ""}</div></div>`;
}


/** The list of cameras is asked for anew whenever this step comes up. */
export const start = (ui, { setUp, draw }) => ({ begin: () => setUp("/cameras").then(({ cameras }) => { ui.cameras = cameras; draw(); }, () => {}) });
