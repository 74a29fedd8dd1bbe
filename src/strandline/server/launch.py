"""Starting the server: `strandline serve`, `strandline play` and `strandline replay`."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import json
import signal
import socket
import sys
import tempfile
import urllib.request
import webbrowser
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn
from urllib.parse import urlencode

import platformdirs
import uvicorn
from fastapi import FastAPI

from strandline.engine import checks
from strandline.engine.errors import BadOptions
from strandline.server import logs
from strandline.server.app import create
from strandline.server.hall import Hall, Settings
from strandline.server.http import IDLE_S, LARGEST_HEAD, limited, limited_socket
from strandline.server.lan import Door, own_addresses
from strandline.server.limits import LARGEST_MESSAGE
from strandline.server.signing import is_key, is_signed, known_keys, remember
from strandline.server.store import Store, is_in_use
from strandline.table import dice
from strandline.table.ledger import Anchor, Link
from strandline.table.record import BadRecord, Document, Line, from_json
from strandline.table.table import LONGEST_NAME, Entry, Kind, Setup, Table
from strandline.table.verify import KEPT_BEFORE, KEPT_FORMAT, Report, kept_from_json, verify

PORT = 7245
"""Where `strandline play` is: always the same, so that yesterday's links open today."""
PORTS = 20
PATIENCE_S = 5.0
"""How long a server that runs already may take to say so."""
EVERYWHERE = ("0.0.0.0", "::")
Lan = Literal["never", "asked", "now"]


def default_store() -> str:
    """The store in the user's data folder."""
    folder = platformdirs.user_data_path("strandline", appauthor=False, ensure_exists=True)
    return f"sqlite:///{folder / 'tables.sqlite'}"


