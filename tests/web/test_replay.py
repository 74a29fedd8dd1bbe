"""Replay, record and fair dice on the page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from strandline.server.launch import laid_out
from strandline.table.record import BadRecord, from_json
from web.browser import PHONE, Server, Visitor, number, play, record_of, turn, wait_for_decision
from web.test_access import violations


@pytest.fixture
def finished(visitor: Visitor) -> Page:
    """Somebody watches a game that bots have played to its end."""
    page = visitor.sit(visitor.make("up_the_river", "bot:random", "bot:random", options={"round_limit": 3}))
    page.wait_for_function("() => document.querySelector('main').dataset.turn === 'over'")
    return page


def test_replay_by_slider_step_and_film(finished: Page) -> None:
    page = finished
    last = number(page)
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position 0 of {last}")
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position 1 of {last}")
    expect(page.locator("#log li")).to_have_count(1)
    page.get_by_label("Position", exact=True).fill(str(last - 1))
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {last - 1} of {last}")
    page.get_by_role("button", name="Step back").click()
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {last - 2} of {last}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {last} of {last}")
    assert number(page) == last
    page.get_by_role("button", name="Back to the table").click()
    expect(page.locator("#prompt")).to_contain_text("The game is over")


def test_only_pieces_leave_trails(finished: Page, visitor: Visitor) -> None:
    """At the end the scores stand elsewhere."""
    last = number(finished)
    page = visitor.open(f"/table/{finished.get_attribute('main', 'data-table')}?at={last - 1}", viewport=PHONE)
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {last - 1} of {last}")
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position {last} of {last}")
    starts = page.locator("#board .trail-start").evaluate_all("starts => starts.map((start) => start.cx.baseVal.value)")
    assert 0 not in starts


def test_a_link_opens_a_position(finished: Page, visitor: Visitor) -> None:
    page = visitor.open(f"/table/{finished.get_attribute('main', 'data-table')}?at=4")
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position 4 of {number(finished)}")
    expect(page.locator("#log li")).to_have_count(4)


def test_replay_of_a_running_game_does_not_disturb_it(visitor: Visitor) -> None:
    table = visitor.make("reef_route", "here", "link")
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    play(ada)
    ada.get_by_role("button", name="Replay").click()
    ada.get_by_role("button", name="First position").click()
    expect(ada.locator("#log li")).to_have_count(0)
    play(ben)
    expect(ada.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position 0 of {number(ben)}")
    ada.get_by_role("button", name="Back to the table").click()
    ada.wait_for_selector("#board .ready", state="attached")
    assert turn(ada) == "0"


def test_record_is_downloaded(finished: Page) -> None:
    finished.locator("#menu").click()
    with finished.expect_download() as download:
        finished.get_by_role("button", name="Download the record").click()
    record = json.loads(download.value.path().read_text())
    assert record["format"] == "strandline record 4"
    assert len(record["moves"]) == number(finished)


def test_a_game_is_saved_for_a_study_when_everybody_agrees(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("up_the_river", "here", "bot:random", "here", options={"round_limit": 1}))
    while wait_for_decision(page):
        play(page)
    page.locator("#menu").click()
    page.get_by_role("button", name="Save for a study").click()
    asked = page.get_by_role("dialog", name="Save for a study")
    save = asked.get_by_role("button", name="Save")
    expect(asked.get_by_role("checkbox")).to_have_count(2)
    for box in asked.get_by_role("checkbox").all():
        expect(save).to_be_disabled()
        box.check()
    assert violations(page) == []
    with page.expect_download() as download:
        save.click()
    kept = json.loads(download.value.path().read_text())
    assert kept["agreed"] == [0, 2] and {seat["name"] for seat in kept["record"]["seats"]} == {""}
    assert len(kept["record"]["moves"]) == number(page)


def test_verify_says_plainly_what_it_found(finished: Page) -> None:
    finished.get_by_role("button", name="Verify the dice").click()
    expect(finished.locator("#verdict[data-verdict=passed]")).to_contain_text("cannot vouch for every one")  # of bots
    assert finished.locator("#verdict li").count() >= 2


def test_verify_waits_for_the_end(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("up_the_river", "here", "bot:random"))
    page.locator("#menu").click()
    page.get_by_role("button", name="Fair dice").click()
    expect(page.locator("#verdict[data-verdict=open]")).to_contain_text("still secret")


@pytest.fixture
def shelf(visitor: Visitor, tmp_path: Path) -> Iterator[Visitor]:
    """Somebody who looks at a record from a file."""
    reader = Visitor(visitor.browser, Server(tmp_path), visitor.faults)
    yield reader
    reader.server.stop()


def test_a_record_from_a_file_opens_in_the_browser(finished: Page, shelf: Visitor) -> None:
    page = shelf.open(shelf.server.replay(record_of(finished)))
    expect(page.locator("#replay input")).to_have_attribute("aria-valuetext", f"Position 0 of {number(finished)}")
    page.get_by_role("button", name="Last position").click()
    expect(page.locator("#log li")).to_have_count(number(finished))
    page.get_by_role("button", name="Back to the table").click()
    page.get_by_role("button", name="Verify the dice").click()
    expect(page.locator("#verdict[data-verdict=passed]")).to_be_visible()


def test_verify_fails_for_a_changed_record(finished: Page, shelf: Visitor) -> None:
    record, line = changed(record_of(finished))
    page = shelf.open(shelf.server.replay(record))
    page.get_by_role("button", name="Back to the table").click()
    page.get_by_role("button", name="Verify the dice").click()
    verdict = page.locator("#verdict[data-verdict=failed]")
    expect(verdict).to_contain_text("Something is wrong with this record.")
    expect(verdict).to_contain_text(f"Line {line} is not what the seeds and the links give.")


def changed(record: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The record with another roll in one line that still goes with all moves after it, and the line."""
    for i, by in enumerate(record["by"]):
        for said in (f"roll {face}" for face in range(1, 6) if by == "chance"):
            moves = [*record["moves"][:i], said, *record["moves"][i + 1 :]]
            try:
                laid_out(from_json({**record, "moves": moves}))
            except BadRecord:
                continue
            if moves != record["moves"]:
                return {**record, "moves": moves}, i + 1
    raise AssertionError("No roll can be changed.")
