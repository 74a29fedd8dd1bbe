"""The rules and rulings of Reef Route, by their numbers."""

import random
from itertools import permutations

import pytest

import strandline
from games.reef_route.positions import COLOURS, after, at, living

GAME = strandline.game("reef_route")
THREES = ("ssm", "ssl", "smm", "sml", "sll", "mml", "mll")
FOURS = ("ssmm", "ssml", "smml")


def placed(position: strandline.Position, *tiles: str) -> strandline.Position:
    for tile in tiles:
        position = position.play(f"place {tile}")
    return position


# Set-up


@pytest.mark.rules("F1", "F20", "F-R1")
@pytest.mark.parametrize("row", range(1, 9))
def test_the_reef_can_be_entered_from_every_row_of_column_10(row: int) -> None:
    start = at("fish", "yellow", "yellow", yellow=[(9, row)], red=[(1, 1)], lairs=[(1, 3), (1, 5), (1, 7)])
    there = start.play("swim yellow 1 forward")
    assert living(there.to_json(), "yellow") == {1: (10, row)}
    assert there.play("swim yellow 1 forward").to_json()["fish"]["yellow"][0] == "reef"


@pytest.mark.rules("F2", "F3", "F-R5", "F-R6")
@pytest.mark.parametrize("letters", THREES + FOURS)
def test_the_table_lays_the_predators_against_the_reef(letters: str) -> None:
    rows = {"ssm": "247", "ssl": "246", "smm": "247", "sml": "246", "sll": "136", "mml": "246", "mll": "136"}
    value = GAME.new(predators=letters).to_json()
    assert "".join(predator["size"][0] for predator in value["predators"]) == letters
    assert [predator["row"] for predator in value["predators"]] == [*map(int, rows.get(letters, "1357"))]
    for predator in value["predators"]:
        assert predator["col"] == (10 if predator["size"] == "small" else 9)
    assert (value["phase"], value["turn"]) == ("place", 0)


@pytest.mark.rules("F2", "F-R6", "F-R7")
@pytest.mark.parametrize("letters", ["ssll", "smll", "mmll", "sss", "lms", "sm", ""])
def test_other_sets_are_refused(letters: str) -> None:
    with pytest.raises(strandline.BadOptions, match="predators"):
        GAME.new(predators=letters)
    assert GAME.options["predators"].default == "sml"


@pytest.mark.rules("F4", "F-R5", "F-R7")
def test_lots_give_every_legal_layout_the_same_chance() -> None:
    layouts = GAME.new(predators="sml", setup="chance")
    moves = layouts.moves()
    assert layouts.turn == "chance" and set(layouts.odds()) == {1 / len(moves)}
    free = {"layout " + " ".join(map(str, rows)) for rows in permutations(range(1, 9), 3)
            if rows[2] < 8 and len({rows[0], rows[0] + 1, rows[1], rows[1] + 1, *range(rows[2], rows[2] + 3)}) == 7
            }  # fmt: skip
    assert set(moves) == free
    value = after(layouts, "layout 8 1 4")
    assert [(predator["col"], predator["row"]) for predator in value["predators"]] == [(10, 8), (9, 1), (9, 4)]
    assert (value["phase"], value["turn"], value["seat"]) == ("place", 0, 0)


@pytest.mark.rules("F4", "F-R5")
def test_equal_predators_are_told_apart_by_their_numbers() -> None:
    moves = GAME.new(predators="ssm", setup="chance").moves()
    assert "layout 2 4 7" in moves and "layout 4 2 7" in moves
    assert len(moves) == 120


@pytest.mark.rules("F4", "F7", "F-R5", "F-R7")
def test_players_put_the_predators_in_turn() -> None:
    position = GAME.new(players=2, predators="sml", setup="players")
    assert position.moves() == [f"put 1 {row}" for row in range(1, 9)]
    position = position.play("put 1 3")
    assert position.turn == 1
    assert position.moves() == ["put 2 1", "put 2 5", "put 2 8"]  # 6 or 7 would leave no room for the large one
    position = position.play("put 2 1")
    assert position.turn == 0
    assert position.moves() == ["put 3 5", "put 3 6", "put 3 7"]
    value = after(position, "put 3 6")
    assert (value["phase"], value["turn"], value["predators"][2]["col"]) == ("place", 0, 9)


