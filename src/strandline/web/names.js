// What people and bots are called until somebody says otherwise.

import { recall } from "./common.js";
import { t } from "./words.js";

/** Short names for seats whose people have not said theirs; none is a figure in a game. */
const NAMES = [t("Otter"), t("Heron"), t("Pelican"), t("Puffin"), t("Seal"), t("Dolphin"), t("Turtle"), t("Limpet")];

/** A name for every seat: the known ones, and others that are free. The first seat is mostly whoever sits here. */
export function seatNames(count, known) {
  const mine = recall("name", null);
  const free = NAMES.filter((name) => !known.includes(name));
  const turn = Math.floor(Math.random() * free.length);
  const given = Array.from({ length: count }, (_, seat) => known[seat] ?? free[(turn + seat) % free.length]);
  if (mine && !given.includes(mine)) given[0] = mine;
  return given;
}
