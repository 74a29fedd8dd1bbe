"""The pages for learning programs say what is true."""

import doctest
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "env"


@pytest.mark.parametrize("name", ["README.md", "pettingzoo.md", "gymnasium.md"])
def test_pages_run(name: str) -> None:
    result = doctest.testfile(str(PAGES / name), module_relative=False)
    assert result.attempted > 5 and result.failed == 0


def maker() -> Any:
    spec = importlib.util.spec_from_file_location("make_spaces", PAGES / "make_spaces.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_games() -> None:
    assert (PAGES / "spaces.md").read_text(encoding="utf-8") == maker().text(), "run docs/env/make_spaces.py"


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (PAGES / target).exists(), target
