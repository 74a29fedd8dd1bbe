"""Layouts of records: the same bytes for ctypes, NumPy and compilers."""

import ctypes

import pytest

import strandline
from strandline.engine import records
from strandline.engine.records import Layout
from strandline.engine.vocabulary import table
from strandline.engine.walk import work


def test_layouts_are_aligned_as_numpy_aligns_them(game: strandline.Game) -> None:
    for layout in (game.rules.STATE, game.rules.WORK, work(game.rules)):
        dtype = layout.dtype
        assert dtype.isalignedstruct and dtype.itemsize == layout.itemsize == ctypes.sizeof(layout.structure)
        for name in dtype.names or ():
            assert getattr(layout.structure, name).offset == (dtype.fields or {})[name][1]


def test_fields_of_all_kinds() -> None:
    layout = Layout(("a", "i1"), ("b", "f8"), ("c", "i2", 3), ("d", "i4", (2, 3)), ("e", "i8"))
    assert layout.itemsize == 56 and layout.dtype["d"].shape == (2, 3) and layout.dtype["b"].str == "<f8"
    record = records.blank(layout)
    record.d[1][2] = 7
    record.b = 0.5
    assert record.d[1][2] == 7 and record.b == 0.5
    with pytest.raises(AttributeError):
        record.f = 1


def test_arrays_of_numpy_have_the_same_structure(game: strandline.Game) -> None:
    """So that interpreted drivers can assign one record to another, wherever they come from."""
    position = game.new().play_random(20, 2)
    record = records.view(position.records())[0]
    assert type(record) is game.rules.STATE.structure and bytes(record) == bytes(position)


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [[1], 2]])
def test_tables_have_rows_of_one_length(rows: list[object]) -> None:
    with pytest.raises(ValueError, match="one length"):
        table(rows)


def test_tables_hold_numbers_of_32_bits() -> None:
    assert table([[1, 2], [3, -(2**31)]])[1][1] == -(2**31)
    with pytest.raises(OverflowError):
        table([2**31])
