// The page of lessons: it shows what the coach says and sends what the learner does. One page for all games.

import { Board } from "./board.js";
import { hideBubble, tellWhy } from "./bubble.js";
import { ask, button, byId, make, makeSvg, note, PACES, settings, stillness } from "./common.js";
import { finished, finish, letCoachSpeak, progress, remember } from "./learned.js";
import { tokens, tumble } from "./outcome.js";
import { haste, stepTime } from "./pace.js";
import { address, request, SUBJECT as GAME } from "./transport.js";
import { t } from "./words.js";

/** The learner's seat. */
const LEARNER = 0;
/** The window's form from which on boards are arranged for a wide one. */
const WIDE = matchMedia("(min-aspect-ratio: 5/4) and (min-width: 560px)");

class LearnPage {
  constructor() {
    this.main = byId("learn");
    this.board = new Board(byId("board"), {
      move: (move) => this.act(move),
      step: () => {},
      begin: () => {}, // a lesson goes one move at a time
      way: () => {},
      idle: (shape, chosen, event) => this.idle(shape, chosen, event),
    });
    this.state = null;
    this.busy = false;
    byId("leave").addEventListener("click", () => this.leave());
    addEventListener("popstate", () => this.open());
    addEventListener("pagehide", () => this.left());
    document.addEventListener("keydown", (event) => {
      this.keyed = true;
      if (event.key === "Escape") this.board.cancel();
    });
    document.addEventListener("pointerdown", () => (this.keyed = false));
    WIDE.addEventListener("change", () => this.state && this.look(this.state.acts));
    this.arrive();
  }

  async arrive() {
    try {
      this.course = await ask(`/api/games/${GAME}/lessons`);
    } catch (error) {
      this.gone(error.message);
      return;
    }
    byId("title").textContent = this.course.title;
    this.open();
  }

  gone(why) {
    byId("lessons").hidden = false;
    byId("lessons").replaceChildren(make("div", { class: "panel", role: "alert" }, make("p", {}, why), make("a", { class: "button main", href: address("/") }, t("All games"))));
  }

  /** The lesson that the address names, or the list of lessons. */
  open() {
    const name = location.hash.slice(1);
    this.state = null;
    if (this.course.lessons.some((lesson) => lesson.name === name)) this.begin(name, progress(GAME, name));
    else this.list();
  }

  go(name) {
    history.pushState(null, "", name ? `#${name}` : location.pathname + location.search);
    this.open();
  }

  // The list of lessons

  list() {
    this.show(false);
    document.title = t("Learn {title}", { title: this.course.title });
    const next = this.course.lessons.find(({ name }) => !finished(GAME, name));
    const rows = this.course.lessons.map((lesson) => this.row(lesson, lesson === next));
    byId("lessons").replaceChildren(
      make("h2", {}, t("Learn by playing")),
      this.course.lessons.length ? "" : make("p", {}, t("There are no lessons for this game yet.")),
      make("ol", { class: "lesson-list" }, rows, make("li", { class: "lesson" }, make("div", { class: "lesson-words" }, make("h3", {}, t("Play your first game")), make("p", {}, t("A real game against an easy bot. The coach stays beside you."))), this.firstGame(!next))),
    );
    byId("dots").replaceChildren();
  }

  row(lesson, isNext) {
    const done = finished(GAME, lesson.name);
    const begun = progress(GAME, lesson.name).length > 0;
    const start = (label, props) => button(label, () => this.go(lesson.name), { "aria-label": `${label}: ${lesson.title}`, data: { lesson: lesson.name }, ...props });
    const anew = begun && button(t("Start again"), () => {
      remember(GAME, lesson.name, []);
      this.go(lesson.name);
    }, { class: "plain", "aria-label": `${t("Start again")}: ${lesson.title}` });
    return make("li", { class: "lesson" }, make("div", { class: "lesson-words" }, make("h3", {}, lesson.title, done && make("span", { class: "tick", role: "img", "aria-label": t("done") }, " ✓")), make("p", {}, lesson.about)), anew, start(begun ? t("Go on") : done ? t("Again") : t("Start"), { class: isNext ? "main" : "plain" }));
  }

  firstGame(isNext) {
    const { seats, options } = this.course.first_game;
    const query = new URLSearchParams({ game: GAME, seats: seats.join(","), ...options });
    return make("a", { class: `button ${isNext ? "main" : "plain"}`, id: "first-game", href: address(`/new/?${query}`), on: { click: () => letCoachSpeak(GAME) } }, t("Play"));
  }

  // A lesson

  async begin(name, acts) {
    this.lesson = this.course.lessons.find((lesson) => lesson.name === name);
    document.title = `${this.lesson.title} – ${this.course.title}`;
    try {
      await this.look(acts);
    } catch {
      await this.look([]); // the lesson has changed since
    }
  }

