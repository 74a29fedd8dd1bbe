"""The server of the tests of the page, and those who visit it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from web.browser import Server, Visitor


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
