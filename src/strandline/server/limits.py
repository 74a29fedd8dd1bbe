"""How much anybody may ask for: sizes, rates, origins."""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import secrets
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Collection, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strandline.engine import words
from strandline.server import logs

if TYPE_CHECKING:
    from strandline.server.hall import Settings

_ = words.Words(__file__)

LARGEST_BODY = 16 * 1024
LARGEST_MESSAGE = 4 * 1024
FAST = 4429
"""The code with which a WebSocket is closed that says too much."""
MOST_SPECTATORS = 100
"""Connections to one table without a seat: every change is sent to all of them."""
MOST_SCREENS = 10
"""Connections with one seat's token."""
BURST_S = 3.0
"""Seconds of the average rate that may come at once on a connection."""
CROWD = 5
"""All connections of one address may say as much as this many of them."""
REQUEST_BURST_S = 10.0
PAGES = 5
"""So many times as many pages, scripts and pictures as other requests may be asked for: a page is made of dozens."""
PAUSE_S = 1.0
"""How long whoever asks too fast waits for each answer, even a refusal: to refuse takes time as well."""
VISITORS = 10_000
"""How many visitors are remembered."""
HOUSEHOLD_BITS = 64
"""The first bits of an IPv6 address say whose network it is in."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bucket:
    """Lets `rate` a second through on average, and `seconds` times as many at once."""

    def __init__(self, rate: float, seconds: float) -> None:
        self._rate = rate
        self._most = self._left = rate * seconds
        self._then = time.monotonic()

    def take(self, amount: int = 1) -> bool:
        """Whether so much more may pass now."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def give_back(self) -> None:
        """What was taken does not count."""
        self._left = min(self._most, self._left + 1)


class Buckets:
    """A bucket for each visitor."""

    def __init__(self, rate: float, seconds: float) -> None:
        self._rate = rate
        self._seconds = seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, who: str) -> Bucket:
        """The bucket of a visitor."""
        bucket = self._buckets.pop(who, None) or Bucket(self._rate, self._seconds)
        self._buckets[who] = bucket
        if len(self._buckets) > VISITORS:
            self._buckets.popitem(last=False)
        return bucket

    def take(self, who: str) -> bool:
        """Whether one more of that visitor may pass now."""
        return self.of(who).take()


def address(scope: MutableMapping[str, Any]) -> str:
    """Who asks: the address of the connection, or what a trusted proxy says of it."""
    return str((scope.get("client") or ("",))[0])


def visitor(scope: MutableMapping[str, Any]) -> str:
    """Whom limits count."""
    return household(address(scope))


@functools.lru_cache(VISITORS)
def household(text: str) -> str:
    """An IPv4 address, or the network of an IPv6 address: a single machine has all the addresses of its network."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(found, ipaddress.IPv4Address):
        return text
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOUSEHOLD_BITS), strict=False))


def is_in(text: str, networks: Collection[Network]) -> bool:
    """Whether an address is in one of the networks; an address may stand for a network of its own."""
    found = _address_in(text)
    found = getattr(found, "ipv4_mapped", None) or found
    return found is not None and any(found in network for network in networks)


def same_origin(headers: Headers) -> bool:
    """Whether a browser page of this server asks, or no browser page at all."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


def is_known_host(host: str | None, names: Collection[str]) -> bool:
    """Whether a browser that asks for `host` means this server.

    A page of somebody else may give its own name the address of this server; then it asks for that name.
    """
    name = _host_name(host)
    machine = socket.gethostname().lower()
    own = {machine, f"{machine}.local"} - {"localhost.local"}  # a name that anybody on the local network may answer to
    return name in own or is_this_machine(host, names) or _address_in(name) is not None


def is_this_machine(host: str | None, names: Collection[str]) -> bool:
    """Whether `host` leads from this machine to itself, whatever the network says, or is one of the owner's names."""
    name = _host_name(host)
    found = _address_in(name)
    return name == "localhost" or name in names or (found is not None and found.is_loopback)


def _host_name(host: str | None) -> str:
    try:
        found = urlsplit(f"//{host}")
    except ValueError:
        return ""
    is_all = found.netloc == host and found.username is None  # nothing before the name, nothing after the port
    return (found.hostname or "") if is_all else ""


def _address_in(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


class Guard:
    """Stands before the application: refuses what is too large, too much or from another page; adds the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._requests = Buckets(settings.requests, REQUEST_BURST_S)
        self._pages = Buckets(PAGES * settings.requests, REQUEST_BURST_S)
        self._sockets: Counter[str] = Counter()
        self._slowed: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        logs.request.set(secrets.token_hex(4))
        if scope["type"] == "websocket":
            return await self._socket(scope, receive, send)
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        api = scope["path"].startswith("/api/")
        answer = _with_headers(send, api)
        who = visitor(scope)
        if not (self._requests if api else self._pages).take(who) and (not await self._has_waited(who) or api):
            return await _refuse(answer, 429, _("Too many requests at once. Please wait a moment."))
        if not is_known_host(headers.get("host"), self._settings.hosts):
            return await _refuse(answer, 421, _("This server is not known by that name."))
        if scope["method"] not in ("GET", "HEAD") and not same_origin(headers):
            return await _refuse(answer, 403, _("Only this server's own pages may do that."))
        body = await _body(receive, headers)
        if body is None:
            return await _refuse(answer, 413, _("At most {n} bytes can be sent.", n=LARGEST_BODY))
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"range"]  # nothing is large
        await self._app(scope, _once(body, receive), answer)

    async def _has_waited(self, who: str) -> bool:
        """Let a request wait, unless as many of that address do already as it may have connections."""
        if self._slowed[who] >= self._settings.connections:
            return False
        self._slowed[who] += 1
        try:
            await asyncio.sleep(PAUSE_S)
        finally:
            self._slowed -= Counter([who])
        return True

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = visitor(scope)
        welcome = (
            is_known_host(Headers(scope=scope).get("host"), self._settings.hosts)
            and self._sockets[who] < self._settings.connections
            and self._requests.take(who)
        )
        if not welcome:
            return await send({"type": "websocket.close", "code": 1013})
        self._sockets[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]


async def _body(receive: Receive, headers: Headers) -> bytes | None:
    """The whole body, None if it is too large."""
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > LARGEST_BODY:
        return None
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return body


def _once(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send, api: bool) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            found = list(message.get("headers", ()))
            names = {name.lower() for name, value in found}
            caching = (b"cache-control", b"no-store" if api else b"no-cache")
            more = [header for header in (*HEADERS, caching) if header[0] not in names]
            message = {**message, "headers": [*found, *more]}
        await send(message)

    return answer


async def _refuse(send: Send, status: int, sentence: str) -> None:
    from starlette.responses import JSONResponse

    headers = {429: {"retry-after": "1"}, 413: {"connection": "close"}}.get(status)
    response = JSONResponse({"error": sentence}, status, headers)
    await response({"type": "http"}, _nothing, send)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
