"""The contract of a game: what the modules of its folder offer. What a folder lacks comes from a module of defaults."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, cast

from strandline.engine.defaults import notation as default_notation
from strandline.engine.defaults import reasons as default_reasons
from strandline.engine.defaults import story as default_story
from strandline.engine.reasons import Reason
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import Facts, Option, Value

if TYPE_CHECKING:
    from strandline.drawing import Seat

View = dict[str, Any]
"""A position as JSON, as somebody may see it."""


class Rules(ModuleType):
    """`rules.py`: the record and what the rulebook says. `engine/contract.py` says what each function does.

    A module and not a Protocol, because drivers are bound to modules.
    """

    FACTS: Facts
    OPTIONS: Sequence[Option]
    STATE: Any
    WORK: Any

    setup: Callable[[Any, Any], None]
    to_move: Callable[[Any], int]
    count: Callable[[Any, Any], int]
    nth: Callable[[Any, Any, int], int]
    apply: Callable[[Any, Any, int], None]
    score: Callable[[Any, int], int]
    winners: Callable[[Any], int]
    rounds: Callable[[Any], int]


class Notation(Protocol):
    """`notation.py`: moves as text, records as JSON."""

    def write(self, code: int) -> str:
        """The text of a move."""

    def read(self, text: str) -> int | None:
        """The code of the move with that text, None if there is none."""

    def to_json(self, s: Any) -> dict[str, Any]:
        """The position's own fields, as the rule page specifies them."""

    def from_json(self, value: dict[str, Any], s: Any) -> None:
        """Fill the record in; raises `checks.Flaw`."""

    def view(self, value: dict[str, Any], seat: int | None) -> View:
        """The position as a seat may see it. Default: whole."""

    def secret(self, s: Any, code: int) -> int | None:
        """The only seat that may see a move or an outcome before the game is over. Default: everybody may."""


class Story(Protocol):
    """`story.py`: all that the game says to people."""

    KINDS: Mapping[str, str]
    """The kinds of events, with a line about each."""
    SOUNDS: Mapping[str, str]
    """What kinds of events sound like, where it is not dice or sliding: `splash` or `caught`. Default: none."""

    def tell(self, s: Any, w: Any, code: int) -> Iterator[Told]:
        """Play the move on `s`, stopping after each event. Default: one event for the whole move."""

    def sentence(self, event: Event) -> str:
        """An event in a sentence for the reader of the moment."""

    def roll(self, s: Any) -> Roll | None:
        """Who makes the chance event that is due, and how. Default: nobody, the game does it by itself."""

    def describe(self, s: Any, code: int) -> str | None:
        """A move that could be made, in a sentence. Default: none, and its text stands in."""

    def words(self, view: View, scores: Sequence[int], winners: Sequence[int]) -> str:
        """The position in words, a line for each thing."""

    def task(self, view: View) -> str | None:
        """What the person who decides is to do, in a sentence."""

    def warning(self, view: View, move: str) -> str | None:
        """What a move gives up for good: the reason to ask before it is sent. Default: nothing."""

    def score_lines(self, view: View, scores: Sequence[int]) -> list[tuple[str, list[object]]]:
        """How the game has ended, line by line: what is counted, and a value for each seat, or one for all together.

        Default: the scores.
        """

    def auto_answer(self, view: View, move: str) -> str | None:
        """What people may ask to be answered for them from now on with this move. Default: nothing."""


class Board(Protocol):
    """`board.py`: the position as a picture."""

    def draw(self, view: View, scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
        """The board as an SVG image: tall, or wide, where a `draw` that does not know `wide` draws the tall one."""

    def clicks(self, view: View, move: str) -> list[str]:
        """The ids of the shapes to click for a move, in order; none if it can only be chosen from the list."""

    def looks(self) -> Sequence[Seat]:
        """How the seats are told apart, in the reader's language. Default: the colours of the house."""


class Reasons(Protocol):
    """`reasons.py`: why something cannot be done, by the rules' own functions, and told without anybody's secrets.

    It is asked only about what cannot be done, while chance or a seat decides. Default: a general sentence.
    """

    def shape(self, s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
        """Why a shape of the board cannot be clicked now, after the shapes in `chosen`."""

    def move(self, s: Any, w: Any, code: int) -> Reason | None:
        """Why a move cannot be made now."""


def rules(package: str) -> Rules:
    """The rules of the game in a package."""
    return cast(Rules, importlib.import_module(f"{package}.rules"))


def conflict(rules: Rules) -> Callable[[Mapping[str, Value]], str | None]:
    """Why some options do not go together, in a sentence with their names in braces. Default: they all do."""
    return getattr(rules, "conflict", lambda options: None)


def notation(package: str) -> Notation:
    """Its notation."""
    return cast(Notation, _filled(package, "notation", default_notation))


def story(package: str) -> Story:
    """Its story."""
    return cast(Story, _filled(package, "story", default_story))


def board(package: str) -> Board:
    """Its board."""
    from strandline import drawing

    found = {"looks": drawing.looks} | vars(importlib.import_module(f"{package}.board"))
    if "wide" not in inspect.signature(found["draw"]).parameters:
        found["draw"] = functools.partial(_in_one_arrangement, found["draw"])
    return cast(Board, SimpleNamespace(**found))


def _in_one_arrangement(
    draw: Callable[..., str], view: View, scores: Sequence[int], winners: Sequence[int], wide: bool = False
) -> str:
    return draw(view, scores, winners)


def thumbnail(package: str) -> Callable[[str, str], str] | None:
    """What draws the game's small picture, given title and description; None if it has none of its own."""
    name = f"{package}.thumbnail"
    return importlib.import_module(name).draw if importlib.util.find_spec(name) else None


def reasons(package: str) -> Reasons:
    """Its reasons."""
    return cast(Reasons, _filled(package, "reasons", default_reasons))


def _filled(package: str, name: str, defaults: ModuleType) -> SimpleNamespace:
    """What the game's own module has, and the defaults where it has nothing."""
    name = f"{package}.{name}"
    own = vars(importlib.import_module(name)) if importlib.util.find_spec(name) else {}
    public = {key: value for key, value in vars(defaults).items() if not key.startswith("_")}
    return SimpleNamespace(**public | {key: own[key] for key in own if not key.startswith("_")})
