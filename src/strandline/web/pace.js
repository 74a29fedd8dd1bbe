// How long things stay on the screen: a turn is a short film, at a pace that a child can follow.

import { PACES, settings } from "./common.js";

/** Milliseconds that an event takes at least, so that its motion ends before the next one begins, calm or quick. */
const LEAST = { calm: 750, quick: 400, none: 0 };
/** Dice and draws are looked at longer. */
const LOOK = { calm: 1200, quick: 700, none: 0 };
/** A run of events is shown within this time, however long it is, unless that is too fast for the eye. */
const LONGEST_RUN = 20000;
/** Reading the last sentence: what every sentence takes, what a letter adds, and the most of it all. */
const READING = { start: 500, letter: 40, most: 3000 };

/** How much faster than calm pieces move. */
export const haste = () => (settings().pace === "quick" ? 2 : 1);

/** How long an event stays, before that many others. `own`: whoever looks has just done it. */
export function stepTime({ dice, drawn, sentence }, left, own) {
  const { pace } = settings();
  const shown = dice.length || drawn.length ? LOOK[pace] : own ? LEAST[pace] : PACES[pace];
  const time = Math.max(LEAST[pace], Math.min(shown, LONGEST_RUN / (left + 1)));
  return left || own ? time : Math.max(time, Math.min(READING.most, READING.start + READING.letter * sentence.length) / (pace === "calm" ? 1 : 2));
}
