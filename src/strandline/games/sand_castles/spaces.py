"""Sand Castles for learning programs."""

from itertools import combinations

from strandline.engine.spaces import FAR, Part, mark, mark_members, mark_seat, tell, tell_left
from strandline.engine.vocabulary import pack

from .box import ALL_TILES, IN_PLAY, LONGEST_LINE, NUMBER, TILES, WALLS, WAVES
from .rules import KINDS, LOOKED_AT, PAID_KINDS, Phase, Verb, due, stands_for, to_move

PHASES = len(Phase)
DRY = KINDS - 1
"""The kinds of tiles but for the waves, which come last."""

PLACES = max(min((LOOKED_AT - 1) * look + 1, ALL_TILES + 1 - look) for look in range(ALL_TILES))
"""No more places are peeked at once in a game that began with its first position: each look adds three at most, and
each look before it made its player take a tile (S37)."""


def decisions(players):
    """Flips, the Seagull's looks, tiles to take, keep or pinch, and every way to pay for each wall in play."""
    seagull = players > 2
    places = range(1, PLACES + 1) if seagull else ()
    dry = range(DRY)
    yield from (pack(Verb.FLIP), pack(Verb.STOP), pack(Verb.KEEP), pack(Verb.PASS))
    for what in (Verb.TAKE, Verb.DISCARD):
        yield from (pack(what, tile) for tile in dry)
    yield from (pack(Verb.CRAB, seat, tile) for seat in range(players) for tile in dry)
    for wall in range(1, WALLS + 1):
        if IN_PLAY[players] >> wall & 1:
            yield from _payments(wall)
    if seagull:
        yield from (pack(Verb.SEAGULL_TO, seat) for seat in range(players))
    for what in (Verb.FLIP_PEEKED, Verb.TAKE_PEEKED):
        yield from (pack(what, place) for place in places)
    if seagull:
        for named in range(LOOKED_AT + 1):
            yield from (pack(Verb.SEAGULL, *chosen) for chosen in combinations(places, named))


def _payments(wall):
    """Builds of the wall with each tool or without, where a tool stands for a tile that it costs (S41, S-R22)."""
    for shovel in range(PAID_KINDS):
        for rake in range(PAID_KINDS):
            payable = all(due(wall, tile, shovel, rake) >= 0 for tile in range(PAID_KINDS))
            if stands_for(shovel, rake) and payable:
                yield pack(Verb.BUILD, wall, shovel, rake)


def parts(players):
    """Whose turn it is, the tiles, the walls, the critters."""
    most = max(NUMBER)
    common = (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "who decides, the own seat first"),
        Part("player", (players,), 0, 1, "whose turn it is, the own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + ", ".join(phase.name.lower() for phase in Phase)),
        Part("rounds_left", (1,), 0, FAR, f"rounds until the limit, at most {FAR}"),
        Part("final_by", (players,), 0, 1, "who triggered the final round, the own seat first"),
        Part("waves_out", (1,), 0, WAVES - 1, "waves set aside"),
        Part("nimble", (1,), 0, 1, "whether the wave was the first tile"),
        Part("crab", (players,), 0, 1, "who holds the Crab, the own seat first"),
        Part("pool", (KINDS,), 0, most, "face-down tiles that the seat cannot place: " + ", ".join(TILES)),
        Part("beach", (DRY,), 0, most, "tiles on the beach, as before but for the wave"),
        Part("dropped", (DRY,), 0, most, "tiles to draft"),
        Part("stashes", (players, DRY), 0, most, "each seat's stash, the own first"),
        Part("line", (LONGEST_LINE, DRY), 0, 1, "the tiles of the line, from the left"),
        Part("row", (WALLS,), 0, 1, "the walls of the row"),
        Part("walls", (players, WALLS), 0, 1, "the walls of each castle, the own first"),
    )
    return common if players == 2 else common + _seagull_parts(players)


def _seagull_parts(players):
    """There is a Seagull with three players and more (S3), and so there are peeked places."""
    return (
        Part("seagull", (players,), 0, 1, "who holds the Seagull, the own seat first"),
        Part("seagull_used", (1,), 0, 1, "whether it was used in this turn"),
        Part("look_left", (1,), 0, LOOKED_AT, "unknown tiles still to look at"),
        Part("places", (PLACES,), 0, 1, "which places are peeked"),
        Part("looking", (PLACES,), 0, 1, "which places are looked at now"),
        Part("peeked", (PLACES, KINDS), 0, 1, "the tile at each place that the seat has looked at"),
        Part("known_by", (PLACES, players), 0, 1, "who has looked at each place, the own seat first"),
    )


def observe(s, seat, out):
    """Nothing of a tile that the seat has not looked at, but that it is one of those that the seat cannot place."""
    at = mark(out, 0, s.players, seat)
    at = mark_seat(out, at, s, seat, to_move(s))
    at = mark_seat(out, at, s, seat, s.seat)
    at = mark(out, at, PHASES, s.phase)
    at = tell_left(out, at, s.max_rounds, min(s.round, s.max_rounds))
    at = mark_seat(out, at, s, seat, s.final_by)
    at = tell(out, at, s.waves_out)
    at = tell(out, at, s.nimble)
    at = mark_seat(out, at, s, seat, s.crab)
    for place in range(1, ALL_TILES + 1):
        if s.places >> place & 1 and not s.known_by[place] >> seat & 1:
            out[at + s.peeked[place]] += 1
    at = observe_tiles(s, seat, out, at)
    at = observe_walls(s, seat, out, at)
    if s.players > 2:
        observe_seagull(s, seat, out, at)


def observe_tiles(s, seat, out, at):
    """Heaps and the line; in the pool there already are the tiles that only others know."""
    for tile in range(KINDS):
        out[at + tile] += s.pool[tile]
    at = observe_heap(out, at + KINDS, s.beach)
    at = observe_heap(out, at, s.dropped)
    for step in range(s.players):
        at = observe_heap(out, at, s.stashes[(seat + step) % s.players])
    for i in range(s.line_length):
        out[at + i * DRY + s.line[i]] = 1
    return at + LONGEST_LINE * DRY


def observe_heap(out, at, heap):
    """How many tiles of each kind there are."""
    for tile in range(DRY):
        out[at + tile] = heap[tile]
    return at + DRY


def observe_walls(s, seat, out, at):
    """The row, and what has been built."""
    at = mark_members(out, at, WALLS, s.row)
    for step in range(s.players):
        at = mark_members(out, at, WALLS, s.walls[(seat + step) % s.players])
    return at


def observe_seagull(s, seat, out, at):
    """The Seagull, and the places that it has seen."""
    at = mark_seat(out, at, s, seat, s.seagull)
    at = tell(out, at, s.seagull_used)
    at = tell(out, at, s.look_left)
    at = mark_members(out, at, PLACES, s.places)
    at = mark_members(out, at, PLACES, s.looking)
    knowers = at + PLACES * KINDS
    for place in range(1, PLACES + 1):
        if s.known_by[place] >> seat & 1:
            out[at + s.peeked[place]] = 1
        for step in range(s.players):
            out[knowers + step] = s.known_by[place] >> (seat + step) % s.players & 1
        at += KINDS
        knowers += s.players
