"""The rules of Undertow, one by one, beside the page's worked examples."""

import pytest

import strandline
from games.undertow.positions import GAME, Spot, look, play, position

# Set-up


@pytest.mark.rules("U1", "U2", "U-R13")
@pytest.mark.parametrize(
    ("players", "family", "lanes"), [(2, 7, range(2, 10)), (3, 6, range(1, 11)), (4, 5, range(1, 11))]
)
def test_families_and_lanes_in_use(players: int, family: int, lanes: range) -> None:
    start = GAME.new(players)
    for seat in range(players):
        for i in range(family):
            value = start.to_json()
            assert value["turn"] == "chance" and value["player"] == seat and len(value["swimmers"][seat]) == family
            assert value["swimmers"][seat][i]["pips"] is None
            start = start.play("roll 2")
    assert start.turn == 0
    assert start.moves() == [f"place {n} {lane}" for n in range(1, family + 1) for lane in lanes]


@pytest.mark.rules("U2", "U17")
def test_nobody_moves_into_a_lane_out_of_use() -> None:
    edge = position({1: (2, 5), 2: (9, 5)}, [(4, 4)], "roll 1 6 3")
    assert "left 1" not in edge.moves() and "right 1" in edge.moves()
    assert "right 2" not in edge.moves() and "left 2" in edge.moves()
    three = position({1: (2, 5), 2: (9, 5)}, [(4, 4), (5, 4)], "roll 1 6 3", players=3)
    assert {"left 1", "right 2"} <= set(three.moves())
    assert "left 1" not in three.play("left 1").moves()


@pytest.mark.rules("U3", "U4", "U8", "U-R14", "U-R17")
def test_all_roll_then_place_by_turns_then_seat_0_begins() -> None:
    game = GAME.new(3)
    assert GAME.new(3).odds() == [1 / 6] * 6
    for _ in range(18):
        game = game.play("roll 1")
    for i in range(18):
        assert game.turn == i % 3
        game = game.play(game.moves()[-1])
    value = game.to_json()
    assert (value["phase"], value["round"], value["player"]) == ("dice", 1, 0)
    assert [look(game, 6, seat)[:2] for seat in range(3)] == [(10, 3), (9, 3), (8, 3)]


@pytest.mark.rules("U5", "U7", "U-R1")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_starts_at_its_side_number_and_keeps_its_face(face: int) -> None:
    game = play(GAME.new(2, slow_start=True), f"roll {face}", "place 1 4")
    assert look(game, 1) == (4, face + 2, face)
    assert look(game.play("roll 1"), 1) == (4, face + 2, face)


@pytest.mark.rules("U6", "U-R13")
def test_a_die_goes_beyond_all_full_steps() -> None:
    full = [(lane, 8) for lane in range(2, 8)]
    mine: dict[int, Spot] = {n: (*spot, 6) for n, spot in zip(range(2, 8), full, strict=True)}
    triple = position(mine, [(8, 8), (9, 8)], "roll 6 6 6", triple_six=True)
    back = play(triple, "recall 1", "roll 6")
    assert back.moves() == [f"place 1 {lane}" for lane in range(2, 10)]
    assert look(back.play("place 1 2"), 1) == (2, 9, 6)
    assert look(play(triple, "recall 1", "roll 5", "place 1 2"), 1) == (2, 7, 5)


