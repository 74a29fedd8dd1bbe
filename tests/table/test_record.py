"""Records: what of a file is refused, and what a record says of its lines."""

import copy
import random
from typing import Any

import pytest

from server.helpers import make_table, move, play_out, record_of, step
from strandline.table.record import BadRecord, Line, _differences, from_json
from strandline.table.verify import verify


@pytest.fixture(scope="module")
def finished() -> dict[str, Any]:
    return record_of(play_out(make_table("reef_route"), random.Random(3)))


def test_a_record_is_read_as_it_was_written(finished: dict[str, Any]) -> None:
    document = from_json(finished)
    assert [line.text for line in document.lines] == finished["moves"]
    assert not any(line.bot for line in document.lines)
    assert len(document.notes) == len(finished["dice"]) and len(list(document.items())) == len(
        [*finished["moves"], *finished["dice"]]
    )


def first(value: dict[str, Any], name: str, kind: str) -> int:
    """The place of the first note, or outcome, of a kind."""
    return next(i for i, item in enumerate(value[name]) if item is not None and (not kind or kind in item))


@pytest.mark.parametrize("version", [True, 1.0, 0, "1", None])
def test_the_version_of_the_rules_is_a_whole_number(finished: dict[str, Any], version: Any) -> None:
    with pytest.raises(BadRecord, match="rules must be a whole number"):
        from_json({**finished, "rules": version})


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("format", "strandline record 2", "It is a “strandline record 2”; this version reads “strandline record 4”."),
        ("rules", 7, "It was played by version 7 of the rules of Reef Route; this is version 1."),
    ],
)
def test_a_record_of_another_version_is_neither_right_nor_wrong(
    finished: dict[str, Any], field: str, value: Any, sentence: str
) -> None:
    report = verify({**finished, field: value})
    assert report.verdict == "open"
    assert report.findings == [f"This version of Strandline cannot check this record. {sentence}"]


@pytest.mark.parametrize("written", [None, 4, "strandline record", "strandline record 04", "chess"])
def test_what_is_written_otherwise_is_no_record(finished: dict[str, Any], written: Any) -> None:
    report = verify({**finished, "format": written})
    assert report.verdict == "failed" and report.findings[0].startswith("This is not a whole record: format should be")


def test_an_undo_is_written_in_one_way() -> None:
    assert Line(0, "undo 12").undo == 12
    assert [Line(0, text).undo for text in ("undo 1٢", "undo 012", "undo +1", "undo 1 ")] == [None] * 4


@pytest.mark.parametrize("two", [[0, 1], [0, 1, 6, 6], [0, 1, 2**31 + 1], [-1, 1, 6], [0, 1, True], "016"])
def test_tickets_are_three_numbers(finished: dict[str, Any], two: Any) -> None:
    damaged = copy.deepcopy(finished)
    damaged["tickets"][first(damaged, "tickets", "")] = two
    with pytest.raises(BadRecord, match=r"tickets\[\d+\]"):
        from_json(damaged)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("link", "after", -1),
        ("link", "after", 10**6),
        ("link", "chain", 0),
        ("link", "chain", 100_001),
        ("link", "epochs", 0),
        ("link", "epochs", 100_001),
        ("link", "tap", 1),
        ("link", "link", "0" * 63),
        ("anchor", "seats", []),
        ("anchor", "seats", [0, 1, 0]),
        ("anchor", "seats", [2]),
        ("anchor", "seats", [-1]),
        ("anchor", "commitment", "G" * 64),
    ],
)
def test_notes_of_the_dice_have_their_form(finished: dict[str, Any], kind: str, field: str, value: Any) -> None:
    damaged = copy.deepcopy(finished)
    damaged["dice"][first(damaged, "dice", kind)][field] = value
    with pytest.raises(BadRecord, match=rf"dice\[\d+\]\.{field}"):
        from_json(damaged)


def test_the_first_note_does_not_come_before_the_first_line(finished: dict[str, Any]) -> None:
    damaged = copy.deepcopy(finished)
    damaged["dice"][0]["after"] = -1
    with pytest.raises(BadRecord, match=r"dice\[0\]\.after"):
        from_json(damaged)


def test_lines_that_were_taken_back() -> None:
    table = make_table("sand_castles", ("here", "here"))
    step(table, random.Random(1))
    before, chosen = table.number, table.record.position.moves()[0]
    turn = table.record.position.turn
    assert isinstance(turn, int)
    table.fold(table.move({turn}, chosen, table.number))
    taken = set(range(before + 1, table.number + 1))
    assert table.record.dropped() == set()
    table.fold(table.undo({0, 1}, table.number))
    assert table.record.lines[-1].undo == before
    assert table.record.dropped() == taken
    assert table.record.events(table.number, ()) == ()
    assert [event.sentence for event in table.record.events(before + 1, ())]


def test_the_very_first_move_can_be_taken_back() -> None:
    table = make_table("nim", ("here", "here"))
    move(table, table.record.position.moves()[0])
    table.fold(table.undo({0, 1}, table.number))
    assert table.record.dropped() == {1}


def test_what_is_hidden_may_be_of_another_kind_than_what_is_seen_of_it() -> None:
    real, seen = {"hand": {"shells": 2}, "deck": [1, 2]}, {"hand": None, "deck": 2}
    assert list(_differences("", real, seen)) == [(".hand", {"shells": 2}, None), (".deck", [1, 2], 2)]
    assert list(_differences("", seen, real)) == [(".hand", None, {"shells": 2}), (".deck", 2, [1, 2])]
