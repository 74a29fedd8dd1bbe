// Kind words: a dozen, shown at the seat for a moment, in the reader's language. Nobody can write anything else.

import { button, byId, dialog, keep, make, note, recall } from "./common.js";
import { t } from "./words.js";

/** What each says, with a small picture that says the same. */
const EMOTES = {
  hello: ["👋", t("Hello!")],
  good_luck: ["🍀", t("Good luck!")],
  well_played: ["👏", t("Well played!")],
  thanks: ["💛", t("Thank you!")],
  wow: ["😮", t("Wow!")],
  laugh: ["😄", t("Ha ha!")],
  oops: ["🙈", t("Oops!")],
  lucky: ["🎲", t("That was lucky!")],
  sorry: ["😅", t("Sorry!")],
  thinking: ["🤔", t("Let me think …")],
  hurry: ["⏳", t("Your turn, when you are ready.")],
  one_more: ["🔁", t("One more game?")],
  goodbye: ["🌙", t("See you soon!")],
};
/** How long one is shown. */
const SHOWN = 5000;

const muted = (table) => recall("muted", {})[table] ?? [];

function mute(table, seat, quiet) {
  const others = muted(table).filter((other) => other !== seat);
  keep("muted", { ...recall("muted", {}), [table]: quiet ? [...others, seat] : others });
}

/** Somebody at the table has said something. */
export function showEmote({ seat, emote }, { table, seats }) {
  const found = EMOTES[emote];
  const place = byId("seats").children[seat];
  if (!found || !place || muted(table).includes(seat)) return;
  place.querySelector(".emote")?.remove();
  const said = make("span", { class: "emote", role: "status" }, make("span", { "aria-hidden": "true" }, found[0], " "), make("span", { class: "quiet" }, `${seats[seat].name}: `), found[1]);
  place.append(said);
  setTimeout(() => said.remove(), SHOWN);
}

/** Choose what to say, and whom not to hear. */
export function chooseEmote({ table, seats, you }, send) {
  const seat = you[0];
  const say = async (emote) => {
    box.close();
    await send({ type: "emote", seat, emote });
  };
  const others = seats.filter(({ seat: other, kind, yours }) => !yours && !kind.startsWith("bot:") && other !== seat);
  const boxes = others.map(({ seat: other, name }) => {
    const field = make("input", { type: "checkbox", checked: muted(table).includes(other) });
    field.addEventListener("change", () => {
      mute(table, other, field.checked);
      note(field.checked ? t("You will not see what {name} says.", { name }) : t("You will see what {name} says.", { name }));
    });
    return make("label", { class: "check" }, field, make("span", {}, t("Mute {name}", { name })));
  });
  const box = dialog(t("Say something kind"), [
    make("div", { class: "emotes" }, Object.entries(EMOTES).map(([emote, [face, words]]) => button([make("span", { "aria-hidden": "true" }, face), make("span", {}, words)], () => say(emote), { class: "item", data: { emote } }))),
    ...boxes,
  ]);
}
