"""No table waits for another: neither for bots, nor for reviews."""

import asyncio
import contextlib
import itertools
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import strandline
from server.helpers import Player, Running, get, make, people
from server.test_server import play_to_the_end
from strandline.server import thinkers
from strandline.server.store import Store
from strandline.server.thinkers import Lost, Thinkers, Worker
from strandline.table import advice, review
from strandline.table.advice import Advice
from strandline.table.levels import Failed


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store)
    yield running
    running.stop()
    store.close()


# Bots and reviews


def test_tables_take_turns_however_many_bots_they_have(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strong bots in all seats of one table, one at another, one thread for all: none waits for two of the others."""
    events: list[tuple[str, int]] = []
    ask = Thinkers._think

    async def asked(thinkers: Thinkers, view: dict[str, Any], *more: Any, **how: Any) -> str:
        events.append(("asks", view["players"]))
        return await ask(thinkers, view, *more, **how)

    def think(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
        events.append(("thinks", view["players"]))
        time.sleep(0.02)
        return random.Random(seed).choice(strandline.game(view["game"]).position(view).moves())

    monkeypatch.setattr(Thinkers, "_think", asked)
    monkeypatch.setattr(thinkers, "_choose", think)
    server.app.state.hall.bots._thinkers = Thinkers(1)
    strong = make(server.host, "reef_route", ["bot:5"] * 4)
    table = make(server.host, "reef_route", ["bot:2", "bot:2"])
    with Player(server.host, strong["id"]), Player(server.host, table["id"]) as watcher:
        watcher.until(lambda state: state["number"] > 7)  # each places four fish before the first roll
    waits = [_thoughts_of_others(events[place:]) for place, event in enumerate(events) if event == ("asks", 2)]
    assert len(waits) > 7 and max(waits) <= 1 and events.count(("thinks", 4)) > 5


def _thoughts_of_others(events: list[tuple[str, int]]) -> int:
    """How many thoughts of the table of four come before the one of the table of two that is asked for at first."""
    before = itertools.takewhile(lambda event: event != ("thinks", 2), events)
    return sum(what == "thinks" for what, _ in before)


def test_bots_do_not_wait_for_a_review(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A review takes very long; hints and other bots come all the same."""
    reviewing, go_on = threading.Event(), threading.Event()

    def compute(*_: Any) -> None:
        reviewing.set()
        go_on.wait(60)
        raise RuntimeError("It was not to be.")

    monkeypatch.setattr(review, "compute", compute)
    over = make(server.host, "up_the_river", ["here", "here"], options={"round_limit": 1})
    with people(server.host, {**over, "seats": over["seats"][:1]}) as players:
        play_to_the_end(players, random.Random(1))
    with contextlib.ExitStack() as stack:
        stack.callback(go_on.set)
        threading.Thread(target=_review, args=(server.host, over["id"]), daemon=True).start()
        assert reviewing.wait(20)
        table = make(server.host, "up_the_river", ["link", "bot:1"])
        with people(server.host, table) as (person,):
            for _ in range(3):
                assert person.say(type="hint", number=person.state["number"])["type"] == "hint"
                person.move()
                person.decide()
        assert not go_on.is_set()


def _review(host: str, table: str) -> None:
    with contextlib.suppress(Exception):
        get(host, f"/api/tables/{table}/review")


def test_the_same_hint_is_thought_of_once(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[int] = []

    def think(view: dict[str, Any], seat: int, seed: int, threads: int) -> Advice:
        thoughts.append(seat)
        return Advice(strandline.game(view["game"]).position(view).moves()[0])

    monkeypatch.setattr(advice, "compute", think)
    table = make(server.host, "reef_route", ["link", "link"])
    with people(server.host, {**table, "seats": table["seats"][:1] * 3}) as tabs:
        hints = [tab.say(type="hint", number=tab.state["number"])["move"] for tab in tabs]
    assert len(set(hints)) == 1 and thoughts == [0]


def test_random_and_lone_moves_need_no_thought(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def think(*_: Any) -> str:
        raise AssertionError("There is nothing to think about.")

    monkeypatch.setattr(thinkers, "_choose", think)
    table = make(server.host, "up_the_river", ["bot:random", "link"])
    with people(server.host, table) as (person,):
        person.until(lambda state: state["turn"] == 1)


def test_threads_are_nice_and_so_are_those_that_they_start() -> None:
    with ThreadPoolExecutor(1, "nice", thinkers._settle_thread, (7,)) as pool:
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert pool.submit(_priority).result() == mine + 7
        with pool.submit(ThreadPoolExecutor, 1).result() as inner:
            assert pool.submit(lambda: inner.submit(_priority).result()).result() == mine + 7


def _priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


# Failures


@pytest.mark.parametrize("level", ["3", "5"])
def test_a_bot_that_fails_is_asked_again(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes a random move in its place: the second answer counts, and a second failure is told."""
    asked: list[str] = []

    def fail_once(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
        asked.append(level)
        if len(asked) % 2:
            raise Failed("it has stumbled")
        return "sail 3"

    monkeypatch.setattr(thinkers, "_choose", fail_once)
    position = strandline.game("up_the_river").new().play("roll 2")
    assert asyncio.run(Thinkers(1).choose(position, 0, level)) == "sail 3" and asked == [level] * 2

    def fail(*_: Any) -> str:
        raise Failed("it is lost")

    monkeypatch.setattr(thinkers, "_choose", fail)
    with pytest.raises(Failed, match="it is lost"):
        asyncio.run(Thinkers(1).choose(position, 0, level))


# Processes


def test_processes_are_nice_and_are_replaced_when_they_are_lost() -> None:
    async def run() -> None:
        worker = Worker(7)
        assert await worker.run(60, os.nice, 0) == os.nice(0) + 7
        first = worker.pid
        thought = asyncio.create_task(worker.run(60, time.sleep, 60))
        await asyncio.sleep(0.1)
        assert first is not None
        os.kill(first, 9)
        with pytest.raises(Lost):
            await thought
        assert await worker.run(60, os.getpid) not in (first, os.getpid())
        second = worker.pid
        with pytest.raises(Lost):
            await worker.run(0.2, time.sleep, 60)
        assert worker.pid is None and second is not None and await asyncio.to_thread(_has_ended, second)

    asyncio.run(run())


def _has_ended(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
