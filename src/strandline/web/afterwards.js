// Sharing a finished game: the link to its replay, pictures, the record; and the record for a study.

import { button, dialog, make, saveFile } from "./common.js";
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

/** Save a finished game for the lab, without names, once everybody who played it has agreed. `record()` fetches it. */
export function saveForStudy({ table, seats }, names, record) {
  const people = seats.map(({ kind }, seat) => ({ kind, seat })).filter(({ kind }) => !kind.startsWith("bot:")).map(({ seat }) => seat);
  const boxes = people.map((seat) => make("input", { type: "checkbox", value: seat }));
  const save = button(t("Save"), async () => {
    const whole = await record();
    if (whole) saveFile({ format: "strandline study 1", agreed: people, record: { ...whole, seats: whole.seats.map(({ kind }) => ({ kind, name: "" })) } }, `${whole.game}-${table}-study.json`);
    box.close();
  }, { class: "main", disabled: true });
  const agree = () => (save.disabled = !boxes.every(({ checked }) => checked));
  const box = dialog(t("Save for a study"), [
    make("p", {}, t("A study compares games that people have played with simulated ones. Names are left out. Does everybody agree who played?")),
    ...people.map((seat, i) => make("label", { class: "check" }, boxes[i], make("span", {}, t("{name} agrees", { name: names[seat] })))),
  ], { buttons: [save] });
  boxes.forEach((one) => one.addEventListener("change", agree));
}
