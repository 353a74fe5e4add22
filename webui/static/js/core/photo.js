// Sends a photograph of a hand.

import { deviceName, GUARD, newKey, Refusal } from "./send.js";
import { t } from "./texts.js";

const FORM_BYTES = 64 * 1024; // what the form adds around a picture
/** Keys of uploads of which nobody knows the outcome, by file and claim: another try is the same one. */
const unanswered = new Map();

/** Upload a photograph of this claim; `onProgress` gets 0..1. One that the server would refuse for its size is not sent. */
export function photo(file, claim, onProgress) {
  if (file.size + FORM_BYTES > Number(document.body.dataset.uploadLimit)) {
    return Promise.reject(new Refusal(t("say.too_large"), { key: "too_large" }));
  }
  const words = JSON.stringify([claim, file.name, file.size, file.lastModified]);
  const idem = unanswered.get(words) ?? newKey();
  unanswered.set(words, idem);
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("picture", file);
    form.append("idem", idem);
    form.append("name", deviceName());
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/photo");
    for (const [name, value] of Object.entries(GUARD)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => { if (event.lengthComputable) onProgress(event.loaded / event.total); };
    request.onerror = () => reject(new Refusal(t("error.offline")));
    request.onload = () => {
      let body = {};
      try {
        body = JSON.parse(request.responseText);
        if (body.key !== "not_known_yet") unanswered.delete(words);
      } catch { /* answered below */ }
      if (request.status < 300) resolve(body);
      else reject(new Refusal(body.error ?? t("error.unknown", { status: request.status }), body));
    };
    request.send(form);
  });
}
