"""Reef Route: schools of small fish cross the board to the reef, and predators come to meet them.

Rule numbers are those of `docs/rules/reef_route.md`. A tile is one number, column * STRIDE + row, so that one step is
always the same difference; around the board there is a rim, blocked but for the reef's side. Columns and rows are the
rule page's (F-R1), up and down are those of the board for every piece (F-R2). Predators and fish count from 0 here,
from 1 in moves.
"""

from enum import IntEnum

from strandline.engine.vocabulary import (
    CHANCE,
    OVER,
    Facts,
    Option,
    first,
    pack,
    scratch,
    second,
    state,
    table,
    third,
    verb,
)

from .box import BACK, COLOUR_OF_SEAT, COLUMNS, DICE, FRONT, LAYOUTS, LENGTHS, LETTERS, ROWS, SETS, START_ROWS, WIDTHS

FACTS = Facts("Reef Route", "Bring a fish to the reef before the predators find it.", seats=(2, 3, 4), minutes=20)

SETUPS = ("table", "chance", "players")
OPTIONS = (
    Option("school", (2, 3, 4), 4, "How many fish each colour has.", title="Fish in a school"),
    Option(
        "predators",
        SETS,
        "sml",
        "How many predators there are, and how large.",
        title="Predators",
        labels={
            "sml": "small, medium, large",
            "ssm": "small, small, medium",
            "ssl": "small, small, large",
            "smm": "small, medium, medium",
            "sll": "small, large, large",
            "mml": "medium, medium, large",
            "mll": "medium, large, large",
            "ssmm": "small, small, medium, medium",
            "ssml": "small, small, medium, large",
            "smml": "small, medium, medium, large",
        },
    ),
    Option(
        "setup",
        SETUPS,
        "table",
        "Who decides where the predators start.",
        title="Where predators start",
        labels={
            "table": "always in the same places",
            "chance": "drawn by lot",
            "players": "placed by the players",
        },
    ),
    Option(
        "predator_faces",
        (1, 2),
        2,
        "How many of the six faces of each die are predators.",
        title="Predator faces on a die",
    ),
    Option(
        "limit",
        range(10001),
        300,
        "The game ends after this many rolls; 0 means no limit.",
        title="Longest game, in rolls",
    ),
)

COLOURS = 4
SCHOOL = 4
PREDATORS = 4
BY_TABLE = SETUPS.index("table")
BY_CHANCE = SETUPS.index("chance")

STRIDE = ROWS + 2
TILES = (COLUMNS + 2) * STRIDE

# Where a fish is, if it is not on a tile
WAITING = 0
EATEN = -1
REEF = -2

# What is on a tile; a fish is 1 + SCHOOL * colour + number
VACANT = 0
PREDATOR = 1 + SCHOOL * COLOURS
RIM = PREDATOR + 1


class Phase(IntEnum):
    """What the game waits for."""

    LAYOUT = 0
    PLACE = 1
    FILL = 2
    ROLL = 3
    PREDATOR = 4
    FISH = 5
    ANY = 6
    OVER = 7


class Verb(IntEnum):
    """What a move does."""

    LAYOUT = 0
    PUT = 1
    PLACE = 2
    FILL = 3
    ROLL = 4
    PREDATOR = 5
    SWIM = 6


class Way(IntEnum):
    """Where a step goes; forward is towards the reef for fish, towards the open sea for predators (F13, F19)."""

    FORWARD = 0
    UP = 1
    DOWN = 2


class End(IntEnum):
    """Why the game is over (F30, F31, F32, F33, F35)."""

    NONE = 0
    REEF = 1
    LAST = 2
    GONE = 3
    LIMIT = 4


STATE = state(
    OPTIONS,
    ("phase", "i1"),
    ("seat", "i1"),
    ("end", "i1"),
    ("lot", "i1"),  # in FILL, the starting tile that is drawn for, as its place in START_TILES
    ("rolls", "i4"),
    ("predator_dice", "i1"),  # dice rolled and not yet used
    ("colour_dice", "i1", COLOURS),
    ("schools", "i1", COLOURS),  # fish on the board
    ("fish", "i2", (COLOURS, SCHOOL)),  # a tile, WAITING, EATEN or REEF
    ("lair", "i2", PREDATORS),  # the tile of lowest column and row, 0 while not laid out
    ("on", "i1", TILES),  # what is on each tile
)
WORK = scratch(("moves", "i4", 2 * ROWS + 1))

