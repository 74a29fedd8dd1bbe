// The clock of a table that has one: shown calmly, kept by the server.

import { byId } from "./common.js";
import { t } from "./words.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How often the words are looked at again. */
const LOOK = 5000;

let ticking;

/** How much time is left, in words that do not hurry anybody. */
function inWords(seconds) {
  const of = (unit) => Math.max(1, Math.round(seconds / unit));
  if (seconds >= 2 * DAY) return t(["{n} day left", "{n} days left"], { n: of(DAY) });
  if (seconds >= 2 * HOUR) return t(["{n} hour left", "{n} hours left"], { n: of(HOUR) });
  if (seconds >= MINUTE) return t(["{n} minute left", "{n} minutes left"], { n: of(MINUTE) });
  return seconds > 0 ? t("less than a minute left") : t("time is up: a bot makes this move");
}

/** Say how long whoever's turn it is may still think. */
export function showClock({ clock, seats, turn }) {
  const place = byId("clock");
  clearInterval(ticking);
  place.hidden = clock === null;
  if (clock === null) return;
  const end = performance.now() + 1000 * clock.left;
  const say = () => {
    const text = `${seats[turn].name}: ${inWords((end - performance.now()) / 1000)}`;
    if (place.textContent !== text) place.textContent = text;
  };
  say();
  ticking = setInterval(say, LOOK);
}
