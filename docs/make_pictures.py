"""Take the pictures that the README shows: `python docs/make_pictures.py` (needs the extra `test` and Chromium).

The dice are a table's own, so each run shows other games.
"""

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
CHROMIUM = "/usr/bin/chromium"
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
MOVES = 6


def main() -> None:
    """Start a server, play a little, and take the pictures."""
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        lobby = opened(browser, address, WIDE)
        lobby.screenshot(path=PICTURES / "lobby.png")
        wide = opened(browser, address + table(address, "up_the_river"), WIDE)
        play(wide).screenshot(path=PICTURES / "table-wide.png")
        phone = opened(browser, address + table(address, "undertow"), PHONE)
        play(phone).screenshot(path=PICTURES / "table-phone.png")
        night = opened(browser, address + table(address, "over_the_next_dune"), PHONE, dark=True)
        play(night).screenshot(path=PICTURES / "table-phone-dark.png")
        browser.close()


@contextmanager
def server() -> Iterator[str]:
    """A server with a store of its own; gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "strandline",
            "serve",
            "--port",
            "0",
            "--store",
            f"sqlite:///{folder}/t.sqlite",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0]
            process.terminate()


def table(address: str, game: str) -> str:
    """A new table against a bot; gives the path of its page."""
    wanted = {"game": game, "seats": ["here", "bot:2"], "names": ["Ada", "Ben"]}
    request = urllib.request.Request(
        f"{address}/api/tables", json.dumps(wanted).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["page"])


def opened(browser: Browser, address: str, size: dict[str, int], dark: bool = False) -> Page:
    """A page of that size, when it has settled."""
    page = browser.new_page(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if dark else "light",
        device_scale_factor=1.5,
        locale="en-GB",
        reduced_motion="reduce",
    )
    page.add_init_script("localStorage.setItem('strandline.settings', '{\"pace\": \"none\"}')")
    page.goto(address)
    page.wait_for_timeout(2000)
    return page


def play(page: Page) -> Page:
    """Some moves, whatever they are."""
    for _ in range(MOVES):
        page.locator("#moves button").last.click()
        page.wait_for_timeout(1500)
    return page


if __name__ == "__main__":
    main()
