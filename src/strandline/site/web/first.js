// Runs before the lobby is painted: its games are in the page in all languages, and the reader's is shown.
(() => {
  let chosen;
  try {
    chosen = JSON.parse(localStorage.getItem("strandline.settings") ?? "{}").language;
  } catch {
    // No storage: the browser's languages count.
  }
  const there = [...document.querySelectorAll("template")];
  for (const language of chosen ? [chosen] : navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())) {
    const games = there.find(({ lang }) => lang === language);
    if (games) document.getElementById("games").replaceChildren(games.content);
    if (games || language === "en") return;
  }
})();
