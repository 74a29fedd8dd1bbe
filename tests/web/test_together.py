"""What people do with each other at a table: kind words, a clock, open seats, pausing, sharing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from web.browser import Server, Visitor, play, wait_for_decision, wait_for_table

REEF = "reef_route"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose owner allows open tables."""
    started = Server(tmp_path_factory.mktemp("store"), ("--open-tables",))
    started.start()
    yield started
    started.stop()


def test_an_open_table_is_joined_by_one_click(visitor: Visitor) -> None:
    ada = visitor.open()
    ada.get_by_role("button", name="Play Reef Route", exact=True).click()
    ada.get_by_text("Table rules").click()
    ada.get_by_label("Name of seat 1").fill("Ada")
    ada.get_by_label("Anybody on this server may take a free seat").check()
    ada.get_by_label("Who plays seat 2").select_option("link")
    ada.get_by_role("button", name="Start").click()
    wait_for_table(ada)
    expect(ada.locator("#seats li").nth(1)).to_contain_text("not here yet")
    ben, cleo = visitor.open(), visitor.open()
    for page in (ben, cleo):
        expect(page.locator("#open-tables li")).to_contain_text("Ada · 1 free seat")
    ben.get_by_role("button", name="Join Reef Route with Ada").press("Enter")
    wait_for_table(ben)
    expect(ben.locator("#seats li.yours")).to_have_count(1)
    expect(ada.locator("#seats li").nth(1)).not_to_contain_text("not here yet")
    cleo.get_by_role("button", name="Join Reef Route with Ada").click()  # her list is an old one
    expect(cleo.locator("#note")).to_contain_text("All seats at this table are taken.")
    expect(cleo.locator("#open")).to_be_hidden()
    visitor.faults.clear()  # the browser's own word on a refused request


def test_links_at_the_machine_itself_are_for_others_only_when_it_is_open(visitor: Visitor) -> None:
    """Nobody is given an address of this machine alone to send to friends."""
    page = visitor.sit(visitor.make(REEF, "here", "link"))
    expect(page.locator("#invite")).to_contain_text("Some seats are free.")
    expect(page.locator("#invite input")).to_have_count(0)
    page.locator("#menu").click()
    expect(page.locator("dialog[open]")).to_contain_text("only this machine can open this link")
    page.keyboard.press("Escape")
    there = "http://192.0.2.7:7245"
    page.route("**/api/lan", lambda route: route.fulfill(json={"open": True, "can_open": False, "addresses": [there]}))
    page.locator("#menu").click()
    expect(page.get_by_role("textbox", name="To watch")).to_have_value(re.compile(f"^{there}/table/"))
    expect(page.locator("dialog[open]")).not_to_contain_text("only this machine")


