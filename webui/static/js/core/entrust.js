// What lets devices in and out, and sets the table up.

import { asJson, post } from "./send.js";

/** Use a pairing code: this device becomes what it says. */
export const join = (ticket) => post("/api/v1/join", asJson({ ticket }));

/** A code that makes another device `{role, seat, name}`: its address and picture. */
export const pair = (wish) => post("/api/v1/pair", asJson(wish));

/** Put one device out, or all of them. */
export const revoke = (id) => post(`/api/v1/paired/${id}`, {}, "DELETE");
export const endSessions = () => post("/api/v1/paired", {}, "DELETE");

/** Give a role a new PIN, or take it away with null. */
export const setPin = (role, pin) => post("/api/v1/pins", asJson({ role, pin }), "PUT");

/** Ask or tell the set-up: `setUp("/camera", {camera})` sends, `setUp("/ports")` asks; a FormData goes as it is. */
export function setUp(path, body) {
  if (body === undefined) return post(`/api/v1/setup${path}`, {}, "GET");
  return post(`/api/v1/setup${path}`, body instanceof FormData ? { body } : asJson(body));
}
