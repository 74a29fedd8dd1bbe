"""The rules and rulings of Over the Next Dune, by their numbers."""

import pytest

import strandline
from games.over_the_next_dune import referee
from games.over_the_next_dune.positions import GAME, TERRAIN, Json, after, at

ALL = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]


def set_up(*moves: str, **setting: object) -> strandline.Position:
    position = GAME.new(**setting)  # type: ignore[arg-type]
    for move in moves:
        position = position.play(move)
    return position


def ways(position: strandline.Position, token: int) -> set[str]:
    return {move.split()[2] for move in position.moves() if move.startswith(f"move {token} ")}


def searcher(value: Json, number: int) -> tuple[tuple[int, int], int, list[int]]:
    entry = value["searchers"][number - 1]
    return tuple(entry["at"]), entry["facing"], entry["captives"]


def token(value: Json, number: int) -> object:
    entry = value["tokens"][number - 1]
    return tuple(entry["at"]) if entry["at"] else entry["state"]


def pieces(*centres: tuple[int, int, int]) -> list[Json]:
    return [{"piece": piece, "at": [row, column]} for piece, row, column in centres]


# Goal and set-up


@pytest.mark.rules("D1", "D63", "D66")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_all_win_together_when_the_last_token_leaves(players: int) -> None:
    cards = [None, None, 1, None, None] if players > 1 else [None] * 5
    start = at("sneak", {3: (1, 9)}, players=players, mover=(3, 1), cards=cards, round=4, turns=4)
    assert start.scores() == [4] * players and start.winners() == []
    end = start.play("move 3 ne")
    assert end.turn is None and end.scores() == [5] * players and end.winners() == list(range(players))
    value = end.to_json()
    assert (value["phase"], value["result"], value["reason"], value["mover"]) == ("over", "won", "lines", None)
    assert value["cards"] == cards


@pytest.mark.rules("D63")
def test_a_captive_keeps_the_squad_from_winning() -> None:
    start = at("sneak", {3: (1, 9)}, {1: ((10, 10), 1)}, {1: [2]}, mover=(3, 1))
    value = after(start, "move 3 n")
    assert value["result"] is None and value["phase"] == "search"


@pytest.mark.rules("D2", "D-R24")
@pytest.mark.parametrize(
    ("players", "owners"), [(1, "00000"), (2, "01010"), (3, "01201"), (4, "01203"), (5, "01234")]
)  # fmt: skip
def test_everybody_moves_his_own_tokens(players: int, owners: str) -> None:
    squares = {i: (14, 3 * i) for i in range(1, 6)}
    for number, owner in enumerate(owners, 1):
        cards = [i if players > 1 else None for i in range(1, 6)]
        moved = [i for i in range(1, 6) if i < number]
        assert at("sneak", squares, players=players, cards=cards, moved=moved, mover=(number, 5)).turn == int(owner)


@pytest.mark.rules("D3", "D8", "D12", "D-R1")
def test_tokens_stand_on_the_bottom_row_from_the_beginning() -> None:
    value = GAME.new(players=4).to_json()
    assert [token(value, i) for i in range(1, 6)] == [(20, 2), (20, 6), (20, 10), (20, 14), (20, 18)]
    assert (value["phase"], value["turn"], value["round"], value["first"]) == ("terrain", "chance", 0, 0)
    assert value["deck"] == {"straight": 46, "left": 7, "right": 7}


@pytest.mark.rules("D4", "D-R2")
def test_a_piece_is_used_once() -> None:
    position = GAME.new()
    for piece, left in ((4, "12356"), (1, "2356"), (6, "235")):
        position = position.play(f"terrain {piece}").play("at 1 1")
        assert position.moves() == [f"terrain {other}" for other in left]
        assert position.odds() == pytest.approx([1 / len(left)] * len(left))


@pytest.mark.rules("D5", "D-R1")
def test_two_dice_place_the_centre_inside_the_area() -> None:
    position = GAME.new()
    for area, (top, left) in enumerate(referee.AREAS):
        position = position.play(f"terrain {area + 1}")
        assert len(position.moves()) == 36 and set(position.odds()) == {1 / 36}
        assert position.to_json()["terrain"][-1] == {"piece": area + 1, "at": None}
        position = position.play("at 2 5")
        assert position.to_json()["terrain"][-1]["at"] == [top + 1, left + 4]
    assert position.to_json()["phase"] == "searcher"


@pytest.mark.rules("D6", "D7", "D34", "D35")
def test_a_piece_may_hang_off_the_battlefield() -> None:
    terrain = pieces((6, 1, 2), *TERRAIN[2:3], (1, 3, 16), (3, 9, 5), (4, 10, 10), (5, 9, 16))
    terrain[1] = {"piece": 2, "at": [4, 10]}
    one_point = at("sneak", {1: (3, 1), 2: (14, 7)}, mover=(1, 1), terrain=terrain)
    assert ways(one_point, 1) == {"e", "s", "se"}  # (2,1) and (2,2) are rough, although the piece's left is lost
    two_points = at("sneak", {1: (3, 1), 2: (14, 7)}, mover=(1, 2), terrain=terrain)
    assert ways(two_points, 1) == {"n", "ne", "e", "se", "s"}
    assert two_points.play("move 1 e").to_json()["mover"]["points"] == 1
    assert two_points.play("move 1 n").to_json()["mover"] is None  # both points are spent


@pytest.mark.rules("D6", "D7", "D-R8")
def test_overlapping_pieces_cost_one_extra_point() -> None:
    terrain = pieces((1, 6, 4), (2, 4, 10), (4, 3, 16), (6, 7, 4), (3, 10, 10), (5, 9, 16))
    assert {(6, 4), (7, 4)} <= referee.rough({"terrain": terrain})
    start = at("sneak", {1: (5, 4)}, mover=(1, 5), terrain=terrain)
    assert after(start, "move 1 s")["mover"]["points"] == 3
    end = after(start, "move 1 s", "move 1 s")  # one point is left, but there is rough ground all around
    assert token(end, 1) == (7, 4) and end["phase"] == "search"


