"""Lessons in the browser: every one by mouse, by keyboard and on a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import strandline
from strandline.lessons import script, view
from strandline.lessons.player import LEARNER, Place, Player
from web.browser import PHONE, Visitor, play, wait_for_decision

WHERE = """
id => {
  const shape = document.querySelector(`#board > svg > g [id="${id}"]`);
  shape.scrollIntoView({ block: "center" });
  const { left, top, width, height } = shape.getBoundingClientRect();
  for (const across of [0.5, 0.3, 0.7, 0.15, 0.85]) for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) {
    const [x, y] = [left + width * across, top + height * down];
    const under = document.elementsFromPoint(x, y);
    const open = document.querySelector("#board").contains(under[0]);
    if (open && under.some((each) => shape.contains(each))) return [x, y];
  }
  throw new Error(`${id} cannot be reached`);
}
"""
"""Where a shape of the board lies open to the pointer."""

Way = Callable[[Page, str, list[str]], None]
"""Does an act, for which these shapes could be tapped."""


def by_mouse(page: Page, act: str, clicks: list[str]) -> None:
    on_board(page, act, clicks, page.mouse.click)


def on_phone(page: Page, act: str, clicks: list[str]) -> None:
    on_board(page, act, clicks, page.touchscreen.tap)


def on_board(page: Page, act: str, clicks: list[str], press: Callable[[float, float], None]) -> None:
    if not clicks:
        page.locator(f'[data-act="{act}"]').click()
    for shape in clicks:
        press(*page.evaluate(WHERE, shape))


def by_keyboard(page: Page, act: str, clicks: list[str]) -> None:
    """What is to be done has the focus; the list of moves is next to it."""
    waits = page.get_attribute("#learn", "data-waits")
    page.keyboard.press("Shift")  # a key says that there is a keyboard
    if waits != "move":
        page.locator(f'[data-act="{act}"]').focus()
        page.keyboard.press("Enter")
        return
    page.locator("#choices summary").focus()
    if page.get_attribute("#choices", "open") is None:
        page.keyboard.press("Enter")
    moves = page.locator("#moves button").evaluate_all("all => all.map((each) => each.dataset.move)")
    for _ in range(moves.index(act) + 1):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


WAYS: dict[str, Way] = {"mouse": by_mouse, "keyboard": by_keyboard, "phone": on_phone}


def lessons() -> Iterator[tuple[str, str]]:
    for name in strandline.games():
        course = script.of(strandline.game(name))
        yield from ((name, lesson.name) for lesson in course.lessons)


def once() -> Iterator[ParameterSet]:
    """Every lesson by one of the ways; by the others in `make test-all`."""
    for number, (game, lesson) in enumerate(lessons()):
        for place, way in enumerate(WAYS):
            marks = [] if number % len(WAYS) == place else [pytest.mark.slow]
            yield pytest.param(game, lesson, way, marks=marks, id=f"{game}-{lesson}-{way}")


def clicks(player: Player, place: Place, act: str) -> list[str]:
    """The shapes to tap for an act; none where there is a button only."""
    step = player.step(place)
    match player.waits_for(place):
        case "move":
            return player.game.board.clicks(place.position.view(LEARNER), act)
        case "roll" if step is not None:
            return view.tapped(step, place.position.svg(LEARNER))[:1]
    return []


@pytest.mark.parametrize(("name", "lesson", "way"), list(once()))
def test_every_lesson_is_done(visitor: Visitor, name: str, lesson: str, way: str) -> None:
    game = strandline.game(name)
    course = script.of(game)
    found = course.lesson(lesson)
    assert found is not None
    how: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if way == "phone" else {}
    page = visitor.open(f"/learn/{name}#{lesson}", **how)
    player, acts = Player(game, found), 0
    place = player.start
    while player.step(place) is not None:
        for act in player.way(place) or ():
            page.wait_for_selector(f'#learn[data-acts="{acts}"]')
            WAYS[way](page, act, clicks(player, place, act))
            place, acts = player.take(place, act).place, acts + 1
    expect(page.locator(".lesson .tick")).to_have_count(1)


def test_a_wrong_move_gets_its_reason_and_can_be_tried_again(visitor: Visitor) -> None:
    page = visitor.open("/learn/up_the_river#first", locale="de")
    page.locator('[data-act="roll"]').click()
    page.wait_for_selector('#learn[data-step="1"]')
    by_mouse(page, "sail 3", ["boat-0-3"])
    expect(page.locator("#reply")).to_have_text("Das Boot könnte auch segeln. Lass zuerst Boot 1 fahren.")
    expect(page.locator("#learn")).to_have_attribute("data-step", "1")
    by_mouse(page, "sail 1", ["boat-0-1"])
    expect(page.locator("#learn")).to_have_attribute("data-step", "2")
    expect(page.locator("#told")).to_contain_text("Strömung")
    expect(page.locator("#reply")).to_be_empty()


def test_a_tap_on_what_cannot_be_used_is_told_why(visitor: Visitor) -> None:
    page = visitor.open("/learn/up_the_river#first")
    page.wait_for_selector('#learn[data-step="0"]')
    by_mouse(page, "", ["boat-1-2"])
    expect(page.locator("#bubble.shown span")).to_have_text("Roll the die first.")
    page.locator('[data-act="roll"]').click()
    page.wait_for_selector('#learn[data-step="1"]')
    by_mouse(page, "", ["boat-1-2"])
    expect(page.locator("#bubble.shown")).to_contain_text("Otter’s boat")
    expect(page.locator("#learn")).to_have_attribute("data-acts", "1")
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector('#learn[data-step="0"]')
    expect(page.locator("#bubble.shown")).to_have_count(0)
    expect(page.locator("#told")).to_be_empty()


def test_a_lesson_is_left_gone_on_with_and_skipped(visitor: Visitor) -> None:
    page = visitor.open("/learn/up_the_river")
    page.get_by_role("button", name="Start: Up to the harbor").click()
    for step in range(3):
        page.wait_for_selector(f'#learn[data-step="{step}"]')
        page.get_by_role("button", name="Show me").click()
    page.wait_for_selector('#learn[data-step="3"]')
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector('#learn[data-step="2"]')
    page.reload()
    page.wait_for_selector('#learn[data-step="2"]')
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Go on: Up to the harbor").click()
    page.wait_for_selector('#learn[data-step="2"]')
    with page.expect_response("**/left"):  # it is counted
        page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Start again: Up to the harbor").click()
    page.wait_for_selector('#learn[data-step="0"]')


def test_what_is_pointed_at_is_in_sight_on_a_phone(visitor: Visitor) -> None:
    page = visitor.open("/learn/up_the_river#wind", viewport=PHONE)
    page.wait_for_selector(".look-ring")
    ring, coach = page.locator(".look-ring").first.bounding_box(), page.locator("#coach").bounding_box()
    assert ring is not None and coach is not None
    assert ring["y"] >= 56 and ring["y"] + ring["height"] <= coach["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(visitor: Visitor, scheme: str) -> None:
    page = visitor.open("/learn/up_the_river", color_scheme=scheme)
    page.get_by_role("button", name="Start: Up to the harbor").wait_for()
    assert not Axe().run(page).response["violations"]
    page.get_by_role("button", name="Start: Up to the harbor").click()
    page.locator('[data-act="roll"]').click()
    page.wait_for_selector('#learn[data-step="1"]')
    assert not Axe().run(page).response["violations"]


def test_the_lobby_offers_to_learn_first_to_who_is_new(visitor: Visitor) -> None:
    page = visitor.open()
    card = page.locator('[data-game="up_the_river"]')
    expect(card.locator(".row > *").first).to_have_text("Learn")
    card.get_by_role("link", name="Learn Up the River").click()
    page.wait_for_url("**/learn/up_the_river")
    page.evaluate("""localStorage.setItem("strandline.learn.up_the_river", '{"done": ["first"]}')""")
    page.goto(visitor.server.address)
    expect(page.locator('[data-game="up_the_river"] .row > *').first).to_have_text("Play")


def test_the_coach_speaks_once_in_the_first_game(visitor: Visitor) -> None:
    page = visitor.open("/learn/up_the_river")
    page.locator("#first-game").click()
    page.wait_for_url("**/table/*")
    wait_for_decision(page)
    play(page)
    expect(page.locator("#coach-says p")).to_contain_text("Roll 1 to 5")
    wait_for_decision(page)
    while page.locator("#coach-says").count():
        page.get_by_role("button", name="Got it").click()
    heard = page.evaluate("JSON.parse(localStorage.getItem('strandline.coach.up_the_river')).heard")
    assert "roll" in heard and len(heard) == len(set(heard))
    page.reload()
    wait_for_decision(page)
    expect(page.locator("#coach-says")).to_have_count(0)


def test_a_game_without_lessons_says_so(visitor: Visitor) -> None:
    page = visitor.open("/learn/nim")
    expect(page.locator("#lessons")).to_contain_text("no lessons")
