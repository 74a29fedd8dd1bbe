"""The page serves the board: its size, the folded moves, the show, sounds, hints, the end and the lobby."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import strandline
from samples import box_games
from server.helpers import token_of
from web.browser import (
    AT_ONCE,
    PHONE,
    WIDE,
    Swift,
    Visitor,
    number,
    play,
    press,
    record_of,
    turn,
    wait_for_decision,
    wait_for_turn,
)

TABLET = {"width": 820, "height": 1180}
SIDEWAYS = {"width": 740, "height": 360}
SIZES = [
    WIDE,
    TABLET,
    PHONE,
    SIDEWAYS,
    {"width": 720, "height": 450},
    {"width": 1920, "height": 1080},
]
RIVER = "up_the_river"
MOVING = {"pace": "calm", "single": False}

BOARD = """
() => {
  const svg = document.querySelector("#board > svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const scale = Math.min(svg.clientWidth / width, svg.clientHeight / height);
  return { width: width * scale, height: height * scale };
}
"""
"""The size of the board itself, without what its frame leaves empty."""


def board_for(page: Page, size: dict[str, int]) -> dict[str, float]:
    """The board in a window of this size, when it has come arranged for it."""
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    wide = size["width"] > size["height"]
    page.wait_for_function(
        """wide => {
          const form = document.querySelector("#board > svg").getAttribute("viewBox").split(" ").map(Number);
          return form[2] > form[3] === wide;
        }""",
        arg=wide,
    )
    return dict(page.evaluate(BOARD))


def in_window(page: Page, selector: str) -> bool:
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    assert box and size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


def test_the_board_gets_what_there_is(visitor: Visitor, game: strandline.Game) -> None:
    players = min(game.seats)
    if game.new(players).svg(wide=True) == game.new(players).svg():
        pytest.skip("This board has one arrangement.")
    page = visitor.sit(visitor.make(game.name, *["here"] * players))
    wait_for_decision(page)
    for size in SIZES:
        board = board_for(page, size)
        assert not page.locator("#board .banner").count()  # the bar says it
        share = board["width"] * board["height"] / (size["width"] * size["height"])
        if size["width"] > size["height"]:
            assert share >= (0.5 if size["height"] >= 900 else 0.4), (size, share)
        else:
            assert round(board["width"]) == size["width"]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
        for pinned in ("#prompt", "#menu", "#sound", "#actions"):
            assert in_window(page, pinned), (pinned, size)


def test_moves_are_folded_away_and_open_by_key(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("undertow", "here", "here"), viewport=PHONE)
    wait_for_decision(page)
    page.wait_for_function("() => document.querySelectorAll('#moves button').length > 2")
    moves, fold = page.locator("#moves"), page.locator("#fold")
    expect(fold).to_have_text(f"{page.locator('#moves button').count()} moves")
    folded = moves.bounding_box()
    assert folded and folded["height"] < 60
    page.keyboard.press("m")
    expect(fold).to_have_attribute("aria-expanded", "true")
    page.wait_for_function("() => document.activeElement.closest('#moves')")
    opened = moves.bounding_box()
    assert opened and opened["height"] > 120
    left = fold.bounding_box()
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "false")
    there = fold.bounding_box()
    assert left and there and left["x"] == there["x"]  # the finger stays where it is
    page.locator("#prompt").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("() => !!document.activeElement.closest('#choices')")  # first thing after the prompt
    play(page, page.locator("#moves button").last.get_attribute("data-move"))  # usable all the time


def test_beside_the_board_moves_fill_three_lines_before_they_are_folded(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("undertow", "here", "here"))
    wait_for_decision(page)
    chips, fold = page.locator("#moves button"), page.locator("#fold")
    expect(fold).to_have_text(f"{chips.count()} moves")
    lines = chips.evaluate_all("all => [...new Set(all.map((chip) => chip.getBoundingClientRect().top))].slice(0, 4)")
    moves = page.locator("#moves").bounding_box()
    assert moves and lines[2] + 44 <= moves["y"] + moves["height"] <= lines[3]
    assert chips.first.evaluate("chip => chip.parentElement.scrollWidth <= chip.parentElement.clientWidth")


def test_a_few_moves_are_all_in_sight_beside_the_board(visitor: Visitor) -> None:
    """Nothing is to be opened there, and the key leads into the list all the same."""
    page = visitor.sit(visitor.make(RIVER, "here", "here"))
    wait_for_decision(page)
    chips = page.locator("#moves button")
    expect(chips).to_have_count(3)
    for chip in chips.all():
        expect(chip).to_be_in_viewport(ratio=1)
    expect(page.locator("#fold")).to_be_hidden()
    page.keyboard.press("m")
    expect(chips.first).to_be_focused()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#fold")).to_have_text("3 moves")


WATCH = """
() => {
  window.seen = { times: [], covered: [], said: [] };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    if (this.id && this.closest("#board") && frames[0].transform) window.seen.times.push(how.duration);
    return animate.call(this, frames, how);
  };
  const look = (now) => {
    const said = document.getElementById("prompt").textContent;
    if (said !== window.seen.said.at(-1)?.[0]) window.seen.said.push([said, now]);
    for (const animation of document.getAnimations()) {
      const shape = animation.effect?.target;
      if (!shape?.id || !shape.closest("#board") || !animation.effect.getKeyframes()[0].transform) continue;
      const { left, top, width, height } = shape.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const above = document.elementFromPoint(x, y);
      const pop = document.getElementById("pop");
      const popped = pop.childElementCount && Number(getComputedStyle(pop).opacity) > 0.05;
      if (!above?.closest("#board") || popped) window.seen.covered.push(shape.id);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""
"""Look at every frame: what glides, how long, and whether anything hides it; and what the bar says when."""


SETTLED = "() => /^(Your turn|The game is over)/.test(document.getElementById('prompt').textContent)"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == RIVER else pytest.mark.slow) for name in box_games()]
)
def test_no_motion_is_hidden_and_the_last_event_can_be_read(visitor: Visitor, name: str) -> None:
    table = visitor.make(name, "here", *["bot:random"] * 2)
    page = visitor.sit(table, settings=MOVING, reduced_motion="no-preference")
    page.wait_for_selector("#board .ready, #moves button", state="attached")
    page.evaluate(WATCH)
    decided = 0
    while decided < 2 or len(page.evaluate("() => window.seen.times")) < 3:
        if not wait_for_turn(page):
            break
        page.wait_for_function(SETTLED)  # whoever plays before that skips what is still to be shown
        press(page, page.locator("#moves button").first)
        decided += 1
    page.wait_for_function(SETTLED)
    found = page.evaluate("() => window.seen")
    assert found["times"] and all(400 <= time <= 700 for time in found["times"])
    assert found["covered"] == []
    texts, times = [said for said, _ in found["said"]], [when for _, when in found["said"]]
    for i, text in enumerate(texts[1:], 1):
        if text.startswith("Your turn") and not texts[i - 1].startswith(("Your turn", "You ", "Only one move")):
            assert times[i] - times[i - 1] > 600, texts[i - 1]  # the event before it stood long enough


