"""Pieces are dragged to their goals, with a mouse or a finger; tapping does the same."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from server.helpers import token_of
from web.browser import PHONE, Swift, Visitor, number, play, record_of, wait_for_decision, wait_past
from web.test_board_first import far_goal

PLACE = """
id => {
  const shape = document.querySelector(`#board > svg > g [id="${id}"]`);
  const { left, top, width, height } = (shape.querySelector(":scope > .halo") ?? shape).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
"""
"""The middle of a shape in the window."""

Carry = Callable[[Page, tuple[float, float], tuple[float, float]], None]


def by_mouse(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.wait_for_selector("#board .dragged", state="attached")
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def by_finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", [start])
    for part in (0.2, 0.5, 0.8, 1):
        touch(session, "touchMove", [(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)])
    page.wait_for_selector("#board .dragged", state="attached")
    touch(session, "touchEnd", [])


def touch(session: CDPSession, kind: str, fingers: list[tuple[float, float]]) -> None:
    """What fingers do, at these places of the window."""
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize(
    ("carry", "how"),
    [(by_mouse, {}), (by_finger, {"viewport": PHONE, "has_touch": True})],
    ids=["mouse", "finger"],
)
def test_a_token_is_dragged_over_several_squares(visitor: Visitor, carry: Carry, how: dict[str, Any]) -> None:
    page = at_the_first_token(visitor, **how)
    seen = number(page)
    token = page.get_attribute("#board .chosen", "id")
    goal = page.get_attribute("#board .far >> nth=0", "id")  # the board is drawn from the top down
    carry(page, page.evaluate(PLACE, token), page.evaluate(PLACE, goal))
    wait_past(page, seen + 1)
    page.wait_for_function("() => !document.querySelector('#moves.sending')")
    moves = record_of(page)["moves"][seen:]
    assert len(moves) > 1 and all(move.startswith(f"move {str(token)[-1]} ") for move in moves)


BARE = """
() => {
  const { left, top, width, height } = document.querySelector("#board > svg").getBoundingClientRect();
  for (let x = left + 40; x < left + width - 40; x += 20) for (let y = top + 40; y < top + height - 40; y += 20) {
    const places = [[x, y], [x + 30, y], [x - 30, y], [x, y + 30], [x, y - 30]];
    const shapes = places.flatMap((place) => document.elementsFromPoint(...place));
    if (shapes.every((shape) => !shape.closest("#board [id]"))) return [x, y];
  }
}
"""
"""A place of the board without a shape."""


def test_dropped_on_the_bare_board_it_says_that_it_cannot_go_there(visitor: Visitor) -> None:
    page = at_the_first_token(visitor)
    seen = number(page)
    place = page.evaluate(BARE)
    by_mouse(page, page.evaluate(PLACE, page.get_attribute("#board .chosen", "id")), place)
    expect(page.locator("#bubble.shown")).to_have_text("It cannot go there.")
    assert number(page) == seen


def at_the_first_token(visitor: Visitor, **how: Any) -> Page:
    """A squad whose first token is on its way: it need not be chosen, and squares far off can be.

    Now and then it begins so near to a searcher that it gets nowhere without being seen; then another squad is taken.
    """
    table = visitor.make("over_the_next_dune", "here", "here")
    while not gets_far(visitor, table):
        table = visitor.make("over_the_next_dune", "here", "here")
    page = visitor.sit(table, **how)
    assert wait_for_decision(page)
    page.wait_for_selector("#board .far", state="attached")
    return page


def gets_far(visitor: Visitor, table: dict[str, Any]) -> bool:
    """Begin with the first token. Whether there are squares that it gets to by several moves."""
    with Swift(visitor.server.address.removeprefix("http://"), table["id"], token_of(table["page"])) as person:
        while person.decide()["moves"][0]["move"].startswith("order"):
            person.move()
        token = person.state["moves"][0]["clicks"][0]
        return bool(person.say(type="ways", shape=token, number=person.state["number"])["ways"])


def test_a_swimmer_is_dragged_for_several_points(visitor: Visitor) -> None:
    table = visitor.make("undertow", "here", "here")
    with Swift(visitor.server.address.removeprefix("http://"), table["id"], token_of(table["page"])) as person:
        piece, way = far_goal(person)
        seen = person.state["number"]
    page = visitor.sit(table)
    page.wait_for_selector(f'#board :is(.ready, .chosen)[id="{piece}"]', state="attached")
    start, end = page.evaluate(PLACE, piece), page.evaluate(PLACE, way["goal"])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 20, steps=3)
    page.wait_for_selector(f'#board .far[id="{way["goal"]}"]', state="attached")
    page.mouse.move(*end, steps=3)
    page.mouse.up()
    wait_past(page, seen + len(way["moves"]) - 1)
    assert record_of(page)["moves"][seen : seen + len(way["moves"])] == way["moves"]


def test_a_fish_is_dragged_to_the_next_tile_and_no_further(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("reef_route", "here", "here"))
    while wait_for_decision(page) and not page.locator("#moves button[data-move^=swim]").count():
        play(page)
    seen = number(page)
    move = str(page.locator("#moves button[data-move^=swim]").first.get_attribute("data-move"))
    _, colour, fish, _ = move.split()
    piece = f"fish-{colour}-{fish}"
    start = page.evaluate(PLACE, piece)
    by_mouse(page, start, page.evaluate(PLACE, "predator-3"))
    expect(page.locator("#bubble.shown")).not_to_be_empty()
    expect(page.locator("#board .dragged")).to_have_count(0)
    assert number(page) == seen and page.evaluate(PLACE, piece) == start
    page.mouse.click(*start)
    goal = str(page.get_attribute("#board .ready >> nth=0", "id"))
    page.keyboard.press("Escape")
    by_mouse(page, start, page.evaluate(PLACE, goal))
    wait_past(page, seen)
    assert record_of(page)["moves"][seen].startswith(f"swim {colour} {fish} ")


def test_two_fingers_zoom_and_play_nothing(visitor: Visitor) -> None:
    page = at_the_first_token(visitor, viewport=PHONE, has_touch=True)
    seen = number(page)
    width = "() => Number(document.querySelector('#board > svg').getAttribute('viewBox').split(' ')[2])"
    session, whole = page.context.new_cdp_session(page), page.evaluate(width)
    x, y = page.evaluate(PLACE, page.get_attribute("#board .chosen", "id"))
    touch(session, "touchStart", [(x, y)])  # the first finger comes down on a piece that could be dragged
    touch(session, "touchStart", [(x, y), (x + 20, y - 20)])
    for part in (20, 40, 60):
        touch(session, "touchMove", [(x, y), (x + 20 + part, y - 20 - part)])
    touch(session, "touchEnd", [])
    closer = page.evaluate(width)
    assert closer < whole / 2
    touch(session, "touchStart", [(x, y - 20), (x + 100, y - 120)])
    touch(session, "touchMove", [(x, y - 20), (x + 20, y - 40)])
    touch(session, "touchEnd", [])
    assert page.evaluate(width) > closer
    assert number(page) == seen and not page.locator("#bubble.shown").count()
