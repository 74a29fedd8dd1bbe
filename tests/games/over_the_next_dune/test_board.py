"""The board shows the whole position, each thing on its squares."""

import itertools
import math
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import strandline
from games.over_the_next_dune.positions import GAME, at, crowded, planned_games
from strandline.drawing import text_width
from strandline.engine.words import Reader, reading
from strandline.games.over_the_next_dune import board
from support import own_name

SVG = "{http://www.w3.org/2000/svg}"
Json = dict[str, Any]

PATROLS: Any = {1: ((15, 4), 6), 2: ((18, 9), 1), 3: ((7, 15), 3), 4: ((7, 16), 2), 5: ((3, 6), 8), 6: ((12, 12), 5)}
SQUAD = {1: (16, 9), 2: (20, 10), 3: (19, 7), 4: (1, 3)}
ALONE = at("sneak", {1: (1, 20), 2: (2, 20), 4: (10, 6)}, {4: ((3, 18), 2)}, {6: [3]}, moved=[2]).to_json()
RESCUE = at(
    "drop",
    SQUAD,
    PATROLS,
    {2: [5]},
    players=5,
    rescue=2,
    mover=(3, 3),
    cards=[1, 3, 2, 4, None],
    moved=[1],
    markers=[[18, 5, 6], [20, 3, 7]],
    first=3,
).to_json()
LATE = at(
    "late_order",
    SQUAD | {5: (14, 9)},
    PATROLS,
    players=5,
    mover=(5, 3),
    cards=[2, None, 1, None, 4],
    moved=[1, 3],
    first=2,
).to_json()


def drawn(view: Json) -> str:
    """The board, with the scores and winners that the view shows."""
    home = sum(entry["state"] == "away" for entry in view["tokens"])
    players = view["players"]
    return board.draw(view, [home] * players, list(range(players)) if view["result"] == "won" else [])


def groups(view: Json) -> dict[str, ET.Element]:
    """The shapes with ids."""
    return {g.attrib["id"]: g for g in ET.fromstring(drawn(view)).iter(f"{SVG}g") if "id" in g.attrib}


def places(view: Json) -> dict[str, tuple[float, float]]:
    """Where the shapes with ids are."""
    found = {}
    for name, element in groups(view).items():
        if where := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
            found[name] = (float(where[1]), float(where[2]))
    return found


def drawings(view: Json, name: str) -> set[str]:
    """What a shape is made of."""
    return {own_name(use.attrib["href"]) for use in groups(view)[name].iter(f"{SVG}use")}


def texts(view: Json, name: str) -> list[str]:
    """What is written on a shape."""
    return ["".join(text.itertext()) for text in groups(view)[name].iter(f"{SVG}text")]


def written(view: Json) -> str:
    """All that is written on the board."""
    return " | ".join("".join(text.itertext()) for text in ET.fromstring(drawn(view)).iter(f"{SVG}text"))


def square(row: int, column: int) -> tuple[float, float]:
    """The middle of a square."""
    return board.TALL.left + board.TALL.size * (column - 0.5), board.TALL.top + board.TALL.size * (row - 0.5)


def test_tokens_and_searchers_are_on_their_squares() -> None:
    found = places(RESCUE)
    for token, spot in SQUAD.items():
        assert found[f"token-{token}"] == square(*spot)
    for number, (spot, _) in PATROLS.items():
        assert found[f"searcher-{number}"] == found[f"number-{number}"] == square(*spot)
    assert texts(RESCUE, "number-4") == ["4"] and texts(RESCUE, "token-3") == ["3"]


def test_a_token_carries_its_owners_shape_and_number() -> None:
    assert "seat-2" in drawings(RESCUE, "token-3")
    assert {name for token in range(1, 6) for name in drawings(ALONE, f"token-{token}") if "seat" in name} == {"seat-0"}


def test_tokens_away_are_behind_the_friendly_lines() -> None:
    won = at("over", {}, PATROLS, players=4, result="won", reason="lines", round=7).to_json()
    home = [places(won)[f"token-{token}"] for token in range(1, 6)]
    assert len(set(home)) == 5 and all(y < board.TALL.top - board.TALL.size for _, y in home)
    assert places(ALONE)["token-5"] == home[4]


def test_captives_lie_under_their_searcher_each_on_a_square_of_its_own() -> None:
    for captives in ({6: [1, 2, 3, 4, 5]}, {5: [2, 4], 6: [1, 3, 5]}):
        view = at("search", {}, {5: ((9, 9), 1), 6: ((9, 9), 3)}, captives, searching=6).to_json()
        found = [places(view)[f"token-{token}"] for token in range(1, 6)]
        middle = square(9, 9)
        assert len(set(found)) == 5 and middle not in found
        assert all(max(abs(x - middle[0]), abs(y - middle[1])) <= board.TALL.size for x, y in found)
        assert all("lock" in drawings(view, f"token-{token}") for token in range(1, 6))
    assert "lock" not in drawings(RESCUE, "token-1")