class Server(uvicorn.Server):
    """A server that says where it is, and shows a page when it is ready."""

    def __init__(self, config: uvicorn.Config, show: str | None, browser: bool, door: Door, lan: Lan) -> None:
        super().__init__(config)
        self._show = show
        self._browser = browser
        self._door = door
        self._lan = lan

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Start, then tell people."""
        await super().startup(sockets)
        if not self.started or not sockets:
            return
        host, port = sockets[0].getsockname()[:2]
        self._door.port = port
        self._door.is_open = host in EVERYWHERE
        if self._lan != "never":
            self._door.opener = self._let_others_in
        if self._lan == "now":
            await self._door.open()
        own = f"http://{_in_address('127.0.0.1' if host in EVERYWHERE else host)}:{port}"
        page = own + (self._show or "/")
        print(f"Strandline is at {page if self._show else own} (Ctrl+C stops it).", flush=True)
        if others := self._door.addresses():
            print(f"Others on your network find it at {' or '.join(others)}", flush=True)
        if self._browser:
            await asyncio.to_thread(webbrowser.open, page)

    async def _let_others_in(self) -> None:
        """Listen at this machine's addresses on local networks too, at the same port."""
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            kind: Any = self.config.http_protocol_class
            made: asyncio.Protocol = kind(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        for address in own_addresses():
            self.servers.append(await loop.create_server(protocol, address, self._door.port))


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def free_port(wanted: int) -> int:
    """The port, or the next one that is free."""
    for port in range(wanted, wanted + PORTS):
        with socket.socket() as place, contextlib.suppress(OSError):
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            place.bind(("127.0.0.1", port))
            return port
    raise BadOptions(f"The ports {wanted} to {wanted + PORTS - 1} are all taken. Choose another with --port.")


def bound(host: str, port: int) -> socket.socket:
    """A socket at that address, for a server that listens there."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise BadOptions(
            f"No server can listen at {_in_address(host)}:{port}: {(error.strerror or str(error)).lower()}. "
            "Choose another place with --host or --port."
        ) from None
    return found


def config(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """How the application is served. Requests are not logged: nothing that anybody sends is written down."""
    proxies = app.state.hall.settings.proxies
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        log_level="error",
        access_log=False,
        http=limited(app.state.hall.settings),
        ws=limited_socket(app.state.hall.settings),
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=IDLE_S,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws_max_size=16 * LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )


def serve(
    store: str,
    host: str,
    port: int,
    settings: Settings | None = None,
    browser: bool = False,
    show: str | None = None,
    table: dict[str, Any] | None = None,
    lan: Lan = "never",
) -> None:
    """Serve until stopped. `table`: what to make before the browser opens, as for `Hall.make`.

    `lan`: whether a server for this machine alone can be opened to the local network, or is at once.
    """
    signal.signal(signal.SIGTERM, _end)
    logs.install((settings or Settings()).json_log)
    opened = Store(store, migrate=True)
    try:
        opened.claim()
        app = create(opened, settings)
        remember(app.state.hall.signer.public)
        running = Server(config(app, host, port), show, browser, app.state.door, lan)
        if table is not None:
            _make_first(app, running, table)
        _answer_soon()
        running.run(sockets=[bound(host, port)])
    finally:
        opened.close()


def _answer_soon() -> None:
    """Nobody's move is to wait long for what the interpreter does by itself."""
    gc.freeze()  # what is there now stays: it is not looked through for garbage
    gc.set_threshold(2_000, 10, 1_000)  # a little at a time: moves leave hardly any that has to be looked for
    sys.setswitchinterval(0.001)  # the store's thread lets go, and waits its turn again, several times a move


def _end(*_: object) -> NoReturn:
    """Asked to end: in order, with the store closed. By itself the signal would end the process on the spot."""
    raise SystemExit(0)


def _make_first(app: FastAPI, running: Server, table: dict[str, Any]) -> None:
    """Make a table when the hall is open, and show it."""
    inner = app.router.lifespan_context
    hall: Hall = app.state.hall

    @contextlib.asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        async with inner(application):
            made = await hall.make(**table)
            running._show = made.links()["page"]
            yield

    app.router.lifespan_context = lifespan


def play(table: dict[str, Any] | None, port: int = PORT, lan: bool = False) -> None:
    """Start a server for this machine alone and open the lobby, or a new table of this game, options and kinds."""
    store = default_store()
    if is_in_use(store) and (there := _running_at(port) or _running_at(PORT)):
        page = there + (_new_table(table) if table else "/")
        if table and not _knows(there, table["game"]):
            raise BadOptions(
                f"Strandline is running already, at {there}, and is older than {table['game']}."
                " Stop it with Ctrl+C where it was started, and start it again."
            )
        print(f"Strandline is running already, at {page if table else there}", flush=True)
        if lan:
            print("“Let others join” in its lobby opens it to your local network.", flush=True)
        webbrowser.open(page)
        return
    found = free_port(port)
    if found != port:
        print(f"Port {port} is taken, so this is port {found}: links of other days open only at {port}.", flush=True)
    serve(store, "127.0.0.1", found, browser=True, table=table, lan="now" if lan else "asked")


def _running_at(port: int) -> str | None:
    """Where a server runs on this machine that was started with that port in mind."""
    for each in range(port, port + PORTS):
        with contextlib.suppress(OSError):
            there = f"http://127.0.0.1:{each}"
            with urllib.request.urlopen(f"{there}/healthz", timeout=PATIENCE_S) as answer:
                if answer.read(16) == b"alive\n":
                    return there
    return None


def _knows(there: str, game: str) -> bool:
    """Whether the server there has the game."""
    with urllib.request.urlopen(f"{there}/api/games", timeout=PATIENCE_S) as answer:
        return any(each["name"] == game for each in json.load(answer)["games"])


def _new_table(table: dict[str, Any]) -> str:
    """The page that makes such a table."""
    options = {name: str(value).lower() for name, value in table["options"].items()}
    return f"/new/?{urlencode({'game': table['game'], 'seats': ','.join(table['kinds']), **options})}"


# Records from files


def read_file(file: Path) -> Any:
    """The JSON value in a file. Raises `BadRecord` if there is none."""
    try:
        return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once_each)
    except OSError as error:
        raise BadRecord(f"{file} cannot be read: {error.strerror}.") from None
    except NameTwice as error:
        raise BadRecord(f"{file} has the name {error} twice in one object, so readers may disagree on it.") from None
    except (ValueError, RecursionError):
        raise BadRecord(f"{file} is not a JSON file.") from None


