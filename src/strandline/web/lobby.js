// The lobby: the games, the form that starts a table, and the tables of this browser.

import { agreementFields, chosenAgreements } from "./agreements.js";
import { ask, button, byId, choice, dialog, forget, forgotten, keep, make, note, recall, remember, seatMark, setLooks, settings, showPage, showSettings, tables, wire } from "./common.js";
import { codeForm, letOthersInButton } from "./join.js";
import { showOpenTables } from "./open.js";
import { knows } from "./learned.js";
import { seatNames } from "./names.js";
import { loadForm } from "./saved.js";
import { showScoreboard } from "./scoreboard.js";
import { address, enter, image, SHARED } from "./transport.js";
import { language, t } from "./words.js";

const TIMES = { "": t("Only when the others agree"), 60: t("After a minute"), 300: t("After five minutes"), 3600: t("After an hour"), 86400: t("After a day") };

let offer; // what GET /api/games answered

async function open() {
  wire("settings", () => showSettings(showBoards));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showBoards);
  showTables();
  const coming = SHARED ? [codeForm(), letOthersInButton()] : [loadForm()];
  byId("join").replaceChildren(coming[0], make("div", { class: "row" }, ...coming.slice(1), button(t("Scoreboard"), showScoreboard, { class: "plain" })));
  if (SHARED) showOpenTables();
  try {
    offer = await ask("/api/games");
  } catch (error) {
    byId("games").replaceChildren(make("li", { class: "loading" }, error.message));
    return;
  }
  byId("games").replaceChildren(...offer.games.map(card));
  if (offer.lab) byId("join").lastElementChild.append(make("a", { class: "button plain", href: address("/lab/") }, t("The lab")));
  showBoards();
}

// The games

function card(game) {
  const picture = make("img", { alt: "", class: "board-picture", width: game.scene[2], height: game.scene[3], data: { board: game.board, view: `#svgView(viewBox(${game.scene}))` }, on: { error: () => (picture.hidden = true), load: () => (picture.hidden = false) } });
  const isNew = game.lessons && !knows(game);
  const start = button(t("Play"), () => setUp(game), { class: isNew ? "plain" : "main", "aria-label": t("Play {title}", { title: game.title }) });
  const guide = button(t("How to play"), () => showPage(game.title, game.guide), { class: "plain", "aria-label": t("How to play {title}", { title: game.title }) });
  const learn = game.lessons && make("a", { class: isNew ? "button main" : "button plain", href: address(game.lessons), "aria-label": t("Learn {title}", { title: game.title }) }, t("Learn"));
  return make(
    "li",
    { class: "card", data: { game: game.name } },
    make("div", { class: "picture", on: { click: () => (isNew ? learn : start).click() } }, picture), // for pointers: the button is for all
    make("div", { class: "card-words" },
      make("h3", {}, game.title),
      make("p", {}, game.tagline),
      make("p", { class: "facts" }, fact("people", t("{range} players", { range: seatsInWords(game.seats) })), fact("clock", t("{n} minutes", { n: game.minutes }))),
      make("div", { class: "row" }, ...(isNew ? [learn, start] : [start, learn]), guide)),
  );
}

const fact = (icon, text) => make("span", { class: `fact ${icon}` }, text);

function seatsInWords(seats) {
  return seats.length > 1 ? `${Math.min(...seats)}–${Math.max(...seats)}` : String(seats[0]);
}

/**
 * Pictures in img elements follow the system's colours, not the page's switch. When the switch says otherwise, the
 * picture's own question about the system is answered here, in its text.
 */
async function showBoards() {
  const { theme } = settings();
  for (const picture of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("img[data-board]"))) {
    if (theme === "system") {
      picture.src = (await image(picture.dataset.board)) + picture.dataset.view;
      continue;
    }
    const text = await ask(picture.dataset.board).catch(() => "");
    const answered = text.replaceAll("@media (prefers-color-scheme:dark)", theme === "dark" ? "@media all" : "@media not all");
    picture.src = `data:image/svg+xml,${encodeURIComponent(answered)}${picture.dataset.view}`;
  }
}

// Starting a table

