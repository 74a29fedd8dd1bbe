"""A world without faults in which nothing happens by itself: whoever is on the stage is told what to do next."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import random
from collections.abc import Awaitable, Callable
from typing import Any
from unittest import mock

import anyio.to_thread

from simulation.network import Line, raw_request
from simulation.people import INVITATION, Person
from simulation.truth import Asked, Broken
from simulation.world import SETTINGS, World
from strandline.engine.position import Position
from strandline.server.hall import Settings
from strandline.server.signing import is_signed
from strandline.server.thinkers import Thinkers
from strandline.table.advice import Advice
from strandline.table.verify import verify

PUBLIC = Settings(**{**vars(SETTINGS), "public": True, "requests": 1e6, "messages": 1e6})
ANSWER_S = 5.0
"""Seconds in which every message is answered where nothing goes wrong."""


class Guest(Person):
    """Somebody who does what they are told."""

    def __init__(self, stage: Stage, name: str, table: str, token: str | None) -> None:
        super().__init__(stage, name, table, token)
        self._stage = stage

    def connect(self, **hello: Any) -> None:
        """Open the table's page."""
        said = {"type": "hello", "token": self.token, "wide": False, **hello}
        ear = self.ear = self._stage.ear(self.table, self.token, said)
        path = f"/api/tables/{self.table}/play"
        self.line = Line(
            self._stage.network, self._stage.nodes[0], path, self._address, functools.partial(self._heard, ear)
        )
        self.state, self._waiting = {}, None
        self._say(said)

    def part_with(self, noticed: bool | None) -> None:
        """Close the page, or lose the connection."""
        assert self.line is not None
        if noticed is None:
            self.line.close()
        else:
            self.line.snap(noticed)
        self.line = None

    def listen(self) -> None:
        """Take in what has arrived."""
        while self.line is not None and not self.line.to_page.empty():
            message = self.line.to_page.get_nowait()
            if message is None:
                self.line = None
                continue
            if message["type"] == "code":
                self._stage.codes.append((self.table, message["code"]))
            self._read(message)

    def say(self, message: dict[str, Any]) -> None:
        """Say something; a page would say nothing else until it is answered."""
        if message["type"] == "form" and self.ear is not None:
            message = {**message, "wide": not self.ear.wide}
        self._say(message)

    def say_nonsense(self, message: dict[str, Any]) -> None:
        """Say what no page would: it is refused, with its id if it has one."""
        assert self.line is not None and self.ear is not None
        self._id += 1
        message = {**message, "id": self._id}
        self.ear.open[self._id] = Asked(self.ear.seats, {"type": "nonsense"}, 0, self._stage.now)
        self.line.say_nonsense(json.dumps(message))

    def duty(self, willing: bool) -> dict[str, Any] | None:
        """What the table waits for from this person."""
        (self._stage.calm.set if willing else self._stage.calm.clear)()
        return self._duty() if self.state and self.state["turn"] != "over" else None

    def votes(self) -> list[dict[str, Any]]:
        """The votes that are open at the table."""
        return list(self.state.get("votes", []))

    def whim(self) -> dict[str, Any] | None:
        """What people do besides."""
        return self._whim() if self.state else None


