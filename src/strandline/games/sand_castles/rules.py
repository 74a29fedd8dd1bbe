"""Sand Castles: flip tiles as long as you dare, mind the waves, and build four walls.

Rule numbers are those of `docs/rules/sand_castles.md`. A heap of tiles is a row of counts by `Tile`; a set of walls,
places or seats is bits by their numbers.
"""

from enum import IntEnum

from strandline.engine.vocabulary import CHANCE, OVER, Facts, Option, first, pack, scratch, second, state, third, verb

from .box import ALL_TILES, COST, IN_PLAY, LONGEST_LINE, NUMBER, PAID, POINTS, RAKE_GROUP, SHOVEL_GROUP, WAVES, Tile

FACTS = Facts("Sand Castles", "Gather tiles, mind the waves and build a castle.", seats=(2, 3, 4), minutes=30)

OPTIONS = (
    Option(
        "max_rounds",
        range(1000),
        60,
        "The game ends after this many rounds; 0 means no limit.",
        title="Longest game, in rounds",
    ),
)

SEATS = 4
KINDS = len(Tile)
PAID_KINDS = len(PAID)  # sand and the decorations, which come first in the tile order
ROW = 5
CASTLE = 4
KEPT = 4
LOOKED_AT = 3
NOBODY = -1


class Phase(IntEnum):
    """What the game waits for."""

    SETUP = 0
    COLLECT = 1
    DRAW = 2
    PEEK = 3
    PICK = 4
    DRAFT = 5
    WAVE = 6
    BUILD = 7
    REFILL = 8
    SEAGULL = 9
    OVER = 10


class Verb(IntEnum):
    """What a move does."""

    FLIP = 0
    FLIP_PEEKED = 1
    STOP = 2
    SEAGULL = 3  # with the places named, 0 for none
    TAKE_PEEKED = 4
    TAKE = 5
    DISCARD = 6
    KEEP = 7
    CRAB = 8
    BUILD = 9  # with the wall, what the shovel stands for and what the rake stands for, 0 for nothing
    PASS = 10
    SEAGULL_TO = 11
    DRAW = 12
    PEEK = 13
    WALL = 14


STATE = state(
    OPTIONS,
    ("places", "i8"),  # the places in `peeked`
    ("looking", "i8"),
    ("round", "i4"),
    ("row", "i4"),
    ("walls", "i4", SEATS),
    ("phase", "i1"),
    ("seat", "i1"),
    ("chooser", "i1"),  # who takes a dropped tile or keeps tiles at a wave
    ("final_by", "i1"),
    ("waves_out", "i1"),
    ("crab", "i1"),
    ("seagull", "i1"),
    ("seagull_used", "i1"),
    ("look_left", "i1"),
    ("nimble", "i1"),
    ("line_length", "i1"),
    ("line", "i1", LONGEST_LINE),
    ("pool", "i1", KINDS),
    ("beach", "i1", KINDS),
    ("dropped", "i1", KINDS),
    ("stashes", "i1", (SEATS, KINDS)),
    ("peeked", "i1", ALL_TILES + 1),  # the tile at each place
    ("known_by", "i1", ALL_TILES + 1),  # the seats that have looked at it
)
WORK = scratch(
    ("moves", "i4", ROW * PAID_KINDS * PAID_KINDS + (SEATS - 1) * KINDS + 1),  # those of the build step
    ("listed", "i4"),
)


def setup(s, w):
    """All tiles in the pool (S4), no line, stash, beach or castle (S1, S6), no wall turned up yet (S5).

    Seat 0 starts, with the Seagull (S7) unless two play (S3); the last seat holds the Crab (S7).
    """
    for tile in range(KINDS):
        s.pool[tile] = NUMBER[tile]
    s.round = 1
    s.final_by = NOBODY
    s.crab = s.players - 1
    s.seagull = 0 if s.players > 2 else NOBODY


