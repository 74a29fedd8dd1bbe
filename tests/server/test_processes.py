"""Servers in processes of their own: killed again and again, and two at once on one PostgreSQL."""

import asyncio
import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

import strandline
from server.helpers import PATIENCE, Player, Process, Running, get, make, people, token_of
from strandline.server import rooms
from strandline.server.signing import is_signed
from strandline.server.store import Store
from strandline.server.thinkers import Thinkers
from strandline.table.table import Table
from strandline.table.verify import verify


def crash(store: str, kills: int, seed: int) -> None:
    """One person against a bot and one against another person; the server is killed in the middle of it all."""
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(Process(store))]
        answered = _play_and_kill(servers, store, kills, random.Random(seed), stack)
        for table in answered:
            _check_record(servers[-1].host, table, answered[table])
    assert sum(map(len, answered.values())) >= 4 * kills
    _check_entries(store, list(answered))


def _play_and_kill(
    servers: list[Process], store: str, kills: int, rng: random.Random, stack: contextlib.ExitStack
) -> dict[str, dict[int, str]]:
    """The answered moves of each table, by the number of the position."""
    server = servers[-1]
    tables = _tables(server.host)
    answered: dict[str, dict[int, str]] = {}
    for _ in range(kills):
        threads = _begun(server.host, tables, answered)
        before, end = sum(map(len, answered.values())), time.monotonic() + PATIENCE
        while sum(map(len, answered.values())) < before + 4 and time.monotonic() < end:
            if not any(thread.is_alive() for thread in threads):  # both games are over
                tables = _tables(server.host)
                threads = _begun(server.host, tables, answered)
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.1))
        server.kill()
        for thread in threads:
            thread.join()
        server = stack.enter_context(Process(store))
        servers.append(server)
    return answered


def _tables(host: str) -> list[dict[str, Any]]:
    return [
        make(host, "reef_route", ["link", "bot:random"], options={"limit": 0}),
        make(host, "sand_castles", ["link", "link", "bot:random"]),
    ]


def _begun(host: str, tables: list[dict[str, Any]], answered: dict[str, dict[int, str]]) -> list[threading.Thread]:
    """A thread for each table, in which its persons play."""
    moves = [answered.setdefault(table["id"], {}) for table in tables]
    threads = [threading.Thread(target=_play, args=(host, *each)) for each in zip(tables, moves, strict=True)]
    for thread in threads:
        thread.start()
    return threads


def _check_record(host: str, table: str, answered: dict[int, str]) -> None:
    record = get(host, f"/api/tables/{table}/record")
    for number, text in answered.items():
        assert record["moves"][number] == text, "An answered move was lost or doubled."
    assert verify(record).verdict in ("open", "passed")


def _play(host: str, table: dict[str, Any], answered: dict[int, str]) -> None:
    """Play for all persons until the connection breaks; note the moves that were answered."""
    with (
        contextlib.suppress(WebSocketException, httpx.TransportError, OSError, EOFError),
        people(host, table) as players,
    ):
        rng = random.Random(len(answered))
        while players[0].state["turn"] != "over":
            number = max(player.state["number"] for player in players)
            for player in players:
                player.until(lambda state: state["number"] >= number)  # noqa: B023
            acting = [player for player in players if player.state["acting"] is not None]
            if acting:
                state = acting[0].state
                move = rng.choice(state["moves"])["move"]
                answer = acting[0].move(move)
                if answer["type"] == "state" and not state["roll"]:
                    answered[state["number"]] = move
            else:
                players[0].until(lambda new: new["number"] > number)  # noqa: B023


def _check_entries(store: str, tables: list[str]) -> None:
    """The numbers have no gaps, and the whole table is derived from them again."""
    opened = Store(store)
    for name in tables:
        kept = opened.load(name)
        assert kept is not None
        Table(kept.setup).replay(kept.entries)
    opened.close()


def test_killed_again_and_again(tmp_path: Path) -> None:
    crash(f"sqlite:///{tmp_path / 'tables.sqlite'}", kills=4, seed=1)


@pytest.mark.slow
def test_killed_many_times(tmp_path: Path) -> None:
    crash(f"sqlite:///{tmp_path / 'tables.sqlite'}", kills=25, seed=2)


@pytest.mark.slow
def test_killed_on_postgres(empty_postgres: str) -> None:
    crash(empty_postgres, kills=8, seed=3)


def test_stopped_while_bots_think(tmp_path: Path) -> None:
    """Their processes are ended; no move is made up for them, and the next server lets them think again."""
    store = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with Process(store) as server:
        table = make(server.host, "reef_route", ["link", "bot:5"])
        with people(server.host, table) as (person,):
            number = person.move()["number"]
    with Process(store) as server:
        assert len(get(server.host, f"/api/tables/{table['id']}/record")["moves"]) - number in (0, 1)


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_stopped_together_with_its_processes(tmp_path: Path, ending: signal.Signals, code: int) -> None:
    """A terminal's Ctrl+C and a service manager reach the bots too: none complains, and no move is made up for them."""
    store = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with Process(store) as server:
        table = make(server.host, "reef_route", ["bot:5", "bot:5"])
        with Player(server.host, table["id"]):
            while not (moves := get(server.host, f"/api/tables/{table['id']}/record")["moves"]):
                time.sleep(0.1)
            server.stop(ending)
        assert server.process.returncode == code
    opened = Store(store)
    kept = opened.load(table["id"])
    opened.close()
    assert kept is not None and len(kept.entries) - len(moves) in (0, 1, 2)


