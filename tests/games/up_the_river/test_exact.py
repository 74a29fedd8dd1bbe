"""Up the River for two seats, solved: the tables against the rules, against brute force, and against games played."""

import importlib
import itertools
import math
import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from strandline import cli
from strandline.bots.exact import Solver, best_moves, lead, shares, solver
from strandline.engine import binding, speeds, stamps

exact = importlib.import_module("strandline.games.up_the_river.exact")
GAME = strandline.game("up_the_river")
SOLVER: Solver = exact
START_LEAD = -0.0878667380
START_SHARES = (0.4518210553, 0.5396877933)
DISTANCE = 7
"""How far the tide of the default layout lies above the sandbank, round the river."""


def deal(rng: random.Random, places: range, round: int | None = None, **options: int) -> strandline.Position:
    """A random position of two seats, whether it can be reached or not; without a limit unless there is one."""
    boats = [[rng.choice(places) for _ in range(3)] for _ in range(2)]
    player = rng.randrange(2)
    if not any(0 < place < 11 for place in boats[player]):
        return deal(rng, places, round, **options)
    home = [(seat, boat) for seat in range(2) for boat in range(3) if boats[seat][boat] == 11]
    rng.shuffle(home)
    docks = [[0] * 3, [0] * 3]
    for number, (seat, boat) in enumerate(home):
        docks[seat][boat] = 12 - number
    value = GAME.new(**{"round_limit": 0, **options}).to_json()
    now = round or rng.randint(1, 10)
    river = {name: 1 + (value["options"][f"{name}_start"] - now) % 10 for name in ("sandbank", "tide")}
    return GAME.position(value | {"player": player, "round": now, **river, "boats": boats, "docks": docks})


def brute_force(position: strandline.Position, known: dict[strandline.Position, float]) -> float:
    """The lead of seat 0, by playing everything that can be played."""
    if position not in known:
        if position.turn is None:
            known[position] = float(position.winners() == [0]) - float(position.winners() == [1])
        else:
            leads = [brute_force(position.play(move), known) for move in position.moves()]
            known[position] = sum(leads) / 6 if position.turn == "chance" else (max, min)[position.turn](leads)
    return known[position]


def table() -> Any:
    """What is expected in the default layout: by place of the sandbank, seat that rolls, lead or win, and state."""
    return np.asarray(exact._table(GAME, DISTANCE)).reshape(10, 2, 2, exact.STATES)


# The tables against the rules


def test_fleets_move_by_the_rules() -> None:
    """The fleets that the tables know are those that the real moves lead to."""
    rng = random.Random(1)
    for _ in range(1000):
        before = deal(rng, range(1, 11))
        river = exact._river(before.to_json()["sandbank"], DISTANCE)
        for die in range(1, 7):
            after = before.play(f"roll {die}")
            if after.turn == 0:
                assert fleets_played(after) == fleets_known(before, river, die)


def fleets_played(position: strandline.Position) -> set[Any]:
    played = (position.play(move).to_json()["boats"] for move in position.moves())
    return {(tuple(sorted(ours)), tuple(sorted(theirs))) for ours, theirs in played}


def fleets_known(position: strandline.Position, river: Any, die: int) -> set[Any]:
    ours, theirs = (tuple(sorted(boats)) for boats in position.to_json()["boats"])
    sails, goods, ills = river
    a, b = exact.NUMBER[ours], exact.NUMBER[theirs]
    if die < 6:
        return {(exact.FLEETS[goal], theirs) for goal in sails[a][die - 1] if goal >= 0}
    good = {(exact.FLEETS[goal], theirs) for goal in goods[a] if goal >= 0}
    return good | {(ours, exact.FLEETS[goal]) for goal in ills[b] if goal >= 0}


@pytest.mark.parametrize("places", [range(12), range(1, 11), range(9, 12)], ids=["anywhere", "afloat", "near home"])
def test_what_is_expected_follows_from_what_comes_next(places: range) -> None:
    """The Bellman equation, by the real moves and odds: a wrong number or a wrong transition breaks it."""
    rng = random.Random(2)
    for _ in range(1500):
        position = deal(rng, places)
        now, averaged = exact.shares(position), shares(SOLVER, position)
        assert now == pytest.approx(averaged, abs=1e-11), position.to_json()


