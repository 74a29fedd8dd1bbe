"""The rules against a second referee that was written from the rule page alone."""

import random

import pytest

import strandline
from games.undertow import referee
from games.undertow.positions import GAME, crowded
from support import random_positions


def agree(position: strandline.Position) -> None:
    value = position.to_json()
    assert sorted(position.moves()) == sorted(referee.moves(value)), value
    assert position.scores() == referee.scores(value)
    assert position.winners() == referee.winners(value)


def agree_on(position: strandline.Position, move: str) -> strandline.Position:
    after = position.play(move)
    expected = referee.play(position.to_json(), move)
    expected["turn"] = None if expected["phase"] == "over" else expected["turn"]
    assert after.to_json() == expected, (position.to_json(), move)
    return after


def test_random_games_agree_step_by_step() -> None:
    rng = random.Random(1)
    for position in random_positions(GAME, rng, 3000):
        agree(position)
        if position.turn is not None:
            agree_on(position, rng.choice(position.moves()))


@pytest.mark.rules("U20", "U21", "U22", "U23", "U24", "U25", "U46", "U47", "U-R3", "U-R4", "U-R5", "U-R6", "U-R7")
def test_crowded_out_parts_agree() -> None:
    """Whole turns in crowded water with all options, where ways round are common."""
    rng = random.Random(2)
    ways = sought = 0
    for _ in range(1500):
        position = crowded(rng)
        modifier = rng.choice((2, 4, 4, 6, 6))
        position = agree_on(position, f"roll {rng.choice((2, 4, 6, 6))} {rng.randint(1, 6)} {modifier}")
        seat = position.to_json()["player"]
        for _ in range(30):
            agree(position)
            value = position.to_json()
            if value["phase"] != "out" or value["player"] != seat:
                break
            moves = [move for move in position.moves() if not move.startswith("weaken")]
            shortest = len(shortest_ways(value))
            ways += shortest > 0
            sought += shortest > len(moves)
            assert strandline.Position.from_json(value) == position
            position = agree_on(position, rng.choice(position.moves()))
    assert ways > 450 and sought > 30  # or the test would say little about U22


def shortest_ways(value: referee.Json) -> list[object]:
    sea = referee.Sea(value)
    if value["detour"] or sea.straight(sea.start, sea.points):
        return []
    return [*sea.round(sea.start, sea.points)]