def to_move(s):
    """Chance turns up walls and tiles (S-R30); a chooser takes dropped tiles or answers a wave; else the player."""
    phase = s.phase
    if phase == Phase.SETUP or phase == Phase.DRAW or phase == Phase.PEEK or phase == Phase.REFILL:
        return CHANCE
    if phase == Phase.DRAFT or phase == Phase.WAVE:
        return s.chooser
    if phase == Phase.OVER:
        return OVER
    return s.seat


def count(s, w):
    """A ticket for each unknown tile or each wall of the stack (S-R3), or the moves of the phase."""
    phase = s.phase
    if phase == Phase.COLLECT:
        return ways_to_collect(s)
    if phase == Phase.DRAW or phase == Phase.PEEK:
        return tiles(s.pool)
    if phase == Phase.WAVE:
        return kinds(s.stashes[s.chooser]) + may_keep(s)
    if phase == Phase.DRAFT:
        return kinds(s.dropped)
    if phase == Phase.BUILD:
        return list_build_step(s, w)
    if phase == Phase.PICK:
        return size(s.looking)
    if phase == Phase.SETUP or phase == Phase.REFILL:
        return size(stack(s))
    if phase == Phase.SEAGULL:
        return size(receivers(s))
    return 0


def nth(s, w, i):
    """Tiles in tile order, walls, places and seats ascending."""
    phase = s.phase
    if phase == Phase.COLLECT:
        return nth_way_to_collect(s, i)
    if phase == Phase.DRAW:
        return pack(Verb.DRAW, nth_tile(s.pool, i))
    if phase == Phase.PEEK:
        return pack(Verb.PEEK, nth_tile(s.pool, i))
    if phase == Phase.WAVE:
        if i == kinds(s.stashes[s.chooser]):
            return pack(Verb.KEEP)
        return pack(Verb.DISCARD, nth_kind(s.stashes[s.chooser], i))
    if phase == Phase.DRAFT:
        return pack(Verb.TAKE, nth_kind(s.dropped, i))
    if phase == Phase.BUILD:
        return w.moves[i]
    if phase == Phase.PICK:
        return pack(Verb.TAKE_PEEKED, nth_of(s.looking, i))
    if phase == Phase.SEAGULL:
        return pack(Verb.SEAGULL_TO, nth_of(receivers(s), i))
    return pack(Verb.WALL, nth_of(stack(s), i))


def apply(s, w, code):
    """A turn is: collect, then the build step, then the next player clockwise (S8)."""
    what = verb(code)
    if what == Verb.DRAW:
        draw(s, w, first(code))
    elif what == Verb.FLIP:
        s.phase = Phase.DRAW
    elif what == Verb.STOP:
        stop(s, w)
    elif what == Verb.DISCARD:
        discard(s, w, first(code))
    elif what == Verb.KEEP:
        ask_next(s, w)
    elif what == Verb.TAKE:
        take(s, w, first(code))
    elif what == Verb.BUILD:
        build(s, w, first(code), second(code), third(code))
    elif what == Verb.CRAB:
        pinch(s, w, first(code), second(code))
    elif what == Verb.PASS:
        end_of_turn(s)
    elif what == Verb.WALL:
        turn_up(s, w, first(code))
    elif what == Verb.SEAGULL:
        look(s, first(code), second(code), third(code))
    elif what == Verb.PEEK:
        peek(s, first(code))
    elif what == Verb.SEAGULL_TO:
        pass_seagull(s, first(code))
    else:
        flip_peeked(s, w, first(code))


# Heaps of tiles and sets of numbers


def tiles(heap):
    """How many tiles are in the heap."""
    total = 0
    for tile in range(KINDS):
        total += heap[tile]
    return total


def kinds(heap):
    """How many different tiles are in the heap."""
    different = 0
    for tile in range(KINDS):
        different += heap[tile] > 0
    return different


def nth_tile(heap, i):
    """Tile `i` of the heap in tile order."""
    tile = 0
    while i >= heap[tile]:
        i -= heap[tile]
        tile += 1
    return tile


def nth_kind(heap, i):
    """The `i`-th of the different tiles in the heap."""
    tile = 0
    while heap[tile] == 0 or i > 0:
        i -= heap[tile] > 0
        tile += 1
    return tile


