// What the page says in its own words: short, kind, in the second person.

import { named } from "./common.js";

/** What has just happened is told as past; other verbs stay in the present. */
const PAST = { rolls: "rolled", flips: "flipped", draws: "drew", looks: "looked" };

/** A sentence of more letters than this is cut at its colon. */
const GLANCE = 50;

/** "Seat 0 rolls a 4" is "you rolled a 4" to the person of seat 0. */
function addressed(sentence, seat) {
  return sentence.replace(new RegExp(`^Seat ${seat} (\\w+)`), (_, verb) => `you ${PAST[verb] ?? secondPerson(verb)}`);
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
  if (begun) return "Good. Now choose where: what glows.";
  return `${turnInWords(state, names)} ${task ? sentence(task) : "Choose what glows."}`;
}

/** Whose turn it is, and what they rolled; what befell others stands in the log. */
function turnInWords({ prompt, acting }, names) {
  const [, turn, rolled] = /^(.*?your turn)(?:: (.*))?/i.exec(prompt) ?? [null, prompt];
  const own = rolled?.startsWith(`Seat ${acting} `);
  return named(own ? `${turn}: ${glance(addressed(rolled, acting))}` : sentence(turn), names);
}

/** What it means stands on the board and in the log; the prompt must be read at a glance. */
export function glance(told) {
  const [first] = /^.*?\.(?= |$)/.exec(told) ?? [told];
  return first.length > GLANCE && first.includes(": ") ? `${first.split(": ")[0]}.` : first;
}

/** A line of the record, with the name of who did it where the sentence does not tell. */
export function told({ by, sentence: said }, names) {
  const text = named(said, names);
  return by === "chance" || text.includes(names[by]) ? text : `${names[by]}: ${text}`;
}

export function sentence(text, end = ".") {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : start + end;
}

function ended({ turn, you, winners, seats }) {
  const mine = winners.filter((seat) => you.includes(seat));
  if (turn !== "over" || you.length !== 1 || !mine.length) return null;
  if (winners.length === 1) return "The game is over. You have won!";
  return winners.length === seats.length && winners.length > 2 ? "The game is over. You have all won!" : "The game is over. You share the win!";
}

export function kindInWords(seat) {
  if (seat.kind.startsWith("bot:")) {
    const own = seat.kind.slice(4);
    return seat.bot === own ? `bot, ${levelInWords(own)}` : `bot, ${levelInWords(seat.bot)} in place of ${own}`;
  }
  if (seat.bot !== null) return seat.yours ? "a bot plays for you" : "away, a bot plays";
  return seat.away ? "away" : seat.yours ? "you" : "";
}

const levelInWords = (level) => (/^\d+$/.test(level) ? `level ${level}` : level);