@pytest.mark.rules("D-R2", "D-R6")
def test_piece_4_can_be_slipped_through() -> None:
    start = at("sneak", {1: (12, 10)}, mover=(1, 5))  # the piece's centre is (10,10): (11,10) and (10,9) are gaps
    value = after(start, "move 1 n", "move 1 nw", "move 1 n")
    assert token(value, 1) == (9, 9) and value["mover"]["points"] == 2
    assert after(start, "move 1 n", "move 1 n")["mover"]["points"] == 2


@pytest.mark.rules("D9", "D-R3", "D-R5")
def test_dice_place_searchers_in_rows_2_to_12() -> None:
    terrain = [move for i in range(1, 7) for move in (f"terrain {i}", "at 1 1")]
    position = set_up(*terrain)
    expected = {f"searcher {row} {column}" for row in range(2, 13) for column in range(2, 20)}
    assert set(position.moves()) == expected and len(position.moves()) == 198
    assert position.odds() == pytest.approx([1 / 198] * 198)


@pytest.mark.rules("D9", "D10")
def test_patrols_place_one_searcher_in_each_area() -> None:
    position = set_up(*[move for i in range(1, 7) for move in (f"terrain {i}", "at 1 1")], patrols="areas")
    for top, left in referee.AREAS:
        rows = range(2, 7) if top == 1 else range(7, 12)
        expected = {f"searcher {row} {column}" for row in rows for column in range(left, left + 6)}
        assert set(position.moves()) == expected and len(position.odds()) == 30
        position = position.play(f"searcher {rows[0]} {left}")
        assert position.to_json()["searchers"][-1]["facing"] is None
        assert position.moves() == [f"facing {i}" for i in range(1, 9)] and set(position.odds()) == {1 / 8}
        position = position.play("facing 3")
    assert position.to_json()["phase"] == "search"


@pytest.mark.rules("D11", "D13", "D14")
def test_searchers_may_share_a_square_and_then_turn_1_begins() -> None:
    position = set_up(*[move for i in range(1, 7) for move in (f"terrain {i}", "at 1 1")])
    for _ in range(6):
        position = position.play("searcher 7 7").play("facing 7")
    value = position.to_json()
    assert {searcher(value, i)[0] for i in range(1, 7)} == {(7, 7)}
    assert (value["phase"], value["round"], value["searching"], value["turn"]) == ("search", 1, 1, "chance")
    value = after(position, "card straight")
    assert [searcher(value, i)[0] for i in (1, 2)] == [(7, 13), (7, 7)]  # over rough ground and searchers


# Search phase


@pytest.mark.rules("D14", "D-R32")
def test_cards_are_drawn_from_what_is_left() -> None:
    deck = {"straight": 3, "left": 0, "right": 7}
    start = at("search", {1: (20, 2)}, round=9, searching=3, deck=deck)
    assert start.moves() == ["card straight", "card right"] and start.odds() == [0.3, 0.7]
    value = after(start, "card right")
    assert value["deck"] == {"straight": 3, "left": 0, "right": 6} and value["searching"] == 4


@pytest.mark.rules("D-R32", "D-R33", "D65")
@pytest.mark.parametrize("turns", [4, 7, 10])
def test_the_sun_rises_after_the_last_turn(turns: int) -> None:
    start = at("sneak", {1: (15, 10)}, turns=turns, round=turns)
    value = after(start, "move 1 n", "stop")
    assert (value["result"], value["reason"], value["round"], value["moved"]) == ("lost", "sunrise", turns, [])
    assert sum(value["deck"].values()) == 60 - 6 * turns
    before = after(at("sneak", {1: (15, 10)}, turns=turns, round=turns - 1), "done")
    assert (before["phase"], before["round"], before["searching"]) == ("search", turns, 1)


@pytest.mark.rules("D15", "D16", "D21", "D22")
@pytest.mark.parametrize("facing", range(1, 9))
@pytest.mark.parametrize(("card", "turn"), [("straight", 0), ("left", -1), ("right", 1)])
def test_a_card_moves_six_steps_and_keeps_the_facing(facing: int, card: str, turn: int) -> None:
    start = at("search", {1: (20, 2)}, {1: ((10, 10), facing)})
    down, right = referee.vector((facing - 1 + turn) % 8 + 1)
    assert searcher(after(start, f"card {card}"), 1) == ((10 + 6 * down, 10 + 6 * right), facing, [])


@pytest.mark.rules("D17", "D20", "D21", "D-R5")
@pytest.mark.parametrize(
    ("place", "facing", "to", "then"),
    [((4, 10), 5, (6, 10), 1), ((17, 10), 1, (15, 10), 5), ((10, 3), 3, (10, 7), 7), ((10, 19), 7, (10, 13), 3)],
)
def test_an_edge_reverses_it(place: tuple[int, int], facing: int, to: tuple[int, int], then: int) -> None:
    assert searcher(after(at("search", {1: (20, 2)}, {1: (place, facing)}), "card straight"), 1) == (to, then, [])


@pytest.mark.rules("D20")
@pytest.mark.parametrize(("place", "facing", "to"), [((8, 10), 5, (2, 10)), ((13, 4), 1, (19, 4)), ((8, 8), 4, (2, 2))])
def test_ending_at_an_edge_is_no_bounce(place: tuple[int, int], facing: int, to: tuple[int, int]) -> None:
    assert searcher(after(at("search", {1: (20, 12)}, {1: (place, facing)}), "card straight"), 1) == (to, facing, [])


