"""Many games at once are the same games as one at a time: positions, views, legal actions, rewards."""

import contextlib
import random
from typing import Any

import numpy as np
import pytest

import strandline
from env.sights import seen
from strandline import Game, Position
from strandline.bots.registry import InstalledBot
from strandline.engine import draws, spaces
from strandline.engine.drivers import FOREVER
from strandline.env import drivers, space
from strandline.env.batch import Batch
from support import random_setting

GAMES, STEPS = 4, 120


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
            self.taken: tuple[int, ...] = ()
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
        code = space(self.start.game, self.start.players).legal(self.position, self.taken)[action]
        if code is None:
            self.taken = (*self.taken, action)
            return nothing
        self.position, self.taken = self.position._after(code), ()
        self.advance()
        reward = self.start.game.interpreted(spaces).reward
        return [reward(self.position._record, seat) for seat in range(self.start.players)] if self.over else nothing

    def legal(self) -> list[int]:
        """The actions that count: the first when the game is over."""
        return [0] if self.over else list(space(self.start.game, self.start.players).legal(self.position, self.taken))


def compare(batch: Batch, twins: list[Twin]) -> None:
    for i, twin in enumerate(twins):
        assert batch.position(i) == twin.position
        assert batch.seats[i] == twin.seat and batch.over[i] == twin.over
        assert (batch.seen[i] == seen(twin.position, twin.seat, twin.taken)).all()
        assert batch.taken(i) == twin.taken
        assert np.flatnonzero(batch.masks[i]).tolist() == sorted(twin.legal())
        assert batch.lists[i, : batch.listed[i]].tolist() == twin.legal()


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


def test_a_game_begins_anew_in_the_same_step(game: Game) -> None:
    """The same games as with the next step, one step shorter each, and the last views are kept."""
    start = game.new(**_short(game))
    one, other = (Batch(start, 8, drivers.EVERY, mode=mode) for mode in (drivers.NEXT_STEP, drivers.SAME_STEP))
    rng = random.Random(3)
    for batch in (one, other):
        batch.reset(range(8))
    for _ in range(150):
        actions = [rng.choice(one.lists[i, : one.listed[i]].tolist()) for i in range(8)]
        one.step(np.array(actions))
        other.step(np.array(actions))
        assert (one.over == other.over).all() and (one.rewards == other.rewards).all()
        assert (one.seen[one.over] == other.finals[one.over]).all()
        if one.over.any():
            one.reset(which=one.over)
        assert (one._states == other._states).all() and (one.seen == other.seen).all()
        assert (one.masks == other.masks).all()


def _short(game: Game) -> dict[str, Any]:
    limits = {"round_limit": 5, "max_rounds": 2, "limit": 8, "turns": 4}
    return {name: value for name, value in limits.items() if name in game.options}


def test_games_that_are_over_wait_for_a_reset() -> None:
    batch = Batch(strandline.game("up_the_river").new(), 3, drivers.EVERY, mode=drivers.DISABLED)
    with pytest.raises(strandline.BadOptions, match="Game 0 has not begun: call reset"):
        batch.step(np.zeros(3, int))
    batch.reset(range(3), np.array([True, False, True]))
    with pytest.raises(strandline.BadOptions, match="Game 1 has not begun: call reset"):
        batch.step(np.zeros(3, int))
    batch.reset(range(3))
    actions = batch.lists[:, 0].copy()
    actions[1] = -1  # illegal, so that this game is over
    batch.step(actions)
    assert batch.over.tolist() == [False, True, False]
    with pytest.raises(strandline.BadOptions, match="Game 1 is over: reset it"):
        batch.step(batch.lists[:, 0])
    batch.reset(which=batch.over)
    batch.step(batch.lists[:, 0])


