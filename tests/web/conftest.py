"""The server and the browser of the tests of the page.

They live as long as a module's tests: a synchronous Playwright keeps an event loop running in this thread, and tests
elsewhere that start one of their own must not meet it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from web.browser import Server, Visitor, launch


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        if found is None:
            pytest.skip("There is no browser here: install Debian's package chromium.")
        yield found
        found.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("store"))
    started.start()
    yield started
    started.stop()


@pytest.fixture
def visitor(browser: Browser, server: Server, tmp_path: Path) -> Iterator[Visitor]:
    """Browsers for one test; none of them may complain."""
    known = Visitor(browser, server)
    yield known
    for context in browser.contexts:
        context.close()
    assert known.faults == []
