// What the page says in its own words: short, kind, in the second person.

import { named } from "./common.js";

/** "Seat 0 rolls a 4" is "you roll a 4" to the person of seat 0. */
function addressed(sentence, seat) {
  return sentence.replace(new RegExp(`\\bSeat ${seat} (\\w+)`), (_, verb) => `you ${secondPerson(verb)}`);
}

function secondPerson(verb) {
  if (verb === "has") return "have";
  if (verb === "is") return "are";
  if (/(ss|sh|ch|x|o)es$/.test(verb)) return verb.slice(0, -2);
  if (/[^aeiou]ies$/.test(verb)) return `${verb.slice(0, -3)}y`;
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

/** What to do now. `task` is the board's own word for it, if it has one; `begun` says that some shapes have been clicked. */
export function promptOf(state, names, task, begun) {
  if (state.acting === null) return ended(state) ?? named(state.prompt, names);
  if (begun) return "Good. Now choose what glows, or press Escape.";
  const said = named(addressed(state.prompt, state.acting), names);
  const choice = task ? `${task.charAt(0).toUpperCase()}${task.slice(1)}${/[.!?]$/.test(task) ? "" : "."}` : "Choose what glows.";
  return `${said} ${choice}`;
}

function ended(state) {
  const mine = state.winners.filter((seat) => state.you.includes(seat));
  if (state.turn !== "over" || state.you.length !== 1) return null;
  if (mine.length && state.winners.length === 1) return "The game is over. You have won!";
  return mine.length ? "The game is over. You share the win!" : null;
}

export function kindInWords(seat) {
  if (seat.kind.startsWith("bot:")) return `bot, ${levelInWords(seat.kind.slice(4))}`;
  if (seat.bot !== null) return seat.yours ? "a bot plays for you" : "away, a bot plays";
  return seat.away ? "away" : seat.yours ? "you" : "";
}

const levelInWords = (level) => (/^\d+$/.test(level) ? `level ${level}` : level);
