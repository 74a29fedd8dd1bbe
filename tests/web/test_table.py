"""What people do at a table: alone, together at one screen, by link, away and back."""

import re
from signal import SIGKILL, SIGSTOP

import pytest
from playwright.sync_api import Page, Route, expect

import strandline
from server.helpers import token_of
from web.browser import (
    AT_ONCE,
    PHONE,
    Server,
    Swift,
    Visitor,
    games_of,
    number,
    play,
    press,
    ready_shape,
    record_of,
    tap,
    turn,
    wait_for_decision,
    wait_for_table,
    wait_past,
)

RIVER = "up_the_river"  # short, with dice; a roll may pass the turn on
REEF = "reef_route"  # seats place their fish in turn before the first roll


def test_two_clicks_start_a_game_against_a_bot(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Play Up the River", exact=True).click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#moves button")
    assert turn(page) == "0"
    assert re.fullmatch(r"[a-z0-9]{16}", page.get_attribute("main", "data-table") or "")
    expect(page.locator("#seats li")).to_have_count(2)
    expect(page.locator("#seats")).to_contain_text("bot")


def test_lobby_offers_every_game_with_facts_and_options(visitor: Visitor) -> None:
    page = visitor.open()
    for name in strandline.games():
        game = strandline.game(name)
        card = page.locator(f'.card[data-game="{name}"]')
        expect(card.locator("h3")).to_have_text(game.title)
        expect(card).to_contain_text(game.facts.tagline)
        expect(card).to_contain_text(f"{game.facts.minutes} minutes")
        card.get_by_role("button", name="Play", exact=False).first.click()
        if game.options:
            page.get_by_text("Game options").click()
        for option in game.options.values():
            expect(page.locator(f"#option-{option.name}")).to_be_visible()
        page.get_by_role("button", name="Close").click()