def test_a_searcher_lights_up_the_way_it_faces() -> None:
    for way in range(1, 9):
        view = at("search", {1: (20, 2)}, {1: ((9, 9), way)}).to_json()
        turned = [g.get("transform", "") for g in groups(view)["searcher-1"].iter(f"{SVG}g")][1:]
        degrees = [float(re.sub(r"rotate\((.*)\)", r"\1", turn) or 0) for turn in turned]
        assert len(degrees) == 2 and {(degree // 45 + 4) % 8 + 1 for degree in degrees} == {way}
    position = GAME.new(players=1)
    while position.to_json()["phase"] != "facing":
        position = position.play_random(1, 5)
    assert "light" not in drawings(position.to_json(), "searcher-1")


def test_searchers_on_one_square_show_all_their_numbers() -> None:
    view = at("search", {1: (20, 2)}, {number: ((9, 9), number) for number in range(1, 7)}).to_json()
    discs = {
        (circle.attrib["cx"], circle.attrib["cy"])
        for number in range(1, 7)
        for circle in groups(view)[f"number-{number}"].iter(f"{SVG}circle")
    }
    assert len(discs) == 6


def test_alert_halted_searching_and_rescued_searchers_are_marked() -> None:
    mover = {"token": 1, "points": 3, "alert": [5], "halted": [4]}
    view = at("sneak", {1: (9, 9), 2: (20, 1)}, {4: ((11, 9), 1), 5: ((7, 9), 1)}, {4: [3]}, mover=mover).to_json()
    signs = [drawings(view, f"number-{number}") for number in range(1, 7)]
    assert signs == [set(), set(), set(), {"halted"}, {"alert"}, set()]
    assert drawings(RESCUE, "number-2") == {"alert", "key"}
    assert drawings(at("search", SQUAD, PATROLS, {1: [5]}, searching=4).to_json(), "number-4") == {"card"}


def test_who_moves_chooses_or_is_placed_is_lit() -> None:
    def lit(view: Json) -> list[int]:
        return [token for token in range(1, 6) if "active" in drawings(view, f"token-{token}")]

    assert lit(RESCUE) == [5] and lit(LATE) == [4] and lit(ALONE) == []
    assert lit(LATE | {"phase": "sneak"}) == [5]


def test_who_has_moved_has_a_tick() -> None:
    ticks = [token for token in range(1, 6) if "tick" in drawings(LATE, f"token-{token}")]
    assert ticks == [1, 3]
    assert "tick" in drawings(ALONE, "token-2")


def test_rough_ground_is_drawn_square_by_square() -> None:
    """Piece 1 is five squares wide; what lies beyond the edge is left out (D6)."""
    view = RESCUE | {"terrain": [{"piece": 1, "at": [3, 2]}, {"piece": 6, "at": [4, 10]}]}
    shapes = groups(view)
    for name, first, squares in (("terrain-1", (3, 1), 4), ("terrain-2", (3, 8), 15)):
        way = next(shapes[name].iter(f"{SVG}path")).attrib["d"]
        corners = {(float(x), float(y)) for x, y in re.findall(r"M(\S+) (\S+?)h", way)}
        middles = {(x - 2 + board.TALL.size / 2, y - 2 + board.TALL.size / 2) for x, y in corners}
        assert len(middles) == squares and square(*first) in middles


def test_trail_markers_point_the_way() -> None:
    image = ET.fromstring(drawn(RESCUE))
    found = [use.attrib["transform"] for use in image.iter(f"{SVG}use") if own_name(use.attrib["href"]) == "trail"]
    places_and_turns = [("{:g} {:g}".format(*square(18, 5)), 45), ("{:g} {:g}".format(*square(20, 3)), 90)]
    assert found == [f"translate({spot}) rotate({turn})" for spot, turn in places_and_turns]


def test_cards_left_and_turn_are_shown() -> None:
    for kind in ("straight", "left", "right"):
        assert texts(RESCUE, f"deck-{kind}") == [str(RESCUE["deck"][kind])]
        assert texts(ALONE, f"deck-{kind}")[0] == str(ALONE["deck"][kind])
    assert [texts(ALONE, f"deck-{kind}")[1] for kind in ALONE["deck"]] == ["straight", "turn left", "turn right"]
    assert "Turn 2/10" in written(RESCUE)
    moons = [places(RESCUE | {"round": turn})["moon"][0] for turn in range(11)]
    assert moons == sorted(set(moons)), "the moon goes on every turn"


def test_turn_order_cards_show_who_holds_them() -> None:
    assert [texts(LATE, f"order-{card}") for card in range(1, 6)] == [["1", "3"], ["2", "1"], ["3"], ["4", "5"], ["5"]]
    assert "order-1" not in groups(ALONE)


def test_the_first_player_has_a_lantern_and_every_seat_its_tokens() -> None:
    assert [seat for seat in range(5) if "lantern" in drawings(LATE, f"seat-{seat}")] == [2]
    assert "lantern" not in drawings(ALONE, "seat-0")
    assert texts(ALONE, "seat-0") == ["Seat 0", "1 of 5 is home"]
    assert texts(LATE, "seat-4")[1:] == ["", "5"]
    pair = GAME.new(players=2).to_json()
    assert [texts(pair, f"seat-{seat}")[2:] for seat in range(2)] == [["1", "3", "5"], ["2", "4"]]


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (GAME.new(players=2).to_json(), "Rough ground in area 1 | Set-up"),
        (GAME.new(players=2).play("terrain 3").to_json(), "Where in area 1? | Set-up"),
        (at("search", SQUAD, PATROLS, {1: [5]}, searching=4).to_json(), "Searcher 4 moves | Turn 2/10"),
        (RESCUE, "Seat 4: place token 5 | Turn 2/10 | 3 points left"),
        (LATE, "Seat 3: card for token 4 | Turn 2/10 | 3 points left"),
        (ALONE, "Seat 0: choose a token | Turn 2/10 | done"),
        (
            at("sneak", {1: (1, 20), 2: (2, 20)}, mover=(1, 1)).to_json(),
            "Seat 0: move token 1 | Turn 2/10 | 1 point left | stop here",
        ),
    ],
)
def test_the_banner_says_who_is_to_do_what(view: Json, said: str) -> None:
    assert said in written(view)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (
            at("over", {}, players=4, result="won", reason="lines"),
            "Everybody is home! | Turn 2/10",
        ),
        (
            at("over", {1: (4, 4)}, result="lost", reason="sunrise", round=10),
            "Caught at dawn | Turn 10/10 | 4 of 5 were home.",
        ),
        (
            at("over", {1: (4, 4)}, {2: ((19, 9), 1)}, {2: [2]}, result="lost", reason="camp"),
            "Taken to the camp | Turn 2/10 | 3 of 5 were home.",
        ),
        (
            at("over", {1: (4, 4)}, {2: ((9, 9), 1)}, {2: [2]}, result="lost", reason="hopeless", hopeless_ends=True),
            "Nobody can free them | Turn 2/10 | 3 of 5 were home.",
        ),
    ],
)
def test_the_end_says_how_and_why(view: strandline.Position, said: str) -> None:
    assert said in written(view.to_json())


