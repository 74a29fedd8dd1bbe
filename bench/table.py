"""How many tables one server process holds: `python bench/table.py [TABLES …]`.

At each table two simulated people play Up the River by link, each in a connection of its own that gets everything a
browser gets. A table makes one move a second. A move's time runs from its sending to its answer, which comes when the
move is on the disk. The server holds so many tables when 95 % of the moves are answered within 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from strandline.table import launch
from strandline.table.hall import Settings

GAME = "up_the_river"
WITHIN = 0.05
PORT = 8753
ARRIVAL = 6.0
"""Seconds in which people come to their tables; what is measured begins afterwards."""


def serve(folder: str) -> None:
    """The server, in a process of its own, without limits on rates: all people come from one address."""
    settings = Settings(requests=1e9, messages=1e9)
    launch.serve(f"sqlite:///{Path(folder) / 'tables.sqlite'}", "127.0.0.1", PORT, settings)


class Pair:
    """Two people at a table."""

    def __init__(self, client: httpx.AsyncClient, times: list[float], end: float, seconds: float) -> None:
        self._client = client
        self._times = times
        self._end = end
        self._seconds = seconds
        self._rng = random.Random(id(self))

    async def play(self) -> None:
        """Play until the time is over; a game that ends is followed by another."""
        options: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}
        while time.monotonic() < self._end:
            made = (await self._client.post("/api/tables", json={"game": GAME, "seats": ["link", "link"]})).json()
            links = [seat["link"] for seat in made["seats"]]
            address = f"ws://127.0.0.1:{PORT}/api/tables/{made['id']}/play"
            async with connect(address, **options) as one, connect(address, **options) as other:
                await asyncio.gather(*(self._person(s, link) for s, link in zip((one, other), links, strict=True)))

    async def _person(self, socket: Any, link: str) -> None:
        await socket.send(json.dumps({"type": "hello", "token": link.partition("#")[2]}))
        text = await socket.recv()
        while time.monotonic() < self._end:
            state = json.loads(text[: text.index(', "words":')] + "}")  # what a browser would draw is not read here
            if state["turn"] == "over":
                return
            if state["acting"] is None:
                text = await socket.recv()
                continue
            number = state["number"]
            move = text[text.index('"moves": [{"move": "') + 20 :].partition('"')[0]
            await asyncio.sleep(self._rng.uniform(0.5, 1.5))
            sent = time.monotonic()
            await socket.send(json.dumps({"type": "move", "move": move, "number": number, "id": number}))
            text = await socket.recv()
            while f'"re": {number},' not in text[:60]:
                text = await socket.recv()
            if sent > self._end - self._seconds:
                self._times.append(time.monotonic() - sent)


async def measure(tables: int, seconds: float, server: int) -> tuple[list[float], float]:
    """The times of all moves at so many tables, sorted, and the server's CPU time for one."""
    times: list[float] = []
    end = time.monotonic() + ARRIVAL + seconds
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=30) as client:
        pairs = [Pair(client, times, end, seconds) for _ in range(tables)]
        plays = [asyncio.create_task(_later(pair, ARRIVAL / 2 * i / tables)) for i, pair in enumerate(pairs)]
        await asyncio.sleep(ARRIVAL)
        before = cpu_seconds(server)
        await asyncio.wait(plays, timeout=seconds)
        used = cpu_seconds(server) - before
        for play in plays:
            play.cancel()
        await asyncio.gather(*plays, return_exceptions=True)
    return sorted(times), used / len(times)


async def _later(pair: Pair, pause: float) -> None:
    await asyncio.sleep(pause)
    await pair.play()


def main() -> None:
    """Measure and print a line for each number of tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int, nargs="*", default=[100, 200, 300, 400, 500])
    parser.add_argument("--seconds", type=float, default=15)
    args = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print("tables  moves a second  median ms  95 % ms  within 50 ms  CPU ms a move")
    for tables in args.tables:
        with tempfile.TemporaryDirectory() as folder:
            process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder,), daemon=True)
            process.start()
            wait_for_server()
            assert process.pid is not None
            times, cpu = asyncio.run(measure(tables, args.seconds, process.pid))
            process.kill()
            process.join()
        share = sum(t <= WITHIN for t in times) / len(times)
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
        rate = len(times) / args.seconds
        print(
            f"{tables:6}  {rate:14.0f}  {middle * 1e3:9.1f}  {slow * 1e3:7.1f}  {share:12.1%}  {cpu * 1e3:13.2f}",
            flush=True,
        )


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