def test_the_picture_of_a_game_leads_where_its_first_button_does(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator('.card[data-game="up_the_river"] .picture').click()
    page.wait_for_url("**/learn/**")  # whoever is new to a game begins there


def test_chosen_options_names_and_seats_reach_the_table(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Play Up the River", exact=True).click()
    page.get_by_text("3", exact=True).click()
    page.get_by_label("Name of seat 1").fill("Ada")
    page.get_by_label("Who plays seat 2").select_option("link")
    page.get_by_text("Game options").click()
    page.get_by_label("High tide").fill("7")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/table/**")
    wait_for_table(page)  # a first roll of six passes the turn on, to a friend who has not come yet
    record = page.request.get(
        f"{visitor.server.address}/api/tables/{page.get_attribute('main', 'data-table')}/record"
    ).json()
    assert record["options"]["tide_start"] == 7
    assert [seat["kind"].partition(":")[0] for seat in record["seats"]] == ["here", "link", "bot"]
    expect(page.locator("#seats li").first).to_contain_text("Ada")
    page.get_by_role("button", name="Let others join").click()
    link = page.locator("dialog[open] input").input_value()
    page.keyboard.press("Escape")
    friend = visitor.open(link.removeprefix(visitor.server.address))
    friend.get_by_role("button", name="Sit down").click()
    expect(friend.locator("#seats li.yours")).to_have_count(1)
    expect(page.locator("#invite")).to_be_empty()  # the friend has come


@pytest.mark.parametrize("size", [PHONE, {"width": 800, "height": 600}], ids=["phone", "small"])
def test_options_that_do_not_go_together_are_refused_in_sight(visitor: Visitor, size: dict[str, int]) -> None:
    page = visitor.open(viewport=size)
    page.get_by_role("button", name="Play Up the River", exact=True).click()
    page.get_by_text("Game options").click()
    tide, start = page.get_by_label("High tide"), page.get_by_role("button", name="Start")
    tide.fill("9")
    start.click()
    refusal = page.locator("dialog[open]").get_by_role("alert")
    expect(refusal).to_have_text("Sandbank and High tide must differ: two cards cannot lie at one place.")
    expect(refusal).to_be_in_viewport(ratio=1)
    expect(start).to_be_focused()
    tide.fill("7")
    expect(refusal).to_have_count(0)
    tide.fill("9")
    start.click()
    expect(refusal).to_have_count(1)
    page.route("**/api/tables", lambda route: None)  # whose answer does not come
    start.click()
    expect(refusal).to_have_count(0)
    visitor.faults.clear()  # the browser itself reports the refusals


def test_the_set_up_says_where_bots_are_slow(visitor: Visitor) -> None:
    page = visitor.open()
    expect(page.locator(".card")).not_to_have_count(0)
    offer = page.request.get(f"{visitor.server.address}/api/games").json()
    for game in offer["games"]:
        game["warning"] = "Bots take long." if game["name"] == "undertow" else None
    page.route("**/api/games", lambda route: route.fulfill(json=offer))
    page.reload()
    for title, times in (("Undertow", 1), ("Up the River", 0)):
        page.get_by_role("button", name=f"Play {title}", exact=True).click()
        expect(page.locator("form.setup").get_by_text("Bots take long.")).to_have_count(times)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("width", [360, 390, 450, 600, 1440])
def test_no_choice_is_cut_off_in_the_set_up(visitor: Visitor, width: int) -> None:
    page = visitor.open(viewport={"width": width, "height": 740}, locale="de-DE")
    page.locator(".card[data-game=up_the_river] .card-words button").first.click()
    for summary in page.locator("form.setup summary").all():
        summary.click()  # long enough to be scrolled, where a bar may take room
    fits = """all => all.map((choice) => {
      const room = choice.offsetWidth;
      choice.style.justifySelf = "start";
      const wanted = choice.offsetWidth; // that of its longest words
      choice.style.justifySelf = "";
      return [choice.name, wanted, room];
    })"""
    choices = page.locator("form.setup select").evaluate_all(fits)
    assert len(choices) > 2 and all(wanted <= room for _, wanted, room in choices), choices


def test_a_number_that_cannot_be_is_shown_again(visitor: Visitor) -> None:
    page = visitor.open(viewport=PHONE)
    page.get_by_role("button", name="Play Up the River", exact=True).click()
    page.get_by_text("Game options").click()
    page.get_by_label("High tide").fill("11")
    page.get_by_text("Game options").click()  # folded away again
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_label("High tide")).to_be_focused()
    expect(page.get_by_label("High tide")).to_be_in_viewport(ratio=1)


def test_recent_tables_are_remembered_and_forgotten(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    page.get_by_role("link", name="All games").click()
    page.locator("#tables").get_by_role("link", name="Up the River").click()
    page.wait_for_selector("#moves button")
    page.get_by_role("link", name="All games").click()
    page.get_by_role("button", name="Remove Up the River").click()
    expect(page.locator("#recent")).to_be_hidden()


def test_a_table_that_is_removed_while_the_lobby_asks_stays_removed(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    page.goto(visitor.server.address + visitor.make(REEF, "here", "bot:random")["page"])
    wait_for_table(page)
    asked: list[Route] = []
    page.route("**/api/tables/status", lambda route: asked.append(route))
    with page.expect_request("**/api/tables/status"):
        page.goto(visitor.server.address)
    page.get_by_role("button", name="Remove Up the River").click()
    expect(page.locator("#tables li")).to_have_count(1)
    asked[0].continue_()
    expect(page.locator("#tables")).to_contain_text("Your turn")  # the answer to the first question has come
    assert page.locator("#tables li").count() == 1


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open()
    page.wait_for_selector(".card")
    press_until(page, "Tab", "Play Up the River")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "Start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves button")
    while not in_moves(page):
        page.keyboard.press("Tab")
    while wait_for_decision(page):
        page.wait_for_function("() => document.activeElement.closest('#moves')")  # it comes back by itself
        seen = number(page)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        wait_past(page, seen)
    expect(page.locator("#prompt")).to_contain_text("The game is over")


def press_until(page: Page, key: str, label: str) -> None:
    for _ in range(60):
        page.keyboard.press(key)
        if label == page.evaluate("() => document.activeElement.ariaLabel ?? document.activeElement.textContent"):
            return
    raise AssertionError(f"{label} cannot be reached with {key}.")


def in_moves(page: Page) -> bool:
    return bool(page.evaluate("() => !!document.activeElement.closest('#moves')"))


def test_clicks_narrow_and_escape_cancels(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("reef_route", "here", "bot:random"))
    while (
        not page.locator("#moves button", has_text=re.compile("forward|up|down")).count()
        or page.locator("#moves button").count() < 2
    ):
        play(page)
        wait_for_decision(page)
    shape = ready_shape(page)
    page.mouse.click(shape["x"], shape["y"])
    expect(page.locator("#board .chosen")).to_have_id(shape["id"])
    expect(page.locator("#board .ready").first).not_to_have_id(shape["id"])
    page.keyboard.press("Escape")
    expect(page.locator("#board .chosen")).to_have_count(0)
    page.mouse.click(shape["x"], shape["y"])
    expect(page.locator("#board .chosen")).to_have_count(1)
    page.locator("#story h2").click()
    expect(page.locator("#board .chosen")).to_have_count(0)


def test_hot_seat_without_secrets_names_whose_turn_it_is(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(REEF, "here", "here", names=["Ada", "Ben"]))
    for name in ("Ada", "Ben", "Ada"):
        expect(page.locator("#prompt")).to_contain_text(f"{name}, it’s your turn")
        play(page)


def test_hot_seat_covers_what_is_secret(visitor: Visitor) -> None:
    secret = next(game["name"] for game in games_of(visitor.server, visitor.browser) if game["secrets"])
    page = visitor.sit(visitor.make(secret, "here", "here", "here", names=["Ada", "Ben", "Cy"]))
    for _ in range(150):
        assert wait_for_decision(page)
        if page.locator("#here").count():
            break
        look = page.locator('#moves button[data-move^="seagull"]')
        play(page, look.first.get_attribute("data-move") if look.count() else None)
    expect(page.locator("#cover")).to_contain_text("are you there?")
    assert page.locator("#moves button").count() == 0
    page.locator("#here").click()
    page.wait_for_selector("#moves button")
    expect(page.locator("#cover")).to_be_hidden()


def test_two_browsers_by_link_and_a_spectator(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", "Ben"])
    ada, ben, watcher = visitor.sit(table), visitor.sit(table, 1), visitor.sit(table, -1)
    twin = visitor.sit(table, 1)  # two tabs of one seat
    assert ben.locator("#moves button").count() == 0
    expect(ben.locator("#prompt")).to_contain_text("Waiting for Ada")
    play(ada)
    for page in (ben, twin, watcher):
        wait_past(page, 0)
    ben.wait_for_selector("#moves button")
    twin.wait_for_selector("#moves button")
    assert watcher.locator("#moves button").count() == 0
    play(ben)
    ada.wait_for_selector("#moves button")
    expect(twin.locator("#moves button")).to_have_count(0)
    expect(ada.locator("#log li").nth(1)).to_contain_text("You place")
    expect(watcher.locator("#log li").nth(1)).to_contain_text("Ada places")


def test_the_keyboard_never_loses_its_place(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    wait_for_decision(page)
    seen = number(page)
    page.locator("#moves button").first.focus()
    page.keyboard.press("Enter")
    wait_past(page, seen)
    for name in ("Undo", "Replay", "Back to the table", "Change the name of Seat 0"):
        wait_for_decision(page)
        seen = number(page)
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("Enter")
        if name == "Undo":
            wait_past(page, seen)
        if page.locator("dialog[open]").count():
            page.keyboard.type("Ada")
            page.keyboard.press("Enter")
            expect(page.locator("#seats")).to_contain_text("Ada")
        page.wait_for_function("() => document.activeElement !== document.body")


def test_names_are_text_and_nothing_else(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    page.get_by_role("button", name="Change the name").first.click()
    page.get_by_label("Name", exact=True).fill("<b>Ada</b>")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#seats li").first).to_contain_text("<b>Ada</b>")
    assert page.locator("#table b").count() == 0


def test_connection_comes_back_by_itself(visitor: Visitor, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = Server(tmp_path_factory.mktemp("other"))
    other.start()
    guest = Visitor(visitor.browser, other)
    page = guest.sit(guest.make(RIVER, "here", "bot:random"))
    play(page)
    wait_for_decision(page)
    seen, lines = number(page), page.locator("#log li").count()
    other.stop(SIGKILL)
    expect(page.locator("#banner")).to_contain_text("The connection is lost")
    other.start()
    expect(page.locator("#banner")).to_be_hidden()
    assert (number(page), page.locator("#log li").count()) == (seen, lines)
    play(page)
    page.reload()
    page.wait_for_selector("#log li")
    assert number(page) > seen
    other.stop()


def test_a_move_that_is_never_answered_is_not_waited_for(
    visitor: Visitor, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Server(tmp_path_factory.mktemp("other"))
    other.start()
    guest = Visitor(visitor.browser, other)
    page = guest.sit(guest.make(REEF, "here", "here"))
    page.wait_for_selector("#board .ready", state="attached")
    assert other.process is not None
    other.process.send_signal(SIGSTOP)
    page.locator("#moves button").first.click()
    expect(page.locator("#moves.sending")).to_be_attached()
    other.stop(SIGKILL)
    expect(page.locator("#note")).to_contain_text("may not have reached the server")
    expect(page.locator("#moves.sending")).to_have_count(0)


def test_takeover_by_vote_and_return(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "link", "link", names=["Ada", "Ben", "Cy"])
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    expect(ben.locator("#seats li").nth(0)).not_to_contain_text("away")
    ada.get_by_role("button", name="Let a bot play for Cy").click()
    expect(ada.locator(".vote")).to_contain_text("Waiting for Ben")
    ben.locator(".vote").get_by_role("button", name="Yes").click()
    expect(ada.locator("#seats li").nth(2)).to_contain_text("a bot plays")
    cy = visitor.sit(table, 2)
    expect(cy.locator("#seats li").nth(2)).to_contain_text("you")
    expect(ada.locator("#seats li").nth(2)).not_to_contain_text("bot")


@pytest.mark.slow
def test_takeover_after_the_time_that_the_table_chose(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", "Ben"], takeover_after=60)
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    expect(ada.locator("#seats li").nth(1)).not_to_contain_text("away")
    ben.context.close()
    expect(ada.locator("#seats li").nth(1)).to_contain_text("away")
    play(ada)
    expect(ada.locator("#seats li").nth(1)).to_contain_text("a bot plays")
    ada.wait_for_selector("#moves button")  # the bot has moved
    expect(ada.locator("#log li .tag")).to_have_count(1)
    ben = visitor.sit(table, 1)
    expect(ada.locator("#seats li").nth(1)).not_to_contain_text("bot")
    play(ada)
    wait_for_decision(ben)
    play(ben)
    assert record_of(ben)["by"][-1] == 1


def test_leaving_asks_once_and_the_link_brings_back(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "link", names=["Ada", "Ben"])
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    ben.locator("#menu").click()
    ben.get_by_role("button", name="Leave the table").click()
    expect(ben.locator("dialog[open]")).to_contain_text("a bot can play for Ben until you are back")
    ben.get_by_role("button", name="Let a bot play for me").click()
    ben.wait_for_url(visitor.server.address + "/")
    expect(ada.locator("#seats li").nth(1)).to_contain_text("a bot plays")
    ben.goto(visitor.server.address + table["seats"][1]["link"])
    expect(ada.locator("#seats li").nth(1)).not_to_contain_text("bot")


def test_leaving_bots_is_pausing(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(REEF, "here", "bot:random"))
    play(page)
    wait_for_decision(page)
    seen, table = number(page), page.url
    page.locator("#menu").click()
    page.get_by_role("button", name="Leave the table").click()
    page.wait_for_url(visitor.server.address + "/")
    page.goto(table)
    wait_for_decision(page)
    assert number(page) == seen


def test_undo_alone_is_free(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    play(page)
    wait_for_decision(page)
    seen = number(page)
    page.get_by_role("button", name="Undo").click()
    wait_past(page, seen)
    assert page.locator("#log li.dropped").count() > 0
    expect(page.locator("#log li").first).to_contain_text("took back a move")
    play(page)
    wait_for_decision(page)
    seen = number(page)
    page.get_by_role("button", name="Undo").click()
    wait_past(page, seen)
    expect(page.locator("#log li:not(.dropped)", has_text="took back a move")).to_have_count(2)
    page.reload()
    page.wait_for_selector("#log li.dropped")


def test_undo_across_the_move_of_another_needs_everybody(visitor: Visitor) -> None:
    table = visitor.make(REEF, "here", "link", names=["Ada", "Ben"])
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    play(ada)
    play(ben)
    wait_past(ada, 1)
    seen = number(ada)
    ada.get_by_role("button", name="Ask to undo").click()
    expect(ada.locator(".vote")).to_contain_text("Waiting for Ben")
    ben.locator(".vote").get_by_role("button", name="No").click()
    for page in (ada, ben):
        expect(page.locator(".vote")).to_have_count(0)
    assert number(ada) == seen
    ada.get_by_role("button", name="Ask to undo").click()
    ben.locator(".vote").get_by_role("button", name="Yes").click()
    wait_past(ada, seen)
    ada.wait_for_selector("#moves button")


def test_hint_marks_a_legal_move(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    wait_for_decision(page)
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    expect(page.locator("#moves .hinted")).to_have_count(1)
    expect(hint).to_be_enabled()
    expect(page.locator("#prompt")).to_contain_text("A bot would play")


IN_SIGHT = """
() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const shapes = [...document.querySelectorAll("#board .ready")].map((shape) => shape.getBoundingClientRect());
  return shapes.length > 0 && shapes.every(({ top, bottom }) => top >= box("bar").bottom && bottom <= box("play").top);
}
"""
"""All that can be clicked lies open, between the bar above and the moves below."""


def test_what_can_be_clicked_is_in_sight_on_a_phone(visitor: Visitor) -> None:
    """A swimmer on the beach, then the lane in which it starts: the board is longer than the window."""
    page = visitor.sit(visitor.make("undertow", "here", "here"), viewport=PHONE)
    wait_for_decision(page)
    page.wait_for_function(IN_SIGHT)
    assert page.evaluate("() => document.getElementById('play').getBoundingClientRect().bottom >= innerHeight - 1")
    page.locator("#board .ready").first.click()
    page.wait_for_function("() => document.querySelector('#board .chosen')")
    page.wait_for_function(IN_SIGHT)


def test_who_has_won_is_in_sight_on_a_phone(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here", options={"round_limit": 1}), viewport=PHONE)
    while wait_for_decision(page):
        page.evaluate("scrollTo(0, 300)")
        play(page)
    page.wait_for_function("() => scrollY === 0")


def test_a_phone_scrolls_no_further_than_what_is_there(visitor: Visitor) -> None:
    """However long the log: it is scrolled by itself."""
    page = visitor.sit(visitor.make("undertow", "here", "here"), viewport=PHONE)
    while page.locator("#log li").count() <= 12:
        play(page)
    end = "document.getElementById('story').getBoundingClientRect().bottom + scrollY"
    assert page.evaluate(f"() => document.documentElement.scrollHeight - ({end})") < 20


def test_a_lone_move_is_played_for_me(visitor: Visitor) -> None:
    """Whoever takes the last turn-order card in Over the Next Dune has no choice."""
    page = visitor.sit(visitor.make("over_the_next_dune", "here", "here"), settings={"pace": "none", "single": True})
    tap(page)
    order = "() => document.querySelector('#moves button[data-move^=order]')"
    page.wait_for_function(order)
    while page.locator("#moves button").count() > 2:
        play(page)
    play(page)
    page.wait_for_function(f"() => !({order})()")


def test_an_answer_is_given_for_me_when_i_have_asked_for_it(visitor: Visitor) -> None:
    table = visitor.make("sand_castles", "here", "here")
    host = visitor.server.address.removeprefix("http://")
    with Swift(host, table["id"], token_of(table["page"])) as person:
        collect(person, keeping=True)
        page = visitor.sit(table)  # it takes no part in the dice, for another device does
        box = page.get_by_role("checkbox", name="Keep all my tiles when I have 4 or fewer")
        box.wait_for()
        assert not box.is_checked()
        seen = number(page)
        box.check()
        wait_past(page, seen)  # without another click
        assert record_of(page)["moves"][seen] == "keep"
        collect(person, keeping=False)
        page.reload()
        wait_for_table(page)
        page.locator("#menu").click()
        page.get_by_role("button", name="Settings").click()
        box.uncheck()
        page.get_by_role("button", name="Close").click()
        collect(person, keeping=True)
        wait_past(page, person.state["number"] - 1)
        box.wait_for()
        assert not box.is_checked()


def collect(person: Swift, keeping: bool) -> None:
    """Play until it is the turn of seat 0 and no wave has come, or one of which it may keep all tiles. Nobody builds
    anything, so that the game does not end before.
    """
    for _ in range(500):
        moves = [offer["move"] for offer in person.decide()["moves"]]
        if person.state["turn"] == 0 and ("keep" in moves) == keeping:
            return
        person.move(next((move for move in ("keep", "pass") if move in moves), moves[0]))
    raise AssertionError(f"In 500 moves seat 0 never came to a turn {'with' if keeping else 'without'} keep.")


def test_steps_of_others_are_shown_one_by_one_and_can_be_skipped(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "bot:random", "bot:random", "bot:random")
    page = visitor.sit(table, settings={"pace": "calm", "single": False}, reduced_motion="no-preference")
    page.wait_for_selector("#board .ready", state="attached")  # a first roll of six passes the turn on to the others
    play(page)
    page.wait_for_selector("#skip")
    shown = page.locator("#log li").count()
    assert shown < number(page)
    page.locator("#skip").click()
    page.wait_for_selector("#board .ready", state="attached")
    assert page.locator("#log li").count() == number(page)


def test_the_page_rests_when_nobody_does_anything(visitor: Visitor) -> None:
    """What glows breathes a few times. It must not paint the board anew for as long as somebody thinks."""
    page = visitor.sit(visitor.make("reef_route", "here", "here"), reduced_motion="no-preference")
    page.wait_for_selector("#board .ready > .ring", state="attached")
    breaths = page.evaluate("() => document.getAnimations().map((one) => one.effect.getComputedTiming().iterations)")
    assert breaths and all(count < 10 for count in breaths)


def test_pieces_glide_and_leave_a_trail(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"), reduced_motion="no-preference", settings={**AT_ONCE})
    page.evaluate(
        """() => {
          window.glides = [];
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, how) {
            if (this.id) window.glides.push([this.id, how.duration]);
            return animate.call(this, frames, how);
          };
        }"""
    )
    play(page, "sail 1")  # which the current may undo, but then it has moved other boats
    page.wait_for_selector("#board .trail", state="attached")
    times = [time for shape, time in page.evaluate("() => window.glides") if shape.startswith("boat-")]
    assert times and all(400 <= time <= 700 for time in times)
    page.reload()
    page.wait_for_selector("#board .trail", state="attached")  # whoever comes later sees it too


def test_nothing_moves_for_those_who_want_stillness(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"), reduced_motion="reduce")
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('It moves.'); }; }")
    play(page)
    wait_for_decision(page)
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_dice_are_shown_to_everybody(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "here")
    ada, watcher = visitor.sit(table), visitor.sit(table, -1)
    wait_for_decision(ada)
    wait_past(watcher, number(ada) - 1)
    for page in (ada, watcher):
        expect(page.locator("#outcome > *")).to_have_count(1)
        expect(page.locator("#log li").first).to_contain_text("rolled a")
        rolled = re.search(r"rolled a (\d)", page.locator("#log li").first.inner_text())
        assert rolled
        pips = int(rolled[1]) % 6  # a six is drawn as wind, without pips
        expect(page.locator("#outcome circle")).to_have_count(pips)


def test_rematch_turns_the_seats(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "link", names=["Ada", "Ben"], options={"round_limit": 1})
    ada, ben = visitor.sit(table), visitor.sit(table, 1)
    while turn(ada) != "over":
        page, other = (ada, ben) if turn(ada) == "0" else (ben, ada)
        press(page, page.locator("#moves button").first)  # a roll or a move: a six passes the turn on
        wait_past(other, number(page) - 1)
    ada.get_by_role("button", name="Rematch").click()
    ada.wait_for_url(lambda address: table["id"] not in address)
    ben.get_by_role("link", name="Go to the rematch").click()
    expect(ben.locator("#seats li").first).to_contain_text("Ben")
    expect(ada.locator("#seats li.yours")).to_contain_text("Ada")


def test_theme_follows_the_system_or_the_switch(visitor: Visitor) -> None:
    page = visitor.open(color_scheme="dark")
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Light", exact=True).click()
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert light != dark
    page.reload()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == light


@pytest.mark.parametrize("path", ["lobby", "table"])
def test_nothing_is_wider_than_a_phone(visitor: Visitor, path: str) -> None:
    table = visitor.make(RIVER, "here", "here", "here", "here", names=[f"{'W' * 23}{seat}" for seat in range(4)])
    page = visitor.sit(table, viewport=PHONE) if path == "table" else visitor.open(viewport=PHONE)
    page.wait_for_selector(".card" if path == "lobby" else "#moves button")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    if path == "table":
        box = page.locator("#board svg").bounding_box()
        assert box and box["width"] == PHONE["width"]
        cards = "[...document.querySelectorAll('#board [id^=seat-]')]"
        spilt = "card => card.querySelector('text').getBoundingClientRect().right > card.getBoundingClientRect().right"
        assert page.evaluate(f"() => {cards}.filter({spilt}).length") == 0


def test_there_is_room_for_the_prompt_beside_many_dice(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"))
    die = "Object.assign(document.createElement('span'), { className: 'die' })"
    for width in (360, 800, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(f"() => {{ outcome.hidden = false; outcome.replaceChildren({', '.join([die] * 4)}); }}")
        box = page.locator("#prompt").bounding_box()
        assert box and box["width"] > 100 and box["height"] < 130, (width, box)


SAY = """
async (sentences) => {
  const { fitPrompt } = await import("/static/bar.js");
  const place = document.getElementById("prompt");
  return sentences.map((sentence) => {
    place.textContent = sentence;
    fitPrompt();
    return [bar.offsetHeight, parseFloat(getComputedStyle(place).fontSize), bar.matches(".cut")];
  });
}
"""


def test_on_a_phone_the_bar_keeps_its_height_whatever_it_says(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"), viewport=PHONE)
    for width in (320, 360, 480):
        page.set_viewport_size({"width": width, "height": 740})
        told = page.evaluate(SAY, [" ".join(["Strandburg"] * n) for n in (1, 9, 60, 1)])
        heights, sizes, cut = zip(*told, strict=True)
        assert set(heights) == {81}
        assert sizes[0] == sizes[3] == 15 and sizes[1] >= sizes[2] == 11
        assert cut == (False, False, True, False)


def test_the_menu_is_in_groups(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    page.locator("#menu").press("Enter")
    box = page.get_by_role("dialog")
    assert box.get_by_role("heading", level=3).all_inner_texts() == ["Help", "This game", "This table"]
    for group, first in (("Help", "How to play"), ("This game", "Replay"), ("This table", "Say something kind")):
        inside = box.get_by_role("group", name=group, exact=True)
        expect(inside.get_by_role("button").first).to_have_text(first)
        inside.get_by_role("button").first.focus()
        page.keyboard.press("Tab")
        expect(inside.locator(":focus")).to_have_count(1)  # from one to the next
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)


def test_rules_and_guide_are_a_click_away(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    for item in ("How to play", "All the rules"):
        page.locator("#menu").click()
        page.get_by_role("button", name=item).click()
        expect(page.locator("dialog[open] .page p").first).to_be_visible()
        page.keyboard.press("Escape")


def test_wrong_links_say_so(visitor: Visitor) -> None:
    for name in ("nosuchtable23456", "Cut-off..."):
        page = visitor.open(f"/table/{name}")
        expect(page.get_by_role("alert")).to_contain_text("There is no such table.")
        expect(page.get_by_text("There is no such table.")).to_have_count(1)
        expect(page.get_by_role("link", name="All games")).to_have_count(2)
    table = visitor.make(RIVER, "here", "bot:random")
    stranger = visitor.open(f"{table['watch']}#{'x' * 32}")
    expect(stranger.get_by_role("alert")).to_contain_text("does not match a seat")
    visitor.faults.clear()  # the browser itself reports that the first page was not found
