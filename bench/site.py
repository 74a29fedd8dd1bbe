"""A site without a server, measured: `python bench/site.py` builds it, serves it as plain files, and visits it.

Aims, on two quiet cores: under 8 MB to transfer, the lobby within 1 s, the first move of one's own possible 4 s after
the first visit and 2.5 s after later ones, no task of over 50 ms on the page's thread while a bot thinks, a bot of
level 5 at half the speed of a server's or better. What else the machine does is told by its load.
"""

import functools
import gzip
import http.server
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from strandline.site.build import build
from web.browser import CHROMIUM, FLAGS, Server

PACKED = (".zip", ".png")
"""What no host compresses again."""
WATCH = """
() => {
  window.stalls = [];
  new PerformanceObserver((list) => window.stalls.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: "longtask" });
}
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def transfer(folder: Path) -> int:
    """Bytes that a host which compresses with gzip sends for the whole site."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    sizes = [file.stat().st_size if file.suffix in PACKED else len(gzip.compress(file.read_bytes())) for file in files]
    return sum(sizes)


def seconds(context: BrowserContext, address: str, shown: str) -> float:
    """How long a page takes to show something."""
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(shown, state="attached", timeout=120_000)
    took = time.perf_counter() - began
    page.close()
    return took


def thinking(context: BrowserContext, address: str) -> tuple[float, list[float]]:
    """How long a bot of level 5 thinks about a hint, and the tasks of over 50 ms on the page's thread meanwhile, in ms."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#moves button", state="attached", timeout=120_000)
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    began = time.perf_counter()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#moves .hinted", state="attached", timeout=120_000)
    took = time.perf_counter() - began
    found: list[float] = page.evaluate("() => window.stalls")
    page.close()
    return took, found


def best_hint(context: BrowserContext, address: str) -> tuple[float, list[float]]:
    """The shortest time, and all stalls, of five hints at the first move of Reef Route, which begins without a roll."""
    found = [thinking(context, f"{address}new/?game=reef_route&seats=here,bot:5") for _ in range(5)]
    return min(took for took, _ in found), [stall for _, stalls in found for stall in stalls]


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "site"
        build(out)
        print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        print(f"to transfer, with gzip: {transfer(out) / 1e6:.2f} MB")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(out)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        table = f"{address}new/?game=undertow&seats=here,bot:5"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            print(f"lobby, first visit: {seconds(browser.new_context(), address, '#games .card'):.2f} s")
            context = browser.new_context()
            print(f"first own move, first visit: {seconds(context, table, '#moves button'):.2f} s")
            later = [seconds(context, table, "#moves button") for _ in range(3)]
            print(f"first own move, later: {min(later):.2f} s (best of 3)")
            here, stalls = best_hint(context, address)
            print(f"tasks over 50 ms while a bot thinks: {stalls or 'none'}")
            other = Server(Path(folder))
            other.start()
            try:
                there, _ = best_hint(browser.new_context(), f"{other.address}/")
            finally:
                other.stop()
            print(f"a hint of level 5: {here:.2f} s on the site, {there:.2f} s at a server (best of 5)")
            browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
