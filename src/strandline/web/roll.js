// Rolling: the keys that do it, and the setting that does it for a person.

import { make, set, settings } from "./common.js";
import { t } from "./words.js";

/** Whether a key means "roll": Space or Enter, where nothing on the page uses them otherwise. */
export function isRollKey({ key, target }) {
  return (key === " " || key === "Enter") && !target.closest("button, a, input, select, textarea, summary, dialog");
}

/** The setting: off unless somebody wants it. `change()` after that. */
export function rollSetting(change) {
  const box = make("input", { type: "checkbox", checked: settings().roll, id: "roll-by-itself" });
  box.addEventListener("change", () => {
    set({ roll: box.checked });
    change();
  });
  return make("label", { class: "check" }, box, make("span", {}, t("Roll for me, after a short pause")));
}
