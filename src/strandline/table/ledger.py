"""Who has committed to what, and what has been revealed: from this follows the key of every draw.

An *epoch* is a secret seed of the table. The first one is drawn with the table; each anchor, a person's commitment to a
hash chain, brings another, drawn after it, and so does each absence. An epoch waits until every chain that is not newer
has added a link that was revealed after its seed was committed; until then outcomes are derived as before. So whoever
may choose anything, a seed or a chain, chooses before somebody else reveals what they cannot know. Chains that are
newer than an epoch have no part in it, or they could be made for its seed; so nobody holds it up by coming again. Nor
does anybody for whom a bot plays or rolls. Only a link lets an epoch begin, and who is waited for is judged by what its
page knew: whoever has seen the link changes nothing by what they put before it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from strandline.table import dice

NO_LINKS = bytes(32)
"""The running hash of no links."""


class BadLink(ValueError):
    """A link does not continue its chain, or a chain cannot begin so."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A person's page commits to a chain, and the table to a new seed."""

    seats: tuple[int, ...]
    anchor: str | None
    """None: a bot plays or rolls for the seats; until the next link of their chain nobody waits for it."""
    commitment: str


@dataclass(frozen=True, slots=True)
class Link:
    """A page reveals the next link of its chain."""

    chain: int
    """The epoch of the chain's anchor."""
    link: str
    epochs: int
    """How many epochs the page knew when it first revealed the link: for a later one it does not count."""
    tap: bool
    """Whether the line after it is drawn with it: somebody has tapped to roll."""


Note = Anchor | Link


@dataclass(frozen=True, slots=True)
class Key:
    """What a draw is derived from, beside its number."""

    epoch: int
    mix: bytes = NO_LINKS
    parts: frozenset[int] = frozenset()
    """The chains whose links are in the mix."""

    def with_link(self, note: Link) -> Key:
        """With one more link."""
        return Key(self.epoch, dice.mixed(self.mix, note.link), self.parts | {note.chain})


