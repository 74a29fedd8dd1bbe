// What lies behind the pages of a site: files that were written when it was built, and a worker in which Python runs.

// @ts-expect-error  written when the site is built
import { FILES } from "./files.js";

/** Where Strandline begins in the address, whatever comes before it. */
const ROOT = new URL("..", import.meta.url);

/** Whether other devices reach the same tables. */
export const SHARED = false;

/** What the page shows, by the first word after the question mark: a table, or a game. */
export let SUBJECT = subject();

function subject() {
  return location.search.slice(1).split("&")[0];
}

/** The whole address of a page or a picture, from its path. Folders hold one page each: "/table/ID" is "table/?ID". */
export function address(path) {
  if (path in FILES) return new URL(file(path), ROOT).href;
  if (path.startsWith("/static/")) return new URL(path.slice(1), ROOT).href;
  const [, folder, subject, at, hash] = /^\/(?:(\w+)\/([^?#]*))?(\?[^#]*)?(#.*)?$/.exec(path);
  const asked = [subject, at?.slice(1)].filter(Boolean).join("&");
  return new URL((folder ? `${folder}/` : "") + (asked && `?${asked}`) + (hash ?? ""), ROOT).href;
}

// Pages. To go to a table is to show another page in place of this one: Python stays awake.

const here = () => location.pathname + location.search;
let shown = here();

/** Go to a table; `instead` leaves no way back to this page. */
export async function enter(path, instead = false) {
  const to = address(path);
  const text = await (await fetch(to.split("?")[0])).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const { translate } = await import("./words.js");
  history[instead ? "replaceState" : "pushState"](null, "", to);
  shown = here();
  SUBJECT = subject();
  document.querySelector("link[rel=icon]").replaceWith(page.querySelector("link[rel=icon]"));
  document.body.replaceWith(page.body);
  scrollTo(0, 0);
  translate();
  await import(new URL(page.querySelector("script[type=module]").getAttribute("src"), to).href);
}

addEventListener("popstate", () => here() !== shown && location.reload());

const spoken = () => document.documentElement.lang;

const file = (path, language = spoken()) => FILES[path][language] ?? FILES[path].en;

/** The address of a picture: a file, or one that Python draws. */
export async function image(path) {
  if (path in FILES) return address(path);
  const drawn = await (await request(path)).json();
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}

// The worker. It is started when the page has been drawn, or when it is first needed.

/** @type {Worker} */
let worker = null;
let asked = 0;
/** @type {Map<number, { settle: (answer: any) => void, fail: (error: Error) => void }>} */
const waiting = new Map();
/** @type {Map<number, Line>} */
const lines = new Map();

function python() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: "python" });
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", (event) => fail(event.message ?? ""));
  return worker;
}

function hear({ kind, id, ...told }) {
  if (kind === "answer") {
    waiting.get(id)?.settle(told);
    waiting.delete(id);
  } else if (kind === "opened") lines.get(id)?.opened();
  else if (kind === "told") lines.get(id)?.told(told.text);
  else if (kind === "closed") lines.get(id)?.closed(told.code);
  else if (kind === "failed") fail(told.error);
}

/** Python is gone, or never came: whoever waits is told, and the next one to ask starts it anew. */
function fail(error) {
  console.error(error);
  worker?.terminate();
  worker = null;
  for (const { fail: give } of waiting.values()) give(new Error(error));
  waiting.clear();
  for (const one of [...lines.values()]) one.closed(1011);
}

/** A request as a server would answer it. */
export async function request(path, how = {}) {
  const { headers = /** @type {Record<string, string>} */ ({}), body = null } = how;
  const language = headers["Accept-Language"] ?? (path.startsWith("/api/words/") ? path.split("/").pop() : spoken());
  if (path in FILES) return fetch(new URL(file(path, language), ROOT));
  asked += 1;
  const id = asked;
  const answer = new Promise((settle, fail) => waiting.set(id, { settle, fail }));
  const token = headers.Authorization?.replace(/^Bearer /, "") ?? null;
  python().postMessage({ kind: "request", id, path, token, language, body });
  const { status, text } = await answer;
  return new Response(text, { status, headers: { "Content-Type": "application/json" } });
}

/** The line to a table, with what pages use of a WebSocket. */
class Line extends EventTarget {
  constructor(table) {
    super();
    this.readyState = /** @type {number} */ (WebSocket.CONNECTING);
    asked += 1;
    this.id = asked;
    lines.set(this.id, this);
    python().postMessage({ kind: "open", id: this.id, table });
  }

  opened() {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  told(text) {
    this.dispatchEvent(new MessageEvent("message", { data: text }));
  }

  closed(code) {
    this.readyState = WebSocket.CLOSED;
    lines.delete(this.id);
    this.dispatchEvent(new CloseEvent("close", { code }));
  }

  send(text) {
    worker?.postMessage({ kind: "say", id: this.id, text });
  }

  close() {
    worker?.postMessage({ kind: "close", id: this.id });
    this.closed(1000);
  }
}

export const line = (table) => /** @type {any} */ (new Line(table));

// The lobby is drawn first; anywhere else nothing can be done without Python.
if (document.body.classList.contains("lobby")) addEventListener("load", () => setTimeout(python, 50));
else python();
import("./update.js");
