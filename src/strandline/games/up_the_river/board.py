"""The board: the harbor at the top, ten terraces of water, the waterfall at the bottom and the pool below it.

What never changes is drawn once. Every boat has a lane of its own from the pool to the harbor, so boats never overlap
and a move is a straight glide. Boats are drawn last: they pass over everything.
"""

import functools
import math
from typing import Any

from strandline.engine.drawing import (
    CLOTH,
    CORAL,
    FOAM,
    INK,
    LAND,
    LINE,
    MEADOW,
    OUTLINE,
    SAND,
    SAND_EDGE,
    SEA,
    SEATS,
    SHADE,
    SHADOW,
    SUN,
    WIDTH,
    Point,
    Tokens,
    banner,
    board,
    box,
    circle,
    die,
    disc,
    gradient,
    group,
    halo,
    line,
    mark,
    path,
    polygon,
    ribbon,
    score_strip,
    sheet,
    smooth,
    tip,
    wave,
    words,
)

from .box import PLACES
from .rules import BOATS, FACTS, HARBOR, LOST, TIDE_ADVANCE, TOP_DOCK, WIND_FACE

HEIGHT = 1290
RIVER = 318
"""Where the river begins, below the harbor."""
CARD = 78
"""The height of a river card."""
FALL = RIVER + PLACES * CARD
"""Where the river ends."""
POOL = FALL + 84
DOCK = 57
"""The width of a dock."""
LANES = (90, 630)
"""Between these the water is open at every place."""


def _shades(top: tuple[int, int, int], bottom: tuple[int, int, int]) -> Tokens:
    """The colours of the river cards, from the waterfall up; at night a quarter darker."""
    pairs = {}
    for place in range(1, PLACES + 1):
        share = (place - 1) / (PLACES - 1)
        day = [b + (t - b) * share for t, b in zip(top, bottom, strict=True)]
        night = [0.62 * value for value in day]
        pairs[f"river-{place}"] = (_hex(day), _hex(night))
    return pairs


def _hex(colour: list[float]) -> str:
    return "#" + "".join(f"{round(value):02x}" for value in colour)


TOKENS: Tokens = {
    **_shades((0x9F, 0xDD, 0xDA), (0x2E, 0x86, 0xA3)),
    "river-sky": ("#fdebc8", "#152a45"),
    "river-sky-low": ("#fbd3ae", "#3d4468"),
    "river-moon": ("#f9b15c", "#f4ecd2"),
    "river-hill": ("#b9cfae", "#2c4258"),
    "river-stars": ("#ffffff00", "#ffffffcc"),
    "river-wall": ("#fff8e7", "#55606b"),
    "river-window": ("#7fb6bd", "#ffd98a"),
    "river-roof": ("#d9674d", "#7f3f3a"),
    "river-wood": ("#bf8f5e", "#6f5138"),
    "river-plank": ("#a87a4b", "#5b412c"),
    "river-rock": ("#8d8577", "#3f454a"),
    "river-cliff": ("#6f675c", "#2c3136"),
    "river-tree": ("#3f8f6a", "#1d4a3a"),
    "river-leaf": ("#5da673", "#28604a"),
}
WOOD, PLANK, ROCK, CLIFF = "var(--river-wood)", "var(--river-plank)", "var(--river-rock)", "var(--river-cliff)"
TREE, LEAF = "var(--river-tree)", "var(--river-leaf)"
CREAM = "#fff8e7"