@pytest.mark.rules("D18", "D19", "D20", "D-R4")
@pytest.mark.parametrize(
    ("place", "facing", "card", "to", "then"),
    [
        ((17, 8), 2, "straight", (15, 2), 4),  # off the bottom edge, keeping left
        ((18, 18), 8, "straight", (14, 14), 4),  # one step, then a true corner
        ((2, 10), 6, "left", (8, 10), 1),  # the card goes straight up: the bounce beats the kept facing
        ((10, 18), 5, "right", (4, 14), 4),  # up right: one step to the side, then up left
    ],
)
def test_a_slanting_bounce(place: tuple[int, int], facing: int, card: str, to: tuple[int, int], then: int) -> None:
    value = after(at("search", {1: (20, 12)}, {1: (place, facing)}), f"card {card}")
    assert searcher(value, 1) == (to, then, [])


@pytest.mark.rules("D23", "D62")
def test_nobody_is_noticed_in_the_search_phase() -> None:
    value = after(at("search", {1: (12, 13), 2: (8, 16)}, {1: ((10, 10), 7)}), "card straight")
    assert searcher(value, 1) == ((10, 16), 7, []) and value["mover"] is None
    assert token(value, 1) == (12, 13) and token(value, 2) == (8, 16)


@pytest.mark.rules("D13", "D24", "D36")
def test_a_turn_is_a_search_phase_and_then_a_sneak_phase() -> None:
    position = at("search", {1: (15, 10), 2: (20, 18)}, round=3)
    for number in range(1, 7):
        assert position.to_json()["searching"] == number and position.turn == "chance"
        position = position.play("card straight")
    value = position.to_json()
    assert (value["phase"], value["turn"], value["searching"], value["round"]) == ("sneak", 0, None, 3)
    assert after(position, "done")["round"] == 4


# Turn-order cards


@pytest.mark.rules("D25", "D26", "D-R24")
def test_cards_are_taken_from_the_first_player_on() -> None:
    squares = {i: (15, 3 * i) for i in range(1, 6)}
    position = at("order", squares, players=4, first=3)  # owners 0 1 2 0 3
    takers, left = [], {1, 2, 3, 4, 5}
    for card in (3, 5, 1, 2, 4):
        assert set(position.moves()) == {f"order {other}" for other in left}
        takers.append((position.turn, position.to_json()["cards"].count(None)))
        position = position.play(f"order {card}")
        left.remove(card)
    assert takers == [(3, 5), (0, 4), (0, 3), (1, 2), (2, 1)]
    value = position.to_json()
    assert value["cards"] == [5, 2, 4, 1, 3] and value["first"] == 0 and value["mover"]["token"] == 4


@pytest.mark.rules("D26", "D27", "D49")
def test_card_1_is_forced_on_the_last_chooser_only() -> None:
    start = at("order", {2: (15, 4), 5: (15, 12)}, {1: ((10, 10), 1)}, {1: [3]}, players=5, first=2)
    assert start.turn == 4  # seat 2's token is caught, seat 3's is away
    assert len(start.moves()) == 5
    assert start.play("order 5").moves() == ["order 1"]
    assert start.play("order 1").moves() == [f"order {card}" for card in (2, 3, 4, 5)]
    assert after(start, "order 1", "order 2")["first"] == 4


@pytest.mark.rules("D27", "D-R27")
def test_the_first_player_stays_without_step_2() -> None:
    start = at("search", {}, {1: ((10, 3), 5)}, {1: [1, 2]}, players=2, first=1, searching=6)
    value = after(start, "card straight")
    assert (value["phase"], value["round"], value["first"]) == ("search", 3, 1)


@pytest.mark.rules("D28", "D-R25")
def test_tokens_move_in_rising_card_order() -> None:
    squares = {i: (15, 3 * i) for i in range(1, 6)}
    position = at("sneak", squares, players=5, cards=[4, 2, 5, 1, 3], mover=(4, 5))
    for turn in (3, 1, 4, 0, 2):
        assert position.turn == turn and position.to_json()["mover"]["points"] == 5
        position = position.play("stop")
    value = position.to_json()
    assert (value["phase"], value["cards"], value["moved"]) == ("search", [None] * 5, [])


@pytest.mark.rules("D2", "D28", "D33")
def test_solo_one_token_finishes_before_the_next_and_some_may_be_left_out() -> None:
    start = at("sneak", {2: (15, 10), 4: (15, 15)})
    assert ways(start, 2) == ways(start, 4) == {*ALL} and "done" in start.moves() and "stop" not in start.moves()
    going = start.play("move 4 n")
    assert ways(going, 2) == set() and "stop" in going.moves() and "done" not in going.moves()
    stopped = going.play("stop")
    assert ways(stopped, 4) == set() and ways(stopped, 2) == {*ALL} and stopped.to_json()["moved"] == [4]
    assert after(stopped, "done")["phase"] == "search"


# Steps


@pytest.mark.rules("D29", "D30")
def test_a_token_may_go_and_come_back_with_five_points() -> None:
    position = at("sneak", {1: (15, 10), 2: (20, 2)})
    for i, way in enumerate(["n", "s", "nw", "se", "e"]):
        position = position.play(f"move 1 {way}")
        assert (position.to_json()["mover"] or {"points": 0})["points"] == 4 - i
    assert token(position.to_json(), 1) == (15, 11) and position.to_json()["moved"] == [1]


@pytest.mark.rules("D29", "D33")
def test_with_others_a_token_may_stop_without_a_step() -> None:
    start = at("sneak", {1: (15, 10), 2: (15, 14)}, players=2, cards=[2, 1, None, None, None], mover=(2, 5))
    value = after(start, "stop")
    assert value["moved"] == [2] and value["mover"]["token"] == 1 and value["turn"] == 0


