"""The rows of a study, and what is counted in them."""

import importlib.util
import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.engine import binding, draws, records
from strandline.lab import drivers, matches, rows
from strandline.lab.study import Setting
from support import random_setting

SEED = 7


def interpreted(start: strandline.Position, policies: list[int], number: int) -> rows.Rows:
    found = np.zeros(number, rows.row_dtype(start.game))
    states, works = np.zeros(2, start.game.rules.STATE), np.zeros(1, binding.work(start.game.rules))
    seen = [records.view(array) for array in (start.records(), states, works, found)]
    start.game.interpreted(drivers).play(*seen[:3], SEED, 0, policies, seen[3])
    return found


def test_the_games_are_those_of_simulate(game: strandline.Game) -> None:
    for players in game.seats:
        expected = game.simulate(150, players, seed=SEED, threads=1)
        found = rows.play(game.new(players), [0], SEED, 0, 150)
        for name in ("steps", "decisions", "rounds"):
            assert (found[name] == expected[name]).all()
        assert (found["scores"][:, :players] == expected["scores"]).all()
        assert ((found["winners"][:, None] >> np.arange(players) & 1) == expected["winners"]).all()


def test_pieces_fit_together(game: strandline.Game) -> None:
    start = game.new()
    for policies in ([0], [1]):
        whole = rows.play(start, policies, SEED, 0, 40)
        parts = [rows.play(start, policies, SEED, first, 20) for first in (0, 20)]
        assert whole.tobytes() == np.concatenate(parts).tobytes()


def test_both_speeds_write_the_same_rows(game: strandline.Game) -> None:
    rng = random.Random(game.name)
    for policies in ([0], [1], [0, 1]):
        start = game.new(**random_setting(game, rng))
        assert rows.play(start, policies, SEED, 0, 2).tobytes() == interpreted(start, policies, 2).tobytes()


def traced(start: strandline.Position, number: int) -> tuple[list[tuple[Any, str, Any]], list[int]]:
    """A random game step by step, through positions alone; and the numbers of choices of its decisions."""
    key, position, k = draws.stream(SEED, number), start, 0
    steps, choices = [], []
    while position.turn is not None:
        tickets = position.tickets()
        if position.turn != "chance":
            choices.append(len(tickets))
        move = start.game.notation.write(tickets[draws.draw(key, k, len(tickets))])
        after = position.play(move)
        steps.append((position, move, after))
        position, k = after, k + 1
    return steps, choices


def counted_by(folder: Path) -> Any:
    """The game's own count of its metrics, in its tests; without one they are not compared."""
    file = folder / "counts.py"
    spec = importlib.util.spec_from_file_location(f"counts_of_{folder.name}", file) if file.exists() else None
    if spec is None or spec.loader is None:
        return lambda before, move, after: {}
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.count


def test_rows_agree_with_what_is_seen(game: strandline.Game, folder: Path) -> None:
    """Metrics, choices and the lead, counted once more from positions, move texts and JSON alone."""
    count = counted_by(folder)
    rng, names = random.Random(game.name), [metric.name for metric in rows.metrics_of(game)]
    for number in range(3):
        start = game.new(**random_setting(game, rng)) if number else game.new()
        row = rows.play(start, [0], SEED, number, 1)[0]
        steps, choices = traced(start, number)
        seen = Counter[str]()
        for before, move, after in steps:
            counted = count(before.to_json(), move, after.to_json())
            assert set(counted) <= set(names)
            seen.update({name: int(value) for name, value in counted.items()})
        tally = dict(zip(names, row["tally"].tolist(), strict=False))  # a game without metrics has room for one
        assert {name: tally[name] for name in seen} == dict(seen)
        assert (row["choices"], row["most"]) == (sum(choices), max(choices))
        assert row["menu"][0] == choices.count(1) and row["menu"].sum() == len(choices) == row["decisions"]
        assert row["menu"][4] == sum(5 <= n <= 6 for n in choices)
        check_lead(steps, row)


