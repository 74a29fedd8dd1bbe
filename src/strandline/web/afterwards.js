// Sharing a finished game: the link to its replay, pictures, the record.

import { button, copyButton, dialog, make } from "./common.js";
import { share } from "./ending.js";
import { address } from "./transport.js";
import { t } from "./words.js";

/** `download()` saves the record. */
export function shareGame({ table, title, ending }, download) {
  const link = address(`/table/${table}?at=0`);
  const picture = (path, text, file) => make("a", { class: "button item", href: address(`/api/tables/${table}/${path}`), download: file }, text);
  dialog(t("Share this game"), [
    make("div", { class: "share" }, make("label", {}, make("span", {}, t("Link to the replay")), make("input", { readonly: true, value: link })), copyButton(link, t("the link to the replay"))),
    navigator.share ? button(t("Send the link"), () => share(title, ending, link), { class: "item" }) : null,
    picture("board.svg", t("Picture of the end"), `strandline-${table}.svg`),
    picture("moving.svg", t("Moving picture of the whole game"), `strandline-${table}-game.svg`),
    button(t("Download the record"), download, { class: "item" }),
  ].filter(Boolean));
}
