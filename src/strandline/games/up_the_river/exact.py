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
which the scores differ: the pairs of docked boats, one of each seat, of which the one's own came first (`order`). What
matters of the round is where the sandbank lies. The layout itself matters only by the distance from the sandbank up to
the tide, round the river, so that nine tables serve all ninety layouts. A table has 2,775,500 positions that wait for
a roll; about 1.1 million of them can be reached from the first position of the default box.

**Method.** What is expected in a round depends on the next round only: backward induction, round after round, until
one has not changed in a whole turn of the river, ten rounds. Whatever is played, the dice end the game sooner or later;
so there is one solution, and the induction runs into it from anywhere. Boats on the river only become fewer: positions
are solved in the order of the boats that are left, and each group settles by itself.

**The limit of rounds** is far off in most games, and is then left out; only so can the sandbank stand for the round.
The default limit of 100 changes the lead in the first position by 6e-9, and with `MARGIN` rounds to go no lead is
changed by more than 0.002. The last rounds before a limit are solved with it, by themselves, when a game gets there.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import mmap
import sys
import tempfile
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.engine import cache, records, speeds, stamps
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.walk import RULES, functions_of

from . import induction, rules
from .box import PLACES
from .rules import BOATS, HARBOR, LOST, TOP_DOCK, WIND_FACE, Phase

MARGIN = 60
"""With fewer rounds to go a limit is taken into account."""

Fleet = tuple[int, ...]
Goals = list[int]
"""The fleets that a fleet can become by a move of one boat: three, of which some may be the same, or three times -1."""
River = tuple[list[list[Goals]], list[Goals], list[Goals]]
"""What each fleet can become by sailing, for each die, by a Good Wind and by an Ill Wind."""
if TYPE_CHECKING:
    Table = memoryview[float]
    """What is expected without a limit: numbers by place of the sandbank, seat that rolls, lead or win, and state.
    Lead and state are as the seat that rolls sees them."""
Progress = Callable[[float], None]
Shares = tuple[float, float]
"""Each seat's expected share of the win."""


def _afloat(fleet: Fleet) -> int:
    return sum(LOST < place < HARBOR for place in fleet)


FLEETS = sorted(
    itertools.combinations_with_replacement(range(LOST, HARBOR + 1), BOATS),
    key=lambda fleet: (fleet.count(HARBOR), _afloat(fleet), fleet),
)
"""By how many of their boats are home, then on the river: those that are looked at together lie together in rows."""
NUMBER = {fleet: number for number, fleet in enumerate(FLEETS)}
HOME = [fleet.count(HARBOR) for fleet in FLEETS]
AFLOAT = [_afloat(fleet) for fleet in FLEETS]
HOMES = range(BOATS + 1)


def _rows() -> tuple[list[list[tuple[int, int]]], int]:
    """`rows` of `induction`, and the number of all states.

    By fleet and boats that the other has home: where the row of the first order of docking would have a fleet with
    number 0, and how far it is from there to the next order.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in FLEETS]
    states = 0
    for home, theirs in itertools.product(HOMES, HOMES):
        size = HOME.count(home) * HOME.count(theirs)
        for row in range(HOME.count(home)):
            start = states + row * HOME.count(theirs) - HOME.index(theirs)
            found[HOME.index(home) + row].append((start, size))
        states += (home * theirs + 1) * size
    return found, states


ROWS, STATES = _rows()


def state_of(own: int, other: int, order: int) -> int:
    """The state of two fleets and an order of docking: the pairs of which the own boat came first."""
    start, step = ROWS[own][HOME[other]]
    return start + order * step + other


def orders(fleets: Iterable[int], rivals: Iterable[int]) -> int:
    """In how many ways the docks of such fleets can differ, in all."""
    ours, theirs = (Counter(HOME[fleet] for fleet in each) for each in (fleets, rivals))
    return sum(ours[a] * theirs[b] * (a * b + 1) for a, b in itertools.product(ours, theirs))


# What the bots call


def solves(position: Position) -> bool:
    """Whether the position is one of two seats."""
    return position.players == 2 and speeds.fastest_class(position.game, induction.go_back) is not speeds.Interpreted


def prepare(position: Position, progress: Progress | None = None) -> int:
    """Solve the position's layout unless that has been done. Returns the number of positions that are solved.

    `progress` is called now and then with the part that is done.
    """
    record = _record(position)
    if _is_near_limit(record):
        last = _last_rounds(position.game, record)
        return last.rounds * _rolls(*last.boats)
    _table(position.game, _distance(record), progress)
    return PLACES * _rolls(BOATS, BOATS)


def values(position: Position) -> dict[str, Shares]:
    """Each seat's expected share of the win after each move, or outcome of the die."""
    record = _record(position)
    if record.phase != Phase.END and _is_near_limit(record, 1):
        _last_rounds(position.game, record)  # at once for all that can follow, which may have fewer boats
    return {move: shares(position.play(move)) for move in position.moves()}