@pytest.mark.rules("F-R5")
def test_the_fourth_predator_comes_round_and_a_single_row_is_still_a_decision() -> None:
    position = GAME.new(players=3, predators="smml", setup="players")
    for move, seat in (("put 1 1", 0), ("put 2 3", 1), ("put 3 5", 2)):
        assert position.turn == seat
        position = position.play(move)
    assert position.turn == 0 and position.moves() == ["put 4 7"]


@pytest.mark.rules("F5", "F6", "F7", "F8", "F-R9", "F-R10")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("school", [2, 3, 4])
def test_players_place_their_own_colour_one_fish_at_a_time(players: int, school: int) -> None:
    position = GAME.new(players=players, school=school)
    rng = random.Random(players * school)
    for turn in range(players * school):
        seat, number = turn % players, turn // players
        assert position.turn == seat
        columns = {move.split()[1] for move in position.moves()}
        assert columns == ({"2"} if number == 0 else {"1"} if position.moves()[0][6] == "1" else {"1", "2"})
        assert len(position.moves()) == (8 if number == 0 else 16) - turn
        move = rng.choice(position.moves())
        position = position.play(move)
        assert position.to_json()["fish"][COLOURS[seat]][number] == [*map(int, move.split()[1:])]
    assert position.to_json()["phase"] in ("fill", "roll")


@pytest.mark.rules("F9", "F10", "F-R11", "F-R12")
def test_lots_are_drawn_from_all_fish_and_blanks() -> None:
    position = placed(GAME.new(players=2, school=2), "2 1", "2 2", "2 4", "1 1")
    value = position.to_json()
    assert (value["phase"], value["turn"], value["seat"], value["tile"]) == ("fill", "chance", 0, [2, 3])
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    assert odds == pytest.approx({"fill green": 2 / 12, "fill blue": 2 / 12, "fill empty": 8 / 12})
    position = position.play("fill empty")
    assert position.to_json()["tile"] == [2, 5]  # (2,4) has a fish already
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    assert odds == pytest.approx({"fill green": 2 / 11, "fill blue": 2 / 11, "fill empty": 7 / 11})
    for item in ("green", "blue", "green"):
        position = position.play(f"fill {item}")
    assert position.moves() == ["fill blue", "fill empty"]
    value = after(position, "fill blue")  # eight blanks stay in the pool: nothing more to lay out
    assert (value["phase"], value["seat"], value["tile"], value["rolls"]) == ("roll", 0, None, 0)
    assert value["fish"]["green"] == [[2, 5], [2, 7]] and value["fish"]["blue"] == [[2, 6], [2, 8]]


@pytest.mark.rules("F10")
def test_the_last_kind_is_laid_out_without_a_lot() -> None:
    position = placed(GAME.new(players=3, school=3), "2 1", "2 2", "2 3", "2 4", "2 5", "2 6", "2 7", "2 8", "1 1")
    for _ in range(4):
        assert position.moves() == ["fill blue", "fill empty"]
        position = position.play("fill empty")
    assert position.to_json()["fish"]["blue"] == [[1, 6], [1, 7], [1, 8]]
    assert position.to_json()["phase"] == "roll"


@pytest.mark.rules("F-R13", "F10", "F11")
@pytest.mark.parametrize("school", [2, 3, 4])
def test_four_players_fill_nothing_in(school: int) -> None:
    position = GAME.new(players=4, school=school)
    for _ in range(4 * school):
        position = position.play(position.moves()[-1])
    value = position.to_json()
    assert (value["phase"], value["turn"], value["seat"], value["rolls"]) == ("roll", "chance", 0, 0)
    assert sum(len(living(value, colour)) for colour in COLOURS) == 4 * school


# The dice


