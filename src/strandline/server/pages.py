"""The rule pages, wherever they are installed."""

from pathlib import Path

import strandline
from strandline.engine.game import Game

_PACKAGE = Path(strandline.__file__).parent
_FOLDERS = (_PACKAGE / "pages", _PACKAGE.parents[1] / "docs" / "rules")
"""In an installed package, and in a source tree."""


def rules(game: Game) -> str:
    """The rule page of `game` in Markdown, or its guide if it has none."""
    for folder in _FOLDERS:
        page = folder / f"{game.name}.md"
        if page.exists():
            return page.read_text(encoding="utf-8")
    return game.guide
