"""Tables, servers and players for the tests of the table."""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from typing import Any, Self

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import strandline
from conversation import check_told, fits
from strandline.server import app, launch
from strandline.server.hall import Settings
from strandline.server.signing import Signer, is_signed
from strandline.server.store import Store
from strandline.table import dice, perspective
from strandline.table.record import Header
from strandline.table.table import Setup, Step, Table, hashed, named, new_token
from strandline.table.verify import Bare, Kept, Sent, verify

FAST = Settings(tick=0.2, requests=1e6, messages=1e6, connections=10**6, away_after=0, tables=1e6, open_tables=10**6)
"""For tests that are not about limits."""
SEED = bytes(range(32))
SIGNER = Signer(SEED)
PATIENCE = 120.0
"""Seconds that an answer may take on a busy machine."""


def make_setup(
    game: str = "up_the_river", kinds: tuple[str, ...] = ("link", "link"), seed: bytes = SEED, **options: Any
) -> Setup:
    """A table whose tokens are token-0, token-1 …, and `maker` for all who sit here."""
    full = strandline.game(game).new(len(kinds), **options).options
    header = Header("t" * 16, game, full, kinds, dice.commitment(seed), strandline.game(game).facts.version)
    tokens = tuple(
        None if kind.startswith("bot") else hashed("maker" if kind == "here" else f"token-{seat}")
        for seat, kind in enumerate(kinds)
    )
    return Setup(header, seed, tokens, named(kinds))


def make_table(game: str = "up_the_river", kinds: tuple[str, ...] = ("link", "link"), **options: Any) -> Table:
    """An open table: everybody has come and has added a link, and whoever begins has rolled."""
    return opened(Table(make_setup(game, kinds, **options)))


def opened(table: Table) -> Table:
    """Everybody comes, and whoever is to roll first does."""
    table.fold(table.opening())
    come(table)
    roll(table)
    return table


def come(table: Table) -> None:
    """The pages of all persons commit to chains, and add the links that are asked for."""
    screens = {
        frozenset(other for other, token in enumerate(table.setup.tokens) if token == own) for own in _own(table)
    }
    for seats in sorted(screens, key=sorted):
        anchor(table, seats, chain_of(min(seats)))
        for page in sorted(screens, key=sorted):
            answer(table, page)


def anchor(table: Table, seats: Collection[int], chain: dice.Chain) -> None:
    """A page commits to a chain. The table's new seed is the same in every run of a test."""
    made, *_ = table.anchor(seats, chain.anchor)
    seed = hashlib.sha256(b"reef" + bytes(seats) + bytes([table.record.ledger.epochs])).hexdigest()
    table.fold(table._with_chance([table.step(dataclasses.replace(made.entry, seed=seed))]))


def _own(table: Table) -> list[str]:
    return [token for token in table.setup.tokens if token is not None]


def answer(table: Table, seats: Collection[int]) -> None:
    """A page adds a link if one is asked for."""
    ledger = table.record.ledger
    chain = ledger.chains.get(min(seats))
    if chain is not None and ledger.is_due(chain):
        table.fold(table.reveal(seats, next_link(table, min(seats)), ledger.epochs))


class Page:
    """A person's page at a table in the same process: it taps, and keeps what it has sent and seen."""

    def __init__(self, table: Table, seats: Collection[int], chain: dice.Chain) -> None:
        self.table, self.seats, self.chain = table, frozenset(seats), chain
        self.number = self.length = 0
        self.anchors: list[str] = []
        self.links: dict[str, Sent] = {}
        self.bare: list[Bare] = []
        self.commitments: tuple[str, ...] = ()
        self.digests: dict[int, str] = {}

    def see(self) -> None:
        """Keep what the table says."""
        record = self.table.record
        self.number, self.length, self.commitments = record.number, record.length, record.ledger.commitments
        self.digests.setdefault(record.length, record.sum.hex())

    def look(self) -> None:
        """Keep what the table says, and add a link if one is asked for."""
        self.see()
        ledger = self.table.record.ledger
        chain = next((chain for chain, anchor in ledger.anchors.items() if anchor == self.chain.anchor), None)
        if chain in ledger.live() and ledger.is_due(chain):
            self.table.fold(self.table.reveal(self.seats, *self.part(None)))
            self.look()

    def commit(self) -> None:
        """Send the anchor."""
        anchor(self.table, self.seats, self.chain)
        self.anchors.append(self.chain.anchor)
        self.look()

    def part(self, number: int | None) -> tuple[str, int]:
        """The next link, with what was known when it was first sent."""
        ledger = self.table.record.ledger
        link = self.chain.next(next(tip for tip in ledger.tips.values() if self.chain.next(tip)))
        assert link is not None
        sent = self.links.get(link, Sent(link, len(self.commitments), self.length, ()))
        self.links[link] = dataclasses.replace(sent, numbers=(*sent.numbers, number))
        return link, sent.epochs

    def tap(self) -> None:
        """Roll. Whoever has not seen how far the game has come cannot."""
        if self.number != self.table.number:
            self.see()
        number = self.table.number
        self.table.fold(self.table.tap(self.seats, number, *self.part(number)))
        self.look()

    def kept(self) -> Kept:
        """What the page could save."""
        links, seen = list(self.links.values()), (list(self.commitments), dict(self.digests))
        return Kept(self.table.id, SIGNER.public, self.anchors, links, self.bare, *seen)


