"""The board: the sea at the top, the tide pool of face-down tiles, the beach, the line, five walls, the castles.

In the wide arrangement the castles lie beside all of that. What never changes is drawn once, and so are pieces that
look the same time after time. Every kind of tile has its own drawing, and equal tiles are one tile with a number. A
wall keeps its id on its way from the row into a castle.
"""

import bisect
import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from strandline.drawing import (
    CLOTH,
    CORAL,
    FOAM,
    INK,
    LINE,
    OUTLINE,
    PAPER,
    SAND,
    SAND_EDGE,
    SEA,
    SEATS,
    SHADE,
    SHADOW,
    SMALL,
    SUN,
    WIDTH,
    Plan,
    Point,
    Tokens,
    banner,
    board,
    box,
    circle,
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
    ribbon,
    score_strip,
    sheet,
    short_name,
    smooth,
    text_width,
    tooltip,
    use,
    wave,
    words,
)
from strandline.drawing.festive import bunting, colours_of, confetti, ending, swag
from strandline.engine.words import Words, cached_for_reader, listed, seat_name

from . import story
from .box import ALL_TILES, COST, LONGEST_LINE, NUMBER, PAID, POINTS, TILES, WAVES, Tile
from .rules import CASTLE, FACTS, KEPT, LOOKED_AT, ROW
from .rules import SEATS as SEATS_AT_MOST

_ = Words(__file__)

SHORE = 216
"""Where the sea meets the sand."""
POOL_TOP, POOL_LOW = 226, 448
"""The water of the tide pool."""
POOL_MIDDLE = (POOL_TOP + POOL_LOW) / 2
TALLY = 456
"""The upper edge of the counts of the pool."""
BEACH = 514
"""The upper edge of the used tiles."""
PLANK = 578
"""The upper edge of the driftwood on which the line lies."""
WALLS_TOP = 690
"""The upper edge of the row of walls."""
CARD = (132, 172)
"""The size of a wall in the row."""
CELL = (344, 288)
"""The size of a seat's place."""
SLOT = 64
"""The width of a wall in a castle."""
DRY = TILES[: Tile.WAVE]
DARK, CREAM = "#12303b", "#fff8e7"

TOKENS: Tokens = {
    "castles-sky": ("#fdebc8", "#152a45"),
    "castles-sky-low": ("#fbd3ae", "#3d4468"),
    "castles-sun": ("#f9b15c", "#f4ecd2"),
    "castles-stars": ("#ffffff00", "#ffffffcc"),
    "castles-wet": ("#e0c48d", "#574a31"),
    "castles-rock": ("#9a9184", "#454d54"),
    "castles-rock-low": ("#6f675c", "#2c3136"),
    "castles-pool": ("#6cc3c9", "#1f5a6c"),
    "castles-pool-low": ("#2f8ba6", "#123f54"),
    "castles-weed": ("#2f9a7c", "#1c6b5d"),
    "castles-wood": ("#cda06b", "#6f5138"),
    "castles-grain": ("#a87a4b", "#4b3524"),
    "castles-wall": ("#ebca88", "#cfae70"),
    "castles-brick": ("#cfa65f", "#a8874d"),
    "castles-mound": ("#e6c988", "#8a7448"),
    "castles-card": ("#fff8e799", "#10242c88"),
}
WALL, BRICK, MOUND = "var(--castles-wall)", "var(--castles-brick)", "var(--castles-mound)"
WOOD, GRAIN = "var(--castles-wood)", "var(--castles-grain)"
EDGE = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}
THIN = EDGE | {"stroke_width": 2}
DASHED = {"stroke": INK, "stroke_width": LINE, "stroke_dasharray": "7 6", "stroke_opacity": 0.45}


@dataclass(frozen=True, eq=False)
class _Plan(Plan):
    """Where the castles lie: below the row of walls, or beside everything."""

    castles: Point = (12, 912)
    """The upper left corner of the first one."""
    raised: float = 0
    """How much higher than in the tall arrangement everything else lies."""

    def height(self, players: int) -> float:
        """The height of the board."""
        below = self.corner(players - 1)[1] + CELL[1] + 18
        return max(below, 850) if self.wide else below

    def corner(self, seat: int) -> Point:
        """The upper left corner of a seat's place."""
        left, top = self.castles
        return left + seat % 2 * (CELL[0] + 8), top + seat // 2 * (CELL[1] + 10)

    def slot(self, seat: int, number: int) -> Point:
        """The upper left corner of a castle's wall."""
        x, y = self.corner(seat)
        return x + 10 + (number - 1) * (SLOT + 2), y + 72


