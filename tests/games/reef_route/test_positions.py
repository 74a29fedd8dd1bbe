"""Which JSON positions of Reef Route are read, which are refused and why, and what moves are called in sentences."""

from collections.abc import Callable
from typing import Any

import pytest

import strandline
from games.reef_route.positions import Json, at, value
from strandline.engine.words import Reader, reading

GAME = strandline.game("reef_route")
MIDGAME: Json = {"yellow": [(4, 3), (2, 2)], "red": [(2, 8), (6, 2)], "green": ["eaten", (3, 3)], "blue": [(1, 1)]}
FRONT: Json = {"yellow": [(2, 1), (2, 2), (2, 3), (2, 4)], "red": [(2, 5), (2, 6), (2, 7), (2, 8)]}
START: Json = FRONT | {"green": [(1, 1), (1, 2), (1, 3), (1, 4)], "blue": [(1, 5), (1, 6), (1, 7), (1, 8)]}
BY_PLAYERS = {"setup": "players", "predators": "sml"}
SMALL = {"school": 2}


def refused(position: Json, reason: str) -> None:
    with pytest.raises(strandline.BadPosition, match=reason):
        strandline.Position.from_json(position)


@pytest.mark.parametrize(
    "position",
    [
        value("roll", **MIDGAME),
        value("predator", "predator", "red", **MIDGAME),
        value("fish", "red", **MIDGAME),
        value("any", **MIDGAME),
        value("roll", rolls=0, **START),
        value("fill", tile=[1, 1], **FRONT),
        value("place", yellow=[(2, 1)], seat=1),
        value("layout", options=BY_PLAYERS, lairs=[(10, 3), None, None], seat=1),
        value("layout", options={"setup": "chance"}, lairs=[None] * 3),
        value("over", end="reef", yellow=["reef"], red=[(2, 2)]),
        value("over", end="last", yellow=[(2, 2)]),
        value("over", end="gone", blue=[(2, 2)]),
        value("over", end="gone"),
        value("over", end="limit", rolls=300, **MIDGAME),
        value("predator", "predator", red=[(2, 2)], green=[(3, 3)]),  # seat 0 lost its last fish and still rolls on
    ],
    ids=lambda position: f"{position['phase']} {position['end']}",
)
def test_good_positions_are_read(position: Json) -> None:
    assert strandline.Position.from_json(position).to_json() == position


@pytest.mark.rules("F1", "F16", "F19", "F2")
@pytest.mark.parametrize(
    ("fish", "lairs", "reason"),
    [
        ({"yellow": [(4, 3), (4, 3)]}, None, "another piece"),
        ({"yellow": [(4, 3)], "blue": [(4, 3)]}, None, "another piece"),
        ({"yellow": [(10, 4)]}, None, "another piece"),
        ({"yellow": [(11, 4)]}, None, "from 1 to 10"),
        ({"yellow": [(4, 0)]}, None, "from 1 to 8"),
        ({"yellow": [(4, 3, 2)]}, None, "2 items"),
        ({"yellow": [("4", 3)]}, None, "whole number"),
        ({"yellow": ["asleep"]}, None, "waiting, eaten, reef"),
        ({"yellow": ["waiting"]}, None, "No fish waits"),
        ({}, [(10, 1), (10, 8), (9, 3)], "from 1 to 9"),
        ({}, [(10, 1), (9, 8), (9, 8)], "from 1 to 7"),
        ({}, [(10, 4), (9, 8), (9, 3)], "another piece"),
        ({}, [None, (9, 8), (9, 3)], "whole number"),
    ],
)
def test_pieces_off_the_board_or_on_each_other_are_refused(fish: Json, lairs: Any, reason: str) -> None:
    refused(value("roll", lairs=lairs, **MIDGAME | fish), reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: p["predators"].pop(), "3 items"),
        (lambda p: p["predators"][0].update(size="large"), "size must be one of small"),
        (lambda p: p["predators"][0].update(size=None), "size must be one of small"),
        (lambda p: p["fish"].pop("blue"), "lacks blue"),
        (lambda p: p["fish"].update(pink=[]), "unknown field"),
        (lambda p: p["fish"]["blue"].pop(), "4 items"),
        (lambda p: p.update(fish=[]), "must be an object"),
        (lambda p: p.update(phase="swim"), "phase must be one of"),
        (lambda p: p.update(turn=1), "turn should be"),
        (lambda p: p.update(seat=2), "from 0 to 1"),
        (lambda p: p.update(tile=[1, 1]), "tile should be"),
        (lambda p: p.update(end="reef"), "end should be"),
        (lambda p: p.pop("dice"), "lacks dice"),
        (lambda p: p["options"].pop("limit"), "lacks limit"),
        (lambda p: p["options"].update(predators="ssll"), "predators must be"),
    ],
)
def test_fields_are_checked(change: Callable[[Json], Any], reason: str) -> None:
    position = value("roll", **MIDGAME)
    change(position)
    refused(position, reason)