@pytest.mark.rules("D31", "D60", "D-R6")
def test_searchers_and_tokens_are_in_the_way_but_not_diagonally() -> None:
    tokens = {1: (15, 10), 2: (14, 10), 3: (15, 11)}
    start = at("sneak", tokens, {1: ((17, 9), 1)}, mover=(1, 5))
    assert ways(start, 1) == {*ALL} - {"n", "e", "s", "sw"}  # (16,8) to (16,10) are covered, ne is between two tokens


@pytest.mark.rules("D32", "D-R7")
@pytest.mark.parametrize(
    ("column", "expected"), [(1, {"n", "ne", "e", "se", "s"}), (20, {"n", "nw", "w", "sw", "s"}), (9, {*ALL})]
)  # fmt: skip
def test_leaving_is_by_the_top_and_not_across_a_corner(column: int, expected: set[str]) -> None:
    start = at("sneak", {1: (1, column), 2: (20, 10)}, dict.fromkeys(range(1, 7), ((9, 9), 1)), mover=(1, 5))
    assert ways(start, 1) == expected
    value = after(start, "move 1 n")
    assert token(value, 1) == "away" and value["mover"] is None and value["moved"] == []
    assert value["phase"] == "sneak" and not ways(strandline.Position.from_json(value), 1)


@pytest.mark.rules("D32")
def test_nobody_leaves_by_the_sides_or_the_bottom() -> None:
    assert ways(at("sneak", {1: (20, 1)}, mover=(1, 5)), 1) == {"n", "ne", "e"}
    assert ways(at("sneak", {1: (20, 20)}, mover=(1, 5)), 1) == {"n", "nw", "w"}


@pytest.mark.rules("D34", "D35")
def test_rough_ground_costs_one_point_more() -> None:
    start = at("sneak", {1: (10, 5), 2: (20, 20)}, mover=(1, 2))
    assert {"n", "ne", "nw"} <= ways(start, 1)
    poor = at("sneak", {1: (10, 5), 2: (20, 20)}, mover=(1, 1))
    assert ways(poor, 1) == {"e", "se", "s", "sw", "w"}
    assert after(at("sneak", {1: (10, 5), 2: (20, 20)}), "move 1 n")["mover"]["points"] == 3
    leaving = at("sneak", {1: (9, 5), 2: (20, 20)})
    assert after(leaving, "move 1 s")["mover"]["points"] == 4


@pytest.mark.rules("D-R29")
def test_steps_that_nobody_can_take_are_not_asked_for() -> None:
    corner = {1: (20, 1), 2: (20, 2), 3: (19, 1), 4: (19, 2)}
    solo = at("sneak", {**corner, 5: (15, 10)})
    assert ways(solo, 1) == set() and ways(solo, 3)
    together = at("sneak", {**corner, 5: (15, 10)}, players=5, cards=[2, 3, 4, 5, 1], mover=(5, 5))
    value = after(together, "stop")
    assert value["moved"] == [1, 5] and value["mover"]["token"] == 2  # token 1 is shut in and counts as moved
    last = at("sneak", corner, moved=[2, 3], mover=(4, 1))
    assert after(last, "move 4 e")["phase"] == "sneak"  # token 1 can step now
    assert after(at("sneak", corner, moved=[2, 3], mover=(4, 1)), "stop")["phase"] == "search"


@pytest.mark.rules("D-R30")
def test_with_nobody_free_only_cards_are_drawn() -> None:
    position = at("search", {}, {1: ((10, 10), 5)}, {1: [1, 2, 3, 4, 5]}, players=3, round=3, turns=4, searching=6)
    position = position.play("card straight")
    assert position.to_json()["round"] == 4
    for _ in range(6):
        assert position.to_json()["phase"] == "search"
        position = position.play("card straight")
    assert position.to_json()["reason"] == "sunrise" and position.scores() == [0, 0, 0]


# Trails


@pytest.mark.rules("D37", "D38", "D39")
def test_markers_lie_in_trail_columns_and_are_replaced() -> None:
    start = at("sneak", {1: (15, 5), 2: (20, 20)}, markers=[[15, 5, 3], [18, 2, 1]])
    value = after(start, "move 1 e")
    assert value["markers"] == [[15, 5, 7], [18, 2, 1]]
    assert after(start, "move 1 e", "move 1 e")["markers"] == value["markers"]  # column 6 is none
    assert after(start, "move 1 e", "move 1 w", "move 1 n")["markers"] == [[15, 5, 5], [18, 2, 1]]
    onto = after(at("sneak", {1: (15, 5), 2: (20, 20)}, markers=[[14, 4, 3]]), "move 1 nw")
    assert onto["markers"] == [[14, 4, 3], [15, 5, 4]] and onto["mover"]["points"] == 4  # tokens ignore them


@pytest.mark.rules("D40", "D42", "D-R4")
def test_a_marker_turns_the_search_and_the_facing() -> None:
    start = at("search", {1: (20, 20)}, {1: ((10, 8), 2)}, markers=[[10, 5, 5], [11, 5, 1], [15, 5, 1]])
    value = after(start, "card right")  # left along row 10: at (10,6) it covers two, the upper one counts
    assert searcher(value, 1) == ((6, 6), 5, []) and value["markers"] == [[15, 5, 1]]


@pytest.mark.rules("D20", "D40", "D-R4")
def test_the_last_of_bounces_and_markers_gives_the_facing() -> None:
    start = at("search", {1: (20, 20)}, {1: ((5, 4), 5)}, markers=[[3, 3, 5]])
    assert searcher(after(start, "card straight"), 1) == ((5, 4), 1, [])  # up to row 2 by the marker, then a bounce


