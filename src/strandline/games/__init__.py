"""The games, a folder each. Called as a function, this package gives their names: `strandline.games()`.

Folders of further games may be named in the environment variable `STRANDLINE_GAMES`, as in `PATH`.
"""

import os
import sys
from types import ModuleType


class _Folder(ModuleType):
    """A package that can be called, so that `import strandline.games.undertow.rules` works beside `games()`."""

    def __call__(self) -> list[str]:
        """The names of all games, sorted."""
        from strandline.engine.discovery import games

        return games()


__path__.extend(folder for folder in os.environ.get("STRANDLINE_GAMES", "").split(os.pathsep) if folder)
sys.modules[__name__].__class__ = _Folder
