// The bar above the board. On a phone it keeps its height, or the board would jump with every sentence.

import { byId } from "./common.js";

const SIZES = ["", "long", "longer", "longest", "longest cut"];

/** A long sentence is set smaller until it fits, at last in place of the title; what is too long even then stands whole in the log. */
export function fitPrompt() {
  const bar = byId("bar");
  for (const size of SIZES) {
    bar.className = size;
    if (bar.scrollHeight <= bar.clientHeight) return;
  }
}

new ResizeObserver(fitPrompt).observe(byId("prompt"));
