"""For whoever runs the server: is it alive, can it serve, what does it count?"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from contextlib import suppress

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy.exc import SQLAlchemyError

from strandline.server import waiting
from strandline.server.hall import Hall, outage
from strandline.server.limits import address, is_this_machine

LOOK_S = 1.0
"""The store is asked this often whether it answers, however many ask us."""
ANSWER_S = 3.0
"""How long whoever watches over the server waits for the store: probes give up soon."""
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")


def add(app: FastAPI, hall: Hall) -> None:
    """Add the addresses of operations."""
    readiness = Readiness(hall)

    @app.get("/healthz", include_in_schema=False)
    async def alive() -> Response:
        return PlainTextResponse("alive\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> Response:
        is_ready = await readiness.now()
        return PlainTextResponse("ready\n" if is_ready else "the store does not answer\n", 200 if is_ready else 503)

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        if not hall.settings.open_metrics and not is_local(request):
            return JSONResponse({"error": "There is nothing here."}, 404)
        counts: list[tuple[str, str, int, str, int]] = []
        with suppress(SQLAlchemyError):  # the rest is told while the store does not answer
            async with waiting.in_time(ANSWER_S):
                counts = await waiting.read(hall.store.lesson_counts)
        return Response(hall.metrics.text(counts), media_type="text/plain; version=0.0.4; charset=utf-8")


class Readiness:
    """Whether the store answers."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._lock = asyncio.Lock()
        self._looked = -LOOK_S
        self._found = False

    async def now(self) -> bool:
        """Look, unless somebody has just looked."""
        async with self._lock:
            if time.monotonic() - self._looked >= LOOK_S:
                self._found = await self._look()
                self._looked = time.monotonic()
            return self._found

    async def _look(self) -> bool:
        try:
            async with waiting.in_time(ANSWER_S):
                await waiting.read(self._hall.store.look)
        except Exception as error:
            if not outage(error):
                raise
            return False
        return True


def is_local(request: Request) -> bool:
    """Whether somebody on this machine asks for themselves, and no proxy for others, nor a page by another name."""
    if any(name in request.headers for name in FORWARDED):
        return False
    if not is_this_machine(request.headers.get("host"), request.app.state.hall.settings.hosts):
        return False
    try:
        return ipaddress.ip_address(address(request.scope)).is_loopback
    except ValueError:
        return False
