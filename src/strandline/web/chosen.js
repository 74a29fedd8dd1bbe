// Runs before the page is painted: the theme, so that it does not flash, and the languages that are wanted, the best first.
(() => {
  const { dataset } = document.documentElement;
  const parts = location.search.slice(1).split("&");
  const isLanguage = (part) => part.startsWith("lang=");
  let [asked] = parts.filter(isLanguage).map((part) => part.slice("lang=".length));
  let chosen;
  try {
    if (asked) sessionStorage.setItem("strandline.language", asked); // a link in a language counts for the whole visit
    asked ??= sessionStorage.getItem("strandline.language");
    const settings = JSON.parse(localStorage.getItem("strandline.settings") ?? "{}");
    if (["light", "dark"].includes(settings.theme)) dataset.theme = settings.theme;
    chosen = settings.language;
  } catch {
    // No storage: the page follows its address and the system.
  }
  const wanted = [asked, chosen, ...navigator.languages].filter(Boolean);
  dataset.languages = wanted.map((tag) => tag.split("-")[0].toLowerCase()).join(" ");
  if (!parts.some(isLanguage)) return;
  const others = parts.filter((part) => !isLanguage(part)).join("&"); // what else it asks for is for the page to read
  history.replaceState(null, "", location.pathname + (others && `?${others}`) + location.hash);
})();
