"""What the search thinks of a position, and of a game that was played: chances, turning points, luck and skill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strandline.bots import exact
from strandline.bots.tree import Budget, Tree, setting, summed, think
from strandline.bots.views import CORES, View, guesses
from strandline.engine.game import Game
from strandline.engine.position import Position

TURNING_POINTS = 5
REVIEWED = 8
"""A review runs as many simulations in all as level 5 does for this many moves, whatever the length of the game."""


@dataclass(frozen=True)
class Estimate:
    """What a move is worth to a seat: its expected result, from 0 (lost) to 1 (won alone)."""

    move: str
    result: float
    error: float
    """The standard error of the result."""
    simulations: int


@dataclass(frozen=True)
class Event:
    """One move or outcome of a game, and what it changed."""

    number: int
    move: str
    who: int | None
    """The seat that decided; None if chance did."""
    change: tuple[float, ...]
    """How much the expected result of each seat went up or down."""


@dataclass(frozen=True)
class Review:
    """A review of a game."""

    chances: list[tuple[float, ...]]
    """The expected result of each seat, before the first move and after every one."""
    events: list[Event]
    turning_points: list[Event]
    """The events that changed most, in the order of the game."""
    luck: list[float]
    """What chance gave to each seat, in all."""
    cost: list[float]
    """What each seat's own choices cost it, compared with the best that it could have chosen."""


def analyse(
    position: Position | View,
    seat: int,
    *,
    game: Game | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
) -> list[Estimate]:
    """Each legal move with its expected result for the seat, the best first, from what the seat can see.

    A view needs the `game` that it belongs to. Without `simulations` it thinks as long as level 5.
    """
    found = position.game if isinstance(position, Position) else game
    if found is None:
        raise ValueError("A view needs the game that it belongs to.")
    starts = guesses(found, position, seat, seed)
    if starts[0].turn not in range(starts[0].players):
        raise ValueError("There is nothing to decide in this position.")
    budget = Budget(simulations or setting(found, "SIMULATIONS"), seconds, threads)
    trees = [Tree(found, -(-budget.simulations // len(starts)), budget.speed) for _ in starts]
    think(trees, starts, seed, budget)
    return estimates(found, trees, seat)


def estimates(game: Game, trees: Sequence[Tree], seat: int) -> list[Estimate]:
    """What trees of one position say about each move, the best first."""
    found = [
        Estimate(game.notation.write(tried.code), tried.mean(seat), tried.error(seat), tried.visits)
        for tried in summed(tree.outlook() for tree in trees)
    ]
    return sorted(found, key=lambda estimate: (estimate.simulations, estimate.result), reverse=True)


def solution(position: Position) -> exact.Solver | None:
    """The exact solution of the position's game, ready to be asked, if there is one."""
    found = exact.solver(position.game)
    if found is None or not found.solves(position):
        return None
    found.prepare(position)
    return found


def chances(position: Position, simulations: int, threads: int = 1, seed: int = 0) -> tuple[float, ...]:
    """The expected result of each seat, with everything in the open; exact where the game is solved."""
    if position.turn is not None and (solver := solution(position)) is not None:
        return exact.shares(solver, position)
    trees = [Tree(position.game, -(-simulations // CORES)) for _ in range(CORES)]
    think(trees, [position] * CORES, seed, Budget(simulations, threads=threads))
    return expected(trees, position.players)


def expected(trees: Sequence[Tree], players: int) -> tuple[float, ...]:
    """The result that trees of one position expect for each seat."""
    roots = [tree.root() for tree in trees]
    visits = sum(root.visits for root in roots)
    return tuple(float(sum(root.value[seat] for root in roots)) / visits for seat in range(players))


def review(
    start: Position,
    moves: Sequence[str],
    *,
    simulations: int | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Review:
    """Review a game, from its first position and all its moves and outcomes; `progress` is told how far it is.

    Over a chance event a seat's change is its luck. Over its own decision it is what the choice cost, since the
    expected result before it was that of the best move.
    """
    each = simulations or max(100, REVIEWED * setting(start.game, "SIMULATIONS") // (len(moves) + 1))
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    results = []
    for position in positions:
        results.append(chances(position, each, threads, seed))
        if progress is not None:
            progress(len(results) / len(positions))
    return reviewed(positions, moves, results)


def reviewed(positions: Sequence[Position], moves: Sequence[str], found: list[tuple[float, ...]]) -> Review:
    """The review of a game, from what is expected in each of its positions."""
    found = _shared(found, positions[-1])
    events: list[Event] = []
    for number, move in enumerate(moves):
        turn = positions[number].turn
        change = tuple(after - before for before, after in zip(found[number], found[number + 1], strict=True))
        events.append(Event(number, move, turn if isinstance(turn, int) else None, change))
    biggest = sorted(events, key=lambda event: max(map(abs, event.change)), reverse=True)[:TURNING_POINTS]
    seats = range(positions[0].players)
    return Review(
        found,
        events,
        sorted(biggest, key=lambda event: event.number),
        [sum(event.change[seat] for event in events if event.who is None) for seat in seats],
        [max(0.0, -sum(event.change[seat] for event in events if event.who == seat)) for seat in seats],
    )


def _shared(found: list[tuple[float, ...]], end: Position) -> list[tuple[float, ...]]:
    """Results as chances of winning. A search values good scores too: all seats together get no more than one win,
    unless they win and lose together, and a finished game is what it is.
    """
    together = all(len(set(results)) == 1 for results in found)
    if not together:
        found = [tuple(result / max(1.0, sum(results)) for result in results) for results in found]
    if end.turn is None:
        winners = end.winners()
        share = 1.0 if together or not winners else 1 / len(winners)
        found[-1] = tuple(share if seat in winners else 0.0 for seat in range(end.players))
    return found
