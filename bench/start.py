"""How soon somebody plays after a fresh install: `python bench/start.py [COMMIT …]`.

For this tree, and for each commit that is named: a new virtual environment, empty caches, `pip install` with nothing
kept by pip, a server, and for every game a table at which a bot of level 5 begins. The first move counts for which it
had a choice; then its person goes, so that it does not disturb the next game.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

import strandline
from strandline.table import dice

ROOT = Path(__file__).parents[1]
PATIENCE_S = 600.0
LOOK_S = 0.06
"""Seconds between two looks at a table: a server answers 20 requests a second."""


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("commits", nargs="*", metavar="COMMIT", help="what to compare with")
    commits = parser.parse_args().commits
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}")
    columns = {"this tree": measured(ROOT)}
    for commit in commits:
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", str(ROOT)]
            subprocess.run([*git, "worktree", "add", "-q", "--detach", folder, commit], check=True)
            try:
                columns[commit] = measured(Path(folder))
            finally:
                subprocess.run([*git, "worktree", "remove", "--force", folder], check=True)
    print(f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    for row in columns["this tree"]:
        print(f"| {row} | {' | '.join(column[row] for column in columns.values())} |")


def measured(source: Path) -> dict[str, str]:
    """What is measured of the project in a folder, by name."""
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder) / "venv"
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        before = size(venv)
        began = time.perf_counter()
        install = [
            str(venv / "bin" / "pip"),
            "install",
            "-qq",
            "--no-cache-dir",
            "--disable-pip-version-check",
            str(source),
        ]
        subprocess.run(install, check=True, cwd=folder)
        found = {"pip install": f"{time.perf_counter() - began:.1f} s"}
        with serving(venv, Path(folder)) as host:
            found["from pip install to a playing table"] = f"{first_table(host) - began:.1f} s"
            for name in strandline.games():
                found[f"first move of level 5, {name}"] = f"{first_move(host, name):.2f} s"
        found["installed packages"] = f"{(size(venv) - before) / 1e6:.0f} MB"
        return found


@contextlib.contextmanager
def serving(venv: Path, folder: Path) -> Iterator[str]:
    """A server of that environment with caches of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"STRANDLINE_CACHE": str(folder / "cache"), "XDG_CACHE_HOME": str(folder / "other")}
    store = f"sqlite:///{folder / 'tables.sqlite'}"
    command = [str(venv / "bin" / "strandline"), "serve", "--port", "0", "--store", store]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(r"http://[\w.:]+", line):
                yield found[0].rstrip("/")
                return
        raise RuntimeError("The server has not said where it is.")
    finally:
        server.terminate()
        server.wait(60)


def first_table(host: str) -> float:
    """When the first table is there, with a board and moves to choose from."""
    table = ask(f"{host}/api/tables", {"game": "up_the_river", "seats": ["here", "here"]})
    ask(f"{host}/api/tables/{table['id']}")
    return time.perf_counter()


def first_move(host: str, name: str) -> float:
    """Seconds until a bot of level 5 has made a move for which it had a choice."""
    began = time.perf_counter()
    players = max(2, min(strandline.game(name).seats))
    table = ask(f"{host}/api/tables", {"game": name, "seats": ["bot:5", *["here"] * (players - 1)]})
    start = strandline.game(name).new(players)
    with connect(f"ws{host.removeprefix('http')}/api/tables/{table['id']}/play") as page:
        person = Person(page, table["page"].partition("#")[2])
        while time.perf_counter() - began < PATIENCE_S:
            if had_a_choice(start, ask(f"{host}/api/tables/{table['id']}/record")["moves"]):
                return time.perf_counter() - began
            person.listen(LOOK_S)
    raise RuntimeError(f"No bot has moved in {name}.")


class Person:
    """A person who has a part in the dice, without which nothing is drawn, and makes the first move that is offered."""

    def __init__(self, page: ClientConnection, token: str) -> None:
        """The person's page says hello and commits itself."""
        self._page = page
        self._chain = dice.Chain()
        self._say(type="hello", token=token, pieces=True)
        self._say(type="chain", anchor=self._chain.anchor)

    def _say(self, **message: Any) -> None:
        self._page.send(json.dumps(message))

    def listen(self, seconds: float) -> None:
        """Answer what the table asks for within that time."""
        end = time.perf_counter() + seconds
        with contextlib.suppress(TimeoutError):
            while (left := end - time.perf_counter()) > 0:
                self._answer(json.loads(self._page.recv(left)))

    def _answer(self, state: dict[str, Any]) -> None:
        if state["type"] != "state" or state["dice"]["anchor"] != self._chain.anchor:
            return
        part = {"link": self._chain.next(state["dice"]["tip"]), "epochs": len(state["dice"]["commitments"])}
        if state["dice"]["due"]:
            self._say(type="link", **part)
        elif state["roll"]:
            self._say(type="roll", number=state["number"], **part)
        elif state["acting"] is not None:
            offer = state["moves"][0]
            self._say(type="move", number=state["number"], move=offer["move"], **(part if offer["taps"] else {}))


def had_a_choice(position: strandline.Position, moves: list[str]) -> bool:
    """Whether somebody has chosen one of several moves."""
    for move in moves:
        if isinstance(position.turn, int) and len(position.codes()) > 1:
            return True
        position = position.play(move)
    return False


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    """What the server answers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


if __name__ == "__main__":
    main()