@pytest.mark.rules("D41", "D-R15")
@pytest.mark.parametrize(
    ("middle", "markers", "expected"),
    [
        (4, [[13, 3, 1], [12, 5, 7]], 7),  # the top row first
        (4, [[12, 3, 3], [12, 4, 7], [12, 5, 8]], 8),  # left of the middle the rightmost
        (17, [[12, 16, 6], [12, 17, 7], [12, 18, 8]], 6),  # right of it the leftmost
        (17, [[14, 16, 6], [13, 18, 8]], 8),
    ],
)
def test_the_topmost_and_then_the_innermost_marker_counts(middle: int, markers: list[list[int]], expected: int) -> None:
    friends = {1: (11, middle), 2: (15, middle), 4: (11, middle + 1)}
    rescue = at("drop", friends, {1: ((13, middle), 3)}, {1: [3]}, markers=sorted(markers), rescue=1)
    freed = after(rescue, f"drop 3 15 {middle + 1}")
    assert searcher(freed, 1) == ((13, middle), expected, []) and freed["markers"] == []


@pytest.mark.rules("D43", "D-R12", "D47")
def test_a_carrier_ignores_markers_and_carries_its_captives_on() -> None:
    start = at("search", {2: (20, 20)}, {1: ((14, 4), 5)}, {1: [1]}, markers=[[12, 3, 7], [14, 4, 3]])
    value = after(start, "card straight")
    assert searcher(value, 1) == ((8, 4), 5, [1]) and value["markers"] == [[12, 3, 7], [14, 4, 3]]
    bounced = after(at("search", {2: (20, 20)}, {1: ((4, 10), 5)}, {1: [1, 3]}), "card straight")
    assert searcher(bounced, 1) == ((6, 10), 1, [1, 3])


@pytest.mark.rules("D-R10", "D-R11", "D-R9")
def test_only_steps_leave_markers() -> None:
    caught = after(at("search", {1: (10, 4), 2: (20, 20)}, {1: ((6, 4), 1)}), "card straight")
    assert token(caught, 1) == "caught" and caught["markers"] == []
    leaving = at("sneak", {1: (1, 18), 2: (20, 10)}, {1: ((3, 17), 1)}, mover=(1, 5))
    value = after(leaving, "move 1 ne")
    assert value["markers"] == [[1, 18, 6]] and searcher(value, 1)[0] == (3, 17)


@pytest.mark.rules("D-R13", "D-R11")
def test_a_carrier_that_becomes_empty_reads_the_markers_under_it() -> None:
    friends = {1: (14, 2), 2: (14, 3), 3: (14, 4)}
    start = at("drop", friends, {1: ((16, 3), 1)}, {1: [4, 5]}, rescue=1, markers=[[15, 2, 6], [16, 3, 2], [18, 3, 7]])
    half = start.play("drop 4 18 3")
    assert half.to_json()["phase"] == "drop" and searcher(half.to_json(), 1)[1] == 1
    value = after(half, "drop 5 18 4")
    assert searcher(value, 1) == ((16, 3), 6, []) and value["markers"] == [[18, 3, 7]]


# Caught


@pytest.mark.rules("D44", "D45", "D46", "D-R14")
def test_all_tokens_under_a_searcher_are_caught_together() -> None:
    start = at("search", {1: (13, 9), 2: (13, 11), 3: (15, 10)}, {1: ((10, 10), 1)}, {1: [4]})
    value = after(start, "card straight")
    assert searcher(value, 1) == ((12, 10), 1, [1, 2, 4]) and token(value, 3) == (15, 10)
    turned = after(at("search", {1: (10, 13), 2: (20, 2)}, {1: ((10, 10), 8)}), "card left")
    assert searcher(turned, 1) == ((10, 12), 1, [1])  # it stops and faces 1, whatever the card


@pytest.mark.rules("D46", "D-R25", "D61")
def test_a_caught_token_gives_its_card_back_and_is_passed_over() -> None:
    tokens = {1: (14, 10), 2: (17, 13), 3: (20, 2)}
    start = at("sneak", tokens, {4: ((16, 11), 6)}, players=3, cards=[1, 2, 3, None, None], mover=(1, 5))
    value = after(start, "move 1 e")
    assert searcher(value, 4) == ((16, 12), 1, [2]) and value["cards"] == [1, None, 3, None, None]
    assert after(start, "move 1 e", "stop")["mover"]["token"] == 3


@pytest.mark.rules("D47", "D48")
def test_other_searchers_pass_over_captives() -> None:
    start = at("search", {3: (20, 2)}, {1: ((10, 10), 7), 2: ((10, 13), 5)}, {2: [1]})
    value = after(start, "card straight")
    assert searcher(value, 1) == ((10, 16), 7, []) and searcher(value, 2)[2] == [1]


@pytest.mark.rules("D49")
def test_the_owners_other_tokens_may_move() -> None:
    start = at("order", {1: (15, 3), 3: (15, 12)}, {1: ((10, 10), 1)}, {1: [2, 5]}, players=2)
    assert start.turn == 0 and after(start, "order 2")["turn"] == 0
    assert after(start, "order 2", "order 1")["cards"] == [2, None, 1, None, None]


# Rescues


def rescuers(**fields: object) -> strandline.Position:
    """Token 3 can make the third friend at searcher 2 by a step to the right."""
    tokens = {1: (16, 9), 2: (20, 10), 3: (19, 6)}
    return at("sneak", tokens, {2: ((18, 9), 1)}, {2: [5]}, mover=(3, 4), **fields)


