// The table page: what the server tells is shown, what is clicked is sent. The server is the only judge.

import { Board } from "./board.js";
import { answers, ask, button, byId, confirmed, copyButton, dialog, make, named, note, PACES, remember, settings, showPage, showSettings, stillness, tables } from "./common.js";
import { Link } from "./link.js";
import { tokens, tumble } from "./outcome.js";
import { answerBox, invitation, Log, Moves, showAnswers, showInvitations, showSeats, showVotes } from "./panels.js";
import { Replay } from "./replay.js";
import { reviewed } from "./review.js";
import { glance, promptOf, told } from "./words.js";

const ID = location.pathname.split("/").filter(Boolean).pop();
const TOKEN = location.hash.slice(1) || null;
/** A run of steps is shown within this time, however long it is. */
const LONGEST_RUN = 9000;
const SHORTEST_STEP = 70;
const SINGLE_PAUSE = 1300;
/** After so long a hint is worth a word. */
const HINT_PATIENCE = 1500;
/** Pixels between what can be clicked and the bars. */
const MARGIN = 8;
/** A move and the roll after it: so far a piece's way from one board to the next is still its last move. */
const NEAR = 2;
/** Close codes: why the server does not let this page in. */
const REASONS = {
  4404: ["There is no such table.", "Is the link complete? Tables that nobody has touched for a long time are put away."],
  4401: ["This link opens no seat here.", "Is it complete? Ask whoever sent it to you for the whole link."],
};

class TablePage {
  constructor() {
    this.main = byId("table");
    this.main.dataset.table = ID;
    this.truth = null; // the newest state
    this.shown = 0; // the number of the last position of the game that was shown
    this.onBoard = 0; // the number of the position on the board, which in a replay is another
    this.arrived = new Map(); // states that have come and are still to be shown, by number
    this.sent = null; // the number of the position that a move was sent for, until the answer
    this.nextStep = 0; // when the next step may be shown
    this.log = new Log();
    this.moves = new Moves((move) => this.choose(move));
    this.board = new Board(byId("board"), { move: (move) => this.choose(move), step: (left) => this.narrowed(left) });
    this.replay = new Replay(ID, (number) => this.position(number), (step, glide) => this.showStep(step, glide), () => this.settle());
    this.act = { send: (message) => this.send(message), rename: (seat) => this.rename(seat) };
    this.link = new Link(ID, TOKEN, {
      message: (message) => this.take(message),
      up: () => this.banner(null),
      down: (seconds) => this.banner(`The connection is lost. Trying again ${seconds > 1 ? `in ${seconds} seconds` : "now"} …`, true),
      gone: (code) => this.gone(...(REASONS[code] ?? ["The server does not let this page in.", "Open the page at the server’s own address."])),
    });
    this.link.since = () => this.log.newest;
    byId("menu").addEventListener("click", () => this.openMenu());
    document.addEventListener("keydown", (event) => {
      this.keyed = true;
      if (event.key === "Escape") this.board.cancel();
    });
    document.addEventListener("pointerdown", () => (this.keyed = false));
  }

  get names() {
    return this.truth.seats.map(({ name }) => name);
  }

  // From the server

  take(message) {
    if (message.type === "state") this.receive(message);
    else if (message.type === "refused") this.truth && note(message.error, "bad"); // before that the page itself says why
    else if (message.type === "hint") this.showHint(message);
  }

  receive(state) {
    const first = this.truth === null;
    const over = state.turn === "over" && this.truth?.turn !== "over";
    this.truth = state;
    if (state.number !== this.sent) this.answered();
    this.arrived.set(state.number, state);
    this.log.absorb(state.log);
    Object.assign(this.main.dataset, { number: state.number, turn: state.turn });
    byId("title").textContent = state.title;
    this.moves.show(state.moves, this.names);
    clearTimeout(this.single);
    if (this.replay.open) this.replay.grow(state.number);
    if (first) this.arrive(state);
    else if (over) {
      this.revealLog();
      remember({ id: ID, ...this.seen(state) });
    }
    this.present(first);
  }

  arrive(state) {
    this.shown = this.onBoard = state.number;
    const known = tables().find(({ id }) => id === ID);
    const page = location.pathname + location.hash;
    remember({ id: ID, title: state.title, page: TOKEN ? page : known?.page ?? page, made: known?.made ?? Date.now(), ...this.seen(state) });
    const at = new URLSearchParams(location.search).get("at");
    if (at !== null && /^\d+$/.test(at)) this.replay.begin(Number(at), state.number);
    else if (state.number) this.recallTrail(state);
  }

