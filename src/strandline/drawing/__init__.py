"""What every board is drawn with: colours by day and by night, seats, paper shapes, dice, scores, words.

Each function gives a piece of SVG as a string, and pieces are put together with `+` and `group`. `board` makes the
whole image of them. Tall boards are `WIDTH` units wide, so that line widths and letters have one size everywhere. Wide
boards have the same pieces in another `Plan`: what lies one below the other in a tall one lies side by side there.

A page that shows boards needs to know a few classes. A shape that carries a `halo` can be told to be `ready` (it may be
clicked now) or `chosen` (it has been clicked); a page that lights the halo in front of the shape lights one that is
`below` behind it. The `banner` says who is to do what, with how far the game is in its `aside`: a page that says so
itself takes it away, and in a tall board lets the `scores` down into its place. Nothing else in a board is for scripts.
"""

import functools
import math
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, ParamSpec

from strandline.engine.words import Words, message, seat_name

_ = Words(__file__)

WIDTH = 720
"""The width of every tall board."""
SMALL = 24
"""The smallest letters: 11 pixels when the board is 340 pixels wide, as on a phone."""
LINE = 2.5
"""The width of outlines."""

Point = tuple[float, float]
Tokens = Mapping[str, tuple[str, str]]
"""Names of colours, each by day and by night."""

PALETTE: Tokens = {
    "ink": ("#12303b", "#e8f3f1"),
    "paper": ("#fff8e7", "#10242c"),
    "sand": ("#f3dfae", "#6b5a39"),
    "sand-edge": ("#d9bf85", "#8a7448"),
    "sea-1": ("#bfe7e4", "#8fadab"),
    "sea-2": ("#8fd6d4", "#6ba19f"),
    "sea-3": ("#3f9fb5", "#2f7788"),
    "sea-4": ("#1f6f8b", "#175368"),
    "sea-5": ("#12495e", "#0d3747"),
    "foam": ("#ffffff", "#e3f1f0"),
    "land-1": ("#cfe3b4", "#31503c"),
    "land-2": ("#a9cf9a", "#22402f"),
    "coral": ("#f2694b", "#ff8a6b"),
    "sun": ("#f6b93b", "#f6b93b"),
    "shade": ("#12303b", "#000000"),
    "outline": ("#12303b", "#071419"),
    "cloth": ("#fff8e7", "#efe3c6"),
}
"""The colours of the house. `outline` and `cloth` are for pieces, which keep dark lines and light cloth at night."""

INK, PAPER, SAND, SAND_EDGE = "var(--ink)", "var(--paper)", "var(--sand)", "var(--sand-edge)"
SEA = tuple(f"var(--sea-{depth})" for depth in range(1, 6))
"""Water, shallow to deep."""
FOAM, LAND, MEADOW = "var(--foam)", "var(--land-1)", "var(--land-2)"
CORAL, SUN, SHADE, OUTLINE, CLOTH = "var(--coral)", "var(--sun)", "var(--shade)", "var(--outline)", "var(--cloth)"

SHADOW = "url(#strandline-shadow)"
"""The soft shadow of a sheet of paper, as `filter`. It costs time to paint: for large still shapes, not for pieces."""


@dataclass(frozen=True, eq=False)
class Plan:
    """How a board is arranged. Games add where their own parts lie; scores and banner are the same in all of them."""

    width: float = WIDTH

    @property
    def wide(self) -> bool:
        """Whether it is meant for a window that is wider than high."""
        return self.width > WIDTH

    @property
    def scores(self) -> float:
        """The width of the score strip: all of it, or what the banner leaves."""
        return self.width - WIDTH + 10 if self.wide else WIDTH

    def status(self, drawn: str) -> str:
        """The banner with what belongs to it, which is drawn for a tall board: below the scores, or right of them."""
        return group(drawn, at=(self.width - WIDTH, RAISED)) if self.wide else drawn


RAISED = -77
"""How much higher than in a tall board everything below the scores can begin in a wide one."""


