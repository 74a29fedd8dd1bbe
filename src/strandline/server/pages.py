"""The rule pages, wherever they are installed."""

from pathlib import Path

import strandline
from strandline import guides
from strandline.engine.game import Game

_PACKAGE = Path(strandline.__file__).parent
_FOLDERS = (_PACKAGE / "pages", _PACKAGE.parents[1] / "docs" / "rules")
"""In an installed package, and in a source tree."""


def rules(game: Game) -> str:
    """The rule page of `game` in Markdown, or its guide in words if it has none."""
    page = page_of(game)
    return page.read_text(encoding="utf-8") if page else guides.plain(game.guide)


def page_of(game: Game) -> Path | None:
    """The file of the rule page: `rules.md` in the game's folder, or the one in the docs."""
    pages = (game.folder / "rules.md", *(folder / f"{game.name}.md" for folder in _FOLDERS))
    return next((page for page in pages if page.exists()), None)
