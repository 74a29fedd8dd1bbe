"""A part of a board as a small picture: cut out, with rings around shapes and arrows between them."""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

from strandline.drawing import OUTLINE, SUN, Point, box, circle, line, path

SVG = "{http://www.w3.org/2000/svg}"
Rectangle = tuple[float, float, float, float]
"""Left, top, width, height."""
RADIUS = 28
"""Of the ring around a shape without a halo."""
SHORTEST = 24
"""Arrows shorter than this would be all head."""


def places(svg: str) -> dict[str, Point]:
    """The middle of each shape with an id, in the board's units."""
    return {name: (left + width / 2, top + height / 2) for name, (left, top, width, height) in _shapes(svg).items()}


def excerpt(
    svg: str, frame: Rectangle, alt: str, rings: Iterable[str] = (), arrows: Iterable[tuple[Point, Point]] = ()
) -> str:
    """What lies inside `frame`, with rings around these shapes, and arrows; `alt` says it in words.

    Shapes lose their ids: they are not to be clicked, and several pictures stand on one page.
    """
    shapes = _shapes(svg)
    marks = "".join(_ring(shapes[name]) for name in rings) + "".join(_arrow(*way) for way in arrows)
    head, defs, drawn = svg.partition("</defs>")
    drawn = re.sub(r' id="[^"]*"', "", re.sub(r"<title>.*?</title>", "", drawn, flags=re.DOTALL))
    head = re.sub(r"<(title|desc)>.*?</\1>", "", head, flags=re.DOTALL)
    head = re.sub(r'viewBox="[^"]*"', f'viewBox="{" ".join(f"{number:g}" for number in frame)}"', head, count=1)
    head = re.sub(r'aria-label="[^"]*"', lambda _: f'aria-label="{escape(alt, {chr(34): "&quot;"})}"', head, count=1)
    return head + defs + drawn.removesuffix("</svg>") + marks + "</svg>"


def without_repetition(pictures: Sequence[str]) -> list[str]:
    """The pictures of one page: what is defined in one need not be defined again in those after it."""
    known: set[str] = set()
    found = []
    for svg in pictures:
        for part in re.findall(r"<style>.*?</style>|<defs>.*?</defs>", svg, flags=re.DOTALL):
            svg = svg.replace(part, "") if part in known else svg
            known.add(part)
        found.append(svg)
    return found


def _shapes(svg: str) -> Mapping[str, Rectangle]:
    """What a ring goes around, for each shape with an id, in the board's units."""
    found: dict[str, Rectangle] = {}

    def visit(element: ET.Element, x: float, y: float) -> None:
        shift = re.match(r"translate\((\S+?)[ ,]+(\S+?)\)", element.get("transform", ""))
        if shift:
            x, y = x + float(shift[1]), y + float(shift[2])
        name = element.get("id")
        if name:
            found[name] = _around(element, x, y)
        for child in element:
            visit(child, x, y)

    for child in ET.fromstring(svg):
        if child.tag == f"{SVG}g":
            visit(child, 0, 0)
    return found


def _around(element: ET.Element, x: float, y: float) -> Rectangle:
    halo = next((child for child in element if child.get("class") == "halo" and child.tag == f"{SVG}rect"), None)
    if halo is None:
        return x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS
    left, top, width, height = (float(halo.get(name, 0)) for name in ("x", "y", "width", "height"))
    return x + left, y + top, width, height


def _ring(around: Rectangle) -> str:
    edge = box(*around, 14, "none", stroke=OUTLINE, stroke_width=10)
    return edge + box(*around, 14, "none", stroke=SUN, stroke_width=6)


def _arrow(start: Point, end: Point) -> str:
    """Slightly bent, so that it does not hide what lies on the straight way."""
    (x, y), (to_x, to_y) = start, end
    length = math.hypot(to_x - x, to_y - y)
    if length < SHORTEST:
        return circle(end, RADIUS / 2, "none", stroke=SUN, stroke_width=6)
    bend = (x + to_x) / 2 - (to_y - y) * 0.12, (y + to_y) / 2 + (to_x - x) * 0.12
    turn = math.atan2(to_y - bend[1], to_x - bend[0])
    back = to_x - 14 * math.cos(turn), to_y - 14 * math.sin(turn)
    way = f"M{x:.1f} {y:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {back[0]:.1f} {back[1]:.1f}"
    sides = [(to_x - 30 * math.cos(turn + side), to_y - 30 * math.sin(turn + side)) for side in (0.5, -0.5)]
    head = f"M{to_x:.1f} {to_y:.1f}" + "".join(f"L{a:.1f} {b:.1f}" for a, b in sides) + "z"
    edge = {"stroke": OUTLINE, "stroke_width": 4, "stroke_linejoin": "round"}
    return line(way, OUTLINE, 15) + path(head, SUN, **edge) + line(way, SUN, 9)
