// A piece is dragged to its goal: it follows the pointer, and is dropped where its next click would be. Tapping does the same.

import { stillness } from "./common.js";

/** Pixels after which a press is a drag, not a tap. */
const FAR_ENOUGH = 8;
/** Pixels: dropped nearer than this to where it was, it was tapped. */
const NEAR = 20;
/** Milliseconds in which a piece that was dropped nowhere goes back. */
const BACK = 200;

export class Drag {
  /** @type {HTMLElement} */ frame;
  /** @type {(event: PointerEvent) => string | null} */ hold;
  /** @type {(id: string) => SVGGraphicsElement | null} */ lift;
  /** @type {(id: string, event: PointerEvent) => boolean} */ drop;
  /** @type {{ id: string, pointer: number, x: number, y: number, shape: SVGGraphicsElement | null } | null} */ held = null;

  /**
   * `hold(event)`: the piece under the pointer that can be dragged now, or null. `lift(id)`: it is dragged; gives its shape.
   * `drop(id, event)`: it was let go there; gives whether that is played.
   */
  constructor(frame, { hold, lift, drop }) {
    Object.assign(this, { frame, hold, lift, drop });
    frame.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) addEventListener(kind, (event) => this.follow(/** @type {PointerEvent} */ (event)), { capture: true });
    frame.addEventListener("touchmove", (event) => this.held && event.cancelable && event.preventDefault(), { passive: false }); // or the page would scroll
    addEventListener("click", (event) => this.afterwards(event), { capture: true });
  }

  press(event) {
    this.dropped = false;
    if (this.held || event.button) return this.release(); // a second finger zooms
    const id = this.hold(event);
    if (id) this.held = { id, pointer: event.pointerId, x: event.clientX, y: event.clientY, shape: null };
  }

  follow(event) {
    const { held } = this;
    if (held?.pointer !== event.pointerId) return;
    if (event.type === "pointercancel") return this.release();
    if (event.type === "pointermove") return this.move(held, event);
    this.held = null;
    if (!held.shape) return; // a tap
    this.dropped = true; // the click that comes of it is none
    const played = Math.hypot(event.clientX - held.x, event.clientY - held.y) > NEAR && this.drop(held.id, event);
    held.shape.classList.remove("dragged");
    if (!played) goBack(held.shape);
  }

  move(held, event) {
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.shape && Math.hypot(dx, dy) < FAR_ENOUGH) return;
    event.stopPropagation();
    held.shape ??= this.lift(held.id);
    if (!held.shape?.isConnected) return this.release(); // the board has been drawn anew
    held.shape.classList.add("dragged");
    const { a, b, c, d } = /** @type {SVGGraphicsElement} */ (held.shape.parentElement).getScreenCTM().inverse();
    held.shape.style.translate = `${a * dx + c * dy}px ${b * dx + d * dy}px`;
  }

  release() {
    const shape = this.held?.shape;
    this.held = null;
    shape?.classList.remove("dragged");
    if (shape) goBack(shape);
  }

  afterwards(event) {
    if (this.dropped && this.frame.contains(event.target)) event.stopPropagation();
    this.dropped = false;
  }
}

function goBack(shape) {
  const from = shape.style.translate;
  shape.style.translate = "";
  if (from && !stillness()) shape.animate([{ translate: from }, { translate: "0px 0px" }], { duration: BACK, easing: "ease-out" });
}
