"""Vectorized environments that stay on a GPU: states, observations, masks, lists, rewards; nothing is copied.

This file needs a GPU with its driver, CuPy and NumPy, and nothing of Strandline but the folder that
`strandline.env.cuda.write` has made, in which it lies.

    games = Games(Path("river"), 65_536)
    games.reset(seed=1)
    games.step(actions)                         # an array of int64 on the GPU
    torch.from_dlpack(games.seen)               # the same memory; games.masks, games.rewards, … likewise
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

THREADS = 64
"""Threads of a block, each with a game of its own."""
NEXT_STEP, SAME_STEP = 0, 1
ANY, EVERY = -1, -2
"""As the seat that learns: one that is drawn anew for each game, or all of them."""


class Games:
    """Many games on a GPU. Every seat learns, or one does and the others move at random.

    `seen`, `masks`, `lists` (of which the first `listed` count), `rewards` (by seat), `over` and `seats` are arrays of
    CuPy, the first four by game and then in Fortran's order; each step overwrites them.
    """

    def __init__(self, folder: Path, number: int, learner: int = EVERY, mode: int = SAME_STEP) -> None:
        """Load the kernels and make room for the games."""
        import cupy

        self._cupy = cupy
        self.about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        self.number, self.mode = number, mode
        self._kernels = {name: _kernel(folder / f"{name}.ptx") for name in ("reset", "step", "show")}
        tables = np.load(folder / "tables.npz")
        start = np.frombuffer(bytes.fromhex(self.about["start"]), np.uint8)
        self._record = len(start)
        self._start = cupy.asarray(start)
        self._states = cupy.tile(self._start, number)
        self._codes, self._slots = cupy.asarray(tables["codes"]), cupy.asarray(tables["slots"])
        self.scale = cupy.asarray(tables["scale"])
        """What observations are multiplied with to lie between -1 and 1."""
        self.hope = cupy.asarray(tables["hope"])
        """What each number of an observation promises of a win; all 0 in games that can be won by chance."""
        self._desk = desk_dtype(self.about)
        self._desks = cupy.zeros(number * self._desk.itemsize, np.uint8)
        self.seen = self._by_game("features", np.dtype(self.about["dtype"]))
        self.masks = self._by_game("actions", np.int8)
        self.lists = self._by_game("room", np.int32)
        self.rewards = self._by_game("players", np.float32)
        self.over = cupy.zeros(number, np.bool_)
        self.seats = self._field("seat")
        self.listed = self._field("listed")
        self._field("learner")[:] = learner
        self._field("alone")[:] = learner != EVERY

    def _by_game(self, name: str, kind: Any) -> Any:
        """Numbers for each game, zero so far; in memory, those of the same kind lie side by side, game after game."""
        return self._cupy.zeros((self.about[name], self.number), kind).T

    def _field(self, name: str) -> Any:
        """A field of all desks, over the same memory."""
        fields = self._desk.fields
        assert fields is not None
        kind, offset = fields[name][:2]
        size = self._desk.itemsize
        memory = self._desks.data + offset
        return self._cupy.ndarray((self.number,), kind, memory, strides=(size,))

    def reset(self, seed: int) -> None:
        """Begin all games: game `i` with seed `seed + i`."""
        self._field("seed")[:] = self._cupy.arange(seed, seed + self.number, dtype=np.int64)
        self._field("episode")[:] = 0
        self._field("due")[:] = True
        self._launch("reset", (self._start, self._record), (self._states, self._record), self._desk_words())
        self.rewards[:] = 0
        self.over[:] = False
        self.show()

    def step(self, actions: Any) -> None:
        """Play an action (int64, on the GPU) in each game. Those that are over begin anew, as the mode says."""
        self._launch(
            "step",
            (self._start, self._record),
            (self._states, self._record),
            self._desk_words(),
            (self._codes, 4),
            (self._cupy.ascontiguousarray(actions, np.int64), 8),
            (self.masks, 1),
            (self.rewards, 4),
            (self.over, 1),
            np.int64(self.mode),
        )
        self.show()

    def show(self) -> None:
        """Write down what is seen and what is legal."""
        self.seen.data.memset_async(0, self.seen.nbytes, self._cupy.cuda.get_current_stream())
        self._launch(
            "show",
            (self._states, self._record),
            self._desk_words(),
            (self._slots, 8),
            (self.seen, self.seen.itemsize),
            (self.masks, 1),
            (self.lists, 4),
        )

    def _desk_words(self) -> tuple[Any, int]:
        return self._desks, self._desk.itemsize

    def _launch(self, name: str, *arguments: Any) -> None:
        words: list[Any] = []
        for one in arguments:
            words += array_words(*one) if isinstance(one, tuple) else [one]
        self._kernels[name]((-(-self.number // THREADS),), (THREADS,), tuple(words))


def array_words(memory: Any, item: int) -> list[Any]:
    """An array as kernels take it: two unused words, its length, the size of an item, where it is, and its shape."""
    number = memory.nbytes // item
    return [np.uint64(word) for word in (0, 0, number, item, memory.data.ptr, number, item)]


def desk_dtype(about: dict[str, Any]) -> np.dtype[np.void]:
    """The record of a desk, as the folder describes it."""
    names = list(about["desk"])
    kinds = [(kind, tuple(shape)) for (kind, shape), _ in about["desk"].values()]
    offsets = [offset for _, offset in about["desk"].values()]
    return np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": about["desk_size"]})


def _kernel(file: Path) -> Any:
    import cupy

    entry = re.search(r"\.visible \.entry (\w+)\(", file.read_text(encoding="utf-8"))
    if entry is None:
        raise ValueError(f"{file} holds no kernel.")
    return cupy.RawModule(path=str(file)).get_function(entry[1])
