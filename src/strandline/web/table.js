// The table page: what the server tells is shown, what is clicked is sent. The server is the only judge.

import { saveForStudy, shareGame } from "./afterwards.js";
import { fitPrompt } from "./bar.js";
import { Board } from "./board.js";
import { bubbleAt, hideBubble, tellWhy } from "./bubble.js";
import { playOneByOne } from "./chain.js";
import { answers, ask, button, byId, confirmed, dialog, make, note, PACES, remember, saveFile, seatMark, setLooks, settings, showPage, showSettings, stillness, tables, wire } from "./common.js";
import { showClock } from "./clock.js";
import { Coach } from "./coach.js";
import { chooseEmote, showEmote } from "./emotes.js";
import { showEnding } from "./ending.js";
import { forgetKey, linkForOthers, seated, showInvitations, useAnotherDevice } from "./join.js";
import { leave } from "./leave.js";
import { Dice, pinKey } from "./dice.js";
import { showFairness } from "./fairness.js";
import { Link } from "./link.js";
import { Notices } from "./notices.js";
import { tokens, tumble } from "./outcome.js";
import { haste, stepTime } from "./pace.js";
import { answerBox, Log, Moves, showAnswers, showSeats, showVotes, sign } from "./panels.js";
import { Replay } from "./replay.js";
import { isRollKey, rollSetting } from "./roll.js";
import { reviewed } from "./review.js";
import { audible, callToTurn, setAudible, sound } from "./sound.js";
import { saveGame } from "./saved.js";
import { noteResult } from "./scoreboard.js";
import { address, SHARED, SUBJECT } from "./transport.js";
import { t } from "./words.js";

const ID = SUBJECT;
const TOKEN = await seated(ID);
/** The time between two events of one move in a replay. */
const REPLAY_STEP = 750;
const SINGLE_PAUSE = 1300;
/** Dice are gone from the board before pieces move: this long before the next event they begin to fade. */
const POP_FADE = 250;
/** How often the progress of a review is looked at. */
const REVIEW_LOOK = 400;
/** After this long a hint is worth a word. */
const HINT_PATIENCE = 1500;
/** More events than this are too many for one glide and its trail. */
const NEAR = 6;
/** Pixels between what can be clicked and the bars. */
const MARGIN = 8;
/** Close codes: why the server does not let this page in. */
const REASONS = {
  4404: [t("There is no such table."), t("Is the link complete? Tables that nobody has touched for a long time are put away.")],
  4401: [t("This link does not match a seat at this table."), t("Is it complete? Ask whoever sent it to you for the whole link.")],
};

class TablePage {
  constructor() {
    this.main = byId("table");
    this.main.dataset.table = ID;
    this.truth = null; // the newest state
    this.shown = 0; // the number of the last line that was shown
    this.onBoard = 0; // the number of the position on the board, which in a replay is another
    this.steps = []; // events that have come and are still to be shown, each with its board
    this.sent = null; // the number of the position that a move was sent for, until the answer
    this.nextStep = 0; // when the next step may be shown
    this.log = new Log();
    this.coach = new Coach();
    this.moves = new Moves((move) => this.choose(move));
    this.board = new Board(byId("board"), { move: (move) => this.choose(move), step: (left) => this.narrowed(left), begin: (shape) => this.askWays(shape), way: (moves) => this.playWay(moves), idle: (...tap) => this.idle(...tap) });
    this.replay = new Replay(ID, (number) => this.position(number), (position, glide) => this.showPast(position, glide), () => this.settle());
    this.act = { send: (message) => this.send(message), rename: (seat) => this.rename(seat) };
    this.link = new Link(ID, TOKEN, {
      message: (message) => this.take(message),
      up: () => this.banner(null),
      down: (seconds) => {
        this.notices.lost();
        this.banner(seconds > 1 ? t("The connection is lost. Trying again in {n} seconds …", { n: seconds }) : t("The connection is lost. Trying again now …"), true);
      },
      gone: (code) => {
        forgetKey(ID, code);
        this.gone(...(REASONS[code] ?? [t("The server refuses this page."), t("Open the page at the server’s own address.")]));
      },
    });
    this.notices = new Notices(ID, TOKEN, (message) => this.link.send(message));
    this.link.since = () => this.log.newest;
    this.dice = new Dice(ID, (message) => this.link.send(message));
    pinKey();
    wire("menu", () => this.openMenu());
    wire("sound", () => this.switchSound(!audible()));
    this.switchSound(audible());
    document.addEventListener("keydown", (event) => {
      this.keyed = true;
      if (event.key === "Escape") this.escape();
      if (isRollKey(event)) this.rollNow(event);
      if (event.key === "m" && !(/** @type {Element} */ (event.target).closest("input, dialog"))) this.moves.toggle();
    });
    document.addEventListener("pointerdown", () => (this.keyed = false));
  }

