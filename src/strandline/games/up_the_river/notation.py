"""Up the River in text and JSON."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation

from .box import PLACES
from .rules import BOATS, HARBOR, LOST, TOP_DOCK, Phase, Verb

MOVES = Notation(
    {Verb.ROLL: "roll {1-6}", Verb.SAIL: "sail {1-3}", Verb.GOOD: "good {1-3}", Verb.ILL: "ill {0-3} {1-3}"}
)
write = MOVES.write
read = MOVES.read

FIELDS = ("phase", "turn", "player", "die", "round", "sandbank", "tide", "boats", "docks")
PHASES = tuple(phase.name.lower() for phase in Phase)


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    over = s.phase == Phase.END
    return {
        "phase": PHASES[s.phase],
        "turn": None if over else "chance" if s.phase == Phase.ROLL else s.player,
        "player": None if over else s.player,
        "die": s.die or None,
        "round": s.round,
        "sandbank": s.sandbank,
        "tide": s.tide,
        "boats": [list(s.boats[seat]) for seat in range(s.players)],
        "docks": [list(s.docks[seat]) for seat in range(s.players)],
    }


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in; what can be told from other fields is compared afterwards by the engine."""
    checks.fields(value, FIELDS, "The position")
    s.phase = PHASES.index(checks.word(value["phase"], PHASES, "phase"))
    s.round = checks.whole(value["round"], 1, s.round_limit or 10**9, "round")
    s.sandbank = 1 + (s.sandbank_start - s.round) % PLACES
    s.tide = 1 + (s.tide_start - s.round) % PLACES
    _read_boats(value, s)
    if s.phase == Phase.END:
        _check_end(s)
    else:
        _read_turn(value, s)


def _read_boats(value: dict[str, Any], s: Any) -> None:
    for name, most, to in (("boats", HARBOR, s.boats), ("docks", TOP_DOCK, s.docks)):
        for seat, row in enumerate(checks.items(value[name], s.players, s.players, name)):
            for boat, number in enumerate(checks.items(row, BOATS, BOATS, f"{name}[{seat}]")):
                to[seat][boat] = checks.whole(number, 0, most, f"{name}[{seat}][{boat}]")
    used = []
    for seat in range(s.players):
        for boat in range(BOATS):
            if (s.boats[seat][boat] == HARBOR) != (s.docks[seat][boat] > 0):
                raise checks.Flaw(
                    f"Boat {boat + 1} of seat {seat} must have a dock if it is in the harbor, and only then."
                )
            used += [s.docks[seat][boat]] if s.docks[seat][boat] else []
    if sorted(used, reverse=True) != list(range(TOP_DOCK, TOP_DOCK - len(used), -1)):
        raise checks.Flaw(
            f"The docks in use must be {TOP_DOCK}, {TOP_DOCK - 1}, … without a gap, not {sorted(used)[::-1]}."
        )
    s.next_dock = TOP_DOCK - len(used)


def _read_turn(value: dict[str, Any], s: Any) -> None:
    s.player = checks.whole(value["player"], 0, s.players - 1, "player")
    if not _afloat(s, s.player):
        raise checks.Flaw(f"Seat {s.player} cannot be the player: it has no boat on the river.")
    if s.phase == Phase.SAIL:
        s.die = checks.whole(value["die"], 1, 5, "die")
    elif s.phase == Phase.WIND:
        s.die = 6


def _check_end(s: Any) -> None:
    if any(_afloat(s, seat) for seat in range(s.players)) and not s.round == s.round_limit:
        raise checks.Flaw("The game cannot be over: there is a boat on the river, and no limit of rounds is reached.")


def _afloat(s: Any, seat: int) -> bool:
    return any(LOST < place < HARBOR for place in s.boats[seat])
