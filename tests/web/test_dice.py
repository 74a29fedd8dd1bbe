"""The player's tap, and the dice that the page checks by itself."""

import dataclasses
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from server.helpers import SIGNER, unsteady_game
from server.helpers import record_of as signed_record
from strandline.server.signing import is_signed
from strandline.table.verify import kept_from_json, verify
from web.browser import (
    AT_ONCE,
    PHONE,
    Visitor,
    number,
    play,
    record_of,
    tap,
    turn,
    wait_for_decision,
    wait_for_turn,
    wait_past,
)

RIVER = "up_the_river"
HASHED = """async (texts) => {
  const { sha256, hmac, toHex, fromHex, canonical } = await import("/static/hash.js");
  const key = fromHex("0b".repeat(32));
  return texts.map((text) => [toHex(sha256(new TextEncoder().encode(text))), toHex(hmac(key, canonical(text)))]);
}"""


def test_nothing_is_rolled_for_a_person_unasked(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"), settings={"pace": "none", "single": True})
    roll = page.locator("#moves button")
    expect(roll).to_have_count(1)
    expect(roll).to_have_attribute("data-move", "roll")
    box = roll.bounding_box()
    assert box and box["height"] >= 44
    page.wait_for_timeout(1500)  # longer than a lone move waits before it is played
    assert number(page) == 0
    tap(page)
    assert record_of(page)["by"][0] == "chance"


def test_space_rolls_from_anywhere(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    wait_for_turn(page)
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(document.querySelector('main').dataset.number) > 0")


def test_a_tap_on_the_die_rolls(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"), viewport=PHONE)
    page.wait_for_selector("#board #die.ready")
    page.locator("#board #die").click()
    page.wait_for_function("() => Number(document.querySelector('main').dataset.number) > 0")


def test_rolls_come_by_themselves_when_somebody_wants_it(visitor: Visitor) -> None:
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random"))
    wait_for_turn(page)
    page.locator("#menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Roll for me, after a short pause").check()
    page.get_by_role("button", name="Close").click()
    page.wait_for_function("() => Number(document.querySelector('main').dataset.number) > 0")


def test_a_tile_is_flipped_by_its_player_alone(visitor: Visitor) -> None:
    """The first tile of a turn has no alternative, but it is the player who flips it; one tap does it."""
    page = visitor.sit(visitor.make("sand_castles", "here", "here"), settings={"pace": "none", "single": True})
    flip = page.locator('#moves button[data-move="flip"]')
    flip.wait_for()
    seen = number(page)
    page.wait_for_timeout(1500)
    assert number(page) == seen
    flip.click()
    page.wait_for_function("seen => Number(document.querySelector('main').dataset.number) > seen + 1", arg=seen)
    record = record_of(page)
    assert record["moves"][seen] == "flip" and record["by"][seen + 1] == "chance"
    assert record["dice"][-1]["tap"] and record["dice"][-1]["after"] == seen + 1


def finished(visitor: Visitor) -> Page:
    """Ada has played a short game against a bot to its end."""
    page = visitor.sit(visitor.make(RIVER, "here", "bot:random", options={"round_limit": 2}))
    while wait_for_decision(page):
        play(page)
    return page


def forged(page: Page, change: Callable[[dict[str, Any]], Any]) -> str:
    """What the page says of a record that the server has changed."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/record", answer)
    page.get_by_role("button", name="Verify the dice").click()
    said = page.locator("#verdict")
    expect(said).to_have_attribute("data-verdict", "failed")
    found = said.inner_text()
    page.get_by_role("button", name="Close").click()
    page.unroute("**/record")
    return found


def test_the_page_checks_the_dice_by_itself(visitor: Visitor) -> None:
    page = finished(visitor)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Verify the dice").click()
    said = page.locator("#verdict[data-verdict=passed]")
    expect(said).to_contain_text("The dice were fair.")
    for what in ("derived again", "signed the whole record", "links that this page added"):
        expect(said).to_contain_text(what)
    assert [url.rsplit("/", 1)[1] for url in asked] == ["record"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save what this page has kept").click()
    kept = kept_from_json(json.loads(download.value.path().read_text()))
    assert kept.anchors and kept.links and kept.key
    assert verify(record_of(page), kept=kept).verdict == "passed"
    page.get_by_role("button", name="Close").click()
    link = next(i for i, note in enumerate(record_of(page)["dice"]) if note.get("tap"))
    other = "ab" * 32
    for change, why in (
        (lambda record: record["seats"][0].update(name="Eve"), "signature does not match"),
        (lambda record: record["dice"][link].update(link=other), "does not continue its chain"),
        (lambda record: record["dice"][link].update(epochs=1), "does not continue its chain"),
        (lambda record: record["dice"][0].update(anchor=other), "not the one that this page has seen"),
        (lambda record: record["seeds"].__setitem__(1, other), "seeds do not match"),
        (another_roll, "Line 1 is not what"),
        (lambda record: record.update(key=other), "a different key"),
        (lambda record: record["moves"].__setitem__(1, "sail 9"), "not the one that this page has seen"),
        (cut, "its end is missing"),
    ):
        assert why in forged(page, change)


VERIFIED = """async ([record, kept]) => (await import("/static/verify.js")).verify(record, kept)"""


NO_DOUBTS = ("strandline verify", "cannot tell whether")
SHOWN = """async ([table, kept]) => (await import("/static/fairness.js")).showFairness(table, null, kept)"""


def test_a_page_that_came_late_does_not_call_the_dice_fair(visitor: Visitor) -> None:
    table, pages = unsteady_game(0)
    kept = dataclasses.asdict(pages[-1].kept())
    page = visitor.open("/")
    page.route("**/record", lambda route: route.fulfill(json=signed_record(table)))
    page.evaluate(SHOWN, [table.id, kept])
    said = page.locator("#verdict[data-verdict=passed]")
    expect(said).to_contain_text("had come before this page did")
    expect(said).to_contain_text("this page cannot vouch for every one of them")
    expect(said).not_to_contain_text("nobody can choose a roll")


@pytest.mark.parametrize("seed", range(3))
def test_the_page_and_the_command_find_the_same(visitor: Visitor, seed: int) -> None:
    """People have changed devices, left and come back all through the game."""
    table, pages = unsteady_game(seed)
    record = signed_record(table)
    page = visitor.open("/")
    for each in pages:
        kept = each.kept()
        found = page.evaluate(VERIFIED, [record, dataclasses.asdict(kept)])
        assert found["verdict"] == "passed", found
        told = verify(record, kept=kept).findings
        assert counted(told, "came while no page’s") == counted(found["open"], "came while no page’s")
        assert counted(told, "after this page had come") == counted(found["open"], "links of this page counted")
        for same in (
            "added without a tap",
            "other devices",
            "others had added links",
            "any page’s links counted",
            "a new chain",
            "had come before this page did",
            "did not come where it sent",
            "a bot began to play or roll",
            "went back over",
        ):
            assert counted(told, same) == counted(found["open"], same)
        lost = "and its link is not there"
        assert sum(lost in said for said in told) == sum(lost in said for said in found["open"])
        assert found["doubts"] == any(not any(known in said for known in NO_DOUBTS) for said in found["open"])


def test_the_page_says_what_it_cannot_tell_of_a_record(visitor: Visitor) -> None:
    """A key that it has never seen proves nothing, and a finished game hides nothing."""
    table, pages = unsteady_game(1)
    record, kept = signed_record(table), dataclasses.asdict(pages[0].kept())
    page = visitor.open("/")
    for key, here, there in ((kept["key"], "proved", "open"), (None, "open", "proved")):
        found = page.evaluate(VERIFIED, [record, {**kept, "key": key}])
        assert found["verdict"] == "passed"
        assert any(" signed the " in said for said in found[here])
        assert not any(" signed the " in said for said in found[there])
    record["moves"][-1] = "?"
    assert "is hidden" in page.evaluate(VERIFIED, [record, {**kept, "digests": {}}])["wrong"]


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("kind", "bot:random", "a bot’s seat has a chain"),
        ("kind", 7, "not a whole record"),
        ("name", "x" * 300, "not a whole record"),
        ("more", 1, "not a whole record"),
        ("signature", "AB" * 64, "not a whole record"),
        ("seats", [], "not a whole record"),
        ("seats", ["0"], "not a whole record"),
        ("seats", [0, 7], "not a whole record"),
        ("commitment", "AB" * 32, "not a whole record"),
        ("epochs", "9", "not a whole record"),
        ("tap", 2, "not a whole record"),
        ("link", "AB" * 32, "not a whole record"),
    ],
)
def test_the_page_knows_what_a_record_is_made_of(visitor: Visitor, field: str, value: Any, why: str) -> None:
    """Chains of bots, or of seats that are not there, would let a server tap for rolls that it would rather change."""
    table, pages = unsteady_game(1)
    record = signed_record(table)
    places = [*record["dice"], *([record] if field in record else []), record["seats"][0]]
    changed = next((place for place in places if field in place), record["seats"][0])
    changed[field] = value
    kept = dataclasses.replace(pages[0].kept(), key=None, digests={}, commitments=[])
    found = visitor.open("/").evaluate(VERIFIED, [record, dataclasses.asdict(kept)])
    assert found["verdict"] == "failed" and why in found["wrong"]


@pytest.mark.parametrize(
    "change",
    [
        {"players": 7},
        {"comment": "all is well"},
        {"secret": [99_999]},
        {"tickets": lambda found: [each or [0, 1, 1] for each in found]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_page_refuses_what_the_command_refuses(visitor: Visitor, change: dict[str, Any]) -> None:
    table, pages = unsteady_game(1)
    record, kept = signed_record(table), pages[0].kept()
    unsigned = {name: value for name, value in record.items() if name not in ("key", "signature")}
    changed = {name: value(record[name]) if callable(value) else value for name, value in change.items()}
    resigned = SIGNER.signed({**unsigned, **changed})
    assert verify(resigned, kept=kept, signed=is_signed).verdict == "failed"
    found = visitor.open("/").evaluate(VERIFIED, [resigned, dataclasses.asdict(kept)])
    assert found["verdict"] == "failed" and found["wrong"]


NO_TAPS = """
const add = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (kind, listen) {
  const changed = (data) => new MessageEvent("message", { data: data.replaceAll('"taps":true', '"taps":false') });
  const lie = ({ data }) => listen(changed(data));
  return add.call(this, kind, kind === "message" ? lie : listen);
};
"""
"""The server says of every roll that it takes no link."""


def test_a_roll_takes_a_link_whatever_the_server_says(visitor: Visitor) -> None:
    """Or the page would have kept nothing of a tap that is passed over."""
    page = visitor.open()
    page.add_init_script(NO_TAPS)
    page.goto(visitor.server.address + visitor.make(RIVER, "here", "here")["page"])
    page.locator("#moves .roll").click()
    wait_past(page, 0)
    assert record_of(page)["dice"][-1]["tap"]


def counted(sentences: list[str], what: str) -> list[str]:
    """The numbers that sentences about something begin with."""
    return [said.split()[0] for said in sentences if what in said]


def another_roll(record: dict[str, Any]) -> None:
    """Say that the first roll came from the next ticket."""
    first, count, size = record["tickets"][0]
    record["tickets"][0] = [(first + 1) % size, count, size]


def cut(record: dict[str, Any]) -> None:
    """Leave the end out."""
    for name in ("moves", "by", "tickets"):
        record[name] = record[name][:2]
    record["dice"] = [note for note in record["dice"] if note["after"] < 2]
    record["seeds"] = None


def test_a_second_device_takes_part_with_a_chain_of_its_own(visitor: Visitor) -> None:
    table = visitor.make(RIVER, "here", "bot:random")
    first, second = visitor.sit(table, settings=AT_ONCE), visitor.sit(table, settings=AT_ONCE)
    wait_for_turn(first)
    wait_for_turn(second)
    tap(second)
    notes = record_of(second)["dice"]
    assert sum("anchor" in note for note in notes) == 2 and notes[-1]["tap"] and notes[-1]["chain"] == 2
    wait_for_turn(first)
    assert turn(first) in ("0", "1")


TWO_DEVICES = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const { hashedLink } = await import("/static/hash.js");
  const later = [];  // timers, by when they are due
  let now = 0;
  window.setTimeout = (call, wait) => later.push({ call, due: now + wait });
  window.clearTimeout = (number) => number && (later[number - 1] = null);
  const table = { anchor: null, tip: null, added: true, chains: 0, links: 0 };
  const state = () => ({ chance: true, you: [0], turn: 1, number: 0,
    dice: { anchor: table.anchor, tip: table.tip, due: !table.added, open: false,
      commitments: [h("e")], length: 0, digest: h("e") } });
  const devices = [];
  const tell = () => devices.forEach((device) => queueMicrotask(() => device.observe(state())));
  const send = async (message) => {
    await null;
    if (message.type === "chain" && table.chains < 50) {
      Object.assign(table, { anchor: message.anchor, tip: message.anchor, added: false, chains: table.chains + 1 });
    } else if (message.type === "link" && hashedLink(message.link) === table.tip) {
      Object.assign(table, { tip: message.link, added: true, links: table.links + 1 });
    } else return { type: "refused" };
    tell();
    return { type: "state", ...state() };
  };
  class Device extends Dice {  // with a memory of its own, as on another machine
    get kept() { return this.memory; }
    change(changes) { this.memory = { ...this.memory, ...changes }; }
  }
  devices.push(new Device("a", send), new Device("b", send));
  const settle = async () => { for (let i = 0; i < 5000; i += 1) await null; };
  tell();
  await settle();
  for (const joins of [1, 2, 3]) {  // somebody else commits, and is not there to add a link
    table.added = false;
    tell();
    await settle();
    for (let i = 0; i < 20; i += 1) {
      const next = later.filter(Boolean).sort((one, other) => one.due - other.due)[0];
      if (!next) break;
      later[later.indexOf(next)] = null;
      now = next.due;
      next.call();
      await settle();
    }
  }
  return { chains: table.chains, added: table.added };
}"""


def test_two_devices_of_a_seat_do_not_fight_for_its_chain(visitor: Visitor) -> None:
    """Both are there while the table waits for a third: they come to rest after a few chains, and a link is added."""
    found = visitor.open("/").evaluate(TWO_DEVICES)
    assert found["added"] and found["chains"] <= 10


LOST_TAP = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const said = [];
  const dice = new Dice("lost", async (message) => { said.push(message.type); return null; });
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0 };
  const record = { length: 0, digest: h("0") };
  const own = { commitments: [h("a")], anchor: null, tip: null, due: false, open: false, again: false, ...record };
  await dice.observe({ ...state, dice: own });
  const [{ anchor }] = dice.kept.chains;
  const committed = { ...own, anchor, commitments: [h("a"), h("b")] };
  await dice.observe({ ...state, dice: { ...committed, tip: anchor, due: true } });
  const tip = dice.kept.links[0].link;
  await dice.observe({ ...state, dice: { ...committed, tip } });
  const { link, epochs } = await dice.part(dice.state, "roll"); // the tap that gets lost
  const joined = { ...committed, tip, due: true, commitments: [h("a"), h("b"), h("c")] };
  await dice.observe({ ...state, dice: joined });
  const again = await dice.part(dice.state, "roll");
  const waited = [...said];
  await dice.observe({ ...state, turn: "chance", dice: joined });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await dice.observe({ ...state, number: 1, dice: { ...joined, due: false, least: 3 } });
  const late = await dice.part(dice.state, "roll");
  return { same: again.link === link && again.epochs === epochs, waited, said, late };
}"""
"""A page adds its link, taps, the tap gets lost, and somebody joins."""


def test_the_link_of_a_lost_tap_waits_for_the_next_tap(visitor: Visitor) -> None:
    """Sent because somebody has joined it would be refused again and again; if nobody can tap, a new chain begins.

    So it does when the next tap must know of more; the table's answer, with the new chain, does not come here.
    """
    found = visitor.open("/").evaluate(LOST_TAP)
    said = ["chain", "link", "chain", "chain"]
    assert found == {"same": True, "waited": ["chain", "link"], "said": said, "late": None}


NOTES = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const said = [];
  const dice = new Dice("notes", async (message) => { said.push(message.type); return null; });
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0 };
  const own = { commitments: [h("a"), h("b")], due: false, open: true, again: false, length: 3, digest: h("1") };
  await dice.observe({ ...state, dice: { ...own, anchor: null, tip: null } });
  const [{ anchor }] = dice.kept.chains;
  const mine = { ...own, anchor, tip: anchor, length: 4, digest: h("2") };
  await dice.observe({ ...state, dice: mine });
  const now = dice.state;
  const { link } = await dice.part(now, "roll");
  await dice.observe({ ...state, dice: { ...mine, tip: link, due: true, length: 5 } });
  await dice.part({ ...now, dice: { ...mine, again: true, length: 7 } }, "roll");
  await dice.observe({ ...state, number: 1, dice: { ...mine, tip: link, length: 8 } });
  const late = await dice.part(now, "roll");
  const { links, bare } = dice.keepsake();
  for (const each of links) delete each.link;
  return { said, late, bare, links };
}"""


def test_the_page_keeps_what_it_saw_and_sent_first(visitor: Visitor) -> None:
    """It adds no link without a tap unless there is a new commitment, and none when the game has moved on."""
    assert visitor.open("/").evaluate(NOTES) == {
        "said": ["chain"],
        "late": None,
        "bare": [{"length": 7, "move": None}],
        "links": [{"epochs": 2, "length": 4, "numbers": [0]}],
    }


PAST = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const said = [];
  const dice = new Dice("past", async (message) => {
    said.push(message.type);
    return said.length === 2 ? { type: "refused", code: "link" } : null;
  });
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0 };
  const own = { commitments: [h("a")], due: false, open: true, again: false, length: 3, digest: h("1") };
  await dice.observe({ ...state, dice: { ...own, anchor: null, tip: null } });
  const [{ anchor: first }] = dice.kept.chains;
  await dice.observe({ ...state, dice: { ...own, anchor: "ab".repeat(32), tip: "ab".repeat(32) } });
  await dice.part(dice.state, "roll"); // another device was faster, and the first answer was lost
  const { anchor } = dice.kept.chains.at(-1);
  await dice.observe({ ...state, dice: { ...own, anchor, tip: anchor, length: 5, digest: h("2") } });
  const now = dice.state;
  const lies = [{ length: 4 }, { length: 2.5 }, { digest: h("3") }];
  const answers = [];
  for (const lie of lies) {
    await dice.observe({ ...state, number: 9, dice: { ...now.dice, ...lie } });
    answers.push(dice.state === now, await dice.part({ ...now, dice: { ...now.dice, again: true, ...lie } }, "roll"));
  }
  return { said, fresh: anchor !== first, answers };
}"""


def test_the_page_takes_no_part_in_the_past(visitor: Visitor) -> None:
    """Nor does it send a chain again and again that is refused."""
    found = visitor.open("/").evaluate(PAST)
    assert found == {"said": ["chain", "chain", "chain"], "fresh": True, "answers": [True, None] * 3}


UNKEPT = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0 };
  const own = { commitments: [h("a"), h("b")], due: false, open: true, again: false, length: 3, digest: h("1") };
  const found = [];
  for (const lie of [{ commitments: { length: 3 } }, { digest: undefined }, { digest: null },
    { digest: "bye" }, { commitments: [h("a"), h("b"), {}] }, { length: 200001 },
    { commitments: Array(100001).fill(h("a")) }]) {
    const honest = { chance: true, commitments: [h("a"), h("b"), h("c")], length: 5, digest: h("2") };
    const { chance, ...said } = { ...honest, ...lie };
    for (const late of [false, true]) {  // at once, or in the answer to a new chain
      const dice = new Dice(`unkept ${found.length}`, async ({ anchor }) => {
        const answer = { ...state, type: "state", chance, dice: { ...own, anchor, tip: anchor, ...said } };
        if (late) await dice.observe(answer).catch(() => null);
        return late ? answer : null;
      });
      const away = { ...own, anchor: "ab".repeat(32), tip: "ab".repeat(32) };
      await dice.observe({ ...state, dice: late ? away : { ...own, anchor: null, tip: null } });
      const [{ anchor } = {}] = dice.kept.chains;
      const lied = { ...state, chance, dice: { ...own, anchor, tip: anchor, ...said } };
      if (!late) await dice.observe(lied).catch(() => null);
      await dice.part(late ? dice.state : lied, "roll").catch(() => null);
      found.push(dice.keepsake().links.length);
    }
  }
  return found;
}"""


