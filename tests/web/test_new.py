"""A table by its address alone."""

import pytest
from playwright.sync_api import expect

from web.browser import Visitor, wait_for_table

NAMES = {"Otter", "Heron", "Pelican", "Puffin", "Seal", "Dolphin", "Turtle", "Limpet"}
"""Those that the lobby gives, too."""


def test_an_address_makes_a_table(visitor: Visitor) -> None:
    page = visitor.open("/new/?game=undertow&seats=here,bot:1&easy=true")
    page.wait_for_url("**/table/*#*")
    wait_for_table(page)
    state = page.request.get(page.url.split("#")[0].replace("/table/", "/api/tables/")).json()
    assert [seat["kind"] for seat in state["seats"]] == ["here", "bot:1"] and state["options"]["easy"] is True
    assert {seat["name"] for seat in state["seats"]} <= NAMES and len({seat["name"] for seat in state["seats"]}) == 2
    page.goto(visitor.server.address)
    expect(page.locator("#tables a")).to_have_count(1)


def test_an_address_may_name_some(visitor: Visitor) -> None:
    page = visitor.open("/new/?game=undertow&seats=here,bot:1,bot:1&names=,Otter")
    page.wait_for_url("**/table/*#*")
    state = page.request.get(page.url.split("#")[0].replace("/table/", "/api/tables/")).json()
    first, second, third = (seat["name"] for seat in state["seats"])
    assert second == "Otter" and {first, third} < NAMES - {"Otter"}


def test_a_link_in_a_language_counts_for_the_visit(visitor: Visitor) -> None:
    page = visitor.open("/new/?game=undertow&seats=here,bot:1&lang=de")
    page.wait_for_url("**/table/*#*")
    wait_for_table(page)
    expect(page.locator("#title")).to_contain_text("Im Sog")
    expect(page.locator("#menu")).to_have_attribute("aria-label", "Menü")
    page.goto(f"{visitor.server.address}/?lang=de&other#there")
    expect(page.locator("#settings")).to_have_attribute("aria-label", "Einstellungen")
    assert page.url == f"{visitor.server.address}/?other#there"  # pages read what else there is as ever
    page.locator("#settings").click()
    with page.expect_navigation():
        page.get_by_text("English").click()
    expect(page.locator("#settings")).to_have_attribute("aria-label", "Settings")
    page.goto(f"{visitor.server.address}/?lang=xx")
    expect(page.locator("#settings")).to_have_attribute("aria-label", "Settings")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("game=chess", "There are: "),
        ("", "There are: "),
        ("game=undertow&seats=here,bot:99", "There is no bot '99'"),
        ("game=undertow&seats=here", "is for 2, 3 or 4 players, not 1"),
        ("game=undertow&seats=here,bot:1&colour=red", "has no option 'colour'"),
        ("game=undertow&seats=here,bot:1&max_rounds=many", 'must be a whole number from 0 to 1000, not "many"'),
        ("game=undertow&seats=here,bot:1&easy=perhaps", 'not "perhaps"'),
    ],
)
def test_an_address_of_nothing_says_why(visitor: Visitor, asked: str, answer: str) -> None:
    page = visitor.open(f"/new/?{asked}")
    expect(page.get_by_role("alert")).to_contain_text(answer)
    visitor.faults.clear()  # the browser itself reports the answer
