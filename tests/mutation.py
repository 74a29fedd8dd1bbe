"""`python -m tests.mutation rules`: a mutation score, from a sample of small changes to the code.

A change that no test notices survives. Changes inside functions are swapped into the running process after the tests
were collected, in a fork each; the others, and those that survive, are tried once more from the import on.
"""

import argparse
import ast
import copy
import functools
import gc
import importlib.machinery
import importlib.util
import math
import os
import random
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EVERY_GAME = "examples or golden or perft or invariants or tickets or damaged or options"
LIMIT_S = 60
"""Seconds of processor time after which a change has led to an endless loop."""
PATIENCE_S = 5 * LIMIT_S
"""Seconds by the clock after which it has led to waiting for ever."""


@dataclass(frozen=True)
class Part:
    """A module and the tests that look after it."""

    module: str
    tests: tuple[str, ...]
    chosen: str = ""
    """Which of them, as `pytest -k` has it."""

    @property
    def source(self) -> Path:
        return ROOT / "src" / f"{self.module.replace('.', '/')}.py"


def _game(name: str, *files: str) -> Part:
    tests = [f"tests/games/{name}/test_{file}.py" for file in ("rules", *files)]
    chosen = f"not test_every_game or ({name} and ({EVERY_GAME}))"
    return Part(f"strandline.games.{name}.rules", (*tests, "tests/games/test_every_game.py"), chosen)


GROUPS: dict[str, list[Part]] = {
    "rules": [
        _game("over_the_next_dune", "referee", "reading"),
        _game("reef_route", "referee", "positions"),
        _game("sand_castles", "by_the_page"),
        _game("undertow", "referee", "reading"),
        _game("up_the_river"),
    ],
    "dice": [
        Part("strandline.table.dice", ("tests/table/test_dice.py", "tests/table/test_cheats.py")),
        Part(
            "strandline.table.ledger",
            ("tests/table/test_dice.py", "tests/table/test_cheats.py", "tests/table/test_table.py"),
        ),
        Part("strandline.table.verify", ("tests/table/test_cheats.py", "tests/table/test_dice.py")),
        Part("strandline.engine.draws", ("tests/engine/test_draws.py",)),
    ],
    "record": [
        Part(
            "strandline.table.record",
            tuple(f"tests/table/test_{name}.py" for name in ("record", "perspective", "table", "dice", "cheats")),
        ),
    ],
    "store": [
        Part("strandline.server.store", ("tests/server/test_store.py", "tests/server/test_upkeep.py"), "not postgres"),
    ],
}


# Changes

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.Div: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """What a node is changed into."""
    match node:
        case ast.Compare(ops=[op]):
            yield ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in COUNTED:
            yield ast.BinOp(node.left, COUNTED[type(op)](), node.right)
        case ast.AugAssign(op=op) if type(op) in COUNTED:
            yield ast.AugAssign(node.target, COUNTED[type(op)](), node.value)
            yield ast.Pass()
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
            yield ast.Constant(number - 1)
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.UnaryOp | ast.Compare | ast.BoolOp):
            changed = copy.copy(node)
            changed.test = ast.UnaryOp(ast.Not(), node.test)
            yield changed
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Assign() | ast.Expr(value=ast.Call()) | ast.Raise() | ast.Break() | ast.Continue():
            yield ast.Pass()


@dataclass(frozen=True)
class Change:
    """One node of a module, changed into one of its variants."""

    part: Part
    node: int
    variant: int

    def tree(self) -> ast.Module:
        """The changed module."""
        tree = ast.parse(self.part.source.read_text())
        node, changed = self._find(tree)
        for parent in ast.walk(tree):
            for name, value in ast.iter_fields(parent):
                if value is node:
                    setattr(parent, name, changed)
                elif isinstance(value, list) and any(item is node for item in value):
                    value[[item is node for item in value].index(True)] = changed
        return ast.fix_missing_locations(tree)

    def _find(self, tree: ast.Module) -> tuple[ast.AST, ast.AST]:
        node = list(ast.walk(tree))[self.node]
        return node, ast.copy_location(list(_variants(node))[self.variant], node)

    def __str__(self) -> str:
        node, changed = self._find(ast.parse(self.part.source.read_text()))
        before, after = (ast.unparse(ast.fix_missing_locations(one)).partition("\n")[0] for one in (node, changed))
        return f"{self.part.module}:{getattr(node, 'lineno', 0)}: {before}  ->  {after}"


def changes(part: Part) -> list[Change]:
    """All changes that can be made to a module."""
    tree = ast.parse(part.source.read_text())
    types_only = {id(inner) for node in ast.walk(tree) for outer in _annotations(node) for inner in ast.walk(outer)}
    return [
        Change(part, number, variant)
        for number, node in enumerate(ast.walk(tree))
        if id(node) not in types_only
        for variant, _ in enumerate(_variants(node))
    ]


def _annotations(node: ast.AST) -> list[ast.expr]:
    found = (getattr(node, name, None) for name in ("annotation", "returns"))
    return [annotation for annotation in found if isinstance(annotation, ast.expr)]


# Trying them


def _codes(code: types.CodeType) -> dict[tuple[str, int], types.CodeType]:
    """The code of all functions and classes of a module."""
    found = {(code.co_qualname, code.co_firstlineno): code}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= _codes(inner)
    return found


def _own(code: types.CodeType) -> tuple[object, ...]:
    """What of a code is its own, and not that of functions in it."""
    constants = [repr(value) for value in code.co_consts if not isinstance(value, types.CodeType)]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants


