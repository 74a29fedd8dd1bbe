"""Faults to be planted into the server, one at a time: a simulation that does not find them is worth nothing."""

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import Callable
from typing import Any
from unittest import mock

from simulation.disk import SimulatedStore
from strandline.server.commands import Commands, entries_of
from strandline.server.rooms import Room
from strandline.server.sockets import Connection
from strandline.server.store import Kept, Store
from strandline.table.table import Kind, Table

Plant = Callable[[], contextlib.AbstractContextManager[Any]]


def answer_before_commit() -> contextlib.AbstractContextManager[Any]:
    """A command is carried out and answered while its entries are still being written."""

    async def do(commands: Commands, room: Room, command: Any, write: Any) -> None:
        async with room.lock:
            steps = command(room.table)
            write(entries_of(steps))
            room.table.fold(steps)

    return mock.patch.object(Commands, "_do", do)


def fold_before_commit() -> contextlib.AbstractContextManager[Any]:
    """The table in memory is changed first; if the store fails, it stays changed."""

    async def do(commands: Commands, room: Room, command: Any, write: Any) -> None:
        async with room.lock:
            steps = command(room.table)
            writing = write(entries_of(steps))
            room.table.fold(steps)
            await asyncio.wrap_future(writing)

    return mock.patch.object(Commands, "_do", do)


def conflict_ignored() -> contextlib.AbstractContextManager[Any]:
    """Whoever comes second to a place is not told so."""
    opened = SimulatedStore.__init__

    def open_(store: SimulatedStore, *arguments: Any) -> None:
        opened(store, *arguments)
        store._insert._text = store._insert._text.replace("INSERT INTO", "INSERT OR IGNORE INTO")

    return mock.patch.object(SimulatedStore, "__init__", open_)


def undo_twice() -> contextlib.AbstractContextManager[Any]:
    """Whoever catches up after an undo takes it in once more."""
    load = Store.load

    def overlapping(store: Store, table: str, after: int = 0) -> Kept | None:
        kept = load(store, table, max(0, after - 1))
        if kept is None or not after or kept.archived:
            return load(store, table, after)
        again = kept.entries[:1] if kept.entries and kept.entries[0].kind == Kind.UNDO else []
        return dataclasses.replace(kept, entries=[*again, *kept.entries[1:]])

    return mock.patch.object(Store, "load", overlapping)


def stale_number_accepted() -> contextlib.AbstractContextManager[Any]:
    """A move for a position of the past is played in the present one."""
    return mock.patch.object(Table, "_check_number", lambda table, number: None)


def secret_in_log() -> contextlib.AbstractContextManager[Any]:
    """A failed write is logged together with the table's seed."""

    def excuse(connection: Connection, error: Exception) -> str:
        seed = connection._room.table.setup.seed.hex()
        logging.getLogger("strandline.store").error("The store does not answer: %s %s", error, seed)
        return "Please try again."

    return mock.patch.object(Connection, "excuse", excuse)


PLANTED: dict[Plant, int] = {
    answer_before_commit: 1,
    fold_before_commit: 1,
    conflict_ignored: 2,
    undo_twice: 2,
    stale_number_accepted: 1,
    secret_in_log: 1,
}
"""The faults, with the number of servers at which each is looked for."""
