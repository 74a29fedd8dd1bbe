"""A second referee, written from the rule page alone: plain dicts and sets, recursion, no regard for speed."""

import copy
from typing import Any

STEPS = 12
TURNS = 8
MODIFIERS = {1: "lifeguard", 2: "calm", 3: "wave", 4: "current", 5: "calm", 6: "undertow"}
SIDES = {"left": -1, "right": 1}

Json = dict[str, Any]
Swimmer = tuple[int, int, int, int]
"""Lane, step, points it may spend by itself, free sideways steps."""


def lanes(v: Json) -> range:
    return range(2, 10) if v["players"] == 2 else range(1, 11)


def own(v: Json) -> list[Json]:
    mine: list[Json] = v["swimmers"][v["player"]]
    return mine


def wet(swimmer: Json) -> bool:
    return bool(swimmer["step"])


def occupied(v: Json) -> set[tuple[int, int]]:
    return {(swimmer["lane"], swimmer["step"]) for family in v["swimmers"] for swimmer in family if wet(swimmer)}


def water(v: Json) -> str:
    return MODIFIERS[v["dice"]["modifier"]]


def total(v: Json) -> int:
    dice = v["dice"]["red"], v["dice"]["green"]
    return max(dice) if v["options"]["easy"] else sum(dice)


def surges(v: Json) -> bool:
    return water(v) in ("wave", "undertow")


def each(v: Json) -> bool:
    return v["options"]["surge"] == "each" and surges(v)


def tires(v: Json) -> bool:
    return v["options"]["strength"] and not surges(v)


def purse(v: Json, n: int) -> int:
    """What swimmer `n` may spend on steps."""
    if each(v):
        return int(v["points"] - v["swum"][n - 1])
    if tires(v):
        return int(min(v["points"], own(v)[n - 1]["pips"] - v["swum"][n - 1]))
    return int(v["points"])


def free(v: Json, n: int) -> int:
    if water(v) != "current":
        return 0
    return max(0, own(v)[n - 1]["pips"] - v["drifted"][n - 1]) if v["options"]["lane_limits"] else 1000


# The out part


class Sea:
    """What a line sees of a position: the spaces taken by others, the lanes, and whether points are shared."""

    def __init__(self, v: Json) -> None:
        self.lanes = lanes(v)
        self.pool = not each(v)
        mine = {n: swimmer for n, swimmer in enumerate(own(v), 1) if wet(swimmer)}
        self.others = occupied(v) - {(swimmer["lane"], swimmer["step"]) for swimmer in mine.values()}
        self.start = {n: (swimmer["lane"], swimmer["step"], purse(v, n), free(v, n)) for n, swimmer in mine.items()}
        self.points = v["points"] if self.pool else 10**6
        self.known: dict[Any, int] = {}

    def taken(self, fleet: dict[int, Swimmer]) -> set[tuple[int, int]]:
        return self.others | {swimmer[:2] for swimmer in fleet.values()}

    def straight(self, fleet: dict[int, Swimmer], points: int) -> list[int]:
        taken = self.taken(fleet)
        return [
            n
            for n, (lane, step, purse, _) in fleet.items()
            if step < STEPS and (lane, step + 1) not in taken and min(purse, points) >= 1
        ]

    def round(self, fleet: dict[int, Swimmer], points: int) -> list[tuple[int, str, int, int]]:
        """The shortest affordable ways round: swimmer, side, sideways steps, cost."""
        taken, found = self.taken(fleet), []
        for n, (lane, step, purse, gratis) in fleet.items():
            for side, by in SIDES.items():
                if step == STEPS or (lane, step + 1) not in taken:
                    continue
                at, sideways = lane, 0
                while (at, step + 1) in taken:
                    at, sideways = at + by, sideways + 1
                    if at not in self.lanes or (at, step) in taken:
                        break
                else:
                    cost = max(0, sideways - gratis) + 1
                    if cost <= min(purse, points):
                        found.append((n, side, sideways, cost))
        least = min((way[2] for way in found), default=0)
        return [way for way in found if way[2] == least]

    def most(self, fleet: dict[int, Swimmer], points: int) -> int:
        """The points used by the best line from here."""
        key = (tuple(sorted(fleet.items())), points)
        if key not in self.known:
            lines = [0]
            for n in self.straight(fleet, points)[:1]:  # they never hinder each other
                lines.append(self.then(fleet, points, n, 0, 0, 1))
            if len(lines) == 1:
                for n, side, sideways, cost in self.round(fleet, points):
                    lines.append(self.then(fleet, points, n, SIDES[side], sideways, cost))
            self.known[key] = max(lines)
        return self.known[key]

    def then(self, fleet: dict[int, Swimmer], points: int, n: int, by: int, sideways: int, cost: int) -> int:
        lane, step, purse, gratis = fleet[n]
        moved = lane + by * sideways, step + 1, purse - cost, max(0, gratis - sideways)
        return cost + self.most({**fleet, n: moved}, points - cost)


