"""Who has committed to what, and what has been revealed: from this follows the key of every draw.

An *epoch* is a secret seed of the table. The first one is drawn with the table; each anchor, a person's commitment to a
hash chain, brings another, drawn after it. A new epoch waits until every chain has added a link that was revealed after
its seed was committed; until then outcomes are derived as before. So whoever may choose anything, a seed or a chain,
chooses before somebody else reveals what they cannot know.
"""

from __future__ import annotations

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
    anchor: str
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
    mix: bytes


@dataclass(frozen=True)
class Ledger:
    """All that the draws depend on. It never changes: each note gives a new one."""

    commitments: tuple[str, ...]
    """Of the epochs' seeds."""
    anchors: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The anchor of each chain."""
    tips: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """What each chain has revealed last, at first its anchor."""
    known: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """How many epochs each chain's page knew at its last link."""
    chains: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """The chain of each seat that has one."""
    key: Key = Key(0, NO_LINKS)
    """What new draws are derived from."""
    waiting: bytes = NO_LINKS
    """The running hash of the links revealed for the newest epoch."""
    added: frozenset[int] = frozenset()
    """The chains that have added a link to the newest epoch."""
    joined: bool = False
    """Whether the newest anchor was somebody's first."""
    keys: tuple[Key, ...] = ()
    """The key of each draw that was ever made. An undo does not change it: what is drawn again comes out the same."""

    @property
    def epochs(self) -> int:
        """How many epochs there are."""
        return len(self.commitments)

    @property
    def is_open(self) -> bool:
        """Whether any person has a part in the draws to come."""
        return self.key.epoch > 0

    def live(self) -> frozenset[int]:
        """The chains that seats still have."""
        return frozenset(self.chains.values())

    def is_due(self, chain: int) -> bool:
        """Whether a chain's page shall add a link at once: nobody has yet, or somebody joined before the first draw.

        Later ones, and chains that take the place of others, wait for the taps of all: nobody who knows the seeds can
        have known outcomes changed by coming again.
        """
        waits = self.key.epoch < self.epochs - 1 and chain not in self.added
        return waits and (not self.is_open or (self.joined and not self.keys))

    def noted(self, note: Note) -> Ledger:
        """With one more note. `BadLink` if it does not fit."""
        return self._anchored(note) if isinstance(note, Anchor) else self._revealed(note)

    def _anchored(self, note: Anchor) -> Ledger:
        if note.anchor in self.anchors.values():
            raise BadLink("This chain was used before: its links are known.")
        number = self.epochs
        return replace(
            self,
            commitments=(*self.commitments, note.commitment),
            anchors={**self.anchors, number: note.anchor},
            tips={**self.tips, number: note.anchor},
            known={**self.known, number: number},
            chains={**self.chains, **dict.fromkeys(note.seats, number)},
            waiting=NO_LINKS,
            added=frozenset(),
            joined=self.chains.keys().isdisjoint(note.seats),
        )

    def _revealed(self, note: Link) -> Ledger:
        chain = note.chain
        if chain not in self.live() or dice.hashed_link(note.link) != self.tips[chain]:
            raise BadLink("The link does not continue the chain.")
        if not note.tap and not self.is_due(chain):
            raise BadLink("No link was asked for then.")  # or else links could be skipped for the sake of a later one
        if not self.known[chain] + (not note.tap) <= note.epochs <= self.epochs:
            raise BadLink(f"The page cannot have known {note.epochs} epochs then.")
        tips, known = {**self.tips, chain: note.link}, {**self.known, chain: note.epochs}
        ledger = replace(self, tips=tips, known=known)
        if chain <= self.key.epoch:
            ledger = replace(ledger, key=Key(self.key.epoch, dice.mixed(self.key.mix, note.link)))
        newest = self.epochs - 1
        if self.key.epoch == newest or note.epochs < self.epochs:
            return ledger
        waiting, added = dice.mixed(self.waiting, note.link), self.added | {chain}
        if added >= self.live():
            return replace(ledger, key=Key(newest, waiting), waiting=NO_LINKS, added=frozenset())
        return replace(ledger, waiting=waiting, added=added)

    def key_of(self, draw: int) -> Key:
        """What draw number `draw` is derived from: as at the first time, if it was made before."""
        return self.keys[draw] if draw < len(self.keys) else self.key

    def drawn(self, draw: int) -> Ledger:
        """After draw number `draw`."""
        return self if draw < len(self.keys) else replace(self, keys=(*self.keys, self.key))
