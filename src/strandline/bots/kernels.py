"""What a game's WebAssembly module holds: all that playing needs. `make kernels` runs this to make them anew."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import FunctionType
from typing import TYPE_CHECKING

from strandline.bots import search
from strandline.engine import drivers
from strandline.engine.game import Game
from strandline.engine.wasm.host import expected_stamp, file

if TYPE_CHECKING:
    from strandline.engine.wasm.compiler import Argument

DRIVERS: tuple[FunctionType, ...] = (drivers.simulate, drivers.listing, search.search)  # type: ignore[assignment]


def functions(game: Game) -> list[FunctionType]:
    """The functions that the game's module exports, under their own names."""
    found = list(DRIVERS)
    if importlib.util.find_spec(f"{game.rules.__package__}.induction"):
        induction = importlib.import_module(f"{game.rules.__package__}.induction")
        found += [induction.drift, induction.turn]
    return found


def names(game: Game) -> list[str]:
    """The same functions as `wasm.host` finds them again: those of the game's folder begin with a dot."""
    package = game.rules.__package__
    return [f"{f.__module__.removeprefix(package)}.{f.__name__}" for f in functions(game)]


def arguments(game: Game) -> dict[str, tuple[Argument, ...]]:
    """What each kernel is given."""
    import numpy as np

    from strandline.bots import tree
    from strandline.engine import binding, simulation

    state, work, seats = game.rules.STATE, binding.work(game.rules), max(game.seats)
    i4, i8, f8 = np.dtype("i4"), np.dtype("i8"), np.dtype("f8")
    return {
        "simulate": ((state, 1), (state, 1), (game.rules.WORK, 1), int, int, (simulation.row_dtype(seats), 1)),
        "listing": ((state, 1), (game.rules.WORK, 1), (i8, 1)),
        "search": (
            *((state, 1), (state, 1), (i4, 1), (work, 1)),
            *((tree.TREE, 1), (tree.node_dtype(seats), 1), (tree.EDGE, 1), (i4, 1), (i4, 1)),
            *(int, int, int),
        ),
        "drift": ((i8, 1), (i8, 1), (i8, 2), (i8, 1), (i8, 1), (f8, 2), (f8, 2)),
        "turn": (int, (i8, 1), (i8, 1), (i8, 2), (i8, 1), (i4, 3), (i4, 2), (i4, 2), (f8, 2), (f8, 2)),
    }


def build(game: Game) -> bytes:
    """The game's module, made anew. The same sources give the same bytes."""
    from strandline.engine.wasm import compiler

    types = arguments(game)
    kernels = {function.__name__: (function, types[function.__name__]) for function in functions(game)}
    return compiler.module(game.rules, kernels, {"stamp": expected_stamp(game, names(game)), "kernels": names(game)})


def main() -> None:
    """Make the modules of the games that are named, or of all."""
    import strandline

    os.environ |= {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    for name in sys.argv[1:] or strandline.games():
        game = strandline.game(name)
        found = build(game)
        file(game).write_bytes(found)
        print(f"{name}: {len(found):,} bytes", flush=True)


if __name__ == "__main__":
    main()
