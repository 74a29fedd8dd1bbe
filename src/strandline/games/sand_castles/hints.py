"""Sand Castles: what helps a bot."""

from random import Random
from typing import Any

from strandline.engine.draws import below
from strandline.engine.vocabulary import first, second, table, third, verb

from .box import COST, NUMBER, PAID, POINTS, RAKE_GROUP, SHOVEL_GROUP, TILES, Tile
from .rules import KEPT, KINDS, Verb, match, nth, nth_of, tiles

PAID_KINDS = len(PAID)
RARE = table(max(1, NUMBER[0] // max(1, number)) for number in NUMBER)
"""How hard a tile is to come by, compared with sand."""
NONE = len(TILES)
"""No tile."""
FLIP = 100
"""What another tile is worth, in hundredths."""


def redrawn(view: dict[str, Any], rng: Random) -> dict[str, Any]:
    """A position that the view allows: tiles that the seat has not looked at are drawn from those it cannot place."""
    pool = dict(view["pool"])
    peeked = []
    for place in view["peeked"]:
        if place["tile"] is None:
            names = list(pool)
            tile = rng.choices(names, [pool[name] for name in names])[0]
            pool[tile] -= 1
            pool = {name: number for name, number in pool.items() if number}
            place = place | {"tile": tile}
        peeked.append(place)
    ordered = {name: pool[name] for name in TILES if name in pool}
    return {name: value for name, value in view.items() if name != "view"} | {"pool": ordered, "peeked": peeked}


def guided(s, w, n, bits):
    """At sight: build what brings most, gather for the best walls, stop when more is at risk than can be won."""
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
    """How much a move promises; all that the seat cannot see is left out."""
    what = verb(code)
    if what == Verb.BUILD:
        return 1000 * POINTS[first(code)] - (second(code) > 0) - (third(code) > 0)
    if what == Verb.CRAB:
        return 1000 * best_build(s, s.seat, second(code)) + gain(s, s.seat, second(code)) - 50
    if what == Verb.STOP:
        return risk(s) - FLIP
    if what == Verb.FLIP_PEEKED or what == Verb.TAKE_PEEKED:
        return known(s, first(code))
    if what == Verb.SEAGULL:
        return 1000 - (first(code) > 0) - (second(code) > 0) - (third(code) > 0)
    if what == Verb.TAKE:
        return gain(s, s.chooser, first(code))
    if what == Verb.DISCARD:
        return -loss(s, s.chooser, first(code))
    return 1 if what == Verb.KEEP else 0


def known(s, place):
    """A tile at a place: taken if the seat has seen that it fits."""
    if s.known_by[place] >> s.seat & 1 == 0:
        return -1
    tile = s.peeked[place]
    if tile == Tile.WAVE:
        return -500
    if match(s, tile) < s.line_length:
        return -400
    return 10 + gain(s, s.seat, tile)


def unseen(s, tile):
    """How many of the tiles that the seat cannot place are of this kind."""
    number = s.pool[tile]
    left = s.places
    while left:
        place = nth_of(left, 0)
        left &= left - 1
        number += s.peeked[place] == tile and s.known_by[place] >> s.seat & 1 == 0
    return number


def risk(s):
    """What another flip may cost, in hundredths of a tile: a match drops tiles, a wave leaves four."""
    every = 0
    for tile in range(KINDS):
        every += unseen(s, tile)
    lost = 0
    for i in range(s.line_length):
        if Tile.SAND < s.line[i] < PAID_KINDS:
            lost += unseen(s, s.line[i]) * (s.line_length - i)
    lost += unseen(s, Tile.WAVE) * max(0, tiles(s.stashes[s.seat]) + s.line_length - KEPT)
    ready = best_build(s, s.seat, NONE)
    return 100 * lost * (3 if ready else 1) // max(1, every) + (60 if ready else 0)


def held(s, seat, tile, more):
    """How many tiles of a kind the seat has, those in its line and one `more` included."""
    number = s.stashes[seat][tile] + (tile == more)
    if seat == s.seat:
        for i in range(s.line_length):
            number += s.line[i] == tile
    return number


def lacking(s, seat, wall, more, less):
    """How hard what a wall still costs is to come by; tools stand for the rarest of their group."""
    hard = 0
    blue = 0
    green = 0
    for tile in range(PAID_KINDS):
        number = COST[wall][tile] - held(s, seat, tile, more) + (tile == less)
        if number > 0:
            hard += number * RARE[tile]
            blue = max(blue, RARE[tile] * SHOVEL_GROUP[tile])
            green = max(green, RARE[tile] * RAKE_GROUP[tile])
    if held(s, seat, Tile.SHOVEL, more) > (less == Tile.SHOVEL):
        hard -= blue
    if held(s, seat, Tile.RAKE, more) > (less == Tile.RAKE):
        hard -= green
    return hard


def best_build(s, seat, more):
    """The points of the best wall of the row that could be paid for."""
    best = 0
    left = s.row
    while left:
        wall = nth_of(left, 0)
        left &= left - 1
        if POINTS[wall] > best and lacking(s, seat, wall, more, NONE) == 0:
            best = POINTS[wall]
    return best


def outlook(s, seat, more, less):
    """What the walls of the row promise to a seat with its tiles, one more or one less."""
    total = 0
    left = s.row
    while left:
        wall = nth_of(left, 0)
        left &= left - 1
        total += 100 * POINTS[wall] // (1 + lacking(s, seat, wall, more, less))
    return total


def gain(s, seat, tile):
    """What one more tile is worth to a seat: itself, and what it does for walls."""
    return 10 + RARE[tile] + outlook(s, seat, tile, NONE) - outlook(s, seat, NONE, NONE)


def loss(s, seat, tile):
    """What a tile less costs a seat."""
    return RARE[tile] + outlook(s, seat, NONE, NONE) - outlook(s, seat, NONE, tile)
