// Tiles that were tapped in and not sent survive a reload of their page, as long as their hand is played.

const KEPT = `paiju_entered ${location.pathname}`;

/** The hand that is being played; no other of the evening is called so. */
export const playedHand = (doc) => [doc.game?.id, doc.round?.hand_no, doc.earlier.rows + doc.history.length].join(" ");

function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEPT)); } catch { return null; }
}

function keep(doc, { claim, drawn, play, correct, unsent }) {
  const entered = { hand: playedHand(doc), seat: doc.claim?.seat, entry: claim.entry, drawn, play: play?.entry ? play : undefined, unsent: correct ?? unsent };
  try { sessionStorage.setItem(KEPT, JSON.stringify(entered)); } catch { /* a full or closed store forgets */ }
}

/** Take up what the page held before it was loaded again: of this hand, and the tiles of a win only for who claims it now; a correction waits until its hand is opened. */
function takeUp(doc, ui) {
  const { hand, seat, entry, drawn, play, unsent } = kept() ?? {};
  if (hand !== playedHand(doc)) return;
  if (entry && seat === doc.claim?.seat) ui.claim.entry = entry;
  Object.assign(ui, drawn && { drawn }, play && { play }, unsent && { unsent });
}

/** What to do with the first state of a page: from then on what is entered there is kept when the page goes. */
export function keepsEntered(page, ui) {
  let known = false;
  addEventListener("pagehide", () => { if (known) keep(page.doc(), ui); });
  return (doc) => {
    if (!known) takeUp(doc, ui);
    known = true;
  };
}
