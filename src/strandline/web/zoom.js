// A closer look at the board where its squares are small for fingers: pinch, drag, double tap, or the buttons.

import { button, byId, make, stillness } from "./common.js";
import { t } from "./words.js";

const MOST = 4;
const STEP = 1.6;
/** Pixels: what is smaller is hard to hit, and should be this large. */
const SMALL = 24;
const COMFORTABLE = 44;
/** A phone on its side, and how small letters may be there: in pixels, and in the units in which boards are written. */
const ON_ITS_SIDE = matchMedia("(min-aspect-ratio: 5/4) and (max-height: 480px) and (pointer: coarse)");
const LEGIBLE = { pixels: 11, units: 24 };
/** Pixels after which a press is a drag, not a tap. */
const DRAG = 8;
const GLIDE = 350;

/** @typedef {{ x: number, y: number, width: number, height: number }} Part a part of the board, in its units */

export class Zoom {
  /** @type {HTMLElement} */ frame;
  /** @type {SVGSVGElement} */ svg;
  /** @type {Part} */ whole;
  /** @type {Part} */ part;
  /** @type {Map<number, { x: number, y: number }>} */ fingers = new Map();
  dragged = false;
  /** Whoever has zoomed by hand keeps what they chose. */
  byHand = false;

  constructor(frame) {
    this.frame = frame;
    const zoom = (text, label, factor) => button(text, () => this.byPerson(() => this.scale(factor)), { class: "plain round", "aria-label": label });
    byId("stage").append(make("div", { id: "zoom", hidden: true }, zoom("+", t("Zoom in"), STEP), zoom("−", t("Zoom out"), 1 / STEP)));
    frame.addEventListener("pointerdown", (event) => this.press(event));
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) addEventListener(kind, (event) => this.follow(/** @type {PointerEvent} */ (event)));
    frame.addEventListener("click", (event) => this.dragged && event.stopPropagation(), { capture: true });
    frame.addEventListener("dblclick", (event) => this.doubleTap(event));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** A board has been drawn anew: it is looked at as the one before. */
  take(svg, before) {
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const isWhole = this.factor < 1.01;
    this.svg = svg;
    this.whole = { x, y, width, height };
    if (!before || isWhole) this.part = this.whole;
    this.show();
  }

  get factor() {
    return this.part ? this.whole.width / this.part.width : 1;
  }

  show() {
    const { x, y, width, height } = this.part;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.frame.classList.toggle("zoomed", this.factor > 1.01);
  }

  /** Keep the part within the board, and no larger than it or smaller than makes sense. */
  within({ x, y, width }) {
    const { whole } = this;
    const wide = Math.min(whole.width, Math.max(whole.width / MOST, width));
    const high = (wide * whole.height) / whole.width;
    const between = (low, value, high) => Math.max(low, Math.min(high, value));
    return { x: between(whole.x, x, whole.x + whole.width - wide), y: between(whole.y, y, whole.y + whole.height - high), width: wide, height: high };
  }

  /** Zoom by a factor about a place of the board, which stays where it is; its middle unless told. */
  scale(factor, at = { x: this.part.x + this.part.width / 2, y: this.part.y + this.part.height / 2 }) {
    const { part } = this;
    const width = Math.min(this.whole.width, Math.max(this.whole.width / MOST, part.width / factor));
    const rest = width / part.width;
    this.part = this.within({ x: at.x - (at.x - part.x) * rest, y: at.y - (at.y - part.y) * rest, width });
    this.show();
  }

  byPerson(zoom) {
    this.byHand = true;
    cancelAnimationFrame(this.frameNumber);
    zoom();
    this.byHand = this.factor > 1.01 || this.legible() > 1;
  }

  /** A place of the window in the board's units. */
  place({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x, y };
  }

  // Fingers

