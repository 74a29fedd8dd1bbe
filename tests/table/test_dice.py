"""Fair dice: every ticket equally likely, every outcome derived again, every change found."""

import copy
import dataclasses
import hashlib
import math
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strandline
from server.helpers import SEED, SIGNER, make_table, move, play_out, record_of, verified
from strandline.server.signing import is_signed
from strandline.table import dice
from strandline.table.ledger import Anchor, Key, Ledger, Link
from strandline.table.record import Record, from_json
from strandline.table.verify import Kept, _draws, verify


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 46, 216])
def test_tickets_are_equally_likely(size: int) -> None:
    draws = 300 * size
    found = Counter(dice.ticket(SEED, "t", number, b"mix", size) for number in range(draws))
    assert set(found) <= set(range(size))
    chi_square = sum((found[i] - 300) ** 2 / 300 for i in range(size))
    assert chi_square < size + 5 * math.sqrt(2 * size) + 5


def test_a_hash_beyond_the_last_full_round_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    beyond = dice.RANGE - dice.RANGE % 6
    hashes = iter(number.to_bytes(32, "big") for number in (dice.RANGE - 1, beyond, 7, beyond - 1))
    monkeypatch.setattr(dice, "_hash", lambda *_: next(hashes))
    assert [dice.ticket(SEED, "t", 0, b"", 6) for _ in range(2)] == [1, 5]


def test_seeds_cannot_be_guessed() -> None:
    assert len(dice.new_seed()) == 32 and dice.new_seed() != dice.new_seed()


def test_a_draw_depends_on_seed_table_number_and_links() -> None:
    draw = [dice.ticket(SEED, "t", 1, b"mix", 10**9)]
    draw.append(dice.ticket(SEED, "u", 1, b"mix", 10**9))
    draw.append(dice.ticket(SEED, "t", 2, b"mix", 10**9))
    draw.append(dice.ticket(SEED, "t", 1, b"xim", 10**9))
    draw.append(dice.ticket(SEED[::-1], "t", 1, b"mix", 10**9))
    assert len(set(draw)) == 5


def test_a_chain_is_revealed_from_its_anchor_on() -> None:
    chain = dice.Chain(SEED, links=3)
    links = []
    tip: str | None = chain.anchor
    while (tip := chain.next(tip or "")) is not None:
        links.append(tip)
    assert len(links) == 3 and links[-1] == SEED.hex()
    for before, link in zip([chain.anchor, *links], links, strict=False):
        assert hashlib.sha256(bytes.fromhex(link)).hexdigest() == before == dice.hashed_link(link)
    assert dice.Chain().anchor != dice.Chain().anchor


@pytest.mark.parametrize(
    "kept",
    [Anchor((0,), "a", "c"), Link(0, "l", 1, False), Key(0, b""), Ledger("c")],
    ids=lambda kept: type(kept).__name__,
)
def test_what_draws_depend_on_cannot_be_changed(kept: Anchor | Link | Key | Ledger) -> None:
    """Nor can a field be added by mistake."""
    for field in dataclasses.fields(kept):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(kept, field.name, None)
    assert hasattr(kept, "__dict__") == isinstance(kept, Ledger)


def test_weights_are_those_of_the_rules() -> None:
    position = strandline.game("sand_castles").new(3)
    while position.turn == "chance":
        position = position.play(position.moves()[0])
    position = position.play("flip")
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    draws = 4000
    found = Counter(dice.outcome(SEED, "t", number, b"", position) for number in range(draws))
    for text, share in odds.items():
        assert abs(found[text] - draws * share) < 5 * math.sqrt(draws * share)


def test_moves_do_not_change_the_dice() -> None:
    """Whoever knew the seeds could choose among equal moves otherwise."""
    rolls = []
    for pick in (0, -1):
        table = make_table("undertow", ("link", "link"))
        while table.record.drawn < 24:
            move(table, table.record.position.moves()[pick])
        rolls.append([line.text for line in table.record.lines if line.by == "chance"][:24])
    assert rolls[0] == rolls[1]


def test_every_game_verifies(game: strandline.Game) -> None:
    kinds = ("link",) * game.seats[0]
    table = play_out(make_table(game.name, kinds), random.Random(game.name), most=40)
    assert verified(record_of(table)) == ("passed" if table.record.over else "open")


@pytest.fixture(scope="module")
def finished() -> dict[str, Any]:
    table = make_table("sand_castles", ("link", "link", "bot:random"), max_rounds=3)
    return record_of(play_out(table, random.Random(5)))


