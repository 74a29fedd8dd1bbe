"""Up the River for learning programs."""

from strandline.engine.spaces import FAR, Part, mark, mark_seat, tell, tell_left
from strandline.engine.vocabulary import pack

from .box import PLACES
from .rules import BOATS, HARBOR, TOP_DOCK, WIND_FACE, Phase, Verb, score


def decisions(players):
    """Sail, good winds, ill winds against each seat."""
    boats = range(1, BOATS + 1)
    yield from (pack(Verb.SAIL, boat) for boat in boats)
    yield from (pack(Verb.GOOD, boat) for boat in boats)
    yield from (pack(Verb.ILL, seat, boat) for seat in range(players) for boat in boats)


def parts(players):
    """Whose turn it is, the river, the fleets."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "whose turn it is, the own seat first"),
        Part("die", (WIND_FACE,), 0, 1, "the face that was rolled for this decision"),
        Part("rounds_left", (1,), 0, FAR, f"rounds until the limit, at most {FAR}"),
        Part("sandbank", (PLACES,), 0, 1, "the sandbank's place, from the bottom"),
        Part("tide", (PLACES,), 0, 1, "the high tide's place, from the bottom"),
        Part("next_dock", (1,), 0, TOP_DOCK, "the highest free dock"),
        Part("points", (players,), 0, 3 * TOP_DOCK - 3, "the score of each seat, the own first"),
        Part(
            "boats",
            (players, BOATS, HARBOR + 1),
            0,
            1,
            f"where each boat is, the own first: lost, place 1 to {PLACES}, in the harbor",
        ),
    )


def observe(s, seat, out):
    """There are no secrets."""
    at = mark(out, 0, s.players, seat)
    at = mark_seat(out, at, s, seat, -1 if s.phase == Phase.END else s.player)
    at = mark(out, at, WIND_FACE, s.die - 1)
    at = tell_left(out, at, s.round_limit, s.round)
    at = mark(out, at, PLACES, s.sandbank - 1)
    at = mark(out, at, PLACES, s.tide - 1)
    at = tell(out, at, s.next_dock)
    for step in range(s.players):
        at = tell(out, at, score(s, (seat + step) % s.players))
    for step in range(s.players):
        for boat in range(BOATS):
            at = mark(out, at, HARBOR + 1, s.boats[(seat + step) % s.players][boat])
