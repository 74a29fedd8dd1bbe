"""The local network: this machine's addresses there, and a door that stays shut until somebody asks to open it."""

import ipaddress
import socket
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

import ifaddr
import segno
from fastapi import FastAPI, Request, Response

from strandline.engine.words import Words
from strandline.server import models
from strandline.server.operations import is_local
from strandline.table.table import Refused

_ = Words(__file__)

NOWHERE = ("192.0.2.1", 9)
"""An address to which nothing is sent; the way there begins at the address that others know us by."""


def own_addresses() -> list[str]:
    """This machine's addresses on local networks, the likeliest first."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    local = [address for address in found if _is_on_local_network(address)]
    first = _towards_others()
    return sorted(dict.fromkeys(local), key=lambda address: address != first)


def _is_on_local_network(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return address.is_private and not address.is_loopback and not address.is_link_local


def _towards_others() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(NOWHERE)
        except OSError:
            return None
        return str(way.getsockname()[0])


class Door:
    """Whether others on the local network can come in, and where."""

    def __init__(self) -> None:
        self.port = 0
        self.is_open = False
        self.opener: Callable[[], Awaitable[None]] | None = None
        """What opens the door, on a server that can."""

    def addresses(self) -> list[str]:
        """Where others find this server, if the door is open."""
        return [f"http://{address}:{self.port}" for address in own_addresses()] if self.is_open else []

    async def open(self) -> None:
        """Let others in."""
        if self.is_open:
            return
        if self.opener is None:
            raise Refused("state", _("Whoever started this server decides who can reach it."))
        if not own_addresses():
            raise Refused("state", _("This machine is not on a local network just now."))
        await self.opener()
        self.is_open = True


def add(app: FastAPI, door: Door) -> None:
    """Add the addresses that are for the person at this machine, and pictures of links for phones."""
    problems: dict[int | str, dict[str, Any]] = {
        code: {"model": models.Problem} for code in (400, 403, 409, 413, 422, 429)
    }

    @app.get("/api/lan", response_model=models.Lan, responses={429: problems[429]})
    def look(request: Request) -> Any:
        """Where others on the local network find this server. Only this machine is told."""
        return _told(request)

    @app.post("/api/lan/open", response_model=models.Lan, responses=problems)
    async def let_in(request: Request) -> Any:
        """Open the server to the local network. Only this machine may ask for it."""
        if not is_local(request):
            raise Refused("state", _("Only on its own machine can the server be opened to others."))
        await door.open()
        return _told(request)

    def _told(request: Request) -> dict[str, Any]:
        local = is_local(request)
        can_open = local and not door.is_open and door.opener is not None
        return {"open": door.is_open, "can_open": can_open, "addresses": door.addresses() if local else []}

    svg: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}

    @app.post("/api/qr", response_class=Response, responses=svg | problems)
    def qr(said: models.Pictured) -> Response:
        """A QR code of a link, as SVG. It is sent in the body, so that no log has it."""
        drawn = BytesIO()
        code = segno.make(said.text, error="m", micro=False)
        code.save(drawn, kind="svg", scale=4, border=4, dark="#12303b", light="#ffffff", xmldecl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")
