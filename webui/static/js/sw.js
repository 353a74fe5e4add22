// Keeps the shell of the pages, so that an installed tablet shows its last page at once. State is never cached.

// The files of each version have addresses of their own, and so has this worker: those of an older one go. Its pages
// stay until they are fetched again: the first page of a new version came through the older worker.

const CACHE = `paiju-shell${self.location.search}`;
const FILES = `/${self.location.search.slice(1)}/`;

async function takeOver(name) {
  const [older, store] = [await caches.open(name), await caches.open(CACHE)];
  for (const request of await older.keys()) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/static") || pathname.startsWith(FILES)) await store.put(request, await older.match(request));
  }
  await caches.delete(name);
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await takeOver(name);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const shell = url.pathname.startsWith("/static") || url.pathname.startsWith("/texts/") || event.request.mode === "navigate";
  if (event.request.method !== "GET" || !shell) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) cache.put(event.request, fresh.clone());
      return fresh;
    } catch (error) {
      const kept = await cache.match(event.request);
      if (kept) return kept;
      throw error;
    }
  })());
});
