"""The server: pages, the HTTP interface with its OpenAPI description, and the WebSocket for play."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, Request, Response, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import strandline
from strandline.engine import words
from strandline.server import (
    invitations,
    lab_page,
    lan,
    languages,
    lessons,
    limits,
    lobby,
    logs,
    models,
    notices,
    operations,
    overview,
    sharing,
    sockets,
)
from strandline.server.hall import Hall, Settings
from strandline.server.rooms import Room
from strandline.server.store import Store, report_outage
from strandline.table import dice, guest, levels, perspective
from strandline.table import review as reviews
from strandline.table.table import Agreements, Refused, level_of

_ = words.Words(__file__)

WEB = Path(strandline.__file__).parent / "web"
NO_JSON = words.message("The body is not JSON.")
RETRY_S = 10
"""How soon whoever was too fast may have one more of what is counted: tables, codes, pictures, notices."""
STATUS = {"malformed": 422, "token": 401, "table": 404, "code": 404, "rate": 429, "server": 503}

TableId = Annotated[str, InPath(pattern="^[a-z0-9]{1,32}$", description="The table's id.")]
Language = Annotated[str, InPath(pattern="^[a-z]{2,3}$", description="A language, as `de`.")]
GameName = Annotated[str, InPath(pattern="^[a-z_]{1,64}$", description="The game's name.")]
PositionNumber = Annotated[int, InPath(ge=0, le=10**9, description="The position's number; 0 is the start.")]
Bearer = Annotated[str | None, Header(description="`Bearer TOKEN`; a spectator has none.")]


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The errors that an endpoint may answer with, for the description."""
    return {code: {"model": models.Problem} for code in (*codes, 422, 429)}


