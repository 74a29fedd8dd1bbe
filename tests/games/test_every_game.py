"""What holds for every game, whatever its rules: one test for all of them."""

import ast
import copy
import importlib.util
import inspect
import itertools
import json
import math
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from samples import box_games
from strandline.engine import binding, contract, records
from strandline.engine.vocabulary import CHANCE, OVER
from strandline.engine.wasm import host
from strandline.server import pages
from support import random_positions, random_setting

ROOT = Path(__file__).parents[2]
STATE_LIMIT = 2048


def invariants(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"invariants_of_{folder.name}", folder / "invariants.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The folder


def test_rules_follow_the_contract(game: strandline.Game) -> None:
    for name in binding.RULES:
        assert inspect.signature(getattr(game.rules, name)) == inspect.signature(getattr(contract, name))
    assert game.rules.STATE.itemsize <= STATE_LIMIT
    assert game.rules.STATE.dtype.isalignedstruct and game.rules.WORK.dtype.isalignedstruct


def test_facts_and_options_are_told(game: strandline.Game) -> None:
    assert game.title and game.facts.tagline.endswith(".") and game.facts.minutes > 0
    assert game.guide.startswith("# ")
    for option in game.options.values():
        assert option.help and option.allows(option.default)
        assert [option.decode(option.encode(value)) for value in option.values] == list(option.values)


def test_every_rule_is_claimed_by_a_test(game: strandline.Game, folder: Path) -> None:
    claimed = {rule for example in examples(folder) for rule in example["rules"]}
    for file in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rules":
                claimed |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    assert sorted(rule_numbers(game) - claimed) == []


def test_every_rule_is_named_where_it_is_carried_out(game: strandline.Game) -> None:
    named = set()
    for file in game.folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                named |= set(re.findall(r"\b[A-Z](?:-R)?\d+\b", ast.get_docstring(node) or ""))
    assert sorted(rule_numbers(game) - named) == []


def rule_numbers(game: strandline.Game) -> set[str]:
    page = pages.rules(game)
    return set(re.findall(r"^- \*\*([A-Z](?:-R)?\d+)\b", page, re.MULTILINE))


# Worked examples, recorded games, counts


def examples(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "examples.json").read_text())
    return found


def test_worked_examples(game: strandline.Game, folder: Path) -> None:
    for example in examples(folder):
        position = strandline.Position.from_json(example["position"])
        expect, name = example["expect"], example["name"]
        if "moves" in expect:
            assert sorted(position.moves()) == sorted(expect["moves"]), name
        for step in expect.get("play", []):
            position = position.play(step["move"])
            after = position.to_json() | {
                "moves": sorted(position.moves()), "scores": position.scores(), "winners": position.winners()
            }  # fmt: skip
            then = {key: sorted(value) if key == "moves" else value for key, value in step["then"].items()}
            assert {key: after[key] for key in then} == then, (name, step["move"])
        if "scores" in expect:
            assert position.scores() == expect["scores"], name
        if "winners" in expect:
            assert position.winners() == expect["winners"], name


@pytest.mark.parametrize("name", box_games())
def test_games_of_the_box_are_whole(name: str) -> None:
    """A new game may do without golden games, counts and modules; those of the box may not."""
    folder, game = Path(__file__).parent / name, strandline.game(name)
    assert list((folder / "golden").glob("*.txt")) and (folder / "perft.txt").exists()
    assert host.file(game).exists() and host.file(game, any_box=True).exists()


def test_golden_games_replay(game: strandline.Game, folder: Path) -> None:
    records = sorted((folder / "golden").glob("*.txt"))
    if not records:
        pytest.skip(f"`strandline golden {game.name}` has not been run yet.")
    for file in records:
        setting, *moves, final = file.read_text().splitlines()
        position = game.new(**json.loads(setting))
        for move in moves:
            position = position.play(move)
        assert position.to_json() == json.loads(final), file.name
        assert position.turn is None, file.name


def test_perft(game: strandline.Game, folder: Path) -> None:
    if not (folder / "perft.txt").exists():
        pytest.skip(f"`strandline golden {game.name}` has not been run yet.")
    lines = (folder / "perft.txt").read_text().splitlines()
    assert lines
    for line in lines:
        depth, expected, setting = line.split(maxsplit=2)
        value = json.loads(setting)
        start = game.position(value) if "game" in value else game.new(**value)
        length, counts = int(depth) + 1, []
        for fast in (False, True):
            states, works = np.zeros(length, game.rules.STATE), np.zeros(length, game.rules.WORK)
            states[0] = start.records()[0]
            if fast:
                counts.append(game.compiled().perft(states, works, np.zeros(length, np.int64), length - 1))
            else:
                perft = game.interpreted().perft
                counts.append(perft(records.view(states), records.view(works), [0] * length, length - 1))
        assert counts == [int(expected)] * 2, line


# Random games


def test_random_games_keep_the_invariants(game: strandline.Game, folder: Path) -> None:
    check = invariants(folder).check
    rng = random.Random(game.name)
    for position in random_positions(game, rng, 1500):
        value = position.to_json()
        check(value)
        text = json.dumps(value)
        again = strandline.Position.from_json(json.loads(text))
        assert again == position and hash(again) == hash(position), text
        assert json.dumps(again.to_json()) == text
        assert len(position.scores()) == position.players
        if position.turn is None:
            assert position.moves() == []
        else:
            assert position.winners() == []


def test_moves_are_written_and_described(game: strandline.Game) -> None:
    rng = random.Random(game.name)
    for position in random_positions(game, rng, 400):
        moves = position.moves()
        assert len(set(moves)) == len(moves)
        for move, code in zip(moves, position.codes(), strict=True):
            assert game.notation.read(move) == code
        for move in rng.sample(moves, min(2, len(moves))):
            sentence = position.describe(move)
            assert sentence[0].isupper() and sentence[-1] in ".!" and "\n" not in sentence
        with pytest.raises(strandline.IllegalMove):
            position.play("dance 1")


