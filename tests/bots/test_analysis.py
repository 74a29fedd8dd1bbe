"""Hints, reviews and tournaments."""

import json
import random

import pytest

import strandline
from strandline import bots, cli
from strandline.bots import tournament

RIVER = strandline.game("up_the_river")


def test_every_move_gets_an_estimate() -> None:
    position = RIVER.new().play("roll 5").play("sail 1").play("roll 3")
    estimates = bots.analyse(position, 1, simulations=2000)
    assert {estimate.move for estimate in estimates} == set(position.moves())
    assert all(0 < estimate.result < 1 and 0 < estimate.error < 0.2 for estimate in estimates)
    assert bots.analyse(position.view(1), 1, game=RIVER, simulations=2000) == estimates


def test_nothing_to_analyse() -> None:
    with pytest.raises(ValueError, match="nothing to decide"):
        bots.analyse(RIVER.new(), 0)
    with pytest.raises(ValueError, match="needs the game"):
        bots.analyse(RIVER.new().view(0), 0)


def test_a_review_adds_up() -> None:
    rng, position, moves = random.Random(1), RIVER.new(), []
    while position.turn is not None:
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    review = bots.review(RIVER.new(), moves, simulations=200)
    assert len(review.chances) == len(moves) + 1 and len(review.turning_points) == 5
    assert [round(chance) for chance in review.chances[-1]] == [int(seat in position.winners()) for seat in (0, 1)]
    for seat in (0, 1):
        total = sum(event.change[seat] for event in review.events)
        assert review.chances[0][seat] + total == pytest.approx(review.chances[-1][seat])
        assert review.luck[seat] == pytest.approx(sum(e.change[seat] for e in review.events if e.who is None))


def test_a_tournament_rotates_seats_and_repeats_itself() -> None:
    runs = [list(tournament.results(RIVER.new(3), ["2", "random"], 4, 5, threads)) for threads in (1, 2)]
    assert [r.final for r in runs[0]] == [r.final for r in runs[1]]
    assert [r.seats for r in runs[0]] == [[2, 1], [1, 2], [2, 1], [1, 2]]
    assert all(sum(r.shares) == pytest.approx(1) for r in runs[0] if r.final.winners())


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tournament", "up_the_river", "--bots", "2,random", "--games", "4", "--seed", "1"]
    assert cli.main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == "up_the_river" and found["bots"] == ["2", "random"] and found["games"] == 4
    assert len(found["share"]) == len(found["interval"]) == 2 and found["seconds"] > 0
    assert cli.main(command) == 0
    assert "share of the win" in capsys.readouterr().out
    assert cli.main([*command[:3], "nobody,random"]) == 2
    assert cli.main([*command[:5], "1"]) == 2
