"""A second Sand Castles, slow and plain, over the JSON position, written from the rule page alone; both must agree."""

import copy
import importlib.util
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.engine import records

GAME = strandline.game("sand_castles")
PAGE = Path(__file__).parents[3] / "docs" / "rules" / "sand_castles.md"
TILES = ("sand", "pebble", "seaweed", "stick", "butterfly", "fan", "spiral", "shovel", "rake", "wave")
DECORATIONS = TILES[1:7]
GROUPS = {"shovel": ("butterfly", "fan", "spiral"), "rake": ("pebble", "seaweed", "stick")}
Value = dict[str, Any]
Move = str

_spec = importlib.util.spec_from_file_location("sand_castles_invariants", Path(__file__).parent / "invariants.py")
assert _spec and _spec.loader
invariants = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(invariants)


def page_walls() -> dict[int, tuple[int, Counter[str], int]]:
    """The wall table of the page: (points, cost, smallest number of players)."""
    walls = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.match(r"\| \d+ \|", line) and len(cells) == 10:
            wall, points, *cost, least = (int(cell or 0) for cell in cells)
            walls[wall] = (points, +Counter(dict(zip(TILES, cost, strict=False))), least)
    return walls


WALLS = page_walls()


# Legal moves


def legal(v: Value) -> dict[Move, int]:
    """The legal moves, or the possible outcomes with their weights."""
    return Counter(globals()[f"in_{v['phase']}"](v))


def in_setup(v: Value) -> list[Move]:
    return [f"wall {wall}" for wall in v["stack"]]


in_refill = in_setup


def in_collect(v: Value) -> list[Move]:
    places = [item["place"] for item in v["peeked"]]
    moves = ["flip"] * bool(v["pool"]) + [f"flip peeked {place}" for place in places] + ["stop"] * bool(v["line"])
    if v["seagull"] == v["seat"] and not v["seagull_used"]:
        unknown = sum(v["pool"].values())
        m = min(3, unknown + len(places))
        for k in range(m + 1):
            for named in itertools.combinations(places, k):
                if m - k <= unknown:
                    moves.append(" ".join(["seagull", *["peeked"] * bool(named), *map(str, named)]))
    return moves


def in_draw(v: Value) -> list[Move]:
    return [f"{v['phase']} {tile}" for tile, number in v["pool"].items() for _ in range(number)]


in_peek = in_draw


def in_pick(v: Value) -> list[Move]:
    return [f"take peeked {place}" for place in v["looking"]]


def in_draft(v: Value) -> list[Move]:
    return [f"take {tile}" for tile in v["dropped"]]


def in_wave(v: Value) -> list[Move]:
    stash = v["stashes"][v["turn"]]
    return [f"discard {tile}" for tile in stash] + ["keep"] * (sum(stash.values()) <= 4)


def in_build(v: Value) -> list[Move]:
    seat = v["seat"]
    moves = ["pass"]
    if v["crab"] == seat:
        moves += [f"crab {s} {tile}" for s in range(v["players"]) if s != seat for tile in v["stashes"][s]]
    if len(v["walls"][seat]) < 4:
        moves += [way for wall in v["row"] for way in ways_to_pay(wall, Counter(v["stashes"][seat]))]
    return moves


def ways_to_pay(wall: int, stash: Counter[str]) -> dict[Move, Counter[str]]:
    """Each build of the wall with the tiles that it costs."""
    ways = {}
    for shovel in ("", *GROUPS["shovel"]):
        for rake in ("", *GROUPS["rake"]):
            price = Counter(WALLS[wall][1])
            text = f"build {wall}"
            for tool, tile in (("shovel", shovel), ("rake", rake)):
                if tile:
                    price[tool] += 1
                    price[tile] -= 1
                    text += f" {tool} {tile}"
            if min(price.values()) >= 0 and all(stash[tile] >= number for tile, number in price.items()):
                ways[text] = +price
    return ways


def in_seagull(v: Value) -> list[Move]:
    others = [seat for seat in range(v["players"]) if seat != v["seat"]]
    fewest = min(len(v["walls"][seat]) for seat in others)
    return [f"seagull to {seat}" for seat in others if len(v["walls"][seat]) == fewest]


