// Several moves in one go: to a goal that is more than one move away, move by move, as long as all goes as foreseen.

import { settings, stillness } from "./common.js";

/** Milliseconds between two moves, so that each can be seen. */
const BREATH = 450;

/** `table()` is the newest state; `play(move, number)` sends a move and waits for the answer. */
export async function playOneByOne(moves, table, play) {
  for (const move of moves) {
    const { number, moves: offered } = table();
    if (!offered.some((offer) => offer.move === move)) return; // something unforeseen has happened
    await play(move, number);
    if (table().number !== number + 1) return;
    if (!stillness() && settings().pace !== "none") await new Promise((go) => setTimeout(go, BREATH));
  }
}