def test_the_page_reveals_nothing_for_what_it_cannot_keep(visitor: Visitor) -> None:
    """Or the server could draw the seed afterwards whose commitment it has shown there."""
    assert visitor.open("/").evaluate(UNKEPT) == [0] * 14


TABS = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const said = [];
  let answer = null;
  const send = (message) => new Promise((settle) => { said.push(message.type); answer = settle; });
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0 };
  const own = { commitments: [h("a")], due: false, open: true, again: false, length: 0, digest: h("1") };
  const [one, two] = [new Dice("tabs", send), new Dice("tabs", async () => null)];
  const first = { ...state, dice: { ...own, anchor: null, tip: null } };
  one.observe(first);
  const part = one.part(first, "roll"); // its chain is on its way
  const [{ anchor }] = one.kept.chains;
  const later = { ...own, commitments: [h("a"), h("b")], anchor, tip: anchor, length: 1, digest: h("2") };
  await two.observe({ ...state, dice: later });
  answer(null); // and the answer gets lost
  return [await Promise.race([part, new Promise((settle) => setTimeout(settle, 200, "waits"))]), said];
}"""


def test_a_tab_that_is_behind_another_begins_no_chain(visitor: Visitor) -> None:
    """Of one seat both have the same chain: replaced by the same browser it would have been begun without need."""
    assert visitor.open("/").evaluate(TABS) == [None, ["chain"]]


REFUSED_LATE = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const said = [];
  let refuse = null;
  const [one, two] = [new Dice("late", async () => null), new Dice("late", (message) => {
    said.push(message.type);
    return new Promise((settle) => { refuse = () => settle({ type: "refused", code: "link" }); });
  })];
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0, moves: [] };
  const own = { commitments: [h("a")], due: false, open: true, again: false, length: 0, digest: h("1") };
  const none = { ...state, dice: { ...own, anchor: null, tip: null } };
  await one.observe(none); // its chain comes, and the answer is lost; another device takes the seat
  two.observe(none); // this tab sends the same chain
  const other = { anchor: h("e"), tip: h("e"), commitments: [h("a"), h("b"), h("c")] };
  await one.observe({ ...state, dice: { ...own, ...other, length: 2, digest: h("2") } });
  refuse();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return said;
}"""


