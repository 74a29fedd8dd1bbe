"""The board: the open sea at the left, ten columns of water, the reef at the right, and the sandy floor below.

What never changes is drawn once. Fish swim to the right and predators to the left, as their noses show. Each colour has
a hollow in the sand with a place for each of its fish: there they wait, and there lie the bones of those that were eaten.
"""

import functools
from collections.abc import Iterator
from typing import Any

from strandline.engine.drawing import (
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
    line,
    mark,
    path,
    polygon,
    ribbon,
    score_strip,
    sheet,
    smooth,
    tip,
    use,
    wave,
    words,
)

from . import notation
from .box import BACK, COLOUR_OF_SEAT, COLUMNS, FRONT, LENGTHS, LETTERS, ROWS, SETS, START_ROWS, WIDTHS
from .box import COLOURS as NAMES
from .rules import FACTS

SURFACE = 240
"""Where the sea begins, below the sky."""
TOP = 278
"""The upper edge of row 1."""
ROW = 66
COLUMN = min(58.0, 580 / COLUMNS)
REEF = 626
"""The right edge of the last column, where the reef begins."""
SEA_SIDE = REEF - COLUMN * COLUMNS
"""The left edge of column 1."""
FLOOR = TOP + ROW * ROWS
HOLLOWS = FLOOR + 34
"""The upper edge of the hollows in the sand."""
HOLLOW = 110
HEIGHT = HOLLOWS + HOLLOW + 16
SCALE = COLUMN / 58
"""Of the pieces: a box with more columns has narrower ones."""

FISH = {"yellow": "#f5bd2f", "red": "#dc4c58", "green": "#35a46c", "blue": "#3a78c4"}
SIZES = ("small", "medium", "large")
STEPS = {"forward": (-1, 0), "up": (0, -1), "down": (0, 1)}
"""Where a predator goes, in columns and rows (F13)."""
DARK = "#12303b"
CREAM = "#fff8e7"


def _shades() -> Tokens:
    """The colours of the columns, by day and by night: the nearer to the reef, the shallower."""
    steps = [column / (COLUMNS - 1) for column in range(COLUMNS)]
    day = [_mixed((0x2A, 0x7F, 0x9F), (0xA2, 0xDF, 0xDA), share) for share in steps]
    night = [_mixed((0x10, 0x42, 0x60), (0x45, 0x8E, 0x9B), share) for share in steps]
    return {f"reef-{column}": pair for column, pair in enumerate(zip(day, night, strict=True), start=1)}


