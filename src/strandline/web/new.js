// A table by its address alone: new/?game=NAME&seats=here,bot:2, with options of the game as further parameters.

import { ask, byId, make, remember } from "./common.js";
import { seatNames } from "./names.js";
import { address, enter } from "./transport.js";
import { t } from "./words.js";

/** What the address asks for, as a request for a table. */
function wanted(parameters, { games, level }) {
  const { game: name, seats, names, ...chosen } = Object.fromEntries(parameters);
  const game = games.find((each) => each.name === name);
  if (!game) throw new Error(t("There is no such game. There are: {names}.", { names: games.map((each) => each.name).join(", ") }));
  const kinds = seats ? seats.split(",") : ["here", ...Array(Math.max(1, Math.min(...game.seats) - 1)).fill(`bot:${level}`)];
  const options = Object.fromEntries(Object.entries(chosen).map(([option, text]) => [option, value(game, option, text)]));
  const known = (names ?? "").split(",").map((each) => each.trim() || null);
  const called = seatNames(kinds.length, known).map((each, seat) => known[seat] ?? each);
  return { game, body: { game: name, seats: kinds, options, names: called } };
}

const FLAGS = { 1: true, true: true, yes: true, "": true, 0: false, false: false, no: false };

/** An option's value, by the kind of option that the game has under that name. What is none stays as it is, to be named. */
function value(game, name, text) {
  const option = game.options.find((each) => each.name === name);
  if (option?.kind === "flag") return FLAGS[text] ?? text;
  if (option?.kind === "number") return /^-?\d+$/.test(text) ? Number(text) : text;
  return option?.values?.find((each) => String(each) === text) ?? text;
}

try {
  const { game, body } = wanted(new URLSearchParams(location.search), await ask("/api/games"));
  const table = await ask("/api/tables", { body });
  const links = table.seats.filter(({ kind }) => kind === "link").map(({ seat, link }) => ({ seat, link, name: body.names[seat] }));
  remember({ id: table.id, title: game.title, names: body.names, page: table.page, watch: table.watch, links, made: Date.now() });
  await enter(table.page, true);
} catch (error) {
  byId("prompt").textContent = "";
  byId("stage").replaceChildren(make("div", { class: "panel", role: "alert" }, make("h2", {}, t("The table cannot be made.")), make("p", {}, error.message), make("a", { class: "button main", href: address("/") }, t("All games"))));
}