function setUp(game) {
  setLooks(game.looks);
  const kept = recall(`setup.${game.name}`, {});
  const start = button(t("Start"), () => form.requestSubmit(), { class: "main" });
  const form = make("form", { class: "setup", novalidate: false });
  const rows = make("div", { class: "seat-rows" });
  const few = Math.min(...game.seats);
  const count = game.seats.includes(kept.seats?.length) ? kept.seats.length : game.seats.includes(2) ? 2 : few;
  const strength = make("small", { class: "strength" });
  const explain = () => (strength.textContent = levelsInWords([...rows.querySelectorAll("select")].map(({ value }) => value)));
  const fill = (seats) => {
    rows.replaceChildren(...seatRows(game, seats, kept));
    explain();
  };
  rows.addEventListener("change", explain);
  const counts = Object.fromEntries(game.seats.map((seats) => [seats, String(seats)]));
  form.append(
    choice(t("Players"), "count", counts, count, (value) => fill(Number(value))),
    rows,
    strength,
    game.warning ? make("p", { class: "strength" }, game.warning) : "",
    optionsOf(game, kept.options ?? {}),
    agreements(kept),
  );
  fill(count);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    startTable(game, form, start);
  });
  form.addEventListener("input", () => complain(form, ""));
  form.addEventListener("invalid", ({ target }) => showField(/** @type {Element} */ (target)), true); // it does not bubble
  dialog(game.title, form, { buttons: [start] });
  start.focus();
}

function seatRows(game, count, kept) {
  const names = seatNames(count, kept.names ?? []); // everybody is called what they were called last time
  const offered = kinds(game, count);
  return Array.from({ length: count }, (_, seat) => {
    const last = kept.seats?.[seat];
    const kind = offered.some(([value]) => value === last) ? last : seat === 0 ? "here" : `bot:${offer.level}`;
    const who = select(`kind-${seat}`, t("Who plays seat {n}", { n: seat + 1 }), offered, kind);
    const name = make("input", { name: `name-${seat}`, maxlength: 24, value: names[seat], "aria-label": t("Name of seat {n}", { n: seat + 1 }), autocomplete: "off", data: { given: names[seat] } });
    return make("div", { class: "seat-row" }, seatMark(seat), name, who);
  });
}

/** The level that only some games have, with some numbers of players. */
const CHAMPION = "6";

function kinds(game, count) {
  const people = [["here", t("Player on this device")], ...(SHARED ? [["link", t("Player by link")]] : [])];
  const bots = offer.levels.filter(({ name }) => name !== CHAMPION || game.champion.includes(count)).map(({ name }) => [`bot:${name}`, levelName(name)]);
  return [...people, ...bots];
}

/** How strong the chosen bots are. */
function levelsInWords(kinds) {
  const chosen = offer.levels.filter(({ name }) => kinds.includes(`bot:${name}`));
  return chosen.map(({ name, description }) => `${levelName(name)}: ${description}`).join(" ");
}

function levelName(name) {
  if (name === "random") return t("Bot, random moves");
  return /^\d+$/.test(name) ? t("Bot, level {n}", { n: name }) : t("Bot, {name}", { name });
}

function select(name, label, values, chosen) {
  const options = values.map(([value, text]) => make("option", { value, selected: value === String(chosen) }, text));
  return make("select", { name, "aria-label": label }, options);
}

function optionsOf(game, kept) {
  if (!game.options.length) return "";
  const fields = game.options.map((option) => optionField(option, kept[option.name] ?? option.default));
  return make("details", {}, make("summary", {}, t("Game options")), fields);
}

function optionField(option, value) {
  const id = `option-${option.name}`;
  const help = make("small", { id: `${id}-help` }, option.help);
  const shared = { id, name: id, "aria-describedby": help.id };
  const title = make("label", { for: id }, option.title);
  if (option.kind === "flag") {
    return make("div", { class: "option flag" }, make("input", { ...shared, type: "checkbox", checked: value }), title, help);
  }
  const field = option.kind === "number"
    ? make("input", { ...shared, type: "number", min: option.low, max: option.high, step: 1, value, required: true })
    : make("select", shared, option.values.map((each) => make("option", { value: each, selected: each === value }, option.labels[each] ?? String(each).replaceAll("_", " "))));
  return make("div", { class: "option" }, title, field, help);
}

function agreements(kept) {
  const box = (name, text) => make("div", { class: "option flag" }, make("label", { class: "check" }, make("input", { type: "checkbox", name, checked: kept[name] ?? true }), make("span", {}, text)));
  const times = Object.entries(TIMES).map(([value, text]) => [value, text]);
  times.sort(([one], [other]) => Number(one) - Number(other));
  return make("details", {},
    make("summary", {}, t("Table rules")),
    box("hints", t("Players may ask for hints")),
    box("undo", t("Moves may be taken back")),
    make("div", { class: "option" }, make("label", { for: "takeover" }, t("A bot plays for a player who is away")),
      Object.assign(select("takeover", t("A bot plays for a player who is away"), times, kept.takeover ?? ""), { id: "takeover" })),
    ...agreementFields(kept.agreed ?? {}));
}

