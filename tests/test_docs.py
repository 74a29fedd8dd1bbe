"""README and docs say what is true."""

import doctest
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5 and result.failed == 0


@pytest.mark.parametrize("page", ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text()
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text) + re.findall(r'src="([^"]+)"', text)
    for target in targets:
        if "://" not in target:
            assert (ROOT / page).parent.joinpath(target).exists(), target


def gallery() -> Any:
    spec = importlib.util.spec_from_file_location("make_gallery", ROOT / "docs" / "make_gallery.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_gallery_shows_the_boards_as_they_are() -> None:
    """The gallery shows the games that it shows; a new one gets in when the command is run again."""
    shown = re.findall(r"pictures/(\w+)-start\.svg", (ROOT / "docs" / "gallery.md").read_text())
    for name, text in gallery().files(shown).items():
        assert (ROOT / "docs" / name).read_text() == text, f"{name}: run docs/make_gallery.py"
