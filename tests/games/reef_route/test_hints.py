"""Moves at sight in Reef Route."""

from typing import Any

import numpy as np

import strandline
from strandline.lab import matches, rows
from strandline.lab.sample import Sample
from strandline.lab.study import Setting

GAME = strandline.game("reef_route")


def position(**fields: Any) -> strandline.Position:
    start = GAME.new(players=2, school=2, predators="ssm").to_json()
    start |= {"phase": "fish", "turn": 0, "seat": 0, "rolls": 10}
    start["predators"] = [
        {"size": "small", "col": 7, "row": 2},
        {"size": "small", "col": 8, "row": 5},
        {"size": "medium", "col": 5, "row": 7},
    ]
    start["fish"] = {
        "yellow": [[10, 2], [3, 4]],
        "red": [[6, 2], "eaten"],
        "green": ["eaten", "eaten"],
        "blue": ["eaten", [4, 8]],
    }
    return GAME.position(start | fields)


def chosen(position: strandline.Position) -> set[str]:
    bot = matches.bot("guided", GAME)
    assert isinstance(position.turn, int)
    return {bot.choose(position, position.turn, seed) for seed in range(5)}


def test_a_fish_beside_the_reef_goes_there() -> None:
    assert chosen(position(dice=["yellow"])) == {"swim yellow 1 forward"}


def test_predators_eat_the_others() -> None:
    assert chosen(position(phase="predator", dice=["predator"])) == {"predator 1 forward"}


def test_guided_players_beat_random_ones() -> None:
    start = GAME.new(2)
    played = Sample(Setting(start, ("guided", "random"), 200, 3), rows.play(start, [1, 0], 3, 0, 200))
    numbers = np.arange(200)
    assert played.shares[numbers, -numbers % 2][played.is_won].mean() > 0.9
