"""What strangers may try: slow, endless and forged requests, floods, quotas."""

import asyncio
import contextlib
import ipaddress
import json
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from server.helpers import PATIENCE, Player, Running, get, make, make_setup, people, token_of
from strandline.server import hall, http, invitations, launch, limits, sockets, thinkers, upkeep
from strandline.server.hall import Settings
from strandline.server.store import BadStore, Conflict, Store
from strandline.table import bot_turns


@contextlib.contextmanager
def serving(folder: Path, **settings: object) -> Iterator[Running]:
    """A server with limits of its own."""
    store = Store(f"sqlite:///{folder / 's.sqlite'}")
    running = Running(store, Settings(**{"tick": 0.1, "requests": 1e6, "messages": 1e6, "tables": 1e6, **settings}))  # type: ignore[arg-type]
    try:
        yield running
    finally:
        running.stop()
        store.close()


Dial = Callable[..., socket.socket]


@pytest.fixture
def dial() -> Iterator[Dial]:
    """Connections on which somebody has said something."""
    with contextlib.ExitStack() as stack:

        def connected(host: str, text: bytes = b"") -> socket.socket:
            name, port = host.split(":")
            line = stack.enter_context(socket.create_connection((name, int(port)), PATIENCE))
            line.sendall(text)
            return line

        yield connected


def is_closed(line: socket.socket) -> bool:
    """Wait until the other side has closed the connection."""
    try:
        while line.recv(65536):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


# Requests that never end

UPGRADE = b"GET /api/tables/x/play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
"""The beginning of a head with which a connection becomes a WebSocket."""


def test_an_endless_head_is_cut_off(tmp_path: Path, dial: Dial) -> None:
    with serving(tmp_path) as running:
        line = dial(running.host, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        sent = 0
        with pytest.raises(ConnectionError):
            while sent < 2**30:
                line.sendall(b"x" * 65536)
                sent += 65536
        assert sent < 2**24  # what fits into the buffers between us, no more
        assert httpx.get(f"http://{running.host}/api/games").status_code == 200


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /api/games HTTP/1.1\r\nHo",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
        b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/ga",
        UPGRADE + b"Content-Length: 99\r\n\r\n",
        UPGRADE + b"X: " + b"y" * 9000 + b"\r\n\r\n",
        UPGRADE + b"X: y\r\n" * 200 + b"\r\n",
    ],
)
def test_half_a_request_is_not_waited_for(tmp_path: Path, dial: Dial, half: bytes) -> None:
    with serving(tmp_path, patience=0.5) as running:
        lines = [dial(running.host, half) for _ in range(80)]
        assert httpx.get(f"http://{running.host}/api/games").status_code == 200
        assert all(map(is_closed, lines))


