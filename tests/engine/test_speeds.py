"""The same seeds at every speed: the same games, row by row, and the same searches, to the last node and edge.

WebAssembly is compared with the others twice, over wasmtime and as in a browser. Kernels for GPUs play random games and
do not search; `test_ptx` has what can be said of them without a GPU.
"""

import functools

import pytest

import strandline
from strandline.bots import network
from strandline.bots.tree import GuidedTree, Tree
from strandline.engine import simulation, speeds, wasm
from strandline.engine.speeds import Interpreted, Native, Wasm
from strandline.lab import cuda
from support import listed, starts

FEW, MANY = 50, 300
"""Simulations of a search: those of ordinary Python, and those of compiled speeds, whose first few are the same."""
COMPILED = pytest.param(Native, marks=pytest.mark.slow)
"""Native code that takes minutes to compile."""


def rows(start: strandline.Position, speed: speeds.Maker, seed: int) -> bytes:
    """The rows of random games: ordinary Python plays the first of them."""
    games = 10 if speed is Interpreted else 50
    return simulation.Player(start.game, speed).play(bytes(start), seed, 2**40, games)


def searched(start: strandline.Position, speed: speeds.Maker, seed: int, guided: bool = False) -> list[bytes]:
    """All nodes and edges after a few simulations and, unless in ordinary Python, after many."""
    tree = GuidedTree(start.game, MANY, speed, players=start.players) if guided else Tree(start.game, MANY, speed)
    found, done = [], 0
    for simulations in (FEW,) if speed is Interpreted else (FEW, MANY):
        tree.grow(bytes(start), seed, done, simulations - done)
        done = tree.root().visits
        assert done == simulations
        found.append(b"".join(map(bytes, (tree.tree, tree.nodes, tree.edges))))
    return found


known_rows, known_searches = functools.cache(rows), functools.cache(searched)
"""The same, kept for the other host."""


def check_rows(start: strandline.Position, seed: int, speed: speeds.Maker) -> None:
    """WebAssembly and that speed play the same games."""
    assert rows(start, Wasm, seed).startswith(known_rows(start, speed, seed))


def check_search(position: strandline.Position, seed: int, speed: speeds.Maker, guided: bool = False) -> None:
    """WebAssembly and that speed grow the same tree."""
    expected = known_searches(position, speed, seed, guided)
    assert searched(position, Wasm, seed, guided)[: len(expected)] == expected


@pytest.mark.usefixtures("each_host")
def test_every_speed_plays_and_searches_alike(game: strandline.Game) -> None:
    for seed, start in enumerate(starts(game)):
        later = start.play_random(9, seed)
        assert wasm.of(game).listing(bytes(later)) == listed(later)
        position = start if later.turn is None else later
        for speed in (Interpreted, Native):
            check_rows(start, seed, speed)
            if speed is Native or seed % 3 == 0:  # ordinary Python takes seconds for some
                check_search(position, seed, speed)


@pytest.mark.usefixtures("each_host")
@pytest.mark.parametrize("speed", [Interpreted, COMPILED])
def test_every_speed_plays_another_box_alike(
    game: strandline.Game, changed: strandline.Game, speed: speeds.Maker
) -> None:
    for players in changed.seats:
        start = changed.new(players=players)
        check_rows(start, 3, speed)
        assert rows(start, Wasm, 3) != rows(game.new(players=players), Wasm, 3)
    check_search(start, 4, speed)


@pytest.mark.usefixtures("each_host")
@pytest.mark.parametrize("speed", [Interpreted, COMPILED])
def test_networks_guide_the_search_alike_at_every_speed(game: strandline.Game, speed: speeds.Maker) -> None:
    for players in network.seats(game):
        check_search(game.new(players).play_random(9, players), 7, speed, guided=True)


@pytest.mark.slow
def test_a_gpu_plays_the_same_games(game: strandline.Game) -> None:
    numba_cuda = pytest.importorskip("numba.cuda", reason="needs the extra 'cuda'")
    if not numba_cuda.is_available():
        pytest.skip("There is no GPU by NVIDIA here, or no driver for it.")
    pytest.importorskip("cupy", reason="needs the extra 'cuda'")
    for seed, start in enumerate(starts(game)):
        ((_, found),) = cuda.chunks(start, simulation.CHUNK, seed)
        assert bytes(found.data) == simulation.Player(game).play(bytes(start), seed, 0, simulation.CHUNK)
