"""Which games there are: every folder in `strandline/games` that has rules."""

import functools
import importlib
from difflib import get_close_matches
from pathlib import Path

from strandline.engine.errors import UnknownGame
from strandline.engine.game import Game

FOLDER = importlib.import_module("strandline.games")


@functools.cache
def names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    rules = (file for place in FOLDER.__path__ for file in Path(place).glob("*/rules.py*"))  # .pyc in a browser
    return tuple(sorted({file.parent.name for file in rules}))


def games() -> list[str]:
    """The names of all games, sorted, as a list of the caller's own."""
    return list(names())


def game(name: str, box: str | Path | None = None) -> Game:
    """The game of that name, with its own box or the one in the file `box`."""
    if name not in names():
        close = get_close_matches(str(name), names(), cutoff=0.4)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(names())}."
        raise UnknownGame(f"There is no game {name!r}. {hint}")
    return _game(name, Path(box).resolve() if box is not None else None)


@functools.cache
def _game(name: str, box: Path | None) -> Game:
    return Game(importlib.import_module(f"{FOLDER.__name__}.{name}"), box)