@pytest.mark.rules("F12", "F-R3", "F-R4")
@pytest.mark.parametrize(
    ("faces", "two", "with_colour", "twice", "mixed"),
    [(2, 1 / 9, 1 / 9, 1 / 36, 1 / 18), (1, 1 / 25, 2 / 25, 1 / 25, 2 / 25)],
)
def test_the_odds_of_a_roll(faces: int, two: float, with_colour: float, twice: float, mixed: float) -> None:
    position = at("roll", yellow=[(2, 2)], red=[(1, 1)], options={"predator_faces": faces})
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    assert len(odds) == 15 and sum(odds.values()) == pytest.approx(1)
    assert odds["roll predator predator"] == pytest.approx(two)
    assert all(odds[f"roll predator {colour}"] == pytest.approx(with_colour) for colour in COLOURS)
    assert all(odds[f"roll {colour} {colour}"] == pytest.approx(twice) for colour in COLOURS)
    assert odds["roll yellow red"] == odds["roll red blue"] == odds["roll green blue"] == pytest.approx(mixed)
    with pytest.raises(strandline.IllegalMove):
        position.play("roll red yellow")


@pytest.mark.rules("F11", "F12")
def test_predator_dice_come_before_colours_and_then_the_turn_passes() -> None:
    position = at("roll", yellow=[(2, 2)], red=[(1, 1)], rolls=4)
    position = position.play("roll predator yellow")
    value = position.to_json()
    assert (value["phase"], value["dice"], value["rolls"]) == ("predator", ["predator", "yellow"], 5)
    assert all(move.startswith("predator") for move in position.moves())
    position = position.play("predator 1 forward")
    assert position.to_json()["dice"] == ["yellow"]
    value = after(position, "swim yellow 1 forward")
    assert (value["phase"], value["turn"], value["seat"], value["dice"]) == ("roll", "chance", 1, [])


# Predators


@pytest.mark.rules("F13", "F-R2", "F-R8")
def test_predators_go_forward_up_or_down_and_never_turn() -> None:
    start = at("predator", "predator", yellow=[(1, 1)], red=[(1, 2)], lairs=[(8, 2), (5, 5), (3, 6)])
    moves = [f"predator {number} {way}" for number in (1, 2, 3) for way in ("forward", "up", "down")]
    assert sorted(start.moves()) == sorted(moves)
    goals = {"forward": (4, 5), "up": (5, 4), "down": (5, 6)}
    for way, goal in goals.items():
        medium = after(start, f"predator 2 {way}")["predators"][1]
        assert (medium["size"], medium["col"], medium["row"]) == ("medium", *goal)


@pytest.mark.rules("F14", "F15", "F-R14", "F-R22")
def test_two_predator_dice_are_two_steps_by_one_or_two() -> None:
    start = at("predator", "predator", "predator", yellow=[(1, 1)], red=[(1, 2)], lairs=[(8, 2), (5, 5), (9, 7)])
    once = start.play("predator 1 down")
    assert once.to_json()["dice"] == ["predator"] and once.turn == 0
    assert once.play("predator 1 up").to_json()["predators"] == start.to_json()["predators"]  # undone
    twice = after(once, "predator 2 forward")
    assert [(predator["col"], predator["row"]) for predator in twice["predators"]] == [(8, 3), (4, 5), (9, 7)]
    assert twice["phase"] == "roll"
    assert all(move.startswith("predator") for move in once.moves())  # no passing


@pytest.mark.rules("F16", "F-R16", "F4")
def test_predators_never_share_a_tile_but_may_touch() -> None:
    start = at("predator", "predator", "predator", yellow=[(1, 1)], red=[(1, 2)], lairs=[(6, 4), (4, 4), (7, 3)])
    assert "predator 1 forward" not in start.moves()  # the medium one covers (5,4)
    assert "predator 3 forward" not in start.moves()  # the small one lies at (6,4), beside the large one's second row
    assert "predator 3 up" in start.moves() and "predator 1 up" in start.moves()
    assert after(start, "predator 3 up", "predator 3 forward")["predators"][2] == {"size": "large", "col": 6, "row": 2}


@pytest.mark.rules("F16", "F-R15")
def test_a_predator_at_the_far_end_goes_sideways_only() -> None:
    start = at("predator", "predator", yellow=[(5, 5)], red=[(6, 6)], lairs=[(1, 2), (1, 5), (1, 7)])
    ways = {"predator 1 up", "predator 1 down", "predator 2 up", "predator 2 down", "predator 3 up"}
    assert set(start.moves()) == ways


