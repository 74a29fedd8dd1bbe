"""Requests that this server makes to addresses that people have given it: only to where strangers may send it."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_S = 10.0
MOST_ADDRESSES = 3
"""Addresses of one name that are tried."""
LONGEST_STATUS = 1024
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
Found = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]
"""A way to a host, as the system finds it."""
EMBEDDING = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"), ipaddress.ip_network("::/96"))
"""IPv6 addresses that stand for IPv4 ones, which might be anywhere."""


class NotThere(Exception):
    """The request cannot be made, or got no answer; the message says why."""


def check(url: str, inside: bool) -> None:
    """Raise `NotThere` if an address is none to which this server sends anything. Its name is looked up later."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotThere("That is not an address.") from None
    if parts.scheme != "https" and not (inside and parts.scheme == "http"):
        raise NotThere("The address must begin with https://.")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise NotThere("That is not an address.")


def post(url: str, body: bytes, headers: Mapping[str, str], inside: bool) -> int:
    """Send a request and give the answer's status. `inside`: also to addresses on local networks.

    The name is looked up once, and what was checked is what is connected to; redirects are not followed. However slowly
    the other side answers, byte by byte if it likes, it keeps us no longer than `TIMEOUT_S` once its name is known.
    """
    check(url, inside)
    parts = urlsplit(url)
    host = str(parts.hostname)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        end = time.monotonic() + TIMEOUT_S
        with contextlib.closing(_Line(host, port)) as line:
            line.sock = _connected(host, found, inside, end)
            if parts.scheme == "https":
                line.sock = ssl.create_default_context().wrap_socket(line.sock, server_hostname=host)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            line.request("POST", path, body, {**headers, "User-Agent": "Strandline"})
            return _status(line.sock, end)
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotThere(f"{host} does not answer: {type(error).__name__}.") from None


class _Line(http.client.HTTPConnection):
    """A connection that somebody else has made."""

    sock: socket.socket
    auto_open = 0


def _connected(host: str, found: Sequence[Found], inside: bool, end: float) -> socket.socket:
    allowed = [way for way in found if inside or is_public(str(way[4][0]))]
    for family, kind, protocol, _, place in allowed[:MOST_ADDRESSES]:
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(_left(end))
            connection.connect(place)
        except OSError:
            connection.close()
            continue
        return connection
    raise NotThere(f"{host} has no public address that answers.")


def _status(connection: socket.socket, end: float) -> int:
    """The status of an answer; nothing else of it is read."""
    answer = b""
    while b"\n" not in answer and len(answer) < LONGEST_STATUS:
        connection.settimeout(_left(end))
        more = connection.recv(LONGEST_STATUS)
        if not more:
            break
        answer += more
    status = STATUS.match(answer)
    if status is None:
        raise http.client.BadStatusLine("")
    return int(status[1])


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def is_public(text: str) -> bool:
    """Whether an address is on the internet, and not on this machine or a network that is somebody's own."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif any(address in network for network in EMBEDDING):
            return False
    return address.is_global and not address.is_multicast
