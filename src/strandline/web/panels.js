// The panels beside the board: moves, seats, votes, log. Each is drawn anew from the table's state.

import { answer, answers, button, byId, make, makeSvg, seatMark } from "./common.js";
import { t } from "./words.js";

/** Draw a panel only when what it shows has changed: whoever reads, selects or presses something there keeps their place. */
function fill(frame, key, draw) {
  const shown = JSON.stringify(key);
  if (frame.dataset.shown === shown) return;
  frame.dataset.shown = shown;
  frame.replaceChildren(...draw());
}

// Moves

/** This many moves need not be folded away. */
const FEW = 2;
/** Up to this many are all in sight beside a board in a high window. */
const SOME = 6;

/** The legal moves as buttons. The keyboard's place in the list is kept: after a move it waits for the next list. */
export class Moves {
  constructor(play) {
    this.play = play;
    this.frame = byId("moves");
    this.chips = () => /** @type {HTMLButtonElement[]} */ ([...this.frame.children]);
    this.waiting = false;
    this.frame.addEventListener("keydown", (event) => this.arrow(event));
    byId("fold").addEventListener("click", () => this.toggle());
    new ResizeObserver(() => requestAnimationFrame(() => this.fold())).observe(this.frame);
  }

  /** Folded away the moves are one line, beside a board three; opened they are a list. */
  toggle() {
    const fold = byId("fold");
    const open = fold.hidden || byId("choices").classList.toggle("open");
    if (!fold.hidden) fold.setAttribute("aria-expanded", String(open));
    if (open) this.chips().find((chip) => !chip.matches(".ruled-out"))?.focus({ preventScroll: true });
  }

  /** `roll`: what the hand does if the one move is to roll or to draw, on a button that cannot be missed. */
  show(moves, roll = null) {
    const key = JSON.stringify(moves);
    if (key === this.key) return;
    this.key = key;
    if (this.frame.contains(document.activeElement)) this.waiting = true;
    this.frame.replaceChildren(...moves.map(({ move, sentence }) => this.chip(move, sentence, roll)));
    this.frame.scrollTo(0, 0);
    byId("choices").classList.toggle("few", moves.length <= FEW);
    byId("choices").classList.toggle("some", moves.length <= SOME);
    byId("fold").textContent = t(["{n} move", "{n} moves"], { n: moves.length });
    this.fold();
    if (!this.waiting) return;
    if (!moves.length) return byId("prompt").focus({ preventScroll: true });
    if (document.activeElement === document.body || document.activeElement === byId("prompt")) this.chips()[0].focus({ preventScroll: true });
    this.waiting = false;
  }

  /** There is nothing to open where all moves are in sight. */
  fold() {
    const fold = byId("fold");
    if (this.frame.querySelector(".ruled-out")) return; // all that is left may be in sight, but soon there is more again
    fold.hidden = true; // it takes room where it stands in the same line
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.frame;
    const inSight = scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1;
    fold.hidden = this.chips().length <= FEW || (inSight && !byId("choices").matches(".open"));
  }

  chip(move, sentence, roll) {
    const chip = button(make("span", {}, sentence), () => this.play(move), { class: roll ? "chip roll" : "chip", data: { move } });
    if (roll) chip.prepend(roll === "roll" ? smallDie() : smallCard());
    return chip;
  }

  /** Moves that the clicks so far have ruled out go out of the way. */
  narrow(left) {
    const open = new Set(left.map(({ move }) => move));
    for (const chip of this.chips()) chip.classList.toggle("ruled-out", !open.has(chip.dataset.move));
  }

  mark(move, name) {
    for (const chip of this.chips()) chip.classList.toggle(name, chip.dataset.move === move);
    if (move !== null) this.frame.querySelector(`.${name}`)?.scrollIntoView({ block: "nearest" });
  }

  arrow(event) {
    const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const chips = this.chips();
    if (!way || !chips.length) return;
    event.preventDefault();
    const at = chips.findIndex((chip) => chip === document.activeElement);
    chips[(at + way + chips.length) % chips.length].focus();
  }
}

