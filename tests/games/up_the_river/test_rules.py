"""The rules and rulings of Up the River, by their numbers."""

from typing import Any

import pytest

import strandline
from strandline.engine import words

GAME = strandline.game("up_the_river")


def at(
    boats: list[list[int]],
    phase: str = "roll",
    player: int | None = 0,
    die: int | None = None,
    round: int = 1,
    **options: int,
) -> strandline.Position:
    """A position with these boats; docks are given out in the order of seats and boats."""
    docks, free = [], iter(range(12, 0, -1))
    for seat in boats:
        docks.append([next(free) if place == 11 else 0 for place in seat])
    settings = {"sandbank_start": 9, "tide_start": 6, "round_limit": 100} | options
    return strandline.Position.from_json(
        {
            "game": "up_the_river",
            "players": len(boats),
            "options": settings,
            "phase": phase,
            "turn": {"roll": "chance", "end": None}.get(phase, player),
            "player": player,
            "die": die,
            "round": round,
            "sandbank": 1 + (settings["sandbank_start"] - round) % 10,
            "tide": 1 + (settings["tide_start"] - round) % 10,
            "boats": boats,
            "docks": docks,
        }
    )


def after(position: strandline.Position, *moves: str) -> dict[str, Any]:
    for move in moves:
        position = position.play(move)
    return position.to_json()


@pytest.mark.rules("R1", "R-R1", "R2", "R3", "R-R2")
def test_the_first_position() -> None:
    value = GAME.new(players=3).to_json()
    assert (value["sandbank"], value["tide"], value["round"]) == (9, 6, 1)
    assert value["boats"] == [[4, 4, 4]] * 3
    assert (value["phase"], value["turn"], value["player"]) == ("roll", "chance", 0)
    moved = GAME.new(players=2, sandbank_start=1, tide_start=10).to_json()
    assert (moved["sandbank"], moved["tide"]) == (1, 10)
    with pytest.raises(strandline.BadOptions, match="sandbank_start and tide_start must differ"):
        GAME.new(sandbank_start=6)
    with words.reading(words.Reader("de")), pytest.raises(strandline.BadOptions, match="_start und tide_start müssen"):
        GAME.new(sandbank_start=6)


@pytest.mark.rules("R3")
def test_turns_go_clockwise() -> None:
    position = GAME.new(players=4)
    seats = []
    for _ in range(5):
        seats.append(position.to_json()["player"])
        position = position.play("roll 1").play("sail 1")
    assert seats == [0, 1, 2, 3, 0]


@pytest.mark.rules("R4", "R-R6", "R-R28")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5])
def test_a_roll_sails_one_boat_of_choice(die: int) -> None:
    position = at([[1, 1, 2], [4, 4, 4]], "sail", die=die)
    assert position.moves() == ["sail 1", "sail 2", "sail 3"]
    assert after(position, "sail 2")["boats"] == [[1, 6 + 3 if die == 5 else 1 + die, 2], [4, 4, 4]]


@pytest.mark.rules("R5", "R-R21")
def test_the_sandbank_stops_and_the_rest_is_lost() -> None:
    value = after(at([[7, 4, 4], [4, 4, 4]], "sail", die=5), "sail 1")
    assert value["boats"][0] == [9, 4, 4]
    assert (value["phase"], value["player"]) == ("roll", 1)


@pytest.mark.rules("R6", "R-R13")
def test_a_boat_leaves_the_sandbank_like_any_card() -> None:
    assert after(at([[9, 4, 4], [4, 4, 4]], "sail", die=1), "sail 1")["boats"][0] == [10, 4, 4]


@pytest.mark.rules("R7", "R-R9")
def test_the_tide_gives_three_more_cards() -> None:
    position = at([[4, 4, 4], [4, 4, 4]], "sail", die=2, sandbank_start=3)
    assert after(position, "sail 1")["boats"][0] == [9, 4, 4]


@pytest.mark.rules("R-R10")
@pytest.mark.parametrize(("sandbank", "goal"), [(7, 7), (8, 8), (9, 9), (10, 9), (5, 5)])
def test_the_tides_advance_runs_aground(sandbank: int, goal: int) -> None:
    position = at([[4, 4, 4], [4, 4, 4]], "sail", die=2, sandbank_start=sandbank)
    assert after(position, "sail 1")["boats"][0][0] == goal


