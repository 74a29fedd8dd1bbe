"""What a driver reaches in one game's rules: each function, and the globals that it reads, as they will be bound.

`binding` copies what is found here, `stamps` hashes it. So a stamp changes when what is compiled does, and only then.
"""

import ast
import dis
import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from enum import IntEnum
from types import FunctionType, ModuleType
from typing import Any

from strandline.engine import contract, hints, metrics, spaces
from strandline.engine.records import Layout
from strandline.engine.vocabulary import ConstantTable

PACKAGE = __name__.partition(".")[0] + "."
RULES = {name: value for name, value in vars(contract).items() if isinstance(value, FunctionType)}
"""The functions that every game's rules define."""
OPTIONAL = (hints, metrics, spaces)
"""Modules of which a game may have its own, under the same name: each function there stands in for ours."""


class Walk:
    """The way from drivers into a game's rules; `compiled` where some functions have another version for compilers."""

    def __init__(self, rules: ModuleType, compiled: bool) -> None:
        self.rules = rules
        self.compiled = compiled
        self._own = {ours.__name__: part(rules, ours) for ours in OPTIONAL}
        self._read: dict[FunctionType, dict[str, Any]] = {}

    def resolve(self, function: FunctionType) -> FunctionType:
        """The function that is called in the place of `function`."""
        if function.__module__ == contract.__name__:
            function = getattr(self.rules, function.__name__)
        elif function.__module__ in self._own:
            function = getattr(self._own[function.__module__], function.__name__, function)
        return getattr(function, "compiled", function) if self.compiled else function

    def reads(self, function: FunctionType) -> dict[str, Any]:
        """The globals that a function reads, by name: functions of ours are those that are called in their place."""
        if function not in self._read:
            self._read[function] = self._find(function)
        return self._read[function]

    def _find(self, function: FunctionType) -> dict[str, Any]:
        module = vars(sys.modules[function.__module__])
        found = {}
        for name in sorted(global_names(function) & set(module)):
            value = module[name]
            if value is contract.STATE or value is contract.WORK:
                value = getattr(self.rules, name)
            elif value is hints.WORK:
                value = work(self.rules)
            elif is_ours(value):
                value = self.resolve(value)
            found[name] = value
        return found

    def is_box_data(self, module: str, name: str, value: object) -> bool:
        """Whether a global is a number or a table of the game's box, which a shipped module takes as data."""
        number = isinstance(value, int) and not isinstance(value, (bool, IntEnum))
        ours = module.startswith(f"{self.rules.__package__}.")
        return (number or isinstance(value, ConstantTable)) and ours and name in box_names(module)

    def reached(self, functions: list[FunctionType]) -> Iterator[FunctionType]:
        """All functions of ours that these come to, each once."""
        waiting, seen = [self.resolve(function) for function in functions], set()
        while waiting:
            function = waiting.pop()
            if function not in seen:
                seen.add(function)
                yield function
                waiting += [value for value in self.reads(function).values() if is_ours(value)]


def is_ours(value: object) -> bool:
    """Whether it is a function of this package."""
    return isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE)


def functions_of(driver: ModuleType) -> list[FunctionType]:
    """The functions that a driver defines."""
    return [f for f in vars(driver).values() if isinstance(f, FunctionType) and f.__module__ == driver.__name__]


def global_names(function: FunctionType) -> set[str]:
    """The global names that a function reads; a field of a record may have the name of a function."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def part(rules: ModuleType, ours: ModuleType) -> ModuleType | None:
    """The game's own module of the name of `ours`, if it has one."""
    name = f"{rules.__package__}.{ours.__name__.rpartition('.')[2]}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def work(rules: ModuleType) -> Layout:
    """The layout of the scratch space for the game's rules and hints together."""
    own: Layout = vars(rules)["WORK"]
    return getattr(part(rules, hints), "WORK", own)


@functools.cache
def source(module: str) -> ast.Module:
    """The syntax of a module's file."""
    return ast.parse(inspect.getsource(sys.modules[module]))


@functools.cache
def box_names(module: str) -> frozenset[str]:
    """The names in a game's module whose values depend on its box."""
    package = module.rpartition(".")[0]
    found: set[str] = set()
    size = -1
    while size < len(found):
        size = len(found)
        for node in _statements(source(module)):
            if isinstance(node, ast.ImportFrom):
                found |= _imported(node, package)
            elif not found.isdisjoint(_read(node)):
                found |= _bound(node)
    return frozenset(found)


def _imported(node: ast.ImportFrom, package: str) -> set[str]:
    """The names of an import that depend on the box: the engine's `box`, and those of the game's own modules."""
    names = {alias.asname or alias.name: alias.name for alias in node.names}
    if node.module == "strandline.engine":
        return {ours for ours, theirs in names.items() if theirs == "box"}
    if node.level == 1 and node.module:
        importlib.import_module(f"{package}.{node.module}")
        theirs = box_names(f"{package}.{node.module}")
        return {ours for ours, name in names.items() if name in theirs}
    return set()


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """What runs when the module is imported, and the functions that it defines, from the outside only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
            if not isinstance(child, ast.FunctionDef | ast.ClassDef):
                yield from _statements(child)


def _read(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _bound(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
