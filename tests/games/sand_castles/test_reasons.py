"""Why not: each obstacle of the rule page has its own sentence, and none tells a secret."""

import random
import re

import pytest

import strandline
from games.sand_castles.positions import peeked, position
from strandline.engine import reasons
from strandline.engine.reasons import Reason
from strandline.games.sand_castles import hints
from strandline.games.sand_castles.box import COST, PAID
from support import random_positions
from support import reasons as told


@pytest.mark.parametrize(
    ("shape", "sentence", "rule"),
    [
        ("wall-1", "Collect first. Building comes after that.", "S8"),
        ("crab", "Collect first. The Crab pinches when walls are built.", "S30"),
        ("beach-fan", "Tiles that were paid stay here until the next wave.", "S22"),
        ("perch-1", "The Seagull flies on at the end of the turn.", "S40"),
    ],
)
def test_collecting(shape: str, sentence: str, rule: str) -> None:
    assert position().why(shape) == Reason(sentence, rule)


def test_the_line_must_not_be_empty() -> None:
    assert position().why_not("stop") == Reason("The line is empty. Flip at least one tile.", "S9")


def test_the_seagull_is_with_somebody_else_asleep_or_not_there() -> None:
    assert position(seagull=1).why("seagull") == Reason("The Seagull is with Seat 1.", "S34")
    asleep = position(seagull_used=True).why("seagull")
    assert asleep == Reason("The Seagull has already looked this turn. Now it sleeps.", "S34")
    assert position(2, seagull=None).why_not("seagull") == Reason("With two players there is no Seagull.", "S3")


STASHES = [{"sand": 2, "pebble": 1, "shovel": 1, "seaweed": 1}, {"fan": 1}, {}]


@pytest.mark.parametrize(
    ("shape", "chosen", "sentence", "rule"),
    [
        ("wall-10", [], "For wall 10 you still need 1 stick and 1 fan.", "S46"),
        ("wall-2", [], "Wall 2 stands in Seat 1’s castle for good.", "S47"),
        ("stash-0-sand", [], "A wall takes its tiles by itself. Choose the wall.", "S46"),
        ("stash-0-shovel", [], "Choose a wall first.", "S45"),
        ("stash-0-rake", [], "There is no rake in Seat 0’s stash.", "S46"),
        ("stash-1-fan", [], "The Crab is with Seat 2.", "S30"),
        ("slot-0-1", [], "Choose a wall first.", "S45"),
        ("slot-1-2", ["wall-1"], "That is Seat 1’s castle. You build your own.", "S47"),
        ("pool", [], "Collecting is over. Now a wall can be built.", "S8"),
    ],
)
def test_building(shape: str, chosen: list[str], sentence: str, rule: str) -> None:
    build = position(phase="build", stashes=STASHES, walls=[[], [2], []])
    assert build.why(shape, chosen) == Reason(sentence, rule)


def test_a_wave_leaves_four_tiles() -> None:
    wave = position(phase="wave", waves_out=1, stashes=[{"sand": 5}, {"fan": 1}, {}])
    assert wave.why_not("keep") == Reason("A wave leaves 4 tiles, and there are 5.", "S25")
    other = wave.why("stash-1-fan")
    assert other == Reason("That is Seat 1’s stash. Everybody chooses for themselves.", "S25")
    assert wave.why_not("discard fan") == Reason("There is no fan in Seat 0’s stash.", "S25")


def test_reasons_are_the_same_whatever_lies_at_a_hidden_place() -> None:
    """Whoever asks is told nothing that their view does not show."""
    game, rng, compared = strandline.game("sand_castles"), random.Random(5), 0
    known = ["flip", "stop", "keep", "pass", "seagull", "flip peeked 1", "take peeked 2", "build 1", "crab 1 fan"]
    for truth in random_positions(game, rng, 1500):
        if not isinstance(truth.turn, int):
            continue
        guess = game.position(hints.redrawn(truth.view(truth.turn), rng))
        compared += guess != truth
        for move in known:
            assert truth.why_not(move) == guess.why_not(move)
        for shape in ("pool", "place-1", "place-2", "seagull", "crab", "stash-0-fan", "wall-1"):
            assert reasons.of_shape(truth, shape, (), None) == reasons.of_shape(guess, shape, (), None)
    assert compared > 20


def test_peeked_tiles() -> None:
    there = position(peeked=peeked((1, "fan", [0])))
    assert there.why("place-1") is None
    assert there.why_not("flip peeked 2") == Reason("Nobody has looked at a tile in that place.", "S-R13")


def test_what_is_said_of_walls_and_tiles_is_so() -> None:
    seen = set()
    for value, _shape, said in told(strandline.game("sand_castles"), 7, 600):
        if found := re.fullmatch(r"There is no (\w+) in Seat (\d)’s stash.", said):
            assert found[1] not in value["stashes"][int(found[2])]
        elif found := re.fullmatch(r"For wall (\d+) you still need (.+).", said):
            stash = value["stashes"][value["seat"]]
            short = [COST[int(found[1])][i] - stash.get(kind, 0) for i, kind in enumerate(PAID)]
            lack = sum(number for number in short if number > 0)
            needed = sum(int(number) for number in re.findall(r"\d+", found[2]))
            assert needed <= lack <= needed + stash.get("shovel", 0) + stash.get("rake", 0)
        elif found := re.fullmatch(r"The (Crab|Seagull) is with Seat (\d).", said):
            assert value[found[1].lower()] == int(found[2]) != value["seat"]
        elif found := re.search(r"Wall (\d+) stands in Seat (\d)", said):
            assert int(found[1]) in value["walls"][int(found[2])]
        elif "The castle is finished" in said:
            assert len(value["walls"][value["seat"]]) == 4
        seen.add(re.sub(r"\d", "", said))
    assert len(seen) >= 15
