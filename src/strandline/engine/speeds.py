"""The drivers of a game at the speeds of this machine, behind one small interface.

A driver works on arrays of records and on whole numbers. `array` gives it an array of zeros where it can reach it, and
`run` runs it: as ordinary Python, as WebAssembly, or as native code. The results are the same.

    kernels = speeds.fastest(game, drivers.simulate)
    start, state, work = (kernels.array(layout, 1) for layout in (rules.STATE, rules.STATE, rules.WORK))
    rows = kernels.array(simulation.row_layout(seats), 100)
    start.write(bytes(position))
    kernels.run("simulate", start, state, work, seed, 0, rows)
    rows[99].steps
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import math
import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from strandline.engine import binding, cache, stamps, wasm
from strandline.engine.errors import NoKernels
from strandline.engine.records import KINDS, Layout, dtype_of

if TYPE_CHECKING:
    from strandline.engine.game import Game

Kind = Layout | str
"""What an array holds: records, or numbers of a kind such as "i4"."""


class Array(Protocol):
    """An array that drivers can be given."""

    def __getitem__(self, i: int) -> Any:
        """One item, to be looked at."""

    def __bytes__(self) -> bytes: ...

    def write(self, data: bytes) -> None:
        """Put bytes at its beginning."""

    def clear(self) -> None:
        """Fill it with zeros."""

    def part(self, kind: Kind, *shape: int, first: int = 0) -> Array:
        """Its memory as an array of that kind and shape; `first` items of the kind are left out."""


class Kernels(Protocol):
    """The drivers of one module over one game's rules, with memory of their own. One thread at a time may use them."""

    speed: str

    def array(self, kind: Kind, *shape: int) -> Array:
        """An array of zeros that the drivers can be given."""

    def run(self, driver: str, *arguments: Array | int, until: float | None = None) -> int:
        """Run a driver over such arrays and whole numbers. Returns what it does; of what is not whole, the 64 bits.

        What `stoppable` made is stopped at the time `until` of `perf_counter`: it raises `TimeUp` and runs no more.
        """


Maker = Callable[["Game", Any], Kernels]
"""Makes a driver run, and the others of its module: one of the classes here, or `fastest`."""


class LocalArray:
    """An array in this process's own memory."""

    def __init__(self, items: Any, shape: tuple[int, ...]) -> None:
        """An array over a flat ctypes array."""
        self.items = items
        self.shape = shape

    def __getitem__(self, i: int) -> Any:
        return self.items[i]

    def __bytes__(self) -> bytes:
        return bytes(self.items)

    def write(self, data: bytes) -> None:
        """Put bytes at its beginning."""
        ctypes.memmove((ctypes.c_char * len(data)).from_buffer(self.items), data, len(data))

    def clear(self) -> None:
        """Fill it with zeros."""
        ctypes.memset(self.items, 0, ctypes.sizeof(self.items))

    def part(self, kind: Kind, *shape: int, first: int = 0) -> LocalArray:
        """Its memory as an array of that kind and shape."""
        item = ctype(kind)
        return LocalArray((item * math.prod(shape)).from_buffer(self.items, first * ctypes.sizeof(item)), shape)


class Interpreted:
    """The drivers as ordinary Python."""

    speed = "interpreted"

    def __init__(self, game: Game, driver: Any) -> None:
        """The driver and the others of its module."""
        self._functions = binding.interpreted(game.rules, sys.modules[driver.__module__])

    def array(self, kind: Kind, *shape: int) -> LocalArray:
        """An array of zeros."""
        return LocalArray((ctype(kind) * math.prod(shape))(), shape)

    def run(self, driver: str, *arguments: Any, until: float | None = None) -> int:
        """Run a driver to its end."""
        given = [item if isinstance(item, int) else item.items for item in arguments]
        return bits(getattr(self._functions, driver)(*given))


class Native:
    """The drivers compiled for this machine; whoever runs one first waits for the compiler."""

    speed = "native"

    def __init__(self, game: Game, driver: Any) -> None:
        """The driver and the others of its module."""
        self._functions = binding.compiled(game.rules, sys.modules[driver.__module__])

    def array(self, kind: Kind, *shape: int) -> LocalArray:
        """An array of zeros."""
        return LocalArray((ctype(kind) * math.prod(shape))(), shape)

    def run(self, driver: str, *arguments: Any, until: float | None = None) -> int:
        """Run a driver to its end."""
        import numpy as np

        def given(argument: Any) -> Any:
            if isinstance(argument, int):
                return argument
            return np.frombuffer(argument.items, dtype_of(argument.items._type_)).reshape(argument.shape)

        return bits(getattr(self._functions, driver)(*map(given, arguments)))