TALL = _Plan()
WIDE = _Plan(width=1436, castles=(728, 206), raised=66)


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
    """The position as an SVG image."""
    plan, players, told = WIDE if wide else TALL, view["players"], _headline(view, winners)
    field = (
        _scenery(plan, players),
        words(_("Beach"), (22, BEACH + 38), anchor="start"),
        _pool(view),
        *_places(view),
        _tally(tuple(view["pool"].get(kind, 0) for kind in TILES)),
        *(_used(kind, view["beach"].get(kind, 0)) for kind in DRY),
        *(_wave_aside(number) for number in range(view["waves_out"])),
        *_plank(view),
        _stack(tuple(view["stack"])),
        *(_priced_wall(wall, i) for i, wall in enumerate(view["row"])),
    )
    return board(
        "sand_castles",
        plan.height(players),
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        group(*field, at=(0, -plan.raised)) if plan.raised else "".join(field),
        score_strip(scores, _decider(view), winners, room=plan.scores),
        plan.status(_status(view, told)),
        _picnic(plan, players),
        *(_place_of_seat(plan, view, seat, seat in winners) for seat in range(players)),
        *_built_walls(plan, view),
        *(_party(seat, plan.corner(seat)) for seat in winners if view["phase"] == "over"),
        *_critters(plan, view),
        defs=definitions(),
        tokens=TOKENS,
        width=plan.width,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move.

    A look ends with the pool, where all tiles that are not named come from, unless every tile is named. A build ends
    with the free slot of the castle; before that each tool is clicked with the tile of the cost that it stands for.
    """
    verb, *rest = move.split()
    seat = view["turn"]
    match verb, rest:
        case "flip", []:
            return ["pool"]
        case (("flip" | "take"), ["peeked", place]):
            return [f"place-{place}"]
        case "take", [kind]:
            return [f"dropped-{kind}"]
        case "discard", [kind]:
            return [f"stash-{seat}-{kind}"]
        case "crab", [other, kind]:
            return ["crab", f"stash-{other}-{kind}"]
        case "seagull", ["to", other]:
            return [f"perch-{other}"]
        case "seagull", _:
            named = [f"place-{place}" for place in rest[1:]]
            every = len(named) == min(LOOKED_AT, _unknown(view) + len(view["peeked"]))
            return ["seagull", *named, *([] if every else ["pool"])]
        case "build", [wall, *tools]:
            pairs = zip(tools[::2], tools[1::2], strict=True)
            paid = [shape for tool, kind in pairs for shape in (f"stash-{seat}-{tool}", f"cost-{wall}-{kind}")]
            return [f"wall-{wall}", *paid, f"slot-{seat}-{len(view['walls'][seat]) + 1}"]
    return [verb]


# What the view tells


def _decider(view: dict[str, Any]) -> int | None:
    """The seat that decides, or whose turn it is."""
    if view["turn"] is None:
        return None
    return int(view["seat"] if view["turn"] == "chance" else view["turn"])


def _unknown(view: dict[str, Any]) -> int:
    """How many tiles nobody has looked at. Those at places that the viewer does not know are counted in its pool."""
    return int(sum(view["pool"].values()) - sum(place["tile"] is None for place in view["peeked"]))


def _headline(view: dict[str, Any], winners: Sequence[int]) -> str:
    seat = _decider(view)
    if seat is None:
        names = listed([short_name(winner) for winner in winners])
        return _(("Winner: {names}", "Winners: {names}"), n=len(winners), names=names)
    room = WIDTH - 124 - text_width(_round(view), SMALL)
    return headline(seat, lambda name: _to_do(view, name), room)


def _to_do(view: dict[str, Any], name: str) -> str:
    match view["phase"]:
        case "setup":
            return _("Five new walls")
        case "collect" if view["line"]:
            return _("{name}: flip or stop", name=name)
        case "collect":
            return _("{name}: flip a tile", name=name)
        case "draw":
            return _("{name}: flip!", name=name)
        case "peek":
            return _("{name}: look at {n}", name=name, n=view["look_left"])
        case "pick":
            return _("{name}: take one", name=name)
        case "draft":
            return _("{name}: take a tile", name=name)
        case "wave":
            return _("{name}: keep up to {n}", name=name, n=KEPT)
        case "build":
            return _("{name}: build?", name=name)
        case "refill":
            return _("{name}: a new wall", name=name)
    return _("{name}: pass the Seagull", name=name)


def _round(view: dict[str, Any]) -> str:
    return _("Round {n}", n=view["round"]) if view["final_by"] is None else _("Final round")


def _status(view: dict[str, Any], told: str) -> str:
    """Who is to do what and the round; at the end who has won."""
    if view["phase"] == "over":
        return ribbon(told, _round(view))
    return banner(told, _round(view), _decider(view))


# Tiles


def _tile(kind: str, at: Point, size: float = 48, opacity: float | None = None) -> str:
    """A tile, face up, or the `back` of one."""
    return use(f"castles-{kind}-tile", transform=_moved(at, size / 48), opacity=opacity)


@functools.lru_cache(4096)
def _moved(at: Point, scale: float) -> str:
    return f"translate({at[0]:g} {at[1]:g})" + (f" scale({scale:.3g})" if scale != 1 else "")


def _number(number: int, at: Point) -> str:
    """The number of equal tiles; `at` is the middle of its small plate. One tile needs none."""
    if number == 1:
        return ""
    x, y = at
    width = 17 * len(str(number)) + 12
    plate = box(x - width / 2, y - 14, width, 28, 14, DARK, stroke=CREAM, stroke_width=1.5)
    return plate + words(str(number), (x, y + 9), SMALL, CREAM)


def _pile(kind: str, number: int, size: float) -> str:
    """Equal tiles around (0, 0), or the dent where they would lie."""
    if not number:
        return use(f"castles-{kind}", transform=_moved((0, 0), size / 56), opacity=0.2)
    under = _tile("blank", (4, -4), size) if number > 1 else ""
    return under + _tile(kind, (0, 0), size) + _number(number, (size / 2 - 6, size / 2 - 6))


# The pool


def _pool(view: dict[str, Any]) -> str:
    """The water and the tiles in it that nobody has looked at."""
    heap = _heap(_unknown(view), view["players"] == 2, len(view["peeked"]))
    return group(_water(), heap, id="pool")


@cached_for_reader(64)
def _water() -> str:
    ring = element("path", d=_rim(-5), class_="halo", style="fill:transparent")
    shine = "".join(wave(x, x + 46, y, 5, 23) for x, y in ((96, 256), (560, 250), (330, 424), (610, 416), (70, 410)))
    return (
        tooltip(_("The pool"))
        + path(_rim(0), "url(#castles-water)")
        + path(_rim(-26), FOAM, opacity=0.1)
        + line(shine, FOAM, 3, opacity=0.45)
        + _life()
        + ring
    )


def _life() -> str:
    """Fish, a starfish and weeds at the bottom of the pool."""
    fish = "q12-13 28-4l11-8-2 12 2 12-11-8q-16 9-28-4z"
    weeds = "M650 436c-8-12 8-16 0-30s6-14 0-26M668 434c-6-10 8-14 2-24s4-12 0-20M60 430c8-10-6-16 2-26s-4-12 2-20"
    return (
        path(f"M214 404{fish}M262 424{fish}M470 396{fish}", SEA[0], opacity=0.4)
        + line(weeds, "var(--castles-weed)", 6, opacity=0.7)
        + group(path(SEATS[4].shape, CORAL, transform="scale(1.3)"), at=(396, 414), turn=18, opacity=0.75)
    )


def _rim(out: float) -> str:
    """The edge of the pool, that far outside the water's."""
    points = [_on_rim((step + 0.5) / 28, out) for step in range(28)]
    return smooth([*points, points[0]]) + "z"


def _on_rim(share: float, out: float = 0) -> Point:
    """A point of the edge, that share of the way around: a box with round corners that is not quite even."""
    turn = math.tau * share
    across, down = math.cos(turn), math.sin(turn)
    out += 3 * math.sin(5 * turn + 1) + 2 * math.sin(9 * turn)
    x = math.copysign(abs(across) ** 0.4, across) * (332 + out)
    y = math.copysign(abs(down) ** 0.5, down) * ((POOL_LOW - POOL_TOP) / 2 + out)
    return (WIDTH / 2 + x, POOL_MIDDLE + y)


def _along_rim(number: int) -> list[Point]:
    """That many points of the edge, equally far from each other."""
    fine = [_on_rim(i / 2000) for i in range(2001)]
    way = list(itertools.accumulate(itertools.starmap(math.dist, itertools.pairwise(fine)), initial=0.0))
    points = []
    for goal in (way[-1] * i / number for i in range(number)):
        at = bisect.bisect(way, goal) - 1
        share = (goal - way[at]) / (way[at + 1] - way[at])
        (x, y), (next_x, next_y) = fine[at], fine[at + 1]
        points.append((x + (next_x - x) * share, y + (next_y - y) * share))
    return points


@functools.cache
def _heap(number: int, alone: bool, peeked: int) -> str:
    """That many face-down tiles. `alone`: there is no Seagull, so no room is left for tiles that somebody knows."""
    rows, size, top, step = (4, 46, 264, 48) if alone else (3, 43, 255, 44)
    if peeked > 9:
        rows, size, top, step = (2, 40, 254, 40) if peeked <= 26 else (1, 38, 250, 0)
    columns = max(1, -(-(ALL_TILES - (peeked if peeked > 9 else 0)) // rows))
    pitch = 612 / columns
    tiles = []
    for i in sorted(_taken_last(rows * columns)[:number]):
        row, column = divmod(i, columns)
        x = 360 + pitch * (column - (columns - 1) / 2 + 0.12 * math.sin(i * 7.1) + (row % 2 - 0.5) * 0.3)
        y = top + row * step + 3.5 * math.sin(i * 4.3)
        tiles.append(f"{_moved((round(x, 1), round(y, 1)), size / 48)} rotate({11 * math.sin(i * 2.7):.0f})")
    return group(*(use("castles-back-tile", transform=way) for way in tiles), id="heap")


@functools.cache
def _taken_last(slots: int) -> list[int]:
    """The slots of the heap in an order in which it thins out evenly when the last ones are taken."""
    return sorted(range(slots), key=lambda i: (i * 0.618034) % 1)


def _places(view: dict[str, Any]) -> Iterator[str]:
    """The places that somebody has looked at (S-R13)."""
    peeked = view["peeked"]
    few = len(peeked) <= 9
    by_number = few and all(item["place"] <= 9 for item in peeked)
    columns, size, top, step = (9, 62, 404, 0) if few else (13, 46, 350, 54)
    if len(peeked) > 26:
        columns, size, top, step = 15, 40, 286, 43
    for i, item in enumerate(peeked):
        row, column = divmod(item["place"] - 1 if by_number else i, columns)
        at = WIDTH / 2 + (column - (columns - 1) / 2) * 624 / columns, top + row * step
        looked = item["place"] in view["looking"]
        drawn = _place(item["place"], item["tile"], tuple(item["known_by"]), looked, size)
        yield group(drawn, id=f"place-{item['place']}", at=at)


@cached_for_reader(4096)
def _place(place: int, kind: str | None, known_by: tuple[int, ...], looked: bool, size: int) -> str:
    """A face-down tile with its number, an eye, and the marks of those who know it; to them it shows its face."""
    half = size / 2
    said = story.place({"place": place, "tile": kind, "known_by": known_by})
    light = circle((0, 0), half + 8, SUN, opacity=0.55) if looked else ""
    face = _tile(kind, (0, 0), size, opacity=0.82) if kind else ""
    wide = 17 * len(str(place)) + 12
    left = -half - 5 if size > 46 else -wide / 2
    plate = box(left, -half - 9, wide, 27, 13, PAPER, stroke=INK, stroke_width=2)
    eye = "" if size < 60 or kind else use("castles-eye", (0, 4))
    step = min(20, size / max(len(known_by), 3))
    marks = "".join(
        use(f"castles-mark-{seat}", transform=_moved(((i - (len(known_by) - 1) / 2) * step, half - 4), (step - 1) / 20))
        for i, seat in enumerate(known_by)
    )
    return (
        tooltip(said)
        + light
        + halo(-half - 4, -half - 10, size + 8, size + 16)
        + _tile("back", (0, 0), size)
        + face
        + eye
        + plate
        + words(str(place), (left + wide / 2, -half + 13.5))
        + marks
    )


@cached_for_reader(1024)
def _tally(pool: tuple[int, ...]) -> str:
    """How many tiles of each kind are still face down, as far as the viewer can tell."""
    numbers = [("back", sum(pool), ALL_TILES), *zip(TILES, pool, NUMBER, strict=True)]
    widths = [34 + 17 * len(str(most)) for *kind, most in numbers]
    gap = (WIDTH - 56 - sum(widths)) / (len(widths) - 1)
    drawn = box(14, TALLY + 4, WIDTH - 28, 46, 23, SHADE, opacity=0.25) + box(14, TALLY, WIDTH - 28, 46, 23, PAPER)
    x = 28.0
    for (kind, number, _most), width in zip(numbers, widths, strict=True):
        look = _tile(kind, (x + 16, TALLY + 23), 32, opacity=None if number else 0.35)
        text = words(str(number), (x + 35, TALLY + 32), SMALL, anchor="start") if number else ""
        said = _(("{n} tile", "{n} tiles"), n=number) if kind == "back" else story.many(kind, number)
        drawn += group(tooltip(_("Face down: {tiles}", tiles=said)), look, text)
        x += width + gap
    return group(drawn, id="tally")


# The beach


@cached_for_reader(1024)
def _used(kind: str, number: int) -> str:
    """Used tiles of a kind: they lie on the beach until a wave takes them."""
    at = (136 + 51 * DRY.index(kind), BEACH + 30)
    said = _("On the beach: {tiles}", tiles=story.many(kind, number))
    return group(tooltip(said), _pile(kind, number, 42), id=f"beach-{kind}", at=at)


@functools.cache
def _wave_slots() -> str:
    """Where waves are set aside: the last one of them never stays there."""
    return "".join(box(x - 23, y - 23, 46, 46, 11, "none", **DASHED) for x, y in map(_aside, range(WAVES - 1)))


def _aside(number: int) -> Point:
    """Where a wave lies. The last one is seen for a moment, on top of the others, before all go back."""
    left, right = 618, 682
    if number == WAVES - 1:
        return ((left + right) / 2, BEACH + 22)
    return (left + (right - left) * (number / (WAVES - 2) if WAVES > 2 else 0.5), BEACH + 30)


@cached_for_reader(256)
def _wave_aside(number: int) -> str:
    return group(tooltip(_("A wave set aside")), _tile("wave", (0, 0), 46), id=f"wave-{number + 1}", at=_aside(number))


# The driftwood: the line, dropped tiles, what to do


def _plank(view: dict[str, Any]) -> Iterator[str]:
    """What lies on the driftwood depends on the phase; the line is empty in all phases after collecting."""
    phase = view["phase"]
    if phase in ("collect", "draw", "peek", "pick"):
        yield _owner(view["seat"])
        yield from _line(view)
        if phase == "collect" and view["line"]:
            yield _sign("stop", _("Stop"))
    elif phase == "draft":
        yield from _dropped(view["dropped"])
    elif phase == "wave":
        yield _tile("wave", (56, PLANK + 50), 58)
        if view["nimble"]:
            yield _text((_("Nimble toes!"), _("Then flip again.")), 104)
        else:
            yield _text((_("A wave!"), _("Keep up to {n} tiles.", n=KEPT)), 104)
        if sum(view["stashes"][view["turn"]].values()) <= KEPT:
            yield _sign("keep", _("Keep"))
    elif phase == "build":
        yield _owner(view["seat"])
        pinch = view["crab"] == view["seat"]
        yield _text((_("Build a wall"), _("or use the Crab?") if pinch else _("of the row?")))
        yield _sign("pass", _("Done"))
    else:
        yield _text((_notice(phase),))


def _notice(phase: str) -> str:
    """What happens while nothing lies on the driftwood."""
    match phase:
        case "setup":
            return _("Five walls are turned up.")
        case "refill":
            return _("A new wall is turned up.")
        case "seagull":
            return _("Who gets the Seagull?")
    return _("Points: walls, and 1 for each tile.")


@functools.cache
def _owner(seat: int) -> str:
    return mark(seat, (52, PLANK + 50), 34)


def _text(lines: Sequence[str], left: float = 90) -> str:
    """A line of text in the middle of the driftwood, or two."""
    base = PLANK + 77 - 17 * len(lines)
    return "".join(words(text, (left, base + 34 * i), 28, anchor="start") for i, text in enumerate(lines))


@functools.lru_cache(64)
def _sign(name: str, text: str) -> str:
    """What is clicked to be done; a long word makes it wider to the left."""
    width = max(114, text_width(text, 28) + 16)
    left = 54 - width
    post = box(left + 3, -34, width, 68, 18, SHADE, opacity=0.25) + box(left, -38, width, 68, 18, CLOTH, **EDGE)
    face = words(text, (left + width / 2, 6), 28, DARK)
    return group(tooltip(text), halo(left - 7, -45, width + 14, 82), post, face, id=name, at=(632, PLANK + 54))


def _line(view: dict[str, Any]) -> Iterator[str]:
    """The line, left to right, and the place for the next tile."""
    tiles = view["line"]
    drawn = len(tiles) + 1
    across, size = (7, 60) if drawn <= 7 else (12, 41) if drawn <= 24 else (-(-(LONGEST_LINE + 1) // 3), 30)
    rows, pitch = -(-drawn // across), 468 / across
    for i, kind in enumerate([*tiles, ""]):
        row, column = divmod(i, across)
        at = 90 + pitch * (column + 0.5), PLANK + 50 + (row - (rows - 1) / 2) * (size + 2)
        if kind:
            yield group(tooltip(story.kind_name(kind)), _tile(kind, (0, 0), size), id=f"line-{i + 1}", at=at)
        elif view["phase"] == "draw":
            yield group(_tile("back", (0, 0), size), turn=-8, id="flipped", at=at)
        else:
            yield box(at[0] - size / 2 + 2, at[1] - size / 2 + 2, size - 4, size - 4, size / 4, "none", **DASHED)


def _dropped(dropped: dict[str, int]) -> Iterator[str]:
    """The dropped tiles, which everybody may take (S16, S17)."""
    pitch = min(84, 650 / len(dropped))
    for i, (kind, number) in enumerate(dropped.items()):
        x = WIDTH / 2 + pitch * (i - (len(dropped) - 1) / 2)
        yield group(
            tooltip(_("Dropped: {tiles}", tiles=story.many(kind, number))),
            halo(-36, -38, 72, 76, below=True), _pile(kind, number, 60),
            id=f"dropped-{kind}", at=(x, PLANK + 50),
        )  # fmt: skip


# Walls


@functools.cache
def _battlement(width: float, height: float, teeth: int, deep: float) -> str:
    """A wall with that many teeth, its upper left corner at (0, 0)."""
    tooth = width / (teeth + (teeth - 1) * 0.5)
    top = f"h{tooth:g}" + f"v{deep:g}h{tooth / 2:g}v{-deep:g}h{tooth:g}" * (teeth - 1)
    return f"M0 0{top}V{height:g}H0z"


def _value(points: int, at: Point, radius: float) -> str:
    """A wall's points, on a sunny disc."""
    size = radius * 1.25 if points < 100 else SMALL
    text = words(str(points), (at[0], at[1] + size * 0.36), max(SMALL, size), DARK)
    return circle(at, radius, SUN, stroke=OUTLINE, stroke_width=LINE) + text


@cached_for_reader(1024)
def _priced_wall(wall: int, index: int) -> str:
    """A wall of the row: points, number, and the tiles that it costs."""
    width, height = CARD
    cost = {kind: number for kind, number in zip(PAID, COST[wall], strict=True) if number}
    return group(
        tooltip(_wall_words(wall)),
        halo(-6, -6, width + 12, height + 12),
        use("castles-card"),
        _value(POINTS[wall], (34, 47), 25),
        words(f"#{wall}", (width - 12, 56), SMALL, DARK, anchor="end"),
        *_costs(wall, cost),
        id=f"wall-{wall}",
        at=_in_row(index),
    )


def _wall_words(wall: int) -> str:
    return _(("Wall {wall}: {n} point", "Wall {wall}: {n} points"), wall=wall, n=POINTS[wall])


def _in_row(index: int) -> Point:
    return (12 + index * (CARD[0] + 9), WALLS_TOP)


def _costs(wall: int, cost: dict[str, int]) -> Iterator[str]:
    """Six tiles have room one by one. A wall that costs more shows each kind once, with a number."""
    one_by_one = sum(cost.values()) <= 6
    shown = sum(cost.values()) if one_by_one else len(cost)
    columns, size, pitch = (2, 45, 50) if shown <= 4 else (3, 39, 41) if shown <= 6 else (4, 30, 32)
    at, rows = 0, -(-shown // columns)
    for kind, number in cost.items():
        drawn = ""
        for _copy in range(number if one_by_one else 1):
            row, column = divmod(at, columns)
            in_row = min(columns, shown - row * columns)
            x = CARD[0] / 2 + (column - (in_row - 1) / 2) * pitch
            y = 124 + (row - (rows - 1) / 2) * pitch
            drawn += halo(x - pitch / 2 - 1, y - pitch / 2 - 1, pitch + 2, pitch + 2) + _tile(kind, (x, y), size)
            drawn += "" if one_by_one else _number(number, (x + 8, y + 10))
            at += 1
        yield group(tooltip(story.many(kind, number)), drawn, id=f"cost-{wall}-{kind}")


@cached_for_reader(256)
def _stack(stack: tuple[int, ...]) -> str:
    """How many walls are still in the stack, and which."""
    y = WALLS_TOP + CARD[1] + 30
    pile = "".join(
        group(path(_battlement(30, 20, 3, 5), WALL, **EDGE), at=(22 + 3 * i, y - 14 - 4 * i)) for i in range(3)
    )
    runs = _runs(stack) if stack else _("The stack is empty.")
    fit = {"textLength": 580, "lengthAdjust": "spacingAndGlyphs"} if len(runs) > 36 else {}
    text = element("text", runs, x=126, y=y + 2, font_size=SMALL, fill=INK, **fit)
    return group(
        tooltip(_("The stack")), pile if stack else "", words(str(len(stack)), (66, y + 2), 28, anchor="start"), text
    )


def _runs(numbers: tuple[int, ...]) -> str:
    """Numbers in a row, such as 1 2 4–7 9."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = (f"#{run[0]}–{run[-1]}" if len(run) > 2 else " ".join(f"#{number}" for number in run) for run in runs)
    return " ".join(said)


# The seats


def _place_of_seat(plan: _Plan, view: dict[str, Any], seat: int, won: bool) -> str:
    """A castle, a stash, the perches of Crab and Seagull. The castle grows a tower with each wall."""
    players = view["players"]
    built = len(view["walls"][seat])
    acts = seat == _decider(view)
    stash = view["stashes"][seat]
    return group(
        _ground(seat, acts, players > 2),
        _castle(seat, built, view["final_by"] == seat, view.get("view") == seat, won),
        *(_in_stash(seat, kind, stash.get(kind, 0)) for kind in DRY),
        at=plan.corner(seat),
    )


@functools.cache
def _ground(seat: int, acts: bool, seagull: bool) -> str:
    width, height = CELL
    ring = {"stroke": SUN, "stroke_width": 6} if acts else {"stroke": SAND_EDGE, "stroke_width": 2}
    drawn = box(0, 0, width, height, 22, "var(--castles-card)", **ring)
    perches = use("castles-nest", (310, 166))
    if seagull:
        perches += group(halo(-34, -44, 68, 76), use("castles-post"), id=f"perch-{seat}", at=(306, 54))
    return drawn + perches


@cached_for_reader(256)
def _castle(seat: int, built: int, final: bool, you: bool, won: bool) -> str:
    """Four slots on a mound, a tower behind each wall that is built, the seat's flag; the winner's fly high."""
    towers = ""
    for number, high in zip(range(built), (24, 36, 28, 18), strict=False):
        top = (42 + number * (SLOT + 2), 76 - high)
        towers += use("castles-tower", top, color=SEATS[seat].colour)
        if won:
            towers += group(group(use("castles-flag", color=SEATS[seat].colour), class_="sway"), at=top)
    mound = "M12 146H272Q280 158 284 188H3Q6 160 12 146z"
    slots = "".join(
        group(
            halo(-3, -3, SLOT + 6, 84),
            use("castles-slot"),
            id=f"slot-{seat}-{number + 1}",
            at=(10 + number * (SLOT + 2), 72),
        )
        for number in range(CASTLE)
    )
    right = 190 if final else 278
    name = mark(seat, (32, 169), 24) + words(short_name(seat, right - 52 - 40 * you), (52, 178), SMALL, anchor="start")
    name += group(tooltip(_("You")), use("castles-eye", (right - 18, 169))) if you else ""
    badge = box(194, 153, 86, 32, 16, "#d9563a") + words(_("first"), (237, 177), SMALL, CREAM)
    tag = group(tooltip(_("The first finished castle")), badge)
    base = path(mound, MOUND, stroke=SAND_EDGE, stroke_width=3, stroke_linejoin="round")
    return towers + base + slots + name + (tag if final else "")


@cached_for_reader(4096)
def _in_stash(seat: int, kind: str, number: int) -> str:
    """The tiles of a kind in a seat's stash."""
    row, column = divmod(DRY.index(kind), 5)
    at = (36 + 66 * column + 33 * row, 214 + 49 * row)
    return group(
        tooltip(f"{seat_name(seat)}: {story.many(kind, number)}"),
        halo(-30, -25, 60, 50, below=True), _pile(kind, number, 44),
        id=f"stash-{seat}-{kind}", at=at,
    )  # fmt: skip


def _built_walls(plan: _Plan, view: dict[str, Any]) -> Iterator[str]:
    for seat, walls in enumerate(view["walls"]):
        for number, wall in enumerate(walls, start=1):
            yield _built_wall(wall, plan.slot(seat, number))


@cached_for_reader(1024)
def _built_wall(wall: int, at: Point) -> str:
    """A wall in a castle: points and number."""
    return group(
        tooltip(_wall_words(wall)),
        use("castles-built"),
        _value(POINTS[wall], (SLOT / 2, 33), 20),
        words(f"#{wall}", (SLOT / 2, 74), SMALL, DARK),
        id=f"wall-{wall}",
        at=at,
    )


def _critters(plan: _Plan, view: dict[str, Any]) -> Iterator[str]:
    """Crab and Seagull at their holders; a Seagull that has been used this turn sleeps."""
    x, y = plan.corner(view["crab"])
    yield group(
        tooltip(_("The Crab, with {name}", name=seat_name(view["crab"]))), halo(-34, -32, 68, 62), use("castles-crab"),
        id="crab", at=(x + 310, y + 158),
    )  # fmt: skip
    if view["seagull"] is not None:
        x, y = plan.corner(view["seagull"])
        used, name = view["seagull_used"], seat_name(view["seagull"])
        said = _("The Seagull, with {name}, used", name=name) if used else _("The Seagull, with {name}", name=name)
        bird = use("castles-gull-asleep" if used else "castles-gull")
        yield group(tooltip(said), halo(-34, -36, 68, 70), bird, id="seagull", at=(x + 304, y + 46))


# What never changes


@functools.cache
def _scenery(plan: _Plan, players: int) -> str:
    """Sky, sea, sand, the rocks of the pool, the driftwood, places for walls."""
    height = plan.height(players) + plan.raised
    row = "".join(
        group(path(_battlement(*CARD, 4, 13), "#00000010", **DASHED), at=_in_row(index)) for index in range(ROW)
    )
    return _sky(plan.width) + _sea(plan.width) + _sand(plan.width, height) + _rocks() + _beach() + _driftwood() + row


def _sky(width: float) -> str:
    stars = ((30, 96), (182, 96), (258, 94), (452, 96), (362, 94), (604, 95), (8, 40), (712, 60), (6, 120), (715, 130))
    return (
        box(0, 0, width, 190, 0, "url(#castles-sky)")
        + dots(stars, 2, "var(--castles-stars)")
        + circle((430, 178), 40, "var(--castles-sun)", opacity=0.35)
        + circle((430, 178), 22, "var(--castles-sun)")
    )


def _sea(width: float) -> str:
    """The sea as sheets of paper, the nearer the lighter, with a sail and an island far out."""
    island = path("M-70 8Q-50-8-24-4T10-12 80 8z", "var(--castles-rock)")
    sail = path("M-1-4V-26L12-5zM-4-4V-20L-12-5z", CLOTH) + path("M-15-2H15L9 5H-10z", CORAL)
    far = sheet(f"{wave(-20, width + 20, 174, 8, 60)}V260H-20z", SEA[3])
    middle = sheet(f"{wave(-20, width + 20, 186, 10, 84)}V260H-20z", SEA[2])
    near = sheet(f"{wave(-20, width + 20, 199, 11, 108)}V260H-20z", SEA[1])
    return group(island, at=(630, 174)) + far + group(sail, at=(150, 188)) + middle + near


def _sand(width: float, height: float) -> str:
    east = [] if width == WIDTH else [(860, -7), (990, 4), (1120, -5), (1260, 5), (width + 20, -2)]
    edge = smooth([(-20, 2), (90, -8), (210, 4), (350, -6), (480, 5), (610, -6), (740, 2), *east])
    dry = smooth(
        [(-20, 20), (120, 36), (300, 26), (460, 40), (600, 24), (740, 34), *((x, 28 + 4 * y / 3) for x, y in east)]
    )
    grains = [((i * 97.3) % width, 490 + (i * 61.7) % (height - 500)) for i in range(110 if not east else 200)]
    spots = ((30, 900), (420, 904), (width - 470, height - 8), (width - 160, height - 6))
    ripples = "".join(wave(x, x + 60, y, 6, 30) for x, y in spots)
    return (
        group(
            line(edge, FOAM, 14, opacity=0.9, transform="translate(0 -7)"),
            sheet(f"{edge}V{height}H-20z", "var(--castles-wet)"),
            path(f"{dry}V{height}H-20z", SAND),
            at=(0, SHORE),
        )
        + dots(grains, 2, SAND_EDGE, opacity=0.8)
        + line(ripples, SAND_EDGE, 3)
    )


def _rocks() -> str:
    """Stones all around the pool, under the edge of the water."""
    stones: list[list[Point]] = [[], [], []]
    for step, (x, y) in enumerate(_along_rim(78)):
        out = 1.015 + 0.012 * math.sin(step * 2.3)
        stones[step * 5 % 3].append((360 + (x - 360) * out, POOL_MIDDLE + (y - POOL_MIDDLE) * (out + 0.03)))
    low = "".join(dots(spots, 13 + 3 * i, "var(--castles-rock-low)") for i, spots in enumerate(stones))
    top = "".join(
        dots([(x - 2, y - 3) for x, y in spots], 10 + 3 * i, "var(--castles-rock)") for i, spots in enumerate(stones)
    )
    return group(low, filter=SHADOW) + top


def _beach() -> str:
    """The strip of used tiles, and where waves are set aside."""
    strip = smooth([(10, BEACH + 30), (60, BEACH + 4), (360, BEACH + 1), (660, BEACH + 4), (710, BEACH + 30)])
    low = smooth([(710, BEACH + 30), (650, BEACH + 58), (360, BEACH + 60), (70, BEACH + 58), (10, BEACH + 30)], "L")
    return path(f"{strip}{low}z", "var(--castles-wet)") + _wave_slots()


def _driftwood() -> str:
    top, low = PLANK, PLANK + 98
    upper = smooth([(20, top + 10), (180, top + 3), (420, top + 7), (600, top + 2), (698, top + 8)])
    lower = smooth([(704, low - 14), (560, low - 4), (330, low), (140, low - 5), (18, low - 8)], "L")
    grain = f"M40 {top + 24}q140-12 280-4t340-2M60 {low - 22}q180 10 330 2t270 0M30 {top + 50}q20-8 34 0"
    return sheet(f"{upper}{lower}z", WOOD, stroke=GRAIN, stroke_width=3) + line(grain, GRAIN, 2.5, opacity=0.5)


@functools.cache
def _picnic(plan: _Plan, players: int) -> str:
    """Where a corner is free, as with three seats: a sunshade, a towel and a bucket."""
    if players == SEATS_AT_MOST or (players < 3 and not plan.wide):
        return ""
    x, y = plan.corner(3)
    x -= (CELL[0] + 8) / 2 if players < 3 else 0
    stripes = "".join(f"M{-84 + 42 * i} 0h21l8 96h-21z" for i in range(4))
    towel = group(
        path("M-92 0H84l8 96h-176z", CLOTH, filter=SHADOW), path(stripes, CORAL, opacity=0.85), at=(190, 170), turn=-6
    )
    ribs = "".join(
        path(polygon([(0, 0), *_arc(i)]), SEA[2] if i % 2 else CLOTH, stroke=OUTLINE, stroke_width=2) for i in range(8)
    )
    shade = circle((6, 12), 96, SHADE, opacity=0.2) + ribs + circle((0, 0), 8, SUN, **EDGE)
    pail = line("M-24-22q24-44 48 0", OUTLINE, 3) + path("M-26-20h52l-8 48h-36z", SEATS[4].colour, **EDGE)
    pail += box(-29, -26, 58, 11, 5, SUN, **EDGE) + path(SEATS[4].shape, SUN, transform="translate(0 6)")
    star = path(SEATS[4].shape, CORAL, stroke=SAND_EDGE, stroke_width=2, transform="scale(1.6)")
    return group(
        towel, group(shade, at=(118, 116)), group(pail, at=(292, 90)), group(star, at=(44, 250), turn=15), at=(x, y)
    )


def _arc(part: int) -> list[Point]:
    turns = [math.tau * (part + share / 4) / 8 for share in range(5)]
    return [(92 * math.sin(turn), -92 * math.cos(turn)) for turn in turns]


# Drawings that are used again and again


@functools.cache
def definitions() -> str:
    """The drawings and colours that are used again and again."""
    return (
        gradient("castles-sky", "var(--castles-sky)", "var(--castles-sky-low)")
        + gradient("castles-water", "var(--castles-pool)", "var(--castles-pool-low)")
        + _blank_and_back()
        + "".join(_kind(kind, tint, drawn) for kind, (tint, drawn) in _icons().items())
        + "".join(group(mark(seat, (0, 0)), id=f"castles-mark-{seat}") for seat in range(SEATS_AT_MOST))
        + _walls()
        + _tower()
        + _tokens()
    )


def _blank_and_back() -> str:
    body = box(-21, -18, 44, 44, 11, SHADE, opacity=0.3) + box(-22.5, -22.5, 45, 45, 11, CLOTH, **EDGE)
    star = path(SEATS[4].shape, "#8fd6d4", transform="translate(0 -1) scale(1.1)")
    back = box(-17, -17, 34, 34, 7, "#1f6f8b") + star
    return group(body, id="castles-blank-tile") + group(use("castles-blank-tile"), back, id="castles-back-tile")


def _kind(kind: str, tint: str, drawn: str) -> str:
    face = use("castles-blank-tile") + box(-19, -19, 38, 38, 8, tint)
    return group(drawn, id=f"castles-{kind}") + group(face, use(f"castles-{kind}"), id=f"castles-{kind}-tile")


def _limb(way: str, colour: str, width: float = 5) -> str:
    return line(way, OUTLINE, width + 4, stroke_linejoin="round") + line(way, colour, width, stroke_linejoin="round")


def _icons() -> dict[str, tuple[str, str]]:
    """For each kind of tile the colour behind it and its drawing, about 36 wide around (0, 0)."""
    return {
        "sand": (
            "#fff1cc",
            path("M-17 14C-11 12-9-9 0-9S11 12 17 14z", "#eebc55", **THIN)
            + dots([(-4, 6), (3, 0), (5, 8), (-1, -4), (-9, 10), (10, 11)], 1.5, "#a8741c")
            + dots([(-12, -7), (11, -10), (-2, -15)], 2, "#c98f2e"),
        ),
        "pebble": (
            "#e4e8ec",
            path("M-16 8c-1-8 5-12 11-11s9 6 8 11-5 7-10 7-9-2-9-7z", "#8e9aa3", **THIN)
            + path("M2 11c0-6 4-9 8-8s7 4 6 8-4 5-7 5-7-1-7-5z", "#6b7882", **THIN)
            + path("M-4-8c0-5 5-8 10-7s8 5 7 8-5 5-9 5-8-2-8-6z", "#b9c3ca", **THIN),
        ),
        "seaweed": (
            "#dff1dc",
            _limb("M-9 16c-7-7 4-10-1-17s1-9-2-13M9 16c7-6-3-10 1-16s-2-7 2-12", "#4aa96c", 4)
            + _limb("M0 17c-7-8 7-11 0-18s5-9 0-16", "#1f7f52", 4.5),
        ),
        "stick": (
            "#f3e3d0",
            _limb("M-13 15L12-13M-3 4L-6-10M4-4L16-3", "#8a5a34", 5) + line("M-11 13L11-12", "#c08a58", 1.8),
        ),
        "butterfly": (
            "#fde3ec",
            path("M-1 11C-7 17-19 13-18 0S-6-15-1-3zM1 11C7 17 19 13 18 0S6-15 1-3z", "#e8739f", **THIN)
            + line("M-5 9L-13 6M-5 4L-14-2M-4 0L-9-7M5 9L13 6M5 4L14-2M4 0L9-7", "#fff", 2),
        ),
        "fan": (
            "#ffe9d2",
            path(
                "M-8 17L-5 9C-17 6-21-4-14-7-14-14-7-16-4-13-2-17 2-17 4-13 7-16 14-14 14-7 21-4 17 6 5 9L8 17z",
                "#f08a3c",
                **THIN,
            )
            + line("M-3 8L-10-4M-1 8L-4-9M1 8L4-9M3 8L10-4", "#8f3d0c", 2),
        ),
        "spiral": (
            "#ece2f8",
            path("M16 12C10 19-8 18-14 9S-16-13-4-16 17-10 16 0C15 4 18 7 16 12z", "#9a72cf", **THIN)
            + line("M14 8C4 12-8 8-9-1S0-12 6-8 9 4 2 4-3-4 2-4", "#fff", 3),
        ),
        "shovel": (
            "#dbeafb",
            group(
                _limb("M0 0V-15M-6-17H6", "#2f6db5", 3.5),
                path("M-9-1H9V8Q9 17 0 20-9 17-9 8z", "#2f7fe0", **THIN),
                turn=35,
            ),
        ),
        "rake": (
            "#d8f3df",
            group(
                _limb("M0 4V-18", "#2e8b57", 3.5),
                _limb("M-12 15V5H12V15M-4 5V15M4 5V15", "#2fae5e", 3.5),
                turn=-24,
            ),
        ),
        "wave": (
            "#cdeaf0",
            path("M-18 16C-20-6-8-18 5-16S18-4 9-2C9-9-1-9-2 0S8 12 18 9V16z", "#1f6f8b", **THIN)
            + line("M-14 4C-12-6-4-13 5-12M-12 12C-2 15 8 16 15 13", "#fff", 2.5),
        ),
    }


def _walls() -> str:
    """A wall of the row, a wall in a castle, a slot for one."""
    card, built = _battlement(*CARD, 4, 13), _battlement(SLOT, 78, 3, 9)
    shadow = path(card, SHADE, transform="translate(3 5)", opacity=0.3)
    bricks = line("M5 76H127M22 76v8M112 76v8M66 17v10M5 27H127", BRICK)
    return (
        group(shadow, path(card, WALL, **EDGE), bricks, id="castles-card")
        + path(built, WALL, **EDGE, id="castles-built")
        + path(built, "#00000012", **DASHED, id="castles-slot")
    )


def _tower() -> str:
    """A tower of sand with a roof in the seat's colour; its eaves are at (0, 0)."""
    body = path("M-19 0H19V96H-19z", WALL, **EDGE)
    window = path("M-5 26v-8a5 5 0 0 1 10 0v8z", DARK)
    roof = path("M-25 2Q-8-6 0-28 8-6 25 2z", "currentColor", **EDGE)
    pennant = line("M0-26V-40", OUTLINE, 2.5) + path("M0-41l13 5-13 5z", SUN, **THIN)
    flag = line("M0-26V-72", OUTLINE, 3.5) + path("M1-72c14-7 22 6 42 0v24c-20 6-28-7-42 0z", "currentColor", **THIN)
    flag += path(SEATS[4].shape, SUN, transform="translate(19 -60) scale(0.75)")
    return group(body, window, pennant, roof, id="castles-tower") + group(flag, id="castles-flag")


@functools.cache
def _party(seat: int, at: Point) -> str:
    """Bunting over the castle that has won, and paper in the air."""
    colours = colours_of((seat,))
    hung = bunting(swag((6, 10), (CELL[0] - 6, 10), 22, 11), colours, 20)
    return ending(True, group(confetti(10, -64, CELL[0] - 20, 110, colours, 34), hung, at=at))


def _tokens() -> str:
    """Crab, Seagull awake and asleep, where they sit, an eye."""
    gull = _gull()
    snore = line("M-24-30h11l-11 13h11M-9-38h7l-7 9h7", INK, 3, stroke_linejoin="round")
    asleep = group(gull, line("M6-17q4 4 8 0", DARK, 2.5), opacity=0.8) + snore
    post = path("M-7 22h14v88h-14z", GRAIN) + box(-24, 18, 48, 11, 5, WOOD, stroke=GRAIN, stroke_width=2)
    nest = path("M-34 8q34-20 68 0-8 14-34 14t-34-14z", MOUND, stroke=SAND_EDGE, stroke_width=3)
    eye = path("M-17 0Q0-18 17 0 0 18-17 0z", "#fff", **THIN) + circle((0, 0), 5.5, DARK)
    return (
        group(_crab(), id="castles-crab")
        + group(gull, circle((10, -17), 3, DARK), id="castles-gull")
        + group(asleep, id="castles-gull-asleep")
        + group(post, id="castles-post")
        + group(nest, id="castles-nest")
        + group(eye, id="castles-eye")
    )


def _crab() -> str:
    claw = "c-10-4-8-16 0-17l0 8 6-6c5 6 1 15-6 15z"
    other = "c10-4 8-16 0-17l0 8-6-6c-5 6-1 15 6 15z"
    return (
        _limb("M-16 8l-10 4-3 8M-12 14l-8 6M16 8l10 4 3 8M12 14l8 6", "#d8432f", 3)
        + _limb("M-15-2Q-26-6-24-16M15-2Q26-6 24-16", "#d8432f", 4)
        + path(f"M-24-14{claw}M24-14{other}", "#ee5a42", **THIN)
        + path("M-20 3C-20-10 20-10 20 3S-20 20-20 3z", "#ee5a42", **THIN)
        + dots([(-7, -10), (7, -10)], 7, OUTLINE)
        + dots([(-7, -10), (7, -10)], 5, "#fff")
        + dots([(-6, -10), (8, -10)], 2.5, DARK)
        + line("M-6 7q6 5 12 0", DARK, 2.5)
    )


def _gull() -> str:
    """The Seagull without its eye; its feet are at (0, 29)."""
    return (
        _limb("M-3 18V27M6 18V27", "#f08a3c", 2.5)
        + path("M-31 14C-20 14-14-4-4-10-8-26 16-32 19-16 20 0 22 18 2 20-8 21-18 19-31 14z", "#fff", **THIN)
        + path("M-31 14C-16 8-10-2 4 2 2 16-14 18-31 14z", "#8fa3ad", **THIN)
        + path("M18-18l15 5-15 4z", "#f6a13b", **THIN)
    )
