"""The board: the harbor at the top, ten terraces of water, the waterfall at the bottom and the pool below it.

What never changes is drawn once. Every boat has a lane of its own from the pool to the harbor, so boats never overlap
and a move is a straight glide. Boats are drawn last: they pass over everything.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from strandline.drawing import (
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
    Plan,
    Point,
    Tokens,
    banner,
    board,
    box,
    circle,
    die,
    disc,
    dots,
    element,
    gradient,
    group,
    halo,
    headline,
    line,
    mark,
    path,
    polygon,
    remembered,
    ribbon,
    score_strip,
    shades,
    sheet,
    smooth,
    tooltip,
    use,
    wave,
    words,
)
from strandline.drawing.festive import bunting, colours_of, confetti, ending, hopping, swag
from strandline.engine.words import Words, seat_name, seat_names

from . import story
from .box import PLACES
from .rules import BOATS, FACTS, HARBOR, LOST, TIDE_ADVANCE, TOP_DOCK, WIND_FACE

_ = Words(__file__)

DOCK = 57
"""The width of a dock."""
HEADLINE = 280
"""The room for words to the left of the die."""
LANES = (90, 630)
"""Between these the water is open at every place."""


TOKENS: Tokens = {
    # The lower, the deeper
    **shades("river", PLACES, ("#2e86a3", "#9fddda"), ("#124866", "#4a939f")),
    "river-tide": ("#d3f0ec", "#6fb7c2"),
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
    "river-needle": ("#5da673", "#2a634c"),
    "river-leaf": ("#8abf86", "#1c3a2b"),
}
WOOD, PLANK, ROCK, CLIFF = "var(--river-wood)", "var(--river-plank)", "var(--river-rock)", "var(--river-cliff)"
TREE, LEAF = "var(--river-tree)", "var(--river-leaf)"
WALL, ROOF = "var(--river-wall)", "var(--river-roof)"
CREAM = "#fff8e7"


@dataclass(frozen=True, eq=False)
class _Plan(Plan):
    """The river from the harbor down to the pool: from top to bottom, or turned so that it comes from the right.

    The water is drawn as it lies in the tall arrangement and turned as a whole; all that stands upright is put on it.
    """

    card: float = 78
    """The length of a river card."""
    deck: float = 222
    """The upper edge of the harbor."""
    river: float = 336
    """Where the river begins, below the harbor."""

    @functools.cached_property
    def fall(self) -> float:
        """Where the river ends."""
        return self.river + PLACES * self.card

    @functools.cached_property
    def pool(self) -> float:
        """Where the pool begins."""
        return self.fall + 84

    @functools.cached_property
    def end(self) -> float:
        """Where the pool ends."""
        return self.fall + (236 if self.wide else 190)

    @functools.cached_property
    def height(self) -> float:
        """The height of the board."""
        return WIDTH + ABOVE - 10 if self.wide else self.end

    def top(self, place: int) -> float:
        """The upper edge of the card at that place."""
        return self.river + self.card * (PLACES - place)

    def spot(self, across: float, along: float) -> Point:
        """A point of the river on the board."""
        return (self.end - along, across + ABOVE) if self.wide else (across, along)

    def turned(self, drawn: str) -> str:
        """What lies on the river."""
        return group(drawn, at=self.spot(0, 0), turn=90) if self.wide else drawn

    def dock(self, number: int) -> Point:
        """Where a boat lies in a dock; the best is at the left, or at the top."""
        if not self.wide:
            return WIDTH / 2 + DOCK * ((TOP_DOCK + 1) / 2 - number), self.river - 38
        row, column = divmod(TOP_DOCK - number, 2)
        return self.width - 112 + 70 * column, ABOVE + 88 + row * 684 / ((TOP_DOCK + 1) // 2)

    def boat(self, place: int, lane: float, width: float) -> Point:
        """Where a boat sails, or lies when it is lost. In narrow lanes of a wide board every second one is ahead."""
        across = LANES[0] + width * (lane + 0.5)
        if not self.wide:
            return across, self.end - 24 if place == LOST else self.top(place) + self.card - 7
        middle = self.end - 76 if place == LOST else self.top(place) + self.card / 2
        ahead = 0 if width >= 76 else 25 if lane % 2 else -25
        x, y = self.spot(across, middle)
        return x + ahead, y + 22


ABOVE = 122
"""How far below the upper edge of a wide board the land begins."""
TALL = _Plan()
WIDE = _Plan(width=1426, card=104)


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
    """The position as an SVG image."""
    plan = WIDE if wide else TALL
    players, told = view["players"], _headline(view, winners)
    return board(
        "up_the_river",
        plan.height,
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        _water(plan),
        _tide(plan, view["tide"]),
        _sandbank(plan, view["sandbank"]),
        _land(plan),
        _signs(plan, view),
        _harbor(plan),
        _next_dock(plan, view),
        score_strip(scores, view["player"], winners, room=plan.scores),
        plan.status(_status(plan, view, told)),
        _party(plan, tuple(winners)) if view["phase"] == "end" else "",
        *(_boat(plan, view, seat, boat, seat in winners) for seat in range(players) for boat in range(BOATS)),
        defs=definitions(plan),
        tokens=TOKENS,
        width=plan.width,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move: the boat that moves, for good winds move one's own boats and ill winds others'."""
    _, *numbers = move.split()
    seat, boat = numbers if len(numbers) == 2 else (view["player"], numbers[0])
    return [f"boat-{seat}-{boat}"]


