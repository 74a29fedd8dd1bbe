"""Exact numbers, beside simulation."""

import doctest
import math
from pathlib import Path

import pytest

import strandline
from strandline.bots import exact as solved
from strandline.bots import registry, tournament
from strandline.engine import simulation
from strandline.lab import exact

ROOT = Path(__file__).parents[2]


def test_the_recipes_run() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "lab.md"), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


def close(found: float, expected: float, games: int) -> bool:
    """Whether a share in that many games is within 4 standard errors of the exact one."""
    return abs(found - expected) < 4 * math.sqrt(expected * (1 - expected) / games) + 1e-9


def endgame(limit: int) -> strandline.Position:
    """Reef Route: yellow is two steps from the reef, red three, blue is nobody's; `limit` rolls are left."""
    value = strandline.game("reef_route").new(2, school=2, predators="ssm", limit=40 + limit).to_json()
    predators = [("small", 7, 2), ("small", 8, 5), ("medium", 5, 7)]
    return strandline.Position.from_json(
        value
        | {"phase": "roll", "turn": "chance", "seat": 0, "rolls": 40, "dice": [], "tile": None}
        | {"predators": [{"size": size, "col": col, "row": row} for size, col, row in predators]}
        | {
            "fish": {
                "yellow": [[9, 2], "eaten"],
                "red": [[8, 4], "eaten"],
                "green": ["eaten", "eaten"],
                "blue": ["eaten", [4, 8]],
            }
        }
    )


def test_an_endgame_of_reef_route() -> None:
    start = endgame(2)
    by_chance = exact.expected(start, players="random")
    for _, rows in simulation.chunks(start.game, 2000, start, seed=3, threads=1):
        for seat, share in enumerate(by_chance):
            assert close(float(rows.array().winners[:, seat].mean()), share, len(rows))
    one_roll = exact.expected(endgame(1))
    assert one_roll == pytest.approx((1 / 36, 0))  # two yellow dice
    by_choice = exact.expected(start)
    assert by_choice[0] > by_chance[0]


def test_best_play_follows_its_own_values() -> None:
    """The value of a decision is that of its best move, all the way down."""
    start = endgame(2).play("roll predator yellow")
    values = {move: exact.expected(start.play(move)) for move in start.moves()}
    assert exact.expected(start)[0] == max(value[0] for value in values.values())


def test_the_first_move_of_up_the_river() -> None:
    """What perfect players expect after the first roll, and what they get in as many games."""
    start = strandline.game("up_the_river").new(2).play("roll 2")
    solver = solved.solver(start.game)
    assert solver is not None
    shares = solved.shares(solver, start)
    perfect, games = registry.bot(5, start.game), 400
    won = [0.0, 0.0]
    for number in range(games):
        winners = tournament.play(start, [perfect, perfect], number).winners()
        for seat in winners:
            won[seat] += 1 / len(winners)
    for seat in range(2):
        assert close(won[seat] / games, shares[seat], games)


def line(*tiles: str) -> strandline.Position:
    """Sand Castles, two players: a line of these tiles, and another tile is flipped."""
    position = strandline.game("sand_castles").new(2)
    while position.turn == "chance":
        position = position.play(position.moves()[0])
    for tile in tiles:
        position = position.play("flip").play(f"draw {tile}")
    return position.play("flip")


def is_dropped(position: strandline.Position) -> bool:
    return bool(position.to_json()["dropped"])


def test_the_odds_of_a_drop() -> None:
    """Of 46 tiles two are in the line: 6 pebbles and 4 sticks are left that match."""
    assert exact.odds_that(line("pebble", "stick"), is_dropped) == pytest.approx(10 / 44)
    assert exact.odds_that(line("sand", "sand"), is_dropped) == 0
    start = line("pebble", "stick")
    drops = sum(is_dropped(start.play_random(1, seed)) for seed in range(3000))
    assert close(drops / 3000, 10 / 44, 3000)


def drop_comes(position: strandline.Position) -> tuple[float] | None:
    """Whether a player who flips until four tiles lie there drops any; a wave ends it too."""
    if position.turn == "chance":
        return None
    seen = position.to_json()
    if seen["phase"] == "collect" and len(seen["line"]) < 4:
        return None
    return (float(bool(seen["dropped"])),)


def test_a_whole_line_of_sand_castles() -> None:
    """How likely a drop comes before the fourth tile, exactly and in games."""
    start = line("pebble")
    (found,) = exact.expected(start, drop_comes, lambda position: "flip")
    games, drops = 1000, 0.0
    for number in range(games):
        position = start
        while (ended := drop_comes(position)) is None:
            position = position.play_random(1, number) if position.turn == "chance" else position.play("flip")
            number += 10_000
        drops += ended[0]
    assert close(drops / games, found, games)


def test_what_is_too_much_is_refused() -> None:
    with pytest.raises(strandline.BadOptions, match="More than 50 positions"):
        exact.expected(strandline.game("up_the_river").new(), most_positions=50)
    with pytest.raises(strandline.BadOptions, match="no answer"):
        exact.expected(endgame(1), lambda position: None)
