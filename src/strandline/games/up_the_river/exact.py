"""Up the River for two seats, solved exactly: what perfect players can expect in every position.

Each seat maximises its chance of winning alone less the other's. So the game is zero-sum: a shared win and a game that
nobody wins are worth the same to both, and a perfect player's lead is safe whatever the other does. Of equally good
moves the first is played; with that, each seat's expected share of the win (half of a shared win, nothing if nobody
wins) is known too.

Perfect play from the first position of the default box gives seat 0 a share of 0.4518 and seat 1 one of 0.5397, and in
0.85 % of games nobody wins: moving first is a disadvantage, as it is in every layout. `strandline solve up_the_river`
prints it.

**Positions.** What matters of a fleet is at which places its boats are, not which boat is where: 364 fleets. What
matters of the docks is how many boats each seat has home, which the fleets tell, and the order in which they came, by
which the scores differ: the pairs of docked boats, one of each seat, of which seat 0's came first (`order`). What
matters of the round is where the sandbank lies. The layout itself matters only by the distance from the sandbank up to
the tide, round the river, so that nine tables serve all ninety layouts. A table has 2,775,500 positions that wait for
a roll; about 1.1 million of them can be reached from the first position of the default box.

**Method.** What is expected in a round depends on the next round only: backward induction, round after round, until
a whole turn of the river, ten rounds, changes nothing. Whatever is played, the dice end the game sooner or later; so
there is one solution, and the induction runs into it from anywhere. Boats on the river only become fewer: positions are
solved in the order of the boats that are left, and each group settles by itself.

**The limit of rounds** is far off in most games, and is then left out; only so can the sandbank stand for the round.
The default limit of 100 changes the lead in the first position by 6e-9, and with `MARGIN` rounds to go no lead is
changed by more than 0.002. The last rounds before a limit are solved with it, by themselves, when a game gets there.
"""

import contextlib
import functools
import itertools
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from strandline.engine import binding, cache, records, stamps
from strandline.engine.position import Position

from . import induction, rules
from .box import PLACES
from .rules import BOATS, HARBOR, LOST, TOP_DOCK, WIND_FACE, Phase

MARGIN = 60
"""With fewer rounds to go a limit is taken into account."""
SETTLED = 1e-13
"""A group of positions is solved when no expectation changes by more in a whole turn of the river."""

Array = np.ndarray[Any, Any]
Fleet = tuple[int, ...]
River = tuple[Array, Array, Array]
"""The fleets that each fleet can become by sailing, a Good Wind and an Ill Wind."""
Progress = Callable[[float], None]
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
    """Whether the position is one of two seats."""
    return position.players == 2


def prepare(position: Position, progress: Progress | None = None) -> int:
    """Solve the position's layout unless that has been done. Returns the number of positions that are solved.

    `progress` is called now and then with the part that is done.
    """
    record = position.records()[0]
    if _is_near_limit(record):
        last = _last_rounds(record)
        return len(last.expected) * _rolls(*last.boats)
    return len(_table(_distance(record), progress)) * _rolls(BOATS, BOATS)


def values(position: Position) -> dict[str, Shares]:
    """Each seat's expected share of the win after each move, or outcome of the die."""
    record = position.records()[0]
    if record["phase"] != Phase.END and _is_near_limit(record, 1):
        _last_rounds(record)  # at once for all that can follow, which may have fewer boats
    return {move: shares(position.play(move)) for move in position.moves()}


def shares(position: Position) -> Shares:
    """Each seat's expected share of the win: half of the win, more or less by half of the lead."""
    record = position.records()[0]
    if record["phase"] == Phase.ROLL:
        lead, win = _expected(record)
        return (win + lead) / 2, (win - lead) / 2
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


def _expected(record: Any) -> tuple[float, float]:
    """The lead and the win that are expected before a roll."""
    if _is_near_limit(record):
        table = _last_rounds(record).expected[_to_go(record)]
    else:
        table = _table(_distance(record))[record["sandbank"] - 1]
    lead, win = table[record["player"], :, state(record)]
    return float(lead), float(win)


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


def _boats(record: Any) -> tuple[int, int]:
    """How many boats each seat has on the river."""
    ours, theirs = (int(np.sum((boats > LOST) & (boats < HARBOR))) for boats in record["boats"][:2])
    return ours, theirs


def _to_go(record: Any) -> int:
    """How many rounds the limit allows after this one."""
    return int(record["round_limit"]) - int(record["round"])


def _rolls(most0: int, most1: int) -> int:
    """How many positions that wait for a roll a round has, with at most so many boats of each seat on the river."""
    fleets, rivals = (np.less_equal(AFLOAT, most) for most in (most0, most1))
    sailing = AFLOAT > 0
    return int(ORDERS[np.ix_(fleets & sailing, rivals)].sum() + ORDERS[np.ix_(fleets, rivals & sailing)].sum())


def _is_near_limit(record: Any, rounds: int = 0) -> bool:
    """Whether the limit is to be taken into account now, or so many rounds later."""
    return bool(record["round_limit"]) and _to_go(record) - rounds < MARGIN


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


@functools.cache
def _river(sandbank: int, distance: int) -> River:
    """The fleets after sailing, a Good Wind and an Ill Wind, with the sandbank at that place."""
    s = records.blank(rules.STATE)
    s.players, s.sandbank, s.tide = 2, sandbank, 1 + (sandbank - 1 + distance) % PLACES
    goods = np.array([_moved(s, fleet, rules.good_wind, _can_blow) for fleet in FLEETS], np.int32)
    s.player = 1
    ills = np.array([_moved(s, fleet, _ill_wind, _can_blow) for fleet in FLEETS], np.int32)
    s.player = 0
    return _sails(s), goods, ills


