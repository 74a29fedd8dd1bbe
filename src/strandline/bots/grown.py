"""Search trees in a WebAssembly module's memory: what `tree.Tree` is for compiled code, without NumPy."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from strandline.bots import search
from strandline.engine import wasm
from strandline.engine.game import Game
from strandline.engine.walk import work

EDGES = 24
"""Room for so many moves a node, on average; most nodes are never expanded."""


class TreeRecord(ctypes.Structure):
    """How much of the tree's memory is in use."""

    _fields_ = (("root", ctypes.c_int32), ("nodes", ctypes.c_int32), ("edges", ctypes.c_int32))


class EdgeRecord(ctypes.Structure):
    """A move and the node that it leads to."""

    _fields_ = (("code", ctypes.c_int32), ("child", ctypes.c_int32), ("liked", ctypes.c_int32))


@functools.cache
def node_record(seats: int) -> Any:
    """A position in the tree, as `tree.node_dtype` has it."""
    fields = [
        ("number", ctypes.c_int64),
        ("value", ctypes.c_double * seats),
        ("square", ctypes.c_double * seats),
        ("visits", ctypes.c_int32),
        ("first", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("who", ctypes.c_int8),
    ]
    return type("NodeRecord", (ctypes.Structure,), {"_fields_": fields})


class Grown:
    """One search tree. It keeps what it has seen, as long as there is room, for the positions that come next."""

    def __init__(self, game: Game, room: int, kernels: wasm.Kernels | None = None) -> None:
        """A tree with room for so many positions, in the memory of the game's usual kernels or of those given."""
        self._game, self._room = game, room
        self._kernels = kernels or wasm.of(game)
        self._node = node_record(max(game.seats))
        self._clear()

    def _clear(self) -> None:
        rules, room = self._game.rules, self._room
        self._instance = instance = self._kernels.instance()
        state = -(-rules.STATE.itemsize // 4) * 4
        self._start = instance.room(state)
        self._tree = instance.room(ctypes.sizeof(TreeRecord))
        self._nodes = instance.room(ctypes.sizeof(self._node) * (room + 2))
        self._edges = instance.room(ctypes.sizeof(EdgeRecord) * EDGES * room)
        states = instance.room(state)
        self._arrays = (
            (self._start, 1),
            (states, 1),
            (states, state // 4),
            (instance.room(work(rules).itemsize), 1),
            (self._tree, 1),
            (self._nodes, room + 2),
            (self._edges, EDGES * room),
            (instance.room(4 * (2 * room + 3)), 2 * room + 3),
            (instance.room(4 * search.DEPTH), search.DEPTH),
        )

    def make_room(self, simulations: int) -> None:
        """Forget everything if so many simulations do not fit in any more."""
        if self._head().nodes + simulations > self._room:
            self._clear()

    def grow(self, start: bytes, seed: int, number: int, simulations: int) -> None:
        """Run so many simulations from the record `start`, with the streams of `seed` from `number` on."""
        self._instance.write(self._start, start)
        self._instance.call("search", *self._arrays, seed, number, simulations)

    def _head(self) -> Any:
        return self._read(TreeRecord, self._tree, 0)

    def _read(self, kind: Any, at: int, number: int) -> Any:
        size = ctypes.sizeof(kind)
        return kind.from_buffer_copy(self._instance.read(at + number * size, size))

    def root(self) -> Any:
        """The node of the position that was searched last."""
        return self._read(self._node, self._nodes, self._head().root)

    def nodes(self) -> bytes:
        """All nodes, as `tree.Tree` has them."""
        return self._instance.read(self._nodes, ctypes.sizeof(self._node) * (self._room + 2))

    def moves(self) -> list[tuple[int, Any]]:
        """The moves of the position that was searched last: the code of each, and the node that it leads to."""
        root = self.root()
        edges = [self._read(EdgeRecord, self._edges, root.first + i) for i in range(root.size)]
        return [(edge.code, self._read(self._node, self._nodes, edge.child)) for edge in edges]