@pytest.mark.slow
@pytest.mark.parametrize(("sandbank", "tide"), [(2, 3), (5, 10)])
def test_other_layouts(sandbank: int, tide: int) -> None:
    rng = random.Random(8)
    for _ in range(300):
        position = deal(rng, range(12), sandbank_start=sandbank, tide_start=tide)
        assert exact.shares(position) == pytest.approx(shares(SOLVER, position), abs=1e-11), position.to_json()


def test_the_limit_is_taken_into_account() -> None:
    """The same near a limit, where the round counts; the last round of all included."""
    rng = random.Random(3)
    for to_go in (0, 1, 2, 5):
        for _ in range(40):
            position = deal(rng, range(12), round_limit=17 + to_go, round=17)
            assert exact.shares(position) == pytest.approx(shares(SOLVER, position), abs=1e-11), position.to_json()


def test_results_are_the_scores() -> None:
    rng = random.Random(4)
    for _ in range(300):
        position = ended(rng)
        number, results = exact.state(position._record), exact._results()
        leads, wins = results[number], results[exact.STATES + number]
        assert (wins + leads) / 2 == exact.shares(position)[0] and (wins - leads) / 2 == exact.shares(position)[1]


def ended(rng: random.Random) -> strandline.Position:
    """A finished game, played at random."""
    position = GAME.new()
    while position.turn is not None:
        position = position.play(rng.choice(position.moves()))
    return position


# Against brute force


def test_brute_force_agrees_in_the_last_rounds() -> None:
    rng = random.Random(5)
    for to_go, places in ((0, range(1, 11)), (1, range(6, 12)), (1, range(8)), (2, range(9, 12))):
        for _ in range(4):
            position = deal(rng, places, round_limit=20 + to_go, round=20)
            assert lead(exact.shares(position), 0) == pytest.approx(brute_force(position, {}), abs=1e-12)


def test_brute_force_agrees_at_the_end_of_a_game_without_a_limit() -> None:
    """With a boat or two left a game is over long before 45 rounds, so that a limit there hardly counts."""
    known: dict[strandline.Position, float] = {}
    for boats, docks in (
        ([[3, 0, 11], [5, 11, 0]], [[0, 0, 12], [0, 11, 0]]),
        ([[7, 0, 0], [4, 0, 0]], [[0, 0, 0], [0, 0, 0]]),
        ([[2, 11, 11], [9, 0, 11]], [[0, 12, 10], [0, 0, 11]]),
    ):
        value = GAME.new(round_limit=0).to_json() | {"boats": boats, "docks": docks}
        limited = value | {"options": value["options"] | {"round_limit": 45}}
        truth = brute_force(GAME.position(limited), known)
        assert lead(exact.shares(GAME.position(value)), 0) == pytest.approx(truth, abs=1e-8)


# What must be equal


def test_a_seat_alone_does_not_care_which_seat_it_is() -> None:
    """With the other's boats all home or lost, the turns and the current come in the same order for either seat."""
    expected = table()
    for a, b in itertools.product(np.flatnonzero(exact.AFLOAT), np.flatnonzero(np.equal(exact.AFLOAT, 0))):
        for order in range(exact.orders([a], [b])):
            first, second = (expected[:, seat, :, exact.state_of(a, b, order)] for seat in range(2))
            assert np.allclose(first[:, 0], second[:, 0], atol=1e-12)
            assert np.allclose(first[:, 1], second[:, 1], atol=1e-9)


def test_layouts_with_one_distance_are_one_river() -> None:
    """The layout of round 4 of the default box, laid at the start, makes the same game of the same boats."""
    there = GAME.new(sandbank_start=6, tide_start=3).to_json()
    here = GAME.new().to_json() | {"round": 4, "sandbank": 6, "tide": 3}
    assert exact.values(GAME.position(there)) == exact.values(GAME.position(here))


def test_only_the_order_of_docking_matters() -> None:
    """Boats of a seat are interchangeable, with their docks."""
    value = GAME.new().to_json() | {"boats": [[11, 5, 2], [11, 11, 0]], "docks": [[12, 0, 0], [11, 10, 0]]}
    other = value | {"boats": [[2, 11, 5], [11, 0, 11]], "docks": [[0, 12, 0], [10, 0, 11]]}
    assert exact.shares(GAME.position(value)) == exact.shares(GAME.position(other))
    worse = value | {"docks": [[10, 0, 0], [12, 11, 0]]}
    assert lead(exact.shares(GAME.position(worse)), 0) < lead(exact.shares(GAME.position(value)), 0)


# What is stated


