"""Run the modules: `wasm.of(game)` is a game's kernels, on any thread, with nothing but bytes and whole numbers.

    kernels = wasm.of(game)                             # raises NoKernels where no module fits, and says why
    kernels.listing(bytes(state))                       # the codes of all moves, or those on chance's tickets
    instance = kernels.instance()                       # a module's own memory, for one thread at a time:
    at = instance.room(size)                            #   room in it, filled with zeros
    instance.write(at, data); instance.read(at, size)
    instance.call("listing", (at, 1), (at, 1), (at, 9)) #   any kernel: numbers, and arrays as address and lengths

`engine.speeds` has the same interface over all speeds. Calls run without the GIL. A `Host` makes instances:
over wasmtime here, over the WebAssembly of a browser in `browser`.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import struct
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol

from strandline.engine import stamps
from strandline.engine.errors import NoKernels
from strandline.engine.walk import work
from strandline.engine.words import Words

if TYPE_CHECKING:
    from strandline.engine.game import Game

_ = Words(__file__)

FILE = "kernels.wasm"
"""The module for the box that the game comes with, whose numbers are constants in it, which makes it fast."""
ANY_BOX = "kernels.any_box.wasm"
"""The module that takes the numbers of an owner's box as data."""
SECTION = b"strandline"
COMPILER = Path(__file__).with_name("compiler.py")
ALIGNED = 64
USUAL_LIST = 256
"""Places for moves in a list; a longer one is asked for again."""

Value = int | tuple[int, ...]
"""What a kernel is given: a whole number, or an array as its address and its lengths."""


class Memory(Protocol):
    """A module that runs: what hosts have to offer."""

    def call(self, kernel: str, at: int, until: float | None = None) -> None:
        """Run a kernel on the arguments that are at that place; `until` then, where the host can stop it (`TimeUp`)."""

    def write(self, at: int, data: bytes) -> None:
        """Put bytes into the memory."""

    def read(self, at: int, size: int) -> bytes:
        """Bytes of the memory."""

    def grow(self, size: int) -> None:
        """Let the memory have at least this many bytes."""

    def place(self, name: str) -> int:
        """The address that the module exports under that name."""


class Host(Protocol):
    """Takes a module's bytes and makes it run."""

    def compile(self, module: bytes) -> Any:
        """The module as the host knows it, to be run any number of times."""

    def run(self, compiled: Any) -> Memory:
        """The module with a memory of its own."""


