"""The board shows what the seat may see, nothing else, and its shapes do not get into each other's way."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from typing import Any

import pytest

import strandline
from games.sand_castles.positions import BOX, peeked, position
from strandline.drawing import SMALL, WIDTH, text_width
from strandline.engine import words
from strandline.engine.words import Reader, reading
from strandline.games.sand_castles import board
from strandline.games.sand_castles.box import LONGEST_LINE, TILES
from support import own_name

SVG = "{http://www.w3.org/2000/svg}"
TILE_LINE = ["sand"] * 14 + ["pebble", "seaweed", "stick", "butterfly", "fan", "spiral", "shovel", "rake"]


def shapes(svg: str) -> dict[str, ET.Element]:
    return {element.attrib["id"]: element for element in ET.fromstring(svg).iter() if "id" in element.attrib}


def spots(svg: str) -> dict[str, tuple[float, float]]:
    """Where the shapes with ids are, inside of the groups around them."""
    found = {}

    def visit(element: ET.Element, x: float, y: float) -> None:
        where = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if where:
            x, y = x + float(where[1]), y + float(where[2])
        if "id" in element.attrib:
            found[element.attrib["id"]] = (x, y)
        for inner in element:
            visit(inner, x, y)

    visit(ET.fromstring(svg), 0, 0)
    return found


def written(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def text(svg: str) -> str:
    return " | ".join(written(ET.fromstring(svg)))


def drawings(element: ET.Element) -> list[str]:
    return [own_name(use.attrib["href"]) for use in element.iter(f"{SVG}use")]


KNOWN = peeked((1, "wave", [0]), (3, "fan", [0, 1]))
STASHES: list[dict[str, int]] = [{"sand": 12, "stick": 2}, {"spiral": 1, "rake": 1}, {}]
MIDDLE = position(
    peeked=KNOWN, beach={"pebble": 2, "shovel": 1}, waves_out=1, line=["sand", "seaweed"], stashes=STASHES, round=4,
    walls=[[2], [], [3, 6]], crab=0, seagull=0,
)  # fmt: skip
BUILD = position(phase="build", crab=0, stashes=[{"sand": 1, "seaweed": 1, "butterfly": 1, "spiral": 1, "shovel": 1,
                                                   "rake": 1, "pebble": 1}, {"fan": 1}, {}])  # fmt: skip


def test_every_kind_of_tile_has_a_drawing_of_its_own() -> None:
    found = {own_name(f"#{name}"): shape for name, shape in shapes(MIDDLE.svg()).items()}
    ways = {kind: [path.get("d") for path in found[kind].iter(f"{SVG}path")] for kind in TILES}
    for one, other in combinations(TILES, 2):
        assert not set(ways[one]) & set(ways[other]), f"{one} looks like {other}"


def test_stashes_beach_and_pool_are_counted() -> None:
    found = shapes(MIDDLE.svg(0))
    assert written(found["stash-0-sand"]) == ["12"] and "sand-tile" in drawings(found["stash-0-sand"])
    assert written(found["stash-1-rake"]) == [] and drawings(found["stash-1-rake"]) == ["rake-tile"]
    assert "rake-tile" not in drawings(found["stash-0-rake"]), "there is none"
    assert written(found["beach-pebble"]) == ["2"] and drawings(found["beach-shovel"]) == ["shovel-tile"]
    pool = MIDDLE.view(0)["pool"]
    assert written(found["tally"]) == [str(sum(pool.values())), *(str(number) for number in pool.values())]


@pytest.mark.parametrize("waves", [0, 1, 2])
def test_waves_aside_are_shown(waves: int) -> None:
    found = shapes(position(waves_out=waves).svg())
    assert [name for name in ("wave-1", "wave-2") if name in found] == ["wave-1", "wave-2"][:waves]


def test_the_heap_has_as_many_tiles_as_nobody_knows() -> None:
    for seat in (None, 0, 1, 2):
        heap = shapes(MIDDLE.svg(seat))["heap"]
        assert len(drawings(heap)) == sum(MIDDLE.to_json()["pool"].values())
    assert (
        drawings(
            shapes(position(peeked=peeked(*((i + 1, tile, [0]) for i, tile in enumerate(BOX.elements())))).svg())[
                "heap"
            ]
        )
        == []
    )


def test_a_place_shows_its_number_who_knows_it_and_its_tile_to_them_alone() -> None:
    for seat, shown in ((0, "fan-tile"), (1, "fan-tile"), (2, None), (None, None)):
        place = shapes(MIDDLE.svg(seat))["place-3"]
        assert written(place) == ["3"]
        assert [name for name in drawings(place) if name.startswith("mark")] == ["mark-0", "mark-1"]
        faces = {name for name in drawings(place) if name.endswith("tile")}
        assert faces == {"back-tile", shown} - {None}


def test_hidden_tiles_leave_no_trace() -> None:
    """Two positions that differ only in what seat 2 has not seen are drawn alike for it, and differently for seat 0."""
    other = position(**{**MIDDLE.to_json(), "peeked": peeked((1, "pebble", [0]), (3, "stick", [0, 1]))})
    assert MIDDLE.svg(2) == other.svg(2) and MIDDLE.svg(None) == other.svg(None)
    assert MIDDLE.svg(0) != other.svg(0) and MIDDLE.svg(1) != other.svg(1)


def test_walls_show_points_number_and_cost() -> None:
    found = shapes(MIDDLE.svg())
    assert written(found["wall-12"]) == ["10", "#12"]
    assert [name for name in found if name.startswith("cost-12-")] == [
        f"cost-12-{kind}" for kind in ("sand", "pebble", "fan", "spiral")
    ]
    assert "#4 #7 #8 #11 #13–16" in text(MIDDLE.svg()), "the stack"
    assert written(found["wall-6"]) == ["6", "#6"] and "cost-6-sand" not in found


def test_a_built_wall_stands_in_its_slot_and_keeps_its_id() -> None:
    before, after = spots(BUILD.svg()), spots(BUILD.play("build 1").svg())
    assert after["wall-1"] == before["slot-0-1"] == after["slot-0-1"]
    assert before["wall-1"] != after["wall-1"]


def test_crab_and_seagull_sit_at_their_holders() -> None:
    for holder, seat in ((1, 1), (2, 2)):
        found = spots(position(crab=holder, seagull=seat).svg())
        x, y = found[f"perch-{seat}"]
        assert abs(found["seagull"][0] - x) < 10 and abs(found["seagull"][1] - y) < 20
        assert abs(found["crab"][0] - x) < 10 and found["crab"][1] > y
    two = shapes(position(players=2).svg())
    assert "seagull" not in two and "perch-0" not in two and "crab" in two
    used = shapes(position(seagull_used=True, line=["sand"]).svg())["seagull"]
    assert drawings(used) == ["gull-asleep"]


@pytest.mark.parametrize("length", [0, 1, 6, 7, 11, 12, LONGEST_LINE])
def test_a_line_of_any_length_lies_on_the_driftwood_in_order(length: int) -> None:
    found = spots(position(line=TILE_LINE[-length:] if length else []).svg())
    tiles = [found[f"line-{number}"] for number in range(1, length + 1)]
    assert [(y, x) for x, y in tiles] == sorted((y, x) for x, y in tiles) and len(set(tiles)) == length
    assert all(80 < x < 550 and board.PLANK + 20 < y < board.PLANK + 80 for x, y in tiles)
    assert all(right[0] - left[0] > 36 for left, right in pairwise(tiles) if left[1] == right[1])


@pytest.mark.parametrize("number", [1, 9, 10, 26, 27, 46])
def test_known_places_lie_in_the_pool_apart_from_each_other(number: int) -> None:
    tiles = list(BOX.elements())[:number]
    known = position(peeked=peeked(*((i + 1, tile, [0, 1, 2]) for i, tile in enumerate(tiles))))
    found = spots(known.svg(0))
    places = [found[f"place-{place}"] for place in range(1, number + 1)]
    assert all(40 < x < WIDTH - 40 and board.POOL_TOP < y < board.POOL_LOW for x, y in places)
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 38 for a, b in combinations(places, 2))
    assert len(known.svg(0).encode()) < 100_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stashes_and_castles_of_all_seats_lie_apart(players: int) -> None:
    svg = position(players).svg()
    found = spots(svg)
    height = float(ET.fromstring(svg).attrib["viewBox"].split()[3])
    stashes = [at for name, at in found.items() if name.startswith("stash-")]
    slots = [at for name, at in found.items() if name.startswith("slot-")]
    assert len(stashes) == 9 * players and len(slots) == 4 * players
    for (x, y), (other_x, other_y) in combinations(stashes, 2):
        assert abs(x - other_x) >= 60 or abs(y - other_y) >= 48
    assert all(30 < x < WIDTH - 30 and y < height - 30 for x, y in stashes)


@pytest.mark.parametrize(
    ("changes", "headline"),
    [
        ({}, "Seat 0: flip a tile | Round 1"),
        ({"line": ["sand"]}, "Seat 0: flip or stop | Round 1"),
        ({"options": {"max_rounds": 0}, "round": 70}, "Seat 0: flip a tile | Round 70"),
        ({"phase": "draw", "turn": "chance"}, "Seat 0: flip! | Round 1"),
        ({"phase": "draft", "turn": 2, "dropped": {"fan": 2}}, "Seat 2: take a tile | Round 1"),
        ({"phase": "wave", "turn": 1, "stashes": [{}, {"sand": 5}, {}], "waves_out": 1}, "Seat 1: keep up to 4"),
        ({"phase": "seagull"}, "Seat 0: pass the Seagull | Round 1"),
        ({"walls": [[], [2, 3, 4, 6], []], "final_by": 1}, "Seat 0: flip a tile | Final round"),
    ],
)
def test_the_headline_says_who_is_to_do_what(changes: dict[str, Any], headline: str) -> None:
    svg = position(**changes).svg()
    assert headline in text(svg) and f"Sand Castles: {headline.split(' | ')[0]}" in svg


@pytest.mark.parametrize("language", words.languages())
def test_headlines_and_signs_have_room(language: str) -> None:
    """The longest line beside the longest word at its right, and signs beside what is written on the driftwood."""
    wave: dict[str, Any] = {"phase": "wave", "stashes": [{"sand": 4}, {}, {}], "waves_out": 1}
    final: dict[str, Any] = {"walls": [[], [], [2, 3, 4, 6]], "final_by": 2}
    looks = [wave, wave | final, wave | {"nimble": True}, final | {"phase": "seagull"}, {"phase": "build", "crab": 0}]
    with reading(Reader(language, frozenset({0}), ("Annegret-Charlotte", "Ben", "Cleo"))):
        for look in looks:
            root = ET.fromstring(position(**look).svg())
            lines = [text for text in root.iter(f"{SVG}text") if float(text.attrib["y"]) == 139]
            aside = next(text for text in root.iter(f"{SVG}text") if float(text.attrib["y"]) == 138)
            room = WIDTH - 38 - text_width(aside.text or "", SMALL) - float(lines[0].attrib["x"])
            assert text_width(lines[0].text or "", 28) <= room
            for sign in (group for group in root.iter(f"{SVG}g") if group.get("id") in ("keep", "pass")):
                plate = next(box for box in sign.iter(f"{SVG}rect") if box.get("class") == "halo")
                (label,) = written(sign)
                assert text_width(label, 28) < float(plate.attrib["width"])


def test_nimble_toes_are_announced() -> None:
    wave: dict[str, Any] = {"phase": "wave", "stashes": [{"sand": 5}, {}, {}], "waves_out": 1}
    assert "Nimble toes!" in text(position(**wave, nimble=True).svg())
    assert "Nimble toes!" not in text(position(**wave).svg())


def test_the_end_says_who_has_won() -> None:
    walls, stashes = [[2, 3, 7], [4, 6, 8, 11]], [{"sand": 1}, {"fan": 2}]
    over = position(2, phase="over", turn=None, final_by=1, walls=walls, stashes=stashes)
    svg = over.svg()
    assert "Winner: Seat 1" in text(svg)
    for seat, score in enumerate(over.scores()):
        assert f"Seat {seat} | {score}" in text(svg)
    shared = position(2, phase="over", turn=None, seat=1, round=60)
    assert shared.winners() == [0, 1] and "Winners: Seat 0 and Seat 1" in text(shared.svg())


def test_the_description_is_the_position_in_words() -> None:
    for seat in (None, 0, 2):
        assert ET.fromstring(MIDDLE.svg(seat)).findtext(f"{SVG}desc") == MIDDLE.words(seat)


@pytest.mark.parametrize(
    ("start", "move", "path"),
    [
        (MIDDLE, "flip", ["pool"]),
        (MIDDLE, "flip peeked 3", ["place-3"]),
        (MIDDLE, "stop", ["stop"]),
        (MIDDLE, "seagull", ["seagull", "pool"]),
        (MIDDLE, "seagull peeked 1 3", ["seagull", "place-1", "place-3", "pool"]),
        (BUILD, "crab 1 fan", ["crab", "stash-1-fan"]),
        (BUILD, "build 5", ["wall-5", "slot-0-1"]),
        (BUILD, "build 5 shovel butterfly", ["wall-5", "stash-0-shovel", "cost-5-butterfly", "slot-0-1"]),
        (
            BUILD,
            "build 5 shovel butterfly rake seaweed",
            ["wall-5", "stash-0-shovel", "cost-5-butterfly", "stash-0-rake", "cost-5-seaweed", "slot-0-1"],
        ),
        (BUILD, "pass", ["pass"]),
        (position(phase="seagull"), "seagull to 2", ["perch-2"]),
        (position(phase="draft", turn=2, dropped={"fan": 2}), "take fan", ["dropped-fan"]),
        (position(phase="wave", stashes=[{"fan": 2}, {}, {}], waves_out=1), "discard fan", ["stash-0-fan"]),
        (position(phase="wave", stashes=[{"fan": 2}, {}, {}], waves_out=1), "keep", ["keep"]),
        (position(phase="pick", peeked=KNOWN[:1] + peeked((2, "fan", [0]), (3, "fan", [0])), seagull_used=True,
                  looking=[1, 2, 3]), "take peeked 2", ["place-2"]),
    ],
)  # fmt: skip
def test_what_to_click(start: strandline.Position, move: str, path: list[str]) -> None:
    assert move in start.moves()
    assert board.clicks(start.view(0), move) == path
    assert set(path) <= set(shapes(start.svg(0)))


@pytest.mark.parametrize("number", [2, 3, 20, 44, 45, 46])
def test_thousands_of_looks_have_paths_of_their_own(number: int) -> None:
    tiles = list(BOX.elements())[:number]
    known = position(peeked=peeked(*((i + 1, tile, [0]) for i, tile in enumerate(tiles))))
    view = known.view(0)
    paths = sorted(board.clicks(view, move) for move in known.moves())
    assert all(after[: len(path)] != path for path, after in pairwise(paths))
    assert {shape for path in paths for shape in path} <= set(shapes(known.svg(0)))