@pytest.mark.rules("F17", "F-R18", "F-R8")
@pytest.mark.parametrize(
    ("move", "eaten"),
    [
        ("predator 3 forward", {"yellow 1", "red 1"}),
        ("predator 3 up", {"green 1", "blue 1"}),
        ("predator 3 down", {"yellow 2", "red 2"}),
        ("predator 2 up", {"green 2", "blue 2"}),
        ("predator 1 up", set()),
    ],
)
def test_a_step_in_any_direction_eats_all_that_it_reaches(move: str, eaten: set[str]) -> None:
    start = at(
        "predator", "predator", "predator", lairs=[(10, 8), (8, 7), (5, 3)],
        yellow=[(4, 3), (5, 5), (1, 1)], red=[(4, 4), (6, 5), (1, 2)],
        green=[(5, 2), (8, 6)], blue=[(6, 2), (9, 6), (7, 3)],
    )  # fmt: skip
    value = after(start, move)
    before = start.to_json()["fish"]
    assert eaten == {
        f"{colour} {n}" for colour in COLOURS for n in (1, 2, 3)
        if value["fish"][colour][n - 1] == "eaten" != before[colour][n - 1]
    }  # fmt: skip
    assert living(value, "blue")[3] == (7, 3)  # behind the large one, which cannot turn


@pytest.mark.rules("F15", "F-R18")
def test_every_predator_step_may_cost_an_own_fish() -> None:
    start = at(
        "predator", "predator", yellow=[(1, 7), (2, 7), (1, 3), (1, 5)], red=[(5, 5)], green=[(6, 6)], seat=0,
        lairs=[(1, 6), (1, 8), (1, 1)],
    )  # fmt: skip
    lost = {move: 4 - len(living(after(start, move), "yellow")) for move in start.moves()}
    assert lost == {"predator 1 up": 1, "predator 1 down": 1, "predator 2 up": 2, "predator 3 down": 1}


@pytest.mark.rules("F-R17")
def test_there_is_always_a_predator_step() -> None:
    rng = random.Random(17)
    for letters in THREES + FOURS:
        for _ in range(40):
            lairs: list[tuple[int, int]] = []
            tiles: set[tuple[int, int]] = set()
            for letter in letters:
                long, wide = {"s": (1, 1), "m": (2, 1), "l": (2, 2)}[letter]
                while True:
                    col, row = rng.choice((1, 1, 2)), rng.randint(1, 9 - wide)
                    own = {(col + i, row + j) for i in range(long) for j in range(wide)}
                    if not own & tiles:
                        break
                tiles |= own
                lairs.append((col, row))
            start = at(
                "predator", "predator", lairs=lairs, yellow=[(9, 1)], red=[(9, 2)], options={"predators": letters}
            )
            assert start.moves()


# Fish


@pytest.mark.rules("F18", "F19", "F21", "F22", "F23", "F-R2", "F-R27")
def test_own_fish_go_three_ways_and_others_forward_only() -> None:
    fish = {"yellow": [(5, 5)], "red": [(3, 3)], "green": [(3, 5)], "blue": [(7, 7)]}
    lairs = [(10, 1), (9, 8), (1, 1)]
    own = at("fish", "yellow", lairs=lairs, **fish)
    goals = {move: living(after(own, move), "yellow")[1] for move in own.moves()}
    assert goals == {"swim yellow 1 forward": (6, 5), "swim yellow 1 up": (5, 4), "swim yellow 1 down": (5, 6)}
    for colour, goal in (("red", (4, 3)), ("green", (4, 5)), ("blue", (8, 7))):
        other = at("fish", colour, lairs=lairs, **fish)
        assert other.moves() == [f"swim {colour} 1 forward"]
        assert living(after(other, *other.moves()), colour)[1] == goal
    assert len(at("fish", "red", lairs=lairs, seat=1, **fish).moves()) == 3


@pytest.mark.rules("F19", "F21", "F23", "F-R32")
def test_only_vacant_tiles_of_the_board_are_entered() -> None:
    start = at("fish", "yellow", yellow=[(5, 1), (1, 8)], red=[(6, 1)], lairs=[(10, 4), (9, 8), (5, 2)])
    assert start.moves() == ["swim yellow 2 forward", "swim yellow 2 up"]  # 1: the rim above, red ahead, teeth below
    beside = at("fish", "yellow", yellow=[(5, 4)], red=[(1, 1)], lairs=[(6, 4), (4, 5), (9, 7)])
    assert beside.moves() == ["swim yellow 1 up"]


