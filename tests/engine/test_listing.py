"""Lists of moves made by compiled code: the same as interpreted ones, and only where a list is laborious."""

import random
from typing import Any

import numpy as np
import pytest

import strandline
from support import random_positions

LABORIOUS = [name for name in strandline.games() if strandline.game(name).is_laborious]


def fresh(name: str) -> strandline.Game:
    """The game once more, not quickened yet."""
    return strandline.Game(strandline.game(name)._package)


@pytest.mark.parametrize("name", LABORIOUS)
def test_compiled_lists_are_the_interpreted_ones(name: str) -> None:
    slow, quick = fresh(name), fresh(name)
    quick.quicken()
    laborious = 0
    for position in random_positions(slow, random.Random(name), 1500):
        twin = quick.position(position.to_json())
        laborious += quick.rules.is_laborious(twin._record)
        assert twin.moves() == position.moves()
    assert laborious > 100


@pytest.mark.parametrize("name", LABORIOUS)
def test_a_long_list_is_made_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fresh(name)
    position = next(p for p in random_positions(game, random.Random(1), 5000) if p.is_laborious and len(p.moves()) > 2)
    moves = position.moves()
    game.quicken()
    monkeypatch.setattr("strandline.engine.game.USUAL_LIST", 1)
    assert game.position(position.to_json()).moves() == moves


def test_games_without_long_lists_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("Nothing is to be compiled.")

    monkeypatch.setattr(strandline.Game, "compiled", refuse)
    for name in set(strandline.games()) - set(LABORIOUS):
        game = fresh(name)
        game.quicken()
        assert not game.new().is_laborious and game.new().moves()


def test_the_listing_driver_serves_every_game(game: strandline.Game) -> None:
    """Interpreted too: it is one of the drivers, bound like the others."""
    for position in random_positions(game, random.Random(game.name), 100):
        codes = np.empty(256, np.int64)
        states = [position._record]
        size = game.interpreted().listing(states, [game.work()], codes)
        assert tuple(codes[:size]) == position._tickets()


def test_after_is_play_without_the_check(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 60):
        for move in position.moves()[:3]:
            assert position.after(move) == position.play(move)
