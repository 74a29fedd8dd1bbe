"""What is refused as a position, with a sentence that says why; and what is not."""

import copy
from typing import Any

import pytest

import strandline
from games.over_the_next_dune.positions import GAME, Json, laid

TOKENS = {1: (14, 10), 2: (15, 18), 3: (3, 19)}
TRAILS = [[12, 3, 5], [14, 17, 1]]
SOLO = laid("sneak", TOKENS, {1: ((16, 9), 1), 2: ((8, 4), 3)}, {2: [5]}, mover=(1, 4), markers=TRAILS)
TOGETHER = laid("sneak", TOKENS, {1: ((16, 9), 1)}, {1: [5]}, players=3, cards=[2, 3, 1, None, None], mover=(3, 5))
LATE = laid("late_order", TOKENS, players=3, cards=[None, 3, 1, None, None], moved=[2], mover=(3, 0))
ORDER = laid("order", TOKENS, players=3, first=2, cards=[None, None, 4, None, None])
SEARCH = laid("search", TOKENS, round=3, searching=4)
DROP = laid("drop", {1: (16, 9), 2: (20, 10), 3: (19, 7)}, {2: ((18, 9), 1)}, {2: [4, 5]}, mover=(3, 0), rescue=2)
OVER = laid("over", {1: (14, 10)}, {1: ((19, 9), 1)}, {1: [5]}, result="lost", reason="camp")
GOOD = [SOLO, TOGETHER, LATE, ORDER, SEARCH, DROP, OVER]


def changed(value: Json, path: str, new: Any) -> Json:
    """A copy with another value at a path such as `tokens.0.at`."""
    value = copy.deepcopy(value)
    *way, last = (int(part) if part.isdigit() else part for part in path.split("."))
    inner: Any = value
    for part in way:
        inner = inner[part]
    inner[last] = new
    return value


def refused(value: Json, words: str) -> None:
    with pytest.raises(strandline.BadPosition, match=words):
        strandline.Position.from_json(value)


@pytest.mark.parametrize("value", GOOD)
def test_good_positions_are_read(value: Json) -> None:
    assert strandline.Position.from_json(value).to_json() == value


@pytest.mark.parametrize("value", GOOD)
def test_fields_are_neither_missing_nor_unknown(value: Json) -> None:
    for name in value:
        refused({key: item for key, item in value.items() if key != name}, "lacks|must be one of")
    refused(value | {"weather": 1}, "weather")


@pytest.mark.parametrize("value", GOOD)
@pytest.mark.parametrize(
    ("path", "wrong", "words"),
    [
        ("phase", "walk", "phase must be one of"),
        ("turn", 4, "turn should be"),
        ("first", 5, "first"),
        ("round", 0, "round"),
        ("round", 5, "deck lacks"),
        ("deck.left", 8, "deck.left"),
        ("deck.straight", 1, "deck lacks"),
        ("deck", [34, 7, 7], "deck must be an object"),
        ("terrain.0.piece", 6, "a second time"),
        ("terrain.0.at", [7, 4], "outside area 1"),
        ("terrain.3.at", None, r"terrain\[3\].at"),
        ("searchers.5.at", [1, 5], "row"),
        ("searchers.5.at", [5, 20], "column"),
        ("searchers.5.facing", 9, "facing"),
        ("searchers.5.captives", [1], "Token 1 is free, but it is a captive of 1 searchers"),
        ("searchers.5.captives", [5, 4], "rising"),
        ("tokens.0.state", "asleep", "must be one of"),
        ("tokens.0.state", "caught", "captive of 0 searchers"),
        ("tokens.0.at", [0, 4], "row"),
        ("markers", [[12, 6, 5]], "not a trail column"),
        ("markers", [[12, 3, 5], [12, 3, 4]], "second marker"),
        ("markers", [[13, 3, 5], [12, 3, 4]], "markers"),
        ("markers", [[12, 3, 9]], "direction"),
        ("cards", [1, 1, None, None, None], "cards"),
        ("cards", [None, None, None, None, 6], "cards"),
        ("moved", [3, 2], "moved"),
        ("rescue", 7, "rescue"),
        ("searching", 7, "searching"),
        ("mover", {"token": 1}, "mover"),
        ("result", "won", "result should be"),
        ("reason", "rain", "reason"),
    ],
)
def test_numbers_and_words_are_checked(value: Json, path: str, wrong: Any, words: str) -> None:
    refused(changed(value, path, wrong), words)