def _headline(view: dict[str, Any], winners: Sequence[int]) -> str:
    seat = view["player"]
    match view["phase"]:
        case "roll":
            return headline(seat, lambda name: _("{name}: roll", name=name), HEADLINE)
        case "sail":
            return headline(seat, lambda name: _("{name}: sail {n}", name=name, n=view["die"]), HEADLINE)
        case "wind":
            return headline(seat, lambda name: _("{name}: wind!", name=name), HEADLINE)
    if not winners:
        return _("Nobody wins")
    return _(("Winner: {names}", "Winners: {names}"), n=len(winners), names=seat_names(winners))


# What changes


def _boat(plan: _Plan, view: dict[str, Any], seat: int, boat: int, won: bool) -> str:
    place, dock = view["boats"][seat][boat], view["docks"][seat][boat]
    lane = (LANES[1] - LANES[0]) / (view["players"] * BOATS)
    at = plan.dock(dock) if place == HARBOR else plan.boat(place, seat * BOATS + boat, lane)
    hit = 50 if plan.wide else min(lane + 5, 76)
    told = f"{seat_name(seat)}: {story.whereabouts(view, seat, boat)}"
    return _boat_at(at, seat, boat, told, hit, won and place != LOST, place == LOST)


@remembered
def _boat_at(at: Point, seat: int, boat: int, told: str, hit: float, won: bool, lost: bool) -> str:
    return group(
        tooltip(told),
        halo(-hit / 2, -70, hit, 77),
        hopping(_dressed(seat) + _afloat(seat, boat + 1, False), boat) if won else _afloat(seat, boat + 1, lost),
        id=f"boat-{seat}-{boat + 1}",
        at=at,
    )


@functools.cache
def _afloat(seat: int, number: int, lost: bool) -> str:
    """A boat sails upright; lost ones lie in the pool."""
    return group(sailboat(seat, number), turn=-11 if lost else 0, opacity=0.85 if lost else None)


@functools.cache
def _dressed(seat: int) -> str:
    """A boat that has won dresses ship: flags from bow and stern to the top of the mast."""
    colours = colours_of((seat,))
    ropes = swag((-31, -14), (-9, -74), -3, 3), swag((-9, -74), (33, -14), -9, 4)
    return "".join(bunting(rope, colours, 15) for rope in ropes)


