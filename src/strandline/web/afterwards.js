// Sharing a finished game: the link to its replay, pictures, the record.

import { button, dialog, make } from "./common.js";
import { share } from "./ending.js";
import { linkForOthers } from "./join.js";
import { address } from "./transport.js";
import { t } from "./words.js";

/** `download()` saves the record. */
export async function shareGame({ table, title, ending }, download) {
  const { link, shown } = await linkForOthers(`/table/${table}?at=0`, t("Link to the replay"), t("the link to the replay"));
  const picture = (path, text, file) => make("a", { class: "button item", href: address(`/api/tables/${table}/${path}`), download: file }, text);
  dialog(t("Share this game"), [
    ...shown,
    navigator.share ? button(t("Send the link"), () => share(title, ending, link), { class: "item" }) : null,
    picture("board.png", t("Picture of the final board"), `strandline-${table}.png`),
    picture("moving.svg", t("Animation of the whole game"), `strandline-${table}-game.svg`),
    button(t("Download the record"), download, { class: "item" }),
  ].filter(Boolean));
}