@functools.cache
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


@functools.cache
def _results() -> Array:
    """What has come of each state when the game is over."""
    found = [result(a, b, order) for a, b in np.ndindex(ORDERS.shape) for order in range(ORDERS[a, b])]
    return np.array(found, np.float64).T.copy()


def _one_round_back(fleets: Array, rivals: Array, river: River, over: Array, expected: Array) -> float:
    """Fill in what is expected in a round, by seat that rolls, from what is expected when it is over."""
    kernels = binding.compiled(rules, induction)
    late = kernels.turn(1, fleets, rivals, FIRST, HOME, *river, over, expected[1])
    early = kernels.turn(0, fleets, rivals, FIRST, HOME, *river, expected[1], expected[0])
    return float(max(late, early))


def _current(fleets: Array, rivals: Array, following: Array, over: Array) -> None:
    """Fill in what is expected when a round is over, from what is expected in the following one."""
    binding.compiled(rules, induction).drift(fleets, rivals, FIRST, HOME, _downstream(), following[0], over)


def solve(distance: int, progress: Progress | None = None) -> Array:
    """What is expected without a limit: an array by place of the sandbank, seat that rolls, lead or win, and state."""
    rivers = [_river(sandbank, distance) for sandbank in range(1, PLACES + 1)]
    over = np.tile(_results(), (PLACES, 1, 1))
    expected = np.tile(_results(), (PLACES, 2, 1, 1))
    done = 0
    for left in sorted(itertools.product(range(BOATS + 1), repeat=2), key=sum)[1:]:
        fleets, rivals = (np.flatnonzero(np.equal(AFLOAT, boats)) for boats in left)
        _settle(fleets, rivals, rivers, over, expected)
        done += int(ORDERS[np.ix_(fleets, rivals)].sum())
        if progress:
            progress(done / STATES)
    return expected


def _settle(fleets: Array, rivals: Array, rivers: list[River], over: Array, expected: Array) -> None:
    """Go back round by round, for these fleets of seats 0 and 1, until a whole turn of the river changes nothing."""
    quiet = 0
    for place in itertools.cycle(range(PLACES)):  # the current takes the sandbank one place down, from place 0 to -1
        _current(fleets, rivals, expected[place - 1], over[place])
        change = _one_round_back(fleets, rivals, rivers[place], over[place], expected[place])
        quiet = quiet + 1 if change < SETTLED else 0
        if quiet == PLACES:
            return


_tables: dict[int, Array] = {}
_solving = threading.Lock()


def _table(distance: int, progress: Progress | None = None) -> Array:
    """`solve(distance)`, solved once and kept on disk."""
    with _solving:
        if distance not in _tables:
            _tables[distance] = _kept_or_solved(distance, progress)
        return _tables[distance]


def _kept_or_solved(distance: int, progress: Progress | None) -> Array:
    """The table from the folder that belongs to the present sources, or else solved and put there."""
    stamp = stamps.native(rules, induction)
    name = f"tide-{distance}-above-sandbank.npy"
    with contextlib.suppress(OSError):
        return np.asarray(np.load(cache.folder() / stamp / name, mmap_mode="r"))
    found = solve(distance, progress)
    with contextlib.suppress(OSError):
        _keep(found, cache.folder() / stamp, name)
    return found


def _keep(found: Array, folder: Path, name: str) -> None:
    """Write the table under another name first, so that nobody ever reads half of it; those of other sources go."""
    for old in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*/{name}"):
        old.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        np.save(file, found)
    Path(file.name).replace(folder / name)


# The last rounds before a limit


@dataclass(frozen=True)
class LastRounds:
    """What is expected in the rounds before a limit, for fleets with no more than so many boats on the river."""

    distance: int
    sandbank: int
    """Its place in the last round."""
    boats: tuple[int, int]
    expected: list[Array]
    """By the rounds to go after this one; then as in `solve`."""

    def hold(self, record: Any) -> bool:
        """Whether the position is among them."""
        fits = all(boats <= most for boats, most in zip(_boats(record), self.boats, strict=True))
        river = (self.distance, self.sandbank) == (_distance(record), _last_sandbank(record))
        return fits and river and _to_go(record) < len(self.expected)


_latest: list[LastRounds] = []
"""One at most: the rounds are many, and those of the game that is being played are wanted again and again."""


def _last_rounds(record: Any) -> LastRounds:
    """What is expected in each of the last rounds, from the position's on."""
    with _solving:
        if not (_latest and _latest[0].hold(record)):
            _latest[:] = [_solve_last_rounds(record)]
        return _latest[0]


def _solve_last_rounds(record: Any) -> LastRounds:
    """Backward induction from the limit. Seats without a boat and ended games are passed on from round to round."""
    boats, distance, sandbank = _boats(record), _distance(record), _last_sandbank(record)
    fleets, rivals = (np.flatnonzero(np.less_equal(AFLOAT, most)) for most in boats)
    over, expected = _results().copy(), list[Array]()
    for rounds in range(_to_go(record) + 1):
        if expected:
            _current(fleets, rivals, expected[-1], over)
        expected.append(np.zeros((2, 2, STATES)))
        _one_round_back(fleets, rivals, _river(1 + (sandbank - 1 + rounds) % PLACES, distance), over, expected[-1])
    return LastRounds(distance, sandbank, boats, expected)


def _last_sandbank(record: Any) -> int:
    return 1 + (int(record["sandbank_start"]) - int(record["round_limit"])) % PLACES
