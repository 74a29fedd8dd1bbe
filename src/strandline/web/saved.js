// A game as a file: saved with all that it needs, loaded here or on a server, and played on.

import { ask, button, make, note, remember, saveFile } from "./common.js";
import { enter } from "./transport.js";
import { t } from "./words.js";

/** Save a game with its secret seed and the key of this seat: whoever has the file can play on. */
export async function saveGame(table, key) {
  try {
    saveFile({ ...(await ask(`/api/tables/${table}/whole`, { token: key })), key }, `strandline-${table}.json`);
  } catch (error) {
    note(error.message, "bad");
  }
}

/** The button for a saved game, at the lobby. */
export function loadForm() {
  const field = make("input", { type: "file", accept: ".json,application/json", hidden: true, id: "saved", "aria-label": t("Load a saved game") });
  field.addEventListener("change", async () => {
    try {
      await load(JSON.parse(await field.files[0].text()));
    } catch (error) {
      note(error instanceof SyntaxError ? t("This is not a saved game.") : error.message, "bad");
      field.value = "";
    }
  });
  return make("div", { class: "row" }, button(t("Load a saved game"), () => field.click(), { class: "plain" }), field);
}

async function load(saved) {
  const { id, title, names } = await ask("/api/tables", { body: saved });
  const page = `/table/${id}${saved.key ? `#${saved.key}` : ""}`;
  remember({ id, title, names, page, made: Date.now() });
  await enter(page);
}
