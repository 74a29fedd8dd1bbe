// The end of a game: who won and why, what was counted, and what next.

import { button, byId, make, note, seatMark } from "./common.js";
import { sign } from "./panels.js";
import { t } from "./words.js";

/** Show it, or take it away while the game goes on. `act` has `share()` and whatever else can be done is in the actions. */
export function showEnding(state, act) {
  const place = byId("ending");
  const key = state.ending === null ? "" : JSON.stringify([state.ending, state.score_lines, state.seats.map(({ name }) => name)]);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  if (state.ending === null) return place.replaceChildren();
  const share = button([sign("share"), make("span", {}, t("Share"))], act.share, { class: "plain small" });
  place.replaceChildren(
    make("h3", { class: state.winners.some((seat) => state.you.includes(seat)) ? "triumph" : "" }, state.ending),
    ...(state.score_lines.length ? [scores(state)] : []),
    make("div", { class: "row" }, share));
}

function scores({ score_lines: lines, seats, winners }) {
  const apart = lines.some(({ values }) => values.length > 1);
  const heads = apart ? seats.map(({ seat, name }) => make("th", { scope: "col", class: winners.includes(seat) ? "won" : "" }, seatMark(seat), make("span", {}, name))) : [make("th", { scope: "col" }, t("Together"))];
  return make("table", { class: "scores" },
    make("caption", { class: "quiet" }, t("Scores")),
    make("thead", {}, make("tr", {}, make("td"), heads)),
    make("tbody", {}, lines.map(({ label, values }) => make("tr", {}, make("th", { scope: "row" }, label), values.map((value) => make("td", {}, value))))));
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