def test_a_tab_whose_chain_is_refused_late_begins_no_other(visitor: Visitor) -> None:
    """By then another tab has seen more, and has begun one: a second one would have been begun without need."""
    assert visitor.open("/").evaluate(REFUSED_LATE) == ["chain"]


OTHER_SEAT = """async () => {
  const { Dice } = await import("/static/dice.js");
  const h = (letter) => letter.repeat(64);
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0, moves: [] };
  const own = { commitments: [h("a")], due: false, open: true, again: false, length: 0, digest: h("1") };
  const none = { ...state, dice: { ...own, anchor: null, tip: null } };
  let refuse = null;
  const one = new Dice("seats", async () => null);
  const two = new Dice("seats", (message) => new Promise((settle) => {
    refuse ??= () => settle({ type: "refused", code: "link" });
    if (message.anchor !== one.kept.chains[0].anchor) settle(null);
  }));
  await one.observe(none);
  const [{ anchor }] = one.kept.chains;
  two.observe(none); // it sends the same chain, for another seat
  await one.observe({ ...state, dice: { ...own, anchor, tip: anchor, length: 1, digest: h("2") } });
  const { link } = await one.part(one.state, "roll");
  refuse();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await two.observe({ ...none, dice: { ...none.dice, length: 1, digest: h("2") } });
  const { anchors, links } = one.keepsake();
  return [anchors.includes(anchor), links.some((each) => each.link === link), two.kept.chains.length];
}"""


