"""How soon a server is there again on a store with many unfinished games: `python bench/resume.py [TABLES]`.

All tables have the same first lines of Reef Route, played by bots. The server is started, asked whether
it can serve, and stopped; then `strandline store check` replays them all.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from strandline.server.commands import entries_of
from strandline.server.store import Store
from strandline.table.making import new_table
from strandline.table.table import Entry, Setup, Table, new_id

LINES = 40
"""How far each game has come."""
COMMAND = [sys.executable, "-m", "strandline"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("tables", nargs="?", type=int, default=20_000, metavar="TABLES")
    tables = parser.parse_args().tables
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        print(f"{tables} tables of {LINES} lines, {fill(url, tables) / 2**20:.0f} MiB")
        print(f"serve: {served(url)}")
        print(f"store check: {checked(url)}")


def fill(url: str, tables: int) -> int:
    """Write the tables; answers how many bytes the store has then."""
    setup, entries = begun()
    store = Store(url)
    for _ in range(tables):
        header = dataclasses.replace(setup.header, table=new_id())
        done = store.create(dataclasses.replace(setup, header=header), entries)
    done.result()
    store.close()
    return Path(url.removeprefix("sqlite:///")).stat().st_size


def begun() -> tuple[Setup, list[Entry]]:
    """A game that has begun."""
    rng = random.Random(1)
    table: Table = new_table("reef_route", {}, ("bot:random", "bot:random")).table
    steps = table.opening()
    entries = entries_of(steps)
    table.fold(steps)
    while table.number < LINES:
        turn = table.record.position.turn
        assert isinstance(turn, int)
        steps = table.bot_move(turn, rng.choice(table.record.position.moves()), table.number)
        entries += entries_of(steps)
        table.fold(steps)
    return table.setup, entries


def served(url: str) -> str:
    """Start a server, wait until it answers, stop it."""
    began = time.perf_counter()
    server = subprocess.Popen([*COMMAND, "serve", "--port", "0", "--store", url], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://[^ ]+:\d+", server.stdout.readline())
    assert found
    with urllib.request.urlopen(f"{found[0]}/readyz") as answer:
        assert answer.status == 200
    took = time.perf_counter() - began
    server.terminate()
    return f"answers after {took:.1f} s; until it has ended {used(server)}"


def checked(url: str) -> str:
    """Replay everything."""
    began = time.perf_counter()
    cost = used(subprocess.Popen([*COMMAND, "store", "check", "--store", url], stdout=subprocess.DEVNULL))
    return f"{time.perf_counter() - began:.1f} s, {cost}"


def used(process: subprocess.Popen[Any]) -> str:
    """Wait for the end of a process; what it took."""
    _, status, found = os.wait4(process.pid, 0)
    assert status == 0
    return f"{found.ru_utime + found.ru_stime:.1f} s of CPU time, {found.ru_maxrss / 1024:.0f} MiB at most"


if __name__ == "__main__":
    main()
