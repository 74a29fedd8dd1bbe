"""Stores of older versions are brought up to date: nothing in them is lost, and what fails changes nothing."""

import dataclasses
import random
import sqlite3
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext

from server.helpers import FAST, Running, come, get, play_out
from strandline import cli
from strandline.server import upkeep
from strandline.server.signing import is_signed
from strandline.server.store import SCHEMA, BadStore, Kept, Store, metadata
from strandline.table.table import Step, Table
from strandline.table.verify import verify

STORES = Path(__file__).parent / "stores"
ARCHIVED, FINISHED, UNFINISHED = "archivedaaaaaaaa", "finishedffffffff", "unfinisheduuuuuu"
OLD = [int(file.stem.removeprefix("schema_")) for file in sorted(STORES.glob("schema_*.sql"))]


def lay_out(url: str, schema: int) -> str:
    """A store as an older version has left it."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    text = (STORES / f"schema_{schema}.sql").read_text(encoding="utf-8")
    with engine.begin() as connection:
        for statement in text.split(";\n")[:-1]:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return url


def found(store: Store, table: str) -> Kept:
    kept = store.load(table)
    assert kept is not None
    return kept


def replayed(kept: Kept) -> Table:
    table = Table(kept.setup)
    table.replay(kept.entries)
    return table


def played_on(table: Table) -> list[Step]:
    """The game goes on to its end; what is written of it."""
    written: list[Step] = []
    fold = table.fold

    def noted(steps: Iterable[Step]) -> None:
        written.extend(new := list(steps))
        fold(new)

    table.fold = noted  # type: ignore[method-assign]
    if not table.record.ledger.chains:
        come(table)
    play_out(table, random.Random(1))
    return written


def test_there_is_a_store_of_every_older_schema() -> None:
    assert list(range(1, SCHEMA)) == OLD


@pytest.mark.parametrize("schema", OLD)
def test_an_older_store_is_brought_up_to_date(url: str, schema: int) -> None:
    lay_out(url, schema)
    with pytest.raises(BadStore, match=f"older Strandline .schema {schema}, not {SCHEMA}.*store migrate"):
        Store(url)
    store = Store(url, migrate=True)
    try:
        with store.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": False})
            assert compare_metadata(context, metadata) == []
        assert upkeep.check(store) == (3, [])
        assert found(store, ARCHIVED).archived and replayed(found(store, FINISHED)).record.over
        assert len(store.signing_key()) == 32
        assert store.fetch_back(ARCHIVED).result()
        for name in (ARCHIVED, UNFINISHED):
            table = replayed(found(store, name))
            assert table.seats_of("token-1") == {1}  # yesterday's links open today
            before, written = table.entries, played_on(table)
            store.append(name, before, [step.entry for step in written]).result()
            assert replayed(found(store, name)).record.over
    finally:
        store.close()
    Store(url).close()  # once is enough


@pytest.mark.parametrize(("schema", "status"), [(1, 409), (2, 409)])
def test_no_record_claims_what_it_cannot_prove(tmp_path: Path, schema: int, status: int) -> None:
    """Games whose dice had salts can be watched and finished; those with hash chains are proved as ever."""
    store = Store(lay_out(f"sqlite:///{tmp_path / 'tables.sqlite'}", schema), migrate=True)
    running = Running(store, dataclasses.replace(FAST, forget_after=1e12))
    try:
        for table in (FINISHED, ARCHIVED):
            assert get(running.host, f"/api/tables/{table}")["number"] > 5
        answer = httpx.get(f"http://{running.host}/api/tables/{FINISHED}/record")
        assert answer.status_code == status
        if status == 409:
            assert "older Strandline" in answer.json()["error"]
        else:
            key = get(running.host, "/api/key")["key"]
            assert verify(answer.json(), key, signed=is_signed).verdict == "passed"
    finally:
        running.stop()
        store.close()


def test_a_file_is_copied_before_it_is_changed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    url = lay_out(f"sqlite:///{tmp_path / 'tables.sqlite'}", 1)
    assert cli.main(["store", "migrate", "--store", url]) == 0
    assert "The store is up to date." in capsys.readouterr().out
    (copy,) = tmp_path.glob("tables.sqlite-schema-1-*")
    assert str(copy) in caplog.text and stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT value FROM about").fetchall() == [(1,)]
    connection.close()
    assert cli.main(["store", "migrate", "--store", url]) == 0
    assert len(list(tmp_path.glob("tables.sqlite-schema-*"))) == 1  # nothing was left to do
    assert cli.main(["store", "restore", "--store", url, str(copy)]) == 2
    assert "store migrate" in capsys.readouterr().err


def test_a_migration_that_fails_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(url, 1)
    drop = Operations.drop_table

    def fail(*_: Any, **__: Any) -> None:
        raise sa.exc.OperationalError("DROP", {}, Exception("the disk is full"))

    monkeypatch.setattr(Operations, "drop_table", fail)
    with pytest.raises(BadStore, match="cannot be opened"):
        Store(url, migrate=True)
    monkeypatch.setattr(Operations, "drop_table", drop)
    with pytest.raises(BadStore, match="schema 1"):
        Store(url)
    Store(url, migrate=True).close()


def test_no_file_is_migrated_that_a_server_uses(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server = Store(url)
    server.claim()
    with server.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '2'"))
    with pytest.raises(BadStore, match="in use by another server"):
        Store(url, migrate=True)
    server.close()
