"""Learning programs play games that have a `spaces.py`."""

import pytest

from strandline.env.spaces import has_space


@pytest.fixture(autouse=True)
def plays_here(request: pytest.FixtureRequest) -> None:
    """A game without spaces has no environment, and so nothing to test."""
    if "game" in request.fixturenames and not has_space(request.getfixturevalue("game")):
        pytest.skip("The game has no spaces.py, and so no environment.")
