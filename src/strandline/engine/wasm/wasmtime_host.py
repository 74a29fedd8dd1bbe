"""Modules run by wasmtime, on every machine that Python runs on."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import math
import os
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import wasmtime

from strandline.engine import cache
from strandline.engine.errors import TimeUp

PAGE = 1 << 16
EPOCH = 0.001
"""Seconds."""
NEVER = 1 << 62

Closed = TypeVar("Closed", wasmtime.Store, wasmtime.Module)


class Running:
    """A module with a memory of its own. One thread at a time may use it; calls run without the GIL."""

    def __init__(self, module: wasmtime.Module, engine: wasmtime.Engine, pulse: Pulse | None) -> None:
        """The module is ready to be called; calls can be stopped if the engine has a pulse."""
        self._store = _closed_at_end(wasmtime.Store(engine))
        self._pulse = pulse
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._locate()

    def _locate(self) -> None:
        self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self._size = self._memory.data_len(self._store)

    def call(self, kernel: str, at: int, until: float | None = None) -> None:
        """Run a kernel on the arguments that are at that place, `until` then if its engine has a pulse.

        Raises `TimeUp`; its memory can be read then, but no kernel may be called again: each would find the stack of
        the one that was stopped.
        """
        function = self._exports[kernel]
        assert isinstance(function, wasmtime.Func)
        if self._pulse is None:
            function(self._store, at)
            return
        with self._pulse.watched(self._store, until):
            try:
                function(self._store, at)
            except wasmtime.Trap as trap:
                if trap.trap_code is wasmtime.TrapCode.INTERRUPT:
                    raise TimeUp from trap
                raise

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


class Pulse:
    """Lets the epochs of an engine pass, `EPOCH` seconds each, as long as some call is to be stopped by one."""

    def __init__(self, engine: wasmtime.Engine) -> None:
        """It rests until it is needed."""
        self._engine = engine
        self._lock = threading.Lock()
        self._calls = 0
        self._thread: threading.Thread | None = None
        self._began, self._passed = 0.0, 0

    @contextlib.contextmanager
    def watched(self, store: wasmtime.Store, until: float | None) -> Iterator[None]:
        """While it lasts, what the store runs is stopped at that time of `perf_counter`."""
        if until is None:
            store.set_epoch_deadline(NEVER)
            yield
            return
        if until <= time.perf_counter():
            raise TimeUp
        with self._lock:
            self._calls += 1
            if self._thread is None:
                self._began, self._passed = time.perf_counter(), 0
                self._thread = threading.Thread(target=self._beat, name="epochs", daemon=True)
                self._thread.start()
            epochs = math.ceil((until - self._began) / EPOCH) - self._passed
            store.set_epoch_deadline(max(1, epochs))
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1

    def _beat(self) -> None:
        while True:
            time.sleep(EPOCH)
            with self._lock:
                if not self._calls:  # the engine may be closed by now
                    self._thread = None
                    return
                due = int((time.perf_counter() - self._began) / EPOCH)
                for _ in range(due - self._passed):
                    self._engine.increment_epoch()
                self._passed = due


@functools.cache
def module_engine(stoppable: bool = False) -> wasmtime.Engine:
    """The compiler, one for the process, and one whose code looks at its epoch in every loop, which takes time."""
    config = wasmtime.Config()
    config.epoch_interruption = stoppable
    return wasmtime.Engine(config)


class WasmtimeHost:
    """The host over wasmtime."""

    def __init__(self, stoppable: bool = False) -> None:
        """A host whose calls can be stopped is slower by a tenth or so."""
        self._stoppable = stoppable
        self._engine = module_engine(stoppable)
        self._pulse = Pulse(self._engine) if stoppable else None

    def compile(self, module: bytes) -> wasmtime.Module:
        """The module as machine code, which is kept in the user's cache where that can be written to."""
        key = hashlib.sha256(version("wasmtime").encode() + b"!" * self._stoppable + module).hexdigest()[:16]
        kept = cache.folder() / f"wasm-{key}" / "kernels.cwasm"
        with contextlib.suppress(wasmtime.WasmtimeError):
            found = _closed_at_end(wasmtime.Module.deserialize_file(self._engine, str(kept)))
            with contextlib.suppress(OSError):
                os.utime(kept.parent)  # it has been used: see `cache.prune`
            return found
        found = _closed_at_end(wasmtime.Module(self._engine, module))
        with contextlib.suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=kept.parent, suffix=".part", delete=False) as part:
                part.write(found.serialize())
            Path(part.name).replace(kept)
            cache.prune("wasm")
        return found

    def run(self, compiled: wasmtime.Module) -> Running:
        """The module with a memory of its own."""
        return Running(compiled, self._engine, self._pulse)


_alive: weakref.WeakSet[wasmtime.Store | wasmtime.Module] = weakref.WeakSet()
"""What is to be closed before Python ends: wasmtime's own finalizers come too late then, and complain."""


def _closed_at_end(thing: Closed) -> Closed:
    _alive.add(thing)
    return thing


def _close() -> None:
    for thing in list(_alive):
        thing.close()
    for stoppable in (False, True):
        module_engine(stoppable).close()


atexit.register(_close)