def shares(position: Position) -> Shares:
    """Each seat's expected share of the win: half of the win, more or less by half of the lead."""
    record = _record(position)
    if record.phase == Phase.ROLL:
        lead, win = _expected(position.game, record)
        return (win + lead) / 2, (win - lead) / 2
    if record.phase == Phase.END:
        winners = position.winners()
        return (0 in winners) / max(len(winners), 1), (1 in winners) / max(len(winners), 1)
    sign = -1 if record.player else 1
    best = None
    for after in values(position).values():
        if best is None or sign * (after[0] - after[1] - best[0] + best[1]) > induction.SAME:
            best = after
    assert best is not None
    return best


def _expected(game: Game, record: Any) -> tuple[float, float]:
    """The lead and the win that are expected before a roll."""
    if _is_near_limit(record):
        row, found = _to_go(record), _last_rounds(game, record).expected.__getitem__
    else:
        row, found = record.sandbank - 1, _table(game, _distance(record)).__getitem__
    lead, win = (found(place(row, record.player, what, state(record))) for what in (induction.LEAD, induction.WIN))
    return (-lead if record.player else lead), win


def _record(position: Position) -> Any:
    return rules.STATE.structure.from_buffer_copy(bytes(position))


# Positions as numbers


def state(record: Any) -> int:
    """The number of the state, as the seat that rolls sees it: both fleets and the order of docking."""
    seats = record.player, 1 - record.player
    own, other = (NUMBER[tuple(sorted(record.boats[seat]))] for seat in seats)
    order = sum(bool(ours > theirs > 0) for ours, theirs in itertools.product(*(record.docks[seat] for seat in seats)))
    return state_of(own, other, order)


def place(row: int, seat: int, what: int, state: int) -> int:
    """Where in a table the lead or the win is; a row is a place of the sandbank, or a round."""
    return ((row * 2 + seat) * 2 + what) * STATES + state


def result(ours: int, theirs: int, order: int) -> tuple[int, int]:
    """The lead of seat 0 (1, 0 or -1) and whether anybody wins, when this many boats are home (R25, R26, R-R25)."""
    earlier = ours * (ours - 1) // 2 + ours * theirs - order, theirs * (theirs - 1) // 2 + order
    score0, score1 = TOP_DOCK * ours - earlier[0], TOP_DOCK * theirs - earlier[1]
    return (score0 > score1) - (score0 < score1), int(ours + theirs > 0)


def _distance(record: Any) -> int:
    """How far above the sandbank the tide lies, round the river."""
    return int(record.tide - record.sandbank) % PLACES


def _boats(record: Any) -> tuple[int, int]:
    """How many boats each seat has on the river."""
    ours, theirs = (sum(LOST < place < HARBOR for place in record.boats[seat]) for seat in (0, 1))
    return ours, theirs


def _to_go(record: Any) -> int:
    """How many rounds the limit allows after this one."""
    return int(record.round_limit - record.round)


