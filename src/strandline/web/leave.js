// Leaving is pausing: alone among bots the game waits; with others one says whether they shall wait or a bot plays on.

import { button, dialog, make } from "./common.js";
import { address } from "./transport.js";
import { t } from "./words.js";

const LOBBY = address("/");

const isPerson = ({ kind, bot }) => !kind.startsWith("bot:") && bot === null;

/** Leave the seat: at once where nobody waits, else after a choice. */
export function leave(seat, seats, send) {
  const others = seats.filter((other) => isPerson(other) && !other.yours);
  const shared = seats.some((other) => isPerson(other) && other.yours && other.seat !== seat);
  if (!others.length && !shared) return location.assign(LOBBY);
  const wait = button(t("Wait for me"), () => location.assign(LOBBY), { class: "main" });
  const bot = button(t("Let a bot play for me"), async () => {
    const answer = await send({ type: "leave", seat });
    if (answer?.type !== "state") return;
    box.close();
    if (!answer.seats.some((other) => other.yours && isPerson(other))) location.assign(LOBBY);
  }, { class: "plain" });
  const said = t("The others can wait for you, or a bot can play for {name} until you are back. Your seat is kept either way.", { name: seats[seat].name });
  const box = dialog(t("Leave the table?"), make("p", {}, said), { buttons: [wait, bot], out: t("Stay") });
  wait.focus();
}
