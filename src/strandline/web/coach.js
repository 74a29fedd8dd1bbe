// The coach at the table: in a first game, says a word when something happens for the first time.

import { ask, button, byId, make } from "./common.js";
import { coach, setCoach } from "./learned.js";
import { t } from "./words.js";

export class Coach {
  /** @type {Promise<Record<string, string>> | null} */ sayings = null;
  /** @type {string[]} */ waiting = [];
  /** @type {string} */ game = "";

  /** What has just happened at a table: events, each with its kind. A finished game is the coach's last. */
  async hear(game, events, over) {
    if (!coach(game).on) return;
    this.game = game;
    this.sayings ??= ask(`/api/games/${game}/lessons`).then(({ coach: said }) => said).catch(() => ({}));
    const sayings = await this.sayings;
    for (const { kind } of events) {
      const { heard } = coach(game);
      if (!(kind in sayings) || heard.includes(kind)) continue;
      setCoach(game, { heard: [...heard, kind] });
      this.waiting.push(sayings[kind]);
    }
    if (over) setCoach(game, { on: false });
    if (!byId("coach-says")) this.say();
  }

  /** One word after another: each stays until it has been read. */
  say() {
    const text = this.waiting.shift();
    if (!text) return;
    const words = make("p", { role: "status" });
    const close = button(t("Got it"), () => {
      box.remove();
      this.say();
    }, { class: "plain small" });
    const quiet = button(t("No more tips"), () => {
      this.waiting = [];
      setCoach(this.game, { on: false });
      box.remove();
    }, { class: "plain small" });
    const box = make("aside", { id: "coach-says", class: "coach-bubble", "aria-label": t("Coach") }, words, make("div", { class: "row end" }, quiet, close));
    byId("stage").append(box);
    words.textContent = text; // after it is on the page, so that it is read out
  }
}