@pytest.mark.rules("F12", "F26")
@pytest.mark.parametrize(
    ("phase", "dice", "reason"),
    [
        ("roll", ["red"], "do not fit phase roll"),
        ("any", ["red"], "do not fit phase any"),
        ("predator", [], "do not fit phase predator"),
        ("predator", ["red"], "do not fit phase predator"),
        ("fish", [], "do not fit phase fish"),
        ("fish", ["predator", "red"], "do not fit phase fish"),
        ("fish", ["red", "yellow"], "dice.0. should be"),
        ("predator", ["red", "predator"], "dice.0. should be"),
        ("fish", ["red", "red", "red"], "0 to 2 items"),
        ("fish", ["pink"], "must be one of predator, yellow"),
    ],
)
def test_dice_must_fit_the_phase(phase: str, dice: list[str], reason: str) -> None:
    refused(value(phase, *dice, **MIDGAME), reason)


@pytest.mark.rules("F26", "F28", "F-R26")
def test_a_decision_needs_a_legal_move() -> None:
    stuck: Json = {"yellow": [(7, 2)], "red": [(8, 6)], "lairs": [(8, 2), (9, 6), (1, 1)]}
    refused(value("fish", "red", **stuck), "Nothing can be done")
    refused(value("any", **stuck), "Nothing can be done")


@pytest.mark.rules("F29", "F30", "F31", "F33", "F34", "F35")
@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (value("roll", yellow=["reef"], red=[(2, 2)]), "over .reef."),
        (value("predator", "predator", yellow=[(2, 2)]), "over .last."),
        (value("roll", green=[(2, 2)], blue=[(2, 3)]), "over .gone."),
        (value("roll", rolls=300, **MIDGAME), "over .limit."),
        (value("over", end="last", **MIDGAME), "cannot be over"),
        (value("over", end="limit", rolls=299, **MIDGAME), "cannot be over"),
        (value("over", end="limit", rolls=9, options={"limit": 0}, **MIDGAME), "cannot be over"),
        (value("over", end=None, yellow=[(2, 2)]), "end should be"),
        (value("over", end="last", yellow=["reef", (2, 2)]), "end should be"),
        (value("over", end="limit", rolls=300, yellow=[(2, 2)]), "end should be"),
        (value("over", end="last", green=[(2, 2)]), "end should be"),
        (value("over", end="reef", yellow=["reef", "reef"]), "Only one fish"),
        (value("over", "red", end="last", yellow=[(2, 2)]), "do not fit phase over"),
        (value("roll", seat=0, red=[(2, 2)], green=[(2, 3)]), "Seat 0 has no fish"),
        (value("any", seat=0, red=[(2, 2)], green=[(2, 3)]), "Seat 0 has no fish"),
        (value("fish", "red", rolls=301, **MIDGAME), "from 1 to 300"),
        (value("roll", rolls=301, **MIDGAME), "from 0 to 300"),
        (value("fish", "red", rolls=0, **MIDGAME), "from 1 to 300"),
        (value("over", end="last", rolls=0, yellow=[(2, 2)]), "from 1 to 300"),
        (value("roll", rolls=-1, **MIDGAME), "from 0 to 300"),
    ],
)
def test_the_end_and_the_rolls_must_fit_the_board(position: Json, reason: str) -> None:
    refused(position, reason)


@pytest.mark.rules("F3", "F4", "F-R7", "F-R5")
@pytest.mark.parametrize(
    ("options", "lairs", "seat", "reason"),
    [
        (BY_PLAYERS, [(9, 3), None, None], 1, "column 10"),
        (BY_PLAYERS, [(10, 3), (8, 5), None], 0, "column 9"),
        (BY_PLAYERS, [(10, 3), (9, 4), None], 0, "free row"),
        (BY_PLAYERS, [None, (9, 4), None], 0, "Predator 1 must be laid out"),
        (BY_PLAYERS, [(10, 2), (9, 4), (9, 6)], 1, "layout is over"),
        (BY_PLAYERS, [(10, 3), (9, 7), None], 0, "Nothing can be done"),
        (BY_PLAYERS, [(10, 3), None, None], 0, "turn should be 1"),
        ({"setup": "table"}, [None, None, None], 0, "all at once"),
        ({"setup": "chance"}, [(10, 3), None, None], 0, "all at once"),
    ],
)
def test_predators_are_laid_out_in_order(options: Json, lairs: Any, seat: int, reason: str) -> None:
    refused(value("layout", options=options, lairs=lairs, seat=seat), reason)


