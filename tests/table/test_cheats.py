"""Those who want other dice: a server, a reader of its database, a forger. Each is caught, or gains nothing."""

import copy
import dataclasses
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import strandline
from server.helpers import (
    SIGNER,
    Page,
    anchor,
    chain_of,
    make_setup,
    make_table,
    play_out,
    play_with,
    record_of,
    unsteady_game,
)
from strandline import cli
from strandline.server import signing
from strandline.server.signing import Signer, is_signed
from strandline.table import dice, perspective
from strandline.table import table as tables
from strandline.table.ledger import Anchor, BadLink, Key, Ledger, Link
from strandline.table.record import HIDDEN, BadRecord, Line, Record, from_json
from strandline.table.table import Entry, Kind, Refused, Step, Table
from strandline.table.verify import KEPT_FORMAT, Bare, Falsehood, Kept, Report, Sent, Way, kept_from_json, verify

replaced = dataclasses.replace


def start(*chains: dice.Chain, **options: Any) -> tuple[Table, list[Page]]:
    """A table of two, whose pages have come."""
    table = Table(make_setup(**options))
    pages = [Page(table, {seat}, chain) for seat, chain in enumerate(chains or (chain_of(0), chain_of(1)))]
    for page in pages:
        page.commit()
        for other in pages:
            other.look()
    return table, pages


@pytest.fixture(scope="module")
def played() -> tuple[dict[str, Any], Kept]:
    """A finished game's record, and what seat 0's page has kept of it."""
    _, pages = start(round_limit=3)
    table = play_with(pages, random.Random(1))
    return record_of(table), pages[0].kept()


def judged(value: Any, kept: Kept | None = None, key: str | None = SIGNER.public) -> Report:
    return verify(value, key, kept=kept, signed=is_signed)


def failed(report: Report, why: str) -> bool:
    return report.verdict == "failed" and why in report.findings[-1]


