// The review of a finished game: the chances over time, the turning points, luck apart from skill.

import { make, makeSvg, seatMark } from "./common.js";
import { t } from "./words.js";

const DASHES = ["none", "9 4", "2.5 3.5", "12 3.5 2.5 3.5", "5 2.5"];
/** Shapes of its seat on each line. */
const MARKS = 4;
/** A sum with a larger standard error than this says nothing. */
const WORTH_SAYING = 0.15;
const HEIGHT = 250;
const EDGE = { left: 60, right: 16, top: 16, bottom: 44 };

const percent = (part) => `${Math.round(100 * part)}\u202f%`; // a space that does not break

/**
 * All of it, drawn for a place that many pixels wide. `seats` are the table's, `you` the reader's own, and the game lends its
 * colours. `to(number)` gives the address of a position in the replay, `look(number)` goes there.
 */
export function reviewed(review, { seats, you, width, to, look }) {
  const names = seats.map(({ name }) => name);
  const reader = you.length === 1 ? you[0] : null;
  const lines = linesOf(review, names);
  const link = (number) => ({
    href: to(number),
    click: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
      event.preventDefault();
      look(number);
    },
  });
  return [
    make("figure", { class: "chances" }, legend(lines), graph(review, lines, width, link)),
    make("h3", {}, t("Turning points")),
    review.turning_points.length
      ? make("ol", { class: "turns" }, review.turning_points.map((point, i) => turningPoint(point, i, lines, reader, link)))
      : make("p", {}, t("No single move or roll changed much.")),
    make("h3", {}, t("Luck and choices")),
    table(review, names, reader),
    make("p", {}, make("small", {}, t("A bot has analysed every position. 100 % means a certain win; ± shows how far a figure may be off."))),
  ];
}

/** One line for each seat; seats that win and lose together have one line together. */
function linesOf({ positions }, names) {
  const lines = [];
  names.forEach((name, seat) => {
    const chances = positions.map((position) => position.chances[seat]);
    const same = lines.find((line) => line.chances.every((chance, i) => Math.abs(chance - chances[i]) < 1e-9));
    if (same) same.seats.push(seat);
    else lines.push({ seats: [seat], chances });
  });
  for (const line of lines) line.name = line.seats.length === names.length && names.length > 1 ? t("Everybody") : line.seats.map((seat) => names[seat]).join(", ");
  return lines;
}

// The graph

function graph({ positions, turning_points }, lines, width, link) {
  const last = positions.at(-1).number;
  const [right, bottom] = [width - EDGE.right, HEIGHT - EDGE.bottom];
  const x = (number) => EDGE.left + ((right - EDGE.left) * number) / Math.max(1, last);
  const y = (chance) => bottom - (bottom - EDGE.top) * chance;
  const place = (line, i) => [x(positions[i].number), y(line.chances[i])];
  return makeSvg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": [t("Chance of winning over time."), ...lines.map((line) => t("{name} began with {chance}.", { name: line.name, chance: percent(line.chances[0]) }))].join(" ") },
    axes(x, y, last),
    ...lines.map((line) => curve(line, line.chances.map((_, i) => place(line, i)))),
    ...turning_points.map((point, i) => dot(point, i, x(point.number), y(Math.max(...changed(point, lines).map((line) => point.after[line.seats[0]]))), link)));
}