def play_with(pages: list[Page], rng: random.Random, most: int = 10_000) -> Table:
    """Everybody's pages play to the end, random moves."""
    table = pages[0].table
    for _ in range(most):
        for page in pages:
            page.look()
        if table.record.over:
            break
        due = table.roll()
        if due:
            next(page for page in pages if due.seat in page.seats).tap()
            continue
        turn = table.record.position.turn
        assert isinstance(turn, int)
        chosen = rng.choice(table.record.position.moves())
        own = table.bot(turn) is None
        for page in pages:
            if own and turn in page.seats and not perspective._taps(table.record.position, chosen):
                page.see()
                page.bare.append(Bare(page.length, chosen))
        table.fold(table.move({turn}, chosen, table.number) if own else table.bot_move(turn, chosen, table.number))
    return table


class Changing(Page):
    """A page that now and then has lost all it kept before it taps, leaves its seat to a bot, or comes back."""

    def __init__(self, table: Table, seats: Collection[int], rng: random.Random) -> None:
        super().__init__(table, seats, dice.Chain(rng.randbytes(32), links=64))
        self._rng = rng

    def tap(self) -> None:
        """Roll, or not."""
        Page.look(self)
        luck = self._rng.random()
        if luck < 0.2:
            super().__init__(self.table, self.seats, dice.Chain(self._rng.randbytes(32), links=64))
            self.commit()
            Page.look(self)
        elif luck < 0.4 and len(self.table.persons()) > 1:
            self.table.fold(self.table.leave(self.seats, min(self.seats), "random"))
            return
        super().tap()

    def look(self) -> None:
        """As pages do; whoever has left may come back."""
        if min(self.seats) in self.table.stand_ins and self._rng.random() < 0.2:
            self.table.fold(self.table.come_back(self.seats, min(self.seats)))
        if self._rng.random() < 0.8:  # now and then news is late
            super().look()


def unsteady_game(seed: int, players: int = 3) -> tuple[Table, list[Page]]:
    """A game whose people change devices, leave and come back all the time."""
    rng = random.Random(seed)
    table = Table(make_setup(kinds=("link",) * players, seed=rng.randbytes(32)))
    pages: list[Page] = [Changing(table, {seat}, rng) for seat in range(players)]
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dice, "new_seed", lambda: drawn.randbytes(32))  # or the game would be another one each time
        for page in rng.sample(pages, players):
            page.commit()
        play_with(pages, rng)
    for page in pages:
        Page.look(page)
    return table, pages


@functools.cache
def chain_of(seat: int) -> dice.Chain:
    """The chain of a seat's page in these tests."""
    return dice.Chain(bytes([seat]) * 32)


def next_link(table: Table, seat: int) -> str:
    """What the seat's page reveals next."""
    ledger = table.record.ledger
    chain = ledger.chains[seat]
    pages = [chain_of(other) for other in range(table.players)]
    page = next(page for page in pages if page.anchor == ledger.anchors[chain])
    link = page.next(ledger.tips[chain])
    assert link is not None
    return link


def tap(table: Table) -> list[Step]:
    """The steps when the person whose roll it is taps."""
    due = table.roll()
    assert due is not None
    return table.tap({due.seat}, table.number, next_link(table, due.seat), table.record.ledger.epochs)