const SIGNS = {
  hint: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.8.7-1 1.5-1 2.5h-5c0-1-.2-1.8-1-2.5z",
  undo: "M8 5L3.5 9.5 8 14M4 9.5h10a6 6 0 0 1 0 12H9",
  skip: "M5 5l7 7-7 7M13 5l7 7-7 7",
  replay: "M12 7v5l3.5 2M4 5v4.5h4.5M4.5 9.5a8.5 8.5 0 1 1-.7 4.5",
  review: "M4 19V5M4 19h16M7.5 15l4-5 3 3 5-7",
  verify: "M4 4h16v16H4zM8 12l3 3 5-6",
  share: "M12 15V3.5M8 7l4-4 4 4M5 12v8h14v-8",
};

/** A small picture for a button. */
export const sign = (name) => makeSvg("svg", { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" }, makeSvg("path", { d: SIGNS[name] }));

// Automatic answers

/** What may be answered for the person from now on, to be ticked where it is offered; `change()` after that. */
export function showAnswers(moves, whose, change) {
  const offered = [...new Set(moves.map(({ auto_answer }) => auto_answer).filter(Boolean))];
  const given = answers(whose);
  fill(byId("answers"), [offered, whose], () => offered.map((sentence) => answerBox(sentence, whose, given.includes(sentence), change)));
  byId("answers").querySelectorAll("input").forEach((box, i) => (box.checked = given.includes(offered[i])));
}

export function answerBox(sentence, whose, given, change) {
  const box = make("input", { type: "checkbox", checked: given });
  box.addEventListener("change", () => {
    answer(whose, sentence, box.checked);
    change();
  });
  return make("label", { class: "check answer" }, box, make("span", {}, make("strong", {}, t("Always:"), " "), sentence));
}

// Seats

export function showSeats(state, { turn, scores, winners }, act) {
  const key = [state.seats, state.you, state.turn === "over", turn, scores, winners];
  const scored = scores.some((score) => score !== 0);
  fill(byId("seats"), key, () => state.seats.map((seat) => seatItem(seat, state, { turn, score: scored ? scores[seat.seat] : null, won: winners.includes(seat.seat) }, act)));
}

function seatItem(seat, state, { turn, score, won }, act) {
  const playing = turn === seat.seat;
  const you = seat.yours && seat.bot === null && state.you.length === 1; // at a screen with several nobody is "you"
  return make("li", { class: `seat${playing ? " playing" : ""}${won ? " won" : ""}${seat.yours ? " yours" : ""}` },
    seatMark(seat.seat),
    make("span", { class: "who" },
      make("strong", {}, seat.name), won && make("small", {}, winnerInWords(state.shared, you)), !(won && you) && seat.status && make("small", {}, seat.status), playing && make("small", { class: "quiet" }, t("to move"))),
    seatButtons(seat, state, act),
    score === null ? null : make("span", { class: "score" }, make("span", { class: "quiet" }, t("Score"), " "), String(score)));
}

function winnerInWords(shared, you) {
  if (shared) return you ? t("you have shared the win") : t("has shared the win");
  return you ? t("you have won") : t("has won");
}

function seatButtons(seat, state, act) {
  const person = !seat.kind.startsWith("bot:");
  const over = state.turn === "over";
  const buttons = [];
  if (seat.yours) buttons.push(button("✎", () => act.rename(seat), { class: "plain tiny", "aria-label": t("Change the name of {name}", { name: seat.name }) }));
  if (seat.yours && person && seat.bot !== null && !over) buttons.push(button(t("Take my seat back"), () => act.send({ type: "return", seat: seat.seat }), { class: "main small" }));
  if (!seat.yours && state.you.length && person && seat.away && seat.bot === null && !over) {
    buttons.push(button(t("Let a bot play"), () => act.send({ type: "takeover", seat: seat.seat }), { class: "plain small", "aria-label": t("Let a bot play for {name}", { name: seat.name }) }));
  }
  if (!seat.yours && state.you.length && person && seat.away && seat.claimed && !over) {
    buttons.push(button(t("Disconnect a lost device"), () => act.send({ type: "release", seat: seat.seat }), { class: "plain small", "aria-label": t("Disconnect {name}’s lost device", { name: seat.name }) }));
  }
  return make("span", { class: "row" }, buttons);
}

// Votes

export function showVotes(state, act) {
  fill(byId("votes"), [state.votes, state.you, state.seats.map(({ name }) => name)], () => state.votes.map((vote) => voteBox(vote, state, act)));
}

function voteBox(vote, state, act) {
  const mine = vote.open.filter((seat) => state.you.includes(seat));
  const answer = (seat, yes) => act.send({ type: "vote", vote: vote.vote, seat, yes });
  const rows = mine.map((seat) => make("div", { class: "row" },
    mine.length > 1 || state.you.length > 1 ? make("span", {}, state.seats[seat].name) : null,
    button(t("Yes"), () => answer(seat, true), { class: "main small" }), button(t("No"), () => answer(seat, false), { class: "plain small" })));
  const asked = rows.length ? `${vote.sentence} ${vote.question}` : vote.sentence;
  return make("div", { class: "vote", role: "group", "aria-label": t("Vote") }, make("p", {}, asked), rows.length ? rows : make("small", {}, vote.waiting));
}

// Log

/** The lines of the record, newest first. New lines are put in front, so that only they are read out. */
export class Log {
  constructor() {
    this.lines = new Map();
    this.list = /** @type {HTMLElement} */ (byId("log").firstElementChild);
    this.list.dataset.empty = t("Nothing yet.");
    this.drawn = 0;
  }

  get newest() {
    return Math.max(0, ...this.lines.keys());
  }

  absorb(lines) {
    for (const line of lines) {
      this.lines.set(line.number, line);
      if (line.undo !== null) this.drop(line.undo + 1, line.number - 1);
    }
  }

  drop(from, to) {
    for (let number = from; number <= to; number += 1) {
      const line = this.lines.get(number);
      if (line?.undo === null) line.dropped = true; // what was taken back, not the taking back
    }
  }

  /** Show the lines up to `number`. */
  show(number) {
    if (this.stale || number < this.drawn) {
      this.list.replaceChildren();
      this.drawn = 0;
      this.stale = false;
    }
    for (const line of [...this.lines.values()].sort((one, other) => one.number - other.number)) {
      if (line.number > this.drawn && line.number <= number) this.list.prepend(logLine(line));
    }
    this.drawn = Math.max(this.drawn, number);
    for (const item of /** @type {HTMLElement[]} */ ([...this.list.children])) item.classList.toggle("dropped", this.lines.get(Number(item.dataset.number)).dropped);
    this.list.querySelector(".last")?.classList.remove("last");
    this.list.querySelector("li:not(.dropped)")?.classList.add("last");
  }

  redraw() {
    this.stale = true;
  }
}

/** A line of the record: each of its events in a sentence. */
function logLine({ number, by, bot, events }) {
  const sentences = events.map(({ kind, sentence }) => make("span", { class: "told", data: { kind } }, sentence, " "));
  return make("li", { data: { number } }, by === "chance" ? smallDie() : seatMark(by), make("span", {}, sentences, bot ? make("small", { class: "tag" }, t("bot")) : null));
}

const smallCard = () => makeSvg("svg", { viewBox: "-13 -13 26 26", class: "mark chance", "aria-hidden": "true" }, makeSvg("rect", { x: -10, y: -8, width: 13, height: 18, rx: 3 }), makeSvg("path", { d: "M-5-11h12a3 3 0 0 1 3 3v14" }));

function smallDie() {
  const pips = [[-4, -4], [4, 4], [0, 0], [-4, 4], [4, -4]].map(([cx, cy]) => makeSvg("circle", { cx, cy, r: 1.9 }));
  return makeSvg("svg", { viewBox: "-13 -13 26 26", class: "mark chance", "aria-hidden": "true" }, makeSvg("rect", { x: -10, y: -10, width: 20, height: 20, rx: 5 }), ...pips);
}
