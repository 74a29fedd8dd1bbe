"""Up the River: what helps a bot. In playouts boats sail where most is likely to come home.

The numbers are fitted to the exact values of two-seat games with several layouts.
"""

from strandline.engine.vocabulary import first, second, table, verb

from .rules import HARBOR, Verb, ahead, behind, nth, reach, upstream

SIMULATIONS = 100_000

PLACE = table((0, 21, 45, 55, 66, 71, 77, 83, 89, 93, 96))
"""What a boat at this place brings home, in tenths of a dock's points."""
TURN = table((0, 22, 12, 10, 9, 9, 9, 8, 6, 3, 3))
"""What it is worth in addition if its seat still has a turn before the current."""
SANDBANK = table((1, -12, -9, -7, -1, 0, 0, 0, 0, 0))
"""What a sandbank that many cards ahead costs it."""
TIDE = table((0, 1, 4, 4, 5, 3, 0, 0, 0, 0))
"""What a high tide that many cards ahead is worth to it: a throw may hit it."""


def outlook(s, seat, place):
    """What a boat of the seat at this place may bring; in the harbor it is the highest free dock."""
    if place == HARBOR:
        return 10 * s.next_dock
    total = PLACE[place]
    if seat >= s.player:
        total += TURN[place]
    if s.sandbank >= place:
        total += SANDBANK[s.sandbank - place]
    if s.tide >= place:
        total += TIDE[s.tide - place]
    return total


def pick(s, w, n, bits):
    """The boat that gains most by it sails, or the wind blows where it does most; by chance among equals."""
    best = 0
    most = -HARBOR * 100
    start = bits % n
    for step in range(n):
        i = (start + step) % n
        gained = gain(s, nth(s, w, i))
        if gained > most:
            most = gained
            best = i
    return best


def gain(s, code):
    """How much better placed one's own boat is after the move, or how much worse the other's."""
    if verb(code) == Verb.ILL:
        seat = first(code)
        place = s.boats[seat][second(code) - 1]
        return outlook(s, seat, place) - outlook(s, seat, behind(s, seat, place))
    place = s.boats[s.player][first(code) - 1]
    if verb(code) == Verb.GOOD:
        goal = upstream(s, place, ahead(s, s.player, place) - place)
    else:
        goal = reach(s, place)
    return outlook(s, s.player, goal) - outlook(s, s.player, place)
