// The page's own sentences, in the reader's language. What happens in a game comes from the server in words already.

import { request } from "./transport.js";

/** The catalogue of the first wanted language that there is. */
async function load() {
  const wanted = document.documentElement.dataset.languages.split(" ");
  const { languages, ...english } = await fetched("en");
  const language = wanted.find((each) => languages.includes(each)) ?? "en";
  return { languages, ...(language === "en" ? english : await fetched(language)) };
}

async function fetched(language) {
  try {
    const answer = await request(`/api/words/${language}`);
    if (answer.ok) return await answer.json();
  } catch {
    // Without the server there is nothing to play; the page says so in English.
  }
  return { language: "en", languages: ["en"], sentences: {} };
}

const catalogue = await load();
const plurals = new Intl.PluralRules(catalogue.language);
const forms = plurals.resolvedOptions().pluralCategories;

/** The language of the page, as "de". */
export const language = catalogue.language;

/** All languages that there are. */
export const languages = catalogue.languages;

/** A sentence, filled in: `t(sentence, { n: 3 })`. A list is its singular and its plural, which depend on `n`. */
export function t(message, data = {}) {
  const english = Array.isArray(message) ? (data.n === 1 ? message[0] : message[1]) : message;
  const found = catalogue.sentences[Array.isArray(message) ? message[0] : message];
  const said = Array.isArray(found) ? found[forms.indexOf(plurals.select(data.n))] : found;
  return (said || english).replace(/\{(\w+)\}/g, (all, name) => (name in data ? String(data[name]) : all));
}

document.documentElement.lang = language;

/** Put the words of the page's file into the reader's language. */
export function translate() {
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.textContent.trim().replace(/\s+/g, " "));
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-t-label]"))) node.setAttribute("aria-label", t(node.dataset.tLabel));
}

translate();
document.documentElement.classList.add("spoken");