  /** The lesson after these acts, without a show. */
  async look(acts) {
    const state = await this.ask(acts, null);
    byId("told").replaceChildren();
    this.show(true);
    this.settle(state);
  }

  ask(acts, act) {
    return ask(`/api/games/${GAME}/lessons/${this.lesson.name}`, { body: { acts, act, wide: WIDE.matches } });
  }

  async act(act) {
    if (this.busy) return this.hurry?.();
    this.busy = true;
    byId("reply").textContent = "";
    hideBubble();
    try {
      const state = await this.ask(this.state.acts, act);
      await this.present(state);
      this.settle(state);
    } catch (error) {
      note(error.message, "bad");
      this.board.cancel();
    }
    this.busy = false;
  }

  /** A tap on what cannot be used now plays nothing, and the reason is shown there. While something is shown it skips ahead. */
  async idle(shape, chosen, { clientX: x, clientY: y }) {
    if (this.busy) return this.hurry?.();
    hideBubble();
    const { acts } = this.state;
    const answer = shape && (await ask(`/api/games/${GAME}/lessons/${this.lesson.name}/why`, { body: { acts, shape, chosen } }).catch(() => null));
    if (this.state?.acts === acts && !this.busy) tellWhy(answer, shape, chosen, { x, y });
  }

  /** What has happened, event by event. */
  async present({ events }) {
    this.hasten = PACES[settings().pace] === 0;
    if (events.length) {
      this.board.offer([], -1);
      byId("told").replaceChildren();
      byId("actions").replaceChildren(button(t("Skip ahead"), () => this.hurry?.(), { class: "plain" }));
    }
    for (const [i, event] of events.entries()) {
      byId("told").append(make("span", { data: { kind: event.kind } }, event.sentence, " "));
      if (this.hasten) continue;
      this.board.show(event.svg, { fresh: !event.dice.length, haste: haste() });
      this.pop(event);
      await this.pause(stepTime(event, events.length - i - 1, event.who === LEARNER));
    }
    byId("pop").classList.remove("shown");
  }

  pop(event) {
    const shown = event.dice.length || event.drawn.length ? tokens(event, this.board.svg) : [];
    byId("pop").classList.toggle("shown", shown.length > 0);
    byId("pop").replaceChildren(make("div", { class: "pop-dice" }, shown));
    tumble(shown);
  }

  pause(time) {
    return new Promise((go) => {
      const timer = setTimeout(go, time);
      this.hurry = () => {
        this.hasten = true;
        clearTimeout(timer);
        go();
      };
    });
  }

  /** What is to be seen and done now. */
  settle(state) {
    const before = this.state;
    this.state = state;
    hideBubble();
    Object.assign(this.main.dataset, { lesson: state.lesson, step: state.step, waits: state.waits, acts: state.acts.length });
    remember(GAME, state.lesson, state.waits === "end" ? [] : state.acts);
    if (state.waits === "end") return this.ended();
    this.board.show(state.svg, { glide: !state.anew, far: before === null || state.anew });
    byId("reply").textContent = state.reply;
    byId("reply").className = state.verdict ?? "";
    write("say", state.say);
    write("task", state.task);
    byId("words").textContent = state.words;
    this.showDots();
    this.showMoves();
    this.showActions();
    this.point();
    this.board.offer(state.moves, state.acts.length);
    this.bringIntoSight();
    this.refocus();
  }

  ended() {
    finish(GAME, this.lesson.name);
    this.state = null;
    this.go("");
    /** @type {HTMLElement} */ (byId("lessons").querySelector(".main"))?.focus();
  }

  showDots() {
    const { step, steps } = this.state;
    byId("dots").replaceChildren(...Array.from({ length: steps }, (_, i) => make("li", { class: i < step ? "past" : i === step ? "here" : "" })));
    byId("coach").setAttribute("aria-label", t("Coach, step {n} of {steps}", { n: step + 1, steps }));
  }

  showMoves() {
    const moves = this.state.moves.filter((offer, i, all) => all.findIndex(({ move }) => move === offer.move) === i);
    const choices = /** @type {HTMLDetailsElement} */ (byId("choices"));
    choices.hidden = this.state.waits !== "move";
    choices.querySelector("summary").textContent = t(["{n} move", "{n} moves"], { n: moves.length });
    byId("moves").replaceChildren(...(choices.hidden ? [] : moves.map(({ move, sentence }) => button(sentence, () => this.act(move), { class: "chip", data: { move } }))));
  }

  showActions() {
    const { waits, step, moves } = this.state;
    const buttons = [];
    if (waits === "next") buttons.push(button(t("Next"), () => this.act("next"), { class: "main", data: { act: "next" } }));
    if (waits === "roll") buttons.push(button(moves[0].sentence, () => this.act("roll"), { class: "main", data: { act: "roll" } }));
    if (step) buttons.push(button(t("Back"), () => this.back(), { class: "plain", data: { act: "back" } }));
    if (waits !== "next") buttons.push(button(t("Show me"), () => this.act("skip"), { class: "plain", data: { act: "skip" } }));
    byId("actions").replaceChildren(...buttons);
  }

