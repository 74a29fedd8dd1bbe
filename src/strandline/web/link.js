// The line to the table: one connection that comes back by itself.

import { line } from "./transport.js";
import { language } from "./words.js";

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];
const HEARTBEAT = 20000;
const PATIENCE = 8000;
/** A window for which boards are arranged wide. */
const WIDE = matchMedia("(min-aspect-ratio: 9/10)");
/** Close codes after which trying again is no use. */
const FINAL = new Set([4401, 4403, 4404]);

export class Link {
  /** @type {string} */ table;
  /** @type {string | null} */ token;
  /** @type {{ message: (message: any) => void, up: () => void, down: (seconds: number) => void, gone: (code: number) => void }} */ on;
  /** @type {Map<number, (answer: any) => void>} */ answers;
  /** @type {() => number} The number of the last line that the page has. */ since;
  /** Boards are arranged for this form of the window. */ wide = WIDE.matches;
  asked = 0;
  /** @type {any} */ socket;

  /** `on` has the handlers `message(object)`, `up()`, `down(seconds until the next try)` and `gone(code)`. */
  constructor(table, token, on) {
    Object.assign(this, { table, token, on, tries: 0, answers: new Map(), since: () => 0, pieces: [] });
    addEventListener("online", () => this.hurry());
    WIDE.addEventListener("change", () => this.send({ type: "form", wide: (this.wide = WIDE.matches) }));
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    this.connect();
  }

  connect() {
    clearTimeout(this.retry);
    const socket = line(this.table);
    this.socket = socket;
    socket.addEventListener("open", () => {
      const since = this.since();
      this.pieces = [];
      socket.send(JSON.stringify({ type: "hello", token: this.token, pieces: true, story: true, wide: this.wide, language, ...(since ? { since } : {}) }));
      this.beat();
    });
    socket.addEventListener("message", ({ data }) => this.take(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => socket === this.socket && this.lost(code));
  }

  take(message) {
    clearTimeout(this.silence);
    if (message.type === "state") {
      for (const step of message.steps) step.svg = this.board(step.svg);
      message.svg = this.board(message.svg);
      this.tries = 0;
      this.on.up();
    }
    const settle = this.answers.get(message.re);
    this.answers.delete(message.re);
    if (message.type !== "pong") this.on.message(message);
    settle?.(message);
  }

  /** The board as a whole: its new pieces come as texts, the others as their places in the board before. */
  board(pieces) {
    this.pieces = pieces.flatMap((piece) => (typeof piece === "string" ? piece : this.pieces.slice(...piece)));
    return this.pieces.join("");
  }

  lost(code) {
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    for (const settle of this.answers.values()) settle(null);
    this.answers.clear();
    if (FINAL.has(code)) return this.on.gone(code);
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.tries += 1;
    this.retry = setTimeout(() => this.connect(), pause);
    this.on.down(Math.ceil(pause / 1000));
  }

  /** Something has changed for the better: do not wait for the pause to end. */
  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  /** A connection can die without a word; then a ping gets no answer. */
  beat() {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => {
      this.send({ type: "ping" });
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.abandon(), PATIENCE);
    }, HEARTBEAT);
  }

  abandon() {
    const socket = this.socket;
    this.socket = { readyState: WebSocket.CLOSED };
    socket.close();
    this.lost(0);
  }

  /** The answer, or null if the connection broke before it came. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    this.asked += 1;
    const id = this.asked;
    const answer = new Promise((settle) => this.answers.set(id, settle));
    this.socket.send(JSON.stringify({ ...message, id }));
    return answer;
  }
}
