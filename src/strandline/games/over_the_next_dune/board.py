"""The board: a desert by night, with the friendly lines at the top and the enemy camp at the bottom.

It is night by day too; only scores, banner and cards follow the page. What never changes is drawn once. Searchers are
jeeps seen from above, which light up the way they face; their numbers lie above all jeeps, because searchers may stand
on one another. The moon is the turn marker: it goes down where the sun will rise.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from strandline.drawing import (
    CLOTH,
    CORAL,
    INK,
    LINE,
    OUTLINE,
    PAPER,
    SEATS,
    SHADE,
    SHADOW,
    SMALL,
    SUN,
    WIDTH,
    Plan,
    Point,
    banner,
    board,
    box,
    card_width,
    circle,
    dots,
    element,
    gradient,
    group,
    halo,
    headline,
    line,
    path,
    polygon,
    ribbon,
    score_strip,
    sheet,
    smooth,
    text_width,
    tooltip,
    use,
    wave,
    words,
)
from strandline.drawing.festive import ending, fire, hopping
from strandline.engine.words import Words, message

from . import notation, story
from .box import AREAS, COLUMNS, DIE, KINDS, PIECES, PLACES, POINTS, ROWS, START, TOKENS, TRAIL_COLUMNS
from .rules import FACTS

_ = Words(__file__)

HEADLINE = 440
"""The width of the line that says who is to do what."""

DOWN = (0, 1, 1, 0, -1, -1, -1, 0, 1)
ACROSS = (0, 0, -1, -1, -1, 0, 1, 1, 1)
"""The eight directions of the dial, from 1."""
ALL_ROUND = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if down or across]
NUMBER_WIDTH = 34
"""Of a searcher's number among others."""
HOLD = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1))
"""The squares under a searcher on which its captives are shown."""

LAMP, NIGHT, BLACK = "#ffd98a", "#1b2547", "#0c1128"
CREAM, DARK, MINT, PALE, PRINT = "#fff8e7", "#12303b", "#8fe3c0", "#e6dcf2", "#2e2030"
SET_UP = ("terrain", "terrain_at", "searcher", "facing")
ENDS = {
    "lines": message("Everybody is home!"),
    "camp": message("Taken to the camp"),
    "sunrise": message("Caught at dawn"),
    "hopeless": message("Nobody can free them"),
}
CARD_NAMES = {"straight": message("straight"), "left": message("turn left"), "right": message("turn right")}
Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class _Plan(Plan):
    """Where the battlefield lies, with all cards below it, or with cards and points at its sides."""

    size: float = min(33.0, 660 / COLUMNS)
    """The side of a square."""
    top: float = 378
    """The upper edge of row 1."""
    below: float = 82
    """The height of the enemy camp."""

    @functools.cached_property
    def scale(self) -> float:
        """Of the pieces: a box with more columns has smaller squares."""
        return self.size / 33

    @functools.cached_property
    def left(self) -> float:
        """The left edge of column 1."""
        return (self.width - self.size * COLUMNS) / 2 + 12

    @functools.cached_property
    def right(self) -> float:
        """The right edge of the last column."""
        return self.left + self.size * COLUMNS

    @functools.cached_property
    def bottom(self) -> float:
        """The lower edge of the last row."""
        return self.top + self.size * ROWS

    @functools.cached_property
    def home(self) -> float:
        """Where tokens stand that are away."""
        return self.top - 60

    @functools.cached_property
    def camp(self) -> float:
        """The lower end of the enemy camp."""
        return self.bottom + self.below

    @functools.cached_property
    def height(self) -> float:
        """The height of the board."""
        return self.camp if self.wide else self.camp + 124

    def middle(self, row: float, column: float) -> Point:
        """The middle of a square."""
        return self.left + self.size * (column - 0.5), self.top + self.size * (row - 0.5)

    def sized(self, drawn: str) -> str:
        """A piece, as large as the squares ask for."""
        return drawn if self.scale == 1 else element("g", drawn, transform=f"scale({self.scale:.2f})")

    def afar(self, x: float, y: float) -> Point:
        """Where something on a tall board's horizon stands."""
        return x * self.width / WIDTH, y + self.top - 378

    @functools.cached_property
    def towers(self) -> Point:
        """Where the towers of the camp stand."""
        return (self.left - 120, self.right + 100) if self.wide else (84, 636)

    def place(self, token: int) -> Point:
        """A token's place behind the friendly lines."""
        return self.width / 2 + 58 * (token - (TOKENS + 1) / 2), self.home

    def searcher_card(self, number: int, alone: bool) -> tuple[float, float, float]:
        """Where one of the three kinds of searcher cards lies, and how wide it is: left, top, width.

        In the tall arrangement they are last: on a phone the buttons to zoom lie there, and turn order matters more.
        """
        if self.wide:
            return self.left / 2 - 121, 250 + 110 * number, 222
        width = 222 if alone else 72
        return WIDTH - 18 - (width + 10) * (3 - number) + 10, self.camp + 12, width

    def order_card(self, card: int) -> Point:
        """The middle of the upper edge of a turn-order card."""
        if self.wide:
            row, column = divmod(card - 1, 3)
            return (self.width + self.right) / 2 + 104 * (column - 1 + row / 2), 424 + 112 * row
        step = (WIDTH - 18 - 268) / TOKENS
        return 18 + step * (card - 0.5), self.camp + 12


TALL = _Plan()
WIDE = _Plan(width=1480, size=min(37.0, 740 / COLUMNS), top=206, below=54)


def draw(view: Json, scores: Sequence[int], winners: Sequence[int], wide: bool = False) -> str:
    """The position as an SVG image."""
    plan, told = WIDE if wide else TALL, _headline(view)
    return board(
        "over_the_next_dune",
        plan.height,
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        _sky(plan),
        _moon(plan, view["round"], view["options"]["turns"], view["reason"] == "sunrise", story.progress(view)),
        _land(plan, _("home"), _("camp")),
        _areas(plan, view),
        _terrain(plan, view),
        _lots(plan, view),
        _markers(plan, view),
        *_searchers(plan, view),
        *_squares(plan, view),
        *_numbers(plan, view),
        _ending(plan, view["players"], bool(winners)) if view["phase"] == "over" else "",
        *_tokens(plan, view),
        _scores(plan, view, scores, winners),
        _status(plan, view, told, scores, winners),
        _deck(plan, view),
        _turn_order(plan, view),
        defs=definitions(plan),
        width=plan.width,
    )