def in_over(v: Value) -> list[Move]:
    return []


# What a move does


def played(before: Value, move: Move) -> Value:
    """The position after the move."""
    v: Value = copy.deepcopy(before)
    for name in ("pool", "beach", "dropped"):
        v[name] = Counter(v[name])
    v["stashes"] = [Counter(stash) for stash in v["stashes"]]
    words = move.split()
    play: Callable[..., None] = globals()[f"do_{words[0]}"]
    play(v, *words[1:])
    for name in ("pool", "beach", "dropped"):
        v[name] = ordered(v[name])
    v["stashes"] = [ordered(stash) for stash in v["stashes"]]
    for some in (v["row"], v["stack"], v["looking"], *v["walls"]):
        some.sort()
    v["peeked"].sort(key=lambda item: item["place"])
    if v["phase"] in ("setup", "draw", "peek", "refill"):
        v["turn"] = "chance"
    elif v["phase"] in ("collect", "pick", "build", "seagull"):
        v["turn"] = v["seat"]
    elif v["phase"] == "over":
        v["turn"] = None
    return v


def ordered(heap: Counter[str]) -> dict[str, int]:
    return {tile: heap[tile] for tile in TILES if heap[tile]}


def do_wall(v: Value, wall: str) -> None:
    v["stack"].remove(int(wall))
    v["row"].append(int(wall))
    if v["phase"] == "refill":
        after_a_wall(v)
    elif len(v["row"]) == 5:
        v["phase"] = "collect"


def do_flip(v: Value, *peeked: str) -> None:
    v["phase"] = "draw"
    if peeked:
        item = next(item for item in v["peeked"] if item["place"] == int(peeked[1]))
        v["peeked"].remove(item)
        come_up(v, item["tile"])


def do_draw(v: Value, tile: str) -> None:
    v["pool"][tile] -= 1
    come_up(v, tile)


def do_take(v: Value, tile: str, place: str = "") -> None:
    if tile == "peeked":
        v["looking"] = []
        do_flip(v, tile, place)
        return
    v["dropped"][tile] -= 1
    v["stashes"][v["turn"]][tile] += 1
    v["turn"] = (v["turn"] + 1) % v["players"]
    if not +v["dropped"]:
        build_step(v)


def come_up(v: Value, tile: str) -> None:
    stash = v["stashes"][v["seat"]]
    if tile == "wave":
        v["nimble"] = not v["line"]
        v["waves_out"] += 1
        if v["waves_out"] == 3:
            v["waves_out"] = 0
            v["pool"]["wave"] += 3
        v["pool"] += v["beach"] + Counter(item["tile"] for item in v["peeked"])
        stash.update(v["line"])
        v["beach"], v["peeked"], v["line"] = Counter(), [], []
        v["phase"] = "wave"
        keepers(v, [(v["seat"] + i) % v["players"] for i in range(v["players"])])
    elif tile in DECORATIONS and tile in v["line"]:
        at = v["line"].index(tile) + 1
        stash.update(v["line"][:at])
        v["dropped"] = Counter([*v["line"][at:], tile])
        v["line"] = []
        v["phase"], v["turn"] = "draft", (v["seat"] + 1) % v["players"]
    else:
        v["line"].append(tile)
        v["phase"] = "collect"


def keepers(v: Value, seats: list[int]) -> None:
    """Ask the first of the seats that has tiles, or go on after the wave."""
    asked = [seat for seat in seats if +v["stashes"][seat]]
    if asked:
        v["turn"] = asked[0]
    elif v["nimble"]:
        v["nimble"], v["phase"] = False, "collect"
    else:
        build_step(v)


def do_keep(v: Value) -> None:
    order = [(v["seat"] + i) % v["players"] for i in range(v["players"])]
    keepers(v, order[order.index(v["turn"]) + 1 :])


def do_discard(v: Value, tile: str) -> None:
    v["stashes"][v["turn"]][tile] -= 1
    v["pool"][tile] += 1
    if not +v["stashes"][v["turn"]]:
        do_keep(v)


def do_stop(v: Value) -> None:
    v["stashes"][v["seat"]].update(v["line"])
    v["line"] = []
    build_step(v)


