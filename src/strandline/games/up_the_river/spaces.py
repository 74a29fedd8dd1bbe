"""Up the River for learning programs."""

from strandline.engine.spaces import FAR, Extent, Part, in_turn, left, steps_to
from strandline.engine.vocabulary import pack

from .box import PLACES
from .rules import BOATS, HARBOR, TOP_DOCK, WIND_FACE, Phase, Verb, score


def decisions(players):
    """Sail, good winds, ill winds against each seat."""
    boats = range(1, BOATS + 1)
    yield from (pack(Verb.SAIL, boat) for boat in boats)
    yield from (pack(Verb.GOOD, boat) for boat in boats)
    yield from (pack(Verb.ILL, seat, boat) for seat in range(players) for boat in boats)


def extent(players, options):
    """A die, and a decision a turn at most."""
    return Extent(WIND_FACE, players * options["round_limit"] or None)


def parts(players):
    """Whose turn it is, the river, the fleets."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "whose turn it is, own seat first"),
        Part("die", (WIND_FACE,), 0, 1, "the face that was rolled for this decision"),
        Part("rounds_left", (1,), 0, FAR, f"rounds until the limit, at most {FAR}"),
        Part("sandbank", (PLACES,), 0, 1, "the sandbank's place, from the bottom"),
        Part("tide", (PLACES,), 0, 1, "the high tide's place, from the bottom"),
        Part("next_dock", (1,), 0, TOP_DOCK, "the highest free dock"),
        Part("points", (players,), 0, 3 * TOP_DOCK - 3, "the score of each seat, own first"),
        Part(
            "boats",
            (players, BOATS, HARBOR + 1),
            0,
            1,
            f"where each boat is, own first: lost, place 1 to {PLACES}, in the harbor",
        ),
    )


def observe(s, seat, out):
    """There are no secrets."""
    out[seat] = 1
    at = s.players
    if s.phase != Phase.END:
        out[at + steps_to(s, seat, s.player)] = 1
    at += s.players
    if s.die > 0:
        out[at + s.die - 1] = 1
    at += WIND_FACE
    out[at] = left(s.round_limit, s.round)
    at += 1
    out[at + s.sandbank - 1] = 1
    at += PLACES
    out[at + s.tide - 1] = 1
    at += PLACES
    out[at] = s.next_dock
    at += 1
    for step in range(s.players):
        out[at] = score(s, in_turn(s, seat, step))
        at += 1
    for step in range(s.players):
        boats = s.boats[in_turn(s, seat, step)]
        for boat in range(BOATS):
            out[at + boats[boat]] = 1
            at += HARBOR + 1