class Instance:
    """A module that runs for one game and box, and the room in its memory."""

    def __init__(self, memory: Memory, numbers: Box) -> None:
        """The numbers and tables of the box are put where the module looks for them."""
        self._memory = memory
        self._top = memory.place("__heap_base")
        self._arguments = self.room(8 * 64)
        self._fill(memory.place("box"), numbers)

    def _fill(self, place: int, entries: Box) -> None:
        for first, (shape, numbers) in entries.items():
            if not shape:
                self.write(place + 8 * first, struct.pack("<q", numbers[0]))
                continue
            at = self.room(4 * len(numbers))
            self.write(at, struct.pack(f"<{len(numbers)}i", *numbers))
            strides = [4]
            for length in reversed(shape[1:]):
                strides.insert(0, strides[0] * length)
            self.write(place + 8 * first, struct.pack(f"<{1 + 2 * len(shape)}q", at, *shape, *strides))

    def room(self, size: int) -> int:
        """The address of that many bytes, which are zero and nobody else's."""
        at = -(-self._top // ALIGNED) * ALIGNED
        self._top = at + size
        self._memory.grow(self._top)
        return at

    def write(self, at: int, data: bytes) -> None:
        """Put bytes into the memory."""
        self._memory.write(at, data)

    def read(self, at: int, size: int) -> bytes:
        """Bytes of the memory."""
        return self._memory.read(at, size)

    def call(self, kernel: str, *values: Value, until: float | None = None) -> int:
        """Run a kernel. Returns its result; for one that is not whole the 64 bits of it."""
        flat = [number for value in values for number in (value if isinstance(value, tuple) else (value,))]
        self.write(self._arguments, struct.pack(f"<{len(flat) + 1}q", 0, *flat))
        self._memory.call(kernel, self._arguments, until)
        return int.from_bytes(self.read(self._arguments, 8), "little", signed=True)


Box = dict[int, tuple[tuple[int, ...], list[int]]]
"""By place in the module's box: the shape and all numbers of a table, or no shape and one number."""


class Kernels:
    """A game's module, ready to run."""

    def __init__(self, game: Game, module: bytes, host: Host) -> None:
        """The module with the numbers of the game's box."""
        self.game = game
        self._host = host
        self._compiled = host.compile(module)
        self._box = _box(game, about(module)["box"])
        self._here = threading.local()
        self._state: int = game.rules.STATE.itemsize
        self._work: int = work(game.rules).itemsize

    def instance(self) -> Instance:
        """Another memory for the module."""
        return Instance(self._host.run(self._compiled), self._box)

    def _own(self) -> _Bench:
        """What this thread uses again and again."""
        if not hasattr(self._here, "bench"):
            self._here.bench = _Bench(self.instance(), self._state, self._work)
        found: _Bench = self._here.bench
        return found

    def listing(self, state: bytes) -> list[int]:
        """The codes of all legal moves, or those on all tickets of chance's bag."""
        own = self._own()
        own.instance.write(own.start, state)
        places, found = 0, USUAL_LIST
        while found > places:
            places = found
            codes = own.extra(8 * places)
            found = own.instance.call("listing", (own.start, 1), (own.work, 1), (codes, places))
        return list(struct.unpack(f"<{found}q", own.instance.read(codes, 8 * found)))


class _Bench:
    """The memory that a thread lists moves in: a state, scratch space, and room for results."""

    def __init__(self, instance: Instance, state: int, work: int) -> None:
        self.instance = instance
        self.start, self.work = instance.room(state), instance.room(work)
        self._extra, self._size = 0, -1

    def extra(self, size: int) -> int:
        """Room for results, as much as was ever asked for."""
        if size > self._size:
            self._extra, self._size = self.instance.room(size), size
        return self._extra


def about(module: bytes) -> dict[str, Any]:
    """What a module says about itself in its custom section."""
    at = 8
    while at < len(module):
        kind, at = module[at], at + 1
        size, at = _leb128(module, at)
        if kind == 0 and module[at + 1 : at + 1 + module[at]] == SECTION:
            found: dict[str, Any] = json.loads(module[at + 1 + module[at] : at + size])
            return found
        at += size
    raise ValueError("This is not one of our modules.")


def _leb128(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while data[at] & 128:
        number, shift, at = number | (data[at] & 127) << shift, shift + 7, at + 1
    return number | data[at] << shift, at + 1


def _box(game: Game, entries: dict[str, tuple[int, int]]) -> Box:
    """What the module must be told of the game's box."""
    found = {}
    for name, (place, _) in entries.items():
        part, _, item = name.rpartition(".")
        value = getattr(importlib.import_module(f"{game.rules.__package__}.{part}"), item)
        shape, numbers = [], [value]
        while isinstance(numbers[0], tuple):
            shape.append(len(numbers[0]))
            numbers = [number for row in numbers for number in row]
        found[place] = (tuple(shape), numbers)
    return found


def file(game: Game, any_box: bool = False) -> Path:
    """Where the game's module is."""
    return game.folder / (ANY_BOX if any_box else FILE)


def description(game: Game, kernels: Mapping[str, str], any_box: bool) -> dict[str, Any]:
    """What a module of the present sources says of itself. Kernels are named `module.function`, and each comes with
    what it is given; a module that begins with a dot is the game's. The stamp tells what they come to, and what the
    compiler does with it; where the numbers of the box are data, they are left out.
    """
    functions = [_function(game, name) for name in kernels]
    stamp = stamps.digest(game.rules, functions, sorted(kernels.items()), stamps.code(COMPILER), box=not any_box)
    return {
        "stamp": stamp,
        "kernels": dict(kernels),
        "contents": None if any_box else game.box_digest,
        "records": _records(game),
    }


def _records(game: Game) -> str:
    """A hash of the layouts of the game's records, which a box may change."""
    layouts = [stamps.layout(kind) for kind in (game.rules.STATE, game.rules.WORK, work(game.rules))]
    return hashlib.sha256(repr(layouts).encode()).hexdigest()


def _function(game: Game, name: str) -> FunctionType:
    module, _, function = name.rpartition(".")
    found: FunctionType = getattr(importlib.import_module(module, game.rules.__package__), function)
    return found


@functools.cache
def host(stoppable: bool = False) -> Host:
    """The host of this machine, or of this browser, which cannot stop a kernel."""
    if sys.platform == "emscripten":
        import js

        from strandline.engine.wasm.browser import BrowserHost

        return BrowserHost(js)
    from strandline.engine.wasm.wasmtime_host import WasmtimeHost

    return WasmtimeHost(stoppable)


def fitting(game: Game) -> Path:
    """The file of the module that fits the game and its box: the one for that box, or the one for any.

    Raises `NoKernels`, which says why there is none, and what then.
    """
    if file(game).exists() and about(file(game).read_bytes())["contents"] == game.box_digest:
        return file(game)
    found = file(game, any_box=True)
    if not found.exists():
        raise _none(_("{title} has no compiled module that fits; `make kernels` makes one.", title=game.told_title))
    said, records = about(found.read_bytes()), _records(game)
    if said.get("records", records) != records:
        raise _none(
            _(
                "With this box, positions of {title} are larger or smaller than the shipped module expects.",
                title=game.told_title,
            )
        )
    if "records" not in said or _is_stale(game, said):
        raise _none(
            _(
                "The compiled module of {title} is older than its sources; `make kernels` makes it anew.",
                title=game.told_title,
            )
        )
    return found


def _is_stale(game: Game, said: Mapping[str, Any]) -> bool:
    if sys.platform == "emscripten":  # no sources there: whoever built the site has looked
        return False
    return bool(said["stamp"] != description(game, said["kernels"], any_box=True)["stamp"])


def _none(why: str) -> NoKernels:
    then = _("So bots and random games run as ordinary Python and take about a hundred times as long.")
    how = _("With the extra “native” they are compiled on your machine: pip install 'strandline[native]'.")
    return NoKernels(f"{why} {then} {how}", f"{why} {then}")


@functools.cache
def of(game: Game, stoppable: bool = False) -> Kernels:
    """The game's kernels, or others that can be `stoppable` in the midst of a call and take a tenth longer or so.

    Raises `NoKernels`, which says why there are none.
    """
    return Kernels(game, fitting(game).read_bytes(), host(stoppable))
