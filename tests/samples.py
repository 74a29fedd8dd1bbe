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
    if "STRANDLINE_GAMES" not in os.environ:
        os.environ["STRANDLINE_GAMES"] = os.pathsep.join([str(_written()), str(HERE / "sample_games")])
        importlib.import_module("strandline.games").__path__.extend(os.environ["STRANDLINE_GAMES"].split(os.pathsep))
        discovery.names.cache_clear()
    fresh = Path(os.environ["STRANDLINE_GAMES"].split(os.pathsep)[0])
    SAMPLES.update(dice_race=fresh.parent / "tests" / "dice_race", nim=HERE / "games" / "nim")
    if not (SAMPLES["dice_race"] / "golden").exists():
        list(golden.write(strandline.game("dice_race"), SAMPLES["dice_race"]))


def _written() -> Path:
    """The folder with the game that `new-game` writes."""
    folder = tempfile.TemporaryDirectory(prefix="strandline-samples-")
    atexit.register(folder.cleanup)
    fresh = Path(folder.name) / "games"
    new_game.write("dice_race", "Dice Race", fresh / "dice_race", Path(folder.name) / "tests" / "dice_race")
    return fresh


def box_games() -> list[str]:
    """The games that Strandline comes with: their rule pages are in the docs. More is asked of them."""
    return sorted(page.stem for page in (HERE.parent / "docs" / "rules").glob("*.md"))
