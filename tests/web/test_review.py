"""The review after the game, and the question before something is given up for good."""

import pytest
from playwright.sync_api import Page, expect

from web.browser import PHONE, WIDE, Visitor, number, play, wait_for_decision, wait_past
from web.test_access import violations


@pytest.fixture
def finished(visitor: Visitor) -> Page:
    """Ada and Ben have played to the end at one screen."""
    names = ["Ada", "Ben"]
    page = visitor.sit(visitor.make("up_the_river", "here", "here", names=names, options={"round_limit": 3}))
    while wait_for_decision(page):
        play(page)
    return page


def test_review(finished: Page) -> None:
    page = finished
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#review [role=status]")).to_have_count(1)
    expect(page.locator(".chances svg[role=group]")).to_be_visible()
    for size in (WIDE, PHONE):
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
            body = page.locator(".dialog-body")
            assert body.evaluate("body => body.scrollWidth <= body.clientWidth")
    expect(page.locator(".luck tbody tr").first).to_contain_text("Luck")
    expect(page.locator(".luck tbody tr").last).to_contain_text("Choices cost")
    dots = page.locator(".chances a.dot")
    expect(dots).to_have_count(page.locator(".turns li").count())
    at = page.locator(".turns li").first.get_attribute("data-number")
    assert f"?at={at}" in (dots.first.get_attribute("href") or "")
    dots.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {at} of {number(page)}")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_review_that_fails_says_so(finished: Page, visitor: Visitor) -> None:
    page = finished
    page.route("**/review", lambda route: route.fulfill(status=503, json={"error": "The review has failed."}))
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#review [role=alert]")).to_have_text("The review has failed.")
    visitor.faults.clear()  # the browser itself reports the answer


def test_ending_the_sneak_phase_asks_once(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("over_the_next_dune", "here"))
    done = page.locator('#moves button[data-move="done"]')
    while wait_for_decision(page) and not done.count():
        play(page)
    seen = number(page)
    done.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_contain_text("not moved yet. End the sneak phase?")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(done).to_be_focused()
    page.locator('#board [id="done"]').click()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator("#board .chosen")).to_have_count(0)
    assert number(page) == seen
    page.locator('#board [id="done"]').click()
    page.get_by_role("button", name="Yes", exact=True).click()
    wait_past(page, seen)
    line = page.request.get(f"{visitor.server.address}/api/tables/{page.get_attribute('main', 'data-table')}/record")
    assert line.json()["moves"][seen] == "done"
