"""Reef Route: what studies count."""

from strandline.engine.metrics import Metric
from strandline.engine.vocabulary import first, second, verb

from .box import COLUMNS
from .rules import COLOUR, COLOURS, REEF, SCHOOL, SIZE, STRIDE, End, Phase, Verb, winner

METRICS = (
    Metric("eaten by small", "fish", "fish that a small predator eats"),
    Metric("eaten by medium", "fish", "fish that a medium predator eats"),
    Metric("eaten by large", "fish", "fish that a large predator eats"),
    Metric("predator steps", "steps", "steps of predators"),
    Metric("own fish", "steps", "steps of a fish of the roller's own colour"),
    Metric("others' fish", "steps", "steps of another player's fish, which the roller had to make"),
    Metric("nobody's fish", "steps", "steps of a fish that belongs to no player"),
    Metric("unused dice", "dice", "colours rolled of which no fish could move"),
    Metric("won at the reef", "games", "games that a fish on the reef wins"),
    Metric("won as last survivor", "games", "games won because no other colour is left"),
    Metric("neutral fish reached the reef", "games", "games that a fish which belongs to no player ends at the reef"),
    Metric("all eaten", "games", "games in which the predators eat the last fish of all players"),
    Metric("stopped", "games", "games that the limit of rolls stops"),
)
(SMALL, _, _, PREDATORS, OWN, OTHERS, NOBODYS, UNUSED, AT_REEF, AS_LAST, REEF_FOR_NOBODY, ALL_EATEN, STOPPED) = range(
    len(METRICS)
)


def watch(before, after, code, tally):
    """What a roll or a step did, and how the game ended."""
    what = verb(code)
    if what == Verb.PREDATOR:
        tally[PREDATORS] += 1
        tally[SMALL + SIZE[before.predators][first(code) - 1]] += on_board(before) - on_board(after)
    elif what == Verb.SWIM:
        tally[whose(before, first(code))] += 1
    tally[UNUSED] += unused(before, after, code)
    if after.phase == Phase.OVER:
        tally[ending(after)] += 1


def on_board(s):
    """How many fish there are."""
    fish = 0
    for colour in range(COLOURS):
        fish += s.schools[colour]
    return fish


def whose(s, colour):
    """Which steps are counted for a fish of this colour."""
    for seat in range(s.players):
        if COLOUR[seat] == colour:
            return OWN if seat == s.seat else OTHERS
    return NOBODYS


def unused(before, after, code):
    """How many colour dice are lost now for want of a legal step; not those that the end of the game cuts off."""
    what = verb(code)
    lost = 0
    if what == Verb.ROLL:
        lost = (first(code) > 0) + (second(code) > 0)
    else:
        for colour in range(COLOURS):
            lost += before.colour_dice[colour]
        lost -= what == Verb.SWIM and before.phase == Phase.FISH
    left = 0
    for colour in range(COLOURS):
        left += after.colour_dice[colour]
    if left > 0 or (after.phase == Phase.OVER and after.end != End.LIMIT):
        return 0
    return lost


def ending(s):
    """Which ending it was."""
    if s.end == End.LAST:
        return AS_LAST
    if s.end == End.GONE:
        return ALL_EATEN
    if s.end == End.LIMIT:
        return STOPPED
    return AT_REEF if winner(s) >= 0 else REEF_FOR_NOBODY


def progress(s, seat):
    """How near to the reef the school's first fish is, and then how many fish there are."""
    colour = COLOUR[seat]
    column = 0
    for number in range(s.school):
        tile = s.fish[colour][number]
        column = max(column, COLUMNS + 1 if tile == REEF else tile // STRIDE)
    return column * (SCHOOL + 1) + s.schools[colour]
