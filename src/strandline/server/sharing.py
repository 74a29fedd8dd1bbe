"""Showing a game to others: pictures of a table, and what a link to it says of itself."""

import asyncio
import html
import importlib.util
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from strandline.drawing.moving import moving
from strandline.drawing.plain import plain
from strandline.engine import words
from strandline.engine.words import Words
from strandline.server import models
from strandline.server.rooms import Room
from strandline.table import perspective
from strandline.table.table import Refused, Table, is_id

if TYPE_CHECKING:
    from strandline.server.hall import Hall

_ = Words(__file__)

WIDTH = 800
"""Points across a picture for those who cannot show SVG."""
MOST_FRAMES = 60
KEPT = 16
"""Pictures that are kept for those who ask next: each takes seconds."""
HEAD = "<title>Strandline</title>"


def draws_points() -> bool:
    """Whether the library is there that draws pictures of points (extra `pictures`)."""
    return importlib.util.find_spec("resvg_py") is not None


def add(app: FastAPI, hall: "Hall", find: Callable[[str], Awaitable[Room]], page: Path) -> None:
    """Add the table's page and its pictures."""
    problems: dict[int | str, dict[str, Any]] = {code: {"model": models.Problem} for code in (404, 409, 422, 429)}
    svg: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
    png: dict[int | str, dict[str, Any]] = {
        200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
    }
    Found = Annotated[Room, Depends(find)]
    drawing = asyncio.Lock()  # one at a time
    kept: OrderedDict[tuple[str, str, int, str], bytes] = OrderedDict()

    async def drawn(kind: str, room: Room, draw: Callable[[Table, str], bytes]) -> bytes:
        language = words.reader().language
        key = kind, room.table.id, room.table.number, language
        async with drawing:
            if key not in kept:
                kept[key] = await asyncio.to_thread(draw, room.table, language)
                if len(kept) > KEPT:
                    kept.popitem(last=False)
            return kept[key]

    @app.get("/table/{table}", include_in_schema=False)
    def table_page(
        table: str, request: Request
    ) -> HTMLResponse:  # whatever it is called: the page says if there is none
        text = page.read_text(encoding="utf-8")
        known = hall.rooms.known([table])
        title = known[0].table.record.position.game.told_title if known else "Strandline"
        return HTMLResponse(text.replace(HEAD, HEAD + _about(request, table, title), 1) if is_id(table) else text)

    @app.get("/api/tables/{table}/board.svg", response_class=Response, responses=svg | problems)
    def board(room: Found) -> Response:
        """The board as it is, for spectators."""
        return Response(_drawn(room.table, words.reader().language), media_type="image/svg+xml")

    @app.get("/api/tables/{table}/board.png", response_class=Response, responses=png | problems)
    async def points(room: Found) -> Response:
        """The same for those who cannot show SVG, where the extra `pictures` is installed."""
        if not draws_points():
            raise Refused("state", _("This server draws no PNG: take board.svg."))
        return Response(await drawn("points", room, _points), media_type="image/png")

    @app.get("/api/tables/{table}/moving.svg", response_class=Response, responses=svg | problems)
    async def film(room: Found) -> Response:
        """A finished game as a picture that moves."""
        if not room.table.record.over:
            raise Refused("state", _("A game can be shown as a whole when it is over."))
        named = {"content-disposition": f'inline; filename="strandline-{room.table.id}.svg"'}
        return Response(await drawn("moving", room, _moving), media_type="image/svg+xml", headers=named)


def _about(request: Request, table: str, title: str) -> str:
    """What chat programs show of a link. Nothing is looked up for it: pages are asked for without a limit."""
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    picture = f"{origin}/api/tables/{table}/board.{'png' if draws_points() else 'svg'}"
    told = {
        "og:title": title,
        "og:type": "website",
        "og:site_name": "Strandline",
        "og:description": _("A game by the sea: watch it, or look at it again."),
        "og:url": f"{origin}/table/{table}",
        "og:image": picture,
    }
    return "".join(f'\n<meta property="{name}" content="{html.escape(text)}">' for name, text in told.items())


def _drawn(table: Table, language: str, number: int | None = None) -> str:
    position = table.record.position if number is None else table.record.at(number)
    with words.reading(words.Reader(language, frozenset(), table.names_for(language))):
        return perspective.picture(position, perspective.replayed(frozenset(), language)).svg


def _points(table: Table, language: str) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=plain(_drawn(table, language)), width=WIDTH, background="#f6e8c6"))


def _moving(table: Table, language: str) -> bytes:
    numbers = sorted({0, *table.record.standing()})
    few = numbers[:: -(-len(numbers) // MOST_FRAMES)]
    chosen = few if few[-1] == numbers[-1] else [*few, numbers[-1]]
    with words.reading(words.Reader(language)):
        title = table.record.position.game.told_title
    return moving([_drawn(table, language, number) for number in chosen], title).encode()
