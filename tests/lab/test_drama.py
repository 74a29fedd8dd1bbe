"""Chances of winning over a game, and players who do without some moves."""

from collections.abc import Callable
from typing import Any

import pytest

import strandline
from strandline.bots.analysis import Event, Review
from strandline.lab import drama, findings, matches, replay
from strandline.lab.study import Setting


def test_drama_from_chances() -> None:
    chances: list[tuple[float, ...]] = [(0.5, 0.5), (0.2, 0.8), (0.6, 0.4), (1.0, 0.0)]
    events = [Event(0, "roll", None, (-0.3, 0.3)), Event(1, "go", 0, (0.4, -0.4)), Event(2, "roll", None, (0.4, -0.4))]
    found = drama.drama(Review(chances, events, [], [0, 0], [0, 0]), [0])
    assert found.open == pytest.approx(2 / 3) and found.lowest == 0.2 and found.swing == 0.4
    assert found.luck == pytest.approx(0.7 / 1.1)
    means = drama.summary([found, found])
    assert means["the winner's lowest chance"].value == 0.2


def test_who_does_without() -> None:
    river = strandline.game("up_the_river")
    setting = Setting(river.new(2), ("random~ill",), 1, 3)
    moves = {move for number in range(6) for move in replay.moves(setting, number)}
    free = Setting(river.new(2), ("random",), 1, 3)
    assert any(move.startswith("ill") for number in range(6) for move in replay.moves(free, number))
    position = river.new(2)
    assert moves and position.turn == "chance"
    forced = matches.bot("random~sail", river).choose(position.play("roll 1"), 0, 1)
    assert forced.startswith("sail")  # there is nothing else to do
    assert findings.who("2~crab") == "bots of level 2 who never play crab"
    ill = [move for move in moves if move.startswith("ill")]
    assert ill == [] or all(_forced(setting, number) for number in range(6))


def test_who_does_without_a_kind_that_the_game_tells() -> None:
    """Never sail a boat on the sandbank, unless nothing else can be done."""
    river = strandline.game("up_the_river")
    setting = Setting(river.new(2, sandbank_start=3), ("random~aground",), 1, 3)
    avoided = 0
    for number in range(8):
        position = setting.start
        for move in replay.moves(setting, number):
            seen, seat = position.to_json(), position.turn
            if isinstance(seat, int) and move.startswith("sail") and seen["sandbank"] in seen["boats"][seat]:
                is_aground = _boat(seen, seat)
                assert not is_aground(move) or all(map(is_aground, position.moves()))
                avoided += not is_aground(move)
            position = position.play(move)
    assert avoided > 5
    with pytest.raises(
        strandline.BadOptions, match=r"no moves of the kind 'sial'\. There are: aground, good, ill, roll"
    ):
        matches.bot("2~sial", river)


def _boat(seen: dict[str, Any], seat: int) -> Callable[[str], bool]:
    """Whether a move sails a boat on the sandbank."""
    return lambda move: seen["boats"][seat][int(move.split()[1]) - 1] == seen["sandbank"]


def _forced(setting: Setting, number: int) -> bool:
    """Whether every ill wind of the game blew because there was no other move."""
    position = setting.start
    for move in replay.moves(setting, number):
        if move.startswith("ill") and any(not other.startswith("ill") for other in position.moves()):
            return False
        position = position.play(move)
    return True
