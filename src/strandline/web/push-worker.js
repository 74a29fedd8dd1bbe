// What a service worker does with push messages. It stands alone, so that any service worker can take it in with importScripts.

const worker = /** @type {any} */ (self);

/** Show it, once a table: a newer notice takes the place of an older one. */
worker.addEventListener("push", (event) => {
  const { title, body, tag, page } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: new URL("static/favicon.svg", worker.registration.scope).href, data: { page } }));
});

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