def test_a_byte_now_and_then_does_not_help(tmp_path: Path, dial: Dial) -> None:
    with serving(tmp_path, patience=0.5) as running:
        line = dial(running.host, b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            for _ in range(200):
                line.sendall(b"X: y\r\n")
                time.sleep(0.1)


def test_an_answer_must_be_taken(tmp_path: Path, dial: Dial) -> None:
    with serving(tmp_path, patience=0.5) as running:
        line = dial(running.host)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        ask = b"GET /static/table.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with pytest.raises((ConnectionError, TimeoutError)):
            line.settimeout(1)
            for _ in range(200_000):
                line.sendall(ask * 10)
        assert lost(running, within=PATIENCE)


def lost(running: Running, within: float) -> bool:
    """Whether the server has soon let go of all connections."""
    deadline = time.monotonic() + within
    while running.connections and time.monotonic() < deadline:
        time.sleep(0.05)
    return not running.connections


def test_the_rest_of_an_answer_is_not_kept_for_ever(
    tmp_path: Path, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left may be so little that nobody is told to wait with more."""
    made = http.LimitedHttp.connection_made

    def connected(protocol: http.LimitedHttp, transport: asyncio.Transport) -> None:
        made(protocol, transport)
        transport.set_write_buffer_limits(2**30)

    monkeypatch.setattr(http.LimitedHttp, "connection_made", connected)
    monkeypatch.setattr(launch, "IDLE_S", 0.2)
    with serving(tmp_path, patience=0.5) as running:
        line = dial(running.host, b"GET /static/table.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400)
        assert line.recv(1)
        is_lost = lost(running, within=20.0)
        line.close()
        assert is_lost


def test_whoever_plays_may_be_silent(tmp_path: Path) -> None:
    with serving(tmp_path, patience=0.2) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"]) as watcher:
            time.sleep(0.5)
            assert watcher.say(type="ping")["type"] == "pong"


def test_an_address_has_so_many_connections(tmp_path: Path, dial: Dial) -> None:
    with serving(tmp_path, connections=5) as running:
        lines = [dial(running.host) for _ in range(6)]
        assert is_closed(lines[5])
        for line in lines:
            line.close()
        table = make(running.host, "reef_route", ["link", "link"])
        with contextlib.ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(Player(running.host, table["id"]))
            with pytest.raises(InvalidStatus), connect(f"ws://{running.host}/api/tables/{table['id']}/play"):
                pass


@pytest.mark.parametrize(
    ("proxy", "is_known"), [("127.0.0.1", True), ("127.0.0.0/8", True), ("::/0", False), ("10.0.0.0/8", False)]
)
def test_a_proxy_may_have_more_connections(tmp_path: Path, dial: Dial, proxy: str, is_known: bool) -> None:
    """By itself or as one of a network."""
    with serving(tmp_path, connections=1, proxies=(proxy,)) as running:
        ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        lines = [dial(running.host, ask) for _ in range(2)]
        assert lines[0].recv(1)
        try:
            is_answered = bool(lines[1].recv(1))
        except ConnectionError:
            is_answered = False
        assert is_answered == is_known


@pytest.mark.parametrize(("path", "status"), [("/api/games", 429), ("/static/table.js", 200), ("/nowhere", 404)])
def test_whoever_asks_too_fast_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, status: int) -> None:
    """Pages come late, for half a page is worse; the rest is refused, which is not for nothing either."""
    monkeypatch.setattr(limits, "PAUSE_S", 0.5)
    with serving(tmp_path, requests=1e-9) as running:
        began = time.monotonic()
        assert httpx.get(f"http://{running.host}{path}").status_code == status
        assert time.monotonic() - began > 0.4


def test_no_more_wait_than_may_connect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a proxy an address may send any number of requests at once: none is kept that is one too many."""
    monkeypatch.setattr(limits, "PAUSE_S", 30.0)
    how = {"requests": 1e-9, "connections": 2, "proxies": ("127.0.0.1",)}
    with serving(tmp_path, **how) as running, contextlib.ExitStack() as stack:
        ask = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %b\r\nConnection: close\r\n\r\n"
        name, port = running.host.split(":")
        lines = [stack.enter_context(socket.create_connection((name, int(port)), 2)) for _ in range(4)]
        for line, visitor in zip(lines, (b"192.0.2.1", b"192.0.2.1", b"192.0.2.1", b"192.0.2.2"), strict=True):
            line.sendall(ask % visitor)
            time.sleep(0.2)
        assert lines[2].recv(64).startswith(b"HTTP/1.1 429")
        for line in (lines[0], lines[1], lines[3]):
            line.settimeout(0.2)
            with pytest.raises(TimeoutError):
                line.recv(64)


# WebSockets that never pause


def framed(kind: int, data: bytes = b"", last: bool = True) -> bytes:
    """A frame as a client sends it."""
    return bytes([0x80 * last + kind, 0x80 + len(data), 0, 0, 0, 0]) + data


def said_hello(dial: Dial, host: str) -> socket.socket:
    """A WebSocket at a table, frame by frame."""
    table = make(host, "reef_route", ["link", "link"])
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + "A" * 22
    head = f"GET /api/tables/{table['id']}/play HTTP/1.1\r\nHost: localhost\r\n{upgrade}==\r\n\r\n"
    line = dial(host, head.encode())
    assert line.recv(65536).startswith(b"HTTP/1.1 101")
    line.sendall(framed(1, b'{"type": "hello"}'))
    line.recv(65536)
    return line


@pytest.mark.parametrize(
    "frame",
    [framed(9), framed(10), framed(0, last=False), framed(1, b'{"type": "ping"}')],
    ids=["pings", "pongs", "fragments", "messages"],
)
def test_frames_without_end_are_cut_off(
    tmp_path: Path, dial: Dial, frame: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of them fit into one read, and others would wait while they are read."""
    monkeypatch.setattr(http, "PARTING_S", 0.05)
    with serving(tmp_path, messages=20.0) as running:
        line = said_hello(dial, running.host)
        line.sendall(framed(1, last=False) if frame[0] == 0 else b"")
        sent, blob = 0, frame * 1000
        with pytest.raises(ConnectionError):
            while sent < 2**30:
                line.sendall(blob)
                sent += len(blob)
        assert sent < 2**24  # what fits into the buffers between us, no more


@pytest.mark.parametrize("goodbye", [b"", framed(2)], ids=["none", "nonsense"])
def test_whoever_takes_nothing_does_not_stay(
    tmp_path: Path, dial: Dial, monkeypatch: pytest.MonkeyPatch, goodbye: bytes
) -> None:
    """A connection was closed when all had been taken, which may be never."""
    made = http.LimitedSocket.connection_made

    def connected(protocol: http.LimitedSocket, transport: asyncio.Transport) -> None:
        made(protocol, transport)
        protocol.close_timeout = 0.1
        if goodbye:  # which is heard when what has been sent is still on its way
            transport.set_write_buffer_limits(2**30)
        else:
            protocol.ping_interval = protocol.ping_timeout = 0.5

    monkeypatch.setattr(http.LimitedSocket, "connection_made", connected)
    with serving(tmp_path) as running:
        line = said_hello(dial, running.host)
        line.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionError):
            line.sendall(framed(1, b'{"type": "form", "wide": true}') * 500 + goodbye)
        is_lost = lost(running, within=20.0)
        line.close()
        assert is_lost


def test_what_is_no_text_is_not_logged(tmp_path: Path, dial: Dial, caplog: pytest.LogCaptureFixture) -> None:
    """Or strangers could fill the disk with tracebacks."""
    with serving(tmp_path) as running:
        line = said_hello(dial, running.host)
        line.sendall(framed(1, b"\xff"))
        heard = b""
        while more := line.recv(65536):
            heard += more
        assert heard.endswith(b"\x88\x02" + (1007).to_bytes(2, "big"))
    assert not caplog.records


def test_whoever_says_too_much_at_once_is_told_so(tmp_path: Path) -> None:
    with serving(tmp_path, messages=20.0) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with connect(f"ws://{running.host}/api/tables/{table['id']}/play") as line:
            line.send(json.dumps({"type": "hello"}))
            line.recv()
            line.send("x" * 40_000)
            with pytest.raises(ConnectionClosed):
                line.recv(timeout=30)
            assert line.close_code == limits.FAST


def test_whoever_is_cut_off_has_time_to_hear_why(tmp_path: Path, dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is closed with words unread is reset, and the reason may be lost."""
    monkeypatch.setattr(http, "PARTING_S", 600.0)
    with serving(tmp_path, messages=20.0) as running:
        line, heard = said_hello(dial, running.host), b""
        line.sendall(framed(10) * 10_000)
        while not heard.endswith(b"\x88\x02" + limits.FAST.to_bytes(2, "big")):
            heard += (more := line.recv(65536))
            assert more
        assert httpx.get(f"http://{running.host}/healthz").status_code == 200
        line.setblocking(False)
        with pytest.raises(BlockingIOError):
            line.recv(1)


def test_whoever_sends_little_is_not_cut_off_for_others(
    tmp_path: Path, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "PARTING_S", 0.05)
    monkeypatch.setattr(http, "SOCKET_BYTES", 0)  # others have sent all that their address may send
    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"]) as bystander:
            line = said_hello(dial, running.host)
            line.sendall(framed(10) * 1000)
            assert is_closed(line)
            assert bystander.say(type="ping")["type"] == "pong"


def test_many_connections_say_no_more_than_a_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each keeps to its own limit, and all together keep everybody else waiting."""
    monkeypatch.setattr(limits, "BURST_S", 4e6)
    with serving(tmp_path, messages=1e-6) as running, contextlib.ExitStack() as stack:
        table = make(running.host, "reef_route", ["link", "link"])
        crowd = [stack.enter_context(Player(running.host, table["id"])) for _ in range(10)]
        answers = [one.say(type="ping") for one in crowd for _ in range(6)]
        passed = [answer["type"] for answer in answers].count("pong")
        assert 10 < passed <= 20 and answers[-1]["code"] == "rate"


def test_a_body_that_is_too_long_is_not_read_to_its_end(tmp_path: Path, dial: Dial) -> None:
    with serving(tmp_path) as running:
        head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        line, sent = dial(running.host, head), 0
        with pytest.raises(ConnectionError):
            while sent < 2**30:
                line.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
                sent += 0x4000
        assert sent < 2**24


# Forged headers


@pytest.mark.parametrize("origin", ["http://[", "http://evil.example", "null", "http://localhost:1"])
def test_other_pages_may_not_make_tables(host: str, origin: str) -> None:
    body = {"game": "up_the_river", "seats": ["link", "link"]}
    answer = httpx.post(f"http://{host}/api/tables", json=body, headers={"origin": origin})
    assert answer.status_code == 403 and answer.json()["error"]
    with pytest.raises(InvalidStatus), connect(f"ws://{host}/api/tables/x/play", origin=Origin(origin)):
        pass


def test_other_pages_start_nothing_in_the_lab(host: str) -> None:
    """A picture on a page elsewhere can have any address of this machine, and each game shown takes a process."""
    for site, status in (("cross-site", 404), ("same-site", 404), ("same-origin", 200), ("none", 200)):
        assert httpx.get(f"http://{host}/lab/", headers={"sec-fetch-site": site}).status_code == status
    opened = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}  # by a script, or by a click
    assert httpx.get(f"http://{host}/lab/", headers=opened).status_code == 404
    assert httpx.get(f"http://{host}/lab/", headers={**opened, "sec-fetch-user": "?1"}).status_code == 200


def test_a_name_that_is_not_the_servers_own_is_refused(tmp_path: Path) -> None:
    """A page elsewhere can give its own name the address of this server."""
    forged = ("evil.example", "localhost.evil.example", "[", "127.0.0.1.evil.example:80")
    decorated = ("evil.example@localhost", "localhost/evil.example", "localhost?", "localhost#", "\\localhost")
    on_the_network = ("localhost.local", "games.example.local")
    with serving(tmp_path, hosts=("games.example",)) as running:
        for known in ("localhost", "localhost:8000", "games.example", "192.168.0.7:8000", "[::1]:8000"):
            answer = httpx.get(f"http://{running.host}/api/games", headers={"host": known})
            assert answer.status_code == 200, known
        for name in (*forged, *decorated, *on_the_network):
            answer = httpx.get(f"http://{running.host}/api/games", headers={"host": name})
            assert answer.status_code in (400, 421), name


@pytest.mark.parametrize(("proxies", "last"), [((), 429), (("127.0.0.1",), 200), (("127.0.0.0/8",), 200)])
def test_only_trusted_proxies_say_for_whom_they_ask(
    tmp_path: Path, proxies: tuple[str, ...], last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strandline.server.limits.REQUEST_BURST_S", 5e6)
    with serving(tmp_path, requests=1e-6, proxies=proxies) as running:
        ask = [
            httpx.get(f"http://{running.host}/api/games", headers={"x-forwarded-for": f"10.0.0.{i}"}) for i in range(8)
        ]
        assert ask[-1].status_code == last


@pytest.mark.parametrize("name", ["self", "players", "cls", "record"])
def test_options_that_no_game_has(host: str, name: str) -> None:
    body = {"game": "up_the_river", "seats": ["link", "link"], "options": {name: 1}}
    answer = httpx.post(f"http://{host}/api/tables", json=body)
    assert answer.status_code == 422 and name in json.loads(answer.text)["error"]


# The game itself


def test_a_lost_connection_is_no_chance_for_the_opponent(tmp_path: Path) -> None:
    """Not to let a bot play at once, and not to rewind the game."""
    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        tokens = [token_of(seat["link"]) for seat in table["seats"]]
        with Player(running.host, table["id"], tokens[1]) as second:
            with Player(running.host, table["id"], tokens[0]) as first:
                first.move()
                second.until(lambda state: state["acting"] == 1)
                second.move()
                first.until(lambda state: state["acting"] == 0)
                first.move()
            second.until(lambda state: state["seats"][0]["away"])
            assert second.say(type="takeover", seat=0)["code"] == "state"
            number = second.until(lambda state: state["acting"] == 1)["number"]
            asked = second.say(type="undo", number=number)
            assert asked["number"] == number and [vote["open"] for vote in asked["votes"]] == [[0]]


def test_spectators_lock_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_SPECTATORS", 3)
    with serving(tmp_path) as running, contextlib.ExitStack() as stack:
        table = make(running.host, "reef_route", ["link", "link"])
        for _ in range(3):
            stack.enter_context(Player(running.host, table["id"]))
        assert Player(running.host, table["id"]).answer["code"] == "rate"
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as first:
            assert first.move()["type"] == "state"


# Quotas


def test_an_address_makes_so_many_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "TABLES_BURST_S", 60.0)
    body = {"game": "reef_route", "seats": ["bot:5"] * 4}
    with serving(tmp_path, tables=3.0) as running:
        answers = [httpx.post(f"http://{running.host}/api/tables", json=body) for _ in range(20)]
        assert [answer.status_code for answer in answers].count(201) in (3, 4)
        assert answers[-1].status_code == 429 and "wait" in answers[-1].json()["error"]
        assert int(answers[-1].headers["retry-after"]) > 1
        german = httpx.post(f"http://{running.host}/api/tables", json=body, headers={"accept-language": "de"})
        assert german.status_code == 429 and "Warte bitte eine Minute" in german.json()["error"]


def test_an_address_has_so_many_unfinished_tables(tmp_path: Path) -> None:
    with serving(tmp_path, open_tables=2) as running:
        for status in (201, 201, 429):
            body = {"game": "reef_route", "seats": ["link", "link"]}
            assert httpx.post(f"http://{running.host}/api/tables", json=body).status_code == status


def played(host: str) -> Player:
    """A person at a table of theirs, at the end of its short game against a bot."""
    body = {"game": "up_the_river", "seats": ["here", "bot:random"], "options": {"round_limit": 1}}
    table = httpx.post(f"http://{host}/api/tables", json=body).json()
    player = Player(host, table["id"], token_of(table["page"]))
    while player.decide()["turn"] != "over":
        player.move()
    return player


def test_a_rematch_counts_as_an_unfinished_table(tmp_path: Path) -> None:
    with serving(tmp_path, open_tables=1) as running, played(running.host) as player:
        assert player.say(type="rematch")["rematch"]
        body = {"game": "reef_route", "seats": ["link", "link"]}
        assert httpx.post(f"http://{running.host}/api/tables", json=body).status_code == 429


def test_an_address_makes_so_many_tables_by_rematch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "TABLES_BURST_S", 60.0)
    with serving(tmp_path, tables=1.0) as running, played(running.host) as player:
        assert player.say(type="rematch")["code"] == "rate"


def test_whoever_asks_second_for_a_rematch_pays_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, open_tables=1) as running, played(running.host) as player:
        assert player.say(type="rematch")["rematch"]
        assert player.say(type="rematch")["code"] == "state"  # there is one


@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3"])
def test_a_network_has_its_addresses_however_they_are_written(address: str) -> None:
    networks = [ipaddress.ip_network("10.0.0.0/8")]
    assert limits.is_in(address, networks) and not limits.is_in("::ffff:11.1.2.3", networks)


def test_a_game_of_bots_waits_for_somebody_to_watch(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["bot:random", "bot:random"])
        path = f"/api/tables/{table['id']}"
        number = get(running.host, path)["number"]
        time.sleep(0.5)
        assert get(running.host, path)["number"] == number
        with Player(running.host, table["id"]) as watcher:
            watcher.until(lambda state: state["turn"] == "over" or state["number"] > number + 5)


def thought(places: int, *askers: str, ending: int = 0) -> list[str]:
    """Who thinks in which order, when all ask at once, the first of them endlessly, and nobody asks for `-`."""

    async def run() -> list[str]:
        queue, served, go_on = thinkers.Queue(places), [], asyncio.Event()

        async def think(who: str) -> None:
            async with queue.place({who} - {"-"}):
                served.append(who)
                await go_on.wait()

        tasks = []
        for who in askers:
            tasks.append(asyncio.create_task(think(who)))
            await asyncio.sleep(0)
        if ending:
            tasks[ending].cancel()
        at_once = len(served)
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(PATIENCE), contextlib.AsyncExitStack() as stack:
            for n in range(places):  # every place was given back
                await stack.enter_async_context(queue.place({f"new {n}"}))
            return [*served[:at_once], "|", *served[at_once:]]

    return asyncio.run(run())


def test_whoever_plays_with_a_bot_does_not_wait_for_games_of_bots() -> None:
    assert thought(1, "-", "-", "-", "person") == ["-", "|", "person", "-", "-"]


def test_whoever_gives_up_takes_no_place() -> None:
    assert thought(1, "-", "-", "-", "person", ending=1) == ["-", "|", "person", "-"]


def test_many_tables_of_one_address_leave_places_to_others() -> None:
    """The last place is for whoever has none; then it is the turn of whoever has the fewest."""
    assert thought(3, "many", "many", "many", "one") == ["many", "many", "one", "|", "many"]
    assert thought(2, *["many"] * 3, "one", "two") == ["many", "one", "|", "many", "two", "many"]


def test_a_table_of_several_addresses_has_the_places_of_each() -> None:
    async def run() -> bool:
        queue = thinkers.Queue(2)
        async with asyncio.timeout(PATIENCE), queue.place({"many"}), queue.place({"many", "guest"}):
            return True

    assert asyncio.run(run())


def test_bots_think_for_those_who_sit_at_their_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever only watches is no reason to hurry."""
    asked: list[frozenset[str]] = []
    choose = thinkers.Thinkers.choose

    async def noted(self: Any, position: Any, seat: int, level: str, waited_for: frozenset[str]) -> str:
        asked.append(waited_for)
        return await choose(self, position, seat, level, waited_for)

    monkeypatch.setattr(thinkers.Thinkers, "choose", noted)
    with serving(tmp_path) as running:
        bots = make(running.host, "reef_route", ["bot:random", "bot:random"])
        with Player(running.host, bots["id"]) as watcher:
            watcher.until(lambda state: state["number"] > 2)
        assert set(asked) == {frozenset()}
        table = make(running.host, "reef_route", ["link", "bot:random"])
        asked.clear()
        with people(running.host, table) as (person,):
            person.move()
            person.decide()
        assert set(asked) == {frozenset({"127.0.0.1"})}


def test_games_of_bots_take_their_time_while_somebody_plays(tmp_path: Path) -> None:
    """However many are watched, their moves leave the server to those who play."""
    with serving(tmp_path, watching_pace=1e6) as running:
        bots = make(running.host, "up_the_river", ["bot:random", "bot:random"])
        table = make(running.host, "reef_route", ["link", "bot:random"])
        with people(running.host, table) as (person,), Player(running.host, bots["id"]) as watcher:
            watcher.until(lambda state: any(line["by"] != "chance" for line in state["log"]))
            for _ in range(3):
                person.move()
                person.decide()  # the bot at one's own table answers at once
            by = get(running.host, f"/api/tables/{bots['id']}/record")["by"]
            assert sum(who != "chance" for who in by) == 1


def test_reviews_do_not_queue_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "MOST_REVIEWS", 0)
    with serving(tmp_path) as running:
        table = make(running.host, "up_the_river", ["here", "bot:random"], options={"round_limit": 1})
        with Player(running.host, table["id"], token_of(table["page"])) as person:
            while person.until(lambda state: state["turn"] in (0, "over"))["turn"] == 0:
                person.move()
        answer = httpx.get(f"http://{running.host}/api/tables/{table['id']}/review")
        assert answer.status_code == 429 and answer.json()["error"]


# Stores that are damaged, of another version, or gone


def change(folder: Path, *statements: str) -> None:
    """What somebody does to the store behind the server's back."""
    with contextlib.closing(sqlite3.connect(folder / "s.sqlite")) as database, database:
        for statement in statements:
            database.execute(statement)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE entries SET text = 'sail 99' WHERE kind = 'chance'", "damaged"),
        ("UPDATE entries SET kind = 'dance' WHERE number = 1", "damaged"),
        ("UPDATE tables SET rules = 9", "version 9"),
        ("UPDATE tables SET game = 'chess'", "damaged"),
    ],
)
def test_a_table_that_cannot_be_replayed_stops_no_other(tmp_path: Path, statement: str, said: str) -> None:
    with serving(tmp_path) as running:
        bad = make(running.host, "up_the_river", ["link", "bot:random"])
    change(tmp_path, statement)
    with serving(tmp_path) as running:
        answer = httpx.get(f"http://{running.host}/api/tables/{bad['id']}")
        assert answer.status_code == 404 and said in answer.json()["error"]
        with connect(f"ws://{running.host}/api/tables/{bad['id']}/play") as socket:
            socket.send('{"type": "hello", "id": 1}')
            told = json.loads(socket.recv(PATIENCE))
            assert (told["re"], told["code"]) == (1, "table") and said in told["error"]
        good = make(running.host, "up_the_river", ["link", "bot:random"])
        with Player(running.host, good["id"], token_of(good["seats"][0]["link"])) as first:
            assert first.move()["type"] == "state"


