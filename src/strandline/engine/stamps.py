"""Stamps: short names for exactly what is compiled, so that a cache or a shipped module is never stale and never redone
for nothing.

A stamp is a hash of all functions that `walk` reaches, without comments, docstrings and annotations, and of the values
that they read: numbers, tables, enums and the layouts of records. It needs no compiler.
"""

import ast
import ctypes
import functools
import hashlib
import io
import sys
import tokenize
from collections.abc import Callable, Sequence
from enum import IntEnum
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard

from strandline.engine import records, walk
from strandline.engine.walk import Walk, is_ours


def native(rules: ModuleType, function: FunctionType, boundscheck: bool = False) -> str:
    """The name of the folder for a function compiled for the CPU, which the versions of Python and Numba matter to."""
    return named(rules, [function], sys.version_info[:2], _numba(), boundscheck)


@functools.cache
def _numba() -> str:
    return version("numba")


def named(rules: ModuleType, functions: Sequence[Callable[..., Any]], *about: Any) -> str:
    """A stamp that people can read: the game's name comes first."""
    return f"{game_name(rules)}-{digest(rules, functions, *about)[:16]}"


def game_name(rules: ModuleType) -> str:
    """The name of the game's folder."""
    return _plain_name(rules.__package__ or "").rpartition(".")[2]


def digest(rules: ModuleType, functions: Sequence[Callable[..., Any]], *about: Any, box: bool = True) -> str:
    """A hash of all that these functions come to in a game; without `box` the numbers and tables of its box are left
    out, but for the shape that records have by them.
    """
    parts = _parts(rules, tuple(functions), box)
    return hashlib.sha256(repr((parts, about)).encode()).hexdigest()


@functools.cache
def _parts(rules: ModuleType, functions: tuple[Any, ...], box: bool) -> list[str]:
    return sorted(_told(rules, function, box) for function in _walk(rules).reached(list(functions)))


@functools.cache
def _walk(rules: ModuleType) -> Walk:
    return Walk(rules, compiled=True)


@functools.cache
def _told(rules: ModuleType, function: FunctionType, box: bool) -> str:
    """A function with the values that it reads."""
    way = _walk(rules)
    values = {
        name: _value(value) if box or not way.is_box_data(function.__module__, name, value) else _kind(value)
        for name, value in way.reads(function).items()
    }
    return f"{_name(function)} {values} {text(function)}"


def _kind(value: Any) -> str:
    """What a module knows of a number or table that it takes as data."""
    dimensions = 0
    while isinstance(value, tuple):
        dimensions, value = dimensions + 1, value[0]
    return f"box data of {dimensions} dimensions"


def _value(value: Any) -> str:
    """A global as it matters to compiled code."""
    if is_ours(value):
        return _name(value)
    if isinstance(value, type) and issubclass(value, IntEnum):
        return repr({member.name: int(member) for member in value})
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, (bool, int, float, str, tuple)):
        return repr(value)
    if hasattr(value, "itemsize"):
        return layout(value)
    if callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(f"No stamp can tell {value!r} from others of its kind.")


def layout(kind: records.Layout) -> str:
    """The layout of a record: each field with its place and size."""
    return _layout(kind.structure)


def _layout(kind: Any) -> str:
    if issubclass(kind, ctypes.Array):
        return f"{kind._length_} x {_layout(kind._type_)}"
    if issubclass(kind, ctypes.Structure):
        return str([(name, getattr(kind, name).offset, _layout(item)) for name, item in kind._fields_])
    number = "float" if kind in (ctypes.c_float, ctypes.c_double) else "whole"
    return f"{number} of {ctypes.sizeof(kind)}"


def _plain_name(name: str) -> str:
    """The name of a module, whatever box it was imported with."""
    package, at, rest = name.partition("@")
    return package + rest[12:] if at else name


def _name(function: FunctionType) -> str:
    return f"{_plain_name(function.__module__)}.{function.__name__}"


def text(function: FunctionType) -> str:
    """The source of a function as compilers see it, the same in all versions of Python."""
    for node in walk.source(function.__module__).body:
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            return plain(node)
    raise TypeError(f"{_name(function)} is not a function of its module.")


def plain(node: ast.AST) -> str:
    """Source without comments, docstrings and annotations."""
    return ast.unparse(_Plain().visit(ast.parse(ast.unparse(node))))


@functools.cache
def code(file: Path) -> str:
    """The lines of a Python file without comments and docstrings, the same in all versions of Python."""
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if _is_docstring(node):
            for row in range(node.lineno - 1, node.end_lineno or 0):
                lines[row] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    """A string that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class _Plain(ast.NodeTransformer):
    """Takes out what is for readers."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Docstrings go."""
        return ast.Pass() if _is_docstring(node) else self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """The annotations of a function say nothing to a compiler."""
        self.generic_visit(node)
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        return node