  press(event) {
    if (!this.svg) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 1) this.dragged = false;
  }

  follow(event) {
    const before = this.fingers.get(event.pointerId);
    if (event.type !== "pointermove") this.fingers.delete(event.pointerId);
    if (!before || event.type !== "pointermove") return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (!other && this.factor < 1.01) return;
    if (!other && !this.dragged && Math.hypot(now.x - before.x, now.y - before.y) < DRAG) return;
    this.dragged = true;
    this.fingers.set(event.pointerId, now);
    const units = 1 / this.svg.getScreenCTM().a;
    this.byPerson(() => {
      if (other) {
        const apart = (one) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
        this.scale(apart(now) / apart(before), this.place({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }));
      } else {
        this.part = this.within({ ...this.part, x: this.part.x - (now.x - before.x) * units, y: this.part.y - (now.y - before.y) * units });
        this.show();
      }
    });
  }

  doubleTap(event) {
    if (/** @type {Element} */ (event.target).closest(".ready, .chosen")) return; // two quick moves
    this.byPerson(() => this.scale(this.factor > 1.01 ? 1 / MOST : 2.2, this.place(event)));
  }

  wheel(event) {
    if (!event.ctrlKey || !this.svg) return;
    event.preventDefault();
    this.byPerson(() => this.scale(Math.exp(-event.deltaY / 200), this.place(event)));
  }

  // By itself

  /**
   * Squares that can be used now and are small for fingers are looked at from nearby, and on its side a phone shows what can be
   * used in letters that can be read. When nothing can be used, all is seen.
   */
  attend(shapes) {
    if (!this.svg) return;
    const { factor } = this;
    const boxes = shapes.map((shape) => shape.getBoundingClientRect()).filter(({ width }) => width);
    const size = ({ width, height }) => Math.min(width, height) / factor;
    const small = boxes.filter((box) => size(box) < SMALL);
    const byFinger = matchMedia("(pointer: coarse)").matches;
    const legible = this.legible();
    byId("zoom").hidden = !byFinger || !(small.length || legible > 1 || factor > 1.01);
    if (this.byHand || !byFinger || (stillness() && legible === 1)) return;
    if (!boxes.length) this.seeAll();
    else if (small.length && !stillness()) this.approach(small, COMFORTABLE / Math.min(...small.map(size)));
    else this.approach(boxes, legible);
  }

  /** The factor from which on letters can be read. */
  legible() {
    if (!ON_ITS_SIDE.matches) return 1;
    return Math.max(1, (LEGIBLE.pixels * this.factor) / (LEGIBLE.units * this.svg.getScreenCTM().a));
  }

  /** Look at these places by a factor, or by less so that all of them are seen. */
  approach(boxes, factor) {
    const corners = boxes.flatMap(({ left, right, top, bottom }) => [this.place({ clientX: left, clientY: top }), this.place({ clientX: right, clientY: bottom })]);
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = factor > 1 && boxes.length > 1 ? 1.1 : 1;
    const width = Math.max(this.whole.width / factor, (right - left) * room, ((bottom - top) * room * this.whole.width) / this.whole.height);
    const height = (width * this.whole.height) / this.whole.width;
    this.glide(this.within({ x: (left + right - width) / 2, y: (top + bottom - height) / 2, width }));
  }

  /** The whole board, unless somebody wants it otherwise: something happens that may be anywhere. */
  seeAll() {
    if (this.svg && !this.byHand) this.glide(this.whole);
  }

  glide(to) {
    cancelAnimationFrame(this.frameNumber);
    const from = this.part;
    if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) + Math.abs(from.width - to.width) < 1) return;
    const began = performance.now();
    const step = (now) => {
      const way = stillness() ? 1 : Math.min(1, Math.max(0, now - began) / GLIDE);
      const eased = way * way * (3 - 2 * way);
      const mixed = (name) => from[name] + (to[name] - from[name]) * eased;
      this.part = { x: mixed("x"), y: mixed("y"), width: mixed("width"), height: mixed("height") };
      this.show();
      if (way < 1) this.frameNumber = requestAnimationFrame(step);
    };
    this.frameNumber = requestAnimationFrame(step);
  }
}
