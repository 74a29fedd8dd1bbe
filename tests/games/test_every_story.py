"""Every game's stories: true to the rules, told in every language, and silent about secrets."""

import random
import re
from collections.abc import Iterator

import pytest

import strandline
from strandline.engine import words
from strandline.engine.story import Event
from strandline.engine.words import Reader, reading
from strandline.server import pages
from support import random_positions, random_setting

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")
SETTINGS = 12
"""Random ones of each game, every option among them."""


def starts(game: strandline.Game) -> Iterator[tuple[int, strandline.Position]]:
    """First positions of random settings, numbered."""
    chance = random.Random(1)
    for seed in range(SETTINGS):
        yield seed, game.new(**random_setting(game, chance))


def events(
    start: strandline.Position, seed: int, moves: int = 120
) -> Iterator[tuple[strandline.Position, str, list[Event]]]:
    """A random game, move by move, with each move's story."""
    chance, position = random.Random(seed), start
    for _ in range(moves):
        if position.turn is None:
            return
        move = chance.choice(position.moves())
        yield position, move, position.story(move)
        position = position.play(move)


def test_a_story_ends_where_the_move_leads(game: strandline.Game) -> None:
    for seed, start in starts(game):
        for position, move, story in events(start, seed):
            assert story[-1].position == position.play(move), f"{game.name}: {move}"


def test_every_event_is_of_a_known_kind_and_can_be_drawn(game: strandline.Game) -> None:
    for seed, start in starts(game):
        for _, _, story in events(start, seed, 40):
            for event in story:
                assert not game.story.KINDS or event.kind in game.story.KINDS
                drawn = event.position.svg()
                for shape in event.shapes:
                    assert f'id="{shape}"' in drawn, f"{game.name}: {event.kind} moves {shape}"


@pytest.mark.parametrize("language", words.languages())
def test_every_event_has_a_sentence_for_everybody(game: strandline.Game, language: str) -> None:
    for seed, start in starts(game):
        for position, move, story in events(start, seed, 60):
            for seats in (frozenset[int](), frozenset({0}), frozenset({position.players - 1})):
                with reading(Reader(language, seats, NAMES[: position.players])):
                    assert position.describe(move)
                    for event in story:
                        said = event.seen_by(seats).sentence
                        assert said and "{" not in said and "Seat " not in said, said


def test_events_are_silent_about_what_a_seat_may_not_see(game: strandline.Game) -> None:
    """Of what is for one seat alone, the others are told no more than that it happened."""
    for seed, start in starts(game):
        for position, move, story in events(start, seed):
            owner = position.secret(move)
            if owner is None:
                continue
            for other in set(range(position.players)) - {owner}:
                for event in story:
                    seen = event.seen_by({other})
                    assert not seen.private & seen.data.keys()
                    assert seen.sentence


def test_every_kind_of_event_is_listed_on_the_rule_page(game: strandline.Game) -> None:
    """`python docs/make_events.py` writes the lists."""
    if pages.page_of(game) is None:
        pytest.skip(f"{game.title} has no rule page yet.")
    page = pages.rules(game)
    for kind, meaning in game.story.KINDS.items():
        assert f"| `{kind}` | {meaning} |" in page, kind


def test_whoever_decides_is_told_what_to_do_in_a_sentence(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(7), 300):
        if isinstance(position.turn, int):
            told = position.task(position.turn)
            if not game.story.KINDS:  # a game without a story has only its list of moves
                assert told is None
            else:
                assert told and re.fullmatch(r"[A-Z0-9].*[.!?]", told), told


def test_whoever_rolls_has_a_seat_a_button_and_a_shape_to_tap(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 120):
        roll = position.roll()
        if position.turn != "chance":
            assert roll is None
        elif roll is not None:
            assert 0 <= roll.seat < position.players and roll.verb.isalpha() and roll.label
            for wide in (False, True):
                board = position.svg(None, wide)
                assert all(f'id="{shape}"' in board for shape in roll.clicks)


def test_a_draw_that_belongs_to_a_move_follows_one_of_the_same_seat(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 120):
        if not isinstance(position.turn, int):
            continue
        for move in position.moves()[:8]:
            roll = position.play(move).roll()
            assert roll is None or not roll.of_move or roll.seat == position.turn
