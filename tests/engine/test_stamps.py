"""Stamps change when what is compiled does, and only then."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import strandline

PACKAGE = Path(strandline.__file__).parent
RUN = """
import json
import strandline
from strandline.bots import kernels as shipped
from strandline.engine import contract, drivers, stamps
from strandline.lab import kernels, study

game = strandline.game("up_the_river")
print(json.dumps({
    "native": stamps.native(game.rules, drivers.simulate),
    "native set-up": stamps.native(game.rules, contract.setup),
    "gpu": stamps.named(game.rules, [kernels.play]),
    "wasm": shipped.description(game, False)["stamp"],
    "any box": shipped.description(game, True)["stamp"],
    "study": study.sources(game, True),
    "study of bots": study.sources(game, False),
}))
"""
ALL = {"native", "gpu", "wasm", "any box", "study", "study of bots"}
SEARCHING = {"wasm", "any box", "study of bots"}


def found(source: Path) -> dict[str, str]:
    environment = os.environ | {"PYTHONPATH": str(source)}
    run = subprocess.run([sys.executable, "-c", RUN], env=environment, stdout=subprocess.PIPE, check=True)
    stamps: dict[str, str] = json.loads(run.stdout)
    return stamps


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one game."""
    copy = tmp_path_factory.mktemp("src") / "strandline"
    skipped = [path.name for path in (PACKAGE / "games").iterdir() if path.is_dir() and path.name != "up_the_river"]
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns(*skipped, "__pycache__"))
    return copy.parent


@pytest.fixture(scope="module")
def before(source: Path) -> dict[str, str]:
    """The stamps of the sources as they are."""
    return found(source)


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("games/up_the_river/board.py", "\n\ndef ", "\n\n# A remark.\ndef ", set()),
        ("games/up_the_river/rules.py", '\ndef to_move(s):\n    """', '\n# Why.\ndef to_move(s):\n    """Now: ', set()),
        ("games/up_the_river/rules.py", "TOP_DOCK = 12", "TOP_DOCK = 9", {"native set-up"}),
        ("games/up_the_river/rules.py", "WIND_FACE = 6", "WIND_FACE = 5", ALL),
        ("lab/drivers.py", "row.steps += 1", "row.steps += 2", {"gpu", "study", "study of bots"}),
        ("bots/search.py", "EXPLORATION = 1.0", "EXPLORATION = 1.1", SEARCHING),
        ("bots/levels.py", "Level(40, 0.36)", "Level(41, 0.36)", {"study of bots"}),
        ("games/up_the_river/induction.py", "SAME = 1e-12", "SAME = 1e-11", {"wasm", "any box"}),
        ("games/up_the_river/box.toml", "tide_start = 6", "tide_start = 7", set()),
        ("bots/tree.py", '("child", "i4"), ("liked"', '("liked", "i4"), ("child"', SEARCHING),
        ("bots/tree.py", '("size", "i4"),', '("size", "i8"),', SEARCHING),
        ("bots/tree.py", '("sums", "i4", puct.WIDTH)', '("sums", "i8", puct.WIDTH)', SEARCHING),
        ("bots/kernels.py", '(rules_work, 1), ("i8", 1)', '(rules_work, 1), ("i4", 1)', {"wasm", "any box"}),
        ("engine/simulation.py", '("rounds", "i4")', '("rounds", "i8")', {"wasm", "any box"}),
        ("engine/wasm/compiler.py", "INLINED = 3000, 2000", "INLINED = 3000, 1000", {"wasm", "any box"}),
        ("engine/wasm/compiler.py", '"NUMBA_OPT": "0"', '"NUMBA_OPT": "3"', {"wasm", "any box"}),
        ("engine/wasm/compiler.py", "SMALL = 60_000\n", "# Why.\nSMALL = 60_000  # So.\n", set()),
        ("engine/wasm/compiler.py", "Bytes of a small module.", "How many bytes.", set()),
    ],
)
def test_what_changes_a_stamp(
    source: Path, before: dict[str, str], file: str, old: str, new: str, changed: set[str]
) -> None:
    path = source / "strandline" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    try:
        after = found(source)
    finally:
        path.write_text(text)
    assert {name for name in before if after[name] != before[name]} == changed