def draw(view: dict[str, Any]) -> str:
    """The position as an SVG image."""
    scores, winners = _scores(view), _winners(view)
    return board(
        "up_the_river",
        HEIGHT,
        f"{FACTS.title}: {_headline(view)}",
        _description(view),
        _water(),
        _tide(view["tide"]),
        _sandbank(view["sandbank"]),
        _land(),
        _signs(view),
        _harbor(),
        _next_dock(view),
        score_strip(scores, view["player"], winners),
        _status(view),
        *(_boat(view, seat, boat) for seat in range(view["players"]) for boat in range(BOATS)),
        defs=_defs(),
        tokens=TOKENS,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move: the boat that moves. Good winds move own boats, ill winds others', so it is enough."""
    _, *numbers = move.split()
    seat, boat = numbers if len(numbers) == 2 else (view["player"], numbers[0])
    return [f"boat-{seat}-{boat}"]


# The position in words


def _scores(view: dict[str, Any]) -> list[int]:
    return [sum(docks) for docks in view["docks"]]


def _winners(view: dict[str, Any]) -> list[int]:
    """R26, R-R24, R-R25."""
    scores = _scores(view)
    over = view["phase"] == "end" and max(scores) > 0
    return [seat for seat, score in enumerate(scores) if over and score == max(scores)]


def _headline(view: dict[str, Any]) -> str:
    seat = view["player"]
    match view["phase"]:
        case "roll":
            return f"Seat {seat}: roll the die"
        case "sail":
            return f"Seat {seat}: sail {view['die']}"
        case "wind":
            return f"Seat {seat}: wind!"
    winners = _winners(view)
    if len(winners) == 1:
        return f"Seat {winners[0]} wins"
    return f"Seats {', '.join(map(str, winners))} win" if winners else "Nobody wins"


def _round(view: dict[str, Any]) -> str:
    limit = view["options"]["round_limit"]
    return f"Round {view['round']} of {limit}" if limit else f"Round {view['round']}"


def _description(view: dict[str, Any]) -> str:
    cards = f"The sandbank lies at card {view['sandbank']}, the high tide at card {view['tide']}."
    seats = (
        f"Seat {seat}, {SEATS[seat].word}, {score} points: "
        + "; ".join(f"boat {boat + 1} {_whereabouts(view, seat, boat)}" for boat in range(BOATS))
        + "."
        for seat, score in enumerate(_scores(view))
    )
    return " ".join([f"{_headline(view)}.", f"{_round(view)}.", cards, *seats])


def _whereabouts(view: dict[str, Any], seat: int, boat: int) -> str:
    place = view["boats"][seat][boat]
    if place == HARBOR:
        return f"in the harbor at dock {view['docks'][seat][boat]}"
    return "lost" if place == LOST else f"on card {place}"


# What changes


def _top(place: int) -> float:
    """The upper edge of the card at that place."""
    return RIVER + CARD * (PLACES - place)


def _dock(number: int) -> float:
    """The middle of a dock; the best is at the left."""
    return WIDTH / 2 + DOCK * ((TOP_DOCK + 1) / 2 - number)


def _boat(view: dict[str, Any], seat: int, boat: int) -> str:
    place, dock = view["boats"][seat][boat], view["docks"][seat][boat]
    lane = (LANES[1] - LANES[0]) / (view["players"] * BOATS)
    x, y = LANES[0] + lane * (seat * BOATS + boat + 0.5), _top(place) + CARD - 7
    if place == HARBOR:
        x, y = _dock(dock), RIVER - 38
    elif place == LOST:
        x, y = x, HEIGHT - 24
    tilt = 0 if place else 14 if (seat + boat) % 2 else -14
    hit = min(lane, 88)
    said = tip(f"Seat {seat}, boat {boat + 1}, {_whereabouts(view, seat, boat)}")
    return group(
        said,
        halo(-hit / 2, -70, hit, CARD - 1),
        group(_sailboat(seat, boat + 1), turn=tilt, opacity=None if place else 0.85),
        id=f"boat-{seat}-{boat + 1}",
        at=(x, y),
    )


@functools.cache
def _sailboat(seat: int, number: int) -> str:
    """Drawn around the middle of its water line: 43 wide and 68 high."""
    colour, on = SEATS[seat].colour, SEATS[seat].on
    edge = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}
    return (
        path("M-24 2q12-7 24 0t24 0q-6 6-24 6t-24-6z", FOAM, opacity=0.75)
        + line("M-9-24V-67", OUTLINE, 3)
        + path("M-9-67l-11 4 11 4z", colour, **edge)
        + path("M-12-57Q-20-40-20.5-27h8.5z", colour, **edge)
        + path("M-6-65Q25-50 20.5-27H-6z", CLOTH, **edge)
        + mark(seat, (4.5, -39), 17)
        + path("M-21.5-23h43Q20-4 9 0H-9Q-20-4-21.5-23z", colour, **edge)
        + words(str(number), (0, -3.5), 24, on)
    )


def _status(view: dict[str, Any]) -> str:
    """Who is to do what, the die, the round; at the end who has won."""
    if view["phase"] == "end":
        return ribbon(_headline(view), _round(view))
    face = _winds() if view["die"] == WIND_FACE else view["die"]
    rolled = die((430, 128), face, turn=0 if view["die"] else -12)
    return banner(_headline(view), _round(view), view["player"]) + rolled