def _mixed(low: tuple[int, int, int], high: tuple[int, int, int], share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


TOKENS: Tokens = {
    **_shades(),
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

STYLE = """
.strandline-reef-route [id^=step-]{pointer-events:none}
.strandline-reef-route [id^=step-]>.arrow{opacity:0}
.strandline-reef-route [id^=step-].ready{pointer-events:auto}
.strandline-reef-route [id^=step-].ready>.arrow{opacity:1}
"""
"""Where a predator may go is shown when it can be clicked: two of them may want the same tile."""


def draw(view: dict[str, Any]) -> str:
    """The position as an SVG image."""
    return board(
        "reef_route",
        HEIGHT,
        f"{FACTS.title}: {_headline(view)}",
        notation.words(view),
        _scenery(),
        _scores(view),
        _status(view),
        _hollows(view["options"]["school"], view["players"]),
        _lot(view["tile"]),
        *(_predator(view, number) for number in range(len(view["predators"]))),
        *(_fish(view, name, number) for name in NAMES for number in range(view["options"]["school"])),
        *_steps(view),
        defs=_defs(),
        tokens=TOKENS,
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


# The position in words


def _headline(view: dict[str, Any]) -> str:
    seat = f"Seat {view['seat']}"
    match view["phase"]:
        case "layout" if view["turn"] == "chance":
            return "Predators by lot"
        case "layout":
            return f"{seat}: put predator {_unplaced(view)}"
        case "place":
            school = view["fish"][NAMES[COLOUR_OF_SEAT[view["seat"]]]]
            return f"{seat}: place fish {school.index('waiting') + 1}"
        case "fill":
            return "Fish by lot"
        case "roll":
            return f"{seat}: roll"
        case "predator":
            return f"{seat}: predator!"
        case "fish":
            return f"{seat}: move a fish"
        case "any":
            return f"{seat}: any fish"
    winner = notation.winning_seat(view)
    return "Nobody wins" if winner is None else f"Seat {winner} wins"


def _unplaced(view: dict[str, Any]) -> int:
    """The number of the next predator to be put."""
    return next(number for number, entry in enumerate(view["predators"], start=1) if entry["col"] is None)


def _progress(view: dict[str, Any]) -> str:
    if view["phase"] in ("layout", "place", "fill"):
        return "Set-up"
    limit = view["options"]["limit"]
    return f"Roll {view['rolls']} of {limit}" if limit else f"Roll {view['rolls']}"


def _hint(view: dict[str, Any]) -> str:
    """What the dice do not say."""
    match view["phase"]:
        case "layout":
            return "in front of the reef, a row apart"
        case "place":
            first = view["fish"][NAMES[COLOUR_OF_SEAT[view["seat"]]]][0] == "waiting"
            return f"on column {FRONT}" if first else f"on column {BACK} or {FRONT}"
        case "fill":
            return "on column {}, row {}".format(*view["tile"])
        case "any":
            return "no die fits: any one forward"
    name = next((name for name, school in view["fish"].items() if "reef" in school), "")
    if view["end"] == "reef":
        return f"{name} is first at the reef"
    return {"last": "only one colour is left", "gone": "no player has a fish left"}.get(view["end"], "the last roll")


# What changes


def _middle(column: float, row: float) -> Point:
    return SEA_SIDE + COLUMN * (column - 0.5), TOP + ROW * (row - 0.5)


def _sized(drawn: str, scale: float, at: Point = (0, 0)) -> str:
    return element("g", drawn, transform=f"translate({at[0]:g} {at[1]:g}) scale({scale:.2f})")


def _scores(view: dict[str, Any]) -> str:
    """A card for each seat, with its fish and how many of them are not eaten."""
    names = [NAMES[COLOUR_OF_SEAT[seat]] for seat in range(view["players"])]
    left = [sum(place != "eaten" for place in view["fish"][name]) for name in names]
    winner = notation.winning_seat(view)
    return score_strip(
        left,
        view["seat"] if view["turn"] is not None else None,
        () if winner is None else (winner,),
        colours=[FISH[name] for name in names],
        badges=[_sized(use(f"reef-{name}"), 1.2) for name in names],
    )


def _status(view: dict[str, Any]) -> str:
    """Who is to do what, the dice, the rolls; at the end who has won."""
    if view["phase"] == "over":
        return ribbon(_headline(view), _progress(view)) + _said(_hint(view))
    alone = view["phase"] == "fill" or (view["phase"], view["turn"]) == ("layout", "chance")
    seat = None if alone else view["seat"]
    colour = FISH[NAMES[COLOUR_OF_SEAT[view["seat"]]]]
    strip = banner(_headline(view), _progress(view), seat, colour=colour)
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
            face = None if rolling else _face(unused[i])
            drawn += die((x, 204), face, 66, turn=(-9, 7)[i] if rolling else (-3, 3)[i], name=f"die-{i + 1}")
    return drawn + use("reef-swell")


@functools.cache
def _face(name: str) -> str:
    """A fish with its letter, or a predator."""
    if name == "predator":
        return _sized(use("reef-small"), 1.05, (0, 2))
    return group(use(f"reef-{name}"), at=(0, -11)) + words(name[0].upper(), (0, 29), SMALL, DARK)


def _lot(tile: list[int] | None) -> str:
    """The tile that is drawn for (F10)."""
    if tile is None:
        return ""
    ring = box(-COLUMN / 2 + 4, -29, COLUMN - 8, 58, 12, PAPER, stroke=SUN, stroke_width=5, stroke_dasharray="9 6")
    return group(ring, words("?", (0, 12), 34), id="lot", at=_middle(*tile))


def _fish(view: dict[str, Any], name: str, number: int) -> str:
    place = view["fish"][name][number]
    seat = COLOUR_OF_SEAT.index(NAMES.index(name))
    at: Point
    if place == "reef":
        at, drawn = (REEF + 48, TOP + ROW * ROWS / 2), _glory() + _swimmer(name, number + 1, seat, view["players"])
    elif isinstance(place, list):
        at, drawn = _middle(*place), _swimmer(name, number + 1, seat, view["players"])
    else:
        at = _slot(seat, number, view["options"]["school"])
        drawn = _sized(use(f"reef-{name}" if place == "waiting" else "reef-bones"), 0.72)
    owner = f"seat {seat}" if seat < view["players"] else "nobody"
    said = tip(f"{name.capitalize()} fish {number + 1} of {owner}, {notation._whereabouts(place)}")
    room = (COLUMN - 2, ROW - 4) if not isinstance(place, str) else (40, 44)
    return group(said, halo(-room[0] / 2, -room[1] / 2, *room), drawn, id=f"fish-{name}-{number + 1}", at=at)


@functools.cache
def _swimmer(name: str, number: int, seat: int, players: int) -> str:
    """A fish with a label: its number and its owner's shape."""
    owned = seat < players
    width = 46 if owned else 28
    label = box(-width / 2, 4, width, 27, 13.5, CLOTH, stroke=OUTLINE, stroke_width=2)
    label += mark(seat, (-10.5, 17.5), 16, FISH[name]) if owned else ""
    drawn = use(f"reef-{name}", (0, -10)) + label + words(str(number), (9.5 if owned else 0, 26), SMALL, DARK)
    return drawn if SCALE == 1 else _sized(drawn, SCALE)


@functools.cache
def _glory() -> str:
    """Rays around the fish on the reef."""
    rays = "".join(f"M0 0L{x} {y}" for x, y in ((44, 0), (31, 31), (0, 46), (-31, 31), (-44, 0), (-31, -31), (0, -46), (31, -31)))
    return line(rays, SUN, 9) + circle((0, 0), 38, SUN) + circle((0, 0), 32, CREAM, opacity=0.75)


def _span(view: dict[str, Any], number: int) -> tuple[float, float, int, int]:
    """Lowest column and row of a predator, and how many of them it covers; until it is laid out it waits in the open."""
    entry = view["predators"][number]
    size = SIZES.index(entry["size"])
    if entry["col"] is None:
        rows = START_ROWS[SETS.index(view["options"]["predators"])]
        return COLUMNS / 2, rows[number], LENGTHS[size], WIDTHS[size]
    return entry["col"], entry["row"], LENGTHS[size], WIDTHS[size]


def _predator(view: dict[str, Any], number: int) -> str:
    entry = view["predators"][number]
    column, row, columns, rows = _span(view, number)
    width, height = columns * COLUMN - 4, rows * ROW - 4
    shape = halo(-width / 2, -height / 2, width, height)
    if entry["col"] is None:
        where = "not laid out yet"
        frame = box(-width / 2, -height / 2, width, height, 16, PAPER, opacity=0.45)
        frame += box(-width / 2, -height / 2, width, height, 16, "none", stroke=INK, stroke_width=3, stroke_dasharray="4 9")
    else:
        where = f"at {notation._spot((column, row))}"
        frame = box(-width / 2, -height / 2, width, height, 16, SHADE, opacity=0.2)
    said = tip(f"Predator {number + 1}, {entry['size']}, {where}")
    at = _middle(column + (columns - 1) / 2, row + (rows - 1) / 2)
    return group(said, frame, shape, _hunter(entry["size"], number + 1), id=f"predator-{number + 1}", at=at)


BADGES = {"small": (0, 18), "medium": (16, -1), "large": (8, 6)}
"""Where on a predator its number is."""


@functools.cache
def _hunter(size: str, number: int) -> str:
    x, y = BADGES[size]
    lift = (0, -11) if size == "small" else (0, 0)
    badge = box(x - 17, y - 14, 34, 28, 14, DARK, stroke=CLOTH, stroke_width=LINE)
    drawn = use(f"reef-{size}", lift) + badge + words(str(number), (x, y + 9), SMALL, CREAM)
    return drawn if SCALE == 1 else _sized(drawn, SCALE)


def _steps(view: dict[str, Any]) -> Iterator[str]:
    """Arrows to where the predators can go: not off the board, not onto another (F16)."""
    if view["phase"] != "predator":
        return
    spans = [_span(view, number) for number in range(len(view["predators"]))]
    tiles = [{(c + i, r + j) for i in range(int(w)) for j in range(h)} for c, r, w, h in spans]
    for number, (column, row, columns, rows) in enumerate(spans):
        others = set().union(*(tiles[:number] + tiles[number + 1 :]))
        for way, (across, down) in STEPS.items():
            entered = {(c + across, r + down) for c, r in tiles[number]} - tiles[number]
            if all(c >= 1 and 1 <= r <= ROWS for c, r in entered) and not entered & others:
                at = _middle(sum(c for c, _ in entered) / len(entered), sum(r for _, r in entered) / len(entered))
                width, height = (COLUMN, ROW * rows) if across else (COLUMN * columns, ROW)
                yield group(
                    tip(f"Predator {number + 1} {way}"),
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
        "M-11-4q5 0 5 4 0 4-5 4M-4-9q5 0 5 4.500 0 4.500-5 4.500M-4 0q5 0 5 4.500 0 4.500-5 4.500M3-5q5 0 5 4.500 0 4.500-5 4.500M3 4q5 0 5 3.500",
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


def _kinds_of_predators() -> str:
    return (
        group(*_barracuda(), id="reef-small") + group(*_shark(), id="reef-medium") + group(*_orca(), id="reef-large")
    )


def _eye(x: float, y: float, radius: float) -> str:
    """An eye below an angry brow."""
    eye = circle((x, y), radius, CREAM, stroke=OUTLINE, stroke_width=1.5) + circle((x - radius / 4, y), radius / 2, DARK)
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
    body = "M-55-4C-44-17-22-22 2-20 20-18 34-11 43-4L56-25C51-10 52 4 57 19L43 5C30 14 10 20-10 20-26 20-40 18-48 14L-32 7z"
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
def _defs() -> str:
    arrows = {"forward": 0, "up": 90, "down": -90}
    arrow = circle((0, 0), 22, SUN, stroke=OUTLINE, stroke_width=LINE) + line(
        "M11 0H-9M-1-9L-10 0-1 9", OUTLINE, 5, stroke_linejoin="round"
    )
    return (
        element("style", STYLE)
        + gradient("reef-dusk", "var(--reef-sky)", "var(--reef-sky-low)")
        + gradient("reef-depth", "#ffffff22", "#ffffff00", "#0b253000", "#0b253055")
        + "".join(_kinds_of_fish())
        + _kinds_of_predators()
        + "".join(group(group(arrow, turn=turn), id=f"reef-{way}") for way, turn in arrows.items())
        + element(
            "rect", id="reef-tile", x=-COLUMN / 2 + 2, y=-ROW / 2 + 2.0, width=COLUMN - 4, height=ROW - 4.0, rx=14
        )
        + group(
            path(wave(0, WIDTH, SURFACE - 6, 9, 60) + f"V{SURFACE + 4}H0z", "var(--reef-5)", opacity=0.9), id="reef-swell"
        )
        + _corals()
    )


@functools.cache
def _scenery() -> str:
    return _sky() + _sea() + _reef() + _sand() + _grid()


def _sky() -> str:
    stars = ((30, 176), (182, 186), (258, 172), (470, 168), (430, 196), (604, 170), (690, 184))
    isle = smooth([(40, 244), (84, 222), (140, 214), (190, 228), (226, 246)])
    palm = line("M128 218q4-18 14-26", "var(--reef-plank)", 5)
    leaves = line("M142 192q-14-8-24 2M142 192q-8-14-20-12M142 192q4-14 18-12M142 192q14-6 22 6M142 192q-2 10-10 14", KELP, 5)
    gulls = line("M236 186q8-8 14 0q6-8 14 0M262 206q6-6 10 0q5-6 10 0", INK, 2.5, opacity=0.5)
    clouds = dots([(470, 190), (490, 182), (512, 190), (20, 190), (40, 184)], 15, "var(--reef-cloud)", opacity=0.55)
    return (
        box(0, 0, WIDTH, SURFACE + 20, 0, "url(#reef-dusk)")
        + dots(stars, 2, "var(--reef-stars)")
        + circle((586, 222), 50, "var(--reef-moon)", opacity=0.3)
        + circle((586, 222), 33, "var(--reef-moon)")
        + clouds
        + gulls
        + sheet(isle + "z", "var(--reef-isle)")
        + palm
        + leaves
    )


def _sea() -> str:
    """The columns as sheets of paper on one another: the water gets shallower towards the reef."""
    low = HEIGHT - 60
    drawn = sheet(f"{wave(-10, WIDTH + 10, SURFACE, 9, 60)}V{low}H-10z", "var(--reef-sea)")
    for column in range(1, COLUMNS + 1):
        x = SEA_SIDE + COLUMN * (column - 1)
        top = wave(x, WIDTH + 10, SURFACE, 9, 60)
        drawn += sheet(f"{top}V{low}H{x:.1f}{_swell(x, low)}z", f"var(--reef-{column})")
    rays = "".join(polygon([(x, SURFACE), (x + w, SURFACE), (x + w - 150, FLOOR), (x - 210, FLOOR)]) for x, w in ((190, 36), (330, 60), (500, 44), (640, 30)))
    shade = box(0, SURFACE + 6, WIDTH, FLOOR - SURFACE + 40, 0, "url(#reef-depth)")
    bubbles = [(14, 340), (30, 372), (12, 470), (33, 500), (18, 606), (32, 640), (10, 700), (24, 742)]
    return (
        drawn
        + path(rays, FOAM, opacity=0.09)
        + shade
        + line(wave(-10, WIDTH + 10, SURFACE, 9, 60), FOAM, 4, opacity=0.8)
        + "".join(circle(at, 4 + i % 3, "none", stroke=FOAM, stroke_width=2, opacity=0.6) for i, at in enumerate(bubbles))
    )


def _swell(x: float, low: float) -> str:
    """The wavy left edge of a column, from below to the surface."""
    crests = 2 * ROWS
    step = (low - SURFACE) / crests
    return f"q-6 {-step / 2:.1f} 0 {-step:.1f}" + f"t0 {-step:.1f}" * (crests - 1)


def _grid() -> str:
    """Tiles, columns with their numbers as buoys, rows with their numbers; the starting columns are lighter."""
    tiles = [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
    corner = 14
    width, height = COLUMN - 6, ROW - 6
    outline = (
        f"h{width - 2 * corner:.1f}q{corner} 0 {corner} {corner}v{height - 2 * corner}q0 {corner} {-corner} {corner}"
        f"h{2 * corner - width:.1f}q{-corner} 0 {-corner} {-corner}v{2 * corner - height}q0 {-corner} {corner} {-corner}z"
    )

    def net(columns: range | tuple[int, ...]) -> str:
        spots = (_middle(column, row) for column in columns for row in range(1, ROWS + 1))
        return "".join(f"M{x - width / 2 + corner:.1f} {y - height / 2:.1f}{outline}" for x, y in spots)

    drawn = path(net(range(1, COLUMNS + 1)), FOAM, fill_opacity=0.1, stroke=FOAM, stroke_width=1.5, stroke_opacity=0.35)
    drawn += path(net((BACK, FRONT)), SAND, fill_opacity=0.3)
    drawn += "".join(use("reef-ghost", _middle(column, row)) for column in (BACK, FRONT) for row in range(1, ROWS + 1))
    drawn += "".join(disc(str(column), (_middle(column, 1)[0], TOP - 23), 18) for column in range(1, COLUMNS + 1))
    drawn += "".join(disc(str(row), (SEA_SIDE - 23, _middle(1, row)[1]), 18) for row in range(1, ROWS + 1))
    places = [(f"tile-{column}-{row}", _middle(column, row)) for column, row in tiles]
    return drawn + "".join(
        group(use("reef-tile", class_="halo", fill="transparent"), id=name, at=at) for name, at in places
    )


@functools.cache
def _hollows(school: int, players: int) -> str:
    """A hollow in the sand for each colour, with a place for each fish."""
    drawn = ""
    for seat, colour in enumerate(COLOUR_OF_SEAT):
        name = NAMES[colour]
        left = 12 + 176 * seat
        drawn += box(left, HOLLOWS, 168, HOLLOW, 18, "var(--reef-hollow)", stroke=SAND_EDGE, stroke_width=3)
        drawn += mark(seat, (left + 26, HOLLOWS + 21), 20, FISH[name]) if seat < players else ""
        drawn += words(name, (left + (44 if seat < players else 16), HOLLOWS + 29), SMALL, anchor="start")
        for number in range(school):
            x, y = _slot(seat, number, school)
            drawn += _sized(use("reef-ghost"), 0.72, (x, y))
            drawn += words(str(number + 1), (x, y + 40), SMALL)
    return drawn


def _slot(seat: int, number: int, school: int) -> Point:
    """The place of a fish in its colour's hollow."""
    return 12 + 176 * seat + 84 + 40 * (number - (school - 1) / 2), HOLLOWS + 58


def _reef() -> str:
    """Rocks behind the last column, with a cave in each row, and coral all over."""
    drawn = ""
    for inland, fill in ((6, FAR), (24, ROCK), (58, NEAR)):
        edge = [(REEF + inland + (9 if i % 2 else -1) - 3 * (i % 3), SURFACE - 6 + inland / 2 + i * 38.0) for i in range(2 * ROWS + 4)]
        edge[0] = (REEF + inland + 26, edge[0][1])
        drawn += sheet(smooth(edge) + f"H{WIDTH + 10}V{edge[0][1]}z", fill)
    caves = ""
    for row in range(1, ROWS + 1):
        x, y = REEF + 50, _middle(1, row)[1]
        cave = path("M-26 20C-32-6-20-24 2-24 24-24 34-4 27 20z", CAVE) + path("M-26 20q26-10 53 0z", SAND, opacity=0.55)
        caves += group(cave, halo(-44, -31, 86, 62), id=f"reef-{row}", at=(x, y))
    return drawn + caves + _garden()


def _garden() -> str:
    kinds = (("branch", PINK), ("brain", GOLD), ("tubes", ORANGE), ("fan", VIOLET), ("branch", ORANGE), ("weed", MINT), ("brain", PINK), ("tubes", VIOLET), ("fan", CORAL), ("branch", GOLD))
    drawn = ""
    for row in range(ROWS + 1):
        y = TOP + ROW * row + 4
        kind, colour = kinds[row * 3 % 10]
        other, tone = kinds[(row * 3 + 5) % 10]
        drawn += use(f"reef-{kind}", (REEF + 18, y + 6), color=colour)
        drawn += use(f"reef-{other}", (REEF + 80, y + 4), color=tone)
    return drawn


def _corals() -> str:
    """Five kinds of coral, each about 36 wide and growing up from (0, 0), in a colour of choice."""
    branch = line("M0 2V-14M0-5L-11-16V-24M0-11L10-20V-30M-11-18L-17-22M0-14L-2-28", "currentColor", 7)
    brain = path("M-18 4C-20-22 20-22 18 4z", "currentColor") + line("M-11-1q-2-9 5-9 6 0 4 7M3-1q-5-12 3-12M9 0q4-8-1-11", SHADE, 2.5, opacity=0.35)
    tubes = line("M-10 0V-16M0 2V-27M10 0V-12", "currentColor", 10) + dots([(-10, -17), (0, -28), (10, -13)], 2.8, SHADE, opacity=0.5)
    fan = path("M0 4C-26-6-22-30 0-30 22-30 26-6 0 4z", "currentColor") + line("M0 4V-26M0-2L-12-22M0-2L12-22M0 0L-17-11M0 0L17-11", SHADE, 2, opacity=0.3)
    weed = line("M-9 2q-8-10 0-18t-2-14M0 2q6-10 0-18t2-18M9 2q-5-8 1-15t0-12", "currentColor", 5)
    return "".join(group(drawn, id=f"reef-{name}") for name, drawn in (("branch", branch), ("brain", brain), ("tubes", tubes), ("fan", fan), ("weed", weed)))


def _sand() -> str:
    """The sea floor."""
    back = smooth([(-20, FLOOR + 18), (90, FLOOR + 4), (240, FLOOR + 16), (400, FLOOR + 6), (560, FLOOR + 14), (740, FLOOR - 4)])
    front = smooth([(-20, FLOOR + 26), (130, FLOOR + 22), (300, FLOOR + 28), (470, FLOOR + 20), (620, FLOOR + 26), (740, FLOOR + 12)])
    star = group(path(SEATS[4].shape, CORAL, stroke=SAND_EDGE, stroke_width=2), at=(610, FLOOR + 24), turn=20)
    return sheet(back + f"V{HEIGHT}H-20z", SAND_EDGE) + sheet(front + f"V{HEIGHT}H-20z", SAND) + star
