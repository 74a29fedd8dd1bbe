"""Each game is played to its end on the board."""

import random

import pytest

import strandline
from web.browser import PHONE, Visitor, click_a_move, turn, wait_for_decision

NAMES = ["Maximiliane-Charlotte", "Grandfather Bartholomew", "Annegret von der Heide", "Aunt Wilhelmina-Josephine"]
WATCH_THE_BAR = """
() => {
  window.heights = [];
  new ResizeObserver(() => heights.includes(bar.offsetHeight) || heights.push(bar.offsetHeight)).observe(bar);
}
"""


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
    names = NAMES[: len(seats)]
    page = visitor.sit(visitor.make(game.name, *seats, options=options, names=names), viewport=PHONE)
    page.evaluate(WATCH_THE_BAR)
    while wait_for_decision(page):
        click_a_move(page, rng)
    assert turn(page) == "over"
    assert "The game is over" in page.inner_text("#prompt")
    assert page.locator("#moves button").count() == 0
    assert len(page.evaluate("() => heights")) == 1  # or the board would have jumped