  /** What the lobby says about the table. */
  seen = ({ seats, turn }) => ({ names: seats.map(({ name }) => name), over: turn === "over" });

  /** Whoever comes to a running game sees the last move too. */
  async recallTrail(state) {
    const last = [...this.log.lines.values()].filter(({ by, dropped, text }) => by !== "chance" && !dropped && !text.startsWith("undo ")).pop();
    if (!last) return;
    const before = await this.position(last.number - 1).catch(() => null);
    if (!before || this.truth.number !== state.number || this.busy || this.replay.open) return;
    this.board.show(before.svg, this.names, { glide: false });
    this.board.show(this.truth.svg, this.names, { glide: false });
  }

  /** At the end nothing is secret any more: what the log kept back is asked for again. */
  async revealLog() {
    if (![...this.log.lines.values()].some(({ text }) => text === "?")) return;
    const { log } = await ask(`/api/tables/${ID}`, { token: TOKEN });
    this.log.absorb(log);
    this.log.redraw();
    this.log.show(this.shown, this.names, this.board.svg);
  }

  /** A position of the record; those of the present game do not change, save that the end reveals secrets. */
  position(number) {
    return ask(`/api/tables/${ID}/positions/${number}`, { token: TOKEN });
  }

  // Showing what has happened, step by step

  async present(at_once) {
    if (this.busy) return;
    this.busy = true;
    this.hurry = at_once || PACES[settings().pace] === 0 || document.hidden || this.replay.open;
    while (!this.hurry && this.shown < this.truth.number) {
      this.skippable();
      const step = await this.step(this.shown + 1);
      await this.pause(this.nextStep - performance.now());
      if (this.hurry || !step) break;
      this.shown += 1;
      this.showStep(step);
      this.nextStep = performance.now() + this.stepTime(step.line);
    }
    this.busy = false;
    this.settle();
  }

  async step(number) {
    const state = this.arrived.get(number);
    this.arrived.delete(number);
    const line = this.log.lines.get(number);
    return state ? { ...state, line } : this.position(number).catch(() => null);
  }

  stepTime(line) {
    const pace = PACES[settings().pace];
    const own = line && !line.bot && this.truth.you.includes(line.by);
    const left = this.truth.number - this.shown;
    return Math.max(SHORTEST_STEP, Math.min(own ? pace / 3 : pace, LONGEST_RUN / Math.max(1, left)));
  }

  pause(time) {
    if (time <= 0) return Promise.resolve();
    return new Promise((go) => {
      this.skip = () => {
        this.hurry = true;
        go();
      };
      setTimeout(go, time);
    });
  }

  skippable() {
    if (this.truth.number - this.shown < 2 || byId("skip")) return;
    byId("actions").replaceChildren(button("Skip ahead", () => (this.hurry = true) && this.skip?.(), { class: "plain", id: "skip" }));
    byId("play").classList.add("waiting");
  }

  showStep(step, glide = true) {
    const { line } = step;
    const chance = line?.by === "chance";
    this.board.offer([], step.number);
    this.board.show(step.svg, this.names, { glide, fresh: !chance, far: step.number !== this.onBoard + 1 });
    this.onBoard = step.number;
    const text = line && (this.replay.open ? told(line, this.names) : told({ ...line, sentence: glance(line.sentence) }, this.names));
    this.say(text ?? "The game begins.", false);
    this.showOutcome(chance ? line : null, !this.replay.open);
    showSeats(this.truth, step, this.board.svg, this.act);
    this.log.show(step.number, this.names, this.board.svg);
    byId("words").textContent = named(step.words, this.names);
    this.main.classList.toggle("replaying", this.replay.open);
  }

  /** Show the present. */
  settle() {
    const state = this.truth;
    this.arrived.clear();
    showVotes(state, this.names, this.act);
    showInvitations(state, this.links());
    if (this.replay.open) return showSeats(state, state, this.board.svg, this.act);
    this.main.classList.remove("replaying");
    const jumped = this.shown !== state.number;
    const far = Math.abs(state.number - this.onBoard) > NEAR;
    this.shown = this.onBoard = state.number;
    this.board.show(state.svg, this.names, { fresh: jumped, far });
    if (far && PACES[settings().pace]) this.recallTrail(state);
    this.showOutcome(state.outcome, jumped);
    showSeats(state, state, this.board.svg, this.act);
    this.log.show(state.number, this.names, this.board.svg);
    byId("words").textContent = named(state.words, this.names);
    byId("play").classList.remove("waiting");
    this.board.offer(state.moves, state.number);
    this.showActions();
    this.showCover();
    if (this.sighted !== state.number) this.bringIntoSight();
    this.sighted = state.number;
    this.playForMe();
    this.refocus();
    document.title = `${state.acting === null ? "" : "● Your turn – "}${state.title}`;
  }