@pytest.mark.rules("R-R11", "R22")
def test_the_tide_can_carry_a_boat_home() -> None:
    position = at([[7, 4, 4], [4, 4, 4]], "sail", die=2, tide_start=9, sandbank_start=1)
    assert after(position, "sail 1")["docks"][0] == [12, 0, 0]


@pytest.mark.rules("R8", "R-R12")
def test_what_is_no_throw_onto_the_tide() -> None:
    across = at([[5, 4, 4], [4, 4, 4]], "sail", die=2)
    assert after(across, "sail 1")["boats"][0] == [7, 4, 4]
    leaving = at([[6, 4, 4], [4, 4, 4]], "sail", die=1)
    assert after(leaving, "sail 1")["boats"][0] == [7, 4, 4]
    good = at([[6, 4, 4], [4, 4, 4]], "wind", die=6)
    assert after(good, "good 2")["boats"][0] == [6, 6, 4]
    ill = at([[6, 8, 4], [4, 4, 4]], "wind", player=1, die=6, round=1, sandbank_start=3)
    assert after(ill, "ill 0 2")["boats"][0] == [5, 5, 3]  # to the tide at 6, and down with the current
    drifted = at([[7, 4, 4], [4, 4, 4]], "sail", player=1, die=1, sandbank_start=3)
    assert after(drifted, "sail 1")["boats"][0] == [6, 3, 3]


@pytest.mark.rules("R-R12")
def test_a_move_gets_the_three_cards_once() -> None:
    """The tide's advance never ends on the tide, and a throw that the sandbank cuts short there is none."""
    cut_short = at([[4, 4, 4], [4, 4, 4]], "sail", die=5, sandbank_start=5, tide_start=6)
    assert after(cut_short, "sail 1")["boats"][0][0] == 5


@pytest.mark.rules("R9", "R16", "R-R7", "R-R8")
def test_a_six_is_a_choice_of_winds_and_never_sails() -> None:
    position = at([[3, 5, 5], [2, 7, 7]], "wind", die=6)
    assert position.moves() == ["good 1", "ill 1 2", "ill 1 3"]


@pytest.mark.rules("R10", "R12", "R-R14")
def test_good_wind_goes_to_the_next_own_boat() -> None:
    position = at([[3, 5, 8], [4, 4, 4]], "wind", die=6)
    assert position.moves() == ["good 1", "good 2"]
    assert after(position, "good 1")["boats"][0] == [5, 5, 8]
    assert after(position, "good 2")["boats"][0] == [3, 8, 8]


@pytest.mark.rules("R11", "R-R13")
@pytest.mark.parametrize(("sandbank", "goal"), [(4, 4), (3, 7), (7, 7), (5, 5)])
def test_the_sandbank_strictly_between_stops_a_good_wind(sandbank: int, goal: int) -> None:
    position = at([[3, 7, 7], [4, 4, 4]], "wind", die=6, sandbank_start=sandbank)
    assert after(position, "good 1")["boats"][0][0] == goal


@pytest.mark.rules("R12", "R15", "R17", "R-R15", "R-R16")
@pytest.mark.parametrize("boats", [[4, 4, 4], [0, 0, 7], [11, 6, 6], [11, 0, 3], [0, 2, 2]])
def test_no_wind_without_two_cards(boats: list[int]) -> None:
    position = at([boats, [4, 4, 4]])
    value = after(position, "roll 6")
    assert (value["phase"], value["player"], value["boats"]) == ("roll", 1, [boats, [4, 4, 4]])
    against = at([[4, 4, 4], boats, [1, 2, 2]], "wind", player=2, die=6)
    assert against.moves() == ["good 1"]


@pytest.mark.rules("R13", "R14", "R-R14", "R-R19")
def test_ill_wind_blows_back_past_the_sandbank() -> None:
    position = at([[3, 5, 8], [4, 4, 4]], "wind", player=1, die=6, sandbank_start=7, tide_start=5)
    assert position.moves() == ["ill 0 2", "ill 0 3"]
    assert after(position, "ill 0 3")["boats"][0] == [2, 4, 4]
    off = at([[3, 5, 7], [4, 4, 4], [4, 4, 4]], "wind", player=1, die=6, sandbank_start=7)
    assert after(off, "ill 0 3")["boats"][0] == [3, 5, 5]


