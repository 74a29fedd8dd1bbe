"""A study: some settings of a game, many games of each, in numbered pieces that are kept as they are finished.

A piece is a pure function of its setting, the seed and its number. So it does not matter where it is played or when: a
study that was stopped goes on with the pieces that are missing, and one with more games only plays those.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import json
import pkgutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from strandline import bots
from strandline.bots import search
from strandline.engine import stamps
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.walk import functions_of, source
from strandline.lab import drivers, matches, rows
from strandline.lab.rows import POLICIES, Rows

PIECE = 1 << 11
"""Games of a piece, played by one compiled driver."""


@dataclass(frozen=True)
class Setting:
    """How some of the games are played: the first position, the players, and how many games with which seed."""

    start: Position
    bots: tuple[str, ...]
    games: int
    seed: int
    label: str = ""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.start.players

    @property
    def is_compiled(self) -> bool:
        """Whether one compiled driver plays the games."""
        return all(name in POLICIES for name in self.bots)

    @functools.cached_property
    def key(self) -> str:
        """The name of all that the games depend on, the sources of rules, metrics and bots included."""
        told = [self.start.to_json(), self.bots, self.seed, sources(self.game, self.is_compiled)]
        return f"{self.players}-players-{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]}"

    def pieces(self) -> Iterator[Piece]:
        """All games in pieces."""
        size = PIECE if self.is_compiled else 1
        for first in range(0, self.games, size):
            yield Piece(self, first, min(size, self.games - first))

    def bots_of(self, number: int) -> list[str]:
        """Who sits where in a game."""
        return [self.bots[(number + seat) % len(self.bots)] for seat in range(self.players)]


@dataclass(frozen=True)
class Piece:
    """Some games of a setting, one after another."""

    setting: Setting
    first: int
    number: int

    def play(self, device: str = "cpu") -> Rows:
        """Play the games."""
        setting = self.setting
        if setting.is_compiled:
            policies = [POLICIES[name] for name in setting.bots]
            return rows.play(setting.start, policies, setting.seed, self.first, self.number, device)
        return matches.play(setting, self.first, self.number)

    def file(self, folder: Path) -> Path:
        """Where the rows are kept."""
        return folder / "pieces" / self.setting.key / f"{self.first:010}-{self.number}.npy"


@functools.cache
def sources(game: Game, is_compiled: bool) -> str:
    """A hash of all that games depend on: rules, box, metrics and hints as drivers reach them, and the bots."""
    functions = functions_of(drivers)
    if is_compiled:
        return stamps.digest(game.rules, functions)
    return stamps.digest(game.rules, [*functions, *functions_of(search)], searching(matches.__name__))


def searching(*modules: str) -> list[str]:
    """The modules, and all modules of the bots that they come to, as compilers see them."""
    waiting, found = list(modules), dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            tree = source(importlib.import_module(name).__name__)
            found[name] = stamps.plain(tree)
            waiting += [other for other in _imported(tree) if other.startswith(f"{bots.__name__}.")]
    return [found[name] for name in sorted(found)]


def _imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in inner if node.module == bots.__name__ and name in _players())


def _players() -> set[str]:
    return {f"{bots.__name__}.{found.name}" for found in pkgutil.iter_modules(bots.__path__)}


def check(setting: Setting) -> None:
    """Refuse what cannot be played, with a sentence."""
    if setting.games < 1:
        raise BadOptions(f"--games must be 1 or more, not {setting.games}.")
    if not 0 <= setting.seed < 2**63:
        raise BadOptions(f"--seed must be a whole number from 0 to 2**63 - 1, not {setting.seed}.")
    for name in setting.bots:
        matches.bot(name, setting.game)


class Store:
    """The pieces of a study that are finished, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        """The pieces kept in a folder, which is made."""
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, piece: Piece, played: Rows) -> None:
        """Keep a finished piece: written under another name first, so that nobody ever reads half of it."""
        file = piece.file(self.folder)
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            np.save(part, played)
        Path(part.name).replace(file)

    def rows(self, setting: Setting) -> Rows:
        """All rows of a setting, in the order of the games."""
        files = [piece.file(self.folder) for piece in setting.pieces()]
        return np.concatenate([np.load(file) for file in files])

    def missing(self, settings: Sequence[Setting]) -> list[Piece]:
        """What is still to be played. What a killed process left half written is removed."""
        for part in self.folder.glob("pieces/*/*.part"):
            with contextlib.suppress(OSError):
                part.unlink()
        pieces = {piece.file(self.folder): piece for setting in settings for piece in setting.pieces()}
        return [piece for file, piece in pieces.items() if not file.exists()]