DAMAGES = (
    *(
        f"tables SET names = '{names}' WHERE id"
        for names in ("[]", "{}", '["a"]', "[1, 2]", "null", '["\\ud800", "b"]')
    ),
    "tables SET seed = 'abcd' WHERE id",
    f"tables SET seed = '{'ab' * 32}' WHERE id",
    "tables SET takeover_after = 'x' WHERE id",
    "tables SET touched = 'x' WHERE id",
    "agreements SET clock = 'x' WHERE table_id",
    "seats SET table_id = 'x' WHERE table_id",
    "seats SET present_until = 'x' WHERE table_id",
    "entries SET made = 'x' WHERE table_id",
    "entries SET text = CAST(x'ff' AS TEXT) WHERE table_id",
)
"""What may have become of a table, each in a way that is not seen before somebody looks at that very thing."""


def test_damaged_tables_take_the_lobby_from_nobody(tmp_path: Path) -> None:
    """A check of the store finds each of them, and each says on its own page what is wrong with it."""

    def made() -> str:
        asked = {"game": "reef_route", "seats": ["here", "link"], "open": True}
        return str(httpx.post(f"http://{running.host}/api/tables", json=asked, timeout=PATIENCE).json()["id"])

    with serving(tmp_path, public=True) as running:
        good, bad = made(), [made() for _ in DAMAGES]
    change(tmp_path, *(f"UPDATE {damage} = '{table}'" for damage, table in zip(DAMAGES, bad, strict=True)))
    with serving(tmp_path, public=True) as running:
        number, wrong = upkeep.check(running.app.state.hall.store)
        assert number == len(DAMAGES) + 1 and [line.split()[2] for line in wrong] == sorted(bad), wrong
        for damage, table in zip(DAMAGES, bad, strict=True):
            answer = httpx.get(f"http://{running.host}/api/tables/{table}")
            assert answer.status_code == 404 and "damaged" in answer.json()["error"], damage
        assert [each["id"] for each in get(running.host, "/api/open")["tables"]] == [good]
        asked = {"tables": [{"id": table, "token": None} for table in (*bad, good)]}
        answer = httpx.post(f"http://{running.host}/api/tables/status", json=asked)
        assert [each["id"] for each in answer.json()["tables"]] == [good]


