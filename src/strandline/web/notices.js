// "Your turn": by title and icon of the page, by a notification, by push and by webhook. Nothing of it unasked, save title and icon.

import { ask, button, dialog, keep, make, note, recall } from "./common.js";
import { address } from "./transport.js";
import { language, t } from "./words.js";

/** How long a page that is not looked at waits before it notifies: another device may have the table in front of the person. */
const PATIENCE = 5000;

const icon = () => /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));

/** The tables at which this device has asked for notices. */
const asked = (table) => recall("notices", {})[table] ?? null;

function remember(table, what) {
  const others = Object.entries(recall("notices", {})).filter(([other]) => other !== table);
  keep("notices", Object.fromEntries(what ? [...others, [table, what]] : others));
}

const registration = () => navigator.serviceWorker?.getRegistration(address("/")).catch(() => undefined);

/** Watches over one table, and tells the server whether it is in front of the person. */
export class Notices {
  /** @type {string} */ table;
  /** @type {string | null} */ token;
  /** @type {(message: any) => void} */ send;

  constructor(table, token, send) {
    Object.assign(this, { table, token, send });
    this.mine = false;
    this.isNew = true; // the connection: the server takes it that a page is looked at
    this.seenUpTo = -1; // what the person has seen on another device
    document.addEventListener("visibilitychange", () => this.look());
  }

  look() {
    if (!this.token) return;
    this.send({ type: "look", visible: !document.hidden });
    if (!document.hidden) this.withdraw();
  }

  /** The table has changed, or the connection is new. */
  show({ acting, ask: covered, title, number }) {
    const mine = acting !== null || covered !== null;
    icon()?.setAttribute("href", address(mine ? "/static/favicon-turn.svg" : "/static/favicon.svg"));
    if (this.isNew && document.hidden) this.look();
    if (!document.hidden || !mine) this.withdraw();
    else if (!this.mine && asked(this.table) === "page") this.waiting = setTimeout(() => this.seenUpTo < number && this.notify(title), PATIENCE);
    this.mine = mine;
    this.isNew = false;
  }

  /** The person has the table in front of them on another device. */
  seen({ number }) {
    this.seenUpTo = number;
    this.withdraw();
  }

  /** The connection is lost. */
  lost() {
    this.isNew = true;
  }

  notify(title) {
    this.notice = new Notification(title, { body: t("It is your turn."), tag: this.table, icon: address("/static/favicon.svg") });
    this.notice.addEventListener("click", () => window.focus());
  }

  /** What has been seen is withdrawn. */
  async withdraw() {
    clearTimeout(this.waiting);
    this.notice?.close();
    this.notice = null;
    if (asked(this.table) !== "push") return;
    const shown = await (await registration())?.getNotifications({ tag: this.table });
    for (const each of shown ?? []) each.close();
  }

  async settings() {
    const { push, webhooks } = await ask("/api/notices");
    const now = make("p", { role: "status" }, this.now());
    const said = make("p", { class: "bad", role: "alert" });
    const change = (work) => async () => {
      said.textContent = "";
      try {
        await work();
      } catch (error) {
        said.textContent = error.message;
      }
      now.textContent = this.now();
    };
    const field = make("input", { type: "url", id: "webhook", placeholder: "https://" });
    dialog(t("Tell me when it is my turn"), [
      now,
      make("div", { class: "row" },
        button(t("Notify me on this device"), change(() => this.begin(push)), { class: "main" }),
        button(t("Stop all notices"), change(() => this.stop()), { class: "plain" })),
      ...(webhooks ? [make("label", { for: field.id }, t("Or notify a group chat, by the address of its webhook")),
        make("div", { class: "row" }, field, button(t("Use this address"), change(async () => {
          await this.request({ webhook: field.value });
          remember(this.table, "webhook");
        }), { class: "plain" }))] : []),
      said,
    ]);
  }

  now() {
    const words = { page: t("This page notifies you while it is open."), push: t("This device is notified, even when the page is closed."), webhook: t("Your group chat is notified.") };
    return words[asked(this.table)] ?? t("You are not notified yet.");
  }

  /** Ask the browser, then subscribe where that is possible; elsewhere the page itself notifies. */
  async begin(key) {
    if (!("Notification" in window) || !isSecureContext) throw new Error(t("This browser allows notifications only on https addresses, or on the server’s own machine."));
    if ((await Notification.requestPermission()) !== "granted") throw new Error(t("The browser does not allow notifications from this page. You can change that in its settings."));
    remember(this.table, (await this.subscribe(key)) ? "push" : "page");
    note(t("You will be notified when it is your turn."));
  }

  async subscribe(key) {
    try {
      await navigator.serviceWorker.register(address("/sw.js"));
      const ready = await navigator.serviceWorker.ready;
      const made = await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      const { endpoint, keys } = made.toJSON();
      await this.request({ push: { endpoint, p256dh: keys.p256dh, auth: keys.auth } });
      return true;
    } catch {
      return false; // no push service, or none that can be reached
    }
  }

  request(what) {
    return ask(`/api/tables/${this.table}/notices`, { token: this.token, body: { ...what, language } });
  }

  async stop() {
    await ask(`/api/tables/${this.table}/notices/stop`, { token: this.token, body: {} });
    remember(this.table, null);
  }
}
