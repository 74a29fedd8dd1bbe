// Runs before the page is painted, so that a chosen theme does not flash.
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem("strandline.settings") ?? "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // No storage: the page follows the system.
  }
})();
