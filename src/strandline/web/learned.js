// What this device remembers of lessons: how far one is, which ones are done, and what the coach has said.

import { keep, recall, tables } from "./common.js";

const key = (game) => `learn.${game}`;
const known = (game) => ({ done: [], acts: {}, ...recall(key(game), {}) });

/** What has been done in a lesson that was left. */
export const progress = (game, lesson) => known(game).acts[lesson] ?? [];

export function remember(game, lesson, acts) {
  const now = known(game);
  keep(key(game), { ...now, acts: { ...now.acts, [lesson]: acts } });
}

export const finished = (game, lesson) => known(game).done.includes(lesson);

export function finish(game, lesson) {
  const now = known(game);
  keep(key(game), { ...now, done: [...new Set([...now.done, lesson])] });
}

/** Whether somebody at this device knows the game: from a lesson, or from a table. */
export const knows = ({ name, title }) => known(name).done.length > 0 || tables().some((table) => table.title === title);

// The coach at the table: on in the first game, and silent about what has been said once.

export const letCoachSpeak = (game) => keep(`coach.${game}`, { on: true, heard: [] });

export const coach = (game) => ({ on: false, heard: [], ...recall(`coach.${game}`, {}) });

export const setCoach = (game, changes) => keep(`coach.${game}`, { ...coach(game), ...changes });