WITHOUT_CHANCE = """async () => {
  const { Dice } = await import("/static/dice.js");
  const h = (letter) => letter.repeat(64);
  const dice = new Dice("no chance", async () => null);
  const state = { chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: 0, moves: [] };
  const own = { commitments: [h("a"), h("b")], due: false, open: true, again: false, length: 3, digest: h("1") };
  await dice.observe({ ...state, dice: { ...own, anchor: null, tip: null } });
  const [{ anchor }] = dice.kept.chains;
  const now = { ...state, chance: false, dice: { ...own, anchor, tip: anchor, length: 4, digest: h("2") } };
  await dice.observe(now);
  const roll = await dice.part(now, "roll");
  const later = { ...now, roll: null, moves: [{ move: "roll", taps: false }] };
  const move = await dice.part(later, "roll");
  const odd = [];
  for (const text of [["roll"], [], "x".repeat(201), null]) odd.push(await dice.part(later, text));
  odd.push(await dice.part({ ...now, chance: true, roll: { seat: 1 } }, "roll")); // it is somebody else's
  const { links, bare, digests } = dice.keepsake();
  return [links.map(({ link }) => link === roll.link), move, bare, Object.keys(digests), odd];
}"""
"""The server says for a moment that this is a game without dice, or offers what no move looks like."""


