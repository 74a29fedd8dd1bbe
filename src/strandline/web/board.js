// The board: shown, glided, marked and clicked. It knows shapes and paths of clicks, and no game.

import { makeSvg, readSvg, stillness } from "./common.js";

const GLIDE = { duration: 250, easing: "ease-out" };
/** More moved shapes than this are a new lay-out, not a move: they leave no trail. */
const MOST_TRAILS = 12;
/** So many shapes that move the same way are carried by something. */
const DRIFT = 3;
/** Pixels: fingers are thick, so a tap beside everything means the nearest shape within this reach. */
const REACH = 24;

export class Board {
  /** @type {SVGSVGElement} */ svg;
  /** @type {string} */ text;
  /** @type {HTMLElement} */ frame;
  /** @type {{ move: (move: string) => void, step: (left: any[]) => void }} */ on;

  /** `on.move(move)`: a path is finished. `on.step(moves)`: which moves are left after the clicks so far. */
  constructor(frame, on) {
    Object.assign(this, { frame, on, moves: [], chosen: [], trails: [] });
    frame.addEventListener("click", (event) => this.click(event));
    document.addEventListener("click", (event) => this.chosen.length && !frame.contains(event.target) && !(/** @type {Element} */ (event.target).closest("#moves")) && this.cancel());
  }

  // Showing

  /**
   * Show a board. Shapes that have moved since the last one glide to their places and leave a trail, unless the boards are
   * far apart; `fresh` forgets the old trails first.
   */
  show(text, { glide = true, fresh = true, far = false } = {}) {
    if (text === this.text) return;
    const before = this.svg ? this.places() : null;
    const svg = readSvg(text);
    Object.assign(this, { svg, text });
    this.frame.replaceChildren(svg);
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    document.documentElement.style.setProperty("--ratio", String(width / height));
    this.follow(before, { glide, fresh, far });
    this.drawTrails();
    this.mark();
  }

  /** Where each shape with an id is, as a matrix in the board's own units. */
  places() {
    const root = this.root().getCTM()?.inverse();
    const places = new Map();
    if (!root) return places;
    for (const shape of this.svg.querySelectorAll(":scope > g [id]")) {
      const ctm = /** @type {SVGGraphicsElement} */ (shape).getCTM?.();
      if (ctm) places.set(shape.id, root.multiply(ctm));
    }
    return places;
  }

  /** @returns {SVGGraphicsElement} */
  root() {
    return this.svg.querySelector(":scope > g") ?? this.svg;
  }

