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
from strandline.table.table import Entry, Kind, Table


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, "is not an export") for text in ("", "{", "[]\n", "{}\n", "SQLite format 3\0")),
        (json.dumps({"format": "strandline tables 9"}), "is not written as"),
    ],
)
def test_what_is_no_export_is_refused(store: Store, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "tables.jsonl"
    file.write_text(text)
    with pytest.raises(BadStore, match=said):
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
    url, other, empty, text = f"sqlite:///{tmp_path / 's.sqlite'}", *(tmp_path / name for name in ("o", "e", "t"))
    Store(url).close()
    with closing(connect(other)) as database:
        database.execute("CREATE TABLE tables (id TEXT)")
    empty.touch()
    text.write_text("This is a letter." * 100)
    for file in (other, empty, text, tmp_path / "missing"):
        assert cli.main(["store", "restore", "--store", url, str(file)]) == 2
    said = capsys.readouterr().err
    assert "older Strandline" in said and "There is no store at" in said and "not a database" in said
    assert "does not exist" in said and "--store" not in said
    assert cli.main(["store", "check", "--store", url]) == 0


@pytest.mark.parametrize("damage", ["nothing", "text", "column", "missing"])
def test_a_copy_comes_back_whatever_has_become_of_the_store(tmp_path: Path, damage: str) -> None:
    file, copy = tmp_path / "tables.sqlite", tmp_path / "copy.sqlite"
    url = f"sqlite:///{file}"
    store = Store(url)
    kept = fill(store)
    upkeep.backup(store, copy)
    later = [Entry(Kind.NAME, 0, "Ada")]  # written ahead, and not in the copy
    store.append(kept.setup.header.table, len(kept.entries), later).result()
    match damage:
        case "text":
            file.write_text("This is a letter." * 100)
        case "column":
            with closing(connect(file)) as database:
                database.execute("ALTER TABLE tables DROP COLUMN names")
        case "missing":
            file.unlink()
    assert cli.main(["store", "restore", "--store", url, str(copy)]) == 0
    assert sorted(tmp_path.glob("tables.sqlite-*")) == [tmp_path / "tables.sqlite-server"]
    assert file.stat().st_mode & 0o077 == 0
    restored = Store(url, new=False)
    assert upkeep.check(restored) == (1, []) and restored.load(kept.setup.header.table) == kept
    restored.close()
    store.close()


@pytest.mark.parametrize("what", ["check", "migrate", "backup", "export"])
def test_a_store_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    """It is a slip of the pen, and what was to be copied is elsewhere."""
    file = [] if what in ("check", "migrate") else [str(tmp_path / "nightly")]
    assert cli.main(["store", what, "--store", f"sqlite:///{tmp_path / 'typo.sqlite'}", *file]) == 2
    assert "There is no store at" in capsys.readouterr().err and not any(tmp_path.iterdir())


def test_a_check_misses_the_key(store: Store) -> None:
    for statement in (sa.update(stores.keys).values(secret="beach"), sa.delete(stores.keys)):
        with store.engine.begin() as connection:
            connection.execute(statement)
        number, (wrong,) = upkeep.check(store)
        assert number == 0 and "no key" in wrong
        with pytest.raises(BadStore, match="no key"):
            store.signing_key()


def test_an_error_without_words_is_named(store: Store) -> None:
    fill(store)
    with store.engine.begin() as connection:
        connection.execute(sa.update(stores.entries).where(stores.entries.c.number == 2).values(kind="ask", text="{}"))
    _, (wrong,) = upkeep.check(store)
    assert wrong.endswith(": KeyError: 'kind'")


def test_postgresql_has_its_own_copies(empty_postgres: str, tmp_path: Path) -> None:
    store = Store(empty_postgres)
    with pytest.raises(BadStore, match="pg_dump"):
        upkeep.backup(store, tmp_path / "copy")
    store.close()
    assert not (tmp_path / "copy").exists()
