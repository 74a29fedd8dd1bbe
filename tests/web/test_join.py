"""Coming to a table: by invitation, by code, with a second device."""

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from web.browser import PHONE, Visitor, wait_for_table

REEF = "reef_route"


def test_a_friend_sits_down_by_invitation(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", None])
    ada = visitor.sit(table)
    expect(ada.locator("#seats li").nth(1)).to_contain_text("not here yet")
    link = table["seats"][1]["link"]
    ada.locator("#invite").get_by_role("button", name="Let others join").click()
    expect(ada.locator("dialog[open] .place").get_by_role("button")).not_to_have_count(0)
    ben = visitor.open(link, viewport=PHONE)
    ben.get_by_label("Your name").fill("ada")
    ben.keyboard.press("Enter")
    expect(ben.locator("dialog[open] [role=alert]")).to_contain_text("Somebody else is called ada")
    visitor.faults.clear()  # the browser's own word on a refused request
    ben.get_by_label("Your name").fill("Ben")
    ben.keyboard.press("Enter")
    expect(ben.locator("#seats li.yours")).to_contain_text("Ben")
    assert "invite=" not in ben.url and len(ben.url.partition("#")[2]) == 32
    expect(ada.locator("#seats li").nth(1)).to_contain_text("Ben")
    expect(ada.locator("#invite")).to_be_empty()
    expect(ada.locator("dialog[open] .place")).to_have_text(re.compile("Ben has sat down"))
    expect(ada.locator("dialog[open] .place").get_by_role("button")).to_have_count(0)
    ben.goto(visitor.server.address + link)  # the message with the invitation, tapped again
    expect(ben.locator("#seats li.yours")).to_contain_text("Ben")
    ben.goto(visitor.server.address + table["watch"])  # and without any key in the address
    expect(ben.locator("#seats li.yours")).to_contain_text("Ben")
    late = visitor.open(link)
    expect(late.locator("dialog[open]")).to_contain_text("used or taken back")
    late.get_by_role("button", name="Watch").click()
    wait_for_table(late)
    expect(late.locator("#seats li.yours")).to_have_count(0)


def test_invitations_are_taken_back_and_sent_anew_and_codes_typed(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Play Reef Route", exact=True).click()
    page.get_by_label("Who plays seat 2").select_option("link")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/table/**")
    wait_for_table(page)
    page.get_by_role("button", name="Let others join").click()
    expect(page.locator("dialog[open]")).to_contain_text("from this machine only")
    first = page.locator("dialog[open] input").input_value()
    page.get_by_role("button", name="New invitation").click()
    expect(page.locator("dialog[open] input")).not_to_have_value(first)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("dialog[open] input")).to_have_count(0)
    page.get_by_role("button", name="Show a code").click()
    code = page.locator(".code")
    expect(code).to_have_text(re.compile(r"[A-Z]+-\d+"))
    friend = visitor.open()
    friend.get_by_label("Join with a code").fill((code.text_content() or "").lower().replace("-", " "))
    friend.keyboard.press("Enter")
    friend.get_by_role("button", name="Sit down").click()
    expect(friend.locator("#seats li.yours")).to_have_count(1)


def test_a_wrong_code_is_told(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_label("Join with a code").fill("kelp 1")
    page.keyboard.press("Enter")
    expect(page.locator(".code-form .bad")).to_contain_text("There is no such code")
    visitor.faults.clear()


def test_the_lobby_says_who_reaches_it(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Let others join").click()
    expect(page.locator("dialog[open]")).to_contain_text("from this machine only")
    page.keyboard.press("Escape")
    there = "http://192.0.2.7:7245"
    page.route("**/api/lan", lambda route: route.fulfill(json={"open": False, "can_open": True, "addresses": []}))
    page.route(
        "**/api/lan/open", lambda route: route.fulfill(json={"open": True, "can_open": False, "addresses": [there]})
    )
    page.get_by_role("button", name="Let others join").click()
    expect(page.locator("dialog[open]")).to_contain_text("every device on it")
    page.get_by_role("button", name="Open to the local network").click()
    expect(page.locator("dialog[open] .address")).to_have_text(there)
    expect(page.get_by_role("img", name="QR code")).to_be_visible()


def test_a_seat_is_handed_on_to_a_phone(visitor: Visitor) -> None:
    tablet = visitor.sit(visitor.make(REEF, "here", "link"), color_scheme="dark")
    where = {"open": True, "can_open": False, "addresses": [visitor.server.address]}
    tablet.route("**/api/lan", lambda route: route.fulfill(json=where))
    tablet.locator("#menu").click()
    tablet.get_by_role("button", name="Play on another device").click()
    drawn = tablet.get_by_role("img", name="QR code").screenshot()
    link = tablet.locator("dialog[open] input").input_value()
    assert [found.text for found in zxingcpp.read_barcodes(Image.open(io.BytesIO(drawn)))] == [link]  # as a phone would
    phone = visitor.open(link.removeprefix(visitor.server.address), viewport=PHONE)
    phone.get_by_role("button", name="Use this device").click()
    expect(phone.locator("#seats li.yours")).to_have_count(1)
    phone.locator("#menu").click()
    phone.get_by_role("button", name="Play on another device").click()
    phone.get_by_role("button", name="Disconnect my other devices").click()
    expect(tablet.locator("#banner")).to_contain_text("does not match a seat")
