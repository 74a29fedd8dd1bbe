"""Two small games that go through every test that holds for all games, beside the games of the box.

`nim` has nothing but what a game must have, and no chance. `dice_race` is what `strandline new-game` writes.
"""

import atexit
import importlib
import os
import tempfile
from pathlib import Path

import strandline
from strandline.cli import golden, new_game
from strandline.engine import discovery

HERE = Path(__file__).parent
SAMPLES: dict[str, Path] = {}
"""The folders with the tests of the small games."""


def install() -> None:
    """Let the small games be found, here and in processes that are started from here."""
    if SAMPLES:
        return
    folder = tempfile.TemporaryDirectory(prefix="strandline-samples-")
    atexit.register(folder.cleanup)
    fresh, tests = Path(folder.name) / "games", Path(folder.name) / "tests" / "dice_race"
    new_game.write("dice_race", "Dice Race", fresh / "dice_race", tests)
    folders = [str(fresh), str(HERE / "sample_games")]
    importlib.import_module("strandline.games").__path__.extend(folders)
    os.environ["STRANDLINE_GAMES"] = os.pathsep.join(folders)  # for processes that tests start
    discovery.names.cache_clear()
    SAMPLES.update(dice_race=tests, nim=HERE / "games" / "nim")
    for _ in golden.write(strandline.game("dice_race"), tests):
        pass


def box_games() -> list[str]:
    """The games of the box alone."""
    return [name for name in strandline.games() if name not in SAMPLES]
