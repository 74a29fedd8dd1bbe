"""What a game's WebAssembly module holds: all that playing needs. `make kernels` runs this to make them anew."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from types import FunctionType
from typing import TYPE_CHECKING

from strandline.bots import network, puct, search
from strandline.engine import drivers
from strandline.engine.game import Game
from strandline.engine.wasm.host import description, file

if TYPE_CHECKING:
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
    if network.seats(game):
        found.append(puct.guided_search)  # type: ignore[arg-type]
    return found


def names(game: Game) -> list[str]:
    """The same functions as `wasm.host` finds them again: those of the game's folder begin with a dot."""
    package = str(game.rules.__package__)
    return [f"{f.__module__.removeprefix(package)}.{f.__name__}" for f in functions(game)]


def arguments(game: Game) -> dict[str, tuple[Argument, ...]]:
    """What each kernel is given."""
    import numpy as np

    from strandline.bots import tree
    from strandline.engine import binding, simulation

    seats = max(game.seats)
    state, rules_work, work = (item.dtype for item in (game.rules.STATE, game.rules.WORK, binding.work(game.rules)))
    row, node = simulation.row_layout(seats).dtype, tree.node_layout(seats).dtype
    i1, i4, i8, f8 = map(np.dtype, ("i1", "i4", "i8", "f8"))
    searched = (
        *((state, 1), (state, 1), (i4, 1), (work, 1)),
        *((tree.TREE.dtype, 1), (node, 1), (tree.EDGE.dtype, 1), (i4, 1), (i4, 1)),
    )
    thoughts = ((i1, 1), (tree.MIND.dtype, 1), (tree.ROW.dtype, 1), (i4, 1), (i4, 1))
    return {
        "simulate": ((state, 1), (state, 1), (rules_work, 1), int, int, (row, 1)),
        "listing": ((state, 1), (rules_work, 1), (i8, 1)),
        "search": (*searched, int, int, int),
        "guided_search": (*searched, *thoughts, int, int, int),
        "go_back": (int, (i8, 3), (i8, 3), (i8, 2), (i4, 4), (i4, 3), (i4, 2), (f8, 4), (f8, 4), (f8, 1)),
    }


def build(game: Game, any_box: bool) -> bytes:
    """The game's module, made anew. The same sources give the same bytes."""
    from strandline.engine.wasm import compiler

    types = arguments(game)
    kernels = {function.__name__: (function, types[function.__name__]) for function in functions(game)}
    return compiler.module(game.rules, kernels, description(game, names(game), any_box), any_box)


def built_apart(game: Game, any_box: bool) -> bytes:
    """The game's module, made by another process: Numba takes its settings once, when it is imported."""
    settings = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-c", PROGRAM, game.name, str(any_box)]
    return subprocess.run(command, env=os.environ | settings, stdout=subprocess.PIPE, check=True).stdout


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
