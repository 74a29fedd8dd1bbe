"""What tests of compiled games share: the hosts of their modules, and the other box."""

import functools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import strandline
from engine.node import Node
from strandline.engine import wasm
from strandline.engine.wasm import host
from strandline.engine.wasm.browser import BrowserHost


@pytest.fixture
def ships_modules(request: pytest.FixtureRequest) -> None:
    """A game without modules, as a new one is, has nothing to compare."""
    if "game" in request.fixturenames and not host.file(request.getfixturevalue("game"), any_box=False).exists():
        pytest.skip("The game is interpreted: it has no modules.")


@pytest.fixture(scope="module")
def node() -> Iterator[Any]:
    """What Pyodide calls `js`, in one process of Node for all tests of a module."""
    if shutil.which("node") is None:
        pytest.skip("There is no Node here.")
    with Node() as js:
        yield js


@pytest.fixture(params=["wasmtime", "browser"])
def each_host(ships_modules: None, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """`wasm.of` and the speed `Wasm` run over wasmtime, and then as in a browser, by the WebAssembly of Node."""
    if request.param == "browser":
        browser = BrowserHost(request.getfixturevalue("node"))
        monkeypatch.setattr(host, "host", lambda stoppable: browser)
        monkeypatch.setattr(wasm, "of", functools.cache(host.of.__wrapped__))


@pytest.fixture
def changed(game: strandline.Game, folder: Path) -> strandline.Game:
    """The game with another box."""
    file = folder / "other_box.toml"
    if not file.exists():
        pytest.skip(f"{game.title} has no other box.")
    return strandline.game(game.name, box=file)
