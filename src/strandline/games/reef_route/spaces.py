"""Reef Route for learning programs."""

from strandline.engine.spaces import FAR, Extent, Part, in_turn, left, steps_to
from strandline.engine.vocabulary import pack

from .box import BACK, COLUMNS, FRONT, LAYOUTS, ROWS, SETS
from .rules import (
    COLOUR,
    COLOURS,
    EATEN,
    NUMBER,
    PREDATORS,
    REEF,
    ROLLS,
    SCHOOL,
    SIZE,
    STARTS,
    STRIDE,
    Phase,
    Verb,
    Way,
)

SIZES = 3
PHASES = len(Phase)


def decisions(players):
    """Laying out and placing, then steps of predators and fish."""
    rows = range(1, ROWS + 1)
    yield from (pack(Verb.PUT, predator, row) for predator in range(1, PREDATORS + 1) for row in rows)
    yield from (pack(Verb.PLACE, column, row) for column in (BACK, FRONT) for row in rows)
    yield from (pack(Verb.PREDATOR, predator, way) for predator in range(1, PREDATORS + 1) for way in Way)
    for colour in range(COLOURS):
        yield from (pack(Verb.SWIM, colour, fish, way) for fish in range(1, SCHOOL + 1) for way in Way)


def extent(players, options):
    """Lots, rolls or layouts; a decision for each predator and fish that is put on the board, and two for each roll."""
    layouts = len(LAYOUTS[SETS.index(options["predators"])]) if options["setup"] == "chance" else 0
    rolls = len({*ROLLS[options["predator_faces"] - 1]} - {0})
    put = PREDATORS + players * options["school"]
    return Extent(max(rolls, layouts, COLOURS + 1), put + 2 * options["limit"] if options["limit"] else None)


def parts(players):
    """Whose turn it is, the dice, predators and fish."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "whose turn it is, own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + ", ".join(phase.name.lower() for phase in Phase)),
        Part("rolls_left", (1,), 0, FAR, f"rolls until the limit, at most {FAR}"),
        Part("two_faces", (1,), 0, 1, "whether each die has two predator faces"),
        Part("lot", (1,), 0, STARTS - 1, "which starting tile is drawn for"),
        Part("predator_dice", (1,), 0, 2, "predator dice not yet used"),
        Part("colour_dice", (COLOURS,), 0, 2, "dice not yet used of each colour, in the order of `fish`"),
        Part("sizes", (PREDATORS, SIZES), 0, 1, "the size of each predator: small, medium, large"),
        Part("predator_columns", (PREDATORS, COLUMNS), 0, 1, "the lowest column of each predator on the board"),
        Part("predator_rows", (PREDATORS, ROWS), 0, 1, "the lowest row of each predator on the board"),
        Part(
            "fish",
            (COLOURS, SCHOOL, 3),
            0,
            1,
            "each fish, own colour first, then those of the seats in turn: waiting, eaten, on the reef",
        ),
        Part("fish_columns", (COLOURS, SCHOOL, COLUMNS), 0, 1, "the column of each fish on the board"),
        Part("fish_rows", (COLOURS, SCHOOL, ROWS), 0, 1, "the row of each fish on the board"),
    )


def colour_at(s, seat, i):
    """Colour `i` as the seat counts them: its own, those of the seats after it, then those without a player."""
    return COLOUR[in_turn(s, seat, i)] if i < s.players else COLOUR[i]


def observe(s, seat, out):
    """There are no secrets."""
    out[seat] = 1
    at = s.players
    if s.phase != Phase.OVER:
        out[at + steps_to(s, seat, s.seat)] = 1
    at += s.players
    out[at + s.phase] = 1
    at += PHASES
    out[at] = left(s.limit, s.rolls)
    out[at + 1] = s.predator_faces - 1
    out[at + 2] = s.lot
    out[at + 3] = s.predator_dice
    at += 4
    for i in range(COLOURS):
        out[at + i] = s.colour_dice[colour_at(s, seat, i)]
    at += COLOURS
    observe_predators(s, out, at)
    observe_fish(s, seat, out, at + PREDATORS * (SIZES + COLUMNS + ROWS))


def observe_predators(s, out, sizes):
    """The predators that take part: their sizes, and where they are."""
    columns = sizes + PREDATORS * SIZES
    rows = columns + PREDATORS * COLUMNS
    for number in range(NUMBER[s.predators]):
        out[sizes + number * SIZES + SIZE[s.predators][number]] = 1
        if s.lair[number] > 0:
            out[columns + number * COLUMNS + s.lair[number] // STRIDE - 1] = 1
            out[rows + number * ROWS + s.lair[number] % STRIDE - 1] = 1


def observe_fish(s, seat, out, away):
    """The fish of the schools, as many as there are."""
    columns = away + COLOURS * SCHOOL * 3
    rows = columns + COLOURS * SCHOOL * COLUMNS
    for i in range(COLOURS):
        school = s.fish[colour_at(s, seat, i)]
        for number in range(s.school):
            tile = school[number]
            fish = SCHOOL * i + number
            if tile > 0:
                out[columns + fish * COLUMNS + tile // STRIDE - 1] = 1
                out[rows + fish * ROWS + tile % STRIDE - 1] = 1
            else:
                out[away + fish * 3 + (tile == EATEN) + 2 * (tile == REEF)] = 1
