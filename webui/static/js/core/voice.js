// Says a confirmed hand aloud, and chimes for a call: on this device only, if it was switched on here, never twice.

const SPEECH = { "zh-Hans": "zh-CN", "zh-Hant": "zh-CN", en: "en-US" };

const stored = (name) => { try { return localStorage.getItem(`paiju_${name}`); } catch { return null; } };
const store = (name, value) => { try { localStorage.setItem(`paiju_${name}`, value); } catch { /* a closed store forgets */ } };

const canSpeak = () => "speechSynthesis" in window;

/** A voice for the language of this device that needs no network; null without one. */
function voice() {
  const language = SPEECH[document.documentElement.lang];
  const fits = canSpeak() ? speechSynthesis.getVoices().filter((one) => one.localService && one.lang.replace("_", "-").startsWith(language.slice(0, 2))) : [];
  return fits.find((one) => one.lang.replace("_", "-") === language) ?? fits[0] ?? null;
}

/** Whether this device has a voice for its language; browsers find theirs only a moment after the page was opened. */
export const hasVoice = () => voice() !== null;

/** Run `work` when the browser has found its voices. */
export function onVoices(work) {
  if (canSpeak()) speechSynthesis.addEventListener?.("voiceschanged", work);
}

export const speaks = () => stored("voice") === "on";

/** Switch the voice on or off; the tap itself unlocks sound in the browser. */
export function setVoice(on) {
  store("voice", on ? "on" : "off");
  if (on && canSpeak()) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

/** Say a sentence in the language of this device. */
export function say(sentence) {
  if (!canSpeak()) return;
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = SPEECH[document.documentElement.lang];
  words.voice = voice();
  speechSynthesis.speak(words);
}

/** What tells one announcement from another: a hand, and again when its value was corrected. */
const keyOf = (doc, row) => `${doc.game.id}:${row.hand_no}:${row.outcome}:${row.total}:${row.payments.join()}`;

/**
 * Say the newest hand if it is new. What was there when the page opened is not said.
 * @param sentence `(row, corrected) -> string`
 */
export function announce(doc, before, sentence) {
  const row = doc.history[doc.history.length - 1];
  if (!row || !before?.game || before.game.id !== doc.game?.id) return;
  const changed = doc.history.filter((one, i) => one.corrected && before.history[i] && keyOf(doc, one) !== keyOf(doc, before.history[i]));
  const news = doc.history.length > before.history.length ? [[row, false]] : changed.map((one) => [one, true]);
  for (const [one, corrected] of news) {
    const key = keyOf(doc, one);
    if (!speaks() || !canSpeak() || stored("said") === key) continue;
    store("said", key);
    say(sentence(one, corrected));
  }
}

/** Two soft notes. */
export function chime() {
  if (!speaks() || !window.AudioContext) return;
  const sound = new AudioContext();
  [[660, 0], [880, 0.18]].forEach(([pitch, at]) => {
    const note = sound.createOscillator();
    const loud = sound.createGain();
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, sound.currentTime + at);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.5);
    note.connect(loud).connect(sound.destination);
    note.start(sound.currentTime + at);
    note.stop(sound.currentTime + at + 0.5);
    if (at > 0) note.onended = () => sound.close(); // a browser has few of them
  });
}