@pytest.mark.rules("D50", "D51", "D52", "D55", "D-R17", "D-R36")
def test_a_third_friend_frees_the_captives_in_the_middle_of_a_movement() -> None:
    position = rescuers().play("move 3 e")
    ring = {(r, c) for r in range(16, 21) for c in range(7, 12) if max(abs(r - 18), abs(c - 9)) == 2}
    assert set(position.moves()) == {f"drop 5 {r} {c}" for r, c in ring - {(16, 9), (20, 10), (19, 7)}}
    value = after(position, "drop 5 18 11")
    assert (value["phase"], value["mover"]) == ("sneak", {"token": 3, "points": 3, "alert": [2], "halted": []})
    assert token(value, 5) == (18, 11) and searcher(value, 2) == ((18, 9), 1, [])


@pytest.mark.rules("D54", "D-R26", "D-R36")
def test_a_freed_token_may_move_later_if_it_has_not_moved() -> None:
    value = after(rescuers(moved=[1]), "move 3 e", "drop 5 18 11", "stop")
    position = strandline.Position.from_json(value)
    assert value["moved"] == [1, 3] and ways(position, 5) and ways(position, 2) and not ways(position, 1)
    pulled = after(position, "move 5 ne")
    assert searcher(pulled, 2)[0] == (17, 10)  # it starts adjacent to its old captor
    waits = rescuers(moved=[1, 5]).play("move 3 e").play("drop 5 18 11").play("stop")
    assert not ways(waits, 5) and waits.to_json()["moved"] == [1, 3, 5]


@pytest.mark.rules("D52")
def test_a_freed_token_may_be_placed_on_rough_ground_at_no_cost() -> None:
    friends = {1: (12, 9), 2: (12, 11), 3: (14, 8)}
    start = at("drop", friends, {1: ((14, 10), 1)}, {1: [4]}, rescue=1, mover=(3, 2))
    assert "drop 4 12 10" in start.moves()
    rough = at("drop", {1: (6, 9), 2: (6, 11), 3: (8, 8)}, {1: ((8, 10), 1)}, {1: [4]}, rescue=1, mover=(3, 2))
    value = after(rough, "drop 4 10 10")
    assert (10, 10) in referee.rough(value) and token(value, 4) == (10, 10) and value["mover"]["points"] == 2


@pytest.mark.rules("D50", "D-R19")
def test_two_friends_are_not_enough() -> None:
    start = at("sneak", {1: (16, 9), 2: (19, 6), 3: (3, 19)}, {2: ((18, 9), 1)}, {2: [5]}, mover=(2, 4))
    assert after(start, "move 2 e")["phase"] == "sneak"


@pytest.mark.rules("D53", "D-R25", "D-R26", "D27")
def test_freed_tokens_take_late_cards_in_squad_order() -> None:
    tokens = {1: (16, 9), 2: (20, 10), 3: (19, 6)}
    fields = {"players": 5, "first": 4, "cards": [3, 4, 2, None, None], "mover": (3, 4)}
    start = at("sneak", tokens, {2: ((18, 9), 1)}, {2: [4, 5]}, **fields)
    position = start.play("move 3 e")
    assert position.turn == 4 and all(move.startswith("drop 5 ") for move in position.moves())
    position = position.play("drop 5 16 7").play("drop 4 16 8")
    value = position.to_json()
    assert (value["phase"], value["turn"], value["mover"]["points"]) == ("late_order", 4, 3)
    assert position.moves() == ["order 1", "order 5"]
    assert position.play("order 5").moves() == ["order 1"] and position.play("order 5").turn == 3
    value = after(position, "order 5", "order 1")
    assert value["first"] == 4 and value["mover"]["token"] == 3  # a late card 1 makes no first player
    assert after(position, "order 5", "order 1", "stop")["mover"]["token"] == 4  # but the next mover
    moved = at("sneak", tokens, {2: ((18, 9), 1)}, {2: [5]}, moved=[5], **{**fields, "cards": [3, 4, 2, None, None]})
    assert after(moved, "move 3 e", "drop 5 16 7")["phase"] == "sneak"  # it has moved, and takes no card


@pytest.mark.rules("D27", "D53")
def test_a_single_late_chooser_is_not_forced_to_take_card_1() -> None:
    tokens = {1: (16, 9), 2: (20, 10), 3: (19, 6)}
    cards = [3, 4, 2, None, None]
    start = at("sneak", tokens, {2: ((18, 9), 1)}, {2: [5]}, players=5, cards=cards, mover=(3, 4))
    assert start.play("move 3 e").play("drop 5 16 7").moves() == ["order 1", "order 5"]


@pytest.mark.rules("D55", "D-R29")
def test_a_mover_without_points_ends_after_the_rescue() -> None:
    tokens = {1: (16, 9), 2: (20, 10), 3: (19, 6)}
    start = at("sneak", tokens, {2: ((18, 9), 1)}, {2: [5]}, players=5, cards=[3, 4, 2, None, None], mover=(3, 1))
    drop = start.play("move 3 e")
    assert drop.to_json()["mover"]["points"] == 0
    late = drop.play("drop 5 16 7")
    assert late.to_json()["mover"]["token"] == 3 and late.to_json()["phase"] == "late_order"
    value = after(late, "order 1")
    assert value["moved"] == [3] and value["mover"]["token"] == 5


@pytest.mark.rules("D-R18", "D-R17", "D53")
def test_a_rescue_due_after_the_search_comes_before_the_cards() -> None:
    friends = {1: (14, 9), 2: (14, 10), 3: (14, 11)}
    start = at("search", friends, {1: ((16, 10), 1), 6: ((5, 5), 1)}, {1: [4]}, players=5, first=3, searching=6)
    position = start.play("card straight")
    assert (position.to_json()["phase"], position.turn, position.to_json()["mover"]) == ("drop", 3, None)
    position = position.play("drop 4 18 10")
    assert position.to_json()["phase"] == "order" and position.turn == 3
    assert position.to_json()["cards"] == [None] * 5


