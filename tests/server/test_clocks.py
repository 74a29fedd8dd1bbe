"""Clocks: kept by the store, right after restarts and on two servers; and emotes, which pass through."""

import contextlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.helpers import FAST, Player, Running, get, make, make_setup, people, token_of
from strandline.server.hall import Settings
from strandline.server.store import Store
from strandline.table.table import Agreements, Entry, Kind, Refused, Setup, Table, new_token

REEF = "reef_route"  # seats place their fish in turn before the first roll


def timed(**agreed: Any) -> Setup:
    setup = make_setup(REEF, ("link", "link"))
    return Setup(setup.header, setup.seed, setup.tokens, setup.names, agreements=Agreements(**agreed))


def test_the_time_of_a_move_is_that_of_the_line_before() -> None:
    table = Table(timed(clock=60))
    table.fold(table.opening())
    assert table.deadline() is None  # nobody has noted when it began
    move = table.record.position.moves()[0]
    table.replay([Entry(Kind.MOVE, 0, move, made=1000.0)])
    assert table.deadline() == 1060.0
    next_move = table.record.position.moves()[0]
    for seat, number, now in ((0, table.number, 2000.0), (1, table.number, 1059.0)):
        with pytest.raises(Refused):
            table.out_of_time(seat, next_move, number, now)
    (step, *_) = table.out_of_time(1, next_move, table.number, 1060.0)
    assert step.entry.kind == Kind.BOT and 1 in table.persons()


def test_alone_among_bots_no_clock_runs() -> None:
    setup = make_setup(REEF, ("link", "bot:random"))
    table = Table(Setup(setup.header, setup.seed, setup.tokens, setup.names, agreements=Agreements(clock=60)))
    table.replay([Entry(Kind.MOVE, 0, table.record.position.moves()[0], made=1000.0)])
    assert table.deadline() is None


def _begun(url: str, clock: int, ago: float) -> str:
    """A table at which seat 0 moved that many seconds ago, while no server ran."""
    store = Store(url)
    setup = timed(clock=clock)
    move = Table(setup).record.position.moves()[0]
    store.create(setup, [Entry(Kind.MOVE, 0, move, made=time.time() - ago)]).result()
    store.set_due(setup.header.table, time.time() - ago).result()  # a note of an earlier move
    store.close()
    return setup.header.table


def test_a_clock_goes_on_while_no_server_runs(url: str) -> None:
    """Nobody comes to the table; the bot moves once, for the person whose time is up, and no more."""
    table = _begun(url, clock=86_400, ago=86_401)
    stores = [Store(url)] + ([Store(url)] if url.startswith("postgres") else [])
    servers = [Running(store) for store in stores]
    try:
        _until(lambda: get(servers[0].host, f"/api/tables/{table}")["number"] == 2)
        for server in servers:
            time.sleep(3 * FAST.tick)  # enough for a second server to err
            state = get(server.host, f"/api/tables/{table}")
            assert [line["bot"] for line in state["log"]] == [False, True]
            assert 86_000 < state["clock"]["left"] <= 86_400 and state["turn"] == 0
    finally:
        for server in servers:
            server.stop()
        for store in stores:
            store.close()


