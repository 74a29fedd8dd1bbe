"""Up the River, told: every kind of event, in both languages."""

import pytest

import strandline
from strandline.engine.words import Reader, reading

GAME = strandline.game("up_the_river")
ANN = Reader("en", frozenset({0}), ("Ann", "Ben"))


def at(boats: list[list[int]], phase: str, die: int | None = None, player: int = 0) -> strandline.Position:
    turn = "chance" if phase == "roll" else player
    changes = {"boats": boats, "phase": phase, "turn": turn, "die": die, "player": player}
    return strandline.Position.from_json(GAME.new().to_json() | changes)


def told(position: strandline.Position, move: str, reader: Reader = ANN) -> list[tuple[str, str]]:
    with reading(reader):
        return [(event.kind, event.sentence) for event in position.story(move)]


def test_moves_that_could_be_made() -> None:
    position = at([[10, 3, 8], [2, 4, 4]], "sail", die=2)
    assert [position.describe(move) for move in position.moves()] == [
        "Sail boat 1 home to dock 12.",
        "Sail boat 2 to card 5.",
        "Sail boat 3 onto the sandbank at card 9.",
    ]
    wind = at([[6, 3, 0], [2, 4, 0]], "wind", die=6)
    with reading(ANN):
        assert [wind.describe(move) for move in wind.moves()] == [
            "Good wind: boat 2 to card 6.",
            "Ill wind: Ben’s boat 2 back to card 2.",
        ]


def test_a_roll_and_a_six_that_is_no_use() -> None:
    start = GAME.new()
    assert told(start, "roll 4") == [("roll", "You rolled a 4.")]
    assert [kind for kind, _ in told(start, "roll 6")] == ["roll", "calm"], "all boats lie on one card"
    german = Reader("de", frozenset({1}), ("Ann", "Ben"))
    assert told(start, "roll 4", german) == [("roll", "Ann hat eine 4 gewürfelt.")]


def test_the_tide_has_an_event_of_its_own() -> None:
    position = at([[4, 3, 2], [4, 4, 4]], "sail", die=2)
    events = position.story("sail 1")
    assert [event.kind for event in events] == ["sail", "tide"]
    assert [event.position.to_json()["boats"][0][0] for event in events] == [6, 9]
    assert told(position, "sail 1")[1] == ("tide", "The high tide carries boat 1 onto the sandbank at card 9.")


def test_the_round_ends_with_waterfall_and_current() -> None:
    position = at([[1, 5, 5], [1, 1, 5]], "sail", die=2, player=1)
    assert told(position, "sail 3")[1:] == [
        ("waterfall", "Over the waterfall: your boat 1, Ben’s boat 1 and Ben’s boat 2 are lost."),
        ("current", "The current carries everything down one card."),
    ]
    fall, current = position.story("sail 3")[1:]
    assert fall.shapes == ("boat-0-1", "boat-1-1", "boat-1-2")
    assert {"boat-0-2", "boat-1-3", "sandbank", "tide"} <= set(current.shapes)


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [
        (ANN, "The game is over. You win!"),
        (Reader("en", frozenset({1}), ("Ann", "Ben")), "The game is over. Ann wins. Well sailed all the same!"),
        (Reader("de", frozenset({1}), ("Ann", "Ben")), "Das Spiel ist aus. Ann gewinnt. Trotzdem gut gesegelt!"),
    ],
)
def test_the_last_boat_ends_the_game(reader: Reader, sentence: str) -> None:
    position = at([[10, 0, 0], [0, 0, 0]], "sail", die=5)
    assert told(position, "sail 1", reader)[-1] == ("end", sentence)


def test_winds_name_the_boat_that_moves() -> None:
    position = at([[6, 3, 0], [2, 4, 0]], "wind", die=6)
    assert told(position, "good 2") == [("good", "A good wind blows boat 2 up to card 6.")]
    assert told(position, "ill 1 2") == [("ill", "An ill wind blows Ben’s boat 2 back to card 2.")]