@pytest.mark.rules("D-R19")
def test_freed_tokens_help_to_free_others() -> None:
    friends = {1: (12, 10), 2: (12, 9), 3: (12, 8)}
    start = at("drop", friends, {1: ((18, 10), 1), 2: ((14, 10), 1)}, {1: [5], 2: [4]}, rescue=2, round=3)
    after_one = start.play("drop 4 16 10")
    assert after_one.to_json()["phase"] == "sneak"  # one freed token is no help for searcher 1 yet
    near = {1: (16, 8), 2: (16, 12), 3: (12, 10)}
    chain = at("drop", near, {1: ((18, 10), 1), 2: ((14, 10), 1)}, {1: [5], 2: [4]}, rescue=2)
    value = after(chain, "drop 4 16 11")
    assert (value["phase"], value["rescue"]) == ("drop", 1)
    assert after(chain, "drop 4 12 8")["rescue"] is None


@pytest.mark.rules("D-R19")
def test_without_an_open_square_a_captive_stays() -> None:
    """Searcher 1 is in the corner, with friends on three of the seven squares around it."""
    friends = {1: (1, 4), 2: (2, 4), 3: (4, 1)}
    start = at("drop", friends, {1: ((2, 2), 1), 2: ((5, 4), 1)}, {1: [4, 5]}, rescue=1)
    assert set(start.moves()) == {"drop 4 3 4", "drop 4 4 2"}  # searcher 2 covers (4,3) and (4,4)
    tight = at("drop", friends, {1: ((2, 2), 1), 2: ((5, 4), 1), 3: ((5, 3), 1)}, {1: [4, 5]}, rescue=1)
    assert tight.moves() == ["drop 4 3 4"]
    value = after(tight, "drop 4 3 4")
    assert value["phase"] == "sneak" and searcher(value, 1)[2] == [5] and token(value, 5) == "caught"
    shut = at("sneak", {**friends, 4: (3, 4)}, {1: ((2, 2), 1), 2: ((5, 4), 1), 3: ((5, 3), 1)}, {1: [5]})
    assert shut.to_json()["phase"] == "sneak"  # four friends and no open square: no rescue is due
    assert after(shut, "move 1 ne")["phase"] == "drop"  # a friend who leaves makes room


# Following


@pytest.mark.rules("D56", "D57")
@pytest.mark.parametrize(
    ("square", "adjacent"),
    [((12, 12), True), ((8, 8), True), ((8, 10), True), ((10, 12), True), ((13, 10), False), ((10, 7), False)],
)
def test_adjacent_is_touching_at_a_side_or_corner(square: tuple[int, int], adjacent: bool) -> None:
    cards = [1, 2, None, None, None]
    start = at("sneak", {1: square, 2: (20, 20)}, {3: ((10, 10), 1)}, players=5, cards=cards, mover=(1, 5))
    assert start.to_json()["mover"]["alert"] == ([3] if adjacent else [])
    away = {8: "n", 12: "s", 13: "s", 10: "e" if square[1] > 10 else "w"}[square[0]]
    value = after(start, f"move 1 {away}")
    assert (searcher(value, 3)[0] != (10, 10)) == adjacent


@pytest.mark.rules("D57", "D58", "D59")
def test_a_searcher_follows_from_the_next_step_on_until_the_movement_ends() -> None:
    position = at("sneak", {1: (14, 10), 2: (20, 2)}, {1: ((11, 10), 3)})
    position = position.play("move 1 n")
    assert searcher(position.to_json(), 1)[0] == (11, 10) and position.to_json()["mover"]["alert"] == [1]
    for way, at_ in (("w", (11, 9)), ("sw", (12, 8)), ("s", (13, 8))):
        position = position.play(f"move 1 {way}")
        assert searcher(position.to_json(), 1) == (at_, 3, [])
    value = after(position, "stop", "move 2 n")
    assert searcher(value, 1)[0] == (13, 8) and value["mover"]["alert"] == []


@pytest.mark.rules("D59", "D-R22")
def test_a_later_token_can_pull_a_halted_searcher_again() -> None:
    tokens = {1: (14, 10), 2: (17, 13), 3: (14, 13)}
    start = at("sneak", tokens, {4: ((16, 11), 6)}, mover=(1, 5))
    position = start.play("move 1 e")
    assert position.to_json()["mover"] == {"token": 1, "points": 4, "alert": [], "halted": [4]}
    position = position.play("move 1 n").play("stop").play("move 3 n")
    assert searcher(position.to_json(), 4) == ((15, 12), 1, [2])


@pytest.mark.rules("D58", "D-R21")
def test_a_follower_at_the_edge_stays_and_follows_later() -> None:
    start = at("sneak", {1: (8, 18), 2: (20, 2)}, {1: ((10, 19), 1)}, mover=(1, 5))
    position = start.play("move 1 n").play("move 1 ne")
    assert searcher(position.to_json(), 1)[0] == (9, 19)  # north, and then not to column 20, not even north alone
    assert position.to_json()["mover"]["alert"] == [1]
    assert searcher(after(position, "move 1 w"), 1)[0] == (9, 18)


@pytest.mark.rules("D-R20", "D-R28", "D61")
def test_several_searchers_follow_in_the_order_of_their_numbers() -> None:
    tokens = {1: (10, 10), 2: (11, 14)}
    around = {3: ((10, 12), 2), 5: ((12, 12), 2), 6: ((8, 8), 2)}
    value = after(at("sneak", tokens, around, {6: [5]}, mover=(1, 5)), "move 1 n")
    assert searcher(value, 3) == ((9, 12), 2, []) and searcher(value, 5) == ((11, 12), 2, [])
    assert searcher(value, 6) == ((7, 8), 2, [5])  # carriers follow too
    east = at("sneak", {1: (14, 10), 2: (16, 15)}, {2: ((16, 12), 4), 5: ((16, 12), 4)}, mover=(1, 5))
    value = after(east, "move 1 ne")
    assert searcher(value, 2) == ((15, 13), 4, []) and searcher(value, 5) == ((15, 13), 4, [])
    value = after(east, "move 1 e")
    assert searcher(value, 2)[0] == (16, 13) and value["mover"]["alert"] == [2, 5]
    both = at("sneak", {1: (14, 10), 2: (16, 14)}, {2: ((16, 12), 4), 5: ((16, 12), 4)}, mover=(1, 5))
    value = after(both, "move 1 e")
    assert searcher(value, 2) == ((16, 13), 1, [2]) and searcher(value, 5) == ((16, 13), 4, [])
    assert value["mover"] == {"token": 1, "points": 4, "alert": [5], "halted": [2]}


