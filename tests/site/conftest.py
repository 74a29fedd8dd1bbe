"""A site, built once, and a web host for it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.files import Host


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the command writes it."""
    folder = tmp_path_factory.mktemp("site") / "out"
    environment = {name: value for name, value in os.environ.items() if name != "STRANDLINE_CACHE"}
    command = [sys.executable, "-m", "strandline", "site", "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode == 2 and ("npm" in done.stderr or "node" in done.stderr):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def host(built: Path) -> Iterator[Host]:
    found = Host(built)
    found.start()
    yield found
    found.stop()
