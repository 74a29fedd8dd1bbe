"""A real server and a real browser, and what people do with them."""

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGTERM
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, Playwright, WebSocket, expect

from conversation import check_said, check_told
from server.helpers import Player
from strandline.table.table import new_token

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
"""The browser without windows takes a third less time, but keeps nothing from one start to the next."""
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE = 240_000
"""Milliseconds that anything may take on a busy machine."""
expect.set_options(timeout=PATIENCE)
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
PROGRAM = """
from strandline import cli
from strandline.cli import serve

serve.SHORTEST_AWAY_S = 0
raise SystemExit(cli.main())
"""
"""`strandline`, where nobody need wait a minute until somebody counts as away."""
AT_ONCE = {"pace": "none", "single": False}
"""Nothing is shown step by step and nothing is played for the person."""


def launch(playwright: Playwright) -> Browser | None:
    """Debian's Chromium, or Playwright's own; None where there is neither."""
    with contextlib.suppress(Error):
        return playwright.chromium.launch(executable_path=SHELL, args=FLAGS)
    return None


@dataclass
class Server:
    """`strandline serve` on a store of its own, or `strandline replay`."""

    folder: Path
    flags: tuple[str, ...] = ()
    """What its owner allows besides."""
    port: int = 0
    address: str = ""
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, at the same port as before if there was one."""
        store = f"sqlite:///{self.folder / 'tables.sqlite'}"
        self._run(
            "serve", "--port", str(self.port), "--store", store, "--away-after", "0", "--tables", "100000", *self.flags
        )

    def replay(self, record: dict[str, Any]) -> str:
        """Show a record from a file. The path of the page that is opened in the user's browser."""
        file = self.folder / "record.json"
        file.write_text(json.dumps(record))
        self._run("replay", str(file), BROWSER="echo %s")  # a browser that says where it was sent
        assert self.process is not None and self.process.stdout is not None
        opened = self.process.stdout.readline().strip()
        assert opened.startswith(self.address), opened
        return opened.removeprefix(self.address)

    def _run(self, *arguments: str, **settings: str) -> None:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **settings})
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://[^ ]+:(\d+)", said)
        assert found, said
        self.address, self.port = found[0], int(found[1])

    def stop(self, signal: int = SIGTERM) -> None:
        """Stop it; with SIGKILL as a power cut would."""
        assert self.process is not None and self.process.stdout is not None
        self.process.send_signal(signal)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()  # not read to its end: processes of bots may still hold the other side


@dataclass
class Visitor:
    """Browsers that visit a server. Each `sit` is a browser of its own, with a storage of its own."""

    browser: Browser
    server: Server
    faults: list[str] = field(default_factory=list)
    """What the pages complained about."""
    claimed: dict[str, str] = field(default_factory=dict)
    """The pages that invitations have led to."""

    def open(self, path: str = "/", settings: dict[str, Any] = AT_ONCE, **how: Any) -> Page:
        """A new browser at a page."""
        still: dict[str, Any] = {"viewport": WIDE, "reduced_motion": "reduce"}  # what glides is hard to hit
        context = self.browser.new_context(**{**still, **how})
        text = json.dumps(json.dumps(settings))
        context.add_init_script(
            f"localStorage.getItem('strandline.settings') ?? localStorage.setItem('strandline.settings', {text})"
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._complaint(said.type, said.text))
        page.on("websocket", self._listen_in)
        page.goto(self.server.address + path)
        return page

    def _complaint(self, kind: str, text: str) -> None:
        # A broken connection is the browser's own complaint, about what some tests do on purpose.
        if kind == "error" and "WebSocket" not in text and "ERR_CONNECTION" not in text:
            self.faults.append(text)

    def _listen_in(self, socket: WebSocket) -> None:
        """Hold what the page and its table say against the schema."""
        socket.on("framesent", lambda text: self._hold(check_said, text))
        socket.on("framereceived", lambda text: self._hold(check_told, text))

    def _hold(self, check: Callable[[str | bytes], Any], text: str | bytes) -> None:
        try:
            check(text)
        except Exception as error:
            self.faults.append(str(error))

    def make(self, game: str, *seats: str, **how: Any) -> dict[str, Any]:
        """A new table, as another program would make it."""
        request = self.browser.new_context().request
        answer = request.post(f"{self.server.address}/api/tables", data={"game": game, "seats": list(seats), **how})
        assert answer.status == 201, answer.text()
        return dict(answer.json())

    def sit(self, table: dict[str, Any], seat: int | None = None, **how: Any) -> Page:
        """A browser at the table: its maker's, a seat's, by its link, or a spectator's (-1)."""
        path = table["page"] if seat is None else table["watch"] if seat < 0 else self.seat_page(table, seat)
        page = self.open(path, **how)
        wait_for_table(page)
        return page

    def seat_page(self, table: dict[str, Any], seat: int) -> str:
        """The page of a seat; its invitation is claimed by the first who asks."""
        link = str(table["seats"][seat]["link"])
        before, invited, invitation = link.partition("#invite=")
        if invited and link not in self.claimed:
            key = new_token()
            said = {"invitation": invitation, "key": key}
            answer = self.browser.new_context().request.post(
                f"{self.server.address}/api/tables/{table['id']}/claim", data=said
            )
            assert answer.status == 200, answer.text()
            self.claimed[link] = f"{before}#{key}"
        return self.claimed.get(link, link)


