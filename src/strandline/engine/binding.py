"""Bind drivers to one game's rules: the same functions, interpreted, compiled for the CPU, or for CUDA.

Every function of ours that a driver reaches is made again from its code object, with globals of its own in which the
functions of `contract`, and those of the optional parts that the game has, are the game's. The copy keeps its source
lines for tracebacks and the debugger, and has a `__qualname__` of its own, by which Numba names its cache file.
"""

import dis
import functools
import importlib.util
import sys
from collections.abc import Callable
from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from strandline.engine import cache, contract, drivers, hints, metrics, spaces
from strandline.engine.vocabulary import Table

PACKAGE = __name__.partition(".")[0] + "."
RULES = {name: value for name, value in vars(contract).items() if isinstance(value, FunctionType)}
"""The functions that every game's rules define."""
OPTIONAL = (hints, metrics, spaces)
"""Modules of which a game may have its own, under the same name: each function there stands in for ours."""


def bind(rules: ModuleType, driver: ModuleType, wrap: Callable[[FunctionType], Any] | None) -> Any:
    """The functions of `driver` over `rules`, each copy wrapped by the compiler `wrap`, or interpreted.

    What compilers take in another form is put so: tables as arrays, IntEnums as ints, functions as a `compiled` twin.
    """
    spaces: dict[str, dict[str, Any]] = {}
    own = {ours.__name__: part(rules, ours) for ours in OPTIONAL}
    copies: dict[FunctionType, Any] = {}

    def copy(function: FunctionType) -> Any:
        if function.__module__ == contract.__name__:
            function = getattr(rules, function.__name__)
        elif function.__module__ in own:
            function = getattr(own[function.__module__], function.__name__, function)
        if wrap:
            function = getattr(function, "compiled", function)
        if function not in copies:
            module = vars(sys.modules[function.__module__])
            space = spaces.setdefault(function.__module__, dict(module))
            for name in global_names(function) & set(module):
                value = module[name]
                if isinstance(value, Table) and wrap:
                    space[name] = np.array(value, dtype=np.int32)
                elif wrap and isinstance(value, type) and issubclass(value, IntEnum):
                    space[name] = _plain(value)
                elif value is contract.STATE or value is contract.WORK:
                    space[name] = getattr(rules, name)
                elif value is hints.WORK:
                    space[name] = work(rules)
                elif isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE):
                    space[name] = copy(value)
            new = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
            new.__qualname__ = f"{rules.__name__}.{function.__qualname__}"
            new.__module__, new.__doc__ = function.__module__, function.__doc__
            copies[function] = wrap(new) if wrap else new
        return copies[function]

    ours = [value for value in vars(driver).values() if getattr(value, "__module__", "") == driver.__name__]
    wanted = [*(value for value in ours if isinstance(value, FunctionType)), *RULES.values()]
    return SimpleNamespace(**{function.__name__: copy(function) for function in wanted})


def _plain(members: type[IntEnum]) -> ModuleType:
    """An IntEnum for compilers, as a module of ints: they refuse its members in some places, as an index for one."""
    plain = ModuleType(members.__name__)
    vars(plain).update({member.name: int(member) for member in members})
    return plain


def part(rules: ModuleType, ours: ModuleType) -> ModuleType | None:
    """The game's own module of the name of `ours`, if it has one."""
    name = f"{rules.__package__}.{ours.__name__.rpartition('.')[2]}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def work(rules: ModuleType) -> Any:
    """The dtype of the scratch space for the game's rules and hints together."""
    return getattr(part(rules, hints), "WORK", vars(rules)["WORK"])


def global_names(function: FunctionType) -> set[str]:
    """The global names that a function reads; a field of a record may have the name of a function."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


@functools.cache
def interpreted(rules: ModuleType, driver: ModuleType = drivers) -> Any:
    """The drivers as ordinary Python over records seen through `records.view`."""
    return bind(rules, driver, None)


@functools.cache
def compiled(rules: ModuleType, driver: ModuleType = drivers, boundscheck: bool = False) -> Any:
    """The drivers compiled for the CPU, from the cache where it holds them. Each compiles when it is first called."""
    import numba

    stamp = cache.stamp(rules, driver, boundscheck)

    def wrap(function: FunctionType) -> Any:
        function.__dict__["stamp"] = stamp
        return numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=boundscheck)(function)

    with cache.located():
        functions = bind(rules, driver, wrap)
    return SimpleNamespace(**{name: _announced(function, stamp) for name, function in vars(functions).items()})


_told: set[str] = set()
"""What has been announced in this process."""


def _announced(function: Any, stamp: str) -> Callable[..., Any]:
    """`function`, saying so on standard error before its first call has to wait for the compiler."""

    def call(*arguments: Any) -> Any:
        if not function.signatures and stamp not in _told and cache.is_cold(stamp, function.__name__):
            _told.add(stamp)
            print(f"compiling {stamp.rpartition('-')[0]}, once", file=sys.stderr, flush=True)
            cache.prune()
        return function(*arguments)

    return call


def cuda(rules: ModuleType, driver: ModuleType) -> Any:
    """The drivers as CUDA device functions."""
    from numba import cuda as target

    return bind(rules, driver, target.jit(device=True))