class Stage(World):
    """One server, the people that come to it, and what they were told."""

    def __init__(self) -> None:
        super().__init__(0)
        self.guests: list[Guest] = []
        self.tables: list[str] = []
        self.keys: dict[str, list[str]] = {}
        """The keys of devices that hold seats, by their tables."""
        self.invitations: list[tuple[str, str]] = []
        self.codes: list[tuple[str, str]] = []
        self._drawn = random.Random(0)
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self.begun())
        self._stack.enter_context(mock.patch.object(anyio.to_thread, "run_sync", _at_once))
        self._stack.enter_context(mock.patch.object(Thinkers, "advise", _advise))
        self.run_through(self.start(PUBLIC))

    def run_through(self, work: Awaitable[Any]) -> Any:
        """Let this happen, and whatever happens meanwhile."""
        result = self.loop.run_until_complete(work)
        if self.failure is not None:
            raise self.failure
        return result

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and let everybody look."""
        self.run_through(asyncio.sleep(seconds))
        for guest in self.guests:
            guest.listen()
            if guest.line is not None and guest.line.answering and guest.ear is not None:
                late = [asked for asked in guest.ear.open.values() if self.now - asked.at > ANSWER_S]
                if late:
                    raise Broken(f"{guest.name} has no answer to {late[0].message}.")
        self.guests = [guest for guest in self.guests if guest.line is not None]

    def close(self) -> None:
        """Check everything for the last time."""
        try:
            self.witness.audit()
            for table in self.tables:
                self._check_record(table)
        finally:
            self._stack.close()

    def _check_record(self, table: str) -> None:
        status, raw = self.ask("GET", f"/api/tables/{table}/record")
        record = json.loads(raw)
        verdict = verify(record, record["key"], signed=is_signed)
        if status != 200 or verdict.verdict == "failed":
            raise Broken(f"The record of {table} does not verify: {verdict.findings}")

    # What people do

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
        """A request; nothing goes wrong with any, and none tells a secret."""
        work = raw_request(self.network, self.nodes[0], method, path, "10.0.0.1", token, body)
        status, raw = self.run_through(work)
        if status >= 500:
            raise Broken(f"{method} {path} {body} is answered with {status}: {raw[:300]!r}")
        self._check_secrets(path, raw, token)
        return status, raw

    def _check_secrets(self, path: str, raw: bytes, token: str | None) -> None:
        for name, known in self.witness.known.items():
            if not known.table.record.over and any(seed.hex().encode() in raw for seed in known.table.seeds):
                raise Broken(f"{path} tells a seed of {name}.")
            told = [key for key in self.keys.get(name, []) if key != token and key.encode() in raw]
            if told and not path.endswith("/claim"):
                raise Broken(f"{path} tells somebody else's key at {name}.")

    def make(self, body: dict[str, Any]) -> bool:
        """Make a table; whether it was made."""
        status, raw = self.ask("POST", "/api/tables", body)
        if status != 201:
            return False
        made = json.loads(raw)
        table = made["id"]
        self.tables.append(table)
        tokens = list(dict.fromkeys(seat["link"].partition("#")[2] for seat in made["seats"] if seat["link"]))
        self.witness.introduce(table, tokens)
        self.keys[table] = [token for token in tokens if not token.startswith(INVITATION)]
        self.invitations += [(table, token) for token in tokens if token.startswith(INVITATION)]
        return True

    def claim(self, table: str, how: dict[str, Any]) -> bool:
        """Sit down with a new key; whether that was allowed."""
        key = f"{self._drawn.getrandbits(192):048x}"
        known = self.witness.table(table)
        self.witness.claims(table, key)
        if how.get("name"):
            named = Asked(frozenset(range(16)), {"type": "name", "name": how["name"]}, 0, self.now)
            known.asked.append(named)
        status, raw = self.ask("POST", f"/api/tables/{table}/claim", {**how, "key": key})
        if status != 200:
            return False
        assert json.loads(raw)["seats"] == sorted(known.table.seats_of(key))
        self.witness.introduce(table, [key])
        self.keys[table].append(key)
        return True

    def enter(self, table: str, token: str | None, **hello: Any) -> None:
        """Somebody comes to a table."""
        self._made += 1
        guest = Guest(self, f"P{self._made}", table, token)
        self.guests.append(guest)
        guest.connect(**hello)

    def come(self, table: str, token: str | None) -> None:
        """Somebody is invited."""
        assert token is not None
        self.witness.introduce(table, [token])
        self.invitations.append((table, token))


async def _at_once(work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
    """In place of a thread."""
    return work(*arguments)


async def _advise(_: Thinkers, position: Position, *_more: Any) -> Advice:
    """Any move: how good it is is no question here."""
    return Advice(position.moves()[-1], 0.5, 0.4)