@functools.cache
def _winds() -> str:
    """The face 6, a double arrow (R-R7): a good wind goes up, an ill wind down."""
    arrow = "M-10 18V-12M-18-5l8-11 8 11M10-18V12M2 5l8 11 8-11"
    return line(arrow, "#12303b", 5, stroke_linejoin="round")


def _tide(place: int) -> str:
    """The high tide: rolling waves right across the card (R7)."""
    curl = "M0 64C2 34 22 14 48 16 70 18 74 40 58 43 62 33 46 28 38 38 30 48 44 64 62 64z"
    waves = "".join(group(path(curl), at=(84 + 80 * i, 4)) for i in range(7))
    light = path(f"M30 6H690V{CARD - 4}H30z", SEA[0], opacity=0.55)
    crest = line(wave(30, 690, CARD - 9, 12, 44), FOAM, 5, opacity=0.9)
    return group(light, group(waves, fill=FOAM, opacity=0.8), crest, id="tide", at=(0, _top(place)))


def _sandbank(place: int) -> str:
    """The sandbank: it holds every boat that sails onto it (R5)."""
    around = [(84, 44), (110, 22), (190, 13), (300, 17), (420, 9), (540, 14), (618, 26), (638, 46)]
    below = [(610, 66), (520, 74), (390, 70), (250, 75), (130, 69), (84, 44)]
    shore = smooth([*around, *below]) + "z"
    ridges = (
        "M134 40q20-12 42 0M270 32q22-12 46 0M404 44q20-10 40 0M540 36q18-10 38 0M210 58q16-8 32 0M470 60q16-8 32 0"
    )
    foam = path(shore, "none", stroke=FOAM, stroke_width=12, opacity=0.6)
    island = path(shore, SAND, stroke=SAND_EDGE, stroke_width=5, filter=SHADOW)
    return group(foam, island, line(ridges, SAND_EDGE, 4), id="sandbank", at=(0, _top(place)))


def _signs(view: dict[str, Any]) -> str:
    """Signs on the right bank, beside the two special cards."""
    return _sign("tide-sign", f"+{TIDE_ADVANCE}", view["tide"], 60) + _sign(
        "sandbank-sign", "stop", view["sandbank"], 68
    )


def _sign(name: str, text: str, place: int, width: float) -> str:
    post = line("M0 12V34", PLANK, 8)
    plate = box(-width / 2, -20, width, 38, 9, WOOD, stroke=PLANK, stroke_width=3, filter=SHADOW)
    return group(post, group(plate, words(text, (0, 7), 26, CREAM), turn=-4), id=name, at=(680, _top(place) + 38))


def _next_dock(view: dict[str, Any]) -> str:
    """A pennant at the dock that the next boat gets (R23)."""
    free = TOP_DOCK - sum(place == HARBOR for boats in view["boats"] for place in boats)
    afloat = any(LOST < place < HARBOR for boats in view["boats"] for place in boats)
    if not free or not afloat:
        return ""
    flag = line("M0 0V-58", OUTLINE, 3.5) + path("M0-58l26 10-26 11z", SUN, stroke=OUTLINE, stroke_width=LINE)
    return group(flag, id="next-dock", at=(_dock(free) - 7, RIVER - 36))


# What never changes


@functools.cache
def _defs() -> str:
    return (
        gradient("river-sky", "var(--river-sky)", "var(--river-sky-low)")
        + gradient("river-fall", "var(--river-1)", SEA[1], FOAM)
        + gradient("river-pool", SEA[2], SEA[4])
        + gradient("river-meadow", LAND, MEADOW)
    )


@functools.cache
def _water() -> str:
    """Sky, the ten cards as terraces of paper, the waterfall and its pool."""
    cards = "".join(_card(place) for place in range(1, PLACES + 1))
    return _sky() + _pool() + _waterfall() + cards


def _sky() -> str:
    hills = sheet(
        smooth([(-20, 206), (90, 168), (210, 190), (330, 158), (470, 186), (600, 160), (740, 196)]) + "V330H-20z",
        "var(--river-hill)",
    )
    near = sheet(
        smooth([(-20, 190), (70, 200), (180, 186), (300, 204), (430, 194), (560, 206), (740, 176)]) + "V330H-20z",
        MEADOW,
    )
    stars = "".join(
        circle((x, y), 2, "var(--river-stars)") for x, y in ((40, 170), (250, 94), (366, 168), (470, 96), (700, 94))
    )
    sun = circle((548, 176), 46, "var(--river-moon)", opacity=0.3) + circle((548, 176), 32, "var(--river-moon)")
    return box(0, 0, WIDTH, 340, 0, "url(#river-sky)") + stars + sun + hills + near