  escape() {
    if (document.querySelector("dialog")) return;
    if (this.replay.open) this.replay.end();
    else this.board.cancel();
  }

  /** Off by one tap, and it stays so. */
  switchSound(on) {
    if (on !== audible()) setAudible(on);
    byId("sound").setAttribute("aria-pressed", String(on));
  }

  /** A tap on what cannot be used now plays nothing, and the reason is shown there. While something is shown it skips ahead. */
  async idle(shape, chosen, { clientX: x, clientY: y }) {
    if (this.replay.open) return;
    if (this.busy) return this.skipAhead();
    hideBubble();
    const answer = shape && (await this.link.send({ type: "why", shape, chosen }));
    tellWhy(answer, shape, chosen, { x, y });
  }

  get names() {
    return this.truth.seats.map(({ name }) => name);
  }

  // From the server

  take(message) {
    if (message.type === "state") this.receive(message);
    else if (message.type === "refused") this.truth && note(message.error, "bad"); // before that the page itself says why
    else if (message.type === "hint") this.showHint(message);
    else if (message.type === "emote" && this.truth) showEmote(message, this.truth);
    else if (message.type === "seen") this.notices.seen(message);
  }

  receive(state) {
    const first = this.truth === null;
    const over = state.turn === "over" && this.truth?.turn !== "over";
    this.truth = state;
    this.dice.observe(state);
    if (state.number !== this.sent) this.answered();
    this.steps.push(...state.steps);
    this.log.absorb(state.log);
    setLooks(state.seats.map(({ look }) => look));
    this.coach.hear(state.game, state.steps, state.turn === "over");
    Object.assign(this.main.dataset, { number: state.number, turn: state.turn });
    this.moves.show(state.moves, state.roll?.verb);
    clearTimeout(this.single);
    if (this.replay.open) this.replay.grow(state.number);
    if (first) {
      this.arrive(state);
      return;
    }
    if (over) {
      this.revealLog();
      remember({ id: ID, ...this.seen(state) });
    }
    this.present();
  }

  /** Whoever comes sees what has happened since a person moved, from the board before it on. */
  async arrive(state) {
    this.shown = this.onBoard = state.steps.length ? state.steps[0].number - 1 : state.number;
    this.busy = true;
    const before = state.steps.length ? await this.position(this.shown).catch(() => null) : null;
    if (before) this.draw(before.svg, { glide: false });
    this.busy = false;
    const known = tables().find(({ id }) => id === ID);
    const page = `/table/${ID}${location.hash}`;
    remember({ id: ID, title: state.title, page: TOKEN ? page : known?.page ?? page, made: known?.made ?? Date.now(), ...this.seen(state) });
    const at = new URLSearchParams(location.search).get("at");
    if (at !== null && /^\d+$/.test(at)) this.replay.begin(Number(at), state.number);
    this.present();
  }

  /** What the lobby says about the table. */
  seen = ({ seats, turn }) => ({ names: seats.map(({ name }) => name), over: turn === "over" });

  /** At the end nothing is secret any more: what the log kept back is asked for again. */
  async revealLog() {
    if (![...this.log.lines.values()].some(({ hidden }) => hidden)) return;
    const { log } = await ask(`/api/tables/${ID}`, { token: TOKEN });
    this.log.absorb(log);
    this.log.redraw();
    this.log.show(this.shown);
  }

  /** A position of the record; those of the present game do not change, save that the end reveals secrets. */
  position(number) {
    return ask(`/api/tables/${ID}/positions/${number}?wide=${this.link.wide}`, { token: TOKEN });
  }