COLOUR = table(COLOUR_OF_SEAT)
FISH_STEP = table((STRIDE, -1, 1))
PREDATOR_STEP = table((-STRIDE, -1, 1))

START_TILES = table([column * STRIDE + row for column in (FRONT, BACK) for row in range(1, ROWS + 1)])
STARTS = 2 * ROWS
EMPTY = COLOURS  # the blank among the items of the pool

TICKETS = table([len(die) ** 2 for die in DICE])
_ROLLS = [sorted(pack(Verb.ROLL, min(a, b), max(a, b)) for a in die for b in die) for die in DICE]
ROLLS = table([rolls + [0] * (max(TICKETS) - len(rolls)) for rolls in _ROLLS])

NUMBER = table([len(letters) for letters in SETS])
SIZE = table([[LETTERS.index(letter) for letter in letters.ljust(PREDATORS, "s")] for letters in SETS])
START_COLUMN = table([COLUMNS + 1 - length for length in LENGTHS])
START_ROW = table([(*rows, 0)[:PREDATORS] for rows in START_ROWS])


def _layout(rows):
    """The move for a layout: four bits for each row."""
    one, two, three, four = (*rows, 0)[:PREDATORS]
    return pack(Verb.LAYOUT, one << 4 | two, three << 4 | four)


LAYOUT_COUNT = table([len(layouts) for layouts in LAYOUTS])
LAYOUT = table([[*map(_layout, layouts)] + [0] * (max(LAYOUT_COUNT) - len(layouts)) for layouts in LAYOUTS])

# A predator of each size covers four tiles from its lair on, some of them twice (F-R8)
_COVERED = [
    [column % length * STRIDE + row % width for column in (0, 1) for row in (0, 1)]
    for length, width in zip(LENGTHS, WIDTHS, strict=True)
]
COVERED = table(_COVERED)


def _entered(tiles, step):
    """The tiles that a predator newly covers with a step: one or two, always written as two."""
    new = sorted({tile + step for tile in tiles} - set(tiles))
    return new[0], new[-1]


ENTERED = table([[_entered(tiles, step) for step in PREDATOR_STEP] for tiles in _COVERED])


def setup(s, w):
    """The board with its rim (F1); then predators, fish of the players, other fish (F7, F9)."""
    rim(s)
    if s.setup == BY_TABLE:
        for number in range(NUMBER[s.predators]):
            lay_out(s, number, START_ROW[s.predators][number])
        s.phase = Phase.PLACE


def rim(s):
    """No piece ever leaves the board (F16, F23), save a fish that goes forward to the reef, from any row (F1, F20)."""
    for row in range(STRIDE):
        s.on[row] = RIM
    for column in range(COLUMNS + 1):
        s.on[column * STRIDE] = RIM
        s.on[column * STRIDE + ROWS + 1] = RIM


def to_move(s):
    """Chance lays out, fills in and rolls; else the seat whose turn it is decides, whatever it rolled (F12, F-R28)."""
    if s.phase == Phase.ROLL or s.phase == Phase.FILL or (s.phase == Phase.LAYOUT and s.setup == BY_CHANCE):
        return CHANCE
    if s.phase == Phase.OVER:
        return OVER
    return s.seat


def count(s, w):
    """Tickets of a layout, a lot or a roll; or the legal moves, listed in `w`. Nobody ever passes (F15, F28, F-R20)."""
    if s.phase == Phase.ROLL:
        return TICKETS[s.predator_faces - 1]
    if s.phase == Phase.PREDATOR:
        return list_predator_steps(s, w)
    if s.phase == Phase.FISH:
        return list_fish_steps(s, w)
    if s.phase == Phase.ANY:
        return list_any_steps(s, w)
    if s.phase == Phase.PLACE:
        return list_places(s, w)
    if s.phase == Phase.FILL:
        return pool(s)
    if s.phase == Phase.OVER:
        return 0
    if s.setup == BY_CHANCE:
        return LAYOUT_COUNT[s.predators]
    return list_puts(s, w)


def nth(s, w, i):
    """The outcome on ticket `i`, or move `i` of the list."""
    if s.phase == Phase.ROLL:
        return ROLLS[s.predator_faces - 1][i]
    if s.phase == Phase.FILL:
        return nth_lot(s, i)
    if s.phase == Phase.LAYOUT and s.setup == BY_CHANCE:
        return LAYOUT[s.predators][i]
    return w.moves[i]


