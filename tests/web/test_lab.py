"""The lab's page in a browser: a question, its study, its report, a game on the board."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from web.browser import PHONE, WIDE, Server, Visitor
from web.test_access import violations


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a lab of its own."""
    folder = tmp_path_factory.mktemp("lab")
    started = Server(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        started.start()
    yield started
    started.stop()


def test_the_page_is_for_everybody(visitor: Visitor) -> None:
    page = visitor.open("/lab/", viewport=PHONE, color_scheme="dark", locale="de-DE")
    page.get_by_role("heading", name="Das Labor").wait_for()
    page.get_by_role("button", name="Starten").wait_for()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_label("Spiel", exact=True).select_option("reef_route")
    page.get_by_label("Vergleichen", exact=True).select_option("predators")
    expect(page.locator("#values input:checked")).to_have_count(1)
    page.get_by_role("button", name="Starten").focus()
    page.keyboard.press("Enter")
    stopped = page.locator(".study[data-state=stopped]")
    expect(stopped).to_contain_text("needs two or more different values")
    assert violations(page) == []
    stopped.get_by_role("button", name="reef_route-1 löschen").click()
    page.get_by_role("dialog").get_by_role("button", name="Löschen").click()
    expect(page.locator("#studies-title")).to_be_focused()
    expect(stopped).to_have_count(0)
    page.get_by_role("link", name="Alle Spiele").click()
    page.get_by_role("link", name="Das Labor").click()
    page.get_by_role("heading", name="Das Labor").wait_for()


def test_what_cannot_be_asked_is_not_offered(visitor: Visitor) -> None:
    page = visitor.open()
    without = {"games": [], "levels": [], "studies": [], "missing": "pip install strandline"}
    page.route("**/api/lab", lambda route: route.fulfill(json=without))
    page.goto(visitor.server.address + "/lab/")
    expect(page.locator("#missing")).to_contain_text("Studies need more than games do")
    expect(page.get_by_text("No studies yet")).to_be_hidden()


def test_a_question_is_answered(visitor: Visitor, browser: Browser, tmp_path: Path) -> None:
    page = visitor.open("/lab/", viewport=WIDE)
    page.get_by_label("Game", exact=True).select_option("up_the_river")
    for players in ("3", "4"):
        page.get_by_role("checkbox", name=players, exact=True).uncheck()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Games of each setting").fill("300")
    page.get_by_role("button", name="Run").click()
    study = page.locator(".study").first
    expect(study).to_have_attribute("data-state", "finished")
    assert violations(page) == []
    with page.context.expect_page() as opened:
        study.get_by_role("link", name="Read the report").click()
    report = opened.value
    report.locator("figure svg").first.wait_for()
    report.locator("#games-order").select_option("curve")
    expect(report.locator("#games-curve")).to_be_visible()
    slider = report.locator(".sliders input").first
    slider.focus()
    slider.press("End")
    assert report.evaluate("wanted[0]") == 100
    with report.context.expect_page() as shown:
        report.locator("#games a").first.click()
    shown.value.locator("#replay img").wait_for()
