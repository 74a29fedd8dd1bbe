"""The end of every game is celebrated on its board, in both arrangements, and a loss gets a gentle picture."""

import random

import pytest

import strandline
from support import random_setting


@pytest.mark.parametrize("wide", [False, True], ids=["tall", "wide"])
def test_the_end_is_celebrated(game: strandline.Game, wide: bool) -> None:
    if "festive" not in (game.folder / "board.py").read_text(encoding="utf-8"):
        pytest.skip(f"{game.title} has a plain board.")
    chance = random.Random(3)
    ended = 0
    for seed in range(6):
        start = game.new(**random_setting(game, chance))
        assert 'class="ending' not in start.svg(wide=wide)
        position = start.play_random(20_000, seed)
        if position.turn is None:
            ended += 1
            assert f'class="ending {"won" if position.winners() else "lost"}"' in position.svg(wide=wide)
    assert ended > 2