def swap(change: Change) -> bool:
    """Make the change in this process; False if it takes an import."""
    file = str(change.part.source)
    before = _codes(compile(change.part.source.read_text(), file, "exec"))
    after = _codes(compile(change.tree(), file, "exec"))
    changed = [key for key in before if key not in after or _own(before[key]) != _own(after[key])]
    names = {name.partition(".<locals>")[0] for name, _ in changed}
    live = [
        function
        for function in gc.get_objects()
        if isinstance(function, types.FunctionType)
        and function.__code__.co_filename == file
        and function.__code__.co_qualname in names
    ]
    if not live or {function.__code__.co_qualname for function in live} != names:
        return False
    for function in live:
        code = after.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code is None or len(code.co_freevars) != len(function.__code__.co_freevars):
            return False
        function.__code__ = code
    return True


class _Import(importlib.machinery.SourceFileLoader):
    """Imports the changed module."""

    def __init__(self, change: Change) -> None:
        super().__init__(change.part.module, str(change.part.source))
        self._change = change

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self._change.part.module:
            return None
        return importlib.util.spec_from_file_location(name, self._change.part.source, loader=self)

    def get_code(self, fullname: str) -> types.CodeType:
        return compile(self._change.tree(), str(self._change.part.source), "exec")


def _arguments(part: Part) -> list[str]:
    chosen = ["-k", part.chosen] if part.chosen else []
    return ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "-m", "not slow", *chosen, *part.tests]


def _forked(work: Callable[[], int], limited: bool = True) -> int:
    """How a process ends that does nothing but this; 0: the tests have passed."""
    child = os.fork()
    if not child:
        if limited:
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
            signal.alarm(PATIENCE_S)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            os._exit(work())
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Interpreted:
    """Kernels were compiled before any change: the rules answer themselves."""

    def pytest_sessionstart(self) -> None:
        """Leave no kernels to ask."""
        from strandline.engine.game import Game

        Game._kernels = None  # type: ignore[assignment]


IMPORT = 77
"""How a process ends that could not make a change without an import."""


class Trial:
    """Runs in place of the tests: for each change a process of its own runs them."""

    def __init__(self, some: Sequence[Change], told: int) -> None:
        self._some = some
        self._told = told

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try one change after another and pass on how each has ended."""
        for change in self._some:
            ended = _forked(functools.partial(self._run, session, change))
            os.write(self._told, ended.to_bytes(1, signed=True))
        return True

    def _run(self, session: pytest.Session, change: Change) -> int:
        if not swap(change):
            return IMPORT
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.shouldfail or session.testsfailed:
                return 1
        return 0


def _swapped(part: Part, some: Sequence[Change]) -> list[int]:
    """How the changes end that are made after the collection."""
    read, write = os.pipe()
    if _forked(lambda: int(pytest.main(_arguments(part), plugins=[Interpreted(), Trial(some, write)])), limited=False):
        raise SystemExit(f"The tests of {part.module} cannot be collected.")
    os.close(write)
    with os.fdopen(read, "rb") as told:
        return [int.from_bytes(one.to_bytes(), signed=True) for one in told.read()]


def _imported(change: Change) -> int:
    def work() -> int:
        sys.meta_path.insert(0, _Import(change))
        return int(pytest.main(_arguments(change.part), plugins=[Interpreted()]))

    return _forked(work)


def survivors(part: Part, some: Sequence[Change]) -> Iterator[Change]:
    """The changes that no test notices."""
    if _forked(lambda: int(pytest.main(_arguments(part), plugins=[Interpreted()]))):
        raise SystemExit(f"The tests of {part.module} fail by themselves.")
    for change, code in zip(some, _swapped(part, some), strict=True):
        if code in (0, IMPORT) and _imported(change) == 0:
            yield change


def interval(killed: int, tried: int) -> tuple[float, float]:
    """Wilson's interval for a share, at 95 %."""
    z, share = 1.96, killed / tried
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    return middle - half, middle + half


def main() -> None:
    """Print a score for each group that is asked for, and what survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("groups", nargs="*", default=list(GROUPS), help=f"of {', '.join(GROUPS)}; all by default")
    parser.add_argument("--sample", type=int, default=200, help="changes that are tried in a group")
    parser.add_argument("--seed", type=int, default=1, help="decides which")
    parser.add_argument("--module", default="", help="only modules with this in their name")
    given = parser.parse_args()
    os.chdir(ROOT)
    for group in given.groups:
        parts = [part for part in GROUPS[group] if given.module in part.module]
        every = [change for part in parts for change in changes(part)]
        drawn = random.Random(given.seed).sample(every, min(given.sample, len(every)))
        began, living = time.monotonic(), 0
        for part in parts:
            some = [change for change in drawn if change.part is part]
            unnoticed = 0
            for change in survivors(part, some) if some else ():
                print(f"  {change}", flush=True)
                unnoticed += 1
            living += unnoticed
            print(f"{part.module}: {len(some) - unnoticed} of {len(some)} changes noticed", flush=True)
        low, high = interval(len(drawn) - living, len(drawn))
        print(
            f"{group}: {len(drawn) - living} of {len(drawn)} changes noticed, of {len(every)} that there are: "
            f"{1 - living / len(drawn):.1%} ({low:.1%} to {high:.1%}); {time.monotonic() - began:.0f} s"
        )


if __name__ == "__main__":
    main()
