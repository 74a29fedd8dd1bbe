"""`lessons.toml` as types: what the file of a game says, read and checked for its form."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import strandline
from strandline.engine.game import Game

FILE = "lessons.toml"


class BadLesson(ValueError):
    """A lesson that cannot be read or played; the sentence says which and why."""


@dataclass(frozen=True, eq=False)
class Step:
    """One step: what the coach says, and what the learner does."""

    say: str
    task: str = ""
    position: Mapping[str, Any] | None = None
    """The fields in which the position differs from a new game's; None where the step does not begin anew."""
    moves: tuple[str, ...] = ()
    """What has been played from there before the step begins."""
    look: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()
    dice: tuple[str, ...] = ()
    """What chance brings, in order."""
    right: Mapping[str, str] = field(default_factory=dict)
    """The right moves, or patterns of them, each with what the coach answers, or nothing."""
    goal: Mapping[str, Any] = field(default_factory=dict)
    """Where the step has no right moves: what must hold of the position in the end, by the path of the field."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """What the coach answers to wrong moves, or patterns of them."""
    show: tuple[str, ...] = ()
    """What the coach plays when asked to show it, where the shortest way to the goal is not the one to learn from."""
    then: tuple[str, ...] = ()
    """What the others do afterwards, and what chance brings them."""

    @property
    def begins(self) -> bool:
        """Whether the step has a position of its own."""
        return self.position is not None or bool(self.moves)

    @property
    def asks(self) -> bool:
        """Whether the learner is to decide something."""
        return bool(self.right or self.goal)

    def is_right(self, move: str) -> bool:
        """Whether a move is among the right ones."""
        return matching(self.right, move) is not None


@dataclass(frozen=True, eq=False)
class Lesson:
    """A sequence of steps. The learner has the first seat."""

    name: str
    title: str
    about: str
    players: int
    options: Mapping[str, Any]
    steps: tuple[Step, ...]

    def base(self, game: Game, step: Step) -> strandline.Position:
        """The position that a step begins with, if it has one of its own."""
        position = game.start(self.players, self.options)
        if step.position:
            position = game.position({**position.to_json(), **step.position})
        for move in step.moves:
            position = position.play(move)
        return position


@dataclass(frozen=True)
class FirstGame:
    """The real game that follows the lessons."""

    seats: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Script:
    """All that `lessons.toml` says."""

    lessons: tuple[Lesson, ...]
    first_game: FirstGame
    coach: Mapping[str, str]
    """What the coach says at a table when an event of a kind happens for the first time."""

    def lesson(self, name: str) -> Lesson | None:
        """The lesson of that name."""
        return next((lesson for lesson in self.lessons if lesson.name == name), None)


def matching(patterns: Mapping[str, str], move: str) -> str | None:
    """The text behind the first pattern that a move fits; None if it fits none."""
    return next((text for pattern, text in patterns.items() if fnmatchcase(move, pattern)), None)


@functools.cache
def of(game: Game) -> Script:
    """The lessons of a game, none where it has no file of them."""
    file = game.folder / FILE
    return read(file.read_text(encoding="utf-8")) if file.exists() else Script((), FirstGame(("here", "bot:1"), {}), {})


def read(text: str) -> Script:
    """The script in a text. Raises `BadLesson`."""
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLesson(f"{FILE} cannot be read: {error}.") from None
    _known(value, {"lesson", "first_game", "coach"}, FILE)
    game = value.get("first_game", {})
    _known(game, {"seats", "options"}, "first_game")
    return Script(
        lessons=tuple(_lesson(lesson) for lesson in value.get("lesson", [])),
        first_game=FirstGame(tuple(game.get("seats", ["here", "bot:1"])), game.get("options", {})),
        coach=value.get("coach", {}),
    )


def _lesson(value: dict[str, Any]) -> Lesson:
    where = f"The lesson {value.get('name')!r}"
    _known(value, {"name", "title", "about", "players", "options", "step"}, where)
    for key in ("name", "title", "about", "step"):
        if not value.get(key):
            raise BadLesson(f"{where} lacks {key}.")
    return Lesson(
        name=value["name"],
        title=value["title"],
        about=value["about"],
        players=value.get("players", 2),
        options=value.get("options", {}),
        steps=tuple(_step(step, f"{where}, step {number}") for number, step in enumerate(value["step"], 1)),
    )


def _step(value: dict[str, Any], where: str) -> Step:
    _known(value, set(Step.__dataclass_fields__), where)
    if not value.get("say"):
        raise BadLesson(f"{where} lacks say.")
    found = dict(value)
    for key in ("moves", "look", "dice", "show", "then"):
        found[key] = tuple(value.get(key, ()))
    found["arrows"] = tuple((start, end) for start, end in value.get("arrows", ()))
    right = value.get("right", {})
    found["right"] = right if isinstance(right, dict) else dict.fromkeys(right, "")
    if "position" in value:
        try:
            found["position"] = json.loads(value["position"])
        except ValueError as error:
            raise BadLesson(f"{where}: the position is not JSON: {error}.") from None
    if found["right"] and value.get("goal"):
        raise BadLesson(f"{where} has right moves and a goal; one of them will do.")
    return Step(**found)


def _known(value: Mapping[str, Any], keys: set[str], where: str) -> None:
    if surplus := sorted(set(value) - keys):
        raise BadLesson(f"{where} has {surplus[0]!r}, which means nothing here.")