@pytest.mark.parametrize(
    ("value", "path", "wrong", "words"),
    [
        (SOLO, "cards", [1, None, None, None, None], "cards"),
        (SOLO, "mover.token", 5, "cannot be the mover"),
        (SOLO, "mover.alert", [], "must be alert or halted: 1"),
        (SOLO, "mover.halted", [1], "alert and halted"),
        (SOLO, "mover.points", 6, "points"),
        (SOLO, "mover.points", 0, "Nobody can step"),
        (SOLO, "moved", [1], "cannot be the mover"),
        (SOLO, "rescue", 2, "rescue should be null"),
        (SOLO, "tokens.1.at", [14, 10], "square of another token"),
        (SOLO, "searchers.5.at", [12, 4], "covers a marker"),
        (SOLO, "searchers.1.at", [19, 4], "carrier on the last row"),
        (SOLO, "searchers.5.at", [13, 10], "Searcher 6 covers free tokens: 1"),
        (SOLO, "tokens.4.state", "away", "captive of 1 searchers"),
        (SOLO, "moved", [4], "tokens that are away"),
        (TOGETHER, "mover", None, "mover must not be null"),
        (TOGETHER, "cards", [None] * 5, "not all be null"),
        (TOGETHER, "cards", [2, None, 1, None, None], "must hold a turn-order card: 2"),
        (TOGETHER, "cards", [2, 3, None, None, None], "no turn-order card"),
        (TOGETHER, "cards", [2, 3, 1, None, 5], "token 5 is caught"),
        (LATE, "moved", [1, 2], "phase must be another"),
        (LATE, "cards", [None] * 5, "not all be null"),
        (ORDER, "cards", [1, 2, 3, None, None], "phase must be another"),
        (ORDER, "cards", [None, None, None, 4, None], "away"),
        (ORDER, "moved", [2], "moved should be"),
        (ORDER, "mover", {"token": 3, "points": 5, "alert": [], "halted": []}, "mover should be null"),
        (SEARCH, "tokens.3.at", [3, 3], "tokens.* should be null"),
        (SEARCH, "searching", 3, "deck lacks"),
        (SEARCH, "searching", None, "searching"),
        (SEARCH, "cards", [1, None, None, None, None], "cards"),
        (SEARCH, "mover", {"token": 1, "points": 5, "alert": [], "halted": []}, "mover should be null"),
        (SEARCH, "tokens", [{"state": "away", "at": None}] * 5, "All tokens are away"),
        (DROP, "rescue", 1, "has no captives"),
        (DROP, "tokens.0.at", [15, 9], "fewer than 3"),
        (DROP, "phase", "sneak", "A rescue from searcher 2 is due"),
        (OVER, "reason", "sunrise", "cannot be over"),
        (OVER, "reason", "lines", "cannot be over"),
        (OVER, "reason", "hopeless", "cannot be over"),
        (OVER, "reason", None, "reason"),
        (OVER, "mover", {"token": 1, "points": 5, "alert": [], "halted": []}, "mover should be null"),
    ],
)
def test_what_does_not_go_together_is_refused(value: Json, path: str, wrong: Any, words: str) -> None:
    refused(changed(value, path, wrong), words)


def test_a_phase_without_a_choice_is_refused() -> None:
    corner = {1: (20, 1), 2: (20, 2), 3: (19, 1), 4: (19, 2)}
    refused(laid("sneak", corner, moved=[2, 3, 4]), "Nobody can step")
    refused(laid("sneak", TOKENS, moved=[1, 2, 3]), "Nobody can step")


def test_the_end_shows_its_reason() -> None:
    late = laid("over", TOKENS, result="lost", reason="sunrise", round=10)
    assert strandline.Position.from_json(late).to_json() == late
    refused(changed(late, "options.turns", 4), "round")
    refused(late | {"moved": [1]}, "sunrise")
    refused(laid("over", TOKENS, result="lost", reason="sunrise", round=9), "sunrise")
    refused(laid("over", TOKENS, {1: ((19, 9), 1)}, {1: [5]}, result="lost", reason="sunrise", round=10), "another")
    early = OVER | {"deck": {"straight": 38, "left": 7, "right": 7}}
    assert strandline.Position.from_json(early).turn is None
    refused(early | {"moved": [1]}, "ended in the search phase")


def test_set_up_is_read_at_every_step() -> None:
    position = GAME.new(players=2, patrols="areas")
    moves = [move for i in range(1, 7) for move in (f"terrain {i}", "at 3 3")]
    moves += [move for i in range(6) for move in (f"searcher {3 + 6 * (i // 3)} {4 + 6 * (i % 3)}", "facing 2")]
    for move in moves:
        value = position.to_json()
        assert strandline.Position.from_json(value) == position
        refused(changed(value, "tokens.0.at", [19, 2]), "tokens")
        refused(value | {"first": 1}, "first should be 0")
        if value["phase"] == "facing":
            refused(changed(value, f"searchers.{len(value['searchers']) - 1}.at", [12, 4]), "can be placed")
            refused(value | {"phase": "terrain_at"}, "searchers")
        position = position.play(move)
    assert position.to_json()["phase"] == "search"


@pytest.mark.rules("D54")
def test_a_solo_mover_with_all_its_points_is_accepted() -> None:
    assert strandline.Position.from_json(changed(SOLO, "mover.points", 5)).play("stop").to_json()["moved"] == [1]
