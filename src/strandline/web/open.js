// Tables that are open to whoever is on this server, where its owner allows any.

import { ask, button, byId, make, note, recall } from "./common.js";
import { claim } from "./join.js";
import { address } from "./transport.js";
import { t } from "./words.js";

/** List them in the lobby. Joining is one click. */
export async function showOpenTables() {
  const { tables } = await ask("/api/open").catch(() => ({ tables: [] }));
  byId("open").hidden = !tables.length;
  byId("open-tables").replaceChildren(...tables.map(row));
}

function row({ id, title, names, free }) {
  const there = names.filter((_, seat) => !free.includes(seat)).join(", ");
  const join = button(t("Join"), async () => {
    join.disabled = true;
    try {
      const key = await claim(id, {}, recall("name", ""));
      location.assign(address(`/table/${id}#${key}`));
    } catch (error) {
      note(error.message, "bad");
      showOpenTables();
    }
  }, { class: "main small", "aria-label": t("Join {title} with {names}", { title, names: there }) });
  return make("li", {}, make("span", {}, make("strong", {}, title), make("span", { class: "facts" }, ` ${there} · `, t(["{n} free seat", "{n} free seats"], { n: free.length }))), join);
}