def _card(place: int) -> str:
    """A card lies on the one below it, so its lower edge throws a shadow downstream."""
    top, low = _top(place), _top(place) + CARD
    edge = wave(700, 20, low, -11, 85, start="L")
    strip = sheet(f"M20 {top - 20}H700V{low}{edge}z", f"var(--river-{place})")
    foam = line(wave(20, 700, low - 3, 11, 85), FOAM, 3, opacity=0.55)
    ripples = "".join(wave(x, x + 56, top + y, 6, 28) for x, y in _scattered(place, 6, (96, 570), (18, CARD - 20)))
    return strip + foam + line(ripples, FOAM, 2.5, opacity=0.38)


def _scattered(seed: int, count: int, across: tuple[int, int], down: tuple[int, int]) -> list[Point]:
    """Points that look strewn about, the same ones every time."""
    width, height = across[1] - across[0], down[1] - down[0]
    return [
        (across[0] + width * ((i + (seed * 0.37) % 1) / count), down[0] + height * ((seed * 0.618 + i * 0.382) % 1))
        for i in range(count)
    ]


def _pool() -> str:
    rings = "".join(wave(x, x + 70, POOL + y, 7, 35) for x, y in _scattered(3, 9, (20, 650), (50, 96)))
    return box(0, POOL - 40, WIDTH, HEIGHT - POOL + 40, 0, "url(#river-pool)") + line(rings, FOAM, 3, opacity=0.3)


def _waterfall() -> str:
    fall = path(f"M56 {FALL - 20}H664L690 {POOL + 24}H30z", "url(#river-fall)")
    streaks = "".join(
        f"M{x} {FALL + 14 + (i * 29) % 31}L{360 + (x - 360) * 1.05:.0f} {POOL - 8 - (i * 17) % 23}"
        for i, x in enumerate(range(84, 650, 22))
    )
    glints = "".join(f"M{x} {FALL + 30 - (x % 7) * 4}v{18 + x % 11}" for x in range(94, 640, 46))
    return fall + line(streaks, FOAM, 6, opacity=0.65) + line(glints, "var(--river-3)", 5, opacity=0.5)


def _shore(side: int, inland: float, y: float) -> float:
    """How far right the bank's edge is at height `y`: the river winds. Farther inland the edge is its own."""
    middle = 12 * math.sin(y / 118) + 5 * math.sin(y / 47 + inland)
    return WIDTH / 2 + side * (290 + inland) + middle


@functools.cache
def _land() -> str:
    """Both banks as sheets of paper on one another, trees, the numbers of the cards, rocks at the waterfall."""
    banks = "".join(_bank(side) for side in (-1, 1))
    places = "".join(_place(place) for place in range(1, PLACES + 1))
    return _rocks() + banks + _trees() + places + _spray()


def _bank(side: int) -> str:
    outside = WIDTH / 2 + side * 400
    layers = ((0, SAND_EDGE), (5, SAND), (19, "url(#river-meadow)"), (46, LEAF))
    sheets = []
    for inland, fill in layers:
        low = FALL + 6 - inland / 3
        edge = [(_shore(side, inland, y), float(y)) for y in range(RIVER - 40, FALL - 20, 40)]
        edge += [(_shore(side, inland, FALL) + side * 4, low - 12), (_shore(side, inland, FALL) + side * 18, low)]
        way = f"M{outside} {RIVER - 40}" + smooth(edge, "L") + f"L{outside} {low + 4}z"
        sheets.append(path(way, fill) if inland == 5 else sheet(way, fill))
    return "".join(sheets)


def _rocks() -> str:
    """The cliffs beside the waterfall."""
    drawn = ""
    for side in (-1, 1):
        far = [(370, -30), (286, -20), (300, 30), (316, 50), (312, 84), (340, 100), (372, 112)]
        near = [(370, -20), (312, -10), (326, 24), (322, 52), (346, 72), (344, 96), (372, 100)]
        for points, fill in ((far, CLIFF), (near, ROCK)):
            drawn += sheet(polygon([(WIDTH / 2 + side * x, FALL + y) for x, y in points]), fill)
    return drawn


