"""Showing a game to others: pictures of a table, and what a link to it says of itself."""

import asyncio
import html
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi.responses import HTMLResponse

import strandline
from strandline.drawing.moving import moving
from strandline.drawing.plain import plain
from strandline.engine import words
from strandline.engine.words import Words
from strandline.server import limits, models
from strandline.server.limits import Buckets
from strandline.server.rooms import Room
from strandline.table import perspective
from strandline.table.table import Refused, Table, is_id

if TYPE_CHECKING:
    from strandline.server.hall import Hall

_ = Words(__file__)

WIDTH, BACKGROUND = 1200, "#f6e8c6"
"""Points across a picture for those who cannot show SVG, and what is behind it. Chat programs cut off high pictures."""
POINTS = Path(strandline.__file__).parent / "drawing" / "points.py"
POINTS_S = 60.0
"""How long a picture may take."""
MOST_FRAMES = 60
KEPT = 16
"""Pictures that are kept for those who ask next: each takes up to a second of a core."""
BOARDS = 64
"""Boards that are kept for those who ask next: lobbies ask for the same ones again and again."""
PICTURES, BURST_S = 0.2, 60.0
"""New pictures a second, on average, for one address: twelve at once, then one every five seconds."""
WAITING = 8
"""Pictures that are asked for and not yet drawn; they are drawn one at a time."""
HEAD = "<title>Strandline</title>"


def add(app: FastAPI, hall: "Hall", find: Callable[[str], Awaitable[Room]], page: Path) -> None:
    """Add the table's page and its pictures."""
    problems: dict[int | str, dict[str, Any]] = {code: {"model": models.Problem} for code in (404, 409, 422, 429)}
    svg: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
    png: dict[int | str, dict[str, Any]] = {
        200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
    }
    Found = Annotated[Room, Depends(find)]
    asked = Buckets(PICTURES, BURST_S)
    kept: OrderedDict[tuple[str, str, int, str], asyncio.Future[bytes]] = OrderedDict()
    gate = asyncio.Lock()

    async def draw_alone(draw: Callable[[Table, str], bytes], table: Table, language: str) -> bytes:
        async with gate:
            return await asyncio.to_thread(draw, table, language)

    async def drawn(kind: str, room: Room, request: Request, draw: Callable[[Table, str], bytes]) -> bytes:
        language = words.reader().language
        key = kind, room.table.id, room.table.entries, language
        if key not in kept:
            if not asked.take(limits.visitor(request.scope)) or sum(not one.done() for one in kept.values()) >= WAITING:
                raise Refused("rate", _("Many pictures are asked for just now. Please try again in a moment."))
            kept[key] = asyncio.ensure_future(draw_alone(draw, room.table, language))
            if len(kept) > KEPT:
                kept.popitem(last=False)
        try:
            return await asyncio.shield(kept[key])
        except Exception:
            kept.pop(key, None)
            raise

    @app.get("/table/{table}", include_in_schema=False)
    def table_page(
        table: str, request: Request
    ) -> HTMLResponse:  # whatever it is called: the page says if there is none
        text = page.read_text(encoding="utf-8")
        known = hall.rooms.known([table])
        title = known[0].table.record.position.game.told_title if known else "Strandline"
        return HTMLResponse(text.replace(HEAD, HEAD + _about(request, table, title), 1) if is_id(table) else text)

    boards: OrderedDict[tuple[str, int, str], str] = OrderedDict()

    @app.get("/api/tables/{table}/board.svg", response_class=Response, responses=svg | problems)
    async def board(room: Found, at: Annotated[int | None, Query(ge=0, le=10**9)] = None) -> Response:
        """The board as it is, for spectators. With the number of the position in `at` a browser need not ask again."""
        table, language = room.table, words.reader().language
        key = table.id, table.entries, language
        if key not in boards:
            boards[key] = await asyncio.to_thread(_drawn, table, language)
            while len(boards) > BOARDS:
                boards.popitem(last=False)
        headers = {"cache-control": "private, max-age=3600"} if at == table.number else None
        return Response(boards[key], media_type="image/svg+xml", headers=headers)

    @app.get("/api/tables/{table}/board.png", response_class=Response, responses=png | problems)
    async def points(room: Found, request: Request) -> Response:
        """The same for those who cannot show SVG."""
        return Response(await drawn("points", room, request, _points), media_type="image/png")

    @app.get("/api/tables/{table}/moving.svg", response_class=Response, responses=svg | problems)
    async def film(room: Found, request: Request) -> Response:
        """A finished game as a picture that moves."""
        if not room.table.record.over:
            raise Refused("state", _("A game can be shown in full once it is over."))
        named = {"content-disposition": f'inline; filename="strandline-{room.table.id}.svg"'}
        return Response(await drawn("moving", room, request, _moving), media_type="image/svg+xml", headers=named)


def _about(request: Request, table: str, title: str) -> str:
    """What chat programs show of a link. Nothing is looked up for it: pages are asked for without a limit."""
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    told = {
        "og:title": title,
        "og:type": "website",
        "og:site_name": "Strandline",
        "og:description": _("A game by the sea: watch it, or replay it."),
        "og:url": f"{origin}/table/{table}",
        "og:image": f"{origin}/api/tables/{table}/board.png",
    }
    return "".join(f'\n<meta property="{name}" content="{html.escape(text)}">' for name, text in told.items())


def _drawn(table: Table, language: str, number: int | None = None, wide: bool = False) -> str:
    position = table.record.position if number is None else table.record.at(number)
    with words.reading(words.Reader(language, frozenset(), table.names_for(language))):
        return perspective.picture(position, perspective.replayed(frozenset(), language, wide)).svg


def _points(table: Table, language: str) -> bytes:
    command = [sys.executable, "-I", str(POINTS), str(WIDTH), BACKGROUND]
    svg = plain(_drawn(table, language, wide=True)).encode()
    return subprocess.run(command, input=svg, stdout=subprocess.PIPE, check=True, timeout=POINTS_S).stdout


def _moving(table: Table, language: str) -> bytes:
    numbers = sorted({0, *table.record.path()})
    few = numbers[:: -(-len(numbers) // MOST_FRAMES)]
    chosen = few if few[-1] == numbers[-1] else [*few, numbers[-1]]
    with words.reading(words.Reader(language)):
        title = table.record.position.game.told_title
    return moving([_drawn(table, language, number) for number in chosen], title).encode()