def clicks(view: Json, move: str) -> list[str]:
    """What to click for a move: who moves, and the square; a card; or a button."""
    what, *rest = move.split()
    if what == "order":
        return [f"order-{rest[0]}"]
    if what == "drop":
        return [f"square-{rest[1]}-{rest[2]}"]
    if what != "move":
        return [what]
    token, way = int(rest[0]), notation.WAYS.index(rest[1])
    row, column = view["tokens"][token - 1]["at"]
    row, column = row + DOWN[way], column + ACROSS[way]
    square = f"square-{row}-{column}" if row else f"exit-{column}"
    return [f"token-{token}", square]


# What is going on


def _seat(view: Json) -> int | None:
    """The seat that decides; none while one movement is over and the next has not begun."""
    if not isinstance(view["turn"], int) or (view["phase"] == "sneak" and not view["mover"] and not _waiting(view)):
        return None
    return view["turn"]


def _waiting(view: Json) -> bool:
    """Whether a solo player can choose a token."""
    free = [token for token, entry in enumerate(view["tokens"], start=1) if entry["state"] == "free"]
    return view["players"] == 1 and bool(set(free) - set(view["moved"]))


def _headline(view: Json) -> str:
    searcher = len(view["searchers"]) + (view["phase"] == "searcher")
    match view["phase"]:
        case "terrain":
            return _("Rough ground in area {area}", area=len(view["terrain"]) + 1)
        case "terrain_at":
            return _("Where in area {area}?", area=len(view["terrain"]))
        case "searcher":
            return _("Searcher {searcher}: where?", searcher=searcher)
        case "facing":
            return _("Searcher {searcher}: which way?", searcher=searcher)
        case "search":
            return _("Searcher {searcher} moves", searcher=view["searching"])
        case "over":
            return _(ENDS[view["reason"]])
    if _seat(view) is None:
        return _("The squad sneaks")
    return headline(view["turn"], lambda name: _to_do(view, name), HEADLINE)


def _to_do(view: Json, name: str) -> str:
    token = story.active(view)
    match view["phase"]:
        case "drop":
            return _("{name}: place token {token}", name=name, token=token)
        case "sneak" if token:
            return _("{name}: move token {token}", name=name, token=token)
        case "sneak":
            return _("{name}: choose a token", name=name)
    return _("{name}: card for token {token}", name=name, token=token)


def _progress(view: Json) -> str:
    turn, turns = view["round"], view["options"]["turns"]
    return _("Turn {turn}/{turns}", turn=turn, turns=turns) if turn else _("Set-up")


# Scores, banner, cards


def _scores(plan: _Plan, view: Json, scores: Sequence[int], winners: Sequence[int]) -> str:
    """A card for each seat: the tokens that it moves, or alone how many are home. The first player has a lantern."""
    players = view["players"]
    if players == 1:
        values = [_(("{n} of {all} is home", "{n} of {all} are home"), n=scores[0], all=TOKENS)]
        return score_strip(values, _seat(view), winners, room=plan.scores)
    badges = [_own_tokens(plan, view, seat) for seat in range(players)]
    return score_strip([""] * players, _seat(view), winners, badges=badges, room=plan.scores)


def _own_tokens(plan: _Plan, view: Json, seat: int) -> str:
    """The tokens of a seat, from the left of its card on, and the lantern at the right."""
    width = card_width(view["players"], plan.scores)
    tokens = [token for token in range(1, TOKENS + 1) if story.owner(view, token) == seat]
    start = 66 if width > 150 else 60
    drawn = "".join(
        element("g", figure(seat, token), transform=f"translate({start - 112 + 44 * i} 3) scale(0.88)")
        for i, token in enumerate(tokens)
    )
    return drawn + (use("dune-lantern", (width - 132, -2)) if seat == view["first"] else "")


def _status(plan: _Plan, view: Json, told: str, scores: Sequence[int], winners: Sequence[int]) -> str:
    """Who is to do what, the turn, the points left and the button that ends a movement; at the end how it went."""
    if view["phase"] == "over":
        kept = "" if winners else _chip(story.at_home(scores[0]), (WIDTH / 2, 168))
        return plan.status(ribbon(told, _progress(view)) + kept)
    notes = "" if view["mover"] else _notes(view)
    strip = plan.status(banner(told, _progress(view), _seat(view)) + (_chip(notes, (WIDTH / 2, 168)) if notes else ""))
    strip += _points(plan, view["mover"]) if view["mover"] else ""
    if view["phase"] == "sneak" and _seat(view) is not None:
        strip += _button(plan, "stop", _("stop here")) if view["mover"] else _button(plan, "done", _("done"))
    return strip


def _notes(view: Json) -> str:
    """Options that differ from the rulebook, while nobody has anything to choose."""
    if view["phase"] in SET_UP and view["options"]["patrols"] == "areas":
        return _("one searcher in each area")
    by_lot = view["turn"] == "chance"
    return _("ends when nobody can be freed") if by_lot and view["options"]["hopeless_ends"] else ""


def _chip(text: str, at: Point) -> str:
    width = text_width(text, 26) + 36
    x, y = at
    return box(x - width / 2, y, width, 44, 22, PAPER, opacity=0.92) + words(text, (x, y + 31), 26)


def _points(plan: _Plan, mover: Json) -> str:
    """The points that the mover has left, as footprints still to be made."""
    left = mover["points"]
    text = _(("{n} point left", "{n} points left"), n=left)
    shown = POINTS if POINTS <= 8 else 0
    feet = "".join(
        use("dune-foot", (42 + 27 * i, 195), color=INK, opacity=None if i < left else 0.2) for i in range(shown)
    )
    if plan.wide:
        wide = max(27 * shown, text_width(text, SMALL)) + 40
        plate = box(14, 170, wide, 84, 25, PAPER, opacity=0.94)
        said = words(text, (36, 238), SMALL, anchor="start")
        return group(plate, feet, said, id="points", at=((plan.right + plan.width - wide) / 2 - 14, 60))
    plate = box(14, 170, 48 + 27 * shown + text_width(text, SMALL), 50, 25, PAPER, opacity=0.94)
    return group(plate, feet, words(text, (36 + 27 * shown, 204), SMALL, anchor="start"), id="points")


def _button(plan: _Plan, name: str, text: str) -> str:
    width = 0.9 * text_width(text, 26) + 48
    plate = box(-width / 2, -25, width, 50, 25, CORAL, stroke=OUTLINE, stroke_width=LINE)
    shade = box(-width / 2 + 2, -20, width, 50, 25, SHADE, opacity=0.3)
    ring = halo(-width / 2 - 6, -31, width + 12, 62)
    at = ((plan.width + plan.right) / 2, 362) if plan.wide else (WIDTH - 20 - width / 2, 195)
    return group(ring, shade, plate, words(text, (0, 9), 26, DARK), id=name, at=at)