function readForm(game, form) {
  const fields = new FormData(form);
  const count = Number(fields.get("count"));
  const seats = Array.from({ length: count }, (_, seat) => fields.get(`kind-${seat}`));
  const names = seats.map((_, seat) => String(fields.get(`name-${seat}`)).trim() || null);
  const options = Object.fromEntries(game.options.map((option) => [option.name, optionValue(option, fields.get(`option-${option.name}`))]));
  const takeover = fields.get("takeover");
  return { game: game.name, seats, names, options, hints: fields.has("hints"), undo: fields.has("undo"), takeover_after: takeover ? Number(takeover) : null, ...chosenAgreements(fields) };
}

function optionValue(option, text) {
  if (option.kind === "flag") return text !== null;
  if (option.kind === "number") return Number(text);
  return option.values.find((value) => String(value) === text);
}

async function startTable(game, form, start) {
  const wanted = readForm(game, form);
  start.disabled = true;
  complain(form, "");
  try {
    const table = await ask("/api/tables", { body: wanted });
    keep(`setup.${game.name}`, { seats: wanted.seats, names: wanted.names, options: wanted.options, hints: wanted.hints, undo: wanted.undo, takeover: wanted.takeover_after, agreed: { clock: wanted.clock, quiet: wanted.quiet, open: wanted.open } });
    const first = form.elements["name-0"];
    if (wanted.seats[0] === "here" && first.value !== first.dataset.given) keep("name", first.value.trim());
    remember({ id: table.id, title: game.title, names: wanted.names, page: table.page, watch: table.watch, links: linksOf(table, wanted), made: Date.now() });
    await enter(table.page);
  } catch (error) {
    start.disabled = false;
    start.focus();
    complain(form, inWords(game, error.message));
  }
}

/** Why the table cannot be made, beside the button that was pressed: the form may be scrolled anywhere. */
function complain(form, text) {
  const body = form.parentElement;
  body.parentElement.querySelector(":scope > .bad")?.remove();
  if (text) body.after(make("p", { class: "bad", role: "alert" }, text));
}

/** What the server says of options, by the titles that they have here. */
const inWords = ({ options }, text) => text.replace(/\w+/g, (word) => options.find(({ name }) => name === word)?.title ?? word);

/** A field that the browser complains of may be folded away, where nobody would see why nothing happens. */
const showField = (field) => field.closest("details")?.setAttribute("open", "");

const linksOf = (table, wanted) =>
  table.seats.filter(({ kind }) => kind === "link").map(({ seat, link }) => ({ seat, link, name: wanted.names[seat] ?? "" }));

// Tables of this browser

/** Those that go on come first, those that are finished stand on a shelf below the games. */
async function showTables() {
  let known = tables();
  drawTables(known.map((table) => ({ ...table, status: table.over ? t("finished") : "" })));
  if (!known.length && SHARED) return;
  const asked = known.map(({ id, page }) => ({ id, token: page.split("#")[1] || null }));
  const told = await ask("/api/tables/status", { body: { tables: asked } }).catch(() => null);
  if (!told) return; // what the browser remembers must do
  known = tables();
  const removed = forgotten(); // perhaps only just now
  const current = told.tables.filter(({ id }) => !removed.includes(id));
  const found = current.map((now) => ({ ...known.find(({ id }) => id === now.id), ...now, over: now.turn === "over" }));
  drawTables([...found, ...known.filter(({ id }) => !found.some((table) => table.id === id)).map((table) => ({ ...table, over: true, status: t("put away") }))]);
}

function drawTables(found) {
  if (!byId("tables")) return; // the lobby has been left meanwhile
  for (const [section, list, shown] of [["recent", "tables", found.filter(({ over }) => !over)], ["shelf", "finished", found.filter(({ over }) => over)]]) {
    byId(section).hidden = !shown.length;
    byId(list).replaceChildren(...shown.map(tableCard));
  }
  showBoards();
}

function tableCard(table) {
  const when = new Date(table.made).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const gone = button("✕", () => {
    forget(table.id);
    showTables();
    note(t("Removed from this list. The table itself goes on."));
  }, { class: "tiny", title: t("Remove from list"), "aria-label": t("Remove {title}, {when}, from the list", { title: table.title, when }) });
  const picture = make("span", { class: "small-board" }, table.picture && make("img", { alt: "", data: { board: table.picture, view: "" } }));
  return make("li", { class: table.your_turn ? "yours" : "", data: { table: table.id } },
    make("a", { href: address(table.page), on: { click: (event) => follow(event, table.page) } }, picture, make("span", { class: "table-words" },
      make("strong", {}, table.title),
      table.status && make("span", { class: "status" }, table.status),
      make("span", { class: "facts" }, [table.names?.filter(Boolean).join(", "), when].filter(Boolean).join(" · ")))),
    gone);
}

/** A plain click enters the table from here; any other is the browser's own affair. */
function follow(event, page) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  enter(page);
}

open();
