"""Several moves in one go."""

import random
import re

import pytest

import strandline
from strandline.table.ways import ways


@pytest.mark.parametrize("name", ["undertow", "over_the_next_dune"])
def test_a_way_is_played_move_by_move_and_ends_at_its_goal(name: str) -> None:
    game, rng, found = strandline.game(name), random.Random(7), 0
    position = game.new(2)
    while position.turn is not None and found < 40:
        if isinstance(position.turn, int):
            seat, view = position.turn, position.view(position.turn)
            pieces = {clicks[0] for move in position.moves() if len(clicks := game.board.clicks(view, move)) == 2}
            for way in ways(position, seat, sorted(pieces)[0]) if pieces else []:
                found += 1
                here = position
                for move in way["moves"][:-1]:
                    assert len(here.story(move)) == 1  # nothing happens by itself on the way
                    here = here.play(move)
                    assert here.turn == seat
                last = way["moves"][-1]
                assert last in here.moves()
                assert game.board.clicks(here.view(seat), last) == [sorted(pieces)[0], way["goal"]]
                assert f'id="{way["goal"]}"' in position.svg()  # it can be tapped at once
                assert drawn(here.play(last), sorted(pieces)[0]) != drawn(position, sorted(pieces)[0])
        position = position.play(rng.choice(position.moves()))
    assert found >= 40


def test_a_way_is_straight_where_it_can_be() -> None:
    game, rng, straight = strandline.game("over_the_next_dune"), random.Random(3), 0
    position = game.new(1)
    while position.turn is not None and straight < 5:
        if isinstance(position.turn, int):
            view = position.view(position.turn)
            steps = {move: clicks[0] for move in position.moves() if len(clicks := game.board.clicks(view, move)) == 2}
            piece = min(steps.values(), default="")
            for way in ways(position, position.turn, piece) if piece else []:
                goal = drawn(played(position, way["moves"]), piece)
                for move in steps:
                    again = played(position, [move] * len(way["moves"]))
                    if steps[move] == piece and drawn(again, piece) == goal:
                        assert way["moves"] == [move] * len(way["moves"])
                        straight += 1
        position = position.play(rng.choice(position.moves()))
    assert straight >= 5


def played(position: strandline.Position, moves: list[str]) -> strandline.Position:
    """The position after these moves, or the one before the first that is not possible."""
    for move in moves:
        if move not in position.moves():
            return position
        position = position.play(move)
    return position


def drawn(position: strandline.Position, piece: str) -> str:
    found = re.search(f'<g [^>]*id="{piece}"[^>]*>', position.svg())
    assert found is not None
    return found[0]


def test_there_is_none_where_something_is_hidden_or_another_decides() -> None:
    secret = strandline.game("sand_castles").new(2).play_random(40)
    assert ways(secret, 0, "pool") == []
    position = strandline.game("reef_route").new(2)
    assert position.turn == 0
    assert ways(position, 1, "anything") == []
