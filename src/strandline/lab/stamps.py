"""Which reports and tables still say what the code does: each carries a stamp of what it depends on."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import strandline
from strandline.bots import levels, network, puct, search, tree
from strandline.engine import stamps
from strandline.engine.game import Game
from strandline.engine.walk import functions_of
from strandline.lab import drama, drivers, values
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
MARK = re.compile(r'name="strandline-stamp" content="(\w+) ([^ "]+) ([0-9a-f]{16})')
TABLE = re.compile(r"<!-- rests on (\w+) of (\w+) ([0-9a-f]{16}); made by: (.+?) -->")
MEASURED = re.compile(r"<!-- measured (\d{4}-\d\d-\d\d); made by: (.+?) -->")
"""Below a table that is what a machine did on a day, such as its speed: it does not become stale."""


def line(game: Game, bots: Sequence[str]) -> str:
    """The stamp of a report as it is written down: the game, who plays, and a hash."""
    names = sorted(set(bots))
    return f"{game.name} {','.join(names)} {digest(game, names, SPEAKING)}"


def table_line(what: str, game: Game, command: str) -> str:
    """What stands below a table whose numbers rest on the bots, the guided players … of a game."""
    return f"<!-- rests on {what} of {game.name} {RESTS[what](game)}; made by: {command} -->"


def _bots(game: Game) -> str:
    """What the levels of a game play: by its rules, its hints, the search and how much of it they have."""
    budget = [levels.LEVELS, *(tree.setting(game, name) for name in ("SIMULATIONS", "BLUNDER_RATE"))]
    return stamps.digest(game.rules, functions_of(search), budget)[:16]


def _champion(game: Game) -> str:
    """What level 6 plays, and level 5 beside it: by networks as well."""
    files = [network.file(game, number) for number in network.champions(game)]
    weights = [hashlib.sha256(file.read_bytes()[network.DIGEST :]).hexdigest() for file in files]
    return stamps.digest(game.rules, functions_of(puct), levels.CHAMPION_SIMULATIONS, weights, _bots(game))[:16]


RESTS: dict[str, Callable[[Game], str]] = {
    "bots": _bots,
    "champion": _champion,
    "guided": lambda game: stamps.digest(game.rules, functions_of(drivers), _bots(game))[:16],
    "verdicts": lambda game: digest(game, ["random"], COUNTING),
}
"""What tables rest on, by the word in their stamps: the levels, the champion or guided players and what they meet, or
random games and the statistics of reports."""


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
    """The reports whose stamp is not that of the code, or that have none."""
    return [path.name for path in files if not _is_fresh(path.read_text(encoding="utf-8"))]


def _is_fresh(text: str) -> bool:
    found = MARK.search(text)
    return found is not None and found[3] == digest(strandline.game(found[1]), found[2].split(","), SPEAKING)


def stale_tables(files: Sequence[Path]) -> list[str]:
    """The tables that rest on other code than there is, each with the present stamp and the command that makes it."""
    marks = [(path.name, *mark) for path in files for mark in TABLE.findall(path.read_text(encoding="utf-8"))]
    return [
        f"{name}: {what} of {game} have changed, to {now}; {command}"
        for name, what, game, found, command in marks
        if found != (now := RESTS[what](strandline.game(game)))
    ]