def _rolls(most0: int, most1: int) -> int:
    """How many positions that wait for a roll a round has, with at most this many boats of each seat on the river."""
    fleets, rivals = _fleets(range(most0 + 1)), _fleets(range(most1 + 1))
    sailing, chasing = _fleets(range(1, most0 + 1)), _fleets(range(1, most1 + 1))
    return orders(sailing, rivals) + orders(fleets, chasing)


def _fleets(boats: Iterable[int]) -> list[int]:
    """The fleets with one of these numbers of boats on the river."""
    wanted = set(boats)
    return [number for number, afloat in enumerate(AFLOAT) if afloat in wanted]


def _is_near_limit(record: Any, rounds: int = 0) -> bool:
    """Whether the limit is to be taken into account now, or that many rounds later."""
    return bool(record.round_limit) and _to_go(record) - rounds < MARGIN


# Moves of one fleet, by the rules


def _moved(record: Any, fleet: Fleet, move: Callable[[Any, int], None], can: Callable[[Any, int], bool]) -> list[int]:
    """The different fleets that seat 0 can have after `move` of a boat, `_filled`."""
    found = set()
    for boat in range(BOATS):
        record.boats[0][:] = fleet
        if can(record, boat):
            move(record, boat)
            found.add(NUMBER[tuple(sorted(record.boats[0]))])
    return _filled(sorted(found, key=FLEETS.__getitem__))


def _filled(goals: Goals) -> Goals:
    """These fleets, as many as there are boats: the first of them again and again, which changes no choice."""
    goals = goals or [-1]
    return goals[:1] * (BOATS - len(goals)) + goals


def _can_blow(s: Any, boat: int) -> bool:
    return bool(rules.can_blow(s, 0, boat))


def _ill_wind(s: Any, boat: int) -> None:
    rules.ill_wind(s, 0, boat)


@functools.cache
def _brought() -> list[list[tuple[int, list[int]]]]:
    """By fleet: the places of its boats on the river, the foremost first, each with what the fleet becomes when a boat
    from there is brought to place 0, 1, 2 and so on.
    """
    return [
        [(place, _brought_from(fleet, place)) for place in sorted(filter(rules.on_river, set(fleet)), reverse=True)]
        for fleet in FLEETS
    ]


def _brought_from(fleet: Fleet, place: int) -> list[int]:
    boat = fleet.index(place)
    return [NUMBER[tuple(sorted((*fleet[:boat], goal, *fleet[boat + 1 :])))] for goal in range(HARBOR + 1)]


def _sails(s: Any) -> list[list[Goals]]:
    """The fleets after sailing, by fleet and die. How far a boat gets depends on no other boat (R-R20)."""
    reach = []
    for s.die in range(1, WIND_FACE):
        reach.append([rules.reach(s, place) for place in range(HARBOR)])
    return [[_filled([after[to[place]] for place, after in brought]) for to in reach] for brought in _brought()]


@functools.cache
def _ills() -> list[Goals]:
    """The fleets after an Ill Wind, wherever the sandbank lies (R14)."""
    s = records.blank(rules.STATE)
    s.players, s.player = 2, 1
    return [_moved(s, fleet, _ill_wind, _can_blow) for fleet in FLEETS]


@functools.cache
def _river(sandbank: int, distance: int) -> River:
    """The fleets after sailing, a Good Wind and an Ill Wind, with the sandbank at that place."""
    s = records.blank(rules.STATE)
    s.players, s.sandbank, s.tide = 2, sandbank, 1 + (sandbank - 1 + distance) % PLACES
    return _sails(s), [_moved(s, fleet, rules.good_wind, _can_blow) for fleet in FLEETS], _ills()


@functools.cache
def _downstream() -> list[int]:
    """The fleets after the current."""
    s = records.blank(rules.STATE)
    s.players = 2
    found = []
    for fleet in FLEETS:
        s.boats[0][:] = fleet
        rules.current(s)
        found.append(NUMBER[tuple(sorted(s.boats[0]))])
    return found