@pytest.mark.rules("R-R17")
def test_ill_wind_hits_any_opponent_and_never_oneself() -> None:
    position = at([[1, 2, 0], [5, 4, 3], [11, 9, 8]], "wind", player=1, die=6)
    assert position.moves() == ["good 2", "good 3", "ill 0 2", "ill 2 2"]


@pytest.mark.rules("R-R18", "R19")
def test_blown_to_the_bottom_a_boat_is_lost_only_by_the_current() -> None:
    position = at([[4, 4, 4], [1, 5, 5]], "wind", player=0, die=6)
    value = after(position, "ill 1 2")
    assert value["boats"][1] == [1, 1, 5]
    assert after(strandline.Position.from_json(value), "roll 1", "sail 2")["boats"][1] == [0, 1, 4]


@pytest.mark.rules("R18", "R19", "R20", "R-R4", "R-R29")
def test_the_current_comes_after_every_round() -> None:
    position = at([[1, 4, 11], [1, 1, 7]], "sail", player=1, die=1, round=10)
    value = after(position, "sail 3")
    assert value["boats"] == [[0, 3, 11], [0, 0, 7]]
    assert (value["round"], value["sandbank"], value["tide"]) == (11, 9, 6)


@pytest.mark.rules("R20")
def test_special_cards_go_from_the_bottom_to_the_top() -> None:
    position = at([[9, 9, 9], [9, 9, 9]], round=9)
    assert position.to_json()["sandbank"] == 1
    assert after(position, "roll 6", "roll 6")["sandbank"] == 10


@pytest.mark.rules("R21", "R-R5")
def test_who_has_no_boat_on_the_river_gets_no_turn() -> None:
    position = at([[4, 4, 4], [0, 0, 0], [11, 11, 0], [4, 4, 4]])
    assert after(position, "roll 1", "sail 1")["player"] == 3


@pytest.mark.rules("R-R3", "R18")
def test_the_current_comes_also_without_the_first_player() -> None:
    position = at([[11, 11, 0], [4, 4, 4]], player=1)
    value = after(position, "roll 1", "sail 1")
    assert (value["round"], value["player"], value["boats"][1]) == (2, 1, [4, 3, 3])


@pytest.mark.rules("R22", "R23", "R-R22", "R-R23")
def test_docks_are_taken_from_the_top() -> None:
    position = at([[10, 10, 10], [10, 4, 4]])
    value = after(position, "roll 5", "sail 2", "roll 1", "sail 1")
    assert value["docks"] == [[0, 12, 0], [11, 0, 0]]


@pytest.mark.rules("R24", "R25", "R26", "R-R26", "R-R30")
def test_the_game_ends_with_the_last_boat_in_the_middle_of_a_round() -> None:
    position = at([[10, 0, 0], [0, 11, 0]], "sail", die=3, round=7).play("sail 1")
    assert position.turn is None and position.to_json()["round"] == 7
    assert (position.scores(), position.winners()) == ([11, 12], [1])


@pytest.mark.rules("R-R26")
def test_a_lone_sailor_goes_on() -> None:
    position = at([[11, 11, 11], [5, 0, 0]], player=1).play("roll 1").play("sail 1")
    assert position.turn == "chance" and position.winners() == []


@pytest.mark.rules("R-R24")
def test_ties_share_the_win() -> None:
    position = at([[11, 0, 11], [0, 0, 0], [0, 0, 10]], "sail", player=2, die=1)
    assert position.play("sail 3").winners() == [0]
    value = at([[11, 0, 0], [0, 0, 0]], "end", player=None).to_json()
    value["boats"], value["docks"] = [[11, 11, 0], [11, 11, 0]], [[12, 9, 0], [11, 10, 0]]
    assert strandline.Position.from_json(value).winners() == [0, 1]


@pytest.mark.rules("R-R25", "R21")
def test_nobody_wins_when_no_boat_comes_home() -> None:
    position = at([[0, 0, 0], [1, 0, 0]], player=1).play("roll 6")
    assert (position.turn, position.scores(), position.winners()) == (None, [0, 0], [])


@pytest.mark.rules("R-R20")
def test_a_card_holds_all_boats() -> None:
    position = at([[5, 5, 5], [5, 5, 5], [5, 5, 5], [5, 5, 4]], player=3)
    assert after(position, "roll 1", "sail 3")["boats"] == [[4, 4, 4]] * 4


