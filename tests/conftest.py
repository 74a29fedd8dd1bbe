"""What all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

import strandline
from samples import SAMPLES, install
from web.browser import launch

GAMES = Path(__file__).parent / "games"
install()

for name, same in (("same", True), ("new", False)):
    settings.register_profile(name, derandomize=same, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")  # the same examples every time; `make test-all` draws new ones


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `game` runs for every game there is."""
    if "game" in metafunc.fixturenames:
        names = strandline.games()
        metafunc.parametrize("game", [strandline.game(name) for name in names], ids=names)


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """The tests of one game run in one process, so that it is compiled once; so do those of the site, which is built
    once, and the others of one module.

    Those in the browser and the simulations come last, one by one, to whichever process is free.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(("tests/web/", "tests/simulation/")):
            return nodeid
        if nodeid.startswith("tests/site/"):
            return "tests/site"
        return next((name for name in strandline.games() if name in nodeid), nodeid.partition("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Groups:
    """Where several processes share the tests, whole groups are handed out."""
    return Groups(config, log)


@pytest.fixture
def folder(game: strandline.Game) -> Path:
    """The folder with the tests of `game`."""
    return SAMPLES.get(game.name, GAMES / game.name)


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
