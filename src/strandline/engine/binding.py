"""Bind drivers to one game's rules: the same functions, interpreted, compiled for the CPU, or for CUDA.

Every function of ours that a driver reaches is made again from its code object, with globals of its own in which the
functions of `contract`, and those of the optional parts that the game has, are the game's. The copy keeps its source
lines for tracebacks and the debugger, and has a `__qualname__` of its own, by which Numba names its cache file.
"""

import functools
import sys
from collections.abc import Callable
from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from strandline.engine import cache, drivers, stamps
from strandline.engine.records import Layout
from strandline.engine.vocabulary import ConstantTable, NumPyType
from strandline.engine.walk import RULES, Walk, functions_of, is_ours, part, work

__all__ = ["RULES", "Binder", "compiled", "compiled_once", "cuda", "interpreted", "part", "work"]


INLINED = 1500
"""How eagerly functions are inlined in native code; LLVM's own 225 leaves the results of many to go through memory."""
INLINED_WHOLE, SMALL = 5000, 8000
"""The same in a game whose rules are small, in bytes of Python's code: only there is more of it faster."""

Wrap = Callable[[FunctionType, FunctionType], Any]
"""A compiler: it is given the copy of a function, and the function."""


class Binder:
    """Copies of functions bound to one game's rules, each made once, by the compiler `wrap` or for the interpreter."""

    def __init__(self, rules: ModuleType, wrap: Wrap | None) -> None:
        self.walk = Walk(rules, wrap is not None)
        self._wrap = wrap
        self._spaces: dict[str, dict[str, Any]] = {}
        self._copies: dict[FunctionType, Any] = {}

    def bound(self, function: FunctionType) -> Any:
        """The copy of a function, and of all that it calls."""
        function = self.walk.resolve(function)
        if function not in self._copies:
            space = self._spaces.setdefault(function.__module__, dict(vars(sys.modules[function.__module__])))
            for name, value in self.walk.reads(function).items():
                if is_ours(value):
                    space[name] = self.bound(value)
                else:
                    space[name] = self.put(function.__module__, name, value) if self._wrap else value
            new = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
            new.__qualname__ = f"{self.walk.rules.__name__}.{function.__qualname__}"
            new.__module__, new.__doc__ = function.__module__, function.__doc__
            self._copies[function] = self._wrap(new, function) if self._wrap else new
        return self._copies[function]

    def put(self, module: str, name: str, value: Any) -> Any:
        """A global in the form that compilers take: tables as arrays, layouts as dtypes, IntEnums as ints."""
        if isinstance(value, Layout):
            return value.dtype
        if isinstance(value, (ConstantTable, NumPyType)):
            import numpy as np

            return np.array(value, dtype=np.int32) if isinstance(value, ConstantTable) else getattr(np, value)
        return _plain(value) if isinstance(value, type) and issubclass(value, IntEnum) else value

    def bind(self, driver: ModuleType) -> Any:
        """The functions of `driver`, and those that every game's rules define."""
        wanted = [*functions_of(driver), *RULES.values()]
        return SimpleNamespace(**{function.__name__: self.bound(function) for function in wanted})


def _plain(members: type[IntEnum]) -> ModuleType:
    """An IntEnum for compilers, as a module of ints: they refuse its members in some places, as an index for one."""
    plain = ModuleType(members.__name__)
    vars(plain).update({member.name: int(member) for member in members})
    return plain


@functools.cache
def interpreted(rules: ModuleType, driver: ModuleType = drivers) -> Any:
    """The drivers as ordinary Python over records seen through `records.view`."""
    return Binder(rules, None).bind(driver)


@functools.cache
def compiled(rules: ModuleType, driver: ModuleType = drivers, boundscheck: bool = False) -> Any:
    """The drivers compiled for the CPU, from the cache where it holds them. Each compiles when it is first called."""
    binder = _compiler(rules, boundscheck)
    with cache.located():
        functions = binder.bind(driver)
    eagerness = INLINED_WHOLE if _size(binder.walk) <= SMALL else INLINED
    return SimpleNamespace(**{name: _announced(function, eagerness) for name, function in vars(functions).items()})


def _size(walk: Walk) -> int:
    """The bytes of Python's code that a game's rules have."""
    return sum(len(function.__code__.co_code) for function in walk.reached(list(RULES.values())))


@functools.cache
def _compiler(rules: ModuleType, boundscheck: bool) -> Binder:
    """What compiles a game's functions for the CPU: what several drivers call is compiled once."""
    import numba

    def wrap(copy: FunctionType, function: FunctionType) -> Any:
        copy.__dict__["stamp"] = stamps.native(rules, function, boundscheck)
        made = numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=boundscheck)(copy)
        return compiled_once(made)

    return Binder(rules, wrap)


def compiled_once(function: Any) -> Any:
    """`function`, with one kind of whole number for its callers: Numba would compile it for every mixture of them."""
    from numba import types

    template = function.get_call_template

    def widened(kind: Any) -> Any:
        narrow = isinstance(kind, types.Integer) and (kind.signed or isinstance(kind, types.Literal))
        return types.int64 if narrow else kind

    function.get_call_template = lambda args, kws: template(tuple(map(widened, args)), kws)
    return function


_told: set[str] = set()
"""What has been announced in this process."""


def _announced(function: Any, eagerness: int) -> Callable[..., Any]:
    """`function`, inlined so eagerly. Its first call says on standard error that it waits for the compiler."""
    import llvmlite.binding as llvm

    stamp: str = function.py_func.__dict__["stamp"]
    game = stamp.rpartition("-")[0]

    def call(*arguments: Any) -> Any:
        if not function.signatures and game not in _told and cache.is_cold(stamp):
            _told.add(game)
            print(f"compiling {game}, once", file=sys.stderr, flush=True)
            cache.prune()
        if not function.signatures:
            llvm.set_option("", f"--inline-threshold={eagerness}")
        return function(*arguments)

    return call


def cuda(rules: ModuleType, driver: ModuleType) -> Any:
    """The drivers as CUDA device functions."""
    from numba import cuda as target

    device = target.jit(device=True)
    return Binder(rules, lambda copy, _: device(copy)).bind(driver)
