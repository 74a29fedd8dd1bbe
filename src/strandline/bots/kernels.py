"""What a game's WebAssembly module holds: all that playing needs. `make kernels` runs this to make them anew."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import subprocess
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any

from strandline.bots import network, puct, search, tree
from strandline.engine import drivers, simulation, stamps
from strandline.engine.game import Game
from strandline.engine.walk import work
from strandline.engine.wasm import host
from strandline.engine.wasm.host import file

if TYPE_CHECKING:
    from strandline.engine.speeds import Kind
    from strandline.engine.wasm.compiler import Argument

DRIVERS: tuple[FunctionType, ...] = (drivers.simulate, drivers.listing, search.search)  # type: ignore[assignment]


PROGRAM = """
import sys, strandline
from strandline.bots import kernels
sys.stdout.buffer.write(kernels.build(strandline.game(sys.argv[1]), sys.argv[2] == "True"))
"""


def functions(game: Game) -> list[FunctionType]:
    """The functions that the game's module exports, under their own names."""
    found = list(DRIVERS)
    if importlib.util.find_spec(f"{game.rules.__package__}.induction"):
        induction = importlib.import_module(f"{game.rules.__package__}.induction")
        found.append(induction.go_back)
    if network.has_any(game):
        found.append(puct.guided_search)  # type: ignore[arg-type]
    return found


def arguments(game: Game) -> dict[str, tuple[Argument, ...]]:
    """What each kernel is given."""
    state, rules_work = game.rules.STATE, game.rules.WORK
    searched = (
        *((state, 1), (state, 1), ("i4", 1), (work(game.rules), 1), (tree.TREE, 1)),
        *((tree.node_layout(max(game.seats)), 1), (tree.EDGE, 1), ("i4", 1), ("i4", 1)),
    )
    thoughts = (("i1", 1), (tree.MIND, 1), (tree.ROW, 1), ("i4", 1), ("i4", 1))
    tables = (("i8", 3), ("i8", 3), ("i8", 2), ("i4", 4), ("i4", 3), ("i4", 2), ("f8", 4), ("f8", 4), ("f8", 1))
    row = simulation.row_layout(max(game.seats))
    return {
        "simulate": ((state, 1), (state, 1), (rules_work, 1), int, int, (row, 1)),
        "listing": ((state, 1), (rules_work, 1), ("i8", 1)),
        "search": (*searched, int, int, int),
        "guided_search": (*searched, *thoughts, int, int, int),
        "go_back": (int, *tables),
    }


def description(game: Game, any_box: bool) -> dict[str, Any]:
    """What the game's module says of itself, if it is of the present sources."""
    package, given = str(game.rules.__package__), arguments(game)
    kernels = {f"{f.__module__.removeprefix(package)}.{f.__name__}": _hash(given[f.__name__]) for f in functions(game)}
    return host.description(game, kernels, any_box)


def _hash(given: tuple[Argument, ...]) -> str:
    """What a kernel is given, in short."""
    told = [argument if isinstance(argument, type) else _array(*argument) for argument in given]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _array(kind: Kind, dimensions: int) -> str:
    return f"{kind if isinstance(kind, str) else stamps.layout(kind)} in {dimensions} dimensions"


def build(game: Game, any_box: bool) -> bytes:
    """The game's module, made anew. The same sources give the same bytes."""
    from strandline.engine.wasm import compiler

    types = arguments(game)
    kernels = {function.__name__: (function, types[function.__name__]) for function in functions(game)}
    return compiler.module(game.rules, kernels, description(game, any_box), any_box)


def built_apart(game: Game, any_box: bool) -> bytes:
    """The game's module, made by another process, where Numba finds the settings."""
    from strandline.engine.wasm.compiler import SETTINGS

    command = [sys.executable, "-c", PROGRAM, game.name, str(any_box)]
    return subprocess.run(command, env=os.environ | SETTINGS, stdout=subprocess.PIPE, check=True).stdout


def main() -> None:
    """Make the modules of the games that are named, or of all."""
    import strandline

    for name in sys.argv[1:] or strandline.games():
        game = strandline.game(name)
        for any_box in (False, True):
            found = built_apart(game, any_box)
            file(game, any_box).write_bytes(found)
            print(f"{file(game, any_box).name} of {name}: {len(found):,} bytes", flush=True)


if __name__ == "__main__":
    main()