  /** On a phone the board is longer than the window: what can be clicked, or who has won, must not hide under the bars. */
  bringIntoSight() {
    const behavior = stillness() ? "instant" : "smooth";
    if (this.truth.turn === "over") return scrollTo({ top: 0, behavior });
    const ready = [...this.board.svg.querySelectorAll(".ready")].map((shape) => shape.getBoundingClientRect());
    if (!ready.length || document.documentElement.scrollHeight <= innerHeight) return;
    const [bar, board, play] = ["bar", "board", "play"].map((id) => byId(id).getBoundingClientRect());
    const below = play.left >= board.right ? 0 : play.height; // the moves stand below the board, or beside it
    const [from, to] = [bar.bottom + MARGIN, innerHeight - below - MARGIN];
    const all = { top: Math.min(...ready.map(({ top }) => top)), bottom: Math.max(...ready.map(({ bottom }) => bottom)) };
    const { top, bottom } = all.bottom - all.top <= to - from ? all : ready[0];
    const way = top < from ? top - from : Math.max(0, bottom - to);
    if (way) scrollBy({ top: way, behavior });
  }

  /** Who plays with the keyboard never has to look for their place: what had the focus may be gone. */
  refocus() {
    const { activeElement: at, body } = document;
    if (!this.keyed || (at !== body && at.getClientRects().length)) return; // what is hidden loses the focus a moment later
    (byId("here") ?? byId("moves").firstChild ?? byId("prompt")).focus({ preventScroll: true });
  }

  say(text, aloud = true) {
    const prompt = byId("prompt");
    prompt.setAttribute("aria-live", aloud ? "polite" : "off"); // steps are read out by the log
    if (prompt.textContent !== text) prompt.textContent = text;
  }

  /** The dice stay beside the prompt; when they are new they also tumble over the board, once. */
  showOutcome(line, isNew) {
    const place = byId("outcome");
    const known = place.dataset.number === String(line?.number);
    if (!line || line.text === "?") {
      place.replaceChildren();
      delete place.dataset.number;
      return;
    }
    if (known) return;
    place.dataset.number = line.number;
    const sentence = named(line.sentence, this.names);
    place.replaceChildren(...tokens(line.text, this.board.svg));
    place.title = sentence;
    if (!isNew || !place.children.length) return;
    const large = tokens(line.text, this.board.svg);
    byId("pop").replaceChildren(make("div", { class: "pop-dice" }, large), make("p", {}, glance(sentence)));
    byId("pop").classList.add("shown");
    tumble([...large, ...place.children]);
    clearTimeout(this.popped);
    this.popped = setTimeout(() => byId("pop").classList.remove("shown"), Math.min(1400, 300 + this.stepTime(line)));
  }

  narrowed(left) {
    if (!this.truth || this.busy || this.replay.open) return;
    const begun = this.board.chosen.length > 0;
    this.moves.narrow(begun ? left : this.truth.moves);
    this.say(this.prompt(begun));
    if (begun) this.bringIntoSight();
  }

  prompt(begun = false) {
    return promptOf(this.truth, this.names, this.board.tasks[this.truth.acting], begun);
  }

  showCover() {
    const { ask: seat } = this.truth;
    const cover = byId("cover");
    cover.hidden = seat === null;
    if (seat === null) return cover.replaceChildren();
    const here = button("I am here", () => this.send({ type: "here", seat, number: this.truth.number }), { class: "main", id: "here" });
    cover.replaceChildren(make("div", { class: "panel" }, make("h2", {}, `${this.names[seat]}, are you there?`), make("p", {}, "Your secrets are shown when the others look away."), here));
    if (document.activeElement === document.body || document.activeElement === byId("prompt")) here.focus();
  }

  // To the server

  async send(message) {
    const answer = await this.link.send(message);
    if (answer === null) note("That did not reach the server. It can be tried again when the connection is back.", "bad");
    return answer;
  }

  /** What gives something up for good asks once. */
  async choose(move) {
    const { number, moves } = this.truth;
    const warning = moves.find((offer) => offer.move === move)?.warning;
    if (warning && !(await confirmed("Are you sure?", named(warning, this.names), "Yes"))) return this.board.cancel();
    this.play(move, number);
  }