def test_a_table_that_cannot_be_looked_after_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    async def look(_: Any, room: Any, now: float) -> None:
        seen.append(room.table.id)
        raise ValueError("The sand is wet.")

    with serving(tmp_path) as running:
        tables = {make(running.host, "reef_route", ["link", "link"])["id"] for _ in range(2)}
        monkeypatch.setattr(hall.Hall, "_look_after", look)
        deadline = time.monotonic() + PATIENCE
        while set(seen) < tables and time.monotonic() < deadline:
            time.sleep(0.05)
    assert set(seen) == tables
    assert "could not be looked after" in caplog.text


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE alembic_version SET version_num = '0'", "older.*Choose another"),
        ("UPDATE alembic_version SET version_num = '2'", "older.*strandline store migrate"),
        ("UPDATE alembic_version SET version_num = '99'", "newer.*Choose another"),
        ("DELETE FROM alembic_version", "older"),
        ("DROP TABLE alembic_version", "older"),
        ("UPDATE alembic_version SET version_num = 'abc'", "damaged.*'abc'"),
        ("ALTER TABLE tables DROP COLUMN names", "lacks names"),
        ("DROP TABLE keys", "lacks the table keys"),
        ("ALTER TABLE entries RENAME TO away", "lacks the table entries"),
    ],
)
def test_a_store_that_does_not_fit_is_not_opened(tmp_path: Path, statement: str, said: str) -> None:
    url = f"sqlite:///{tmp_path / 's.sqlite'}"
    Store(url).close()
    change(tmp_path, statement)
    with pytest.raises(BadStore, match=said):
        Store(url)


