"""Lists of moves made by WebAssembly: the same as interpreted ones, and made only where a list may be long."""

import random
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.engine import wasm
from support import random_positions

LONG_LISTS = [name for name in strandline.games() if hasattr(strandline.game(name).rules, "is_long_list")]


def interpreted(position: strandline.Position) -> list[int]:
    record, work, rules = position._record, position.game.work(), position.game.rules
    return [rules.nth(record, work, i) for i in range(rules.count(record, work))]


@pytest.mark.parametrize("name", LONG_LISTS)
def test_long_lists_are_the_interpreted_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    listing = wasm.Kernels.listing

    def noted(kernels: wasm.Kernels, state: bytes) -> list[int]:
        made.append(len(state))
        return listing(kernels, state)

    monkeypatch.setattr(wasm.Kernels, "listing", noted)
    for position in random_positions(strandline.game(name), random.Random(name), 1500):
        assert list(position.tickets()) == interpreted(position)
    assert 100 < len(made) < 1500


def test_short_lists_are_made_by_the_rules_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("This list is short.")

    monkeypatch.setattr(wasm.Kernels, "listing", refuse)
    for name in set(strandline.games()) - set(LONG_LISTS):
        assert strandline.game(name).new().play_random(30)


def test_the_listing_driver_serves_every_game(game: strandline.Game) -> None:
    """Interpreted too: it is one of the drivers, bound like the others."""
    for position in random_positions(game, random.Random(game.name), 100):
        codes = np.empty(256, np.int64)
        states = [position._record]
        size = game.interpreted().listing(states, [game.work()], codes)
        assert tuple(codes[:size]) == position.tickets()


def test_after_is_play_without_the_check(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 60):
        for move in position.moves()[:3]:
            assert position.after(move) == position.play(move)
