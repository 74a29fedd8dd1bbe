"""What decisions are worth: how much a good choice gains over any choice, by the search; and which moves nobody needs.

Every move of a decision is valued twice, by searches that share no random numbers. The first picks the best move, the
second says what it gains over the average of all moves: so noise is never taken for a difference.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from strandline.bots.tree import Tree
from strandline.engine import simulation
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.lab import again, replay, stats
from strandline.lab.sample import Sample

SIMULATIONS = 60
"""Of a search, for each move."""
DEAD = 0.005
"""A kind of move that competent players make less often than this, of the decisions that offer it, is called dead."""
OFFERED = 100
"""So many decisions must have offered a move before anything is said of it."""
PER_GAME = 4
"""Decisions that are taken from one game."""


@dataclass(frozen=True)
class Decision:
    """A decision with a choice, looked at by the search."""

    game: int
    """The row of its game."""
    kinds: tuple[str, ...]
    """The kinds of moves on offer."""
    best: str
    """The kind of the best move."""
    gain: float
    """What the best move gains over the average of all, in shares of the win."""


@dataclass(frozen=True)
class Use:
    """How a kind of move is used by the players of a study."""

    kind: str
    offered: int
    made: int

    @property
    def share(self) -> stats.Estimate:
        """Of the decisions that offer it, those in which it is made."""
        return stats.share(self.made, self.offered)

    @property
    def is_dead(self) -> bool:
        """Whether hardly anybody ever makes it, for all that can be told."""
        return self.offered >= OFFERED and self.share.high < DEAD


def uses(game: Game, seen: again.Again) -> list[Use]:
    """Each kind of move that is ever offered beside another kind, the most frequent first."""
    found = [
        Use(again.word(game, verb), int(offered - alone), int(made - alone))
        for verb, (offered, made, alone) in enumerate(seen.kinds.tolist())
        if offered > alone
    ]
    return sorted(found, key=lambda use: -use.offered)


def decisions(sample: Sample, number: int) -> list[Decision]:
    """So many decisions of a sample's first games, a few of each, valued on all cores."""
    picked: list[tuple[int, Position]] = []
    row = 0
    while len(picked) < number and row < len(sample):
        picked += [(row, position) for position in _some(sample, row)]
        row += 1
    with ThreadPoolExecutor(simulation.cores()) as pool:
        return list(pool.map(valued, picked[:number], range(number)))


def _some(sample: Sample, row: int) -> list[Position]:
    """A few decisions with a choice of a game."""
    position, found = sample.setting.start, []
    for text in replay.texts(sample, row):
        if isinstance(position.turn, int) and len(position.moves()) > 1:
            found.append(position)
        position = position.after(text)
    rng = random.Random(row)
    return rng.sample(found, min(PER_GAME, len(found)))


def valued(decision: tuple[int, Position], seed: int) -> Decision:
    """A decision of a game, its moves valued twice."""
    row, position = decision
    game, seat = position.game, position.turn
    assert isinstance(seat, int)
    moves = position.moves()
    after = [position.play(move) for move in moves]
    one, two = (np.array([_value(game, next_, seat, 2 * seed + half) for next_ in after]) for half in (0, 1))
    best = int(one.argmax())
    words = [move.split()[0] for move in moves]
    return Decision(row, tuple(sorted(set(words))), words[best], float(two[best] - two.mean()))


def _value(game: Game, position: Position, seat: int, seed: int) -> float:
    """What a position is worth to a seat: its share of the win, from a search of its own."""
    if position.turn is None:
        winners = position.winners()
        return (1.0 if game.facts.cooperative else 1 / len(winners)) if seat in winners else 0.0
    tree = Tree(game, SIMULATIONS)
    tree.grow(bytes(position), seed, 0, SIMULATIONS)
    root = tree.root()
    return float(root.value[seat]) / int(root.visits)


def by_kinds(found: Iterable[Decision]) -> dict[str, list[Decision]]:
    """The decisions by the kinds of moves that they offer, the most frequent first."""
    groups: dict[str, list[Decision]] = {}
    for one in found:
        groups.setdefault(", ".join(one.kinds), []).append(one)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


def gained(found: Sequence[Decision]) -> stats.Estimate:
    """What the best move gains over the average of all, on average; decisions of a game are one observation."""
    games: dict[int, list[float]] = {}
    for one in found:
        games.setdefault(one.game, []).append(one.gain)
    return stats.mean(np.array([np.mean(gains) for gains in games.values()]))
