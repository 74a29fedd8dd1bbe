"""Positions for tests, made from a few words."""

import random
from collections.abc import Sequence
from typing import Any

import strandline
from support import random_setting

GAME = strandline.game("undertow")
Spot = tuple[int, int] | tuple[int, int, int]
"""Lane and step, and the pips if they matter."""


def position(
    mine: dict[int, Spot], others: Sequence[Spot] = ((9, 1),), roll: str = "", players: int = 2, **options: Any
) -> strandline.Position:
    """Seat 0 is to roll, or has rolled, with `mine` in the water; `others` belong to the other seats."""
    value = GAME.new(players=players, **options).to_json()
    size = len(value["swimmers"][0])
    families: list[dict[int, Spot]] = [mine] + [{} for _ in range(players - 1)]
    for i, spot in enumerate(others):
        families[1 + i % (players - 1)][1 + i // (players - 1)] = spot
    value["swimmers"] = [[swimmer(family.get(n)) for n in range(1, size + 1)] for family in families]
    value.update(phase="dice", round=1)
    start = strandline.Position.from_json(value)
    return start.play(roll) if roll else start


def swimmer(spot: Spot | None) -> dict[str, int | None]:
    if spot is None:
        return {"pips": 1, "lane": None, "step": 0}
    return {"pips": spot[2] if len(spot) == 3 else 3, "lane": spot[0], "step": spot[1]}


def crowded(rng: random.Random) -> strandline.Position:
    """A random position, close together so that many are blocked, with random options, before a roll."""
    setting = random_setting(GAME, rng)
    seats = setting["players"]
    size = len(GAME.new(seats).to_json()["swimmers"][0])
    inner = rng.choice((1, 5, 8))
    lanes = range(2, 10) if seats == 2 else range(1, 11)
    first = rng.choice(lanes)
    spaces = [(lane, step) for lane in lanes for step in range(inner, 13) if abs(lane - first) < 5]
    rng.shuffle(spaces)
    families: list[list[Any]] = []
    for _ in range(seats):
        there = rng.randrange(1, size + 1)
        spots = [(*spaces.pop(), rng.randint(1, 6)) if i < there and spaces else None for i in range(size)]
        families.append([swimmer(spot) for spot in spots])
        families[-1][0] = families[-1][0] if families[-1][0]["step"] else swimmer((*spaces.pop(), 2))
    value = GAME.new(**setting).to_json()
    value.update(phase="dice", swimmers=families, round=1)
    return strandline.Position.from_json(value)


def look(position: strandline.Position, n: int, seat: int = 0) -> tuple[int | None, int | None, int | None]:
    """Lane, step and pips of a swimmer."""
    found = position.to_json()["swimmers"][seat][n - 1]
    return found["lane"], found["step"], found["pips"]


def play(position: strandline.Position, *moves: str) -> strandline.Position:
    for move in moves:
        position = position.play(move)
    return position
