// The lab's page: it asks for studies, follows them and opens what they have found.

import { ask, button, byId, confirmed, make, note } from "./common.js";
import { address } from "./transport.js";
import { t } from "./words.js";

/** Milliseconds between two looks at a study that runs. */
const LOOK = 1000;

/** Studies that are to be compared, two at most, the newest choice last. */
let compared = [];
let known = { games: [], levels: [], studies: [], missing: null };
let drawn = "";

// The question

function field(title, control, help = "") {
  const id = `field-${title.replace(/\W+/g, "-")}`;
  control.id = id;
  if (help) control.setAttribute("aria-describedby", `${id}-help`);
  return make("div", { class: "field" }, make("label", { for: id }, title), control, help && make("small", { id: `${id}-help` }, help));
}

const select = (name, values, chosen) => make("select", { name }, values.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));

function box(name, value, text, checked = false) {
  return make("label", { class: "check" }, make("input", { type: "checkbox", name, value, checked }), make("span", {}, text));
}

const shown = (option, value) => option.labels[value] ?? (value === true ? t("yes") : value === false ? t("no") : String(value).replaceAll("_", " "));

function optionControl(option) {
  const name = `option-${option.name}`;
  if (option.kind === "number") return make("input", { type: "number", name, min: option.low, max: option.high, value: option.default });
  const values = option.kind === "flag" ? [false, true] : option.values;
  return select(name, values.map((value) => [String(value), shown(option, value)]), String(option.default));
}

/** The form for a game. */
function compose(name) {
  const game = known.games.find((one) => one.name === name) ?? known.games[0];
  const games = select("game", known.games.map((one) => [one.name, one.title]), game.name);
  games.addEventListener("change", () => {
    compose(games.value);
    byId("ask").querySelector("select").focus();
  });
  const bots = [["", t("Competent players")], ["random", t("Random players")], ...known.levels.filter((level) => /^[1-5]$/.test(level.name)).map((level) => [level.name, t("Bots of level {level}", { level: level.name })])];
  const options = game.options.map((option) => field(option.title, optionControl(option), option.help));
  const comparable = select("compare", [["", t("Nothing")], ...game.options.map((option) => [option.name, option.title])], "");
  const values = make("div", { id: "values" });
  comparable.addEventListener("change", () => offerValues(game, comparable.value, values));
  byId("ask").replaceChildren(
    field(t("Game"), games),
    make("fieldset", { class: "field" }, make("legend", {}, t("Players")), make("div", { class: "row" }, game.seats.map((seats) => box("players", seats, String(seats), true)))),
    field(t("Who plays"), select("bots", bots, ""), t("Beside competent players, random ones show what lies in the rules alone.")),
    field(t("Compare"), comparable),
    values,
    make("details", {}, make("summary", {}, t("More")), make("div", {},
      field(t("Games of each setting"), make("input", { type: "number", name: "games", min: 1, max: 10000000, placeholder: t("as many as usual") })),
      box("drama", "yes", t("Follow the chances of winning (takes longer)")),
      box("decisions", "yes", t("Say what decisions are worth (takes longer)")),
      options,
    )),
    make("p", { class: "bad", role: "alert" }),
    make("button", { type: "submit", class: "main" }, t("Run")),
  );
}

/** The values of the option that is compared. */
function offerValues(game, name, place) {
  const option = game.options.find((one) => one.name === name);
  if (!option) return place.replaceChildren();
  if (option.kind === "number") {
    const input = make("input", { type: "text", name: "values", required: true, pattern: "\\s*\\d+(\\s*,\\s*\\d+)+\\s*", placeholder: "2, 3" });
    return place.replaceChildren(field(t("Values"), input, t("Two or more whole numbers with commas between them.")));
  }
  const values = option.kind === "flag" ? [false, true] : option.values;
  const boxes = values.map((value) => box("values", String(value), shown(option, value), value === option.default));
  return place.replaceChildren(make("fieldset", { class: "field" }, make("legend", {}, t("Values")), boxes));
}

function valueOf(option, text) {
  if (option.kind === "number") return Number(text);
  if (option.kind === "flag") return text === "true";
  return option.values.find((value) => String(value) === text);
}

function question(form) {
  const said = new FormData(form);
  const game = known.games.find((one) => one.name === said.get("game"));
  const compare = game.options.find((option) => option.name === said.get("compare"));
  const texts = said.getAll("values").flatMap((text) => String(text).split(",")).map((text) => text.trim());
  return {
    game: game.name,
    players: said.getAll("players").map(Number),
    options: Object.fromEntries(game.options.map((option) => [option.name, valueOf(option, said.get(`option-${option.name}`))])),
    compare: compare?.name ?? null,
    values: compare ? texts.map((text) => valueOf(compare, text)) : [],
    bots: said.get("bots") ? [said.get("bots")] : [],
    games: said.get("games") ? Number(said.get("games")) : null,
    drama: said.has("drama"),
    decisions: said.has("decisions"),
  };
}

