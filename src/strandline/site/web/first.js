// Runs before the lobby is painted: its games are in the page in all languages, and the reader's is shown.
(() => {
  const there = [...document.querySelectorAll("template")];
  for (const language of document.documentElement.dataset.languages.split(" ")) {
    const games = there.find(({ lang }) => lang === language);
    if (games) document.getElementById("games").replaceChildren(games.content);
    if (games || language === "en") return;
  }
})();