def test_lists_become_longer_where_there_is_more_to_do(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for room in (1, 64):
        monkeypatch.setattr("strandline.env.batch.ROOM", room)
        batch = Batch(game.new(), 20, drivers.EVERY)
        batch.reset(range(20))
        for step in range(30):
            batch.step(batch.lists[np.arange(20), step % batch.listed])
        results.append((arrays(batch), [row[:n].tolist() for row, n in zip(batch.lists, batch.listed, strict=True)]))
    assert all((a == b).all() for a, b in zip(results[0][0], results[1][0], strict=True))
    assert results[0][1] == results[1][1]


@pytest.mark.parametrize("mode", [drivers.NEXT_STEP, drivers.SAME_STEP])
@pytest.mark.parametrize("opponents", ["guided", "1"])
def test_bots_move_inside_the_step(opponents: str, mode: int) -> None:
    """Whoever learns decides in every game, whatever the number of threads; the same seeds are the same games."""
    start = strandline.game("up_the_river").new(3, round_limit=6)
    results = []
    for threads in (1, 2):
        batch = Batch(start, 4, drivers.ANY, threads, opponents=opponents, mode=mode)
        batch.reset(range(4))
        ended = won = 0
        for _ in range(12):
            batch.step(batch.lists[:, 0])
            ended += int(batch.over.sum())
            for i in range(4):
                position = batch.position(i)
                assert position.turn == batch.seats[i] or (position.turn is None and batch.over[i])
            assert not batch.rewards[~batch.over].any()
            won += int((batch.rewards == 1).any(axis=1).sum())
        assert ended > 3 and won > 0
        results.append(arrays(batch))
        batch.close()
    assert all((a == b).all() for a, b in zip(*results, strict=True))


@pytest.mark.parametrize("name", ["up_the_river", "sand_castles"])
def test_guided_players_are_better_than_random_ones(name: str) -> None:
    """Also where something is hidden: hints see what the seat sees."""
    total = {}
    for opponents in ("random", "guided"):
        batch = Batch(strandline.game(name).new(), 200, 0, opponents=opponents)
        batch.reset(range(200))
        rng = np.random.default_rng(1)
        total[opponents] = 0.0
        for _ in range(100):
            batch.step(batch.lists[np.arange(200), (rng.random(200) * batch.listed).astype(int)])
            total[opponents] += float(batch.rewards[:, 0].sum())
    assert total["guided"] < total["random"] - 100


@pytest.mark.parametrize("name", ["up_the_river", "sand_castles"])
def test_whoever_takes_a_guided_players_advice_plays_well(name: str) -> None:
    """Moves of several steps, too: what is advised goes on with the move that is begun."""
    batch = Batch(strandline.game(name).new(), 200, 0, mode=drivers.SAME_STEP)
    batch.reset(range(200))
    total = 0.0
    for _ in range(100):
        advice = batch.advice()
        assert (advice == batch.advice()).all() and batch.masks[np.arange(200), advice].all()
        batch.step(advice)
        total += float(batch.rewards[:, 0].sum())
    assert total > 100


def test_a_bot_of_another_package_is_given_what_its_seat_sees() -> None:
    """Nothing that is hidden from the seat, and its moves must be legal."""
    start = strandline.game("sand_castles").new(3)
    views: list[Any] = []

    class Stranger:
        def choose(self, position: Any, seat: int, seed: int = 0) -> str:
            views.append((position, seat))
            moves = start.game.position({k: v for k, v in position.items() if k != "view"}).moves()
            return next((move for move in moves if move.startswith("seagull")), moves[0])

    batch = Batch(start, 1, 2, opponents="1")
    batch._bot = InstalledBot(Stranger())
    positions = []
    choose = batch.position
    batch.position = lambda i: positions.append(choose(i)) or positions[-1]  # type: ignore[method-assign,func-returns-value]
    with contextlib.suppress(strandline.BadPosition):  # what is hidden cannot be read as a position
        batch.reset([1])
    assert views and all(view == position.view(seat) for (view, seat), position in zip(views, positions, strict=True))


@pytest.mark.parametrize(
    "actions", [[0.0, 1.0], [np.nan, 0], ["0", "1"], [True, False], [0, None], [[0], [1, 2]], [0, 2**70], None]
)
def test_odd_actions_are_refused(actions: Any) -> None:
    batch = Batch(strandline.game("up_the_river").new(), 2, drivers.EVERY)
    batch.reset([1, 2])
    with pytest.raises(strandline.BadOptions, match="Actions must be whole numbers from 0 to 11, not"):
        batch.step(actions)


@pytest.mark.parametrize("actions", [[], 0, [0], np.zeros((2, 1), int)])
def test_an_action_for_each_game_is_wanted(actions: Any) -> None:
    batch = Batch(strandline.game("up_the_river").new(), 2, drivers.EVERY)
    batch.reset([1, 2])
    with pytest.raises(strandline.BadOptions, match=r"an action for each of the 2 games, not an array of shape \("):
        batch.step(actions)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True])
def test_odd_seeds_are_refused(seed: Any) -> None:
    batch = Batch(strandline.game("up_the_river").new(), 1, drivers.EVERY)
    with pytest.raises(strandline.BadOptions, match="A seed must be a whole number from 0 to"):
        batch.reset([seed])


@pytest.mark.parametrize("mask", [[True], [1, 0], [True, False, True]])
def test_odd_reset_masks_are_refused(mask: Any) -> None:
    batch = Batch(strandline.game("up_the_river").new(), 2, drivers.EVERY)
    with pytest.raises(strandline.BadOptions, match="reset_mask must be an array of 2 booleans"):
        batch.reset(which=np.array(mask))
