"""Random games on a GPU, the same as on the CPU: kernels made by numba-cuda, launched through CuPy.

Both come with the extra `cuda`. Where there is only a driver, `write` makes files that need CuPy alone.
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from strandline.engine import kernels as simulation_kernels
from strandline.engine import ptx, simulation
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.lab import kernels, launcher, rows
from strandline.lab.rows import Rows

LAUNCHER = "launch.py"
"""The name under which the launcher is put beside a kernel."""
CAPABILITIES = ("7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0")
"""Compute capabilities that kernels are written for: Turing, Ampere, Ada, Hopper and Blackwell."""


def play(start: Position, policies: Sequence[int], seed: int, first: int, number: int) -> Rows:
    """The rows of games `first` to `first + number - 1` of a study."""
    game = start.game
    row = rows.row_dtype(game)
    arguments = (game.rules.STATE.dtype, int, int, np.dtype("i4"), row)
    kernel = _kernel(game, kernels.play, arguments, "--device cuda")
    return kernel.play(start.records(), seed, first, number, row, np.array(policies, np.int32))


def chunks(start: Position, games: int, seed: int) -> Iterator[tuple[int, simulation.Rows]]:
    """Random games in pieces, in their order, as `simulation.chunks` plays them."""
    game = start.game
    seats = max(game.seats)
    row = simulation.row_layout(seats).dtype
    kernel = _kernel(game, simulation_kernels.simulate, _simulation_arguments(game), "--device cuda")
    for first, number in launcher.batches(games):
        played = kernel.play(start.records(), seed, first, number, row)
        yield first, simulation.Rows(played.tobytes(), seats, start.players)


def write(start: Position, file: Path, capability: str) -> None:
    """Write the kernel for random games from `start`, and the launcher beside it."""
    if capability not in CAPABILITIES:
        raise BadOptions(f"--capability must be one of {', '.join(CAPABILITIES)}, not {capability}.")
    _check_extra("strandline ptx", "numba_cuda")
    game = start.game
    about = {
        "game": game.name,
        "players": start.players,
        "options": start.options,
        "seats": max(game.seats),
        "start": start.records().tobytes().hex(),
    }
    major, minor = map(int, capability.split("."))
    kernel = ptx.kept(game.rules, simulation_kernels.simulate, _simulation_arguments(game), (major, minor))
    file.write_text(f"{launcher.MARK}{json.dumps(about)}\n{kernel.read_text(encoding='utf-8')}", encoding="utf-8")
    shutil.copyfile(launcher.__file__, file.parent / LAUNCHER)


def _simulation_arguments(game: Game) -> tuple[ptx.Argument, ...]:
    return game.rules.STATE.dtype, int, int, simulation.row_layout(max(game.seats)).dtype


def _check_extra(what: str, *modules: str) -> None:
    if not all(find_spec(module) for module in modules):
        raise BadOptions(f"{what} needs the extra 'cuda'. Install it with: pip install 'strandline[cuda]'")


@functools.cache
def _kernel(game: Game, kernel: ptx.Kernel, arguments: tuple[ptx.Argument, ...], what: str) -> launcher.Kernel:
    """The kernel of a game for the GPU that is here."""
    _check_extra(what, "numba_cuda", "cupy")
    try:
        return launcher.Kernel(ptx.kept(game.rules, kernel, arguments, launcher.capability()))
    except launcher.NoGPU as error:
        raise BadOptions(f"{what} needs an NVIDIA GPU: {error}. Without it, games are played on the CPU.") from None
