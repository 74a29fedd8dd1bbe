"""Sand Castles for learning programs."""

from strandline.engine.spaces import FAR, Extent, Part, in_turn, left, steps_to
from strandline.engine.vocabulary import first, pack, second, third, verb

from .box import ALL_TILES, IN_PLAY, LONGEST_LINE, NUMBER, TILES, WALLS, WAVES
from .rules import KINDS, LOOKED_AT, NOBODY, PAID_KINDS, Phase, Verb, due, stands_for, to_move

PHASES = len(Phase)
DRY = KINDS - 1
"""The kinds of tiles but for the waves, which come last."""

PLACES = max(min((LOOKED_AT - 1) * look + 1, ALL_TILES + 1 - look) for look in range(ALL_TILES))
"""No more places are peeked at once in a game that began with its first position: each look adds three at most, and
each look before it made its player take a tile (S37)."""

NAME = 100
"""The verb of a step of the Seagull's look: a peeked place is named, the lowest first."""
LOOK = 101
"""The verb of the last step: these are all."""

NIMBLE = 20
"""This many waves in a row at the start of a turn (S29) are less likely than one in 10**15."""


def decisions(players):
    """Flips, tiles to take, keep or pinch, every way to pay for each wall in play, and the Seagull's looks in steps."""
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
        yield pack(LOOK)
        yield from (pack(NAME, place) for place in places)


def steps(code):
    """A look takes a step for each place that is named, and one more (S-R15)."""
    if verb(code) != Verb.SEAGULL:
        return 1
    return 1 + (first(code) > 0) + (second(code) > 0) + (third(code) > 0)


def step_of(code, i):
    """The places of a look one by one, and that these are all; every other move is one step."""
    if verb(code) != Verb.SEAGULL:
        return code
    place = 0
    if i == 0:
        place = first(code)
    elif i == 1:
        place = second(code)
    elif i == 2:
        place = third(code)
    return pack(NAME, place) if place > 0 else pack(LOOK)


def is_move(code):
    """Whether this is a whole move, not a step of a look."""
    return verb(code) < NAME


def text(code):
    """A step in words."""
    return f"name {first(code)}" if verb(code) == NAME else "look"


def observe_step(code, out):
    """The place that was named, in the last part."""
    out[len(out) - PLACES + first(code) - 1] = 1


def _payments(wall):
    """Builds of the wall with each tool or without, where a tool stands for a tile that it costs (S41, S-R22)."""
    for shovel in range(PAID_KINDS):
        for rake in range(PAID_KINDS):
            payable = all(due(wall, tile, shovel, rake) >= 0 for tile in range(PAID_KINDS))
            if stands_for(shovel, rake) and payable:
                yield pack(Verb.BUILD, wall, shovel, rake)


def extent(players, options):
    """A tile or a wall turned up; in a turn every tile may be flipped, given back, taken and paid with, once a wave.

    Only luck ends the waves of Nimble Toes (S29): the bound allows for `NIMBLE` of them. Only the Seagull hides things.
    """
    outcomes = max(KINDS, IN_PLAY[players].bit_count())
    turns = players * (options["max_rounds"] + 1) if options["max_rounds"] else None
    return Extent(outcomes, turns and turns * (NIMBLE + 1) * (4 * ALL_TILES + players), secrets=players > 2)


def parts(players):
    """Whose turn it is, the tiles, the walls, the critters."""
    most = max(NUMBER)
    common = (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "who decides, own seat first"),
        Part("player", (players,), 0, 1, "whose turn it is, own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + ", ".join(phase.name.lower() for phase in Phase)),
        Part("rounds_left", (1,), 0, FAR, f"rounds until the limit, at most {FAR}"),
        Part("final_by", (players,), 0, 1, "who triggered the final round, own seat first"),
        Part("waves_out", (1,), 0, WAVES, "waves set aside"),
        Part("nimble", (1,), 0, 1, "whether the wave was the first tile"),
        Part("crab", (players,), 0, 1, "who holds the Crab, own seat first"),
        Part("pool", (KINDS,), 0, most, "face-down tiles that the seat cannot place: " + ", ".join(TILES)),
        Part("beach", (DRY,), 0, most, "tiles on the beach, as before but for the wave"),
        Part("dropped", (DRY,), 0, most, "tiles to draft"),
        Part("stashes", (players, DRY), 0, most, "each seat's stash, own first"),
        Part("line", (LONGEST_LINE, DRY), 0, 1, "the tiles of the line, from the left"),
        Part("row", (WALLS,), 0, 1, "the walls of the row"),
        Part("walls", (players, WALLS), 0, 1, "the walls of each castle, own first"),
    )
    return common if players == 2 else common + _seagull_parts(players)