def _deck(plan: _Plan, view: Json) -> str:
    """How many cards of each kind are left."""
    alone = view["players"] == 1
    drawn = ""
    for i, kind in enumerate(KINDS):
        x, y, width = plan.searcher_card(i, alone)
        count = view["deck"][kind]
        name = _(CARD_NAMES[kind])
        card = tooltip(f"{name}: {count}") + box(x + 2, y + 5, width, 92, 14, SHADE, opacity=0.35)
        card += box(x, y, width, 92, 14, PAPER, stroke=INK, stroke_width=LINE)
        if alone or plan.wide:
            card += use(f"dune-{kind}", (x + 44, y + 46), color=INK)
            card += words(str(count), (x + 84, y + 43), 34, anchor="start")
            card += words(name, (x + 84, y + 74), SMALL, anchor="start")
        else:
            card += use(f"dune-{kind}", (x + width / 2, y + 32), color=INK)
            card += words(str(count), (x + width / 2, y + 82), 28)
        drawn += group(card, id=f"deck-{kind}", opacity=None if count else 0.5)
    return drawn


def _turn_order(plan: _Plan, view: Json) -> str:
    """The five turn-order cards in the order of play, each with the token that holds it."""
    if view["players"] == 1:
        return ""
    holders = {card: token for token, card in enumerate(view["cards"], start=1) if card}
    mover = view["mover"]["token"] if view["mover"] else None
    drawn = ""
    for card in range(1, TOKENS + 1):
        holder = holders.get(card)
        colour, width = (SUN, 6) if holder and holder == mover else (INK, LINE)
        look = box(-37, 5, 78, 92, 14, SHADE, opacity=0.35)
        look += box(-39, 0, 78, 92, 14, PAPER, stroke=colour, stroke_width=width)
        if holder:
            look += words(str(card), (-21, 31), 28)
            done = holder in view["moved"] or view["tokens"][holder - 1]["state"] == "away"
            look += group(figure(story.owner(view, holder), holder) + (TICK if done else ""), at=(8, 58))
        else:
            look += words(str(card), (0, 60), 40)
        said = (
            _("Turn-order card {card}: token {token}", card=card, token=holder)
            if holder
            else _("Turn-order card {card}", card=card)
        )
        drawn += group(tooltip(said), halo(-44, -5, 88, 102), look, id=f"order-{card}", at=plan.order_card(card))
    return drawn


# The battlefield


def _terrain(plan: _Plan, view: Json) -> str:
    """Rough ground, piece by piece; the piece that has no place yet lies as a shadow in its area."""
    drawn = ""
    for area, entry in enumerate(view["terrain"]):
        number = entry["piece"]
        row, column = entry["at"] or (AREAS[area][0] + 2, AREAS[area][1] + 2)
        ground = _rough(plan, number, row, column)
        drawn += group(
            tooltip(_("Rough ground")), ground, opacity=None if entry["at"] else 0.45, id=f"terrain-{area + 1}"
        )
    return drawn


@functools.lru_cache(512)
def _rough(plan: _Plan, piece: int, row: int, column: int) -> str:
    squares = [(row + down, column + across) for down, across in PIECES[piece - 1]]
    side = plan.size - 4
    way = "".join(
        f"M{plan.left + plan.size * (c - 1) + 2:g} {plan.top + plan.size * (r - 1) + 2:g}h{side:g}v{side:g}h{-side:g}z"
        for r, c in squares
        if 1 <= r <= ROWS and 1 <= c <= COLUMNS
    )
    ground = path(way, "#5a4653", stroke="#5a4653", stroke_width=4, stroke_linejoin="round")
    return ground + path(way, "url(#dune-rough)")


def _areas(plan: _Plan, view: Json) -> str:
    """The six shaded areas, in set-up."""
    if view["phase"] not in SET_UP:
        return ""
    return "".join(_patch(plan, top, left, DIE, DIE, "#241c42", opacity=0.4) for top, left in AREAS)


def _patch(plan: _Plan, top: int, left: int, rows: int, columns: int, fill: str, **look: object) -> str:
    """Some squares as one, from their first row and column on."""
    x, y = plan.left + plan.size * (left - 1) + 2, plan.top + plan.size * (top - 1) + 2
    return box(x, y, plan.size * columns - 4, plan.size * rows - 4, 16, fill, **look)


def _lots(plan: _Plan, view: Json) -> str:
    """In set-up: the areas' numbers, and where the next piece or searcher may come to lie (D5, D9)."""
    phase = view["phase"]
    if phase not in SET_UP:
        return ""
    numbers = "".join(
        words(str(area), (plan.left + plan.size * (left - 1) + 24, plan.top + plan.size * (top - 1) + 38), 32, CREAM)
        for area, (top, left) in enumerate(AREAS, start=1)
    )
    if phase in ("terrain", "terrain_at"):
        top, left = AREAS[len(view["terrain"]) - (phase == "terrain_at")]
        rows = columns = DIE
    else:
        number = len(view["searchers"]) + (phase == "searcher")
        top, left, rows, columns = PLACES[number if view["options"]["patrols"] == "areas" else 0]
    dashes = {"stroke": LAMP, "stroke_width": 4, "stroke_dasharray": "14 8"}
    return numbers + _patch(plan, top, left, rows, columns, LAMP, fill_opacity=0.12, **dashes)


def _markers(plan: _Plan, view: Json) -> str:
    """Footprints that point the way a token went (D37)."""
    return "".join(_marker(plan, *marker) for marker in view["markers"])


@functools.lru_cache(4096)
def _marker(plan: _Plan, row: int, column: int, way: int) -> str:
    x, y = plan.middle(row, column)
    turn = f"translate({x:g} {y:g}) rotate({(way - 5) * 45})" + ("" if plan.scale == 1 else f" scale({plan.scale:.2f})")
    return element("use", href="#dune-trail", transform=turn)


def _searchers(plan: _Plan, view: Json) -> Iterator[str]:
    """The jeeps, each over its nine squares, with its light on the way it faces."""
    mover = view["mover"] or {"alert": (), "halted": ()}
    for number, entry in enumerate(view["searchers"], start=1):
        way = entry["facing"]
        edge = BLACK
        if number in mover["alert"]:
            edge = "#ff8a6b"
        elif number == view["searching"]:
            edge = LAMP
        elif number == view["rescue"]:
            edge = MINT
        said = (
            _("Searcher {searcher}, facing {side}", searcher=number, side=story.side(way))
            if way
            else _("Searcher {searcher}", searcher=number)
        )
        yield group(
            tooltip(said),
            _jeep(plan, way, edge),
            id=f"searcher-{number}",
            at=plan.middle(*entry["at"]),
        )


