"""Where tables are kept: SQLite in one file, or PostgreSQL shared by several servers.

Entries are only ever added, under the primary key (table, number): whoever comes second is told so, on any number of
servers. All writes of a server go through one thread, which puts what has gathered meanwhile into one transaction: one
flush to the disk serves many tables. A write is answered when it is on the disk.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import re
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError

from strandline.engine.errors import BadOptions
from strandline.server.notice import PUSH, Notice
from strandline.table.record import HEX, BadRecord, Header
from strandline.table.table import Agreements, Entry, Kind, Setup

SCHEMA = 3
"""The version of all tables below. Whoever changes them adds a revision to `migrations`."""
OLDEST = 1
"""The oldest version that can be brought up to date."""
SIGNING = "signing"
CHANNEL = "strandline"
BUSY_MS = 10_000
CLAIM_S = 1.0
"""How long a new server waits for one that is about to end."""
OUTAGE_S = 10.0
"""How often the log says that the store does not answer."""
COMMITS_APART_S = 0.004
"""How soon one commit may follow another: each costs as much as the entries of several moves, which then share one."""
LOST = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""How soon a connection to PostgreSQL is given up whose other side is silent. The store's address may say otherwise."""
CONNECTIONS = 8
"""With PostgreSQL, at most, without the one that listens."""
LISTEN_S = 1.0
"""How often the listener looks whether it shall stop."""

ANOTHER = " Choose another with --store."
"""What can be done about a store that cannot be opened."""
IN_PASSWORDS = "In a password, write %40 for @, %3A for : and %2F for /."
NOT_UTF8 = "Could not decode to UTF-8"
"""What SQLite says of a text that is none."""

logger = logging.getLogger("strandline.store")

Answer = TypeVar("Answer")
Job = Callable[[sa.Connection], Answer]

metadata = sa.MetaData()
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("kinds", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("takeover_after", sa.Integer),
    sa.Column("undo", sa.Boolean, nullable=False),
    sa.Column("dice_version", sa.Integer, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64)),
    sa.Column("present_until", sa.Float, nullable=False),
)
entries = sa.Table(
    "entries",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)
