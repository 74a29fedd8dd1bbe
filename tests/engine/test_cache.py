"""Compiled code is kept in the user's cache, and never used when the sources have changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import strandline

PACKAGE = Path(strandline.__file__).parent
RUN = """
import numpy as np
import strandline

game = strandline.game("up_the_river")
states, works = np.zeros(1, game.rules.STATE), np.zeros(1, game.rules.WORK)
game.compiled().setup(states[0], works[0])
print(states["next_dock"][0], strandline.__file__)
"""


def run(source: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(source), "STRANDLINE_CACHE": str(cache)}
    return subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the package with one game."""
    copy = tmp_path / "src" / "strandline"
    skipped = [path.name for path in (PACKAGE / "games").iterdir() if path.is_dir() and path.name != "up_the_river"]
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns(*skipped, "__pycache__"))
    return copy.parent


def test_compiled_once_and_again_only_when_a_source_changes(source: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = run(source, cache)
    assert str(source) in first.stdout and "compiling up_the_river, once" in first.stderr
    second = run(source, cache)
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert not list(source.rglob("*.nbi"))

    rules = source / "strandline" / "games" / "up_the_river" / "rules.py"
    rules.write_text(rules.read_text().replace("TOP_DOCK = 12", "TOP_DOCK = 9"))
    third = run(source, cache)
    assert "compiling up_the_river, once" in third.stderr
    assert int(third.stdout.split()[0]) < int(first.stdout.split()[0])


def test_a_cache_folder_that_cannot_be_written_to_is_done_without(source: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert "compiling" in run(source, blocked / "cache").stderr


def test_old_folders_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from strandline.engine import cache

    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    old, new, other = (tmp_path / name for name in ("river-0123456789abcdef", "river-fedcba9876543210", "keep"))
    for path in (old, new, other):
        path.mkdir()
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    cache.prune()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["keep", "river-fedcba9876543210"]
