"""A site without a server, measured: `python bench/site.py` builds it, serves it as plain files, and visits it.

Aims, on two quiet cores: under 8 MB to transfer, the lobby within 1 s, the first move of one's own possible 4 s after
the first visit and 2.5 s after later ones, no task of over 50 ms on the page's thread while a bot thinks, a bot of
level 5 at half the speed of a server's or better. What else the machine does is told by its load.
"""

import contextlib
import functools
import gzip
import http.server
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from strandline.site.build import build
from web.browser import CHROMIUM, FLAGS, Server

PACKED = (".zip", ".png")
"""What no host compresses again."""
TASK, OURS = "ThreadControllerImpl::RunTask", "CrRendererMain"
"""What the page's thread works off, as Chromium's traces call it, and the thread."""


class Files(http.server.SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """A page that is closed early wants no more of a file."""
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def transfer(folder: Path) -> int:
    """Bytes that a host which compresses with gzip sends for the whole site."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    sizes = [file.stat().st_size if file.suffix in PACKED else len(gzip.compress(file.read_bytes())) for file in files]
    return sum(sizes)


def processor_time(browser: Browser) -> dict[int, float]:
    """The seconds that each process of the browser has worked."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return {one["id"]: one["cpuTime"] for one in told["processInfo"]}


def seconds(context: BrowserContext, address: str, shown: str) -> tuple[float, float]:
    """How long a page takes to show something, and how long all processes of the browser worked meanwhile."""
    assert context.browser is not None
    page = context.new_page()
    before, began = processor_time(context.browser), time.perf_counter()
    page.goto(address)
    page.wait_for_selector(shown, state="attached", timeout=120_000)
    took = time.perf_counter() - began
    after = processor_time(context.browser)
    page.close()
    return took, sum(worked - before.get(process, 0.0) for process, worked in after.items())


def told(took: float, worked: float) -> str:
    """Both in words."""
    return f"{took:.2f} s, {worked:.2f} s of processor time"


def hint(page: Page, address: str) -> float:
    """How long a bot of level 5 thinks about the first move of Reef Route, which begins without a roll."""
    page.goto(f"{address}new/?game=reef_route&seats=here,bot:5")
    page.wait_for_selector("#moves button", state="attached", timeout=120_000)
    page.wait_for_timeout(1000)
    began = time.perf_counter()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#moves .hinted", state="attached", timeout=120_000)
    return time.perf_counter() - began


def longest_task(browser: Browser, address: str) -> float:
    """The longest task on the page's thread while a bot of level 5 thinks about a hint and about its own turn.

    In milliseconds of processor time, so that a busy machine does not count. What the page is asked by this program
    itself is left out.
    """
    page = browser.new_page()
    hint(page, address)
    browser.start_tracing(page=page, categories=["toplevel"])
    page.locator("#moves button").first.click()
    page.wait_for_function("() => Number(document.querySelector('main').dataset.number) >= 2")
    page.wait_for_timeout(4000)  # the bot's move is shown in its own time
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#moves .hinted", state="attached", timeout=120_000)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    threads = {(one["pid"], one["tid"]) for one in events if one["name"] == "thread_name" and OURS in str(one["args"])}
    ours = [one for one in events if (one["pid"], one["tid"]) in threads and "tdur" in one]
    asked = [one["ts"] for one in ours if "DevToolsSession" in str(one["args"])]
    tasks = [one for one in ours if one["name"] == TASK]
    own = [one for one in tasks if not any(one["ts"] <= at <= one["ts"] + one["dur"] for at in asked)]
    longest: float = max(one["tdur"] for one in own) / 1000
    return longest


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
            print(f"lobby, first visit: {told(*seconds(browser.new_context(), address, '#games .card'))}")
            context = browser.new_context()
            print(f"first own move, first visit: {told(*seconds(context, table, '#moves button'))}")
            context.new_page().goto(address)
            context.pages[0].evaluate("async () => { await navigator.serviceWorker.ready; }")
            later = min(seconds(context, table, "#moves button") for _ in range(3))
            print(f"first own move, later: {told(*later)} (best of 3)")
            print(f"longest task while a bot thinks: {longest_task(browser, address):.0f} ms of processor time")
            here = min(hint(context.new_page(), address) for _ in range(5))
            other = Server(Path(folder))
            other.start()
            try:
                there = min(hint(browser.new_page(), f"{other.address}/") for _ in range(5))
            finally:
                other.stop()
            print(f"a hint of level 5: {here:.2f} s on the site, {there:.2f} s at a server (best of 5)")
            browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