@pytest.mark.rules("U40")
def test_slow_start_rolls_and_places_one_by_one() -> None:
    game = GAME.new(2, slow_start=True)
    for i in range(14):
        value = game.to_json()
        assert (value["phase"], value["player"]) == ("family", i % 2)
        game = game.play("roll 4")
        assert {move.split()[1] for move in game.moves()} == {str(i // 2 + 1)}
        game = game.play(game.moves()[0])
    assert game.to_json()["phase"] == "dice"


# The turn


@pytest.mark.rules("U9")
def test_three_dice_are_rolled_at_once() -> None:
    start = position({1: (4, 4)})
    assert len(start.moves()) == 216 and start.odds() == [1 / 216] * 216
    assert start.play("roll 2 5 2").to_json()["dice"] == {"red": 2, "green": 5, "modifier": 2}


@pytest.mark.rules("U10", "U11", "U-R9")
@pytest.mark.parametrize("calm", [2, 5])
def test_calm_is_out_then_in_with_real_steps(calm: int) -> None:
    game = position({1: (4, 4)}, roll=f"roll 2 3 {calm}")
    assert game.moves() == ["out 1"]
    game = play(game, "out 1", "out 1")
    assert look(game, 1)[:2] == (4, 6) and game.to_json()["points"] == 3
    assert look(play(game, "in 1", "in 1", "in 1"), 1)[:2] == (4, 3)


@pytest.mark.rules("U11", "U-R9")
def test_who_could_not_move_out_may_still_move_in() -> None:
    game = position({1: (4, 12)}, roll="roll 6 2 2")
    assert game.to_json()["phase"] == "in"
    assert look(play(game, "in 1", "in 1"), 1)[:2] == (4, 10)


@pytest.mark.rules("U12")
def test_points_are_spread_in_any_way() -> None:
    game = play(position({1: (4, 4), 2: (6, 4), 3: (8, 4)}, roll="roll 3 3 2"), "out 1", "out 2", "out 1")
    assert game.to_json()["points"] == 3
    game = play(game, "in 1", "in 3", "in 1")
    assert [look(game, n)[1] for n in (1, 2, 3)] == [4, 5, 3]


@pytest.mark.rules("U13", "U-R12")
def test_the_lifeguard_saves_one_from_anywhere_and_ends_the_turn() -> None:
    game = position({1: (4, 1), 3: (8, 12)}, roll="roll 6 6 1")
    assert game.moves() == ["save 1", "save 3"]  # nothing else, and no way to decline
    game = game.play("save 3")
    assert look(game, 3) == (None, 0, 3)
    assert (game.to_json()["phase"], game.to_json()["player"]) == ("dice", 1)


@pytest.mark.rules("U14", "U29", "U-R2", "U-R10")
def test_the_wave_gives_a_pool_and_may_be_declined() -> None:
    game = position({1: (4, 6), 2: (6, 6)}, roll="roll 2 2 3")
    assert game.to_json()["points"] == 4
    assert "stop" in game.moves() and not any(move.startswith("out") for move in game.moves())
    assert game.play("stop").to_json()["player"] == 1
    game = play(game, "in 1", "in 1", "in 2", "in 2")
    assert game.to_json()["player"] == 1 and [look(game, n)[1] for n in (1, 2)] == [4, 4]


@pytest.mark.rules("U14", "U39", "U-R2", "U-R30")
def test_the_wave_for_each() -> None:
    game = position({1: (4, 6), 2: (6, 6)}, roll="roll 2 1 3", surge="each")
    game = play(game, "in 1", "in 1", "left 1")
    value = game.to_json()
    assert value["points"] == 3 and value["swum"][:2] == [3, 0]
    assert not any(move.endswith("1") for move in game.moves())
    game = play(game, "in 2", "in 2", "in 2")
    assert game.to_json()["player"] == 1 and look(game, 2)[1] == 3
    easy = position({1: (4, 6), 2: (6, 6)}, roll="roll 2 1 3", surge="each", easy=True)
    assert not any(move.endswith("1") for move in play(easy, "in 1", "in 1").moves())


@pytest.mark.rules("U39", "U16")
def test_easy_mode_takes_the_larger_die() -> None:
    assert position({1: (4, 4)}, roll="roll 2 5 3", easy=True).to_json()["points"] == 5
    assert position({1: (4, 4)}, roll="roll 4 3 6", easy=True).to_json()["points"] == 4
    assert position({1: (4, 4)}, roll="roll 4 3 2", easy=True).to_json()["points"] == 4


@pytest.mark.rules("U15", "U-R11")
def test_sideways_steps_are_free_under_a_current_only() -> None:
    free = position({1: (4, 12)}, roll="roll 1 1 4").play("left 1")
    assert free.to_json()["points"] == 1
    paid = position({1: (4, 12)}, roll="roll 1 2 3").play("left 1")
    assert paid.to_json()["points"] == 2
    undertow = position({1: (4, 6)}, [(4, 7)], "roll 2 1 6").play("left 1")
    assert undertow.to_json()["points"] == 2


@pytest.mark.rules("U17", "U18")
def test_nobody_moves_onto_or_over_anybody() -> None:
    boxed = position({1: (4, 5), 2: (4, 4)}, [(3, 5), (5, 5)], "roll 1 6 3")
    assert boxed.moves() == ["in 2", "left 2", "right 2", "stop"]
    ashore = position({1: (4, 1), 2: (4, 2), 3: (8, 8)}, roll="roll 1 6 3")
    assert "in 2" not in ashore.moves()
    assert "in 2" in play(ashore, "in 1").moves()
    assert not any(move.endswith("1") for move in play(ashore, "in 1").moves())


# The out part


@pytest.mark.rules("U19", "U25")
def test_at_the_last_step_points_are_ignored() -> None:
    game = position({1: (4, 11), 2: (6, 12)}, roll="roll 5 1 2")
    assert game.moves() == ["out 1"]
    game = game.play("out 1")
    assert game.to_json()["phase"] == "in" and look(game, 1)[:2] == (4, 12)
    assert position({1: (4, 12)}, roll="roll 6 6 6").to_json()["player"] == 1


@pytest.mark.rules("U20", "U-R5")
def test_a_free_swimmer_must_go_even_if_another_would_rather_go_round() -> None:
    game = position({1: (3, 5), 2: (6, 10)}, [(3, 6)], "roll 5 1 2")
    assert game.moves() == ["out 2"]
    game = play(game, "out 2", "out 2")
    assert game.moves() == ["left 1", "right 1"]


@pytest.mark.rules("U21", "U23", "U-R4")
def test_a_way_round_needs_the_points_for_all_of_it() -> None:
    wall = [(3, 6), (4, 6), (5, 6), (2, 6)]
    assert position({1: (3, 5)}, wall, "roll 4 1 2").moves() == ["right 1"]
    assert position({1: (3, 5)}, wall, "roll 3 1 2").to_json()["phase"] == "in"
    assert position({1: (3, 5)}, wall, "roll 1 1 4").moves() == ["right 1"]  # free steps, one point for the step out


@pytest.mark.rules("U22", "U-R3")
def test_the_line_that_uses_the_most_points_is_compulsory() -> None:
    """To the left there is a second blocker and then the last step; to the right there is open water."""
    game = position({1: (5, 10)}, [(5, 11), (4, 12)], "roll 3 1 2")
    assert game.moves() == ["right 1"]
    assert position({1: (5, 10)}, [(5, 11), (4, 12)], "roll 2 1 2").moves() == ["left 1", "right 1"]


@pytest.mark.rules("U22")
def test_with_each_the_points_of_all_are_added_up() -> None:
    """To the left swimmer 1 lands in front of swimmer 2, which then has to go round for a point more."""
    game = position({1: (5, 11), 2: (4, 11)}, [(5, 12), (4, 12), (6, 11)], "roll 2 2 6", surge="each")
    assert game.moves() == ["left 2"]
    open_water = position({1: (5, 11), 2: (8, 11)}, [(5, 12)], "roll 1 1 6", surge="each")
    assert open_water.moves() == ["out 2"]


@pytest.mark.rules("U22")
def test_whoever_goes_round_leaves_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swimmer 2 goes right and on; then swimmer 1 can follow to where it was. To the left one point is left over."""
    water = position({1: (7, 9), 2: (7, 10)}, [(6, 12), (7, 11)])
    assert water.play("roll 4 1 2").moves() == ["right 1", "right 2"]
    monkeypatch.setattr(GAME, "_kernels", None)  # the rules themselves, which a kernel mostly stands for
    assert water.play("roll 4 1 2").moves() == ["right 1", "right 2"]


@pytest.mark.rules("U24", "U-R6")
def test_a_way_round_is_not_broken_off() -> None:
    """As soon as swimmer 1 has left, swimmer 2 could go straight out; but first things first."""
    blockers = [(5, 7), (4, 6), (6, 7), (4, 5), (6, 5)]
    game = position({1: (5, 6), 2: (5, 5)}, blockers, "roll 4 1 2").play("right 1")
    assert game.moves() == ["right 1"] and game.to_json()["detour"] == 1
    game = game.play("right 1")
    assert game.moves() == ["out 1"]
    assert game.play("out 1").to_json()["detour"] is None


@pytest.mark.rules("U-R7", "U23")
def test_the_current_does_not_let_anybody_slip_behind_a_blocker() -> None:
    game = position({1: (5, 6)}, [(4, 7)], "roll 2 1 4")
    assert game.moves() == ["out 1"]


@pytest.mark.rules("U25")
def test_there_is_no_stop_in_the_out_part() -> None:
    for roll in ("roll 3 3 2", "roll 3 3 4", "roll 3 3 6"):
        assert position({1: (4, 4), 2: (6, 4)}, roll=roll).moves() == ["out 1", "out 2"]


# The in part


@pytest.mark.rules("U26", "U-R29")
def test_several_may_land_in_one_turn_from_one_lane() -> None:
    game = position({1: (4, 1), 2: (4, 2), 3: (8, 8)}, roll="roll 1 2 3")
    game = play(game, "in 1", "in 2", "in 2")
    assert game.scores() == [6, 6] and game.to_json()["player"] == 1


@pytest.mark.rules("U27")
def test_a_sideways_step_in_costs_a_point_and_needs_no_reason() -> None:
    game = position({1: (4, 12)}, roll="roll 1 2 2")
    assert game.moves() == ["in 1", "left 1", "right 1", "stop"]
    assert play(game, "left 1", "right 1").to_json()["player"] == 1


@pytest.mark.rules("U28", "U-R8")
def test_drifting_goes_one_way_until_a_point_is_spent_and_so_it_ends() -> None:
    game = position({1: (4, 12), 2: (8, 12)}, roll="roll 1 1 4").play("left 1")
    assert "right 1" not in game.moves() and {"left 2", "right 2"} <= set(game.moves())
    spent = game.play("in 2")
    assert spent.to_json()["drift"] == [None] * 7
    spent = play(spent, "right 1", "right 1", "right 1", "right 1", "right 1", "right 1")
    spent = play(spent, "left 2", "left 2", "left 2", "left 2", "left 2", "left 2")
    assert spent.to_json()["player"] == 1  # each at its end of the row: nothing is left but to stop


@pytest.mark.rules("U28")
def test_a_step_that_would_be_free_cannot_be_paid_for() -> None:
    game = position({1: (4, 12)}, roll="roll 1 3 4").play("left 1")
    assert game.to_json()["points"] == 3 and "right 1" not in game.moves()


@pytest.mark.rules("U29")
def test_stop_ends_the_turn() -> None:
    game = position({1: (4, 12)}, roll="roll 1 5 2").play("stop")
    assert (game.to_json()["phase"], game.to_json()["player"], game.to_json()["points"]) == ("dice", 1, 0)


# End


@pytest.mark.rules("U30", "U31")
@pytest.mark.parametrize("moves", [("roll 1 1 1", "save 1"), ("roll 1 1 3", "in 1")])
def test_the_last_swimmer_home_wins_at_once(moves: tuple[str, ...]) -> None:
    game = play(position({1: (4, 1)}), *moves)
    assert game.turn is None and game.winners() == [0] and game.scores() == [7, 6]
    value = game.to_json()
    assert (value["phase"], value["dice"], value["points"], value["round"]) == ("over", None, 0, 1)


def idle(start: strandline.Position) -> strandline.Position:
    """Nobody wants to swim in, and at step 12 nobody is pulled out."""
    return play(start, "roll 1 1 2", "stop")


@pytest.mark.rules("U32", "U-R20")
@pytest.mark.parametrize(
    ("mine", "others", "winners"),
    [
        ({1: (4, 12)}, [(5, 12), (6, 12)], [0]),
        ({1: (4, 12), 2: (5, 12)}, [(6, 12), (8, 12)], [0, 1]),
    ],
)
def test_after_the_last_round_the_score_decides(mine: dict[int, Spot], others: list[Spot], winners: list[int]) -> None:
    start = position(mine, others, max_rounds=2)
    game = idle(idle(idle(start)))
    assert game.turn == "chance" and game.winners() == [] and game.to_json()["round"] == 2
    game = idle(game)
    assert game.turn is None and game.winners() == winners and game.to_json()["round"] == 2


@pytest.mark.rules("U32")
def test_among_equals_the_smaller_distance_wins() -> None:
    start = position({1: (4, 12)}, [(5, 12)], max_rounds=1)
    game = play(idle(start), "roll 1 1 2", "in 1")
    assert game.turn is None and game.scores() == [6, 6] and game.winners() == [1]


@pytest.mark.rules("U32")
def test_without_a_limit_the_game_goes_on() -> None:
    value = position({1: (4, 12)}, [(5, 12)], max_rounds=0).to_json()
    value.update(round=5000, player=1)
    game = idle(strandline.Position.from_json(value))
    assert game.to_json()["round"] == 5001 and game.turn == "chance"


# Options


@pytest.mark.rules("U33", "U-R15")
def test_triple_six_offers_the_choice_even_if_nobody_could_move() -> None:
    game = position({1: (5, 12)}, roll="roll 6 6 6", triple_six=True, easy=True)
    assert game.moves() == [*(f"recall {n}" for n in range(2, 8)), "undertow"]
    assert game.play("undertow").to_json()["player"] == 1
    moving = position({1: (5, 2)}, roll="roll 6 6 6", triple_six=True, easy=True).play("undertow")
    assert moving.to_json()["points"] == 6


@pytest.mark.rules("U33")
def test_no_choice_without_the_option_or_with_nobody_home() -> None:
    assert position({1: (5, 2)}, roll="roll 6 6 6").to_json()["phase"] == "out"
    all_in: dict[int, Spot] = {n: (n + 1, 2) for n in range(1, 8)}
    assert position(all_in, [(9, 5)], "roll 6 6 6", triple_six=True).to_json()["phase"] == "out"
    assert position({1: (5, 2)}, roll="roll 6 5 6", triple_six=True).to_json()["phase"] == "out"


@pytest.mark.rules("U33", "U7", "U-R15")
def test_a_recalled_swimmer_has_a_new_face_and_the_turn_is_over() -> None:
    game = play(position({1: (5, 5)}, roll="roll 6 6 6", triple_six=True), "recall 3", "roll 5", "place 3 9")
    assert look(game, 3) == (9, 7, 5) and look(game, 1)[:2] == (5, 5)
    assert game.to_json()["player"] == 1 and game.scores() == [5, 6]


def day(mine: dict[int, Spot], others: list[Spot], round: int, number: int = 1) -> strandline.Position:
    value = position(mine, others, vacation=3).to_json()
    value.update(round=round, day=number, day_scores=[[10, 12]] * (number - 1))
    return strandline.Position.from_json(value)


@pytest.mark.rules("U34", "U35", "U36", "U-R17")
def test_a_day_has_eight_rounds_and_then_all_is_set_up_anew() -> None:
    game = idle(day({1: (4, 12, 3)}, [(5, 12)], 8))
    assert game.to_json()["day"] == 1
    game = idle(game)
    value = game.to_json()
    assert (value["day"], value["round"], value["phase"], value["player"]) == (2, 0, "family", 0)
    assert value["day_scores"] == [[6, 6]] and game.scores() == [6, 6]
    assert all(swimmer["pips"] is None for family in value["swimmers"] for swimmer in family)


@pytest.mark.rules("U34", "U30", "U37", "U-R16")
def test_a_complete_family_does_not_end_a_vacation_and_gets_no_roll() -> None:
    game = play(day({1: (4, 1, 5)}, [(5, 12)], 3), "roll 1 1 3", "in 1")
    value = game.to_json()
    assert game.winners() == [] and (value["player"], value["round"]) == (1, 3)
    game = idle(game)
    assert (game.to_json()["player"], game.to_json()["round"]) == (1, 4)


@pytest.mark.rules("U37", "U38", "U-R18")
def test_a_day_ends_when_nobody_is_in_the_water_and_ties_share_the_win() -> None:
    game = day({1: (4, 1, 1)}, [(9, 1)], 2, number=3)
    game = play(game, "roll 1 1 1", "save 1", "roll 1 1 1", "save 1")
    value = game.to_json()
    assert game.turn is None and (value["day"], value["round"]) == (3, 8)
    assert value["day_scores"] == [[10, 12], [10, 12], [7, 9]]
    assert game.scores() == [27, 33] and game.winners() == [1]
    tied = value | {"day_scores": [[14, 12], [10, 10], [7, 9]]}
    assert strandline.Position.from_json(tied).winners() == [0, 1]


@pytest.mark.rules("U36")
def test_who_is_in_the_water_scores_nothing_and_the_last_board_is_left_as_it_stands() -> None:
    game = idle(idle(day({1: (4, 12, 6)}, [(5, 12)], 8, number=3)))
    assert game.turn is None and game.to_json()["day_scores"][2] == [6, 6]
    assert look(game, 1) == (4, 12, 6)


@pytest.mark.rules("U-R19", "U46", "U36")
def test_strengthening_before_landing_pays() -> None:
    start = position({1: (4, 1, 3)}, [(5, 12)], vacation=3, strength=True)
    value = start.to_json() | {"round": 8}
    start = strandline.Position.from_json(value).play("roll 2 3 2")
    start = play(start, "weaken 1", "out 1", "strengthen 1", "in 1", "in 1")
    assert look(start, 1) == (None, 0, 3) and start.scores()[0] == 9
    assert not any(move.startswith("strengthen") for move in start.moves())


@pytest.mark.rules("U-R30", "U33")
def test_a_recalled_swimmer_scores_only_if_it_lands_again() -> None:
    game = position({1: (4, 5)}, roll="roll 6 6 6", vacation=3, triple_six=True)
    assert game.scores() == [6, 6]
    assert game.play("recall 2").scores() == [5, 6]
    assert play(game, "recall 2", "roll 6", "place 2 2").scores() == [5, 6]


@pytest.mark.rules("U41", "U-R21")
def test_lane_limits_count_both_parts_and_beyond_them_steps_are_paid() -> None:
    game = position({1: (4, 5, 2)}, [(4, 6)], "roll 1 3 4", lane_limits=True).play("right 1")
    assert game.to_json()["drifted"][0] == 1 and game.to_json()["points"] == 1
    game = play(game, "out 1", "right 1")
    assert game.to_json()["drifted"][0] == 2 and game.to_json()["points"] == 3
    game = game.play("left 1")  # against the drift, because it is paid for
    assert game.to_json()["points"] == 2 and game.to_json()["drift"] == [None] * 7


@pytest.mark.rules("U41", "U23")
def test_with_lane_limits_a_way_round_may_be_partly_free() -> None:
    wall = [(3, 6), (4, 6), (5, 6), (2, 6)]
    assert position({1: (3, 5, 2)}, wall, "roll 1 1 4", lane_limits=True).to_json()["phase"] == "in"
    game = position({1: (3, 5, 2)}, wall, "roll 2 1 4", lane_limits=True)
    game = play(game, "right 1", "right 1")
    assert game.to_json()["points"] == 2
    assert game.play("right 1").to_json()["points"] == 1


@pytest.mark.rules("U41", "U-R30", "U46")
def test_lane_limits_follow_the_pips_of_the_moment() -> None:
    game = position({1: (4, 5, 2)}, [(4, 6)], "roll 3 3 4", lane_limits=True, strength=True)
    game = play(game, "right 1", "out 1", "weaken 1")
    assert look(game, 1)[2] == 1 and game.to_json()["drifted"][0] == 1 and game.to_json()["points"] == 3
    assert game.play("right 1").to_json()["points"] == 2  # no free step left
    assert play(game, "strengthen 1", "right 1").to_json()["points"] == 2  # one more


@pytest.mark.rules("U42", "U43", "U-R22", "U-R23")
def test_strength_limits_each_part_by_itself() -> None:
    game = position({1: (4, 5, 2)}, roll="roll 5 5 2", strength=True)
    game = play(game, "out 1", "out 1")
    value = game.to_json()
    assert value["phase"] == "in" and value["swum"][0] == 0  # done outward, fresh inward
    game = play(game, "left 1", "in 1")
    assert game.moves() == ["strengthen 1", "stop"]  # a paid sideways step counts


@pytest.mark.rules("U43", "U-R22")
def test_free_sideways_steps_do_not_tire() -> None:
    game = position({1: (4, 12, 1)}, roll="roll 5 5 4", strength=True)
    game = play(game, "left 1", "left 1", "in 1")
    assert "left 1" not in game.moves() and "right 1" in game.moves() and "in 1" not in game.moves()
    assert game.to_json()["swum"][0] == 1


@pytest.mark.rules("U44", "U-R26")
@pytest.mark.parametrize("roll", ["roll 4 2 3", "roll 4 2 6"])
def test_no_strength_under_wave_and_undertow(roll: str) -> None:
    game = position({1: (4, 6, 1)}, roll=roll, strength=True)
    step = "in 1" if roll.endswith("3") else "out 1"
    assert not any("en" in move for move in game.moves())
    game = play(game, step, step, step)
    assert game.to_json()["points"] == 3 and game.to_json()["swum"] == [0] * 7


@pytest.mark.rules("U45")
def test_strength_is_compared_at_the_moment() -> None:
    game = position({1: (4, 8, 1)}, roll="roll 1 4 2", strength=True).play("out 1")
    game = game.play("in 1")
    assert "in 1" not in game.moves()
    assert "in 1" in game.play("strengthen 1").moves()
    weak = play(position({1: (4, 5, 3), 2: (6, 5, 6)}, roll="roll 6 1 2", strength=True), "out 1", "out 1", "weaken 1")
    assert "out 1" not in weak.moves() and "out 2" in weak.moves()


@pytest.mark.rules("U46", "U-R27")
def test_weakening_stops_at_1_and_strengthening_at_6() -> None:
    game = position({1: (4, 5, 1), 2: (6, 12, 2)}, roll="roll 2 2 2", strength=True)
    assert game.moves() == ["out 1", "weaken 2"]  # also one that cannot move
    game = position({1: (4, 12, 6), 2: (6, 12, 5)}, roll="roll 2 2 2", strength=True)
    assert "strengthen 1" not in game.moves() and "strengthen 2" in game.moves()
    assert "strengthen 2" not in game.play("strengthen 2").moves()


@pytest.mark.rules("U46", "U47", "U-R25")
def test_weakening_is_free_to_choose_but_only_beside_a_step_out() -> None:
    game = position({1: (4, 11, 3)}, roll="roll 3 1 2", strength=True)
    assert game.moves() == ["out 1", "weaken 1"]
    assert game.play("out 1").to_json()["phase"] == "in"  # the rest is ignored, there is no weakening then
    assert play(game, "weaken 1", "weaken 1").moves() == ["out 1"]
    blocked = position({1: (4, 5, 2)}, [(4, 6)], "roll 2 1 2", strength=True)
    assert blocked.moves() == ["left 1", "right 1", "weaken 1"]
    assert blocked.play("left 1").moves() == ["out 1"]  # none while a way round is under way
    assert blocked.play("weaken 1").to_json()["phase"] == "in"  # it may even end the part


@pytest.mark.rules("U47", "U22")
def test_weakening_does_not_enter_the_lines() -> None:
    """To the left only two points are used; that a weakening could use the third does not make it legal."""
    game = position({1: (5, 10, 6)}, [(5, 11), (4, 12)], "roll 3 1 2", strength=True)
    assert game.moves() == ["right 1", "weaken 1"]


@pytest.mark.rules("U-R24")
def test_the_printed_strength_example_with_its_numbers_swapped() -> None:
    """Three points out and four in, as the page's twelfth example."""
    game = position({1: (5, 5, 3)}, roll="roll 3 4 5", strength=True)
    game = play(game, "weaken 1", "weaken 1", "out 1", "strengthen 1", "strengthen 1", "in 1", "in 1")
    assert look(game, 1) == (5, 4, 3) and game.to_json()["player"] == 1


@pytest.mark.rules("U-R28")
def test_nothing_rests_on_the_broken_example() -> None:
    """Of what red dice do, the page is complete: with any red face every point is a step, or is ignored."""
    for red in range(1, 7):
        game = position({1: (4, 4)}, roll=f"roll {red} 1 2")
        while game.to_json()["phase"] == "out":
            (move,) = game.moves()
            game = game.play(move)
        assert look(game, 1)[:2] == (4, 4 + red)
