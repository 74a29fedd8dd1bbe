// A sentence at a place of the board: why something cannot be used, or why a bot would do it.

import { byId, make } from "./common.js";
import { t } from "./words.js";

/** Milliseconds that it stays: what every sentence takes, and what a letter adds. */
const STAY = { start: 2500, letter: 60 };

const bubble = make("p", { id: "bubble", role: "status" });
byId("stage").append(bubble);

let timer;

/** Say it beside a place of the window, with the number of the rule behind it; what was said before goes. */
export function bubbleAt(text, { x, y }, rule = null) {
  const stage = byId("stage").getBoundingClientRect();
  bubble.replaceChildren(make("span", {}, text), ...(rule ? [" ", make("small", {}, t("Rule {number}", { number: rule }))] : []));
  bubble.classList.add("shown");
  const half = bubble.offsetWidth / 2;
  const left = Math.max(half + 8, Math.min(stage.width - half - 8, x - stage.left));
  const above = y - stage.top > bubble.offsetHeight + 30;
  bubble.style.left = `${left - half}px`;
  bubble.style.top = `${above ? y - stage.top - bubble.offsetHeight - 18 : y - stage.top + 18}px`;
  clearTimeout(timer);
  timer = setTimeout(hideBubble, STAY.start + STAY.letter * text.length);
}

/** Why what was tapped or dropped on cannot be used; on the bare board there is only that a chosen piece cannot go there. */
export function tellWhy(answer, shape, chosen, place) {
  if (answer?.sentence) bubbleAt(answer.sentence, place, answer.rule);
  else if (!shape && chosen.length) bubbleAt(t("It cannot go there."), place);
}

export const hideBubble = () => bubble.classList.remove("shown");