@functools.cache
def _jeep(plan: _Plan, way: int | None, edge: str) -> str:
    wide = 5 if edge != BLACK else LINE
    ground = box(-48, -48, 96, 96, 17, "#141a38", fill_opacity=0.5, stroke=edge, stroke_width=wide)
    turn = ((way or 5) - 5) * 45
    light = group(use("dune-light"), turn=turn) if way else ""
    return plan.sized(light + ground + group(use("dune-jeep"), turn=turn))


def _numbers(plan: _Plan, view: Json) -> Iterator[str]:
    """The searchers' numbers and what is special about them; signs lie below all numbers."""
    mover = view["mover"] or {"alert": (), "halted": ()}
    places = tuple(tuple(entry["at"]) for entry in view["searchers"])
    drawn = []
    for number, (place, offset) in enumerate(zip(places, _spread(places), strict=True), start=1):
        signs = (
            ("dune-alert", number in mover["alert"]),
            ("dune-halted", number in mover["halted"]),
            ("dune-card", number == view["searching"]),
            ("dune-key", number == view["rescue"]),
        )
        shown = tuple(name for name, true in signs if true)
        drawn.append(
            (not shown, group(_number(plan, number, offset, shown), id=f"number-{number}", at=plan.middle(*place)))
        )
    return (number for _plain, number in sorted(drawn, key=lambda pair: pair[0]))


@functools.lru_cache(1024)
def _spread(places: tuple[tuple[int, ...], ...]) -> tuple[Point | None, ...]:
    """How far from the middle of its searcher each number lies, so that none hides another; None is alone."""
    middles = [(33.0 * column, 33.0 * row) for row, column in places]
    crowd = [
        i for i, at in enumerate(middles) if any(math.dist(at, other) < 40 for other in middles[:i] + middles[i + 1 :])
    ]
    spots = {i: (middles[i][0] + math.sin(2.4 * i), middles[i][1] + math.cos(2.4 * i)) for i in crowd}
    for _round in range(60):
        for i, j in itertools.combinations(crowd, 2):
            (x, y), (u, v) = spots[i], spots[j]
            apart = math.dist((x, y), (u, v))
            if apart < NUMBER_WIDTH:
                push = (NUMBER_WIDTH - apart) / 2 / apart
                spots[i] = _near(middles[i], (x + (x - u) * push, y + (y - v) * push))
                spots[j] = _near(middles[j], (u + (u - x) * push, v + (v - y) * push))
    return tuple(
        (round(spots[i][0] - x), round(spots[i][1] - y)) if i in spots else None for i, (x, y) in enumerate(middles)
    )


def _near(middle: Point, spot: Point) -> Point:
    """The spot, or the nearest one that is still on the searcher."""
    (x, y), (u, v) = middle, spot
    return min(max(u, x - 32), x + 32), min(max(v, y - 32), y + 32)


@functools.lru_cache(1024)
def _number(plan: _Plan, number: int, offset: Point | None, signs: tuple[str, ...]) -> str:
    x, y = offset or (0, 0)
    radius, size = (16, 26) if offset else (20, 34)
    corners = ((x + 15, y - 20), (x - 15, y - 20)) if offset else ((33.0, -33.0), (-33.0, -33.0))
    drawn = "".join(use(name, corner) for name, corner in zip(signs, corners, strict=False))
    drawn += circle((x, y), radius, "#10173a", stroke=CREAM, stroke_width=LINE)
    return plan.sized(drawn + words(str(number), (x, y + size * 0.36), size, CREAM))


def _squares(plan: _Plan, view: Json) -> Iterator[str]:
    """Where a token can step, get to or be placed: what a finger needs, and no more."""
    covered = {
        (entry["at"][0] + down, entry["at"][1] + across)
        for entry in view["searchers"]
        for down, across in [(0, 0), *ALL_ROUND]
    }
    taken = {tuple(entry["at"]) for entry in view["tokens"] if entry["at"]}
    near: set[tuple[int, int]] = set()
    far: set[tuple[int, int]] = set()
    if view["phase"] == "drop":
        row, column = view["searchers"][view["rescue"] - 1]["at"]
        near = {(row + r, column + c) for r in range(-2, 3) for c in range(-2, 3) if row + r > 0}
    elif view["phase"] == "sneak":
        for token, entry in enumerate(view["tokens"], start=1):
            if entry["at"] and (token == view["mover"]["token"] if view["mover"] else token not in view["moved"]):
                near |= {(entry["at"][0] + down, entry["at"][1] + across) for down, across in ALL_ROUND}
        if view["mover"]:
            (row, column), reach = view["tokens"][view["mover"]["token"] - 1]["at"], view["mover"]["points"]
            ways = range(-reach, reach + 1)
            far = {(row + down, column + across) for down in ways for across in ways} - near
    for row, column in sorted((near | far) - covered - taken):
        if 0 <= row <= ROWS and 1 <= column <= COLUMNS:
            yield _square(plan, row, column, (row, column) in near)


@functools.lru_cache(2048)
def _square(plan: _Plan, row: int, column: int, near: bool) -> str:
    half = plan.size / 2 - 1
    where = box(-half, -half, 2 * half, 2 * half, 9, "transparent", class_="halo")
    name = f"square-{row}-{column}" if row else f"exit-{column}"
    return group(where, use("dune-aim") if near else "", id=name, at=plan.middle(row, column))


def _tokens(plan: _Plan, view: Json) -> Iterator[str]:
    """The squad, from the top down, so that who stands in front is in front."""
    held = _held(view)
    standing = []
    active = story.active(view) if _seat(view) is not None else None
    won = view["result"] == "won"
    for token, entry in enumerate(view["tokens"], start=1):
        if entry["state"] == "free":
            at = plan.middle(*entry["at"])
        elif entry["state"] == "away":
            at = plan.place(token)
        else:
            at = plan.middle(*held[token])
        moved = token in view["moved"]
        look = _standing(plan, story.owner(view, token), token, entry["state"], moved, token == active)
        look = hopping(look, token) if won else look
        said = tooltip(story.whereabouts(view, token))
        standing.append((entry["state"] == "caught", at[1], group(said, look, id=f"token-{token}", at=at)))
    return (drawn for *_, drawn in sorted(standing))


def _held(view: Json) -> dict[int, tuple[int, int]]:
    """The squares on which captives are shown: under their searcher, apart from each other and from its number."""
    places = tuple(tuple(entry["at"]) for entry in view["searchers"])
    numbers = [
        (33 * column + (offset or (0, 0))[0], 33 * row + (offset or (0, 0))[1])
        for (row, column), offset in zip(places, _spread(places), strict=True)
    ]
    found: dict[int, tuple[int, int]] = {}
    for entry in view["searchers"]:
        row, column = entry["at"]
        for token in entry["captives"]:
            squares = [(row + down, column + across) for down, across in HOLD]
            left = [square for square in squares if square not in found.values()]
            clear = [(r, c) for r, c in left if all(math.dist((33 * c, 33 * r), at) > 28 for at in numbers)]
            found[token] = (clear or left)[0]
    return found