def _seagull_parts(players):
    """There is a Seagull with three players and more (S3), and so there are peeked places."""
    return (
        Part("seagull", (players,), 0, 1, "who holds the Seagull, own seat first"),
        Part("seagull_used", (1,), 0, 1, "whether it was used in this turn"),
        Part("look_left", (1,), 0, LOOKED_AT, "unknown tiles still to look at"),
        Part("places", (PLACES,), 0, 1, "which places are peeked"),
        Part("looking", (PLACES,), 0, 1, "which places are looked at now"),
        Part("peeked", (PLACES, KINDS), 0, 1, "the tile at each place that the seat has looked at"),
        Part("known_by", (PLACES, players), 0, 1, "who has looked at each place, own seat first"),
        Part("named", (PLACES,), 0, 1, "places that the seat has named for a look"),
    )


def observe(s, seat, out):
    """Nothing of a tile that the seat has not looked at, but that it is one of those that the seat cannot place."""
    out[seat] = 1
    at = s.players
    who = to_move(s)
    if who >= 0:
        out[at + steps_to(s, seat, who)] = 1
    at += s.players
    out[at + steps_to(s, seat, s.seat)] = 1
    at += s.players
    out[at + s.phase] = 1
    at += PHASES
    out[at] = left(s.max_rounds, min(s.round, s.max_rounds))
    at += 1
    if s.final_by != NOBODY:
        out[at + steps_to(s, seat, s.final_by)] = 1
    at += s.players
    out[at] = s.waves_out
    out[at + 1] = s.nimble
    at += 2
    out[at + steps_to(s, seat, s.crab)] = 1
    at += s.players
    observe_pool(s, seat, out, at)
    at = observe_tiles(s, seat, out, at + KINDS)
    at = observe_walls(s, seat, out, at)
    if s.players > 2:
        observe_seagull(s, seat, out, at)


def observe_pool(s, seat, out, at):
    """The tiles that the seat cannot place, those that only others have looked at among them."""
    for tile in range(KINDS):
        out[at + tile] = s.pool[tile]
    if s.places != 0:
        for place in range(1, ALL_TILES + 1):
            if s.places >> place & 1 and not s.known_by[place] >> seat & 1:
                out[at + s.peeked[place]] += 1


def observe_tiles(s, seat, out, at):
    """The beach, what is dropped, the stashes, the line."""
    for tile in range(DRY):
        out[at + tile] = s.beach[tile]
        out[at + DRY + tile] = s.dropped[tile]
    at += 2 * DRY
    for step in range(s.players):
        stash = s.stashes[in_turn(s, seat, step)]
        for tile in range(DRY):
            out[at + tile] = stash[tile]
        at += DRY
    for i in range(s.line_length):
        out[at + i * DRY + s.line[i]] = 1
    return at + LONGEST_LINE * DRY


def observe_walls(s, seat, out, at):
    """The row, and what has been built."""
    for i in range(WALLS):
        out[at + i] = s.row >> i + 1 & 1
    at += WALLS
    for step in range(s.players):
        walls = s.walls[in_turn(s, seat, step)]
        for i in range(WALLS):
            out[at + i] = walls >> i + 1 & 1
        at += WALLS
    return at


def observe_seagull(s, seat, out, at):
    """The Seagull, and the places that it has seen."""
    out[at + steps_to(s, seat, s.seagull)] = 1
    at += s.players
    out[at] = s.seagull_used
    out[at + 1] = s.look_left
    at += 2
    if s.places == 0:
        return
    tiles = at + 2 * PLACES
    knowers = tiles + PLACES * KINDS
    for place in range(1, PLACES + 1):
        out[at + place - 1] = s.places >> place & 1
        out[at + PLACES + place - 1] = s.looking >> place & 1
        if s.known_by[place] >> seat & 1:
            out[tiles + s.peeked[place]] = 1
        for step in range(s.players):
            out[knowers + step] = s.known_by[place] >> in_turn(s, seat, step) & 1
        tiles += KINDS
        knowers += s.players
