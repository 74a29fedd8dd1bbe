"""The pages pass axe: landmarks, names, contrast and the rest."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

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


@pytest.mark.parametrize(
    "look", [LOOKS[1], *(pytest.param(look, marks=pytest.mark.slow) for look in LOOKS[:1] + LOOKS[2:])], indirect=True
)
def test_dialogs_of_playing_together(visitor: Visitor, look: dict[str, Any]) -> None:
    table = visitor.make("reef_route", "here", "link", "link", names=["Ada", "Ben", "Cleo"], clock=300)
    guest = visitor.open(table["seats"][2]["link"], **look)
    guest.get_by_label("Your name").wait_for()
    assert violations(guest) == []
    guest.context.close()
    ada, ben = visitor.sit(table, **look), visitor.sit(table, 1, **look)
    ada.get_by_role("button", name="Let others join").click()
    ada.get_by_role("button", name="Show a code").click()
    expect(ada.locator(".code")).not_to_be_empty()
    assert violations(ada) == []
    ada.keyboard.press("Escape")
    for item in ("Say something kind", "Tell me when it is my turn", "Play on another device", "Leave the table"):
        ben.locator("#menu").press("Enter")
        ben.get_by_role("button", name=item).press("Enter")
        ben.locator("dialog[open] .plain").last.wait_for()
        assert violations(ben) == []
        ben.keyboard.press("Escape")
        expect(ben.locator("dialog[open]")).to_have_count(0)
    ben.context.close()
    expect(ada.get_by_role("button", name="Disconnect Ben’s lost device")).to_be_visible()
    name = ada.locator("#seats li").nth(1).locator("strong").bounding_box()
    assert name is not None and name["width"] > name["height"]  # buttons leave it room
    assert violations(ada) == []


@pytest.mark.slow
def test_sharing_and_the_scoreboard(visitor: Visitor, look: dict[str, Any]) -> None:
    page = visitor.sit(visitor.make("reef_route", "here", "here", options={"limit": 1}), **look)
    while wait_for_decision(page):
        play(page)
    page.get_by_role("button", name="Share").press("Enter")
    page.get_by_role("textbox", name="Link to the replay").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.goto(visitor.server.address)
    page.get_by_role("button", name="Scoreboard").press("Enter")
    assert violations(page) == []
    page.get_by_role("button", name="Clear the scoreboard").press("Enter")
    assert violations(page) == []
    page.get_by_role("button", name="Clear", exact=True).press("Enter")
    expect(page.locator(".scoreboard")).to_contain_text("Nobody has finished a game")
    assert violations(page) == []