async function run(event) {
  event.preventDefault();
  const form = byId("ask");
  const complaint = form.querySelector("[role=alert]");
  complaint.textContent = "";
  try {
    await ask("/api/lab/studies", { body: question(form) });
    await look();
    byId("studies").firstElementChild?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    complaint.textContent = error.message;
  }
}

// The studies

const STATES = { running: t("running"), finished: t("finished"), stopped: t("stopped") };

async function told(path) {
  try {
    await ask(path, { body: {} });
  } catch (error) {
    note(error.message, "bad");
  }
  await look();
  draw(true); // also under the button that has just been used
}

async function remove(study) {
  if (!(await confirmed(t("Delete {study}", { study: study.id }), t("This deletes the report and all games of this study."), t("Delete")))) return;
  compared = compared.filter((one) => one !== study.id);
  await told(`/api/lab/studies/${study.id}/delete`);
  byId("studies-title").focus();
}

function openGame(study) {
  const settings = select("setting", study.settings.map(({ label }) => [label, label]), study.settings[0]?.label);
  const row = make("input", { type: "number", name: "row", min: 0, max: (study.settings[0]?.games ?? 1) - 1, value: 0, required: true });
  const form = make("form", {}, make("label", {}, t("Setting"), settings), make("label", {}, t("Game number"), row), make("button", { type: "submit", class: "plain" }, t("Open on the board")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(address(`/lab/${study.id}/games?${new URLSearchParams({ setting: settings.value, row: row.value })}`), "_blank", "noopener");
  });
  return form;
}

function tell(study) {
  const running = study.state === "running";
  const parts = [make("h3", {}, study.title, make("small", {}, `${study.id} · ${STATES[study.state]}`))];
  if (running) {
    const words = study.total ? t("{done} of {total} games", { done: study.done.toLocaleString(), total: study.total.toLocaleString() }) : t("Getting ready …");
    parts.push(make("progress", { max: study.total || 1, value: study.total ? study.done : undefined, "aria-label": t("Progress of {study}", { study: study.id }) }), make("p", { class: "counted" }, words));
  }
  parts.push(...study.said.map((sentence) => make("p", { lang: "en" }, sentence)), make("code", {}, study.command));
  if (running) parts.push(make("div", { class: "row" }, button(t("Stop"), () => told(`/api/lab/studies/${study.id}/stop`), { class: "plain" })));
  const away = button(t("Delete"), () => remove(study), { class: "plain", "aria-label": t("Delete {study}", { study: study.id }) });
  if (study.state === "stopped") parts.push(make("div", { class: "row" }, button(t("Go on"), () => told(`/api/lab/studies/${study.id}/continue`), { class: "plain" }), away));
  if (study.state === "finished") {
    const pick = make("input", { type: "checkbox", checked: compared.includes(study.id) });
    pick.addEventListener("change", () => choose(study.id, pick.checked));
    parts.push(make("div", { class: "row" }, make("a", { class: "button main", href: address(`/lab/${study.id}/report`), target: "_blank", rel: "noopener" }, t("Read the report")), make("label", { class: "check" }, pick, make("span", {}, t("Compare this one"))), away), openGame(study));
  }
  return make("li", { class: "study", data: { study: study.id, state: study.state } }, parts);
}

function choose(id, chosen) {
  compared = [...compared.filter((one) => one !== id), ...(chosen ? [id] : [])].slice(-2);
  draw(true);
}

function draw(anew = false) {
  const now = JSON.stringify(known.studies);
  if (now === drawn && !anew) return;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const at = focused?.closest(".study")?.getAttribute("data-study");
  const place = at ? [...focused.closest(".study").querySelectorAll("a, button, input, select")].indexOf(focused) : -1;
  if (!anew && place >= 0 && !known.studies.some((study) => study.state === "running")) return;
  drawn = now;
  byId("studies").replaceChildren(...known.studies.map(tell));
  byId("studies").parentElement.hidden = !known.studies.length && known.missing !== null; // the card above says why
  if (!known.studies.length) byId("studies").append(make("li", {}, t("No studies yet. Ask a question, and read what was found.")));
  const [one, other] = compared;
  byId("compared").replaceChildren(other ? make("a", { class: "button main", href: address(`/lab/${one}/report?beside=${other}`), target: "_blank", rel: "noopener" }, t("Compare {one} with {other}", { one, other })) : "");
  if (at) /** @type {HTMLElement} */ (document.querySelector(`[data-study="${at}"]`)?.querySelectorAll("a, button, input, select")[Math.max(place, 0)])?.focus();
}

let next;

async function look() {
  clearTimeout(next);
  known = await ask("/api/lab");
  draw();
  if (known.studies.some((study) => study.state === "running")) next = setTimeout(() => look().catch((error) => note(error.message, "bad")), LOOK);
}

document.title = `${t("The lab")} – Strandline`;
byId("ask").addEventListener("submit", run);
try {
  await look();
  if (known.missing) {
    byId("missing").hidden = false;
    byId("missing").replaceChildren(make("p", {}, t("Studies need more than games do. Install it, then start Strandline anew:")), make("code", {}, known.missing));
    byId("ask").hidden = true;
  } else compose();
} catch (error) {
  note(error.message, "bad");
}
