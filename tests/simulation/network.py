"""Connections that delay, break, half break, and deliver late; and requests whose answers get lost."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from conversation import check_said, check_told

if TYPE_CHECKING:
    from simulation.node import Node

Message = MutableMapping[str, Any]
Told = dict[str, Any]
"""What a server says to a page."""
HOST = "localhost"


class Lost(Exception):
    """The request or its answer did not arrive."""


class Network:
    """How well messages travel just now."""

    def __init__(self, loop: asyncio.AbstractEventLoop, rng: random.Random) -> None:
        self.loop = loop
        self.rng = rng
        self.bad = False

    def latency(self) -> float:
        """How long a message travels."""
        return self.rng.expovariate(1 / 2.0) if self.bad and self.rng.random() < 0.2 else self.rng.uniform(0.005, 0.2)

    def loses(self) -> bool:
        """Whether a request gets lost."""
        return self.bad and self.rng.random() < 0.1


class Line:
    """One WebSocket between a page and a server. Within it messages keep their order."""

    def __init__(
        self, network: Network, node: Node, path: str, address: str, sent: Callable[[str, Told], None]
    ) -> None:
        self._network = network
        self._sent = sent
        self.node = node
        self.to_page: asyncio.Queue[Told | None] = asyncio.Queue()
        """What arrives at the page; None: the connection has ended."""
        self.code: int | None = None
        """With which the server has closed."""
        self.answering = True
        """Whether the server can still be expected to answer."""
        self._to_server: asyncio.Queue[Message] = asyncio.Queue()
        self._last = [0.0, 0.0]
        self._cut = False
        """Whether nothing reaches the page any more."""
        self._deaf = False
        """Whether nothing reaches the server any more."""
        self._ended = False
        scope = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": ""}
        scope |= {"headers": [(b"host", HOST.encode())], "client": (address, 1), "scheme": "ws", "subprotocols": []}
        self._to_server.put_nowait({"type": "websocket.connect"})
        node.serve(self, scope)

    def _deliver(self, direction: int, act: Callable[[], None]) -> None:
        loop = self._network.loop
        self._last[direction] = max(self._last[direction] + 1e-6, loop.time() + self._network.latency())
        loop.call_at(self._last[direction], act)

    # The page's end

    def say(self, text: str) -> None:
        """Send a message, which may or may not arrive."""
        check_said(text)
        self.say_nonsense(text)

    def say_nonsense(self, text: str) -> None:
        """Send what no page would."""
        self._deliver(0, lambda: self._arrive({"type": "websocket.receive", "text": text}))

    def close(self) -> None:
        """The page goes away, and says so."""
        self._end_page()
        self._deliver(0, lambda: self._hang_up(1001))

    def snap(self, noticed: bool) -> None:
        """The connection breaks. What is under way may still reach the server, which notices the end later.

        Without `noticed` the page goes on waiting.
        """
        loop, rng = self._network.loop, self._network.rng
        self.answering = False
        self._cut = True
        if rng.random() < 0.5:
            self._deaf = True
        loop.call_later(rng.uniform(0.0, 90.0), self._hang_up, 1006)
        if noticed:
            self._end_page()

    def _end_page(self) -> None:
        self.answering = False
        self._cut = True
        self.to_page.put_nowait(None)

    # The server's end, as ASGI has it

    def _arrive(self, message: Message) -> None:
        if not self._deaf and not self._ended:
            self._to_server.put_nowait(message)

    def _hang_up(self, code: int) -> None:
        if not self._ended:
            self._ended = True
            self._to_server.put_nowait({"type": "websocket.disconnect", "code": code})

    async def receive(self) -> Message:
        """What the server reads."""
        return await self._to_server.get()

    async def send(self, message: Message) -> None:
        """What the server says."""
        if self._network.bad and self._network.rng.random() < 0.05:
            await asyncio.sleep(self._network.rng.uniform(0.1, 5.0))  # a slow reader
        if self._ended:
            raise OSError("The connection has ended.")
        if message["type"] == "websocket.send":
            text = message["text"]
            told = check_told(text)
            self._sent(text, told)
            self._deliver(1, lambda: self._show(told))
        elif message["type"] == "websocket.close":
            self.end(message.get("code", 1000))

    def _show(self, told: Told) -> None:
        if not self._cut:
            self.to_page.put_nowait(told)

    def end(self, code: int) -> None:
        """The server closes the connection, or has ended itself."""
        if self._ended:
            return
        self._ended = True
        self.answering = False
        self.code = code
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": code})
        self._deliver(1, lambda: None if self._cut else self._end_page())


async def request(
    network: Network, node: Node, method: str, path: str, address: str, token: str | None = None, body: Any = None
) -> tuple[int, Any]:
    """Status and JSON of an HTTP request. `Lost` if nobody knows whether it was carried out."""
    status, raw = await raw_request(network, node, method, path, address, token, body)
    return status, json.loads(raw) if raw else None


async def raw_request(
    network: Network, node: Node, method: str, path: str, address: str, token: str | None = None, body: Any = None
) -> tuple[int, bytes]:
    """The same with the content as it is."""
    await asyncio.sleep(network.latency())
    if network.loses() or not node.up:
        raise Lost
    content = b"" if body is None else json.dumps(body).encode()
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": headers, "client": (address, 1), "scheme": "http", "root_path": "", "http_version": "1.1"}
    parts: list[Message] = []
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            await asyncio.Event().wait()
        given = True
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Message) -> None:
        parts.append(message)

    work = node.handle(scope, receive, send)
    await asyncio.wait([work])
    if work.cancelled():
        raise Lost
    work.result()
    await asyncio.sleep(network.latency())
    if network.loses():
        raise Lost
    return parts[0]["status"], b"".join(part.get("body", b"") for part in parts[1:])
