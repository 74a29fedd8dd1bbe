"""Fair dice: every ticket equally likely, every outcome derived again, every change found."""

import copy
import math
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strandline
from server.helpers import SEED, make_setup, make_table, play_out, record_of
from strandline.table import dice
from strandline.table.table import Table
from strandline.table.verify import verify


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 46, 216])
def test_tickets_are_equally_likely(size: int) -> None:
    draws = 300 * size
    found = Counter(dice.ticket(SEED, "t", number, b"sum", size) for number in range(draws))
    assert set(found) <= set(range(size))
    chi_square = sum((found[i] - 300) ** 2 / 300 for i in range(size))
    assert chi_square < size + 5 * math.sqrt(2 * size) + 5


def test_a_hash_beyond_the_last_full_round_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = iter([b"\xff" * 32, (7).to_bytes(32, "big")])
    monkeypatch.setattr(dice, "_hash", lambda *_: next(hashes))
    assert dice.ticket(SEED, "t", 0, b"", 6) == 1


def test_outcomes_depend_on_everything_before_them() -> None:
    draw = [dice.ticket(SEED, "t", 1, b"sum", 10**9)]
    draw.append(dice.ticket(SEED, "u", 1, b"sum", 10**9))
    draw.append(dice.ticket(SEED, "t", 2, b"sum", 10**9))
    draw.append(dice.ticket(SEED, "t", 1, b"mus", 10**9))
    draw.append(dice.ticket(SEED[::-1], "t", 1, b"sum", 10**9))
    assert len(set(draw)) == 5


def test_a_seat_changes_later_dice_by_its_salt() -> None:
    texts = []
    for salt in ("one", "two"):
        table = make_table(round_limit=50)
        for number in range(8):
            turn = table.record.position.turn
            assert isinstance(turn, int)
            move = table.record.position.moves()[0]
            table.fold(table.move({turn}, move, table.number, salt if number == 0 else ""))
        texts.append([line.text for line in table.record.lines])
    assert texts[0][:2] == texts[1][:2] and texts[0] != texts[1]


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


def test_every_game_verifies(game: strandline.Game) -> None:
    kinds = ("link",) * game.seats[0]
    table = play_out(make_table(game.name, kinds), random.Random(game.name), most=40)
    value = record_of(table)
    assert verify(value).verdict == ("passed" if table.record.over else "open")


@pytest.fixture(scope="module")
def finished() -> dict[str, Any]:
    table = make_table("sand_castles", ("link", "link", "link"), max_rounds=3)
    return record_of(play_out(table, random.Random(5)))


def test_a_finished_game_passes_and_says_so(finished: dict[str, Any]) -> None:
    report = verify(finished)
    events = finished["by"].count("chance")
    assert report.verdict == "passed"
    assert f"All {events} chance events were derived again from the seed, and all are right." in report.findings


def test_the_seed_is_secret_until_the_end() -> None:
    table = make_table()
    value = record_of(table)
    assert (value["seed"], value["seal"]) == (None, None) and table.setup.seed.hex() not in str(value)
    assert verify(value).verdict == "open"


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name, item in value.items() for leaf in _leaves(item, (*path, name))]
    if isinstance(value, list):
        return [leaf for i, item in enumerate(value) for leaf in _leaves(item, (*path, i))]
    return [path]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_changed_record_fails(finished: dict[str, Any], data: st.DataObject) -> None:
    """Any value of the record is exchanged for another. Only names are nobody's business."""
    changed = copy.deepcopy(finished)
    *path, last = data.draw(st.sampled_from([leaf for leaf in _leaves(finished) if leaf[-1] != "name"]))
    place = changed
    for part in path:
        place = place[part]
    other = data.draw(
        st.sampled_from([*finished["moves"], "chance", "", "?", "undo 3", None, True])
        | st.integers(0, 9)
        | st.text("0123456789abcdef", min_size=64, max_size=64)
    )
    if other == place[last] and type(other) is type(place[last]):
        return
    place[last] = other
    assert verify(changed).verdict == "failed"


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_line_left_out_or_added_fails(finished: dict[str, Any], data: st.DataObject) -> None:
    changed = copy.deepcopy(finished)
    at = data.draw(st.integers(0, len(finished["moves"]) - 1))
    for name in ("moves", "by", "salts"):
        if data.draw(st.booleans(), label="add") if name == "moves" else len(changed["moves"]) > len(finished["moves"]):
            changed[name].insert(at, changed[name][at])
        else:
            del changed[name][at]
    assert verify(changed).verdict == "failed"


@pytest.mark.parametrize("value", [None, 3, [], {}, {"format": "strandline record 2"}, "text"])
def test_what_is_no_record_fails_in_a_sentence(value: Any) -> None:
    report = verify(value)
    assert report.verdict == "failed" and report.findings[0].endswith(".")


def test_a_revealed_seed_of_an_unfinished_game_fails() -> None:
    table = make_table()
    value = record_of(table)
    value["seed"] = table.setup.seed.hex()
    value["seal"] = dice.seal(table.setup.seed, table.id, table.number, table.record.sum)
    assert verify(value).verdict == "failed"


def test_two_tables_roll_differently() -> None:
    rolls = []
    for seed in (SEED, SEED[::-1]):
        table = Table(make_setup(kinds=("link",) * 4, seed=seed))
        table.fold(table.opening())
        rolls.append([line.text for line in play_out(table, random.Random(1)).record.lines])
    assert rolls[0] != rolls[1]