class Seat(NamedTuple):
    """How a seat is told apart, by colour and by shape."""

    colour: str
    shape: str
    """The outline of the shape, about 20 units wide around (0, 0)."""
    word: str
    """The shape's name."""
    on: str
    """The colour of letters on the seat's colour."""
    name: str
    """The colour's name."""
    pattern: str = ""
    """What the seat's pieces are covered with, if it is more than the colour."""


def _star(points: int = 5, outer: float = 11.5, inner: float = 5.2) -> str:
    turns = [math.pi * i / points for i in range(2 * points)]
    radii = [inner if i % 2 else outer for i in range(2 * points)]
    return polygon([(r * math.sin(t), 1 - r * math.cos(t)) for r, t in zip(radii, turns, strict=True)])


def polygon(points: Iterable[Point]) -> str:
    """The path of straight lines through `points`, closed."""
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) + "z"


def smooth(points: Sequence[Point], start: str = "M") -> str:
    """A path that runs through all `points` without corners: shores, hills, dunes. `start="L"` continues a path."""
    path = [f"{start}{_number(points[0][0])} {_number(points[0][1])}"]
    ends = [points[0], *points, points[-1]]
    for before, here, there, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        ahead = here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6
        back = there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6
        path.append("C" + " ".join(f"{_number(x)} {_number(y)}" for x, y in (ahead, back, there)))
    return "".join(path)


def wave(left: float, right: float, y: float, height: float, length: float, start: str = "M") -> str:
    """The path of a wave from `left` to `right` (or from right to left) of whole crests near `length` long."""
    crests = max(1, round(abs(right - left) / length))
    half = (right - left) / crests / 2
    first = f"{start}{_number(left)} {_number(y)}q{_number(half / 2)} {_number(-height)} {_number(half)} 0"
    return first + "t" + " ".join([f"{_number(half)} 0"] * (2 * crests - 1))


@functools.lru_cache(4096)
def _number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


SEATS = (
    Seat("#d1495b", "M-10 0a10 10 0 1 1 20 0a10 10 0 1 1-20 0z", message("circle"), "#ffffff", message("red")),
    Seat("#2f6db5", "M-9-9h18v18h-18z", message("square"), "#ffffff", message("blue")),
    Seat("#2e9e6b", "M0-10.5L11 8.5h-22z", message("triangle"), "#ffffff", message("green")),
    Seat("#e0a100", "M0-12L11 0 0 12-11 0z", message("diamond"), "#12303b", message("yellow")),
    Seat("#7a4fa3", _star(), message("star"), "#ffffff", message("violet")),
)


def looks() -> list[Seat]:
    """How seats look in every game that has no colours of its own, with names in the reader's language."""
    return [seat._replace(word=_(seat.word), name=_(seat.name)) for seat in SEATS]


Arguments = ParamSpec("Arguments")


def remembered(draw: Callable[Arguments, str]) -> Callable[Arguments, str]:
    """For what is drawn again and again from the same arguments, and says nothing that depends on who reads."""
    kept: Callable[..., str] = functools.lru_cache(4096, typed=True)(draw)
    return kept