@functools.cache
def _party(plan: _Plan, winners: tuple[int, ...]) -> str:
    """Bunting over the harbor and paper in the air; where nobody has won, a rainbow over the waterfall."""
    if not winners:
        arcs = ""
        for i, colour in enumerate(("#d1495b", "#f08a3c", "#f6b93b", "#2e9e6b", "#2f6db5", "#7a4fa3")):
            radius = 290 - 14 * i
            arcs += path(f"M{-radius} 0A{radius} {radius} 0 0 1 {radius} 0", stroke=colour, stroke_width=14)
        return ending(
            False, group(arcs, at=(630, plan.height - 84) if plan.wide else (WIDTH / 2, plan.fall + 20), opacity=0.45)
        )
    colours = colours_of(winners)
    top, spans, right = (94, 4, plan.width - 160) if plan.wide else (168, 2, WIDTH)
    ends = [(right * i / spans, float(top)) for i in range(spans + 1)]
    lines = "".join(bunting(swag(one, other, 20, 13), colours) for one, other in pairwise(ends))
    (x, y), (u, v) = plan.spot(110, plan.river + 40), plan.spot(610, plan.fall - 60)
    return ending(True, lines, confetti(min(x, u), min(y, v), abs(u - x), abs(v - y), colours, 90))


def sailboat(seat: int, number: int) -> str:
    """A boat of a seat with its number, around the middle of its water line."""
    hull = use("river-boat", color=SEATS[seat].colour)
    return hull + mark(seat, (4.5, -39), 17) + words(str(number), (0, -3.5), 24, SEATS[seat].on)


def _hull_and_sails() -> str:
    """A boat in a seat's colour, drawn around the middle of its water line: 43 wide and 68 high."""
    edge = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}
    return group(
        path("M-24 2q12-7 24 0t24 0q-6 6-24 6t-24-6z", FOAM, opacity=0.75),
        line("M-9-24V-67", OUTLINE, 3),
        path("M-9-67l-11 4 11 4zM-12-57Q-20-40-20.5-27h8.5z", "currentColor", **edge),
        path("M-6-65Q25-50 20.5-27H-6z", CLOTH, **edge),
        path("M-21.5-23h43Q20-4 9 0H-9Q-20-4-21.5-23z", "currentColor", **edge),
        id="river-boat",
    )


def _status(plan: _Plan, view: dict[str, Any], told: str) -> str:
    """Who is to do what, the die, the round; at the end who has won."""
    if view["phase"] == "end":
        return ribbon(told, _("Round {n}", n=view["round"]))
    face = _winds() if view["die"] == WIND_FACE else view["die"]
    rolled = die((392, 129) if plan.wide else (654, 190), face, turn=0 if view["die"] else -12)
    return banner(told, _("Round {n}", n=view["round"]), view["player"]) + rolled


@functools.cache
def _winds() -> str:
    """The face 6, a double arrow (R-R7): a good wind goes up, an ill wind down."""
    arrow = "M-10 18V-12M-18-5l8-11 8 11M10-18V12M2 5l8 11 8-11"
    return line(arrow, "#12303b", 5, stroke_linejoin="round")


@functools.cache
def _tide(plan: _Plan, place: int) -> str:
    """The high tide: rolling waves right across the card (R7)."""
    low = wave(690, 30, plan.card - 8, -14, 94, start="L")
    band = path(f"{wave(30, 690, 14, 14, 94)}{low}z", "var(--river-tide)", opacity=0.6)
    curl = "c4-28 24-44 46-40 20 4 20 24 4 24 6-10-8-14-16-6-8 10 4 22 26 22z"
    curls = path("".join(f"M{x} {plan.card - 20:g}{curl}" for x in range(82, 600, 80)), FOAM, opacity=0.8)
    crest = line(wave(30, 690, plan.card - 12, 13, 47), FOAM, 5, opacity=0.9)
    return group(band, curls, crest, id="tide", at=plan.spot(0, plan.top(place)), turn=90 if plan.wide else 0)


