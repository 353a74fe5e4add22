// Keeps the page's copy of the state fresh: live stream first, asking every two seconds when all live places are taken.
// A page that nobody sees holds no stream: over plain HTTP a browser has six connections for all its pages.

const KEPT = "paiju_state";
const STALE_MS = 4000;
const POLL_MS = 2000;
const RETRY_STREAM_MS = 30000;
const JUST_LOADED_MS = 60000;
let ahead = null; // of the table's clock before the time this page is open

/** What the table's clock says, as far as it was told; the clock of a tablet may be wrong by a day, and may be set. */
export const tableNow = () => (ahead === null ? Date.now() : ahead + performance.now());

/** A page that was loaded again a moment ago has what there is. */
const justLoaded = () => performance.getEntriesByType("navigation")[0]?.type === "reload" && performance.now() < JUST_LOADED_MS;

/** What was last seen stays on the device, for a page that is opened while the table is away. */
function keep(text) {
  try { localStorage.setItem(KEPT, JSON.stringify({ at: Date.now(), text })); } catch { /* a full or closed store */ }
}

function lastKept() {
  try { return JSON.parse(localStorage.getItem(KEPT)); } catch { return null; }
}

/**
 * Follow the table.
 * @param {(doc: object) => void} onState the whole state, each time it changes
 * @param {(link: {stale: boolean, since: Date|null}) => void} onLink when contact is lost or back
 * @param {{as?: string, heard?: () => boolean, outlived?: () => void}} options `as: "viewer"` sees only what everybody may
 *   see; a page that is `heard` asks every two seconds while it is hidden; `outlived` is called when another version of the
 *   program serves the table than made this page
 */
export function follow(onState, onLink, { as = "", heard: isHeard = () => false, outlived = () => location.reload() } = {}) {
  const view = as ? `?as=${as}` : "";
  let heardAt = performance.now();
  let seenAt = heardAt; // since when somebody looks at this page
  let stale = false;
  let source = null;
  let polling = 0;
  let etag = null;
  let shown = "";

  const heard = () => {
    heardAt = performance.now();
    if (stale) { stale = false; onLink({ stale, since: null }); }
  };
  const show = (text) => {
    heard();
    if (text === shown) return;
    shown = text;
    keep(text);
    onState(JSON.parse(text));
  };

  async function ask() {
    const headers = etag ? { "If-None-Match": etag } : {};
    try {
      const answer = await fetch(`/api/v1/state${view}`, { headers, cache: "no-store" });
      if (answer.status === 304) return heard();
      if (!answer.ok) return;
      etag = answer.headers.get("ETag");
      show(await answer.text());
    } catch { /* the watch below tells the reader */ }
  }

  function poll() {
    if (polling) return;
    ask();
    polling = setInterval(ask, POLL_MS);
  }

  function open() {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(`/api/v1/stream${view}`);
    source.addEventListener("state", (event) => {
      clearInterval(polling);
      polling = 0;
      show(event.data);
    });
    source.addEventListener("beat", heard);
    source.addEventListener("hello", (event) => {
      const { at_ms: at, version } = JSON.parse(event.data);
      ahead = at - performance.now();
      if (!import.meta.url.includes(`/static-${version}/`) && !justLoaded()) outlived();
    });
    source.onerror = () => {
      // A refused stream (503) is closed for good by the browser; a broken one reconnects by itself.
      if (source.readyState !== EventSource.CLOSED) return;
      poll();
      setTimeout(open, RETRY_STREAM_MS);
    };
  }

  function rest() {
    source?.close();
    clearInterval(polling);
    polling = 0;
    if (isHeard()) poll();
    else if (!shown) ask(); // what nobody has looked at yet shows something when it is
  }

  function wake() {
    seenAt = performance.now();
    open();
  }

  setInterval(() => {
    if (document.hidden || performance.now() - Math.max(heardAt, seenAt) <= STALE_MS) return;
    if (!stale) {
      stale = true;
      const kept = shown ? null : lastKept();
      if (kept) onState(JSON.parse(kept.text));
      onLink({ stale, since: new Date(kept ? kept.at : Date.now() - (performance.now() - heardAt)) });
    }
    if (!polling) ask();
  }, 1000);
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : wake()));
  if (document.hidden) rest();
  else open();
}