def escape(text: str) -> str:
    """A text as it stands in XML. The library's own function would bring half of HTTP into a browser."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def element(name: str, *inside: str, **attributes: object) -> str:
    """One element around SVG that is written already.

    Attributes are escaped. `stroke_width` is written as stroke-width, `class_` as class; None is left out.
    """
    written = "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    content = "".join(inside)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


@functools.lru_cache(1 << 16, typed=True)
def _attribute(key: str, value: object) -> str:
    """Remembered, because boards are drawn again and again and most of their attributes are the same."""
    text = f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value)).replace('"', "&quot;")
    return f' {key.rstrip("_").replace("_", "-")}="{text}"'


def group(*inside: str, at: Point | None = None, turn: float = 0, **attributes: object) -> str:
    """A group, its origin moved to `at` and turned by that many degrees.

    A piece that moves is a group with an `id` that stays the same from position to position, and with `at`.
    """
    place = f"translate({_number(at[0])} {_number(at[1])})" if at else ""
    spin = f"rotate({_number(turn)})" if turn else ""
    return element("g", *inside, transform=" ".join(filter(None, (place, spin))) or None, **attributes)


def path(way: str, fill: str = "none", **attributes: object) -> str:
    """A shape with that outline."""
    return element("path", d=way, fill=fill, **attributes)


def line(way: str, stroke: str, width: float = LINE, **attributes: object) -> str:
    """A line with round ends along that way."""
    return element("path", d=way, fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round", **attributes)


@remembered
def circle(at: Point, radius: float, fill: str, **attributes: object) -> str:
    """A disc."""
    return element("circle", cx=float(at[0]), cy=float(at[1]), r=float(radius), fill=fill, **attributes)


def dots(points: Iterable[Point], radius: float, fill: str, **attributes: object) -> str:
    """Many discs of one size as one shape: stars, foam, grains of sand."""
    way = "".join(f"M{_number(x)} {_number(y)}h0" for x, y in points)
    return line(way, fill, 2 * radius, **attributes)


@remembered
def box(left: float, top: float, width: float, height: float, corner: float, fill: str, **attributes: object) -> str:
    """A rectangle with round corners."""
    size = {"width": float(width), "height": float(height), "rx": float(corner)}
    return element("rect", x=float(left), y=float(top), **size, fill=fill, **attributes)


def sheet(way: str, fill: str, **attributes: object) -> str:
    """A sheet of paper with that outline, which throws a shadow on what lies below it."""
    return path(way, fill, filter=SHADOW, **attributes)


@remembered
def words(text: str, at: Point, size: float = SMALL, fill: str = INK, anchor: str = "middle") -> str:
    """A line of text; `at` is on its base line."""
    if size < SMALL:
        raise ValueError(f"Letters of size {size} cannot be read on a phone; the smallest size is {SMALL}.")
    x, y = float(at[0]), float(at[1])
    return element(
        "text", escape(text), x=x, y=y, font_size=size, fill=fill, text_anchor=None if anchor == "start" else anchor
    )


@functools.lru_cache(4096)
def text_width(text: str, size: float) -> float:
    """About how wide a line of text is at most: the widest letters of the fonts that a machine may have."""
    return size * sum(0.42 if letter in " fijlrt.,:;!'()|" else 0.74 for letter in text)


def short_name(seat: int, width: float = 130, size: float = SMALL) -> str:
    """What a seat is called, cut short where there is no more room."""
    name = seat_name(seat)
    if text_width(name, size) <= width:
        return name
    while name and text_width(f"{name}…", size) > width:
        name = name[:-1]
    return f"{name.rstrip()}…"


def headline(seat: int, say: Callable[[str], str], width: float, size: float = 28) -> str:
    """A line about a seat that fits into `width`: `say(name)` with as much of the name as there is room for."""
    room = width - text_width(say(""), size)
    return say(short_name(seat, room, size))


def use(name: str, at: Point = (0, 0), **attributes: object) -> str:
    """A drawing that stands in `board`'s `defs` under that id, once more. `color` fills "currentColor" in it."""
    return element("use", href=f"#{name}", x=float(at[0]) or None, y=float(at[1]) or None, **attributes)


def tooltip(text: str) -> str:
    """What is said when the pointer rests on the group that this is the first part of."""
    return element("title", escape(text))


def halo(left: float, top: float, width: float, height: float, below: bool = False) -> str:
    """The place to click, unseen until its group is `ready` or `chosen`. Make it larger than the piece: fingers are.

    What reaches out of it would be cut by a light in front: let it shine from `below`.
    """
    return box(left, top, width, height, 14, "transparent", class_="halo below" if below else "halo")


def gradient(name: str, *colours: str) -> str:
    """For `board`'s `defs`: colours from top to bottom. Use it as `fill="url(#name)"`."""
    stops = (
        element("stop", offset=round(i / (len(colours) - 1), 2), stop_color=colour) for i, colour in enumerate(colours)
    )
    return element("linearGradient", *stops, id=name, x1=0, y1=0, x2=0, y2=1)


