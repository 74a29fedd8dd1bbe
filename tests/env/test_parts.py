"""Every part of an observation says what the position's JSON says: the same, written a second time from there."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strandline
from env.sights import line, seen
from strandline.env import space

View = dict[str, Any]
TILES = ("sand", "pebble", "seaweed", "stick", "butterfly", "fan", "spiral", "shovel", "rake", "wave")
DRY = TILES[:9]
COLOURS = ("yellow", "red", "green", "blue")
MODIFIERS = ("lifeguard", "calm", "wave", "current", "calm", "undertow")
MEANINGS = ("lifeguard", "calm", "wave", "current", "undertow")


def hot(size: int, *at: int | None) -> list[int]:
    """Ones at these places, counted from 0; None is no place."""
    return [int(i in at) for i in range(size)]


def turned(rows: list[Any], seat: int) -> list[Any]:
    """Rows of all seats, that of `seat` first."""
    return rows[seat:] + rows[:seat]


def who(view: View, seat: int, other: Any) -> list[int]:
    """A seat, counted from `seat` on; anything else is none."""
    return turned(hot(view["players"], other if isinstance(other, int) else None), seat)


def left(limit: int, done: int) -> int:
    return min(limit - done, 100) if limit else 100


def up_the_river(view: View, seat: int) -> View:
    return {
        "turn": who(view, seat, view["player"]),
        "die": hot(6, (view["die"] or 0) - 1),
        "rounds_left": left(view["options"]["round_limit"], view["round"]),
        "sandbank": hot(10, view["sandbank"] - 1),
        "tide": hot(10, view["tide"] - 1),
        "next_dock": 12 - sum(dock > 0 for docks in view["docks"] for dock in docks),
        "points": turned([sum(docks) for docks in view["docks"]], seat),
        "boats": turned([[hot(12, place) for place in boats] for boats in view["boats"]], seat),
    }


def reef_route(view: View, seat: int) -> View:
    order = turned(list(COLOURS[: view["players"]]), seat) + list(COLOURS[view["players"] :])
    fish = [(view["fish"][colour] + [None] * 4)[:4] for colour in order]
    predators = (view["predators"] + [{"size": None, "col": None, "row": None}])[:4]
    starts = [[column, row] for column in (2, 1) for row in range(1, 9)]
    phases = ("layout", "place", "fill", "roll", "predator", "fish", "any", "over")
    at = [[one if isinstance(one, list) else [0, 0] for one in school] for school in fish]
    return {
        "turn": who(view, seat, view["seat"] if view["phase"] != "over" else None),
        "phase": hot(8, phases.index(view["phase"])),
        "rolls_left": left(view["options"]["limit"], view["rolls"]),
        "two_faces": view["options"]["predator_faces"] - 1,
        "lot": starts.index(view["tile"]) if view["tile"] else 0,
        "predator_dice": view["dice"].count("predator"),
        "colour_dice": [view["dice"].count(colour) for colour in order],
        "sizes": [[int(one["size"] == size) for size in ("small", "medium", "large")] for one in predators],
        "predator_columns": [hot(10, (one["col"] or 0) - 1) for one in predators],
        "predator_rows": [hot(8, (one["row"] or 0) - 1) for one in predators],
        "fish": [[[int(one == word) for word in ("waiting", "eaten", "reef")] for one in school] for school in fish],
        "fish_columns": [[hot(10, tile[0] - 1) for tile in school] for school in at],
        "fish_rows": [[hot(8, tile[1] - 1) for tile in school] for school in at],
    }


def sand_castles(view: View, seat: int) -> View:
    phases = ("setup", "collect", "draw", "peek", "pick", "draft", "wave", "build", "refill", "seagull", "over")
    limit = view["options"]["max_rounds"]
    places = {one["place"]: one for one in view["peeked"]}
    parts = {
        "turn": who(view, seat, view["turn"]),
        "player": who(view, seat, view["seat"]),
        "phase": hot(11, phases.index(view["phase"])),
        "rounds_left": max(left(limit, view["round"]), 0),
        "final_by": who(view, seat, view["final_by"]),
        "waves_out": view["waves_out"],
        "nimble": int(view["nimble"]),
        "crab": who(view, seat, view["crab"]),
        "pool": [view["pool"].get(tile, 0) for tile in TILES],
        "beach": [view["beach"].get(tile, 0) for tile in DRY],
        "dropped": [view["dropped"].get(tile, 0) for tile in DRY],
        "stashes": turned([[stash.get(tile, 0) for tile in DRY] for stash in view["stashes"]], seat),
        "line": [hot(9, DRY.index(view["line"][i]) if i < len(view["line"]) else None) for i in range(22)],
        "row": hot(20, *(wall - 1 for wall in view["row"])),
        "walls": turned([hot(20, *(wall - 1 for wall in walls)) for walls in view["walls"]], seat),
    }
    if view["players"] == 2:
        return parts
    none: View = {"tile": None, "known_by": []}
    peeked = [places.get(place, none) for place in range(1, 32)]
    return parts | {
        "seagull": who(view, seat, view["seagull"]),
        "seagull_used": int(view["seagull_used"]),
        "look_left": view["look_left"],
        "places": hot(31, *(place - 1 for place in places)),
        "looking": hot(31, *(place - 1 for place in view["looking"])),
        "peeked": [hot(10, TILES.index(one["tile"]) if one["tile"] else None) for one in peeked],
        "known_by": [turned(hot(view["players"], *one["known_by"]), seat) for one in peeked],
        "named": [0] * len(peeked),
    }


def undertow(view: View, seat: int) -> View:
    phases = ("family", "place", "dice", "save", "choose", "reroll", "return", "out", "in", "over")
    options, dice = view["options"], view["dice"] or {"red": 0, "green": 0, "modifier": 0}
    families = turned(view["swimmers"], seat)
    scores = [[day[other] for day in view["day_scores"]] for other in range(view["players"])]
    meaning = MEANINGS.index(MODIFIERS[dice["modifier"] - 1]) if dice["modifier"] else None
    flags = ("easy", "slow_start", "triple_six", "lane_limits", "strength")
    return {name: int(options[name]) for name in flags} | {
        "turn": who(view, seat, view["player"]),
        "phase": hot(10, phases.index(view["phase"])),
        "surge_each": int(options["surge"] == "each"),
        "vacation": int(options["vacation"] > 0),
        "days_left": options["vacation"] - view["day"] if options["vacation"] else 0,
        "rounds_left": left(8 if options["vacation"] else options["max_rounds"], view["round"]),
        "red": hot(6, dice["red"] - 1),
        "green": hot(6, dice["green"] - 1),
        "modifier": hot(5, meaning),
        "points": view["points"],
        "detour": hot(len(view["swum"]), (view["detour"] or 0) - 1),
        "swum": view["swum"],
        "drifted": view["drifted"],
        "drift": [{"left": -1, None: 0, "right": 1}[side] for side in view["drift"]],
        "day_scores": turned([(days + [0] * 7)[:7] for days in scores], seat),
        "pips": [[hot(6, (one["pips"] or 0) - 1) for one in family] for family in families],
        "lanes": [[hot(10, (one["lane"] or 0) - 1) for one in family] for family in families],
        "steps": [[hot(13, one["step"]) for one in family] for family in families],
    }


def over_the_next_dune(view: View, seat: int) -> View:
    phases = ("terrain", "terrain_at", "searcher", "facing", "search", "drop", "order", "late_order", "sneak", "over")
    owners = [[0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 1, 2, 0, 1], [0, 1, 2, 0, 3], [0, 1, 2, 3, 4]][view["players"] - 1]
    mover = view["mover"] or {"token": 0, "points": 0, "alert": [], "halted": []}
    nowhere: View = {"at": [0, 0], "facing": 0, "captives": []}
    searchers = (view["searchers"] + [nowhere] * 6)[:6]
    at = [token["at"] or [0, 0] for token in view["tokens"]]
    trails = (1, 2, 3, 4, 5, 16, 17, 18, 19, 20)
    ways = {(row, trails.index(column)): way for row, column, way in view["markers"]}
    squares = [[(row, trail) for trail in range(10)] for row in range(1, 21)]
    down, right = (0, 1, 1, 0, -1, -1, -1, 0, 1), (0, 0, -1, -1, -1, 0, 1, 1, 1)
    states = ("free", "caught", "away")
    return {
        "turn": who(view, seat, view["turn"]),
        "first": who(view, seat, view["first"]),
        "phase": hot(10, phases.index(view["phase"])),
        "hopeless_ends": int(view["options"]["hopeless_ends"]),
        "turns_left": view["options"]["turns"] - view["round"],
        "deck": list(view["deck"].values()),
        "searching": hot(6, (view["searching"] or 0) - 1),
        "rescue": hot(6, (view["rescue"] or 0) - 1),
        "mover": hot(5, mover["token"] - 1),
        "points": mover["points"],
        "owner": [who(view, seat, owner) for owner in owners],
        "tokens": [hot(3, states.index(token["state"])) for token in view["tokens"]],
        "token_rows": [hot(20, row - 1) for row, _ in at],
        "token_columns": [hot(20, column - 1) for _, column in at],
        "moved": hot(5, *(token - 1 for token in view["moved"])),
        "cards": [hot(5, (card or 0) - 1) for card in view["cards"]],
        "searcher_rows": [hot(20, one["at"][0] - 1) for one in searchers],
        "searcher_columns": [hot(20, one["at"][1] - 1) for one in searchers],
        "facing": [hot(8, (one["facing"] or 0) - 1) for one in searchers],
        "captives": [hot(5, *(token - 1 for token in one["captives"])) for one in searchers],
        "alert": hot(6, *(searcher - 1 for searcher in mover["alert"])),
        "halted": hot(6, *(searcher - 1 for searcher in mover["halted"])),
        "rough": rough(view),
        "markers_down": [[down[ways.get(square, 0)] for square in row] for row in squares],
        "markers_right": [[right[ways.get(square, 0)] for square in row] for row in squares],
    }


PIECES = (
    ["##C##"],
    ["##...", ".#C#.", "...##"],
    ["#...#", "##C##"],
    ["#.C.#", ".#.#."],
    ["###..", "##C##", "###.."],
    ["#####", "##C##", "#####"],
)


def rough(view: View) -> list[list[int]]:
    """The squares under the pieces."""
    field = [[0] * 20 for _ in range(20)]
    for piece in view["terrain"]:
        picture = PIECES[piece["piece"] - 1]
        top, middle = next((r, row.index("C")) for r, row in enumerate(picture) if "C" in row)
        for r, row in enumerate(picture) if piece["at"] else ():
            for c, mark in enumerate(row):
                square = piece["at"][0] + r - top - 1, piece["at"][1] + c - middle - 1
                if mark != "." and 0 <= square[0] < 20 and 0 <= square[1] < 20:
                    field[square[0]][square[1]] = 1
    return field


WRITTEN: dict[str, Callable[[View, int], View]] = {
    function.__name__: function for function in (over_the_next_dune, reef_route, sand_castles, undertow, up_the_river)
}


@pytest.mark.parametrize("name", WRITTEN)
def test_parts_say_what_the_json_says(name: str) -> None:
    rng = random.Random(1)
    game = strandline.game(name)
    for _ in range(12):
        for position in line(game, rng, 600):
            if rng.random() < 0.25 or position.turn is None:
                for seat in range(position.players):
                    found = space(game, position.players).split(seen(position, seat))
                    view = position.view(seat)
                    expected = {"seat": hot(position.players, seat)} | WRITTEN[name](view, seat)
                    assert found.keys() == expected.keys()
                    for part, numbers in expected.items():
                        assert (found[part] == np.array(numbers)).all(), (part, view)
