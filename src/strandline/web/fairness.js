// The dialog about fair dice: what this page has found out by itself, in sentences.

import { ask, button, dialog, make, note, saveFile } from "./common.js";
import { verify } from "./verify.js";
import { t } from "./words.js";

const HEADS = {
  passed: t("The dice were fair."),
  doubted: t("All rolls are right, but this page cannot vouch for every one of them."),
  failed: t("Something is wrong with this record."),
  open: t("Nothing is wrong so far."),
};

/** `kept`: what this browser has kept of the table. */
export async function showFairness(table, token, kept) {
  try {
    const record = await ask(`/api/tables/${table}/record`, { token });
    const { verdict, doubts, proved, open, wrong } = await verify(record, kept);
    const head = verdict === "passed" && doubts ? "doubted" : verdict;
    const list = (title, sentences) => sentences.length > 0 && [make("h3", {}, title), make("ul", {}, sentences.map((sentence) => make("li", {}, sentence)))];
    const save = (value, name, label) => button(label, () => saveFile(value, name), { class: "plain" });
    dialog(t("Fair dice"), make("div", { id: "verdict", data: { verdict } },
      make("p", { class: `verdict ${head}` }, HEADS[head]),
      wrong && make("p", { role: "alert" }, wrong),
      list(t("What this page has checked itself"), proved),
      list(t("What it cannot tell"), open),
      head === "passed" && make("p", {}, t("Each tap adds a number that your page chose before the game and the server could not know. The server’s own secret was fixed just as early. So nobody can choose a roll.")),
      make("div", { class: "row" },
        save(record, `${record.game}-${table}.json`, t("Save the record")),
        save(kept, `${record.game}-${table}-kept.json`, t("Save what this page has kept")))));
  } catch (error) {
    note(error.message, "bad");
  }
}
