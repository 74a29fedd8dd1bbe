"""Self-play PPO, judged on the CPU; on a GPU the same loop steps the games of `resident`."""

from __future__ import annotations

from pathlib import Path

import pytest

import strandline
from strandline.env import drivers, space, training

torch = pytest.importorskip("torch")

RIVER = "up_the_river"


def network(games: training.OnCpu) -> training.Network:
    torch.manual_seed(1)
    return training.Network(games.scale, games.batch.space.actions, 2, 64, 1)


def test_it_learns_to_beat_random_play() -> None:
    games = training.OnCpu(RIVER, 2, 128, 0, drivers.EVERY)
    learner = network(games)
    optimizer = torch.optim.Adam(learner.parameters(), lr=3e-3)
    for _ in range(24):
        found = training.decide(learner, games, 32)
        training.learn(learner, optimizer, found, training.advantages(found), 1024, 4, 0.01)
    assert training.judged(learner, training.OnCpu(RIVER, 2, 512, 0, drivers.ANY)) > 0.12  # an even game is 0


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
        advice=one,
        last=torch.tensor([[0.5, -0.6]]),
    )
    third = torch.tensor([1.0 - 0.3, -1.0 + 0.4])
    second = torch.tensor([0.3 - 0.2, -0.4 + 0.2]) + training.CARRIED * third
    first = torch.tensor([0.2 - 0.1, -0.2 + 0.1]) + training.CARRIED * second
    expected = torch.stack([first, second, third, torch.tensor([0.5, -0.6 - 0.1])])
    assert torch.allclose(training.advantages(found)[:, 0], expected)


def test_hope_is_rewarded_as_it_is_gained() -> None:
    """Nobody comes home by chance within a few steps, so that all there is to get is hope."""
    games = training.OnCpu("over_the_next_dune", 1, 8, 0, drivers.EVERY)
    hope = games.hope
    before = games.seen.float() @ hope
    torch.manual_seed(1)
    learner = training.Network(games.scale, games.batch.space.actions, 1, 8, 1)
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
    games = training.OnCpu(RIVER, 2, 8, 0, drivers.EVERY)
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


def agreement(learner: training.Network, games: training.OnCpu) -> float:
    """How often the network likes best what a guided player would do."""
    found = training.decide(learner, games, 32, advice=games.advice)
    best = learner(found.seen.flatten(0, 1), found.masks.flatten(0, 1))[0].argmax(-1)
    return float((best == found.advice.flatten()).float().mean())


def test_it_learns_what_a_guided_player_would_do() -> None:
    """No reward says so here: nothing but the advice is learned from."""
    games = training.OnCpu(RIVER, 2, 64, 0, drivers.EVERY)
    learner = network(games)
    before = agreement(learner, games)
    optimizer = torch.optim.Adam(learner.parameters(), lr=3e-3)
    for _ in range(16):
        found = training.decide(learner, games, 32, advice=games.advice)
        training.learn(learner, optimizer, found, torch.zeros_like(found.values), 512, 2, 0.0, 1.0)
    assert agreement(learner, games) > before + 0.2


def train(out: Path, *more: str) -> bytes:
    """A short training, by its command."""
    few = ("--games", "16", "--rows", "8", "--batch", "64", "--width", "16", "--curve", "2", "--out", str(out))
    training.main([RIVER, "--steps", "512", "--guided", "0.5", *few, *more])
    return out.read_bytes()


def test_one_command_and_seed_give_the_same_weights(tmp_path: Path) -> None:
    first = train(tmp_path / "first.npz")
    assert train(tmp_path / "second.npz") == first
    assert train(tmp_path / "third.npz", "--seed", "2") != first


def test_a_training_that_is_interrupted_keeps_its_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[bytes] = []
    learn = training.learn

    def learn_once(*given: object) -> None:
        if written:
            raise KeyboardInterrupt
        written.append((tmp_path / "river.npz").read_bytes())  # a line of the curve writes them, too
        learn(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(training, "learn", learn_once)
    assert train(tmp_path / "river.npz") != written[0]
    assert capsys.readouterr().out.endswith("Stopped after 128 steps.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["up_the_rivver"], "Did you mean"),
        ([RIVER, "--players", "9"], "players"),
        ([RIVER, "--guided", "1.5"], "from 0 to 1"),
        ([RIVER, "--rate", "0"], "more than 0"),
        ([RIVER, "--entropy", "-1"], "0 or more"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        training.main(arguments)
    assert said in capsys.readouterr().err


def test_nobody_guides_on_a_gpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "about.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SystemExit):
        training.main([str(tmp_path), "--guided", "0.5"])
    assert "on the CPU" in capsys.readouterr().err


def test_games_without_hints_have_no_teacher(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strandline.Game, "has_guide", False)
    with pytest.raises(SystemExit):
        training.main([RIVER, "--guided", "0.5"])
    assert "Up the River has no hints on how to move" in capsys.readouterr().err
