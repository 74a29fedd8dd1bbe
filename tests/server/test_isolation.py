"""No table waits for another: neither for long lists of moves, nor for bots, nor for reviews."""

import asyncio
import contextlib
import itertools
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import strandline
from server.helpers import Player, Running, get, make, people, token_of
from server.test_server import play_to_the_end
from strandline.server import thinkers
from strandline.server.store import Store
from strandline.server.thinkers import REVIEWS_NICENESS, Lost, Thinkers, Worker

MOST_MOVES = 400
"""Within this many moves somebody is pulled out at every table of Undertow."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store)
    yield running
    running.stop()
    store.close()


def play_elsewhere(host: str, moves: int) -> None:
    """Two people at a table of their own are answered move by move."""
    table = make(host, "reef_route", ["link", "link"])
    with people(host, table) as players:
        for _ in range(moves):
            number = max(player.state["number"] for player in players)
            for player in players:
                player.until(lambda state: state["number"] >= number)  # noqa: B023
            assert next(player for player in players if player.state["acting"] is not None).move()["type"] == "state"


# Long lists


def test_a_long_list_of_moves_holds_up_its_own_table_only(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is pulled out, and the list takes very long; meanwhile others play, come, and look."""
    began, go_on = threading.Event(), threading.Event()
    listed = strandline.Game.listed

    def slowly(game: strandline.Game, record: Any, laborious: bool = False) -> list[int]:
        if laborious:
            began.set()
            assert threading.current_thread().name.startswith("strandline-lister") and go_on.wait(60)
        return listed(game, record, laborious)

    monkeypatch.setattr(strandline.Game, "quicken", lambda game: None)
    monkeypatch.setattr(Thinkers, "compile_listing", _nothing_to_do)
    monkeypatch.setattr(strandline.Game, "listed", slowly)
    table = make(server.host, "undertow", ["here", "here"], options={"surge": "each"})
    answered: list[dict[str, Any]] = []
    slow = threading.Thread(target=_play_until, args=(server.host, table, began, answered), daemon=True)
    slow.start()
    assert began.wait(60)
    before = len(answered)
    play_elsewhere(server.host, 10)
    with Player(server.host, table["id"]) as watcher:  # the table itself shows what it was
        number = watcher.state["number"]
        assert watcher.say(type="ping")["type"] == "pong"
    assert len(answered) == before and not go_on.is_set()
    go_on.set()
    slow.join()
    assert answered[-1]["type"] == "state" and answered[-1]["number"] > number


async def _nothing_to_do(*_: Any) -> None:
    return


def _play_until(host: str, table: dict[str, Any], began: threading.Event, answered: list[dict[str, Any]]) -> None:
    """Random moves, the last one that of which a long list comes."""
    rng = random.Random(1)
    with people(host, {**table, "seats": table["seats"][:1]}) as (person,):
        for _ in range(MOST_MOVES):
            answered.append(person.move(rng.choice(person.state["moves"])["move"]))
            if began.is_set():
                return


