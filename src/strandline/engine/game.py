"""A game as its folder describes it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from strandline.engine import binding, box, checks, hints, parts, records, simulation, wasm
from strandline.engine.defaults import notation as default_notation
from strandline.engine.errors import BadBox, BadOptions, BadPosition, IllegalMove, NoKernels
from strandline.engine.position import Position
from strandline.engine.vocabulary import OVER, Facts, Option, Value
from strandline.engine.words import Words, alternatives, reader

_ = Words(__file__)

PICTURED = 30
"""A game without a picture of its own is shown after this many random moves."""


class Game:
    """One game: its facts and options, new positions, and its rules at every speed."""

    def __init__(self, package: ModuleType, box_file: Path | None = None) -> None:
        """The game in the folder `package`, with its own box or the owner's in `box_file`."""
        self._package = package
        self._box_file = box_file
        self.name: str = package.__name__.rpartition(".")[2]
        if box_file is not None:
            package = box.with_box(package, box_file)
        try:
            self.rules = parts.rules(package.__name__)
            self.notation = parts.notation(package.__name__)
        except checks.Flaw as flaw:
            raise BadBox(f"The box of {self.name} cannot be used: {flaw}") from None
        self._folder = package.__name__
        self.facts: Facts = self.rules.FACTS
        self.options: Mapping[str, Option] = MappingProxyType({option.name: option for option in self.rules.OPTIONS})

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.facts.title

    @property
    def box_digest(self) -> str:
        """A hash of the box that it is played with, which its owner may have changed."""
        return box.digest(self._folder)

    @property
    def folder(self) -> Path:
        """Where the game's files are."""
        return Path(self._package.__path__[0])

    @property
    def told_title(self) -> str:
        """The game's name in the reader's language."""
        return self.words(self.title)

    @functools.cached_property
    def words(self) -> Words:
        """The sentences of the game's folder."""
        return Words(str(self.folder / "rules.py"))

    @property
    def has_chance(self) -> bool:
        """Whether anything is ever rolled, drawn or dealt."""
        return self.facts.chance

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of players that the game can be played with."""
        return tuple(self.facts.seats)

    @functools.cached_property
    def story(self) -> parts.Story:
        """What the game says to people."""
        return parts.story(self._folder)

    @functools.cached_property
    def board(self) -> parts.Board:
        """What draws the board."""
        return parts.board(self._folder)

    @functools.cached_property
    def reasons(self) -> parts.Reasons:
        """Why something cannot be done."""
        return parts.reasons(self._folder)

    @property
    def thumbnail(self) -> str:
        """A small picture for lists of games, without words: composed for it, or else a game in progress."""
        draw = parts.thumbnail(self._folder)
        if draw is not None:
            return draw(self.told_title, self.words(self.facts.tagline))
        return self.new(self.seats[len(self.seats) // 2]).play_random(PICTURED).svg()

    @property
    def has_secrets(self) -> bool:
        """Whether the game ever hides anything from anybody."""
        return self.notation.view is not default_notation.view

    @property
    def has_guide(self) -> bool:
        """Whether its hints say how to move at sight: as a sensible player, or at least as in a playout."""
        own = binding.part(self.rules, hints)
        return hasattr(own, "guided") or hasattr(own, "pick")

    @property
    def guide(self) -> str:
        """How to play, in Markdown, in the reader's language where there is a guide in it."""
        files = self.folder / f"guide.{reader().language}.md", self.folder / "guide.md"
        found = next((file.read_text(encoding="utf-8") for file in files if file.exists()), None)
        return found or f"# {self.told_title}\n\n{self.words(self.facts.tagline)}\n"

    def new(self, /, players: int | None = None, **options: Value) -> Position:
        """The first position, with the fewest players and the default options unless said otherwise."""
        return self.start(self.seats[0] if players is None else players, options)

    def start(self, players: int, options: Mapping[str, Value]) -> Position:
        """The first position with options of any name, which are checked."""
        record = self._fresh(players, options)
        self.rules.setup(record, self.work())
        return Position(self, record)

    def position(self, value: Any) -> Position:
        """The position of this game, with this box, that a JSON object describes."""
        try:
            checks.word(checks.fields_of(value, "The position").get("game"), [self.name], "game")
            return self._read(value)
        except checks.Flaw as flaw:
            raise BadPosition(str(flaw)) from None
        except BadOptions as error:
            raise BadPosition(str(error)) from None

    def _read(self, value: dict[str, Any]) -> Position:
        for name in ("players", "options"):
            if name not in value:
                raise checks.Flaw(f"The position lacks {name}.")
        options = checks.fields(value["options"], self.options, "options")
        record = self._fresh(value["players"], options)
        own = {name: item for name, item in value.items() if name not in ("game", "players", "options")}
        self.notation.from_json(own, record)
        position = Position(self, record)
        checks.same(value, position.to_json(), "The position")
        if self.rules.to_move(record) != OVER and not position.codes():
            raise checks.Flaw("Nothing can be done in this position, and yet it is not over.")
        return position

    def _fresh(self, players: Any, options: Mapping[str, Any]) -> Any:
        """A record of zeros but for the players and the options, which are checked."""
        if type(players) is not int or players not in self.seats:
            told = {"title": self.told_title, "seats": alternatives(list(map(str, self.seats)))}
            raise BadOptions(_("{title} is for {seats} players, not {n}.", **told, n=checks.shown(players)))
        for name in options:
            if name not in self.options:
                known = ", ".join(self.options) or _("none")
                told = {"title": self.told_title, "name": repr(name), "options": known}
                raise BadOptions(_("{title} has no option {name}. Its options: {options}.", **told))
        record = records.blank(self.rules.STATE)
        record.players = players
        values = {name: options.get(name, option.default) for name, option in self.options.items()}
        for name, option in self.options.items():
            if not option.allows(values[name]):
                told = {"name": name, "allowed": _allowed(option), "value": checks.shown(values[name])}
                raise BadOptions(_("The option {name} must be {allowed}, not {value}.", **told))
            setattr(record, name, option.encode(values[name]))
        if sentence := parts.conflict(self.rules)(values):
            raise BadOptions(self.words(sentence, **{name: name for name in self.options}))
        return record

    def code(self, move: str) -> int:
        """The code of a move, legal or not; `IllegalMove` if no move of the game has that text."""
        found = self.notation.read(move)
        if found is None:
            raise IllegalMove(f"{move!r} is not a move of {self.title}.")
        return found

    def work(self) -> Any:
        """A blank scratch record, which rules need beside a position."""
        return records.blank(self.rules.WORK)

    def listed(self, record: Any) -> list[int]:
        """The codes of all legal moves, or those on all tickets of chance's bag."""
        if self._is_long_list(record) and self._kernels is not None:
            return self._kernels.listing(bytes(record))
        work, nth = self.work(), self.rules.nth
        return [int(nth(record, work, i)) for i in range(self.rules.count(record, work))]

    def _is_long_list(self, record: Any) -> bool:
        """Whether listing the moves may take long as ordinary Python; the rules say so where that can be."""
        return hasattr(self.rules, "is_long_list") and bool(self.rules.is_long_list(record))

    @functools.cached_property
    def _kernels(self) -> wasm.Kernels | None:
        try:
            return wasm.of(self)
        except NoKernels:
            return None

    def interpreted(self, *drivers: ModuleType) -> Any:
        """The drivers of a module (the engine's own if none is named) as ordinary Python."""
        return binding.interpreted(self.rules, *drivers)

    def compiled(self, *drivers: ModuleType, boundscheck: bool = False) -> Any:
        """The drivers of a module (the engine's own if none is named) as compiled code."""
        return binding.compiled(self.rules, *drivers, boundscheck=boundscheck)

    def simulate(
        self,
        games: int,
        players: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
        **options: Value,
    ) -> simulation.Results:
        """Random games, one row each; the same rows for the same seed whatever the number of threads.

        `progress` is called now and then with the number of games finished since its last call.
        """
        return simulation.simulate(self, games, self.new(players, **options), seed, threads, progress)

    def __reduce__(self) -> tuple[Any, ...]:
        from strandline.engine.discovery import game

        return game, (self.name, self._box_file)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"


def _allowed(option: Option) -> str:
    """The values that the option may have, in words."""
    if isinstance(option.values, range):
        return _("a whole number from {low} to {high}", low=option.values[0], high=option.values[-1])
    return alternatives([repr(value).lower() if isinstance(value, bool) else repr(value) for value in option.values])
