// What a service worker does with push messages. It stands alone, so that any service worker can take it in with importScripts.

const worker = /** @type {any} */ (self);
/** How long a notice stays that says only that another one is withdrawn. */
const WITHDRAWN = 3000;

/** Show it, once a table: a newer notice takes the place of an older one. */
worker.addEventListener("push", (event) => {
  const { title, body, tag, page, withdrawn } = event.data.json();
  const icon = new URL("static/favicon.svg", worker.registration.scope).href;
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon, silent: withdrawn, data: { page, withdrawn } }));
  if (withdrawn) setTimeout(() => close(tag), WITHDRAWN); // browsers want to see a notice for every message, so it is not awaited
});

/** Take away a notice that has withdrawn another, unless the next turn has begun meanwhile. */
async function close(tag) {
  const shown = await worker.registration.getNotifications({ tag });
  for (const notice of shown) if (notice.data.withdrawn) notice.close();
}

/** A tap leads to the table: to the window that shows it already, if there is one. */
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { page } = event.notification.data;
  event.waitUntil((async () => {
    const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find(({ url }) => url.split(/[?#]/)[0] === page);
    return there ? there.focus() : worker.clients.openWindow(page);
  })());
});