def test_a_store_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Everybody is told in a sentence, the log in one line."""
    monkeypatch.setattr("strandline.server.store._said", -1e9)
    with serving(tmp_path, tick=600.0) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as first:
            change(tmp_path, "ALTER TABLE entries RENAME TO away", "ALTER TABLE seats RENAME TO gone")
            refused = first.move()
            assert refused["code"] == "server" and "tables cannot be reached" in refused["error"]
            for _ in range(3):
                answer = httpx.get(f"http://{running.host}/api/tables/{'x' * 16}")
                assert answer.status_code == 404
                answer = httpx.post(
                    f"http://{running.host}/api/tables", json={"game": "reef_route", "seats": ["link", "link"]}
                )
                assert answer.status_code == 503 and "tables cannot be reached" in answer.json()["error"]
            change(tmp_path, "ALTER TABLE away RENAME TO entries", "ALTER TABLE gone RENAME TO seats")
            assert first.move()["type"] == "state"
    (said,) = caplog.records
    assert said.getMessage().startswith("The store does not answer") and said.exc_info is None


def test_a_table_at_which_others_are_always_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server has written each time that this one tries."""

    def refused(*_: Any) -> Future[None]:
        found: Future[None] = Future()
        found.set_exception(Conflict())
        return found

    with serving(tmp_path) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        with Player(running.host, table["id"], token_of(table["seats"][0]["link"])) as first:
            monkeypatch.setattr(Store, "append", refused)
            said = first.move()
            assert said["code"] == "server" and said["error"].startswith("The table is very busy just now.")