def out_moves(v: Json) -> list[str]:
    sea = Sea(v)
    if v["detour"]:
        return [rest_of_detour(v, sea)]
    ahead = sea.straight(sea.start, sea.points)
    if ahead:
        steps = [f"out {n}" for n in ahead]
    else:
        ways = sea.round(sea.start, sea.points)
        used = [sea.then(sea.start, sea.points, n, SIDES[side], k, cost) for n, side, k, cost in ways]
        steps = [f"{side} {n}" for (n, side, _, _), points in zip(ways, used, strict=True) if points == max(used)]
    if steps and tires(v):
        steps += [f"weaken {n}" for n, swimmer in enumerate(own(v), 1) if wet(swimmer) and swimmer["pips"] > 1]
    return steps


def rest_of_detour(v: Json, sea: Sea) -> str:
    n = v["detour"]
    lane, step, _, _ = sea.start[n]
    taken = sea.taken(sea.start)
    if (lane, step + 1) not in taken:
        return f"out {n}"
    length = {}
    for side, by in SIDES.items():
        at = lane + by
        while at in sea.lanes and (at, step) not in taken and (at, step + 1) in taken:
            at += by
        if at in sea.lanes and (at, step) not in taken:
            length[side] = abs(at - lane)
    return f"{min(length, key=lambda side: length[side])} {n}"


# The in part


def in_moves(v: Json) -> list[str]:
    taken, found = occupied(v), []
    for n, swimmer in enumerate(own(v), 1):
        if not wet(swimmer):
            continue
        lane, step = swimmer["lane"], swimmer["step"]
        if purse(v, n) >= 1 and (step == 1 or (lane, step - 1) not in taken):
            found.append(f"in {n}")
        for side, by in SIDES.items():
            if lane + by in lanes(v) and (lane + by, step) not in taken:
                back = v["drift"][n - 1] not in (None, side)
                if (not back) if free(v, n) else purse(v, n) >= 1:
                    found.append(f"{side} {n}")
        if tires(v) and v["points"] >= 1 and swimmer["pips"] < 6:
            found.append(f"strengthen {n}")
    return [*found, "stop"] if found else []


def places(v: Json) -> list[str]:
    taken, found = occupied(v), []
    for n, die in enumerate(own(v), 1):
        if die["pips"] and die["step"] is None:
            step = landing(v, die["pips"])
            found += [f"place {n} {lane}" for lane in lanes(v) if (lane, step) not in taken]
    return found


def landing(v: Json, pips: int) -> int:
    step, taken = pips + 2, occupied(v)
    while all((lane, step) in taken for lane in lanes(v)):
        step += 1
    return step


def moves(v: Json) -> list[str]:
    """All legal moves or possible outcomes."""
    phase, faces = v["phase"], range(1, 7)
    if phase == "over":
        return []
    if phase in ("family", "reroll"):
        return [f"roll {p}" for p in faces]
    if phase == "dice":
        return [f"roll {r} {g} {m}" for r in faces for g in faces for m in faces]
    if phase in ("place", "return"):
        return places(v)
    if phase == "save":
        return [f"save {n}" for n, swimmer in enumerate(own(v), 1) if wet(swimmer)]
    if phase == "choose":
        return [f"recall {n}" for n, swimmer in enumerate(own(v), 1) if swimmer["step"] == 0] + ["undertow"]
    return out_moves(v) if phase == "out" else in_moves(v)


# What a move leads to


def play(v: Json, move: str) -> Json:
    """The position after a move."""
    v = copy.deepcopy(v)
    word, *rest = move.split()
    numbers = [int(number) for number in rest]
    if v["phase"] in ("family", "reroll"):
        next(die for die in own(v) if die["pips"] is None)["pips"] = numbers[0]
        after_roll(v)
    elif word == "place":
        swimmer = own(v)[numbers[0] - 1]
        swimmer.update(step=landing(v, swimmer["pips"]), lane=numbers[1])
        after_place(v)
    elif v["phase"] == "dice":
        v["dice"] = dict(zip(("red", "green", "modifier"), numbers, strict=True))
        after_dice(v)
    elif word == "undertow":
        begin(v, "out", total(v))
    elif word == "recall":
        own(v)[numbers[0] - 1].update(pips=None, lane=None, step=None)
        v["phase"] = "reroll"
    elif word == "stop":
        next_turn(v)
    else:
        decide(v, word, numbers[0])
    v["turn"] = "chance" if v["phase"] in ("family", "dice", "reroll") else v["player"]
    return v


def after_roll(v: Json) -> None:
    if v["phase"] == "reroll":
        v["phase"] = "return"
    elif v["options"]["slow_start"]:
        v["phase"] = "place"
    elif all(die["pips"] for die in own(v)):
        v["player"] = (v["player"] + 1) % v["players"]
        v["phase"] = "family" if v["player"] else "place"


