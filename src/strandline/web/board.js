// The board: shown, glided, marked and clicked. It knows shapes and paths of clicks, and no game.

import { makeSvg, readSvg, stillness } from "./common.js";
import { Drag } from "./drag.js";
import { Zoom } from "./zoom.js";

/** Milliseconds that a piece takes, on a short way and on a long one; how much a unit of the board adds. */
const GLIDE = { least: 400, most: 700, each: 0.8 };
/** More moved shapes than this are a new lay-out, not a move: they leave no trail. */
const MOST_TRAILS = 12;
/** This many shapes that move the same way are carried by something. */
const DRIFT = 3;
/** Pixels: fingers are thick, so a tap in an empty gap means the nearest usable shape within this reach. */
const REACH = 24;

export class Board {
  /** @type {SVGSVGElement} */ svg;
  /** @type {string} */ text;
  /** @type {string} */ form;
  /** @type {HTMLElement} */ frame;
  /** @type {{ move: (move: string) => void, step: (left: any[]) => void, begin: (shape: string) => void, way: (moves: string[]) => void, idle: (shape: string | null, chosen: string[], event: MouseEvent) => void }} */ on;

  /**
   * `on.move(move)`: a path is finished. `on.step(moves)`: which moves are left after the clicks so far.
   * `on.begin(shape)`: the first shape of a path was clicked. `on.way(moves)`: a goal several moves away was clicked.
   * `on.idle(shape, chosen, event)`: a tap on what cannot be used now, after those that were clicked, or on nothing.
   */
  constructor(frame, on) {
    Object.assign(this, { frame, on, moves: [], chosen: [], trails: [], ways: [], glides: [], form: "" });
    this.drag = new Drag(frame, { hold: (event) => this.hold(event), lift: (id) => this.lift(id), drop: (id, event) => this.drop(id, event) });
    this.zoom = new Zoom(frame);
    frame.addEventListener("click", (event) => this.click(event));
    document.addEventListener("click", (event) => this.chosen.length && !frame.contains(event.target) && !(/** @type {Element} */ (event.target).closest("#moves")) && this.cancel());
  }

  // Showing