class NameTwice(ValueError):
    """An object has a name twice; of the two values some readers see the first and others the last."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise NameTwice(checks.shown(name))
        found[name] = value
    return found


def read_record(file: Path) -> Any:
    """The JSON value in a file, if it may be a record. Raises `BadRecord`."""
    value = read_file(file)
    if not isinstance(value, dict) or "format" not in value:
        raise BadRecord(f"{file} is not the record of a game.")
    if value["format"] in (KEPT_FORMAT, KEPT_BEFORE):
        raise BadRecord(f"{file} is what a page has kept, not the record: name the record, and this one with --kept.")
    return value


def verify_file(file: Path, kept: Path | None = None, key: str | None = None) -> Report:
    """Check the record in a file, with what a page has kept, and with a key or those known on this machine."""
    key = key and key.lower()
    if key is not None and not is_key(key):
        raise BadRecord(f"{key!r} is not a server's public key: that is 64 hexadecimal digits.")
    record = read_record(file)
    try:
        found = kept_from_json(read_file(kept)) if kept else None
    except BadRecord as error:
        raise BadRecord(f"{kept} cannot be used. {error}") from None
    return verify(record, key, known_keys(), found, is_signed)


def replay_file(file: Path) -> None:
    """Open the record in a file in the browser."""
    document = from_json(read_record(file))
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'replay.sqlite'}"
        table = laid_out(document)
        store = Store(url)
        store.create(table[0], table[1]).result()
        store.close()
        serve(url, "127.0.0.1", 0, browser=True, show=f"/table/{document.header.table}?at=0")


def laid_out(document: Document) -> tuple[Setup, list[Entry]]:
    """The table that a record comes from, for looking at only. Raises `BadRecord` if it cannot be replayed."""
    entries = list(_entries(document))
    setup = _setup(document, document.header.kinds)
    if document.seeds and dice.commitment(document.seeds[0]) != setup.header.commitment:
        raise BadRecord("The record’s first seed is not the one that it is committed to: see `strandline verify`.")
    table = Table(setup)
    try:
        table.replay(entries)
    except ValueError as error:
        raise BadRecord(f"Line {table.number + 1} cannot be replayed: {error}") from None
    if not table.record.over:  # nobody shall go on playing, bots least of all
        setup = _setup(document, ("link",) * len(setup.names))
    return setup, entries


def _setup(document: Document, kinds: Sequence[str]) -> Setup:
    header = dataclasses.replace(document.header, kinds=tuple(kinds))
    if document.seeds:
        seed = document.seeds[0]
    else:  # another will do: nothing is drawn any more
        seed = dice.new_seed()
        header = dataclasses.replace(header, commitment=dice.commitment(seed))
    nobody = (None,) * len(kinds)
    names = tuple(name[:LONGEST_NAME] for name in document.names)  # as they are: nobody plays here
    return Setup(header, seed, nobody, names, hints=False)


def _entries(document: Document) -> Iterator[Entry]:
    """Lines, and what belongs to the dice if that is revealed."""
    seeds = iter(document.seeds[1:] if document.seeds else ())
    for item in document.items():
        match item:
            case Line("chance", text):
                yield Entry(Kind.CHANCE, None, text)
            case Line(int(seat), text):
                yield Entry(Kind.MOVE if item.undo is None else Kind.UNDO, seat, text)
            case Anchor(seats, anchor) if document.seeds:
                yield Entry(Kind.ANCHOR, min(seats), json.dumps([seats, anchor]), next(seeds).hex())
            case Link(chain, link, epochs, tap) if document.seeds:
                yield Entry(Kind.LINK, None, json.dumps([chain, link, epochs, tap]))
