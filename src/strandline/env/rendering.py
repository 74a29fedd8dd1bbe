"""Boards as pictures of points, for recordings of learning programs."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from strandline.drawing.plain import plain
from strandline.engine.position import Position

WIDTH = 480
MODES = ("human", "ansi", "rgb_array", "svg")
"""Words on the terminal, the same as a string, an array of points, an SVG image as a string."""


def render(position: Position, seat: int | None, mode: str) -> Any:
    """The position as that seat may see it, None for a spectator: printed in mode `human`, else returned."""
    if mode == "svg":
        return position.svg(seat)
    if mode == "rgb_array":
        return points(position.svg(seat))
    if mode == "ansi":
        return position.words(seat)
    print(position.words(seat), end="\n\n", flush=True)
    return None


def points(svg: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """An image as rows of red, green and blue, by day."""
    import resvg_py
    from PIL import Image

    picture = resvg_py.svg_to_bytes(svg_string=plain(svg), width=WIDTH, background="#ffffff")
    with Image.open(io.BytesIO(picture)) as image:
        return np.array(image.convert("RGB"))
