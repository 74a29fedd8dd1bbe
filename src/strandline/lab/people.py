"""Games that people have played, as a study beside simulated ones: are they as long, as close, as fair?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import strandline
from strandline.engine import checks, records
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.lab import matches, report
from strandline.lab.findings import Found
from strandline.lab.plan import SOME, Plan, competent, usual_games
from strandline.lab.rows import row_dtype
from strandline.lab.running import run
from strandline.lab.sample import USUAL, Pace, Sample
from strandline.lab.study import Setting

PEOPLE = "people"
"""What stands for the bots' names where people have played."""

FORMAT = "strandline study 1"
"""How a table's page saves a game whose players agree to be studied: who does, and the record without names."""

Played = tuple[Position, list[str]]
"""The first position of a game and all its moves and outcomes."""


def opened(value: Any) -> tuple[Any, set[int]]:
    """The record in a file, and the seats whose players have agreed at the table that it may be studied."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return value, set()
    fields = checks.fields(value, ("format", "agreed", "record"), "The file")
    most = max(max(strandline.game(name).seats) for name in strandline.games())
    seats = checks.each(fields["agreed"], 0, most, "agreed", lambda seat, where: checks.whole(seat, 0, most - 1, where))
    return fields["record"], set(seats)


def study(game: Game, played: Iterable[Played], folder: Path, seed: int, pace: Pace | None) -> Found:
    """Write the report on games that people have finished, each group of one setting beside simulated games of it."""
    groups: dict[Position, list[list[str]]] = {}
    for start, moves in played:
        groups.setdefault(start, []).append(moves)
    if not groups:
        raise BadOptions("None of the records is of a finished game.")
    bots = (competent(game),)
    settings: list[Setting] = []
    for start, games in groups.items():
        label = f"{start.players} player{'s' if start.players > 1 else ''}{_options(start)}"
        settings += [
            Setting(start, bots, min(SOME, usual_games(bots)), seed, f"simulated, {label}"),
            Setting(start, (PEOPLE,), len(games), seed, f"people, {label}"),
        ]
    store = run(settings[::2], folder)
    samples = []
    for simulated, people in zip(settings[::2], settings[1::2], strict=True):
        samples += [
            Sample(simulated, store.rows(simulated), pace or USUAL),
            sample_of(people, groups[people.start], pace or USUAL),
        ]
    plan = Plan(
        game,
        tuple(settings),
        ((),) * len(settings),
        option="players who are",
        values=("simulated", PEOPLE),
        pace=pace or USUAL,
    )
    found = Found(plan, samples, [()] * len(samples))
    command = f"strandline lab people {game.name} FILE... --seed {seed}"
    (folder / "report.html").write_text(report.page(found, command), encoding="utf-8")
    return found


def sample_of(setting: Setting, games: Sequence[Sequence[str]], pace: Pace) -> Sample:
    """The games as rows."""
    rows = np.zeros(len(games), row_dtype(setting.game))
    for moves, row in zip(games, records.view(rows), strict=True):
        matches.note(setting.start, map(setting.game.code, moves), row)
    return Sample(setting, rows, pace, tuple(map(list, games)))


def _options(start: Position) -> str:
    """The options that differ from the usual ones."""
    usual = start.game.options
    return "".join(f", {name} {value}" for name, value in start.options.items() if value != usual[name].default)
