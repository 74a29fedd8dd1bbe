// What was rolled or drawn, large enough for the whole family.

import { make, makeSvg, stillness } from "./common.js";

const PIPS = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi" };
const MOST = 6;

/** The tokens of an event: dice that were rolled, cards that were drawn. A board that has dice, or a drawing of that name, lends them. */
export function tokens({ dice, drawn }, board) {
  const lent = dice.length && board ? boardDice(board) : [];
  if (lent.length) return lent;
  return [...dice.map((value) => die(String(value), board)), ...drawn.map((value) => card(value, board))].slice(0, MOST);
}

/** Copies of the board's own dice, which may have symbols; none while one of them is still to be rolled. */
function boardDice(board) {
  const dice = [...board.querySelectorAll(':scope > g g[id="die"], :scope > g g[id^="die-"]')];
  if (dice.some((one) => [...one.querySelectorAll("text")].some(({ textContent }) => textContent === "?"))) return [];
  return dice.slice(0, MOST).map((one) => {
    const { x, y, width, height } = one.getBBox();
    const copy = one.cloneNode(true);
    for (const part of [copy, ...copy.querySelectorAll("[id]")]) part.removeAttribute("id");
    copy.removeAttribute("transform");
    const view = `${x - 2} ${y - 2} ${width + 4} ${height + 4}`;
    return make("span", { class: "lent" }, makeSvg("svg", { viewBox: view, "aria-hidden": "true", class: board.getAttribute("class") }, copy));
  });
}

function die(value, board) {
  const node = make("span", { class: "die" });
  if (value in PIPS) node.append(pips(value));
  else node.append(picture(value, board) ?? value);
  return node;
}

const card = (value, board) => make("span", { class: "drawn" }, picture(value, board) ?? value);

function pips(value) {
  const dots = [...PIPS[value]].map((letter) => {
    const cell = "abcdefghi".indexOf(letter);
    return makeSvg("circle", { cx: 12 + 12 * (cell % 3), cy: 12 + 12 * Math.floor(cell / 3), r: 4.4 });
  });
  return makeSvg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, ...dots);
}

/** The board's own drawing of a thing, if its definitions have one under that name. */
function picture(name, board) {
  if (!board || !/^[a-z]+$/.test(name)) return null;
  const found = board.querySelector(`defs [id$="-${name}-tile"]`) ?? board.querySelector(`defs [id$="-${name}"]`);
  if (!found || found.localName !== "g") return null;
  const use = makeSvg("use", { href: `#${found.id}` });
  const box = measure(use, board);
  if (!box || !box.width || !box.height) return null;
  const pad = 2;
  const view = [box.x - pad, box.y - pad, box.width + 2 * pad, box.height + 2 * pad].join(" ");
  return makeSvg("svg", { viewBox: view, "aria-hidden": "true", class: `picture ${board.getAttribute("class")}` }, use);
}

function measure(use, board) {
  board.append(use);
  const box = use.getBBox();
  use.remove();
  return box;
}

/** Let it tumble into sight. */
export function tumble(nodes) {
  if (stillness()) return;
  nodes.forEach((node, i) => {
    const turn = i % 2 ? 200 : -220;
    node.animate(
      [
        { transform: `translateY(-36px) rotate(${turn}deg) scale(.6)`, opacity: 0.2 },
        { transform: `translateY(4px) rotate(${-turn / 8}deg) scale(1.06)`, opacity: 1, offset: 0.7 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 400, easing: "ease-out" },
    );
  });
}
