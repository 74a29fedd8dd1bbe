"""Tables, servers and players for the tests of the table."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

import strandline
from strandline.server import app, launch
from strandline.server.hall import Settings
from strandline.server.store import Store
from strandline.table import dice
from strandline.table.record import Header
from strandline.table.table import Setup, Table, hashed, named, new_token

FAST = Settings(tick=0.2, requests=1e6, messages=1e6, connections=10**6, away_after=0, tables=1e6, open_tables=10**6)
"""For tests that are not about limits."""
SEED = bytes(range(32))
PATIENCE = 120.0
"""Seconds that an answer may take on a busy machine."""


def make_setup(
    game: str = "up_the_river", kinds: tuple[str, ...] = ("link", "link"), seed: bytes = SEED, **options: Any
) -> Setup:
    """A table whose tokens are token-0, token-1 …, and `maker` for all who sit here."""
    full = strandline.game(game).new(len(kinds), **options).options
    header = Header("t" * 16, game, full, kinds, dice.commitment(seed))
    tokens = tuple(
        None if kind.startswith("bot") else hashed("maker" if kind == "here" else f"token-{seat}")
        for seat, kind in enumerate(kinds)
    )
    return Setup(header, seed, tokens, named(kinds))


def make_table(game: str = "up_the_river", kinds: tuple[str, ...] = ("link", "link"), **options: Any) -> Table:
    """An open table."""
    table = Table(make_setup(game, kinds, **options))
    table.fold(table.opening())
    return table


def step(table: Table, rng: random.Random) -> None:
    """A random move of whoever's turn it is."""
    turn = table.record.position.turn
    assert isinstance(turn, int)
    move = rng.choice(table.record.position.moves())
    if table.bot(turn) is None:
        table.fold(table.move({turn}, move, table.number, f"salt {table.number}"))
    else:
        table.fold(table.bot_move(turn, move, table.number))


def play_out(table: Table, rng: random.Random, most: int = 10_000) -> Table:
    """Random moves up to the end."""
    for _ in range(most):
        if table.record.over:
            break
        step(table, rng)
    return table


def record_of(table: Table) -> dict[str, Any]:
    """The record as a spectator gets it, as JSON."""
    value: dict[str, Any] = json.loads(json.dumps(table.record.to_json((), table.names, table.setup.seed)))
    return value


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
    """A new table over HTTP, at which seat 0 begins: at once, or after one roll that it can use."""
    while True:
        answer = httpx.post(f"http://{host}/api/tables", json={"game": game, "seats": seats, **more}, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        value: dict[str, Any] = answer.json()
        if seats[0].startswith("bot") or get(host, f"/api/tables/{value['id']}")["turn"] == 0:
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
"""The keys of devices that have sat down, by their invitations."""


def claim(host: str, table: str, invitation: str, key: str | None = None, **more: Any) -> httpx.Response:
    """Sit down by invitation, as a page does."""
    said = {"invitation": invitation.removeprefix("invite="), "key": key or new_token(), **more}
    return httpx.post(f"http://{host}/api/tables/{table}/claim", json=said, timeout=PATIENCE)


def key_of(host: str, table: str, token: str | None) -> str | None:
    """A device's own key: what is an invitation is claimed, once."""
    if token is None or not token.startswith("invite="):
        return token
    if token not in _keys:
        answer = claim(host, table, token)
        assert answer.status_code == 200, answer.text
        _keys[token] = token_of(answer.json()["page"])
    return _keys[token]


def put_together(sent: str, before: list[str]) -> list[str]:
    """A board's pieces, as a page puts them together."""
    pieces: list[str] = []
    for piece in json.loads(sent):
        pieces += [piece] if isinstance(piece, str) else before[piece[0] : piece[1]]
    return pieces


class Player:
    """A person's browser, more or less."""

    def __init__(self, host: str, table: str, token: str | None = None, **hello: Any) -> None:
        self._stack = contextlib.ExitStack()
        address = f"ws://{host}/api/tables/{table}/play"
        opening = connect(address, max_size=None, compression=None, open_timeout=PATIENCE)
        self.socket: ClientConnection = self._stack.enter_context(opening)
        self._id = 0
        self.state: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        """Everything that was ever received."""
        self.answer = self.say(type="hello", token=key_of(host, table, token), **hello)

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.seen.append(message)
        if message["type"] == "state":
            self.state = message
        return message

    def say(self, **message: Any) -> dict[str, Any]:
        """Send a message and wait for its answer."""
        self._id += 1
        self.socket.send(json.dumps({"id": self._id, **message}))
        while True:
            answer = self.receive()
            if answer.get("re") == self._id:
                return answer

    def move(self, text: str | None = None, number: int | None = None) -> dict[str, Any]:
        text = text or self.state["moves"][0]["move"]
        return self.say(type="move", move=text, number=self.state["number"] if number is None else number, salt="s")

    def until(self, wanted: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """The first state for which `wanted` holds."""
        end = time.monotonic() + timeout
        while not (self.state and wanted(self.state)):
            self.receive(end - time.monotonic())
        return self.state

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def people(host: str, table: dict[str, Any]) -> Iterator[list[Player]]:
    """Everybody with a link, connected."""
    with contextlib.ExitStack() as stack:
        links = [seat["link"] for seat in table["seats"] if seat["link"]]
        yield [stack.enter_context(Player(host, table["id"], token_of(link))) for link in links]
