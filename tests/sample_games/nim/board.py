"""The stones in rows of seven. A tap on the first, second or third of those left takes as many."""

from collections.abc import Sequence
from typing import Any

from strandline.drawing import PAPER, SAND, SEA, WIDTH, board, box, circle, group, halo, score_strip, words

HEIGHT = 520


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position as an SVG image."""
    stones = (_stone(i) for i in range(view["stones"]))
    head = f"Nim: {view['stones']} stones are left, of twenty-one at the start."
    return board(
        "nim",
        HEIGHT,
        head,
        head,
        box(0, 0, WIDTH, HEIGHT, 0, SAND),
        score_strip(scores, view["turn"], winners),
        *stones,
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """The stone up to which is taken, counted from the last."""
    return [f"stone-{view['stones'] - int(move.split()[1])}"]


def _stone(number: int) -> str:
    at = 80 + number % 7 * 93, 200 + number // 7 * 110
    face = circle((0, 0), 38, SEA[3]) + words(str(number + 1), (0, 10), 28, PAPER)
    return group(halo(-44, -44, 88, 88), face, id=f"stone-{number}", at=at)
