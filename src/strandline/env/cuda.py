"""Vectorized environments resident on a GPU: what kernels are needed, and how they are carried to where the GPU is.

`write` makes a folder on any machine; `env.resident` plays from it where there is a GPU, with CuPy and NumPy alone, and
hands its arrays to PyTorch and JAX without a copy; `env.training` learns there by self-play, with PyTorch as well.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from strandline.engine import ptx
from strandline.engine.position import Position
from strandline.env import kernels
from strandline.env.batch import DESK
from strandline.env.spaces import SLOT, space

CARRIED = ("resident.py", "training.py")
"""The modules that are put beside the kernels: they need nothing else of Strandline."""


def write(start: Position, folder: Path, capability: tuple[int, int] = (9, 0), *, room: int = 128) -> None:
    """Write kernels for games that begin with the position, what else is needed, and the code that plays and learns.

    Lists of legal actions on the GPU have `room`; where a game has more, its mask has them all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    one, state = space(start.game, start.players), start.game.rules.STATE.dtype
    seen = np.dtype(one.dtype)
    small, real, number = np.dtype("i1"), np.dtype("f4"), np.dtype("i4")
    steps = (state, state, DESK, number, np.dtype("i8"), small, real, np.dtype("?"), int)
    arguments: dict[Any, tuple[ptx.Argument, ...]] = {
        kernels.reset: (state, state, DESK),
        kernels.step: steps,
        kernels.show: (state, DESK, SLOT, seen, small, number),
    }
    for kernel, kinds in arguments.items():
        text = ptx.text(start.game.rules, kernel, kinds, capability)
        (folder / f"{kernel.__name__}.ptx").write_text(text, encoding="utf-8")
    about = {
        "game": start.game.name,
        "players": start.players,
        "cooperative": start.game.facts.cooperative or start.players == 1,
        "options": start.options,
        "actions": one.actions,
        "features": one.size,
        "dtype": seen.str,
        "room": min(room, one.actions),
        "start": start.records().tobytes().hex(),
        "desk": {name: list(map(_plain, DESK.fields[name][:2])) for name in DESK.names or () if DESK.fields},
        "desk_size": DESK.itemsize,
    }
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
    np.savez(folder / "tables.npz", codes=one.codes, slots=one.slots.view(np.int32), scale=one.scale, hope=one.hope)
    for name in CARRIED:
        shutil.copyfile(Path(__file__).parent / name, folder / name)


def _plain(item: Any) -> Any:
    """A field's kind and place as JSON takes them."""
    if isinstance(item, np.dtype):
        return [item.base.str, list(item.shape)]
    return int(item)
