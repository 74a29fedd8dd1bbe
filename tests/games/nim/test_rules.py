"""Nim: a small game without chance, options, stories, hints, metrics, spaces, guide and box."""

import pytest

import strandline

GAME = strandline.game("nim")


@pytest.mark.rules("N1", "N2")
def test_the_last_stone_wins() -> None:
    position = GAME.new()
    assert position.moves() == ["take 1", "take 2", "take 3"] and position.turn == 0
    for _ in range(7):
        position = position.play("take 3")
    assert position.turn is None and position.winners() == [0] and position.scores() == [1, 0]


def test_a_move_without_a_story_is_one_event() -> None:
    (event,) = GAME.new().story("take 2")
    assert event.sentence == "Seat 0 plays take 2." and event.position == GAME.new().play("take 2")
