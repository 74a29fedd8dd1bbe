// The service worker of a site: everything is kept at the first visit, so that the network is never needed again.
// A new version is fetched beside the old one and waits until the page says that it may take over.

const VERSION = "%VERSION%";
const FILES = JSON.parse('%FILES%');
const CACHE = `strandline-${VERSION}`;
const site = /** @type {any} */ (globalThis);

site.addEventListener("install", (event) => event.waitUntil(keepAll()));

async function keepAll() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(new URL(file, site.registration.scope), { cache: "no-cache" })));
}

site.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith("strandline-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await site.clients.claim();
}

site.addEventListener("message", ({ data }) => data === "take over" && site.skipWaiting());

site.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(site.registration.scope)) event.respondWith(answer(event.request));
});

/** What is kept; whatever follows the question mark is the page's own affair. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
