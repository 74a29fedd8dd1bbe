"""The board: sky and horizon at the top, twelve steps of water that get shallower, surf, and the beach at the bottom.

What never changes is drawn once. A swimmer is a die with a bathing cap in a swimming ring: the ring has the colour and
the shape of its seat, and the swimmer's number. Each has a place of its own on the sand; those who are home have spread
a towel there.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from strandline.drawing import (
    CLOTH,
    CORAL,
    FOAM,
    LINE,
    OUTLINE,
    PAPER,
    PIPS,
    SAND,
    SAND_EDGE,
    SEATS,
    SHADE,
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
    ribbon,
    score_strip,
    shades,
    sheet,
    short_name,
    smooth,
    text_width,
    tooltip,
    use,
    wave,
    words,
)
from strandline.drawing.festive import bunting, colours_of, confetti, ending, hopping, swag
from strandline.engine.words import Words, listed, message, seat_name

from . import story
from .box import FAMILY, LANES, START, STEPS, TURNS, WALLS
from .box import PIPS as FACES
from .rules import FACTS, OPTIONS

_ = Words(__file__)

PLACE = 154
"""The height of a family's part of a tall beach."""
LEAF, SHEET = 97, 106
"""The width and the height of a leaf of the calendar."""
HEADLINE = 450
"""The room for words to the left of day and round."""

CREAM, DARK = "#fff8e7", "#12303b"
RED, GREEN = "#d5404f", "#23895a"
"""The swimming dice."""


TOKENS: Tokens = {
    # The further out, the deeper
    **shades("surf", STEPS, ("#b9e8e1", "#5fbdc6", "#1a6384"), ("#5fa3a8", "#2c7288", "#0c3550")),
    "surf-deep": ("#12495e", "#08263a"),
    "surf-sky": ("#fdebc8", "#152a45"),
    "surf-sky-low": ("#fbd3ae", "#3d4468"),
    "surf-moon": ("#f9b15c", "#f4ecd2"),
    "surf-stars": ("#ffffff00", "#ffffffcc"),
    "surf-cloud": ("#fff8e7", "#4a5378"),
    "surf-wet": ("#d8bd86", "#544528"),
    "surf-hollow": ("#ead39c", "#5c4c2c"),
    "surf-wood": ("#bf8f5e", "#6f5138"),
    "surf-plank": ("#a87a4b", "#5b412c"),
    "surf-castle": ("#e2c07e", "#9a8150"),
    "surf-palm": ("#4f9d6b", "#245241"),
    "surf-dusk": ("#12303b", "#04121a"),
}
WET, HOLLOW, WOOD, PLANK = "var(--surf-wet)", "var(--surf-hollow)", "var(--surf-wood)", "var(--surf-plank)"

STYLE = """
.strandline-undertow .tool:not(.ready){visibility:hidden}
"""
"""How to change a swimmer's strength is shown once the swimmer is chosen: the buttons lie on its neighbours."""

CLICK = use("undertow-space", class_="halo below", fill="transparent")
"""The halo of a swimmer: the whole space, which its cap and its ring reach out of."""
EDGE = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}