def shades(name: str, number: int, day: Sequence[str], night: Sequence[str]) -> Tokens:
    """Tokens `name-1`, `name-2`, … from the first colour through the others to the last, by day and by night."""
    shares = [i / (number - 1) if number > 1 else 0 for i in range(number)]
    return {f"{name}-{i}": (_between(day, share), _between(night, share)) for i, share in enumerate(shares, start=1)}


def _between(colours: Sequence[str], share: float) -> str:
    place = share * (len(colours) - 1)
    i = min(int(place), len(colours) - 2)
    low, high = (bytes.fromhex(colour.removeprefix("#")) for colour in colours[i : i + 2])
    return "#" + "".join(f"{round(a + (b - a) * (place - i)):02x}" for a, b in zip(low, high, strict=True))


def ink_on(colour: str) -> str:
    """Dark or white letters, whichever can be read better on a colour."""
    dark, white = "#12303b", "#ffffff"
    return max(dark, white, key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """How well two colours can be told apart, from 1 to 21, as the WCAG measures it."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@remembered
def mark(seat: int, at: Point, size: float = 20, colour: str = "") -> str:
    """The seat's shape in the seat's colour, or in the one that it has in this game, `size` units wide."""
    scale = size / 20
    look = {"stroke": OUTLINE, "stroke_width": LINE / scale, "stroke_linejoin": "round"}
    way = f"translate({_number(at[0])} {_number(at[1])}) scale({scale:.2f})"
    return path(SEATS[seat].shape, colour or SEATS[seat].colour, transform=way, **look)


@remembered
def disc(text: str, at: Point, radius: float = 21, fill: str = PAPER, ring: str = INK) -> str:
    """A number on a disc."""
    x, y = at
    return circle(at, radius, fill, stroke=ring, stroke_width=LINE) + words(text, (x, y + SMALL * 0.36))


PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""Where a die's face has its pips: letters a to i are the cells of a three by three square, row by row."""


@remembered
def die(at: Point, face: int | str | None, size: float = 56, turn: float = 0, name: str = "die") -> str:
    """A die: a number of pips, or a drawing around (0, 0) about 40 wide, or None while it is still to be rolled."""
    half = size / 2
    cube = box(-half + 3, -half + 5, size, size, size / 4, SHADE, opacity=0.3)
    cube += box(-half, -half, size, size, size / 4, CLOTH, stroke=OUTLINE, stroke_width=LINE)
    if face is None:
        cube += words("?", (0, size * 0.19), size * 0.55, "#12303b")
    elif isinstance(face, str):
        cube += face
    else:
        cells = ("abcdefghi".index(letter) for letter in PIPS[face])
        cube += "".join(
            circle(((cell % 3 - 1) * size * 0.26, (cell // 3 - 1) * size * 0.26), size * 0.09, "#12303b")
            for cell in cells
        )
    return group(cube, at=at, turn=turn, id=name)


def score_strip(
    values: Sequence[object],
    turn: int | None,
    winners: Sequence[int] = (),
    top: float = 14,
    colours: Sequence[str] = (),
    badges: Sequence[str] = (),
    room: float = WIDTH,
) -> str:
    """A card for each seat: shape, name, points. The seat whose turn it is has a sunny frame, winners a crown.

    `colours` are the seats' own in this game, `badges` drawings about 60 wide, right after short points. The strip is
    as wide as its `room`.
    """
    margin, gap, height = 12, 8, 76
    width = card_width(len(values), room)
    start, middle, shape = (38, 21, 24) if width < 150 else (47, 26, 28)
    cards = []
    for seat, value in enumerate(values):
        left = margin + seat * (width + gap)
        size = max(SMALL, min(32, 32 * (width - start - 8) / text_width(str(value) or " ", 32)))
        name = short_name(seat, width - start - 6)
        colour, badge = colours[seat] if colours else "", badges[seat] if badges else ""
        won = seat in winners
        place = (left, top, width, height)
        inside = (start, middle, shape)
        cards.append(_card(seat, name, str(value), size, place, inside, colour, badge, seat == turn or won, won))
    return group(*cards, class_="scores")


@remembered
def _card(
    seat: int,
    name: str,
    value: str,
    size: float,
    place: tuple[float, float, float, float],
    inside: tuple[float, float, float],
    colour: str,
    badge: str,
    framed: bool,
    won: bool,
) -> str:
    (left, top, width, height), (start, middle, shape) = place, inside
    card = box(left + 2, top + 5, width, height, 18, SHADE, opacity=0.2)
    ring = {"stroke": SUN, "stroke_width": 6} if framed else {}
    card += box(left, top, width, height, 18, PAPER, **ring)
    card += mark(seat, (left + middle, top + height / 2), shape, colour)
    card += words(name, (left + start, top + 30), SMALL, anchor="start")
    card += words(value, (left + start, top + 63), size, anchor="start")
    card += _crown((left + middle, top + 14)) if won else ""
    card += group(badge, at=(left + 112, top + 54)) if badge else ""
    return group(card, id=f"seat-{seat}")


def card_width(seats: int, room: float = WIDTH) -> float:
    """The width of a seat's card in a score strip."""
    return (room - 24 - 8 * (seats - 1)) / seats


def _crown(at: Point) -> str:
    way = "M-15 10L-18-8-8 1 0-12 8 1 18-8 15 10z"
    return group(path(way, SUN, stroke=OUTLINE, stroke_width=LINE, stroke_linejoin="round"), at=at)


@remembered
def banner(text: str, aside: str, seat: int | None = None, top: float = 100, colour: str = "") -> str:
    """The line under the scores: who is to do what, and at the right how far the game is."""
    strip = box(16, top + 5, WIDTH - 28, 58, 29, SHADE, opacity=0.2) + box(14, top, WIDTH - 28, 58, 29, PAPER)
    strip += mark(seat, (48, top + 29), 30, colour) if seat is not None else ""
    strip += words(text, (74 if seat is not None else 40, top + 39), 28, anchor="start")
    far = group(words(aside, (WIDTH - 38, top + 38), SMALL, anchor="end"), class_="aside")
    return group(strip, far, class_="banner")


@remembered
def ribbon(text: str, aside: str, top: float = 100) -> str:
    """The banner of a game that is over."""
    right, y = WIDTH - 14, top
    tails = f"M14 {y + 8}h60v58h-60l18-29zM{right} {y + 8}h-60v58h60l-18-29z"
    band = f"M36 {y}H{right - 22}v58H36z"
    drawn = path(tails, "#b8442b") + path(band, "#d9563a", filter=SHADOW)
    stitches = f"M50 {y + 7}H{right - 36}M50 {y + 51}H{right - 36}"
    drawn += line(stitches, "#fff8e7", 2, stroke_dasharray="8 7", opacity=0.7)
    drawn += words(text, (60, y + 39), 28, "#fff8e7", anchor="start")
    return drawn + words(aside, (right - 46, y + 38), SMALL, "#fff8e7", anchor="end")


STYLE = """
.strandline-board{display:block;max-height:100vh}
.strandline-board text{font-weight:800;font-family:ui-rounded,Nunito,"Segoe UI",system-ui,sans-serif;user-select:none}
.strandline-board .halo{stroke-width:5;stroke-dasharray:9 6}
.strandline-board .ready{cursor:pointer}
.strandline-board .ready>.halo{fill:#f6b93b99;stroke:var(--sun)}
.strandline-board .chosen>.halo{fill:#f6b93bd9;stroke:var(--sun);stroke-dasharray:none}
.strandline-board :is(.sway,.hop,.drift,.flicker){animation:1.2s ease-in-out 4 alternate;transform-box:fill-box}
.strandline-board .sway{animation-name:strandline-sway;transform-origin:50% 0}
.strandline-board .hop{animation-name:strandline-hop;animation-duration:.5s;animation-iteration-count:10}
.strandline-board .drift{animation-name:strandline-drift}
.strandline-board .flicker{animation-name:strandline-flicker;animation-duration:.4s;animation-iteration-count:12;
transform-origin:50% 100%}
.strandline-board .late-1{animation-delay:.17s}
.strandline-board .late-2{animation-delay:.34s}
@keyframes strandline-sway{from{transform:skewX(-5deg)}to{transform:skewX(5deg)}}
@keyframes strandline-hop{to{transform:translateY(-14px)}}
@keyframes strandline-drift{from{transform:translateY(-26px)}to{transform:translateY(14px)}}
@keyframes strandline-flicker{from{transform:scaleY(.92)}to{transform:scaleY(1.1)}}
@media (prefers-reduced-motion:reduce){.strandline-board *{animation:none!important}}
"""

_SHADOW = (
    '<filter id="strandline-shadow" x="-20%" y="-20%" width="140%" height="150%">'
    '<feDropShadow dx="0" dy="4" stdDeviation="4" flood-color="#0b2530" flood-opacity=".32"/></filter>'
)


_Own = tuple[tuple[str, tuple[str, str]], ...]


@functools.cache
def _scoped(defs: str, own: _Own) -> tuple[str, str, str]:
    """A mark of what is defined, the first word of all ids in it, and the definitions with that mark in their ids.

    Boards of one game from different boxes may stand on one page, where an id means the first thing that has it.
    """
    scope = f"{zlib.crc32(repr((defs, own)).encode()):08x}"
    found = re.search(r' id="(\w+-)', defs)
    start = found[1] if found else ""
    return scope, start, re.sub(rf'(id="|#){start}', rf"\g<0>{scope}-", defs) if start else defs


@functools.cache
def _style(name: str, own: _Own) -> str:
    """Colours follow the system, or an element around the board that says data-theme="dark" or "light"."""
    tokens = [*PALETTE.items(), *own]
    day = ";".join(f"--{token}:{pair[0]}" for token, pair in tokens)
    night = ";".join(f"--{token}:{pair[1]}" for token, pair in tokens)
    board = f".strandline-{name}"
    return (
        f"{STYLE}{board},[data-theme=light] {board}{{{day}}}\n"
        f"@media (prefers-color-scheme:dark){{{board}{{{night}}}}}\n[data-theme=dark] {board}{{{night}}}\n"
    )


@remembered
def _definitions(scope: str, own: _Own, outline: str, width: float, height: float, defined: str) -> str:
    """All that the image refers to."""
    frame = element("clipPath", box(0, 0, width, height, 26, "#000"), id=outline)
    return element("style", escape(_style(scope, own))) + element("defs", _SHADOW, frame, defined)


class Image(str):
    """An SVG image, with the pieces that it is made of: most of them come again in the next image of the board."""

    pieces: Sequence[str]

    def __new__(cls, pieces: Sequence[str]) -> "Image":
        """The pieces, put together."""
        image = super().__new__(cls, "".join(pieces))
        image.pieces = pieces
        return image


@functools.lru_cache(4096)
def _cut(shape: str, start: str, scope: str) -> list[str]:
    """A shape, cut before every group, its references to definitions with their mark."""
    marked = shape.replace(f"#{start}", f"#{start}{scope}-") if start else shape
    first, *groups = marked.split("<g")
    return [*([first] if first else []), *["<g" + group for group in groups]]


def board(
    game: str,
    height: float,
    title: str,
    description: str,
    *inside: str,
    defs: str = "",
    tokens: Tokens | None = None,
    width: float = WIDTH,
) -> Image:
    """The whole image.

    `description` tells the position in words, to those who cannot see it. All ids in `defs` begin with the same word,
    the game's own, for several boards may stand on one page.
    """
    name, own = game.replace("_", "-"), tuple((tokens or {}).items())
    scope, start, defined = _scoped(defs, own)
    outline = f"{name}-frame-{_number(width)}-{_number(height)}"
    frame = element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        class_=f"strandline-board strandline-{name} strandline-{scope}",
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        role="img",
        aria_label=title,
    )
    return Image(
        [
            frame.removesuffix("/>") + ">" + element("title", escape(title)),
            element("desc", escape(description)),
            _definitions(scope, own, outline, width, height, defined),
            f'<g clip-path="url(#{outline})">',
            *[piece for shape in inside for piece in _cut(shape, start, scope)],
            "</g></svg>",
        ]
    )
