"""Records from files are laid out as tables, for looking at."""

import random

import pytest

from server.helpers import make_table, play_out, record_of
from strandline.server.launch import laid_out
from strandline.table.record import BadRecord, from_json
from strandline.table.table import Table


def test_a_record_without_seeds_is_laid_out() -> None:
    """They are secret while the game goes on."""
    table = make_table("reef_route")
    record = record_of(table)
    assert record["seeds"] is None
    setup, entries = laid_out(from_json(record))
    shown = Table(setup)
    shown.replay(entries)
    assert shown.record.position == table.record.position


def test_a_record_whose_first_seed_is_another_is_not_laid_out() -> None:
    record = record_of(play_out(make_table(), random.Random(1)))
    laid_out(from_json(record))
    with pytest.raises(BadRecord, match="first seed"):
        laid_out(from_json({**record, "seeds": ["ab" * 32, *record["seeds"][1:]]}))
