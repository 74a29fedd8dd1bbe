"""Modules run by wasmtime, on every machine that Python runs on."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import tempfile
import weakref
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import wasmtime

from strandline.engine import cache

PAGE = 1 << 16

Closed = TypeVar("Closed", wasmtime.Store, wasmtime.Module)


class Running:
    """A module with a memory of its own. One thread at a time may use it; calls run without the GIL."""

    def __init__(self, module: wasmtime.Module) -> None:
        """The module is ready to be called."""
        self._store = _closed_at_end(wasmtime.Store(module_engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._locate()

    def _locate(self) -> None:
        self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._size = self._memory.data_len(self._store)

    def call(self, kernel: str, at: int) -> None:
        """Run a kernel on the arguments that are at that place."""
        function = self._exports[kernel]
        assert isinstance(function, wasmtime.Func)
        function(self._store, at)

    def write(self, at: int, data: bytes) -> None:
        """Put bytes into the memory."""
        self._check(at, len(data))
        ctypes.memmove(self._base + at, data, len(data))

    def read(self, at: int, size: int) -> bytes:
        """Bytes of the memory."""
        self._check(at, size)
        return ctypes.string_at(self._base + at, size)

    def _check(self, at: int, size: int) -> None:
        if not 0 <= at <= at + size <= self._size:
            raise IndexError(f"The module's memory has {self._size} bytes, not {at + size}.")

    def grow(self, size: int) -> None:
        """Let the memory have at least this many bytes."""
        if size > self._size:
            self._memory.grow(self._store, -(-(size - self._size) // PAGE))
            self._locate()

    def place(self, name: str) -> int:
        """The address that the module exports under that name."""
        found = self._exports[name]
        assert isinstance(found, wasmtime.Global)
        return int(found.value(self._store))


@functools.cache
def module_engine() -> wasmtime.Engine:
    """The compiler, one for the process."""
    return wasmtime.Engine(wasmtime.Config())


class WasmtimeHost:
    """The host over wasmtime."""

    def compile(self, module: bytes) -> wasmtime.Module:
        """The module as machine code, which is kept in the user's cache where that can be written to."""
        key = hashlib.sha256(version("wasmtime").encode() + module).hexdigest()[:16]
        kept = cache.folder() / f"wasm-{key}" / "kernels.cwasm"
        with contextlib.suppress(wasmtime.WasmtimeError):
            return _closed_at_end(wasmtime.Module.deserialize_file(module_engine(), str(kept)))
        found = _closed_at_end(wasmtime.Module(module_engine(), module))
        with contextlib.suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=kept.parent, suffix=".part", delete=False) as part:
                part.write(found.serialize())
            Path(part.name).replace(kept)
        return found

    def run(self, compiled: wasmtime.Module) -> Running:
        """The module with a memory of its own."""
        return Running(compiled)


_alive: weakref.WeakSet[wasmtime.Store | wasmtime.Module] = weakref.WeakSet()
"""What is to be closed before Python ends: wasmtime's own finalizers come too late then, and complain."""


def _closed_at_end(thing: Closed) -> Closed:
    _alive.add(thing)
    return thing


def _close() -> None:
    for thing in list(_alive):
        thing.close()
    module_engine().close()


atexit.register(_close)