def test_both_see_the_clock(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", "Ben"], clock=86_400 * 3)
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    play(ada)
    for page in (ada, ben):
        expect(page.locator("#clock")).to_have_text("Ben: 3 days left")


def test_kind_words_are_shown_at_the_seat_and_can_be_muted(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", "Ben"])
    ada, ben = visitor.sit(table), visitor.sit(table, 1, locale="de-DE")
    ada.locator("#menu").click()
    ada.get_by_role("button", name="Say something kind").click()
    expect(ada.locator(".emotes button")).to_have_count(13)
    ada.get_by_role("button", name="Good luck!").click()
    expect(ben.locator("#seats li").first.locator(".emote")).to_contain_text("Viel Glück!")
    ben.locator("#menu").click()
    ben.get_by_role("button", name="Etwas Nettes sagen").click()
    ben.get_by_label("Ada stumm schalten").check()
    expect(ben.locator("dialog[open] > #note.shown")).to_contain_text("Ada")  # in front of the dialog, not behind it
    ben.keyboard.press("Escape")
    expect(ben.locator("body > #note")).to_have_count(1)
    expect(ben.locator(".emote")).to_have_count(0)
    ada.locator("#menu").click()
    ada.get_by_role("button", name="Say something kind").click()
    ada.get_by_role("button", name="Wow!").click()
    expect(ada.locator(".emote")).to_contain_text("Wow!")
    expect(ben.locator(".emote")).to_have_count(0)


def test_a_clock_is_chosen_and_shown(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Play Reef Route", exact=True).click()
    page.get_by_text("Table rules").click()
    page.get_by_label("Time for a move").select_option("Three days")
    page.get_by_label("A quiet table").check()
    page.get_by_label("Who plays seat 2").select_option("here")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#moves button")
    page.locator("#moves button").first.click()
    expect(page.locator("#clock")).to_contain_text("3 days left")
    page.locator("#menu").click()
    expect(page.get_by_role("button", name="Say something kind")).to_have_count(0)


def test_the_end_says_of_each_seat_what_it_is(visitor: Visitor) -> None:
    page = visitor.sit(
        visitor.make("sand_castles", "here", "bot:random", names=["Ada", "Ben"], options={"max_rounds": 2})
    )
    while wait_for_decision(page):
        play(page)
    expect(page.locator("#ending h3")).not_to_be_empty()
    winners = page.locator("#seats li").evaluate_all("all => all.map((seat) => seat.matches('.won'))")
    ada, ben = {
        (True, False): ("Ada" + "you have won", "Ben" + "bot, random"),
        (False, True): ("Ada" + "you", "Ben" + "has won" + "bot, random"),
        (True, True): ("Ada" + "you have shared the win", "Ben" + "has shared the win" + "bot, random"),
    }[tuple(winners)]
    expect(page.locator("#seats .who")).to_have_text([ada, ben])


RESULTS: list[dict[str, Any]] = [
    {"table": "a", "names": ["Ada"], "won": ["Ada"], "shared": True},
    {"table": "b", "names": ["Ada", "Ben"], "won": ["Ben"], "shared": False},
    {"table": "c", "names": ["Ada", "Ben"], "won": ["Ada"]},  # as it was kept before
]


def test_a_shared_win_is_counted_as_one(visitor: Visitor) -> None:
    page = visitor.open()
    keep = "all => localStorage.setItem('strandline.results', JSON.stringify(all))"
    now = page.evaluate("() => Date.now()")
    results = [{**result, "when": now} for result in RESULTS]
    page.evaluate(keep, results[1:])
    rows = page.locator(".scoreboard table").first.locator("tr")
    page.get_by_role("button", name="Scoreboard").click()
    expect(rows).to_have_text(["WinsGames", "Ada12", "Ben12"])
    page.keyboard.press("Escape")
    page.evaluate(keep, results)
    page.get_by_role("button", name="Scoreboard").click()
    expect(rows).to_have_text(["WinsShared winsGames", "Ada113", "Ben102"])


def test_a_finished_game_is_shared_and_counted(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(REEF, "here", "here", names=["Ada", "Ben"], options={"limit": 1}))
    while wait_for_decision(page):
        play(page)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("textbox", name="Link to the replay")).to_have_value(re.compile(r"/table/\w+\?at=0$"))
    film = page.get_by_role("link", name="Animation of the whole game").get_attribute("href") or ""
    still = page.get_by_role("link", name="Picture of the final board").get_attribute("href") or ""
    assert page.request.get(film).ok and page.request.get(still).ok
    link = page.get_by_role("textbox", name="Link to the replay").input_value()
    watcher = visitor.open(link.removeprefix(visitor.server.address))  # without a seat, in another browser
    expect(watcher.locator("#replay input")).to_be_visible()
    expect(watcher.locator("#seats li.yours")).to_have_count(0)
    watcher.context.close()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="All games").first.click()
    page.get_by_role("button", name="Scoreboard").click()
    expect(page.locator(".scoreboard tbody").first.locator("tr")).to_have_count(2)
    expect(page.locator(".scoreboard")).to_contain_text("Ada")
    page.get_by_role("button", name="Clear the scoreboard").click()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator(".scoreboard")).to_contain_text("Nobody has finished a game")
