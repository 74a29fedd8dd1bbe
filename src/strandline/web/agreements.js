// What people may agree on besides, when a table is made: a clock, quiet, and whether anybody may join.

import { ask, make } from "./common.js";
import { t } from "./words.js";

const CLOCKS = [["", t("As long as you like")], [60, t("A minute")], [300, t("Five minutes")], [86400, t("A day")], [259200, t("Three days")], [604800, t("A week")]];

/** The fields, with what was chosen last time. */
export function agreementFields(kept) {
  const clocks = CLOCKS.map(([value, text]) => make("option", { value, selected: String(value) === String(kept.clock ?? "") }, text));
  const open = make("div", { class: "option flag", hidden: true }, check("open", t("Anybody on this server may take a free seat"), kept.open ?? false));
  ask("/api/open").then(({ enabled }) => (open.hidden = !enabled)).catch(() => {});
  return [
    make("div", { class: "option" }, make("label", { for: "clock" }, t("Time for a move")), make("select", { id: "clock", name: "clock", "aria-describedby": "clock-help" }, clocks),
      make("small", { id: "clock-help" }, t("When it is up, a bot makes that one move. Only for games between people."))),
    make("div", { class: "option flag" }, check("quiet", t("A quiet table: no emotes"), kept.quiet ?? false)),
    open,
  ];
}

const check = (name, text, checked) => make("label", { class: "check" }, make("input", { type: "checkbox", name, checked }), make("span", {}, text));

/** What was chosen, as `POST /api/tables` takes it. */
export function chosenAgreements(fields) {
  const clock = fields.get("clock");
  return { clock: clock ? Number(clock) : null, quiet: fields.has("quiet"), open: fields.has("open") };
}