@functools.cache
def _ending(plan: _Plan, players: int, won: bool) -> str:
    """The squad is home: camp fires and fireworks. Or it is not: the embers of a fire that was kept for it."""
    x, y = plan.width / 2, plan.home + 14
    fires = "".join(
        group(circle((0, -14), 74 if won else 34, "url(#dune-glow)"), fire(embers=not won), at=(x + 58 * side, y))
        for side in (-3.3, 3.3)
    )
    if not won:
        return ending(False, fires)
    rays = [(math.cos(math.tau * i / 14), math.sin(math.tau * i / 14)) for i in range(14)]
    burst = "".join(f"M{14 * u:.0f} {14 * v:.0f}L{30 * u:.0f} {30 * v:.0f}" for u, v in rays)
    sparks = [(39 * u, 39 * v) for u, v in rays]
    colours = (*(SEATS[seat].colour for seat in range(players)), LAMP, "#ff8a6b", MINT)
    high = 122 if plan.wide else 208
    drawn = ""
    for i in range(5):
        shown = line(burst, colours[i % len(colours)], 4) + dots(sparks, 3, "#fff1c4")
        at = plan.afar(90 + 135 * i, 0)[0], high + 16 * math.sin(2.2 * i)
        drawn += group(hopping(shown, i), at=at)
    return ending(True, drawn, fires)


@functools.cache
def _standing(plan: _Plan, seat: int, token: int, state: str, moved: bool, active: bool) -> str:
    look = use("dune-active") if active else ""
    look += box(-22, -22, 44, 44, 15, "transparent", class_="halo")
    look += use("dune-cell") if state == "caught" else ""
    look += figure(seat, token)
    look += use("dune-lock", (-14, 14)) if state == "caught" else ""
    return plan.sized(look + (TICK if moved else ""))


@functools.cache
def figure(seat: int, token: int) -> str:
    """A soldier from above: a cloak in the owner's colour and shape, a helmet, and the number on the shield."""
    return use(f"dune-seat-{seat}") + words(str(token), (0, 11.5), SMALL, DARK)


TICK = use("dune-tick", (14, 14))


# Pieces and signs, drawn once each


EDGE = {"stroke": OUTLINE, "stroke_width": LINE, "stroke_linejoin": "round"}
CLOAKS = (1.75, 1.8, 2.1, 1.9, 2.05)
"""How much larger than its shape a seat's cloak is."""


@functools.cache
def definitions(plan: _Plan) -> str:
    """The drawings and colours that are used again and again."""
    return (
        gradient("dune-sky", "#131b3a", NIGHT, "#3a2f56")
        + gradient("dune-sand", "#8a7358", "#8f785b", "#a68c68")
        + gradient("dune-dusk", "#ffe9b81c", "#3a2f5600", "#3a2f5640")
        + gradient("dune-far", "#5a4a78", "#3f335f")
        + gradient("dune-near", "#7d6880", "#463961", "#33294e", "#2a2142", "#231b38")
        + _lights()
        + _patterns(plan)
        + element(
            "clipPath",
            box(plan.left - 3, plan.top - 3, plan.right - plan.left + 6, plan.bottom - plan.top + 6, 12, "#000"),
            id="dune-field",
        )
        + "".join(_cloak(seat) for seat in range(len(SEATS)))
        + _vehicle()
        + _signs()
        + _arrows()
    )


def _lights() -> str:
    beams = "M-15-36L-62-128Q-32-152 4-146L-7-38zM15-36L62-128Q32-152-4-146L7-38z"
    wide = path("M-16-36L-60-130Q0-162 60-130L16-36z", "url(#dune-beam)")
    far = {"gradientUnits": "userSpaceOnUse", "cx": 0, "cy": 0, "r": 152}
    return (
        _glow("dune-beam", "#ffe3a0", 0.85, 0.75, 0.5, 0.0, **far)
        + _glow("dune-glow", LAMP, 0.6, 0.22, 0.0)
        + _glow("dune-dawn", "#f6a05b", 0.9, 0.4, 0.0)
        + group(wide, path(beams, "url(#dune-beam)"), id="dune-light")
    )


def _glow(name: str, colour: str, *opacities: float, **where: object) -> str:
    stops = (
        element("stop", offset=round(i / (len(opacities) - 1), 2), stop_color=colour, stop_opacity=opacity)
        for i, opacity in enumerate(opacities)
    )
    return element("radialGradient", *stops, id=name, **where)