def pour(heap, into):
    """All tiles of one heap go into another."""
    for tile in range(KINDS):
        into[tile] += heap[tile]
        heap[tile] = 0


def size(numbers):
    """How many numbers are in the set."""
    found = 0
    while numbers:
        numbers &= numbers - 1
        found += 1
    return found


def nth_of(numbers, i):
    """The `i`-th number of the set."""
    while i > 0:
        numbers &= numbers - 1
        i -= 1
    number = 0
    while numbers >> number & 1 == 0:
        number += 1
    return number


def clockwise(s, seat):
    """The seat to the left."""
    return seat + 1 if seat + 1 < s.players else 0


# Collecting


def ways_to_collect(s):
    """Flip an unknown tile (S13) or a peeked one (S-R13), stop with a line (S9, S12), or use the Seagull (S34)."""
    return (tiles(s.pool) > 0) + size(s.places) + (s.line_length > 0) + looks(s)


def nth_way_to_collect(s, i):
    """`flip`, the peeked places, `stop`, then the Seagull's looks."""
    i -= tiles(s.pool) > 0
    if i < 0:
        return pack(Verb.FLIP)
    peeked = size(s.places)
    if i < peeked:
        return pack(Verb.FLIP_PEEKED, nth_of(s.places, i))
    i -= peeked + (s.line_length > 0)
    if i < 0:
        return pack(Verb.STOP)
    return nth_look(s, i)


def draw(s, w, tile):
    """An unknown tile of the pool comes up."""
    s.pool[tile] -= 1
    comes_up(s, w, tile)


def flip_peeked(s, w, place):
    """The tile at a place comes up, and there is no chance in it (S-R13).

    The first of those looked at is taken in the same way (S37, S38, S-R17); the others stay where they are (S39).
    """
    s.looking = 0
    comes_up(s, w, lift(s, place))


def lift(s, place):
    """The tile at the place, which nobody knows any more; the number of the place is free again (S-R13)."""
    tile = s.peeked[place]
    s.peeked[place] = 0
    s.known_by[place] = 0
    s.places ^= 1 << place
    return tile


def comes_up(s, w, tile):
    """A wave crashes, a match is dropped; any other tile joins the line at its right end (S10), and it goes on (S11).

    There is always a tile to collect: a wave at least lies face down (S-R12).
    """
    if tile == Tile.WAVE:
        wave(s, w)
        return
    at = match(s, tile)
    if at < s.line_length:
        drop(s, tile, at)
        return
    s.line[s.line_length] = tile
    s.line_length += 1
    s.phase = Phase.COLLECT


def stop(s, w):
    """The whole line goes to the stash (S12), where tiles never match and have no limit (S14)."""
    clear_line(s, s.line_length, s.stashes[s.seat])
    build_step(s, w)


def clear_line(s, kept, rest):
    """The first `kept` tiles of the line go to the player's stash, those to the right into `rest`."""
    for i in range(s.line_length):
        if i < kept:
            s.stashes[s.seat][s.line[i]] += 1
        else:
            rest[s.line[i]] += 1
        s.line[i] = 0
    s.line_length = 0


# Dropping


def match(s, tile):
    """Where the equal decoration stands in the line, or its length (S15): sand and tools never match (S42)."""
    at = s.line_length
    if Tile.SAND < tile < PAID_KINDS:
        at = 0
        while at < s.line_length and s.line[at] != tile:
            at += 1
    return at


def drop(s, tile, at):
    """The line up to the earlier of the two goes to the stash, the rest is dropped with the new tile (S16).

    The player to the left takes first (S17).
    """
    clear_line(s, at + 1, s.dropped)
    s.dropped[tile] += 1
    s.chooser = clockwise(s, s.seat)
    s.phase = Phase.DRAFT


