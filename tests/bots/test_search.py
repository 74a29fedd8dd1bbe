"""The search: right where it can be checked, and pure. That it is the same at every speed is in `test_speeds`."""

import gc
import random
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import strandline
from strandline.bots.tree import Budget, Tree, summed, think
from strandline.bots.tree import best as tried_most
from strandline.engine import speeds
from strandline.engine.position import Position

RIVER = strandline.game("up_the_river")


def first_choice(game: strandline.Game, seed: int) -> Position:
    """A position of a random game in which a seat has something to choose."""
    rng = random.Random(seed)
    position = game.new()
    while not isinstance(position.turn, int) or len(position.codes()) == 1 or rng.random() < 0.8:
        position = position.play(rng.choice(position.moves())) if position.turn is not None else game.new()
    return position


def best(position: Position, simulations: int, speed: speeds.Maker = speeds.fastest) -> str:
    tree = Tree(position.game, simulations, speed)
    tree.grow(bytes(position), 1, 0, simulations)
    assert isinstance(position.turn, int)
    return str(position.game.notation.write(tried_most(tree.outlook(), position.turn).code))


def test_every_game_can_be_searched(game: strandline.Game) -> None:
    position = first_choice(game, 5)
    tree = Tree(game, 30, speeds.Interpreted)
    tree.grow(bytes(position), 7, 0, 30)
    assert tuple(tried.code for tried in tree.outlook()) == position.codes()
    assert tree.root().visits == 30 and 0 <= min(tree.root().value) <= max(tree.root().value) <= 30


def river(boats: Any, docks: Any, die: int, rounds: int = 1, phase: str = "sail") -> Position:
    value = RIVER.new().to_json() | {"phase": phase, "turn": 0, "player": 0, "die": die, "boats": boats, "docks": docks}
    places = {"round": rounds, "sandbank": 1 + (9 - rounds) % 10, "tide": 1 + (6 - rounds) % 10}
    return RIVER.position(value | places)


def test_it_finds_what_wins() -> None:
    boats, docks = [[9, 0, 1], [11, 0, 0]], [[0, 0, 0], [12, 0, 0]]
    assert best(river(boats, docks, 1, 2), 400, speeds.Interpreted) == "sail 3"  # or over the waterfall at once


def test_a_fish_at_the_reef_swims_home() -> None:
    game = strandline.game("reef_route")
    rng = random.Random(1)
    position = game.new()
    while True:  # random play comes to a position in which one step wins
        moves = position.moves()
        if isinstance(position.turn, int):
            winning = [move for move in moves if position.turn in position.play(move).winners()]
            if winning and len(winning) < len(moves):
                break
        position = position.play(rng.choice(moves)) if moves else game.new()
    assert best(position, 200, speeds.Interpreted) in winning


def test_what_was_searched_serves_the_next_move() -> None:
    position = first_choice(RIVER, 9)
    tree = Tree(RIVER, 4000)
    tree.grow(bytes(position), 1, 0, 2000)
    for move in (best(position, 50), None):
        position = position.play(move or position.moves()[0])
    tree.grow(bytes(position), 2, 0, 1)
    assert tree.root().visits > 20
    tree.make_room(4000)
    assert tree.tree[0].nodes == 0


def test_threads_do_not_change_the_result_and_the_clock_ends_it() -> None:
    position = first_choice(RIVER, 4)
    found = []
    for threads in (1, 2):
        trees = [Tree(RIVER, 500), Tree(RIVER, 500)]
        think(trees, [position] * 2, 5, Budget(1000, threads=threads))
        found.append([tried.visits for tried in summed(tree.outlook() for tree in trees)])
    assert found[0] == found[1]
    tree = Tree(RIVER, 10**6)
    think([tree], [position], 5, Budget(10**6, seconds=0.05))
    assert 0 < tree.root().visits < 10**6


@pytest.mark.parametrize("cost", [0.00002, 0.0004, 0.06, 0.5])
def test_a_search_stops_when_its_time_is_up(cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at the clock often enough to end by itself, too early by one simulation at most, or too late by two."""

    class Slow:
        now, calls = 0.0, 0

        def make_room(self, simulations: int) -> None:
            pass

        def grow(self, start: bytes, seed: int, number: int, simulations: int, until: float | None) -> bool:
            assert until == (0.33 if self.calls else None)
            self.now += cost * simulations
            self.calls += 1
            return True

    slow: Any = Slow()
    monkeypatch.setattr("strandline.bots.tree.time.perf_counter", lambda: slow.now)
    think([slow], [RIVER.new()], 5, Budget(10**6, seconds=0.33))
    assert 0.33 - 1.2 * cost <= slow.now <= max(0.33, 2 * cost) + 1e-9
    assert slow.calls < 25


@pytest.mark.parametrize("name", ["up_the_river", "reef_route"])
def test_a_search_that_takes_longer_than_expected_is_stopped(name: str) -> None:
    """Also in the midst of a simulation. What it has seen is still there to be looked at; then it begins anew."""
    position = first_choice(strandline.game(name), 2)
    tree = Tree(position.game, 10**6, speeds.stoppable)
    assert tree.grow(bytes(position), 1, 0, 2, time.perf_counter() + 600)
    assert not tree.grow(bytes(position), 1, 2, 10**6, time.perf_counter() + 0.02)
    visits = tree.root().visits
    assert 2 <= visits < 10**6
    assert visits - 3 <= sum(tried.visits for tried in tree.outlook()) <= visits
    assert tree.grow(bytes(position), 1, 0, 100)
    fresh = Tree(position.game, 1000, speeds.Interpreted)
    fresh.grow(bytes(position), 1, 0, 100)
    assert tree.outlook() == fresh.outlook()


def test_searches_with_clocks_of_their_own() -> None:
    """One that has much time is not stopped with one that has little, nor one that has no clock with either."""
    position = first_choice(RIVER, 2)

    def grown(seconds: float | None) -> bool:
        tree = Tree(RIVER, 20_000, speeds.stoppable)
        until = None if seconds is None else time.perf_counter() + seconds
        return all(tree.grow(bytes(position), 1, number, 20, until) for number in range(0, 20_000, 20))

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(grown, [0.001, None, 600, 0.002, 600])) == [False, True, True, False, True]


def test_every_guess_gets_its_part_of_the_time() -> None:
    position = first_choice(RIVER, 2)
    trees = [Tree(RIVER, 10**6, speeds.stoppable) for _ in range(4)]
    think(trees, [position] * 4, 5, Budget(4 * 10**6, seconds=0.4))
    assert all(tree.root().visits > 16 for tree in trees)


def test_a_search_lets_other_threads_run() -> None:
    position, tree = first_choice(RIVER, 4), Tree(RIVER, 200_000)
    tree.grow(bytes(position), 1, 0, 10)
    worker = threading.Thread(target=tree.grow, args=(bytes(position), 1, 0, 200_000))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    assert turns > 1000


def test_a_tree_that_nobody_needs_is_gone() -> None:
    """And its memory with it: a server makes one for every choice of a bot."""
    tree = weakref.ref(Tree(strandline.game("up_the_river"), 10))
    gc.collect()
    assert tree() is None
