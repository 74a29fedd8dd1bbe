"""The rules of Sand Castles, one by one."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import strandline

GAME = strandline.game("sand_castles")
BOX = Counter(sand=14, pebble=7, seaweed=6, stick=5, butterfly=4, fan=3, spiral=2, shovel=1, rake=1, wave=3)
ROW = [8, 9, 10, 11, 12]
"""Walls that a few plain tiles cannot pay for."""


def heap(text: str) -> dict[str, int]:
    """Counts from words: "sand 2 fan" is one sand and two fans."""
    counts: Counter[str] = Counter()
    number = 1
    for word in text.split():
        if word.isdigit():
            number = int(word)
        else:
            counts[word] += number
            number = 1
    return {name: counts[name] for name in BOX if counts[name]}


def at(phase: str, *stashes: str, **fields: Any) -> strandline.Position:
    """A position with these stashes; all tiles that are nowhere are in the pool, all such walls in the stack.

    `peeked` is a list of (place, tile, known_by), `line` and the heaps are words.
    """
    players = len(stashes)
    seat = fields.get("seat", 0)
    value: dict[str, Any] = {
        "game": "sand_castles", "players": players, "options": {"max_rounds": fields.pop("max_rounds", 60)},
        "phase": phase, "turn": "chance" if phase in ("draw", "peek", "refill") else None if phase == "over" else seat,
        "seat": seat, "round": 2, "final_by": None, "row": ROW, "walls": [[] for _ in stashes], "waves_out": 0,
        "crab": (seat + 1) % players, "seagull": None if players == 2 else (seat + 1) % players, "seagull_used": False,
        "looking": [], "look_left": 0, "nimble": False,
    } | fields  # fmt: skip
    value["line"] = fields.get("line", "").split()
    value["stashes"] = [heap(stash) for stash in stashes]
    for name in ("beach", "dropped"):
        value[name] = heap(fields.get(name, ""))
    value["peeked"] = [
        {"place": place, "tile": tile, "known_by": known_by} for place, tile, known_by in fields.get("peeked", [])
    ]
    used = Counter(value["line"]) + Counter(item["tile"] for item in value["peeked"])
    used += sum(map(Counter, [value["beach"], value["dropped"], *value["stashes"]]), Counter(wave=value["waves_out"]))
    value["pool"] = {name: BOX[name] - used[name] for name in BOX if BOX[name] - used[name]}
    built = {wall for walls in value["walls"] for wall in walls}
    value["stack"] = [wall for wall in range(1, 4 * players + 5) if wall not in built | set(value["row"])]
    return strandline.Position.from_json(value)


def after(position: strandline.Position, *moves: str) -> dict[str, Any]:
    """The JSON position after these moves, with the legal moves and the scores."""
    for move in moves:
        position = position.play(move)
    return position.to_json() | {"moves": sorted(position.moves()), "scores": position.scores()}


def some(value: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(value[name] for name in names)


# Set-up


@pytest.mark.rules("S1", "S2", "S3", "S4", "S6", "S7", "S-R2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup(players: int) -> None:
    value = GAME.new(players).to_json()
    assert value == {
        "game": "sand_castles", "players": players, "options": {"max_rounds": 60}, "phase": "setup", "turn": "chance",
        "seat": 0, "round": 1, "final_by": None, "row": [], "stack": list(range(1, 4 * players + 5)),
        "walls": [[]] * players, "pool": dict(BOX), "peeked": [], "beach": {}, "waves_out": 0, "line": [],
        "dropped": {}, "stashes": [{}] * players, "crab": players - 1, "seagull": None if players == 2 else 0,
        "seagull_used": False, "looking": [], "look_left": 0, "nimble": False,
    }  # fmt: skip


@pytest.mark.rules("S5", "S-R3", "S-R30")
def test_five_walls_are_turned_up_one_by_one() -> None:
    position = GAME.new(2)
    for wall, left in ((12, 12), (3, 11), (7, 10), (1, 9)):
        assert position.odds() == [1 / left] * left
        position = position.play(f"wall {wall}")
        assert position.turn == "chance"
    value = after(position, "wall 9")
    assert some(value, "phase", "turn", "row") == ("collect", 0, [1, 3, 7, 9, 12])
    with pytest.raises(strandline.IllegalMove):
        position.play("wall 12")


# Collecting


@pytest.mark.rules("S8", "S9", "S10", "S11", "S12", "S13")
def test_a_turn_is_collecting_and_the_next_seat_begins() -> None:
    position = at("collect", "", "")
    assert position.moves() == ["flip"]
    value = after(position, "flip", "draw sand", "flip", "draw fan")
    assert some(value, "phase", "line", "moves") == ("collect", ["sand", "fan"], ["flip", "stop"])
    value = after(position, "flip", "draw sand", "flip", "draw fan", "stop")
    assert some(value, "phase", "seat", "round", "line") == ("collect", 1, 2, [])
    assert value["stashes"] == [heap("sand fan"), {}]
    assert after(strandline.Position.from_json(strip(value)), "flip", "draw stick", "stop", "pass")["round"] == 3


def strip(value: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in ("moves", "scores")}


@pytest.mark.rules("S4", "S-R30")
def test_odds_go_by_the_counts() -> None:
    position = at("draw", "13 sand", "7 pebble 6 seaweed 5 stick 4 butterfly 2 spiral shovel rake", waves_out=1)
    assert dict(zip(position.moves(), position.odds(), strict=True)) == {
        "draw sand": 1 / 6,
        "draw fan": 3 / 6,
        "draw wave": 2 / 6,
    }
    alone = at("draw", "14 sand", "7 pebble 6 seaweed 5 stick 4 butterfly 3 fan 2 spiral shovel rake", waves_out=2)
    assert (alone.turn, alone.moves(), alone.odds()) == ("chance", ["draw wave"], [1.0])


@pytest.mark.rules("S14", "S15")
def test_tiles_in_the_stash_never_match() -> None:
    value = after(at("draw", "6 pebble 3 sand", "", line="sand"), "draw pebble", "stop")
    assert value["stashes"][0] == heap("7 pebble 4 sand")


@pytest.mark.rules("S15", "S42")
@pytest.mark.parametrize("tile", ["sand", "shovel", "rake"])
def test_sand_and_tools_never_match(tile: str) -> None:
    line = f"sand pebble butterfly {'rake' if tile == 'shovel' else 'shovel'}"
    value = after(at("draw", "", "", line=line), f"draw {tile}")
    assert some(value, "phase", "line") == ("collect", [*line.split(), tile])


@pytest.mark.rules("S15", "S16", "S17")
@pytest.mark.parametrize("tile", ["pebble", "seaweed", "stick", "butterfly", "fan", "spiral"])
def test_every_decoration_matches_its_like(tile: str) -> None:
    value = after(at("draw", "", "", "", seat=1, line=f"sand {tile} shovel sand"), f"draw {tile}")
    assert some(value, "phase", "turn", "line") == ("draft", 2, [])
    assert (value["stashes"][1], value["dropped"]) == (heap(f"sand {tile}"), heap(f"sand {tile} shovel"))


@pytest.mark.rules("S16")
def test_at_least_the_new_tile_is_dropped() -> None:
    value = after(at("draw", "", "", line="sand fan"), "draw fan")
    assert (value["stashes"][0], value["dropped"], value["turn"]) == (heap("sand fan"), heap("fan"), 1)


@pytest.mark.rules("S17", "S18", "S-R9")
def test_the_draft_goes_round_until_nothing_is_left() -> None:
    position = at("draft", "", "", "", seat=2, turn=0, dropped="4 sand fan")
    turns = []
    while position.to_json()["phase"] == "draft":
        turns.append(position.turn)
        moves = position.moves()
        assert moves == (["take sand", "take fan"] if len(turns) < 5 else ["take fan"])  # nobody may refuse
        position = position.play(moves[0])
    assert turns == [0, 1, 2, 0, 1]
    assert position.to_json()["stashes"] == [heap("2 sand"), heap("sand fan"), heap("sand")]


@pytest.mark.rules("S19", "S-R9")
def test_after_a_draft_the_dropper_builds() -> None:
    position = at("draft", "sand pebble", "", turn=1, dropped="seaweed", row=[1, 8, 9, 10, 11])
    assert some(after(position, "take seaweed"), "phase", "seat") == ("collect", 1)
    position = at("draft", "sand pebble", "", turn=0, dropped="seaweed", row=[1, 8, 9, 10, 11])
    assert some(after(position, "take seaweed"), "phase", "turn", "moves") == ("build", 0, ["build 1", "pass"])


# Waves


@pytest.mark.rules("S20", "S21", "S22", "S23", "S26")
@pytest.mark.parametrize(("out", "then", "waves"), [(0, 1, 2), (1, 2, 1), (2, 0, 3)])
def test_a_wave_washes_everything_back(out: int, then: int, waves: int) -> None:
    position = at(
        "draw", "", "sand", "", waves_out=out, line="sand fan", beach="2 stick shovel",
        peeked=[(2, "spiral", [0, 2]), (5, "pebble", [1])],
    )  # fmt: skip
    value = after(position, "draw wave")
    assert some(value, "phase", "waves_out", "beach", "peeked", "line") == ("wave", then, {}, [], [])
    assert value["pool"] == dict(BOX - Counter(sand=2, fan=1, wave=3 - waves))
    assert value["stashes"] == [heap("sand fan"), heap("sand"), {}]


@pytest.mark.rules("S24")
def test_a_wave_leaves_critters_and_walls_alone() -> None:
    position = at("draw", "", "", "fan", seat=1, line="sand", crab=0, seagull=1, walls=[[1, 2], [], [3]])
    value = after(position, "draw wave")
    assert some(value, "crab", "seagull", "walls", "row") == (0, 1, [[1, 2], [], [3]], ROW)


@pytest.mark.rules("S25", "S-R4", "S-R5", "S-R6")
def test_everybody_keeps_up_to_four() -> None:
    position = at("draw", "sand", "5 sand fan", "", "3 stick", seat=1, line="pebble").play("draw wave")
    assert position.turn == 1
    assert position.moves() == ["discard sand", "discard pebble", "discard fan"]  # seven tiles
    position = position.play("discard sand").play("discard sand").play("discard sand")
    assert "keep" in position.moves()
    position = position.play("discard pebble").play("keep")
    assert position.to_json()["stashes"][1] == heap("2 sand fan")
    assert (position.turn, position.moves()) == (3, ["discard stick", "keep"])  # seat 2 has nothing
    position = position.play("discard stick").play("discard stick").play("discard stick")
    assert (position.turn, position.moves()) == (0, ["discard sand", "keep"])  # done with the last tile
    value = after(position, "discard sand")
    assert some(value, "phase", "seat") == ("collect", 2)
    assert value["pool"] == dict(BOX - Counter(sand=2, fan=1, wave=1))


@pytest.mark.rules("S27", "S-R10")
def test_after_a_late_wave_comes_the_build_step() -> None:
    position = at("draw", "sand pebble", "", line="seaweed", row=[1, 8, 9, 10, 11])
    assert some(after(position, "draw wave", "keep"), "phase", "turn", "moves") == ("build", 0, ["build 1", "pass"])


@pytest.mark.rules("S28", "S29", "S-R11", "S9")
def test_nimble_toes_again_and_again() -> None:
    position = at("collect", "sand", "2 fan")
    for out in (1, 2, 0, 1):
        position = position.play("flip").play("draw wave")
        assert some(position.to_json(), "phase", "nimble", "waves_out") == ("wave", True, out)
        position = position.play("keep").play("keep")
        assert some(position.to_json(), "phase", "seat", "nimble", "line") == ("collect", 0, False, [])
        assert position.moves() == ["flip"]


@pytest.mark.rules("S27", "S28", "S-R11")
@pytest.mark.parametrize(("line", "seat"), [("", 0), ("sand", 1)])
def test_a_wave_from_a_known_place_is_a_wave(line: str, seat: int) -> None:
    position = at("collect", "", "", "", line=line, peeked=[(4, "wave", [2])])
    assert "flip peeked 4" in position.moves()
    moves = ["flip peeked 4", "keep"] if line else ["flip peeked 4"]
    assert some(after(position, *moves), "phase", "seat", "waves_out") == ("collect", seat, 1)


@pytest.mark.rules("S-R12")
def test_a_last_wave_is_always_there_to_flip() -> None:
    everything = "14 sand 7 pebble 6 seaweed 5 stick 4 butterfly 3 fan 2 spiral shovel rake"
    position = at("collect", "", "", beach=everything, waves_out=2)
    assert position.moves() == ["flip"]
    position = position.play("flip")
    assert position.moves() == ["draw wave"]
    assert some(after(position, "draw wave"), "phase", "seat", "pool", "beach") == ("collect", 0, dict(BOX), {})


@pytest.mark.rules("S-R31")
def test_after_a_wave_there_is_enough_to_collect() -> None:
    rng = random.Random(31)
    for players in (2, 3, 4):
        position = at("draw", *["sand 2 pebble stick fan"] * 2, *[""] * (players - 2)).play("draw wave")
        while position.to_json()["phase"] == "wave":
            position = position.play("keep" if "keep" in position.moves() else rng.choice(position.moves()))
        pool = Counter(position.to_json()["pool"])
        assert pool["wave"] <= 3 and pool.total() - pool["wave"] >= 27


# The Crab


@pytest.mark.rules("S30", "S32", "S33", "S-R8")
def test_the_crab_pinches_any_tile_of_another_stash() -> None:
    position = at(
        "build", "sand", "2 fan shovel", "", "rake", crab=0, seagull=1, beach="spiral", peeked=[(1, "stick", [0])]
    )
    assert sorted(position.moves()) == ["crab 1 fan", "crab 1 shovel", "crab 3 rake", "pass"]
    assert some(after(position, "pass"), "crab", "seat") == (0, 1)
    value = after(position, "crab 1 fan")
    assert value["stashes"] == [heap("sand fan"), heap("fan shovel"), {}, heap("rake")]
    assert some(value, "crab", "seat", "phase") == (1, 1, "collect")  # nothing to build: the turn is over


@pytest.mark.rules("S31")
def test_the_pinched_player_uses_the_crab_in_a_turn_of_their_own() -> None:
    position = at("build", "", "fan", "", crab=0)
    value = after(position, "crab 1 fan", "flip", "draw sand", "stop")
    assert some(value, "phase", "turn", "crab", "moves") == ("build", 1, 1, ["crab 0 fan", "pass"])


@pytest.mark.rules("S-R7", "S45", "S50")
def test_the_crab_comes_before_the_building() -> None:
    position = at("build", "sand pebble seaweed", "fan", crab=0, row=[1, 8, 9, 10, 11])
    assert sorted(position.moves()) == ["build 1", "crab 1 fan", "pass"]
    assert after(position, "crab 1 fan")["moves"] == ["build 1", "pass"]
    assert some(after(position, "build 1", "wall 2"), "phase", "seat", "crab") == ("collect", 1, 0)


@pytest.mark.rules("S-R8", "S-R10")
def test_without_a_tile_to_pinch_the_turn_ends_by_itself() -> None:
    value = after(at("collect", "fan", "", crab=0, line="sand"), "stop")
    assert some(value, "phase", "seat", "crab") == ("collect", 1, 0)


@pytest.mark.rules("S-R8", "S-R27")
def test_a_full_castle_can_be_pinched() -> None:
    position = at("collect", "", "stick", crab=0, line="sand", final_by=1, walls=[[], [1, 2, 3, 4]])
    assert after(position, "stop")["moves"] == ["crab 1 stick", "pass"]


# The Seagull


@pytest.mark.rules("S34", "S3")
def test_only_its_holder_uses_the_seagull_in_their_own_turn() -> None:
    assert "seagull" in at("collect", "", "", "", seagull=0).moves()
    assert "seagull" in at("collect", "", "", "", seagull=0, line="sand fan").moves()
    assert at("collect", "", "", "", seagull=1).moves() == ["flip"]
    assert at("collect", "", "", "", seagull=0, seagull_used=True, line="sand").moves() == ["flip", "stop"]
    assert at("collect", "", "").moves() == ["flip"]


@pytest.mark.rules("S35", "S36", "S-R13")
def test_looking_makes_places_with_the_smallest_free_numbers() -> None:
    position = at("collect", "", "", "", seagull=0, peeked=[(2, "fan", [1]), (3, "sand", [2])])
    value = after(position, "seagull", "peek wave", "peek stick")
    assert some(value, "phase", "looking", "look_left", "turn") == ("peek", [1, 4], 1, "chance")
    value = after(position, "seagull", "peek wave", "peek stick", "peek sand")
    assert [(item["place"], item["tile"], item["known_by"]) for item in value["peeked"]] == [
        (1, "wave", [0]), (2, "fan", [1]), (3, "sand", [2]), (4, "stick", [0]), (5, "sand", [0]),
    ]  # fmt: skip
    assert some(value, "phase", "looking", "turn") == ("pick", [1, 4, 5], 0)
    assert value["moves"] == ["take peeked 1", "take peeked 4", "take peeked 5"]
    assert value["pool"] == dict(BOX - Counter(["fan", "sand", "wave", "stick", "sand"]))


@pytest.mark.rules("S-R13")
def test_a_number_is_free_again_when_its_tile_is_flipped() -> None:
    position = at("collect", "", "", "", seagull=0, peeked=[(1, "sand", [1]), (2, "fan", [1])])
    value = after(position, "flip peeked 1", "seagull", "peek stick", "peek sand", "peek sand")
    assert value["looking"] == [1, 3, 4] and value["line"] == ["sand"]


@pytest.mark.rules("S-R13", "S39")
def test_anybody_may_flip_any_place() -> None:
    position = at("collect", "", "", "", seat=2, peeked=[(7, "fan", [0]), (9, "spiral", [0, 1])])
    assert position.moves() == ["flip", "flip peeked 7", "flip peeked 9"]
    value = after(position, "flip peeked 9")
    assert some(value, "phase", "line") == ("collect", ["spiral"])
    assert [item["place"] for item in value["peeked"]] == [7]


@pytest.mark.rules("S35", "S-R15", "S36")
def test_known_places_may_be_among_the_three() -> None:
    position = at("collect", "", "", "", seagull=0, peeked=[(1, "sand", [0]), (4, "fan", [1]), (6, "wave", [1, 2])])
    assert [move for move in position.moves() if move.startswith("seagull")] == [
        "seagull", "seagull peeked 1", "seagull peeked 4", "seagull peeked 6", "seagull peeked 1 4",
        "seagull peeked 1 6", "seagull peeked 4 6", "seagull peeked 1 4 6",
    ]  # fmt: skip
    value = after(position, "seagull peeked 1 6")
    assert some(value, "phase", "looking", "look_left") == ("peek", [1, 6], 1)
    assert [item["known_by"] for item in value["peeked"]] == [[0], [1], [0, 1, 2]]
    value = after(position, "seagull peeked 1 4 6")
    assert some(value, "phase", "looking", "look_left") == ("pick", [1, 4, 6], 0)


@pytest.mark.rules("S-R14", "S-R15")
def test_with_few_tiles_the_seagull_looks_at_all() -> None:
    rest = "14 sand 7 pebble 6 seaweed 5 stick 4 butterfly"
    few = {"beach": rest, "waves_out": 2, "seagull": 0}
    two = at("collect", "3 fan 2 spiral shovel", "", "", **few)
    assert two.moves() == ["flip", "seagull"]
    assert some(after(two, "seagull"), "look_left", "phase") == (2, "peek")
    value = after(two, "seagull", "peek wave", "peek rake")
    assert value["moves"] == ["take peeked 1", "take peeked 2"] and value["pool"] == {}
    mixed = at("collect", "3 fan 2 spiral", "", "", **few, peeked=[(3, "shovel", [1]), (5, "rake", [1])])
    assert mixed.moves() == ["flip", "flip peeked 3", "flip peeked 5", "seagull peeked 3 5"]
    known = at(
        "collect", "3 fan 2 spiral", "", "", **few, peeked=[(3, "shovel", [1]), (5, "rake", [1]), (8, "wave", [1])]
    )
    assert known.moves() == ["flip peeked 3", "flip peeked 5", "flip peeked 8", "seagull peeked 3 5 8"]
    assert after(known, "seagull peeked 3 5 8")["phase"] == "pick"


@pytest.mark.rules("S37", "S38", "S39", "S-R16", "S-R17")
def test_one_must_be_taken_and_the_others_may() -> None:
    position = (
        at("collect", "", "", "", seagull=0).play("seagull").play("peek wave").play("peek fan").play("peek stick")
    )
    assert position.moves() == ["take peeked 1", "take peeked 2", "take peeked 3"]
    position = position.play("take peeked 3")
    assert position.moves() == ["flip", "flip peeked 1", "flip peeked 2", "stop"]
    value = after(position, "flip peeked 2", "stop")
    assert value["stashes"][0] == heap("stick fan")
    assert value["peeked"] == [{"place": 1, "tile": "wave", "known_by": [0]}]


@pytest.mark.rules("S38", "S-R17")
def test_a_taken_tile_can_match() -> None:
    looked = [(1, "fan", [0]), (2, "sand", [0]), (3, "stick", [0])]
    position = at("pick", "", "", "", seagull=0, seagull_used=True, line="fan sand", peeked=looked, looking=[1, 2, 3])
    value = after(position, "take peeked 1")
    assert some(value, "phase", "turn", "dropped", "looking") == ("draft", 1, heap("sand fan"), [])
    assert [item["place"] for item in value["peeked"]] == [2, 3]


@pytest.mark.rules("S-R18", "S-R11", "S-R19")
def test_a_wave_may_be_taken_on_purpose() -> None:
    looked = [(1, "wave", [0]), (2, "sand", [0]), (3, "stick", [0])]
    position = at("pick", "2 sand", "4 stick", "", seagull=0, seagull_used=True, peeked=looked,
                  looking=[1, 2, 3])  # fmt: skip
    value = after(position, "take peeked 1")
    assert some(value, "phase", "nimble", "peeked", "seagull_used") == ("wave", True, [], True)
    value = after(position, "take peeked 1", "keep", "keep")
    assert some(value, "phase", "seat", "moves", "seagull_used") == ("collect", 0, ["flip"], True)


@pytest.mark.rules("S-R19", "S34")
def test_an_unused_seagull_serves_after_nimble_toes() -> None:
    position = at("draw", "", "", "", seagull=0)
    assert after(position, "draw wave")["moves"] == ["flip", "seagull"]
    value = after(position, "draw wave", "seagull", "peek sand", "peek fan", "peek fan", "take peeked 1")
    assert value["moves"] == ["flip", "flip peeked 2", "flip peeked 3", "stop"]  # the tile taken counts for S9


@pytest.mark.rules("S40", "S-R20")
@pytest.mark.parametrize(
    ("walls", "receivers"),
    [([0, 0, 0, 0], [1, 2, 3]), ([0, 1, 2, 1], [1, 3]), ([2, 2, 1, 2], [2]), ([3, 2, 2, 2], [1, 2, 3])],
)
def test_the_seagull_goes_to_the_fewest_walls(walls: list[int], receivers: list[int]) -> None:
    numbers = iter([1, 2, 3, 4, 5, 6, 7, 13, 14])
    built = [sorted(next(numbers) for _ in range(number)) for number in walls]
    for used in (False, True):
        value = after(at("collect", *[""] * 4, seagull=0, seagull_used=used, line="sand", walls=built), "stop")
        if len(receivers) == 1:
            assert some(value, "phase", "seagull", "seat") == ("collect", receivers[0], 1)
        else:
            assert some(value, "phase", "turn", "seagull", "seagull_used") == ("seagull", 0, 0, False)
            assert value["moves"] == [f"seagull to {seat}" for seat in receivers]


@pytest.mark.rules("S-R20")
def test_the_new_wall_is_turned_up_before_the_seagull_goes() -> None:
    position = at("build", "sand pebble seaweed", "", "", seagull=0, row=[1, 8, 9, 10, 11], walls=[[], [2], []])
    assert some(after(position, "build 1"), "phase", "seagull") == ("refill", 0)
    assert some(after(position, "build 1", "wall 3"), "phase", "seat", "seagull") == ("collect", 1, 2)


@pytest.mark.rules("S-R20", "S-R27")
def test_who_has_no_turn_left_may_get_the_seagull() -> None:
    walls = [[1, 2, 3, 4], [], [5], [6]]
    value = after(at("collect", *[""] * 4, seat=2, seagull=2, line="sand", final_by=0, walls=walls), "stop")
    assert some(value, "phase", "seat", "seagull") == ("collect", 3, 1)


@pytest.mark.rules("S-R21")
def test_after_the_last_turn_the_seagull_stays() -> None:
    value = after(at("collect", "", "", "", seat=2, seagull=2, line="sand", round=3, max_rounds=3), "stop")
    assert some(value, "phase", "turn", "seat", "seagull", "round") == ("over", None, 2, 2, 3)


# Building


@pytest.mark.rules("S45", "S46", "S47", "S48", "S50", "S6")
def test_building() -> None:
    position = at("build", "", "3 sand 2 pebble fan", seat=1, row=[1, 4, 6, 8, 9], beach="stick", walls=[[3], [5]])
    assert position.moves() == ["build 4", "pass"]
    value = after(position, "build 4")
    assert some(value, "phase", "turn", "row") == ("refill", "chance", [1, 6, 8, 9])
    assert (value["walls"], value["stashes"][1], value["beach"]) == (
        [[3], [4, 5]],
        heap("sand fan"),
        heap("2 sand 2 pebble stick"),
    )
    assert value["moves"] == sorted(f"wall {wall}" for wall in (2, 7, 10, 11, 12))
    value = after(position, "build 4", "wall 7")
    assert some(value, "phase", "seat", "round", "row") == ("collect", 0, 3, [1, 6, 7, 8, 9])
    assert some(after(position, "pass"), "phase", "seat", "beach") == ("collect", 0, heap("stick"))


@pytest.mark.rules("S41", "S43", "S44", "S46", "S-R22")
@pytest.mark.parametrize(
    ("stash", "wall", "ways"),
    [
        ("sand pebble shovel", 9, ["shovel spiral"]),
        ("sand spiral rake", 9, ["rake pebble"]),
        ("sand shovel rake", 9, ["shovel spiral rake pebble"]),
        ("sand pebble spiral", 9, [""]),
        ("sand pebble spiral shovel rake", 9, ["", "rake pebble", "shovel spiral", "shovel spiral rake pebble"]),
        ("sand stick butterfly shovel", 13, ["shovel butterfly"]),
        ("sand stick shovel rake", 13, []),
        ("sand 2 butterfly rake", 13, ["rake stick"]),
        ("sand stick 2 butterfly shovel", 13, ["", "shovel butterfly"]),
        ("pebble spiral shovel rake", 9, []),  # no tool is sand
        ("sand pebble rake", 9, []),  # the rake is no spiral
        ("sand pebble seaweed rake", 3, ["rake stick"]),
        ("sand pebble rake", 3, []),
        ("sand pebble seaweed stick rake", 3, ["", "rake pebble", "rake seaweed", "rake stick"]),
        ("sand stick butterfly shovel", 10, ["shovel fan"]),
        ("sand stick butterfly fan shovel", 10, ["", "shovel butterfly", "shovel fan"]),
        ("sand fan spiral rake", 12, ["rake pebble"]),
    ],
)
def test_paying_with_tools(stash: str, wall: int, ways: list[str]) -> None:
    row = sorted([wall, 14, 16, 19, 20])
    position = at("build", stash, "", "", "", row=row)
    builds = [move for move in position.moves() if move.startswith(f"build {wall}")]
    assert sorted(builds) == sorted(" ".join(f"build {wall} {way}".split()) for way in ways)
    for way in ways:
        value = after(position, " ".join(f"build {wall} {way}".split()))
        assert Counter(value["beach"]) + Counter(value["stashes"][0]) == Counter(heap(stash))
        for tool in ("shovel", "rake"):
            assert (tool in value["beach"]) == (tool in way)


@pytest.mark.rules("S49", "S51", "S-R25", "S50")
def test_the_first_fourth_wall_triggers_the_final_round() -> None:
    position = at("build", "2 sand 2 pebble seaweed stick", "", row=[1, 2, 8, 9, 10], walls=[[3, 4, 5], []])
    value = after(position, "build 1")
    assert some(value, "phase", "final_by") == ("refill", 0)
    value = after(position, "build 1", "wall 6")
    assert some(value, "phase", "seat", "final_by") == ("collect", 1, 0)  # wall 2 could be paid, but the turn is over


@pytest.mark.rules("S52", "S54", "S-R24")
@pytest.mark.parametrize("trigger", [0, 1, 2])
def test_everybody_else_has_one_more_turn(trigger: int) -> None:
    walls: list[list[int]] = [[], [], []]
    walls[trigger] = [3, 4, 5]
    stashes = ["", "", ""]
    stashes[trigger] = "sand pebble seaweed"
    position = at("build", *stashes, seat=trigger, row=[1, 2, 8, 9, 10], walls=walls).play("build 1").play("wall 16")
    seats = []
    while position.turn is not None:
        value = position.to_json()
        assert value["final_by"] == trigger
        if value["phase"] == "seagull":
            position = position.play(position.moves()[0])
            continue
        seats.append(value["seat"])
        assert position.moves()[0] == "flip"
        position = position.play("flip").play("draw sand").play("stop")
        if position.to_json()["phase"] == "build":
            position = position.play("pass")
    assert seats == [(trigger + 1) % 3, (trigger + 2) % 3]
    assert position.to_json()["seat"] == (trigger + 2) % 3
    assert position.to_json()["round"] == (2 if trigger == 0 else 3)


@pytest.mark.rules("S49", "S53", "S-R24", "S-R26", "S-R10")
def test_many_builds_and_one_pinch_in_the_final_round() -> None:
    stash = "3 sand 3 pebble 2 seaweed 2 stick"
    position = at(
        "build",
        stash,
        "sand",
        "",
        final_by=2,
        crab=0,
        seagull=1,
        row=[1, 2, 3, 8, 9],
        walls=[[5, 6], [], [7, 10, 11, 12]],
    )
    assert sorted(position.moves()) == ["build 1", "build 2", "build 3", "crab 1 sand", "pass"]
    value = after(position, "build 3", "wall 16")
    assert some(value, "phase", "turn", "moves") == ("build", 0, ["build 1", "build 2", "crab 1 sand", "pass"])
    value = after(position, "build 3", "wall 16", "crab 1 sand")
    assert some(value, "crab", "moves") == (1, ["build 1", "build 2", "pass"])
    value = after(position, "build 3", "wall 16", "build 1", "wall 4")
    assert some(value, "phase", "moves", "final_by") == ("build", ["crab 1 sand", "pass"], 2)  # four walls are enough
    value = after(position, "build 3", "wall 16", "crab 1 sand", "build 1", "wall 4")
    assert some(value, "phase", "seat") == ("collect", 1)
    assert some(after(position, "build 3", "wall 16", "pass"), "phase", "seat") == ("collect", 1)


@pytest.mark.rules("S48", "S-R26")
def test_a_wall_just_turned_up_can_be_built_in_the_final_round() -> None:
    position = at(
        "build", "2 sand 2 pebble seaweed stick", "", final_by=1, row=[2, 8, 9, 10, 11], walls=[[], [3, 4, 5, 6]]
    )
    assert "build 1" in after(position, "build 2", "wall 1")["moves"]


@pytest.mark.rules("S-R23", "S48")
def test_without_a_stack_the_row_gets_shorter() -> None:
    walls = [[5, 6, 7], [8, 9, 10, 11]]
    position = at("build", "2 sand 2 pebble seaweed stick", "", final_by=1, row=[1, 2, 3, 4, 12], walls=walls)
    value = after(position, "build 1")
    assert some(value, "phase", "row", "stack", "seat") == ("over", [2, 3, 4, 12], [], 0)
    position = at("build", "sand pebble seaweed", "fan", crab=0, final_by=1, row=[1, 2, 3, 4, 12], walls=walls)
    value = after(position, "build 1")
    assert some(value, "phase", "row", "moves") == ("build", [2, 3, 4, 12], ["crab 1 fan", "pass"])


@pytest.mark.rules("S-R27", "S17", "S25")
def test_players_without_a_turn_draft_and_are_cut_to_four() -> None:
    walls = [[1, 2, 3, 4], [], []]
    position = at("draw", "4 sand", "", "", seat=2, line="fan", final_by=0, walls=walls)
    value = after(position, "draw fan")
    assert some(value, "phase", "turn") == ("draft", 0)
    value = after(at("draw", "5 sand", "", "", seat=2, line="fan", final_by=0, walls=walls), "draw wave", "keep")
    assert some(value, "phase", "turn", "moves") == ("wave", 0, ["discard sand"])


# The end


@pytest.mark.rules("S-R28")
def test_the_limit_of_rounds() -> None:
    value = after(at("collect", "fan", "", seat=1, line="sand", crab=0, round=5, max_rounds=5), "stop")
    assert some(value, "phase", "turn", "seat", "round", "final_by") == ("over", None, 1, 5, None)
    assert strandline.Position.from_json(strip(value)).winners() == [0, 1]
    value = after(at("collect", "", "", seat=0, line="sand", round=5, max_rounds=5), "stop")
    assert some(value, "phase", "seat") == ("collect", 1)
    value = after(at("collect", "", "", seat=1, line="sand", crab=1, round=1000, max_rounds=0), "stop")
    assert some(value, "phase", "round") == ("collect", 1001)


@pytest.mark.rules("S-R28", "S-R24")
def test_a_final_round_is_played_beyond_the_limit() -> None:
    position = at("build", "", "", "sand pebble seaweed", seat=2, crab=2, seagull=0, round=5, max_rounds=5,
                  row=[1, 8, 9, 10, 11], walls=[[], [2], [3, 4, 5]])  # fmt: skip
    value = after(position, "build 1", "wall 6")
    assert some(value, "phase", "seat", "round") == ("collect", 0, 6)
    value = after(position, "build 1", "wall 6", "flip", "draw sand", "stop", "flip", "draw fan", "stop")
    assert some(value, "phase", "seat", "round") == ("over", 1, 6)


@pytest.mark.rules("S55", "S56", "S-R29", "S-R1")
def test_points_at_any_time() -> None:
    position = at("collect", "2 sand shovel", "rake", line="fan spiral", walls=[[1, 7], [12]], row=[2, 3, 4, 5, 6])
    assert position.scores() == [4 + 6 + 3, 10 + 1]
    assert position.winners() == []
    assert at("draft", "", "sand", turn=1, dropped="3 fan").scores() == [0, 1]


@pytest.mark.rules("S57")
@pytest.mark.parametrize(
    ("walls", "stashes", "best"),
    [
        ([[12], [1]], ["", ""], [0]),
        ([[12], [1, 2]], ["", "2 sand"], [1]),  # 10 each, more walls
        ([[1, 2], [3]], ["", "3 fan"], [0]),  # 8 each, more walls, though fewer tiles
        ([[1], [2]], ["2 sand", "2 fan"], [0, 1]),
        ([[], []], ["", ""], [0, 1]),
        ([[12], [1, 2]], ["3 sand", "sand"], [0]),  # points come first
        ([[4], [3]], ["2 sand", "2 fan"], [0, 1]),
    ],
)
def test_who_wins(walls: list[list[int]], stashes: list[str], best: list[int]) -> None:
    row = [wall for wall in range(1, 13) if wall not in walls[0] + walls[1]][:5]
    position = at("over", *stashes, seat=1, round=3, max_rounds=3, walls=walls, row=row)
    assert position.winners() == best


@pytest.mark.rules("S57")
def test_tiles_decide_between_equal_points_and_walls() -> None:
    position = at("over", "sand", "2 sand", seat=1, round=3, max_rounds=3, walls=[[5], [1]], row=[2, 3, 4, 6, 7])
    assert position.scores() == [6, 6] and position.winners() == [1]


@pytest.mark.rules("S-R1", "S2")
def test_the_published_walls() -> None:
    """The printed wall of 7 points, the formula of our table, and 12, 16 or 20 walls."""
    box = GAME.rules
    assert box.POINTS[13] == 7 and box.COST[13] == (1, 0, 0, 1, 2, 0, 0) and not box.IN_PLAY[2] >> 13 & 1
    value = [max(1, 9 // number) for number in (14, 7, 6, 5, 4, 3, 2)]
    for points, cost in zip(box.POINTS[1:], box.COST[1:], strict=True):
        assert points == 1 + sum(a * b for a, b in zip(cost, value, strict=True)) and 3 <= sum(cost) <= 5
    assert [box.IN_PLAY[players].bit_count() for players in (2, 3, 4)] == [12, 16, 20]


@pytest.mark.rules("S36")
def test_views_hide_what_a_seat_has_not_looked_at() -> None:
    position = at("collect", "", "", "", seagull=0, peeked=[(1, "wave", [0]), (3, "fan", [0, 1])])
    value = position.to_json()
    for seat, tiles in ((0, ["wave", "fan"]), (1, [None, "fan"]), (2, [None, None]), (None, [None, None])):
        view = position.view(seat)
        assert [item["tile"] for item in view["peeked"]] == tiles and view["view"] == seat
        assert [item["known_by"] for item in view["peeked"]] == [[0], [0, 1]]
        hidden = Counter(tile for tile, seen in zip(("wave", "fan"), tiles, strict=True) if not seen)
        assert view["pool"] == dict(BOX - (Counter(["wave", "fan"]) - hidden))
        same = [name for name in value if name not in ("pool", "peeked")]
        assert {name: view[name] for name in same} == {name: value[name] for name in same}


@pytest.mark.rules("S36")
def test_a_view_does_not_tell_two_hidden_tiles_apart() -> None:
    """Swap a hidden tile with an unknown one: who has not looked sees the same."""
    rng = random.Random(3)
    for _ in range(200):
        players = rng.choice((3, 4))
        tiles = rng.sample(sorted(BOX.elements()), 4)
        known = [sorted(rng.sample(range(players), rng.randint(1, players - 1))) for _ in range(3)]
        places = [(i + 1, tile, seats) for i, (tile, seats) in enumerate(zip(tiles, known, strict=False))]
        swapped = [(1, tiles[3], known[0]), *places[1:]]
        one, other = (at("collect", *[""] * players, peeked=some) for some in (places, swapped))
        for seat in (None, *range(players)):
            assert (one.view(seat) == other.view(seat)) == (seat not in known[0] or tiles[0] == tiles[3])
            text = json.dumps(one.view(seat)["peeked"])
            assert all(seat in seats or f'"place": {place}, "tile": null' in text for place, _, seats in places)
