"""People with pages: they play, hesitate, tap twice, take back, vote, leave, lose their connection and come back."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import random
from typing import TYPE_CHECKING, Any

from simulation.network import Line, Lost, request
from simulation.truth import Ear, holds
from strandline.server.signing import is_signed
from strandline.table import dice
from strandline.table.verify import verify

if TYPE_CHECKING:
    from simulation.world import World

HEARTBEAT_S = 20.0
PATIENCE_S = 8.0
"""After so long without an answer to its heartbeat a page takes the connection for dead."""
EPSILON_S = 1e-6
"""Timers may fire so much too early."""
INVITATION = "invite="
FINAL = (4401, 4403, 4404)
"""Close codes after which a page does not come back."""


class Person:
    """Somebody at a table, with a seat or more, or watching."""

    def __init__(self, world: World, name: str, table: str, token: str | None) -> None:
        self.name = name
        self.table = table
        self.token = token
        self.state: dict[str, Any] = {}
        self.line: Line | None = None
        self.ear: Ear | None = None
        self._world = world
        self._rng = random.Random(f"{world.seed} {name}")
        self._address = f"10.{self._rng.randrange(256)}.{self._rng.randrange(256)}.{self._rng.randrange(1, 255)}"
        self._id = 0
        self._since = 0
        self._waiting: float | None = None
        """Since when an answer is waited for."""
        self._chains: dict[str, dice.Chain] = {}
        self._used: set[str | None] = set()
        self._sent: dict[str, int] = {}
        """The links that the page has sent, and how many epochs it knew."""
        self._pinged = False
        self._turned_away = 0
        self._over_since: float | None = None
        self.gone = False

    def _trace(self, what: str) -> None:
        self._world.trace(f"{self.name} {what}")

    async def live(self) -> None:
        """One visit after another, until the game is over."""
        if self.token is not None and self.token.startswith(INVITATION):
            await self._sit_down(self.token.removeprefix(INVITATION))
        while not self.gone:
            await self._world.awake.wait()
            await self._visit()
            if not self.gone:
                with contextlib.suppress(TimeoutError):  # faults end, and everybody comes back
                    await asyncio.wait_for(self._world.calm.wait(), self._pause())
                    await asyncio.sleep(self._rng.uniform(0.2, 1.0))

    async def _sit_down(self, invitation: str) -> None:
        """Claim the seat with a key of one's own, again and again until it is answered."""
        key = f"{self._rng.getrandbits(192):048x}"
        self.token = key
        self._world.guard(lambda: self._world.witness.claims(self.table, key))
        while True:
            try:
                body = {"invitation": invitation, "key": key}
                status, found = await self.ask("POST", f"/api/tables/{self.table}/claim", body)
            except Lost:
                status, found = 503, None
            if status == 200:
                self._world.guard(lambda: self._world.witness.introduce(self.table, [key]))
                return
            if found is not None and status == 409:  # another device was invited meanwhile
                self._trace("is not invited any more")
                self.gone = True
                self._world.part(self, self.table)
                return
            if status != 503:
                self._world.fail(AssertionError(f"{self.name} may not sit down: {status} {found}"))
                return
            await asyncio.sleep(self._rng.uniform(0.5, 5.0))

    def _pause(self) -> float:
        """How long somebody stays away."""
        return self._rng.choice([1.0, 2.0, 4.0, 8.0, 15.0]) if self._rng.random() < 0.9 else self._rng.uniform(90, 900)

    # A visit

    async def _visit(self) -> None:
        node = self._rng.choice(self._world.nodes)
        hello: dict[str, Any] = {
            "type": "hello",
            "token": self.token,
            "pieces": self._rng.random() < 0.9,
            "story": self._rng.random() < 0.9,
            "language": self._rng.choice(["", "en", "de"]),
            "wide": self._rng.random() < 0.5,
        }
        if self._since:
            hello["since"] = self._since
        ear = self.ear = self._world.ear(self.table, self.token, hello)
        path = f"/api/tables/{self.table}/play"
        line = self.line = Line(self._world.network, node, path, self._address, functools.partial(self._heard, ear))
        self.state, self._waiting, self._pinged = {}, None, False
        self._say(hello)
        try:
            await self._stay(line)
        finally:
            self.line = None
        self._turned_away = self._turned_away + 1 if line.code in FINAL else 0
        if self._turned_away > 1 and (self._world.calm.is_set() or len(self._world.nodes) == 1):
            self._world.fail(AssertionError(f"{self.name} is turned away with {line.code}."))

    def _heard(self, ear: Ear, text: str, message: dict[str, Any]) -> None:
        self._world.guard(lambda: ear.heard(text, message))

    async def _stay(self, line: Line) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + self._think()
        pulse = loop.time() + HEARTBEAT_S
        while True:
            now = loop.time() + EPSILON_S
            if now >= pulse + PATIENCE_S:
                line.close()
                self._trace("gives up waiting")
                return
            if self._world.calm.is_set():
                due = min(due, now + 2.0)
            if now >= due:
                due = now + self._think()
                if self._act(line):
                    return
            if now >= pulse and not self._pinged:
                self._pinged = True
                self._say({"type": "ping"})
            until = min(due, pulse + PATIENCE_S if self._pinged else pulse)
            try:
                async with asyncio.timeout(max(0.0, until - now) + EPSILON_S):
                    message = await line.to_page.get()
            except TimeoutError:
                continue
            if message is None:
                self._trace(f"is cut off ({line.code})")
                return
            pulse, self._pinged = loop.time() + HEARTBEAT_S, False
            if self._read(message):
                due = loop.time() + self._think()

    def _read(self, message: dict[str, Any]) -> bool:
        """Take in a message; whether it shows something new."""
        if message.get("re") is not None:
            self._waiting = None
        if message["type"] == "invitation":
            self._world.come(self.table, message["link"].partition("#")[2])
        if message["type"] != "state":
            if message["type"] == "refused":
                self._trace(f"is refused: {message['code']}")
            return False
        news: bool = message["number"] != self.state.get("number")
        self.state = message
        self._used.add(message["dice"]["anchor"])
        self._since = message["number"]
        return news

    def _think(self) -> float:
        acting = self.state.get("acting") is not None or self.state.get("ask") is not None
        if self._world.calm.is_set():
            return self._rng.uniform(0.3, 2.0)
        return self._rng.expovariate(1 / (20.0 if acting else 120.0))

    def _say(self, message: dict[str, Any]) -> None:
        assert self.line is not None and self.ear is not None
        self._id += 1
        message = {**message, "id": self._id}
        self.ear.said(message)
        self._trace(json.dumps({key: message[key] for key in message if key != "token"}))
        self.line.say(json.dumps(message))
        if self._waiting is None:
            self._waiting = self._world.now

    # What to do

    def _act(self, line: Line) -> bool:
        """Do something; whether the visit ends with it."""
        state = self.state
        if not self._world.awake.is_set():
            line.close()
            return True
        if not state:
            return False
        if state["turn"] == "over":
            return self._end(line)
        if not self._world.calm.is_set() and self._rng.random() < 0.02:
            self._trace("goes")
            self._leave_page(line)
            return True
        message = self._duty() or (None if self._world.calm.is_set() else self._whim())
        if message is not None:
            self._say(message)
            if not self._world.calm.is_set() and self._rng.random() < 0.03:
                self._say(message)  # a second tap
        return False

    def _leave_page(self, line: Line) -> None:
        match self._rng.randrange(3):
            case 0:
                line.close()
            case 1:
                line.snap(noticed=True)
            case _:
                line.snap(noticed=False)

    def _duty(self) -> dict[str, Any] | None:
        """What the table waits for."""
        state = self.state
        mine = [seat for seat in state["seats"] if seat["yours"]]
        if mine and state["chance"] and (part := self._take_part()) is not None:
            return part
        if state["ask"] is not None:
            return {"type": "here", "seat": state["ask"], "number": state["number"]}
        for vote in state["votes"]:
            for seat in mine:
                if seat["seat"] in vote["open"]:
                    yes = self._world.calm.is_set() or self._rng.random() < 0.7
                    return {"type": "vote", "vote": vote["vote"], "seat": seat["seat"], "yes": yes}
        for seat in mine:
            if seat["bot"] and (self._world.calm.is_set() or self._rng.random() < 0.3):
                return {"type": "return", "seat": seat["seat"]}
        if state["acting"] is not None and (self._world.calm.is_set() or self._rng.random() < 0.9):
            return self._move()
        return None

    def _move(self) -> dict[str, Any]:
        state, number = self.state, self.state["number"]
        text = self._rng.choice(state["moves"])["move"]
        if not self._world.calm.is_set():
            if self._rng.random() < 0.02:
                number = max(0, number - self._rng.randrange(1, 4))  # a page that is behind
            elif self._rng.random() < 0.01:
                text = "undo 0"  # a page that cheats
        offer = next((offer for offer in state["moves"] if offer["move"] == text), None)
        part: dict[str, Any] = {}
        if offer and offer["taps"] and not state["dice"]["again"]:
            if not self._has_chain() or self._is_outdated():
                return self._commitment()  # the seat's other device had the last chain; the tap follows
            part = self._part()
        if state["roll"]:
            return {"type": "roll", "number": number, **part}
        return {"type": "move", "move": text, "number": number, **part}

    # A page's part in the dice

    def _chain(self) -> dice.Chain:
        if self.table not in self._chains:
            self._chains[self.table] = dice.Chain(self._rng.randbytes(32))
        return self._chains[self.table]

    def _has_chain(self) -> bool:
        return bool(self.state["dice"]["anchor"] == self._chain().anchor)

    def _commitment(self) -> dict[str, Any]:
        """To a new chain, if another device has taken the place of the old one."""
        if self._chain().anchor in self._used:
            del self._chains[self.table]
        return {"type": "chain", "anchor": self._chain().anchor}

    def _part(self) -> dict[str, Any]:
        """The next link, with what was known when it was first sent."""
        own = self.state["dice"]
        link = self._chain().next(own["tip"])
        assert link is not None
        return {"link": link, "epochs": self._sent.setdefault(link, len(own["commitments"]))}

    def _is_outdated(self) -> bool:
        """Whether the next link got lost in a tap so long ago that it knew too few seeds for one by now."""
        own = self.state["dice"]
        link = self._chain().next(own["tip"])
        return link in self._sent and self._sent[link] < own["least"]

    def _take_part(self) -> dict[str, Any] | None:
        """What a page does by itself."""
        own = self.state["dice"]
        if own["anchor"] is None:
            return self._commitment()
        if not own["due"]:
            return None
        if not self._has_chain():
            return None if own["open"] else self._commitment()
        if self._can_add():
            return {"type": "link", **self._part()}
        return self._commitment() if self.state["turn"] == "chance" else None

    def _can_add(self) -> bool:
        """Whether the next link may be added without a tap: not if one with it got lost that knew no more seeds."""
        tip = self.state["dice"]["tip"]
        link = self._chain().next(tip)
        assert link is not None
        return link not in self._sent or tip not in self._sent or self._sent[link] > self._sent[tip]

    def _whim(self) -> dict[str, Any] | None:
        """What people do besides."""
        state = self.state
        mine = [seat["seat"] for seat in state["seats"] if seat["yours"]]
        away = [seat["seat"] for seat in state["seats"] if seat["away"] and not seat["bot"]]
        whims: list[dict[str, Any]] = [{"type": "ping"}, {"type": "form", "wide": self._rng.random() < 0.5}]
        if state["undo"]:
            whims += [{"type": "undo", "number": state["number"]}] * 3
        if mine:
            seat = self._rng.choice(mine)
            whims += [{"type": "name", "seat": seat, "name": f"{self.name} {self._rng.randrange(9)}"}]
            whims += [{"type": "leave", "seat": seat}, {"type": "emote", "seat": seat, "emote": "hello"}]
            whims += [{"type": "invite", "seat": seat}] if self._rng.random() < 0.1 else []
            whims += [{"type": "takeover", "seat": other} for other in away if other not in mine] * 4
        whim = self._rng.choice(whims)
        if whim["type"] == "form":
            assert self.ear is not None
            whim["wide"] = not self.ear.wide
        return whim

    def _end(self, line: Line) -> bool:
        """The game is over: once more, or home."""
        now = asyncio.get_running_loop().time()
        self._over_since = self._over_since or now
        if self.state["rematch"]:
            line.close()
            if self.token is None:
                self.gone = True
                self._world.part(self, self.table)
                return True
            self.table = self.state["rematch"].rpartition("/")[2]
            self._since, self._over_since = 0, None
            self._world.join(self, self.table)
            self._trace(f"goes to {self.table}")
            return True
        if self.token and self._world.likes_rematch(self.table) and self._waiting is None:
            self._say({"type": "rematch"})
        elif now - self._over_since > 120:
            line.close()
            self.gone = True
            self._world.part(self, self.table)
            self._world.spawn(self._keep_record(self.table))
            return True
        return False

    async def _keep_record(self, table: str) -> None:
        """Ask for the record and check it, as the page does at the end."""
        for _ in range(20):
            try:
                status, found = await self.ask("GET", f"/api/tables/{table}/record", token=self.token)
            except Lost:
                status, found = 0, None
            if status == 200:
                report = verify(found, found["key"], signed=is_signed)
                if not holds(report):
                    self._world.fail(AssertionError(f"The dice of {table} do not verify: {report.findings}"))
                return
            if status not in (0, 503):
                self._world.fail(AssertionError(f"The record of {table} is answered with {status}: {found}"))
            await asyncio.sleep(60)

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """A request to any server."""
        node = self._rng.choice(self._world.nodes)
        return await request(self._world.network, node, method, path, self._address, token, body)