def roll(table: Table) -> None:
    """Tap as long as somebody is to."""
    while table.roll():
        table.fold(tap(table))


def move(table: Table, text: str) -> None:
    """A person's move, and then all taps that are due."""
    turn = table.record.position.turn
    assert isinstance(turn, int)
    table.fold(table.move({turn}, text, table.number))
    roll(table)


def step(table: Table, rng: random.Random) -> None:
    """A random move of whoever's turn it is, and the taps after it."""
    roll(table)
    turn = table.record.position.turn
    assert isinstance(turn, int)
    chosen = rng.choice(table.record.position.moves())
    if table.bot(turn) is None:
        table.fold(table.move({turn}, chosen, table.number))
    else:
        table.fold(table.bot_move(turn, chosen, table.number))
    roll(table)


def play_out(table: Table, rng: random.Random, most: int = 10_000) -> Table:
    """Random moves up to the end."""
    for _ in range(most):
        if table.record.over:
            break
        step(table, rng)
    return table


def record_of(table: Table) -> dict[str, Any]:
    """The record as a spectator gets it, as JSON."""
    value: dict[str, Any] = json.loads(json.dumps(SIGNER.signed(table.record.to_json((), table.names, table.seeds))))
    return value


def verified(value: Any, **how: Any) -> str:
    """The verdict on a record by somebody who knows the server's key."""
    return verify(value, SIGNER.public, signed=is_signed, **how).verdict


class Running:
    """A server in a thread of this process."""

    def __init__(self, store: Store, settings: Settings = FAST, lan: launch.Lan = "never") -> None:
        self.app = app.create(store, settings)
        self._server = launch.Server(launch.config(self.app, "127.0.0.1", 0), None, False, self.app.state.door, lan)
        socket = self._server.config.bind_socket()
        self.host = f"127.0.0.1:{socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.run, args=([socket],), daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "The server did not start."
            time.sleep(0.01)

    @property
    def connections(self) -> int:
        """How many are connected now."""
        return len(self._server.server_state.connections)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()


def heed_interrupts() -> None:
    """What is started in the background ignores interrupts, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Process:
    """`strandline serve` in a process of its own. When it is stopped it must not have complained of anything."""

    def __init__(self, store: str, port: int = 0) -> None:
        how = ("--port", str(port), "--store", store, "--tables", "100000")
        command = [sys.executable, "-m", "strandline", "serve", *how]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=heed_interrupts,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://(\S+:\d+)", line)
        assert found, f"{line}{self.process.stderr and self.process.stderr.read()}"
        self.host = found[1]

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self._complaints = str(self.process.communicate()[1])

    def stop(self, ending: signal.Signals = signal.SIGTERM) -> None:
        """As a terminal or a service manager would: its processes get the signal too."""
        os.killpg(self.process.pid, ending)
        self._complaints = str(self.process.communicate(timeout=PATIENCE)[1])

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.stop()
        said = [line for line in self._complaints.splitlines() if line]
        assert said in ([], ["Stopped."])


def make(host: str, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
    """A new table over HTTP, at which seat 0 is to decide: at once, or after a roll that it can use."""
    while True:
        answer = httpx.post(f"http://{host}/api/tables", json={"game": game, "seats": seats, **more}, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        value: dict[str, Any] = answer.json()
        if seats[0].startswith("bot"):
            return value
        with Player(host, value["id"], token_of(value["seats"][0]["link"])) as first:
            while first.state["roll"] and first.state["acting"] == 0:
                first.move()
            if first.state["acting"] == 0:
                return value


def get(host: str, path: str, token: str | None = None) -> Any:
    parts = path.split("/")
    key = key_of(host, parts[3], token) if token else None
    headers = {"authorization": f"Bearer {key}"} if key else {}
    answer = httpx.get(f"http://{host}{path}", headers=headers, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()


def token_of(link: str) -> str:
    return link.partition("#")[2]


_keys: dict[str, str] = {}
"""The keys of devices that sit down, by their invitations."""
_claimed: set[str] = set()
"""The invitations that have been claimed."""


def claim(host: str, table: str, invitation: str, key: str | None = None, **more: Any) -> httpx.Response:
    """Sit down by invitation, as a page does."""
    said = {"invitation": invitation.removeprefix("invite="), "key": key or new_token(), **more}
    return httpx.post(f"http://{host}/api/tables/{table}/claim", json=said, timeout=PATIENCE)


def key_of(host: str, table: str, token: str | None) -> str | None:
    """A device's own key: what is an invitation is claimed, once.

    The key is kept before it is sent, as a page does: a claim whose answer never came is made again with it.
    """
    if token is None or not token.startswith("invite="):
        return token
    if token not in _claimed:
        answer = claim(host, table, token, _keys.setdefault(token, new_token()))
        assert answer.status_code == 200, answer.text
        _claimed.add(token)
    return _keys[token]


def put_together(sent: str, before: list[str]) -> list[str]:
    """A board's pieces, as a page puts them together."""
    pieces: list[str] = []
    for piece in json.loads(sent):
        pieces += [piece] if isinstance(piece, str) else before[piece[0] : piece[1]]
    return pieces


