"""A second referee, written from the rule page over JSON positions alone: slow, plain, and without the engine.

`outcomes` gives the legal moves or the odds of chance, `play` the position after one of them.
"""

import copy
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

COLOURS = ["yellow", "red", "green", "blue"]
SHIFT = {"up": (0, -1), "down": (0, 1)}
SPAN = {"small": (1, 1), "medium": (2, 1), "large": (2, 2)}

Json = dict[str, Any]
Tile = tuple[int, int]


# The board


def on_board(tile: Tile) -> bool:
    return tile[0] in range(1, 11) and tile[1] in range(1, 9)


def body(predator: Json, col: int, row: int) -> set[Tile]:
    columns, rows = SPAN[predator["size"]]
    return {(col + i, row + j) for i in range(columns) for j in range(rows)}


def predator_tiles(value: Json, but: int = -1) -> set[Tile]:
    tiles: set[Tile] = set()
    for number, predator in enumerate(value["predators"]):
        if number != but and predator["col"] is not None:
            tiles |= body(predator, predator["col"], predator["row"])
    return tiles


def fish_tiles(value: Json) -> set[Tile]:
    return {tuple(place) for school in value["fish"].values() for place in school if isinstance(place, list)}


def left(value: Json, colour: str) -> int:
    return sum(isinstance(place, list) for place in value["fish"][colour])


# What can be done


def outcomes(value: Json) -> dict[str, Fraction | None]:
    """Each legal move, with its odds where chance decides."""
    phase, chance = value["phase"], value["turn"] == "chance"
    if phase == "layout" and chance:
        all_layouts = layouts(value)
        return {"layout " + " ".join(map(str, rows)): Fraction(1, len(all_layouts)) for rows in all_layouts}
    if phase == "fill":
        items = pool(value)
        return {f"fill {item}": Fraction(number, items.total()) for item, number in items.items()}
    if phase == "roll":
        return rolls(value["options"]["predator_faces"])
    listed = {"layout": puts, "place": places, "predator": predator_steps, "fish": fish_steps, "any": any_steps}
    return dict.fromkeys(listed[phase](value)) if phase in listed else {}


def layouts(value: Json) -> list[tuple[int, ...]]:
    heights = [SPAN[predator["size"]][1] for predator in value["predators"]]
    found = []
    for rows in permutations(range(1, 9), len(heights)):
        spans = [set(range(row, row + height)) for row, height in zip(rows, heights, strict=True)]
        beside = [span | {max(span) + 1} for span in spans]
        pairs = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j]
        if max(max(span) for span in spans) <= 8 and not any(beside[i] & spans[j] for i, j in pairs):
            found.append(rows)
    return found


def puts(value: Json) -> list[str]:
    laid = [predator["row"] for predator in value["predators"] if predator["row"] is not None]
    rows = {rows[len(laid)] for rows in layouts(value) if list(rows[: len(laid)]) == laid}
    return [f"put {len(laid) + 1} {row}" for row in rows]


def places(value: Json) -> list[str]:
    columns = [2, 1] if left(value, COLOURS[value["seat"]]) else [2]
    tiles = product(columns, range(1, 9))
    return [f"place {col} {row}" for col, row in tiles if (col, row) not in fish_tiles(value)]


def pool(value: Json) -> Counter[str]:
    """What is left to be drawn; the tile in question and those after it have one item each."""
    items = Counter({colour: school.count("waiting") for colour, school in value["fish"].items()})
    order = list(product([2, 1], range(1, 9)))
    to_come = [tile for tile in order[order.index(tuple(value["tile"])) :] if tile not in fish_tiles(value)]
    items["empty"] = len(to_come) - items.total()
    return +items


def rolls(predator_faces: int) -> dict[str, Fraction | None]:
    die = ["predator"] * predator_faces + COLOURS
    order = ["predator", *COLOURS]
    pairs = Counter(" ".join(sorted(pair, key=order.index)) for pair in product(die, die))
    return {f"roll {pair}": Fraction(number, len(die) ** 2) for pair, number in pairs.items()}


def predator_steps(value: Json) -> list[str]:
    steps = []
    for number, predator in enumerate(value["predators"]):
        for way, (dx, dy) in {"forward": (-1, 0), **SHIFT}.items():
            goal = body(predator, predator["col"] + dx, predator["row"] + dy)
            if all(map(on_board, goal)) and not goal & predator_tiles(value, number):
                steps.append(f"predator {number + 1} {way}")
    return steps


def swims(value: Json, colour: str, sideways: bool) -> list[str]:
    taken = fish_tiles(value) | predator_tiles(value)
    steps = []
    for number, place in enumerate(value["fish"][colour]):
        if isinstance(place, list):
            col, row = place
            if col == 10 or (col + 1, row) not in taken:
                steps.append(f"swim {colour} {number + 1} forward")
            for way, (_, dy) in SHIFT.items():
                if sideways and on_board((col, row + dy)) and (col, row + dy) not in taken:
                    steps.append(f"swim {colour} {number + 1} {way}")
    return steps


def fish_steps(value: Json) -> list[str]:
    own = COLOURS[value["seat"]]
    return [step for colour in dict.fromkeys(value["dice"]) for step in swims(value, colour, colour == own)]


def any_steps(value: Json) -> list[str]:
    return [step for colour in COLOURS for step in swims(value, colour, False)]


# What comes of it


def play(value: Json, move: str) -> Json:
    """The position after a move or an outcome."""
    value = copy.deepcopy(value)
    what, *words = move.split()
    DEEDS[what](value, *words)
    phase, seat = value["phase"], value["seat"]
    chance = phase in ("roll", "fill")
    value["turn"] = None if phase == "over" else "chance" if chance else seat
    return value


