"""What a game's `spaces.py` defines, so that learning programs can play it: what they do, what they see, what they get.

`decisions(players)` lists the code of every move that a seat can ever be asked for, each once: a code's place in the
list is the number of the action. `parts(players)` lists the `Part`s of an observation, and `extent(players, options)`
says how far a game can go. All three are plain Python.
`observe`, and `reward` where the game has its own, are in the rules' subset, as all functions here.
`hopes(players)`, plain Python too, is for games that nobody wins by chance; `insight_parts` and `insight` are for those
whose observations a small network cannot make much of.

Where a kind of move has very many forms, the game can take it apart: `steps`, `step_of` and `is_move` say how, and
`decisions` lists the steps instead of those moves. Then `text(code)` gives the words of a step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from strandline.engine.contract import winners
from strandline.engine.vocabulary import Value

FAR = 100
"""An end more than this many rounds away is seen as this far away, and so is one that never comes."""


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    """What they are, in a line."""

    @property
    def size(self) -> int:
        """How many numbers they are."""
        size = 1
        for length in self.shape:
            size *= length
        return size


@dataclass(frozen=True)
class Extent:
    """How far a game can go, for programs that must know it beforehand."""

    outcomes: int
    """The most outcomes that a chance event can have; 0 for a game without chance."""
    decisions: int | None
    """No game has more decisions; None if it may go on forever."""
    secrets: bool = False
    """Whether anything is ever hidden from a seat."""


def decisions(players: int) -> Iterable[int]:
    """The codes of all moves that a seat can ever be asked for, in the order of their actions."""
    raise NotImplementedError


def extent(players: int, options: Mapping[str, Value]) -> Extent:
    """How far a game with these options can go; the bounds need not be tight."""
    raise NotImplementedError


def parts(players: int) -> Iterable[Part]:
    """The parts of an observation, in their order."""
    raise NotImplementedError


def hopes(players: int) -> Mapping[str, Sequence[float]]:
    """What each number of a part promises of a win, by the part's name: about 1 in all when the win is near.

    Training by self-play rewards hope at first, and the win alone later: whoever never wins has nothing to learn from.
    """
    return {}


def observe(s, seat, out):
    """Write what the seat sees to `out`, which is zero: the parts one after the other, nothing hidden from the seat."""
    raise NotImplementedError


def insight_parts(players: int) -> Iterable[Part]:
    """The parts of what the game's networks see where that is not the observation; none where it is."""
    return ()


def insight(s, w, seat, out):
    """Write what a network is shown in the seat's place to `out`, which is zero; nothing hidden from the seat."""
    observe(s, seat, out)


def reward(s, seat):
    """What a finished game gives to the seat: a lone win 1, all else in proportion, nothing to all if nobody wins.

    It is the seat's share of the win less the share of an average seat, so that the seats' rewards add up to 0.
    """
    won = winners(s)
    if won == 0:
        return 0.0
    number = 0
    for other in range(s.players):
        number += won >> other & 1
    share = (won >> seat & 1) / number
    return (s.players * share - 1.0) / (s.players - 1.0)


def steps(code):
    """How many actions the move takes, one after the other."""
    return 1


def step_of(code, i):
    """The code of step `i` of the move, from 0 on; the move itself where that is one action."""
    return code


def is_move(code):
    """Whether the code of an action is that of a whole move, and not of a step."""
    return True


def observe_step(code, out):
    """Write a step that the seat has taken of a move, not complete yet, to what it sees."""


# For `observe`. Handing `out` on takes longer than writing to it, so the parts are written where they stand.


def in_turn(s, seat, step):
    """The seat that comes that many seats after `seat`."""
    who = seat + step
    return who - s.players if who >= s.players else who  # a division would take longer


def steps_to(s, seat, who):
    """How many seats after `seat` the seat `who` comes."""
    return who - seat if who >= seat else who - seat + s.players


def left(limit, done):
    """How far away the limit is, at most `FAR`; a limit of 0 is none."""
    return min(limit - done, FAR) if limit > 0 else FAR
