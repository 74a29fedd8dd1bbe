"""Bots of other packages think in processes of their own, which do not outlive the server."""

import asyncio
import os
import pickle
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import strandline
from server.helpers import make_table
from strandline.server import thinkers as thinking
from strandline.server.thinkers import Thinkers

SERVER = """
import asyncio, os, signal
import strandline
from strandline.server.thinkers import Thinkers
from strandline.table.levels import Failed

async def main():
    thinkers = Thinkers(1)
    position = strandline.game("up_the_river").new().play("roll 2")
    try:
        await thinkers.choose(position, 0, "a bot that is not there")
    except Failed:
        pass
    print(*(worker.pid for worker in thinkers.workers if worker.pid), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_killed_with_the_server(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=300)
    thinkers = [int(word) for word in done.stdout.split()]
    assert thinkers, done.stderr
    for _ in range(100):
        if not any(map(is_running, thinkers)):
            return
        time.sleep(0.1)
    raise AssertionError("The bots' processes outlived the server.")


def test_a_lone_move_needs_no_thought() -> None:
    position = strandline.game("up_the_river").new()
    for move in ("roll 5", "sail 1", "roll 5", "sail 1", "roll 6"):
        position = position.play(move)
    thinkers = Thinkers()
    choice = asyncio.run(thinkers.choose(position, 0, "random"))
    assert choice in position.moves() and not any(worker.pid for worker in thinkers.workers)


def test_a_choice_does_not_depend_on_the_tables_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables stand at the same position with other dice to come: their bots are told the same, and choose it."""
    told: list[bytes] = []
    choose_by = thinking._choose

    def listen(*message: Any) -> str:
        told.append(pickle.dumps(message))
        return choose_by(*message)

    monkeypatch.setattr(thinking, "_choose", listen)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2**bits // 3)
    seeds = [bytes([number]) * 32 for number in range(64)]
    tables = [make_table(seed=seed) for seed in seeds]
    first = tables[0].record.position
    other = next(n for n, table in enumerate(tables) if n and table.record.position == first)
    thinkers = Thinkers(1)

    async def choose() -> list[str]:
        return [await thinkers.choose(tables[number].record.position, 0, "3") for number in (0, other)]

    choices = asyncio.run(choose())
    thinkers.close()
    assert choices[0] == choices[1] and told[0] == told[1]
    assert not any(seed in message or seed.hex().encode() in message for seed in seeds for message in told)