@pytest.mark.rules("D-R23", "D40", "D42")
def test_a_follower_reads_markers_but_keeps_its_path() -> None:
    start = at("sneak", {1: (10, 5), 2: (20, 20)}, {1: ((12, 5), 1)}, mover=(1, 5))
    position = start.play("move 1 w")  # its own marker (10,5) is not covered at (12,4)
    assert searcher(position.to_json(), 1) == ((12, 4), 1, []) and position.to_json()["markers"] == [[10, 5, 3]]
    position = position.play("move 1 n")
    assert searcher(position.to_json(), 1) == ((11, 4), 3, [])  # (10,5) w counts by its column, nearer the middle
    assert position.to_json()["markers"] == []
    assert searcher(after(position, "move 1 e"), 1)[0] == (11, 5)


@pytest.mark.rules("D60")
def test_following_cannot_be_refused_or_turned_into_pushing() -> None:
    start = at("sneak", {1: (12, 10), 2: (20, 2)}, {1: ((10, 10), 1)}, mover=(1, 5))
    assert ways(start, 1) == {"e", "se", "s", "sw", "w"}
    assert searcher(after(start, "move 1 s"), 1)[0] == (11, 10)


# The end


@pytest.mark.rules("D64", "D-R16", "D-R28")
def test_a_carrier_on_row_20_loses_at_once() -> None:
    search = after(at("search", {2: (5, 5)}, {1: ((15, 10), 1)}, {1: [1]}), "card straight")
    assert searcher(search, 1) == ((19, 10), 1, [1]) and (search["phase"], search["reason"]) == ("over", "camp")
    bounced = after(at("search", {2: (5, 5)}, {1: ((18, 10), 1)}), "card straight")
    assert searcher(bounced, 1)[0] == (14, 10) and bounced["result"] is None  # an empty one may go there
    value = after(at("sneak", {2: (18, 8), 3: (5, 5)}, {1: ((18, 10), 1)}, {1: [1]}, mover=(2, 5)), "move 2 sw")
    assert (value["result"], value["reason"], value["mover"], value["moved"]) == ("lost", "camp", None, [])
    saved = at("sneak", {2: (16, 10), 3: (5, 5)}, {1: ((18, 10), 1)}, {1: [1]}, mover=(2, 5))
    assert searcher(after(saved, "move 2 n"), 1) == ((17, 10), 1, [1])


@pytest.mark.rules("D64", "D-R16")
def test_catching_on_row_20_loses_at_once() -> None:
    cards = [1, 2, None, None, None]
    start = at("sneak", {1: (17, 9), 2: (20, 11)}, {1: ((19, 9), 1)}, players=2, cards=cards, mover=(1, 5))
    assert after(start, "move 1 w")["result"] is None
    value = after(start, "move 1 e")
    assert (value["reason"], searcher(value, 1)) == ("camp", ((19, 10), 1, [2]))
    assert value["cards"] == [1, None, None, None, None] and value["turn"] is None


@pytest.mark.rules("D65", "D1")
def test_a_token_on_the_battlefield_at_sunrise_loses() -> None:
    end = at("sneak", {1: (1, 15), 2: (1, 17)}, mover=(1, 1), round=10).play("move 1 n").play("done")
    assert end.to_json()["reason"] == "sunrise" and end.winners() == [] and end.scores() == [4]


@pytest.mark.rules("D-R31")
def test_hopeless_ends() -> None:
    tokens = {1: (12, 10), 2: (20, 2), 3: (20, 5)}
    for hopeless, reason in ((True, "hopeless"), (False, None)):
        start = at("search", tokens, {1: ((7, 10), 1)}, hopeless_ends=hopeless)
        assert after(start, "card straight")["reason"] == reason
        friends = {1: (14, 10), 2: (17, 13), 3: (20, 2)}
        pulled = at("sneak", friends, {4: ((16, 11), 6)}, hopeless_ends=hopeless, mover=(1, 5))
        assert after(pulled, "move 1 e")["reason"] == reason
        leaving = at("sneak", {1: (1, 15), 2: (20, 2), 3: (20, 5)}, {1: ((12, 12), 1)}, {1: [4]},
                     hopeless_ends=hopeless, mover=(1, 1))  # fmt: skip
        assert after(leaving, "move 1 n")["reason"] == reason
    four = at("search", {**tokens, 4: (20, 9)}, {1: ((7, 10), 1)}, hopeless_ends=True)
    assert after(four, "card straight")["result"] is None


@pytest.mark.rules("D67", "D-R34", "D-R35")
def test_talk_is_no_move_and_every_game_ends() -> None:
    position = at("order", {1: (15, 3), 2: (15, 4)}, players=5)
    assert all(move.startswith("order ") for move in position.moves())
    with pytest.raises(strandline.IllegalMove):
        position.play("talk 1 2")
    rows = GAME.simulate(2000, players=3, seed=3, threads=1)
    assert rows.rounds.max() <= 10 and rows.steps.max() <= 24 + 10 * (6 + 5 + 25 + 5 + 5 + 5)
