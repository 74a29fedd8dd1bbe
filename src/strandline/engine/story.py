"""A move told as a story: one event after another, each with what it did to the board.

A game's `story.tell` plays the move on a record of its own, by the rules' functions, and stops after each thing that
people would tell each other: the roll, the way of the piece, what the rules do by themselves. The engine notes the
record at each stop, and for the last event at the end. What an event says of itself is data; `story.sentence` makes
words of it, for one reader.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strandline.engine.position import Position


@dataclass(frozen=True)
class Told:
    """What `tell` says at a stop.

    `data` must fit into JSON. `dice` and `drawn` have a meaning for all games: the faces of dice that were rolled, and
    the names of things that were drawn, which pages show as pictures.
    """

    kind: str
    """The rulebook's word for it, one of `KINDS`."""
    who: int | None = None
    """The seat that does it; None is the game itself."""
    data: Mapping[str, Any] = field(default_factory=dict)
    shapes: tuple[str, ...] = ()
    """The ids of the board's shapes that move. Each goes straight; a way with corners is several events."""
    secret: int | None = None
    """The only seat that may know what is `private`, until the game is over."""
    private: frozenset[str] = frozenset()
    """The names in `data` that are for the seat in `secret` alone."""


@dataclass(frozen=True)
class Roll:
    """A chance event that is due, and whose hand makes it."""

    seat: int
    verb: str
    """What the hand does, in one word: `roll`, `flip`, `draw`."""
    label: str
    """The label of the button."""
    clicks: tuple[str, ...] = ()
    """The shape of the board that can be tapped instead."""
    of_move: bool = False
    """Whether it belongs to the seat's move before it, so that choosing the move is the tap."""


@dataclass(frozen=True)
class Event:
    """One thing that a move brought about."""

    kind: str
    who: int | None
    data: Mapping[str, Any]
    shapes: tuple[str, ...]
    position: Position
    """The position after it. Between the first and the last event of a move it can be drawn, and no more."""
    secret: int | None = None
    private: frozenset[str] = frozenset()

    @property
    def sentence(self) -> str:
        """The event in a sentence, for the reader of the moment (`strandline.engine.words`)."""
        return self.position.game.story.sentence(self)

    def seen_by(self, seats: Collection[int]) -> Event:
        """The event without what only another seat may know."""
        if self.secret is None or self.secret in seats:
            return self
        return replace(self, data={name: value for name, value in self.data.items() if name not in self.private})
