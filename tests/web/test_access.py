"""The pages pass axe: landmarks, names, contrast and the rest."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from web.browser import PHONE, WIDE, Visitor, play, wait_for_decision

LOOKS = [(size, scheme) for size in (PHONE, WIDE) for scheme in ("light", "dark")]


def violations(page: Page) -> list[str]:
    said = Axe().run(page).response
    assert len(said["passes"]) > 10  # it has looked
    found = [(one["id"], node) for one in said["violations"] for node in one["nodes"]]
    return [f"{rule}: {node['html'][:160]} {node['failureSummary']}" for rule, node in found]


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0]['width']}-{look[1]}")
def look(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    size, scheme = request.param
    yield {"viewport": size, "color_scheme": scheme}


def test_lobby(visitor: Visitor, look: dict[str, Any]) -> None:
    page = visitor.open(**look)
    page.wait_for_selector(".card")
    assert violations(page) == []
    page.get_by_role("button", name="Play Up the River", exact=True).click()
    page.get_by_text("Game options").click()
    assert violations(page) == []


def test_nowhere(visitor: Visitor, look: dict[str, Any]) -> None:
    page = visitor.open("/nowhere", **look)
    assert violations(page) == []
    page.get_by_role("link", name="All games", exact=True).last.click()
    page.wait_for_selector(".card")
    assert len(visitor.faults) == 1 and "404" in visitor.faults.pop()  # as the browser says by itself


def test_table(visitor: Visitor, look: dict[str, Any]) -> None:
    page = visitor.sit(visitor.make("reef_route", "here", "link", "bot:random"), **look)
    play(page)
    assert violations(page) == []
    page.get_by_role("button", name="Replay").click()
    page.locator("#replay input").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Back to the table").click()
    page.locator("#menu").click()
    assert violations(page) == []


def test_table_with_moves_and_dialogs(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("sand_castles", "here", "bot:random"))
    for _ in range(3):
        wait_for_decision(page)
        play(page)
    wait_for_decision(page)
    assert violations(page) == []
    for item in ("How to play", "Settings", "Fair dice"):
        page.locator("#menu").click()
        page.get_by_role("button", name=item).click()
        page.wait_for_selector("dialog h2")
        assert violations(page) == []
        page.keyboard.press("Escape")