@functools.cache
def _sandbank(plan: _Plan, place: int) -> str:
    """The sandbank: it holds every boat that sails onto it (R5)."""
    above = [(300, 17), (420, 9), (540, 14), (614, 26), (634, 46)]
    below = [(606, 66), (520, 74), (390, 70), (250, 75), (130, 69), (88, 46), (112, 22), (190, 13), (300, 17)]
    shore = smooth([*above, *below]) + "z"
    ridges = (
        "M134 40q20-12 42 0M270 32q22-12 46 0M404 44q20-10 40 0M540 36q18-10 38 0M210 58q16-8 32 0M470 60q16-8 32 0"
    )
    foam = path(shore, "none", stroke=FOAM, stroke_width=12, opacity=0.6)
    island = path(shore, SAND, stroke=SAND_EDGE, stroke_width=5, filter=SHADOW)
    pebbles = dots([(188, 60), (203, 64), (352, 28), (437, 60), (560, 58), (572, 52), (118, 52)], 3, SAND_EDGE)
    starfish = group(path(SEATS[4].shape, CORAL, stroke=SAND_EDGE, stroke_width=2), at=(608, 46), turn=20)
    drawn = foam + island + line(ridges, SAND_EDGE, 4) + pebbles + starfish
    if plan.wide:
        drawn = element("g", drawn, transform=f"scale(1 {plan.card / TALL.card:.2f})")
    return group(drawn, id="sandbank", at=plan.spot(0, plan.top(place)), turn=90 if plan.wide else 0)


def _signs(plan: _Plan, view: dict[str, Any]) -> str:
    """Signs on the right bank, beside the two special cards."""
    advance = _sign(plan, "tide-sign", f"+{TIDE_ADVANCE}", view["tide"], 60)
    return advance + _sign(plan, "sandbank-sign", _("stop"), view["sandbank"], 68)


@functools.cache
def _sign(plan: _Plan, name: str, text: str, place: int, width: float) -> str:
    post = line("M0 12V34", PLANK, 8)
    plate = box(-width / 2, -20, width, 38, 9, WOOD, stroke=PLANK, stroke_width=3, filter=SHADOW)
    at = plan.spot(680, plan.top(place) + plan.card / 2 - 1)
    return group(post, group(plate, words(text, (0, 7), 26, CREAM), turn=-4), id=name, at=at)


def _next_dock(plan: _Plan, view: dict[str, Any]) -> str:
    """A pennant at the dock that the next boat gets (R23)."""
    places = [place for boats in view["boats"] for place in boats]
    free = TOP_DOCK - places.count(HARBOR)
    afloat = any(LOST < place < HARBOR for place in places)
    return _pennant(plan, free) if free and afloat else ""


@functools.cache
def _pennant(plan: _Plan, free: int) -> str:
    flag = line("M0 0V-58", OUTLINE, 3.5) + path("M0-58l26 10-26 11z", SUN, stroke=OUTLINE, stroke_width=LINE)
    x, y = plan.dock(free)
    return group(flag, id="next-dock", at=(x - 7, y + 2))


# What never changes


@functools.cache
def definitions(plan: _Plan) -> str:
    """The drawings and colours that are used again and again."""
    return (
        gradient("river-sky", "var(--river-sky)", "var(--river-sky-low)")
        + gradient("river-fall", "var(--river-2)", SEA[1], FOAM)
        + gradient("river-pool", SEA[2], SEA[4])
        + gradient("river-meadow", LAND, MEADOW)
        + group(line(wave(20, 700, 0, 11, 85), FOAM, 3, opacity=0.55), id="river-edge")
        + _slip()
        + _hull_and_sails()
        + _fir()
        + _bush()
    )


@functools.cache
def _water(plan: _Plan) -> str:
    """Sky, the pool, the waterfall, and the ten cards as terraces of paper."""
    cards = "".join(_card(plan, place) for place in range(1, PLACES + 1))
    return _sky(plan) + plan.turned(_pool(plan) + _waterfall(plan) + cards)