def _empty() -> Mapping[int, int]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Ledger:
    """All that the draws depend on. It never changes: each note gives a new one."""

    first: str
    """The commitment to the first seed."""
    begun: tuple[Anchor, ...] = ()
    """What each further epoch began with."""
    tips: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """What each chain has revealed last, at first its anchor."""
    known: Mapping[int, int] = field(default_factory=_empty)
    """How many epochs each chain's page knew at its last link."""
    spoke: Mapping[int, int] = field(default_factory=_empty)
    """How many epochs there were at each chain's last link."""
    chains: Mapping[int, int] = field(default_factory=_empty)
    """The chain of each seat that has one."""
    key: Key = Key(0)
    """What new draws are derived from."""
    waiting: Mapping[int, Key] = field(default_factory=lambda: MappingProxyType({}))
    """For each epoch that waits, what it would be with the links revealed for it so far."""
    joined: int = 0
    """The epoch of the newest anchor if that was somebody's first, else 0."""
    keys: tuple[Key, ...] = ()
    """The key of each draw that was ever made. An undo does not change it: what is drawn again comes out the same."""

    @functools.cached_property
    def commitments(self) -> tuple[str, ...]:
        """To the seeds of all epochs."""
        return (self.first, *(each.commitment for each in self.begun))

    @property
    def epochs(self) -> int:
        """How many epochs there are."""
        return 1 + len(self.begun)

    @functools.cached_property
    def anchors(self) -> dict[int, str]:
        """The anchor of each chain."""
        return {chain: each.anchor for chain, each in enumerate(self.begun, 1) if each.anchor is not None}

    @property
    def is_open(self) -> bool:
        """Whether any person has a part in the draws to come."""
        return self.key.epoch > 0

    @property
    def is_foreseeable(self) -> bool:
        """Whether no chain that is still there has a part in the draws to come: whoever has the seeds knows them."""
        return self.key.parts.isdisjoint(self.live())

    def live(self) -> frozenset[int]:
        """The chains that seats still have."""
        return frozenset(self.chains.values())

    def is_due(self, chain: int) -> bool:
        """Whether a chain's page shall add a link at once: no epoch has begun, or somebody joined before any draw.

        Later ones, chains that take the place of others, and what begins with an absence, wait for the taps of all:
        nobody who knows the seeds can have known outcomes changed by coming again. While no epoch has begun, an absence
        asks for a link only if one begins with it.
        """
        if self.is_open:
            return self.key.epoch < self.joined and self.known[chain] <= self.joined and not self.keys
        if self.known[chain] <= max(self.anchors):
            return True
        heard = self._heard(chain, self.epochs)
        return bool(self.known[chain] < self.epochs and heard.ready(chain, self.epochs))

    def _heard(self, chain: int, epochs: int) -> Ledger:
        """After a link of that chain, whose page knew so many epochs, as far as it matters who is waited for."""
        known, spoke = {**self.known, chain: epochs}, {**self.spoke, chain: self.epochs}
        return replace(self, known=known, spoke=spoke)

    def ready(self, chain: int, epochs: int) -> list[int]:
        """The epochs that need not wait any longer after a link of that chain, whose page knew so many."""
        awaited = set(self.awaited(epochs).values())
        return [
            epoch
            for epoch in self.waiting
            if chain <= epoch < epochs and all(self.known[each] > epoch for each in awaited if each <= epoch)
        ]

    def awaited(self, epochs: int | None = None) -> dict[int, int]:
        """The chain of each seat whose links are waited for, as far as somebody knows who knows that many epochs."""
        found: dict[int, int] = {}
        for number, each in enumerate(self.begun[: None if epochs is None else epochs - 1], 1):
            for seat in each.seats:
                if each.anchor is not None:
                    found[seat] = number
                elif seat in found and self.spoke[found[seat]] <= number:
                    del found[seat]
        return found

    def noted(self, note: Note) -> Ledger:
        """With one more note. `BadLink` if it does not fit."""
        return self._anchored(note) if isinstance(note, Anchor) else self._revealed(note)

    def _anchored(self, note: Anchor) -> Ledger:
        number = self.epochs
        new = replace(self, begun=(*self.begun, note), waiting={**self.waiting, number: Key(number)})
        if note.anchor is None:
            if not self.awaited().keys() >= set(note.seats):
                raise BadLink("Nobody waits for a link of somebody who is called absent.")
            return new
        if note.anchor in (*self.anchors.values(), *self.tips.values()):
            raise BadLink("This chain was used before: its links are known, or somebody else’s.")
        return replace(
            new,
            tips={**self.tips, number: note.anchor},
            known={**self.known, number: number},
            spoke={**self.spoke, number: number},
            chains={**self.chains, **dict.fromkeys(note.seats, number)},
            joined=number if self.chains.keys().isdisjoint(note.seats) else 0,
        )

    def _revealed(self, note: Link) -> Ledger:
        chain = note.chain
        if chain not in self.live() or dice.hashed_link(note.link) != self.tips[chain]:
            raise BadLink("The link does not continue the chain.")
        if not note.tap and not self.is_due(chain):
            raise BadLink("No link was asked for then.")  # or else links could be skipped for the sake of a later one
        least = max(chain, self.known[chain] - note.tap) + 1  # a page that has a chain knows of its epoch
        if not least <= note.epochs <= self.epochs:
            raise BadLink(f"The page cannot have known {note.epochs} epochs then.")
        counted = {epoch: key.with_link(note) for epoch, key in self.waiting.items() if chain <= epoch < note.epochs}
        new = replace(
            self._heard(chain, note.epochs),
            tips={**self.tips, chain: note.link},
            key=self.key.with_link(note) if chain <= self.key.epoch else self.key,
            waiting={**self.waiting, **counted},
        )
        ready = new.ready(chain, note.epochs)
        if not ready:
            return new
        waiting = {epoch: key for epoch, key in new.waiting.items() if epoch > max(ready)}
        return replace(new, key=counted[max(ready)], waiting=waiting)

    def key_of(self, draw: int) -> Key:
        """What draw number `draw` is derived from: as at the first time, if it was made before."""
        return self.keys[draw] if draw < len(self.keys) else self.key

    def drawn(self, draw: int) -> Ledger:
        """After draw number `draw`."""
        return self if draw < len(self.keys) else replace(self, keys=(*self.keys, self.key))
