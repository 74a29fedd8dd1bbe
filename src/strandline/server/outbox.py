"""Requests that this server makes to addresses that people have given it: only to where strangers may send it."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

TIMEOUT_S = 10.0
LARGEST_ANSWER = 1024
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
        raise NotThere("That is no address.") from None
    if parts.scheme != "https" and not (inside and parts.scheme == "http"):
        raise NotThere("The address must begin with https://.")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise NotThere("That is no address.")


def post(url: str, body: bytes, headers: Mapping[str, str], inside: bool) -> int:
    """Send a request and give the answer's status. `inside`: also to addresses on local networks.

    The name is looked up once, and what was checked is what is connected to; redirects are not followed.
    """
    check(url, inside)
    parts = urlsplit(url)
    host = str(parts.hostname)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.sock = _connected(host, port, inside)
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, {**headers, "User-Agent": "Strandline"})
        answer = connection.getresponse()
        answer.read(LARGEST_ANSWER)
        return answer.status
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotThere(f"{host} does not answer: {type(error).__name__}.") from None
    finally:
        connection.close()


def _connected(host: str, port: int, inside: bool) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, place in found:
        if inside or is_public(str(place[0])):
            connection = socket.socket(family, kind, protocol)
            connection.settimeout(TIMEOUT_S)
            try:
                connection.connect(place)
            except OSError:
                connection.close()
                continue
            return connection
    raise NotThere(f"{host} has no public address that answers.")


def is_public(text: str) -> bool:
    """Whether an address is on the internet, and not on this machine or a network that is somebody's own."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif any(address in network for network in EMBEDDING):
            return False
    return address.is_global and not address.is_multicast