def _sky(plan: _Plan) -> str:
    far = smooth([(-20, 204), (70, 176), (180, 198), (300, 170), (400, 190), (520, 214), (620, 186), (740, 200)])
    near = smooth([(-20, 212), (90, 200), (230, 214), (380, 204), (520, 222), (640, 206), (740, 214)])
    stars: list[Point] = [(30, 166), (182, 96), (258, 172), (452, 168), (362, 94), (604, 170), (690, 164)]
    if plan.wide:
        far = smooth([(x, ABOVE - 14 + 13 * math.sin(x / 83)) for x in range(-60, 1460, 70)])
        near = smooth([(x, ABOVE + 2 + 8 * math.sin(x / 61 + 2)) for x in range(-60, 1460, 70)])
        stars = [(x * 2, 96 + y % 14) for x, y in stars]
    moon = (plan.width - 260, 96) if plan.wide else (520, 200)
    return (
        box(0, 0, plan.width, plan.river, 0, "url(#river-sky)")
        + dots(stars, 2, "var(--river-stars)")
        + circle(moon, 52, "var(--river-moon)", opacity=0.3)
        + circle(moon, 34, "var(--river-moon)")
        + sheet(far + f"V{plan.river}H-20z", "var(--river-hill)")
        + sheet(near + f"V{plan.river}H-20z", MEADOW)
    )


def _card(plan: _Plan, place: int) -> str:
    """A card lies on the one below it, so its lower edge throws a shadow downstream."""
    top, low = plan.top(place), plan.top(place) + plan.card
    edge = wave(700, 20, low, -11, 85, start="L")
    strip = sheet(f"M20 {top - 20}H700V{low}{edge}z", f"var(--river-{place})") + use("river-edge", (0, low - 3))
    ripples = "".join(
        wave(x, x + 56, top + y, 6, 28) for x, y in strewn(place, 5, (96, 590), (18, round(plan.card) - 20))
    )
    return strip + line(ripples, FOAM, 2.5, opacity=0.38)


def strewn(seed: int, count: int, across: tuple[int, int], down: tuple[int, int]) -> list[Point]:
    """Points that look strewn about, the same ones every time."""
    width, height = across[1] - across[0], down[1] - down[0]
    return [
        (across[0] + width * (i + seed * 0.37 % 1) / count, down[0] + height * ((seed * 0.618 + i * 0.382) % 1))
        for i in range(count)
    ]


def _pool(plan: _Plan) -> str:
    ripples = "".join(wave(x, x + 70, plan.pool + y, 7, 35) for x, y in strewn(3, 8, (20, 660), (56, 112)))
    return box(0, plan.pool - 40, WIDTH, plan.end - plan.pool + 40, 0, "url(#river-pool)") + line(
        ripples, FOAM, 3, opacity=0.3
    )


def _waterfall(plan: _Plan) -> str:
    fall = path(f"M56 {plan.fall - 20}H664L684 {plan.pool + 24}H36z", "url(#river-fall)")
    streaks = ["", ""]
    for i, x in enumerate(range(76, 650, 12)):
        top, length = plan.fall + 12 + i * 29 % 37, 22 + i * 17 % 31
        streaks[i % 2] += f"M{x} {top}l{(x - 360) / 360 * length / 6:.1f} {length}"
    return fall + line(streaks[0], FOAM, 5, opacity=0.75) + line(streaks[1], "var(--river-4)", 4, opacity=0.5)


@functools.cache
def _land(plan: _Plan) -> str:
    """Both banks as sheets of paper on one another, trees, the numbers of the cards, rocks at the waterfall."""
    banks = "".join(_bank(plan, side) for side in (-1, 1))
    places = "".join(_place(plan, place) for place in range(1, PLACES + 1))
    upright = _reeds(plan) + (_town(plan) if plan.wide else "") + _trees(plan) + places
    return plan.turned(_cliffs(plan) + banks) + upright + plan.turned(_spray(plan))


def _shore(side: int, inland: float, y: float) -> float:
    """How far right the bank's edge is at height `y`: the river winds. Farther inland the edge is its own."""
    return WIDTH / 2 + side * (290 + inland) + 12 * math.sin(y / 118) + 5 * math.sin(y / 47 + inland)