class WasmArray:
    """An array in the memory of a WebAssembly module."""

    def __init__(self, instance: wasm.Instance, at: int, kind: Kind, shape: tuple[int, ...]) -> None:
        """An array at that address."""
        self._instance, self.at, self._kind, self.shape = instance, at, ctype(kind), shape
        self._size = ctypes.sizeof(self._kind)

    def __getitem__(self, i: int) -> Any:
        found = self._kind.from_buffer_copy(self._instance.read(self.at + i * self._size, self._size))
        return found if hasattr(found, "_fields_") else found.value

    def __bytes__(self) -> bytes:
        return self._instance.read(self.at, math.prod(self.shape) * self._size)

    def write(self, data: bytes) -> None:
        """Put bytes at its beginning."""
        self._instance.write(self.at, data)

    def clear(self) -> None:
        """Fill it with zeros."""
        self._instance.write(self.at, bytes(math.prod(self.shape) * self._size))

    def part(self, kind: Kind, *shape: int, first: int = 0) -> WasmArray:
        """Its memory as an array of that kind and shape."""
        return WasmArray(self._instance, self.at + first * ctypes.sizeof(ctype(kind)), kind, shape)


class Wasm:
    """The drivers in the game's WebAssembly module. Raises `NoKernels` where there is none that fits."""

    speed = "wasm"

    def __init__(self, game: Game, driver: Any, kernels: wasm.Kernels | None = None) -> None:
        """All drivers that the game's module holds, whichever is asked for; or those of `kernels`."""
        self._instance = (kernels or wasm.of(game)).instance()

    def array(self, kind: Kind, *shape: int) -> WasmArray:
        """An array of zeros."""
        size = ctypes.sizeof(ctype(kind)) * math.prod(shape)
        return WasmArray(self._instance, self._instance.room(size), kind, shape)

    def run(self, driver: str, *arguments: Any, until: float | None = None) -> int:
        """Run a driver, `until` then if it is of stoppable kernels."""
        given = [item if isinstance(item, int) else (item.at, *item.shape) for item in arguments]
        return self._instance.call(driver, *given, until=until)


def bits(value: Any) -> int:
    """A driver's result as the whole number that WebAssembly gives for it."""
    return struct.unpack("<q", struct.pack("<d", value))[0] if isinstance(value, float) else int(value or 0)


def ctype(kind: Kind) -> Any:
    """The ctypes type of a record or a number."""
    return kind.structure if isinstance(kind, Layout) else KINDS[kind]


@functools.cache
def has_compiler() -> bool:
    """Whether the extra `native` is installed."""
    return importlib.util.find_spec("numba") is not None


@functools.cache
def fastest_class(game: Game, driver: Any) -> Maker:
    """The fastest one that is ready at once: native code where it has been compiled, else WebAssembly.

    A box for which there is no WebAssembly is played by native code where that can be had, else by ordinary Python.
    """
    if has_compiler() and not cache.is_cold(stamps.native(game.rules, driver)):
        return Native
    try:
        wasm.of(game)
    except NoKernels as error:
        if has_compiler():
            return Native
        _tell(str(error))
        return Interpreted
    return Wasm


def warning(game: Game) -> str | None:
    """What is to be said to the reader of a game for which there is neither a module that fits nor a compiler."""
    if not has_compiler():
        try:
            wasm.fitting(game)
        except NoKernels as error:
            return error.brief
    return None


@functools.cache
def _tell(sentence: str) -> None:
    """Say it once on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def fastest(game: Game, driver: Any) -> Kernels:
    """The driver at the fastest speed that is ready at once."""
    plain = getattr(driver, "__func__", driver)  # a tree's own would be kept with the tree, and its memory, for good
    return fastest_class(game, plain)(game, plain)


def stoppable(game: Game, driver: Any) -> Kernels:
    """The driver as WebAssembly that can be stopped in the midst of a call; where there is none, as `fastest`."""
    try:
        return Wasm(game, driver, wasm.of(game, stoppable=True))
    except NoKernels:
        return fastest(game, driver)
