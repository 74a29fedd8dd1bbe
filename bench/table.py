"""How many tables one server process holds: `python bench/table.py [TABLES …]`.

At each table two simulated people play by link, each in a connection of its own that gets everything a browser gets. A
table makes one move a second. A move's time runs from its sending to its answer, which comes when the move is on the
disk. The server is said to hold a number of tables when 95 % of the moves are answered within 50 ms.

The people run in this process, on the second core. Their own CPU time is printed too: where it comes near 1000 ms a
second it is they who are slow, not the server.

`python bench/table.py --bot-tables 150` measures something else: how long a person waits for a bot of level 5, first
alone on the server, then beside so many tables of four bots of level 5, each with somebody who watches.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import multiprocessing
import os
import platform
import random
import secrets
import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import uvloop

from strandline.server import launch
from strandline.server.hall import Settings
from strandline.table import dice

WITHIN = 0.05
PORT = 8753
TEXT, PING, PONG = 1, 9, 10
ARRIVAL = 20.0
"""Seconds in which people come to their tables; what is measured begins afterwards."""


def serve(folder: str) -> None:
    """The server, in a process of its own, without limits on rates: all people come from one address."""
    settings = Settings(requests=1e9, messages=1e9, connections=10**9, tables=1e9, open_tables=10**9)
    launch.serve(f"sqlite:///{Path(folder) / 'tables.sqlite'}", "127.0.0.1", PORT, settings)


class Socket(asyncio.Protocol):
    """A WebSocket with no more than is needed here, so that a thousand of them leave the server its core."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._received = b""
        self._is_open = asyncio.Event()
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            *(f"GET {self._path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}", "Upgrade: websocket", "Connection: Upgrade"),
            *(f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""),
        )
        transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        """Take in the frames that are complete."""
        self._received += data
        if not self._is_open.is_set():
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self._received = rest
            self._is_open.set()
        while (frame := self._frame()) is not None:
            kind, content = frame
            if kind == TEXT:
                self._messages.put_nowait(json.loads(content))
            elif kind == PING:
                self._write(PONG, content)

    def _frame(self) -> tuple[int, bytes] | None:
        """Kind and content of the next frame. A server's frames are not masked, and ours send each text in one."""
        received = self._received
        start = {126: 4, 127: 10}.get(received[1], 2) if len(received) > 1 else 2
        if len(received) < start:
            return None
        size = int.from_bytes(received[2:start], "big") if start > 2 else received[1]
        if len(received) < start + size:
            return None
        self._received = received[start + size :]
        return received[0] & 0x0F, received[start : start + size]

    @classmethod
    async def open(cls, path: str) -> Socket:
        """A connection to the server."""
        _, socket = await asyncio.get_running_loop().create_connection(lambda: cls(path), "127.0.0.1", PORT)
        await socket._is_open.wait()
        return socket

    def send(self, **message: Any) -> None:
        """Say something."""
        self._write(TEXT, json.dumps(message).encode())

    def _write(self, kind: int, content: bytes) -> None:
        """A frame; the mask that a client must use may be zeros."""
        size = bytes((0x80 | len(content),)) if len(content) < 126 else struct.pack("!BH", 0xFE, len(content))
        self._transport.write(bytes((0x80 | kind,)) + size + bytes(4) + content)

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        return await self._messages.get()

    def close(self) -> None:
        """Go away."""
        self._transport.close()


class Pair:
    """Two people at a table."""

    def __init__(self, client: httpx.AsyncClient, game: str, times: list[float], end: float, seconds: float) -> None:
        self._client = client
        self._game = game
        self._times = times
        self._end = end
        self._seconds = seconds
        self._rng = random.Random(id(self))

    async def play(self) -> None:
        """Play until the time is over; a game that ends is followed by another."""
        while time.monotonic() < self._end:
            made = (await self._client.post("/api/tables", json={"game": self._game, "seats": ["link", "link"]})).json()
            await asyncio.gather(*(self._person(made["id"], seat["link"]) for seat in made["seats"]))

    async def _person(self, table: str, link: str) -> None:
        key = secrets.token_urlsafe(24)
        said = {"invitation": link.partition("#invite=")[2], "key": key}
        (await self._client.post(f"/api/tables/{table}/claim", json=said)).raise_for_status()
        socket = await Socket.open(f"/api/tables/{table}/play")
        chain = dice.Chain()
        socket.send(type="hello", token=key, pieces=True, story=True)  # as the page does
        state = await _state(socket)
        socket.send(type="chain", anchor=chain.anchor)
        while time.monotonic() < self._end and state["turn"] != "over":
            if state["dice"]["due"]:
                socket.send(type="link", **_part(chain, state))
            ready = state["acting"] is not None and state["dice"]["anchor"] == chain.anchor
            state = await (self._move(socket, chain, state) if ready else _state(socket))
        socket.close()

    async def _move(self, socket: Socket, chain: dice.Chain, state: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(self._rng.uniform(0.5, 1.5))
        number, offer = state["number"], self._rng.choice(state["moves"])
        sent = time.monotonic()
        socket.send(**_played(chain, state, offer), id=number)
        while (answer := await socket.receive()).get("re") != number:
            state = answer if answer["type"] == "state" else state
        if answer["type"] != "state":  # somebody's link came first: what it led to has been shown, or will be
            return state if state["number"] != number else await _state(socket)
        if sent > self._end - self._seconds:
            self._times.append(time.monotonic() - sent)
        return answer


async def _state(socket: Socket) -> dict[str, Any]:
    """The table as it is shown next; a link that was not wanted any more is refused, and nobody minds."""
    while (message := await socket.receive())["type"] != "state":
        pass
    return message


def _played(chain: dice.Chain, state: dict[str, Any], offer: dict[str, Any]) -> dict[str, Any]:
    """A move, or the tap that rolls, with the person's part in the dice."""
    what = {"type": "roll"} if state["roll"] else {"type": "move", "move": offer["move"]}
    again = state["dice"]["again"] or not offer["taps"]
    return {**what, "number": state["number"], **({} if again else _part(chain, state))}


def _part(chain: dice.Chain, state: dict[str, Any]) -> dict[str, Any]:
    """A person's part in the dice: the next link."""
    return {"link": chain.next(state["dice"]["tip"]), "epochs": len(state["dice"]["commitments"])}


async def measure(tables: int, game: str, seconds: float, server: int) -> tuple[list[float], float, float]:
    """The times of all moves at that many tables, sorted, and the CPU time for one, the server's and the people's."""
    times: list[float] = []
    end = time.monotonic() + ARRIVAL + seconds
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=30) as client:
        pairs = [Pair(client, game, times, end, seconds) for _ in range(tables)]
        plays = [asyncio.create_task(_later(pair, ARRIVAL / 2 * i / tables)) for i, pair in enumerate(pairs)]
        await asyncio.sleep(ARRIVAL)
        before, own = cpu_seconds(server), time.process_time()
        await asyncio.wait(plays, timeout=seconds)
        used, own = cpu_seconds(server) - before, time.process_time() - own
        for play in plays:
            play.cancel()
        for failure in await asyncio.gather(*plays, return_exceptions=True):
            if isinstance(failure, Exception):
                raise failure
    return sorted(times), used / len(times), own / len(times)