def test_the_set_up_is_shown_on_arrival(visitor: Visitor) -> None:
    """Thirty events before anybody decides, one after another; whoever has seen enough skips them."""
    table = visitor.make("over_the_next_dune", "here", "bot:random")
    page = visitor.sit(table, settings=MOVING, reduced_motion="no-preference")
    expect(page.locator("#prompt")).to_contain_text("rough ground")
    assert page.locator("#log li").count() < number(page)
    page.locator("#skip").click()
    expect(page.locator("#moves .roll")).to_be_visible()
    expect(page.locator("#log li")).to_have_count(number(page))


def test_a_phone_that_can_buzzes_when_it_is_my_turn(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"), viewport=PHONE, settings={**AT_ONCE, "sound": True})
    wait_for_decision(page)
    page.evaluate("() => { navigator.vibrate = (beat) => { window.beat = beat; return true; }; }")
    play(page)
    page.wait_for_function("() => window.beat?.length > 1 && document.documentElement.dataset.heard === 'turn'")


def test_what_happens_is_heard_until_one_tap_turns_it_off(visitor: Visitor) -> None:
    page = visitor.sit(
        visitor.make(RIVER, "here", "here"), reduced_motion="no-preference", settings={**MOVING, "pace": "quick"}
    )
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    play(page)
    page.wait_for_function("() => document.documentElement.dataset.heard")
    page.locator("#sound").click()
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    still = visitor.sit(visitor.make(RIVER, "here", "here"), reduced_motion="reduce", settings=AT_ONCE)
    expect(still.locator("#sound")).to_have_attribute("aria-pressed", "false")


def test_a_hint_is_drawn_on_the_board_with_its_reason(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("reef_route", "here", "bot:random"))
    wait_for_decision(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#board .hint circle")).to_have_count(2)
    expect(page.locator("#bubble")).to_contain_text("It rates your chances")


def test_the_end_says_who_won_and_what_was_counted(visitor: Visitor) -> None:
    page = visitor.sit(
        visitor.make(RIVER, "here", "here", names=["Ada", "Ben"], options={"round_limit": 1}), viewport=PHONE
    )
    while wait_for_decision(page):
        play(page)
    expect(page.locator("#ending h3")).to_contain_text("The game is over")
    expect(page.locator("#ending thead th")).to_have_text(["Ada", "Ben"])
    expect(page.locator("#ending tbody th")).to_have_text(["Boat 1", "Boat 2", "Boat 3", "Points"])
    for name in ("Rematch", "Review", "Replay", "Share"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
        assert in_window(page, f'button:has-text("{name}")'), name


def test_your_tables_come_first_as_pictures_and_finished_ones_on_a_shelf(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here", options={"round_limit": 1}), viewport=PHONE)
    while wait_for_decision(page):
        play(page)
    page.goto(visitor.server.address + visitor.make("reef_route", "here", "bot:random")["page"])
    page.wait_for_selector("#moves button")
    page.goto(visitor.server.address)
    card = page.locator("#tables li")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Your turn")
    page.wait_for_function("() => document.querySelector('#tables img')?.naturalWidth > 0")
    assert in_window(page, "#tables li")
    expect(page.locator("#finished li")).to_contain_text("finished")


def test_seats_look_in_the_set_up_as_at_the_table(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Play Reef Route", exact=True).click()
    colours = "nodes => nodes.map((node) => node.getAttribute('fill'))"
    before = page.locator(".seat-row .mark path").evaluate_all(colours)
    page.get_by_text("Table rules").click()
    page.get_by_label("Moves may be taken back").uncheck()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#seats .mark")
    assert page.locator("#seats .mark path").evaluate_all(colours) == before
    play(page)
    wait_for_decision(page)
    expect(page.get_by_role("button", name="undo")).to_have_count(0)


def test_small_squares_can_be_looked_at_closely(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make("over_the_next_dune", "here"), viewport=PHONE, has_touch=True)
    while not page.locator("#zoom:not([hidden])").count():
        assert wait_for_decision(page)
        play(page)
        page.wait_for_selector("#play:not(.waiting)", state="attached")
    seen = number(page)
    width = "() => Number(document.querySelector('#board > svg').getAttribute('viewBox').split(' ')[2])"
    whole = page.evaluate(width)
    page.get_by_role("button", name="Zoom in").click()
    closer = page.evaluate(width)
    assert closer < whole
    box = page.locator("#board svg").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 300
    before = page.get_attribute("#board > svg", "viewBox")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=4)
    page.mouse.up()
    assert page.get_attribute("#board > svg", "viewBox") != before and page.evaluate(width) == closer
    assert number(page) == seen  # a drag plays nothing
    page.get_by_role("button", name="Zoom out").click()
    assert page.evaluate(width) == whole


def test_the_squares_of_the_token_that_moves_come_near_by_themselves(visitor: Visitor) -> None:
    table = visitor.make("over_the_next_dune", "here")
    settings = {"pace": "none", "single": False}
    page = visitor.sit(table, viewport=PHONE, has_touch=True, reduced_motion="no-preference", settings=settings)
    while not page.locator("#board.zoomed").count():
        assert wait_for_decision(page)
        play(page)
    sizes = "() => [...document.querySelectorAll('#board .ready')].map((shape) => shape.getBoundingClientRect().width)"
    page.wait_for_function(f"() => Math.min(...({sizes})()) > 30")


def test_escape_leaves_the_replay(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "here"))
    play(page)
    page.get_by_role("button", name="Replay").click()
    page.locator("#replay input").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#moves button").first).to_be_visible()


def test_several_points_go_in_one_tap(visitor: Visitor) -> None:
    table = visitor.make("undertow", "here", "here")
    with Swift(visitor.server.address.removeprefix("http://"), table["id"], token_of(table["page"])) as person:
        piece, way = far_goal(person)
        seen = person.state["number"]
    page = visitor.sit(table)
    page.wait_for_function(f"() => document.querySelector('main').dataset.number === '{seen}'")
    swimmer = page.locator(f'#board [id="{piece}"]:is(.ready, .chosen)')
    swimmer.wait_for(state="attached")
    if page.locator("#board .chosen").count() == 0:  # the only one that can move is chosen already
        swimmer.click(force=True)
    goal = page.locator(f'#board .far[id="{way["goal"]}"]')
    goal.wait_for(state="attached")
    goal.click(force=True)
    page.wait_for_function(f"() => Number(document.querySelector('main').dataset.number) >= {seen + len(way['moves'])}")
    assert record_of(page)["moves"][seen : seen + len(way["moves"])] == way["moves"]


def far_goal(person: Swift) -> tuple[str, dict[str, Any]]:
    """Play until a piece can get somewhere by several moves: the piece, and the way."""
    for _ in range(200):
        moves = person.decide()["moves"]
        swims = [offer["clicks"] for offer in moves if len(offer["clicks"]) == 2 and "place" not in offer["move"]]
        for piece in sorted({clicks[0] for clicks in swims}):
            found = person.say(type="ways", shape=piece, number=person.state["number"])["ways"]
            if found and found[0]["goal"] != "beach":
                return piece, found[0]
        person.move()
    raise AssertionError("In 200 moves no swimmer could get anywhere by several.")


def test_a_tap_on_what_cannot_be_used_plays_nothing_and_says_why(visitor: Visitor) -> None:
    """The other player's boat, in a game in which one's own can be sailed."""
    page = visitor.sit(visitor.make(RIVER, "here", "here"), viewport=PHONE)
    wait_for_decision(page)
    page.wait_for_selector('#board .ready[id^="boat-"]', state="attached")
    seen, other = number(page), 1 - int(turn(page))
    page.locator(f'#board [id="boat-{other}-2"]').click(force=True)
    expect(page.locator("#bubble.shown")).to_contain_text("boat")
    assert number(page) == seen and not page.locator("#board .chosen").count()


LETTERS = """
() => {
  const scale = document.querySelector("#board > svg").getScreenCTM().a;
  const texts = [...document.querySelectorAll("#board text")].filter((text) => text.getClientRects().length);
  return Math.min(...texts.map((text) => Number(text.getAttribute("font-size")) * scale));
}
"""
"""The smallest letters of the board, in pixels."""


def test_letters_can_be_read_on_a_phone(visitor: Visitor, game: strandline.Game) -> None:
    """Upright, and on its side, where the board comes nearer; all of it is seen again on demand."""
    page = visitor.sit(visitor.make(game.name, *["here"] * min(game.seats)), viewport=PHONE, has_touch=True)
    assert wait_for_decision(page)
    assert page.evaluate(LETTERS) >= 11
    if game.new(min(game.seats)).svg(wide=True) == game.new(min(game.seats)).svg():
        return
    board_for(page, SIDEWAYS)
    page.wait_for_function(f"() => ({LETTERS})() >= 10.99")
    for pinned in ("#prompt", "#menu", "#sound", "#actions", "#moves"):
        assert in_window(page, pinned), pinned
    page.get_by_role("button", name="Zoom out").click()
    page.wait_for_selector("#board:not(.zoomed)")
