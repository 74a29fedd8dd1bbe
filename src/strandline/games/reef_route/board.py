"""The board: the open sea at the left, ten columns of water, the reef at the right, and the sandy floor below.

What never changes is drawn once. Fish swim to the right and predators to the left, as their noses show. Each colour has
a hollow in the sand with a place for each of its fish: there they wait, and there lie the bones of the eaten.
"""

import functools
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
    RAISED,
    SAND,
    SAND_EDGE,
    SEATS,
    SHADE,
    SHADOW,
    SMALL,
    SUN,
    WIDTH,
    Plan,
    Point,
    Seat,
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
    ink_on,
    line,
    mark,
    path,
    polygon,
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
from strandline.drawing import looks as house_looks
from strandline.drawing.festive import colours_of, ending, hopping
from strandline.engine.words import Words, message, seat_name, seat_names

from . import story
from .box import BACK, COLOUR_OF_SEAT, COLUMNS, FRONT, LENGTHS, ROWS, SETS, START_ROWS, WIDTHS
from .box import COLOURS as NAMES
from .rules import FACTS

_ = Words(__file__)

FISH = {"yellow": "#f5bd2f", "red": "#dc4c58", "green": "#35a46c", "blue": "#3a78c4"}
SIZES = ("small", "medium", "large")
STEPS = {"forward": (-1, 0), "up": (0, -1), "down": (0, 1)}
"""Where a predator goes, in columns and rows (F13)."""
ARROWS = {
    "forward": message("Predator {n} forward"),
    "up": message("Predator {n} up"),
    "down": message("Predator {n} down"),
}
HEADLINE = 440
"""The room for words to the left of the rolls."""
DARK = "#12303b"
CREAM = "#fff8e7"


TOKENS: Tokens = {
    # The nearer to the reef, the shallower
    **shades("reef", COLUMNS, ("#2a7f9f", "#a2dfda"), ("#104260", "#458e9b")),
    "reef-sea": ("#1f6f8b", "#0c3550"),
    "reef-sky": ("#fdebc8", "#152a45"),
    "reef-sky-low": ("#fbd3ae", "#3d4468"),
    "reef-moon": ("#f9b15c", "#f4ecd2"),
    "reef-stars": ("#ffffff00", "#ffffffcc"),
    "reef-cloud": ("#fff8e7", "#4a5378"),
    "reef-isle": ("#b9cfae", "#2c4258"),
    "reef-far": ("#b58fb0", "#4b3d66"),
    "reef-rock": ("#8f6a97", "#3a2f56"),
    "reef-near": ("#6f4f80", "#2b2344"),
    "reef-cave": ("#3b2750", "#140f26"),
    "reef-pink": ("#f08ca4", "#b8607f"),
    "reef-orange": ("#f58a54", "#c0623d"),
    "reef-gold": ("#f6c453", "#b98f35"),
    "reef-violet": ("#b58be0", "#7d5cab"),
    "reef-mint": ("#7fd0b0", "#4a9080"),
    "reef-kelp": ("#3f8f6a", "#1d5a48"),
    "reef-hollow": ("#e6cd94", "#574828"),
    "reef-wood": ("#bf8f5e", "#6f5138"),
    "reef-plank": ("#a87a4b", "#5b412c"),
}
FAR, ROCK, NEAR, CAVE = "var(--reef-far)", "var(--reef-rock)", "var(--reef-near)", "var(--reef-cave)"
PINK, ORANGE, GOLD = "var(--reef-pink)", "var(--reef-orange)", "var(--reef-gold)"
VIOLET, MINT, KELP = "var(--reef-violet)", "var(--reef-mint)", "var(--reef-kelp)"

PLACE = use("reef-tile", class_="halo below", fill="transparent")
"""The halo of what is one tile large, numbers and all."""

STYLE = """
.strandline-reef-route [id^=step-]{pointer-events:none}
.strandline-reef-route [id^=step-]>.arrow{opacity:0}
.strandline-reef-route [id^=step-].ready{pointer-events:auto}
.strandline-reef-route [id^=step-].ready>.arrow{opacity:1}
"""
"""Where a predator may go is shown when it can be clicked: two of them may want the same tile."""


