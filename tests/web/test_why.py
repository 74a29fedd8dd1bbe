"""A tap on what cannot be used plays nothing and says why, there."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import strandline
from samples import box_games
from web.browser import PHONE, WIDE, Visitor, number, play, wait_for_decision

IDLE = """
pattern => {
  const board = document.querySelector("#board");
  for (const halo of board.querySelectorAll("g[id] > .halo")) {
    const shape = halo.parentElement;
    if (shape.closest(".ready") || !RegExp(pattern).test(shape.id)) continue;
    shape.scrollIntoView({ block: "center" });
    const { left, top, width, height } = shape.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const stack = document.elementsFromPoint(x, y).filter((element) => board.contains(element));
    const under = stack.map((element) => element.closest("g[id]")).find((found) => found);
    const open = board.contains(document.elementFromPoint(x, y)) && !stack.some((element) => element.closest(".ready"));
    if (under === shape && open) return { id: shape.id, x, y };
  }
  return null;
}
"""
"""A shape of that name that cannot be used now, with nothing else at its middle."""


def tap(page: Page, pattern: str = "") -> str:
    """Tap such a shape: nothing is played and nothing chosen. What is said."""
    before, place = number(page), page.evaluate(IDLE, pattern)
    assert place, f"no idle shape {pattern}"
    page.mouse.click(place["x"], place["y"])
    expect(page.locator("#bubble.shown")).not_to_be_empty()
    assert number(page) == before
    assert page.locator("#board .chosen").count() == 0
    expect(page.locator("#bubble small")).to_have_text(re.compile(r"^(Rule|Regel) \S+$"))
    return page.inner_text("#bubble span")


def sit(visitor: Visitor, game: str, **how: Any) -> Page:
    seats = ["here"] + ["bot:random"] * (min(strandline.game(game).seats) - 1)
    page = visitor.sit(visitor.make(game, *seats), **how)
    assert wait_for_decision(page)
    return page


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", box_games())
def test_what_cannot_be_used_says_why(name: str, visitor: Visitor, size: dict[str, int]) -> None:
    page = sit(visitor, name, viewport=size)
    said = tap(page)
    assert said.count(".") >= 1
    box = page.locator("#bubble").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_a_tap_on_the_third_column_places_no_fish(visitor: Visitor) -> None:
    page = sit(visitor, "reef_route", viewport=PHONE)
    assert tap(page, "^tile-3-4$") == "Fish start in columns 1 and 2."


def test_a_tap_on_somebody_elses_boat_sails_none(visitor: Visitor) -> None:
    page = sit(visitor, "up_the_river", viewport=PHONE)
    while "Choose a boat to sail" not in page.inner_text("#prompt"):  # a six may blow it back
        play(page)
        assert wait_for_decision(page)
    assert tap(page, "^boat-1-").endswith("boat. You sail your own.")


def test_a_tap_on_somebody_elses_swimmer_selects_none(visitor: Visitor) -> None:
    page = sit(visitor, "undertow", viewport=PHONE)
    assert tap(page, "^swimmer-1-").endswith("swimmer. You move your own.")


def test_reasons_are_in_the_language_of_the_page(visitor: Visitor) -> None:
    page = sit(visitor, "reef_route", locale="de-DE")
    assert tap(page, "^tile-3-4$") == "Fische beginnen in Spalte 1 oder 2."
