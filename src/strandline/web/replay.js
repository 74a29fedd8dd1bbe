// The replay: any position so far, by slider, step by step, or played like a film.

import { button, byId, copyButton, make, note, PACES, settings } from "./common.js";

export class Replay {
  /** `source(n)` gives position n, `show(position, glide)` puts it on the board, `leave()` goes back to the game. */
  constructor(table, source, show, leave) {
    Object.assign(this, { table, source, show, leave, at: 0, last: 0, open: false, playing: null });
    this.frame = byId("replay");
  }

  async begin(at, last) {
    this.last = last;
    this.open = true;
    this.build();
    this.frame.hidden = false;
    await this.go(Math.min(at, last), false);
  }

  /** The game goes on while somebody looks back. */
  grow(last) {
    this.last = last;
    if (!this.open) return;
    this.slider.max = last;
    this.tell();
  }

  build() {
    this.slider = make("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": "Position", on: { input: () => this.go(Number(this.slider.value)) } });
    this.count = make("output", { class: "count" });
    this.film = button("▶", () => this.toggle(), { class: "plain round", "aria-label": "Play" });
    const step = (text, label, to) => button(text, () => this.go(to()), { class: "plain round", "aria-label": label });
    this.share = make("span");
    this.frame.replaceChildren(
      make("div", { class: "row" }, this.slider, this.count),
      make("div", { class: "row" },
        step("⏮", "First position", () => 0), step("◀", "Step back", () => this.at - 1), this.film,
        step("▶|", "Step forward", () => this.at + 1), step("⏭", "Last position", () => this.last),
        this.share, button("Back to the table", () => this.end(), { class: "plain" })),
    );
  }

  async go(to, glide = true) {
    const at = Math.max(0, Math.min(this.last, to));
    const wanted = (this.wanted = at);
    try {
      const position = await this.source(at);
      if (this.wanted !== wanted || !this.open) return;
      this.at = at;
      this.show(position, glide);
      this.tell();
    } catch (error) {
      this.stop();
      note(error.message, "bad");
    }
  }

  tell() {
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `Position ${this.at} of ${this.last}`);
    this.count.textContent = `${this.at} / ${this.last}`;
    const link = `${location.origin}/table/${this.table}?at=${this.at}`;
    this.share.replaceChildren(copyButton(link, "a link to this position"));
    history.replaceState(null, "", `${location.pathname}?at=${this.at}${location.hash}`);
  }

  toggle() {
    if (this.playing) return this.stop();
    this.film.textContent = "⏸";
    this.film.setAttribute("aria-label", "Pause");
    const run = async () => {
      await this.go(this.at >= this.last ? 0 : this.at + 1);
      if (!this.playing) return;
      if (this.at >= this.last) this.stop();
      else this.playing = setTimeout(run, Math.max(PACES[settings().pace], 300));
    };
    this.playing = setTimeout(run, 0);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = null;
    this.film.textContent = "▶";
    this.film.setAttribute("aria-label", "Play");
  }

  end() {
    this.stop();
    this.open = false;
    this.frame.hidden = true;
    history.replaceState(null, "", location.pathname + location.hash);
    this.leave();
  }
}