def test_the_value_of_moving_first() -> None:
    assert shares(SOLVER, GAME.new()) == pytest.approx(START_SHARES, abs=1e-10)
    assert lead(shares(SOLVER, GAME.new(round_limit=0)), 0) == pytest.approx(START_LEAD, abs=1e-10)


def perfect_games(number: int, seed: int) -> Iterator[list[int]]:
    """The winners of games between perfect players."""
    rng = random.Random(seed)
    for _ in range(number):
        position = GAME.new()
        while position.turn is not None:
            if position.turn == "chance":
                position = position.play(rng.choice(position.moves()))
            else:
                position = position.play(best_moves(SOLVER, position, position.turn)[0])
        yield position.winners()


@pytest.mark.parametrize("number", [250, pytest.param(4000, marks=pytest.mark.slow)])
def test_games_between_perfect_players(number: int) -> None:
    """The mean of each seat's shares lies within four standard errors of the stated one."""
    results = [[(seat in won) / max(len(won), 1) for seat in range(2)] for won in perfect_games(number, seed=6)]
    error = 4 * np.std(results, axis=0) / math.sqrt(number)
    assert (abs(np.mean(results, axis=0) - START_SHARES) < error).all()


@pytest.mark.slow
def test_a_limit_far_off_makes_no_difference() -> None:
    """Going back from the limit of 100: the leads come as close to those without a limit as the docstring says."""
    rounds = exact.Induction(GAME, 100, 1, [exact._river(1 + (9 - 100 + back) % 10, DISTANCE) for back in range(10)])
    rounds.end()
    rounds.choose([range(4), range(4)])
    rounds.go_back(100)
    expected = np.frombuffer(bytes(rounds.expected)).reshape(100, 2, 2, exact.STATES)
    sandbank = 1 + (9 - 100 + exact.MARGIN) % 10
    assert abs(expected[exact.MARGIN, :, 0] - table()[sandbank - 1, :, 0]).max() < 0.002
    start = exact.state(GAME.new()._record)
    assert abs(expected[99, 0, 0, start] - table()[8, 0, 0, start]) < 6e-9


@pytest.mark.slow
def test_kernels_stay_within_bounds() -> None:
    kernels = binding.compiled(exact.rules, exact.induction, boundscheck=True)
    river = [np.array([goals], np.int32) for goals in exact._river(9, DISTANCE)]
    blocks, rows = np.array([exact._blocks(range(4), range(4))] * 2), np.array(exact.ROWS)
    carried = np.array([range(len(exact.FLEETS)), exact._downstream()])
    checked, after = np.zeros((2, 1, 2, 2, exact.STATES))
    checked[0, 0] = np.array(exact._results()).reshape(2, exact.STATES)
    totals = np.zeros(2 * exact.induction.ROOM)
    assert kernels.go_back(2, blocks, rows, carried, *river[:2], river[2][0], checked, after, totals) > 0
    found = exact.Induction(GAME, 1, 1, [exact._river(9, DISTANCE)])
    found.end()
    found.choose([range(4), range(4)])
    found.go_back(2)
    assert np.array_equal(np.frombuffer(bytes(found.expected)).reshape(checked.shape), checked)


@pytest.mark.slow
def test_all_speeds_fill_in_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for speed in (speeds.Wasm, speeds.Native):
        monkeypatch.setattr(speeds, "fastest", speed)
        found.append(bytes(exact._solve_last_rounds(GAME, GAME.new(round_limit=3)._record).expected))
    assert found[0] == found[1] and any(found[0])


@pytest.mark.slow
def test_a_solution_is_the_same_at_all_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for speed in (speeds.Wasm, speeds.Native):
        monkeypatch.setattr(speeds, "fastest", speed)
        found.append(bytes(exact.solve(GAME, DISTANCE)))
    assert found[0] == found[1]


# Fleets, states and rows


def test_of_equally_good_moves_the_first_is_always_the_same() -> None:
    """The fleets that a fleet can become come in the order of their places, whichever move leads to them."""
    sails, goods, ills = exact._river(9, DISTANCE)
    for goals in [*itertools.chain(*sails), *goods, *ills]:
        fleets = [exact.FLEETS[goal] for goal in goals if goal >= 0]
        assert fleets == sorted(fleets) and (len(fleets) == 3 or goals == [-1] * 3)


def test_every_state_has_a_number_of_its_own() -> None:
    fleets = range(len(exact.FLEETS))
    numbers = [
        exact.state_of(own, other, order)
        for own, other in itertools.product(fleets, fleets)
        for order in range(exact.orders([own], [other]))
    ]
    assert sorted(numbers) == list(range(exact.STATES))