@pytest.mark.rules("F3", "F4", "F7", "F8", "F-R10")
@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (value("layout", options=BY_PLAYERS, lairs=[None] * 3, yellow=[(2, 1)]), "yellow fish must all be waiting"),
        (value("place", lairs=[(9, 2), (9, 4), (9, 6)]), "starts at column 10"),
        (value("place", lairs=[(10, 2), (9, 4), (9, 5)]), "free row"),
        (value("place", seat=1, yellow=[(1, 1)]), "starts at column 2"),
        (value("place", seat=1, yellow=[(3, 1)]), "columns 1 and 2"),
        (value("place", seat=1, yellow=["eaten"]), "columns 1 and 2"),
        (value("place", seat=1, yellow=["waiting", (2, 1)]), "order of their numbers"),
        (value("place", seat=0, yellow=[(2, 1)]), "turn should be 1"),
        (value("place", seat=0, red=[(2, 1)]), "take turns"),
        (value("place", seat=1, yellow=[(2, 1), (2, 2)]), "take turns"),
        (value("place", seat=1, yellow=[(2, 1)], green=[(2, 2)]), "the other colours wait"),
        (value("place", **FRONT), "take turns"),
        (value("place", "red"), "dice should be"),
    ],
)
def test_fish_are_placed_in_order(position: Json, reason: str) -> None:
    refused(position, reason)


@pytest.mark.rules("F9", "F10", "F-R11")
@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (value("fill", tile=[1, 1], yellow=FRONT["yellow"], red=FRONT["red"][:3]), "placed their 4 fish"),
        (value("fill", tile=[2, 1], **FRONT), "must be an empty tile"),
        (value("fill", tile=[3, 1], **FRONT), "must be an empty tile"),
        (value("fill", tile=None, **FRONT), "tile must be a list"),
        (value("fill", tile=[1, 2], **FRONT), "More fish are waiting"),
        (value("fill", tile=[1, 1], green=[(1, 2)], **FRONT), "No lot has been drawn yet"),
        (value("fill", tile=[1, 3], green=[(1, 2), (1, 1)], **FRONT), "order of the tiles"),
        (value("fill", tile=[1, 5], green=START["green"], **FRONT), "one kind"),
        (
            value("fill", tile=[2, 6], options=SMALL, yellow=[(2, 1), (2, 2)], red=[(2, 3), (2, 4)], green=[(2, 5)],
                  blue=["waiting", (1, 1)]),
            "order of their numbers",
        ),
        (value("fill", tile=[1, 1], seat=1, **FRONT), "seat should be 0"),
    ],
)  # fmt: skip
def test_lots_are_drawn_in_order(position: Json, reason: str) -> None:
    refused(position, reason)


@pytest.mark.rules("F7", "F8", "F10", "F11")
@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (value("roll", rolls=0, **MIDGAME), "Before the first roll"),
        (value("roll", rolls=0, seat=1, **START), "Seat 0 makes the first roll"),
        (value("roll", rolls=0, **START | {"green": START["green"][::-1]}), "order of the tiles"),
        (value("roll", rolls=0, lairs=[(9, 1), (9, 8), (9, 3)], **START), "against the reef"),
    ],
)
def test_before_the_first_roll_nothing_has_moved(position: Json, reason: str) -> None:
    refused(position, reason)


# Moves in text


@pytest.mark.rules("F-R4")
def test_only_what_is_ever_written_is_read() -> None:
    read = GAME.notation.read
    for text in ("layout 2 4 6", "layout 1 3 5 7", "put 4 8", "place 1 8", "fill empty", "roll predator predator",
                 "predator 4 up", "swim blue 4 down"):  # fmt: skip
        code = read(text)
        assert code is not None and GAME.notation.write(code) == text
    for text in ("layout", "layout 1 2 3", "layout 2 4", "layout 02 4 6", "put 5 1", "put 1 9", "place 3 1", "",
                 "fill pink", "roll red predator", "roll red", "predator 1 back", "swim red 5 up", "swim red up",
                 ):  # fmt: skip
        assert read(text) is None