def check_lead(steps: list[tuple[Any, str, Any]], row: Any) -> None:
    final = steps[-1][2]
    game, seats = final.game, range(final.players)
    progress = game.interpreted(drivers).compare.__globals__["progress"]
    looks = []
    for before, _, after in steps:
        past = game.rules.rounds(before._record)
        if game.rules.rounds(after._record) != past:
            looks.append((past, [progress(after._record, seat) for seat in seats]))
    looks.append((game.rules.rounds(final._record), [progress(final._record, seat) for seat in seats]))
    alone = [values.index(max(values)) for _, values in looks if values.count(max(values)) == 1]
    assert row["lead_changes"] == sum(a != b for a, b in itertools.pairwise(alone))
    behind = [past for past, values in looks for seat in final.winners() if values[seat] < max(values)]
    assert row["known"] == max(behind, default=0)


def test_metrics_say_what_they_are(game: strandline.Game) -> None:
    found = rows.metrics_of(game)
    assert len({metric.name for metric in found}) == len(found)
    for metric in found:
        assert metric.name and metric.unit and metric.meaning[0].islower() and not metric.meaning.endswith(".")
    assert rows.row_dtype(game).isalignedstruct


# By hand


def tally_of(start: strandline.Position, *moves: str) -> dict[str, int]:
    """What is counted when these moves are played."""
    game, tally = start.game, [0] * len(rows.metrics_of(start.game))
    watch = game.interpreted(drivers).note.__globals__["watch"]
    for move in moves:
        after = start.play(move)
        watch(start._record, after._record, game.notation.read(move), tally)
        start = after
    return {metric.name: count for metric, count in zip(rows.metrics_of(game), tally, strict=True) if count}


def test_up_the_river_by_hand() -> None:
    """The sandbank lies at 9 and the tide at 6, boats start at 4: with a two up to 6, and three further to 9."""
    start = strandline.game("up_the_river").new(2)
    assert tally_of(start, "roll 2", "sail 1") == {"high tides": 1, "groundings": 1}
    assert tally_of(start, "roll 5", "sail 1") == {"groundings": 1}
    assert tally_of(start, "roll 1", "sail 1") == {}
    assert tally_of(start, "roll 6") == {"lost sixes": 1}
    assert tally_of(start, "roll 1", "sail 1", "roll 6", "ill 0 1") == {"ill winds": 1}


def test_rough_steps_by_hand() -> None:
    """Token steps onto rough squares cost two points, others one."""
    game = strandline.game("over_the_next_dune")
    seen = Counter[int]()
    for number in range(30):
        position = game.new(1).play_random(number + 30, number)
        for move in position.moves():
            if not move.startswith("move"):
                continue
            after = position.play(move)
            mover, later = position.to_json()["mover"], after.to_json()["mover"]
            if later and later["token"] == int(move.split()[1]):
                cost = (mover["points"] if mover else game.rules.POINTS) - later["points"]
                assert cost == 1 + tally_of(position, move).get("rough steps", 0)
                seen[cost] += 1
    assert seen[1] > 50


# Bots


def test_bots_are_written_down_in_the_same_way(game: strandline.Game) -> None:
    """Games between random bots have the row's fields in step with each other, and the same ones every time."""
    start = game.new(max(game.seats[:2]))
    found = matches.play(Setting(start, ("random",), 5, SEED), 3, 2)
    assert (found["menu"].sum(1) == found["decisions"]).all() and (found["steps"] >= found["decisions"]).all()
    assert found[1:].tobytes() == matches.play(Setting(start, ("random",), 5, SEED), 4, 1).tobytes()


def test_guided_players_follow_the_hints(game: strandline.Game) -> None:
    if not game.has_guide:
        with pytest.raises(strandline.BadOptions, match="nobody can play it guided"):
            matches.bot("guided", game)
        return
    positions = (game.new(2).play_random(moves, 1) for moves in range(40))
    position = next(position for position in positions if isinstance(position.turn, int))
    assert isinstance(position.turn, int)
    assert matches.bot("guided", game).choose(position, position.turn, 5) in position.moves()


def test_guided_players_are_quicker_home() -> None:
    start = strandline.game("undertow").new(2)
    guided, blind = (rows.play(start, [policy], SEED, 0, 200) for policy in (1, 0))
    assert guided["rounds"].mean() < blind["rounds"].mean()