def test_blocks_have_each_state_once() -> None:
    """Rows hold what lies together, whichever boats are looked at, and the kernels have room for them."""
    for ours, theirs in [*itertools.product([range(i, i + 1) for i in range(4)], repeat=2), (range(3), range(4))]:
        found: list[int] = []
        for home, docked, order, fleet, fleets, rival, rivals in exact._blocks(ours, theirs):
            assert set(exact.HOME[fleet : fleet + fleets]) == {home} and rivals <= exact.induction.ROOM
            assert set(exact.HOME[rival : rival + rivals]) == {docked}
            for own, other in itertools.product(range(fleet, fleet + fleets), range(rival, rival + rivals)):
                assert exact.AFLOAT[own] in ours and exact.AFLOAT[other] in theirs
                found.append(exact.state_of(own, other, order))
        assert len(set(found)) == len(found) == exact.orders(exact._fleets(ours), exact._fleets(theirs))


def test_neither_wind_nor_current_brings_a_boat_home() -> None:
    """The kernels look for what comes of them in the same block."""
    _sails, goods, ills = exact._river(9, DISTANCE)
    for fleet, home in enumerate(exact.HOME):
        for goal in {*goods[fleet], *ills[fleet]} - {-1}:
            assert (exact.HOME[goal], exact.AFLOAT[goal]) == (home, exact.AFLOAT[fleet])
        assert exact.HOME[exact._downstream()[fleet]] == home


# What others see of it


def test_two_seats_are_solved() -> None:
    assert solver(GAME) is exact
    assert exact.solves(GAME.new(2)) and not exact.solves(GAME.new(3))
    assert exact.prepare(GAME.new()) == 2_775_500
    assert exact.values(ended(random.Random(7))) == {}
    assert solver(strandline.game("undertow")) is None


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve", "up_the_river"]) == 0
    out = capsys.readouterr().out
    for words in ("2,775,500 positions", "Seat 0: expected share of the win 0.4518210553", "roll 2: sail 1 or sail 2"):
        assert words in out
    assert cli.main(["solve", "up_the_river", "--players", "3"]) == 2
    assert "no exact solution for 3 players" in capsys.readouterr().err


# The file


def test_a_table_is_solved_once_and_read_after_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []

    def solve(game: strandline.Game, distance: int, progress: object) -> Any:
        solved.append(distance)
        return memoryview(struct.pack("<2d", distance / 10, 0)).cast("d")

    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    monkeypatch.setattr(exact, "solve", solve)
    for distance in (3, 3, 4, 3):
        monkeypatch.setattr(exact, "_tables", {})  # as in another process
        assert exact._table(GAME, distance)[0] == distance / 10
    assert solved == [3, 4]
    monkeypatch.setattr(exact, "_tables", {})
    monkeypatch.setattr(stamps, "named", lambda *sources: "up_the_river-0123456789abcdef")  # a source has changed
    exact._table(GAME, 3)
    assert solved == [3, 4, 3]
    exact.finish_keeping()
    names = ["tide-3-above-sandbank.f8", "tide-4-above-sandbank.f8"]
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == names


def test_a_folder_that_cannot_be_written_to_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(exact, "solve", lambda game, distance, progress: memoryview(bytes(8)).cast("d"))
    monkeypatch.setattr(exact, "_tables", {})
    assert len(exact._table(GAME, 3)) == 1


@pytest.mark.slow
def test_other_rules_give_another_table(tmp_path: Path) -> None:
    """A copy of the package solves once; with a rule changed it does not take the old table."""
    package = Path(strandline.__file__).parent
    copy = tmp_path / "src" / "strandline"
    skipped = [path.name for path in (package / "games").iterdir() if path.is_dir() and path.name != GAME.name]
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns(*skipped, "__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(copy.parent), "STRANDLINE_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "strandline", "solve", GAME.name]

    def leads() -> list[str]:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if "lead" in line]

    first = leads()
    assert leads() == first and len(list((tmp_path / "cache").rglob("*.f8"))) == 1
    rules = copy / "games" / GAME.name / "rules.py"
    rules.write_text(rules.read_text().replace("TIDE_ADVANCE = 3", "TIDE_ADVANCE = 1"))
    assert leads() != first and len(list((tmp_path / "cache").rglob("*.f8"))) == 1