@pytest.mark.parametrize("origin", [[], [(b"origin", b"http://elsewhere")]], ids=["ours", "foreign"])
def test_a_connection_that_ends_before_it_is_accepted(origin: list[tuple[bytes, bytes]]) -> None:
    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        raise OSError

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", b"localhost"), *origin]}
    asyncio.run(sockets.serve(WebSocket(scope, receive, send), None, "x" * 16))  # type: ignore[arg-type]


def test_who_comes_back_while_the_store_is_gone_takes_no_place(tmp_path: Path) -> None:
    """Their bot cannot be sent away then, so they are told to come later, and do not stay as a ghost of themselves."""
    with serving(tmp_path, tick=600.0) as running:
        table = make(running.host, "reef_route", ["link", "link"])
        token = token_of(table["seats"][0]["link"])
        with Player(running.host, table["id"], token) as first:
            first.say(type="leave", seat=0)
        change(tmp_path, "ALTER TABLE entries RENAME TO away")
        for _ in range(limits.MOST_SCREENS):
            with Player(running.host, table["id"], token) as first:
                assert first.answer["code"] == "server" and "tables cannot be reached" in first.answer["error"]
        change(tmp_path, "ALTER TABLE away RENAME TO entries")
        with Player(running.host, table["id"], token) as first:
            assert first.answer["type"] == "state" and not first.answer["seats"][0]["bot"]