def _patterns(plan: _Plan) -> str:
    """The squares, and rocks for rough ground: four squares, no two alike."""
    place = {"x": plan.left, "y": plan.top, "patternUnits": "userSpaceOnUse"}
    side = plan.size - 3
    look = {"fill_opacity": 0.05, "stroke": "#2f2340", "stroke_opacity": 0.22, "stroke_width": 1.5}
    grid = element(
        "pattern",
        box(1.5, 1.5, side, side, 8, "#fff1cf", **look),
        id="dune-grid",
        width=plan.size,
        height=plan.size,
        **place,
    )
    squares = (
        ((10, 13, 8), (23, 22, 9), (24, 9, 5), (9, 26, 4)),
        ((22, 11, 8), (10, 21, 8), (25, 25, 5), (8, 8, 4)),
        ((13, 12, 9), (25, 19, 6), (14, 26, 5), (26, 7, 4)),
        ((21, 22, 9), (9, 10, 7), (23, 8, 4), (8, 24, 5)),
    )
    shade = side_in_light = side_in_dark = ""
    for i, rocks in enumerate(squares):
        for x, y, r in rocks:
            at = (x + 33 * (i % 2), y + 33 * (i // 2), r)
            shade += _facet(at, (-1, 0.6), (-0.7, -0.5), (0, -1), (0.8, -0.4), (1, 0.6))
            side_in_light += _facet(at, (-0.8, 0.3), (-0.6, -0.5), (0, -1), (0.2, -0.1))
            side_in_dark += _facet(at, (0.2, -0.1), (0, -1), (0.8, -0.4), (0.8, 0.3), (-0.8, 0.3))
    stones = path(shade, "#35283c") + path(side_in_light, "#b39d9a") + path(side_in_dark, "#7d6872")
    return grid + element(
        "pattern", plan.sized(stones), id="dune-rough", width=2 * plan.size, height=2 * plan.size, **place
    )


def _facet(rock: tuple[int, int, int], *corners: Point) -> str:
    x, y, size = rock
    return polygon((x + size * across, y + size * down) for across, down in corners)


def _cloak(seat: int) -> str:
    """A token without its number: 40 wide, with the shield in the middle of its square."""
    scale = CLOAKS[seat]
    lift = {2: -3.5, 4: -1}.get(seat, 0)
    shape, way = SEATS[seat].shape, f"translate(0 {lift}) scale({scale})"
    rim = {"stroke": CLOTH, "stroke_width": 5.5 / scale, "stroke_linejoin": "round"}
    edge = {"stroke": OUTLINE, "stroke_width": 1.8 / scale, "stroke_linejoin": "round"}
    return group(
        path(shape, CLOTH, transform=way, **rim),
        path(shape, SEATS[seat].colour, transform=way, **edge),
        circle((0, 2), 12.5, CLOTH, stroke=OUTLINE, stroke_width=1.5),
        path("M-11.500-9C-10-20 10-20 11.500-9z", SEATS[seat].colour, stroke=OUTLINE, stroke_width=1.5),
        line("M-13-9H13", OUTLINE, 3),
        id=f"dune-seat-{seat}",
    )


def _vehicle() -> str:
    """A jeep from above that drives up."""
    wheels = "M-27-26h8v17h-8zM19-26h8v17h-8zM-27 12h8v17h-8zM19 12h8v17h-8z"
    return group(
        path(wheels, BLACK, stroke=BLACK, stroke_width=4, stroke_linejoin="round"),
        box(-22, -42, 44, 82, 12, "#6d7a9c", **EDGE),
        path("M-15-38h30l2 18h-34z", "#8390b3"),
        line("M-7-36v14M7-36v14", "#5b678a", 2),
        path("M-18-18h36l-4 11h-28z", "#bfe7e4", stroke=OUTLINE, stroke_width=1.8),
        box(-17, -4, 34, 36, 7, "#4a5679"),
        dots([(-13, -38), (13, -38)], 6.5, "#fff1c4"),
        dots([(-15, 38), (15, 38)], 3.5, "#d1495b"),
        id="dune-jeep",
    )


def _signs() -> str:
    """What is put on searchers, tokens and squares."""
    alert = (
        circle((0, 0), 15, "#f2694b", stroke=CREAM, stroke_width=LINE)
        + line("M0-8V1", CREAM, 5)
        + dots([(0, 8)], 2.8, CREAM)
    )
    eight = polygon(
        [(15 * math.sin(math.pi * (i + 0.5) / 4), 15 * math.cos(math.pi * (i + 0.5) / 4)) for i in range(8)]
    )
    halted = path(eight, "#2b3a73", stroke=CREAM, stroke_width=LINE) + line("M-4-5V5M4-5V5", CREAM, 4)
    card = box(-11, -15, 22, 30, 4, CREAM, stroke=OUTLINE, stroke_width=2) + line("M0 8V-7M-5-2L0-8 5-2", DARK, 3)
    key = circle((0, 0), 15, "#1d6b4f", stroke=CREAM, stroke_width=LINE)
    key += circle((-5, 0), 4, "none", stroke=CREAM, stroke_width=3) + line("M-1 0H9M8 0V4M4 0V3", CREAM, 3)
    cell = box(-17, -18, 34, 36, 6, BLACK, stroke="#c9d2ea", stroke_width=2)
    cell += line("M-11-18V18M-4-18V18M4-18V18M11-18V18", "#8b97bd", 2)
    lock = line("M-4-2V-5a4 4 0 0 1 8 0V-2", CREAM, 5) + line("M-4-2V-5a4 4 0 0 1 8 0V-2", OUTLINE, 2.5)
    lock += box(-7, -3, 14, 11, 3, SUN, stroke=OUTLINE, stroke_width=2)
    tick = circle((0, 0), 8, "#1d6b4f", stroke=CREAM, stroke_width=1.8) + line("M-3.500 0L-1 3 4-3", CREAM, 2.4)
    lantern = circle((0, 0), 17, LAMP, opacity=0.5) + path("M-8 12V-6Q-8-12 0-12T8-6V12z", LAMP, **EDGE)
    lantern += line("M-10 13H10M0-12V-18M-3-1Q0-8 3-1T0 6-3-1z", OUTLINE, LINE)
    active = circle((0, 0), 27, LAMP, opacity=0.35) + circle((0, 0), 23, "none", stroke=LAMP, stroke_width=4)
    return (
        group(alert, id="dune-alert")
        + group(halted, id="dune-halted")
        + group(card, id="dune-card")
        + group(key, id="dune-key")
        + group(cell, id="dune-cell")
        + group(lock, id="dune-lock")
        + group(tick, id="dune-tick")
        + group(lantern, id="dune-lantern")
        + group(active, id="dune-active")
        + group(circle((0, 0), 4, LAMP, opacity=0.55), id="dune-aim")
    )


def _arrows() -> str:
    """Searcher cards, and the footprints of the trail markers."""
    ways = {
        "straight": "M0 20V-16M-12-5L0-18 12-5",
        "left": "M12 20V2L-10-16M-14 0V-18H4",
        "right": "M-12 20V2L10-16M14 0V-18H-4",
    }
    cards = "".join(
        group(line(way, "currentColor", 6, stroke_linejoin="round"), id=f"dune-{kind}") for kind, way in ways.items()
    )
    sole = "M0-9C5-9 6-3 4.500 1H-4.500C-6-3-5-9 0-9zM-4 4H4C5 10-5 10-4 4z"
    foot = group(path(sole, "currentColor", transform="rotate(12) scale(1.5)"), id="dune-foot")
    trail = path("M0-15L11-2H-11z", PRINT, stroke=PRINT, stroke_width=2, stroke_linejoin="round")
    trail += line("M-5 4V8M5 8V12", PRINT, 6)
    return cards + foot + group(trail, id="dune-trail", opacity=0.8)


# What never changes


def strewn(seed: int, count: int, across: tuple[float, float], down: tuple[float, float]) -> list[Point]:
    """Points that look strewn about, the same ones every time."""
    width, height = across[1] - across[0], down[1] - down[0]
    return [
        (across[0] + width * ((seed * 0.37 + i * 0.618) % 1), down[0] + height * ((seed * 0.71 + i * 0.755) % 1))
        for i in range(count)
    ]


@functools.cache
def _sky(plan: _Plan) -> str:
    return (
        box(0, 0, plan.width, plan.top + 20, 0, "url(#dune-sky)")
        + dots(strewn(1, 46, (6, plan.width - 6), (4, plan.top - 88)), 1.3, "#dfe6ff", opacity=0.8)
        + dots(strewn(4, 14, (10, plan.width - 10), (92, plan.top - 108)), 2.2, "#ffffff", opacity=0.9)
        + line(f"M60 {plan.top - 142}l26-14 18 10 30-8M96 {plan.top - 146}l-4 22", "#dfe6ff", 1, opacity=0.35)
    )


@functools.lru_cache(64)
def _moon(plan: _Plan, turn: int, turns: int, sunrise: bool, said: str) -> str:
    """The moon crosses the sky, a dot every turn, towards the place where the sun will rise (D65)."""
    rise = 14 if plan.wide else 30
    way = [
        plan.afar(70 + 580 * i / turns, (302 if plan.wide else 262) - rise * math.sin(math.pi * i / turns))
        for i in range(turns + 1)
    ]
    dawn = plan.afar(690, 320)
    glow = group(circle((0, 0), 330, "url(#dune-dawn)"), at=dawn, opacity=round(0.12 + 0.7 * turn / turns, 2))
    trail = dots(way[1:], 2.6, LAMP, opacity=0.55)
    if sunrise:
        rays = "".join(
            f"M{52 * math.cos(t):.0f} {-52 * math.sin(t):.0f}L{70 * math.cos(t):.0f} {-70 * math.sin(t):.0f}"
            for t in (math.pi * i / 8 for i in range(9))
        )
        sun = circle((0, 0), 42, "#f9a04e") + circle((0, 0), 33, "#f6b93b") + line(rays, "#f6b93b", 6)
        return glow + trail + group(sun, id="moon", at=plan.afar(578, 300 if plan.wide else 270))
    crescent = circle((0, 0), 40, "#f4ecd2", opacity=0.14) + circle((0, 0), 23, "#f4ecd2")
    crescent += dots([(-8, -6), (7, 7)], 4, "#d8cfae") + dots([(8, -9), (-5, 10)], 2.5, "#d8cfae")
    return glow + trail + group(tooltip(said), crescent, id="moon", at=way[turn])


@functools.cache
def _land(plan: _Plan, home: str, camp: str) -> str:
    return _hills(plan) + _friends(plan, home) + _field(plan) + _enemies(plan, camp)


def _hills(plan: _Plan) -> str:
    tops = (286, 262, 284, 256, 282, 258, 284, 262, 276)
    ridge = ((-20, 306), (80, 284), (190, 302), (320, 288), (430, 304), (560, 288), (660, 300), (740, 290))
    lower = 46 if plan.wide else 0
    far = smooth([plan.afar(-20 + 95 * i, top + lower) for i, top in enumerate(tops)])
    near = smooth([plan.afar(x, y + lower) for x, y in ridge])
    distant = sheet(f"{far}V{plan.top + 40}H-40z", "url(#dune-far)")
    return distant + sheet(f"{near}V{plan.height + 20}H-40z", "url(#dune-near)") + (_sides(plan) if plan.wide else "")


def _sides(plan: _Plan) -> str:
    """Dunes at both sides of the battlefield, with rocks and cacti on them."""
    drawn = ""
    for i, fill in enumerate(("#584a6f", "#4a3d62", "#3d3256", "#322949")):
        y = plan.top + 118 + 168 * i
        crest = smooth(
            [(x, y + 26 * math.sin(x / 118 + 2.1 * i) + 9 * math.sin(x / 47 + i)) for x in range(-40, 1560, 52)]
        )
        drawn += sheet(f"{crest}V{plan.height + 20}H-40z", fill) + line(crest, "#c9b48c", 2.5, opacity=0.28)
    cactus = "M0 0V-62M0-22H-18V-42M0-32H17V-54"
    spots = ((54, 700), (330, 860), (plan.right + 42, 700), (plan.width - 52, 850))
    for x, y in spots:
        plant = (
            path("M-26 2q30-8 66 0-34 8-66 0z", BLACK, opacity=0.3)
            + line(cactus, BLACK, 18)
            + line(cactus, "#3f6b5c", 13)
        )
        drawn += group(plant + line("M-3-8V-56", "#5f8f78", 2), at=(x, y))
    rocks = "".join(
        _facet((round(x), round(y), 15), (-1, 0.5), (-0.6, -0.5), (0.1, -0.8), (0.9, -0.2), (1.1, 0.5))
        for x, y in ((130, 706), (286, 880), (plan.right + 130, 690), (plan.width - 140, 872))
    )
    return drawn + path(rocks, "#7d6872", stroke=BLACK, stroke_width=2, stroke_linejoin="round")


def _friends(plan: _Plan, home: str) -> str:
    """The friendly lines: tents with lights in them, a string of lamps, and a place for every token."""
    camps = ((92, 314, 1.1), (176, 306, 0.85), (540, 306, 0.85), (616, 314, 1.05))
    lower = 30 if plan.wide else 0
    tents = "".join(tent(*plan.afar(x, y + lower), size) for x, y, size in camps)
    (left, top), (right, _) = plan.afar(130, 264 + lower), plan.afar(590, 0)
    poles = line(f"M{left:g} {top + 54:g}V{top - 2:g}M{right:g} {top + 54:g}V{top - 2:g}", "#3a2b2f", 5)
    heights = (264, 280, 286, 287, 283, 278, 277, 278, 282, 287, 286, 279, 264)
    hung = [(left + (right - left) * i / 12, y - 264 + top) for i, y in enumerate(heights)]
    lamps = hung[1:-1]
    lights = line(smooth(hung), "#2a2138", 2) + "".join(
        group(circle((0, 0), 22, "url(#dune-glow)"), at=at) for at in lamps
    )
    lights += dots(lamps, 4.5, "#fff1c4")
    rings = "".join(
        circle(
            plan.place(token),
            19,
            "#2a2040",
            fill_opacity=0.35,
            stroke=LAMP,
            stroke_width=2,
            stroke_dasharray="3 6",
            stroke_opacity=0.8,
        )
        for token in range(1, TOKENS + 1)
    )
    return tents + poles + lights + rings + _sign(home, (plan.width - 20 - _sign_width(home) / 2, plan.top - 76), 4)


def tent(x: float, y: float, scale: float) -> str:
    """A tent of the friendly lines, with a light in it."""
    shape = (
        group(circle((0, 0), 40, "url(#dune-glow)"), at=(0, -4))
        + path("M-40 6L0-42 40 6z", "#cdbf9c", **EDGE)
        + path("M0-42L40 6H14z", "#a2936f")
        + path("M-13 6L0-24 13 6z", LAMP, stroke=OUTLINE, stroke_width=1.8, stroke_linejoin="round")
        + line("M0-42V-56", OUTLINE, 3)
        + path("M0-56l17 5-17 6z", "#2e9e6b", stroke=OUTLINE, stroke_width=1.5)
    )
    return element("g", shape, transform=f"translate({x} {y}) scale({scale})")


def _sign_width(text: str) -> float:
    return 16.0 * len(text) + 22


def _sign(text: str, at: Point, turn: float) -> str:
    width = _sign_width(text)
    plate = box(-width / 2, -20, width, 38, 9, "#8a6742", stroke="#4b3524", stroke_width=3, filter=SHADOW)
    return group(line("M0 12V34", "#4b3524", 8), group(plate, words(text, (0, 7), 26, CREAM), turn=turn), at=at)


def _field(plan: _Plan) -> str:
    """The sand with its dunes and squares; trails show in the softer sand at the sides (D37)."""
    width, height = plan.right - plan.left, plan.bottom - plan.top
    sand = box(
        plan.left - 5,
        plan.top - 5,
        width + 10,
        height + 10,
        14,
        "#8a7358",
        stroke="#b39a76",
        stroke_width=3,
        filter=SHADOW,
    )
    inside = group(_dunes(plan), _soft_sand(plan), clip_path="url(#dune-field)")
    grid = box(plan.left, plan.top, width, height, 0, "url(#dune-grid)")
    starts = "".join(
        circle(
            plan.middle(*square),
            14 * plan.scale,
            "none",
            stroke=CREAM,
            stroke_width=2.5,
            stroke_dasharray="5 5",
            opacity=0.6,
        )
        for square in START
    )
    return sand + inside + grid + starts + _labels(plan)


def _soft_sand(plan: _Plan) -> str:
    drawn = ""
    for column in TRAIL_COLUMNS:
        x = plan.left + plan.size * (column - 1)
        drawn += f"M{x:g} {plan.top - 5}h{plan.size:g}V{plan.bottom + 5:g}h{-plan.size:g}z"
    ripples = "".join(
        wave(
            plan.left + plan.size * (column - 1) + 2,
            plan.left + plan.size * column - 2,
            plan.top + plan.size * (row - 0.5) + (column * 7 + row * 5) % 9 - 4,
            4,
            plan.size,
        )
        for column in TRAIL_COLUMNS
        for row in range(1 + column % 2, ROWS + 1, 2)
    )
    return path(drawn, "#ffdca0", opacity=0.2) + line(ripples, "#fff0c8", 2.2, opacity=0.3)


def _dunes(plan: _Plan) -> str:
    """Dunes one behind the other, like sheets of paper: bright towards the moon, with shade at their feet."""
    drawn, layers = "", 9
    deep = (plan.bottom - plan.top) / layers
    for i in reversed(range(layers)):
        low = plan.top + deep * (i + 1)
        edge = [
            (
                plan.left + (plan.right - plan.left) * x / 6,
                low + 17 * math.sin(i * 2.4 + x * 1.15) + 8 * math.sin(i * 5.1 + x * 2.7),
            )
            for x in range(-1, 8)
        ]
        way = f"M{plan.left - 120:g} {low - deep - 40:g}{smooth(edge, 'L')}V{low - deep - 40:g}z"
        drawn += sheet(way, "url(#dune-sand)") + line(smooth(edge), "#f3dfae", 2.5, opacity=0.4)
    dusk = box(
        plan.left - 3, plan.top - 3, plan.right - plan.left + 6, plan.bottom - plan.top + 6, 0, "url(#dune-dusk)"
    )
    return drawn + dusk


def _labels(plan: _Plan) -> str:
    """Numbers of rows and columns: the first and every fifth."""
    drawn = ""
    for row in range(1, ROWS + 1):
        if row == 1 or row % 5 == 0:
            drawn += words(str(row), (plan.left - 22, plan.middle(row, 1)[1] + 9), SMALL, PALE)
    for column in range(1, COLUMNS + 1):
        if column == 1 or column % 5 == 0:
            drawn += words(str(column), (plan.middle(1, column)[0], plan.top - 13), SMALL, PALE)
    ticks = [(plan.left - 22, plan.middle(row, 1)[1]) for row in range(1, ROWS + 1) if row > 1 and row % 5]
    ticks += [
        (plan.middle(1, column)[0], plan.top - 20) for column in range(1, COLUMNS + 1) if column > 1 and column % 5
    ]
    return drawn + dots(ticks, 2, PALE, opacity=0.5)


def _enemies(plan: _Plan, camp: str) -> str:
    """The enemy camp: a fence of wire, towers with lamps, dark tents."""
    y = plan.bottom + 22
    tops = ((-20, 16), (110, -2), (260, 12), (400, 0), (540, 12), (650, -2), (740, 10))
    ridge = smooth([(plan.afar(x, 0)[0], y + down) for x, down in tops])
    hill = sheet(f"{ridge}V{plan.height + 10}H-40z", "#2f2440")
    posts = "".join(f"M{x} {y - 6:g}V{y + 26:g}" for x in range(20, round(plan.width), 40))
    wire = wave(0, plan.width, y + 2, 5, 40) + wave(0, plan.width, y + 12, -5, 40)
    fence = line(posts, "#120c20", 5) + line(wire, "#a99bb8", 1.8, opacity=0.8)
    spots: tuple[Point, ...] = ((166, -4), (238, 4), (482, 4), (554, -4))
    if plan.wide:
        spots = ((60, -4), (126, 4), (plan.width - 126, 4), (plan.width - 60, -4))
    tents = "".join(_dark_tent(x, plan.camp + drop) for x, drop in spots)
    towers = "".join(_tower(x, plan.camp - 44) for x in plan.towers)
    return hill + fence + tents + towers + _sign(camp, (plan.width / 2, plan.camp - 34), -3)


def _dark_tent(x: float, y: float) -> str:
    return group(
        path("M-42 0L0-46 42 0z", "#7d3f52", **EDGE),
        path("M0-46L42 0H14z", "#5c2e44"),
        path("M-12 0L0-26 12 0z", "#2a1526", stroke=OUTLINE, stroke_width=1.8),
        path("M-3-8h6v8h-6z", "#ff8a6b"),
        at=(x, y),
    )


def _tower(x: float, y: float) -> str:
    legs = line("M-16 44L-10 4M16 44L10 4M-13 24L12 24M-14 40L11 8M14 40L-11 8", "#120c20", 4)
    cabin = box(-18, -16, 36, 22, 3, "#57324a", **EDGE) + box(-9, -10, 18, 9, 2, "#ff8a6b")
    roof = path("M-24-16L0-32 24-16z", "#3a2238", **EDGE)
    glow = group(circle((0, 0), 38, "url(#dune-glow)"), at=(0, -6))
    return group(glow, legs, cabin, roof, at=(x, y))
