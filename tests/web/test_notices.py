"""How a page tells that it is one's turn."""

import json

from playwright.sync_api import Page, expect

from web.browser import Visitor, play, wait_for_table

REEF = "reef_route"


def icon(page: Page) -> str:
    return str(page.locator('link[rel="icon"]').get_attribute("href")).rpartition("/")[2]


def test_title_and_icon_say_whose_turn_it_is(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link")
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    ada.wait_for_selector("#moves button")
    assert icon(ada) == "favicon-turn.svg" and "Your turn" in ada.title()
    assert icon(ben) == "favicon.svg" and "Your turn" not in ben.title()
    play(ada)
    ben.wait_for_function("() => document.title.includes('Your turn')")
    assert icon(ben) == "favicon-turn.svg"


def test_a_push_message_is_shown_and_withdrawn_when_it_is_seen(visitor: Visitor) -> None:
    """Without a push service in reach the page itself notifies; the message is delivered as the browser would."""
    table = visitor.make(REEF, "here", "link")
    page = visitor.sit(table, permissions=["notifications"])
    page.locator("#menu").click()
    page.get_by_role("button", name="Tell me when it is my turn").click()
    expect(page.locator("dialog[open]")).to_contain_text("You are not notified yet.")
    page.get_by_role("button", name="Notify me on this device").click()
    expect(page.locator("dialog[open]")).not_to_contain_text("You are not notified yet.")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)

    def deliver(body: str, withdrawn: bool) -> None:
        where = visitor.server.address + table["watch"]
        message = {"title": "Reef Route", "body": body, "tag": table["id"], "page": where, "withdrawn": withdrawn}
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": visitor.server.address, "registrationId": found[-1], "data": json.dumps(message)},
        )

    def wait_for_notices(*bodies: str) -> None:
        shown = (
            "navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((all) => all.map((n) => n.body))"
        )
        page.wait_for_function(f"bodies => {shown}.then((all) => `${{all}}` === bodies)", arg=",".join(bodies))

    deliver("Your turn", withdrawn=False)
    wait_for_notices("Your turn")
    deliver("Seen", withdrawn=True)  # on another device: it takes the place of the notice, and then goes by itself
    wait_for_notices("Seen")
    wait_for_notices()
    deliver("Seen", withdrawn=True)
    deliver("Your turn again", withdrawn=False)
    wait_for_notices("Your turn again")
    page.evaluate(f"() => localStorage.setItem('strandline.notices', JSON.stringify({{'{table['id']}': 'push'}}))")
    page.keyboard.press("Escape")
    play(page)
    wait_for_notices()
    page.locator("#menu").click()
    page.get_by_role("button", name="Tell me when it is my turn").click()
    page.get_by_role("button", name="Stop all notices").click()
    expect(page.locator("dialog[open]")).to_contain_text("You are not notified yet.")
    visitor.faults[:] = [fault for fault in visitor.faults if "Push API in incognito" not in fault]  # it has none


BEHIND = """
Object.defineProperty(document, "hidden", { get: () => true });
window.told = [];
window.Notification = class extends EventTarget {
  constructor(title) {
    super();
    told.push(this);
    this.title = title;
  }
  close() {
    told.splice(told.indexOf(this), 1);
  }
};
"""
"""A page in a window behind others, and a browser whose notices can be counted."""


def test_a_page_behind_others_notifies_unless_another_device_is_looked_at(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link")
    ada, laptop = visitor.sit(table), visitor.sit(table, 1)
    laptop.evaluate(f"() => localStorage.setItem('strandline.notices', JSON.stringify({{'{table['id']}': 'page'}}))")
    laptop.add_init_script(BEHIND)
    laptop.clock.install()
    heard: list[str | bytes] = []
    laptop.on("websocket", lambda line: line.on("framereceived", lambda said: heard.append(said)))
    laptop.reload()
    wait_for_table(laptop)
    phone = visitor.sit(table, 1)

    def wait_for_ben() -> None:
        laptop.wait_for_function("() => document.title.includes('Your turn')")

    def notices() -> int:
        laptop.clock.run_for(6000)
        return int(laptop.evaluate("() => told.length"))

    play(ada)
    wait_for_ben()
    while not any('"seen"' in str(said) for said in heard):
        laptop.wait_for_timeout(20)
    assert notices() == 0
    play(phone)
    phone.context.close()
    play(ada)
    wait_for_ben()
    assert notices() == 1
    visitor.sit(table, 1)
    laptop.wait_for_function("() => told.length === 0")
