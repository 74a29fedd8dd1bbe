"""What a game's `spaces.py` defines, so that learning programs can play it: what they do, what they see, what they get.

`decisions(players)` lists the code of every move that a seat can ever be asked for, each once: a code's place in the
list is the number of the action. `parts(players)` lists the `Part`s of an observation. Both are plain Python.
`observe`, and `reward` where the game has its own, are in the rules' subset, as all functions here.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from strandline.engine.contract import winners

FAR = 100
"""An end that is further away than so many rounds is seen as so far away, and so is one that never comes."""


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together; none is below -128 or above 127."""

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


def decisions(players: int) -> Iterable[int]:
    """The codes of all moves that a seat can ever be asked for, in the order of their actions."""
    raise NotImplementedError


def parts(players: int) -> Iterable[Part]:
    """The parts of an observation, in their order."""
    raise NotImplementedError


def observe(s, seat, out):
    """Write what the seat sees to `out`, which is zero: the parts one after the other, nothing hidden from the seat."""
    raise NotImplementedError


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


# For `observe`: each writes a part, or a row of one, from place `at` on, and returns the place after it.


def mark(out, at, size, i):
    """`size` numbers of which number `i` is 1 and the others are 0; all are 0 if there is no number `i`."""
    if 0 <= i < size:
        out[at + i] = 1
    return at + size


def mark_members(out, at, size, numbers):
    """A number for each of 1 to `size`: 1 if it is in the set, which is kept as bits."""
    for i in range(size):
        out[at + i] = numbers >> (i + 1) & 1
    return at + size


def mark_seat(out, at, s, seat, who):
    """A number for each seat, counted from `seat` on: 1 for the seat `who`, all 0 if it is none."""
    if who >= 0:
        out[at + (who - seat + s.players) % s.players] = 1
    return at + s.players


def tell(out, at, number):
    """One number."""
    out[at] = number
    return at + 1


def tell_left(out, at, limit, done):
    """One number: how far away the limit is, at most `FAR`; a limit of 0 is none."""
    out[at] = min(limit - done, FAR) if limit > 0 else FAR
    return at + 1