@pytest.mark.rules("F24", "F26", "F-R23")
def test_two_colours_are_used_in_either_order_and_may_block_each_other() -> None:
    start = at("fish", "yellow", "green", yellow=[(4, 4)], green=[(3, 4)], red=[(1, 1)])
    assert start.moves() == ["swim yellow 1 forward", "swim yellow 1 up", "swim yellow 1 down"]
    opened = start.play("swim yellow 1 up")
    assert opened.moves() == ["swim green 1 forward"] and opened.to_json()["dice"] == ["green"]
    free = at("fish", "yellow", "green", yellow=[(4, 5)], green=[(3, 4)], red=[(1, 1)])
    assert len(free.moves()) == 4
    assert after(free, "swim green 1 forward")["dice"] == ["yellow"]
    assert after(free, "swim yellow 1 up")["phase"] == "roll"  # green is shut in, and there is no duty to use both


@pytest.mark.rules("F25", "F-R21", "F-R22")
def test_the_same_colour_twice_is_two_steps_by_one_fish_or_two() -> None:
    start = at("fish", "yellow", "yellow", yellow=[(4, 4), (2, 2)], red=[(1, 1)], lairs=[(10, 4), (9, 6), (8, 7)])
    assert start.to_json()["dice"] == ["yellow", "yellow"]
    one = after(start, "swim yellow 1 forward", "swim yellow 1 down")
    assert living(one, "yellow") == {1: (5, 5), 2: (2, 2)}
    two = after(start, "swim yellow 1 up", "swim yellow 2 forward")
    assert living(two, "yellow") == {1: (4, 3), 2: (3, 2)}
    undone = after(start, "swim yellow 1 up", "swim yellow 1 down")
    assert undone["fish"] == start.to_json()["fish"] and undone["seat"] == 1
    foreign = at("fish", "blue", "blue", yellow=[(4, 4)], red=[(1, 1)], blue=[(6, 2)])
    assert living(after(foreign, "swim blue 1 forward", "swim blue 1 forward"), "blue") == {1: (8, 2)}


@pytest.mark.rules("F26", "F-R24", "F-R34")
def test_a_blocked_colour_beside_a_predator_is_lost() -> None:
    start = at("roll", yellow=[(2, 2)], red=[(1, 1)], lairs=[(10, 4), (9, 6), (8, 7)])
    for colour in ("green", "blue"):  # none of them left
        value = after(start, f"roll predator {colour}", "predator 1 forward")
        assert (value["phase"], value["seat"], value["dice"]) == ("roll", 1, [])
    blocked = at("roll", yellow=[(2, 2)], red=[(1, 2)], lairs=[(10, 4), (9, 6), (8, 7)])
    assert after(blocked, "roll predator red", "predator 1 up")["phase"] == "roll"
    half = after(blocked, "roll red green")
    assert (half["phase"], half["dice"]) == ("any", [])
    assert after(blocked, "roll yellow green")["dice"] == ["yellow", "green"]


@pytest.mark.rules("F27", "F-R25")
def test_when_neither_die_can_move_any_fish_goes_forward() -> None:
    start = at("roll", yellow=[(2, 2), (5, 5)], red=[(1, 2), (10, 8)], blue=[(4, 5)], lairs=[(10, 4), (9, 6), (3, 2)])
    position = start.play("roll green green")
    assert position.moves() == ["swim yellow 2 forward", "swim red 2 forward"]
    value = after(position, "swim yellow 2 forward")
    assert (living(value, "yellow")[2], value["phase"], value["seat"]) == ((6, 5), "roll", 1)
    value = after(position, "swim red 2 forward")
    assert (value["end"], position.play("swim red 2 forward").winners()) == ("reef", [1])


@pytest.mark.rules("F-R26", "F27")
def test_when_nothing_moves_the_turn_passes() -> None:
    start = at("roll", yellow=[(7, 2)], red=[(8, 6)], lairs=[(8, 2), (9, 6), (1, 1)])
    value = after(start, "roll green blue")
    assert (value["phase"], value["seat"], value["rolls"], value["dice"]) == ("roll", 1, 18, [])
    assert after(start, "roll red blue")["phase"] == "roll"
    assert after(start, "roll yellow blue")["phase"] == "fish"  # up or down: yellow is the roller's own