def test_a_second_server_on_a_sqlite_file_says_why_not(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with Process(store) as first:
        command = [sys.executable, "-m", "strandline", "serve", "--port", "0", "--store", store]
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert second.returncode != 0 and "Traceback" not in second.stderr
        assert "in use by another server" in second.stderr
        first.kill()
    with Process(store):
        pass


def test_two_servers_on_one_postgres(empty_postgres: str) -> None:
    with Process(empty_postgres) as here, Process(empty_postgres) as there:
        _in_step(here.host, there.host)
        _race(here.host, there.host)
        _presence(here.host, there.host)


def test_a_bot_thinks_at_one_server_only(empty_postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At that of the last move, however often the other looks at the table; which steps in when that one is silent."""
    stores = [Store(empty_postgres) for _ in range(2)]
    here, there = map(Running, stores)
    own = here.app.state.hall.thinkers
    thoughts: list[bool] = []
    silent = threading.Event()

    async def choose(thinkers: Thinkers, position: strandline.Position, *_: Any) -> str:
        thoughts.append(thinkers is own)
        await asyncio.sleep(60 if silent.is_set() and thinkers is own else 1)
        return position.moves()[0]

    monkeypatch.setattr(Thinkers, "choose", choose)
    try:
        table = make(here.host, "reef_route", ["link", "bot:random"])
        with people(here.host, table) as (person,), Player(there.host, table["id"]) as guest:
            for _ in range(3):
                person.move()
                person.decide()
            assert thoughts == [True] * 3
            silent.set()
            monkeypatch.setattr(rooms, "ELSEWHERE_S", 2.0)
            number = person.move()["number"]
            guest.until(lambda state: state["number"] > number)
            assert thoughts == [True] * 4 + [False]
    finally:
        for server, store in zip((here, there), stores, strict=True):
            server.stop()
            store.close()


def _in_step(here: str, there: str) -> None:
    """Two people at one table, each at another server; and what one makes, the other finds."""
    table = make(here, "up_the_river", ["link", "link"], options={"round_limit": 4})
    tokens = [token_of(seat["link"]) for seat in table["seats"]]
    with Player(here, table["id"], tokens[0]) as first, Player(there, table["id"], tokens[1]) as second:
        rng = random.Random(1)
        while first.state["turn"] != "over":
            number = max(first.state["number"], second.state["number"])
            for player in (first, second):
                player.until(lambda state: state["number"] >= number)  # noqa: B023
            for player in (first, second):
                if player.state["acting"] is not None:
                    player.move(rng.choice(player.state["moves"])["move"])
                    break
    records = [get(host, f"/api/tables/{table['id']}/record") for host in (here, there)]
    key = get(here, "/api/key")["key"]
    assert records[0] == records[1] and verify(records[0], key, signed=is_signed).verdict == "passed"


def _presence(here: str, there: str) -> None:
    """Who comes to one server and goes again is seen at the other."""
    table = make(here, "up_the_river", ["link", "link"])
    tokens = [token_of(seat["link"]) for seat in table["seats"]]
    with Player(here, table["id"], tokens[0]) as first:
        with Player(there, table["id"], tokens[1]) as second:
            first.until(lambda state: not state["seats"][1]["away"])
            second.until(lambda state: not state["seats"][0]["away"])
        first.until(lambda state: state["seats"][1]["away"])


def _race(here: str, there: str) -> None:
    """Two tabs of one person at two servers send different moves at the same moment: one of them counts."""
    table = make(here, "reef_route", ["link", "bot:random"])
    token = token_of(table["seats"][0]["link"])
    with Player(here, table["id"], token) as one, Player(there, table["id"], token) as other:
        for _ in range(8):
            _wait_for_the_bot(one, other)
            if one.state["number"] != other.state["number"] or one.state["roll"]:
                continue  # a roll that is tapped twice is one roll, and both are told
            answers: list[dict[str, Any]] = []
            moves = one.state["moves"][0]["move"], other.state["moves"][-1]["move"]
            threads = [
                threading.Thread(target=_note, args=(answers, tab, move))
                for tab, move in zip((one, other), moves, strict=True)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(answer["type"] for answer in answers) == ["refused", "state"]
            assert next(answer for answer in answers if answer["type"] == "refused")["code"] in ("stale", "turn")
        _wait_for_the_bot(one, other)
        record = get(there, f"/api/tables/{table['id']}/record")
        assert json.dumps(record) == json.dumps(get(here, f"/api/tables/{table['id']}/record"))


def _wait_for_the_bot(one: Player, other: Player) -> None:
    """Until both tabs know that it is the person's turn again, and that the dice are rolled."""
    one.decide()
    number = max(one.state["number"], other.state["number"])
    for tab in (one, other):
        tab.until(lambda state: state["number"] >= number and state["acting"] == 0)


def _note(answers: list[dict[str, Any]], tab: Player, move: str) -> None:
    answers.append(tab.move(move))