def test_no_message_holds_a_secret(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    setup = make_setup()
    change(tmp_path, "ALTER TABLE tables RENAME TO away")
    error = store.create(setup, []).exception()
    store.close()
    assert error is not None and setup.seed.hex() not in str(error) and "INSERT" in str(error)


# Addresses


def test_a_machine_with_many_addresses_is_one_visitor() -> None:
    """Everybody with IPv6 has more addresses than could ever be counted."""
    assert limits.household("2001:db8:1:2::7") == limits.household("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert limits.household("2001:db8:1:3::7") != limits.household("2001:db8:1:2::7")
    assert limits.household("::ffff:192.0.2.1") == limits.household("192.0.2.1") == "192.0.2.1"
    assert limits.household("::ffff:192.0.2.2") != limits.household("192.0.2.1")
    assert limits.household("fe80::1%eth0") == "fe80::/64" and limits.household("testclient") == "testclient"


def test_codes_cannot_be_guessed_for_long(tmp_path: Path) -> None:
    with serving(tmp_path) as running, httpx.Client(base_url=f"http://{running.host}", timeout=PATIENCE) as visitor:
        table = make(running.host, "reef_route", ["here", "link"])
        with Player(running.host, table["id"], token_of(table["page"])) as maker:
            code = maker.say(type="code")["code"]

        def typed(code: str) -> int:
            return visitor.post("/api/codes", json={"code": code}).status_code

        assert {typed(code) for _ in range(35)} == {200}  # those that are right are no guesses
        found = [typed("KELP-1") for _ in range(35)]
        assert found[0] == 404 and found[-1] == 429
        assert typed(code) == 429  # whoever has guessed so much is not told what is right either


def test_nobody_uses_up_all_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as running:
        table, other = (make(running.host, "reef_route", ["here", "link"]) for _ in range(2))
        with Player(running.host, table["id"], token_of(table["page"])) as maker:
            assert len({maker.say(type="code")["code"] for _ in range(5)}) == 1
            monkeypatch.setattr(
                invitations, "TOLD_AGAIN_S", invitations.CODE_S + 60
            )  # that one does not hold long enough
            assert len({maker.say(type="code")["code"] for _ in range(2)}) == 2
        monkeypatch.setattr(invitations, "WORDS", ["kelp"])
        monkeypatch.setattr(invitations, "NUMBERS", range(7, 8))
        with Player(running.host, table["id"], token_of(table["page"])) as maker:
            assert maker.say(type="code")["code"] == "KELP-7"
        with Player(running.host, other["id"], token_of(other["page"])) as maker:
            assert maker.say(type="code")["code"] == "server"  # the answer's own code: it is refused


# Names


@pytest.mark.parametrize(
    "name",
    [
        *("Seat 1", "seat 1", "SEAT  1", "Ｓeat 1", "Bot 2", "Ben", "bEn", "Seat 7", "Ѕеаt 1", "Seat l", "Βеn"),
        *("Ᏼеո", "ꮪeat 1", "ꓐꓰꓠ", "ʙᴇɴ", "𝐁en", "Seat ı", "Seat ١"),
    ],
)
def test_nobody_pretends_to_be_another(host: str, name: str) -> None:
    table = make(host, "up_the_river", ["link", "link", "bot:random"], names=["Ada", "Ben"])
    with Player(host, table["id"], token_of(table["seats"][0]["link"])) as first:
        assert first.say(type="name", seat=0, name=name)["code"] == "malformed"
        assert first.say(type="name", seat=0, name="Ada L.")["type"] == "state"
    body = {"game": "up_the_river", "seats": ["link", "link", "bot:random"], "names": [name, "Ben"]}
    assert httpx.post(f"http://{host}/api/tables", json=body).status_code == 422