@pytest.mark.rules("F28", "F-R20")
def test_fish_steps_are_compulsory() -> None:
    gift = at("fish", "red", yellow=[(1, 1)], red=[(10, 5)], lairs=[(10, 2), (9, 3), (9, 7)])
    assert gift.moves() == ["swim red 1 forward"]
    sideways = at("fish", "yellow", yellow=[(3, 1)], red=[(1, 1)], lairs=[(4, 1), (9, 3), (9, 7)])
    assert sideways.moves() == ["swim yellow 1 down"]


# Turns and the end


@pytest.mark.rules("F29", "F-R28")
def test_players_without_fish_are_skipped_but_finish_their_roll() -> None:
    start = at("roll", players=4, seat=0, yellow=[(2, 2)], green=[(1, 1)], lairs=[(4, 2), (9, 5), (8, 7)])
    assert after(start, "roll yellow yellow", "swim yellow 1 up", "swim yellow 1 down")["seat"] == 2
    start = at("predator", "predator", "predator", players=4, yellow=[(3, 2)], green=[(1, 1)], blue=[(1, 5)],
               lairs=[(4, 2), (9, 5), (8, 7)])  # fmt: skip
    position = start.play("predator 1 forward")
    assert (position.turn, position.to_json()["dice"]) == (0, ["predator"])
    assert after(position, "predator 1 up")["seat"] == 2


@pytest.mark.rules("F30", "F-R35", "F-R31")
@pytest.mark.parametrize("roller", [0, 1, 2])
def test_the_first_fish_on_the_reef_wins_for_its_owner(roller: int) -> None:
    start = at("fish", "red", "red", players=3, seat=roller, yellow=[(10, 1)], red=[(10, 5), (10, 6)], green=[(1, 1)],
               lairs=[(1, 3), (1, 5), (1, 7)])  # fmt: skip
    end = start.play("swim red 1 forward")
    value = end.to_json()
    assert (value["phase"], value["turn"], value["seat"]) == ("over", None, roller)
    assert (value["end"], value["dice"]) == ("reef", [])
    assert (end.winners(), end.scores(), end.moves()) == ([1], [-1, 1, -1], [])
    assert (start.winners(), start.scores()) == ([], [0, 0, 0])


@pytest.mark.rules("F31", "F-R29")
def test_the_last_colour_wins_only_when_all_others_are_gone() -> None:
    lairs = [(5, 2), (9, 5), (8, 7)]
    with_blue = at("predator", "predator", yellow=[(1, 1)], red=[(4, 2)], blue=[(1, 4)], lairs=lairs)
    value = after(with_blue, "predator 1 forward")
    assert (value["end"], value["phase"], value["seat"]) == (None, "roll", 0)  # a lone player rolls again
    alone = at("predator", "predator", yellow=[(1, 1)], red=[(4, 2)], lairs=lairs).play("predator 1 forward")
    assert (alone.to_json()["end"], alone.winners(), alone.scores()) == ("last", [0], [1, -1])
    other = at("predator", "predator", seat=1, yellow=[(4, 2)], red=[(1, 1)], lairs=lairs).play("predator 1 forward")
    assert (other.to_json()["seat"], other.winners()) == (1, [1])
    suicide = at("predator", "predator", yellow=[(4, 2)], red=[(1, 1)], lairs=lairs).play("predator 1 forward")
    assert (suicide.winners(), suicide.scores()) == ([1], [-1, 1])


@pytest.mark.rules("F32", "F-R27")
def test_a_fish_without_a_player_on_the_reef_ends_the_game_for_all() -> None:
    start = at("fish", "blue", players=3, yellow=[(9, 1)], red=[(9, 2)], blue=[(10, 5)], lairs=[(1, 3), (1, 5), (1, 7)])
    end = start.play("swim blue 1 forward")
    assert (end.to_json()["end"], end.winners(), end.scores()) == ("reef", [], [0, 0, 0])
    owned = at("fish", "blue", players=4, yellow=[(9, 1)], blue=[(10, 5)], lairs=[(1, 3), (1, 5), (1, 7)])
    assert owned.play("swim blue 1 forward").winners() == [3]