def apply(s, w, code):
    """Carry out a move or an outcome, with all that follows by itself."""
    what = verb(code)
    if what == Verb.ROLL:
        roll(s, first(code), second(code))
    elif what == Verb.PREDATOR:
        predator_step(s, first(code) - 1, second(code))
    elif what == Verb.SWIM:
        fish_step(s, first(code), second(code) - 1, third(code))
    elif what == Verb.PLACE:
        place(s, first(code) * STRIDE + second(code))
    elif what == Verb.FILL:
        fill(s, first(code))
    elif what == Verb.LAYOUT:
        layout(s, code)
    else:
        put(s, first(code) - 1, second(code))


def add(w, n, code, legal):
    """Write a move down as number `n` of the list, to stay if it is legal. Returns how long the list is now."""
    w.moves[n] = code
    return n + legal


# Predators are laid out


def layout(s, code):
    """All predators at once, by lot: every legal layout is equally likely (F-R5)."""
    for number in range(NUMBER[s.predators]):
        lay_out(s, number, layout_row(code, number))
    s.phase = Phase.PLACE


def layout_row(code, number):
    """The start row of a predator in the move for a layout."""
    return (code >> (20 - 4 * number)) & 15


def put(s, number, row):
    """One predator in turn (F-R5): the next seat puts the next one; after the last, seat 0 places a fish (F7)."""
    lay_out(s, number, row)
    s.seat = (s.seat + 1) % s.players
    if number + 1 == NUMBER[s.predators]:
        s.seat = 0
        s.phase = Phase.PLACE


def list_puts(s, w):
    """Rows that keep a free row to the other predators (F4, F-R7) and leave a legal layout for those still to come."""
    number = laid_out(s)
    rows = 0
    for i in range(LAYOUT_COUNT[s.predators]):
        if agrees(s, LAYOUT[s.predators][i], number):
            rows |= 1 << layout_row(LAYOUT[s.predators][i], number)
    n = 0
    for row in range(1, ROWS + 1):
        n = add(w, n, pack(Verb.PUT, number + 1, row), rows >> row & 1)
    return n


def laid_out(s):
    """How many predators have been put on the board, of the three or four that take part (F2, F-R6)."""
    number = 0
    while number < NUMBER[s.predators] and s.lair[number] > 0:
        number += 1
    return number


def agrees(s, code, number):
    """Whether a layout has the first `number` predators where they lie."""
    for other in range(number):
        if layout_row(code, other) != s.lair[other] % STRIDE:
            return False
    return True


def lay_out(s, number, row):
    """A predator starts against the reef: it covers a tile of the last column (F3)."""
    cover(s, number, START_COLUMN[SIZE[s.predators][number]] * STRIDE + row)


def cover(s, number, tile):
    """Put a predator on the board, lowest column and row on `tile`; it never turns (F-R8)."""
    size = SIZE[s.predators][number]
    s.lair[number] = tile
    for i in range(4):
        s.on[tile + COVERED[size][i]] = PREDATOR


# Fish are placed and filled in