@functools.cache
def chain_of_browser(table: str, token: str) -> dice.Chain:
    """What the browser of whoever has this token keeps."""
    return dice.Chain()


class Player:
    """A person's browser, more or less. It takes its part in the dice by itself."""

    def __init__(self, host: str, table: str, token: str | None = None, **hello: Any) -> None:
        self._stack = contextlib.ExitStack()
        address = f"ws://{host}/api/tables/{table}/play"
        opening = connect(address, max_size=None, compression=None, open_timeout=PATIENCE)
        self.socket: ClientConnection = self._stack.enter_context(opening)
        self._id = 0
        self._nonsense: set[int] = set()
        """Messages that no page would send."""
        self.state: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        """Everything that was ever received."""
        self._chain = chain_of_browser(table, key_of(host, table, token)) if token else None
        self.answer = self.say(type="hello", token=key_of(host, table, token), **hello)
        if self._chain and self.answer["type"] == "state" and self.state["chance"] and not self.state["dice"]["anchor"]:
            self.say(type="chain", anchor=self._chain.anchor)
            self.until(lambda state: not state["dice"]["due"] and state["turn"] != "chance")

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message = check_told(self.socket.recv(timeout))
        assert message["type"] == "refused" or message.get("re") not in self._nonsense
        self.seen.append(message)
        if message["type"] == "state":
            self.state = message
            if self._chain and message["dice"]["due"]:
                self._send(type="link", **self._part())
        return message

    def _part(self) -> dict[str, Any]:
        """The next link."""
        own = self.state["dice"]
        if own["again"] or self._chain is None or own["tip"] is None:
            return {}
        return {"link": self._chain.next(own["tip"]), "epochs": len(own["commitments"])}

    def say(self, **message: Any) -> dict[str, Any]:
        """Send a message and wait for its answer."""
        sent = self._send(**message)
        while True:
            answer = self.receive()
            if answer.get("re") == sent:
                return answer

    def _send(self, **message: Any) -> int:
        self._id += 1
        message = {"id": self._id, **message}
        if not fits(message):
            self._nonsense.add(self._id)
        self.socket.send(json.dumps(message))
        return self._id

    def move(self, text: str | None = None, number: int | None = None) -> dict[str, Any]:
        """A move, or a tap if that is what the table waits for."""
        text = text or self.state["moves"][0]["move"]
        number = self.state["number"] if number is None else number
        offer = next((offer for offer in self.state["moves"] if offer["move"] == text), None)
        part = self._part() if offer and offer["taps"] else {}
        if self.state["roll"] and offer:
            return self.say(type="roll", number=number, **part)
        return self.say(type="move", move=text, number=number, **part)

    def decide(self) -> dict[str, Any]:
        """Wait until this person is to decide, tapping meanwhile; or until the game is over."""
        while self.until(lambda state: state["acting"] is not None or state["turn"] == "over")["roll"]:
            self.move()
        return self.state

    def until(self, wanted: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """The first state for which `wanted` holds."""
        end = time.monotonic() + timeout
        while not (self.state and wanted(self.state)):
            self.receive(end - time.monotonic())
        return self.state

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def people(host: str, table: dict[str, Any]) -> Iterator[list[Player]]:
    """Everybody with a link, connected."""
    with contextlib.ExitStack() as stack:
        links = [seat["link"] for seat in table["seats"] if seat["link"]]
        yield [stack.enter_context(Player(host, table["id"], token_of(link))) for link in links]