def test_a_page_takes_its_part_whatever_the_server_says_of_the_game(visitor: Visitor) -> None:
    found = visitor.open("/").evaluate(WITHOUT_CHANCE)
    assert found == [[True], {}, [{"length": 4, "move": "roll"}], ["3", "4"], [None] * 5]


def test_two_seats_in_two_tabs_do_not_forget_each_others_chains(visitor: Visitor) -> None:
    """Both commit at once, and their notes are in one place: the chain that is refused to one is the other's."""
    assert visitor.open("/").evaluate(OTHER_SEAT) == [True, True, 2]


FULL = """async () => {
  const h = (letter) => letter.repeat(64);
  const { Dice } = await import("/static/dice.js");
  const table = { anchor: null, tip: null, commitments: [h("a")], length: 1, number: 0 };
  const state = () => ({ type: "state", chance: true, you: [0], turn: 0, roll: { seat: 0 }, number: table.number,
    dice: { ...table, commitments: [...table.commitments], due: false, open: true, again: false, least: 1,
      digest: `${table.length}`.padStart(64, "0") } });
  let dice = null;
  const send = async ({ type, anchor }) => {
    if (type !== "chain") return null;
    table.commitments.push(anchor);
    Object.assign(table, { anchor, tip: anchor, length: table.length + 1 });
    dice.observe(state());
    return state();
  };
  const load = async () => {
    dice = new Dice("full", send);
    await dice.observe(state());
    await dice.taking;
  };
  const found = [];
  const tap = async () => {
    table.commitments.push(`${table.length}`.padStart(64, "0"));
    table.length += 1;
    await dice.observe(state());
    const { link, epochs } = await dice.part(state(), "roll");
    found.push({ link, epochs, anchor: table.anchor, notes: dice.keepsake() });
    return link;
  };
  const whole = Storage.prototype.setItem;
  const fill = () => (Storage.prototype.setItem = () => { throw new Error("full"); });
  const fillLate = () => (Storage.prototype.setItem = (key, value) =>
    value.includes('"numbers":[1]') ? fill()() : whole.call(localStorage, key, value));
  const full = { observing: fill, revealing: fillLate };
  const told = {};
  for (const [when, begin] of Object.entries(full)) {
    localStorage.clear();
    found.length = 0;
    Object.assign(table, { anchor: null, tip: null, number: 0 });
    await load();
    table.tip = await tap();
    table.number = 1;
    begin();
    await tap(); // it gets lost
    await tap();
    Storage.prototype.setItem = whole;
    await load();
    await tap();
    const known = found.every(({ link, epochs, anchor, notes }) =>
      notes.anchors.includes(anchor) && notes.links.some((each) => each.link === link && each.epochs === epochs));
    const different = (name) => new Set(found.map((each) => each[name])).size;
    told[when] = [known, different("link"), different("anchor"), found.at(-1).notes.links.length];
  }
  return told;
}"""
"""Storage runs full in the middle of a game, a tap gets lost, and the page is loaded again."""


