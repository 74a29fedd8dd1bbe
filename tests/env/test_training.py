"""Self-play PPO, judged without a GPU: games stepped by the CPU's environment, tensors over its arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.env import drivers, space, training
from strandline.env.batch import Batch

torch = pytest.importorskip("torch")

RIVER = "up_the_river"


class OnCpu:
    """What `training.OnGpu` is on a GPU."""

    def __init__(self, game: str, players: int, number: int, learner: int) -> None:
        self.batch = Batch(strandline.game(game).new(players), number, learner, mode=drivers.SAME_STEP)
        self.batch.reset(range(number))
        self.show()

    def show(self) -> None:
        batch = self.batch
        arrays = (batch.seen, batch.masks, batch.rewards, batch.over, batch.seats)
        self.seen, self.masks, self.rewards, self.over, self.seats = (torch.from_numpy(np.array(a)) for a in arrays)

    def step(self, actions: Any) -> None:
        self.batch.step(actions.numpy())
        self.show()


def network(games: OnCpu) -> training.Network:
    torch.manual_seed(1)
    return training.Network(torch.from_numpy(games.batch.space.scale), games.batch.space.actions, 2, 64, 1)


def test_it_learns_to_beat_random_play() -> None:
    games = OnCpu(RIVER, 2, 128, drivers.EVERY)
    learner = network(games)
    optimizer = torch.optim.Adam(learner.parameters(), lr=3e-3)
    for _ in range(24):
        found = training.decide(learner, games, 32)
        training.learn(learner, optimizer, found, training.advantages(found), 1024, 4, 0.01)
    assert training.judged(learner, OnCpu(RIVER, 2, 512, drivers.ANY)) > 0.12  # an even game is 0


def test_a_seat_is_credited_with_more_than_it_could_expect() -> None:
    """One game of two seats, which ends with the third of four decisions; then the next game begins."""
    values = torch.tensor([[[0.1, -0.1]], [[0.2, -0.2]], [[0.3, -0.4]], [[0.0, 0.1]]])
    rewards = torch.zeros(4, 1, 2)
    rewards[2, 0] = torch.tensor([1.0, -1.0])
    one = torch.zeros(4, 1)
    found = training.Decisions(
        seen=one,
        masks=one,
        actions=one,
        logs=one,
        values=values,
        seats=torch.tensor([[0], [1], [0], [1]]),
        over=torch.tensor([[False], [False], [True], [False]]),
        rewards=rewards,
        last=torch.tensor([[0.5, -0.6]]),
    )
    third = torch.tensor([1.0 - 0.3, -1.0 + 0.4])
    second = torch.tensor([0.3 - 0.2, -0.4 + 0.2]) + training.CARRIED * third
    first = torch.tensor([0.2 - 0.1, -0.2 + 0.1]) + training.CARRIED * second
    expected = torch.stack([first, second, third, torch.tensor([0.5, -0.6 - 0.1])])
    assert torch.allclose(training.advantages(found)[:, 0], expected)


def test_hope_is_rewarded_as_it_is_gained() -> None:
    """Nobody comes home by chance within a few steps, so that all there is to get is hope."""
    games = OnCpu("over_the_next_dune", 1, 8, drivers.EVERY)
    hope = torch.from_numpy(games.batch.space.hope)
    before = games.seen.float() @ hope
    torch.manual_seed(1)
    learner = training.Network(torch.from_numpy(games.batch.space.scale), games.batch.space.actions, 1, 8, 1)
    found = training.decide(learner, games, 6, hope / 2)
    gained = games.seen.float() @ hope - before
    assert not found.over.any() and gained.abs().sum() > 0
    assert torch.allclose(found.rewards.sum(0)[:, 0].float(), gained / 2, atol=1e-6)
    assert not training.decide(learner, games, 1).rewards.any()


def test_values_of_seats_are_told_in_turn_and_by_number() -> None:
    values, seats = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), torch.tensor([0, 2])
    numbered = training.by_number(values, seats)
    assert numbered.tolist() == [[1, 2, 3], [2, 3, 1]]
    assert torch.equal(training.in_turn(numbered, seats), values)


def test_what_is_saved_plays_with_numpy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = OnCpu(RIVER, 2, 8, drivers.EVERY)
    learner = network(games)
    learner.save(tmp_path / "policy.npz", {"game": RIVER, "players": 2})
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples" / "policy_bot")
    monkeypatch.setenv("STRANDLINE_POLICY", str(tmp_path / "policy.npz"))
    from policy_bot import PolicyBot

    game = strandline.game(RIVER)
    player = PolicyBot(game)
    position = game.new(2)
    while position.turn == "chance":
        position = position.play(position.moves()[2])
    assert isinstance(position.turn, int)
    seen = space(game, 2).observe(position, position.turn)
    chances, _ = learner(torch.from_numpy(seen)[None], torch.ones(1, learner.policy.out_features))
    likings = torch.log_softmax(torch.from_numpy(player.liking(seen)).float(), -1)
    assert torch.allclose(chances[0], likings, atol=1e-5)
    assert player.choose(position, position.turn) in position.moves()
