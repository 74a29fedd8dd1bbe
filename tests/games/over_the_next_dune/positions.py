"""Positions for the tests of Over the Next Dune: laid out by hand, crowded at random, or reached by a plan."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import strandline
from games.over_the_next_dune import referee
from support import random_setting

GAME = strandline.game("over_the_next_dune")
Json = dict[str, Any]
Square = tuple[int, int]

TERRAIN = [(1, 3, 4), (6, 4, 10), (2, 3, 16), (3, 9, 5), (4, 10, 10), (5, 9, 16)]
"""The rule page's: piece, row and column in each area."""
PARKED = ((2, 11), 5)


def laid(
    phase: str,
    tokens: Mapping[int, Square],
    searchers: Mapping[int, tuple[Square, int]] = {},
    captives: Mapping[int, list[int]] = {},
    players: int = 1,
    **fields: Any,
) -> Json:
    """A position as JSON in turn 2. Searchers not named are parked at (2,11); other tokens than these are away.

    `mover` may be (token, points): then the searchers adjacent to it are alert. Options are given by their names.
    """
    options = {name: fields.pop(name, option.default) for name, option in GAME.options.items()}
    caught = {token for group in captives.values() for token in group}
    value: Json = {
        "game": GAME.name,
        "players": players,
        "options": options,
        "phase": phase,
        "turn": None,
        "round": 2,
        "first": 0,
        "deck": None,
        "terrain": [{"piece": piece, "at": [row, column]} for piece, row, column in TERRAIN],
        "searchers": [
            {"at": list(at), "facing": facing, "captives": captives.get(i, [])}
            for i, (at, facing) in ((i, searchers.get(i, PARKED)) for i in range(1, 7))
        ],
        "tokens": [
            {"state": "free", "at": list(tokens[i])} if i in tokens
            else {"state": "caught" if i in caught else "away", "at": None}
            for i in range(1, 6)
        ],
        "markers": [],
        "searching": 1 if phase == "search" else None,
        "cards": [None] * 5,
        "moved": [],
        "mover": None,
        "rescue": None,
        "result": None,
        "reason": None,
    }  # fmt: skip
    value |= fields
    value["deck"] = value["deck"] or deck(6 * value["round"] - 7 + (value["searching"] or 7))
    if isinstance(value["mover"], tuple):
        token, points = value["mover"]
        alert = sorted(referee.adjacent(value, tokens[token]))
        value["mover"] = {"token": token, "points": points, "alert": alert, "halted": []}
    value["turn"] = referee.turn(value)
    return value


def deck(drawn: int) -> dict[str, int]:
    """What is left of the cards when that many are drawn, the straight ones first."""
    left = {"straight": max(46 - drawn, 0), "left": min(max(53 - drawn, 0), 7), "right": min(60 - drawn, 7)}
    assert sum(left.values()) == 60 - drawn
    return left


def at(phase: str, *arguments: Any, **fields: Any) -> strandline.Position:
    """The position that `laid` describes."""
    return strandline.Position.from_json(laid(phase, *arguments, **fields))


def after(position: strandline.Position, *moves: str) -> Json:
    """The JSON after some moves."""
    for move in moves:
        position = position.play(move)
    return position.to_json()


def crowded(rng: random.Random) -> strandline.Position:
    """Before the last card of a search phase, with tokens, captives, markers and some searchers close together."""
    setting = random_setting(GAME, rng)
    turn = rng.randint(1, min(7, setting["turns"]))
    row, column = rng.choice([2, 4, rng.randint(2, 18)]), rng.choice([3, 18, rng.randint(2, 19)])
    spread = rng.choice([1, 3, 20])
    middles = [(row, column)] + [(near(rng, row, spread, 2), near(rng, column, spread, 2)) for _ in range(5)]
    reach = rng.choice([3, 3, 4, 9])
    squares = [(near(rng, row, reach, 1), near(rng, column, reach, 1)) for _ in range(60)]
    squares = [at for at in dict.fromkeys(squares) if all(referee.apart(at, middle) > 1 for middle in middles)]
    tokens: dict[int, Square] = {}
    captives: dict[int, list[int]] = {}
    carriers = [i for i, middle in enumerate(middles, 1) if middle[0] < 19]
    free, caught = rng.choice([(0.7, 0.9), (0.9, 0.5), (0.5, 0)])
    for token in range(1, 6):
        if rng.random() < free and squares:
            tokens[token] = squares.pop()
        elif rng.random() < caught and carriers:
            captives.setdefault(rng.choice(carriers[:2]), []).append(token)
    if not tokens or (setting["hopeless_ends"] and captives and len(tokens) < 3):
        return crowded(rng)
    markers = [
        [row, column, rng.randint(1, 8)]
        for row in range(1, 21)
        for column in sorted(referee.TRAIL_COLUMNS)
        if rng.random() < 0.3
        and all(i in captives or referee.apart((row, column), middle) > 1 for i, middle in enumerate(middles, 1))
    ]
    return at(
        "search",
        tokens,
        {i: (middle, rng.randint(1, 8)) for i, middle in enumerate(middles, 1)},
        captives,
        first=rng.randrange(setting["players"]),
        round=turn,
        searching=6,
        markers=markers,
        **setting,
    )


def near(rng: random.Random, place: int, reach: int, low: int) -> int:
    """A row or column not far from another, at least `low` from outside the battlefield."""
    return min(max(place + rng.randint(-reach, reach), low), 21 - low)


def planned(position: strandline.Position, rng: random.Random) -> str:
    """The move of a player with a plan: to the nearest captives that can be rescued, or north; not always, though."""
    moves = position.moves()
    value = position.to_json()
    if value["phase"] != "sneak" or rng.random() < 0.15:
        return rng.choice(moves)
    carriers = [searcher["at"] for searcher in value["searchers"] if searcher["captives"]]

    def worth(move: str) -> float:
        if not move.startswith("move"):
            return -0.5
        _, token, way = move.split()
        (row, column), (down, right) = value["tokens"][int(token) - 1]["at"], referee.STEP[way]
        if not carriers or len(referee.free(value)) < 3:
            return -down + rng.random() / 2
        before = min(referee.apart((row, column), carrier) for carrier in carriers)
        then = min(referee.apart((row + down, column + right), carrier) for carrier in carriers)
        return before - then + rng.random() / 2

    return max(moves, key=worth)


def planned_games(rng: random.Random, games: int) -> Iterator[strandline.Position]:
    """Positions of games by players with a plan, most of them from crowded positions, played to their ends."""
    for _ in range(games):
        position = crowded(rng) if rng.random() < 0.85 else GAME.new(**random_setting(GAME, rng))
        yield position
        while position.turn is not None:
            position = position.play(planned(position, rng))
            yield position
