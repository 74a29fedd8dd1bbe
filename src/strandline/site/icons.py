"""The icon of an installed site, drawn by code: the boat of the favicon as PNG, with a margin where systems cut it."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence

Colour = tuple[int, int, int]
Point = tuple[float, float]

SIZE = 64
"""The favicon's own width."""
FINE = 3
"""How many samples go across a pixel, and down."""
CORNER = 16
SKY, SUN, SEA, NEAR_SEA = (143, 214, 212), (246, 185, 59), (63, 159, 181), (31, 111, 139)
CLOTH, HULL, LINE = (255, 248, 231), (209, 73, 91), (18, 48, 59)
SAFE = 0.8
"""What every system shows of an icon that it may cut."""


def _wave(top: float, height: float) -> list[Point]:
    crest = [(x, top - height * math.sin(x * math.pi / 16)) for x in range(-32, SIZE + 33)]
    return [*crest, (SIZE + 32, SIZE + 32), (-32, SIZE + 32)]


def _circle(x: float, y: float, radius: float) -> list[Point]:
    turns = [math.tau * n / 48 for n in range(48)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def _edged(shape: Sequence[Point], width: float) -> list[Point]:
    """The shape with an edge around it."""
    x, y = (sum(values) / len(shape) for values in zip(*shape, strict=True))
    return [(px + width * (px - x) / math.dist((px, py), (x, y)), py + width * (py - y) / 12) for px, py in shape]


_SAILS = ([(29, 8), (29, 40), (10, 40)], [(34, 16), (50, 40), (34, 40)])
_HULL = [(8, 43), (56, 43), (49, 55), (15, 55)]
SCENE: list[tuple[Colour, Sequence[Point]]] = [
    (SUN, _circle(46, 18, 9)),
    (SEA, _wave(40, 3)),
    *((LINE, _edged(sail, 2.5)) for sail in _SAILS),
    *((CLOTH, sail) for sail in _SAILS),
    (LINE, _edged(_HULL, 2)),
    (HULL, _HULL),
    (NEAR_SEA, _wave(53, 2.5)),
]


def icon(size: int, maskable: bool = False) -> bytes:
    """A PNG of that many pixels a side: with round corners, or `maskable`, to be cut by the system."""
    wide = size * FINE
    scale = wide / SIZE * (SAFE if maskable else 1.0)
    shift = wide * (1 - SAFE) / 2 if maskable else 0.0
    rows = [bytearray(bytes((*SKY, 255)) * wide) for _ in range(wide)]
    for colour, shape in SCENE:
        _fill(rows, [(x * scale + shift, y * scale + shift) for x, y in shape], bytes((*colour, 255)))
    if not maskable:
        _round(rows, CORNER * scale)
    return _png(size, [_averaged(rows[n * FINE : (n + 1) * FINE], size) for n in range(size)])


def _fill(rows: list[bytearray], shape: Sequence[Point], pixel: bytes) -> None:
    edges = list(zip(shape, [*shape[1:], shape[0]], strict=True))
    wide = len(rows)
    for y, row in enumerate(rows):
        middle = y + 0.5
        there = [(one, other) for one, other in edges if (one[1] <= middle) != (other[1] <= middle)]
        crossed = sorted(x1 + (middle - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in there)
        for left, right in zip(crossed[::2], crossed[1::2], strict=True):
            first, last = max(0, round(left)), min(wide, round(right))
            if first < last:
                row[4 * first : 4 * last] = pixel * (last - first)


def _round(rows: list[bytearray], radius: float) -> None:
    wide = len(rows)
    for y, row in enumerate(rows):
        deep = max(radius - y - 0.5, radius - (wide - y - 0.5))
        if deep > 0:
            cut = round(radius - math.sqrt(max(0.0, radius * radius - deep * deep)))
            row[: 4 * cut] = bytes(4 * cut)
            row[4 * (wide - cut) :] = bytes(4 * cut)


def _averaged(rows: Sequence[bytearray], size: int) -> bytes:
    """Rows of samples as one row of pixels; what is clear has no say in the colour."""
    found = bytearray()
    first, *others = rows
    for start in range(0, 4 * FINE * size, 4 * FINE):
        piece = slice(start, start + 4 * FINE)
        if first[piece] == first[start : start + 4] * FINE and all(row[piece] == first[piece] for row in others):
            found += first[start : start + 4]  # all of one colour, as most are
            continue
        samples = [row[i : i + 4] for row in rows for i in range(start, start + 4 * FINE, 4)]
        solid = [sample for sample in samples if sample[3]]
        colour = [sum(sample[i] for sample in solid) // max(1, len(solid)) for i in range(3)]
        found += bytes((*colour, 255 * len(solid) // len(samples)))
    return bytes(found)


def _png(size: int, rows: Sequence[bytes]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