def take(s, w, tile):
    """One tile each, clockwise, the dropper too (S17, S18), until none is left (S-R9); then the build step (S19)."""
    s.dropped[tile] -= 1
    s.stashes[s.chooser][tile] += 1
    if tiles(s.dropped) > 0:
        s.chooser = clockwise(s, s.chooser)
        return
    s.chooser = 0
    build_step(s, w)


# Waves


def wave(s, w):
    """The wave is set aside (S20), the third brings all back (S21); Crab, Seagull and walls stay (S24).

    Beach and peeked tiles go into the pool (S22, S26), the line to the stash (S23). With an empty line it is the first
    tile, wherever it came from (S28, S-R11, S-R18).
    """
    s.nimble = s.line_length == 0
    s.waves_out += 1
    if s.waves_out == WAVES:
        s.pool[Tile.WAVE] += WAVES
        s.waves_out = 0
    pour(s.beach, s.pool)
    while s.places:
        s.pool[lift(s, nth_of(s.places, 0))] += 1
    clear_line(s, s.line_length, s.stashes[s.seat])
    s.phase = Phase.WAVE
    ask(s, w, 0)


def ask(s, w, asked):
    """Everybody keeps at most 4 tiles (S25), the player first, then clockwise (S-R4); one without is skipped (S-R6)."""
    for step in range(asked, s.players):
        who = (s.seat + step) % s.players
        if tiles(s.stashes[who]) > 0:
            s.chooser = who
            return
    calm(s, w)


def ask_next(s, w):
    """The chooser is done."""
    ask(s, w, (s.chooser - s.seat + s.players) % s.players + 1)


def discard(s, w, tile):
    """A tile goes back to the pool, also one that could be kept (S-R5); without tiles one is done (S-R6)."""
    s.stashes[s.chooser][tile] -= 1
    s.pool[tile] += 1
    if tiles(s.stashes[s.chooser]) == 0:
        ask_next(s, w)


def may_keep(s):
    """Whether the chooser is down to 4 tiles (S25)."""
    return tiles(s.stashes[s.chooser]) <= KEPT


def calm(s, w):
    """Nimble Toes collect again from the start (S28), however often (S29, S-R31); else the build step follows (S27)."""
    s.chooser = 0
    if s.nimble:
        s.nimble = 0
        s.phase = Phase.COLLECT
    else:
        build_step(s, w)


# The Seagull


def looks(s):
    """How many ways there are to use the Seagull: its holder may, once in a turn (S34), Nimble Toes or not (S-R19)."""
    if s.seagull != s.seat or s.seagull_used:
        return 0
    peeked = size(s.places)
    found = 0
    for named in range(fewest_named(s), min(looked_at(s), peeked) + 1):
        found += choices(peeked, named)
    return found


def nth_look(s, i):
    """Look `i`: the fewer places are named the earlier, then by the lowest place, the second, the third (S-R15)."""
    peeked = size(s.places)
    named = fewest_named(s)
    while i >= choices(peeked, named):
        i -= choices(peeked, named)
        named += 1
    numbers = 0
    at = 0
    for left in range(named, 0, -1):
        while i >= choices(peeked - at - 1, left - 1):
            i -= choices(peeked - at - 1, left - 1)
            at += 1
        numbers = numbers << 8 | nth_of(s.places, at)
        at += 1
    return pack(Verb.SEAGULL) | numbers << 8 * (LOOKED_AT - named)


def looked_at(s):
    """Three tiles of the pool (S35), or all if there are fewer (S-R14)."""
    return min(LOOKED_AT, tiles(s.pool) + size(s.places))


def fewest_named(s):
    """How many peeked places must be among those looked at, for want of unknown tiles (S-R14, S-R15)."""
    return max(0, looked_at(s) - tiles(s.pool))


def choices(n, k):
    """How many sets of `k` there are among `n`, for `k` up to 3."""
    if k == 0:
        return 1
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    return n * (n - 1) * (n - 2) // 6


def look(s, a, b, c):
    """The places are chosen together, before a tile is seen (S-R15); each is known to the player then (S36)."""
    s.seagull_used = 1
    s.look_left = looked_at(s)
    see(s, a)
    see(s, b)
    see(s, c)
    s.phase = Phase.PEEK if s.look_left > 0 else Phase.PICK