def test_a_page_whose_storage_is_full_does_not_forget_what_it_revealed(visitor: Visitor) -> None:
    """It goes on as another device would; or the server, which has seen a link, could have it sent with newer seeds.

    The second tap and the third reveal the same link, with the notes of a device of its own; what was stored stays.
    """
    assert visitor.open("/").evaluate(FULL) == {when: [True, 3, 3, 2] for when in ("observing", "revealing")}


def test_hashes_are_the_usual_ones(visitor: Visitor) -> None:
    page = visitor.open("/")
    texts = ["", "a", 'Übermut 🐚 \u007f "', "x" * 55, "x" * 56, "x" * 64, "x" * 1000]
    due = [
        [
            hashlib.sha256(text.encode()).hexdigest(),
            hmac.new(b"\x0b" * 32, json.dumps(text).encode(), hashlib.sha256).hexdigest(),
        ]
        for text in texts
    ]
    assert page.evaluate(HASHED, texts) == due


HOLD = """
const add = WebSocket.prototype.addEventListener;
window.held = [];
WebSocket.prototype.addEventListener = function (kind, listen) {
  const hold = (event) => (window.held && JSON.parse(event.data).re ? held.push(() => listen(event)) : listen(event));
  return add.call(this, kind, kind === "message" ? hold : listen);
};
window.release = () => { const told = held; window.held = null; told.forEach((tell) => tell()); };
"""
"""Answers to what the page asks come only when they are released; what it is told unasked comes at once."""


def test_a_tap_counts_while_the_page_still_commits_itself(visitor: Visitor) -> None:
    page = visitor.open()
    page.add_init_script(HOLD)
    page.goto(visitor.server.address + visitor.make(RIVER, "here", "here")["page"])
    page.locator("#moves .roll").click()
    page.wait_for_function("() => held.length")
    page.evaluate("() => release()")
    wait_past(page, 0)