# The solution


@functools.cache
def _results() -> array[float]:
    """What has come of each state when the game is over, as seat 0 sees it: all leads, then all wins."""
    leads, wins = array("d"), array("d")
    for home, theirs in itertools.product(HOMES, HOMES):
        for order in range(home * theirs + 1):
            lead, win = result(home, theirs, order)
            leads += array("d", [lead]) * ROWS[HOME.index(home)][theirs][1]
            wins += array("d", [win]) * ROWS[HOME.index(home)][theirs][1]
    return leads + wins


class Induction:
    """Backward induction in the memory of the kernels: what is expected in each of some rounds, and after each turn."""

    def __init__(self, game: Game, rounds: int, turns: int, rivers: Sequence[River]) -> None:
        """Rounds of which nothing is known yet, and the rivers of which some are like each other.

        What is expected after the turns is kept for the latest `turns` rounds.
        """
        self._kernels = speeds.fastest(game, induction.go_back)
        self._rounds, size = rounds, len(FLEETS)
        self.expected = self._kernels.array("f8", rounds, 2, 2, STATES)
        """What is expected in each round: a `Table`."""
        self._after = self._kernels.array("f8", turns, 2, 2, STATES)
        sails, goods, ills = zip(*rivers, strict=True)
        self._rows = self._put("i8", _flat(_flat(ROWS)), size, len(HOMES), 2)
        self._carried = self._put("i8", [*range(size), *_downstream()], 2, size)
        self._sails = self._put("i4", _flat(_flat(_flat(sails))), len(rivers), size, WIND_FACE - 1, BOATS)
        self._goods = self._put("i4", _flat(_flat(goods)), len(rivers), size, BOATS)
        self._ills = self._put("i4", _flat(ills[0]), size, BOATS)
        self._totals = self._kernels.array("f8", 2 * induction.ROOM)

    def _put(self, kind: str, numbers: Iterable[int], *shape: int) -> speeds.Array:
        found = self._kernels.array(kind, *shape)
        found.write(array("i" if kind == "i4" else "q", numbers).tobytes())
        return found

    def end(self) -> None:
        """Let games be over after the first of the rounds, which is taken to follow the last one."""
        last = self.expected.part("f8", 2, STATES, first=(self._rounds - 1) * 4 * STATES)
        last.write(_results().tobytes())

    def choose(self, boats: Sequence[range]) -> None:
        """From now on the fleets of seats 0 and 1 with these numbers of boats on the river are looked at."""
        blocks = [_blocks(*boats), _blocks(*reversed(boats))]
        self._blocks = self._put("i8", _flat(_flat(blocks)), 2, len(blocks[0]), len(blocks[0][0]))

    def go_back(self, rounds: int = sys.maxsize) -> None:
        """Fill in round after round, so many of them or until nothing changes any more."""
        given = self._blocks, self._rows, self._carried, self._sails, self._goods, self._ills
        self._kernels.run("go_back", rounds, *given, self.expected, self._after, self._totals)


def _blocks(boats: range, rivals: range) -> list[tuple[int, ...]]:
    """The blocks of `induction` that have the states with so many boats on the river, of the seat and of the other."""
    found: list[tuple[int, ...]] = []
    for (home, fleets), (theirs, others) in itertools.product(_by_home(boats), _by_home(rivals)):
        for order in range(home * theirs + 1):
            found.append((home, theirs, order, fleets[0], len(fleets), others[0], len(others)))
    return found


def _by_home(boats: range) -> list[tuple[int, list[int]]]:
    """The fleets with so many boats on the river, by how many are home: their numbers follow each other."""
    return [(home, list(fleets)) for home, fleets in itertools.groupby(_fleets(boats), HOME.__getitem__)]


def _flat(lists: Iterable[Iterable[Any]]) -> Iterable[Any]:
    return itertools.chain.from_iterable(lists)