def after_place(v: Json) -> None:
    if v["phase"] == "return":
        next_turn(v)
        return
    v["player"] = (v["player"] + 1) % v["players"]
    if all(wet(swimmer) for family in v["swimmers"] for swimmer in family):
        v.update(phase="dice", round=1)
    elif v["options"]["slow_start"]:
        v["phase"] = "family"


def after_dice(v: Json) -> None:
    sea = water(v)
    home = any(swimmer["step"] == 0 for swimmer in own(v))
    if sea == "lifeguard":
        v["phase"] = "save"
    elif sea == "wave":
        begin(v, "in", total(v))
    elif sea != "undertow":
        begin(v, "out", v["dice"]["red"])
    elif v["options"]["triple_six"] and set(v["dice"].values()) == {6} and home:
        v["phase"] = "choose"
    else:
        begin(v, "out", total(v))


def begin(v: Json, part: str, points: int) -> None:
    v.update(phase=part, points=points, swum=[0] * len(own(v)), drift=[None] * len(own(v)))
    go_on(v)


def go_on(v: Json) -> None:
    """Pass over what is left of a part if there is nothing to do."""
    if v["phase"] == "out" and not out_moves(v):
        if surges(v):
            next_turn(v)
        else:
            begin(v, "in", v["dice"]["green"])
    elif v["phase"] == "in" and not in_moves(v):
        next_turn(v)


def decide(v: Json, word: str, n: int) -> None:
    swimmer = own(v)[n - 1]
    if word in SIDES:
        swimmer["lane"] += SIDES[word]
        if free(v, n):
            v["drifted"][n - 1] += v["options"]["lane_limits"]
            v["drift"][n - 1] = word if v["phase"] == "in" else None
        else:
            pay(v, n)
        if v["phase"] == "out":
            v["detour"] = n
            return
    elif word in ("weaken", "strengthen"):
        swimmer["pips"] += 1 if word == "strengthen" else -1
        v["points"] -= 1
        v["drift"] = [None] * len(own(v))
    elif word == "save":
        swimmer.update(lane=None, step=0)
    else:
        pay(v, n)
        v["detour"] = None
        swimmer["step"] += 1 if word == "out" else -1
        swimmer["lane"] = swimmer["lane"] if swimmer["step"] else None
    if not v["options"]["vacation"] and not any(map(wet, own(v))):
        finish(v)
    elif word == "save":
        next_turn(v)
    else:
        go_on(v)


def pay(v: Json, n: int) -> None:
    v["points"] -= not each(v)
    v["swum"][n - 1] += each(v) or tires(v)
    v["drift"] = [None] * len(own(v))


def tidy(v: Json) -> None:
    size = len(v["swimmers"][0])
    v.update(dice=None, points=0, detour=None, swum=[0] * size, drifted=[0] * size, drift=[None] * size)


def next_turn(v: Json) -> None:
    tidy(v)
    v["phase"] = "dice"
    days = v["options"]["vacation"]
    last = TURNS if days else v["options"]["max_rounds"]
    while True:
        if days and not occupied(v):
            end_day(v)
            return
        v["player"] += 1
        if v["player"] == v["players"]:
            if v["round"] == last:
                end_day(v)
                return
            v.update(player=0, round=v["round"] + 1)
        if any(map(wet, own(v))):
            return


def end_day(v: Json) -> None:
    days = v["options"]["vacation"]
    if days:
        v["day_scores"].append([beach(family) for family in v["swimmers"]])
    if v["day"] >= days:
        finish(v)
        return
    nobody = {"pips": None, "lane": None, "step": None}
    v["swimmers"] = [[dict(nobody) for _ in family] for family in v["swimmers"]]
    v.update(day=v["day"] + 1, round=0, player=0, phase="family")


def finish(v: Json) -> None:
    tidy(v)
    v.update(phase="over", player=None)
    if v["options"]["vacation"]:
        v["round"] = TURNS


# Scores


def beach(family: list[Json]) -> int:
    return sum(swimmer["pips"] for swimmer in family if swimmer["step"] == 0)


def scores(v: Json) -> list[int]:
    """The score of each seat."""
    if not v["options"]["vacation"]:
        return [sum(swimmer["step"] == 0 for swimmer in family) for family in v["swimmers"]]
    now = [0 if v["phase"] == "over" else beach(family) for family in v["swimmers"]]
    return [sum(day[seat] for day in v["day_scores"]) + now[seat] for seat in range(v["players"])]


def winners(v: Json) -> list[int]:
    """The seats that have won."""
    if v["phase"] != "over":
        return []
    worth = [(score, 0) for score in scores(v)]
    if not v["options"]["vacation"]:
        worth = [(score, -sum(m["step"] for m in v["swimmers"][seat])) for seat, (score, _) in enumerate(worth)]
    return [seat for seat in range(v["players"]) if worth[seat] == max(worth)]