  follow(before, { glide, fresh, far }) {
    if (fresh || far) this.trails = [];
    if (!before) return;
    const moved = this.moved(before);
    if (!far) this.trails.push(...travellers(moved));
    if (!glide || stillness()) return;
    for (const { shape, from, to } of moved) glideShape(shape, from, to);
    for (const shape of this.newcomers(before)) shape.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE);
  }

  /** The outermost shapes that are elsewhere than before. */
  moved(before) {
    const found = [];
    for (const [id, to] of this.places()) {
      const from = before.get(id);
      const shape = this.shape(id);
      if (!from || !differs(from, to) || found.some((other) => other.shape.contains(shape))) continue;
      found.push({ shape, from, to });
    }
    return found;
  }

  newcomers(before) {
    return [...this.root().querySelectorAll("g[id][transform]")].filter((shape) => !before.has(shape.id));
  }

  shape(id) {
    return this.svg?.querySelector(`:scope > g [id="${CSS.escape(id)}"]`) ?? null;
  }

  drawTrails() {
    this.svg.querySelector(".trails")?.remove();
    const marks = this.trails.filter(([from, to]) => Math.hypot(to.e - from.e, to.f - from.f) > 12).map(trail);
    if (marks.length) this.root().append(makeSvg("g", { class: "trails", "aria-hidden": "true" }, ...marks));
  }

  // Clicking

  /** Offer the moves of position `number` to be clicked; an offer made again leaves what has been clicked. */
  offer(moves, number) {
    const key = JSON.stringify([number, moves]);
    if (key === this.offered) return this.mark();
    this.offered = key;
    this.moves = moves.filter(({ clicks }) => clicks.length);
    this.chosen = [];
    this.mark();
  }

  left() {
    return this.moves.filter(({ clicks }) => this.chosen.every((id, i) => clicks[i] === id));
  }

  ready() {
    return new Set(this.left().map(({ clicks }) => clicks[this.chosen.length]));
  }

  mark() {
    if (!this.svg) return;
    for (const shape of this.svg.querySelectorAll(".ready, .chosen")) shape.classList.remove("ready", "chosen");
    const ready = this.ready();
    for (const id of ready) this.shape(id)?.classList.add("ready");
    for (const id of this.chosen) this.shape(id)?.classList.add("chosen");
    this.on.step(this.left());
  }

  click(event) {
    if (!this.moves.length) return;
    const ready = this.ready();
    const firsts = new Set(this.moves.map(({ clicks }) => clicks[0]));
    const hit = this.under(event, ready);
    if (hit) return this.choose(hit);
    const again = this.under(event, new Set(this.chosen));
    const other = again ? null : this.under(event, firsts);
    const near = again || other ? null : this.nearest(event, ready);
    if (near) return this.choose(near);
    this.cancel();
    if (other) this.choose(other);
  }

  /** The topmost of these shapes under the pointer: a piece may lie on the shape that is meant. */
  under(event, ids) {
    for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
      for (let shape = element; shape && shape !== this.frame; shape = shape.parentElement) {
        if (shape.id && ids.has(shape.id)) return shape.id;
      }
    }
    return null;
  }

  /** Of these shapes the nearest one, if it is within reach. */
  nearest({ clientX, clientY }, ids) {
    const away = (id) => {
      const { left, right, top, bottom } = this.shape(id).getBoundingClientRect();
      return Math.hypot(Math.max(left - clientX, 0, clientX - right), Math.max(top - clientY, 0, clientY - bottom));
    };
    const [first] = [...ids].filter((id) => this.shape(id)).map((id) => [away(id), id]).sort(([one], [other]) => one - other);
    return first && first[0] <= REACH ? first[1] : null;
  }

  choose(id) {
    this.chosen.push(id);
    const done = this.left().find(({ clicks }) => clicks.length === this.chosen.length);
    this.mark();
    if (done) this.on.move(done.move);
  }

  cancel() {
    if (!this.chosen.length) return;
    this.chosen = [];
    this.mark();
  }
}

const differs = (one, other) => ["a", "b", "c", "d", "e", "f"].some((part) => Math.abs(one[part] - other[part]) > 0.5);

/**
 * Of all shapes that moved, those whose way is worth a trail: pieces, that is what can be clicked or has a number. Where
 * many drift together the same way and something else moved too, it is the something else that people look for.
 */
function travellers(moved) {
  const pieces = moved.filter(({ shape }) => shape.querySelector(":scope > .halo") || /-\d+$/.test(shape.id));
  const way = ({ from, to }) => `${Math.round(to.e - from.e)} ${Math.round(to.f - from.f)}`;
  const together = (piece) => pieces.filter((other) => way(other) === way(piece)).length;
  const alone = pieces.filter((piece) => together(piece) < DRIFT);
  const shown = alone.length ? alone : pieces;
  return shown.length <= MOST_TRAILS ? shown.map(({ from, to }) => [from, to]) : [];
}

/** From and to are in the board's units; the animation runs in those of the shape's parent. */
function glideShape(shape, from, to) {
  const own = shape.transform.baseVal.consolidate()?.matrix ?? makeSvg("svg").createSVGMatrix();
  const parent = to.multiply(own.inverse());
  const start = parent.inverse().multiply(from);
  shape.animate([{ transform: css(start) }, { transform: css(own) }], GLIDE);
}

const css = ({ a, b, c, d, e, f }) => `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;

/** A faint way from where to where, slightly bent so that ways back and forth do not hide each other. */
function trail([from, to]) {
  const [x, y] = [(from.e + to.e) / 2, (from.f + to.f) / 2];
  const [bx, by] = [x - (to.f - from.f) * 0.12, y + (to.e - from.e) * 0.12];
  const way = `M${from.e} ${from.f}Q${bx} ${by} ${to.e} ${to.f}`;
  return makeSvg("g", {}, makeSvg("path", { d: way, class: "trail-edge" }), makeSvg("path", { d: way, class: "trail" }), makeSvg("circle", { cx: from.e, cy: from.f, r: 7, class: "trail-start" }));
}