def see(s, place):
    """The player looks at the tile of this place, if it is one."""
    if place > 0:
        s.known_by[place] |= 1 << s.seat
        s.looking |= 1 << place
        s.look_left -= 1


def peek(s, tile):
    """An unknown tile is seen by the player alone (S36); it gets the smallest place number not in use (S-R13).

    Then one must be taken (S37), be it a wave (S-R18); a wave that is left stays as a known place (S-R16).
    """
    place = 1
    while s.places >> place & 1:
        place += 1
    s.pool[tile] -= 1
    s.places |= 1 << place
    s.peeked[place] = tile
    see(s, place)
    if s.look_left == 0:
        s.phase = Phase.PICK


def receivers(s):
    """The other players with the fewest walls (S40, S-R20), as a set of seats."""
    fewest = CASTLE + 1
    found = 0
    for seat in range(s.players):
        if seat != s.seat:
            built = size(s.walls[seat])
            if built < fewest:
                fewest = built
                found = 0
            if built == fewest:
                found |= 1 << seat
    return found


def pass_seagull(s, seat):
    """The Seagull goes to that player, used or not, and the next turn begins (S40)."""
    s.seagull = seat
    next_turn(s)


# The build step


def build_step(s, w):
    """The player may build and pinch; if neither is possible the turn ends by itself (S-R10)."""
    s.phase = Phase.BUILD
    if list_build_step(s, w) == 1:
        end_of_turn(s)


def list_build_step(s, w):
    """List the builds (S45), the pinches (S30) and `pass`, which is always legal (S33, S-R10). Returns how many."""
    w.listed = 0
    if size(s.walls[s.seat]) < CASTLE:
        list_builds(s, w)
    if s.crab == s.seat:
        list_pinches(s, w)
    add(w, pack(Verb.PASS))
    return w.listed


def add(w, code):
    """One move more in the list."""
    w.moves[w.listed] = code
    w.listed += 1


def list_builds(s, w):
    """Every wall of the row (S45) in every way to pay for it (S-R22), up to 4 walls in all (S49)."""
    stash = s.stashes[s.seat]
    shovels = PAID_KINDS if stash[Tile.SHOVEL] > 0 else 1
    rakes = PAID_KINDS if stash[Tile.RAKE] > 0 else 1
    left = s.row
    while left:
        wall = nth_of(left, 0)
        left &= left - 1
        for shovel in range(shovels):
            for rake in range(rakes):
                if stands_for(shovel, rake) and can_pay(stash, wall, shovel, rake):
                    add(w, pack(Verb.BUILD, wall, shovel, rake))


def stands_for(shovel, rake):
    """Whether each tool in use counts as a decoration of its group (S41): blue (S43), green (S44). 0 is not in use."""
    return (shovel == 0 or SHOVEL_GROUP[shovel] == 1) and (rake == 0 or RAKE_GROUP[rake] == 1)


def can_pay(stash, wall, shovel, rake):
    """Whether the stash has exactly the tiles of the wall; a tool stands for one tile that it costs (S46, S-R22)."""
    for tile in range(PAID_KINDS):
        number = due(wall, tile, shovel, rake)
        if number < 0 or number > stash[tile]:
            return False
    return True


def due(wall, tile, shovel, rake):
    """How many real tiles of this kind the wall costs, by the table (S-R1), when tools stand for some (S41)."""
    number = COST[wall][tile]
    if tile != Tile.SAND:
        number -= (shovel == tile) + (rake == tile)
    return number


def build(s, w, wall, shovel, rake):
    """Pay (S46), take the wall into the castle (S47), turn up another (S48) or none if there is no more (S-R23).

    The first fourth wall triggers the final round, before a wall is turned up (S51, S-R25); later ones nothing (S-R24).
    """
    for tile in range(PAID_KINDS):
        pay(s, tile, due(wall, tile, shovel, rake))
    pay(s, Tile.SHOVEL, shovel > 0)
    pay(s, Tile.RAKE, rake > 0)
    s.row ^= 1 << wall
    s.walls[s.seat] |= 1 << wall
    if s.final_by == NOBODY and size(s.walls[s.seat]) == CASTLE:
        s.final_by = s.seat
    if stack(s):
        s.phase = Phase.REFILL
    else:
        after_build(s, w)


