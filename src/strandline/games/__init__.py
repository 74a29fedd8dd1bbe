"""The games, a folder each. Called as a function, this package gives their names: `strandline.games()`."""

import sys
from types import ModuleType


class _Folder(ModuleType):
    """A package that can be called, so that `import strandline.games.undertow.rules` works beside `games()`."""

    def __call__(self) -> list[str]:
        """The names of all games, sorted."""
        from strandline.engine.discovery import games

        return games()


sys.modules[__name__].__class__ = _Folder
