// Sends what a person taps. Every command carries its own key, so a repeated one has one effect.

import { t } from "./texts.js";

export const GUARD = { "X-Paiju": "1" };
const LOST = "lost";
const UNKNOWN = [LOST, "not_known_yet"];
const SLOW_MS = 20000; // a table that is there has answered before
/** Keys of commands of which nobody knows the outcome, by what they say: another try is the same one. */
const unanswered = new Map();
/** Commands on their way, by what they say: a double tap is one wish. */
const sending = new Map();

/** Why something was not done: a sentence, and its key and values where the table said it. */
export class Refusal extends Error {
  constructor(text, { key = "", params = {} } = {}) {
    super(text);
    Object.assign(this, { key, params, text });
  }
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function post(url, options, method = "POST") {
  let answer;
  try {
    answer = await fetch(url, { method, ...options, headers: { ...GUARD, ...options.headers } });
  } catch {
    throw new Refusal(t("error.offline"), { key: LOST });
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.status === 423) {
    const opened = unlock(body.key);
    if (opened) return post(url, { ...options, headers: { ...options.headers, "X-Paiju-Pin": opened } }, method);
  }
  // a page in another language must not show the table's English: what has a key is said by it
  if (!answer.ok) throw new Refusal((document.documentElement.lang === "en" && body.error) || t("error.unknown", { status: answer.status }), body);
  return body;
}

/** What opens the set-up in the middle of a hand: the chief's PIN, or a second thought at a table without PINs. */
function unlock(key) {
  if (key === "hand_open_sure") return window.confirm(t("say.hand_open_sure")) ? "sure" : "";
  return window.prompt(t("say.hand_open")) ?? "";
}

export const asJson = (body) => ({ body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

/** Send one command, e.g. `command("agree", {seat: 2})`; throws a Refusal with the reason. */
export function command(kind, fields = {}) {
  const words = JSON.stringify([kind, fields]);
  if (sending.has(words)) return sending.get(words);
  const idem = unanswered.get(words) ?? newKey();
  unanswered.delete(words);
  const sent = post("/api/v1/command", { ...asJson({ kind, idem, actor: { name: deviceName() }, ...fields }), signal: AbortSignal.timeout?.(SLOW_MS) }).catch((refusal) => {
    if (UNKNOWN.includes(refusal.key)) unanswered.set(words, idem);
    throw refusal;
  }).finally(() => sending.delete(words));
  sending.set(words, sent);
  return sent;
}

/** Unlock this device with a PIN; without a role it becomes what the PIN is for. */
export const login = (pin, role) => post("/api/v1/login", asJson(role ? { pin, role } : { pin }));

/** Own the correction of a hand for ten seconds; a Refusal names who owns it already. */
export const ownCorrection = (number) => post("/api/v1/correction", asJson({ hand_no: number, name: "" }), "PUT");
export const leaveCorrection = (number) => post("/api/v1/correction", asJson({ hand_no: number }), "DELETE");

/** The name this device signs with. */
export const deviceName = () => document.body.dataset.page;