archive = sa.Table(
    "archive",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("put_away", sa.Float, nullable=False, index=True),
    sa.Column("content", sa.Text, nullable=False),
)
agreements = sa.Table(
    "agreements",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("clock", sa.Integer),
    sa.Column("quiet", sa.Boolean, nullable=False),
    sa.Column("open", sa.Boolean, nullable=False, index=True),
    sa.Column("due", sa.Float, index=True),
)
notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("page", sa.Text, nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("told", sa.Integer, nullable=False),
)
shown_notices = sa.Table(
    "shown_notices",
    metadata,
    sa.Column("notice_id", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
)
server_secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
codes = sa.Table(
    "codes",
    metadata,
    sa.Column("code", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("until", sa.Float, nullable=False),
)
lesson_steps = sa.Table(
    "lesson_steps",
    metadata,
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("lesson", sa.String(64), primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),
    sa.Column("came", sa.String(16), primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
)
versions = sa.Table(
    "alembic_version",
    metadata,
    sa.Column("version_num", sa.String(32), primary_key=True),
)
keys = sa.Table(
    "keys",
    metadata,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False),
)
LIVE = (
    (tables, tables.c.id),
    (seats, seats.c.table_id),
    (entries, entries.c.table_id),
    (agreements, agreements.c.table_id),
)
"""What is kept of a table that is in use, and the column that names the table."""

# What is asked again and again is put together once.
DUE = (
    sa.select(agreements.c.table_id)
    .where(agreements.c.due <= sa.bindparam("now"))
    .order_by(agreements.c.due)
    .limit(sa.bindparam("most"))
)
UNTOUCHED = (
    sa.select(tables.c.id)
    .where(tables.c.touched < sa.bindparam("since"))
    .limit(sa.bindparam("most"))
    .with_for_update(skip_locked=True)
)
FORGET = sa.delete(archive).where(archive.c.put_away < sa.bindparam("before"))
FORGET_CODES = sa.delete(codes).where(codes.c.until <= sa.bindparam("now"))
MARK_PRESENT = (
    sa.update(seats)
    .where(seats.c.table_id == sa.bindparam("t"), seats.c.seat == sa.bindparam("s"))
    .values(present_until=sa.bindparam("u"))
)
SET_DUE = sa.update(agreements).where(agreements.c.table_id == sa.bindparam("table")).values(due=sa.bindparam("at"))
LINE = ("kind", "seat", "text", "seed", "made")
LINES_AFTER = (
    sa.select(*(entries.c[name] for name in LINE))
    .where(entries.c.table_id == sa.bindparam("table"), entries.c.number > sa.bindparam("after"))
    .order_by(entries.c.number)
)


class Conflict(Exception):
    """Somebody else has added an entry first. Nothing was written."""


class BadStore(BadOptions):
    """The store cannot be opened; the message says why."""


@dataclass(frozen=True)
class Kept:
    """A table as the store has it."""

    setup: Setup
    entries: list[Entry]
    archived: bool = False


@dataclass(frozen=True)
class Addition:
    """Entries to be added to a table. Those of many tables are written together."""

    table: str
    after: int
    new: Sequence[Entry]


class _Statement:
    """A statement that is run for every move: compiled once, for the compiler would take most of a move's time."""

    def __init__(self, statement: sa.Insert | sa.Update, dialect: sa.Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._places: Sequence[str] | None = compiled.positiontup

    def run(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> int:
        """Run it for each row; answers how many rows of the store were met."""
        places = self._places
        values: Any = rows if places is None else [tuple(row[place] for place in places) for row in rows]
        return connection.exec_driver_sql(self._text, values).rowcount


class Store:
    """The open store. All methods may be called from any thread; those that write give a `Future`."""

    def __init__(self, url: str, migrate: bool = False, new: bool = True) -> None:
        """`migrate`: bring a store of an older version up to date, with a copy of it first where it is a file.

        `new`: make one where there is none.
        """
        self.shared = not _sqlite(url)
        """Whether other servers may write here too."""
        self._claim: sqlite3.Connection | None = None
        with _sentences(url):
            place = _dialect(url)
            self._lost = {} if _sqlite(url) else {name: LOST[name] for name in LOST.keys() - place.query}
            self.engine = sa.create_engine(
                place,
                connect_args=self._lost,
                pool_size=CONNECTIONS // 2,
                max_overflow=CONNECTIONS // 2,
                pool_pre_ping=not _sqlite(url),
                hide_parameters=True,  # seeds and tokens are in no message
            )
        if _sqlite(url):
            event.listen(self.engine, "connect", _prepare_sqlite)
        try:
            if new:
                self._make_file()
            elif not self.shared and self._file() is None:
                raise BadStore(f"There is no store at {_shown(url)}.")
            with _sentences(url):
                self._prepare(migrate, new)
        except BaseException:
            self._let_go()
            raise
        self._opened = self._file()
        if self._opened is not None:  # a new file in its place would take over, and empty, what is written ahead
            event.listen(self.engine, "do_connect", lambda *_: self._check_file())
            event.listen(self.engine, "checkout", lambda *_: self._check_file())
        self._name = secrets.token_hex(4)
        if self.shared:  # it would warn of every conflict, which are our daily business
            logging.getLogger("psycopg").setLevel(logging.ERROR)
        self._insert = _Statement(sa.insert(entries), self.engine.dialect)
        touch = sa.update(tables).where(tables.c.id == sa.bindparam("table")).values(touched=sa.bindparam("now"))
        self._touch = _Statement(touch, self.engine.dialect)
        self._jobs: queue.SimpleQueue[tuple[Job[Any] | Addition, Future[Any]] | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._start(self._write)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        """Let a thread of its own do some work, until the store is closed."""
        self._threads.append(threading.Thread(target=work, args=arguments, name="strandline-store", daemon=True))
        self._threads[-1].start()

    def close(self) -> None:
        """Write what is still waiting, then close."""
        self._closing.set()
        self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._let_go()

    def _let_go(self) -> None:
        self.engine.dispose()
        if self._claim is not None:
            self._claim.close()

    def claim(self) -> None:
        """Be the only server on this SQLite file, for others would hear nothing of what is played here, nor we of them.

        Raises `BadStore` if there is one. The claim is a lock on a file beside the store, and ends with the process.
        """
        if self._place is not None and self._claim is None:
            self._claim = claim(Path(self._place))

    def look(self) -> None:
        """Raise an outage if the store does not answer."""
        self.load("0")

    def _check_file(self) -> None:
        """Raise an outage if the file was taken away: it would answer all the same, and nobody find it again."""
        if self._file() != self._opened:
            raise sqlite3.OperationalError(f"{self.engine.url.database} is not the file any more that was opened here.")

    @property
    def _place(self) -> str | None:
        """Where the file is, if the store is one."""
        file = None if self.shared else self.engine.url.database
        return None if file in ("", ":memory:") else file

    def _make_file(self) -> None:
        """Make a new file for its owner alone: it will hold the dice of games that are not over."""
        place = self._place
        if place is not None and not place.startswith("file:"):
            with suppress(OSError):  # SQLite says what is wrong
                os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def _file(self) -> tuple[int, int] | None:
        """Which file is at the store's place."""
        place = self._place
        if place is None:
            return None
        try:
            found = Path(place).stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    # Reading

    def signing_key(self) -> bytes:
        """The secret key with which all servers of this store sign records."""
        with self.engine.connect() as connection:
            found = connection.scalar(sa.select(keys.c.secret).where(keys.c.name == SIGNING))
        if not isinstance(found, str) or not HEX.fullmatch(found):
            raise BadStore("The store is damaged: it has no key to sign records with.")
        return bytes.fromhex(found)

    def load(self, table: str, after: int = 0) -> Kept | None:
        """A table with its entries after number `after`; None if there is no such table. Archived ones are read too."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(tables).where(tables.c.id == table)).mappings().first()
            if row is None:
                return _unpacked(connection, table)
            places = sa.select(seats.c.token_hash).where(seats.c.table_id == table).order_by(seats.c.seat)
            agreed = connection.execute(sa.select(agreements).where(agreements.c.table_id == table)).mappings().first()
            tokens = connection.scalars(places).all()
            lines = connection.execute(LINES_AFTER, {"table": table, "after": after}).all()
        # All is read before any of it is understood: a reader that fails half-way would hold its connection's past.
        return Kept(_setup(row, tokens, agreed), [_read(*line) for line in lines])

    def present_until(self, table: str) -> dict[int, float]:
        """Until when each seat counts as present."""
        query = sa.select(seats.c.seat, seats.c.present_until).where(seats.c.table_id == table)
        with self.engine.connect() as connection:
            return {row.seat: _time(row.present_until) for row in connection.execute(query)}

    def presence(self, places: Collection[str]) -> dict[str, dict[int, float]]:
        """The same for many tables at once."""
        query = sa.select(seats.c.table_id, seats.c.seat, seats.c.present_until).where(seats.c.table_id.in_(places))
        found: dict[str, dict[int, float]] = {}
        with self.engine.connect() as connection:
            for row in connection.execute(query):
                found.setdefault(row.table_id, {})[row.seat] = row.present_until
        return found

    def due(self, now: float, most: int = 50) -> list[str]:
        """Tables at which the time for a move may be up."""
        with self.engine.connect() as connection:
            return list(connection.scalars(DUE, {"now": now, "most": most}))

    def open_tables(self, most: int = 50) -> list[str]:
        """Tables with seats that anybody may take, the newest first."""
        query = (
            sa.select(agreements.c.table_id)
            .join(tables, tables.c.id == agreements.c.table_id)
            .where(agreements.c.open)
            .order_by(tables.c.touched.desc())
            .limit(most)
        )
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def lesson_counts(self) -> list[tuple[str, str, int, str, int]]:
        """How often each step of each lesson was reached and left: game, lesson, step, what came, how often."""
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(sa.select(lesson_steps))]

    def count_step(self, game: str, lesson: str, step: int, came: str) -> Future[None]:
        """Somebody has reached a step of a lesson, or left the lesson there; who is not noted."""
        key = {"game": game, "lesson": lesson, "step": step, "came": came}
        here = [lesson_steps.c[name] == value for name, value in key.items()]

        def job(connection: sa.Connection) -> None:
            _lock(connection)
            one_more = sa.update(lesson_steps).where(*here).values(count=lesson_steps.c.count + 1)
            if connection.execute(one_more).rowcount == 0:
                connection.execute(sa.insert(lesson_steps), {**key, "count": 1})

        return self._submit(job)

    def notices(self, table: str, seat: int, number: int) -> list[Notice]:
        """The notices that somebody asked for at a seat and has not had for the turn that began with line `number`."""
        here = (notices.c.table_id == table, notices.c.seat == seat, notices.c.told < number)
        with self.engine.connect() as connection:
            found = connection.execute(sa.select(notices).where(*here)).mappings()
            return [_notice(row) for row in found]

    def is_shown(self, notice: str) -> bool:
        """Whether a notice may be on its device's screen, and nobody has begun to withdraw it."""
        with self.engine.connect() as connection:
            query = sa.select(shown_notices.c.seat).where(shown_notices.c.notice_id == notice)
            return connection.scalar(query) is not None

    def touched(self, wanted: Collection[str]) -> dict[str, float]:
        """When each of these tables was last touched; those that were put away, when that was."""
        live = sa.select(tables.c.id, tables.c.touched).where(tables.c.id.in_(wanted))
        old = sa.select(archive.c.id, archive.c.put_away).where(archive.c.id.in_(wanted))
        with self.engine.connect() as connection:
            return {row[0]: row[1] for query in (old, live) for row in connection.execute(query)}

    def table_of_code(self, code: str, now: float) -> str | None:
        """The table that a code stands for."""
        query = sa.select(codes.c.table_id).where(codes.c.code == code, codes.c.until > now)
        with self.engine.connect() as connection:
            return connection.scalar(query)

    # Writing

    def create(self, setup: Setup, first: Sequence[Entry]) -> Future[None]:
        """A new table with its first entries."""
        return self._submit(lambda connection: _create(connection, setup, first))

    def append(self, table: str, after: int, new: Sequence[Entry]) -> Future[None]:
        """Add entries after number `after`. `Conflict` if there are others in that place."""
        return self._submit(Addition(table, after, new))

    def rematch(
        self, table: str, after: int, new: Sequence[Entry], setup: Setup, first: Sequence[Entry]
    ) -> Future[None]:
        """A new table and the entry that leads to it, both or neither."""

        def job(connection: sa.Connection) -> None:
            self._add(connection, [Addition(table, after, new)])
            _create(connection, setup, first)

        return self._submit(job)

    def mark_present(self, places: Iterable[tuple[str, int]], until: float) -> Future[None]:
        """The persons at these seats (table and seat) count as present until then."""
        marks = [{"t": table, "s": seat, "u": until} for table, seat in places]

        def job(connection: sa.Connection) -> None:
            if marks:
                connection.execute(MARK_PRESENT, marks)

        return self._submit(job)

    def put_away(self, untouched_since: float, most: int = 100) -> Future[list[str]]:
        """Move tables that nobody has touched since then to the archive; answers their ids."""
        return self._submit(lambda connection: _put_away(connection, untouched_since, most))

    def forget(self, put_away_before: float) -> Future[None]:
        """Delete what was put away before then."""

        def job(connection: sa.Connection) -> None:
            connection.execute(FORGET, {"before": put_away_before})

        return self._submit(job)

    def add_notices(self, asked: Sequence[Notice], most: int) -> Future[bool]:
        """Take down what somebody asks for, unless the seat already has `most`."""

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.delete(notices).where(notices.c.id.in_([one.id for one in asked])))
            places = [(one.table_id, one.seat) for one in asked]
            there = sa.select(notices.c.seat).where(sa.tuple_(notices.c.table_id, notices.c.seat).in_(places))
            counts = Counter(connection.scalars(there))
            if any(count >= most for count in counts.values()):
                return False
            connection.execute(sa.insert(notices), [{**asdict(one), "told": -1} for one in asked])
            return True

        return self._submit(job)

    def forget_notices(self, table: str, device: str, notice: str | None = None) -> Future[None]:
        """A device wants no more notices at a table, or not this one."""
        here = [notices.c.table_id == table, notices.c.device == device]
        which = sa.select(notices.c.id).where(*here, *([notices.c.id == notice] if notice else []))

        def job(connection: sa.Connection) -> None:
            found = list(connection.scalars(which))
            for kind, key in ((notices, notices.c.id), (shown_notices, shown_notices.c.notice_id)):
                connection.execute(sa.delete(kind).where(key.in_(found)))

        return self._submit(job)

    def claim_notice(self, notice: Notice, number: int) -> Future[bool]:
        """Be the one who tells somebody of the turn that began with line `number`; False if another was faster.

        From now on a push message counts as shown, so that nobody looks at the table without it being withdrawn.
        """
        query = sa.update(notices).where(notices.c.id == notice.id, notices.c.told < number).values(told=number)

        def job(connection: sa.Connection) -> bool:
            if connection.execute(query).rowcount != 1:
                return False
            if notice.kind == PUSH:
                row = {"notice_id": notice.id, "table_id": notice.table_id, "seat": notice.seat}
                connection.execute(sa.delete(shown_notices).where(shown_notices.c.notice_id == notice.id))
                connection.execute(sa.insert(shown_notices), row)
            return True

        return self._submit(job)

    def take_shown(self, table: str, seats: Collection[int]) -> Future[list[Notice]]:
        """The notices of these seats that may be on screens, for the first who asks: it is theirs to withdraw them."""
        here = (shown_notices.c.table_id == table, shown_notices.c.seat.in_(seats))

        def job(connection: sa.Connection) -> list[Notice]:
            taken = list(connection.scalars(sa.delete(shown_notices).where(*here).returning(shown_notices.c.notice_id)))
            if not taken:  # as nearly always
                return []
            found = connection.execute(sa.select(notices).where(notices.c.id.in_(taken))).mappings()
            return [_notice(row) for row in found]

        return self._submit(job)

    def forget_shown(self, notice: str) -> Future[None]:
        """A notice did not get to its device."""
        return self._run(sa.delete(shown_notices).where(shown_notices.c.notice_id == notice))

    def mark_told(self, table: str, seat: int, number: int) -> Future[None]:
        """The person at a seat has seen that it is their turn."""
        here = (notices.c.table_id == table, notices.c.seat == seat, notices.c.told < number)
        return self._run(sa.update(notices).where(*here).values(told=number))

    def secret(self, name: str, new: str) -> Future[str]:
        """A secret of the servers on this store: the one that there is, or `new` from now on."""

        def job(connection: sa.Connection) -> str:
            _lock(connection)
            query = sa.select(server_secrets.c.value).where(server_secrets.c.name == name)
            found: str | None = connection.scalar(query)
            if found is None:
                connection.execute(sa.insert(server_secrets), {"name": name, "value": new})
            return found or new

        return self._submit(job)

    def set_due(self, table: str, due: float | None) -> Future[None]:
        """When the time for the present move of a table is up."""
        return self._run(SET_DUE, {"table": table, "at": due})

    def set_full(self, table: str) -> Future[None]:
        """A table has no seats left that anybody might take."""
        query = sa.update(agreements).where(agreements.c.table_id == table).values(open=False)
        return self._run(query)

    def tell(self, table: str, word: str) -> Future[None]:
        """Say a word to the other servers that have the table open."""

        def job(connection: sa.Connection) -> None:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{table} {self._name} {word}")))

        return self._submit(job)

    def code_of(self, table: str, at_least_until: float, new: str, until: float) -> Future[str]:
        """A table's code that holds so long; if it has none, a new one. `Conflict` if that is in use elsewhere."""
        query = sa.select(codes.c.code).where(codes.c.table_id == table, codes.c.until >= at_least_until)

        def job(connection: sa.Connection) -> str:
            found: str | None = connection.scalar(query)
            if found is None:
                connection.execute(sa.insert(codes), {"code": new, "table_id": table, "until": until})
            return found or new

        return self._submit(job)

    def forget_codes(self, now: float) -> Future[None]:
        """Delete codes that hold no longer."""

        def job(connection: sa.Connection) -> None:
            connection.execute(FORGET_CODES, {"now": now})

        return self._submit(job)

    def fetch_back(self, table: str) -> Future[bool]:
        """Bring an archived table back into use."""
        return self._submit(lambda connection: _fetch_back(connection, table))

    # News

    def listen(self, heard: Callable[[str | None, str], None]) -> None:
        """Call `heard` with a table's id when another server has added entries, with None when news may be missing.

        With a table's id and a word when another server has said one.
        """
        if self.shared:
            self._start(self._listen, heard)

    def _listen(self, heard: Callable[[str | None, str], None]) -> None:
        import psycopg

        url = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closing.is_set():
            with (
                suppress(psycopg.OperationalError),
                psycopg.connect(url, autocommit=True, **self._lost) as connection,  # type: ignore[arg-type]
            ):
                connection.execute(f"LISTEN {CHANNEL}")
                heard(None, "")
                while not self._closing.is_set():
                    for notice in connection.notifies(timeout=LISTEN_S):
                        table, server, word = [*notice.payload.split(" ", 2), ""][:3]
                        if server != self._name:
                            heard(table, word)
            self._closing.wait(LISTEN_S)

    # The writing thread

    def _run(self, query: sa.Update | sa.Delete, values: dict[str, Any] | None = None) -> Future[None]:
        def job(connection: sa.Connection) -> None:
            connection.execute(query, values)

        return self._submit(job)

    def _submit(self, job: Job[Answer] | Addition) -> Future[Answer]:
        future: Future[Answer] = Future()
        self._jobs.put((job, future))
        return future

    def _write(self) -> None:
        began = -COMMITS_APART_S
        while True:
            first = self._jobs.get()
            if first is None:
                return
            time.sleep(max(0.0, began + COMMITS_APART_S - time.monotonic()))
            began = time.monotonic()
            batch = [first]
            ended = False
            with suppress(queue.Empty):
                while not ended:
                    following = self._jobs.get_nowait()
                    if following is None:
                        ended = True
                    else:
                        batch.append(following)
            # from here on a future cannot be cancelled any more: what nobody waited for is left out, the rest is done
            self._commit([one for one in batch if one[1].set_running_or_notify_cancel()])
            if ended:
                return

    def _commit(self, batch: Sequence[tuple[Job[Any] | Addition, Future[Any]]]) -> None:
        """All jobs in one transaction; if one fails, each in its own, so that it fails alone."""
        if not batch:
            return
        try:
            with self.engine.begin() as connection:
                self._add(connection, [job for job, _ in batch if isinstance(job, Addition)])
                answers = [None if isinstance(job, Addition) else job(connection) for job, _ in batch]
        except Exception as error:
            if len(batch) == 1:
                batch[0][1].set_exception(Conflict() if isinstance(error, IntegrityError) else error)
            else:
                for one in batch:
                    self._commit([one])
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            future.set_result(answer)

    def _add(self, connection: sa.Connection, additions: Sequence[Addition]) -> None:
        if not additions:
            return
        self._insert.run(connection, [row for one in additions for row in _rows(one.table, one.after, one.new)])
        now = time.time()
        touched = self._touch.run(connection, [{"table": one.table, "now": now} for one in additions])
        if touched != len(additions):
            raise Conflict  # another server has put a table away
        if self.shared:
            for one in additions:
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{one.table} {self._name}")))

    # Opening

    def _prepare(self, migrate: bool, new: bool) -> None:
        """Make an empty store, migrate an older one, and say at once what would fail with every table."""
        with self.engine.begin() as connection:
            _lock(connection)
            version = _version(connection)
            if version is None and not new:
                raise BadStore(f"There is no store at {_shown(self.engine.url)}.")
            if version is None:
                metadata.create_all(connection)
                connection.execute(sa.insert(versions), {"version_num": str(SCHEMA)})
                connection.execute(sa.insert(keys), {"name": SIGNING, "secret": secrets.token_hex(32)})
        if migrate and version is not None and OLDEST <= version < SCHEMA:
            self._migrate(version)
        with self.engine.connect() as connection:
            _check_schema(connection)

    def _migrate(self, version: int) -> None:
        """All of it or nothing."""
        from strandline.server import migrations, upkeep

        self.claim()  # no server may be using the file
        copy = Path(f"{self.engine.url.database}-schema-{version}-{time.strftime('%Y%m%d-%H%M%S')}")
        if not self.shared:
            upkeep.backup(self, copy)
        try:
            with self.engine.begin() as connection:
                _lock(connection)
                if not self.shared:  # or else each statement would stand for itself
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                if _version(connection) == version:  # no other server was faster
                    migrations.upgrade(connection, version)
        except BaseException:
            copy.unlink(missing_ok=True)  # the store is as it was
            raise
        kept = "" if self.shared else f" What it was is kept in {copy}."
        logger.warning("The store was brought from schema %s to %s.%s", version, SCHEMA, kept)


def claim(file: Path) -> sqlite3.Connection:
    """Claim a SQLite file, there or not, until the connection is closed. Raises `BadStore` if a server has."""
    file = file.resolve()  # whatever it is called, it is one file
    if file.exists() and file.stat().st_nlink > 1:
        raise BadStore(
            f"The store {file} has another name, a hard link, by which a second server could open it unnoticed. "
            "Remove that name, or copy the store instead."
        )
    with _sentences(f"sqlite:///{file}"):
        found = sqlite3.connect(_claimed(file), CLAIM_S, isolation_level=None, check_same_thread=False)
    try:
        found.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        found.close()
        raise BadStore(
            f"The store {file} is in use by another server. Stop that one, or choose another store with --store; "
            "several servers can share a PostgreSQL database."
        ) from None
    return found


def _claimed(file: Path) -> str:
    """The file whose lock is the claim to a SQLite file."""
    return f"{file.resolve()}-server"


def file_of(url: str) -> Path | None:
    """The file of a store; None if it is in a PostgreSQL database."""
    found = _dialect(url)
    return Path(found.database) if found.drivername == "sqlite" and found.database else None


def is_in_use(url: str) -> bool:
    """Whether a server has claimed this SQLite file."""
    file = file_of(url)
    assert file is not None
    with closing(sqlite3.connect(_claimed(file), 0)) as found:
        try:
            found.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            return True
        return False


def _create(connection: sa.Connection, setup: Setup, first: Sequence[Entry]) -> None:
    header = setup.header
    now = time.time()
    connection.execute(
        sa.insert(tables).values(
            id=header.table,
            game=header.game,
            rules=header.rules,
            options=json.dumps(dict(header.options)),
            kinds=json.dumps(header.kinds),
            names=json.dumps(setup.names),
            seed=setup.seed.hex(),
            commitment=header.commitment,
            hints=setup.hints,
            takeover_after=setup.takeover_after,
            undo=setup.undo,
            dice_version=setup.dice_version,
            touched=now,
        )
    )
    places = [
        {"table_id": header.table, "seat": seat, "token_hash": token, "present_until": now}
        for seat, token in enumerate(setup.tokens)
    ]
    connection.execute(sa.insert(seats), places)
    agreed = setup.agreements
    row = {"table_id": header.table, "clock": agreed.clock, "quiet": agreed.quiet, "open": agreed.open}
    connection.execute(sa.insert(agreements), row)
    if first:
        connection.execute(sa.insert(entries), _rows(header.table, 0, first))


def _rows(table: str, after: int, new: Sequence[Entry]) -> list[dict[str, Any]]:
    now = time.time()
    return [
        {
            "table_id": table,
            "number": number,
            "kind": entry.kind.value,
            "seat": entry.seat,
            "text": entry.text,
            "seed": entry.seed,
            "made": entry.made or now,
        }
        for number, entry in enumerate(new, after + 1)
    ]


def _setup(row: Mapping[Any, Any], tokens: Sequence[str | None], agreed: Mapping[Any, Any] | None) -> Setup:
    kinds = tuple(json.loads(row["kinds"]))
    options = json.loads(row["options"])
    header = Header(row["id"], row["game"], options, kinds, row["commitment"], row["rules"])
    names = tuple(json.loads(row["names"]))
    more = Agreements(agreed["clock"], agreed["quiet"], agreed["open"]) if agreed else Agreements()
    seed, wait = bytes.fromhex(row["seed"]), row["takeover_after"]
    _time(row["touched"])
    return Setup(header, seed, tuple(tokens), names, row["hints"], wait, row["undo"], more, row["dice_version"])


def _entry(row: Mapping[Any, Any]) -> Entry:
    return _read(*(row[name] for name in LINE))


def _read(kind: str, seat: int | None, text: str, seed: str, made: float) -> Entry:
    return Entry(Kind(kind), seat, text, seed, _time(made))


def _time(value: Any) -> float:
    """SQLite keeps whatever it is given; what is no time would fail only when somebody looks at the clock."""
    if not isinstance(value, float | int):
        raise BadRecord(f"{value!r} is not a time.")
    return value


def _notice(row: Mapping[Any, Any]) -> Notice:
    return Notice(**{name: value for name, value in row.items() if name != "told"})


# The archive: one document a table, with all its rows


def _put_away(connection: sa.Connection, untouched_since: float, most: int) -> list[str]:
    found = list(connection.scalars(UNTOUCHED, {"since": untouched_since, "most": most}))
    for table in found:
        content = {
            kind.name: [dict(row) for row in connection.execute(sa.select(kind).where(key == table)).mappings()]
            for kind, key in LIVE
        }
        connection.execute(sa.insert(archive).values(id=table, put_away=time.time(), content=json.dumps(content)))
        for kind, key in (*LIVE, (notices, notices.c.table_id), (shown_notices, shown_notices.c.table_id)):
            connection.execute(sa.delete(kind).where(key == table))
    return found


def _archived(connection: sa.Connection, table: str) -> dict[str, Any] | None:
    content = connection.scalar(sa.select(archive.c.content).where(archive.c.id == table))
    return None if content is None else json.loads(content)


def _unpacked(connection: sa.Connection, table: str) -> Kept | None:
    content = _archived(connection, table)
    if content is None:
        return None
    tokens = [row["token_hash"] for row in sorted(content["seats"], key=lambda row: row["seat"])]
    lines = sorted(content["entries"], key=lambda row: row["number"])
    agreed = next(iter(content.get(agreements.name, ())), None)
    return Kept(_setup(content["tables"][0], tokens, agreed), [_entry(line) for line in lines], archived=True)


def _fetch_back(connection: sa.Connection, table: str) -> bool:
    content = _archived(connection, table)
    if content is None:
        return False
    content["tables"][0]["touched"] = time.time()
    for kind, _ in LIVE:
        if content.get(kind.name):
            connection.execute(sa.insert(kind), content[kind.name])
    connection.execute(sa.delete(archive).where(archive.c.id == table))
    return True


# Opening


@contextmanager
def _sentences(url: str) -> Iterator[None]:
    """Whatever keeps a store from being opened is said in a sentence, without the password that may be in its URL."""
    try:
        yield
    except (DBAPIError, sa.exc.ArgumentError, ModuleNotFoundError, sqlite3.Error, OSError) as error:
        why = _reason(error).removesuffix(".")
        raise BadStore(f"The store {_shown(url)} cannot be opened: {why}.{ANOTHER}") from None


def _shown(url: str | sa.URL) -> str:
    """The URL without its password, wherever that is."""
    return _dialect(url).set(drivername=_scheme(str(url)), query={}).render_as_string()


def _scheme(url: str) -> str:
    """The beginning of a URL, which says nothing of a user or a password, be the rest what it will."""
    return re.split("[:@]", url, maxsplit=1)[0]


def _lock(connection: sa.Connection) -> None:
    """Two servers that start at once must not both make what there shall be once, nor both migrate."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(0x57A4D)))


def _version(connection: sa.Connection) -> int | None:
    """The schema of the store: 0 if it had no number yet, None if there is nothing."""
    found = set(sa.inspect(connection).get_table_names())
    if versions.name in found:
        return _number(connection.scalar(sa.select(versions.c.version_num)))
    if "about" in found:  # up to schema 2
        return _number(connection.scalar(sa.text("SELECT value FROM about WHERE name = 'schema'")))
    return 0 if tables.name in found else None


def _number(value: Any) -> int:
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        raise BadStore(f"The store is damaged: {value!r} is not the number of a schema.") from None


def _check_schema(connection: sa.Connection) -> None:
    version = _version(connection)
    if version != SCHEMA:
        whose = "an older" if version is None or version < SCHEMA else "a newer"
        what = f"The store was made by {whose} Strandline (schema {version}, not {SCHEMA})."
        can_migrate = version is not None and OLDEST <= version < SCHEMA
        how = "`strandline store migrate` brings it up to date." if can_migrate else ANOTHER.strip()
        raise BadStore(f"{what} {how}")
    inspector = sa.inspect(connection)
    if lost := sorted(metadata.tables.keys() - set(inspector.get_table_names())):
        raise BadStore(f"The store is damaged: it lacks the table {', '.join(lost)}.")
    for table in metadata.sorted_tables:
        there = {column["name"] for column in inspector.get_columns(table.name)}
        if missing := [column.name for column in table.columns if column.name not in there]:
            raise BadStore(f"The store is damaged: {table.name} lacks {', '.join(missing)}.")


def _sqlite(url: str) -> bool:
    return url.startswith("sqlite")


def _dialect(url: str | sa.URL) -> sa.URL:
    try:
        found = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        if "://" in str(url):
            raise BadStore(f"What follows {_scheme(str(url))}:// cannot be read. {IN_PASSWORDS}") from None
        raise BadStore(f"A store is sqlite:///FILE or postgresql://…, not {_scheme(str(url))}.") from None
    if "@" in f"{found.host}{found.database}" and found.drivername != "sqlite":
        raise BadStore(f"The store's URL has an @ in the wrong place. {IN_PASSWORDS}")
    if found.drivername in ("postgresql", "postgres"):
        return found.set(drivername="postgresql+psycopg")
    if found.drivername not in ("sqlite", "postgresql+psycopg"):
        raise BadStore(f"A store is sqlite:///FILE or postgresql://…, not {found.drivername}.")
    return found


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Written ahead, and flushed to the disk with every commit: an answered move outlives a power cut."""
    for setting in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}"):
        connection.execute(f"PRAGMA {setting}")


def is_outage(error: BaseException) -> bool:
    """Whether the store does not answer, or not in time. SQLite calls it an error, too, when one text is damaged."""
    return isinstance(error, (sa.exc.SQLAlchemyError, sqlite3.Error)) and NOT_UTF8 not in str(error)


_said = -OUTAGE_S


def report_outage(error: BaseException) -> None:
    """Say in the log that the store does not answer, now and then."""
    global _said
    now = time.monotonic()
    if now - _said >= OUTAGE_S:
        _said = now
        logger.error("The store does not answer: %s", _reason(error))


def _reason(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is missing; pip install 'strandline[postgres]'."
    return str(error.__cause__ or error).strip().splitlines()[0]
