"""A store that hangs: nobody waits for it for ever, and what it does in the end is known."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from server.helpers import FAST, Player, Running, make, token_of
from strandline.server import operations, store, waiting
from strandline.server.store import BadStore, Store

SOON = 0.5
"""Seconds that are waited for a store in these tests."""
BODY = {"game": "reef_route", "seats": ["link", "link"]}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on nobody waits long, and whether the store answers is looked at each time."""

    def begin() -> None:
        monkeypatch.setattr(waiting, "STORE_S", SOON)
        monkeypatch.setattr(operations, "ANSWER_S", SOON)
        monkeypatch.setattr(operations, "LOOK_S", 0.0)
        monkeypatch.setattr(store, "_said", -store.OUTAGE_S)

    return begin


@contextlib.contextmanager
def serving(url: str) -> Iterator[Running]:
    opened = Store(url)
    running = Running(opened, FAST)
    try:
        yield running
    finally:
        running.stop()
        opened.close()


@contextlib.contextmanager
def frozen(url: str) -> Iterator[None]:
    """All processes of a PostgreSQL stand still: it takes connections and questions, and answers nothing."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        folder = connection.scalar(sa.text("SHOW data_directory"))
        assert folder is not None
        place = Path(folder) / "postmaster.pid"
        mine = connection.scalar(sa.text("SELECT pg_backend_pid()"))
        pids = [pid for pid in connection.scalars(sa.text("SELECT pid FROM pg_stat_activity")) if pid != mine]
    engine.dispose()
    stopped = [int(place.read_text().splitlines()[0]), *pids]

    def tell(said: signal.Signals) -> None:
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(pid, said)

    try:
        tell(signal.SIGSTOP)
        yield
    finally:
        tell(signal.SIGCONT)


def test_a_postgres_that_stands_still(
    empty_postgres: str, hasty: Callable[[], None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(empty_postgres) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as person:
            number = person.state["number"]
            hasty()
            with frozen(empty_postgres):
                began = time.monotonic()
                for path, status in (("readyz", 503), ("metrics", 200), ("healthz", 200), ("api/tables/abc", 503)):
                    assert httpx.get(f"http://{running.host}/{path}").status_code == status
                assert httpx.post(f"http://{running.host}/api/tables", json=BODY).status_code == 503
                assert person.move()["code"] == "server"
                assert time.monotonic() - began < 60.0
                assert any("The store does not answer: no answer within" in said for said in caplog.messages)
            monkeypatch.setattr(waiting, "STORE_S", 60.0)
            if person.say(type="ping")["type"] == "pong" and person.state["number"] == number:
                with contextlib.suppress(TimeoutError):  # the move has come after all, or it never will
                    person.until(lambda state: state["number"] > number, timeout=1.0)
            if person.state["number"] == number:
                person.move(number=number)
                person.until(lambda state: state["number"] > number)
            assert person.state["number"] == number + 1
        assert httpx.get(f"http://{running.host}/readyz").status_code == 200


def test_a_postgres_that_never_says_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setitem(store.LOST, "connect_timeout", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(BadStore, match="timeout"):
        Store(f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/games")


def test_a_write_that_comes_late_is_taken_in(
    tmp_path: Path, hasty: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever moved is told that it did not work, and sees later that it did: nobody need ask for that."""
    go_on, holds = threading.Event(), threading.Event()
    commit = Store._commit

    def late(self: Store, batch: Sequence[Any]) -> None:
        if holds.is_set():
            go_on.wait(60)
        commit(self, batch)

    monkeypatch.setattr(Store, "_commit", late)
    with serving(f"sqlite:///{tmp_path / 's.sqlite'}") as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as person:
            number = person.state["number"]
            hasty()
            holds.set()
            assert person.move()["code"] == "server" and person.state["number"] == number
            go_on.set()
            assert person.until(lambda state: state["number"] > number)["number"] == number + 1
