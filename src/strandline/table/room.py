"""A table that is in use, with the guests who are connected to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from strandline.table.advice import Advice
from strandline.table.review import Reviewed
from strandline.table.table import Step, Table

Command = Callable[[Table], list[Step]]
"""What is to be done at a table: it looks at the table and gives the steps, or is refused."""


class Guest(Protocol):
    """One connection: a person's, or a spectator's."""

    seats: frozenset[int]
    is_looking: bool
    """Whether the table is in front of somebody, and not in a window behind others."""
    visitor: str
    """Where they come from: for that address bots think in turn with others."""

    def wake(self) -> None:
        """Something has changed at the table."""

    def hear(self, message: dict[str, Any]) -> None:
        """Somebody at the table says something that is not kept."""


@dataclass(eq=False)
class Room:
    """An open table with its guests and what bots think about it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, kw_only=True)
    guests: set[Guest] = field(default_factory=set, kw_only=True)
    thinking: asyncio.Task[None] | None = field(default=None, kw_only=True)
    thought: asyncio.Lock = field(default_factory=asyncio.Lock, kw_only=True)
    """Held while a bot thinks for this table: one thought at a time."""
    hinted: tuple[int, Advice] | None = field(default=None, kw_only=True)
    """The number of the position for which a hint was given, and the hint."""
    reviewing: asyncio.Task[Reviewed | None] | None = field(default=None, kw_only=True)
    reviewed: float = field(default=0.0, kw_only=True)
    """How much of the review is done, from 0 to 1."""

    def here(self) -> set[int]:
        """The seats with a connection."""
        return {seat for guest in self.guests for seat in guest.seats}

    def waiting(self) -> frozenset[str]:
        """Where the persons come from for whom bots think here; those who watch wait for nothing."""
        return frozenset(guest.visitor for guest in self.guests if guest.seats)

    def looking(self) -> set[int]:
        """The seats whose persons have the table in front of them."""
        return {seat for guest in self.guests if guest.is_looking for seat in guest.seats}

    def present(self) -> set[int]:
        """The seats whose persons are connected, wherever."""
        return self.here()

    def thinks(self) -> bool:
        """Whether it is for us to let the bots of this table think."""
        return True

    def call(self, message: dict[str, Any]) -> None:
        """Say something to all who are connected."""
        for guest in self.guests:
            guest.hear(message)

    def wake_guests(self) -> None:
        """Tell all who are connected that something has changed."""
        for guest in self.guests:
            guest.wake()
