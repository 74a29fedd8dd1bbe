// The service worker of a server's pages: it is there for push messages only.

/** @type {any} */ (self).importScripts("static/push-worker.js");