def _bank(plan: _Plan, side: int) -> str:
    outside = WIDTH / 2 + side * (352 if plan.wide else 400)
    drawn = ""
    for inland, fill in ((3, SAND), (20, "url(#river-meadow)"), (48, LEAF)):
        low = plan.fall + 6 - inland / 3
        edge = [(_shore(side, inland, y), float(y)) for y in range(round(plan.river) - 40, round(plan.fall) - 20, 58)]
        corner = _shore(side, inland, plan.fall) + side * 4
        edge += [(corner, low - 12), (corner + side * 14, low)]
        way = f"M{outside} {plan.river - 40}" + smooth(edge, "L") + f"L{outside} {low + 4}z"
        drawn += sheet(way, fill, **({"stroke": SAND_EDGE, "stroke_width": 6} if fill == SAND else {}))
    return drawn


def _cliffs(plan: _Plan) -> str:
    """The rocks beside the waterfall."""
    far = [(370, -30), (286, -20), (300, 30), (316, 50), (312, 84), (340, 100), (372, 112)]
    near = [(370, -20), (312, -10), (326, 24), (322, 52), (346, 72), (344, 96), (372, 100)]
    return "".join(
        sheet(polygon([(WIDTH / 2 + side * x, plan.fall + y) for x, y in points]), fill)
        for side in (-1, 1)
        for points, fill in ((far, CLIFF), (near, ROCK))
    )


def _spray(plan: _Plan) -> str:
    """Foam along the edge of the waterfall and where it strikes the pool."""
    lip = line(wave(66, 654, plan.fall + 3, 12, 49), FOAM, 8, opacity=0.9)
    mist = dots(strewn(5, 17, (64, 650), (-16, 10)), 30, FOAM)
    clouds = dots(strewn(2, 21, (36, 704), (2, 24)), 20, FOAM) + dots(strewn(7, 26, (24, 712), (16, 42)), 12, FOAM)
    return lip + group(group(mist, opacity=0.5), group(clouds, opacity=0.92), at=(0, plan.pool))


def _place(plan: _Plan, place: int) -> str:
    """The number of a card, on the left bank. The last card before the waterfall warns (R19)."""
    middle = plan.top(place) + plan.card / 2
    return disc(str(place), plan.spot(_shore(-1, 28, middle), middle), ring=CORAL if place == 1 else INK)


def _reeds(plan: _Plan) -> str:
    """Reeds and stones along the shores."""
    reeds, heads, stones = "", [], []
    for i, along in enumerate(range(round(plan.river) + 74, round(plan.fall) - 30, 130)):
        side = 1 if i % 2 else -1
        x, y = plan.spot(_shore(side, 8, along), along)
        reeds += f"M{x:.0f} {y:.0f}q-2-16-7-26M{x + 5:.0f} {y:.0f}q0-20 2-34M{x + 10:.0f} {y:.0f}q2-14 8-22"
        heads += [(x - 7, y - 28), (x + 7, y - 37)]
        stones += [plan.spot(_shore(-side, 6 - shift, along + shift), along + shift) for shift in (20, 32)]
    return (
        dots(stones, 8, CLIFF) + dots([(x - 1, y - 2) for x, y in stones], 6.5, ROCK)
        + line(reeds, TREE, 3.5) + dots(heads, 4, PLANK)
    )  # fmt: skip


def _trees(plan: _Plan) -> str:
    left = ((16, 50), (30, 104), (10, 190), (24, 268), (10, 344), (28, 420), (12, 500), (30, 572), (12, 652), (22, 732))
    right = ((704, 60), (684, 84), (710, 152), (690, 236), (706, 312), (688, 384), (710, 464), (694, 546), (706, 624))
    kinds = {(x, y): "river-bush" if x % 4 == 2 else "river-fir" for x, y in (*left, *right, (690, 704), (710, 756))}
    longer = plan.card / TALL.card
    spots = {plan.spot(x, plan.river + y * longer): kind for (x, y), kind in kinds.items()}
    return "".join(use(kind, spot) for spot, kind in sorted(spots.items(), key=lambda one: one[0][1]))


