// Python in a worker, with the tables of this browser: what it is told by the page, what it keeps, who searches for it.

import { load, unpack } from "./python.js";

// What is kept: in IndexedDB, a row for each table and for each entry, as in the store of a server.

const STORE = "strandline";

const settled = (request) =>
  new Promise((settle, fail) => {
    request.onsuccess = () => settle(request.result);
    request.onerror = () => fail(request.error);
  });

const opened = (() => {
  const request = indexedDB.open(STORE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables", { keyPath: "id" });
    request.result.createObjectStore("entries", { keyPath: ["table", "number"] });
    request.result.createObjectStore("keys");
  };
  return settled(request);
})();

const rows = (table, after) => IDBKeyRange.bound([table, after + 1], [table, Infinity]);

/** Other tabs have a Python of their own: they hear which table has changed. */
const others = new BroadcastChannel(STORE);

/** All or nothing, on the disk before it is answered. True if done, false if another tab was faster. */
async function write(stores, change) {
  const database = await opened;
  const transaction = database.transaction(stores, "readwrite", { durability: "strict" });
  const done = new Promise((settle, fail) => {
    transaction.oncomplete = () => settle(true);
    transaction.onabort = () => (transaction.error?.name === "ConstraintError" ? settle(false) : fail(transaction.error));
  });
  change(...stores.map((name) => transaction.objectStore(name)));
  return done;
}

const store = {
  async load(table, after) {
    const transaction = (await opened).transaction(["tables", "entries"]);
    const found = await settled(transaction.objectStore("tables").get(table));
    const entries = found ? await settled(transaction.objectStore("entries").getAll(rows(table, after))) : [];
    return found ? JSON.stringify({ table: found, entries }) : undefined;
  },
  /** All tables: their ids, the keys of this browser's seats, and when they were made. */
  async list() {
    const found = await settled((await opened).transaction("tables").objectStore("tables").getAll());
    return JSON.stringify(found.map(({ id, key, made }) => ({ id, key, made })));
  },
  /** New tables and new entries, given as JSON. */
  async add(text) {
    const { tables, entries } = JSON.parse(text);
    const done = await write(["tables", "entries"], (intoTables, intoEntries) => {
      for (const table of tables) intoTables.add(table);
      for (const entry of entries) intoEntries.add(entry);
    });
    if (done) for (const table of new Set(entries.map((entry) => entry.table))) others.postMessage(table);
    return done;
  },
};

// Who signs: a key that is made here once and cannot be taken out of this browser.

const SIGNING = "signing";

async function keptKey() {
  const database = await opened;
  return settled(database.transaction("keys").objectStore("keys").get(SIGNING));
}

/** The pair of keys; undefined where the browser knows no Ed25519. */
async function signingKey() {
  const kept = await keptKey();
  if (kept) return kept;
  let made;
  try {
    made = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  } catch {
    return undefined;
  }
  await write(["keys"], (keys) => keys.add(made, SIGNING));
  return keptKey(); // another tab may have been faster
}

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const signer = {
  /** The public key, or nothing where none can be had. */
  async key() {
    const pair = await signingKey();
    return pair ? hex(await crypto.subtle.exportKey("raw", pair.publicKey)) : "";
  },
  async sign(text) {
    const { privateKey } = await signingKey();
    return hex(await crypto.subtle.sign("Ed25519", privateKey, new TextEncoder().encode(text)));
  },
};

// Who searches: workers without Python, each with a game's kernels in its own memory.

/** As many as a search has trees; Python itself waits meanwhile. */
const SEARCHERS = Math.min(2, navigator.hardwareConcurrency ?? 2);
/** @type {Worker[]} */
const idle = [];
let started = 0;
/** @type {((searcher: Worker) => void)[]} */
const queue = [];

async function searcher() {
  if (idle.length) return idle.pop();
  if (started < SEARCHERS) {
    started += 1;
    return new Worker(new URL("searcher.js", import.meta.url), { type: "module", name: "search" });
  }
  return new Promise((go) => queue.push(go));
}

/** Let a searcher work through steps over a fresh memory; answers with the memory as it is then. */
async function search(module, steps) {
  const one = await searcher();
  try {
    const answer = new Promise((settle, fail) => {
      one.onmessage = ({ data }) => settle(data);
      one.onerror = (event) => fail(new Error(event.message));
    });
    one.postMessage({ module, steps });
    return new Uint8Array(await answer);
  } finally {
    const next = queue.shift();
    if (next) next(one);
    else idle.push(one);
  }
}

// Who plays perfectly: another Python, started when it is first asked. It answers one question after the other.

/** @type {Worker} */
let solver = null;
let solved = Promise.resolve("");

function solve(question) {
  solver ??= new Worker(new URL("solver.js", import.meta.url), { type: "module", name: "solver" });
  const asked = () =>
    new Promise((settle, fail) => {
      solver.onmessage = ({ data }) => ("answer" in data ? settle(data.answer) : fail(new Error(data.error)));
      solver.onerror = (event) => fail(new Error(event.message));
      solver.postMessage(question);
    });
  solved = solved.then(asked, asked);
  return solved;
}

// Python

async function start() {
  const python = await load();
  python.registerJsModule("strandline_browser", { store, search, signer, solve, unpack: (name) => unpack(python, name) });
  return python.pyimport("strandline.site.worker").start((kind, id, told) => postMessage({ kind, id, ...JSON.parse(told) }));
}

const site = start();
site.catch((error) => postMessage({ kind: "failed", id: 0, error: String(error) }));
others.onmessage = async ({ data }) => (await site).heard(data);

addEventListener("message", async ({ data: { kind, id, ...asked } }) => {
  const python = await site;
  if (kind === "request") python.request(id, asked.path, asked.token ?? undefined, asked.language, asked.body ?? undefined);
  else if (kind === "open") python.open(id, asked.table);
  else if (kind === "say") python.say(id, asked.text);
  else if (kind === "close") python.close(id);
});