def wait_for_table(page: Page) -> None:
    """Wait until the page knows where the game stands, whoever's turn it is."""
    page.wait_for_function("() => document.querySelector('main')?.dataset.number")  # or the page is still on its way


def number(page: Page) -> int:
    """The number of the position that the page is told."""
    return int(page.get_attribute("main", "data-number") or 0)


def turn(page: Page) -> str:
    """Whose turn it is."""
    return page.get_attribute("main", "data-turn") or ""


def wait_past(page: Page, seen: int) -> None:
    """Wait until there is news."""
    page.wait_for_function("seen => Number(document.querySelector('main')?.dataset.number) > seen", arg=seen)


def wait_for_turn(page: Page) -> bool:
    """Wait until this page can roll or move; False when the game is over."""
    told = "document.querySelector('main')?.dataset.turn === 'over' || document.querySelector('#moves button, #here')"
    page.wait_for_function(f"() => {told}")
    return turn(page) != "over"


def wait_for_decision(page: Page) -> bool:
    """Wait until this page can move, and tap for every roll before that; False when the game is over."""
    while wait_for_turn(page):
        if not page.locator("#moves .roll").count():
            return True
        tap(page)
    return False


def tap(page: Page) -> None:
    """Roll, when it is this page's turn to."""
    press(page, page.locator("#moves .roll"))


def press(page: Page, button: Locator) -> None:
    """Press a button of the list of moves, and wait until it has counted."""
    button.wait_for()
    seen = number(page)
    button.click()
    wait_past(page, seen)


def play(page: Page, move: str | None = None) -> None:
    """Play a move of the list, the first one if none is named, when it is this page's turn."""
    wait_for_decision(page)
    press(page, page.locator(f'#moves button[data-move="{move}"]' if move else "#moves button").first)


WHERE = """
dice => {
  const shapes = [...document.querySelectorAll("#board .ready")];
  if (!shapes.length) return null;
  const shape = shapes[Math.floor(dice * shapes.length)];
  const ready = new Set(shapes);
  shape.scrollIntoView({ block: "center" });
  const { left, top, width, height } = shape.getBoundingClientRect();
  for (const across of [0.5, 0.3, 0.7, 0.15, 0.85]) for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) {
    const [x, y] = [left + width * across, top + height * down];
    const stack = document.elementsFromPoint(x, y);
    if (!document.querySelector("#board").contains(stack[0])) continue;
    const drawn = stack.find((element) => !element.matches(".halo, .ring, .ring-edge, .trails *"));
    const piece = drawn.closest("g[id]:has(> .halo)");
    if (piece && piece !== shape && !shape.contains(piece) && !drawn.closest(".ready, .chosen")) continue;
    for (const element of stack) {
      let up = element;
      while (up && !ready.has(up)) up = up.parentElement;
      if (up === shape) return { id: shape.id, x, y };
      if (up) break;
    }
  }
  return { id: shape.id, hidden: true };
}
"""
"""A shape that can be clicked now, and where it lies open to the pointer."""


def ready_shape(page: Page, dice: float = 0.0) -> dict[str, Any]:
    """What `WHERE` finds: the first shape that can be clicked, or another one for dice up to 1."""
    page.wait_for_selector("#board .ready", state="attached")
    place = page.evaluate(WHERE, dice)
    assert place is not None
    assert "hidden" not in place, f"{place['id']} cannot be reached with the pointer"
    return dict(place)


def click_a_move(page: Page, rng: random.Random) -> None:
    """Make a move with the pointer on the board alone, whichever shapes it takes."""
    seen = number(page)
    while number(page) == seen:
        chosen = page.locator("#board .chosen").count()
        place = ready_shape(page, rng.random())
        page.mouse.click(place["x"], place["y"])
        page.wait_for_function(
            """([seen, chosen]) => Number(document.querySelector('main').dataset.number) > seen
            || document.querySelectorAll('#board .chosen').length > chosen || document.querySelector('dialog')""",
            arg=[seen, chosen],
        )
        if page.locator("dialog[open]").count():  # the move gives something up for good
            page.get_by_role("button", name="Yes", exact=True).click()
            wait_past(page, seen)
        if page.locator("#moves.sending").count():
            wait_past(page, seen)


class Swift(Player):
    """A program that plays in a person's place, quicker than the page could, but no quicker than the server hears."""

    def _send(self, **message: Any) -> int:
        time.sleep(0.05)
        return super()._send(**message)


def games_of(server: Server, browser: Browser) -> list[dict[str, Any]]:
    """What the server offers."""
    return list(browser.new_context().request.get(f"{server.address}/api/games").json()["games"])


def record_of(page: Page) -> dict[str, Any]:
    """The record of the table on the page, as a spectator may see it."""
    table = page.evaluate("() => location.origin + '/api/tables/' + document.querySelector('main').dataset.table")
    return dict(page.request.get(f"{table}/record").json())