  /**
   * Show a board. Shapes that have moved since the last one glide to their places and leave a trail, unless the boards are
   * far apart; `fresh` forgets the old trails first. `haste` shortens the motion.
   */
  show(text, { glide = true, fresh = true, far = false, haste = 1 } = {}) {
    if (text === this.text) return;
    for (const glide of this.glides) glide.finish(); // or the new way would begin in the middle of the old one
    this.glides = [];
    const svg = readSvg(text);
    const form = svg.getAttribute("viewBox");
    const same = this.form === form; // or arranged otherwise
    const before = same ? this.places() : null;
    if (!same) this.trails = [];
    Object.assign(this, { svg, text, form });
    this.frame.replaceChildren(svg);
    this.aside = takeBanner(svg);
    this.zoom.take(svg, before);
    this.follow(before, { glide, fresh, far, haste });
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

  follow(before, { glide, fresh, far, haste }) {
    if (fresh || far) this.trails = [];
    if (!before) return;
    const moved = this.moved(before);
    if (!far) this.trails.push(...travellers(moved));
    if (!glide || stillness()) return;
    const appear = (shape) => shape.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE.least / haste });
    this.glides = [...moved.map(({ shape, from, to }) => glideShape(shape, from, to, haste)), ...this.newcomers(before).map(appear)];
  }

  /** When everything has come to rest: on a busy machine later than planned. */
  async rest() {
    await Promise.all(this.glides.map(({ finished }) => finished));
  }

  /** The outermost shapes that are elsewhere than before. The scores are no pieces: they stand where there is room. */
  moved(before) {
    const found = [];
    for (const [id, to] of this.places()) {
      const from = before.get(id);
      const shape = this.shape(id);
      if (!from || !differs(from, to) || shape.closest(".scores") || found.some((other) => other.shape.contains(shape))) continue;
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

  /** Look closer at what can be used now, if it is small. */
  attend() {
    this.zoom.attend([...this.svg.querySelectorAll(".ready")]);
  }

  /** What a bot would click: the shapes, and the way from the first to the last. Forgotten with the next board or click. Gives where it is. */
  hint(clicks) {
    this.svg.querySelector(".hint")?.remove();
    const shapes = clicks.map((id) => this.shape(id)).filter(Boolean);
    if (!shapes.length) return null;
    const root = this.root().getScreenCTM().inverse();
    const places = shapes.map((shape) => {
      const { left, top, width, height } = (shape.querySelector(":scope > .halo") ?? shape).getBoundingClientRect();
      const { x, y } = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(root);
      return { x, y, r: (Math.max(width, height) * root.a) / 2 + 6 };
    });
    const rings = places.flatMap(({ x, y, r }) => ["hint-edge", "hint-line"].map((name) => makeSvg("circle", { cx: x, cy: y, r, class: name })));
    const ways = places.slice(1).flatMap((to, i) => ["hint-edge", "hint-line"].map((name) => makeSvg("path", { d: arrow(places[i], to), class: name })));
    this.root().append(makeSvg("g", { class: "hint", "aria-hidden": "true" }, ...rings, ...ways));
    return shapes[0].getBoundingClientRect();
  }

  // Clicking

  /** Offer the moves of position `number` to be clicked; an offer made again leaves what has been clicked. */
  offer(moves, number) {
    const key = JSON.stringify([number, moves]);
    if (key === this.offered) return this.mark();
    this.offered = key;
    this.moves = moves.filter(({ clicks }) => clicks.length);
    this.chosen = [];
    this.ways = [];
    const pieces = new Set(this.moves.filter(({ clicks }) => clicks.length > 1).map(({ clicks }) => clicks[0]));
    this.lone = pieces.size === 1 ? [...pieces][0] : null;
    this.mark();
    if (this.lone) this.on.begin(this.lone);
  }

  left() {
    return this.moves.filter(({ clicks }) => this.chosen.every((id, i) => clicks[i] === id));
  }

  /** What can be clicked next. The only piece that can move anywhere need not be: its goals can. */
  ready() {
    const next = ({ clicks }) => (!this.chosen.length && clicks.length > 1 && clicks[0] === this.lone ? clicks[1] : clicks[this.chosen.length]);
    return new Set(this.left().map(next));
  }

  mark() {
    if (!this.svg) return;
    for (const shape of this.svg.querySelectorAll(".ready, .chosen, .far, .calm")) shape.classList.remove("ready", "chosen", "far", "calm");
    for (const ring of this.svg.querySelectorAll(".ring, .ring-edge")) ring.remove();
    const ready = this.ready();
    for (const id of ready) this.light(this.shape(id), "ready");
    for (const id of this.begun()) this.light(this.shape(id), "chosen");
    for (const { goal } of this.ways) if (!ready.has(goal)) this.light(this.shape(goal), "far");
    if (ready.size && !this.chosen.length) this.calm(ready);
    if (this.chosen.length) this.svg.querySelector(".hint")?.remove();
    this.on.step(this.left());
  }

  /** The clicks so far: a lone piece counts as clicked. */
  begun() {
    return this.chosen.length || !this.lone ? this.chosen : [this.lone];
  }

  /** What can be used glows, in front of its drawing, unless that is larger than its place and would be cut. */
  light(shape, look) {
    if (!shape) return;
    shape.classList.add(look);
    const halo = shape.querySelector(":scope > .halo");
    const rings = (halo ? ["ring-edge", "ring"] : []).map((name) => {
      const ring = halo.cloneNode(true);
      ring.removeAttribute("id");
      ring.setAttribute("class", name);
      return ring;
    });
    if (halo?.matches(".below")) halo.after(...rings);
    else shape.append(...rings);
  }

  /** Pieces of the same kind that cannot be used are calmer than those that can. */
  calm(ready) {
    const kind = (id) => id.replace(/-?\d+$/, "");
    const kinds = new Set([...ready].filter((id) => /\d$/.test(id)).map(kind));
    for (const halo of this.root().querySelectorAll("g[id][transform] > .halo")) {
      const shape = halo.parentElement;
      if (!ready.has(shape.id) && kinds.has(kind(shape.id)) && !shape.matches(".far")) shape.classList.add("calm");
    }
  }

  click(event) {
    const ready = this.ready();
    const chosen = [...this.begun()];
    const isGoal = (id) => this.ways.some(({ goal }) => goal === id);
    const usable = (id) => ready.has(id) || chosen.includes(id) || isGoal(id) || this.moves.some(({ clicks }) => clicks[0] === id);
    const blocked = this.piece(event, usable);
    const hit = blocked ? null : this.under(event, (id) => ready.has(id));
    if (hit) return this.choose(hit);
    const again = blocked ? null : this.under(event, (id) => chosen.includes(id));
    const way = blocked || again ? null : this.ways.find(({ goal }) => goal === this.under(event, isGoal));
    if (way) return this.on.way(way.moves);
    const other = blocked || again ? null : this.under(event, usable);
    const any = blocked ?? again ?? other ?? this.under(event, () => true);
    const near = any ? null : this.nearest(event, ready);
    if (near) return this.choose(near);
    this.cancel();
    if (other) return this.choose(other);
    if (!again) this.on.idle(any, chosen, event);
  }

  /** The piece whose drawing is under the pointer, if it cannot be used: whatever lies below it is not meant. */
  piece({ clientX, clientY }, usable) {
    const drawn = document.elementsFromPoint(clientX, clientY).find((element) => this.svg?.contains(element) && !element.matches(".halo, .ring, .ring-edge, .trails *"));
    let found = null;
    for (let shape = drawn; shape && shape !== this.svg; shape = shape.parentElement) {
      if (shape.id && usable(shape.id)) return null;
      if (shape.id && !found && shape.querySelector(":scope > .halo")) found = shape.id;
    }
    return found;
  }

  /** The topmost shape under the pointer that will do: a piece may lie on the shape that is meant. */
  under({ clientX, clientY }, will) {
    for (const element of document.elementsFromPoint(clientX, clientY)) {
      if (!this.svg?.contains(element)) continue;
      for (let shape = element; shape !== this.svg; shape = shape.parentElement) {
        if (shape.id && will(shape.id)) return shape.id;
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
    const goesOn = !this.chosen.length && this.moves.some(({ clicks }) => clicks[0] === this.lone && clicks[1] === id);
    this.ways = [];
    this.chosen = [...(goesOn ? [this.lone] : this.chosen), id];
    const done = this.left().find(({ clicks }) => clicks.length === this.chosen.length);
    this.mark();
    if (done) this.on.move(done.move);
    else if (this.chosen.length === 1) this.on.begin(id);
  }

  /** Goals for the piece that was clicked which are several moves away. */
  offerWays(shape, ways) {
    const begun = this.begun();
    if (begun.length !== 1 || begun[0] !== shape) return;
    this.ways = ways;
    this.mark();
  }

  cancel() {
    for (const shape of this.svg?.querySelectorAll('[style*="translate"]') ?? []) /** @type {SVGElement} */ (shape).style.translate = "";
    if (!this.chosen.length) return;
    this.chosen = [];
    this.ways = [];
    this.mark();
    if (this.lone) this.on.begin(this.lone);
  }

  // Dragging

  /** The piece under the pointer, if it can be dragged: the first click of a move that has another. */
  hold(event) {
    return this.piece(event, (id) => this.draggable(id)) ? null : this.under(event, (id) => this.draggable(id));
  }

  draggable(id) {
    return this.moves.some(({ clicks }) => clicks.length > 1 && clicks[0] === id);
  }

  lift(id) {
    if (this.begun()[0] !== id) {
      this.cancel();
      this.choose(id);
    }
    return this.shape(id);
  }

  /** A piece that was dragged is let go. Dropped on anything but a goal it plays nothing, and the reason is shown there. */
  drop(id, event) {
    const ready = this.ready();
    const below = this.under(event, (shape) => ready.has(shape) || this.ways.some(({ goal }) => goal === shape)) ?? this.under(event, () => true);
    const goal = below ?? this.nearest(event, ready);
    const way = this.ways.find((one) => one.goal === goal);
    const begun = [...this.begun()];
    if (ready.has(goal)) this.choose(goal);
    else if (way) this.on.way(way.moves);
    else {
      this.cancel();
      this.on.idle(below, begun, event);
      return false;
    }
    return true;
  }
}

/** The page itself says who is to do what: the board need not, and has the room. Gives how far the game is. */
function takeBanner(svg) {
  const [banner, scores] = [".banner", ".scores"].map((name) => /** @type {SVGGraphicsElement | null} */ (svg.querySelector(`:scope > g ${name}`)));
  if (!banner || !scores) return "";
  const [said, above] = [banner.getBBox(), scores.getBBox()];
  const [place, other] = [banner, scores].map((part) => part.getBoundingClientRect());
  const aside = banner.querySelector(".aside").textContent;
  const lower = said.y + said.height - above.y - above.height;
  const isBelow = place.top > (other.top + other.bottom) / 2; // or beside them
  banner.remove();
  if (isBelow) {
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    scores.setAttribute("transform", `translate(0 ${lower})`);
    svg.setAttribute("viewBox", `${x} ${y + lower} ${width} ${height - lower}`);
  }
  return aside;
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
function glideShape(shape, from, to, haste) {
  const own = shape.transform.baseVal.consolidate()?.matrix ?? makeSvg("svg").createSVGMatrix();
  const parent = to.multiply(own.inverse());
  const start = parent.inverse().multiply(from);
  const way = Math.hypot(to.e - from.e, to.f - from.f);
  const duration = Math.min(GLIDE.most, GLIDE.least + GLIDE.each * way) / haste;
  return shape.animate([{ transform: css(start) }, { transform: css(own) }], { duration, easing: "ease-in-out" });
}

const css = ({ a, b, c, d, e, f }) => `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;

/** An arrow from the edge of one ring to the edge of another. */
function arrow(from, to) {
  const turn = Math.atan2(to.y - from.y, to.x - from.x);
  const at = (place, away, aside = 0) => `${(place.x + away * Math.cos(turn + aside)).toFixed(1)} ${(place.y + away * Math.sin(turn + aside)).toFixed(1)}`;
  const tip = { x: to.x - to.r * Math.cos(turn), y: to.y - to.r * Math.sin(turn) };
  if (Math.hypot(to.x - from.x, to.y - from.y) <= from.r + to.r) return "";
  return `M${at(from, from.r)}L${at(tip, 0)}M${at(tip, -16, 0.5)}L${at(tip, 0)}L${at(tip, -16, -0.5)}`;
}

/** A faint way from where to where, slightly bent so that ways back and forth do not hide each other. */
function trail([from, to]) {
  const [x, y] = [(from.e + to.e) / 2, (from.f + to.f) / 2];
  const [bx, by] = [x - (to.f - from.f) * 0.12, y + (to.e - from.e) * 0.12];
  const way = `M${from.e} ${from.f}Q${bx} ${by} ${to.e} ${to.f}`;
  return makeSvg("g", {}, makeSvg("path", { d: way, class: "trail-edge" }), makeSvg("path", { d: way, class: "trail" }), makeSvg("circle", { cx: from.e, cy: from.f, r: 7, class: "trail-start" }));
}