def _fir() -> str:
    left, right = "M0-46L-10-28h5L-15-13h6L-18 4H0z", "M0-46L10-28H5L15-13H9L18 4H0z"
    shade = path("M-14 6q14-8 34 2-16 6-34-2z", SHADE, opacity=0.25)
    return group(shade, path(left, TREE), path(right, "var(--river-needle)"), id="river-fir")


def _bush() -> str:
    shade = path("M-16 5q14-8 36 2-16 6-36-2z", SHADE, opacity=0.25)
    crown = circle((-7, -12), 14, TREE) + dots([(8, -10), (1, -22)], 12, "var(--river-needle)")
    return group(shade, line("M0-2V5", PLANK, 6), crown, id="river-bush")


@functools.cache
def _harbor(plan: _Plan) -> str:
    """The wooden harbor with its twelve numbered docks, and the town behind it."""
    docks = [(str(number), plan.dock(number)) for number in range(1, TOP_DOCK + 1)]
    slips = "".join(use("river-slip", at) + words(number, (at[0], at[1] + 37), 24, CREAM) for number, at in docks)
    if plan.wide:
        left, low = plan.width - 152, plan.height
        deck = sheet(f"M{left} {ABOVE + 14}a18 18 0 0 1 18-18H{plan.width + 20}V{low + 20}H{left}z", WOOD)
        front = box(left - 4, ABOVE + 24, 14, low, 0, PLANK)
        posts = "".join(f"M{left - 12} {y}h16" for y in range(ABOVE + 60, round(low), 57))
        return group(line(posts, PLANK, 12), deck, front, slips, id="harbor")
    top, low = plan.deck, plan.river
    deck = sheet(f"M26 {top}H694a18 18 0 0 1 18 18V{low + 8}H8V{top + 18}a18 18 0 0 1 18-18z", WOOD)
    front = box(8, low - 26, WIDTH - 16, 34, 0, PLANK)
    posts = "".join(f"M{x - DOCK / 2:.1f} {low}v16" for _number, (x, _y) in [*docks[1:], docks[-1]])
    return _town(plan) + group(line(posts, PLANK, 12), deck, front, slips, id="harbor")


def _slip() -> str:
    """The water of a dock, around where a boat lies."""
    water = box(-25, -69, 50, 80, 12, "var(--river-9)", stroke=PLANK, stroke_width=4)
    return group(water, line(wave(-15, 15, 0, 5, 15), FOAM, 2.5, opacity=0.5), id="river-slip")


def _town(plan: _Plan) -> str:
    houses = ((52, 42, 26), (96, 34, 36), (172, 46, 24), (216, 36, 38), (330, 44, 26), (372, 34, 36), (622, 44, 26))
    drawn = "".join(house(i, *size) for i, size in enumerate(houses)) + lighthouse()
    return group(drawn, at=(520, ABOVE + 24) if plan.wide else (0, plan.deck))


def house(number: int, x: float, width: float, height: float) -> str:
    """A house of the town; the ground is at y = 0."""
    top = -height
    eaves = width / 2 + 5
    roof = path(f"M{x - eaves:.0f} {top + 2:.0f}l{eaves:.1f}-18 {eaves:.1f} 18z", SEA[3] if number % 3 == 1 else ROOF)
    windows = dots([(x - 8, top + 12), (x + 8, top + 12)], 3.5, "var(--river-window)")
    return box(x - width / 2, top, width, height + 4, 2, WALL) + roof + windows


def lighthouse() -> str:
    """The lighthouse at the end of the town."""
    tower = path("M-14 2L-8-42H8L14 2z", WALL) + path("M-10.500-24h21l1.500 10h-24z", ROOF)
    return group(tower, box(-7, -52, 14, 11, 2, SUN), path("M-11-51L0-62 11-51z", ROOF), at=(682, 0))
