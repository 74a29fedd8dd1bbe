"""What a game's `rules.py` must define, besides `FACTS`, `OPTIONS`, `STATE` and `WORK`.

Drivers are written against these names; `binding` puts a game's own functions in their place. `s` is a record of
`STATE` and `w` one of `WORK`.
"""

STATE = object()
WORK = object()


def setup(s, w):
    """Make `s` the first position. `players` and the options are already set, everything else is zero."""
    raise NotImplementedError


def to_move(s):
    """The seat that decides, `CHANCE`, or `OVER`."""
    raise NotImplementedError


def count(s, w):
    """How many legal moves the seat has, or how many equally likely tickets are in chance's bag; 0 when it is over.

    May prepare `w` for the calls of `nth` that follow on the same `s`.
    """
    raise NotImplementedError


def nth(s, w, i):
    """The code of legal move `i`, or of the outcome on ticket `i`, right after `count`; `i` counts from 0.

    Moves are all different. Tickets that share an outcome stand side by side: their number is its weight.
    """
    raise NotImplementedError


def apply(s, w, code):
    """Play a legal move or a possible outcome, with all that follows from it."""
    raise NotImplementedError


def score(s, seat):
    """The seat's score, at any time."""
    raise NotImplementedError


def winners(s):
    """The winners as bits, seat 0 the lowest; 0 before the end or when nobody wins."""
    raise NotImplementedError


def rounds(s):
    """How long the game has been going on, in the rulebook's rounds or turns."""
    raise NotImplementedError