def do_seagull(v: Value, *words: str) -> None:
    if words[:1] == ("to",):
        v["seagull"] = int(words[1])
        begin_next(v)
        return
    named = [int(word) for word in words[1:]]
    total = v["pool"].total() + len(v["peeked"])
    v["looking"], v["look_left"], v["seagull_used"] = named, min(3, total) - len(named), True
    for item in v["peeked"]:
        if item["place"] in named:
            item["known_by"] = sorted({*item["known_by"], v["seat"]})
    v["phase"] = "peek" if v["look_left"] else "pick"


def do_peek(v: Value, tile: str) -> None:
    v["pool"][tile] -= 1
    place = min(set(range(1, 47)) - {item["place"] for item in v["peeked"]})
    v["peeked"].append({"place": place, "tile": tile, "known_by": [v["seat"]]})
    v["looking"].append(place)
    v["look_left"] -= 1
    v["phase"] = "peek" if v["look_left"] else "pick"


def build_step(v: Value) -> None:
    v["phase"] = "build"
    for name in range(v["players"]):
        v["stashes"][name] = +v["stashes"][name]
    if in_build(v) == ["pass"]:
        do_pass(v)


def do_crab(v: Value, seat: str, tile: str) -> None:
    v["stashes"][int(seat)][tile] -= 1
    v["stashes"][v["seat"]][tile] += 1
    v["crab"] = int(seat)
    build_step(v)


def do_build(v: Value, wall: str, *tools: str) -> None:
    price = ways_to_pay(int(wall), v["stashes"][v["seat"]])[" ".join(["build", wall, *tools])]
    v["stashes"][v["seat"]] -= price
    v["beach"] += price
    v["row"].remove(int(wall))
    v["walls"][v["seat"]].append(int(wall))
    if len(v["walls"][v["seat"]]) == 4 and v["final_by"] is None:
        v["final_by"] = v["seat"]
    if v["stack"]:
        v["phase"] = "refill"
    else:
        after_a_wall(v)


def after_a_wall(v: Value) -> None:
    if v["final_by"] in (None, v["seat"]):
        do_pass(v)
    else:
        build_step(v)


def do_pass(v: Value) -> None:
    v["seagull_used"] = False
    last, limit = v["players"] - 1, v["options"]["max_rounds"]
    if v["final_by"] is not None:
        over = (v["seat"] + 1) % v["players"] == v["final_by"]
    else:
        over = v["seat"] == last and v["round"] == limit
    if over:
        v["phase"] = "over"
    elif v["seagull"] == v["seat"] and len(in_seagull(v)) > 1:
        v["phase"] = "seagull"
    else:
        if v["seagull"] == v["seat"]:
            v["seagull"] = int(in_seagull(v)[0].split()[2])
        begin_next(v)


def begin_next(v: Value) -> None:
    v["seat"] = (v["seat"] + 1) % v["players"]
    v["round"] += v["seat"] == 0
    v["phase"] = "collect"


def scores(v: Value) -> list[int]:
    return [
        sum(WALLS[wall][0] for wall in walls) + sum(stash.values())
        for walls, stash in zip(v["walls"], v["stashes"], strict=True)
    ]


def winners(v: Value) -> list[int]:
    triples = [
        (points, len(walls), sum(stash.values()))
        for points, walls, stash in zip(scores(v), v["walls"], v["stashes"], strict=True)
    ]
    return [seat for seat, triple in enumerate(triples) if triple == max(triples)] if v["phase"] == "over" else []


# Players


def anyhow(moves: list[Move], v: Value, rng: random.Random) -> Move:
    return rng.choice(moves)


def builder(moves: list[Move], v: Value, rng: random.Random) -> Move:
    """Stops after three tiles, keeps all it can, pinches and builds whenever it can."""
    wanted = [move for move in moves if move.startswith(("build", "crab", "keep"))]
    if wanted and rng.random() < 0.9:
        return rng.choice(wanted)
    if "stop" in moves and len(v["line"]) >= 3:
        return "stop"
    return rng.choice([move for move in moves if move not in ("stop", "pass")] or moves)


