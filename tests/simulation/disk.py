"""The store as servers have it, on a disk that fails, stalls, fills up, and loses its server between any two steps."""

import itertools
import random
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from simulation.clock import Crash, VirtualLoop
from strandline.server import store as stores
from strandline.server.store import Store

_disks = itertools.count()


class Disk:
    """A database in memory that several servers may share, with what goes wrong with it."""

    def __init__(self, loop: VirtualLoop, rng: random.Random, shared: bool) -> None:
        self.loop = loop
        self.rng = rng
        self.shared = shared
        self.url = f"sqlite:///file:/simulated-{next(_disks)}?vfs=memdb&uri=true"
        self.open = sqlite3.connect(self.url.removeprefix("sqlite:///").replace("&uri=true", ""), uri=True)
        """Keeps the database, and reads what was committed."""
        self.open.row_factory = sqlite3.Row
        self._place = 0
        self.out_until = 0.0
        self.full_until = 0.0
        self.slow_until = 0.0
        self.accidents = 0.0
        """How often a commit fails, or its answer is lost."""
        self.crashes = 0.0
        """How often a server ends in the middle of a transaction."""
        self.committed: Callable[[], None] = lambda: None
        self.stores: list[SimulatedStore] = []
        loop.stalled = self.stall

    def watch(self) -> None:
        """Note every entry that is ever written, together with it."""
        names = ", ".join(column.name for column in stores.entries.columns)
        values = ", ".join(f"NEW.{column.name}" for column in stores.entries.columns)
        self.open.executescript(f"""
            CREATE TABLE written (place INTEGER PRIMARY KEY AUTOINCREMENT, {names});
            CREATE TRIGGER added AFTER INSERT ON entries BEGIN INSERT INTO written ({names}) VALUES ({values}); END;
            CREATE TRIGGER changed AFTER UPDATE ON entries BEGIN INSERT INTO written ({names}) VALUES ({values}); END;
        """)

    def written(self) -> list[dict[str, Any]]:
        """The entries that were committed since the last time."""
        rows = self.open.execute("SELECT * FROM written WHERE place > ? ORDER BY place", (self._place,)).fetchall()
        self._place = rows[-1]["place"] if rows else self._place
        return [dict(row) for row in rows]

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self.out_until = self.full_until = self.slow_until = 0.0
        self.accidents = self.crashes = 0.0

    def delay(self) -> float:
        """How long a write takes."""
        return self.stall() or self.rng.uniform(0.0005, 0.01)

    def stall(self) -> float:
        """For how long the disk keeps anybody waiting who would read or write now."""
        return self.rng.uniform(2.0, 20.0) if self.loop.time() < self.slow_until else 0.0

    def strike(self, statement: str) -> None:
        """Whatever goes wrong with a statement that is about to be run."""
        writes = not statement.lstrip().startswith(("SELECT", "PRAGMA"))
        if self.loop.time() < self.out_until:
            raise _error("disk I/O error")
        if writes and self.loop.time() < self.full_until:
            raise _error("database or disk is full")
        if writes and self.crashes and self.rng.random() < self.crashes:
            raise Crash

    def commit(self, connection: sqlite3.Connection) -> None:
        """Commit, as far as nothing goes wrong before or after it."""
        fate = self.rng.random()
        if fate < self.accidents:
            raise sqlite3.OperationalError("disk I/O error")
        wrote = connection.in_transaction
        connection.commit()
        if wrote:
            self.committed()
        if fate < 2 * self.accidents:
            raise sqlite3.OperationalError("server closed the connection unexpectedly")
        if wrote and fate > 1 - self.crashes:
            raise Crash

    def close(self) -> None:
        """Nothing is left."""
        self.open.close()


class SimulatedStore(Store):
    """The real store. Its writing thread is a callback of the loop, its channel for news is the disk's."""

    def __init__(self, disk: Disk, crash: Callable[[], None] = lambda: None) -> None:
        self._disk = disk
        self._crash = crash
        self.dead = False
        self._gathered: list[Any] = []
        self._notices: list[str] = []
        self._heard: Callable[[str | None, str], None] = lambda table, word: None
        self.deaf_until = 0.0
        super().__init__(disk.url)
        self.shared = disk.shared
        event.listen(self.engine, "connect", self._connected)
        self.engine.dispose()
        event.listen(self.engine, "before_cursor_execute", self._strike)
        self.engine.dialect.do_commit = self._do_commit  # type: ignore[method-assign, assignment]
        disk.stores.append(self)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        """No threads."""

    def _connected(self, connection: sqlite3.Connection, _: Any) -> None:
        connection.create_function("pg_notify", 2, lambda channel, notice: self._notices.append(notice))

    def _strike(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if self.dead:
            raise Crash
        self._disk.strike(statement)

    def _do_commit(self, connection: Any) -> None:
        if self.dead:
            raise Crash
        raw: sqlite3.Connection = connection.driver_connection
        try:
            self._disk.commit(raw)
        finally:
            if not raw.in_transaction:
                self._publish()

    # Writing

    def _submit(self, job: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.dead:
            if not self._gathered:
                self._disk.loop.call_later(self._disk.delay(), self.flush)
            self._gathered.append((job, future))
        return future

    def flush(self) -> None:
        """Write what has gathered, as the writing thread does."""
        batch, self._gathered = self._gathered, []
        if self.dead or not batch:
            return
        try:
            self._commit([one for one in batch if one[1].set_running_or_notify_cancel()])
        except Crash:
            self._crash()

    def die(self) -> None:
        """What was not committed is gone; the database stays."""
        self.dead = True
        self._disk.stores.remove(self)
        self.engine.dispose()

    def close(self) -> None:
        self.flush()
        if not self.dead:
            self.die()

    # News, as PostgreSQL gives them: after the commit, to everybody else

    def _publish(self) -> None:
        notices, self._notices = self._notices, []
        for other in self._disk.stores if self.shared else ():
            for notice in notices:
                self._disk.loop.call_later(self._disk.rng.uniform(0.001, 0.05), other.hear, notice)

    def listen(self, heard: Callable[[str | None, str], None]) -> None:
        if self.shared:
            self._heard = heard
            heard(None, "")

    def hear(self, notice: str) -> None:
        """A server has written to a table. Who does not listen now learns later that something may be missing."""
        table, server, word = [*notice.split(" ", 2), ""][:3]
        if server != self._name and self._listens():
            self._heard(table, word)

    def go_deaf(self, seconds: float) -> None:
        """The line for news breaks and comes back."""
        self.deaf_until = self._disk.loop.time() + seconds
        self._disk.loop.call_later(seconds, self._listen_again)

    def _listen_again(self) -> None:
        if self._listens():
            self._heard(None, "")

    def _listens(self) -> bool:
        return self.shared and not self.dead and self._disk.loop.time() >= self.deaf_until


def _error(reason: str) -> sa.exc.OperationalError:
    return sa.exc.OperationalError("a statement", None, sqlite3.OperationalError(reason))
