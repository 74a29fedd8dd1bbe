"""Game Title: every rule of its page."""

import pytest

import strandline

GAME = strandline.game("game_name")


def played(*moves: str, goal: int = 30) -> strandline.Position:
    position = GAME.new(players=2, goal=goal)
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.rules("G1", "G2")
def test_a_one_ends_the_turn_without_points() -> None:
    assert GAME.new().turn == "chance"
    position = played("roll 5", "again", "roll 1")
    assert position.scores() == [0, 0] and position.to_json()["player"] == 1
    assert position.play("roll 1").to_json()["round"] == 2


@pytest.mark.rules("G3")
def test_whoever_stops_keeps_the_points() -> None:
    assert played("roll 5").moves() == ["again", "stop"]
    assert played("roll 5", "again", "roll 3", "stop").scores() == [8, 0]


@pytest.mark.rules("G4")
def test_the_goal_wins_at_once() -> None:
    position = played("roll 6", "again", "roll 4", "stop", goal=10)
    assert position.turn is None and position.winners() == [0]


def test_a_turn_is_told() -> None:
    position = played("roll 5", "again")
    assert [event.kind for event in position.story("roll 1")] == ["roll", "lost"]
    assert [event.sentence for event in position.story("roll 1")] == ["Seat 0 rolled a 1.", "Seat 0 loses 5 points."]