@pytest.mark.rules("R-R27")
def test_the_round_limit_ends_the_game_without_a_current() -> None:
    position = at([[8, 0, 0], [1, 0, 0]], player=1, round=5, round_limit=5).play("roll 6")
    assert position.turn is None
    assert (position.to_json()["round"], position.to_json()["boats"]) == (5, [[8, 0, 0], [1, 0, 0]])
    unlimited = at([[8, 0, 0], [1, 0, 0]], player=1, round=1000, round_limit=0).play("roll 6")
    assert unlimited.to_json()["round"] == 1001


def test_a_box_owner_can_lay_another_river(tmp_path: Any) -> None:
    box = tmp_path / "mine.toml"
    box.write_text("[layout]\ntide_start = 7\n")
    game = strandline.game("up_the_river", box)
    assert game.new().to_json()["tide"] == 7
    assert game.options["tide_start"].default == 7
    assert strandline.game("up_the_river").new().to_json()["tide"] == 6
    assert game.new().play("roll 3").play("sail 1").to_json()["boats"][0] == [9, 4, 4]
    assert game.simulate(2000, seed=1).tobytes() == GAME.simulate(2000, seed=1, tide_start=7).tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[layout]\ntide_start = 11\n", "tide_start must be a whole number from 1 to 10, not 11"),
        ("[layout]\ntide_start = 9\n", "must differ"),
        ("[layout]\ntide_strat = 9\n", "Did you mean layout.tide_start"),
        ("layout = 3\n", "layout must be an object"),
        ("[layout\n", "not valid TOML"),
    ],
)
def test_a_bad_box_is_refused(tmp_path: Any, text: str, message: str) -> None:
    box = tmp_path / "bad.toml"
    box.write_text(text)
    with pytest.raises(strandline.BadBox, match=message):
        strandline.game("up_the_river", box)


BASE = at([[11, 5, 1], [4, 0, 9]], "sail", player=1, die=3, round=4).to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sandbank": 7}, "sandbank should be 6"),
        ({"tide": 4}, "tide should be 3"),
        ({"round": 101}, "round must be a whole number from 1 to 100"),
        ({"round": 0}, "round must be"),
        ({"docks": [[0, 0, 0], [0, 0, 0]]}, "must have a dock"),
        ({"docks": [[11, 0, 0], [0, 0, 0]]}, "without a gap"),
        ({"docks": [[12, 11, 0], [0, 0, 0]]}, "only then"),
        ({"boats": [[11, 0, 0], [0, 0, 0]]}, "no boat on the river"),
        ({"boats": [[12, 0, 0], [4, 0, 9]]}, "from 0 to 11"),
        ({"boats": [[11, True, 1], [4, 0, 9]]}, "whole number"),
        ({"boats": [[11, 5, 1]]}, "list of 2 items"),
        ({"turn": 0}, "turn should be 1"),
        ({"turn": "chance"}, "turn should be 1"),
        ({"player": 2}, "player must be"),
        ({"die": 6}, "die must be a whole number from 1 to 5"),
        ({"die": None}, "die must be"),
        ({"phase": "wind", "die": 5}, "die should be 6"),
        ({"phase": "wind", "die": 6, "boats": [[11, 5, 5], [4, 4, 0]]}, "Nothing can be done"),
        ({"phase": "roll", "turn": "chance"}, "die should be null"),
        ({"phase": "end", "turn": None, "player": None, "die": None}, "boat on the river"),
        ({"phase": "paddle"}, "phase must be one of"),
        ({"weather": "fine"}, "unknown field"),
        ({"players": 5}, "2, 3 or 4 players"),
        ({"options": {"sandbank_start": 9, "tide_start": 6}}, "lacks round_limit"),
        ({"options": {"sandbank_start": 9, "tide_start": 6, "round_limit": True}}, "round_limit must be"),
    ],
)
def test_refused_positions(change: dict[str, Any], message: str) -> None:
    with pytest.raises(strandline.BadPosition, match=message):
        strandline.Position.from_json(BASE | change)


def test_other_nonsense_is_refused() -> None:
    broken: list[Any] = [None, 3, [], {}, {"game": 3}, {"game": "up_the_river"}, {"game": "chess"}]
    for nonsense in broken:
        with pytest.raises(strandline.BadPosition):
            strandline.Position.from_json(nonsense)
