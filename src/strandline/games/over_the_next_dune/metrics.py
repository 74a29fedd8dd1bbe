"""Over the Next Dune: what studies count."""

from strandline.engine.metrics import Metric
from strandline.engine.vocabulary import first, second, verb

from .box import ROWS, SEARCHERS
from .rules import BITS, DOWN, RIGHT, Phase, Reason, Verb, caught

METRICS = (
    Metric("home", "tokens", "tokens that leave the battlefield at the top"),
    Metric("caught in a search", "tokens", "tokens that a searcher catches when it moves by its card"),
    Metric("caught by a follower", "tokens", "tokens that a searcher catches when it follows a step"),
    Metric("rescued", "tokens", "captives that are set free"),
    Metric("steps", "steps", "steps of tokens"),
    Metric("rough steps", "steps", "steps onto rough squares, which take two points"),
    Metric("followed steps", "steps", "steps of searchers that have noticed a token and follow it"),
    Metric("markers found", "markers", "markers of a trail that a searcher reads when it moves by its card"),
    Metric("won", "games", "games that end with all tokens away"),
    Metric("camp", "games", "games lost because a captive is brought to the camp"),
    Metric("sunrise", "games", "games lost because the sun rises"),
    Metric("hopeless", "games", "games lost because too few are free to rescue the captives"),
)
(HOME, SEARCHED, _, RESCUED, STEPS, ROUGH_STEPS, FOLLOWED, FOUND, WON, _, _, _) = range(len(METRICS))
FOLLOWER = SEARCHED + 1


def watch(before, after, code, tally):
    """What a card or a step did, and how the game ended."""
    what = verb(code)
    newly = caught(after) & ~caught(before)
    if what == Verb.CARD:
        tally[SEARCHED] += BITS[newly]
        tally[FOUND] += markers_gone(before, after)
    elif what == Verb.DROP:
        tally[RESCUED] += 1
    elif what == Verb.MOVE:
        tally[FOLLOWER] += BITS[newly]
        tally[HOME] += BITS[after.away & ~before.away]
        tally[FOLLOWED] += searchers_moved(before, after)
        tally[STEPS] += 1
        row = before.token_row[first(code)] + DOWN[second(code)]
        column = before.token_column[first(code)] + RIGHT[second(code)]
        tally[ROUGH_STEPS] += before.rough[row] >> column & 1
    if after.phase == Phase.OVER and after.reason != Reason.NONE:
        tally[WON + after.reason - Reason.LINES] += 1


def markers_gone(before, after):
    """How many markers a searcher has taken up."""
    gone = 0
    for row in range(1, ROWS + 1):
        columns = before.marked[row] & ~after.marked[row]
        while columns:
            columns &= columns - 1
            gone += 1
    return gone


def searchers_moved(before, after):
    """How many searchers are not where they were."""
    moved = 0
    for searcher in range(1, SEARCHERS + 1):
        moved += (
            before.searcher_row[searcher] != after.searcher_row[searcher]
            or before.searcher_column[searcher] != after.searcher_column[searcher]
        )
    return moved
