"""Which reports still say what the code does: each carries a stamp of all that its numbers and words depend on."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import strandline
from strandline.engine.game import Game
from strandline.lab import drama, values
from strandline.lab.rows import POLICIES
from strandline.lab.study import searching, sources

HERE = Path(__file__).parent
SPEAKING = (
    "again",
    "boxes",
    "drama",
    "figures",
    "findings",
    "notable",
    "plan",
    "replay",
    "report",
    "sample",
    "stats",
    "values",
)
"""The modules that turn rows into a report."""
ANALYSIS = "analysis"
"""What stands among the players of a stamp if the search has looked at their games."""
COUNTING = ("findings", "sample", "stats")
"""The modules that turn rows into the numbers of a table."""
MARK = re.compile(r'(?:name="strandline-(stamp)" content="|<!-- strandline-(table): )(\w+) ([^ "]+) ([0-9a-f]{16})')


def line(game: Game, bots: Sequence[str]) -> str:
    """The stamp of a report as it is written down: the game, who plays, and a hash."""
    names = sorted(set(bots))
    return f"{game.name} {','.join(names)} {digest(game, names, SPEAKING)}"


def table_line(game: Game, bots: Sequence[str]) -> str:
    """The same below a table."""
    names = sorted(set(bots))
    return f"<!-- strandline-table: {game.name} {','.join(names)} {digest(game, names, COUNTING)} -->"


def digest(game: Game, bots: Sequence[str], modules: Sequence[str]) -> str:
    """A hash of the rules, metrics and hints, of bots or analysis if they search, and of what tells of the games."""
    kinds = {all(name in POLICIES for name in bots if name != ANALYSIS), True}
    rests_on = [sources(game, is_compiled) for is_compiled in sorted(kinds)]
    if ANALYSIS in bots:
        rests_on += searching(drama.__name__, values.__name__)
    found = hashlib.sha256(repr(rests_on).encode())
    for name in modules:
        found.update(_plain(HERE / f"{name}.py").encode())
    for path in sorted((HERE / "page").glob("*.[cj]s*")) if modules is SPEAKING else ():
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _plain(path: Path) -> str:
    """A module without comments, docstrings and layout: they change no report."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [
                part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ] or [ast.Pass()]
    return ast.unparse(tree)


def stale(files: Sequence[Path]) -> list[str]:
    """The files whose stamp is not that of the code, or that have none."""
    return [path.name for path in files if not _is_fresh(path.read_text(encoding="utf-8"))]


def _is_fresh(text: str) -> bool:
    marks = MARK.findall(text)
    return bool(marks) and all(
        found == digest(strandline.game(game), bots.split(","), COUNTING if table else SPEAKING)
        for _, table, game, bots, found in marks
    )