def test_set_up_shows_areas_and_the_next_lot() -> None:
    view = GAME.new(players=1, patrols="areas").to_json()
    assert "1 | 2 | 3 | 4 | 5 | 6" in written(view) and "one searcher in each area" in written(view)
    assert "ends when nobody can be freed" in written(GAME.new(players=1, hopeless_ends=True).to_json())
    position = GAME.new(players=1)
    while position.to_json()["phase"] in board.SET_UP:
        assert 'stroke-dasharray="14 8"' in position.svg()
        position = position.play_random(1, 8)
    assert 'stroke-dasharray="14 8"' not in position.svg()


def test_clicks_name_who_moves_and_where_to() -> None:
    assert board.clicks(ALONE, "move 4 ne") == ["token-4", "square-9-7"]
    assert board.clicks(ALONE, "move 1 nw") == ["token-1", "exit-19"]
    assert board.clicks(ALONE, "done") == ["done"]
    moving = at("sneak", {1: (1, 20), 2: (2, 20)}, mover=(1, 1)).to_json()
    assert board.clicks(moving, "move 1 n") == ["token-1", "exit-20"]
    assert board.clicks(moving, "stop") == ["stop"]
    assert board.clicks(RESCUE, "drop 5 16 7") == ["square-16-7"]
    assert board.clicks(LATE, "order 3") == ["order-3"]


def test_only_squares_that_can_be_entered_are_there_to_be_clicked() -> None:
    """Example 6 of the rule page: at the corner, between a token and a searcher."""
    moving = at("sneak", {1: (1, 20), 2: (2, 20)}, {4: ((3, 18), 2)}, mover=(1, 1)).to_json()
    assert {name for name in groups(moving) if re.match("square|exit", name)} == {"exit-19", "exit-20", "square-1-19"}
    assert not any(name.startswith("square") for name in groups(LATE))
    found = places(moving)
    assert found["exit-20"] == square(0, 20) and found["square-1-19"] == square(1, 19)


