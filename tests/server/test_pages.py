"""Rule pages, and what stands in for one that is missing."""

import pytest

import strandline
from strandline.server import lobby, pages


def test_a_game_without_a_rule_page_shows_its_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule page has no pictures: those of the guide are told in words."""
    game = strandline.game("dice_race")
    monkeypatch.setattr(pages, "page_of", lambda _: None)
    page = lobby._html(pages.rules(game))
    assert "<h3>Your turn</h3>" in page and "A 4 was rolled." in page
    assert "<figure>" not in page and "frame =" not in page
