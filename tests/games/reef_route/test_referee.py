"""The rules against a second referee that was written from the rule page alone."""

import random

import pytest

import strandline
from games.reef_route import referee
from support import random_positions, random_setting

GAME = strandline.game("reef_route")


def agree(position: strandline.Position) -> None:
    value = position.to_json()
    expected = referee.outcomes(value)
    assert sorted(position.moves()) == sorted(expected), value
    if position.turn == "chance":
        odds = dict(zip(position.moves(), position.odds(), strict=True))
        assert odds == pytest.approx({move: float(share or 0) for move, share in expected.items()})
    assert position.winners() == referee.winners(value)
    assert position.scores() == referee.scores(value)


def test_random_games_agree_step_by_step() -> None:
    rng = random.Random(1)
    for position in random_positions(GAME, rng, 4000):
        agree(position)
        if position.turn is not None:
            move = rng.choice(position.moves())
            assert position.play(move).to_json() == referee.play(position.to_json(), move), move


def test_scattered_positions_agree_for_every_move() -> None:
    """Pieces anywhere, few fish, any dice: what play rarely leads to."""
    rng = random.Random(2)
    accepted = 0
    for _ in range(2500):
        value = scattered(rng)
        if not referee.stands(value):
            with pytest.raises(strandline.BadPosition):
                strandline.Position.from_json(value)
            continue
        position = strandline.Position.from_json(value)
        accepted += 1
        agree(position)
        for move in position.moves():
            after = position.play(move)
            assert after.to_json() == referee.play(value, move), move
            assert strandline.Position.from_json(after.to_json()) == after
    assert accepted > 1000


def scattered(rng: random.Random) -> referee.Json:
    """A position in the middle of a game, its pieces crowded into a few columns."""
    value = GAME.new(**random_setting(GAME, rng) | {"setup": "table"}).to_json()
    columns = range(*rng.choice([(1, 4), (3, 7), (7, 11), (1, 11)]))
    for predator in value["predators"]:
        while True:
            predator["col"], predator["row"] = rng.choice(columns), rng.randint(1, 8)
            tiles = referee.body(predator, predator["col"], predator["row"])
            others = referee.predator_tiles(value, value["predators"].index(predator))
            if all(map(referee.on_board, tiles)) and (not tiles & others or rng.random() < 0.02):
                break
    free = [(col, row) for col in columns for row in range(1, 9) if (col, row) not in referee.predator_tiles(value)]
    rng.shuffle(free)
    for school in value["fish"].values():
        alive = rng.choice([0.1, 0.5, 1])
        school[:] = [list(free.pop()) if free and rng.random() < alive else "eaten" for _ in school]
    value["phase"] = rng.choice(["roll", "predator", "fish", "any"])
    value["seat"] = rng.randrange(value["players"])
    value["turn"] = "chance" if value["phase"] == "roll" else value["seat"]
    value["rolls"] = rng.randint(1, value["options"]["limit"] or 9)
    colours = sorted(rng.choices(referee.COLOURS, k=rng.randint(1, 2)), key=referee.COLOURS.index)
    predator_dice = rng.choice([["predator"], ["predator", "predator"], ["predator", colours[0]]])
    value["dice"] = {"predator": predator_dice, "fish": colours}.get(value["phase"], [])
    return value
