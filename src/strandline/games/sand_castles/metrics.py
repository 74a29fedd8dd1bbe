"""Sand Castles: what studies count."""

from strandline.engine.metrics import Metric
from strandline.engine.vocabulary import first, second, third, verb

from .box import Tile
from .rules import CASTLE, Phase, Verb, rank, size, tiles

METRICS = (
    Metric("flips", "tiles", "tiles that come up while somebody collects"),
    Metric("stops", "turns", "turns in which the player stops in time and keeps the line"),
    Metric("drops", "turns", "turns in which an equal decoration comes up and the rest of the line is dropped"),
    Metric("tiles dropped", "tiles", "tiles that are dropped and taken by all"),
    Metric("waves", "waves", "waves that crash"),
    Metric("nimble toes", "waves", "waves that come as the first tile, so that the player collects again"),
    Metric("washed away", "tiles", "tiles that players give back at a wave"),
    Metric("seagulls", "looks", "looks at tiles with the Seagull"),
    Metric("crabs", "pinches", "tiles that the Crab pinches from another stash"),
    Metric("walls", "walls", "walls that are built"),
    Metric("tools", "tools", "shovels and rakes that stand for a decoration in a wall"),
    Metric("castles", "castles", "castles of four walls"),
)
(FLIPS, STOPS, DROPS, DROPPED, WAVES, NIMBLE, WASHED, SEAGULLS, CRABS, WALLS, TOOLS, CASTLES) = range(len(METRICS))


def watch(before, after, code, tally):
    """What a tile, or a decision, did."""
    what = verb(code)
    if what == Verb.DRAW:
        came_up(before, after, first(code), tally)
    elif what == Verb.FLIP_PEEKED or what == Verb.TAKE_PEEKED:
        came_up(before, after, before.peeked[first(code)], tally)
    elif what == Verb.STOP:
        tally[STOPS] += 1
    elif what == Verb.DISCARD:
        tally[WASHED] += 1
    elif what == Verb.SEAGULL:
        tally[SEAGULLS] += 1
    elif what == Verb.CRAB:
        tally[CRABS] += 1
    elif what == Verb.BUILD:
        tally[WALLS] += 1
        tally[TOOLS] += (second(code) > 0) + (third(code) > 0)
        tally[CASTLES] += size(after.walls[before.seat]) == CASTLE


def came_up(before, after, tile, tally):
    """A tile of the pool: it joins the line, is a wave, or makes the player drop tiles."""
    tally[FLIPS] += 1
    if tile == Tile.WAVE:
        tally[WAVES] += 1
        tally[NIMBLE] += before.line_length == 0
    elif after.phase == Phase.DRAFT:
        tally[DROPS] += 1
        tally[DROPPED] += tiles(after.dropped)


def progress(s, seat):
    """The points, then the walls and tiles that break ties."""
    return rank(s, seat)