def create(store: Store, settings: Settings | None = None) -> FastAPI:
    """The application over an open store."""
    settings = settings or Settings()
    hall = Hall(store, settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await hall.open()
        yield
        await bench.close()
        await hall.close()

    app = FastAPI(
        title="Strandline",
        version=strandline.__version__,
        description="The game table. Play itself goes over the WebSocket `/api/tables/{table}/play`.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.hall = hall
    _add_errors(app)
    _add_games(app, hall)
    _add_tables(app, hall)
    lessons.add(app, hall)
    operations.add(app, hall)
    app.state.door = lan.Door()
    lan.add(app, app.state.door)
    bench = lab_page.add(app, WEB / "lab.html")
    _add_pages(app)
    app.add_middleware(limits.Guard, settings=settings)
    app.add_middleware(languages.Spoken)
    return app


def _add_errors(app: FastAPI) -> None:
    """Errors are one sentence each."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        found = list(error.errors())
        status = 400 if found and found[0]["type"] == "json_invalid" else 422
        return _problem(status, _(NO_JSON) if status == 400 else models.complaint(found))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        sentences = {400: _(NO_JSON), 404: _("There is nothing here."), 405: _("That cannot be done here.")}
        if error.status_code == 404 and _is_page(request):
            return FileResponse(WEB / "nowhere.html", 404)
        sentence = sentences.get(error.status_code, error.detail) if error.detail in _PHRASES else error.detail
        return _problem(error.status_code, sentence, error.headers)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        headers = {"retry-after": str(RETRY_S)} if error.code == "rate" else None
        return _problem(STATUS.get(error.code, 409), str(error), headers)

    @app.exception_handler(strandline.UnknownGame)
    @app.exception_handler(strandline.BadOptions)
    async def setting(request: Request, error: Exception) -> JSONResponse:
        return _problem(422, str(error))

    @app.exception_handler(SQLAlchemyError)
    async def outage(request: Request, error: SQLAlchemyError) -> JSONResponse:
        report_outage(error)
        return _problem(503, _(sockets.NO_STORE))

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        with languages.spoken_to(request.headers):  # it comes from outside of `Spoken`
            return _problem(500, guest.apology())


_PHRASES = ("Not Found", "Method Not Allowed", "There was an error parsing the body")
"""What the framework would say."""


def _is_page(request: Request) -> bool:
    """Whether a person asks for a page of the server, and not a program."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def _problem(status: int, sentence: str, headers: Any = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers)


def _add_games(app: FastAPI, hall: Hall) -> None:
    @app.get("/api/games", response_model=models.Games, response_model_exclude_unset=True, responses=problems())
    def games(request: Request) -> Any:
        """The games with their options, and the levels of the bots; to whoever sits at this machine also the lab."""
        return {**lobby.games(), "lab": True} if operations.is_local(request) else lobby.games()

    @app.get("/api/words/{language}", response_model=models.Catalogue, responses=problems(404))
    def catalogue(language: Language) -> Any:
        """The sentences of the pages in a language."""
        if language not in words.languages():
            raise HTTPException(404, f"There is no language {language!r}. There are: {', '.join(words.languages())}.")
        return languages.catalogue(language)

    svg: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
    html: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}

    @app.get("/api/games/{name}/board.svg", response_class=Response, responses=svg | problems(404))
    def board(name: GameName) -> Response:
        """A picture of the game in progress."""
        headers = {"cache-control": "max-age=3600"}
        return Response(lobby.picture(_known(name)), media_type="image/svg+xml", headers=headers)

    @app.get("/api/games/{name}/guide", response_class=Response, responses=html | problems(404))
    def guide(name: GameName) -> HTMLResponse:
        """How to play, as an HTML fragment."""
        return HTMLResponse(lobby.guide(_known(name)))

    @app.get("/api/games/{name}/rules", response_class=Response, responses=html | problems(404))
    def rules(name: GameName) -> HTMLResponse:
        """The rule page, as an HTML fragment."""
        return HTMLResponse(lobby.rules(_known(name)))


def _known(name: str) -> str:
    if name not in strandline.games():
        raise HTTPException(404, f"There is no game {name!r}. There are: {', '.join(strandline.games())}.")
    return name


def _add_tables(app: FastAPI, hall: Hall) -> None:
    async def find(table: TableId) -> Room:
        logs.table.set(table)
        room = await hall.rooms.find(table)
        if room is None:
            raise Refused("table", _("There is no such table."))
        return room

    async def call(room: Annotated[Room, Depends(find)], authorization: Bearer = None) -> tuple[Room, frozenset[int]]:
        return room, await _seats(hall, room, authorization)

    Called = Annotated[tuple[Room, frozenset[int]], Depends(call)]

    @app.get("/api/key", response_model=models.PublicKey, responses=problems())
    def key() -> Any:
        """The public key with which the server signs records."""
        return {"key": hall.signer.public}

    @app.post("/api/tables", status_code=201, response_model=models.TableMade, responses=problems(400, 403, 413))
    async def make(wanted: models.NewTable, request: Request) -> Any:
        """Make a table. The links in the answer are told only here: one's own, and an invitation for each friend."""
        _check_bots(wanted)
        if wanted.game not in strandline.games():
            raise strandline.BadOptions(
                _(
                    "There is no game {name}. There are: {names}.",
                    name=repr(wanted.game),
                    names=", ".join(strandline.games()),
                )
            )
        made = await hall.make(
            wanted.game,
            wanted.options,
            wanted.seats,
            wanted.names,
            wanted.hints,
            wanted.takeover_after,
            wanted.undo,
            Agreements(wanted.clock, wanted.quiet, wanted.open),
            limits.visitor(request.scope),
        )
        return made.links()

    invitations.add(app, hall, find)
    overview.add(app, hall)
    sharing.add(app, hall, find, WEB / "table.html")
    notices.add(app, hall, find)

    @app.get("/api/tables/{table}", response_model=models.State, responses=problems(401, 404))
    async def look(called: Called, wide: bool = False) -> Any:
        """The table as the caller may see it, with the whole log."""
        room, seats = called
        seen = perspective.seen_by(room.table, seats, None, words.reader().language, wide)
        value = perspective.state(room.table, seen, room.present())
        with words.reading(perspective.reader_of(room.table, seen)):
            return {**value, "svg": perspective.picture(room.table.record.position, seen).svg}

    @app.get("/api/tables/{table}/positions/{number}", response_model=models.PositionSeen, responses=problems(401, 404))
    async def position(called: Called, number: PositionNumber, wide: bool = False) -> Any:
        """A position of the past as the caller may see it."""
        room, seats = called
        if number > room.table.number:
            raise HTTPException(404, f"There are positions 0 to {room.table.number} so far.")
        position = room.table.record.at(number)
        seen = perspective.replayed(seats, words.reader().language, wide)
        return perspective.at(room.table, seen, number, position)

    @app.get("/api/tables/{table}/record", response_model=models.RecordSeen, responses=problems(401, 404, 409))
    async def record(called: Called, response: Response) -> Any:
        """The record as the caller may see it, for keeping."""
        room, seats = called
        if room.table.setup.dice_version != dice.VERSION:
            raise Refused("state", _("This game began with the dice of an older Strandline: no record could prove it."))
        response.headers["content-disposition"] = f'attachment; filename="strandline-{room.table.id}.json"'
        return hall.signer.signed(_record(room, seats))

    @app.get("/api/tables/{table}/review", response_model=models.ReviewSeen, responses=problems(401, 404, 409, 503))
    async def review(called: Called) -> Any:
        """The finished game reviewed: chances over time, turning points, luck and skill. Takes seconds."""
        room, seats = called
        found = await hall.bots.review(room)
        seen = perspective.replayed(seats, words.reader().language)
        with words.reading(perspective.reader_of(room.table, seen)):
            return reviews.shown(room.table, found)

    @app.get("/api/tables/{table}/review/progress", response_model=models.ReviewProgress, responses=problems(401, 404))
    async def review_progress(called: Called) -> Any:
        """How much of the review is done."""
        return {"done": called[0].reviewed}

    @app.websocket("/api/tables/{table}/play")
    async def play(socket: WebSocket, table: str) -> None:
        await sockets.serve(socket, hall, table)


async def _seats(hall: Hall, room: Room, authorization: str | None) -> frozenset[int]:
    if authorization is None:
        return frozenset()
    scheme, token = [*authorization.split(" ", 1), ""][:2]
    seats = await hall.rooms.seats_of(room, token.strip() if scheme.lower() == "bearer" else None)
    if not seats:
        raise Refused("token", _("This link does not match a seat at this table."))
    return seats


def _record(room: Room, seats: frozenset[int]) -> dict[str, Any]:
    """Several persons at one screen see no secrets of each other's, so together they see what a spectator sees."""
    table = room.table
    return table.record.to_json(seats if len(seats) == 1 else frozenset(), table.names, table.seeds)


def _check_bots(wanted: models.NewTable) -> None:
    if wanted.game not in strandline.games():
        return  # it is refused for that
    known = levels.known(strandline.game(wanted.game), len(wanted.seats))
    for kind in wanted.seats:
        if (level := level_of(kind)) is not None and level not in known:
            raise levels.unknown(level, known)


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def lobby_page() -> FileResponse:
        return FileResponse(WEB / "index.html")

    @app.get("/new/", include_in_schema=False)
    def new_page() -> FileResponse:
        return FileResponse(WEB / "new.html")

    @app.get("/learn/{game}", include_in_schema=False)
    def learn_page(game: str) -> FileResponse:
        return FileResponse(WEB / "learn.html")

    @app.get("/sw.js", include_in_schema=False)
    def worker() -> FileResponse:  # at the root, so that it may look after all pages
        return FileResponse(WEB / "sw.js", media_type="text/javascript")

    app.mount("/static", StaticFiles(directory=WEB), name="static")
