"""Up the River for two seats, solved exactly: what perfect players can expect in every position.

Each seat maximises its chance of winning alone less the other's. So the game is zero-sum: a shared win and a game that
nobody wins are worth the same to both, and a perfect player's lead is safe whatever the other does. Of equally good
moves the first is played; with that, each seat's expected share of the win (half of a shared win, nothing if nobody
wins) is known too.

Perfect play from the first position of the default box gives seat 0 a share of 0.4518 and seat 1 one of 0.5397, and in
0.85 % of games nobody wins: moving first is a disadvantage. `strandline solve up_the_river` prints it.

**Positions.** What matters of a fleet is at which places its boats are, not which boat is where: 364 fleets. What
matters of the docks is how many boats each seat has home, which the fleets tell, and the order in which they came, by
which the scores differ: the pairs of docked boats, one of each seat, of which seat 0's came first (`order`). What
matters of the round is where the sandbank lies. The layout itself matters only by the distance from the sandbank up to
the tide, round the river, so that nine tables serve all ninety layouts.

**Method.** What is expected in a round depends on the next round only: backward induction, round after round, until
a whole turn of the river, ten rounds, changes nothing. Whatever is played, the dice end the game sooner or later; so
there is one solution, and the induction runs into it from anywhere. Boats on the river only become fewer: positions are
solved in the order of the boats that are left, and each group settles by itself.

**The limit of rounds** is left out; only so can the sandbank stand for the round. The default limit of 100 changes the
lead in the first position by 6e-9, and 60 rounds before a limit it changes none by more than 0.002. `solves` says no to
positions with fewer than `MARGIN` rounds to go.
"""

import contextlib
import itertools
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from strandline.engine import binding, cache, records
from strandline.engine.position import Position

from . import induction, rules
from .box import PLACES
from .rules import BOATS, HARBOR, LOST, TOP_DOCK, WIND_FACE, Phase

MARGIN = 60
"""The least number of rounds to go with which a limit is ignored."""
SETTLED = 1e-13
"""A group of positions is solved when no expectation changes by more in a whole turn of the river."""
STEPS = 3
"""Of a round: seat 0 rolls, seat 1 rolls, the current comes."""

Array = np.ndarray[Any, Any]
Fleet = tuple[int, ...]
Shares = tuple[float, float]
"""Each seat's expected share of the win."""

FLEETS = tuple(itertools.combinations_with_replacement(range(LOST, HARBOR + 1), BOATS))
NUMBER = {fleet: number for number, fleet in enumerate(FLEETS)}
HOME = np.array([fleet.count(HARBOR) for fleet in FLEETS])
AFLOAT = np.array([sum(LOST < place < HARBOR for place in fleet) for fleet in FLEETS])
ORDERS = np.outer(HOME, HOME) + 1
"""In how many ways the docks of two fleets can differ."""
FIRST = (np.cumsum(ORDERS) - ORDERS.ravel()).reshape(ORDERS.shape)
"""The state of two fleets with order 0."""
STATES = int(ORDERS.sum())


# What the bots call


def solves(position: Position) -> bool:
    """Whether the position has two seats, and no limit of rounds that is near."""
    record = position.records()[0]
    to_go = record["round_limit"] - record["round"]
    return bool(record["players"] == 2 and (record["round_limit"] == 0 or to_go >= MARGIN))


def prepare(position: Position, progress: Callable[[float], None] | None = None) -> int:
    """Solve the position's layout unless that has been done. Returns the number of positions that are solved.

    `progress` is called now and then with the part that is done.
    """
    record = position.records()[0]
    _table(_distance(record), progress)
    rolling = (AFLOAT[:, None] > 0) * ORDERS
    return PLACES * 2 * int(rolling.sum())


def values(position: Position) -> dict[str, Shares]:
    """Each seat's expected share of the win after each move, or outcome of the die."""
    return {move: shares(position.play(move)) for move in position.moves()}


def shares(position: Position) -> Shares:
    """Each seat's expected share of the win."""
    record = position.records()[0]
    if record["phase"] == Phase.ROLL:
        win0, win1 = _table(_distance(record))[record["sandbank"] - 1, record["player"], state(record)]
        return float(win0), float(win1)
    if record["phase"] == Phase.END:
        winners = position.winners()
        return (0 in winners) / max(len(winners), 1), (1 in winners) / max(len(winners), 1)
    sign = -1 if record["player"] else 1
    best = None
    for after in values(position).values():
        if best is None or sign * (after[0] - after[1] - best[0] + best[1]) > induction.SAME:
            best = after
    assert best is not None
    return best


# Positions as numbers


def state(record: Any) -> int:
    """The number of the state: both fleets and the order of docking."""
    a, b = (NUMBER[tuple(sorted(int(place) for place in record["boats"][seat]))] for seat in (0, 1))
    order = sum(int(ours > theirs > 0) for ours in record["docks"][0] for theirs in record["docks"][1])
    return int(FIRST[a, b]) + order


def result(a: int, b: int, order: int) -> tuple[int, int]:
    """The lead of seat 0 (1, 0 or -1) and whether anybody wins, when no boat comes home any more (R25, R26, R-R25)."""
    ours, theirs = int(HOME[a]), int(HOME[b])
    earlier = ours * (ours - 1) // 2 + ours * theirs - order, theirs * (theirs - 1) // 2 + order
    score0, score1 = TOP_DOCK * ours - earlier[0], TOP_DOCK * theirs - earlier[1]
    return (score0 > score1) - (score0 < score1), int(ours + theirs > 0)


