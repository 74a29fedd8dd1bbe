"""What boards are drawn with: cards that hold their words, and drawings that boards on one page do not share."""

import re
import xml.etree.ElementTree as ET

import pytest

import strandline
from strandline.drawing import (
    PALETTE,
    SMALL,
    STYLE,
    board,
    circle,
    contrast,
    festive,
    gradient,
    score_strip,
    text_width,
)


@pytest.mark.parametrize("seats", range(1, 6))
def test_words_stay_in_the_card_of_their_seat_in_the_widest_letters(seats: int) -> None:
    strip = ET.fromstring(score_strip(["0 of 5"] * seats, 0))
    assert len(strip) == seats
    for card in strip:
        _, paper = card.findall("rect")  # the first is its shadow
        for text in card.findall("text"):
            size = float(text.attrib["font-size"])
            right = float(text.attrib["x"]) + text_width(text.text or "", size)
            assert size >= SMALL
            assert right <= float(paper.attrib["x"]) + float(paper.attrib["width"]) + 4


def drawn(*colours: str) -> str:
    shape = circle((50, 50), 20, "url(#game-sea)")
    return board("game", 100, "Game", "A board.", shape, defs=gradient("game-sea", *colours))


def test_boards_from_different_boxes_do_not_share_drawings() -> None:
    names = [
        set(re.findall(r'id="(game-[0-9a-f]+-sea)"', drawn(*colours)))
        for colours in (("red", "blue"), ("red", "green"))
    ]
    assert names[0] and names[1] and names[0].isdisjoint(names[1])
    assert all(f"url(#{name})" in drawn("red", "blue") for name in names[0])
    assert drawn("red", "blue") == drawn("red", "blue")


def test_colours_can_be_told_from_what_they_lie_on() -> None:
    """Large letters need 3, small ones 4.5; boards have large ones only."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21) and contrast("#abcdef", "#abcdef") == 1
    for time in (0, 1):
        assert contrast(PALETTE["ink"][time], PALETTE["paper"][time]) > 7
        assert contrast(PALETTE["ink"][time], PALETTE["sand"][time]) > 4.5
        assert contrast(PALETTE["outline"][time], PALETTE["cloth"][time]) > 7
    for game in strandline.games():
        for look in strandline.game(game).board.looks():
            assert contrast(look.on, look.colour) >= 3, f"{game}: {look.name}"


def test_flags_hang_between_the_ends_of_their_line_and_every_colour_is_used() -> None:
    hung = festive.swag((0, 0), (100, 0), 10, 9)
    assert len(hung) == 11 and hung[0] == (0, 0) and hung[-1] == (100, 0) and hung[5] == (50, 10)
    drawn = festive.bunting(hung, ("red", "blue"))
    flags = {path.attrib["fill"]: path.attrib["d"].count("M") for path in ET.fromstring(drawn).iter("path")}
    assert flags == {"none": 1, "red": 5, "blue": 4}


def test_what_moves_by_itself_stops_at_once_for_those_who_want_it_still() -> None:
    assert "@media (prefers-reduced-motion:reduce){.strandline-board *{animation:none!important}}" in STYLE
