"""Picture guides: how to play, in Markdown, with small boards drawn by code.

A picture is a fenced block named `board`, written in TOML:

    alt = "Boat 1 sails three cards up."     # the picture in words, for those who cannot see it
    players = 2                              # and options = {…}; without: what a new game has
    random = {moves = 40, seed = 3}          # after this many random moves
    position = {die = 3, phase = "sail"}     # then these fields of the position changed
    moves = ["roll 3"]                       # then these moves made
    move = "sail 1"                          # an arrow shows where its first event takes its pieces; or
    events = 2                               # its first two
    seat = 0                                 # whose view it is; without: a spectator's
    rings = ["boat-0-1"]                     # shapes to look at
    arrows = [["boat-0-1", "harbor"]]        # from one shape to another
    frame = [0, 300, 720, 400]               # left, top, width and height of what is shown
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from strandline.drawing import Point
from strandline.drawing.excerpt import Rectangle, excerpt, places
from strandline.engine import checks
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.words import Reader, reader, reading

BLOCK = re.compile(r"^```board\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
"""Who plays in the pictures."""
FIELDS = (
    "alt",
    "players",
    "options",
    "position",
    "random",
    "moves",
    "move",
    "events",
    "seat",
    "rings",
    "arrows",
    "frame",
)


class BadGuide(ValueError):
    """A picture of a guide cannot be drawn; the message says why."""


@dataclass(frozen=True)
class Picture:
    """A picture of a guide."""

    alt: str
    svg: str
    frame: Rectangle
    marked: tuple[Point, ...]
    """The points that it is about: all lie inside the frame."""


def blocks(text: str) -> list[str]:
    """The descriptions of a guide's pictures."""
    return BLOCK.findall(text)


def plain(text: str) -> str:
    """A guide for readers without pictures: each is described in words."""
    return BLOCK.sub(lambda block: f"[{_fields(block[1])['alt']}]", text)


def pictures(game: Game) -> list[Picture]:
    """All pictures of a game's guide, in the reader's language."""
    return [picture(game, block) for block in blocks(game.guide)]


def files(game: Game) -> dict[str, str]:
    """The guide as a page of Markdown and its pictures as SVG files, by their names."""
    drawn = {f"{game.name}-{number}.svg": found for number, found in enumerate(pictures(game), start=1)}
    links = iter([f"![{found.alt}]({name})" for name, found in drawn.items()])
    page = BLOCK.sub(lambda _block: next(links), game.guide)
    return {f"{game.name}.md": page, **{name: f"{found.svg}\n" for name, found in drawn.items()}}


def picture(game: Game, block: str) -> Picture:
    """One picture."""
    fields = _fields(block)
    with reading(Reader(reader().language, frozenset(), NAMES)):
        return _picture(game, fields)


def _picture(game: Game, fields: dict[str, Any]) -> Picture:
    try:
        position = _position(game, fields)
        svg = position.svg(fields.get("seat"))
        left, top, width, height = (float(number) for number in fields["frame"])
        known = places(svg)
        rings = [checks.word(name, known, "A ring") for name in fields.get("rings", [])]
        arrows = [(known[start], known[end]) for start, end in fields.get("arrows", [])]
        arrows += _moved(position, fields)
    except (ValueError, KeyError, TypeError) as error:
        raise BadGuide(f"{game.title}: the picture {fields['alt']!r} cannot be drawn: {error}") from None
    marked = tuple([known[name] for name in rings] + [point for way in arrows for point in way])
    frame = left, top, width, height
    return Picture(fields["alt"], excerpt(svg, frame, fields["alt"], rings, arrows), frame, marked)


def _fields(block: str) -> dict[str, Any]:
    try:
        fields = tomllib.loads(block)
        unknown = sorted(set(fields) - set(FIELDS))
        if unknown or not isinstance(fields.get("alt"), str) or "frame" not in fields:
            raise BadGuide(f"A picture needs alt and frame, and knows {', '.join(FIELDS)}: {unknown or block}")
    except tomllib.TOMLDecodeError as error:
        raise BadGuide(f"A picture is not valid TOML: {error}.\n{block}") from None
    return fields


def _position(game: Game, fields: dict[str, Any]) -> Position:
    position = game.new(fields.get("players"), **fields.get("options", {}))
    if "random" in fields:
        position = position.play_random(fields["random"]["moves"], fields["random"]["seed"])
    if "position" in fields:
        position = game.position(position.to_json() | fields["position"])
    for move in fields.get("moves", []):
        position = position.play(move)
    return position


def _moved(position: Position, fields: dict[str, Any]) -> Iterator[tuple[Point, Point]]:
    """Where the first events of the move take their pieces."""
    if "move" not in fields:
        return
    before = places(position.svg(fields.get("seat")))
    moving = [event for event in position.story(fields["move"]) if event.shapes]
    for event in moving[: fields.get("events", 1)]:
        after = places(event.position.svg(fields.get("seat")))
        yield from ((before[name], after[name]) for name in event.shapes if before.get(name) != after.get(name))
        before = after
