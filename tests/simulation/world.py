"""The world of a simulation: servers, disk, network, tables and people, and what goes wrong among them."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import gc
import hashlib
import itertools
import logging
import random
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import orjson

import strandline
from simulation.clock import Idle, VirtualLoop, sealed
from simulation.disk import Disk
from simulation.network import Lost, Network, request
from simulation.node import Node
from simulation.people import Person
from simulation.truth import Broken, Ear, Witness
from strandline.engine.position import Position, _seen
from strandline.engine.words import cached_for_reader, reader
from strandline.server import store as stores
from strandline.server import thinkers
from strandline.server.hall import Settings
from strandline.table import levels, perspective
from strandline.table.guest import Guest
from strandline.table.ledger import Note
from strandline.table.picture import Picture
from strandline.table.record import Line, Next, Record
from strandline.table.table import Table
from support import random_setting

HOUR = 3600.0
SETTINGS = Settings(tick=20.0, archive_after=4 * HOUR, forget_after=72 * HOUR, tables=1e6, open_tables=10**6)
"""Tables are put away overnight. A look around every 20 seconds is enough for whoever counts as away after 60."""
TABLES = 4
"""Tables that are played at a time."""
EVENING = 2.0 * HOUR
NIGHT = 20.0 * HOUR
NIGHTLY = 120.0
"""Seconds between two looks around at night, when nobody is there."""
SEATS = ["here", "link", "link", "bot:random", "bot:1"]
"""What seats are drawn from."""
QUIET = 60.0
"""Seconds without faults in which every table must move on."""
STEPS_SHOWN = 30
KEPT_POSITIONS = 20_000
EXPECTED = ("The store does not answer", "The bot")
"""How the log's errors begin that are no fault of the server's."""


class Failure(AssertionError):
    """What went wrong, where, and how to see it again."""


@dataclass(frozen=True)
class Outcome:
    """What a simulation came to."""

    steps: int
    digest: str
    simulated: float
    real: float
    answers: int
    entries: int
    finished: int
    crashes: int

    def __str__(self) -> str:
        return (
            f"{self.simulated / HOUR:.1f} h simulated in {self.real:.1f} s of one core "
            f"({self.simulated / self.real:.0f} x): "
            f"{self.answers} answers, {self.entries} entries, {self.finished} games finished, {self.crashes} crashes; "
            f"{self.steps} steps, trace {self.digest[:16]}"
        )


class World:
    """One simulation."""

    def __init__(self, seed: int, servers: int = 1, hours: float = 2.0, most_seconds: float | None = None) -> None:
        self.seed = seed
        self._servers = servers
        self._hours = hours
        self._most_seconds = most_seconds
        self.rng = random.Random(f"{seed} world")
        self.loop = VirtualLoop(random.Random(f"{seed} threads"))
        self.network = Network(self.loop, random.Random(f"{seed} network"))
        self.disk = Disk(self.loop, random.Random(f"{seed} disk"), shared=servers > 1)
        self.witness = Witness(self.disk, SETTINGS.archive_after + SETTINGS.forget_after)
        self.disk.committed = lambda: self.guard(self._look)
        self.nodes: list[Node] = []
        self.people: dict[str, list[Person]] = {}
        """Who is at each table."""
        self._steps = 0
        self._crashes = 0
        self._made = 0
        self._latest: collections.deque[str] = collections.deque(maxlen=STEPS_SHOWN)
        self._digest = hashlib.sha256()
        self.telling = False
        """Whether every step is printed."""
        self.each_morning: Callable[[World], None] = lambda world: None
        self.failure: Failure | None = None
        self._tasks: dict[asyncio.Task[Any], None] = {}

    # The course of things

    def run(self) -> Outcome:
        """Play it all. `Failure` says what went wrong."""
        began = time.process_time()
        with self.begun():
            self.spawn(self._play())
            try:
                self.loop.run_until_complete(self._end)
            except Idle:
                self.fail(Broken("Nothing happens any more."))
        if self.failure is not None:
            raise self.failure
        entries = sum(len(known.entries) for known in self.witness.known.values()) + self.witness.retired
        return Outcome(
            self._steps,
            self._digest.hexdigest(),
            self.loop.time(),
            time.process_time() - began,
            self.witness.answers,
            entries,
            self.witness.finished,
            self._crashes,
        )

    @contextlib.contextmanager
    def begun(self) -> Iterator[None]:
        """Time is virtual and the log is heard, as long as this lasts."""
        log = _Log(self)
        logging.getLogger("strandline").addHandler(log)
        logging.getLogger("strandline").propagate = False
        self.loop.set_exception_handler(self._unheard)
        garbage = gc.get_threshold()
        gc.set_threshold(50_000, 50, 100)  # nearly all goes without being looked for, as on a real server
        gc.freeze()
        try:
            with sealed(self.loop, random.Random(f"{self.seed} secrets")), _sketched():
                asyncio.set_event_loop(self.loop)
                self._end = self.loop.create_future()
                yield
                self._clear_up()
        finally:
            gc.set_threshold(*garbage)
            gc.unfreeze()
            logging.getLogger("strandline").removeHandler(log)
            logging.getLogger("strandline").propagate = True
            asyncio.set_event_loop(None)
            self.loop.close()
            self.disk.close()

    def _clear_up(self) -> None:
        self._unheard = lambda *_: None  # type: ignore[method-assign]
        self.loop.set_exception_handler(lambda *_: None)
        for node in self.nodes:
            node.crash()
        for _ in range(3):
            left = asyncio.all_tasks(self.loop)
            for task in left:
                task.cancel()
            if left:
                self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        gc.collect()

    async def _play(self) -> None:
        await self.start()
        began = time.process_time()
        end = self.loop.time() + self._hours * HOUR
        while self.loop.time() < end and (
            self._most_seconds is None or time.process_time() - began < self._most_seconds
        ):
            self.awake.set()
            self._pace(SETTINGS.tick)
            until = min(end, self.loop.time() + EVENING)
            while self.loop.time() < until:
                await self._trouble(min(until, self.loop.time() + self.rng.uniform(1200, 3600)))
                await self._rest()
            self.awake.clear()
            self._pace(NIGHTLY)
            await asyncio.sleep(0 if self.loop.time() >= end else self.rng.uniform(0.5, 1.0) * NIGHT)
            self.each_morning(self)
        if not self._end.done():
            self._end.set_result(None)

    def _pace(self, tick: float) -> None:
        for node in self.nodes:
            node.look_around_every(tick)

    async def start(self, settings: Settings = SETTINGS) -> None:
        """Start the servers."""
        self.awake, self.calm = asyncio.Event(), asyncio.Event()
        self.nodes = [Node(name, self.disk, settings, self.fail) for name in ("one", "two")[: self._servers]]
        for node in self.nodes:
            node.crashed = self._crashed
            await node.start()
        self.disk.watch()

    async def _trouble(self, until: float) -> None:
        """People play, and everything goes wrong."""
        self.disk.accidents, self.disk.crashes = self.rng.choice([(0.0, 0.0), (0.01, 0.0), (0.03, 0.003)])
        self.network.bad = self.rng.random() < 0.5
        while self.loop.time() < until:
            await self._fill()
            await asyncio.sleep(self.rng.expovariate(1 / 60))
            self._go_wrong()

    def _go_wrong(self) -> None:
        now, rng = self.loop.time(), self.rng
        what = rng.choice(["crash", "stop", "outage", "full", "slow", "deaf", "cut", "cut", "nothing"])
        self.trace(f"- {what}")
        node = rng.choice(self.nodes)
        match what:
            case "crash":
                node.crash()
            case "stop" if node.up:
                self.spawn(self._restart(node))
            case "outage":
                self.disk.out_until = now + rng.uniform(0.1, 30.0)
            case "full":
                self.disk.full_until = now + rng.uniform(0.1, 60.0)
            case "slow":
                self.disk.slow_until = now + rng.uniform(0.1, 30.0)
            case "deaf" if node.up:
                node.store.go_deaf(rng.uniform(0.1, 20.0))
            case "cut":
                lines = [person.line for people in self.people.values() for person in people if person.line]
                if lines:
                    rng.choice(lines).snap(noticed=rng.random() < 0.5)

    async def _rest(self) -> None:
        """Without faults every table moves on, and all see the same."""
        self.disk.heal()
        self.network.bad = False
        self.calm.set()
        self.trace("- quiet")
        await asyncio.sleep(QUIET)
        before = {table: self.witness.table(table).number for table in self.people}
        await asyncio.sleep(QUIET)
        self.guard(lambda: self._check_progress(before))
        self.guard(self.witness.audit)
        self.guard(self._check_guests)
        self.calm.clear()

    def _check_guests(self) -> None:
        for node in self.nodes:
            if ghosts := node.ghosts():
                raise Broken(f"{node.name} has {ghosts} guests who are not there any more.")

    def _check_progress(self, before: dict[str, int]) -> None:
        for table, people in self.people.items():
            known, number = self.witness.table(table), before.get(table)
            if known.number == number and not known.table.record.over:
                raise Broken(f"{table} ({known.table.setup.header.game}) stands still at {number}.")
            for person in people:
                self._check_sight(person, known.table)

    def _check_sight(self, person: Person, table: Table) -> None:
        if person.table != table.id or person.ear is None or person.line is None:
            return
        waiting = [asked.message for asked in person.ear.open.values() if self.loop.time() - asked.at > QUIET / 2]
        if waiting and person.line.answering:
            raise Broken(f"{person.name} has no answer to {waiting}.")

    # Tables

    async def _fill(self) -> None:
        """Open tables as long as there are too few."""
        while len(self.people) < TABLES:
            game = strandline.game(self.rng.choice(strandline.games()))
            setting = random_setting(game, self.rng)
            players = setting.pop("players")
            seats = SEATS[:-1] if game.has_secrets else SEATS  # a view alone does not say which moves are legal
            kinds = [self.rng.choice(seats) for _ in range(players)] if self.rng.random() < 0.7 else ["here"] * players
            if not any(kind in ("here", "link") for kind in kinds):
                kinds[0] = "link"
            body = {"game": game.name, "seats": kinds, "options": setting, "undo": self.rng.random() < 0.9}
            if self.rng.random() < 0.3:
                body["takeover_after"] = 60
            if self.rng.random() < 0.2:
                body["clock"] = self.rng.choice([10, 60, 3600])
            try:
                answer = await request(
                    self.network, self.rng.choice(self.nodes), "POST", "/api/tables", "10.0.0.1", body=body
                )
            except Lost:
                return
            if answer[0] == 503:
                return
            if answer[0] != 201:
                self.fail(Broken(f"A table is answered with {answer}."))
                return
            self._open(answer[1])

    def _open(self, made: dict[str, Any]) -> None:
        table = made["id"]
        self.trace(f"- table {table} {[seat['kind'] for seat in made['seats']]}")
        tokens = list(dict.fromkeys(seat["link"].partition("#")[2] for seat in made["seats"] if seat["link"]))
        self.guard(lambda: self.witness.introduce(table, tokens))
        more: list[str | None] = [None] if self.rng.random() < 0.3 else []
        if self.rng.random() < 0.2:
            more.append(self.rng.choice(tokens))  # a second page, or the same invitation sent to two
        for token in [*tokens, *more]:
            self.come(table, token)

    def come(self, table: str, token: str | None) -> None:
        """Somebody new comes to a table: to a seat, by invitation, or to watch."""
        self._made += 1
        person = Person(self, f"P{self._made}", table, token)
        self.join(person, table)
        self.spawn(person.live())

    def join(self, person: Person, table: str) -> None:
        """Somebody comes to a table."""
        for people in self.people.values():
            if person in people:
                people.remove(person)
        self.people.setdefault(table, []).append(person)
        if person.token:
            self.guard(lambda: self.witness.introduce(table, [person.token or ""]))
        self._forget()

    def part(self, person: Person, table: str) -> None:
        """Somebody goes home."""
        self.people[table].remove(person)
        self._forget()

    def _forget(self) -> None:
        for table in [table for table, people in self.people.items() if not people]:
            del self.people[table]
            self.witness.retire(table)

    def likes_rematch(self, table: str) -> bool:
        """Whether people at this table want to play once more."""
        return int(hashlib.sha256(f"{self.seed} {table}".encode()).hexdigest(), 16) % 4 == 0

    def ear(self, table: str, token: str | None, hello: dict[str, Any]) -> Ear:
        """Somebody who listens in on a new connection."""
        return Ear(self.witness, table, token, hello)

    # Servers

    def _crashed(self, node: Node) -> None:
        self._crashes += 1
        self.trace(f"- {node.name} has crashed")
        self.spawn(self._start(node))

    async def _restart(self, node: Node) -> None:
        await node.stop()
        await self._start(node)

    async def _start(self, node: Node) -> None:
        await asyncio.sleep(self.rng.uniform(0.5, 20.0))
        await node.start()
        self.trace(f"- {node.name} is back")

    # What happens

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Begin something; if it fails, the simulation does."""
        task = self.loop.create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()):
            self.fail(error)

    def trace(self, what: str) -> None:
        """Something has happened."""
        self._steps += 1
        line = f"{self._steps} {self.loop.time():.6f} {what}"
        self._latest.append(line)
        if self.telling:
            print(line)
        self._digest.update(line.encode())

    def _look(self) -> None:
        self.trace("- commit")
        self.witness.look()

    def guard(self, check: Callable[[], None]) -> None:
        """Check an invariant wherever that may be: the server must not swallow what comes of it."""
        try:
            check()
        except Exception as error:
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """The simulation ends here."""
        if self.failure is not None or self._end.done():
            return
        trace = "\n".join(self._latest)
        again = f"python -m tests.simulation --seed {self.seed} --servers {self._servers} --hours {self._hours:g}"
        self.failure = Failure(
            f"{trace}\n{type(error).__name__}: {error}\nseed {self.seed}, step {self._steps}: {again}"
        )
        self.failure.__cause__ = error
        self._end.set_result(None)

    def _unheard(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.fail(context.get("exception") or Broken(f"{context['message']} {context.get('task', '')}"))

    @property
    def now(self) -> float:
        """The time."""
        return self.loop.time()


@contextlib.contextmanager
def _sketched() -> Iterator[None]:
    """Boards are not drawn: a digest stands for what the viewer may see. Who sees which board is what matters here.

    Bots just move: how well is no question. And what the rules say of a position, and what a line leads to, are worked
    out once, however many servers and witnesses replay the game.
    """
    after = functools.lru_cache(KEPT_POSITIONS)(Position._after)
    really_next = Record.next
    remembered: dict[tuple[Any, ...], Next] = {}

    def next_(record: Record, item: Line | Note, last: Next | None = None) -> Next:
        before = last or record
        if isinstance(item, Line) and item.undo is not None:  # an undo asks for all that was before
            return really_next(record, item, last)
        key = before.sum, before.number, before.drawn, before.position, item  # the digest stands for lines and notes
        if (found := remembered.get(key)) is None:
            if len(remembered) == KEPT_POSITIONS:
                del remembered[next(iter(remembered))]
            found = remembered[key] = really_next(record, item, last)
        return found

    def choose(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
        whole = {name: value for name, value in view.items() if name != "view"}
        return random.Random(seed).choice(Position.from_json(whole).moves())

    def sketch(position: Position, seat: int | None = None, wide: bool = False) -> str:
        seen = orjson.dumps([_seen(position, seat), position.options, wide, reader().language, reader().names])
        return f"<svg><g>{hashlib.sha256(seen).hexdigest()}</g></svg>"

    @cached_for_reader(perspective.KEPT_PICTURES)
    def picture(position: Position, viewer: int | None, wide: bool) -> Picture:
        return Picture(position.svg(viewer, wide))

    count = itertools.count()
    with (
        mock.patch.object(Position, "svg", sketch),
        mock.patch.object(Position, "_after", lambda position, code: after(position, code)),
        mock.patch.object(Record, "next", next_),
        mock.patch.object(perspective, "_picture", picture),  # sketches are not kept for whoever comes later
        mock.patch.object(thinkers, "_choose", choose),
        mock.patch.object(levels, "DEFAULT", levels.RANDOM),
        mock.patch.object(stores, "_said", -stores.OUTAGE_S),
        # sets of guests have the same order in every run
        mock.patch.object(Guest, "__hash__", lambda guest: guest.__dict__.setdefault("serial", next(count))),
    ):
        yield


class _Log(logging.Handler):
    """Reads the servers' log."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._world.trace(f"- log: {text}")
        self._world.guard(lambda: self._world.witness.check_log(text))
        if record.levelno >= logging.ERROR and not text.startswith(EXPECTED):
            error = record.exc_info[1] if record.exc_info else None
            self._world.fail(error or Broken(f"The log says: {text}"))
