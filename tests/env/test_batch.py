"""Many games at once are the same games as one at a time: positions, views, legal actions, rewards."""

import random
from typing import Any

import numpy as np
import pytest

from env.sights import seen
from strandline import Game, Position
from strandline.engine import draws, spaces
from strandline.engine.drivers import FOREVER
from strandline.env import drivers, space
from strandline.env.batch import Batch
from support import random_setting

GAMES, STEPS = 6, 120


class Twin:
    """One game of a batch, played through `Position` with the same stream."""

    def __init__(self, start: Position, learner: int, seed: int) -> None:
        self.start, self.learner, self.seed, self.episode = start, learner, seed, -1
        self.over = True
        self.begin()

    def begin(self) -> None:
        """The next game in which the learner decides."""
        while self.over:
            self.episode += 1
            self.position, self.key, self.draws = self.start, draws.stream(self.seed, self.episode), 0
            self.seat = self.learner if self.learner >= 0 else 0
            if self.learner == drivers.ANY:
                self.seat = draws.draw(self.key, FOREVER, self.start.players)
            self.advance()

    def advance(self) -> None:
        while self.position.turn == "chance" or (
            isinstance(self.position.turn, int) and self.learner != drivers.EVERY and self.position.turn != self.seat
        ):
            tickets = self.position.tickets()
            self.position = self.position._after(tickets[draws.draw(self.key, self.draws, len(tickets))])
            self.draws += 1
        self.over = self.position.turn is None
        if isinstance(self.position.turn, int):
            self.seat = self.position.turn

    def step(self, action: int) -> list[float]:
        """Play an action and return the rewards."""
        nothing = [0.0] * self.start.players
        if self.over:
            self.begin()
            return nothing
        if action not in self.legal():
            self.over = True
            nothing[self.seat] = -1.0
            return nothing
        self.position = self.position.play(space(self.start.game, self.start.players).texts[action])
        self.advance()
        reward = self.start.game.interpreted(spaces).reward
        return [reward(self.position._record, seat) for seat in range(self.start.players)] if self.over else nothing

    def legal(self) -> list[int]:
        """The actions that count: all when the game is over."""
        one = space(self.start.game, self.start.players)
        return list(range(one.actions)) if self.over else [one.action(code) for code in self.position.codes()]


def compare(batch: Batch, twins: list[Twin]) -> None:
    for i, twin in enumerate(twins):
        assert batch.position(i) == twin.position
        assert batch.seats[i] == twin.seat and batch.over[i] == twin.over
        assert (batch.seen[i] == seen(twin.position, twin.seat)).all()
        assert np.flatnonzero(batch.masks[i]).tolist() == sorted(twin.legal())


@pytest.mark.parametrize("learner", [drivers.EVERY, drivers.ANY, 0], ids=["every", "any", "first"])
def test_a_batch_plays_as_positions_do(game: Game, learner: int) -> None:
    rng = random.Random(learner)
    for _ in range(2):
        start = game.new(**random_setting(game, rng))
        batch = Batch(start, GAMES, learner)
        seeds = [rng.randrange(2**63) for _ in range(GAMES)]
        batch.reset(seeds)
        twins = [Twin(start, learner, seed) for seed in seeds]
        compare(batch, twins)
        for _ in range(STEPS // 2):
            actions = [
                rng.randrange(-2, batch.space.actions + 2) if rng.random() < 0.01 else rng.choice(twin.legal())
                for twin in twins
            ]
            batch.step(np.array(actions))
            rewards = [twin.step(action) for twin, action in zip(twins, actions, strict=True)]
            assert batch.rewards.tolist() == rewards
            compare(batch, twins)


def arrays(batch: Batch) -> list[Any]:
    return [array.copy() for array in (batch._states, batch.seen, batch.masks, batch.rewards, batch.seats, batch.over)]


def test_threads_change_nothing(game: Game) -> None:
    results = []
    for threads in (1, 3):
        batch = Batch(game.new(max(game.seats)), 100, drivers.ANY, threads)
        batch.reset(range(100))
        rng = np.random.default_rng(1)
        for _ in range(60):
            batch.step((batch.masks * rng.random(batch.masks.shape)).argmax(axis=1))
        results.append(arrays(batch))
        batch.close()
    assert all((a == b).all() for a, b in zip(*results, strict=True))


def test_some_games_begin_anew(game: Game) -> None:
    batch = Batch(game.new(), 4, drivers.EVERY)
    batch.reset(range(4))
    first = arrays(batch)
    actions = batch.masks.argmax(axis=1)
    actions[2:] = -1  # illegal, so that these games are over
    batch.step(actions)
    which = np.array([True, False, True, False])
    before = arrays(batch)
    batch.reset([0, 9, 2, 9], which)
    for old, moved, new in zip(first, before, arrays(batch), strict=True):
        assert (new[which] == old[which]).all() and (new[~which] == moved[~which]).all()