def test_an_honest_game_passes_with_what_was_kept(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = played
    assert judged(record, kept).verdict == "passed"
    assert judged(record, kept, key=None).verdict == "passed"
    assert any(said.startswith("2 chains of people’s pages hold. ") for said in judged(record).findings)


def test_one_chain_is_told_of_as_one() -> None:
    table, _ = start(chain_of(0))
    assert (
        "1 chain of a person’s page holds. Links revealed: 1; by a tap to roll: 0." in judged(record_of(table)).findings
    )


def test_of_an_honest_game_nothing_else_is_told() -> None:
    """Links of the only page count from the first draw on: nobody could foresee one."""
    table = Table(make_setup(kinds=("link", "bot:random"), round_limit=2))
    page = Page(table, {0}, chain_of(0))
    page.commit()
    play_with([page], random.Random(1))
    draws = sum(line.by == "chance" for line in table.record.lines)
    links = sum(isinstance(note, Link) for _, note in table.record.notes)
    assert judged(record_of(table)).findings == [
        "All 2 seeds match their commitments in the record.",
        f"All {draws} draws were derived again from seeds and links, and all are right.",
        f"1 chain of a person’s page holds. Links revealed: {links}; by a tap to roll: {links - 1}.",
        f"The whole record is signed with the key given: {SIGNER.public[:16]}….",
    ]


def test_how_often_a_bot_took_over_is_told() -> None:
    table, pages = start(round_limit=2)
    table.fold(table.leave({1}, 1, "random"))
    play_with(pages[:1], random.Random(1))
    assert "1 time a bot began to play or roll for a person." in judged(record_of(table)).findings


def test_what_is_hidden_begins_at_a_line() -> None:
    table = make_table("sand_castles", ("link",) * 3)
    play_out(table, random.Random(1), 12)
    record = record_of(table)
    line = record["moves"].index(HIDDEN) + 1
    assert f"From line {line} on something is hidden until the game is over." in judged(record).findings


# The server


def test_a_server_that_replaces_a_link(played: tuple[dict[str, Any], Kept]) -> None:
    record = copy.deepcopy(played[0])
    link = next(note for note in record["dice"] if note.get("tap"))
    link["link"] = "ab" * 32
    assert failed(judged(SIGNER.signed(record)), "does not continue the chain")


def test_a_server_that_plays_with_a_chain_of_its_own(played: tuple[dict[str, Any], Kept]) -> None:
    """All of the record is right in itself; only the page knows that this is not what it committed to."""
    _, kept = played
    mine = dice.Chain(b"server" * 5 + b"!!")
    _, pages = start(mine, chain_of(1), round_limit=3)
    forged = record_of(play_with(pages, random.Random(1)))
    assert judged(forged).verdict == "passed"
    assert failed(judged(forged, kept), "committed to a chain that the record does not have")


def test_a_server_that_takes_another_seed_afterwards(played: tuple[dict[str, Any], Kept]) -> None:
    record = copy.deepcopy(played[0])
    record["seeds"][2] = "ab" * 32
    assert failed(judged(SIGNER.signed(record)), "do not match the commitments")
    record["dice"][2]["commitment"] = dice.commitment(bytes.fromhex("ab" * 32))
    assert judged(SIGNER.signed(record)).verdict == "failed"


def test_a_server_that_grinds_seeds_gains_nothing() -> None:
    """It picks the seed that would give a six with the links it expects; those that come are others."""
    sixes = 0
    for number in range(120):
        table = Table(make_setup())
        page = Page(table, {0}, dice.Chain(bytes([number]) * 32, links=4))
        (made,) = table.anchor({0}, page.chain.anchor)
        expected = dice.mixed(dice.mixed(bytes(32), "00" * 32), "11" * 32)
        seeds = (bytes([number, k]) * 16 for k in range(256))
        seed = next(seed for seed in seeds if dice.ticket(seed, table.id, 0, expected, 6) == 5)
        table.fold([table.step(replaced(made.entry, seed=seed.hex()))])
        page.look()
        page.tap()
        sixes += table.record.lines[0].text == "roll 6"
    assert 8 <= sixes <= 34  # of 120; all of them if it could choose


def test_a_server_cannot_grind_for_bots_before_a_link_is_revealed() -> None:
    table = Table(make_setup(kinds=("bot:random", "link")))
    page = Page(table, {1}, chain_of(0))
    anchor(table, {1}, page.chain)
    assert table.number == 0 and not table.record.ledger.is_open
    page.look()
    assert table.number == 1 and table.record.ledger.keys[0].epoch == 1


def test_a_server_that_starts_an_epoch_when_it_has_seen_a_link() -> None:
    """It holds a tap back, lets an accomplice join with a seed of its choice, and puts the tap behind that."""
    table, (first, _) = start(round_limit=2)
    link, epochs = first.part(0)
    anchor(table, {1}, dice.Chain(b"accomplice......" * 2))
    assert table.record.ledger.epochs == epochs + 1
    table.fold(table.tap({0}, 0, link, epochs))
    ledger = table.record.ledger
    assert ledger.key.epoch == 2 and ledger.waiting == {3: Key(3)}  # sent before the new seed, it does not count for it
    first.look()
    record = record_of(table)
    note = next(note for note in record["dice"] if note.get("link") == link)
    note["epochs"] += 1
    assert failed(judged(SIGNER.signed(_redone(record)), first.kept()), "The page knew 3 seeds")


def test_a_server_that_drops_a_tap_and_asks_again() -> None:
    """It is told the same link again, whatever has come between."""
    table, (first, _) = start()
    told = first.part(0)
    anchor(table, {1}, dice.Chain(b"accomplice......" * 2))
    first.look()
    assert first.part(0) == told


def test_a_server_that_lets_a_bot_roll_in_place_of_a_tap() -> None:
    table, pages = start(round_limit=2)
    pages[0].part(0)  # the tap is dropped
    table.fold(table.leave({0}, 0, "random"))
    report = judged(record_of(play_with(pages, random.Random(1))), pages[0].kept())
    assert (
        "The page had tapped after line 0, and its link is not there: it got lost, or was left out." in report.findings
    )


def test_a_server_that_rolls_with_a_link_elsewhere(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = played
    links = [replaced(sent, numbers=tuple(n and n + 2 for n in sent.numbers)) for sent in kept.links]
    assert failed(judged(record, replaced(kept, links=links)), "says that the page tapped after line")


def test_a_server_that_forgets_a_link_or_makes_one_up(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = played
    more = [*kept.links, Sent("ab" * 32, 3, 999, (4,)), Sent("cd" * 32, 3, 999, (6,))]
    assert failed(judged(record, replaced(kept, links=more)), "are not in the record")
    assert failed(judged(record, replaced(kept, links=kept.links[1:])), "never sent")


def test_a_server_that_tells_two_stories(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = played
    for length in (0, 5, max(kept.digests)):
        digests = {**kept.digests, length: "ab" * 32}
        assert judged(record, replaced(kept, digests=digests)).verdict == "failed"
    assert failed(judged(record, replaced(kept, commitments=["ab" * 32])), "commitments are not those")
    assert failed(judged(record, replaced(kept, key="ab" * 32)), "key that the page knew")
    assert failed(judged(record, replaced(kept, table="other")), "another table")


def claimed(kept: Kept, number: int, **changes: Any) -> Kept:
    """The page's notes, with something else about its link of that number."""
    links = list(kept.links)
    links[number] = replaced(links[number], **changes)
    return replaced(kept, links=links)


def test_a_server_that_asks_for_links_ahead_of_time(played: tuple[dict[str, Any], Kept]) -> None:
    """It says that a link is due, so that it knows what the next tap will reveal."""
    record, kept = played
    last = len(kept.links) - 1
    early = claimed(kept, last, length=kept.links[last - 1].length, numbers=(None, *kept.links[last].numbers))
    assert failed(judged(record, early), "for a link that does not follow the last one in the record")
    due = claimed(kept, last, numbers=(None, *kept.links[last].numbers))
    assert failed(judged(record, due), "for a link that was not due")
    elsewhere = next(length for length in sorted(kept.digests) if length > kept.links[last - 1].length + 1)
    assert failed(judged(record, claimed(kept, last, length=elsewhere)), "where it had nothing to roll")


def test_a_server_that_shows_commitments_which_are_not_in_the_record_yet() -> None:
    """The page would reveal links for a seed that comes later, and a chain could be ground for them."""
    table, (first, _) = start(round_limit=2)
    coming = dice.commitment(bytes(32))
    first.commitments = (*first.commitments, coming)
    link, epochs = first.part(0)
    (made,) = table.anchor({1}, chain_of(7).anchor)
    table.fold([table.step(replaced(made.entry, seed=bytes(32).hex()))])
    table.fold(table.tap({0}, 0, link, epochs))
    second = Page(table, {1}, chain_of(7))
    play_with([first, second], random.Random(1))
    assert failed(judged(record_of(table), first.kept()), "had seen 4 commitments after line 0; the record has 3 there")


def test_a_server_that_says_that_a_roll_comes_out_as_before(played: tuple[dict[str, Any], Kept]) -> None:
    """Then the page sends no link, and another device is made up that does."""
    record, kept = played
    told = replaced(kept, bare=[Bare(kept.links[-1].length, None)])
    assert failed(judged(record, told), "was told that its roll comes out as before; it was a new one")


@pytest.mark.parametrize(("move", "why"), [("roll", "shown a roll as a move"), ("sail 2", "shown a roll as a move")])
def test_a_server_that_shows_a_roll_as_a_move(played: tuple[dict[str, Any], Kept], move: str, why: str) -> None:
    """Then the page sends no link, and the server rolls as if nobody were there."""
    record, kept = played
    assert kept.bare
    told = replaced(kept, bare=[*kept.bare, Bare(kept.links[-1].length, move)])
    assert failed(judged(record, told), why)
    told = replaced(kept, bare=[Bare(kept.bare[0].length, "fly")])
    assert failed(judged(record, told), "was offered 'fly', which nobody can play there")


def test_moves_that_did_not_come_are_told(played: tuple[dict[str, Any], Kept]) -> None:
    """The server shows a roll as if the position before it were still there, and as one of the moves there."""
    record, kept = played
    told = "1 move of this page did not come where it sent it"
    assert not any(said.startswith(told[:10]) for said in judged(record, kept).findings)
    for move in (kept.bare[0].move, "sail 1", "sail 2", "sail 3"):
        report = judged(record, replaced(kept, bare=[*kept.bare, Bare(kept.bare[0].length, move)]))
        if report.verdict == "passed":  # another boat may not be able to sail
            assert any(said.startswith(told[:33]) for said in report.findings)


def test_nobody_is_asked_for_links_by_absences_before_anything_has_begun() -> None:
    """A reader of the seeds holds their first link back, and somebody in league leaves and comes back."""
    table = Table(make_setup(kinds=("link",) * 3))
    pages = [Page(table, {seat}, chain_of(seat)) for seat in range(3)]
    for page in pages:
        anchor(table, page.seats, page.chain)
    ledger = table.record.ledger
    assert not ledger.is_open and all(map(ledger.is_due, ledger.live()))
    for page in pages[1:]:
        page.look()
    table.fold(table.leave({2}, 2, "random"))
    ledger = table.record.ledger
    assert not ledger.is_open and [ledger.is_due(chain) for chain in (1, 2, 3)] == [True, False, False]
    table.fold(table.leave({0}, 0, "random"))  # then nobody waits for the first one any more
    ledger = table.record.ledger
    assert ledger.is_due(2)
    pages[1].look()
    assert table.record.ledger.is_open


def test_a_flip_brings_its_link_along() -> None:
    """The page sends both for the position before; elsewhere, or for another move, it would not have sent the link."""
    table = Table(make_setup("sand_castles", ("link", "bot:random")))
    page, rng = Page(table, {0}, chain_of(0)), random.Random(1)
    page.commit()
    flips = 0
    while not table.record.over:
        moves = table.record.position.moves()
        if (
            table.turn == 0
            and not table.roll()
            and "flip" in moves
            and table.record.drawn == len(table.record.ledger.keys)
        ):
            page.see()
            table.fold(table.move({0}, "flip", table.number, *page.part(table.number + 1)))
            page.look()
            flips += 1
        else:
            play_with([page], rng, most=1)
    page.look()
    record, kept = record_of(table), page.kept()
    assert flips > 1 and judged(record, kept).verdict == "passed"
    at = next(at for at, sent in enumerate(kept.links) if sent.numbers[0] is not None)
    (number,) = kept.links[at].numbers
    assert number is not None
    for other in (number - 1, number + 1):
        assert judged(record, claimed(kept, at, numbers=(other, number))).verdict == "failed"


def test_a_link_knows_more_than_the_one_before() -> None:
    """A tap may know as much as the link before it, for nothing need have begun meanwhile."""
    table = Table(make_setup())
    anchor(table, {0}, chain_of(0))
    link = chain_of(0).next(chain_of(0).anchor) or ""
    for epochs in (0, 1):
        with pytest.raises(BadLink, match="cannot have known"):
            table.record.ledger.noted(Link(1, link, epochs, False))
    after = table.record.ledger.noted(Link(1, link, 2, False))
    following = chain_of(0).next(link) or ""
    assert after.noted(Link(1, following, 2, True)).known[1] == 2
    with pytest.raises(BadLink, match="cannot have known"):
        after.noted(Link(1, following, 1, True))


def test_a_server_that_says_that_a_flip_takes_no_link() -> None:
    table = Table(make_setup("sand_castles", ("link", "bot:random")))
    page = Page(table, {0}, chain_of(0))
    page.commit()
    while perspective._taps(table.record.position, table.record.position.moves()[0]) is False:
        play_with([page], random.Random(1), most=1)
    page.bare.append(Bare(page.length, "flip"))
    play_with([page], random.Random(2))
    assert failed(judged(record_of(table), page.kept()), "was told that its move takes no link; it was a tap")


def tapped(table: Table, chain: dice.Chain, **kept: Any) -> Way:
    """What is noticed of one more tap in a record, and the roll after it."""
    ledger = table.record.ledger
    number = next(number for number, anchor in ledger.anchors.items() if anchor == chain.anchor)
    way = Way(from_json(record_of(table)), Kept(table.id, **kept))
    way.go(table.record, Link(number, chain.next(ledger.tips[number]) or "", ledger.epochs, True))
    way.go(table.record, Line("chance", "roll 1"))
    return way


def test_a_roll_that_comes_out_as_before_takes_no_link() -> None:
    """By a link it would come out otherwise from then on."""
    table = Table(make_setup(kinds=("link", "bot:random"), round_limit=3))
    page, rng = Page(table, {0}, chain_of(0)), random.Random(1)
    page.commit()
    while table.record.drawn < 3:
        turn = table.record.position.turn
        if table.roll():
            page.tap()
        elif turn == 0:
            table.fold(table.move({0}, table.record.position.moves()[0], table.number))
        else:
            table.fold(table.bot_move(1, rng.choice(table.record.position.moves()), table.number))
    table.fold(table.undo({0}, table.number))
    assert table.record.drawn == 1 and len(table.record.ledger.keys) == 3
    table.fold(table.move({0}, table.record.position.moves()[-1], table.number))
    table.fold(table.bot_move(1, table.record.position.moves()[0], table.number))
    assert table.roll()
    with pytest.raises(Falsehood, match="for a roll that had been made before"):
        tapped(table, page.chain)
    page.see()
    page.bare.append(Bare(page.length, None))
    table.fold(table.tap({0}, table.number, None, 0))
    report = judged(record_of(play_with([page], rng)), page.kept())
    assert report.verdict == "passed" and any(
        said.startswith("1 undo went back over a draw") for said in report.findings
    )


def test_undos_that_nobody_could_ask_for() -> None:
    """Of a bot, of what another has played, of a roll, or after the end: they would let somebody choose again."""
    table = play_with(start(round_limit=2)[1], random.Random(1))
    over = len(table.record.lines)
    for kinds, moves in ((("link", "link"), 2), (("bot:random", "link"), 2), (("link", "link"), over)):
        record = Record(replaced(table.record.header, kinds=kinds))
        for line in table.record.lines[:moves]:
            record.append(line)
        for by, to in ((0, 0), (1, 1), (0, 1)):
            if (kinds[0], moves, by, to) == ("link", 2, 0, 1):
                record.next(Line(by, f"undo {to}"))  # its own last move
                continue
            with pytest.raises(BadRecord, match="cannot take back"):
                record.next(Line(by, f"undo {to}"))


def test_a_tap_by_somebody_whose_roll_it_is_not() -> None:
    """A server puts an accomplice's tap, or that of a device it makes up, before rolls that it would rather change."""
    table, (first, _) = start()
    first.tap()
    roll_on(table, first)
    assert table.turn == 1
    with pytest.raises(Falsehood, match="by somebody whose roll it was not"):
        tapped(table, first.chain)
    with pytest.raises(Refused, match="does not match"):  # nor by whoever plays for both
        table.tap({0, 1}, table.number, *first.part(table.number))


def test_whoever_plays_for_several_rolls_for_each_with_the_chain_of_its_seat() -> None:
    """Ben was at his phone; then his seat came to the tablet, too."""
    table, (tablet, phone) = start(round_limit=2)
    tablet.tap()
    roll_on(table, tablet)
    both = Page(table, {0, 1}, dice.Chain(bytes([9]) * 32, links=64))
    assert perspective.seen_dice(table, both.seats)["anchor"] == phone.chain.anchor
    both.commit()
    assert perspective.seen_dice(table, both.seats)["anchor"] == both.chain.anchor
    play_with([both], random.Random(1))
    for page in (tablet, phone, both):
        page.see()
        assert judged(record_of(table), page.kept()).verdict == "passed"


def test_a_server_that_has_a_link_sent_with_a_move_that_is_no_tap(played: tuple[dict[str, Any], Kept]) -> None:
    """It says that a move rolls, or is one position behind: then the page sends what its next tap will reveal."""
    record, kept = played
    link = next(sent for sent in kept.links if sent.numbers[0] is not None)
    at = kept.links.index(link)
    after = next(length for length in sorted(kept.digests) if length > link.length)
    assert failed(judged(record, claimed(kept, at, length=after)), "does not follow the last one in the record")
    following = kept.links[at + 1]
    for number in (None, 1, 2):
        early = claimed(kept, at + 1, length=after, numbers=(number, *following.numbers))
        assert judged(record, early).verdict == "failed"
    beyond = max(kept.digests) + 5
    for late in (replaced(kept, bare=[Bare(beyond, None)]), claimed(kept, at, length=beyond)):
        assert failed(judged(record, late), "its end is missing")


def test_a_server_that_makes_a_page_begin_new_chains_until_it_likes_the_roll() -> None:
    """It drops the tap, and says that its link is too old."""
    table, (first, second) = start(round_limit=3)
    while table.turn != 0 or not table.roll() or table.number < 5:
        for page in (first, second):
            page.look()
        turn = table.turn
        assert isinstance(turn, int)
        if table.roll():
            (first, second)[turn].tap()
        else:
            table.fold(table.move({turn}, table.record.position.moves()[0], table.number))
    first.look()
    first.part(table.number)
    old = first.chain
    first.chain = dice.Chain(bytes([60]) * 32, links=64)
    first.commit()
    assert old.anchor in first.anchors
    play_with([first, second], random.Random(1))
    assert failed(judged(record_of(table), first.kept()), "begin a new chain without need")
    assert judged(record_of(table), second.kept()).verdict == "passed"


def with_links_left_out(devices: int) -> tuple[Table, Page]:
    """After a device that it makes up, the server drops three taps: each time the page begins a new chain."""
    table = Table(make_setup(kinds=("link", "bot:random"), round_limit=3))
    page = Page(table, {0}, chain_of(0))
    page.commit()
    page.tap()
    play_with([page], random.Random(1), most=4)
    while not table.roll():
        play_with([page], random.Random(1), most=1)
    for number in range(4):
        if number < devices:
            anchor(table, {0}, dice.Chain(bytes([60 + number]) * 32, links=2))
        page.see()
        page.chain = dice.Chain(bytes([70 + number]) * 32, links=64)
        page.commit()
        link, epochs = page.part(table.number)
    table.fold(table.tap({0}, table.number, link, epochs))
    page.look()
    play_with([page], random.Random(1))
    return table, page


def test_a_server_that_has_several_links_for_one_roll() -> None:
    """It could take the one that it likes best."""
    table, page = with_links_left_out(devices=1)
    assert failed(judged(record_of(table), page.kept()), "begin a new chain without need")
    table, page = with_links_left_out(devices=4)
    report = judged(record_of(table), page.kept())
    assert report.verdict == "passed"  # the devices may be real
    number = next(sent.numbers[0] for sent in page.kept().links if dice.hashed_link(sent.link) == page.anchors[1])
    told = f"The page had tapped after line {number}, and its link is not there: it got lost, or was left out."
    assert told in report.findings


def with_due_links_kept(replaces: bool, devices: bool = False) -> tuple[Table, Page]:
    """Before the first roll the server asks for a link that is due, and looks what it would roll with it as a tap.

    If that is no six, the page is to begin a new chain, or the link is added as it was sent.
    """
    table = Table(make_setup(kinds=("link", "bot:random"), round_limit=2))
    page = Page(table, {0}, chain_of(0))
    for number in itertools.count():
        if devices:
            anchor(table, {0}, dice.Chain(bytes([160 + number]) * 32, links=2))
        page.chain = dice.Chain(bytes([60 + number]) * 32, links=64)
        anchor(table, {0}, page.chain)
        page.anchors.append(page.chain.anchor)
        page.see()
        link, epochs = page.part(None)
        steps = table.tap({0}, 0, link, epochs)
        if steps[1].entry.text == "roll 6" or not replaces:
            break
    assert number or not replaces
    page.part(0)  # only now the person taps
    table.fold(steps)
    page.look()
    play_with([page], random.Random(1))
    return table, page


def test_a_server_that_has_chain_after_chain_begun_before_the_first_roll() -> None:
    """Each time a link is due, and nobody has tapped yet when it knows what that link would roll."""
    table, page = with_due_links_kept(replaces=True)
    assert table.record.lines[0].text == "roll 6"
    assert failed(judged(record_of(table), page.kept()), "begin a new chain without need")


@pytest.mark.parametrize("devices", [False, True])
def test_due_links_that_were_kept_are_told(devices: bool) -> None:
    """A link that came with a tap, although it had been sent before, or never came: the server knew it."""
    table, page = with_due_links_kept(replaces=devices, devices=devices)
    report = judged(record_of(table), page.kept())
    assert report.verdict == "passed"  # links get lost, and the devices may be real
    kept = len(page.anchors)
    told = f"{kept} link{'s' if kept > 1 else ''} that this page added without a tap"
    assert sum(said.startswith(told) for said in report.findings) == 1


class Copied:
    """An accomplice's chain that is part of somebody else's: its anchor is a link that they have revealed."""

    def __init__(self, links: list[str]) -> None:
        self.anchor, self._links = links[0], links

    def next(self, tip: str) -> str | None:
        return self._links[self._links.index(tip) + 1] if tip in self._links[:-1] else None


@pytest.mark.parametrize("copies", [False, True])
def test_a_due_link_that_was_dropped_is_told_though_another_adds_it(copies: bool) -> None:
    """The server drops a link of the page; an accomplice adds it, by a chain that begins in the page’s."""
    table = Table(make_setup(kinds=("link",) * 4, round_limit=2))
    page, other = (Page(table, {seat}, chain_of(seat)) for seat in (0, 1))
    for each in (page, other):
        each.commit()
    page.look()
    other.look()
    links = [page.chain.anchor]
    for _ in range(4):
        links.append(page.chain.next(links[-1]) or "")
    chain: Any = Copied(links[1:]) if copies else chain_of(2)
    accomplice = Page(table, {2}, chain)
    anchor(table, {2}, chain)
    accomplice.anchors.append(chain.anchor)

    def add() -> None:
        ledger = table.record.ledger
        link = chain.next(ledger.tips[ledger.chains[2]])
        table.fold(table._with_chance([table._link({2}, link, ledger.epochs)]))
        other.look()

    page.see()
    assert page.part(None)[0] == links[3]  # sent, and dropped by the server
    add()
    last = Page(table, {3}, chain_of(3))
    anchor(table, {3}, last.chain)
    last.anchors.append(last.chain.anchor)
    add()
    last.look()
    anchor(table, {0}, chain_of(8))  # a device that the server made up, so that the page goes on with a new chain
    page.see()
    for each, number in ((page, 9), (accomplice, 7)):
        each.chain = chain_of(number)
        each.commit()
    report = judged(record_of(play_with([page, other, accomplice, last], random.Random(1))), page.kept())
    assert report.verdict == "passed"
    assert any(said.startswith("1 link that this page added without a tap did not come") for said in report.findings)


def test_a_tap_whose_link_was_added_without_it_is_told() -> None:
    """The server sees what the tap would roll; if it would rather not, it says that the link is due."""
    table = Table(make_setup(kinds=("link", "link"), round_limit=2))
    pages = [Page(table, {seat}, chain_of(seat)) for seat in range(2)]
    pages[0].commit()
    anchor(table, {1}, pages[1].chain)
    pages[1].anchors.append(pages[1].chain.anchor)
    pages[0].see()
    pages[0].part(0)
    pages[0].look()
    pages[0].tap()
    play_with(pages, random.Random(1))
    for page, found in zip(pages, (True, False), strict=True):
        report = judged(record_of(table), page.kept())
        assert report.verdict == "passed"
        assert found == any(said.startswith("The page had tapped after line 0") for said in report.findings)


def test_a_bots_seat_has_no_chain() -> None:
    table = Table(make_setup(kinds=("link", "bot:random")))
    with pytest.raises(BadRecord, match="no page, and so no chain"):
        table.record.append(Anchor((1,), chain_of(1).anchor, "ab" * 32))


def test_rolls_with_chains_of_other_devices_are_told() -> None:
    """The server may have made one up: it held the page's taps back and tapped in its place."""
    table, (first, second) = start(round_limit=2)
    made_up = Page(table, {0}, chain_of(9))
    first.tap()
    made_up.commit()
    play_with([made_up, second], random.Random(1))
    first.see()
    report = judged(record_of(table), first.kept())
    assert report.verdict == "passed"
    assert any("came with chains of other devices" in said for said in report.findings)
    assert not any("other devices" in said for said in judged(record_of(table), second.kept()).findings)
    newest = dict([max(first.digests.items())])  # of a long game a page has not kept the first digests
    kept = replaced(first.kept(), digests=newest)
    found = judged(record_of(table), kept).findings
    assert any("came with chains of other devices" in said for said in found)


@pytest.mark.parametrize("has_chain", [True, False])
def test_rolls_before_a_page_could_begin_its_chain_are_told(has_chain: bool) -> None:
    """The server keeps the page's anchor waiting, and meanwhile rolls with a chain of its own, or without any."""
    table = Table(make_setup(kinds=("link", "bot:random"), round_limit=3))
    made_up, page = Page(table, {0}, chain_of(9)), Page(table, {0}, chain_of(0))
    page.see()
    if has_chain:
        made_up.commit()
        made_up.tap()
    else:
        table.fold(table._with_chance([], away=0))
    page.commit()
    page.look()
    play_with([page], random.Random(1))
    report = judged(record_of(table), page.kept())
    told = (
        "1 roll came with chains of other devices" if has_chain else "1 draw came after this page had come and before"
    )
    assert report.verdict == ("passed" if has_chain else "open")
    assert sum(said.startswith(told) for said in report.findings) == 1
    late = dataclasses.replace(
        page.kept(), digests={length: sum_ for length, sum_ in page.digests.items() if length > 5}
    )
    assert not any(said.startswith(told) for said in judged(record_of(table), late).findings)


def test_what_is_drawn_before_anybody_has_come_is_told() -> None:
    """Its seed was looked for: the server deals before any page has begun a chain, and only then shows the tiles."""
    table = Table(make_setup("sand_castles", ("link", "bot:random")))
    while table.record.position.turn == "chance":
        table.fold(_dealt(table))
    page = Page(table, {0}, chain_of(0))
    page.commit()
    play_with([page], random.Random(1))
    report = judged(record_of(table), page.kept())
    (said,) = [said for said in report.findings if "could choose" in said]
    assert report.verdict == "open" and said.startswith("5 draws came before any page’s links counted")
    assert "5 draws had come before this page did: of that it can say nothing." in report.findings


def _dealt(table: Table) -> list[Step]:
    """What the seeds and links give next, whoever is waited for."""
    last = table._drawn(table.record, None)
    assert isinstance(last.item, Line)
    return [Step(Entry(Kind.CHANCE, None, last.item.text), last)]


def test_a_server_that_calls_somebody_absent_until_it_likes_the_deck() -> None:
    """An absence asks nobody for another link, and the record shows that."""
    table = Table(make_setup("sand_castles", ("link", "bot:random")))
    page = Page(table, {0}, chain_of(0))
    anchor(table, page.seats, page.chain)
    page.see()
    table.fold([table._link({0}, *page.part(None))])
    assert table.record.ledger.is_open
    table.fold([table._absent(0, None)])
    (chain,) = table.record.ledger.live()
    assert not table.record.ledger.is_due(chain)
    page.see()
    with pytest.raises(Refused, match="does not match"):
        table._link({0}, *page.part(None))


def test_a_server_that_makes_up_devices_so_that_taps_change_nothing() -> None:
    """Before a roll that it likes as it is it says that another device has begun a chain; then the page begins one."""
    table, (first, second) = start(round_limit=4)
    play_with([first, second], random.Random(1), most=6)
    while not (due := table.roll()) or due.seat:
        play_with([first, second], random.Random(2), most=1)
    anchor(table, {0}, chain_of(9))
    first.see()
    first.chain = chain_of(8)
    first.commit()
    first.tap()
    play_with([first, second], random.Random(3))
    told = "1 tap of this page came with a new chain, before its links counted"
    assert any(said.startswith(told) for said in judged(record_of(table), first.kept()).findings)
    assert not any("with a new chain" in said for said in judged(record_of(table), second.kept()).findings)


def test_a_second_tap_in_the_middle_of_a_row() -> None:
    """The server draws the first die, sees what the others would be, and asks for another tap."""
    table = Table(make_setup("undertow"))
    pages = [Page(table, {seat}, chain_of(seat)) for seat in range(2)]
    for page in pages:
        page.commit()
    pages[0].look()
    roll = table.roll()
    assert roll
    page = pages[seat := roll.seat]
    page.see()
    link, epochs = page.part(table.number)
    table.fold([table._link({seat}, link, epochs, tap=True)])
    table.fold(_dealt(table))
    assert table.roll() == roll  # the row goes on
    page.see()
    page.tap()
    report = judged(record_of(play_with(pages, random.Random(1))), page.kept())
    assert failed(report, "was a second tap in one row")


@pytest.mark.parametrize("absent", [0, 1])
@pytest.mark.parametrize("name", strandline.games())
def test_nobody_waits_for_the_page_of_somebody_for_whom_a_bot_plays(name: str, absent: int) -> None:
    """Before anything has begun: they looked in on another device, and were gone before it had added its link."""
    table = Table(make_setup(name, kinds=("link", "link")))
    table.fold(table.opening())
    anchor(table, {absent}, chain_of(0))
    try:
        table.fold(table.overdue(absent, "random"))
    except Refused:
        table.fold(table.leave({absent}, absent, "random"))
    anchor(table, {absent}, chain_of(9))
    page = Page(table, {1 - absent}, chain_of(1))
    page.commit()
    assert table.record.ledger.is_open


def test_a_page_for_whose_seat_a_bot_plays_fills_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """While another owes a link it looks in, begins a chain, adds the link that is due, and comes with a new chain."""
    monkeypatch.setattr(tables, "MOST_CHAINS", 10)
    monkeypatch.setattr("strandline.table.table.time.time", lambda: 30.0)
    table = Table(make_setup(kinds=("link", "link")))
    anchor(table, {0}, chain_of(0))
    table.fold(table.leave({1}, 1, "random"))
    with pytest.raises(Refused, match="changed devices too often"):
        for number in range(100):
            Page(table, {1}, dice.Chain(bytes([number]) * 32, links=4)).commit()
    assert table.entries < 5 * tables.MOST_CHAINS


def test_one_tap_rolls_for_one_seat() -> None:
    """Also where one page plays for two: a wind that cannot blow ends the turn, and the other seat has not tapped."""
    for number in range(100):
        table = Table(make_setup(kinds=("here", "here"), round_limit=3))
        page = Page(table, {0, 1}, dice.Chain(bytes([number]) * 32, links=64))
        page.commit()
        page.tap()
        if (due := table.roll()) and due.seat == 1:
            break
    table.fold(_dealt(table))
    page.see()
    assert failed(judged(record_of(play_with([page], random.Random(1))), page.kept()), "drawn without the link")


def test_links_that_were_added_while_a_tap_was_held_back_are_told() -> None:
    """Before the first roll the server and those who add links can choose among a few outcomes."""
    table = Table(make_setup(kinds=("link",) * 3, round_limit=2))
    pages = [Page(table, {seat}, chain_of(seat)) for seat in range(3)]
    for page in pages:
        anchor(table, page.seats, page.chain)
        page.anchors.append(page.chain.anchor)
    pages[0].look()
    link, epochs = pages[0].part(0)  # the tap is held back
    pages[1].look()
    table.fold(table.tap({0}, 0, link, epochs))
    play_with(pages, random.Random(1))
    told = "1 tap of this page counted only after others had added links"
    for page, found in zip(pages, (True, False, False), strict=True):
        report = judged(record_of(table), page.kept())
        assert report.verdict == "passed" and found == any(said.startswith(told) for said in report.findings)


@pytest.mark.parametrize("clock", [False, True])
def test_whoever_holds_a_link_back_is_not_waited_for_without_end(clock: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots roll when somebody has added a link. An older chain that adds none would keep them waiting."""
    table = Table(make_setup(kinds=("bot:random", "link", "link")))
    anchor(table, {1}, chain_of(1))
    second = Page(table, {2}, chain_of(2))
    second.commit()
    assert table.turn == "chance" and table.waits_for() == 1
    with pytest.raises(Refused, match="Nobody is waiting"):
        table.overdue(2, "random")
    if clock:
        monkeypatch.setattr(table, "deadline", lambda: 5.0)
        table.fold(table.out_of_time(1, "", 0, now=6.0))
    else:
        table.fold(table.overdue(1, "random"))
    assert table.bot(1) == (None if clock else "random")
    second.look()
    assert table.number > 0


# Somebody who reads the database and holds a seat


def test_a_reader_of_the_seeds_cannot_grind_a_chain() -> None:
    """Whichever chain replaces theirs, their next roll is the same, until somebody else has tapped."""
    rolls = set()
    for number in range(12):
        table, (first, _) = start()
        first.tap()
        roll_on(table, first)
        assert table.turn == 1
        ground = Page(table, {1}, dice.Chain(bytes([number]) * 32, links=8))
        ground.commit()
        ground.tap()
        rolls.add(table.record.lines[-1].text)
    assert len(rolls) == 1


def roll_on(table: Table, page: Page) -> None:
    """The first boat sails until it is the other's turn to roll."""
    while table.turn == min(page.seats):
        if table.roll():
            page.tap()
        else:
            table.fold(table.move(page.seats, table.record.position.moves()[0], table.number))


def test_a_new_chain_counts_when_everybody_has_tapped_after_it() -> None:
    table, (first, _) = start()
    first.tap()
    roll_on(table, first)
    again = Page(table, {1}, dice.Chain(bytes([77]) * 32, links=8))
    again.commit()
    first.look()
    again.tap()
    assert table.record.ledger.key.epoch == 2
    roll_on(table, again)
    while table.record.ledger.key.epoch == 2:
        (first if table.turn == 0 else again).tap()
        roll_on(table, first if table.turn == 0 else again)
    assert table.record.ledger.key.epoch == 3


def test_a_reader_of_the_seeds_cannot_skip_links() -> None:
    table, (first, second) = start()
    link, epochs = second.part(0)
    with pytest.raises(Refused):
        table.tap({1}, 0, link, epochs)
    with pytest.raises(Refused, match="does not match") as refused:
        table.reveal({1}, link, epochs)
    assert "No link was asked for" in str(refused.value.__cause__)
    after = second.chain.next(link)
    first.tap()
    roll_on(table, first)
    with pytest.raises(Refused, match="does not match"):
        table.tap({1}, table.number, after, epochs)


class Staller(Page):
    """A page that never admits to know of others, so that no epoch with a part of theirs begins."""

    colludes = False

    def look(self) -> None:
        if self.colludes:
            self.table.record.seen_epochs = 1

    def part(self, number: int | None) -> tuple[str, int]:
        return super().part(number)[0], 2


def stalled() -> tuple[Table, Staller, Page]:
    table = Table(make_setup(round_limit=3))
    staller, honest = Staller(table, {0}, chain_of(0)), Page(table, {1}, chain_of(1))
    staller.commit()
    honest.commit()
    return table, staller, honest


def test_a_player_cannot_keep_the_others_links_out_of_the_dice() -> None:
    table, staller, honest = stalled()
    staller.tap()  # in the first second it may be true that a page knows of no more
    assert table.record.ledger.key.epoch == 1
    roll_on(table, staller)
    honest.look()
    honest.tap()
    roll_on(table, honest)
    assert table.turn == 0
    with pytest.raises(Refused, match="must add its part"):
        staller.tap()
    table.fold(table.tap({0}, table.number, staller.part(None)[0], 3))
    assert table.record.ledger.key.epoch == 2


def test_a_server_that_helps_to_keep_links_out_of_the_dice() -> None:
    table, staller, honest = stalled()
    staller.colludes = True
    play_with([staller, honest], random.Random(1))
    assert failed(judged(record_of(table), honest.kept()), "knows less than its page had seen")


def test_players_in_league_do_not_choose_how_many_commitments_they_know() -> None:
    """Before an honest tap one begins chains, and the other, who rolls right after it, says which of them it knows.

    Each of those epochs has the honest link, and only waits for theirs: they would choose among all.
    """
    table, pages = start(chain_of(0), chain_of(1), chain_of(2), kinds=("link",) * 3)
    honest, rolls, begins = pages
    rng, numbers = random.Random(4), itertools.count(100)
    while table.turn != 1 or not table.roll() or not table.number or table.record.lines[-1].by != "chance":
        for page in pages:
            page.look()
        due, turn = table.roll(), table.record.position.turn
        if due and due.seat == 0:
            for _ in range(3):
                begins.chain = dice.Chain(next(numbers).to_bytes(32, "big"), links=8)
                begins.commit()
            honest.look()
        if due:
            pages[due.seat].tap()
        else:
            assert isinstance(turn, int)
            table.fold(table.move({turn}, rng.choice(table.record.position.moves()), table.number))
    rolls.see()
    link, epochs = rolls.part(table.number)
    with pytest.raises(Refused, match="must add its part"):
        table.tap({1}, table.number, link, epochs - 2)
    table.record.seen_epochs = 1
    table.fold(table.tap({1}, table.number, link, epochs - 2))
    assert table.record.ledger.key.epoch == epochs - 4  # with all that it knows it would be epochs - 2
    for page in pages:
        page.look()
    play_with(pages, rng)
    assert failed(judged(record_of(table), honest.kept()), "knows less than its page had seen")


def played_against(cheat: Callable[[Table, int], None]) -> tuple[Table, Page]:
    """A whole game of an honest page at seat 1; `cheat` rolls for seat 0, which has begun a chain and added no link."""
    table = Table(make_setup())
    honest, rng = Page(table, {1}, chain_of(1)), random.Random(1)
    anchor(table, {0}, chain_of(0))
    honest.commit()
    while not table.record.over:
        honest.look()
        due, turn = table.roll(), table.record.position.turn
        if due:
            honest.tap() if due.seat == 1 else cheat(table, due.seat)
        else:
            assert isinstance(turn, int)
            text = rng.choice(table.record.position.moves())
            own = table.bot(turn) is None
            table.fold(table.move({turn}, text, table.number) if own else table.bot_move(turn, text, table.number))
    honest.look()
    return table, honest


def test_nobody_keeps_the_others_links_out_by_coming_again_and_again() -> None:
    """Seat 0 begins a new chain before each of its taps. No epoch waits for a chain that is newer."""
    numbers = itertools.count()

    def come_again(table: Table, seat: int) -> None:
        page = Page(table, {seat}, dice.Chain(next(numbers).to_bytes(32, "big"), links=4))
        anchor(table, {seat}, page.chain)
        page.commitments = table.record.ledger.commitments
        table.fold(table.tap({seat}, table.number, *page.part(table.number)))

    table, honest = played_against(come_again)
    ledger = table.record.ledger
    late = [key.epoch for key in ledger.keys].index(next(key.epoch for key in ledger.keys if key.epoch >= 2))
    assert late <= 3 < len(ledger.keys) - 5 and all(key.epoch >= 2 for key in ledger.keys[late:])
    mixes = [key.mix for key in ledger.keys]
    assert len(set(mixes)) > len(mixes) // 3  # each of the honest links has changed what came
    report = judged(record_of(table), honest.kept())
    assert report.verdict == "open"
    assert any(said.startswith("1 draw came before any page’s links counted") for said in report.findings)


def test_nobody_keeps_the_others_links_out_by_staying_away() -> None:
    """Seat 0 has begun a chain and never adds a link: a bot rolls for it. It is not waited for."""
    table, honest = played_against(lambda table, seat: table.fold(table.leave({seat}, seat, "random")))
    assert all(key.epoch >= 2 for key in table.record.ledger.keys)
    assert judged(record_of(table), honest.kept()).verdict == "passed"


def test_a_server_that_hides_that_nobody_tapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lets a bot roll for its accomplice and does not note that, so that the chain would go on being waited for."""
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "awaited", lambda *_: {})
        table, _ = played_against(lambda table, seat: table.fold(table.leave({seat}, seat, "random")))
        record = record_of(table)
    assert failed(judged(record), "without the link of the person whose roll it was")


def test_a_chain_is_not_made_for_a_seed_that_is_known() -> None:
    """Links of a chain that is newer than an epoch are no part of it, also while it waits."""
    table, (first, _) = start()
    ground = dice.Chain(bytes([5]) * 32, links=8)
    anchor(table, {1}, dice.Chain(bytes([4]) * 32, links=8))  # epoch 3 waits
    anchor(table, {1}, ground)
    ledger = table.record.ledger
    link = ground.next(ground.anchor)
    assert link is not None
    table.record.append(Link(4, link, ledger.epochs, True))
    assert table.record.ledger.waiting[3] == Key(3) and table.record.ledger.key == ledger.key
    first.look()
    first.tap()
    assert table.record.ledger.key.epoch == 4


def test_an_absence_that_is_made_up() -> None:
    with pytest.raises(BadLink, match="Nobody waits"):
        Ledger("00" * 32).noted(Anchor((0,), None, "ab" * 32))


def test_whoever_has_seen_a_link_changes_nothing_by_what_they_put_before_it() -> None:
    """The server holds a tap back and tries what it can: somebody comes again, or leaves."""
    rolls = set()
    for trick in range(4):
        table, pages = start(chain_of(0), chain_of(1), chain_of(2), kinds=("link",) * 3)
        anchor(table, {2}, dice.Chain(bytes([50]) * 32, links=8))  # this epoch waits for the seat
        pages[0].look()
        link, epochs = pages[0].part(0)
        if trick == 1:
            anchor(table, {2}, dice.Chain(bytes([51]) * 32, links=8))
        elif trick == 2:
            table.fold(table.leave({2}, 2, "random"))
        elif trick == 3:
            anchor(table, {1}, dice.Chain(bytes([52]) * 32, links=8))
            table.fold(table.leave({1}, 1, "random"))
        table.fold(table.tap({0}, 0, link, epochs))
        rolls.add(table.record.ledger.keys[0])
    assert len(rolls) == 1


def test_a_chain_is_not_used_twice() -> None:
    """Its links are known by then."""
    table, (_, second) = start()
    anchor(table, {1}, dice.Chain(bytes([5]) * 32, links=4))
    with pytest.raises(Refused, match="does not match"):
        table.anchor({1}, second.chain.anchor)
    with pytest.raises(BadLink, match="used before"):
        table.record.ledger.noted(Anchor((1,), second.chain.anchor, "ab" * 32))


def test_coming_again_before_the_first_roll_changes_nothing_known() -> None:
    """Others add a link when somebody joins, but not for those who join a second time."""
    table, (first, _) = start()
    key = table.record.ledger.key
    for number in range(3):
        anchor(table, {1}, dice.Chain(bytes([number]) * 32, links=4))
        first.look()
    assert table.record.ledger.key == key


def test_a_better_roll_is_not_to_be_had_by_undo_and_a_new_chain() -> None:
    table = Table(make_setup(kinds=("link", "bot:random")))
    page = Page(table, {0}, chain_of(0))
    page.commit()
    page.tap()
    table.fold(table.move({0}, table.record.position.moves()[0], table.number))
    rolled = table.record.lines[-1]  # the bot's
    assert rolled.by == "chance" and table.record.drawn == 2
    table.fold(table.undo({0}, table.number))
    Page(table, {0}, dice.Chain(bytes([9]) * 32)).commit()
    table.fold(table.move({0}, table.record.position.moves()[-1], table.number))
    assert table.record.lines[-1] == rolled and table.record.drawn == 2


def test_links_that_were_not_asked_for_are_not_in_any_record() -> None:
    ledger = Ledger("00" * 32)
    with pytest.raises(BadLink):
        ledger.noted(Link(1, "ab" * 32, 1, False))


# Forgers


FORGER = Signer(b"forger" * 5 + b"!!")


def test_a_record_that_was_made_up() -> None:
    """All its dice are right, for its maker drew the seeds. Only nobody vouches for it."""
    _, pages = start(round_limit=2)
    whole = play_with(pages, random.Random(2))
    made_up = json.loads(json.dumps(FORGER.signed(whole.record.to_json((), whole.names, whole.seeds))))
    assert judged(made_up, key=None).verdict == "open"
    assert failed(judged(made_up), "another key")
    unsigned = {**made_up, "key": None, "signature": None}
    assert judged(unsigned, key=None).verdict == "open"
    assert failed(judged(unsigned), "not signed, and yet its server signs")


def test_a_record_without_its_signature(played: tuple[dict[str, Any], Kept]) -> None:
    """Whoever knows a key wants it signed; without one a page's notes vouch for what it saw to the end, names aside."""
    record, kept = {**played[0], "signature": None}, played[1]
    edited = {**record, "seats": [{**seat, "name": "Eve"} for seat in record["seats"]]}
    for each in (record, edited):
        assert failed(judged(each, kept, key=None), "not signed, and yet its server signs")
        assert failed(judged(each), "not signed, and yet its server signs")
    unknown = replaced(kept, key=None)
    report = judged(edited, unknown, key=None)
    assert report.verdict == "passed" and "for the names nobody vouches" in report.findings[-1]
    begun = replaced(unknown, digests={length: sum_ for length, sum_ in kept.digests.items() if length < 9})
    assert judged(record, begun, key=None).verdict == "open"


def test_a_finished_record_hides_nothing(played: tuple[dict[str, Any], Kept]) -> None:
    record = copy.deepcopy(played[0])
    record["moves"][0] = HIDDEN
    for kept in (None, played[1]):
        assert failed(judged(SIGNER.signed(record), kept), "Line 1 is hidden, although the game is over")


def test_an_altered_last_move(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = played
    altered = _redone(_altered(record))
    assert judged(altered, key=None).verdict == "open"  # in itself it holds
    assert failed(judged(FORGER.signed(altered)), "another key")
    assert failed(
        judged({**altered, "key": record["key"], "signature": record["signature"]}), "signature does not match"
    )
    assert judged(altered, kept, key=None).verdict == "failed"


def _altered(record: dict[str, Any]) -> dict[str, Any]:
    """Another last decision than the one that was made."""
    changed = copy.deepcopy(record)
    document = from_json(record)
    replay = Record(document.header)
    last = max(i for i, by in enumerate(record["by"]) if by != "chance")
    for item in document.items():
        if replay.number == last and replay.position.turn != "chance":
            break
        replay.append(item)
    changed["moves"][last] = next(move for move in replay.position.moves() if move != record["moves"][last])
    return changed


def _redone(record: dict[str, Any]) -> dict[str, Any]:
    """With the digest that fits, and without a signature."""
    document = from_json(record)
    replay = Record(document.header)
    for item in document.items():
        replay.append(item)
    return {**record, "digest": replay.sum.hex(), "key": None, "signature": None}


def test_edited_names(played: tuple[dict[str, Any], Kept]) -> None:
    record = copy.deepcopy(played[0])
    record["seats"][0]["name"] = "Eve"
    assert failed(judged(record), "signature does not match")


def test_lines_in_another_order(played: tuple[dict[str, Any], Kept]) -> None:
    record = copy.deepcopy(played[0])
    for name in ("moves", "by", "tickets"):
        record[name][0:4] = record[name][2:4] + record[name][0:2]
    assert judged(SIGNER.signed(record)).verdict == "failed"


def test_a_tail_that_is_cut_off(played: tuple[dict[str, Any], Kept]) -> None:
    record, kept = copy.deepcopy(played[0]), played[1]
    for name in ("moves", "by", "tickets"):
        record[name] = record[name][:6]
    record["dice"] = [note for note in record["dice"] if note["after"] < 6]
    record["seeds"] = None
    record = {**_redone(record), "key": record["key"], "signature": record["signature"]}
    assert failed(judged(record), "signature does not match")
    assert failed(judged(SIGNER.signed(record), kept), "its end is missing")


# The command


def test_the_command_says_what_is_proved(
    played: tuple[dict[str, Any], Kept],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record, kept = played
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)
    file, keepsake, false = tmp_path / "record.json", tmp_path / "kept.json", tmp_path / "false.json"
    file.write_text(json.dumps(record))
    false.write_text(json.dumps({**record, "digest": "ab" * 32}))
    keepsake.write_text(json.dumps({"format": KEPT_FORMAT, **dataclasses.asdict(kept)}))
    for arguments, code, said in (
        ([file], 2, "nothing shows that it was played: give --key or --kept"),
        ([file, "--key", SIGNER.public], 0, "Passed: "),
        ([file, "--kept", keepsake], 0, "The record has what the page kept: 1 anchor, "),
        ([file, "--key", FORGER.public], 1, "another key"),
        ([false, "--key", SIGNER.public], 1, "FAILED: "),
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main(["verify", *map(str, arguments)])
        assert ended.value.code == code and said in capsys.readouterr().out
    signing.remember(SIGNER.public)
    signing.remember(SIGNER.public)
    assert signing.known_keys() == [SIGNER.public]
    with pytest.raises(SystemExit) as ended:
        cli.main(["verify", str(file)])
    assert ended.value.code == 0


def test_what_is_not_kept_by_a_page_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, kept = tmp_path / "record.json", tmp_path / "kept.json"
    kept.write_text("{}")
    record.write_text('{"format": ""}')
    assert cli.main(["verify", str(record), "--kept", str(kept)]) == 2
    assert "kept.json cannot be used. This is not what a page keeps" in capsys.readouterr().err
    kept.write_text(json.dumps({"format": KEPT_FORMAT}))
    assert cli.main(["verify", str(kept), "--kept", str(record)]) == 2  # the wrong way round
    assert "kept.json is what a page has kept, not the record" in capsys.readouterr().err


# Two devices of one seat


class Device(Page):
    """One of several devices of a seat: whenever another one had the seat's chain, it begins a new one, as pages do."""

    def __init__(self, table: Table, seats: set[int], name: int) -> None:
        super().__init__(table, seats, chain_of(name))
        self._name = name

    def part(self, number: int | None) -> tuple[str, int]:
        ledger = self.table.record.ledger
        if ledger.anchors.get(ledger.chains.get(min(self.seats), 0)) != self.chain.anchor:
            self._name += 10
            self.chain = dice.Chain(bytes([self._name]) * 32, links=8)
            self.commit()
        return super().part(number)


def test_two_devices_of_a_seat_roll_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each replaces the other's chain at every roll, however often. What each has kept proves the game."""
    monkeypatch.setattr(tables, "MOST_CHAINS", 2)
    table = Table(make_setup(round_limit=5))
    devices = [Device(table, {0}, 0), Device(table, {0}, 1)]
    other = Page(table, {1}, chain_of(2))
    devices[0].commit()
    other.commit()
    rng, rolls = random.Random(4), 0
    while not table.record.over:
        for page in (*devices, other):
            page.look()
        due = table.roll()
        if due:
            rolls += due.seat == 0
            (devices[rolls % 2] if due.seat == 0 else other).tap()
        else:
            turn = table.record.position.turn
            assert isinstance(turn, int)
            table.fold(table.move({turn}, rng.choice(table.record.position.moves()), table.number))
    for page in (*devices, other):
        page.look()
    assert rolls >= 4 and len(table.record.ledger.anchors) >= rolls > tables.MOST_CHAINS
    for page in (*devices, other):
        report = judged(record_of(table), page.kept())
        assert report.verdict == "passed" and not any("its link is not there" in said for said in report.findings)


def test_a_tap_that_another_device_has_overtaken_proves_nothing_false() -> None:
    """Before a device's tap comes the other one has begun a chain: the first is told so, and may tap again."""
    table, (first, second) = start(round_limit=2)
    link, epochs = first.part(0)
    sibling = Device(table, {0}, 7)
    sibling.part(0)
    with pytest.raises(Refused, match="does not match"):
        table.tap({0}, 0, link, epochs)
    sibling.tap()
    play_with([sibling, second], random.Random(1))
    first.look()
    for page in (first, sibling, second):
        assert judged(record_of(table), page.kept()).verdict == "passed"


def test_whoever_changes_chains_without_end_holds_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = start()
    monkeypatch.setattr(tables, "MOST_CHAINS", 4)
    monkeypatch.setattr("strandline.table.table.time.time", lambda: 30.0)
    with pytest.raises(Refused, match="changed devices too often"):
        for number in range(100):
            anchor(table, {0}, dice.Chain(bytes([number + 100]) * 32, links=4))
    ledger = table.record.ledger
    assert len(ledger.anchors) == 2 + 3
    last = Page(table, {0}, dice.Chain(bytes([102]) * 32, links=4))  # goes on
    assert ledger.anchors[ledger.chains[0]] == last.chain.anchor
    last.look()
    last.tap()
    roll_on(table, last)
    new = Page(table, {1}, dice.Chain(bytes([90]) * 32, links=8))  # and so does a new device of somebody else
    new.commit()
    new.tap()
    table.fold(table.rename({1}, 1, "Ben"))
    anchor(table, {0}, dice.Chain(bytes([91]) * 32, links=4))  # it has added a link
    with pytest.raises(Refused, match="wait a minute"):
        anchor(table, {0}, dice.Chain(bytes([92]) * 32, links=4))
    monkeypatch.setattr("strandline.table.table.time.time", lambda: 60.0)
    anchor(table, {0}, dice.Chain(bytes([93]) * 32, links=4))  # whose device is lost is not locked out


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_do_what_they_have_kept_proves_the_game(seed: int) -> None:
    table, pages = unsteady_game(seed)
    assert 3 < len(table.record.ledger.anchors) < table.record.ledger.epochs - 1  # some came again, some left
    for page in pages:
        report = judged(record_of(table), page.kept())
        assert report.verdict == "passed", report.findings


LINK = {"link": "ab" * 32, "epochs": 2, "length": 4, "numbers": [1]}
KEPT: dict[str, Any] = {"table": "t", "key": None, "anchors": [], "links": [LINK], "bare": [], "commitments": []}


def test_what_an_older_page_has_kept_is_read() -> None:
    older = {"format": "strandline kept 2", **KEPT, "again": [7], "digests": {}}
    del older["bare"]
    assert kept_from_json(older).bare == [Bare(7, None)]
    for again in (None, 3, [-1], ["x"]):
        with pytest.raises(BadRecord, match="not what a page keeps"):
            kept_from_json({**older, "again": again})


@pytest.mark.parametrize(
    "change",
    [
        {"links": [{**LINK, "epochs": float("inf")}]},
        {"links": [{**LINK, "numbers": ["q"]}]},
        {"links": [{**LINK, "numbers": [-5]}]},
        {"links": [{**LINK, "numbers": []}]},
        {"links": [{**LINK, "link": "\ud800"}]},
        {"anchors": ["\x1b[2J"]},
        {"bare": 3},
        {"bare": [{"length": 1, "move": "x" * 201}]},
        {"bare": [{"length": -1, "move": None}]},
        {"digests": {"x": "ab" * 32}},
        {"digests": {"1": "x"}},
        {"key": 7},
    ],
    ids=str,
)
def test_what_no_page_keeps_is_refused(change: dict[str, Any]) -> None:
    kept = {"format": KEPT_FORMAT, **KEPT, "digests": {"0": "cd" * 32}}
    assert kept_from_json(kept).links == [Sent("ab" * 32, 2, 4, (1,))]
    with pytest.raises(BadRecord, match="not what a page keeps"):
        kept_from_json({**kept, **change})