  /** Back to the beginning of this step when something has been done in it, else of the one before. */
  back() {
    const { acts, begins } = this.state;
    const to = acts.length > begins[begins.length - 1] ? begins[begins.length - 1] : begins[begins.length - 2] ?? 0;
    return this.look(acts.slice(0, to));
  }

  leave() {
    this.left();
    this.state = null;
    this.go("");
  }

  /** Whoever runs the server may know at which step people leave; who they are is not told. */
  left() {
    if (!this.state) return;
    const body = JSON.stringify({ step: this.state.step });
    request(`/api/games/${GAME}/lessons/${this.state.lesson}/left`, { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
  }

  // Pointing

  point() {
    const { look, arrows, moves, waits } = this.state;
    const root = this.board.root();
    const tapped = waits === "roll" ? moves.flatMap(({ clicks }) => clicks) : [];
    const marks = [...[...new Set([...look, ...tapped])].map((id) => this.ring(id)), ...arrows.map(([from, to]) => this.arrow(from, to))].filter(Boolean);
    if (marks.length) root.append(makeSvg("g", { class: "pointers", "aria-hidden": "true" }, ...marks));
  }

  /** Where a shape is, in the board's own units. */
  place(id) {
    const shape = /** @type {SVGGraphicsElement | null} */ (this.board.shape(id));
    const ctm = shape?.getCTM();
    const root = this.board.root().getCTM()?.inverse();
    if (!ctm || !root) return null;
    const { x, y, width, height } = shape.getBBox();
    const { a, b, c, d, e, f } = root.multiply(ctm);
    const [cx, cy] = [x + width / 2, y + height / 2];
    return { x: a * cx + c * cy + e, y: b * cx + d * cy + f, width: Math.hypot(a, b) * width, height: Math.hypot(c, d) * height };
  }

  ring(id) {
    const at = this.place(id);
    if (!at) return null;
    const pad = 8;
    const [width, height] = [at.width + 2 * pad, at.height + 2 * pad];
    return makeSvg("rect", { x: at.x - width / 2, y: at.y - height / 2, width, height, rx: Math.min(26, width / 2, height / 2), class: "look-ring" });
  }

  arrow(from, to) {
    const [start, end] = [this.place(from), this.place(to)];
    if (!start || !end) return null;
    const length = Math.hypot(end.x - start.x, end.y - start.y);
    const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
    const [tail, head] = [Math.min(18, length / 4), length - Math.min(10, length / 4)];
    const way = `M${tail} 0H${head - 16}M${head} 0l-20 -13v26z`;
    return makeSvg("g", { transform: `translate(${start.x} ${start.y}) rotate(${angle})` }, makeSvg("path", { d: way, class: "look-arrow-edge" }), makeSvg("path", { d: way, class: "look-arrow" }));
  }

  // Whose eyes and hands

  /** On a phone the board is longer than the window: what is pointed at, or can be tapped, must not hide under the coach. */
  bringIntoSight() {
    const [board, coach] = ["board", "coach"].map((id) => byId(id).getBoundingClientRect());
    const below = coach.left >= board.right ? 0 : coach.height;
    const [from, to] = [document.querySelector("header").getBoundingClientRect().bottom, innerHeight - below];
    const boxes = [".pointers > *", ".ready"].flatMap((which) => [...this.board.svg.querySelectorAll(which)]).map((mark) => mark.getBoundingClientRect());
    if (!boxes.length) return;
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    if (top >= from && bottom <= to) return;
    const middle = bottom - top <= to - from ? (top + bottom) / 2 : (boxes[0].top + boxes[0].bottom) / 2;
    scrollBy({ top: middle - (from + to) / 2, behavior: stillness() ? "instant" : "smooth" });
  }

  /** Whoever plays with the keyboard goes on from what is to be done. */
  refocus() {
    const { activeElement: at, body } = document;
    if (!this.keyed || (at !== body && at.isConnected && at.getClientRects().length)) return;
    const next = /** @type {HTMLElement} */ (byId("actions").querySelector(".main") ?? byId("choices").querySelector("summary"));
    next.focus({ preventScroll: true });
  }

  /** The list of lessons, or a lesson. */
  show(isLesson) {
    byId("lessons").hidden = isLesson;
    for (const id of ["stage", "coach", "position", "leave"]) byId(id).hidden = !isLesson;
    if (!isLesson) this.main.dataset.lesson = "";
  }
}

/** What has not changed is not read out again. */
function write(id, text) {
  const place = byId(id);
  place.hidden = !text;
  if (place.textContent !== text) place.textContent = text;
}

new LearnPage();
