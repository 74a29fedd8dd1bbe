"""Guides begin with pictures, on a phone too."""

import pytest
from playwright.sync_api import expect

import strandline
from samples import box_games
from strandline import guides
from web.browser import PHONE, Visitor

SCREENS = 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_picture_is_near_the_beginning(visitor: Visitor, scheme: str) -> None:
    page = visitor.open(viewport=PHONE, color_scheme=scheme)
    for name in box_games():
        game = strandline.game(name)
        page.get_by_role("button", name=f"How to play {game.title}").click()
        pictures = page.locator("dialog[open] figure svg")
        expect(pictures).to_have_count(len(guides.blocks(game.guide)))
        first = pictures.first.bounding_box()
        assert first and first["y"] < SCREENS * PHONE["height"], name
        for each in pictures.all():
            box = each.bounding_box()
            assert box and 30 < box["height"] < PHONE["height"] and box["width"] <= PHONE["width"], name
            assert each.get_attribute("aria-label")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
