"""Open tables keep up with the store, whatever the store has said."""

import asyncio
import sqlite3
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from sqlalchemy.exc import OperationalError

from server.helpers import FAST
from strandline.server.hall import Hall
from strandline.server.store import Store


class Onlooker:
    """A guest who notes when something has changed."""

    seats: frozenset[int] = frozenset()
    woken = 0
    is_looking = True
    visitor = ""

    def wake(self) -> None:
        self.woken += 1

    def hear(self, message: dict[str, Any]) -> None:
        """Hear what somebody says."""


def test_what_was_written_without_an_answer_is_shown(tmp_path: Path) -> None:
    """A server that is cut off after a commit finds the move by itself, and tells all who wait for it."""
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    append = store.append

    def unanswered(*arguments: Any) -> Future[None]:
        append(*arguments).result()
        lost: Future[None] = Future()
        lost.set_exception(OperationalError("", None, sqlite3.OperationalError("gone")))
        return lost

    async def play() -> None:
        hall = Hall(store, FAST)
        await hall.make("nim", {}, ["here", "here"])
        (room,), onlooker = hall.rooms.all(), Onlooker()
        await hall.enter(room, onlooker)
        move = room.table.record.position.moves()[0]
        with mock.patch.object(store, "append", unanswered), pytest.raises(OperationalError):
            await hall.do(room, lambda table: table.move({0, 1}, move, 0))
        assert room.table.number == 0
        before = onlooker.woken
        await hall._tidy()
        assert room.table.number == 1 and onlooker.woken > before
        await hall.close()

    asyncio.run(play())
    store.close()


def test_a_table_that_was_written_without_an_answer_is_made(tmp_path: Path) -> None:
    """A batch whose answer is lost is written again, one by one; then the table is there already."""
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    create = store.create

    def twice(*arguments: Any) -> Future[None]:
        create(*arguments).result()
        return create(*arguments)

    async def make() -> None:
        hall = Hall(store, FAST)
        with mock.patch.object(store, "create", twice):
            made = await hall.make("nim", {}, ["here", "here"])
        assert store.load(made.table.id) is not None
        await hall.close()

    asyncio.run(make())
    store.close()