def test_tickets_of_an_outcome_stand_side_by_side(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 300):
        if position.turn == "chance":
            tickets = position.tickets()
            changes = sum(a != b for a, b in itertools.pairwise(tickets))
            assert changes == len(set(tickets)) - 1
            assert math.isclose(sum(position.odds()), 1)
        else:
            with pytest.raises(ValueError, match="turn is 'chance'"):
                position.odds()


def test_views_are_json_and_seats_are_checked(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 50):
        for seat in (None, *range(position.players)):
            json.dumps(position.view(seat))
        with pytest.raises(ValueError, match="no seat"):
            position.view(position.players)


def test_positions_can_be_copied_and_pickled(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(game.name), 20):
        assert copy.deepcopy(position) == position
        assert pickle.loads(pickle.dumps(position)) == position


# Refusals


def test_options_are_checked(game: strandline.Game) -> None:
    for players in (0, 9, "2", True, 2.0):
        with pytest.raises(strandline.BadOptions, match="players"):
            game.new(players=players)  # type: ignore[arg-type]
    with pytest.raises(strandline.BadOptions, match="no option 'weather'"):
        game.new(weather="fine")
    for name, option in game.options.items():
        wrong: Any
        for wrong in ("nonsense", None, 10**9, -1, 1.0, [], 1 if option.default in (True, False) else True):
            if not option.allows(wrong):
                with pytest.raises(strandline.BadOptions, match=name):
                    game.new(**{name: wrong})


def test_damaged_positions_are_refused_with_a_sentence(game: strandline.Game) -> None:
    """A changed field makes another position or is refused; it never breaks anything."""
    rng = random.Random(game.name)
    refused = 0
    for position in random_positions(game, rng, 1200):
        value = position.to_json()
        damage(value, rng)
        try:
            read = strandline.Position.from_json(value)
        except strandline.BadPosition as error:
            refused += 1
            assert str(error)[-1] in ".?"
        else:
            assert read.to_json() == value
            assert (read.turn is None) == (read.moves() == [])
    assert refused > 300


def damage(value: Any, rng: random.Random) -> None:
    """Change something somewhere in a JSON value."""
    held = value.values() if isinstance(value, dict) else value
    inner = [item for item in held if isinstance(item, (dict, list)) and item]
    if inner and rng.random() < 0.6:
        damage(rng.choice(inner), rng)
        return
    key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
    kind = rng.randrange(5)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, dict):
        value["unheard_of"] = 1
    elif kind == 2 and type(value[key]) is int:
        value[key] += rng.choice((-1, 1, 100))
    elif kind == 3 and isinstance(value[key], list):
        value[key] = value[key][::-1]
    else:
        value[key] = rng.choice([None, True, -1, 0, 1, 3, 10**20, 2.0, "", "x", [], {}, [None], {"at": 1}])


# Speeds


def traced(game: strandline.Game, start: strandline.Position, number: int, speed: str, length: int) -> Any:
    """The records of a random game, one after each step."""
    states, works = np.zeros(length, game.rules.STATE), np.zeros(1, game.rules.WORK)
    states[0] = start.records()[0]
    if speed == "interpreted":
        steps = game.interpreted().trace(records.view(states), records.view(works), 7, number)
    else:
        steps = game.compiled(boundscheck=speed == "checked").trace(states, works, 7, number)
    return states[: steps + 1]


def test_all_speeds_play_the_same_game(game: strandline.Game) -> None:
    rng = random.Random(game.name)
    for number in range(40):
        start = game.new(**random_setting(game, rng))
        slow, fast = (traced(game, start, number, speed, 600) for speed in ("interpreted", "compiled"))
        assert len(slow) == len(fast)
        assert slow.tobytes() == fast.tobytes()


@pytest.mark.slow
def test_nothing_is_out_of_bounds(game: strandline.Game) -> None:
    """Compiled with checks, which takes as long again. Interpreted, every table and record checks its bounds anyway."""
    rng = random.Random(game.name)
    for number in range(40):
        start = game.new(**random_setting(game, rng))
        fast, checked = (traced(game, start, number, speed, 600) for speed in ("compiled", "checked"))
        assert fast.tobytes() == checked.tobytes()


def test_random_games_come_to_their_end(game: strandline.Game) -> None:
    """Every game ends under its default limits, with results that fit each other."""
    for players in game.seats:
        rows = game.simulate(300, players=players, seed=5, threads=1)
        assert rows.dtype["scores"].shape == (players,)
        assert (rows.steps > 0).all() and (rows.decisions <= rows.steps).all() and (rows.rounds > 0).all()


def test_the_results_do_not_depend_on_the_threads(game: strandline.Game) -> None:
    games = 20000 if game.simulate(100, threads=1).steps.mean() < 500 else 9000
    one, two = (game.simulate(games, seed=11, threads=threads) for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_a_simulated_game_is_the_traced_one(game: strandline.Game) -> None:
    rows = game.simulate(20, seed=7)
    for number in range(5):
        states = traced(game, game.new(), number, "compiled", rows.steps[number] + 10)
        assert len(states) == rows.steps[number] + 1
        final = records.view(states)[len(states) - 1]
        who = [game.rules.to_move(state) for state in records.view(states)]
        assert who[-1] == OVER and sum(seat >= 0 for seat in who) == rows.decisions[number]
        assert set(who) <= {CHANCE, OVER, *range(max(game.seats))}
        assert [game.rules.score(final, seat) for seat in range(final.players)] == rows.scores[number].tolist()