function axes(x, y, last) {
  const text = (content, at) => makeSvg("text", at, content);
  const levels = [0, 0.25, 0.5, 0.75, 1].map((chance) => makeSvg("line", { x1: x(0), x2: x(last), y1: y(chance), y2: y(chance), class: chance === 0 ? "axis" : "level" }));
  const chances = [0, 0.5, 1].map((chance) => text(percent(chance), { x: x(0) - 6, y: y(chance) + 4, "text-anchor": "end" }));
  return makeSvg("g", { "aria-hidden": "true" }, ...levels, ...chances,
    text(t("From the first move to the last"), { x: (x(0) + x(last)) / 2, y: HEIGHT - 14, "text-anchor": "middle" }),
    text(t("Chance of winning"), { x: 11, y: (y(0) + y(1)) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(y(0) + y(1)) / 2})` }));
}

function curve(line, places) {
  const [seat] = line.seats;
  const way = `M${places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  const marks = Array.from({ length: MARKS }, (_, i) => places[Math.round(((i + (seat + 1) / 6) / MARKS) * (places.length - 1))]);
  const group = makeSvg("g", { class: "curve", "aria-hidden": "true" }, makeSvg("path", { d: way, "stroke-dasharray": DASHES[seat % DASHES.length] }),
    ...marks.map(([x, y]) => makeSvg("g", { transform: `translate(${x} ${y}) scale(.5)` }, shape(seat))));
  group.style.setProperty("--seat", colour(seat));
  return group;
}

const shape = (seat) => seatMark(seat).firstChild;
const colour = (seat) => shape(seat).getAttribute("fill");

function dot({ number }, i, x, y, link) {
  const { href, click } = link(number);
  const anchor = makeSvg("a", { href, class: "dot", "aria-label": t("Turning point {n}: position {number} in the replay", { n: i + 1, number }) },
    makeSvg("circle", { cx: x, cy: y, r: 14, class: "reach" }), makeSvg("circle", { cx: x, cy: y, r: 8.5 }), makeSvg("text", { x, y: y + 4, "text-anchor": "middle" }, String(i + 1)));
  anchor.addEventListener("click", click);
  return anchor;
}

function legend(lines) {
  return make("figcaption", {}, t("Chance of winning"), make("ul", { class: "row" }, lines.map((line) => {
    const [seat] = line.seats;
    const sample = makeSvg("svg", { viewBox: "0 0 52 16", class: "sample curve", "aria-hidden": "true" }, makeSvg("path", { d: "M0 8H52", "stroke-dasharray": DASHES[seat % DASHES.length] }), makeSvg("g", { transform: "translate(26 8) scale(.5)" }, shape(seat)));
    sample.style.setProperty("--seat", colour(seat));
    return make("li", { class: "row" }, sample, line.name);
  })));
}

// In words

/** The lines that a turning point changed, the one that it changed most first. */
function changed({ before, after }, lines) {
  const change = ({ seats: [seat] }) => Math.abs(after[seat] - before[seat]);
  return [...lines].sort((one, other) => change(other) - change(one)).slice(0, 1);
}

function turningPoint(point, i, lines, reader, link) {
  const own = lines.find(({ seats }) => seats.includes(reader));
  const line = own && Math.abs(point.after[reader] - point.before[reader]) >= 0.05 ? own : changed(point, lines)[0];
  const [seat] = line.seats;
  const [from, to] = [point.before[seat], point.after[seat]];
  const { href, click } = link(point.number);
  const told = change(line === own ? (line.seats.length > 1 ? "team" : "own") : line.seats.length > 1 ? "all" : "other", to >= from, { name: line.name, from: percent(from), to: percent(to) });
  return make("li", { data: { number: point.number } }, make("span", { class: "count", "aria-hidden": "true" }, String(i + 1)),
    make("span", {}, make("a", { href, on: { click } }, point.sentence), ` ${told}`));
}

/** How a chance changed: the reader's own, their team's, everybody's, or somebody's. */
function change(whose, rose, data) {
  if (whose === "own") return rose ? t("Your chance rose from {from} to {to}.", data) : t("Your chance fell from {from} to {to}.", data);
  if (whose === "team") return rose ? t("Your team’s chance rose from {from} to {to}.", data) : t("Your team’s chance fell from {from} to {to}.", data);
  if (whose === "all") return rose ? t("Everybody’s chance rose from {from} to {to}.", data) : t("Everybody’s chance fell from {from} to {to}.", data);
  return rose ? t("{name}’s chance rose from {from} to {to}.", data) : t("{name}’s chance fell from {from} to {to}.", data);
}

function table({ seats }, names, reader) {
  const rows = seats.map(({ seat, luck, luck_error, cost, cost_error }) => {
    const mine = seat === reader;
    return make("tr", {}, make("th", { scope: "row" }, seatMark(seat), " ", names[seat]),
      cell(luck_error, (about) => luckInWords(luck, mine, about)),
      cell(cost_error, (about) => (mine ? t("Your choices cost {part}{about}.", { part: percent(cost), about }) : t("Choices cost {part}{about}.", { part: percent(cost), about }))));
  });
  const heads = [t("Player"), t("What dice and draws did"), t("What the choices cost")].map((text) => make("th", { scope: "col" }, text));
  return make("table", { class: "luck" }, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows));
}

function luckInWords(luck, mine, about) {
  const data = { part: percent(Math.abs(luck)), about };
  if (mine) return luck < 0 ? t("Luck took {part} from you{about}.", data) : t("Luck gave you {part}{about}.", data);
  return luck < 0 ? t("Luck took {part}{about}.", data) : t("Luck gave {part}{about}.", data);
}

function cell(error, sentence) {
  if (error > WORTH_SAYING) return make("td", {}, t("Too close to call."));
  return make("td", {}, sentence(error >= 0.005 ? ` (±\u202f${percent(error)})` : ""));
}
