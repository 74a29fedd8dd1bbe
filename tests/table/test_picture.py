"""Boards in pieces: put together they are the boards, and little of them is sent."""

import gc
import json
import random
import weakref

import strandline
from server.helpers import put_together
from strandline.drawing import Image
from strandline.table.picture import Picture
from support import random_positions


def test_pieces_put_together_are_the_board(game: strandline.Game) -> None:
    before: Picture | None = None
    pieces: list[str] = []
    for position in random_positions(game, random.Random(game.name), 60):
        picture = Picture(position.svg())
        pieces = put_together(picture.since(before), pieces)
        assert "".join(pieces) == picture.svg == json.loads(picture.whole)
        assert pieces == picture.pieces
        before = picture


def test_little_is_sent_of_the_next_board(game: strandline.Game) -> None:
    """A move changes a few pieces, so the rest stays where it is."""
    position = game.new().play_random(30)
    whole, sent = 0, 0
    for steps in range(1, 20):
        one, other = Picture(position.play_random(steps).svg()), Picture(position.play_random(steps + 1).svg())
        whole += len(other.whole)
        sent += len(other.since(one))
    assert sent < whole / 3


def test_a_board_that_has_not_changed_is_one_reference() -> None:
    one, other = (Picture(Image(["<svg>", "<g/>", "<g/>", "</svg>"])) for _ in range(2))
    assert json.loads(other.since(one)) == json.loads(other.since(other)) == [[0, 4]]


def test_a_board_that_was_drawn_otherwise_is_one_piece() -> None:
    assert json.loads(Picture("<svg/>").since(Picture("<svg><g/></svg>"))) == ["<svg/>"]


def test_pieces_that_come_go_and_change_places() -> None:
    one = Picture(Image("abcd"))
    for text in ("dc", "bcbc", "xaxbx", "", "abc", "bcd", "abcde"):
        assert "".join(put_together(Picture(Image(text)).since(one), [*one.pieces])) == text


def test_a_board_does_not_keep_those_before_it() -> None:
    """Else a table would hold all the boards of its game."""
    first, second, third = (Picture(f"<svg>{number}</svg>") for number in range(3))
    gone = weakref.ref(first)
    assert [first.since(None), second.since(first), third.since(second)]
    del first, second
    gc.collect()
    assert gone() is None