@pytest.mark.rules("F33", "F34", "F-R19", "F-R30")
@pytest.mark.parametrize("others", [[], [(1, 8)], [(1, 8), (1, 7)]])
def test_when_no_player_has_fish_nobody_wins(others: list[tuple[int, int]]) -> None:
    start = at(
        "predator", "predator", "predator", yellow=[(4, 3)], red=[(4, 4)], green=others, lairs=[(10, 2), (9, 7), (5, 3)]
    )
    end = start.play("predator 3 forward")
    assert (end.to_json()["end"], end.winners(), end.scores()) == ("gone", [], [0, 0])
    assert end.to_json()["dice"] == []


@pytest.mark.rules("F34", "F-R31")
def test_the_end_drops_the_rest_of_the_roll() -> None:
    start = at("predator", "predator", "yellow", yellow=[(10, 8)], red=[(4, 2)], lairs=[(5, 2), (9, 5), (7, 7)])
    value = after(start, "predator 1 forward")
    assert (value["phase"], value["dice"], value["end"]) == ("over", [], "last")


@pytest.mark.rules("F34", "F-R36")
def test_the_reef_decides_before_the_last_colour() -> None:
    lairs = [(1, 3), (1, 5), (1, 7)]
    red = at("fish", "red", yellow=[(2, 2)], red=[(10, 5)], lairs=lairs).play("swim red 1 forward")
    assert (red.to_json()["end"], red.winners()) == ("reef", [1])
    green = at("fish", "green", yellow=[(2, 2)], green=[(10, 5)], lairs=lairs).play("swim green 1 forward")
    assert (green.to_json()["end"], green.winners()) == ("reef", [])
    own = at("fish", "yellow", seat=1, yellow=[(10, 5)], green=[(2, 2)], lairs=lairs).play("swim yellow 1 forward")
    assert (own.to_json()["end"], own.winners()) == ("reef", [0])  # not "gone": the reef is looked at first


@pytest.mark.rules("F35", "F-R33")
def test_after_the_last_roll_the_game_is_stopped() -> None:
    start = at("roll", yellow=[(2, 2)], red=[(1, 1)], rolls=6, options={"limit": 7})
    position = start.play("roll predator yellow").play("predator 1 forward")
    assert position.to_json()["phase"] == "fish"  # the last turn is played out
    end = position.play("swim yellow 1 forward")
    value = end.to_json()
    assert (value["phase"], value["end"], value["seat"], value["rolls"]) == ("over", "limit", 0, 7)
    assert (end.winners(), end.scores()) == ([], [0, 0])
    endless = at("roll", yellow=[(2, 2)], red=[(1, 1)], rolls=10**6, options={"limit": 0})
    assert after(endless, "roll predator predator", "predator 1 forward", "predator 1 forward")["phase"] == "roll"


@pytest.mark.rules("F30", "F31", "F35")
def test_an_end_in_the_last_turn_counts() -> None:
    start = at(
        "fish", "red", yellow=[(2, 2)], red=[(10, 5)], rolls=7, options={"limit": 7}, lairs=[(1, 3), (1, 5), (1, 7)]
    )
    assert after(start, "swim red 1 forward")["end"] == "reef"


@pytest.mark.rules("F-R32")
def test_a_fish_beside_or_behind_a_predator_is_safe_until_it_comes() -> None:
    start = at("roll", yellow=[(7, 3)], red=[(5, 5), (4, 2)], lairs=[(10, 1), (9, 8), (5, 3)])
    value = after(start, "roll predator predator", "predator 1 forward", "predator 1 forward")
    assert living(value, "yellow") == {1: (7, 3)} and living(value, "red") == {1: (5, 5), 2: (4, 2)}
    assert living(after(start, "roll predator predator", "predator 3 down"), "red") == {2: (4, 2)}


@pytest.mark.rules("F-R3", "F-R33")
def test_random_games_are_as_long_as_the_page_says() -> None:
    rows = GAME.simulate(2000, seed=3, threads=1)
    assert 40 < rows.rounds.mean() < 65 and rows.rounds.max() <= 300