def test_a_finished_game_passes_and_says_so(finished: dict[str, Any]) -> None:
    report = verify(finished, SIGNER.public, signed=is_signed)
    draws = finished["by"].count("chance")
    assert report.verdict == "passed"
    assert f"All {draws} draws were derived again from seeds and links, and all are right." in report.findings
    assert any(said.startswith("The whole record is signed with the key ") for said in report.findings)


def test_what_breaks_the_rules_is_named_by_its_line(finished: dict[str, Any]) -> None:
    at = next(i for i, by in enumerate(finished["by"]) if by != "chance")
    moves = [*finished["moves"][:at], "nonsense", *finished["moves"][at + 1 :]]
    report = verify(SIGNER.signed({**finished, "moves": moves}), SIGNER.public, signed=is_signed)
    assert report.findings[-1].startswith(f"Line {at + 1} breaks the rules: ")


def test_only_some_wrong_draws_are_named() -> None:
    wrong = [f"Line {number} is wrong." for number in range(7)]
    head = "of 9 draws are not what seeds and links give."
    assert _draws(9, wrong) == [f"7 {head}", *wrong[:5], "And 2 more."]
    assert _draws(9, wrong[:5]) == [f"5 {head}", *wrong[:5]]


def test_a_record_begins_as_the_page_has_seen_it(finished: dict[str, Any]) -> None:
    header = from_json(finished).header
    begun = Kept(header.table, digests={0: Record(header).sum.hex()})
    assert verified(finished, kept=begun) == "passed"
    report = verify(finished, SIGNER.public, kept=Kept(header.table, digests={0: "ab" * 32}), signed=is_signed)
    assert report.findings[-1] == "The record does not begin as the page has seen it."


def test_the_seeds_are_secret_until_the_end() -> None:
    table = make_table()
    value = record_of(table)
    assert value["seeds"] is None and not any(seed.hex() in str(value) for seed in table.seeds)
    assert verified(value) == "open"


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name, item in value.items() for leaf in _leaves(item, (*path, name))]
    if isinstance(value, list):
        return [leaf for i, item in enumerate(value) for leaf in _leaves(item, (*path, i))]
    return [path]


def wrong(last: str | int, other: Any) -> str:
    """The verdict on a changed record. By other rules it could be right: this version cannot tell."""
    return "open" if last == "rules" and type(other) is int and other > 0 else "failed"


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_changed_record_fails(finished: dict[str, Any], data: st.DataObject) -> None:
    """Any value of the record is exchanged for another; names are part of it too."""
    changed = copy.deepcopy(finished)
    *path, last = data.draw(st.sampled_from(_leaves(finished)))
    place = changed
    for part in path:
        place = place[part]
    other = data.draw(
        st.sampled_from([*finished["moves"], "chance", "", "?", "undo 3", None, True, False])
        | st.integers(0, 9)
        | st.text("0123456789abcdef", min_size=64, max_size=64)
    )
    if other == place[last] and type(other) is type(place[last]):
        return
    place[last] = other
    assert verified(changed) == wrong(last, other)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_changed_game_fails_also_when_it_is_signed_again(finished: dict[str, Any], data: st.DataObject) -> None:
    """Whoever has the server's key still cannot change what was drawn, nor anything that it was drawn from."""
    changed = copy.deepcopy(finished)
    own = ("name", "kind", "signature", "key")
    *path, last = data.draw(st.sampled_from([leaf for leaf in _leaves(finished) if leaf[-1] not in own]))
    place = changed
    for part in path:
        place = place[part]
    other = data.draw(st.sampled_from([*finished["moves"], "chance", "0" * 64, None, True, False]) | st.integers(0, 9))
    if other == place[last] and type(other) is type(place[last]):
        return
    place[last] = other
    assert verified(SIGNER.signed(changed)) == wrong(last, other)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_line_left_out_or_added_fails(finished: dict[str, Any], data: st.DataObject) -> None:
    changed = copy.deepcopy(finished)
    at = data.draw(st.integers(0, len(finished["moves"]) - 1))
    add = data.draw(st.booleans(), label="add")
    for name in ("moves", "by", "tickets"):
        if add:
            changed[name].insert(at, changed[name][at])
        else:
            del changed[name][at]
    assert verified(SIGNER.signed(changed)) == "failed"


@pytest.mark.parametrize("value", [None, 3, [], {}, {"format": "strandline record 4"}, "text"])
def test_what_is_no_record_fails_in_a_sentence(value: Any) -> None:
    report = verify(value)
    assert report.verdict == "failed" and report.findings[0].endswith(".")


def test_revealed_seeds_of_an_unfinished_game_fail() -> None:
    table = make_table()
    value = record_of(table)
    value["seeds"] = [seed.hex() for seed in table.seeds]
    assert verified(SIGNER.signed(value)) == "failed"
