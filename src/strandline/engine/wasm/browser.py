"""Modules run by the WebAssembly of the browser that Python runs in, by way of Pyodide's `js`."""

from __future__ import annotations

from typing import Any

PAGE = 1 << 16


class Running:
    """A module with a memory of its own."""

    def __init__(self, js: Any, compiled: Any) -> None:
        """The module is ready to be called. `js` are the names that scripts see."""
        self._js = js
        self._exports = js.WebAssembly.Instance.new(compiled).exports
        self._locate()

    def _locate(self) -> None:
        self._bytes = self._js.Uint8Array.new(self._exports.memory.buffer)

    def call(self, kernel: str, at: int, until: float | None = None) -> None:
        """Run a kernel on the arguments that are at that place. Nothing stops it: browsers cannot."""
        getattr(self._exports, kernel)(at)

    def write(self, at: int, data: bytes) -> None:
        """Put bytes into the memory."""
        self._bytes.subarray(at, at + len(data)).assign(data)

    def read(self, at: int, size: int) -> bytes:
        """Bytes of the memory."""
        return bytes(self._bytes.subarray(at, at + size).to_bytes())

    def grow(self, size: int) -> None:
        """Let the memory have at least this many bytes; views of it made before are no longer valid."""
        if size > self._bytes.length:
            self._exports.memory.grow(-(-(size - self._bytes.length) // PAGE))
            self._locate()

    def place(self, name: str) -> int:
        """The address that the module exports under that name."""
        return int(getattr(self._exports, name).value)


class BrowserHost:
    """The host over a browser's WebAssembly. In a worker, where modules of any size may be compiled at once."""

    def __init__(self, js: Any) -> None:
        """Pyodide's module `js`, or what stands in for it."""
        self._js = js

    def compile(self, module: bytes) -> Any:
        """The module as the browser's machine code."""
        data = self._js.Uint8Array.new(len(module))
        data.assign(module)
        return self._js.WebAssembly.Module.new(data)

    def run(self, compiled: Any) -> Running:
        """The module with a memory of its own."""
        return Running(self._js, compiled)