def pay(s, tile, number):
    """Tiles go from the player's stash to the beach (S6, S46)."""
    s.stashes[s.seat][tile] -= number
    s.beach[tile] += number


def stack(s):
    """The walls in play (S2, S-R2) that are neither in the row nor in a castle: a set without an order (S-R3)."""
    return IN_PLAY[s.players] & ~(s.row | s.walls[0] | s.walls[1] | s.walls[2] | s.walls[3])


def turn_up(s, w, wall):
    """A wall of the stack joins the row: five at the start, then seat 0 begins (S5); later one for each built (S48)."""
    s.row |= 1 << wall
    if s.phase == Phase.REFILL:
        after_build(s, w)
    elif size(s.row) == ROW:
        s.phase = Phase.COLLECT


def after_build(s, w):
    """Building ends the turn (S50), that of the trigger too (S-R25); in the final round it goes on (S53, S-R26)."""
    if s.final_by == NOBODY or s.final_by == s.seat:
        end_of_turn(s)
    else:
        build_step(s, w)


def list_pinches(s, w):
    """Any kind of tile of any other stash (S30, S32, S-R8), also of players without a turn left (S-R27)."""
    for seat in range(s.players):
        if seat != s.seat:
            for tile in range(KINDS):
                if s.stashes[seat][tile] > 0:
                    add(w, pack(Verb.CRAB, seat, tile))


def pinch(s, w, seat, tile):
    """The tile changes its stash and the Crab its holder (S31); then one may still build (S-R7)."""
    s.stashes[seat][tile] -= 1
    s.stashes[s.seat][tile] += 1
    s.crab = seat
    build_step(s, w)


# The end of a turn


def end_of_turn(s):
    """The game is over, or the Seagull is passed (S40), and the next seat begins.

    It goes by itself if only one can get it (S-R20), and nowhere after the last turn (S-R21).
    """
    s.seagull_used = 0
    if is_last_turn(s):
        s.phase = Phase.OVER
    elif s.seagull != s.seat:
        next_turn(s)
    elif size(receivers(s)) == 1:
        pass_seagull(s, nth_of(receivers(s), 0))
    else:
        s.phase = Phase.SEAGULL


def is_last_turn(s):
    """Every other player has one more turn after the trigger (S52, S-R24), an ordinary one but for its builds (S54).

    Without a final round the game is over after the last round that the limit allows (S-R28).
    """
    if s.final_by != NOBODY:
        return clockwise(s, s.seat) == s.final_by
    return s.round == s.max_rounds and s.seat == s.players - 1


def next_turn(s):
    """The next player clockwise collects (S8); a round begins with seat 0."""
    s.seat = clockwise(s, s.seat)
    s.round += s.seat == 0
    s.phase = Phase.COLLECT


# Scores


def score(s, seat):
    """The points of the walls and 1 for each tile in the stash (S55, S-R29), tools included (S56)."""
    points = tiles(s.stashes[seat])
    left = s.walls[seat]
    while left:
        points += POINTS[nth_of(left, 0)]
        left &= left - 1
    return points


def rank(s, seat):
    """Points, then walls, then tiles in the stash (S57), in one number: neither walls nor tiles reach 100."""
    return (score(s, seat) * 100 + size(s.walls[seat])) * 100 + tiles(s.stashes[seat])


def winners(s):
    """Everybody with the best rank (S57), once the game is over."""
    best = 0
    found = 0
    if s.phase == Phase.OVER:
        for seat in range(s.players):
            own = rank(s, seat)
            if own > best:
                best = own
                found = 0
            if own == best:
                found |= 1 << seat
    return found


def rounds(s):
    """The rounds begun."""
    return s.round
