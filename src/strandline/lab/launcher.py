"""Play the games of a kernel that `strandline ptx` has written: python launch.py GAME.ptx --games 1000000 --seed 1

This file needs a GPU with its driver, CuPy and NumPy, and nothing of Strandline but the kernel. Its first line, a
comment, says what the kernel plays. The games are those of `strandline simulate` with the same seed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

THREADS = 64
"""Threads of a block, each with a game of its own."""
BATCH = 1 << 20
"""Games that are played before their results are fetched."""
MARK = "// strandline "
"""How the first line of a kernel's file begins; what it plays follows as JSON."""

Rows = np.ndarray[Any, np.dtype[np.void]]


class NoGPU(Exception):
    """Why there is nothing to play on."""


def capability() -> tuple[int, int]:
    """The compute capability of the GPU that kernels are played on."""
    try:
        import cupy
    except ImportError:
        raise NoGPU("CuPy is not installed") from None
    try:
        version = str(cupy.cuda.Device().compute_capability)
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoGPU(f"no GPU or no driver was found ({error})") from None
    return int(version[:-1]), int(version[-1])


class Kernel:
    """A kernel in the memory of the GPU."""

    def __init__(self, file: Path) -> None:
        """Load the one kernel in a file of PTX."""
        import cupy

        capability()
        entry = re.search(r"\.visible \.entry (\w+)\(", file.read_text(encoding="utf-8"))
        if entry is None:
            raise ValueError(f"{file} holds no kernel.")
        self._function = cupy.RawModule(path=str(file)).get_function(entry[1])

    def play(
        self, start: Any, seed: int, first: int, number: int, row: np.dtype[np.void], *tables: np.ndarray[Any, Any]
    ) -> Rows:
        """The rows of games `first` to `first + number - 1`, from the record `start`."""
        import cupy

        rows = cupy.zeros(number * row.itemsize, np.uint8)
        self.launch(on_device(start), seed, first, (rows, row.itemsize), *map(on_device, tables))
        return np.frombuffer(rows.get().tobytes(), row).copy()

    def launch(self, start: Any, seed: int, first: int, rows: Any, *tables: Any) -> None:
        """Begin the games; arrays as `on_device` makes them."""
        blocks = -(-(rows[0].size // rows[1]) // THREADS)
        arguments = [*words(*start), np.int64(seed), np.int64(first)]
        for array in (*tables, rows):
            arguments += words(*array)
        self._function((blocks,), (THREADS,), tuple(arguments))


def on_device(array: np.ndarray[Any, Any]) -> tuple[Any, int]:
    """A copy of the array as bytes in the memory of the GPU, and the size of an item."""
    import cupy

    return cupy.asarray(np.frombuffer(array.tobytes(), np.uint8)), array.dtype.itemsize


def words(memory: Any, item: int) -> list[Any]:
    """An array as kernels take it: two unused words, its length, the size of an item, where it is, and its shape."""
    number = memory.size // item
    return [np.uint64(word) for word in (0, 0, number, item, memory.data.ptr, number, item)]


class Totals:
    """What came of the games so far."""

    def __init__(self, players: int) -> None:
        """Nothing yet."""
        self.wins = np.zeros(players, np.int64)
        self.scores = np.zeros(players, np.int64)
        self.shared = self.nobody = self.steps = self.decisions = self.rounds = 0

    def add(self, rows: Rows) -> None:
        """Count more games."""
        players = len(self.wins)
        won = (rows["winners"][:, None] >> np.arange(players)) & 1
        self.wins += won.sum(0)
        self.shared += int((won.sum(1) > 1).sum())
        self.nobody += int((won.sum(1) == 0).sum())
        self.scores += rows["scores"][:, :players].sum(0, dtype=np.int64)
        self.steps += int(rows["steps"].sum(dtype=np.int64))
        self.decisions += int(rows["decisions"].sum(dtype=np.int64))
        self.rounds += int(rows["rounds"].sum(dtype=np.int64))

    def told(self, games: int) -> dict[str, Any]:
        """The totals under the names that `strandline simulate --json` gives them."""
        return {
            "steps": self.steps,
            "decisions": self.decisions,
            "mean_rounds": self.rounds / games,
            "wins": self.wins.tolist(),
            "shared": self.shared,
            "nobody": self.nobody,
            "mean_scores": (self.scores / games).tolist(),
        }


def header(file: Path) -> dict[str, Any]:
    """What the kernel in the file plays."""
    with file.open(encoding="utf-8") as lines:
        line = lines.readline()
    if not line.startswith(MARK):
        raise ValueError(f"{file} was not written by 'strandline ptx': its first line says nothing of a game.")
    found: dict[str, Any] = json.loads(line.removeprefix(MARK))
    return found


def record(digits: str) -> np.ndarray[Any, Any]:
    """An array with the one record whose bytes are written so."""
    return np.frombuffer(bytes.fromhex(digits), np.dtype((np.void, len(digits) // 2)))


def row_dtype(seats: int) -> np.dtype[np.void]:
    """The row that the kernel fills in for each game; `winners` as bits."""
    return np.dtype(
        [("scores", "i4", (seats,)), *((name, "i4") for name in ("steps", "decisions", "rounds", "winners"))]
    )


def batches(games: int) -> Iterator[tuple[int, int]]:
    """All games as (first, number), in pieces that the memory of a GPU can hold."""
    for first in range(0, games, BATCH):
        yield first, min(BATCH, games - first)


def play(file: Path, games: int, seed: int) -> dict[str, Any]:
    """Play the games and tell what came of them."""
    about = header(file)
    kernel = Kernel(file)
    start = record(about["start"])
    totals = Totals(about["players"])
    began = time.perf_counter()
    for first, number in batches(games):
        totals.add(kernel.play(start, seed, first, number, row_dtype(about["seats"])))
    seconds = time.perf_counter() - began
    setting = {name: about[name] for name in ("game", "players", "options")}
    return {**setting, "games": games, "seed": seed, "seconds": round(seconds, 6), **totals.told(games)}


def differences(told: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """What the totals and those of `strandline simulate --json` do not agree on; they took different times."""
    return [
        f"{name}: {told[name]} here, {expected.get(name)} there"
        for name in told
        if name != "seconds" and told[name] != expected.get(name)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print the totals as one JSON object. The exit code is 1 if a check fails, 2 if nothing can be played."""
    parser = argparse.ArgumentParser(description="Play the random games of a kernel on a GPU.")
    parser.add_argument("file", type=Path, metavar="GAME.ptx", help="what 'strandline ptx' has written")
    parser.add_argument("--games", type=int, default=1_000_000, metavar="N", help="how many (default 1000000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    parser.add_argument(
        "--check", type=Path, metavar="FILE", help="compare with what 'strandline simulate --json' has printed"
    )
    args = parser.parse_args(arguments)
    if args.games < 1 or not 0 <= args.seed < 2**63:
        parser.error("--games must be 1 or more, and --seed from 0 to 2**63 - 1")
    try:
        told = play(args.file, args.games, args.seed)
        print(json.dumps(told))
        wrong = differences(told, json.loads(args.check.read_text(encoding="utf-8"))) if args.check else []
    except (NoGPU, OSError, ValueError) as error:
        print(f"Nothing was played: {error}", file=sys.stderr)
        return 2
    for sentence in wrong:
        print(f"Not the same. {sentence}", file=sys.stderr)
    if args.check and not wrong:
        print("The same as there.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
