"""Health, readiness, metrics and the log."""

import io
import json
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import strandline
from server.helpers import PATIENCE, Player, make, token_of
from server.test_attacks import change, serving
from strandline.server import launch, logs, operations, thinkers
from strandline.server.rooms import Room, Rooms
from strandline.server.store import BadStore, Store
from strandline.table import bot_turns, levels
from strandline.table.table import Refused


def test_a_server_says_that_it_is_alive_and_whether_it_can_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "LOOK_S", 0.0)
    with serving(tmp_path, tick=600.0) as running:
        for path, status in (("healthz", 200), ("readyz", 200)):
            assert httpx.get(f"http://{running.host}/{path}").status_code == status
        change(tmp_path, "ALTER TABLE tables RENAME TO away")
        for path, status in (("healthz", 200), ("readyz", 503)):
            assert httpx.get(f"http://{running.host}/{path}").status_code == status


def test_a_store_that_was_taken_away_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite goes on with the file that it has open, wherever that is now."""
    monkeypatch.setattr(operations, "LOOK_S", 0.0)
    with serving(tmp_path) as running:
        ready = f"http://{running.host}/readyz"
        assert httpx.get(ready).status_code == 200
        file = next(tmp_path.glob("*.sqlite"))
        file.rename(tmp_path / "elsewhere")
        assert httpx.get(ready).status_code == 503
        file.write_bytes((tmp_path / "elsewhere").read_bytes())  # a copy is another file
        assert httpx.get(ready).status_code == 503


def test_nothing_is_answered_that_would_be_in_a_store_that_was_taken_away(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        body = {"game": "reef_route", "seats": ["link", "link"]}

        def made() -> int:
            return httpx.post(f"http://{running.host}/api/tables", json=body).status_code

        assert made() == 201
        file = next(tmp_path.glob("*.sqlite"))
        file.rename(tmp_path / "elsewhere")
        assert made() == 503
        (tmp_path / "elsewhere").rename(file)
        assert made() == 201


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as first:
            commands = done(running.host)
            first.move()
            first.move("dance")
            assert done(running.host) == commands + 1
            found = httpx.get(f"http://{running.host}/metrics").text.splitlines()
        for line in (
            *("strandline_tables_made_total 1.0", "strandline_tables_open 1.0", "strandline_persons 1.0"),
            'strandline_commands_total{came="refused"} 1.0',
        ):
            assert line in found


def done(host: str) -> float:
    """How many commands were carried out."""
    found = re.search(r'commands_total{came="done"} (\S+)', httpx.get(f"http://{host}/metrics").text)
    assert found
    return float(found[1])


@pytest.mark.parametrize(
    ("is_open", "proxies", "status"), [(False, (), 404), (True, (), 200), (False, ("127.0.0.1",), 404)]
)
def test_metrics_are_for_this_machine_alone(
    tmp_path: Path, is_open: bool, proxies: tuple[str, ...], status: int
) -> None:
    """Also behind a proxy on this machine, whether or not it is trusted."""
    with serving(tmp_path, open_metrics=is_open, proxies=proxies) as running:
        asked = httpx.get(f"http://{running.host}/metrics", headers={"x-forwarded-for": "10.0.0.1"})
        assert asked.status_code == status


def test_a_line_of_the_log_says_where_it_comes_from() -> None:
    record = logging.LogRecord("strandline.table", logging.ERROR, "", 0, "The %s is gone.", ("tide",), None)
    name = logs.table.set("t1")
    try:
        found = json.loads(logs.Lines(as_json=True).format(record))
        text = logs.Lines(as_json=False).format(record)
    finally:
        logs.table.reset(name)
    assert found["time"].endswith("+00:00") and found["message"] == "The tide is gone." and found["table"] == "t1"
    assert text.endswith("error The tide is gone. [table t1]")


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines of the log so far."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.Lines(as_json=True))
    logging.getLogger("strandline").addHandler(handler)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.getLogger("strandline").removeHandler(handler)


def test_a_bot_that_nobody_can_stand_in_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    """The log says at which table, that it is asked again, and says so less and less often."""

    async def fail(*_: Any) -> str:
        raise levels.Failed("a storm")

    monkeypatch.setattr(thinkers.Thinkers, "choose", fail)
    monkeypatch.setattr(bot_turns, "BREATH_S", 1.0)
    body = {"game": "reef_route", "seats": ["bot:2", "here"]}
    with serving(tmp_path) as running:
        table = httpx.post(f"http://{running.host}/api/tables", json=body).json()
        with Player(running.host, table["id"], token_of(table["page"])):
            end = time.monotonic() + PATIENCE
            while len(lines()) < 2 and time.monotonic() < end:
                time.sleep(0.05)
    assert len(lines()) >= 2
    first, second, *_ = lines()
    assert first["message"] == "The bot 2 has failed: a storm. It is asked again in 1 seconds."
    assert second["message"].endswith("in 2 seconds.")
    assert first["table"] == second["table"] == table["id"]


def test_what_goes_wrong_in_housekeeping_names_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    def report(self: Rooms, room: Room) -> Any:
        logging.getLogger("strandline.table").error("Out of order.")
        raise Refused("state", "Out of order.")

    monkeypatch.setattr(Rooms, "refresh", report)
    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["here", "link"])
        end = time.monotonic() + PATIENCE
        while not lines() and time.monotonic() < end:
            time.sleep(0.05)
    assert lines() and lines()[0]["table"] == table["id"] and "request" not in lines()[0]


def test_a_place_where_another_server_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(strandline.BadOptions, match=rf"127\.0\.0\.1:{port}: address already in use"):
            launch.bound("127.0.0.1", port)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////no/such/folder/games", "sqlite:////no/such/folder/games"),
        ("postgresql://me:secret@127.0.0.1:1/games", "postgresql://me:***@127.0.0.1:1/games"),
        ("postgresql://me:sec/secret@127.0.0.1:1/games", "postgresql://me:***@127.0.0.1:1/games"),
        ("postgresql://127.0.0.1:1/games?user=me&password=secret", "postgresql://127.0.0.1:1/games"),
    ],
)
def test_a_store_that_cannot_be_opened_is_named_without_its_password(url: str, shown: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(BadStore) as error:
        Store(url)
    assert str(error.value).startswith(f"The store {shown} cannot be opened: ")
    assert str(error.value).endswith(". Choose another with --store.")


@pytest.mark.parametrize(
    "url",
    [
        "me:secret@127.0.0.1/games",
        "mysql://me:secret@127.0.0.1/games",
        "postgresql://me:sec@secret@127.0.0.1/games",
        "postgresql://me:secret@127.0.0.1:secret/games",
        "postgresql://me/secret@127.0.0.1/games",
    ],
)
def test_what_is_no_store_is_named_without_its_password(url: str) -> None:
    with pytest.raises(BadStore) as error:
        Store(url)
    assert "sec" not in str(error.value)
