// The family's scoreboard: kept in this browser, by names, and wiped with one click.

import { button, confirmed, dialog, keep, make, recall } from "./common.js";
import { t } from "./words.js";

const MOST = 500;
const SUMMER = 92 * 24 * 3600 * 1000;

const results = () => recall("results", []);

/** A game has ended at this screen: note who won, once a table. Bots are not counted. */
export function noteResult({ table, game, title, seats, winners, shared, turn }) {
  if (turn !== "over" || results().some((known) => known.table === table)) return;
  const people = seats.filter(({ kind }) => !kind.startsWith("bot:"));
  if (!people.some(({ yours }) => yours)) return; // somebody else's game
  const names = people.map(({ name }) => name);
  const won = people.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  keep("results", [{ table, game, title, names, won, shared, when: Date.now() }, ...results()].slice(0, MOST));
}

/** Who has played, won alone and shared a win how often, since a time; those with the most wins first. */
function counted(since) {
  const people = new Map();
  for (const { names, won, shared = false, when } of results()) {
    if (when < since) continue;
    for (const name of names) {
      const now = people.get(name) ?? { games: 0, wins: 0, ties: 0 };
      const win = Number(won.includes(name));
      people.set(name, { games: now.games + 1, wins: now.wins + (shared ? 0 : win), ties: now.ties + (shared ? win : 0) });
    }
  }
  return [...people].sort(([, one], [, other]) => other.wins - one.wins || other.ties - one.ties || one.games - other.games);
}

function tableOf(caption, since) {
  const found = counted(since);
  const tied = found.some(([, { ties }]) => ties);
  const rows = found.map(([name, { games, wins, ties }]) => make("tr", {}, make("th", { scope: "row" }, name), [wins, ...(tied ? [ties] : []), games].map((n) => make("td", {}, String(n)))));
  return make("table", { class: "luck" }, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ["", t("Wins"), ...(tied ? [t("Shared wins")] : []), t("Games")].map((head) => (head ? make("th", { scope: "col" }, head) : make("td"))))), make("tbody", {}, rows));
}

export function showScoreboard() {
  const frame = make("div", { class: "scoreboard" });
  const draw = () => frame.replaceChildren(...(results().length
    ? [tableOf(t("The last three months"), Date.now() - SUMMER), tableOf(t("All games"), 0), make("p", {}, make("small", {}, t("Kept in this browser only, by the names at the tables. Bots are not listed.")))]
    : [make("p", {}, t("Nobody has finished a game in this browser yet."))]));
  const wipe = button(t("Clear the scoreboard"), async () => {
    if (!(await confirmed(t("Clear the scoreboard"), t("This deletes all results in this browser. The games themselves stay."), t("Clear")))) return;
    keep("results", []);
    wipe.remove();
    draw();
  }, { class: "plain" });
  draw();
  dialog(t("Scoreboard"), frame, { buttons: results().length ? [wipe] : [] });
}
