"""Why not: each obstacle of the rule page has its own sentence."""

import re

import pytest

from games.over_the_next_dune.positions import GAME, laid
from strandline import Position
from strandline.engine.reasons import Reason
from support import reasons


def sneaking(**more: object) -> Position:
    tokens = {1: (15, 10), 2: (15, 11), 3: (20, 1)}
    fields = {"mover": (1, 1), "captives": {2: [4]}, "searchers": {1: ((17, 10), 1), 2: ((6, 6), 1)}, **more}
    return Position.from_json(laid("sneak", tokens, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shape", "sentence", "rule"),
    [
        ("token-2", "Token 1 is on its way. Let it stop first.", "D28"),
        ("token-4", "Token 4 is caught. It is free when 3 others stand beside its searcher.", "D49"),
        ("token-5", "Token 5 is already over the dune. It never comes back.", "D32"),
        ("searcher-1", "Nobody controls searcher 1. It moves by its cards and follows whoever it notices.", "D14"),
        ("terrain-1", "Rough ground: it costs one point more to enter.", "D34"),
        ("moon", "The sun rises after turn 10. This is turn 2.", "D65"),
    ],
)
def test_shapes(shape: str, sentence: str, rule: str) -> None:
    assert sneaking().why(shape) == Reason(sentence, rule)


@pytest.mark.parametrize(
    ("move", "sentence", "rule"),
    [
        ("move 1 s", "Searcher 1 is there.", "D31"),
        ("move 1 e", "Token 2 is there.", "D31"),
        ("order 1", "A player alone needs no turn-order cards.", "D28"),
        ("drop 4 5 5", "Nobody is being freed: that takes 3 tokens beside a searcher.", "D50"),
        ("card left", "The searchers have moved. Now it is the squad’s turn.", "D24"),
        ("done", "Token 1 is on its way. Let it stop first.", "D28"),
    ],
)
def test_moves(move: str, sentence: str, rule: str) -> None:
    assert sneaking().why_not(move) == Reason(sentence, rule)


def test_rough_ground_takes_two_points() -> None:
    tokens = {1: (4, 3), 2: (20, 1)}
    position = Position.from_json(laid("sneak", tokens, mover=(1, 1)))
    assert position.why("square-3-3") == Reason("Rough ground costs 2 points, and token 1 has 1 left.", "D35")
    assert position.why_not("move 1 n") == position.why("square-3-3")


def test_the_squad_leaves_by_the_top_alone() -> None:
    tokens = {1: (1, 1), 2: (20, 1)}
    position = Position.from_json(laid("sneak", tokens))
    assert position.why_not("move 1 nw") == Reason("Nobody leaves across a corner.", "D-R7")
    assert position.why_not("move 1 w") == Reason("The squad leaves by the top only.", "D32")
    assert position.why("exit-1") == Reason("Choose a token first.", "D28")


def test_cards_that_are_taken_or_must_be() -> None:
    tokens = {1: (20, 1), 2: (20, 6), 3: (20, 12)}
    start = Position.from_json(laid("order", tokens, players=3))
    chosen = start.play("order 2").play("order 4")
    assert chosen.why("order-2") == Reason("Card 2 is taken: token 1 has it.", "D26")
    assert chosen.why("order-5") == Reason("Card 1 is still there, and whoever chooses last must take it.", "D27")
    assert chosen.why("token-1") == Reason("Token 3 takes a turn-order card first.", "D25")
    sneak = chosen.play("order 1")
    assert sneak.why("order-5") == Reason("All turn-order cards for this turn have been chosen.", "D25")
    assert sneak.why("token-1") == Reason("Token 3 of Seat 2 moves now: its card comes first.", "D28")


def test_what_is_said_of_tokens_and_cards_is_so() -> None:
    seen = set()
    for value, shape, said in reasons(GAME, 6, 500):
        token = int(shape.split("-")[1]) if shape.startswith("token") else 0
        state = value["tokens"][token - 1]["state"]
        if found := re.search(r"Card (\d) is taken: token (\d) has it", said):
            assert value["cards"][int(found[2]) - 1] == int(found[1])
        elif found := re.search(r"First token (\d) takes", said):
            assert value["cards"][int(found[1]) - 1] is None and value["tokens"][int(found[1]) - 1]["state"] == "free"
        elif "is caught" in said:
            assert state == "caught"
        elif "over the dune already" in said:
            assert state == "away"
        elif "has moved in this turn" in said:
            assert token in value["moved"]
        elif found := re.search(r"Token (\d) (of Seat \d moves now|is on its way)", said):
            assert value["mover"]["token"] == int(found[1])
        elif found := re.search(r"costs 2 points, and token \d has (\d) left", said):
            assert value["mover"]["points"] == int(found[1]) == 1
        seen.add(re.sub(r"\d", "", said))
    assert len(seen) >= 10
