"""Stores are checked, copied, restored, and taken elsewhere."""

import json
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
import sqlalchemy as sa

from server.helpers import Player, Process, get, make, make_setup, token_of
from strandline import cli
from strandline.server import store as stores
from strandline.server import upkeep
from strandline.server.commands import entries_of
from strandline.server.store import BadStore, Kept, Store
from strandline.table.table import Table


def fill(store: Store) -> Kept:
    """A table with some moves."""
    table = Table(make_setup("reef_route"))
    entries = []
    for _ in range(4):
        steps = table.move({0, 1}, table.record.position.moves()[0], table.number)
        entries += entries_of(steps)
        table.fold(steps)
    store.create(table.setup, entries).result()
    return Kept(table.setup, entries)


def test_a_check_finds_what_is_damaged(store: Store) -> None:
    table = fill(store).setup.header.table
    assert upkeep.check(store) == (1, [])
    with store.engine.begin() as connection:
        connection.execute(sa.update(stores.entries).where(stores.entries.c.number == 2).values(text="sail 99"))
    number, (wrong,) = upkeep.check(store)
    assert number == 1 and table in wrong and "sail 99" in wrong


def test_tables_are_taken_to_another_store(store: Store, tmp_path: Path) -> None:
    """Those that were put away too; nothing is doubled."""
    kept = fill(store)
    file = tmp_path / "tables.jsonl"
    for archived in (False, True):
        if archived:
            store.put_away(1e12).result()
        file.unlink(missing_ok=True)
        assert upkeep.export(store, file) == 1 and file.stat().st_mode & 0o077 == 0
        other = Store(f"sqlite:///{tmp_path / f'{archived}.sqlite'}")
        assert upkeep.import_(other, file) == (1, 0)
        assert upkeep.import_(other, file) == (0, 1)
        assert other.load(kept.setup.header.table) == kept
        other.close()
    with pytest.raises(BadStore, match="exists"):
        upkeep.export(store, file)


@pytest.mark.parametrize("text", ["", "{", "[]\n", json.dumps({"format": "strandline tables 9"})])
def test_what_is_no_export_is_refused(store: Store, tmp_path: Path, text: str) -> None:
    file = tmp_path / "tables.jsonl"
    file.write_text(text)
    with pytest.raises(BadStore):
        upkeep.import_(store, file)


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b'{"tables": []}',
        b'{"tables": "x"}',
        b'{"tables": [{"id": 5}]}',
        b'{"tables": [{"id": "x", "seed": null}], "seats": [], "entries": [], "agreements": []}',
        b"[" * 100_000,
        b"\xc4\x01",
    ],
)
def test_a_damaged_line_of_an_export_is_refused_in_a_sentence(store: Store, tmp_path: Path, line: bytes) -> None:
    """What came before it stays."""
    fill(store)
    good, bad = tmp_path / "good", tmp_path / "bad"
    upkeep.export(store, good)
    bad.write_bytes(good.read_bytes() + line + b"\n")
    other = Store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with pytest.raises(BadStore, match="bad is damaged: "):
        upkeep.import_(other, bad)
    assert upkeep.check(other) == (1, [])
    other.close()


def test_a_backup_while_people_play_and_its_return(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, copy = f"sqlite:///{tmp_path / 'tables.sqlite'}", str(tmp_path / "copy.sqlite")
    with Process(url) as server:
        table = make(server.host, "reef_route", ["link", "link"])
        with Player(server.host, table["id"], token_of(table["seats"][0]["link"])) as first:
            number = first.move()["number"]
            assert cli.main(["store", "backup", "--store", url, copy]) == 0
            assert cli.main(["store", "check", "--store", url]) == 0
        assert cli.main(["store", "restore", "--store", url, copy]) == 2
        assert "in use by another server" in capsys.readouterr().err
    (tmp_path / "tables.sqlite").unlink()
    assert cli.main(["store", "restore", "--store", url, copy]) == 0
    with Process(url) as server:
        assert get(server.host, f"/api/tables/{table['id']}")["number"] == number


def test_what_is_no_backup_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, other = f"sqlite:///{tmp_path / 's.sqlite'}", tmp_path / "other.sqlite"
    with closing(connect(other)) as database:
        database.execute("CREATE TABLE tables (id TEXT)")
    for file in (other, tmp_path / "missing"):
        assert cli.main(["store", "restore", "--store", url, str(file)]) == 2
    assert "older Strandline" in (said := capsys.readouterr().err) and "does not exist" in said
    assert cli.main(["store", "check", "--store", url]) == 0


def test_postgresql_has_its_own_copies(empty_postgres: str, tmp_path: Path) -> None:
    store = Store(empty_postgres)
    with pytest.raises(BadStore, match="pg_dump"):
        upkeep.backup(store, tmp_path / "copy")
    store.close()
    assert not (tmp_path / "copy").exists()
