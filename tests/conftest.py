"""What all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import strandline
from web.browser import launch

GAMES = Path(__file__).parent / "games"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `game` runs for every game there is."""
    if "game" in metafunc.fixturenames:
        names = strandline.games()
        metafunc.parametrize("game", [strandline.game(name) for name in names], ids=names)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one game run in one process, so that it is compiled once."""
    for item in items:
        for name in strandline.games():
            if name in item.nodeid:
                item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture
def folder(game: strandline.Game) -> Path:
    """The folder with the tests of `game`."""
    return GAMES / game.name


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, as long as a module's tests last.

    A synchronous Playwright keeps an event loop running in this thread, and tests elsewhere that start one of their
    own must not meet it.
    """
    with sync_playwright() as playwright:
        found = launch(playwright)
        if found is None:
            pytest.skip("There is no browser here: install Debian's package chromium.")
        yield found
        found.close()
