"""What holds for every board, whatever it shows: one test for all games."""

import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise
from time import thread_time

import pytest

import strandline
from strandline.drawing import SMALL, WIDTH, text_width
from strandline.engine.words import Reader, reading
from support import random_positions, random_setting

Matrix = tuple[float, float, float, float, float, float]
STRAIGHT: Matrix = (1, 0, 0, 1, 0, 0)
STEPS = {False: 300, True: 80}
"""Positions of tall and of wide boards: they share nearly everything."""
LIMIT = 100_000
SECONDS = 0.005
SVG = "{http://www.w3.org/2000/svg}"


pytestmark = pytest.mark.parametrize("wide", [False, True], ids=["tall", "wide"])


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def placed(transform: str) -> Matrix:
    """The matrix of a transform attribute."""
    matrix = STRAIGHT
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(number) for number in numbers.split()]
        turn = math.radians(values[0])
        matrix = combined(
            matrix,
            {
                "translate": (1, 0, 0, 1, values[0], values[-1]),
                "scale": (values[0], 0, 0, values[-1], 0, 0),
                "rotate": (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0, 0),
            }[name],
        )
    return matrix


def combined(outer: Matrix, inner: Matrix) -> Matrix:
    """First the inner one, then the outer one."""
    a, b, c, d, e, f = outer
    u, v, w, x, y, z = inner
    return a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, a * y + c * z + e, b * y + d * z + f


def ids(root: ET.Element) -> list[str]:
    return [element.attrib["id"] for element in root.iter() if "id" in element.attrib]


def test_every_move_has_a_path_of_clicks_of_its_own(game: strandline.Game, wide: bool) -> None:
    for position in random_positions(game, random.Random(1), STEPS[wide]):
        if not isinstance(position.turn, int):
            continue
        view = position.view(position.turn)
        found = ids(parsed(position.svg(position.turn, wide)))
        paths = sorted(game.board.clicks(view, move) for move in position.moves())
        assert all(paths), "a move without a click"
        assert {shape for path in paths for shape in path} <= set(found)
        for path, after in pairwise(paths):
            assert after[: len(path)] != path, f"{path} is a beginning of {after}"


def test_an_image_is_well_made(game: strandline.Game, wide: bool) -> None:
    for position in random_positions(game, random.Random(2), STEPS[wide]):
        svg = position.svg(wide=wide)
        root = parsed(svg)
        names = ids(root)
        assert len(set(names)) == len(names), "an id twice"
        assert len(svg.encode()) < LIMIT
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        assert width == WIDTH or (wide and 1.4 < width / height < 1.8)
        assert root.attrib["role"] == "img" and root.attrib["aria-label"]
        assert (root.findtext(f"{SVG}title") or "").startswith(game.title)
        assert len(root.findtext(f"{SVG}desc") or "") > 40
        assert not re.search(r"<script|<image|@import|url\((?!#)", svg), "something from outside"
        assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(names)
        assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(names)


def test_both_arrangements_have_the_same_shapes(game: strandline.Game, wide: bool) -> None:
    for position in random_positions(game, random.Random(8), 60):
        seat = position.turn if isinstance(position.turn, int) else None
        one, other = (set(shapes(parsed(position.svg(seat, form)))) for form in (wide, not wide))
        assert one == other


def shapes(root: ET.Element) -> list[str]:
    """The ids outside of the definitions."""
    return [name for part in root.findall(f"{SVG}g") for name in ids(part)]


def test_letters_can_be_read_on_a_phone(game: strandline.Game, wide: bool) -> None:
    for position in random_positions(game, random.Random(3), 40):
        sizes = [float(text.attrib["font-size"]) for text in parsed(position.svg(wide=wide)).iter(f"{SVG}text")]
        assert sizes and min(sizes) >= SMALL


LONG_NAMES = ("Annegret", "Maximiliane Wilhelmina", "Bo", "Jan-Hendrik", "Wwwwwwww Mmmmmmm")


@pytest.mark.parametrize("language", ["en", "de"])
def test_words_are_on_the_board_and_beside_each_other(game: strandline.Game, wide: bool, language: str) -> None:
    chance = random.Random(9)
    late = [game.new(**random_setting(game, chance)).play_random(steps, steps) for steps in range(60, 2000, 150)]
    with reading(Reader(language, names=LONG_NAMES)):
        for position in [*late, *random_positions(game, chance, 40)]:
            root = parsed(position.svg(wide=wide))
            width, height = map(float, root.attrib["viewBox"].split()[2:])
            found = [line for part in root.findall(f"{SVG}g") for line in lines_in(part)]
            for text, left, top, right, low in found:
                assert left >= 0 and top >= 0 and right <= width and low <= height, f"{text} is cut off"
            for one, other in combinations(found, 2):
                across = min(one[3], other[3]) - max(one[1], other[1])
                down = min(one[4], other[4]) - max(one[2], other[2])
                assert across < 3 or down < 3, f"{one[0]} and {other[0]} lie on each other"


Line = tuple[str, float, float, float, float]
"""A text, and where it is: left, top, right, bottom."""


def lines_in(part: ET.Element, outside: Matrix = STRAIGHT) -> Iterator[Line]:
    """What is written there, as wide as letters mostly are."""
    matrix = combined(outside, placed(part.get("transform", "")))
    if part.tag == f"{SVG}text":
        text, size, x, y = "".join(part.itertext()), *(float(part.get(key, "0")) for key in ("font-size", "x", "y"))
        width = float(part.get("textLength", 0.86 * text_width(text, size)))
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[part.get("text-anchor", "start")]
        corners = [(u, v) for u in (left, left + width) for v in (y - 0.72 * size, y)]
        a, b, c, d, e, f = matrix
        xs, ys = zip(*((a * u + c * v + e, b * u + d * v + f) for u, v in corners), strict=True)
        yield text, min(xs), min(ys), max(xs), max(ys)
    for inner in part:
        yield from lines_in(inner, matrix)


def test_an_image_depends_on_the_view_alone(game: strandline.Game, wide: bool) -> None:
    """A position that looks the same is drawn the same, for every seat and time after time."""
    for position in random_positions(game, random.Random(4), 60):
        for seat in (None, *range(position.players)):
            view = position.view(seat)
            drawn = [game.board.draw(view, position.scores(), position.winners(), wide) for _ in range(2)]
            assert drawn == [position.svg(seat, wide)] * 2
            assert view == position.view(seat), "drawing has changed the view"


def test_shapes_that_are_clicked_or_move_can_glide(game: strandline.Game, wide: bool) -> None:
    """Of two boards one move apart, shapes with the same id are the same kind of shape."""
    kinds: dict[str, str] = {}
    last = None
    for position in random_positions(game, random.Random(5), STEPS[wide]):
        if last is None or position.players != last.players or position.options != last.options:
            kinds = {}
        for element in parsed(position.svg(wide=wide)).iter():
            if "id" in element.attrib:
                assert kinds.setdefault(element.attrib["id"], element.tag) == element.tag
        last = position


def test_drawing_is_quick(game: strandline.Game, wide: bool) -> None:
    positions = list(random_positions(game, random.Random(6), 50))
    best = 1.0
    for _ in range(3):
        start = thread_time()
        for position in positions:
            position.svg(wide=wide)
        best = min(best, (thread_time() - start) / len(positions))
    assert best < SECONDS