async def wait_for_bot(seconds: float) -> list[float]:
    """A person plays Reef Route against a bot of level 5: how long each of its answers takes, sorted."""
    times: list[float] = []
    end = time.monotonic() + seconds
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
        while time.monotonic() < end:
            wanted = {"game": "reef_route", "seats": ["here", "bot:5"]}
            made = (await client.post("/api/tables", json=wanted)).json()
            socket = await Socket.open(f"/api/tables/{made['id']}/play")
            socket.send(type="hello", token=made["page"].partition("#")[2], pieces=True)
            state, chain = await _state(socket), dice.Chain()
            socket.send(type="chain", anchor=chain.anchor)
            began = None
            while time.monotonic() < end and state["turn"] != "over":
                if state["dice"]["due"]:
                    socket.send(type="link", **_part(chain, state))
                if began is not None and state["acting"] is not None:
                    times.append(time.monotonic() - began)
                began = None if state["acting"] is not None else began or time.monotonic()
                if began is None and state["dice"]["anchor"] == chain.anchor:
                    socket.send(**_played(chain, state, state["moves"][0]))
                state = await _state(socket)
            socket.close()
    return sorted(times)


async def beside_bots(tables: int, seconds: float) -> None:
    """Print how long a person waits for a bot, alone and beside games of bots that are watched."""
    print("tables of bots  answers  median s  95 % s  longest s")
    for others in (0, tables):
        watched = []
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
            began = time.monotonic()
            for _ in range(others):
                wanted = {"game": "up_the_river", "seats": ["bot:5"] * 4}
                made = (await client.post("/api/tables", json=wanted)).json()
                watched.append(await Socket.open(f"/api/tables/{made['id']}/play"))
                watched[-1].send(type="hello", pieces=True)
            took = time.monotonic() - began
        times = await wait_for_bot(seconds) or [seconds]
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
        made_in = f"  (made in {took:.1f} s)" if others else ""
        print(f"{others:14}  {len(times):7}  {middle:8.2f}  {slow:6.2f}  {times[-1]:9.2f}{made_in}", flush=True)


async def _later(pair: Pair, pause: float) -> None:
    await asyncio.sleep(pause)
    await pair.play()


def main() -> None:
    """Measure and print a line for each number of tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int, nargs="*", default=[100, 200, 300, 400, 500])
    parser.add_argument("--game", default="up_the_river")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--bot-tables", type=int, metavar="N", help="how long a person waits for a bot beside so many")
    args = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if args.bot_tables:
        with server(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(beside_bots(args.bot_tables, args.seconds))
        return
    print("tables  moves a second  median ms  95 % ms  within 50 ms  CPU ms a move  people's CPU ms a move")
    for tables in args.tables:
        with server() as process, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            times, cpu, own = runner.run(measure(tables, args.game, args.seconds, process))
        share = sum(t <= WITHIN for t in times) / len(times)
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
        rate = len(times) / args.seconds
        print(
            f"{tables:6}  {rate:14.0f}  {middle * 1e3:9.1f}  {slow * 1e3:7.1f}  {share:12.1%}  {cpu * 1e3:13.2f}"
            f"  {own * 1e3:22.2f}",
            flush=True,
        )


@contextlib.contextmanager
def server() -> Iterator[int]:
    """A server in a process of its own; its number."""
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder,), daemon=True)
        process.start()
        wait_for_server()
        assert process.pid is not None
        yield process.pid
        process.kill()
        process.join()


def cpu_seconds(process: int) -> float:
    """What a process has used so far: on a machine with other work this says more than times do."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_server() -> None:
    """Until it answers."""
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{PORT}/api/games")
            return
        except httpx.TransportError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
