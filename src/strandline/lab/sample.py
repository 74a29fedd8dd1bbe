"""The games of one setting as columns of numbers, with names that people read; and the same as Parquet and CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from strandline.engine.errors import BadOptions
from strandline.lab.rows import Rows, metrics_of
from strandline.lab.study import Setting

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Measure:
    """A number of each game."""

    name: str
    unit: str
    values: Values


@dataclass(frozen=True)
class Pace:
    """Seconds at a table: for a decision with a choice, and for anything else, such as a roll or a forced move."""

    thinking: float = 8.0
    handling: float = 3.0


USUAL = Pace()


@dataclass(frozen=True)
class Sample:
    """The games of one setting."""

    setting: Setting
    rows: Rows
    pace: Pace = USUAL
    texts: tuple[list[str], ...] = ()
    """The moves of each game, where they cannot be played again from the seed."""

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> Values:
        """A field of the rows, as numbers with which one can reckon."""
        return np.asarray(self.rows[name], np.int64)

    @cached_property
    def winners(self) -> Values:
        """Whether each seat has won, a row for each game."""
        return np.asarray(self.column("winners")[:, None] >> np.arange(self.setting.players) & 1, bool)

    @cached_property
    def shares(self) -> Values:
        """Each seat's share of the win; nothing for anybody when nobody has won."""
        return np.asarray(self.winners / np.maximum(self.winners.sum(1, keepdims=True), 1))

    @property
    def is_won(self) -> Values:
        """Whether anybody has won."""
        return np.asarray(self.winners.any(1))

    @property
    def is_shared(self) -> Values:
        """Whether several have won."""
        return np.asarray(self.winners.sum(1) > 1)

    @property
    def forced(self) -> Values:
        """Decisions with one choice only."""
        return np.asarray(self.column("menu")[:, 0])

    @property
    def minutes(self) -> Values:
        """How long a game would take at a table, as an estimate."""
        thinking = self.column("decisions") - self.forced
        handling = self.column("steps") - thinking
        return np.asarray((self.pace.thinking * thinking + self.pace.handling * handling) / 60)

    @property
    def pace_of_the_box(self) -> float:
        """Seconds for a decision with a choice at which the mean game would take as long as the box says."""
        thinking = float((self.column("decisions") - self.forced).mean())
        handling = float(self.column("steps").mean()) - thinking
        return (60 * self.setting.game.facts.minutes - self.pace.handling * handling) / max(thinking, 1e-9)

    @property
    def choices(self) -> Values:
        """How many choices a decision has, on average over each game."""
        return np.asarray(self.column("choices") / np.maximum(self.column("decisions"), 1))

    @property
    def known(self) -> Values:
        """The part of the game after which the winners were never behind again; only of games that somebody won."""
        return np.asarray(self.column("known") / self.column("rounds"))[self.is_won]

    def measures(self) -> list[Measure]:
        """What settings are compared by, apart from who wins: a number for each game."""
        lengths = [
            Measure("rounds", "rounds", self.column("rounds")),
            Measure("decisions", "decisions", self.column("decisions")),
            Measure("estimated minutes", "minutes", self.minutes),
            Measure("choices per decision", "choices", self.choices),
            Measure("forced decisions", "of the decisions", self.forced / np.maximum(self.column("decisions"), 1)),
        ]
        return [*lengths, *(self._lead() if not self.setting.game.facts.cooperative else []), *self.events()]

    def _lead(self) -> list[Measure]:
        return [
            Measure("lead changes", "changes", self.column("lead_changes")),
            Measure("game left when the winner is known", "of the game", 1 - self.known),
        ]

    def events(self) -> list[Measure]:
        """The game's special events."""
        found = metrics_of(self.setting.game)
        return [Measure(metric.name, metric.unit, self.column("tally")[:, i]) for i, metric in enumerate(found)]


def columns(sample: Sample) -> dict[str, Values]:
    """The games as named columns, one row each."""
    setting, n = sample.setting, len(sample)
    numbers = np.arange(n)
    found: dict[str, Values] = {"setting": np.full(n, setting.label), "game": numbers}
    found["players"] = np.full(n, setting.players)
    for name, value in setting.start.options.items():
        found[f"option_{name}"] = np.full(n, value)
    for seat in range(setting.players):
        found[f"bot_{seat}"] = np.array(setting.bots)[(numbers + seat) % len(setting.bots)]
        found[f"won_{seat}"] = sample.winners[:, seat]
        found[f"score_{seat}"] = sample.rows["scores"][:, seat]
    for name in ("steps", "decisions", "rounds", "choices", "most", "lead_changes", "known"):
        found[{"most": "most_choices", "known": "known_after_round"}.get(name, name)] = sample.rows[name]
    found["forced_decisions"] = sample.forced
    found["estimated_minutes"] = sample.minutes.round(2)
    for event in sample.events():
        found[event.name.replace(" ", "_").replace("'", "")] = event.values
    return found


FORMATS = ("csv", "parquet")


def write(samples: Sequence[Sample], folder: Path, formats: Sequence[str]) -> None:
    """Write a row for each game as `data.csv` or `data.parquet`."""
    if not formats:
        return
    pyarrow = needed("pyarrow")
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet

    tables = [pyarrow.table(columns(sample)) for sample in samples]
    table = pyarrow.concat_tables(tables, promote_options="permissive")
    if "parquet" in formats:
        parquet.write_table(table, folder / "data.parquet", compression="zstd")
    if "csv" in formats:
        csv.write_csv(table, folder / "data.csv")


def needed(package: str) -> Any:
    """A package of the extra `lab`, or a sentence that says where it comes from."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise BadOptions(f"--data needs {package}: pip install 'strandline[lab]'.") from None


def percentile(values: Values, part: float) -> float:
    """The value below which this part of the games lies."""
    return float(np.quantile(values, part)) if len(values) else math.nan