def test_a_note_that_is_too_early_is_put_right(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.sqlite'}"
    table = _begun(url, clock=86_400, ago=10)
    store = Store(url)
    running = Running(store)
    try:
        _until(lambda: store.due(time.time()) == [])
        assert store.due(time.time() + 86_400) == [table]
        assert get(running.host, f"/api/tables/{table}")["number"] == 1
    finally:
        running.stop()
        store.close()


def _until(holds: Any) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_clock_is_shown_to_everybody(host: str) -> None:
    table = make(host, REEF, ["here", "link"], clock=300)
    assert get(host, f"/api/tables/{table['id']}")["clock"] is None  # somebody has not come yet
    state = get(host, f"/api/tables/{table['id']}", token_of(table["seats"][1]["link"]))
    assert state["clock"]["limit"] == 300 and 0 < state["clock"]["left"] <= 300
    for wrong in (5, 10**9, "1", True):
        said = {"game": REEF, "seats": ["here", "link"], "clock": wrong}
        assert httpx.post(f"http://{host}/api/tables", json=said).status_code == 422


def heard(player: Player) -> dict[str, Any]:
    while True:
        message = player.receive()
        if message["type"] == "emote":
            return message


def test_emotes_reach_everybody_and_are_limited(host: str) -> None:
    table = make(host, REEF, ["link", "link"])
    with people(host, table) as (first, second), Player(host, table["id"]) as watcher:
        assert first.say(type="emote", seat=0, emote="hello")["type"] == "sent"
        for player in (second, watcher):
            assert heard(player) == {"type": "emote", "seat": 0, "emote": "hello"}
        assert first.say(type="emote", seat=1, emote="hello")["code"] == "seat"
        assert first.say(type="emote", seat=0, emote="<b>")["code"] == "malformed"
        assert watcher.say(type="emote", seat=0, emote="hello")["code"] == "seat"
        answers = [first.say(type="emote", seat=0, emote="wow") for _ in range(5)]
        assert answers[-1]["code"] == "rate"


def test_quiet_tables_stay_quiet(host: str) -> None:
    table = make(host, REEF, ["here", "link"], quiet=True)
    with Player(host, table["id"], token_of(table["page"])) as maker:
        assert maker.state["quiet"] and maker.say(type="emote", seat=0, emote="hello")["code"] == "state"


def test_emotes_pass_between_servers(empty_postgres: str) -> None:
    with pair(empty_postgres) as (here, there):
        table = make(here, REEF, ["link", "link"])
        tokens = [token_of(seat["link"]) for seat in table["seats"]]
        with Player(here, table["id"], tokens[0]) as first, Player(there, table["id"], tokens[1]) as second:
            first.say(type="emote", seat=0, emote="good_luck")
            assert heard(second)["emote"] == "good_luck"


@contextlib.contextmanager
def pair(url: str, **settings: Any) -> Iterator[tuple[str, str]]:
    """Two servers on one PostgreSQL."""
    stores = [Store(url) for _ in range(2)]
    servers = [Running(store, Settings(**{**vars(FAST), **settings})) for store in stores]
    try:
        yield servers[0].host, servers[1].host
    finally:
        for server, store in zip(servers, stores, strict=True):
            server.stop()
            store.close()


def test_whoever_leaves_at_one_server_comes_back_at_the_other(empty_postgres: str) -> None:
    with pair(empty_postgres) as (here, there):
        table = make(here, REEF, ["link", "link"])
        tokens = [token_of(seat["link"]) for seat in table["seats"]]
        with Player(there, table["id"], tokens[1]) as ben:
            with Player(here, table["id"], tokens[0]) as ada:
                assert ada.say(type="leave", seat=0)["seats"][0]["bot"]
            ben.until(lambda state: state["seats"][0]["bot"] and state["acting"] == 1)  # and the bot has moved
            with Player(there, table["id"], tokens[0]) as ada:
                assert ada.state["seats"][0]["bot"] is None
                ben.move()
                ada.until(lambda state: state["acting"] == 0)


def test_an_open_table_is_joined_once_at_two_servers(empty_postgres: str) -> None:
    with pair(empty_postgres, public=True) as hosts:
        table = make(hosts[0], REEF, ["here", "link"], open=True)
        assert [get(host, "/api/open")["tables"][0]["free"] for host in hosts] == [[1], [1]]
        start = threading.Barrier(2)

        def sit(host: str) -> int:
            start.wait()
            said = {"key": new_token()}
            return httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json=said, timeout=60).status_code

        with ThreadPoolExecutor() as people:
            assert sorted(people.map(sit, hosts)) == [200, 409]
        assert [get(host, "/api/open")["tables"] for host in hosts] == [[], []]


def test_open_tables_are_listed_and_joined(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, Settings(**{**vars(FAST), "public": True}))
    host = running.host
    try:
        table = make(host, REEF, ["here", "link"], names=["Ada", None], open=True)
        shut = make(host, REEF, ["here", "link"])
        (found,) = get(host, "/api/open")["tables"]
        assert found["id"] == table["id"] and found["free"] == [1] and found["names"][0] == "Ada"
        key = "k" * 32
        claim = {"key": key, "name": "Ben"}
        assert httpx.post(f"http://{host}/api/tables/{shut['id']}/claim", json=claim).status_code == 422
        assert httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json=claim).json()["seats"] == [1]
        late = httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json={"key": "l" * 32})
        assert late.status_code == 409
        assert get(host, "/api/open") == {"enabled": True, "tables": []}
    finally:
        running.stop()
        store.close()


def test_no_table_is_open_unless_the_owner_allows_it(host: str) -> None:
    assert get(host, "/api/open") == {"enabled": False, "tables": []}
    said = {"game": REEF, "seats": ["here", "link"], "open": True}
    answer = httpx.post(f"http://{host}/api/tables", json=said)
    assert answer.status_code == 409 and "no open tables" in answer.json()["error"]
