// The replay: any position so far, by slider, step by step, or played like a film.

import { button, byId, copyButton, make, makeSvg, note, PACES, settings } from "./common.js";
import { address } from "./transport.js";
import { t } from "./words.js";

const ICONS = { first: "M5 5v14M19 5L9 12l10 7z", back: "M16 5L6 12l10 7z", play: "M8 5l10 7-10 7z", pause: "M8 5v14M16 5v14", next: "M8 5l10 7-10 7z", last: "M19 5v14M5 5l10 7-10 7z" };

const icon = (name) => makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: `icon ${name}` }, makeSvg("path", { d: ICONS[name] }));

export class Replay {
  /** @type {string} */ table;
  /** @type {(number: number) => Promise<any>} */ source;
  /** @type {(position: any, glide: boolean) => void} */ show;
  /** @type {() => void} */ leave;

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
    this.film.focus({ preventScroll: true });
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
    this.slider = make("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": t("Position"), on: { input: () => this.go(Number(this.slider.value)) } });
    this.film = button(icon("play"), () => this.toggle(), { class: "main round", "aria-label": t("Play") });
    const step = (name, label, to) => button(icon(name), () => this.go(to()), { class: "plain round", "aria-label": label });
    this.share = make("span");
    this.frame.replaceChildren(
      make("div", { class: "row" }, this.slider, this.share),
      make("div", { class: "row" },
        step("first", t("First position"), () => 0), step("back", t("Step back"), () => this.at - 1), this.film,
        step("next", t("Step forward"), () => this.at + 1), step("last", t("Last position"), () => this.last),
        button(t("Back"), () => this.end(), { class: "plain", "aria-label": t("Back to the table") })),
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
    this.slider.setAttribute("aria-valuetext", t("Position {n} of {last}", { n: this.at, last: this.last }));
    const link = address(`/table/${this.table}?at=${this.at}`);
    this.share.replaceChildren(copyButton(link, t("a link to this position"), t("Copy link")));
    history.replaceState(null, "", address(`/table/${this.table}?at=${this.at}${location.hash}`));
  }

  toggle() {
    if (this.playing) return this.stop();
    this.film.replaceChildren(icon("pause"));
    this.film.setAttribute("aria-label", t("Pause"));
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
    this.film.replaceChildren(icon("play"));
    this.film.setAttribute("aria-label", t("Play"));
  }

  end() {
    this.stop();
    this.open = false;
    this.frame.hidden = true;
    history.replaceState(null, "", address(`/table/${this.table}${location.hash}`));
    this.leave();
  }
}
