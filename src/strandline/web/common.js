// What both pages need: elements, storage, settings, requests, dialogs, seats.

import { request } from "./transport.js";
import { language, languages, t } from "./words.js";

/** An element with properties and children. Text only ever becomes text, never markup. */
export function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const button = (text, press, props = {}) => make("button", { type: "button", on: { click: press }, ...props }, text);

export const byId = (id) => document.getElementById(id);

/** What a button of the page's file does. It is disabled until somebody listens, lest a quick tap be lost. */
export function wire(id, press) {
  byId(id).addEventListener("click", press);
  byId(id).removeAttribute("disabled");
}

const SVG = "http://www.w3.org/2000/svg";

export function makeSvg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * A board as the server drew it. It is read as XML: what is not well formed is refused as a whole, and nothing in it is
 * ever read as HTML. Scripts could not run either: the page's policy forbids them.
 */
export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") throw new Error(t("The board cannot be drawn."));
  return document.importNode(parsed, true);
}

// Storage: everything the page keeps is a convenience, so a browser without storage loses nothing else.

export function recall(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`strandline.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Whether it could be kept: storage may be full or forbidden. */
export function keep(key, value) {
  try {
    localStorage.setItem(`strandline.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const PACES = { calm: 1000, quick: 350, none: 0 };

export function settings() {
  return { theme: "system", pace: "calm", single: true, roll: false, ...recall("settings", {}) };
}

export function set(changes) {
  const now = { ...settings(), ...changes };
  keep("settings", now);
  if (now.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now.theme;
  return now;
}

export const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Tables that this browser has made or opened; the server cannot tell a lost link again.

const MOST_TABLES = 24;
const MOST_FORGOTTEN = 200;

export const tables = () => recall("tables", []);

export function remember(table) {
  const others = tables().filter((other) => other.id !== table.id);
  const known = tables().find((other) => other.id === table.id) ?? {};
  keep("tables", [{ ...known, ...table }, ...others].slice(0, MOST_TABLES));
  keep("forgotten", forgotten().filter((id) => id !== table.id));
}

/** Tables that somebody has removed from the list, though they go on. */
export const forgotten = () => recall("forgotten", []);

export function forget(id) {
  keep("tables", tables().filter((table) => table.id !== id));
  keep("forgotten", [id, ...forgotten()].slice(0, MOST_FORGOTTEN));
}

/** Ask the server. Failures become errors with the server's own sentence. */
export async function ask(path, { token = null, body = undefined } = {}) {
  const headers = { "Accept-Language": language };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await request(path, { method: body === undefined ? "GET" : "POST", headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Error(t("The server cannot be reached. Is it still running?"));
  }
  const json = (answer.headers.get("Content-Type") ?? "").includes("json");
  const content = json ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Error(content.error ?? t("The server answered {status}.", { status: answer.status }));
  return content;
}

/** Hand a value to the person as a file. */
export function saveFile(value, name) {
  const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

// Automatic answers: what somebody has asked to be answered for them, in the words of the game.

export const answers = (whose) => recall(`answers.${whose}`, []);

export function answer(whose, sentence, given) {
  const others = answers(whose).filter((other) => other !== sentence);
  keep(`answers.${whose}`, given ? [...others, sentence] : others);
}

// Seats: a colour and a shape each, as the game has them (`looks` in /api/games, `look` of a table's seats).

const NOBODY = { colour: "#8aa0a6", path: "M-10 0a10 10 0 1 1 20 0a10 10 0 1 1-20 0z" };

let looks = [];

/** The game on this page has these looks. */
export const setLooks = (known) => (looks = known);

export function seatMark(seat) {
  const { colour, path } = looks[seat] ?? NOBODY;
  return makeSvg("svg", { viewBox: "-13 -13 26 26", class: "mark", "aria-hidden": "true" }, makeSvg("path", { d: path, fill: colour }));
}

// Dialogs and notes

/** A dialog with a heading and a way out; it is thrown away when it closes. */
export function dialog(title, content, { buttons = [], wide = false, out = t("Close"), onClose = undefined } = {}) {
  const close = button(out, () => box.close(), { class: "plain" });
  const heading = make("h2", { id: "dialog-title" }, title);
  const foot = make("div", { class: "row end" }, ...buttons, close);
  const body = make("div", { class: "dialog-body", tabindex: "0", role: "group", "aria-label": title }, content);
  const box = make("dialog", { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" }, heading, body, foot);
  box.addEventListener("close", () => {
    if (box.contains(byId("note"))) document.body.append(byId("note"));
    box.remove();
    onClose?.();
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** Ask once before something is given up for good. */
export function confirmed(title, sentence, yes) {
  return new Promise((settle) => {
    let answer = false;
    const sure = button(yes, () => {
      answer = true;
      box.close();
    }, { class: "main" });
    const box = dialog(title, make("p", {}, sentence), { buttons: [sure], out: t("No"), onClose: () => settle(answer) });
  });
}

let noteTimer;

/** A short note at the lower edge, in front of whatever dialog is open. */
export function note(text, kind = "") {
  const place = byId("note");
  const front = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (place.parentElement !== front) front.append(place);
  place.textContent = text;
  place.className = `note shown ${kind}`;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => place.classList.remove("shown"), 4500);
}

export function copyButton(text, what, label = t("Copy")) {
  return button(label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      note(t("Copied."));
    } catch {
      prompt(t("Copy this link:"), text); // no clipboard without https
    }
  }, { class: "plain small", "aria-label": `${label}: ${what}` });
}

/** A page of the game (guide, rules) in a dialog. Our own server renders it from Markdown with markup switched off. */
export async function showPage(title, path) {
  try {
    const page = document.importNode(new DOMParser().parseFromString(await ask(path), "text/html").body, true);
    const own = page.firstElementChild?.matches("h1, h2") ? page.firstElementChild : null; // the dialog has a heading already
    own?.remove();
    dialog(own?.textContent ?? title, make("article", { class: "page" }, ...page.childNodes), { wide: true });
  } catch (error) {
    note(error.message, "bad");
  }
}

/** A choice between a few words, as radio buttons. */
export function choice(legend, name, values, chosen, change) {
  const options = Object.entries(values).map(([value, text]) => {
    const input = make("input", { type: "radio", name, value, checked: value === String(chosen) });
    input.addEventListener("change", () => change(value));
    return make("label", { class: "pick" }, input, make("span", {}, text));
  });
  return make("fieldset", { class: "choice" }, make("legend", {}, legend), make("div", { class: "picks" }, options));
}

/** From now on, whatever the link that led here says. */
function chooseLanguage(chosen) {
  set({ language: chosen });
  try {
    sessionStorage.removeItem("strandline.language");
  } catch {
    // Forbidden: then it is not there either.
  }
  location.reload();
}

/** `more`: what can be set besides, where the dialog is opened. */
/** @param {(settings: any) => void} onChange */
export function showSettings(onChange = () => {}, more = []) {
  const now = settings();
  const change = (changes) => onChange(set(changes));
  const single = make("input", { type: "checkbox", checked: now.single });
  single.addEventListener("change", () => change({ single: single.checked }));
  const spoken = Object.fromEntries(languages.map((each) => [each, new Intl.DisplayNames([each], { type: "language" }).of(each)]));
  dialog(t("Settings"), [
    languages.length > 1 && choice(t("Language"), "language", spoken, language, chooseLanguage),
    choice(t("Colours"), "theme", { system: t("Automatic"), light: t("Light"), dark: t("Dark") }, now.theme, (theme) => change({ theme })),
    choice(t("Other players’ moves"), "pace", { calm: t("Step by step"), quick: t("Quick"), none: t("At once") }, now.pace, (pace) => change({ pace })),
    make("label", { class: "check" }, single, make("span", {}, t("Play for me when there is only one legal move"))),
    ...more,
  ]);
}