def test_moves_of_the_past_are_listed_beside_too(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays, undo and a restart go by such positions: nowhere is a list made by the event loop."""
    listed = strandline.Game.listed
    threads: list[str] = []

    def noted(game: strandline.Game, record: Any, laborious: bool = False) -> list[int]:
        if laborious:
            threads.append(threading.current_thread().name)
        return listed(game, record, laborious)

    monkeypatch.setattr(strandline.Game, "quicken", lambda game: None)
    monkeypatch.setattr(Thinkers, "compile_listing", _nothing_to_do)
    monkeypatch.setattr(strandline.Game, "listed", noted)
    loop = _name_of_loop(server)
    table = make(server.host, "undertow", ["here", "here"])
    token = token_of(table["page"])
    rng = random.Random(2)
    with people(server.host, {**table, "seats": table["seats"][:1]}) as (person,):
        while len(threads) < 5:
            person.move(rng.choice(person.state["moves"])["move"])
        for _ in range(3):
            if person.state["undo"]:
                person.say(type="undo", number=person.state["number"])
        last = person.state["number"]
        for number in range(last + 1):
            get(server.host, f"/api/tables/{table['id']}/positions/{number}", token)
        get(server.host, f"/api/tables/{table['id']}/verify", token)
    server.app.state.hall.rooms._open.clear()
    assert get(server.host, f"/api/tables/{table['id']}", token)["number"] == last
    assert len(threads) > 10 and loop not in threads


def _name_of_loop(server: Running) -> str:
    return server._thread.name


# Bots and reviews


def test_tables_take_turns_however_many_bots_they_have(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strong bots in all seats of one table, one at another, one process for all: none waits for two of the others."""
    events: list[tuple[str, int]] = []
    ask = Thinkers._think

    async def asked(bots: Thinkers, patience: float, work: Any, view: dict[str, Any], *more: Any, **how: Any) -> Any:
        events.append(("asks", view["players"]))
        return await ask(bots, patience, work, view, *more, **how)

    async def think(
        worker: Worker, patience: float, work: Any, view: dict[str, Any], seat: int, level: str, seed: int
    ) -> str:
        events.append(("thinks", view["players"]))
        await asyncio.sleep(0.02)
        return random.Random(seed).choice(strandline.game(view["game"]).position(view).moves())

    monkeypatch.setattr(Thinkers, "_think", asked)
    monkeypatch.setattr(Worker, "run", think)
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

    async def think(worker: Worker, patience: float, work: Any, *arguments: Any) -> Any:
        if worker._niceness == REVIEWS_NICENESS:
            reviewing.set()
            await asyncio.to_thread(go_on.wait, 60)
            raise Lost
        view = arguments[0]
        return strandline.game(view["game"]).position(view).moves()[0]

    monkeypatch.setattr(Worker, "run", think)
    over = make(server.host, "up_the_river", ["here", "here"], options={"round_limit": 1})
    with people(server.host, {**over, "seats": over["seats"][:1]}) as players:
        play_to_the_end(players, random.Random(1))
    with contextlib.ExitStack() as stack:
        stack.callback(go_on.set)
        threading.Thread(target=_review, args=(server.host, over["id"]), daemon=True).start()
        assert reviewing.wait(20)
        table = make(server.host, "up_the_river", ["link", "bot:5"])
        with people(server.host, table) as (person,):
            for _ in range(3):
                assert person.say(type="hint", number=person.state["number"])["type"] == "hint"
                person.move()
                person.until(lambda state: state["acting"] == 0 or state["turn"] == "over")
        assert not go_on.is_set()


def _review(host: str, table: str) -> None:
    with contextlib.suppress(Exception):
        get(host, f"/api/tables/{table}/review")


def test_the_same_hint_is_thought_of_once(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[int] = []

    async def think(worker: Worker, patience: float, work: Any, view: Any, seat: int, *_: Any) -> str | None:
        if work is thinkers._warm_up:
            return None
        thoughts.append(seat)
        return strandline.game(view["game"]).position(view).moves()[0]

    monkeypatch.setattr(Worker, "run", think)
    table = make(server.host, "reef_route", ["link", "link"])
    with people(server.host, {**table, "seats": table["seats"][:1] * 3}) as tabs:
        hints = [tab.say(type="hint", number=tab.state["number"])["move"] for tab in tabs]
    assert len(set(hints)) == 1 and thoughts == [0]


# Getting ready


def test_what_bots_need_is_compiled_once(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby begins with it; bots at all tables wait for the same process, and people are told why."""
    rehearsed, go_on = [], threading.Event()

    async def think(worker: Worker, patience: float, work: Any, what: Any, *more: Any) -> Any:
        if work is thinkers._warm_up:
            rehearsed.append((what, more[-1]))
            return await asyncio.to_thread(go_on.wait, 60)
        return strandline.game(what["game"]).position(what).moves()[0]

    monkeypatch.setattr(Worker, "run", think)
    prepare = f"http://{server.host}/api/games/up_the_river/prepare"
    with contextlib.ExitStack() as stack:
        stack.callback(go_on.set)
        assert httpx.post(prepare).json() == {"ready": False}
        tables = [make(server.host, "up_the_river", [f"bot:{level}"] * 2) for level in "135"]
        guests = [stack.enter_context(Player(server.host, table["id"])) for table in tables]
        for guest in guests[:2]:
            guest.until(lambda state: state["prompt"].endswith(" is getting ready. The first time takes a moment."))
        assert rehearsed == [("up_the_river", "search"), ("up_the_river", "5")]  # perfect play has tables of its own
        go_on.set()
        for guest in guests:
            guest.until(lambda state: state["turn"] == "over")
    assert httpx.post(prepare).json() == {"ready": True} and len(rehearsed) == 2


def test_random_and_lone_moves_wait_for_nothing(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def think(worker: Worker, *_: Any) -> Any:
        raise AssertionError("There is nothing to think about.")

    monkeypatch.setattr(Worker, "run", think)
    table = make(server.host, "up_the_river", ["bot:random", "link"])
    with Player(server.host, table["id"]) as guest:
        guest.until(lambda state: state["turn"] == 1)


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


def test_a_bot_without_an_answer_plays_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lose(worker: Worker, *_: Any) -> None:
        raise Lost

    monkeypatch.setattr(Worker, "run", lose)
    position = strandline.game("up_the_river").new().play("roll 2")
    assert asyncio.run(Thinkers(1).choose(position, 0, "3")) in position.moves()
