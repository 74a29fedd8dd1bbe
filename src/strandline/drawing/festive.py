"""What a board is decked with when the game is over: bunting, confetti, a fire, and how they move for a few seconds."""

import math
from collections.abc import Sequence

from strandline.drawing import LINE, OUTLINE, SEATS, Point, group, line, path, polygon, smooth

COLOURS = ("#f6b93b", "#d9563a", "#3f9fb5", "#fff8e7", "#2e9e6b")
"""Of flags and paper."""


def ending(won: bool, *drawn: str) -> str:
    """All that a board shows only because the game is over: a feast, or something gentle."""
    return group(*drawn, class_="ending won" if won else "ending lost")


def colours_of(winners: Sequence[int], own: Sequence[str] = ()) -> tuple[str, ...]:
    """Festive colours in which those of the winners stand out; `own` are the seats' in this game."""
    found = [own[seat] if own else SEATS[seat].colour for seat in winners]
    return tuple(colour for one in found for colour in (one, "#f6b93b", one, "#fff8e7")) or COLOURS


def swag(left: Point, right: Point, sag: float, flags: int) -> list[Point]:
    """Where flags hang on a line between two points that sags in the middle, the ends included."""
    (x, y), (u, v) = left, right
    shares = [i / (flags + 1) for i in range(flags + 2)]
    return [(x + (u - x) * share, y + (v - y) * share + 4 * sag * share * (1 - share)) for share in shares]


def bunting(hung: Sequence[Point], colours: Sequence[str], size: float = 22) -> str:
    """Pennants on a line."""
    drawn = line(smooth(hung), OUTLINE, min(2, size / 10))
    look = {"stroke": OUTLINE, "stroke_width": min(LINE, size / 14), "stroke_linejoin": "round"}
    for i, colour in enumerate(colours):
        flags = hung[1 + i : -1 : len(colours)]
        way = "".join(polygon([(x - size * 0.36, y), (x + size * 0.36, y), (x, y + size)]) for x, y in flags)
        drawn += path(way, colour, **look) if way else ""
    return group(drawn, class_="sway")


def confetti(left: float, top: float, width: float, height: float, colours: Sequence[str], pieces: int = 60) -> str:
    """Bits of paper in the air."""
    drawn = ""
    for i, colour in enumerate(colours[:5]):
        way = ""
        for k in range(i, pieces, min(len(colours), 5)):
            x, y = left + width * (k * 0.618 % 1), top + height * ((k * 0.381 + k * k * 0.007) % 1)
            turn = k * 1.3
            way += f"M{x:.0f} {y:.0f}l{8 * math.cos(turn):.1f} {8 * math.sin(turn):.1f}"
        drawn += group(path(way, stroke=colour, stroke_width=5.5), class_=f"drift late-{i % 3}")
    return drawn


def hopping(drawn: str, number: int = 0) -> str:
    """Something that jumps for joy; neighbours with different numbers do not jump together."""
    return group(drawn, class_=f"hop late-{number % 3}")


def fire(embers: bool = False) -> str:
    """A camp fire around (0, 0), about 60 wide; or what is left of one in the morning."""
    logs = line("M-24 6L20-6M24 6L-20-6M-26 2H26", "#4b3524", 9) + line("M-22 4L18-6M22 4L-18-6", "#7a5636", 4)
    if embers:
        smoke = line("M-2-12c-12-12 10-20-2-34s8-18 2-30", "#cfc6dd", 5, opacity=0.5)
        return logs + line("M-12 0h4M2-2h5M12 2h3", "#ff8a6b", 4) + group(smoke, class_="sway")
    flames = path("M0-58C14-38 28-28 22-8 16 8-16 8-22-8-26-24-10-30-8-44-2-36 2-44 0-58z", "#f2694b")
    flames += path("M2-40C12-26 16-20 12-8 8 4-10 4-13-6-14-18-4-20-4-28 0-26 2-32 2-40z", "#f6b93b")
    flames += path("M0-20C6-12 8-8 5-3 2 2-6 2-7-4-7-10-2-12 0-20z", "#fff1c4")
    return group(flames, class_="flicker") + logs