@dataclass(frozen=True, eq=False)
class _Plan(Plan):
    """Where sea and sand are: one below the other, or the families on the two banks of a bay."""

    horizon: float = 246
    row: float = 66
    """The height of a step."""
    lane: float = min(60.0, 600 / LANES)
    bank: float = 0
    """The width of the sand at both sides of the sea."""
    strip: float = 116
    """The height of the beach where swimmers land."""

    @functools.cached_property
    def top(self) -> float:
        """The upper edge of the outermost step."""
        return self.horizon + 52

    @functools.cached_property
    def shore(self) -> float:
        """Where the water ends."""
        return self.top + self.row * STEPS

    @functools.cached_property
    def places(self) -> float:
        """The lower edge of the beach; in the tall arrangement the families' places begin there."""
        return self.shore + self.strip

    @functools.cached_property
    def coast(self) -> float:
        """The left edge of lane 1."""
        return (self.width - self.lane * LANES) / 2

    @functools.cached_property
    def scale(self) -> float:
        """Of the swimmers: a box with more lanes has narrower ones."""
        return min(1.0, self.lane / 60)

    def middle(self, lane: float, step: float) -> Point:
        """The middle of a space."""
        return self.coast + self.lane * (lane - 0.5), self.top + self.row * (STEPS - step + 0.5)

    def room(self, players: int, seat: int) -> tuple[float, float, float, float]:
        """A family's part of the sand, below the seat's card or on a bank: left, top, width, height."""
        if not self.wide:
            width = (WIDTH - 24 - 8 * (players - 1)) / players
            return 12 + seat * (width + 8), self.places, width, PLACE
        width, height = self.bank - 46, 188
        left = self.width - self.bank + 34 if seat % 2 else 12
        return left, 290 + (height + 14) * (seat // 2), width, height

    def place(self, players: int, seat: int, n: int) -> Point:
        """A swimmer's own place on the sand; the last place of the last row is the parasol's."""
        left, top, width, _ = self.room(players, seat)
        columns = self.columns(players)
        row, column = divmod(n - 1, columns)
        down = 86 if self.wide else 74
        above = 48 if self.wide else 41
        return left + width / 2 + self.apart(players) * (column - (columns - 1) / 2), top + above + down * row

    def columns(self, players: int) -> int:
        """How many places lie side by side."""
        return int(FAMILY[players]) // 2 + 1

    def apart(self, players: int) -> float:
        """How far they are from each other."""
        width = self.room(players, 0)[2]
        return min(92.0 if self.wide else 78.0, (width - 4) / self.columns(players))

    def leaf(self, day: int, days: int) -> Point:
        """The upper left corner of a leaf of the calendar: in a row at the bottom, or four to a bank."""
        if self.wide:
            bank, place = divmod(day - 1, 4)
            left = self.width - self.bank + 34 if bank else 12
            return left + 34 + 107 * (place % 2), 714 + (SHEET + 6) * (place // 2)
        gap = 3 if days > 6 else 12
        left = (WIDTH - days * (LEAF + gap) + gap) / 2
        return left + (day - 1) * (LEAF + gap), self.places + PLACE + 12

    def height(self, view: dict[str, Any]) -> float:
        """The height of the board."""
        beach = self.places if self.wide else self.places + PLACE + 14
        days = SHEET + 12 if view["options"]["vacation"] and not self.wide else 0
        return beach + days + 34 * len(_rules(self, view["options"]))


TALL = _Plan()
WIDE = _Plan(width=1560, horizon=118, row=62, lane=min(80.0, 800 / LANES), bank=318, strip=100)


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
    """The position as an SVG image."""
    plan, told = WIDE if wide else TALL, _headline(view, winners)
    height = plan.height(view)
    return board(
        "undertow",
        height,
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        _scenery(plan, view["players"], height, not view["options"]["vacation"]),
        _sides(
            plan,
            tuple(_("A {face} starts here.", face=face) for face in range(1, FACES + 1)),
            _("open sea"),
            _("shallow"),
        ),
        _beach(plan, _("The beach")),
        _families(plan, view["players"]),
        *_free_places(plan, view),
        _scores(plan, view, scores, winners),
        _status(plan, view, told),
        _spaces(plan),
        _calendar(plan, view, scores),
        _small_print(plan, view["options"], height),
        *_swimmers(plan, view, winners),
        *(_party(plan, view["players"], seat) for seat in winners),
        _evening(plan, tuple(winners)) if winners else "",
        *_buttons(plan, view),
        defs=definitions(plan),
        tokens=TOKENS,
        width=plan.width,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move: who moves and where to, what is changed, or what has been rolled."""
    what, *numbers = move.split()
    if what == "undertow":
        return ["die-modifier"]
    if what == "stop":
        return ["stop"]
    n = int(numbers[0])
    who = f"swimmer-{view['player']}-{n}"
    if what in ("save", "recall"):
        return [who]
    if what in ("weaken", "strengthen"):
        return [who, f"{what}-{n}"]
    swimmer = view["swimmers"][view["player"]][n - 1]
    if what == "place":
        lane, step = int(numbers[1]), _starting_step(view, swimmer["pips"])
    else:
        across, out = WAYS[what]
        lane, step = swimmer["lane"] + across, swimmer["step"] + out
    return [who, f"space-{lane}-{step}" if step else "beach"]


WAYS = {"out": (0, 1), "in": (0, -1), "left": (-1, 0), "right": (1, 0)}


def _starting_step(view: dict[str, Any], pips: int) -> int:
    """The die's own step or, if it is full, the nearest one further out that is not (U5, U6)."""
    taken = [swimmer["step"] for family in view["swimmers"] for swimmer in family]
    step = int(START[pips])
    while taken.count(step) == len(_lanes(view["players"])):
        step += 1
    return step


def _lanes(players: int) -> list[int]:
    """The lanes in use (U2)."""
    return [lane for lane in range(1, LANES + 1) if not WALLS[players] >> lane & 1]


# The position in words


def _headline(view: dict[str, Any], winners: Sequence[int]) -> str:
    if view["phase"] == "over":
        names = listed([short_name(seat) for seat in winners])
        return _(("Winner: {names}", "Winners: {names}"), n=len(winners), names=names)
    return headline(view["player"], lambda name: _call(view, name), HEADLINE)


def _call(view: dict[str, Any], name: str) -> str:
    phase, n = view["phase"], view["points"]
    each = phase in ("out", "in") and story.is_for_each(view)
    match phase:
        case "family":
            return _("{name}: roll your family", name=name)
        case "place" | "return":
            return _("{name}: place a swimmer", name=name)
        case "dice":
            return _("{name}: roll", name=name)
        case "save":
            return _("{name}: save one!", name=name)
        case "choose":
            return _("{name}: 6 6 6!", name=name)
        case "reroll":
            return _("{name}: roll again", name=name)
        case "out" if each:
            return _("{name}: {n} out each", name=name, n=n)
        case "out":
            return _(("{name}: {n} step out", "{name}: {n} steps out"), name=name, n=n)
        case "in" if each:
            return _("{name}: {n} in each", name=name, n=n)
        case "in" if not n:
            return _("{name}: drift or stop", name=name)
    return _(("{name}: {n} step in", "{name}: {n} steps in"), name=name, n=n)


def _progress(view: dict[str, Any]) -> str:
    day, n = view["day"], view["round"]
    if view["options"]["vacation"]:
        return _("Day {day}: {n}/{turns}", day=day, n=n, turns=TURNS) if n else _("Day {day}", day=day)
    return _("Round {n}", n=n) if n else _("Set-up")


HINTS = {
    "family": (message("each die"), message("is a swimmer")),
    "place": (message("the dots show"), message("how far out it starts")),
    "dice": (message("out, in"), message("and the sea")),
    "lifeguard": (message("lifeguard"), message("brings one home")),
    "calm": (message("calm"), message("out, then in")),
    "wave": (message("big wave"), message("only in")),
    "current": (message("current"), message("sideways free")),
    "undertow": (message("undertow"), message("only out")),
    "choose": (message("undertow"), message("or call back")),
    "reroll": (message("called back"), message("roll its die")),
    "return": (message("called back"), message("out it goes")),
}


# What changes: above the sea


def _scores(plan: _Plan, view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    values: list[object] = list(scores)
    if not view["options"]["vacation"]:
        values = [_("{n} of {family}", n=score, family=FAMILY[view["players"]]) for score in scores]
    return score_strip(values, view["player"], winners, room=plan.scores)


def _status(plan: _Plan, view: dict[str, Any], told: str) -> str:
    """Who is to do what, and the dice: afloat on the horizon, or on the left bank and the points on the right one."""
    phase = view["phase"]
    if phase == "over":
        return plan.status(ribbon(told, _progress(view))) + ("" if plan.wide else use("undertow-swell"))
    said = plan.status(banner(told, _progress(view), view["player"]))
    name = story.meaning(view) if view["dice"] and phase in ("out", "in", "save") else phase
    first, second = HINTS[name]
    rolled = phase not in ("family", "place")
    hint = _hint(_(first), _(second), (24, 228) if plan.wide else (268 if rolled else 40, 198))
    dice = _dice(view) if rolled else ""
    points = _points(view["points"], phase, told) if phase in ("out", "in") else ""
    points += _stop() if phase == "in" else ""
    if plan.wide:
        right = plan.width - WIDTH
        return said + hint + group(dice, at=(10, -44)) + group(points, at=(right, -26))
    return said + hint + dice + points + use("undertow-swell")


def _hint(first: str, second: str, at: Point) -> str:
    """What the sea does, in a few words."""
    x, y = at
    return words(first, at, 28, anchor="start") + words(second, (x, y + 31), anchor="start")


def _dice(view: dict[str, Any]) -> str:
    """Red and green with arrows out and in; the modifier. What counts no more, or not at all, has faded."""
    dice, phase = view["dice"], view["phase"]
    if dice is None:
        faces = [words("?", (0, 12), 34, fill) for fill in (CREAM, CREAM, DARK)]
        counts, turns = (True, True), (-9, 7, -6)
    else:
        meaning = story.meaning(view)
        faces = [_pips(dice["red"], 16, 6, CREAM), _pips(dice["green"], 16, 6, CREAM), use(f"undertow-{meaning}")]
        both = meaning == "wave" or (meaning == "undertow" and phase in ("out", "choose"))
        counts = (both or phase == "out", both or phase in ("out", "in"))
        turns = (-3, 3, -2)
    looks = (("red", RED, 52), ("green", GREEN, 130), ("modifier", CLOTH, 218))
    return "".join(
        _die(name, fill, face, (x, 201), turn, count, phase == "choose" and name == "modifier")
        for (name, fill, x), face, turn, count in zip(looks, faces, turns, (*counts, True), strict=True)
    )


DICE = {"red": message("The red die"), "green": message("The green die"), "modifier": message("The die of the sea")}
ARROWS = {"red": "M0 6V-5M-5-1L0-6 5-1", "green": "M0-6V5M-5 1L0 6 5 1"}
"""Red leads out, which is up, and green in."""


def _die(name: str, fill: str, face: str, at: Point, turn: float, counts: bool, click: bool) -> str:
    size = 70 if name == "modifier" else 62
    half = size / 2
    cube = box(-half + 3, -half + 5, size, size, 16, SHADE, opacity=0.3)
    cube += box(-half, -half, size, size, 16, fill, stroke=OUTLINE, stroke_width=LINE) + face
    if name in ARROWS:
        arrow = line(ARROWS[name], DARK, 3.5, stroke_linejoin="round")
        cube += group(circle((0, 0), 12, CLOTH, **EDGE), arrow, at=(half, 3 - half))
    frame = halo(-half - 8, -half - 8, size + 16, size + 16) if click else ""
    return group(
        tooltip(_(DICE[name])), frame, group(cube, turn=turn, opacity=None if counts else 0.4), id=f"die-{name}", at=at
    )


@functools.cache
def _pips(face: int, spread: float, radius: float, fill: str = DARK) -> str:
    """A die's face around (0, 0)."""
    cells = ("abcdefghi".index(letter) for letter in PIPS[face])
    return dots([((cell % 3 - 1) * spread, (cell // 3 - 1) * spread) for cell in cells], radius, fill)


def _points(points: int, way: str, said: str) -> str:
    """The points left, on a life belt, with the way they lead: out is up, in is down."""
    arrow = "M0 24V-20M-12-9L0-22 12-9" if way == "out" else "M0-24V20M-12 9L0 22 12 9"
    belt = use("undertow-belt") + words(str(points), (0, 13), 36, DARK)
    pull = line(arrow, OUTLINE, 14, stroke_linejoin="round") + line(
        arrow, RED if way == "out" else GREEN, 9, stroke_linejoin="round"
    )
    return group(tooltip(said), belt, group(pull, at=(58, 0)), id="points", at=(530, 206))


def _stop() -> str:
    flag = line("M-20 34V-34", OUTLINE, 5)
    cloth = path("M-19-34C0-42 16-24 58-32V8C16 16 0-2-19 6z", CORAL, **EDGE)
    return group(
        tooltip(_("Stop")),
        halo(-27, -44, 94, 90),
        flag,
        cloth,
        words(_("stop"), (20, -4), 26, CREAM),
        id="stop",
        at=(640, 207),
    )


# What changes: swimmers


def _swimmers(plan: _Plan, view: dict[str, Any], winners: Sequence[int]) -> Iterator[str]:
    """The families, the farthest out first: a cap may hide the edge of a ring, but no ring hides a cap."""
    everybody = [
        (seat, n, swimmer) for seat, family in enumerate(view["swimmers"]) for n, swimmer in enumerate(family, start=1)
    ]
    for seat, n, swimmer in sorted(everybody, key=lambda one: -(one[2]["step"] or 0)):
        yield _swimmer(plan, view, seat, n, swimmer, seat in winners)


def _swimmer(plan: _Plan, view: dict[str, Any], seat: int, n: int, swimmer: dict[str, int | None], won: bool) -> str:
    pips, lane, step = swimmer["pips"], swimmer["lane"], swimmer["step"]
    said = tooltip(
        _("{name}, swimmer {swimmer}: {where}", name=seat_name(seat), swimmer=n, where=story.whereabouts(swimmer))
    )
    name = f"swimmer-{seat}-{n}"
    if lane is None or step is None:
        ground = use(f"undertow-towel-{seat}") if step == 0 else use("undertow-shade")
        body = hopping(figure(seat, n, pips, 0), n) if won else figure(seat, n, pips, 0)
        scale = min(1.0, plan.apart(view["players"]) / 60)
        click = halo(-32 * scale, -38 * scale, 64 * scale, 76 * scale, below=True)
        return group(said, click, _sized(ground + body, scale), id=name, at=plan.place(view["players"], seat, n))
    foam = use("undertow-foam")
    if seat == view["player"]:
        round_ = use("undertow-round") + use(f"undertow-round-{_next_way(view)}") if view["detour"] == n else ""
        tags = _tags(view["swum"][n - 1], view["drifted"][n - 1], view["drift"][n - 1])
        drawn = round_ + foam + figure(seat, n, pips, -11 if tags else 0) + tags
    else:
        drawn = foam + figure(seat, n, pips, 0)
    drawn = _sized(drawn, plan.scale)
    return group(said, CLICK, drawn, id=name, at=plan.middle(lane, step))


def _sized(drawn: str, scale: float) -> str:
    return drawn if scale == 1 else element("g", drawn, transform=f"scale({scale:.2f})")


def _next_way(view: dict[str, Any]) -> str:
    """Where the way round goes on: out if there is room, else to the side on which it is shorter (U24)."""
    taken = {(one["lane"], one["step"]) for family in view["swimmers"] for one in family}
    here = view["swimmers"][view["player"]][view["detour"] - 1]
    lane, step = here["lane"], here["step"]
    if (lane, step + 1) not in taken:
        return "out"
    free = {other for other in _lanes(view["players"]) if (other, step) not in taken}
    for length in range(1, LANES):
        for way, side in (("left", -1), ("right", 1)):
            room = all(lane + side * i in free for i in range(1, length + 1))
            if room and (lane + side * length, step + 1) not in taken:
                return way
    return "out"


@functools.cache
def figure(seat: int, n: int, pips: int | None, lean: int) -> str:
    """A die in a bathing cap and a swimming ring, 58 wide and 62 high."""
    face = group(_pips(pips, 9.8, 3.9), at=(lean, -8)) if pips else words("?", (lean, 1), 26, DARK)
    head = use(f"undertow-head-{seat}", (lean, 0)) + face
    return head + use(f"undertow-ring-{seat}") + words(str(n), (11, 29), SMALL, SEATS[seat].on)


def _tags(swum: int, drifted: int, drift: str | None) -> str:
    """What a swimmer has spent, on a disc, and its free steps, on an arrow that way."""
    drawn = ""
    if swum:
        width = 22 if swum < 10 else 36
        drawn += box(31 - width, -35, width, 22, 8, SUN, stroke=OUTLINE, stroke_width=2)
        drawn += words(str(swum), (31 - width / 2, -15.5), SMALL, DARK)
    if drifted or drift:
        ways = {"left": "M15-13h16v22h-16l-8-11z", "right": "M9-13h16l8 11-8 11h-16z", None: "M9-13h22v22h-22z"}
        arrow = {"left": "M27-2H14M19-8l-6 6 6 6", "right": "M12-2H25M20-8l6 6-6 6", None: ""}[drift]
        middle = {"left": 21.5, "right": 17.5, None: 20}[drift]
        drawn += path(ways[drift], CLOTH, **EDGE)
        drawn += words(str(drifted), (middle, 6.5), SMALL, DARK) if drifted else line(arrow, DARK, 4)
    return drawn


def _buttons(plan: _Plan, view: dict[str, Any]) -> Iterator[str]:
    """Minus and plus for a swimmer's strength (U46), on the side to which it does not swim."""
    what, way = {"out": ("weaken", -1), "in": ("strengthen", 1)}.get(view["phase"], ("", 0))
    if not what or not view["options"]["strength"] or not view["points"] or view["detour"]:
        return
    if story.meaning(view) in ("wave", "undertow"):
        return
    for n, swimmer in enumerate(view["swimmers"][view["player"]], start=1):
        if swimmer["step"] and swimmer["pips"] != (1 if what == "weaken" else FACES):
            x, y = plan.middle(swimmer["lane"], swimmer["step"])
            sign = line("M-9 0H9" + ("" if what == "weaken" else "M0-9V9"), DARK, 6)
            button = circle((0, 0), 20, SUN, stroke=OUTLINE, stroke_width=LINE)
            said = (
                _("Weaken swimmer {swimmer}", swimmer=n)
                if what == "weaken"
                else _("Strengthen swimmer {swimmer}", swimmer=n)
            )
            yield group(
                tooltip(said),
                halo(-30, -25, 60, 50),
                button,
                sign,
                id=f"{what}-{n}",
                class_="tool",
                at=(x, y - way * 58),
            )


# What changes: the sand


def _calendar(plan: _Plan, view: dict[str, Any], scores: Sequence[int]) -> str:
    """A leaf for each day of the vacation with what each seat has scored, today's so far (U36)."""
    days = view["options"]["vacation"]
    if not days:
        return ""
    today = [score - sum(day[seat] for day in view["day_scores"]) for seat, score in enumerate(scores)]
    width, drawn = LEAF, ""
    for day in range(1, days + 1):
        x, top = plan.leaf(day, days)
        points = view["day_scores"][day - 1] if day <= len(view["day_scores"]) else today if day == view["day"] else ()
        ring = {"stroke": SUN, "stroke_width": 5} if day == view["day"] and view["phase"] != "over" else {}
        leaf = box(x + 2, top + 4, width, SHEET - 6, 10, SHADE, opacity=0.2) + box(
            x, top, width, SHEET - 6, 10, PAPER, **ring
        )
        leaf += path(f"M{x:g} {top + 34:g}v-24a10 10 0 0 1 10-10h{width - 20}a10 10 0 0 1 10 10v24z", "#d9563a")
        leaf += words(_("Day {day}", day=day), (x + width / 2, top + 26), SMALL, CREAM)
        for seat, score in enumerate(points):
            at = x + 11 + 47 * (seat % 2), top + 51 + 30 * (seat // 2)
            leaf += mark(seat, at, 12) + words(str(score), (at[0] + 7, at[1] + 9), SMALL, anchor="start")
        drawn += group(leaf, id=f"day-{day}")
    return drawn


def _rules(plan: _Plan, options: dict[str, Any]) -> list[str]:
    """The options in force, in as many lines as they need."""
    chosen = [_("Points for each swimmer")] if options["surge"] == "each" else []
    chosen += [_(option.title) for option in OPTIONS if options[option.name] is True]
    lines: list[str] = []
    for text in chosen:
        longer = f"{lines[-1]} · {text}" if lines else text
        if lines and text_width(longer, SMALL) <= plan.width - 24:
            lines[-1] = longer
        else:
            lines.append(text)
    return lines


def _small_print(plan: _Plan, options: dict[str, Any], height: float) -> str:
    lines = _rules(plan, options)
    return "".join(words(text, (plan.width / 2, height + 16 - 34 * (len(lines) - i))) for i, text in enumerate(lines))


# What never changes


@functools.cache
def definitions(plan: _Plan) -> str:
    """The drawings and colours that are used again and again."""
    return (
        element("style", STYLE)
        + gradient("undertow-dusk", "var(--surf-sky)", "var(--surf-sky-low)")
        + gradient("undertow-far", "var(--surf-deep)", f"var(--surf-{STEPS})")
        + element(
            "rect",
            id="undertow-space",
            x=-plan.lane / 2 + 1,
            y=-plan.row / 2 + 1.0,
            width=plan.lane - 2,
            height=plan.row - 2.0,
            rx=14,
        )
        + _sheet(plan)
        + _lane(plan)
        + "".join(_heads_and_rings())
        + "".join(_faces())
        + _things(plan)
    )


def _heads_and_rings() -> Iterator[str]:
    """For each seat a die with a bathing cap, a swimming ring with the seat's shape, and a towel."""
    for seat, look in enumerate(SEATS[: max(FACTS.seats)]):
        yield group(
            box(-19, -28, 38, 42, 9, CLOTH, **EDGE),
            path("M-20-22C-19-37 19-37 20-22q-20-4-40 0z", look.colour, **EDGE),
            id=f"undertow-head-{seat}",
        )
        yield group(
            box(-28, 8, 56, 25, 12.5, look.colour, **EDGE),
            mark(seat, (-11, 20.5), 16, CREAM),
            id=f"undertow-ring-{seat}",
        )
        stripes = "M-26-22h52v9h-52zM-26-4h52v9h-52zM-26 14h52v9h-52z"
        yield group(
            box(-26, -31, 52, 62, 6, CREAM, stroke=SAND_EDGE, stroke_width=2),
            path(stripes, look.colour, opacity=0.75),
            id=f"undertow-towel-{seat}",
        )
    yield group(path("M-33 24q8-9 33-9t33 9q-9 12-33 12t-33-12z", FOAM, opacity=0.75), id="undertow-foam")
    yield group(path("M-28 26q8-6 28-6t32 6q-10 8-30 8t-30-8z", SHADE, opacity=0.25), id="undertow-shade")
    arrow = "M-17 2L0-17 17 2z"
    yield group(
        circle((0, 2), 36, SUN, opacity=0.55),
        circle((0, 2), 36, "none", stroke=SUN, stroke_width=5, stroke_dasharray="12 7"),
        id="undertow-round",
    )
    for way, (at, turn) in {"out": ((0.0, -43.0), 0), "left": ((-42.0, 2.0), -90), "right": ((42.0, 2.0), 90)}.items():
        yield group(group(path(arrow, SUN, **EDGE), at=at, turn=turn), id=f"undertow-round-{way}")


def _faces() -> Iterator[str]:
    """The faces of the modifier, each about 46 wide."""
    yield group(_belt(20, 11), id="undertow-lifeguard")
    rays = "M0-25V-29M-15-18l-3-3M15-18l3-3M-21-4h-4M21-4h4"
    sun = path("M-14 2a14 14 0 0 1 28 0z", SUN, **EDGE) + line(rays, DARK, 3)
    calm = line("M-24 6H24M-18 15H18M-10 24H10", "#2f7d9c", 4.5)
    yield group(sun, calm, id="undertow-calm")
    curl = "M-27 22C-24-8-8-26 12-22 28-18 28 2 14 2 20-8 6-14-1-5-8 6 4 20 27 22z"
    yield group(path(curl, "#2f9cb8", **EDGE), line("M-16 14q4-20 18-26", FOAM, 3), id="undertow-wave")
    yield group(
        line("M-12-8H24M15-17l10 9-10 9M12 12H-24M-15 3l-10 9 10 9", "#1f6f8b", 6, stroke_linejoin="round"),
        id="undertow-current",
    )
    whirl = "M2 1C2-4 9-3 9 3 9 11-6 12-9 2-12-12 8-18 17-7 24 3 20 19 6 22-8 25-22 18-24 2V-16"
    yield group(
        line(whirl, "#123f6b", 5.5),
        line("M-31-10l7-11 7 11", "#123f6b", 5.5, stroke_linejoin="round"),
        id="undertow-undertow",
    )


def _belt(radius: float, width: float) -> str:
    """A life belt."""
    quarter = radius * 3.1416 / 4
    return (
        circle((0, 0), radius, "none", stroke=OUTLINE, stroke_width=width + 2 * LINE)
        + circle((0, 0), radius, "none", stroke=CREAM, stroke_width=width)
        + circle(
            (0, 0),
            radius,
            "none",
            stroke="#e2503f",
            stroke_width=width,
            stroke_dasharray=f"{quarter:.2f} {quarter:.2f}",
        )
    )


def _things(plan: _Plan) -> str:
    """What stands on the beach and floats on the sea."""
    buoy = circle((0, 0), 12, CORAL, **EDGE) + path("M-11-3H11V4H-11z", CREAM) + circle((0, 0), 12, "none", **EDGE)
    return (
        group(circle((0, 0), 30, FOAM), _belt(29, 11), id="undertow-belt")
        + group(
            path(wave(-10, plan.width + 10, plan.horizon - 3, 8, 54) + f"V{plan.horizon + 8}H-10z", "var(--surf-deep)"),
            id="undertow-swell",
        )
        + group(buoy, id="undertow-buoy")
        + group(
            path("M-6 30q18-7 36 0-18 7-36 0z", SHADE, opacity=0.25),
            line("M0 30V-10", OUTLINE, 7),
            line("M0 30V-10", WOOD, 3.5),
            path("M-29 4C-29-42 29-42 29 4q-8-8-17 0-12-9-24 0-9-8-17 0z", "currentColor", **EDGE),
            path("M-12 4C-12-24-4-30 0-30 4-30 12-24 12 4q-12-9-24 0z", CREAM, **EDGE),
            line("M0-31V-35", OUTLINE, 5),
            id="undertow-parasol",
        )
    )


@functools.cache
def _scenery(plan: _Plan, players: int, height: float, palms: bool) -> str:
    return (
        _sky(plan)
        + _sand(plan, height)
        + _sea(plan)
        + (_banks(plan, height, palms) if plan.wide else "")
        + _grid(plan, players)
    )


def _free_places(plan: _Plan, view: dict[str, Any]) -> Iterator[str]:
    """Their numbers, where swimmers are out."""
    for seat, family in enumerate(view["swimmers"]):
        for n, swimmer in enumerate(family, start=1):
            if swimmer["step"]:
                x, y = plan.place(view["players"], seat, n)
                yield words(str(n), (x, y + 9), 28, SAND_EDGE)


@functools.cache
def _families(plan: _Plan, players: int) -> str:
    return "".join(_family(plan, players, seat) for seat in range(players))


def _sky(plan: _Plan) -> str:
    stars = ((20, 170), (182, 166), (462, 176), (430, 222), (600, 166), (694, 178), (560, 236))
    clouds = dots([(446, 192), (466, 184), (486, 192), (672, 196), (692, 190)], 14, "var(--surf-cloud)", opacity=0.5)
    moon = plan.width - plan.bank - 128
    return (
        box(0, 0, plan.width, plan.top, 0, "url(#undertow-dusk)")
        + dots(stars, 2, "var(--surf-stars)")
        + circle((moon, plan.horizon - 4), 52, "var(--surf-moon)", opacity=0.3)
        + circle((moon, plan.horizon - 4), 34, "var(--surf-moon)")
        + clouds
    )


def _sea(plan: _Plan) -> str:
    """Sheets of water, the outermost on top: their lower edges are the waves that roll in."""
    drawn = ""
    for step in range(1, STEPS + 1):
        drawn += use("undertow-sheet", (0, plan.top + plan.row * (STEPS - step)), color=f"var(--surf-{step})")
    far = box(0, plan.horizon, plan.width, plan.top - plan.horizon + 4, 0, "url(#undertow-far)")
    moon = plan.width - plan.bank - 128
    glints = "".join(f"M{moon - w} {plan.horizon + y}h{2 * w}" for y, w in ((8, 40), (16, 26), (24, 32), (33, 14)))
    swell = use("undertow-swell") if plan.wide else ""
    return (
        _surf(plan)
        + drawn
        + far
        + line(glints, "var(--surf-moon)", 3, opacity=0.55)
        + swell
        + _sail(plan)
        + _depths(plan)
    )


def _depths(plan: _Plan) -> str:
    """Shadows below: a whale far out, fish, a ray; shells and a starfish where the water is clear."""
    whale = (
        "M-150 6C-146-26-96-40-36-36 24-32 66-14 96-4 108-16 124-30 146-34 140-20 136-10 128 0 138 8 144 18 150 32"
        " 126 28 110 18 98 8 60 26 20 36-20 38L-2 66C-26 62-44 50-54 38-100 40-140 32-150 6z"
    )
    fish = "M14 0C8-8-4-8-10-2L-18-8V8L-10 2C-4 8 8 8 14 0z"
    ray = "M0-24C10-14 30-8 44 4 28 6 14 10 6 20L0 58-6 20C-14 10-28 6-44 4-30-8-10-14 0-24z"
    deep = "var(--surf-deep)"
    school = ((250, 5.6), (286, 5.9), (292, 5.2), (330, 5.6), (566, 8.3), (596, 8.0))
    shoal = "".join(group(path(fish, deep), at=(x, plan.middle(1, step)[1])) for x, step in school)
    ripples = "".join(
        wave(x, x + 40, plan.middle(1, step)[1] + 12 * (step % 3 - 1), 5, 20)
        for step in range(1, STEPS + 1)
        for x in ((70 + step * 137) % 560 + 40, (330 + step * 211) % 560 + 50)
    )
    floor = plan.middle(1, 1)[1]
    stars = ((152, 12, CORAL), (522, -40, SUN))
    starfish = "".join(group(path(SEATS[4].shape, fill), at=(x, floor + y), turn=x) for x, y, fill in stars)
    shells = dots([(330, floor + 18), (338, floor + 22), (610, floor + 8), (84, floor - 50)], 4, SAND)
    beasts = group(path(whale, deep), at=(380, plan.middle(1, STEPS - 1.6)[1]), turn=-6)
    beasts += group(path(ray, deep), at=(170, plan.middle(1, 7)[1]), turn=-30)
    drawn = group(beasts, shoal, opacity=0.24) + line(ripples, FOAM, 2.5, opacity=0.3)
    drawn += group(starfish, shells, opacity=0.45)
    return group(drawn, at=((plan.width - WIDTH) / 2, 0)) if plan.wide else drawn


def _sheet(plan: _Plan) -> str:
    """A step of water; its lower edge throws a shadow on the next one."""
    edge = wave(plan.width + 10, -10, plan.row, -10, 73, start="L")
    water = sheet(f"M-10-20H{plan.width + 10}V{plan.row}{edge}z", "currentColor")
    crest = line(wave(-10, plan.width + 10, plan.row - 3, 10, 73), FOAM, 3, opacity=0.5)
    return group(water, crest, id="undertow-sheet")


def _sail(plan: _Plan) -> str:
    hull = path("M-20 0H22L15 11H-13z", "#d9563a", **EDGE)
    sails = path("M2-46C22-34 24-16 20-5H2z", CLOTH, **EDGE) + path("M-3-38C-14-28-18-14-17-5H-3z", SUN, **EDGE)
    boat = line("M-0.500 0V-50", OUTLINE, 3) + sails + hull
    return element("g", boat, transform=f"translate({plan.width - plan.bank - 32:g} {plan.horizon + 34:g}) scale(0.6)")


def _surf(plan: _Plan) -> str:
    """Foam that runs up the sand."""
    drawn = ""
    for down, height, fill, opacity in ((40, 16, FOAM, 0.35), (27, 14, FOAM, 0.95), (19, 13, "var(--surf-1)", 1)):
        y = plan.shore + down
        drawn += path(
            f"M-10 {plan.shore - 30}H{plan.width + 10}V{y}{wave(plan.width + 10, -10, y, -height, 146, start='L')}z",
            fill,
            opacity=opacity,
        )
    return drawn


def _sand(plan: _Plan, height: float) -> str:
    wet = smooth(
        [
            (-20, plan.shore + 58),
            (140, plan.shore + 50),
            (330, plan.shore + 62),
            (520, plan.shore + 50),
            (740, plan.shore + 60),
        ]
    )
    ground = box(0, plan.shore - 20, plan.width, height - plan.shore + 20, 0, SAND)
    damp = path(f"M-20 {plan.shore - 20}{wet.replace('M', 'L', 1)}V{plan.shore - 20}z", WET)
    return ground + damp


def _banks(plan: _Plan, height: float, palms: bool) -> str:
    """The sand at both sides of the bay, with a wet edge where the sea laps at it."""
    drawn, middle = "", plan.width / 2
    down = range(round(plan.top), round(plan.shore) + 1, 62)
    for out, fill, opacity in ((16, FOAM, 0.8), (6, WET, 1), (-10, SAND, 1)):
        inland = plan.bank - 18 + out
        edge = [
            (-40.0, plan.horizon - 16.0),
            (inland * 0.4, plan.horizon - 4 - out / 2),
            (inland - 56, plan.horizon + 20),
        ]
        edge += [(inland + 7 * math.sin(y / 71 + out / 9), float(y)) for y in down]
        edge += [
            (inland + 60, plan.shore + 48 - out),
            (inland + 190, plan.shore + 64 - out),
            (middle, plan.shore + 78 - out),
        ]
        way = smooth(edge) + smooth([(plan.width - x, y) for x, y in reversed(edge)], "L")
        drawn += path(f"{way}V{height}H-40z", fill, opacity=opacity)
    return drawn + (_palms(plan) if palms else "")


def _palms(plan: _Plan) -> str:
    """A palm and some grass at the foot of each bank."""
    trunk = "M0 0C-6-60 4-120 34-160"
    leaves = (
        "M34-160c-30-26-62-18-76 8 26-14 50-16 76-8zM34-160c-14-36-46-44-70-30 30 2 50 12 70 30z"
        "M34-160c6-38 36-52 64-40-28 6-46 18-64 40zM34-160c30-22 62-12 74 16-26-16-48-20-74-16z"
        "M34-160c22 8 34 30 30 56-8-26-16-42-30-56z"
    )
    palm = (
        path("M-44 2q50-14 110 0-56 12-110 0z", SHADE, opacity=0.2) + line(trunk, OUTLINE, 17) + line(trunk, WOOD, 12)
    )
    palm += path(leaves, "var(--surf-palm)", **EDGE) + dots([(30, -152), (42, -150)], 7, PLANK)
    grass = line(
        "M-70 4q-4-18-12-28M-64 4q0-22 2-38M-58 4q4-16 14-24M84 6q-4-14-10-20M90 6q0-18 2-30M96 6q4-12 12-18",
        "var(--surf-palm)",
        4,
    )
    spots = ((84, -1), (plan.width - 84, 1))
    return "".join(
        element("g", palm + grass, transform=f"translate({x:g} {plan.places - 22:g}) scale({-side} 1)")
        for x, side in spots
    )


def _grid(plan: _Plan, players: int) -> str:
    """Spaces, the numbers of lanes and steps, the faces that start at a step; lanes out of use are roped off (U2)."""
    used = _lanes(players)
    drawn = "".join(use("undertow-lane", (plan.middle(lane, 1)[0], 0)) for lane in used)
    for lane in range(1, LANES + 1):
        label = disc(str(lane), (plan.middle(lane, 1)[0], plan.top - 23), min(19, plan.lane / 2))
        drawn += label if lane in used else group(label, opacity=0.35) + _closed(plan, lane)
    for lane in range(1, LANES):
        if (lane in used) != (lane + 1 in used):
            drawn += _rope(plan, plan.coast + plan.lane * lane)
    return drawn


def _lane(plan: _Plan) -> str:
    """The spaces of one lane."""
    width, height, round_ = plan.lane - 6, plan.row - 6, "14 14 0 0 1"
    right, down = f"{width - 28:.1f}", height - 28
    tile = f"h{right}a{round_} 14 14v{down}a{round_}-14 14h-{right}a{round_}-14-14v-{down}a{round_} 14-14z"
    tops = [plan.middle(1, step)[1] - height / 2 for step in range(1, STEPS + 1)]
    way = "".join(f"M{14 - width / 2:.1f} {top:.1f}{tile}" for top in tops)
    look = {"stroke": FOAM, "stroke_width": 1.5, "stroke_opacity": 0.4}
    return path(way, FOAM, fill_opacity=0.12, **look, id="undertow-lane")


def _closed(plan: _Plan, lane: int) -> str:
    x = plan.coast + plan.lane * (lane - 1) + 4
    return box(x, plan.top, plan.lane - 8, plan.shore - plan.top - 8, 14, "var(--surf-dusk)", opacity=0.2)


def _rope(plan: _Plan, x: float) -> str:
    """A rope with floats, red and white."""
    way = f"M{x:g} {plan.top + 4}V{plan.shore - 8}"
    floats = element("path", d=way, stroke=OUTLINE, stroke_width=13.0, stroke_dasharray="22 20", stroke_dashoffset=1)
    floats += element("path", d=way, stroke="#e2503f", stroke_width=9.0, stroke_dasharray="20 22")
    floats += element("path", d=way, stroke=CREAM, stroke_width=9.0, stroke_dasharray="7 35", stroke_dashoffset=-6.5)
    ends = "".join(use("undertow-buoy", (x, y)) for y in (plan.top + 2, plan.shore - 6))
    return line(way, OUTLINE, 5) + line(way, CREAM, 2.5) + floats + ends


@functools.cache
def _sides(plan: _Plan, starts: Sequence[str], open_sea: str, shallow: str) -> str:
    """Numbers of the steps at the left; at the right the faces that start there (U5, U-R1)."""
    drawn = "".join(disc(str(step), (plan.bank + 30, plan.middle(1, step)[1]), 19) for step in range(1, STEPS + 1))
    for face in range(1, FACES + 1):
        at = plan.width - plan.bank - 30, plan.middle(1, START[face])[1]
        cube = box(-19, -16, 42, 42, 10, SHADE, opacity=0.25) + box(-21, -21, 42, 42, 10, CLOTH, **EDGE)
        drawn += group(tooltip(starts[face - 1]), cube, _pips(face, 11.5, 4.4), at=at)
    middle = plan.width - plan.bank - 21
    far, near = (STEPS + max(START) + 1) / 2, min(START[1:]) / 2
    signs = ((far, STEPS - max(START) > 2, open_sea, CREAM), (near, min(START[1:]) > 2, shallow, DARK))
    return drawn + "".join(
        group(words(text, (0, 0), SMALL, fill), at=(middle, plan.middle(1, step)[1]), turn=-90, opacity=0.85)
        for step, room, text, fill in signs
        if room
    )


@functools.cache
def _spaces(plan: _Plan) -> str:
    """What can be clicked in the water."""
    places = [
        (f"space-{lane}-{step}", plan.middle(lane, step))
        for lane in range(1, LANES + 1)
        for step in range(1, STEPS + 1)
    ]
    spaces = "".join(group(use("undertow-space", class_="halo"), id=name, at=at) for name, at in places)
    return group(spaces, fill="transparent")


@functools.cache
def _beach(plan: _Plan, name: str) -> str:
    """The strip of sand where swimmers land, with all that belongs on a beach."""
    things = _castle() + _bucket() + _resort() + _ball() + chair()
    left, ground = (plan.width - WIDTH) / 2, plan.places - 116
    shells = [(36, 74), (206, 100), (430, 70), (540, 96), (690, 78), (448, 104)]
    star = group(path(SEATS[4].shape, CORAL, stroke=SAND_EDGE, stroke_width=2), at=(500, 80), turn=20)
    scene = group(dots(shells, 3, SAND_EDGE), star, things, at=(left, ground))
    return group(
        tooltip(name),
        halo(plan.bank + 6, plan.shore + 36, plan.width - 2 * plan.bank - 12, plan.strip - 40),
        scene,
        id="beach",
    )


def _castle() -> str:
    back = "M-26-20V-52h9v7h8v-7h9v7h8v-7h9v32z"
    wall = "M-50 0L-46-34h10v7h9v-7h10v7h9v-7h10v7h9v-7h10v7h9v-7h10L44 0z"
    look = {"stroke": SAND_EDGE, "stroke_width": 3, "stroke_linejoin": "round"}
    return group(
        path("M-60 1q58-9 124 0-62 9-124 0z", SHADE, opacity=0.2),
        line("M-4-52V-76", PLANK, 3.5),
        path("M-3-76l22 7-22 8z", CORAL),
        path(back, "var(--surf-castle)", **look),
        path(wall, "var(--surf-castle)", **look),
        path("M-13 0V-10a9 9 0 0 1 18 0V0z", PLANK),
        dots([(-30, -14), (24, -14)], 4, PLANK),
        at=(92, 106),
    )


def _bucket() -> str:
    return group(
        path("M-18 1q24-6 54 0-26 7-54 0z", SHADE, opacity=0.2),
        line("M-13-26C-12-42 12-42 13-26", OUTLINE, 3),
        path("M-15-26H15L10 0H-10z", SUN, **EDGE),
        line("M-11-17H11", CORAL, 5),
        line("M34 0L26-30M20-28l12-4", PLANK, 4),
        at=(180, 106),
    )


def _resort() -> str:
    """A towel and a parasol that belong to nobody in the game."""
    return group(
        path("M-60 1q70-12 140-2-66 14-140 2z", SHADE, opacity=0.18),
        path("M6-4l76-8 14 12-82 10z", CREAM, stroke=SAND_EDGE, stroke_width=2),
        path("M22-6l12-1 14 12-12 2zM50-9l12-1 14 12-12 2z", "#3f9fb5"),
        line("M0 4V-62", WOOD, 5),
        path("M-46-22C-44-82 44-82 46-22q-11-8-22-2-12-8-24 0-12-8-24 0-11-6-22 2z", "#e2503f", **EDGE),
        path("M-24-24Q-20-54 0-66 20-54 24-24q-12-8-24 0-12-8-24 0z", CREAM, **EDGE),
        at=(296, 104),
    )


def _ball() -> str:
    return group(
        path("M-14 15q20-6 44 0-22 7-44 0z", SHADE, opacity=0.2),
        circle((0, 0), 17, CREAM, **EDGE),
        path("M0-17C-9-10-9 10 0 17-24 17-22-17 0-17z", "#3a78c4"),
        path("M0-17C14-12 18 2 14 10 8 4 4-6 0-17z", CORAL),
        circle((0, 0), 17, "none", **EDGE),
        at=(428, 92),
    )


def chair() -> str:
    """The lifeguard's chair, with a flag and a belt."""
    rails = "M-30 0L-17-56M30 0L17-56M-25-20H25M-21-38H21"
    return group(
        path("M-36 1q40-9 96 0-50 9-96 0z", SHADE, opacity=0.2),
        line("M22-54V-100", OUTLINE, 4),
        path("M23-100c10-5 18 4 32 0v20c-14 4-22-5-32 0z", CORAL, **EDGE),
        line(rails, OUTLINE, 10),
        line(rails, WOOD, 5.5),
        box(-20, -88, 40, 30, 5, WOOD, **EDGE),
        box(-25, -62, 50, 10, 4, WOOD, **EDGE),
        group(_belt(11, 6.5), at=(0, -73)),
        at=(606, 106),
    )


def _family(plan: _Plan, players: int, seat: int) -> str:
    """A family's part of the beach, with a parasol in its colour."""
    drawn = box(*plan.room(players, seat), 18, HOLLOW, stroke=SAND_EDGE, stroke_width=3)
    return drawn + _parasol(seat, plan.place(players, seat, 2 * plan.columns(players)))


@functools.cache
def _evening(plan: _Plan, winners: tuple[int, ...]) -> str:
    """Bunting over the horizon, and paper over the sea."""
    colours, ends = colours_of(winners), (plan.bank - 40.0, plan.width / 2, plan.width - plan.bank + 40.0)
    top = plan.horizon - (22 if plan.wide else 70)
    hung = "".join(bunting(swag((one, top), (other, top), 22, 14), colours) for one, other in pairwise(ends))
    paper = confetti(plan.coast, plan.top, plan.width - 2 * plan.coast, plan.shore - plan.top, colours, 80)
    return ending(True, hung, paper)


@functools.cache
def _party(plan: _Plan, players: int, seat: int) -> str:
    """A family that has won: bunting over its part of the beach, paper in the air, and ice cream."""
    left, top, width, height = plan.room(players, seat)
    colours = colours_of((seat,))
    hung = bunting(swag((left + 4, top - 16), (left + width - 4, top - 16), 10, max(5, round(width / 26))), colours, 18)
    paper = confetti(left + 8, top - 30, width - 16, height - 20, colours, 40)
    cone = (
        path("M-11-4h22L0 30z", WOOD, **EDGE)
        + circle((0, -10), 13, "#f5a3b8", **EDGE)
        + circle((0, -26), 10, CREAM, **EDGE)
    )
    x, y = plan.place(players, seat, 2 * plan.columns(players))
    treat = element("g", cone, transform=f"translate({x + 25:.1f} {y + 18:.1f}) rotate(10) scale(0.7)")
    return ending(True, paper, hung, treat)


def _parasol(seat: int, at: Point) -> str:
    return group(use("undertow-parasol", color=SEATS[seat].colour), mark(seat, (0, -12), 15), at=at)
