"""Moves at sight in Sand Castles: sensible, and blind to what the seat has not seen."""

import random

import numpy as np

import strandline
from strandline.engine import binding, hints, records
from strandline.games.sand_castles import hints as own
from strandline.lab import rows
from strandline.lab.sample import Sample
from strandline.lab.study import Setting

GAME = strandline.game("sand_castles")


def chosen(position: strandline.Position) -> str:
    """The move, from all that the record holds."""
    record, work = records.view(position.records())[0], records.blank(binding.work(GAME.rules))
    number = GAME.rules.count(record, work)
    picked = binding.interpreted(GAME.rules, hints).guided(record, work, number, 12345)
    return str(GAME.notation.write(GAME.rules.nth(record, work, picked)))


def test_what_the_seat_has_not_seen_does_not_matter() -> None:
    rng, compared = random.Random(4), 0
    for seed in range(60):
        position = GAME.new(3).play_random(30 + seed, seed)
        if not isinstance(position.turn, int) or not position.to_json()["peeked"]:
            continue
        others = [GAME.position(own.redrawn(position.view(position.turn), rng)) for _ in range(4)]
        compared += any(other != position for other in others)
        assert {chosen(other) for other in others} == {chosen(position)}
    assert compared > 3


def test_a_wall_that_can_be_paid_for_is_built() -> None:
    start = GAME.new(2)
    while start.turn == "chance":
        start = start.play(start.moves()[0])
    value = start.to_json()
    value |= {"phase": "build", "stashes": [{"sand": 1, "pebble": 1, "seaweed": 1}, {}]}
    value["pool"] = value["pool"] | {"sand": 13, "pebble": 6, "seaweed": 5}
    assert chosen(GAME.position(value)) == "build 1"


def test_guided_players_beat_random_ones() -> None:
    start = GAME.new(2)
    played = Sample(Setting(start, ("guided", "random"), 200, 3), rows.play(start, [1, 0], 3, 0, 200))
    numbers = np.arange(200)
    assert played.shares[numbers, -numbers % 2][played.is_won].mean() > 0.9
