"""A browser with a memory, which can be killed: its profile is a folder, its process is our own."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright

from web.browser import CHROMIUM, FLAGS, PATIENCE

SETTINGS = '{"pace": "none", "single": false}'

PLAY = """
async (most) => {
  const main = document.querySelector("main");
  const find = (what) => document.querySelector(what);
  const state = () => {
    if (main.dataset.turn === "over") return "over";
    return find("dialog button.main") ?? find("#here") ?? find("#moves:not(.sending) button");
  };
  for (let made = 0; made < most; made += 1) {
    let found = state();
    while (!found) {
      await new Promise((go) => setTimeout(go, 5));
      found = state();
    }
    if (found === "over") return made;
    const seen = main.dataset.number;
    if (found.matches("#moves button")) {
      const moves = document.querySelectorAll("#moves button");
      found = moves[(made * 7919) % moves.length];
    }
    found.click();
    while (main.dataset.number === seen && !find("dialog") && document.contains(found)) {
      await new Promise((go) => setTimeout(go, 5));
    }
  }
  return most;
}
"""
"""Plays by the list of moves until the game is over, or for that many clicks."""


@dataclass
class Chrome:
    """A browser of one person."""

    playwright: Playwright
    profile: Path
    faults: list[str] = field(default_factory=list)
    _process: subprocess.Popen[str] | None = None

    def start(self) -> BrowserContext:
        command = [CHROMIUM or self.playwright.chromium.executable_path, *FLAGS, "--headless=new"]
        command += [f"--user-data-dir={self.profile}", "--remote-debugging-port=0", "--window-size=1440,900"]
        command += ["--force-prefers-reduced-motion", "--lang=en-GB", "about:blank"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        found = None
        while found is None:
            line = self._process.stderr.readline()
            assert line, "The browser has ended."
            found = re.search(r"ws://\S+", line)
        browser = self.playwright.chromium.connect_over_cdp(found[0])
        return browser.contexts[0]

    def _complaint(self, kind: str, text: str) -> None:
        # That a request has failed is the browser's own complaint: tests cut the network and kill the browser.
        if kind in ("error", "warning") and "net::ERR_FAILED" not in text:
            self.faults.append(text)

    def page(self, context: BrowserContext, address: str) -> Page:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._complaint(said.type, said.text))
        name = "'strandline.settings'"
        page.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, '{SETTINGS}')")
        page.goto(address)
        return page

    def kill(self) -> None:
        """As a power cut would."""
        assert self._process is not None and self._process.stderr is not None
        self._process.kill()
        self._process.wait()
        self._process.stderr.close()


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker has everything."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def ask(page: Page, path: str, token: str | None = None) -> Any:
    """What the site answers."""
    return page.evaluate(
        "async ([path, token]) => (await import('../static/common.js')).ask(path, { token })", [path, token]
    )
