"""Reef Route: how to move at sight. The search needs no hints; studies need thousands of games of sensible players."""

from strandline.engine.draws import below
from strandline.engine.vocabulary import first, second, table, third, verb

from .box import COLUMNS, LENGTHS, WIDTHS
from .rules import (
    COLOUR,
    COLOURS,
    FISH_STEP,
    NUMBER,
    PREDATOR_STEP,
    SIZE,
    STRIDE,
    Verb,
    nth,
)

LENGTH = table(LENGTHS)
WIDTH = table(WIDTHS)

CAUGHT = table((1000, 500, 260, 130, 60, 25))
"""How much of a fish is lost to a predator that could eat it in 0, 1, 2 … steps, in thousandths."""
AT_REEF = 100_000
OWN = -3
"""How often a fish of one's own counts when it is lost; another player's fish counts once, for the player."""


def guided(s, w, n, bits):
    """The step that helps most: own fish forward and out of reach, predators and others' fish towards each other."""
    best = below(bits, n)
    most = promise(s, nth(s, w, best))
    for step in range(1, n):
        i = (best + step) % n
        promised = promise(s, nth(s, w, i))
        if promised > most:
            most = promised
            best = i
    return best


def promise(s, code):
    """How much a move helps whoever makes it."""
    what = verb(code)
    if what == Verb.SWIM:
        return swim(s, first(code), s.fish[first(code)][second(code) - 1], third(code))
    if what == Verb.PREDATOR:
        return hunt(s, first(code) - 1, second(code))
    if what == Verb.PLACE:
        return prospect(s, first(code) * STRIDE + second(code))
    return 0


def side(s, colour):
    """Whether what is good for a colour is good for the mover: 1, bad -1, or nearly nothing to anybody 0."""
    for seat in range(s.players):
        if COLOUR[seat] == colour:
            return 1 if seat == s.seat else -1
    return 0


def swim(s, colour, tile, way):
    """What a step of a fish is worth; one of nobody's fish that ends the game is worth nothing to anybody."""
    goal = tile + FISH_STEP[way]
    whose = side(s, colour)
    if goal // STRIDE > COLUMNS:
        return AT_REEF * whose - (whose == 0)
    return (prospect(s, goal) - prospect(s, tile)) * whose


def prospect(s, tile):
    """What a fish on this tile is worth: more the nearer it is to the reef, less the nearer a predator is."""
    lost = 0
    for number in range(NUMBER[s.predators]):
        lost = max(lost, threat(s, number, s.lair[number], tile))
    return worth_at(tile) * (1000 - lost) // 1000


def worth_at(tile):
    """What a fish on this tile is worth where nothing threatens it."""
    column = tile // STRIDE
    return 1000 + 120 * column * column


def threat(s, number, lair, tile):
    """How much of a fish on the tile is lost to a predator at its lair; nothing if it has swum past."""
    size = SIZE[s.predators][number]
    column = lair // STRIDE
    row = lair % STRIDE
    if tile // STRIDE > column + LENGTH[size] - 1:
        return 0
    steps = max(0, column - tile // STRIDE) + max(0, row - tile % STRIDE, tile % STRIDE - row - WIDTH[size] + 1)
    return CAUGHT[steps] if steps < len(CAUGHT) else 0


def hunt(s, number, way):
    """What a predator's step is worth: fish of others come into its reach or are eaten, own ones get out of it."""
    lair = s.lair[number]
    total = 0
    for colour in range(COLOURS):
        whose = side(s, colour)
        counts = OWN if whose > 0 else -whose
        if counts != 0:
            for i in range(s.school):
                tile = s.fish[colour][i]
                if tile > 0:
                    more = threat(s, number, lair + PREDATOR_STEP[way], tile) - threat(s, number, lair, tile)
                    total += counts * more * worth_at(tile) // 1000
    return total
