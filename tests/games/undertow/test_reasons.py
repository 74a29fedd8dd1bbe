"""Why not: each obstacle of the rule page has its own sentence."""

import re

import pytest

from games.undertow.positions import GAME, position
from strandline.engine.reasons import Reason
from support import reasons


def test_a_blocked_swimmer_says_who_is_in_front_of_it() -> None:
    calm = position({3: (4, 5), 5: (4, 6)}, roll="roll 2 2 2")
    said = "Swimmer 3 is blocked: swimmer 5 is right behind it. Others can still go straight."
    assert calm.why("swimmer-0-3") == Reason(said, "U20")
    assert calm.why_not("left 3") == Reason(
        "Nobody goes sideways while one of your swimmers can go straight out.", "U20"
    )


@pytest.mark.parametrize(
    ("shape", "chosen", "sentence", "rule"),
    [
        ("swimmer-1-1", [], "That is Seat 1’s swimmer. You move your own.", "U12"),
        ("swimmer-0-4", [], "Swimmer 4 is safe on the beach and stays there.", "U18"),
        ("swimmer-0-2", [], "Swimmer 2 is as far out as anybody can be.", "U19"),
        ("space-4-7", [], "Choose one of your swimmers first.", "U12"),
        ("space-6-7", ["swimmer-0-1"], "A swimmer goes one space at a time: out, in or sideways.", "U17"),
        ("space-4-4", ["swimmer-0-1"], "The sea pulls out first. Swimming in comes after.", "U11"),
        ("die-red", [], "The dice have been rolled. Now move your swimmers.", "U9"),
    ],
)
def test_on_the_way_out(shape: str, chosen: list[str], sentence: str, rule: str) -> None:
    calm = position({1: (4, 5), 2: (7, 12)}, roll="roll 2 2 2")
    assert calm.why(shape, chosen) == Reason(sentence, rule)


def test_the_shortest_way_round_comes_first() -> None:
    calm = position({1: (4, 5), 2: (8, 5)}, [(4, 6), (3, 6), (5, 6), (8, 6)], roll="roll 4 2 2")
    assert {move.split()[1] for move in calm.moves()} == {"2"}
    assert calm.why("swimmer-0-1") == Reason("A way round with fewer sideways steps comes first.", "U21")


def test_a_way_round_is_finished_first() -> None:
    calm = position({1: (4, 5), 2: (8, 5)}, [(4, 6), (3, 6), (5, 6), (8, 6)], roll="roll 4 2 2")
    begun = calm.play(calm.moves()[0])
    assert begun.why("swimmer-0-1") == Reason("Swimmer 2 is on its way round and finishes that first.", "U24")
    assert begun.why_not("stop") == Reason(
        "The sea pulls as long as it can: there is no stopping before your swimmers are out.", "U25"
    )


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        *(("out 1", "U10"), ("place 1 4", "U4"), ("save 1", "U13"), ("recall 4", "U33"), ("roll 1 1 1", "U9")),
        *(("weaken 1", "U42"), ("in 4", "U18"), ("left 1", "U17")),
    ],
)
def test_on_the_way_in(move: str, rule: str) -> None:
    wave = position({1: (4, 5)}, [(3, 5)], roll="roll 1 1 3")
    reason = wave.why_not(move)
    assert reason and reason.rule == rule


def test_the_lifeguard_brings_one_in_and_nothing_else_is_done() -> None:
    saved = position({1: (4, 5)}, roll="roll 1 1 1")
    assert saved.why("swimmer-0-2") == Reason(
        "Swimmer 2 is on the beach already. The lifeguard helps somebody in the water.", "U13"
    )
    assert saved.why_not("in 1") == Reason("The lifeguard brings a swimmer in. Nobody else moves this turn.", "U13")


def test_drifting_back_takes_a_point() -> None:
    current = position({1: (4, 5), 2: (7, 12)}, roll="roll 1 2 4")
    drifting = current.play(current.moves()[0])
    while drifting.to_json()["phase"] != "in":
        drifting = drifting.play(drifting.moves()[0])
    drifted = drifting.play("left 1")
    reason = drifted.why_not("right 1")
    assert reason and reason.rule == "U28"


def test_who_cannot_drift_and_has_no_points_is_not_called_blocked_inward() -> None:
    current = position({1: (4, 5), 2: (7, 12)}, [(3, 6), (5, 6), (9, 1)], roll="roll 1 1 4").play("out 1")
    assert current.to_json()["phase"] == "in"
    spent = current.play("in 2")
    said = "Swimmer 1 cannot drift: both sides are taken, and no points are left."
    assert spent.why("swimmer-0-1") == Reason(said, "U28")


def test_strength_and_lanes() -> None:
    tired = position({1: (4, 5, 1), 2: (7, 5, 6)}, roll="roll 3 2 2", strength=True).play("out 1")
    assert tired.why_not("out 1") == Reason("Swimmer 1 is tired: its strength is 1, and it has swum that far.", "U43")
    assert tired.why_not("weaken 1") == Reason("Swimmer 1 shows a 1: that is as far as it goes.", "U46")
    edge = position({1: (2, 5)}, roll="roll 1 3 3")
    assert edge.why_not("left 1") == Reason("There is no lane in use on that side.", "U2")


def test_what_is_said_of_swimmers_is_so() -> None:
    seen = set()
    for value, shape, said in reasons(GAME, 4, 500):
        if not shape.startswith("swimmer"):
            continue
        seat, n = (int(number) for number in shape.split("-")[1:])
        own = value["swimmers"][seat][n - 1]
        taken: dict[tuple[int, int], tuple[int, int]] = {}
        for other, family in enumerate(value["swimmers"]):
            taken |= {(each["lane"], each["step"]): (other, k) for k, each in enumerate(family, 1) if each["step"]}
        found = re.search(r"blocked: (?:Seat (\d)’s )?swimmer (\d+) is right behind it", said)
        if found:
            other = value["player"] if found[1] is None else int(found[1])
            assert taken[own["lane"], own["step"] + 1] == (other, int(found[2]))
        elif "blocked on every side" in said:
            assert (own["lane"], own["step"] - 1) in taken and value["phase"] == "in"
        elif "on the beach" in said:
            assert own["step"] == 0
        elif "as far out" in said:
            assert own["step"] == 12 and value["phase"] == "out"
        elif "You move your own" in said:
            assert seat != value["player"]
        elif "placed already" in said:
            assert own["step"] and value["phase"] == "place"
        elif "No points are left" in said:
            assert value["points"] == 0
        elif "tired" in said:
            assert value["options"]["strength"] and value["points"] > 0
        seen.add(re.sub(r"(Seat )?\d+|’s", "", said))
    assert len(seen) >= 8
