"""What people do with each other at a table: kind words, a clock, open seats."""

import re

from playwright.sync_api import expect

from web.browser import Visitor, play, wait_for_decision

REEF = "reef_route"


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
    ben.keyboard.press("Escape")
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


def test_a_finished_game_is_shared_and_counted(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(REEF, "here", "here", names=["Ada", "Ben"], options={"limit": 1}))
    while wait_for_decision(page):
        play(page)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("textbox", name="Link to the replay")).to_have_value(re.compile(r"/table/\w+\?at=0$"))
    film = page.get_by_role("link", name="Moving picture of the whole game").get_attribute("href") or ""
    assert page.request.get(film).ok
    page.keyboard.press("Escape")
    page.get_by_role("link", name="All games").first.click()
    page.get_by_role("button", name="Scoreboard").click()
    expect(page.locator(".scoreboard tbody").first.locator("tr")).to_have_count(2)
    expect(page.locator(".scoreboard")).to_contain_text("Ada")
    page.get_by_role("button", name="Wipe the scoreboard").click()
    page.get_by_role("button", name="Wipe", exact=True).click()
    expect(page.locator(".scoreboard")).to_contain_text("Nobody has finished a game")
