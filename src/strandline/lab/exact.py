"""Exact numbers for small questions: every way in which a position can go on, weighed by the odds.

    expected(position)                          # each seat's share of the win when all play for it
    expected(position, players="random")        # … when all play at random
    expected(position, my_question, my_rule)    # anything that can be read off positions, by any rule of play

It is a plain search through `moves()`, `odds()` and `play()` which remembers the positions it has met, so it is for
positions near their end, or for questions that are answered soon. Where a game is solved, `strandline.bots.exact` knows
the whole of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from strandline.engine.errors import BadOptions
from strandline.engine.position import Position

MOST_POSITIONS = 200_000

Values = tuple[float, ...]
Question = Callable[[Position], Values | None]
"""The values of a position, one or more numbers; None while it must go on to know them."""
Rule = Callable[[Position], str]
"""Which move is made in a position."""
Players = Literal["best", "random"] | Rule


def shares(position: Position) -> Values | None:
    """Each seat's share of the win, once the game is over."""
    if position.turn is not None:
        return None
    winners = position.winners()
    return tuple((seat in winners) / max(1, len(winners)) for seat in range(position.players))


def expected(
    position: Position,
    question: Question = shares,
    players: Players = "best",
    most_positions: int = MOST_POSITIONS,
) -> Values:
    """The expected values of a position, exactly.

    The best players make the move with which their own value, that of their seat's number, is largest (of equal ones
    the first). Raises `BadOptions` where there are too many positions to look at.
    """
    known: dict[Position, Values] = {}

    def look(here: Position) -> Values:
        if here not in known:
            known[here] = question(here) or _onward(here, players, look)
            if len(known) > most_positions:
                raise BadOptions(f"More than {most_positions:,} positions can follow: too many to look at.")
        return known[here]

    return look(position)


def _onward(position: Position, players: Players, look: Callable[[Position], Values]) -> Values:
    seat = position.turn
    if seat is None:
        raise BadOptions("The game is over, and the question has no answer there.")
    if seat != "chance" and callable(players):
        return look(position.play(players(position)))
    after = [look(position.play(move)) for move in position.moves()]
    if seat == "chance":
        return _weighed(after, position.odds())
    if players == "random":
        return _weighed(after, [1 / len(after)] * len(after))
    return max(after, key=lambda values: values[seat])


def odds_that(position: Position, happens: Callable[[Position], bool]) -> float:
    """How likely the chance event that comes next makes something happen."""
    pairs = zip(position.moves(), position.odds(), strict=True)
    return sum(odds for outcome, odds in pairs if happens(position.play(outcome)))


def _weighed(values: Sequence[Values], weights: Sequence[float]) -> Values:
    return tuple(sum(w * v for w, v in zip(weights, column, strict=True)) for column in zip(*values, strict=True))