def solve(game: Game, distance: int, progress: Progress | None = None) -> Table:
    """What is expected without a limit. First it is guessed that games end as they stand."""
    found = Induction(game, PLACES, PLACES, [_river(sandbank, distance) for sandbank in range(1, PLACES + 1)])
    found.end()
    done = 0
    for left in sorted(itertools.product(range(BOATS + 1), repeat=2), key=sum):
        found.choose([range(boats, boats + 1) for boats in left])
        found.go_back()
        done += orders(*(_fleets([boats]) for boats in left))
        if progress:
            progress(done / STATES)
    return memoryview(bytes(found.expected)).cast("d")


_tables: dict[int, Table] = {}
_solving = threading.Lock()
_keeping: list[threading.Thread] = []
"""What is being written while the answer is on its way already."""


def _table(game: Game, distance: int, progress: Progress | None = None) -> Table:
    """`solve(game, distance)`, solved once and kept on disk."""
    with _solving:
        if distance not in _tables:
            _tables[distance] = _kept_or_solved(game, distance, progress)
        return _tables[distance]


def _kept_or_solved(game: Game, distance: int, progress: Progress | None) -> Table:
    """The table from the folder that belongs to the present sources, or else solved and put there."""
    if not cache.has_folder():
        return solve(game, distance, progress)
    finish_keeping()
    folder = cache.folder() / stamps.named(rules, [*functions_of(induction), *RULES.values()])
    name = f"tide-{distance}-above-sandbank.f8"
    with contextlib.suppress(OSError), (folder / name).open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("d")
    found = solve(game, distance, progress)
    _keeping.append(threading.Thread(target=_keep, args=(found, folder, name)))
    _keeping[-1].start()
    return found


def finish_keeping() -> None:
    """Wait until what was solved lies in its folder."""
    while _keeping:
        _keeping.pop().join()


def _keep(found: Table, folder: Path, name: str) -> None:
    with contextlib.suppress(OSError):
        _write(found, folder, name)


def _write(found: Table, folder: Path, name: str) -> None:
    """Under another name first, so that nobody ever reads half of it; those of other sources go."""
    for old in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*/{name}"):
        old.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        file.write(found)
    Path(file.name).replace(folder / name)


# The last rounds before a limit


@dataclass(frozen=True)
class LastRounds:
    """What is expected in the rounds before a limit, for fleets with no more than this many boats on the river."""

    distance: int
    sandbank: int
    """Its place in the last round."""
    boats: tuple[int, int]
    rounds: int
    expected: speeds.Array
    """By the rounds to go after this one; then as in a `Table`."""

    def hold(self, record: Any) -> bool:
        """Whether the position is among them."""
        fits = all(boats <= most for boats, most in zip(_boats(record), self.boats, strict=True))
        river = (self.distance, self.sandbank) == (_distance(record), _last_sandbank(record))
        return fits and river and _to_go(record) < self.rounds


_latest: list[LastRounds] = []
"""One at most: the rounds are many, and those of the game that is being played are wanted again and again."""


def _last_rounds(game: Game, record: Any) -> LastRounds:
    """What is expected in each of the last rounds, from the position's on."""
    with _solving:
        if not (_latest and _latest[0].hold(record)):
            _latest[:] = [_solve_last_rounds(game, record)]
        return _latest[0]


def _solve_last_rounds(game: Game, record: Any) -> LastRounds:
    """Backward induction from the limit. Seats without a boat and ended games are passed on from round to round."""
    boats, distance, sandbank = _boats(record), _distance(record), _last_sandbank(record)
    rounds = _to_go(record) + 1
    rivers = [_river(1 + (sandbank - 1 + number) % PLACES, distance) for number in range(min(rounds, PLACES))]
    found = Induction(game, rounds, 1, rivers)
    found.end()
    found.choose([range(most + 1) for most in boats])
    found.go_back(rounds)
    return LastRounds(distance, sandbank, boats, rounds, found.expected)


def _last_sandbank(record: Any) -> int:
    return int(1 + (record.sandbank_start - record.round_limit) % PLACES)
