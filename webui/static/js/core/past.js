// Fetches hands further back than the state tells of a long game.

import { Refusal } from "./send.js";
import { t } from "./texts.js";
import { told } from "./told.js";

const MOST = 200; // rows in one answer

async function rowsBefore(before, count) {
  const found = await told(`/api/v1/history?before=${before}&count=${count}`);
  if (!found) throw new Refusal(t("error.offline"));
  return found;
}

/** The rows that a page keeps, as they are now that some row has changed: a document with them in place of the old. */
export async function renewed(doc) {
  const rows = [];
  let at = doc.earlier.rows + doc.history.length;
  while (at > doc.earlier.rows) {
    const answer = await rowsBefore(at, Math.min(MOST, at - doc.earlier.rows));
    rows.unshift(...answer.rows);
    at = answer.first;
    if (!answer.rows.length) break;
  }
  return { ...doc, history: rows };
}

/** The document with up to two hundred rows more before those it has. */
export async function withEarlier(doc) {
  const { first, rows } = await rowsBefore(doc.earlier.rows, MOST);
  return { ...doc, earlier: { ...doc.earlier, rows: first }, history: [...rows, ...doc.history] };
}
