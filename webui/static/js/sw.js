// Keeps the shell of the pages, so that an installed tablet shows its last page at once. State is never cached.

// The files of each version have addresses of their own, and so has this worker: what an older one kept goes.

const CACHE = `paiju-shell${self.location.search}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
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
