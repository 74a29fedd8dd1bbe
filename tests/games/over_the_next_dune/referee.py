"""A second referee over JSON positions, written from the rule page alone. It shares no code with the rules."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Square = tuple[int, int]

STEP = {
    "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1), "n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1)
}  # fmt: skip
DIAL = list(STEP)
OWNERS = {1: (0, 0, 0, 0, 0), 2: (0, 1, 0, 1, 0), 3: (0, 1, 2, 0, 1), 4: (0, 1, 2, 0, 3), 5: (0, 1, 2, 3, 4)}
AREAS = [(1, 2), (1, 8), (1, 14), (7, 2), (7, 8), (7, 14)]
PIECES = {
    1: ["##C##"],
    2: ["##...", ".#C#.", "...##"],
    3: ["#...#", "##C##"],
    4: ["#.C.#", ".#.#."],
    5: ["###..", "##C##", "###.."],
    6: ["#####", "##C##", "#####"],
}
TRAIL_COLUMNS = {1, 2, 3, 4, 5, 16, 17, 18, 19, 20}


# Looking


def number(direction: Square) -> int:
    return DIAL.index(next(name for name, step in STEP.items() if step == direction)) + 1


def vector(facing: int) -> Square:
    return STEP[DIAL[facing - 1]]


def apart(a: Any, b: Any) -> int:
    return int(max(abs(a[0] - b[0]), abs(a[1] - b[1])))


def free(v: Json) -> dict[int, Square]:
    return {i: tuple(t["at"]) for i, t in enumerate(v["tokens"], 1) if t["state"] == "free"}


def owner(v: Json, token: int) -> int:
    return OWNERS[v["players"]][token - 1]


def squad_order(v: Json, tokens: Any) -> list[int]:
    return sorted(tokens, key=lambda token: ((owner(v, token) - v["first"]) % v["players"], token))


def searchers(v: Json) -> Iterator[tuple[int, Json]]:
    yield from enumerate(v["searchers"], 1)


def adjacent(v: Json, square: Any) -> set[int]:
    return {i for i, searcher in searchers(v) if apart(searcher["at"], square) == 2}


def rough(v: Json) -> set[Square]:
    squares = set()
    for laid in v["terrain"]:
        picture = PIECES[laid["piece"]]
        marks = {(r, c): mark for r, line in enumerate(picture) for c, mark in enumerate(line) if mark != "."}
        ((top, left),) = [square for square, mark in marks.items() if mark == "C"]
        squares |= {(laid["at"][0] + r - top, laid["at"][1] + c - left) for r, c in marks}
    return squares


def on_board(square: Square) -> bool:
    return 1 <= square[0] <= 20 and 1 <= square[1] <= 20


def covered(v: Json, square: Square) -> bool:
    return any(apart(searcher["at"], square) <= 1 for searcher in v["searchers"])


def steps(v: Json, token: int, points: int) -> list[str]:
    at = free(v)[token]
    found = []
    for name, (down, right) in STEP.items():
        to = (at[0] + down, at[1] + right)
        if to[0] == 0 and 1 <= to[1] <= 20:
            legal = points >= 1
        else:
            legal = on_board(to) and not covered(v, to) and to not in free(v).values()
            legal = legal and points >= (2 if to in rough(v) else 1)
        if legal:
            found.append(f"move {token} {name}")
    return found


def open_squares(v: Json, searcher: Json) -> list[Square]:
    row, column = searcher["at"]
    ring = [(row + d, column + r) for d in range(-2, 3) for r in range(-2, 3) if max(abs(d), abs(r)) == 2]
    return [at for at in ring if on_board(at) and not covered(v, at) and at not in free(v).values()]


def waiting(v: Json) -> list[int]:
    """Free tokens that have neither moved nor a card."""
    return squad_order(v, [t for t in free(v) if t not in v["moved"] and v["cards"][t - 1] is None])


def outcomes(v: Json) -> dict[str, float | None]:
    """The legal moves; or what chance may bring, with the odds."""
    phase = v["phase"]
    if phase == "terrain":
        left = set(range(1, 7)) - {laid["piece"] for laid in v["terrain"]}
        return {f"terrain {piece}": 1 / len(left) for piece in left}
    if phase == "terrain_at":
        return {f"at {row} {column}": 1 / 36 for row in range(1, 7) for column in range(1, 7)}
    if phase == "searcher":
        if v["options"]["patrols"] == "dice":
            squares = [(row, column) for row in range(2, 13) for column in range(2, 20)]
        else:
            top, left_side = AREAS[len(v["searchers"])]
            squares = [(top + r, left_side + c) for r in range(6) for c in range(6) if top + r not in (1, 12)]
        return {f"searcher {row} {column}": 1 / len(squares) for row, column in squares}
    if phase == "facing":
        return {f"facing {facing}": 1 / 8 for facing in range(1, 9)}
    if phase == "search":
        return {f"card {kind}": n / sum(v["deck"].values()) for kind, n in v["deck"].items() if n}
    return dict.fromkeys(decisions(v))


def decisions(v: Json) -> list[str]:
    if v["phase"] == "drop":
        captor = v["searchers"][v["rescue"] - 1]
        token = squad_order(v, captor["captives"])[0]
        return [f"drop {token} {row} {column}" for row, column in open_squares(v, captor)]
    if v["phase"] in ("order", "late_order"):
        left = [card for card in range(1, 6) if card not in v["cards"]]
        if v["phase"] == "order" and len(waiting(v)) == 1 and 1 in left:
            left = [1]
        return [f"order {card}" for card in left]
    if v["phase"] == "sneak" and v["mover"]:
        return [*steps(v, v["mover"]["token"], v["mover"]["points"]), "stop"]
    if v["phase"] == "sneak":
        return [move for token in free(v) if token not in v["moved"] for move in steps(v, token, 5)] + ["done"]
    return []


# Playing


class Over(Exception):
    pass


def play(before: Json, move: str) -> Json:
    """The position after a move."""
    v = copy.deepcopy(before)
    verb, *rest = move.split()
    carry_out: dict[str, Callable[..., None]] = {
        "terrain": terrain, "at": terrain_at, "searcher": place, "facing": face, "card": draw, "drop": drop,
        "order": order, "move": step, "stop": stop, "done": done,
    }  # fmt: skip
    try:
        carry_out[verb](v, *rest)
    except Over as over:
        reason = over.args[0]
        v |= {"phase": "over", "searching": None, "mover": None, "rescue": None}
        v |= {"result": "won" if reason == "lines" else "lost", "reason": reason}
    v["markers"].sort()
    v["turn"] = turn(v)
    return v


def turn(v: Json) -> Any:
    if v["phase"] == "over":
        return None
    if v["phase"] == "drop":
        return owner(v, squad_order(v, v["searchers"][v["rescue"] - 1]["captives"])[0])
    if v["phase"] in ("order", "late_order"):
        return owner(v, waiting(v)[0])
    if v["phase"] == "sneak":
        return owner(v, v["mover"]["token"]) if v["mover"] else 0
    return "chance"


def terrain(v: Json, piece: str) -> None:
    v["terrain"].append({"piece": int(piece), "at": None})
    v["phase"] = "terrain_at"


def terrain_at(v: Json, row: str, column: str) -> None:
    top, left = AREAS[len(v["terrain"]) - 1]
    v["terrain"][-1]["at"] = [top + int(row) - 1, left + int(column) - 1]
    v["phase"] = "terrain" if len(v["terrain"]) < 6 else "searcher"


def place(v: Json, row: str, column: str) -> None:
    v["searchers"].append({"at": [int(row), int(column)], "facing": None, "captives": []})
    v["phase"] = "facing"


def face(v: Json, facing: str) -> None:
    v["searchers"][-1]["facing"] = int(facing)
    v["phase"] = "searcher"
    if len(v["searchers"]) == 6:
        begin_turn(v)


def begin_turn(v: Json) -> None:
    v |= {"phase": "search", "round": v["round"] + 1, "searching": 1}


def catch(v: Json, searcher: Json) -> bool:
    prey = [token for token, at in free(v).items() if apart(at, searcher["at"]) <= 1]
    for token in prey:
        v["tokens"][token - 1] = {"state": "caught", "at": None}
        v["cards"][token - 1] = None
    searcher["captives"] = sorted(searcher["captives"] + prey)
    if prey:
        searcher["facing"] = 1
    return bool(prey)


def read_markers(v: Json, searcher: Json) -> int | None:
    under = [marker for marker in v["markers"] if apart(marker[:2], searcher["at"]) <= 1]
    if searcher["captives"] or not under:
        return None
    _, _, direction = min(under, key=lambda marker: (marker[0], abs(marker[1] - 10.5)))
    v["markers"] = [marker for marker in v["markers"] if marker not in under]
    searcher["facing"] = direction
    return int(direction)


def lost_in_camp(searcher: Json) -> bool:
    return bool(searcher["captives"]) and searcher["at"][0] == 19


def check_hopeless(v: Json) -> None:
    if v["options"]["hopeless_ends"] and any(s["captives"] for s in v["searchers"]) and len(free(v)) < 3:
        raise Over("hopeless")


def draw(v: Json, kind: str) -> None:
    """Procedure A."""
    v["deck"][kind] -= 1
    searcher = v["searchers"][v["searching"] - 1]
    kept = searcher["facing"]
    d = vector((kept - 1 + {"straight": 0, "left": -1, "right": 1}[kind]) % 8 + 1)
    turned = caught = False
    for _ in range(6):
        row, column = searcher["at"]
        bounced = (d[0] if 2 <= row + d[0] <= 19 else -d[0], d[1] if 2 <= column + d[1] <= 19 else -d[1])
        turned |= bounced != d
        d = bounced
        searcher["at"] = [row + d[0], column + d[1]]
        if catch(v, searcher):
            caught = True
            break
        if lost_in_camp(searcher):
            break
        if marker := read_markers(v, searcher):
            d, turned = vector(marker), True
    if not caught:
        searcher["facing"] = number(d) if turned else kept
    if lost_in_camp(searcher):
        raise Over("camp")
    check_hopeless(v)
    if v["searching"] < 6:
        v["searching"] += 1
    else:
        v["searching"] = None
        rescues(v)


def rescues(v: Json) -> None:
    """Procedure C, and what comes after it."""
    for i, searcher in searchers(v):
        friends = [at for at in free(v).values() if apart(at, searcher["at"]) == 2]
        if searcher["captives"] and len(friends) >= 3 and open_squares(v, searcher):
            v |= {"phase": "drop", "rescue": i}
            return
    v["rescue"] = None
    if v["players"] > 1 and waiting(v):
        v["phase"] = "order" if v["cards"] == [None] * 5 else "late_order"
        return
    go_on(v)


def go_on(v: Json) -> None:
    v["phase"] = "sneak"
    if v["mover"]:
        if steps(v, v["mover"]["token"], v["mover"]["points"]):
            return
        finish(v)
    next_mover(v)


def finish(v: Json) -> None:
    v["moved"] = sorted([*v["moved"], v["mover"]["token"]])
    v["mover"] = None


def next_mover(v: Json) -> None:
    todo = [token for token in free(v) if token not in v["moved"]]
    if v["players"] == 1:
        if not any(steps(v, token, 5) for token in todo):
            end_sneak(v)
        return
    for token in sorted(todo, key=lambda token: v["cards"][token - 1] or 9):
        begin(v, token)
        if steps(v, token, 5):
            return
        finish(v)
    end_sneak(v)


def begin(v: Json, token: int) -> None:
    v["mover"] = {"token": token, "points": 5, "alert": sorted(adjacent(v, free(v)[token])), "halted": []}


def end_sneak(v: Json) -> None:
    v |= {"cards": [None] * 5, "moved": []}
    if v["round"] == v["options"]["turns"]:
        raise Over("sunrise")
    begin_turn(v)


def drop(v: Json, token: str, row: str, column: str) -> None:
    captor = v["searchers"][v["rescue"] - 1]
    captor["captives"].remove(int(token))
    v["tokens"][int(token) - 1] = {"state": "free", "at": [int(row), int(column)]}
    if captor["captives"] and open_squares(v, captor):
        return
    read_markers(v, captor)
    rescues(v)


def order(v: Json, card: str) -> None:
    v["cards"][waiting(v)[0] - 1] = int(card)
    if waiting(v):
        return
    if v["phase"] == "order":
        v["first"] = owner(v, v["cards"].index(1) + 1)
    go_on(v)


def step(v: Json, name: str, way: str) -> None:
    """Procedure B."""
    token, (down, right) = int(name), STEP[way]
    if not v["mover"]:
        begin(v, token)
    row, column = free(v)[token]
    if column in TRAIL_COLUMNS:
        v["markers"] = [marker for marker in v["markers"] if marker[:2] != [row, column]]
        v["markers"].append([row, column, DIAL.index(way) + 1])
    to = (row + down, column + right)
    if to[0] == 0:
        v["tokens"][token - 1] = {"state": "away", "at": None}
        v["mover"] = None
        if all(t["state"] == "away" for t in v["tokens"]):
            raise Over("lines")
    else:
        v["mover"]["points"] -= 2 if to in rough(v) else 1
        v["tokens"][token - 1]["at"] = list(to)
        follow(v, down, right)
        mover = v["mover"]
        mover["alert"] = sorted({*mover["alert"], *adjacent(v, to)} - {*mover["halted"]})
    check_hopeless(v)
    rescues(v)


def follow(v: Json, down: int, right: int) -> None:
    mover = v["mover"]
    for i in list(mover["alert"]):
        searcher = v["searchers"][i - 1]
        to = [searcher["at"][0] + down, searcher["at"][1] + right]
        if not all(2 <= part <= 19 for part in to):
            continue
        searcher["at"] = to
        if catch(v, searcher):
            mover["halted"] = sorted([*mover["halted"], i])
            mover["alert"].remove(i)
        if lost_in_camp(searcher):
            raise Over("camp")
        read_markers(v, searcher)


def stop(v: Json) -> None:
    finish(v)
    next_mover(v)


def done(v: Json) -> None:
    end_sneak(v)


def scores(v: Json) -> list[int]:
    return [sum(token["state"] == "away" for token in v["tokens"])] * v["players"]


def winners(v: Json) -> list[int]:
    return list(range(v["players"])) if v["result"] == "won" else []