  async play(move, number = this.truth.number) {
    if (this.sent !== null) return this.board.cancel();
    this.sent = number;
    clearTimeout(this.single);
    this.hurry = true;
    this.skip?.();
    byId("moves").classList.add("sending");
    const answer = await this.link.move(move, number);
    if (answer === null) note("The move did not reach the server. Please look whether it counted.", "bad");
    if (this.sent !== number) return;
    this.answered();
    this.board.cancel();
  }

  /** The position has changed or the move was refused: the next move may be sent. */
  answered() {
    this.sent = null;
    byId("moves").classList.remove("sending");
  }

  /** Nobody clicks for nothing: a lone legal move, or an answer that was asked for, is played after a pause that shows. */
  playForMe() {
    const { acting, moves } = this.truth;
    const whose = this.whose();
    clearTimeout(this.single);
    showAnswers(moves, whose, () => this.settle());
    const asked = moves.find(({ standing, warning }) => standing && !warning && answers(whose).includes(standing));
    const lone = settings().single && moves.length === 1 && !moves[0].warning ? moves[0] : null;
    const played = acting !== null && this.sent === null ? asked ?? lone : null;
    this.moves.mark(played?.move ?? null, "soon");
    if (!played) return;
    this.say(promptOf(this.truth, this.names, asked ? "answered for you, as you asked" : "only one move: it is played for you"));
    this.single = setTimeout(() => this.replay.open || this.play(played.move), settings().pace === "none" ? SINGLE_PAUSE / 5 : SINGLE_PAUSE);
  }

  /** Standing answers belong to a person: at a screen with several, to the one who is to move. */
  whose() {
    const { game, you, acting } = this.truth;
    return you.length > 1 && acting !== null ? `${game}.${this.names[acting]}` : game;
  }

  // What else a person can do

  showActions() {
    const state = this.truth;
    const over = state.turn === "over";
    const buttons = [];
    if (over && state.rematch) buttons.push(make("a", { class: "button main", href: this.rematchPage(state) }, "Go to the rematch"));
    else if (over && state.you.length) buttons.push(button("Rematch", () => this.rematch(), { class: "main" }));
    if (state.acting !== null && state.hints) buttons.push(button("Hint", ({ currentTarget }) => this.askForHint(currentTarget, state.number), { class: "plain" }));
    if (state.undo) buttons.push(button(state.undo.free ? "Undo" : "Ask to undo", () => this.send({ type: "undo", number: this.truth.number }), { class: "plain", title: named(state.undo.sentence, this.names) }));
    if (state.number) buttons.push(button("Replay", () => this.replay.begin(over ? 0 : state.number, state.number), { class: "plain" }));
    if (over) buttons.push(button("Review", () => this.review(), { class: "plain" }));
    if (over) buttons.push(button("Verify the dice", () => this.verify(), { class: "plain" }));
    const label = byId("actions").contains(document.activeElement) ? document.activeElement.textContent : null;
    byId("actions").replaceChildren(...buttons);
    buttons.find(({ textContent }) => textContent === label)?.focus();
  }

  async askForHint(pressed, number) {
    if (pressed.ariaDisabled) return; // it keeps the focus all the same
    pressed.ariaDisabled = "true";
    const waiting = setTimeout(() => this.say("A bot is looking for a hint. The first time takes a moment."), HINT_PATIENCE);
    await this.send({ type: "hint", number });
    clearTimeout(waiting);
    pressed.ariaDisabled = null;
  }

  showHint({ move, sentence, number }) {
    if (number !== this.truth.number) return;
    this.moves.mark(move, "hinted");
    this.say(`A bot would play: ${named(sentence, this.names)}`);
  }

  rematchPage = ({ rematch }) => rematch + (TOKEN ? `#${TOKEN}` : "");

  async rematch() {
    const answer = await this.send({ type: "rematch" });
    const state = answer?.type === "state" ? answer : this.truth;
    if (state.rematch) location.href = this.rematchPage(state);
  }

  rename(seat) {
    const field = make("input", { maxlength: 24, value: seat.name, "aria-label": "Name", required: true });
    const form = make("form", {}, field);
    const save = button("Save", () => form.requestSubmit(), { class: "main" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.send({ type: "name", seat: seat.seat, name: field.value.trim() });
      box.close();
    });
    const box = dialog("Your name", form, { buttons: [save] });
    field.select();
  }

  async leave(seat) {
    const sure = await confirmed("Leave the table?", `A bot plays on for ${this.names[seat]}. With your link you can come back and take the seat again.`, "Leave");
    if (!sure) return;
    const answer = await this.send({ type: "leave", seat });
    if (answer?.type === "state" && this.truth.seats.every(({ yours, kind, bot }) => !yours || kind.startsWith("bot:") || bot !== null)) location.href = "/";
  }

