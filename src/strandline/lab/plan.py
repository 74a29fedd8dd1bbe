"""What a study is to find out: which settings are played, by whom, and which are compared with which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.vocabulary import Value
from strandline.lab import boxes
from strandline.lab.rows import POLICIES
from strandline.lab.sample import USUAL, Pace
from strandline.lab.study import Setting

MANY, SOME, FEW = 100_000, 5_000, 200
"""Games of a setting unless somebody says otherwise: of random play, of guided play, and of bots that search.

5,000 tell a seat's share of the win to 1.5 points.
"""


@dataclass(frozen=True)
class Plan:
    """The settings of a study, and beside each one who plays for skill against luck."""

    game: Game
    settings: tuple[Setting, ...]
    skill: tuple[tuple[Setting, ...], ...]
    """For each setting one in which a stronger player meets weaker ones, or, where all win together, one of each."""
    beside: tuple[Setting, ...] = ()
    """Each setting once more with random players, unless they play it anyway."""
    option: str | None = None
    """The option that is compared, or the entry of the box, written as `box.tiles.wave`."""
    values: tuple[Any, ...] = ()
    box: Path | None = None
    """The owner's box file, if the game is played with one."""
    pace: Pace = USUAL
    drama: int = 0
    """Games of each setting that the search reviews, for each seat's chance of winning."""
    decisions: int = 0
    """Decisions of each setting whose moves the search values."""

    def all(self) -> list[Setting]:
        """All settings to be played."""
        return [*self.settings, *(setting for settings in self.skill for setting in settings), *self.beside]

    def pairs(self) -> list[tuple[int, int]]:
        """Which settings are compared, by their numbers: with the first value of the option, for the same players."""
        step = max(1, len(self.values))
        return [(i - i % step, i) for i in range(len(self.settings)) if i % step]

    @property
    def is_sweep(self) -> bool:
        """Whether the compared values are numbers, and enough of them for a curve."""
        return len(self.values) > 2 and all(type(value) in (int, float) for value in self.values)


def plan(
    game: Game,
    players: Sequence[int] = (),
    options: Mapping[str, Value] | None = None,
    compare: tuple[str, Sequence[Any]] | None = None,
    bots: Sequence[str] = (),
    games: int | None = None,
    seed: int = 0,
    skill: Sequence[str] | None = None,
    skill_games: int | None = None,
    box: Path | None = None,
    pace: Pace | None = None,
    drama: int = 0,
    decisions: int = 0,
) -> Plan:
    """The settings for these numbers of players (all if none is named) and for each value of the compared option.

    Unless `bots` are named, competent players play: guided ones, or level 2 where the game's hints do not say how to
    move; random players play beside them. `skill` is a stronger player and a weaker one; nobody plays for it if it is
    empty. Every setting has the same number of games and the same seed.
    """
    for name, number in (("--drama", drama), ("--decisions", decisions)):
        if number < 0:
            raise BadOptions(f"{name} must be 0 or more, not {number}.")
    option, values = compare or (None, ())
    beside = not bots
    bots = bots or (competent(game),)
    own = dict(options or {})
    if option is not None and (option in own or len(set(map(repr, values))) < 2):
        raise BadOptions(f"--compare {option} needs two or more different values, and no --option {option}.")
    strong_and_weak = tuple((competent(game), "random") if skill is None else skill)
    if len(strong_and_weak) not in (0, 2):
        raise BadOptions("--skill is written STRONGER,WEAKER, or none.")
    numbers = list(players or game.seats)
    settings, skills = [], []
    for number in numbers:
        for value in values or (None,):
            start = _start(game, number, own, option, value, box)
            seats = [f"{number} player{'s' if number > 1 else ''}"] if len(numbers) > 1 or option is None else []
            label = ", ".join([*seats, *([f"{option} {shown(value)}"] if option else [])])
            main = Setting(start, tuple(bots), usual_games(bots) if games is None else games, seed, label)
            settings.append(main)
            skills.append(_skill(main, strong_and_weak, skill_games))
    random = tuple(
        Setting(one.start, ("random",), min(SOME, MANY if games is None else games), seed, one.label)
        for one in settings
        if beside
    )
    return Plan(
        game, tuple(settings), tuple(skills), random, option, tuple(values), box, pace or USUAL, drama, decisions
    )


def _start(game: Game, players: int, own: dict[str, Value], option: str | None, value: Any, box: Path | None) -> Any:
    """The first position of a setting."""
    if option is None:
        return game.new(players, **own)
    if option.startswith(boxes.PREFIX):
        return boxes.changed(game, option, value, box).new(players, **own)
    return game.new(players, **own, **{option: value})


def _skill(main: Setting, names: tuple[str, ...], games: int | None) -> tuple[Setting, ...]:
    if not names:
        return ()
    strong, weak = names
    number = min(usual_games(names), main.games) if games is None else games
    if main.game.facts.cooperative or main.players == 1:
        return tuple(Setting(main.start, (name,), number, main.seed, main.label) for name in names)
    return (Setting(main.start, (strong, *[weak] * (main.players - 1)), number, main.seed, main.label),)


def usual_games(bots: Sequence[str]) -> int:
    """How many games are played unless somebody says otherwise."""
    if all(name == "random" for name in bots):
        return MANY
    return SOME if all(name in POLICIES for name in bots) else FEW


def competent(game: Game) -> str:
    """A player who knows what to do and needs little time."""
    return "guided" if game.has_guide else "2"


def shown(value: Any) -> str:
    """The value of an option as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