def gull_watcher(moves: list[Move], v: Value, rng: random.Random) -> Move:
    """Looks with the Seagull at once, leaves the waves and stops soon, so that ever more places are known."""
    looks = [move for move in moves if move == "seagull" or move.startswith("seagull peeked")]
    if looks:
        return rng.choice(looks) if rng.random() < 0.3 else looks[0]
    tiles = {f"take peeked {item['place']}": item["tile"] for item in v["peeked"]}
    dry = [move for move in moves if move in tiles and tiles[move] != "wave"]
    builds = [move for move in moves if move.startswith("build")]
    if "stop" in moves and rng.random() < 0.9:
        return "stop"
    return rng.choice(dry or builds or moves)


@pytest.mark.rules("S8", "S34", "S45", "S50", "S53", "S54")
@pytest.mark.parametrize("policy", [anyhow, builder, gull_watcher])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_play_the_same_game(players: int, policy: Callable[..., Move]) -> None:
    """Moves, odds, positions, scores and winners, step by step."""
    rng = random.Random(f"{players} {policy.__name__}")
    for limit in (0, 2, 60) if policy is builder else (6,):
        position = GAME.new(players, max_rounds=limit)
        while position.turn is not None:
            value = position.to_json()
            outcomes = legal(value)
            moves = position.moves()
            assert sorted(moves) == sorted(outcomes), json.dumps(value)
            if position.turn == "chance":
                total = sum(outcomes.values())
                assert position.odds() == [outcomes[move] / total for move in moves]
                move = rng.choices(moves, position.odds())[0]
            else:
                assert set(outcomes.values()) == {1}
                move = policy(moves, value, rng)
            position = position.play(move)
            after = position.to_json()
            assert after == played(value, move), (json.dumps(value), move)
            invariants.check(after)
            assert (position.scores(), position.winners()) == (scores(after), winners(after))
            assert strandline.Position.from_json(json.loads(json.dumps(after))) == position


def test_the_policies_come_to_all_there_is() -> None:
    """What the comparison above is worth: final rounds, several builds in a turn, ties, pinches, tools, third waves."""
    seen: Counter[str] = Counter()
    for number in range(24):
        rng = random.Random(number)
        position = GAME.new(2 + number % 3, max_rounds=0)
        policy = gull_watcher if number % 6 == 1 else builder
        while position.turn is not None:
            value = position.to_json()
            move = (
                rng.choices(position.moves(), position.odds())[0]
                if position.turn == "chance"
                else policy(position.moves(), value, rng)
            )
            seen[move.split()[0]] += 1
            seen[f"phase {value['phase']}"] += 1
            seen["tool"] += "shovel" in move or "rake" in move
            seen["named places"] += move.startswith("seagull peeked")
            seen["final round"] += value["final_by"] is not None and move.startswith("build")
            seen["third wave"] += value["waves_out"] == 2 and move == "draw wave"
            seen["nimble"] += value["nimble"]
            position = position.play(move)
            if value["final_by"] is not None and value["phase"] == "refill" and position.to_json()["phase"] == "build":
                seen["goes on after a build"] += 1
    phases = ("setup", "collect", "draw", "peek", "pick", "draft", "wave", "build", "refill", "seagull")
    wanted = [f"phase {phase}" for phase in phases] + ["crab", "tool", "named places", "final round", "third wave"]
    assert [name for name in (*wanted, "nimble", "goes on after a build") if not seen[name]] == []


