"""The board: a beach with the die, the points of the turn, and two signs to tap."""

from collections.abc import Sequence
from typing import Any

from strandline.drawing import (
    PAPER,
    SAND,
    SEA,
    SHADOW,
    WIDTH,
    banner,
    board,
    box,
    die,
    festive,
    group,
    halo,
    headline,
    ribbon,
    score_strip,
    sheet,
    tooltip,
    wave,
    words,
)
from strandline.engine.words import Words, message, seat_names

from . import story
from .rules import FACTS

_ = Words(__file__)

HEIGHT = 700
SHORE = 300
SIGNS = {"again": 200, "stop": 520}


def draw(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position as an SVG image."""
    told = _headline(view, winners)
    return board(
        "game_name",
        HEIGHT,
        f"{_(FACTS.title)}: {told}",
        story.words(view, scores, winners),
        _beach(),
        score_strip(scores, view["player"], winners),
        (ribbon if winners else banner)(told, _("Round {n}", n=view["round"])),
        die((WIDTH / 2, 380), view["die"], size=120),
        words(str(view["turn_points"]), (WIDTH / 2, 500), 48),
        *(_sign(name, _(text)) for name, text in (("again", message("Roll")), ("stop", message("Stop")))),
        _party(winners),
    )


def clicks(view: dict[str, Any], move: str) -> list[str]:
    """What to click for a move: its sign."""
    return [move]


def _headline(view: dict[str, Any], winners: Sequence[int]) -> str:
    if winners:
        return _("Winner: {names}", names=seat_names(winners))
    return headline(view["player"], lambda name: _("{name}: roll or stop", name=name), 400)


def _party(winners: Sequence[int]) -> str:
    """Bunting over the sea and paper in the air, once somebody has won."""
    if not winners:
        return ""
    colours = festive.colours_of(winners)
    hung = festive.swag((0, 170), (WIDTH, 170), 40, 14)
    return festive.ending(True, festive.bunting(hung, colours), festive.confetti(0, 200, WIDTH, 480, colours))


def _beach() -> str:
    sea = sheet(f"M0 0H{WIDTH}V{SHORE}{wave(WIDTH, 0, SHORE, 14, 90, start='L')}z", SEA[1])
    return box(0, 0, WIDTH, HEIGHT, 0, SAND) + sea


def _sign(name: str, text: str) -> str:
    plate = box(-90, -36, 180, 72, 20, PAPER, filter=SHADOW)
    return group(
        tooltip(text), halo(-96, -42, 192, 84), plate, words(text, (0, 12), 34), id=name, at=(SIGNS[name], 600)
    )