@pytest.mark.parametrize(
    ("position", "move", "sentence"),
    [
        (GAME.new(setup="chance"), "layout 2 4 6", "The predators are placed by lot."),
        (GAME.new(setup="players"), "put 1 4", "Put predator 1 in row 4."),
        (GAME.new(), "place 2 3", "Place a fish on column 2, row 3."),
        (at("fill", tile=[1, 1], **FRONT), "fill blue", "The lot puts blue fish 1 on column 1, row 1."),
        (at("roll", **MIDGAME), "roll predator red", "Rolled: a predator and red."),
        (at("roll", **MIDGAME), "roll yellow yellow", "Rolled: yellow twice."),
        (at("fish", "yellow", **MIDGAME), "swim yellow 1 up", "Yellow fish 1 up."),
        (at("fish", "red", yellow=[(1, 1)], red=[(10, 7)]), "swim red 1 forward", "Red fish 1 to the reef!"),
        (
            at("predator", "predator", yellow=[(4, 3)], red=[(4, 4)], lairs=[(10, 2), (9, 7), (5, 3)]),
            "predator 3 forward",
            "Predator 3 forward. It eats yellow fish 1 and red fish 1.",
        ),
    ],
)
def test_moves_are_described(position: strandline.Position, move: str, sentence: str) -> None:
    assert position.describe(move) == sentence


@pytest.mark.parametrize(
    ("position", "move", "told"),
    [
        (GAME.new(setup="chance"), "layout 2 4 6", ["layout"]),
        (GAME.new(setup="players"), "put 1 4", ["put"]),
        (GAME.new(), "place 2 3", ["place"]),
        (at("fill", tile=[1, 4], **FRONT, green=START["green"][:3]), "fill green", ["fill", "rest", "start"]),
        (
            at("fill", tile=[2, 5], options=SMALL, yellow=FRONT["yellow"][:2], red=FRONT["yellow"][2:]),
            "fill empty",
            ["fill"],
        ),
        (
            at("place", players=4, seat=3, options=SMALL, yellow=[(2, 1), (1, 1)], red=[(2, 2), (1, 2)],
               green=[(2, 3), (1, 3)], blue=[(2, 4)]),
            "place 1 4",
            ["place", "start"],
        ),
        (at("roll", **MIDGAME), "roll predator red", ["roll"]),
        (at("roll", yellow=[(2, 2)], red=[(3, 3)]), "roll green blue", ["roll", "any"]),
        (
            at("roll", yellow=[(7, 2)], red=[(8, 6)], lairs=[(8, 2), (9, 6), (1, 1)]),
            "roll green blue",
            ["roll", "pass"],
        ),
        (
            at("predator", "predator", "blue", yellow=[(4, 3), (1, 1)], red=[(4, 4)], green=[(1, 2)],
               lairs=[(10, 2), (9, 7), (5, 3)]),
            "predator 3 forward",
            ["predator", "eaten", "out", "lost"],
        ),
        (
            at("predator", "predator", yellow=[(4, 3)], red=[(4, 4)], lairs=[(10, 2), (9, 7), (5, 3)]),
            "predator 3 forward",
            ["predator", "eaten", "out", "out", "end"],
        ),
        (
            at("fish", "yellow", "red", yellow=[(4, 4)], red=[(3, 3)], lairs=[(10, 1), (9, 8), (9, 4)]),
            "swim yellow 1 up",
            ["swim", "lost"],
        ),
        (at("fish", "red", yellow=[(1, 1)], red=[(10, 7)]), "swim red 1 forward", ["reef", "end"]),
        (at("fish", "red", rolls=300, **MIDGAME), "swim red 1 forward", ["swim", "end"]),
    ],
)  # fmt: skip
def test_moves_are_told(position: strandline.Position, move: str, told: list[str]) -> None:
    assert [event.kind for event in position.story(move)] == told


@pytest.mark.parametrize(
    ("position", "move", "sentence"),
    [
        (
            at("predator", "predator", yellow=[(1, 1)], red=[(9, 1)]),
            "predator 1 forward",
            "Only your fish are left. You win!",
        ),
        (
            at("fish", "red", yellow=[(1, 1)], red=[(10, 7)]),
            "swim red 1 forward",
            "Ben’s fish is first at the reef. Ben wins. Well swum all the same!",
        ),
        (
            at("fish", "blue", yellow=[(1, 1)], blue=[(10, 7)]),
            "swim blue 1 forward",
            "That fish is nobody’s, so nobody wins.",
        ),
    ],
)
def test_the_end_is_told_to_one_reader(position: strandline.Position, move: str, sentence: str) -> None:
    with reading(Reader("en", frozenset({0}), ("Ann", "Ben"))):
        assert position.story(move)[-1].sentence == sentence
    with reading(Reader("de", frozenset({0}), ("Ann", "Ben"))):
        assert position.story(move)[-1].sentence != sentence
