"""Looking after a store: check it, copy it and bring it back, take its tables elsewhere.

All of it but restoring can be done while a server runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from strandline.engine.errors import BadOptions, BadPosition, IllegalMove, UnknownGame
from strandline.server.store import ANOTHER, LIVE, SCHEMA, BadStore, Store, archive, claim, file_of, is_outage, tables
from strandline.table import document
from strandline.table.table import Table

POSTGRESQL = "PostgreSQL has its own tools for this: pg_dump and pg_restore."
FORMAT = f"strandline tables {SCHEMA}"


def check(store: Store) -> tuple[int, list[str]]:
    """Read and replay everything: the number of tables, and what is wrong, one sentence each."""
    wrong = [] if store.shared else _check_file(store)
    try:
        store.signing_key()
    except BadStore as error:
        wrong.append(str(error))
    ids = _ids(store)
    for table in ids:
        try:
            kept = store.load(table)
            store.present_until(table)
            if kept is not None:
                Table(kept.setup).replay(kept.entries)
        except Exception as error:
            if is_outage(error):
                raise
            wrong.append(f"The table {table} cannot be replayed: {_why(error)}")
    return len(ids), wrong


def _why(error: Exception) -> str:
    """Our own errors are sentences; of others the type says as much as the text."""
    own = isinstance(error, BadPosition | BadOptions | IllegalMove | UnknownGame)
    return str(error) if own else f"{type(error).__name__}: {error}".removesuffix(": ")


def _check_file(store: Store) -> list[str]:
    with store.engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    return [] if found == ["ok"] else [f"The file is damaged: {line}" for line in found]


def _ids(store: Store) -> list[str]:
    with store.engine.connect() as connection:
        return sorted([*connection.scalars(sa.select(tables.c.id)), *connection.scalars(sa.select(archive.c.id))])


# Copies of the whole store


def backup(store: Store, file: Path) -> None:
    """Copy the store as it is at this moment into a new file."""
    with contextlib.closing(_sqlite(store)) as here:
        _new(file)
        with contextlib.closing(sqlite3.connect(file)) as there:
            here.backup(there)


def restore(url: str, file: Path) -> None:
    """Put a copy in the place of a store, whatever has become of that. No server may be using it."""
    place = file_of(url)
    if place is None:
        raise BadStore(POSTGRESQL)
    if not file.is_file():
        raise BadStore(f"{file} does not exist.")
    try:
        Store(f"sqlite:///{file}", new=False).close()
    except BadStore as error:
        raise BadStore(str(error).removesuffix(ANOTHER)) from None
    with contextlib.closing(claim(place)):
        _replace(place.resolve(), file)


def _replace(place: Path, file: Path) -> None:
    """Copy beside the old store and change names at the end: what is damaged cannot be written over."""
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=f"{place.name}-")  # for its owner alone
    os.close(handle)
    new = Path(name)
    try:
        with contextlib.closing(sqlite3.connect(file)) as there, contextlib.closing(sqlite3.connect(new)) as here:
            there.backup(here)
        for written_ahead in ("-wal", "-shm", "-journal"):  # of the old one; SQLite would put it into the new one
            Path(f"{place}{written_ahead}").unlink(missing_ok=True)
        new.replace(place)
    finally:
        new.unlink(missing_ok=True)


def _sqlite(store: Store) -> sqlite3.Connection:
    file = store.engine.url.database
    if store.shared or not file:
        raise BadStore(POSTGRESQL)
    return sqlite3.connect(file)


def _new(file: Path) -> None:
    """Make the file, for its owner alone: it will hold the dice of games that are not over."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BadStore(f"{file} exists already.") from None


# Tables as text, for any store


def export(store: Store, file: Path) -> int:
    """Write all tables into a new file, one a line; answers how many."""
    _new(file)
    number = 0
    with file.open("w", encoding="utf-8") as out:
        print(json.dumps({"format": FORMAT}), file=out)
        for content in _contents(store):
            print(json.dumps(content), file=out)
            number += 1
    return number


def _contents(store: Store) -> Iterator[dict[str, Any]]:
    for table in _ids(store):
        with store.engine.connect() as connection:
            found = {
                kind.name: [dict(row) for row in connection.execute(sa.select(kind).where(key == table)).mappings()]
                for kind, key in LIVE
            }
            put_away = connection.scalar(sa.select(archive.c.content).where(archive.c.id == table))
        if found[tables.name]:
            yield found
        elif put_away is not None:
            yield json.loads(put_away)


def import_(store: Store, file: Path) -> tuple[int, int]:
    """Add the tables of a file, or the one that a browser saved: how many were added, and how many were known."""
    added = known = 0
    ids = set(_ids(store))
    with contextlib.suppress(ValueError, RecursionError):  # several lines are no JSON
        if isinstance(saved := json.loads(file.read_text(encoding="utf-8")), dict) and "setup" in saved:
            return _import_saved(store, saved, ids)
    with file.open(encoding="utf-8", errors="replace") as lines:
        head = _object(next(lines, ""))
        if head is None or "format" not in head:
            raise BadStore(f"{file} is not an export.")
        if head["format"] != FORMAT:
            raise BadStore(f"{file} is not written as {FORMAT!r}, which is what this Strandline reads.")
        for line in lines:
            content = _object(line)
            if content is None:
                raise BadStore(f"{file} is damaged: a line is not a JSON object.")
            try:
                is_known = content[tables.name][0]["id"] in ids
                if not is_known:
                    _add(store, content)
            except (LookupError, TypeError, AttributeError, sa.exc.StatementError) as error:
                if isinstance(error, sa.exc.OperationalError):
                    raise  # the store does not answer
                raise BadStore(f"{file} is damaged: a line is not a table.") from None
            known += is_known
            added += not is_known
    return added, known


def _add(store: Store, content: dict[str, Any]) -> None:
    """Write the rows of one table, all or none."""
    with store.engine.begin() as connection:
        for kind, _ in LIVE:
            if content.get(kind.name):
                connection.execute(sa.insert(kind), content[kind.name])


def _import_saved(store: Store, saved: dict[str, Any], ids: Collection[str]) -> tuple[int, int]:
    setup, entries = document.from_json(saved)
    if setup.header.table in ids:
        return 0, 1
    store.create(setup, entries).result()
    return 1, 0


def _object(line: str) -> dict[str, Any] | None:
    """The JSON object in a line, None if there is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