def _distance(record: Any) -> int:
    """How far above the sandbank the tide lies, round the river."""
    return int(record["tide"] - record["sandbank"]) % PLACES


# Moves of one fleet, by the rules


def _moved(record: Any, fleet: Fleet, move: Callable[[Any, int], None], can: Callable[[Any, int], bool]) -> list[int]:
    """The different fleets that seat 0 can have after `move` of a boat, filled up with -1."""
    found = set()
    for boat in range(BOATS):
        after = records.copy(record)
        after.boats[0][:] = fleet
        if can(after, boat):
            move(after, boat)
            found.add(NUMBER[tuple(sorted(after.boats[0]))])
    return sorted(found) + [-1] * (BOATS - len(found))


def _afloat(s: Any, boat: int) -> bool:
    return bool(rules.on_river(s.boats[0][boat]))


def _can_blow(s: Any, boat: int) -> bool:
    return bool(rules.can_blow(s, 0, boat))


def _ill_wind(s: Any, boat: int) -> None:
    rules.ill_wind(s, 0, boat)


def _sails(s: Any) -> Array:
    """The fleets after sailing, by fleet and die."""
    found = np.empty((len(FLEETS), WIND_FACE - 1, BOATS), np.int32)
    for die in range(1, WIND_FACE):
        s.die = die
        found[:, die - 1] = [_moved(s, fleet, rules.sail, _afloat) for fleet in FLEETS]
    return found


def _river(sandbank: int, distance: int) -> tuple[Array, Array, Array]:
    """The fleets after sailing, a Good Wind and an Ill Wind, with the sandbank at that place."""
    s = records.blank(rules.STATE)
    s.players, s.sandbank, s.tide = 2, sandbank, 1 + (sandbank - 1 + distance) % PLACES
    goods = np.array([_moved(s, fleet, rules.good_wind, _can_blow) for fleet in FLEETS], np.int32)
    s.player = 1
    ills = np.array([_moved(s, fleet, _ill_wind, _can_blow) for fleet in FLEETS], np.int32)
    s.player = 0
    return _sails(s), goods, ills


def _downstream() -> Array:
    """The fleets after the current."""
    s = records.blank(rules.STATE)
    s.players = 2
    found = []
    for fleet in FLEETS:
        s.boats[0][:] = fleet
        rules.current(s)
        found.append(NUMBER[tuple(sorted(s.boats[0]))])
    return np.array(found)


# The solution


_tables: dict[int, Array] = {}
_solving = threading.Lock()


def _table(distance: int, progress: Callable[[float], None] | None = None) -> Array:
    """What both seats can expect, by place of the sandbank, seat that rolls, and state; solved once and kept."""
    with _solving:
        if distance not in _tables:
            _tables[distance] = _kept_or_solved(distance, progress)
    return _tables[distance]


def _kept_or_solved(distance: int, progress: Callable[[float], None] | None) -> Array:
    stamp = cache.stamp(rules, induction, False)
    name = f"tide-{distance}-above-sandbank.npy"
    with contextlib.suppress(OSError):
        return np.asarray(np.load(cache.folder() / stamp / name, mmap_mode="r"))
    found = solve(distance, progress)
    with contextlib.suppress(OSError):
        _keep(found, cache.folder() / stamp, name)
    return found


def _keep(found: Array, folder: Path, name: str) -> None:
    """Write the table under another name first, so that nobody ever reads half of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        np.save(file, found)
    Path(file.name).replace(folder / name)


def solve(distance: int, progress: Callable[[float], None] | None = None) -> Array:
    """The table for layouts with the tide so far above the sandbank."""
    rivers = [_river(sandbank, distance) for sandbank in range(1, PLACES + 1)]
    ends = [result(a, b, order) for a, b in np.ndindex(ORDERS.shape) for order in range(ORDERS[a, b])]
    leads, wins = (np.tile(column, (PLACES, STEPS, 1)) for column in np.array(ends, np.float64).T)
    left = sorted(itertools.product(range(BOATS + 1), repeat=2), key=sum)
    downstream, done = _downstream(), 0
    for boats in left[1:]:
        fleets, rivals = (np.flatnonzero(np.equal(AFLOAT, number)) for number in boats)
        _settle(fleets, rivals, rivers, downstream, leads, wins)
        done += int(ORDERS[np.ix_(fleets, rivals)].sum())
        if progress:
            progress(done / STATES)
    return np.stack((wins + leads, wins - leads), axis=-1)[:, :2] / 2


def _settle(
    fleets: Array, rivals: Array, rivers: list[tuple[Array, Array, Array]], downstream: Array, leads: Array, wins: Array
) -> None:
    """Go back round by round, for these fleets of seats 0 and 1, until a whole turn of the river changes nothing."""
    kernels = binding.compiled(rules, induction)
    quiet = 0
    for place in itertools.cycle(range(PLACES)):
        for table in (leads, wins):  # the current takes the sandbank one place down
            kernels.drift(fleets, rivals, FIRST, HOME, downstream, table[place, 2], table[place - 1, 0])
        change = 0.0
        for seat in (1, 0):
            after, before = (leads[place, seat + 1], wins[place, seat + 1]), (leads[place, seat], wins[place, seat])
            change = max(change, kernels.turn(seat, fleets, rivals, FIRST, HOME, *rivers[place], *after, *before))
        quiet = quiet + 1 if change < SETTLED else 0
        if quiet == PLACES:
            return
