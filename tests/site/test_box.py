"""A site made from an edited `box.toml` plays by that box, and by no other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import strandline

PACKAGE = Path(strandline.__file__).parent
RUN = """
import asyncio
import io
import json
import zipfile

import strandline
from strandline import bots
from strandline.bots import network
from strandline.bots.tree import Budget, Tree, think
from strandline.engine import speeds
from strandline.engine.wasm.host import host
from strandline.site import build
from strandline.site.searching import BrowserThinkers

async def search(module, steps):
    memory = host().run(module)
    for step, *given in steps:
        getattr(memory, step)(*given)
    return memory.read

dune, castles = map(strandline.game, ("over_the_next_dune", "sand_castles"))
start, budget = dune.new(), Budget(20)
(there,) = asyncio.run(BrowserThinkers(search, None, None, host()).grown(dune, [start], 7, budget))
here = Tree(dune, 20, speeds.Interpreted)
think([here], [start], 7, budget)
packed = zipfile.ZipFile(io.BytesIO(build._sources())).namelist()
print(json.dumps({
    "alike": bytes(there.nodes) == bytes(here.nodes),
    "visits": there.root().visits,
    "modules": sorted(name for name in packed if name.endswith(".wasm")),
    "networks": [name for name in packed if name.endswith(".bin")],
    "champion": [*network.champions(castles), "6" in bots.names(castles), network.fits(castles.new(2))],
}))
"""


def test_an_edited_box_is_played_here_and_there(tmp_path: Path) -> None:
    copy = tmp_path / "strandline"
    skipped = {path.name for path in (PACKAGE / "games").iterdir()} - {"__init__.py", *EDITS}
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns(*skipped, "__pycache__"))
    for game, (old, new) in EDITS.items():
        box = copy / "games" / game / "box.toml"
        assert old in box.read_text()
        box.write_text(box.read_text().replace(old, new))
    environment = {name: value for name, value in os.environ.items() if name != "STRANDLINE_GAMES"}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env=environment | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "alike": True,
        "visits": 20,
        "modules": [f"strandline/games/{game}/kernels.any_box.wasm" for game in sorted(EDITS)],
        "networks": [],
        "champion": [False, False],
    }


EDITS = {"over_the_next_dune": ("steps = 6 ", "steps = 3 "), "sand_castles": ("points = 10", "points = 11")}
"""By game: what stands in its box, and what its owner writes there."""
