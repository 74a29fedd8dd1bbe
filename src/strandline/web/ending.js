// The end of a game: who won and why, and what was counted.

import { byId, make, note, seatMark } from "./common.js";
import { t } from "./words.js";

/** Where the board is above it, what was counted is opened by a tap: the board has the first word. */
const UPRIGHT = matchMedia("(max-aspect-ratio: 1/1)");

/** Show it, or take it away while the game goes on. */
export function showEnding(state) {
  const place = byId("ending");
  const key = state.ending === null ? "" : JSON.stringify([state.ending, state.score_lines, state.seats.map(({ name }) => name)]);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  if (state.ending === null) return place.replaceChildren();
  const triumph = state.winners.some((seat) => state.you.includes(seat));
  const said = make("h3", { class: triumph ? "triumph" : "" }, state.ending);
  const counted = state.score_lines.length ? [make("details", { open: !UPRIGHT.matches }, make("summary", {}, t("Scores")), scores(state))] : [];
  place.replaceChildren(said, ...counted);
}

function scores({ score_lines: lines, seats, winners, scores: totals }) {
  const isTotal = (values, i) => i === lines.length - 1 && String(values) === String(totals);
  const apart = lines.some(({ values }) => values.length > 1);
  const heads = apart ? seats.map(({ seat, name }) => make("th", { scope: "col", class: winners.includes(seat) ? "won" : "" }, seatMark(seat), make("span", {}, name))) : [make("th", { scope: "col" }, t("Together"))];
  return make("table", { class: "scores" },
    make("thead", {}, make("tr", {}, make("td"), heads)),
    make("tbody", {}, lines.map(({ label, values }, i) => make("tr", { class: isTotal(values, i) ? "total" : "" }, make("th", { scope: "row" }, label), values.map((value) => make("td", {}, value))))));
}

/** Hand a link on by whatever this machine has for it: its own dialog, or the clipboard. */
export async function share(title, text, url) {
  if (navigator.share) return navigator.share({ title, text, url }).catch(() => {});
  try {
    await navigator.clipboard.writeText(url);
    note(t("The link to the replay is copied."));
  } catch {
    prompt(t("Copy this link:"), url); // no clipboard without https
  }
}