def _spray() -> str:
    """Foam along the edge of the waterfall and where it strikes the pool."""
    lip = line(wave(66, 654, FALL + 3, 12, 49), FOAM, 8, opacity=0.9)
    back = "".join(circle((x, POOL + 4 + (x * 7) % 13), 20 + (x * 5) % 12, FOAM) for x in range(48, 690, 34))
    front = "".join(circle((x, POOL + 20 + (x * 3) % 9), 11 + (x * 11) % 9, FOAM) for x in range(34, 700, 27))
    return lip + group(back, opacity=0.55) + group(front, opacity=0.9)


def _place(place: int) -> str:
    """The number of a card, on the left bank. The last card before the waterfall warns (R19)."""
    at = (_shore(-1, 27, _top(place) + CARD / 2), _top(place) + CARD / 2)
    return disc(str(place), at, ring=CORAL if place == 1 else INK)


def _trees() -> str:
    left = [
        (16, 372),
        (30, 420),
        (12, 505),
        (24, 588),
        (10, 660),
        (30, 735),
        (14, 815),
        (32, 888),
        (12, 968),
        (22, 1050),
    ]
    right = [
        (704, 378),
        (684, 398),
        (708, 470),
        (690, 552),
        (706, 628),
        (686, 700),
        (708, 782),
        (694, 862),
        (706, 940),
        (690, 1016),
        (708, 1078),
    ]
    spots = sorted([*left, *right], key=lambda spot: spot[1])
    return "".join(_fir(spot) if (spot[0] + spot[1]) % 3 else _bush(spot) for spot in spots)


def _fir(at: Point) -> str:
    left = "M0-46L-10-28h5L-15-13h6L-18 4H0z"
    right = "M0-46L10-28H5L15-13H9L18 4H0z"
    return group(path("M-14 6q14-8 34 2-16 6-34-2z", SHADE, opacity=0.25), path(left, TREE), path(right, LEAF), at=at)


def _bush(at: Point) -> str:
    crown = circle((-7, -12), 14, TREE) + circle((8, -10), 12, LEAF) + circle((1, -22), 12, LEAF)
    return group(path("M-16 5q14-8 36 2-16 6-36-2z", SHADE, opacity=0.25), line("M0-2V5", PLANK, 6), crown, at=at)


@functools.cache
def _harbor() -> str:
    """The wooden harbor with its twelve numbered docks, and the town behind it."""
    deck = sheet(f"M26 204H694a18 18 0 0 1 18 18V{RIVER + 8}H8V222a18 18 0 0 1 18-18z", WOOD)
    front = box(8, RIVER - 26, WIDTH - 16, 34, 0, PLANK)
    docks = "".join(_slip(number) for number in range(1, TOP_DOCK + 1))
    posts = "".join(box(_dock(n) - DOCK / 2 - 6, RIVER - 4, 12, 24, 5, PLANK) for n in range(TOP_DOCK))
    return _town() + group(posts, deck, front, docks, id="harbor")


def _slip(number: int) -> str:
    x = _dock(number)
    water = box(x - 25, 211, 50, 80, 12, "var(--river-9)", stroke=PLANK, stroke_width=4)
    shine = line(wave(x - 15, x + 15, 280, 5, 15), FOAM, 2.5, opacity=0.5)
    return water + shine + words(str(number), (x, RIVER - 1), 24, CREAM)


def _town() -> str:
    houses = ((60, 44, 26), (112, 36, 34), (196, 50, 24), (254, 34, 36), (356, 46, 26), (410, 36, 34), (640, 44, 24))
    return "".join(_house(*house) for house in houses) + _lighthouse()


def _house(x: float, width: float, height: float) -> str:
    top = 206 - height
    wall = box(x - width / 2, top, width, height + 4, 3, "var(--river-wall)")
    roof = path(
        f"M{x - width / 2 - 5} {top + 2}L{x} {top - width * 0.4:.0f} {x + width / 2 + 5} {top + 2}z",
        "var(--river-roof)",
    )
    window = box(x - 5, top + 8, 10, 11, 2, "var(--river-window)")
    return wall + roof + window


def _lighthouse() -> str:
    return (
        path("M674 206L680 172H696L702 206z", "var(--river-wall)")
        + path("M678 184H698L699.500 192H676.500z", "var(--river-roof)")
        + box(681, 163, 14, 10, 2, SUN)
        + path("M678 164L688 154 698 164z", "var(--river-roof)")
    )