@dataclass(frozen=True, eq=False)
class _Plan(Plan):
    """Where sea, reef and sand are; the hollows lie on the floor, or on a bank at the open sea."""

    surface: float = 240
    """Where the sea begins, below the sky."""
    row: float = 66
    column: float = min(58.0, 580 / COLUMNS)
    bank: float = 0
    """The width of the sand beside the open sea."""
    deep: float = 94
    """The width of the reef."""
    below: float = 160
    """The height of the sand below the sea."""

    @functools.cached_property
    def top(self) -> float:
        """The upper edge of row 1."""
        return self.surface + 38

    @functools.cached_property
    def reef(self) -> float:
        """The right edge of the last column, where the reef begins."""
        return self.width - self.deep

    @functools.cached_property
    def sea_side(self) -> float:
        """The left edge of column 1."""
        return self.reef - self.column * COLUMNS

    @functools.cached_property
    def floor(self) -> float:
        """The lower edge of the last row."""
        return self.top + self.row * ROWS

    @functools.cached_property
    def height(self) -> float:
        """The height of the board."""
        return self.floor + self.below

    @functools.cached_property
    def scale(self) -> float:
        """Of the pieces: a box with more columns has narrower ones."""
        return min(self.column / 58, self.row / 66)

    @property
    def small(self) -> float:
        """The scale of fish in a hollow."""
        return 1.0 if self.wide else 0.72

    def middle(self, column: float, row: float) -> Point:
        """The middle of a tile."""
        return self.sea_side + self.column * (column - 0.5), self.top + self.row * (row - 0.5)

    def hollow(self, seat: int) -> tuple[float, float, float, float]:
        """The place of a colour's fish in the sand: left, top, width, height."""
        if not self.wide:
            return 12 + 176 * seat, self.floor + 34, 168, 110
        step = (self.height - self.surface - 36) / len(COLOUR_OF_SEAT)
        return 12, self.surface + 26 + step * seat, self.bank - 42, step - 12

    def slot(self, seat: int, number: int, school: int) -> Point:
        """The place of a fish in its colour's hollow."""
        left, top, width, height = self.hollow(seat)
        if self.wide:
            row, column = divmod(number, 2)
            return left + 40 + (width - 22) / 2 * column, top + 40 + (height - 44) / -(-school // 2) * (row + 0.5)
        return left + width / 2 + 40 * (number - (school - 1) / 2), top + height / 2 + 3


TALL = _Plan()
WIDE = _Plan(width=1430, surface=240 + RAISED, row=84, column=min(102.0, 1020 / COLUMNS), bank=230, deep=122, below=44)


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
    """The position as an SVG image."""
    plan, told = WIDE if wide else TALL, _headline(view, winners)
    return board(
        "reef_route",
        plan.height,
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        _scenery(plan, _("reef")),
        _strip(plan, view, winners),
        plan.status(_status(view, told)),
        _jumpers(plan, tuple(winners)) if view["phase"] == "over" else "",
        use("reef-swell"),
        _grid(plan),
        _hollows(plan, view["options"]["school"], view["players"], tuple(_(story.SCHOOLS[name]) for name in NAMES)),
        _lot(plan, view["tile"]),
        *(_predator(plan, view, number) for number in range(len(view["predators"]))),
        *(_fish(plan, view, name, number) for name in NAMES for number in range(view["options"]["school"])),
        *_steps(plan, view),
        _asleep(plan, view) if view["phase"] == "over" and not winners else "",
        defs=definitions(plan),
        tokens=TOKENS,
        width=plan.width,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move: the tile to be filled, or who moves and where to."""
    what, *rest = move.split()
    if what == "put":
        return [f"tile-{COLUMNS}-{rest[1]}"]
    if what == "place":
        return [f"tile-{rest[0]}-{rest[1]}"]
    if what == "predator":
        number, way = rest
        return [f"predator-{number}", f"step-{number}-{way}"]
    name, number, way = rest
    column, row = view["fish"][name][int(number) - 1]
    column, row = (column + 1, row) if way == "forward" else (column, row + STEPS[way][1])
    return [f"fish-{name}-{number}", f"tile-{column}-{row}" if column <= COLUMNS else f"reef-{row}"]


COVERED = {"yellow": message("stripes"), "red": message("dots"), "green": "", "blue": message("scales")}
"""What the fish of a colour are covered with."""


def looks() -> list[Seat]:
    """How the seats look: the shapes of the house, and the colours of the fish."""
    found = []
    for seat, colour in zip(house_looks(), COLOUR_OF_SEAT, strict=False):
        name = NAMES[colour]
        pattern = _(COVERED[name]) if COVERED[name] else ""
        found.append(
            seat._replace(colour=FISH[name], on=ink_on(FISH[name]), name=_(story.SCHOOLS[name]), pattern=pattern)
        )
    return found


# The position in words


def _headline(view: dict[str, Any], winners: Sequence[int]) -> str:
    def say(name: str) -> str:
        match view["phase"]:
            case "layout":
                return _("{name}: put predator {n}", name=name, n=story.unplaced(view))
            case "place":
                school = view["fish"][NAMES[COLOUR_OF_SEAT[view["seat"]]]]
                placed = sum(place != "waiting" for place in school)
                return _("{name}: place fish {n}", name=name, n=min(placed + 1, len(school)))
            case "roll":
                return _("{name}: roll", name=name)
            case "predator":
                return _("{name}: predator!", name=name)
            case "fish":
                return _("{name}: move a fish", name=name)
        return _("{name}: any fish", name=name)

    if view["phase"] == "layout" and view["turn"] == "chance":
        return _("Predators by lot")
    if view["phase"] == "fill":
        return _("Fish by lot")
    if view["phase"] == "over":
        return _("Winner: {names}", names=seat_names(winners)) if winners else _("Nobody wins")
    return headline(view["seat"], say, HEADLINE)


def _active(view: dict[str, Any]) -> int | None:
    """The seat that decides or rolls; nobody does while lots are drawn."""
    by_lot = view["turn"] == "chance" and view["phase"] != "roll"
    return None if by_lot or view["turn"] is None else view["seat"]


def _progress(view: dict[str, Any]) -> str:
    if view["phase"] in ("layout", "place", "fill"):
        return _("Set-up")
    return _("Roll {n}", n=max(1, view["rolls"]))  # before the first one, too


def _hint(view: dict[str, Any]) -> str:
    """What the dice do not say."""
    match view["phase"]:
        case "layout":
            return _("at the reef, a row apart")
        case "place":
            first = view["fish"][NAMES[COLOUR_OF_SEAT[view["seat"]]]][0] == "waiting"
            if first:
                return _("on column {front}", front=FRONT)
            return _("on column {back} or {front}", back=BACK, front=FRONT)
        case "fill":
            return story.spot(view["tile"])
        case "any":
            return _("no die fits: any one forward")
    return story.why_over(view)


# What changes


def _sized(drawn: str, scale: float, at: Point = (0, 0)) -> str:
    return element("g", drawn, transform=f"translate({at[0]:g} {at[1]:g}) scale({scale:.2f})")


def _strip(plan: _Plan, view: dict[str, Any], winners: Sequence[int]) -> str:
    """A card for each seat, with its fish and how many of them are not eaten."""
    names = [NAMES[COLOUR_OF_SEAT[seat]] for seat in range(view["players"])]
    left = [sum(place != "eaten" for place in view["fish"][name]) for name in names]
    return score_strip(
        left,
        _active(view),
        winners,
        colours=[FISH[name] for name in names],
        badges=[use(f"reef-{name}") for name in names],
        room=plan.scores,
    )


def _status(view: dict[str, Any], told: str) -> str:
    """Who is to do what, the dice, the rolls; at the end who has won."""
    if view["phase"] == "over":
        return ribbon(told, _progress(view)) + _said(_hint(view))
    colour = FISH[NAMES[COLOUR_OF_SEAT[view["seat"]]]]
    strip = banner(told, _progress(view), _active(view), colour=colour)
    if view["phase"] in ("roll", "predator", "fish"):
        return strip + _dice(view["phase"] == "roll", view["dice"])
    return strip + _said(_hint(view))


def _said(text: str) -> str:
    width = 17 * len(text) + 30
    return box((WIDTH - width) / 2, 176, width, 46, 23, PAPER, opacity=0.85) + words(text, (WIDTH / 2, 208), 26)


def _dice(rolling: bool, unused: list[str]) -> str:
    """The dice afloat, with those that are used up gone under (F12)."""
    drawn = ""
    for i, x in enumerate((WIDTH / 2 - 44, WIDTH / 2 + 44)):
        if rolling or i < len(unused):
            face = None if rolling else _face(unused[i], _letters(unused[i]))
            drawn += die((x, 197), face, 66, turn=(-9, 7)[i] if rolling else (-3, 3)[i], name=f"die-{i + 1}")
    return drawn


@functools.cache
def _face(name: str, letters: str) -> str:
    """A fish with its letters, or a predator."""
    if name == "predator":
        return _sized(use("reef-small"), 1.05, (0, 2))
    return group(use(f"reef-{name}"), at=(0, -11)) + words(letters, (0, 29), SMALL, DARK)


def _letters(name: str) -> str:
    """What a colour begins with in the reader's language: two letters where one does not tell all colours apart."""
    if name == "predator":
        return ""
    colours = {each: _(story.SCHOOLS[each]).capitalize() for each in NAMES}
    several = len({colour[0] for colour in colours.values()}) < len(colours)
    return colours[name][: 1 + several]


def _lot(plan: _Plan, tile: list[int] | None) -> str:
    """The tile that is drawn for (F10)."""
    if tile is None:
        return ""
    ring = box(
        4 - plan.column / 2,
        4 - plan.row / 2,
        plan.column - 8,
        plan.row - 8,
        12,
        PAPER,
        stroke=SUN,
        stroke_width=5,
        stroke_dasharray="9 6",
    )
    return group(ring, words("?", (0, 12), 34), id="lot", at=plan.middle(*tile))


def _fish(plan: _Plan, view: dict[str, Any], name: str, number: int) -> str:
    place = view["fish"][name][number]
    seat = COLOUR_OF_SEAT.index(NAMES.index(name))
    at: Point
    if place == "reef":
        at = (plan.reef + plan.deep / 2 + 1, plan.top + plan.row * ROWS / 2)
        drawn = _glory() + _swimmer(plan, name, number + 1, seat, view["players"])
    elif isinstance(place, list):
        at, drawn = plan.middle(*place), PLACE + _swimmer(plan, name, number + 1, seat, view["players"])
    else:
        at = plan.slot(seat, number, view["options"]["school"])
        drawn = _sized(use(f"reef-{name}" if place == "waiting" else "reef-bones"), plan.small)
    owner = seat_name(seat) if seat < view["players"] else _("nobody")
    said = tooltip(f"{owner}: {story.fish_name(name, number + 1)}, {story.whereabouts(place)}")
    return group(said, drawn, id=f"fish-{name}-{number + 1}", at=at)


@functools.cache
def _swimmer(plan: _Plan, name: str, number: int, seat: int, players: int) -> str:
    """A fish with a label: its number and its owner's shape."""
    label, x = (f"reef-seat-{seat}", 9.5) if seat < players else ("reef-nobody", 0.0)
    drawn = use(f"reef-{name}", (0, -10)) + use(label) + words(str(number), (x, 26), SMALL, DARK)
    return drawn if plan.scale == 1 else _sized(drawn, plan.scale)


@functools.cache
def _jumpers(plan: _Plan, winners: tuple[int, ...]) -> str:
    """The fish of whoever has won leap out of the water, and bubbles in their colours rise."""
    names = [NAMES[COLOUR_OF_SEAT[seat]] for seat in winners]
    if not names:
        return ""
    leaps = ((250, -34), (356, 8), (462, 40), (566, -30), (672, 24)) if plan.wide else ((46, -34), (614, -28))
    drawn = ""
    for i, (left, turn) in enumerate(leaps):
        splash = "M-26 2q4-14 10-18M-14 2q2-18 6-24M14 2q-2-18-6-24M26 2q-4-14-10-18M0 2v-16"
        fish = group(group(use(f"reef-{names[i % len(names)]}"), turn=turn), at=(0, -34 if plan.wide else -24))
        drawn += group(line(splash, FOAM, 4.5, opacity=0.9), hopping(fish, i), at=(left, plan.surface + 2))
    colours = colours_of(winners, [FISH[NAMES[colour]] for colour in COLOUR_OF_SEAT])
    for i in range(46):
        x = plan.sea_side + (plan.reef - plan.sea_side) * (i * 0.618 % 1)
        y = plan.top + (plan.floor - plan.top) * (i * 0.755 % 1)
        look = {"stroke": FOAM, "stroke_width": 1.5, "opacity": 0.75, "class_": f"drift late-{i % 3}"}
        drawn += circle((x, y), 5.0 + i % 4 * 2.5, colours[i % len(colours)], **look)
    return ending(True, drawn)


def _asleep(plan: _Plan, view: dict[str, Any]) -> str:
    """Nobody has won: the predators are full and sleep, and none of them will hunt any more."""
    snore = "M-8 0h16l-16 20h16M12-22h11l-11 14h11M28-38h8l-8 10h8"
    drawn = ""
    for number in range(len(view["predators"])):
        column, row, columns, _rows = _span(view, number)
        x, y = plan.middle(column + columns - 1, row)
        zzz = line(snore, DARK, 8, stroke_linejoin="round") + line(snore, CREAM, 4, stroke_linejoin="round")
        drawn += group(group(zzz, class_="sway"), at=(x + 4, y - 38))
    return ending(False, drawn)


@functools.cache
def _glory() -> str:
    """Rays around the fish on the reef."""
    rays = "".join(
        f"M0 0L{x} {y}" for x, y in ((44, 0), (31, 31), (0, 46), (-31, 31), (-44, 0), (-31, -31), (0, -46), (31, -31))
    )
    return line(rays, SUN, 9) + circle((0, 0), 38, SUN) + circle((0, 0), 32, CREAM, opacity=0.75)


def _span(view: dict[str, Any], number: int) -> tuple[int, int, int, int]:
    """A predator's lowest column and row, and how many of them it covers. Until it is laid out it waits in the open."""
    entry = view["predators"][number]
    size = SIZES.index(entry["size"])
    if entry["col"] is None:
        rows = START_ROWS[SETS.index(view["options"]["predators"])]
        return COLUMNS // 2, rows[number], LENGTHS[size], WIDTHS[size]
    return entry["col"], entry["row"], LENGTHS[size], WIDTHS[size]


def _predator(plan: _Plan, view: dict[str, Any], number: int) -> str:
    entry = view["predators"][number]
    column, row, columns, rows = _span(view, number)
    width, height = columns * plan.column - 4, rows * plan.row - 4
    shape = halo(-width / 2, -height / 2, width, height)
    if entry["col"] is None:
        where = _("not on the board yet")
        frame = box(-width / 2, -height / 2, width, height, 16, PAPER, opacity=0.45)
        frame += box(
            -width / 2, -height / 2, width, height, 16, "none", stroke=INK, stroke_width=3, stroke_dasharray="4 9"
        )
    else:
        where = story.spot((column, row))
        frame = box(-width / 2, -height / 2, width, height, 16, SHADE, opacity=0.2)
    said = tooltip(_("Predator {n}, {size}, {where}", n=number + 1, size=_(story.SIZES[entry["size"]]), where=where))
    at = plan.middle(column + (columns - 1) / 2, row + (rows - 1) / 2)
    return group(said, frame, shape, _hunter(plan, entry["size"], number + 1), id=f"predator-{number + 1}", at=at)


BADGES = {"small": (0, 18), "medium": (16, -1), "large": (8, 6)}
"""Where on a predator its number is."""


@functools.cache
def _hunter(plan: _Plan, size: str, number: int) -> str:
    x, y = BADGES[size]
    lift = (0, -11) if size == "small" else (0, 0)
    badge = box(x - 17, y - 14, 34, 28, 14, DARK, stroke=CLOTH, stroke_width=LINE)
    drawn = use(f"reef-{size}", lift) + badge + words(str(number), (x, y + 9), SMALL, CREAM)
    return drawn if plan.scale == 1 else _sized(drawn, plan.scale)


def _steps(plan: _Plan, view: dict[str, Any]) -> Iterator[str]:
    """Arrows to where the predators can go: not off the board, not onto another (F16)."""
    if view["phase"] != "predator":
        return
    spans = [_span(view, number) for number in range(len(view["predators"]))]
    tiles = [{(c + i, r + j) for i in range(w) for j in range(h)} for c, r, w, h in spans]
    for number, (*__, columns, rows) in enumerate(spans):
        others = set().union(*(tiles[:number] + tiles[number + 1 :]))
        for way, (across, down) in STEPS.items():
            entered = {(c + across, r + down) for c, r in tiles[number]} - tiles[number]
            if all(c >= 1 and 1 <= r <= ROWS for c, r in entered) and not entered & others:
                at = plan.middle(sum(c for c, _ in entered) / len(entered), sum(r for _, r in entered) / len(entered))
                width, height = (plan.column, plan.row * rows) if across else (plan.column * columns, plan.row)
                yield group(
                    tooltip(_(ARROWS[way], n=number + 1)),
                    halo(-width / 2 + 2, -height / 2 + 2, width - 4, height - 4),
                    use(f"reef-{way}", class_="arrow"),
                    id=f"step-{number + 1}-{way}",
                    at=at,
                )


# Fish and predators, drawn once each


RIM = {"stroke": CLOTH, "stroke_width": 7, "stroke_linejoin": "round"}
EDGE = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}
BODY = "M25 1C18-15-4-18-15-5L-26-14C-23-5-23 6-26 14L-15 6C-4 18 18 16 25 1z"
FIN = "M-7-11C-4-20 5-21 13-12z"
PATTERNS = {
    "yellow": line("M-10-5Q-7 1-10 7M-2-10Q2 0-2 11M6-10Q8-6 8-4M7 6Q7 9 6 11", "#8a5200", 4.5),
    "red": dots([(-9, 0), (-2, -6), (-1, 5), (6, -9), (7, 8), (5, -1), (-20, 0)], 2.8, CREAM),
    "green": "",
    "blue": line(
        "M-11-4q5 0 5 4t-5 4M-4-9q5 0 5 4.5t-5 4.5M-4 0q5 0 5 4.5t-5 4.5M3-5q5 0 5 4.5t-5 4.5M3 4q5 0 5 3.5",
        "#cfe6ff", 2.4,
    ),
}  # fmt: skip


def _kinds_of_fish() -> Iterator[str]:
    for name, fill in FISH.items():
        rim = path(BODY + FIN, "none", **RIM)
        body = path(FIN, fill, **EDGE) + path(BODY, fill, **EDGE) + PATTERNS[name]
        face = circle((14, -3), 5, CREAM, stroke=OUTLINE, stroke_width=1.5) + circle((15.5, -3), 2.4, DARK)
        smile = line("M22 5Q18 8 15 6", OUTLINE, 2)
        yield group(rim, body, face, smile, id=f"reef-{name}")
    spine = "M-24-10Q-18 0-24 10M-21 0H8M-12-8V8M-5-10V10M2-9V9"
    skull = path("M24 1C20-12 8-11 8 0 8 11 20 12 24 1z", CLOTH, **EDGE) + line("M13-5l5 5M18-5l-5 5", DARK, 2)
    yield group(line(spine, OUTLINE, 6.5), line(spine, CLOTH, 3), skull, id="reef-bones")
    yield group(path(BODY, SHADE, opacity=0.16), id="reef-ghost")


def _labels() -> Iterator[str]:
    """For a fish's number: with the shape of a seat, or with none."""
    for seat, colour in enumerate(COLOUR_OF_SEAT):
        plate = box(-23, 4, 46, 27, 13.5, CLOTH, stroke=OUTLINE, stroke_width=2)
        yield group(plate, mark(seat, (-10.5, 17.5), 16, FISH[NAMES[colour]]), id=f"reef-seat-{seat}")
    yield group(box(-14, 4, 28, 27, 13.5, CLOTH, stroke=OUTLINE, stroke_width=2), id="reef-nobody")


def _kinds_of_predators() -> str:
    return group(*_barracuda(), id="reef-small") + group(*_shark(), id="reef-medium") + group(*_orca(), id="reef-large")


def _eye(x: float, y: float, radius: float) -> str:
    """An eye below an angry brow."""
    eye = circle((x, y), radius, CREAM, stroke=OUTLINE, stroke_width=1.5) + circle(
        (x - radius / 4, y), radius / 2, DARK
    )
    r = radius
    return eye + line(f"M{x - r - 1} {y - r * 0.4:.1f}L{x + r} {y - r - 1:.1f}", OUTLINE, 3)


def _barracuda() -> Iterator[str]:
    body = "M-27-2C-19-10-4-13 8-10L17-5 27-15C24-6 24 3 27 12L17 5C6 12-8 13-16 11L-26 8-14 3z"
    fins = "M3-11L13-19 13-8zM-4 11L4 19 8 10z"
    yield path(body + fins, "none", **RIM)
    yield path(fins, "#6b5f8f", **EDGE) + path(body, "#a79cc4", **EDGE)
    yield path("M-16 9L-13 4C-4 8 6 8 16 4 6 10-6 12-16 9z", "#e9e2f2")
    yield line("M-3-9v6M4-9v7M11-6v5", "#6b5f8f", 3)
    yield path("M-25-1l3 5 3-4 3 4 2-3z", CREAM, stroke=OUTLINE, stroke_width=1)
    yield _eye(-12, -4, 3.6)


def _shark() -> Iterator[str]:
    body = (
        "M-55-4C-44-17-22-22 2-20 20-18 34-11 43-4L56-25C51-10 52 4 57 19"
        "L43 5C30 14 10 20-10 20-26 20-40 18-48 14L-32 7z"
    )
    fins = "M-8-18C-2-27 6-31 14-31 11-25 13-20 19-15zM-12 14C-8 24 0 29 10 30 6 24 6 18 8 13z"
    yield path(body + fins, "none", **RIM)
    yield path(fins, "#51677a", **EDGE) + path(body, "#7f97a9", **EDGE)
    yield path("M-46 13L-31 8C-10 12 20 12 41 4 26 14 8 18-10 18-26 18-38 17-46 13z", "#eef3f3")
    yield path("M-53-3l4 7 4-5 4 6 4-5 3 4 2-2z", CREAM, stroke=OUTLINE, stroke_width=1.2)
    yield line("M-22-5q4 5 0 10M-16-6q4 6 0 12M-10-6q4 6 0 12", "#3c5060", 2.4)
    yield _eye(-37, -9, 4.4)


def _orca() -> Iterator[str]:
    body = (
        "M-54 12C-53-14-32-31-6-31 14-31 28-22 33-8 38-15 40-24 39-34L26-46C36-49 44-47 47-42 49-48 52-52 57-54"
        "L54-36C56-6 46 24 18 38-6 49-38 46-50 34L-34 24z"
    )
    fins = "M-14-29C-13-45-6-56 6-60 4-48 8-38 16-28zM-16 36C-14 50-5 59 9 60 10 50 7 42 4 36z"
    yield path(body + fins, "none", **RIM)
    yield path(fins, "#16262f", **EDGE) + path(body, "#263a45", **EDGE)
    yield path("M-48 33L-33 25C-10 30 14 26 32 10 28 24 16 34 2 40-18 46-38 44-48 33z", "#f4f4ec")
    yield path("M-30-8C-26-18-12-20-6-14-10-4-22-2-30-8z", "#f4f4ec")
    yield path("M-53 13l4 9 4-5 4 8 4-6 4 7 3-3z", CREAM, stroke=OUTLINE, stroke_width=1.2)
    yield _eye(-38, 3, 4.6)


# What never changes


@functools.cache
def definitions(plan: _Plan) -> str:
    """The drawings and colours that are used again and again."""
    arrows = {"forward": 0, "up": 90, "down": -90}
    arrow = circle((0, 0), 18, SUN, stroke=OUTLINE, stroke_width=LINE) + line(
        "M9 0H-8M-1-8L-9 0-1 8", OUTLINE, 5, stroke_linejoin="round"
    )
    return (
        element("style", STYLE)
        + gradient("reef-dusk", "var(--reef-sky)", "var(--reef-sky-low)")
        + gradient("reef-depth", "#ffffff22", "#ffffff00", "#0b253000", "#0b253055")
        + "".join(_kinds_of_fish())
        + "".join(_labels())
        + _kinds_of_predators()
        + "".join(group(group(arrow, turn=turn), id=f"reef-{way}") for way, turn in arrows.items())
        + element(
            "rect",
            id="reef-tile",
            x=-plan.column / 2 + 2,
            y=-plan.row / 2 + 2.0,
            width=plan.column - 4,
            height=plan.row - 4.0,
            rx=14,
        )
        + group(
            path(
                wave(0, plan.width, plan.surface - 4, 9, 60) + f"V{plan.surface + 4}H0z", "var(--reef-5)", opacity=0.9
            ),
            id="reef-swell",
        )
        + element("clipPath", path(f"{wave(0, plan.width, plan.surface, 9, 60)}V{plan.height}H0z"), id="reef-water")
        + _sheet(plan)
        + _file(plan)
        + _corals()
    )


@functools.cache
def _scenery(plan: _Plan, reef: str) -> str:
    sky = group(_sky(plan), at=(0, plan.surface - TALL.surface)) if plan.wide else _sky(plan)
    return sky + _sea(plan) + _reef(plan, reef) + _sand(plan)


def _sky(plan: _Plan) -> str:
    stars = ((30, 176), (182, 186), (258, 172), (470, 168), (430, 196), (604, 170), (690, 184))
    isle = smooth([(-30, 246), (14, 224), (62, 216), (112, 230), (146, 246)])
    palm = line("M48 220q4-18 14-26", "var(--reef-plank)", 5)
    leaves = line(
        "M62 194q-14-8-24 2M62 194q-8-14-20-12M62 194q4-14 18-12M62 194q14-6 22 6M62 194q-2 10-10 14", KELP, 5
    )
    gulls = line("M176 186q8-8 14 0q6-8 14 0M202 206q6-6 10 0q5-6 10 0", INK, 2.5, opacity=0.5)
    clouds = dots([(470, 194), (490, 186), (512, 194), (128, 190), (146, 184)], 15, "var(--reef-cloud)", opacity=0.55)
    return (
        box(0, 0, plan.width, TALL.surface + 20, 0, "url(#reef-dusk)")
        + dots(stars, 2, "var(--reef-stars)")
        + circle((566, 222), 50, "var(--reef-moon)", opacity=0.3)
        + circle((566, 222), 33, "var(--reef-moon)")
        + clouds
        + gulls
        + sheet(isle + "z", "var(--reef-isle)")
        + palm
        + leaves
    )


def _sea(plan: _Plan) -> str:
    """The columns as sheets of paper on one another: the water gets shallower towards the reef."""
    drawn = box(0, plan.surface - 20, plan.width, plan.height - plan.surface, 0, "var(--reef-sea)")
    for column in range(1, COLUMNS + 1):
        drawn += use("reef-sheet", (plan.sea_side + plan.column * (column - 1), 0), color=f"var(--reef-{column})")
    rays = "".join(
        polygon([(x, plan.surface), (x + w, plan.surface), (x + w - 150, plan.floor), (x - 210, plan.floor)])
        for x, w in ((190, 36), (330, 60), (500, 44), (640, 30), (820, 64), (990, 40), (1180, 52))
        if x < plan.width
    )
    shade = box(0, plan.surface + 6, plan.width, plan.floor - plan.surface + 40, 0, "url(#reef-depth)")
    rising = ((14, 62), (30, 94), (12, 192), (33, 222), (18, 328), (32, 362), (10, 422), (24, 464))
    bubbles = [(plan.bank + x, plan.top + y) for x, y in rising]
    return (
        group(drawn, clip_path="url(#reef-water)")
        + path(rays, FOAM, opacity=0.09)
        + shade
        + line(wave(-10, plan.width + 10, plan.surface, 9, 60), FOAM, 4, opacity=0.8)
        + "".join(
            circle(at, 4 + i % 3, "none", stroke=FOAM, stroke_width=2, opacity=0.6) for i, at in enumerate(bubbles)
        )
    )


def _sheet(plan: _Plan) -> str:
    """A column of water with a wavy left edge, where its shadow falls on deeper water."""
    crests = 2 * ROWS
    step = (plan.floor + 60 - plan.surface) / crests
    edge = f"q-6 {-step / 2:.1f} 0 {-step:.1f}t" + " ".join([f"0 {-step:.1f}"] * (crests - 1))
    way = f"M0 {plan.floor + 40}{edge}H{plan.column + 70:.1f}V{plan.floor + 40}z"
    return path(way, "currentColor", filter=SHADOW, id="reef-sheet")


@functools.cache
def _grid(plan: _Plan) -> str:
    """Tiles, columns with their numbers as buoys, rows with their numbers; the starting columns are lighter."""
    columns, rows = range(1, COLUMNS + 1), range(1, ROWS + 1)
    drawn = "".join(use("reef-file", (plan.middle(column, 1)[0], 0)) for column in columns)
    drawn += "".join(use("reef-nursery", (plan.middle(column, 1)[0], 0)) for column in (BACK, FRONT))
    drawn += "".join(
        disc(str(column), (plan.middle(column, 1)[0], plan.top - 24), min(19, plan.column / 2)) for column in columns
    )
    drawn += "".join(disc(str(row), (plan.sea_side - 23, plan.middle(1, row)[1]), 19) for row in rows)
    places = [(f"tile-{column}-{row}", plan.middle(column, row)) for column in columns for row in rows]
    tiles = "".join(group(use("reef-tile", class_="halo"), id=name, at=at) for name, at in places)
    return drawn + group(tiles, fill="transparent")


def _file(plan: _Plan) -> str:
    """The tiles of one column, and what marks them as starting tiles: paler water, and the shape of a fish."""
    width, height, round_ = plan.column - 6, plan.row - 6, "14 14 0 0 1"
    middles = [plan.middle(1, row)[1] for row in range(1, ROWS + 1)]
    right, down = f"{width - 28:.1f}", height - 28
    tile = f"h{right}a{round_} 14 14v{down}a{round_}-14 14h-{right}a{round_}-14-14v-{down}a{round_} 14-14z"
    way = "".join(f"M{14 - width / 2:.1f} {y - height / 2:.1f}{tile}" for y in middles)
    net = path(way, FOAM, fill_opacity=0.1, stroke=FOAM, stroke_width=1.5, stroke_opacity=0.35, id="reef-file")
    shapes = "".join(element("path", d=BODY, transform=f"translate(0 {y:g})", fill=FOAM, opacity=0.28) for y in middles)
    return net + group(path(way, FOAM, opacity=0.2), shapes, id="reef-nursery")


@functools.cache
def _hollows(plan: _Plan, school: int, players: int, colours: tuple[str, ...]) -> str:
    """A hollow in the sand for each colour, with a place for each fish."""
    drawn = ""
    for seat, colour in enumerate(COLOUR_OF_SEAT):
        name = NAMES[colour]
        left, top, width, height = plan.hollow(seat)
        drawn += box(left, top, width, height, 18, "var(--reef-hollow)", stroke=SAND_EDGE, stroke_width=3)
        drawn += mark(seat, (left + 26, top + 21), 20, FISH[name]) if seat < players else ""
        text = colours[colour]
        drawn += words(text, (left + (44 if seat < players else 16), top + 29), SMALL, anchor="start")
        for number in range(school):
            x, y = plan.slot(seat, number, school)
            drawn += _sized(use("reef-ghost"), plan.small, (x, y))
            drawn += words(str(number + 1), (x + 41, y + 9) if plan.wide else (x, y + 40), SMALL)
    return drawn


def _reef(plan: _Plan, name: str) -> str:
    """Rocks behind the last column, with a cave in each row, and coral all over."""
    drawn = ""
    for inland, fill in ((4, FAR), (26, ROCK), (60, NEAR)):
        top = plan.surface + 4 + inland / 4
        edge = [
            (plan.reef + inland + 8 * math.sin(i * 1.9 + inland), top + 24 + i * plan.row / 2)
            for i in range(2 * ROWS + 2)
        ]
        drawn += sheet(
            smooth([(plan.width + 10, top - 4), (plan.reef + inland + 40, top), *edge]) + f"H{plan.width + 10}z", fill
        )
    caves = ""
    for row in range(1, ROWS + 1):
        cave = path("M-27 21C-33-6-21-25 2-25 25-25 35-4 28 21z", CAVE) + path("M-27 21q27-11 55 0z", SAND, opacity=0.6)
        way = _sized(cave, plan.deep / 94) if plan.wide else cave
        way += halo(1 - plan.deep / 2, 2 - plan.row / 2, plan.deep - 6, plan.row - 4)
        caves += group(way, id=f"reef-{row}", at=(plan.reef + plan.deep / 2 + 4, plan.middle(1, row)[1]))
    return drawn + caves + _garden(plan) + _sign(plan, name)


def _sign(plan: _Plan, name: str) -> str:
    post = line("M0 10V44", "var(--reef-plank)", 8)
    plate = box(-38, -20, 76, 38, 9, "var(--reef-wood)", stroke="var(--reef-plank)", stroke_width=3, filter=SHADOW)
    return group(post, group(plate, words(name, (0, 8), 26, CREAM), turn=-4), at=(plan.width - 42, plan.surface - 22))


def _garden(plan: _Plan) -> str:
    """Coral above, below and between the caves."""
    kinds = ("branch", "brain", "tubes", "fan", "anemone")
    colours = (PINK, GOLD, ORANGE, VIOLET, MINT, CORAL)
    drawn = ""
    for row in range(ROWS + 1):
        y = plan.top + plan.row * row
        for i, (x, down) in enumerate(((84, 0), (52, -1), (22, 5), (6, 12))):
            kind, colour = kinds[(2 * row + 3 * i) % 5], colours[(row * 5 + i * 2 + row // 3) % 6]
            drawn += use(
                f"reef-{kind}" + ("-bud" if i % 2 else ""), (plan.reef + x * plan.deep / 94, y + down), color=colour
            )
    return drawn


def _corals() -> str:
    """Five kinds of coral, each about 36 wide and growing up from (0, 0), in a colour of choice; and their buds."""
    shade = {"stroke": SHADE, "fill": "none", "stroke_width": 2.5, "stroke_linecap": "round", "opacity": 0.35}
    drawings = {
        "branch": line("M0 4V-14M0-4L-12-16V-26M0-10L11-19V-31M-12-18L-18-22M0-14L-2-30M11-22l6-5", "currentColor", 7),
        "brain": path("M-20 8C-26-22 26-22 20 8q-20 5-40 0z", "currentColor")
        + element("path", d="M-13 3q-3-11 5-12 7 0 5 8M1 4q-6-16 3-17M9 4q-2-8 3-10 5-1 4 7", **shade),
        "tubes": line("M-11 4V-14M0 6V-26M11 4V-11", "currentColor", 11)
        + dots([(-11, -15), (0, -27), (11, -12)], 3, CAVE, opacity=0.7),
        "fan": path("M-2 8C-28-4-24-31 0-31 24-31 28-4 2 8z", "currentColor")
        + element("path", d="M0 5V-27M0-2L-12-23M0-2L12-23M0 1L-17-12M0 1L17-12", **shade),
        "anemone": line("M-6 4q-12-8-12-20M-3 4q-7-12-5-24M0 5V-22M3 4q7-12 5-24M6 4q12-8 12-20", "currentColor", 5)
        + dots([(-18, -17), (-8, -22), (0, -24), (8, -22), (18, -17)], 3.4, FOAM, opacity=0.75),
    }
    return "".join(
        group(drawn, id=f"reef-{name}") + element("g", _sized(use(f"reef-{name}"), 0.6), id=f"reef-{name}-bud")
        for name, drawn in drawings.items()
    )


def _sand(plan: _Plan) -> str:
    """The sea floor, with weed at its sides, shells and a starfish; in the wide arrangement also a bank at the left."""
    right, floor, stretch = plan.width, plan.floor, plan.width / WIDTH
    back = [(-20, 18), (90, 4), (240, 16), (400, 6), (560, 14), (740, -4)]
    front = [(-20, 26), (130, 21), (300, 28), (470, 20), (620, 26), (740, 14)]
    hills = "".join(
        sheet(smooth([(x * stretch, floor + y) for x, y in points]) + f"V{plan.height}H-20z", fill)
        for points, fill in ((back, SAND_EDGE), (front, SAND))
    )
    weeds = ((8, 1), (20, 0), (36, 2)) if not plan.wide else ((right - 150, 1), (right - 136, 0), (right - 164, 2))
    weed = "".join(f"M{x} {floor + 22}q-9-16 0-32t0-32" + "t0-28" * more for x, more in weeds)
    star = group(path(SEATS[4].shape, CORAL, stroke=SAND_EDGE, stroke_width=2), at=(right - 154, floor + 22), turn=20)
    shells = "".join(
        group(use("reef-fan-bud", color=colour), at=(x * stretch, floor + 27), turn=turn)
        for x, turn, colour in ((190, -30, PINK), (352, 20, FOAM), (438, -12, GOLD))
    )
    pebbles = dots([(x * stretch, floor + y) for x, y in ((92, 24), (108, 22), (250, 22), (506, 22))], 4, SAND_EDGE)
    corals = "".join(
        use(f"reef-{kind}", (x, floor + 16), color=colour)
        for kind, x, colour in (
            ("fan", right - 16, CORAL),
            ("branch", right - 56, PINK),
            ("brain", right - 90, GOLD),
            ("anemone", 60 * stretch, VIOLET),
        )
    )
    return line(weed, KELP, 6) + corals + hills + pebbles + shells + star + (_bank(plan) if plan.wide else "")


def _bank(plan: _Plan) -> str:
    """The sand beside the open sea, under water but for its top, with the hollows in it."""
    drawn = ""
    for out, fill in ((0, SAND_EDGE), (-12, SAND)):
        edge = [(-20.0, plan.surface - 12 - out / 3), (plan.bank * 0.5, plan.surface - 2 - out / 3)]
        edge += [
            (plan.bank - 34 + out + 7 * math.sin(y / 60 + out), float(y))
            for y in range(round(plan.top), round(plan.floor), 70)
        ]
        edge += [(plan.bank + out, plan.floor + 12), (plan.bank + 60, plan.floor + 26)]
        drawn += sheet(f"{smooth(edge)}V{plan.height}H-20z", fill)
    return drawn
