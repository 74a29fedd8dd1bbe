"""The rules against a second referee that was written from the rule page alone."""

import json
import random
from collections import Counter

import numpy as np
import pytest

import strandline
from games.over_the_next_dune import invariants, referee
from games.over_the_next_dune.positions import GAME, crowded, planned, planned_games
from strandline.engine import records
from support import random_positions


def agree(position: strandline.Position, rng: random.Random, tried: int) -> None:
    """The same moves, odds and scores, and the same position after some of the moves."""
    value = position.to_json()
    expected = referee.outcomes(value)
    assert sorted(position.moves()) == sorted(expected), value
    if position.turn == "chance":
        odds = dict(zip(position.moves(), position.odds(), strict=True))
        assert odds == pytest.approx({move: share or 0 for move, share in expected.items()})
    assert position.scores() == referee.scores(value) and position.winners() == referee.winners(value)
    for move in rng.sample(position.moves(), min(tried, len(expected))):
        assert position.play(move).to_json() == referee.play(value, move), (value, move)


def test_random_games_agree_step_by_step() -> None:
    rng = random.Random(1)
    for position in random_positions(GAME, rng, 2500):
        agree(position, rng, 2)


def test_games_with_a_plan_agree_and_come_to_all_phases_and_ends() -> None:
    rng = random.Random(2)
    seen: Counter[str] = Counter()
    for position in planned_games(rng, 150):
        value = position.to_json()
        seen[value["phase"]] += 1
        seen[str(value["reason"])] += 1
        invariants.check(value)
        assert strandline.Position.from_json(json.loads(json.dumps(value))) == position
        agree(position, rng, 1)
    assert seen["drop"] > 20 and seen["late_order"] > 5, seen
    assert all(seen[reason] for reason in ("lines", "camp", "sunrise", "hopeless")), seen


def test_all_speeds_agree_on_crowded_positions() -> None:
    rng = random.Random(4)
    works = np.zeros(1, GAME.rules.WORK)
    for number in range(60):
        position = crowded(rng)
        for _ in range(rng.randrange(12)):
            position = position.play(planned(position, rng)) if position.turn is not None else position
        traces = []
        for fast in (False, True):
            states = np.zeros(120, GAME.rules.STATE)
            states[0] = position.records()[0]
            if fast:
                steps = GAME.compiled().trace(states, works, 5, number)
            else:
                steps = GAME.interpreted().trace(records.view(states), records.view(works), 5, number)
            traces.append((steps, states.tobytes()))
        assert traces[0] == traces[1]