  async review() {
    const { seats, you, number: last } = this.truth;
    const frame = make("div", { id: "review" }, make("p", { role: "status" }, "A bot is looking at the game again. That takes a few seconds …"));
    const box = dialog("Review", frame, { wide: true });
    const to = (number) => `${location.pathname}?at=${number}${location.hash}`;
    const look = (number) => {
      box.close();
      this.replay.begin(number, last);
    };
    try {
      const review = await ask(`/api/tables/${ID}/review`, { token: TOKEN });
      const said = make("p", { class: "quiet", role: "status" });
      const draw = () => frame.replaceChildren(said, ...reviewed(review, { seats, you, board: this.board.svg, width: frame.clientWidth, to, look }));
      draw();
      said.textContent = "The review is there.";
      let drawn = frame.clientWidth;
      new ResizeObserver(() => {
        if (frame.isConnected && frame.clientWidth !== drawn) draw();
        drawn = frame.clientWidth;
      }).observe(frame);
    } catch (error) {
      frame.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
    }
  }

  async verify() {
    try {
      const { verdict, findings } = await ask(`/api/tables/${ID}/verify`, { token: TOKEN });
      const words = { passed: "The dice were fair.", failed: "Something is wrong with this record.", open: "The seed is still secret: ask again when the game is over." };
      dialog("Fair dice", make("div", { id: "verdict", data: { verdict } },
        make("p", { class: `verdict ${verdict}` }, words[verdict]),
        make("ul", {}, findings.map((finding) => make("li", {}, finding))),
        make("p", {}, make("small", {}, "Before the first roll the table published this fingerprint of its secret seed: "), make("code", {}, this.truth.commitment)),
        this.truth.seed && make("p", {}, make("small", {}, "The seed, revealed at the end: "), make("code", {}, this.truth.seed))));
    } catch (error) {
      note(error.message, "bad");
    }
  }

  async download() {
    try {
      const record = await ask(`/api/tables/${ID}/record`, { token: TOKEN });
      const href = URL.createObjectURL(new Blob([JSON.stringify(record, null, 1)], { type: "application/json" }));
      make("a", { href, download: `${record.game}-${ID}.json` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10000);
    } catch (error) {
      note(error.message, "bad");
    }
  }

  links() {
    return tables().find(({ id }) => id === ID)?.links ?? [];
  }

  openMenu() {
    if (!this.truth) return;
    const { game, title, seats, turn } = this.truth;
    const item = (text, press) => button(text, () => {
      box.close();
      press();
    }, { class: "item" });
    const leaving = turn === "over" ? [] : seats.filter(({ yours, kind, bot }) => yours && !kind.startsWith("bot:") && bot === null);
    const watch = `${location.origin}/table/${ID}`;
    const box = dialog(title, [
      item("How to play", () => showPage(title, `/api/games/${game}/guide`)),
      item("All the rules", () => showPage(`${title}: rules`, `/api/games/${game}/rules`)),
      item("Replay", () => this.replay.begin(0, this.truth.number)),
      item("Download the record", () => this.download()),
      item("Fair dice", () => this.verify()),
      item("Settings", () => showSettings(() => this.settle(), this.givenAnswers())),
      ...leaving.map(({ seat, name }) => item(leaving.length > 1 ? `Leave the seat of ${name}` : "Leave the table", () => this.leave(seat))),
      make("h3", {}, "Links"),
      make("div", { class: "share" }, make("label", {}, make("span", {}, "To watch"), make("input", { readonly: true, value: watch })), copyButton(watch, "the link to watch")),
      ...this.links().map((link) => invitation(link, this.truth)),
    ]);
  }

  givenAnswers() {
    const whose = this.whose();
    const given = answers(whose);
    return given.length ? [make("h3", {}, "Answered for you"), ...given.map((sentence) => answerBox(sentence, whose, true, () => this.settle()))] : [];
  }

  banner(text, again = false) {
    const place = byId("banner");
    place.hidden = text === null;
    place.replaceChildren(...(text === null ? [] : [text, again && button("Try now", () => this.link.hurry(), { class: "plain small" })].filter(Boolean)));
    this.main.classList.toggle("offline", text !== null);
  }

  /** There is nothing to see here: say why, and where to go. */
  gone(what, why) {
    if (this.truth) return this.banner(what);
    this.main.classList.add("gone");
    this.say(what);
    byId("stage").replaceChildren(make("div", { class: "panel", role: "alert" }, make("h2", {}, what), make("p", {}, why), make("a", { class: "button main", href: "/" }, "All games")));
  }
}

new TablePage();
