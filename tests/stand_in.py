"""A stand-in for a GPU: kernels as ordinary Python, one thread after another."""

import ctypes
import itertools
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.engine import binding, ptx, records


def local_array(size: int, layout: records.Layout, alignment: int) -> Any:
    """Memory of a thread's own, which holds anything."""
    kind = layout.structure * size
    return kind.from_buffer(bytearray(b"\xa5" * ctypes.sizeof(kind)))


def play_on_cpu(
    monkeypatch: pytest.MonkeyPatch, game: strandline.Game, kernel: ptx.Kernel, *arguments: Any
) -> np.ndarray[Any, Any]:
    """Call the kernel for every row, its last argument, and return the rows."""
    threads = itertools.count()

    module = sys.modules[kernel.__module__]
    stand_in = SimpleNamespace(grid=lambda _: next(threads), local=SimpleNamespace(array=local_array))
    with monkeypatch.context() as patch:
        patch.setattr(module, "cuda", stand_in)
        bound = getattr(binding.Binder(game.rules, None).bind(module), kernel.__name__)
    rows: np.ndarray[Any, Any] = arguments[-1]
    given = [records.view(item) if getattr(item, "dtype", np.dtype("i4")).names else item for item in arguments]
    for _ in range(len(rows) + 5):  # blocks are full: some threads have no game
        bound(*given)
    return rows