def lay(value: Json, number: int, row: int) -> None:
    predator = value["predators"][number]
    predator["row"], predator["col"] = row, 11 - SPAN[predator["size"]][0]


def layout(value: Json, *rows: str) -> None:
    for number, row in enumerate(rows):
        lay(value, number, int(row))
    value["phase"] = "place"


def put(value: Json, number: str, row: str) -> None:
    lay(value, int(number) - 1, int(row))
    last = int(number) == len(value["predators"])
    value["seat"] = 0 if last else int(number) % value["players"]
    value["phase"] = "place" if last else "layout"


def place_fish(value: Json, col: str, row: str) -> None:
    school = value["fish"][COLOURS[value["seat"]]]
    school[school.index("waiting")] = [int(col), int(row)]
    value["seat"] = (value["seat"] + 1) % value["players"]
    if not any("waiting" in value["fish"][colour] for colour in COLOURS[: value["players"]]):
        go_on_filling(value, (2, 1))


def fill(value: Json, item: str) -> None:
    tile = value["tile"]
    if item != "empty":
        school = value["fish"][item]
        school[school.index("waiting")] = list(tile)
    go_on_filling(value, (tile[0], tile[1] + 1) if tile[1] < 8 else (tile[0] - 1, 1))


def go_on_filling(value: Json, start: Tile) -> None:
    """From `start` on: a lot for the next empty tile, or what is left without one."""
    order = list(product([2, 1], range(1, 9)))
    after = order[order.index(start) :] if start in order else []
    empty = [tile for tile in after if tile not in fish_tiles(value)]
    if empty:
        value["tile"] = list(empty[0])
        items = pool(value)
        if len(items) > 1:
            value["phase"] = "fill"
            return
        for tile in empty if "empty" not in items else []:
            school = value["fish"][next(iter(items))]
            school[school.index("waiting")] = list(tile)
    value.update(phase="roll", tile=None, seat=0)


def roll(value: Json, one: str, other: str) -> None:
    value["rolls"] += 1
    value["dice"] = [one, other]
    if one == "predator":
        value["phase"] = "predator"
    elif fish_steps(value):
        value["phase"] = "fish"
    else:
        value["dice"] = []
        if any_steps(value):
            value["phase"] = "any"
        else:
            pass_on(value)


def pass_on(value: Json) -> None:
    value["dice"] = []
    if value["rolls"] == value["options"]["limit"]:
        value.update(phase="over", end="limit")
        return
    value["phase"] = "roll"
    clockwise = [(value["seat"] + i) % value["players"] for i in range(1, value["players"] + 1)]
    value["seat"] = next(seat for seat in clockwise if left(value, COLOURS[seat]))


def hunt(value: Json, number: str, way: str) -> None:
    predator = value["predators"][int(number) - 1]
    dx, dy = {"forward": (-1, 0), **SHIFT}[way]
    predator["col"] += dx
    predator["row"] += dy
    jaws = body(predator, predator["col"], predator["row"])
    for school in value["fish"].values():
        school[:] = ["eaten" if isinstance(place, list) and tuple(place) in jaws else place for place in school]
    value["dice"].remove("predator")
    go_on(value)


def swim(value: Json, colour: str, number: str, way: str) -> None:
    col, row = value["fish"][colour][int(number) - 1]
    dx, dy = {"forward": (1, 0), **SHIFT}[way]
    value["fish"][colour][int(number) - 1] = [col + dx, row + dy] if col + dx <= 10 else "reef"
    if value["phase"] == "fish":
        value["dice"].remove(colour)
    go_on(value)


def go_on(value: Json) -> None:
    """After every single step: the end, another die, or the next turn."""
    players = [colour for colour in COLOURS[: value["players"]] if left(value, colour)]
    others = [colour for colour in COLOURS[value["players"] :] if left(value, colour)]
    if any("reef" in school for school in value["fish"].values()):
        value.update(phase="over", end="reef", dice=[])
    elif not players:
        value.update(phase="over", end="gone", dice=[])
    elif len(players) == 1 and not others:
        value.update(phase="over", end="last", dice=[])
    elif "predator" in value["dice"]:
        value["phase"] = "predator"
    elif fish_steps(value):
        value["phase"] = "fish"
    else:
        pass_on(value)


DEEDS: dict[str, Callable[..., None]] = {
    "layout": layout,
    "put": put,
    "place": place_fish,
    "fill": fill,
    "roll": roll,
    "predator": hunt,
    "swim": swim,
}


def stands(value: Json) -> bool:
    """Whether a position in the middle of a game, with pieces on the board and dice that fit, can be one."""
    tiles = [tile for predator in value["predators"] for tile in body(predator, predator["col"], predator["row"])]
    tiles += [tuple(place) for school in value["fish"].values() for place in school if isinstance(place, list)]
    players = [colour for colour in COLOURS[: value["players"]] if left(value, colour)]
    others = [colour for colour in COLOURS[value["players"] :] if left(value, colour)]
    return (
        len(set(tiles)) == len(tiles)
        and len(players) > 0
        and len(players) + len(others) > 1
        and (value["phase"] not in ("roll", "any") or COLOURS[value["seat"]] in players)
        and not (value["phase"] == "roll" and value["rolls"] == value["options"]["limit"])
        and len(outcomes(value)) > 0
    )


def winners(value: Json) -> list[int]:
    colours = COLOURS[: value["players"]]
    if value["end"] == "reef":
        return [seat for seat, colour in enumerate(colours) if "reef" in value["fish"][colour]]
    return [seat for seat, colour in enumerate(colours) if value["end"] == "last" and left(value, colour)]


def scores(value: Json) -> list[int]:
    best = winners(value)
    return [(1 if seat in best else -1) if best else 0 for seat in range(value["players"])]