def list_places(s, w):
    """Empty tiles of the front starting column for a player's first fish (F7), of both for the others (F8)."""
    tiles = STARTS if s.schools[COLOUR[s.seat]] > 0 else ROWS
    n = 0
    for i in range(tiles):
        tile = START_TILES[i]
        n = add(w, n, pack(Verb.PLACE, tile // STRIDE, tile % STRIDE), s.on[tile] == VACANT)
    return n


def place(s, tile):
    """One fish of the player's own colour (F5, F-R9); the seats take turns, one fish at a time (F7, F8, F-R10)."""
    put_fish(s, COLOUR[s.seat], tile)
    s.seat = (s.seat + 1) % s.players
    if s.schools[COLOUR[s.seat]] == s.school:
        s.phase = Phase.FILL
        fill_on(s)


def put_fish(s, colour, tile):
    """A fish of the colour starts on a tile; fish are numbered in the order of placing (F8, F10)."""
    number = s.schools[colour]
    s.schools[colour] += 1
    bring(s, colour, number, tile)


def waiting(s, colour):
    """Fish of the colour that are still to come: all schools have the same size (F6, F9)."""
    return s.school - s.schools[colour]


def pool(s):
    """How many items are left in the pool: one for each starting tile still to be drawn for (F10)."""
    items = 0
    for i in range(s.lot, STARTS):
        items += s.on[START_TILES[i]] == VACANT
    return items


def blanks(s):
    """How many items of the pool are blanks: small schools leave tiles empty (F10, F-R11, F-R13)."""
    left = pool(s)
    for colour in range(COLOURS):
        left -= waiting(s, colour)
    return left


def kinds(s):
    """How many kinds of items are left in the pool: colours and blanks (F10)."""
    found = 0
    if blanks(s) > 0:
        found = 1
    for colour in range(COLOURS):
        if waiting(s, colour) > 0:
            found += 1
    return found


def nth_lot(s, i):
    """The item on ticket `i` of the pool: fish by colour, then blanks. No player profits: it is a lot (F-R12)."""
    item = 0
    while item < COLOURS and i >= waiting(s, item):
        i -= waiting(s, item)
        item += 1
    return pack(Verb.FILL, item)


def fill(s, item):
    """What is drawn is put on the tile, and a blank leaves it empty (F10)."""
    if item != EMPTY:
        put_fish(s, item, START_TILES[s.lot])
    s.lot += 1
    fill_on(s)


def fill_on(s):
    """Go on to the next empty tile; a pool of one kind is laid out without a lot, and then seat 0 rolls (F10, F11)."""
    if kinds(s) > 1:
        while s.on[START_TILES[s.lot]] != VACANT:
            s.lot += 1
        return
    for colour in range(COLOURS):
        lay_rest(s, colour)
    s.lot = 0
    s.phase = Phase.ROLL


def lay_rest(s, colour):
    """Put all waiting fish of the colour on the tiles left, in their order (F10)."""
    for i in range(s.lot, STARTS):
        if waiting(s, colour) > 0 and s.on[START_TILES[i]] == VACANT:
            put_fish(s, colour, START_TILES[i])


# A turn


def roll(s, one, other):
    """Both dice are rolled once (F12); they are alike (F-R4). Face 0 is the predator, face 1 + c is colour c."""
    s.rolls += 1
    lay_ready(s, one)
    lay_ready(s, other)
    if s.predator_dice > 0:
        s.phase = Phase.PREDATOR
    elif can_use_colour(s):
        s.phase = Phase.FISH
    else:
        neither_die(s)


def lay_ready(s, face):
    """A die waits to be used."""
    if face == 0:
        s.predator_dice += 1
    else:
        s.colour_dice[face - 1] += 1


def neither_die(s):
    """Two colours, and neither can move: any one fish goes forward (F27, F-R24), or nothing moves (F-R26)."""
    drop_dice(s)
    s.phase = Phase.ANY
    for colour in range(COLOURS):
        if can_swim(s, colour, 1):
            return
    next_turn(s)


def drop_dice(s):
    """Unused dice are lost (F26)."""
    s.predator_dice = 0
    for colour in range(COLOURS):
        s.colour_dice[colour] = 0


def next_turn(s):
    """The next seat clockwise with a fish rolls (F12, F29, F-R28), even the same (F-R29), up to the limit (F35)."""
    drop_dice(s)
    if s.rolls == s.limit:
        end(s, End.LIMIT)
        return
    s.phase = Phase.ROLL
    s.seat = (s.seat + 1) % s.players
    while s.schools[COLOUR[s.seat]] == 0:
        s.seat = (s.seat + 1) % s.players


# Predators


def list_predator_steps(s, w):
    """Any predator, forward, up or down (F13). There always is one: some predator lies beside a free row (F-R17)."""
    n = 0
    for number in range(NUMBER[s.predators]):
        tile = s.lair[number]
        size = SIZE[s.predators][number]
        for way in range(3):
            n = add(w, n, pack(Verb.PREDATOR, number + 1, way), can_enter(s, tile, size, way))
    return n


def can_enter(s, tile, size, way):
    """Whether a predator can step that way: onto fish, but not off the board or onto another (F16, F-R15, F-R16)."""
    return s.on[tile + ENTERED[size][way][0]] < PREDATOR and s.on[tile + ENTERED[size][way][1]] < PREDATOR


def predator_step(s, number, way):
    """One step eats what it reaches (F17); then comes the other predator die (F14, F-R14), or the colour (F12)."""
    tile = s.lair[number]
    size = SIZE[s.predators][number]
    for i in range(4):
        s.on[tile + COVERED[size][i]] = VACANT
    eaten = eat(s, tile + ENTERED[size][way][0]) + eat(s, tile + ENTERED[size][way][1])
    cover(s, number, tile + PREDATOR_STEP[way])
    s.predator_dice -= 1
    if eaten > 0 and ended_by_eating(s):
        return
    if s.predator_dice == 0:
        swim_on(s)


def eat(s, tile):
    """A fish on a tile that the predator reaches is eaten, of any colour (F17, F-R18). Returns how many there were."""
    fish = s.on[tile] - 1
    if fish < 0:
        return 0
    s.on[tile] = VACANT
    s.fish[fish // SCHOOL][fish % SCHOOL] = EATEN
    s.schools[fish // SCHOOL] -= 1
    return 1


# Fish


def list_fish_steps(s, w):
    """One step of a fish of any colour that an unused die shows (F18, F24, F25, F26, F-R21, F-R22, F-R23, F-R27)."""
    n = 0
    for colour in range(COLOURS):
        if s.colour_dice[colour] > 0:
            n = list_swims(s, w, n, colour, ways(s, colour))
    return n


def list_any_steps(s, w):
    """Any fish of any colour, but only forward, their own too (F27, F-R25)."""
    n = 0
    for colour in range(COLOURS):
        n = list_swims(s, w, n, colour, 1)
    return n


def ways(s, colour):
    """The roller's own fish go forward, up or down (F21), all others forward only (F22); never back (F23)."""
    if colour == COLOUR[s.seat]:
        return 3
    return 1


def list_swims(s, w, n, colour, directions):
    """Steps of a colour's fish to vacant tiles, with no fish and no predator (F19, F-R32), or to the reef (F20)."""
    for number in range(s.school):
        tile = s.fish[colour][number]
        if tile > 0:
            for way in range(directions):
                n = add(w, n, pack(Verb.SWIM, colour, number + 1, way), s.on[tile + FISH_STEP[way]] == VACANT)
    return n


def can_swim(s, colour, directions):
    """Whether a fish of the colour has a step; none has when all are eaten (F-R34)."""
    for number in range(s.school):
        tile = s.fish[colour][number]
        if tile > 0:
            for way in range(directions):
                if s.on[tile + FISH_STEP[way]] == VACANT:
                    return True
    return False


def can_use_colour(s):
    """Whether an unused colour die has a legal step (F26)."""
    for colour in range(COLOURS):
        if s.colour_dice[colour] > 0 and can_swim(s, colour, ways(s, colour)):
            return True
    return False


def swim_on(s):
    """Go on to a colour die; when none can be used they are lost and the turn is over (F26, F-R24)."""
    if can_use_colour(s):
        s.phase = Phase.FISH
    else:
        next_turn(s)


def fish_step(s, colour, number, way):
    """One fish moves one tile (F18, F27). On the reef the game ends (F30, F32), else the roll goes on (F24, F25)."""
    tile = s.fish[colour][number] + FISH_STEP[way]
    s.on[s.fish[colour][number]] = VACANT
    if tile // STRIDE > COLUMNS:
        s.fish[colour][number] = REEF
        s.schools[colour] -= 1
        end(s, End.REEF)
        return
    bring(s, colour, number, tile)
    if s.phase == Phase.ANY:
        next_turn(s)
        return
    s.colour_dice[colour] -= 1
    swim_on(s)


def bring(s, colour, number, tile):
    """Put a fish on a tile."""
    s.fish[colour][number] = tile
    s.on[tile] = 1 + SCHOOL * colour + number


# The end


def ended_by_eating(s):
    """All fish of one step are taken together (F-R19): nobody left (F33, F-R30), or one player's colour (F31, F-R29)?

    The reef comes first (F34, F-R36), but eating brings no fish there.
    """
    colours = 0
    for colour in range(COLOURS):
        colours += s.schools[colour] > 0
    players = 0
    for seat in range(s.players):
        players += s.schools[COLOUR[seat]] > 0
    if players == 0:
        end(s, End.GONE)
    elif colours == 1:
        end(s, End.LAST)
    return s.phase == Phase.OVER


def end(s, why):
    """The game is over at once, and the rest of the roll is dropped (F34, F-R31)."""
    drop_dice(s)
    s.phase = Phase.OVER
    s.end = why


def winner(s):
    """The seat with a fish on the reef, one is enough (F30, F-R35), or alone on the board (F31); else -1 (F-R33)."""
    for seat in range(s.players):
        colour = COLOUR[seat]
        if s.end == End.LAST and s.schools[colour] > 0:
            return seat
        if s.end == End.REEF:
            for number in range(s.school):
                if s.fish[colour][number] == REEF:
                    return seat
    return -1


def winners(s):
    """One seat or nobody."""
    seat = winner(s)
    if seat < 0:
        return 0
    return 1 << seat


def score(s, seat):
    """1 for the winner and -1 for the others (F30, F31); 0 for all while nobody has won (F32, F33, F35)."""
    best = winner(s)
    if best < 0:
        return 0
    if best == seat:
        return 1
    return -1


def rounds(s):
    """The rolls made."""
    return s.rolls
