"""Each game is played to its end on the board."""

import random

import pytest

import strandline
from web.browser import PHONE, Visitor, click_a_move, turn, wait_for_decision


@pytest.fixture
def rng(game: strandline.Game) -> random.Random:
    return random.Random(game.name)


def short(game: strandline.Game) -> dict[str, int]:
    """Options that end a long game sooner: random players need many rounds."""
    ends = [option for option in game.options.values() if "after this many" in option.help]
    return {option.name: max(4, int(option.default) // 40) for option in ends}


def test_played_to_its_end_by_clicking(game: strandline.Game, visitor: Visitor, rng: random.Random) -> None:
    play_to_the_end(game, visitor, rng, "bot:random", short(game))


@pytest.mark.slow
def test_every_game_played_at_full_length(game: strandline.Game, visitor: Visitor, rng: random.Random) -> None:
    play_to_the_end(game, visitor, rng, "bot:1", {})


def play_to_the_end(
    game: strandline.Game, visitor: Visitor, rng: random.Random, bot: str, options: dict[str, int]
) -> None:
    seats = ["here"] + [bot] * (min(game.seats) - 1)
    page = visitor.sit(visitor.make(game.name, *seats, options=options), viewport=PHONE)
    while wait_for_decision(page):
        click_a_move(page, rng)
    assert turn(page) == "over"
    assert "The game is over" in page.inner_text("#prompt")
    assert page.locator("#moves button").count() == 0