def dealt(rng: random.Random) -> Value:
    """A position with the tiles and walls dealt out anyhow: few or no unknown tiles, many places, short stacks."""
    players = rng.choice((2, 3, 4))
    phase = rng.choice(("collect", "collect", "draw", "build", "build", "draft", "wave", "refill", "pick", "peek"))
    seat = rng.randrange(players)
    v = GAME.new(players, max_rounds=rng.choice((0, 3, 60))).to_json()
    v |= {"phase": phase, "turn": seat, "seat": seat, "round": rng.randint(1, 3), "crab": rng.randrange(players)}
    walls = rng.sample(v["stack"], len(v["stack"]))
    v["row"] = sorted(walls.pop() for _ in range(4 if phase == "refill" else 5))
    for built in v["walls"]:
        built += sorted(walls.pop() for _ in range(min(rng.choice((0, 1, 2, 3, 3)), len(walls))))
    v["stack"] = sorted(walls)
    if rng.random() < 0.4 and phase not in ("collect", "draw", "pick", "peek"):
        v["final_by"] = rng.choice([other for other in range(players) if other != seat])
        full = v["walls"][v["final_by"]]
        while len(full) < 4:
            full.append(v["stack"].pop() if v["stack"] else v["row"].pop())
        full.sort()
    v["waves_out"] = rng.randint(0, 2)
    waves = ["wave"] * (3 - v["waves_out"])
    tiles = [tile for tile, number in v["pool"].items() for _ in range(number) if tile != "wave"]
    rng.shuffle(tiles)
    face_down = [tiles.pop() for _ in range(rng.choice((0, 0, 1, 2, 8, 20)))] + waves
    looked = rng.randint(0, len(face_down)) if players > 2 and phase != "wave" else 0
    rng.shuffle(face_down)
    places = sorted(rng.sample(range(1, 47), looked))
    v["peeked"] = [
        {
            "place": place,
            "tile": face_down.pop(),
            "known_by": sorted(rng.sample(range(players), rng.randint(1, players))),
        }
        for place in places
    ]
    v["pool"] = ordered(Counter(face_down))
    heaps: list[list[str]] = [[] for _ in range(players + 2)]
    for tile in tiles:
        rng.choice(heaps).append(tile)
    *stashes, beach, rest = heaps
    if phase in ("collect", "draw", "pick", "peek"):
        while rest and not (rest[-1] in DECORATIONS and rest[-1] in v["line"]):
            v["line"].append(rest.pop())
    elif phase == "draft":
        v["dropped"] = ordered(Counter(rest))
        rest = []
    beach += rest
    if phase == "wave":
        stashes[seat] += beach
        beach = []
        v["nimble"] = rng.random() < 0.5
    if phase in ("draft", "wave"):
        v["turn"] = rng.randrange(players)
    v["beach"], v["stashes"] = ordered(Counter(beach)), [ordered(Counter(stash)) for stash in stashes]
    if players > 2:
        v["seagull"] = rng.choice((seat, rng.randrange(players)))
        v["seagull_used"] = v["seagull"] == seat and rng.random() < 0.3
    if phase in ("pick", "peek"):
        v["seagull"], v["seagull_used"] = seat, True
        known = [item["place"] for item in v["peeked"] if seat in item["known_by"]]
        m = min(3, len(face_down) + looked)
        v["looking"] = sorted(rng.sample(known, min(len(known), m if phase == "pick" else rng.randrange(m))))
        v["look_left"] = m - len(v["looking"]) if phase == "peek" else 0
    if phase in ("draw", "refill", "peek"):
        v["turn"] = "chance"
    return v


@pytest.mark.rules("S-R13", "S-R14", "S-R15", "S-R22", "S-R23", "S-R26")
def test_both_agree_on_positions_dealt_anyhow() -> None:
    rng = random.Random(46)
    read = 0
    for _ in range(3000):
        value = dealt(rng)
        try:
            position = strandline.Position.from_json(value)
        except strandline.BadPosition:
            continue  # such as a draft with nothing dropped
        read += 1
        moves = position.moves()
        assert sorted(moves) == sorted(legal(value)), json.dumps(value)
        for move in rng.sample(moves, min(4, len(moves))):
            assert position.play(move).to_json() == played(value, move), (json.dumps(value), move)
    assert read > 1500


@pytest.mark.parametrize("bounds", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_all_speeds_agree_on_positions_dealt_anyhow(bounds: bool) -> None:
    """Random play from there on, also with bounds checked: many places, an empty pool, short rows."""
    rng = random.Random(47)
    for number in range(150):
        try:
            start = strandline.Position.from_json(dealt(rng)).records()
        except strandline.BadPosition:
            continue
        games = []
        for speed in ("interpreted", "compiled"):
            states, works = np.zeros(60, GAME.rules.STATE), np.zeros(1, GAME.rules.WORK)
            states[0] = start[0]
            if speed == "interpreted":
                GAME.interpreted().trace(records.view(states), records.view(works), 3, number)
            else:
                GAME.compiled(boundscheck=bounds).trace(states, works, 3, number)
            games.append(states.tobytes())
        assert games[0] == games[1]