def test_in_crowded_positions_every_move_has_a_path() -> None:
    rng = random.Random(11)
    positions = [position for position in planned_games(rng, 6) if isinstance(position.turn, int)]
    for position in positions:
        view = position.to_json()
        paths = [tuple(board.clicks(view, move)) for move in position.moves()]
        assert len(set(paths)) == len(paths)
        assert {name for path in paths for name in path} <= set(groups(view))
    phases = {position.to_json()["phase"] for position in positions}
    assert {"sneak", "order"} <= phases


def test_even_a_crowded_board_is_small() -> None:
    rng = random.Random(12)
    assert max(len(crowded(rng).svg().encode()) for _ in range(30)) < 80_000


def test_the_description_tells_the_position() -> None:
    said = GAME.position(RESCUE).words()
    assert ET.fromstring(drawn(RESCUE)).findtext(f"{SVG}desc") == said


def test_no_number_and_no_captive_hides_a_number() -> None:
    """Searchers close together, two of them with captives: their numbers lie apart, and nobody lies on one."""
    near = {1: ((9, 9), 1), 2: ((9, 9), 3), 3: ((10, 10), 5), 4: ((9, 10), 2), 5: ((10, 9), 6), 6: ((4, 4), 6)}
    view = at("search", {1: (20, 2)}, near, {1: [2, 3], 5: [4, 5]}, players=2, searching=3).to_json()
    found = places(view)
    discs = []
    for number in range(1, 7):
        (disc,) = groups(view)[f"number-{number}"].iter(f"{SVG}circle")
        x, y = found[f"number-{number}"]
        discs.append((x + float(disc.attrib["cx"]), y + float(disc.attrib["cy"])))
    assert all(math.dist(one, other) > 30 for one, other in itertools.combinations(discs, 2))
    captives = [found[f"token-{token}"] for token in range(2, 6)]
    assert len(set(captives)) == 4
    assert all(math.dist(disc, token) > 26 for disc in discs for token in captives)


def test_between_two_movements_nobody_is_asked() -> None:
    """What a story shows between two events: the token that moved has stopped, and the next has not begun."""
    cards = [1, 2, None, None, None]
    position = at("sneak", {1: (14, 10), 2: (16, 3)}, players=2, mover=(1, 1), cards=cards)
    stopped = position.story("stop")[0].position.to_json()
    assert "The squad sneaks | Turn 2/10" in written(stopped) and "stop" not in groups(stopped)


def test_german_words_fit() -> None:
    longest = [RESCUE, LATE, ALONE, at("over", {1: (4, 4)}, result="lost", reason="sunrise", round=10).to_json()]
    names = ("Annegret", "Benedikt", "Cleopatra", "Dorothea", "Emil-Maximilian")
    for view in longest:
        with reading(Reader("de", frozenset({0}), names[: view["players"]])):
            headline, turn = (
                text
                for text in ET.fromstring(drawn(view)).iter(f"{SVG}text")
                if (text.text or "").startswith("Runde")
                or (text.attrib["font-size"] == "28" and text.attrib.get("text-anchor") != "middle")
            )
        end = float(headline.attrib["x"]) + 0.9 * text_width(headline.text or "", 28)
        assert end < float(turn.attrib["x"]) - 0.9 * text_width(turn.text or "", 24)


@pytest.mark.parametrize(("rows", "columns"), [(12, 12), (28, 28)])
def test_a_box_of_another_size_fits(tmp_path: Path, rows: int, columns: int) -> None:
    (tmp_path / "box.toml").write_text(
        f"[battlefield]\nrows = {rows}\ncolumns = {columns}\n"
        f"start = [{', '.join(f'[{rows}, {2 * token}]' for token in range(1, 6))}]\n"
        "areas = [[1, 1], [1, 4], [1, 7], [3, 1], [3, 4], [3, 7]]\n"
        f"trail_columns = [1, {columns}]\n"
        "[searchers]\nrows = [2, 8]\ncolumns = [2, 9]\npatrol_rows = [2, 8]\nsteps = 6\nrescuers = 3\n"
    )
    position = strandline.game("over_the_next_dune", box=tmp_path / "box.toml").new(players=1)
    drawn = ET.fromstring(position.svg())
    found = {g.attrib["id"]: g.get("transform", "") for g in drawn.iter(f"{SVG}g") if "id" in g.attrib}
    x, y = map(float, re.findall(r"[\d.]+", found["token-5"]))
    height = float(drawn.attrib["viewBox"].split()[3])
    assert 0 < x < 720 and board.TALL.top < y < height - 150