  // Showing what has happened, event by event

  async present() {
    if (this.busy) return;
    this.busy = true;
    this.hurry = PACES[settings().pace] === 0 || document.hidden || this.replay.open;
    while (!this.hurry && this.steps.length) {
      this.skippable();
      await this.pause(this.nextStep - performance.now());
      if (!this.hurry) await this.board.rest();
      if (this.hurry) break;
      const step = this.steps.shift();
      this.showStep(step);
      this.nextStep = performance.now() + this.time(step);
    }
    if (!this.hurry) await this.pause(this.nextStep - performance.now());
    this.busy = false;
    if (this.steps.length && !this.hurry) return this.present();
    this.settle();
  }

  time(step) {
    const { who } = step;
    const own = who !== null && this.truth.you.includes(who) && this.truth.seats[who].bot === null;
    return stepTime(step, this.steps.length, own);
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

  skipAhead() {
    this.hurry = true;
    this.skip?.();
  }

  skippable() {
    if (this.steps.length < 2 || byId("skip")) return;
    byId("actions").replaceChildren(button([sign("skip"), make("span", {}, t("Skip ahead"))], () => this.skipAhead(), { class: "plain", id: "skip" }));
    byId("play").classList.add("waiting");
  }

  /** One event: its board, its sentence, its dice. The line appears in the log once the last of its events was shown. */
  showStep(step) {
    this.board.offer([], step.number);
    this.clearPop();
    if (!this.truth.you.includes(step.who)) this.board.zoom.seeAll();
    this.draw(step.svg, { fresh: step.number !== this.onBoard && !step.dice.length, haste: haste() });
    sound(step.sound);
    this.onBoard = step.number;
    this.showWhose(step.who);
    this.shown = this.steps[0]?.number === step.number ? step.number - 1 : step.number;
    this.say(step.sentence, false);
    if (step.dice.length || step.drawn.length) this.showOutcome(step, true);
    else if (step.who !== this.rolled) this.showOutcome(null, false);
    this.log.show(this.shown);
  }

  /** A board, and in the bar how far its game is. */
  draw(svg, how) {
    this.board.show(svg, how);
    const { aside } = this.board;
    byId("title").replaceChildren(make("span", {}, this.truth.title), aside ? make("span", {}, ` · ${aside}`) : "");
  }

  /** The token of the seat that the bar speaks of. */
  showWhose(seat) {
    byId("whose").replaceChildren(...(typeof seat === "number" ? [seatMark(seat)] : []));
  }

  /** A position of the past. One step ahead is shown event by event, as it was played. */
  async showPast(position, glide = true) {
    const next = position.number === this.onBoard + 1;
    this.past = position;
    this.board.offer([], position.number);
    this.main.classList.add("replaying");
    for (const step of glide && next ? position.steps.slice(0, -1) : []) {
      this.draw(step.svg, { fresh: !step.dice.length });
      this.say(step.sentence, false);
      this.showWhose(step.who);
      sound(step.sound);
      if (!stillness()) await new Promise((go) => setTimeout(go, REPLAY_STEP));
      if (this.past !== position || !this.replay.open) return;
    }
    this.draw(position.svg, { glide, far: !next });
    this.onBoard = position.number;
    const events = position.line?.events ?? [];
    this.say(events.map(({ sentence }) => sentence).join(" ") || t("The game begins."), false);
    this.showWhose(position.line?.by);
    this.showOutcome(events.find(({ dice, drawn }) => dice.length || drawn.length) ?? null, false);
    showSeats(this.truth, position, this.act);
    this.log.show(position.number);
    byId("words").textContent = position.words;
  }

  /** Show the present. */
  settle() {
    const state = this.truth;
    const far = this.steps.length > NEAR;
    this.steps = [];
    showVotes(state, this.act);
    showInvitations(state, this.links(), this.act);
    showClock(state);
    this.notices.show(state);
    if (this.replay.open) return showSeats(state, state, this.act);
    this.main.classList.remove("replaying");
    const jumped = this.onBoard !== state.number;
    this.shown = this.onBoard = state.number;
    if (jumped) {
      hideBubble();
      this.clearPop();
    }
    this.draw(state.svg, { fresh: jumped, far: jumped && far, haste: haste() });
    this.showOutcome(state.outcome, false);
    this.showWhose(state.turn);
    showSeats(state, state, this.act);
    this.log.show(state.number);
    byId("words").textContent = state.words;
    byId("play").classList.remove("waiting");
    this.board.offer(state.moves, state.number);
    this.showActions();
    showEnding(state);
    noteResult(state);
    this.showCover();
    const sight = `${state.number} ${this.board.form}`; // a phone that is turned shows another arrangement
    if (this.sighted !== sight) {
      this.board.attend();
      this.bringIntoSight();
      this.announce(state);
    }
    this.sighted = sight;
    this.playForMe();
    this.refocus();
    document.title = state.acting === null ? state.title : `● ${t("Your turn")} – ${state.title}`;
  }

  /** What is heard when a person here is to decide, or the game is over; not at the page's first sight. */
  announce({ turn, acting, winners, you }) {
    const called = this.called;
    this.called = turn === "over" ? turn : acting;
    if (called === undefined || called === this.called) return;
    if (turn === "over") sound(winners.some((seat) => you.includes(seat)) || (winners.length && !you.length) ? "win" : "end");
    else if (acting !== null) callToTurn();
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

  /** Whoever plays with the keyboard never has to look for their place: what had the focus may be gone. */
  refocus() {
    const { activeElement: at, body } = document;
    if (!this.keyed || (at !== body && at.getClientRects().length)) return; // what is hidden loses the focus a moment later
    (byId("here") ?? this.moves.chips()[0] ?? byId("prompt")).focus({ preventScroll: true });
  }

  say(text, aloud = true) {
    const prompt = byId("prompt");
    prompt.setAttribute("aria-live", aloud ? "polite" : "off"); // steps are read out by the log
    if (prompt.textContent === text) return;
    prompt.textContent = text;
    fitPrompt();
  }

  /** The dice stay beside the prompt; when they are new they also tumble over the board, once. */
  showOutcome(event, isNew) {
    const place = byId("outcome");
    const key = `${event?.number} ${this.board.form}`; // another arrangement has dice of its own
    const known = place.dataset.number === key;
    this.rolled = event?.who ?? null;
    if (!event) {
      place.replaceChildren();
      delete place.dataset.number;
      return;
    }
    if (known) return;
    place.dataset.number = key;
    place.replaceChildren(...tokens(event, this.board.svg));
    place.title = event.sentence;
    if (!isNew || !place.children.length) return;
    const large = tokens(event, this.board.svg);
    byId("pop").replaceChildren(make("div", { class: "pop-dice" }, large));
    byId("pop").classList.add("shown");
    tumble([...large, ...place.children]);
    clearTimeout(this.popped);
    this.popped = setTimeout(() => byId("pop").classList.remove("shown"), this.time(event) - POP_FADE);
  }

  /** What moves must not be covered by dice. */
  clearPop() {
    clearTimeout(this.popped);
    byId("pop").replaceChildren();
    byId("pop").classList.remove("shown");
  }

  narrowed(left) {
    if (!this.truth || this.busy || this.replay.open) return;
    const begun = this.board.chosen.length > 0;
    this.moves.narrow(begun ? left : this.truth.moves);
    this.say(this.prompt(begun));
    if (begun) this.bringIntoSight();
  }

  prompt(begun = false) {
    return begun ? t("Now choose a highlighted space.") : this.truth.prompt;
  }

  showCover() {
    const { ask: seat } = this.truth;
    const cover = byId("cover");
    cover.hidden = seat === null;
    if (seat === null) return cover.replaceChildren();
    const here = button(t("I am here"), () => this.send({ type: "here", seat, number: this.truth.number }), { class: "main", id: "here" });
    cover.replaceChildren(make("div", { class: "panel" }, make("h2", {}, t("{name}, are you there?", { name: this.names[seat] })), make("p", {}, t("Make sure the others look away before your secrets are shown.")), here));
    if (document.activeElement === document.body || document.activeElement === byId("prompt")) here.focus();
  }

  // To the server

  async send(message) {
    const answer = await this.link.send(message);
    if (answer === null) note(t("That did not reach the server. Try again when the connection is back."), "bad");
    return answer;
  }

  /** What gives something up for good asks once. */
  async choose(move) {
    const { number, moves } = this.truth;
    const warning = moves.find((offer) => offer.move === move)?.warning;
    if (warning && !(await confirmed(t("Are you sure?"), warning, t("Yes")))) return this.board.cancel();
    this.play(move, number);
  }

  async play(move, number = this.truth.number) {
    if (this.sent !== null) return this.board.cancel();
    this.sent = number;
    clearTimeout(this.single);
    this.hurry = true;
    this.skip?.();
    byId("moves").classList.add("sending");
    const answer = await this.submit(move, number);
    if (answer === null) note(t("The move may not have reached the server. Check whether it was played."), "bad");
    if (this.sent !== number) return;
    this.answered();
    this.board.cancel();
  }

  /** Where the piece that was clicked can get to by several moves. */
  async askWays(shape) {
    const { number } = this.truth;
    const answer = await this.link.send({ type: "ways", shape, number });
    if (answer?.type === "ways" && number === this.truth.number) this.board.offerWays(shape, answer.ways);
  }

  playWay(moves) {
    this.board.cancel();
    return playOneByOne(moves, () => this.truth, (move, number) => this.play(move, number));
  }

  /** A move, or a tap to roll; both may bring this page's part in the dice. */
  async submit(move, number) {
    const state = this.truth;
    const part = state.number === number ? await this.dice.part(state, move) : null; // the game may have moved on while somebody made up their mind
    if (part === null) return null;
    return this.link.send(state.roll ? { type: "roll", number, ...part } : { type: "move", move, number, ...part });
  }

  /** The keyboard rolls from anywhere on the page that has no use of its own for the key. */
  rollNow(event) {
    const { acting, roll, moves } = this.truth ?? {};
    if (!roll || acting === null || this.busy || this.replay.open) return;
    event.preventDefault();
    this.play(moves[0].move);
  }

  /** The position has changed or the move was refused: the next move may be sent. */
  answered() {
    this.sent = null;
    byId("moves").classList.remove("sending");
  }

  /** Nobody clicks needlessly: a lone legal move, or an answer that was asked for, is played after a pause that shows. */
  playForMe() {
    const { acting, moves, roll } = this.truth;
    const whose = this.whose();
    clearTimeout(this.single);
    showAnswers(moves, whose, () => this.settle());
    const asked = moves.find(({ auto_answer, warning }) => auto_answer && !warning && answers(whose).includes(auto_answer));
    const wanted = settings();
    const own = (offer) => (offer.taps ? wanted.roll : wanted.single); // nobody rolls or flips for a person unasked
    const lone = moves.length === 1 && own(moves[0]) && !moves[0].warning ? moves[0] : null;
    const played = acting !== null && this.sent === null ? asked ?? lone : null;
    this.moves.mark(played?.move ?? null, "soon");
    if (!played) return;
    this.say(asked ? t("Answered for you, as you asked.") : roll ? t("Rolled for you, as you asked.") : t("Only one move: it is played for you."));
    this.single = setTimeout(() => this.replay.open || this.play(played.move), settings().pace === "none" ? SINGLE_PAUSE / 5 : SINGLE_PAUSE);
  }

  /** Automatic answers belong to a person: at a screen with several, to the one who is to move. */
  whose() {
    const { game, you, acting } = this.truth;
    return you.length > 1 && acting !== null ? `${game}.${this.names[acting]}` : game;
  }

  // What else a person can do

  showActions() {
    const state = this.truth;
    const over = state.turn === "over";
    const buttons = [];
    const add = (icon, text, press, props = {}) => buttons.push(button([sign(icon), make("span", {}, text)], press, { class: "plain", ...props }));
    if (over && state.rematch) buttons.push(make("a", { class: "button main", href: this.rematchPage(state) }, t("Go to the rematch")));
    else if (over && state.you.length) buttons.push(button(t("Rematch"), () => this.rematch(), { class: "main" }));
    if (state.acting !== null && !state.roll && state.hints) add("hint", t("Hint"), ({ currentTarget }) => this.askForHint(currentTarget, state.number));
    if (state.undo) add("undo", state.undo.free ? t("Undo") : t("Ask to undo"), () => this.send({ type: "undo", number: this.truth.number }), { title: state.undo.sentence });
    if (over) add("review", t("Review"), () => this.review());
    if (state.number) add("replay", t("Replay"), () => this.replay.begin(over ? 0 : state.number, state.number), { class: over ? "plain" : "plain rare" });
    if (over && SHARED) add("share", t("Share"), () => shareGame(state, () => this.download()));
    if (over && state.chance) add("verify", t("Verify the dice"), () => showFairness(ID, TOKEN, this.dice.keepsake()));
    const label = byId("actions").contains(document.activeElement) ? document.activeElement.textContent : null;
    byId("actions").replaceChildren(...buttons);
    buttons.find(({ textContent }) => textContent === label)?.focus();
  }

  async askForHint(pressed, number) {
    if (pressed.ariaDisabled) return; // it keeps the focus all the same
    pressed.ariaDisabled = "true";
    const waiting = setTimeout(() => this.say(t("A bot is looking for a hint.")), HINT_PATIENCE);
    await this.send({ type: "hint", number });
    clearTimeout(waiting);
    pressed.ariaDisabled = null;
  }

  showHint({ move, sentence, reason, number }) {
    if (number !== this.truth.number) return;
    this.moves.mark(move, "hinted");
    this.say(sentence);
    const place = this.board.hint(this.truth.moves.find((offer) => offer.move === move)?.clicks ?? []) ?? byId("board").getBoundingClientRect();
    if (reason) bubbleAt(reason, { x: place.left + place.width / 2, y: place.top });
  }

  rematchPage = ({ rematch }) => address(rematch + (TOKEN ? `#${TOKEN}` : ""));

  async rematch() {
    const answer = await this.send({ type: "rematch" });
    const state = answer?.type === "state" ? answer : this.truth;
    if (state.rematch) location.href = this.rematchPage(state);
  }

  rename(seat) {
    const field = make("input", { maxlength: 24, value: seat.name, "aria-label": t("Name"), required: true });
    const form = make("form", {}, field);
    const save = button(t("Save"), () => form.requestSubmit(), { class: "main" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.send({ type: "name", seat: seat.seat, name: field.value.trim() });
      box.close();
    });
    const box = dialog(t("Your name"), form, { buttons: [save] });
    field.select();
  }

  async review() {
    const { seats, you, number: last } = this.truth;
    const said = make("p", { role: "status" }, t("A bot is reviewing the game, position by position."));
    const bar = make("progress", { "aria-label": t("Review") });
    const left = make("small");
    const frame = make("div", { id: "review" }, said, bar, left);
    const box = dialog(t("Review"), frame, { wide: true });
    const watched = setInterval(() => this.reviewProgress(bar, left, began), REVIEW_LOOK);
    const began = performance.now();
    const to = (number) => address(`/table/${ID}?at=${number}${location.hash}`);
    const look = (number) => {
      box.close();
      this.replay.begin(number, last);
    };
    try {
      const review = await ask(`/api/tables/${ID}/review`, { token: TOKEN });
      const ready = make("p", { class: "quiet", role: "status" });
      const draw = () => frame.replaceChildren(ready, ...reviewed(review, { seats, you, width: frame.clientWidth, to, look }));
      draw();
      ready.textContent = t("The review is ready.");
      let drawn = frame.clientWidth;
      new ResizeObserver(() => {
        if (frame.isConnected && frame.clientWidth !== drawn) draw();
        drawn = frame.clientWidth;
      }).observe(frame);
    } catch (error) {
      frame.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
    } finally {
      clearInterval(watched);
    }
  }

  /** How far the review is, and about how long it will take. */
  async reviewProgress(bar, left, began) {
    const { done } = await ask(`/api/tables/${ID}/review/progress`, { token: TOKEN }).catch(() => ({ done: 0 }));
    if (!done || !bar.isConnected) return;
    const seconds = Math.ceil(((performance.now() - began) / 1000 / done) * (1 - done));
    bar.value = done;
    left.textContent = t(["About {n} more second.", "About {n} more seconds."], { n: Math.max(1, seconds) });
  }

  async record() {
    try {
      return await ask(`/api/tables/${ID}/record`, { token: TOKEN });
    } catch (error) {
      note(error.message, "bad");
      return null;
    }
  }

  async download() {
    const record = await this.record();
    if (record) saveFile(record, `${record.game}-${ID}.json`);
  }

  links() {
    return tables().find(({ id }) => id === ID)?.links ?? [];
  }

  openMenu() {
    if (!this.truth) return;
    const { game, title, seats, turn, you, quiet, chance } = this.truth;
    const item = (text, press) => button(text, () => {
      box.close();
      press();
    }, { class: "item" });
    const leaving = turn === "over" ? [] : seats.filter(({ yours, kind, bot }) => yours && !kind.startsWith("bot:") && bot === null);
    const watch = make("div");
    if (SHARED) linkForOthers(`/table/${ID}`, t("To watch"), t("the link to watch")).then(({ shown }) => watch.append(...shown));
    const playing = SHARED && you.length > 0;
    const group = (id, text, ...items) => make("section", { class: "items", role: "group", "aria-labelledby": id }, make("h3", { id }, text), ...items);
    const box = dialog(title, [
      make("div", { class: "items" },
        make("a", { class: "button item", href: address("/") }, t("All games")),
        item(t("Settings"), () => showSettings(() => this.settle(), [rollSetting(() => this.settle()), ...this.givenAnswers()]))),
      group("menu-help", t("Help"),
        item(t("How to play"), () => showPage(title, `/api/games/${game}/guide`)),
        item(t("All the rules"), () => showPage(t("{title}: rules", { title }), `/api/games/${game}/rules`)),
        item(t("Learn"), () => (location.href = address(`/learn/${game}`)))),
      group("menu-game", t("This game"),
        item(t("Replay"), () => this.replay.begin(0, this.truth.number)),
        chance && item(t("Fair dice"), () => showFairness(ID, TOKEN, this.dice.keepsake())),
        item(t("Download the record"), () => this.download()),
        turn === "over" && seats.some(({ kind }) => !kind.startsWith("bot:")) && item(t("Save for a study"), () => saveForStudy(this.truth, this.names, () => this.record())),
        !SHARED && item(t("Save the game to a file"), () => saveGame(ID, TOKEN))),
      group("menu-table", t("This table"),
        playing && !quiet && item(t("Say something kind"), () => chooseEmote(this.truth, (message) => this.send(message))),
        playing && turn !== "over" && item(t("Tell me when it is my turn"), () => this.notices.settings().catch((error) => note(error.message, "bad"))),
        SHARED && seats.filter(({ yours }) => yours).slice(0, 1).map((seat) => item(t("Play on another device"), () => useAnotherDevice(seat, this.act))),
        leaving.map(({ seat, name }) => item(leaving.length > 1 ? t("Leave the seat of {name}", { name }) : t("Leave the table"), () => leave(seat, this.truth.seats, (message) => this.send(message)))),
        SHARED ? watch : make("p", {}, make("small", {}, t("This table is kept in this browser alone. To play with people on other devices, save the game and load it on a server.")))),
    ]);
  }

  givenAnswers() {
    const whose = this.whose();
    const given = answers(whose);
    return given.length ? [make("h3", {}, t("Answered for you")), ...given.map((sentence) => answerBox(sentence, whose, true, () => this.settle()))] : [];
  }

  banner(text, again = false) {
    const place = byId("banner");
    place.hidden = text === null;
    place.replaceChildren(...(text === null ? [] : [text, again && button(t("Try now"), () => this.link.hurry(), { class: "plain small" })].filter(Boolean)));
    this.main.classList.toggle("offline", text !== null);
  }

  /** There is nothing to see here: say why, and where to go. */
  gone(what, why) {
    if (this.truth) return this.banner(what);
    this.main.classList.add("gone");
    this.say("");
    byId("stage").replaceChildren(make("div", { class: "panel", role: "alert" }, make("h2", {}, what), make("p", {}, why), make("a", { class: "button main", href: address("/") }, t("All games"))));
  }
}

new TablePage();
