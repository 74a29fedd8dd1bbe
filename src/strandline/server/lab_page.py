"""The lab in the browser, for whoever sits at this machine: studies are the commands that people type, run apart."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from fastapi import Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi import Path as InPath
from fastapi.responses import FileResponse, HTMLResponse
from pydantic import Field, StrictBool, StrictInt, StrictStr
from starlette.datastructures import Headers

import strandline
from strandline.engine.words import Words
from strandline.progress import LINES
from strandline.server import lobby, models
from strandline.server.operations import is_local
from strandline.table.table import Refused

_ = Words(__file__)

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; "
    "sandbox allow-scripts allow-modals allow-popups allow-popups-to-escape-sandbox"
)
"""A report brings its own scripts; apart from all other pages it can do no harm to them."""
COMMANDS = [sys.executable, "-m", "strandline", "lab"]
COMMAND, LOG, REPORT = "command.json", "log.txt", "report.html"
PASSING = ("The report: ", "compiling ")
"""How lines begin that tell nobody anything once a study is finished."""
DRAMA, DECISIONS = 20, 80
"""What the search looks at, where the page asks for it."""
STUDY = re.compile(r'<script type="application/json" id="study">(.*?)</script>', re.S)

Value = StrictBool | StrictInt | models.Text
STUDY_ID = "^[a-z_]{1,64}-[0-9]{1,6}$"
StudyId = Annotated[str, InPath(pattern=STUDY_ID)]
StudyQuery = Annotated[str | None, Query(pattern=STUDY_ID)]


class Wanted(models.Closed):
    """A study that somebody asks for."""

    game: models.Text
    players: list[StrictInt] = Field(max_length=16)
    options: dict[models.Text, Value] = Field(default_factory=dict, max_length=32)
    compare: models.Text | None = None
    values: list[Value] = Field(default_factory=list, max_length=16)
    bots: list[Annotated[StrictStr, Field(pattern=r"^[a-z0-9_~-]{1,32}$")]] = Field(default_factory=list, max_length=8)
    games: Annotated[StrictInt, Field(ge=1, le=10_000_000)] | None = None
    drama: StrictBool = False
    decisions: StrictBool = False


def folder() -> Path:
    """Where studies are kept."""
    return platformdirs.user_data_path("strandline", appauthor=False) / "lab"


def arguments(wanted: Wanted) -> list[str]:
    """The study as a command, without what comes before and where it goes. What is wrong is refused with a sentence."""
    game = strandline.game(wanted.game)
    for players in wanted.players or game.seats:
        game.new(players, **wanted.options)
    words = [game.name]
    if wanted.players:
        words += ["--players", ",".join(map(str, wanted.players))]
    for name, value in wanted.options.items():
        if name != wanted.compare and value != game.options[name].default:
            words += ["--option", f"{name}={_written(value)}"]
    if wanted.compare is not None:
        words += ["--compare", f"{wanted.compare}={','.join(map(_written, wanted.values))}"]
    if wanted.bots:
        words += ["--bots", ",".join(wanted.bots)]
    if wanted.games is not None:
        words += ["--games", str(wanted.games)]
    words += ["--drama", str(DRAMA)] * wanted.drama + ["--decisions", str(DECISIONS)] * wanted.decisions
    return words


def _written(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass
class Job:
    """A study that is running."""

    process: asyncio.subprocess.Process
    watcher: asyncio.Task[None]
    done: int = 0
    total: int = 0


class Bench:
    """All studies of this machine's lab, and the one that is running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._jobs: dict[str, Job] = {}

    def studies(self) -> list[dict[str, Any]]:
        """What there is, the newest first."""
        commands = sorted(self.folder.glob(f"*/{COMMAND}"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        return [self._told(file.parent) for file in commands]

    def _told(self, folder: Path) -> dict[str, Any]:
        words: list[str] = json.loads((folder / COMMAND).read_text(encoding="utf-8"))
        job, game = self._jobs.get(folder.name), strandline.game(words[0])
        log = (folder / LOG).read_text(encoding="utf-8").splitlines() if (folder / LOG).exists() else []
        finished = job is None and (folder / REPORT).exists()
        return {
            "id": folder.name,
            "title": game.told_title,
            "command": shlex.join(["strandline", "lab", *words]),
            "state": "running" if job else "finished" if finished else "stopped",
            "done": job.done if job else 0,
            "total": job.total if job else 0,
            "said": [line for line in log if not line.startswith(PASSING)] if finished else log[-1:],
            "settings": _settings(folder) if finished else [],
        }

    async def start(self, words: list[str], name: str | None = None) -> str:
        """Run a study, a new one or one that was stopped. Its id."""
        if self._jobs:
            raise Refused("state", _("A study is running already. Wait for it, or stop it."))
        name = name or self._free(words[0])
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / COMMAND).write_text(json.dumps(words), encoding="utf-8")
        command = [*COMMANDS, *words, "--out", str(folder)]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=os.environ | {LINES: "1"},
        )
        self._jobs[name] = Job(process, asyncio.create_task(self._watch(name, process)))
        return name

    def _free(self, game: str) -> str:
        found = [path.name for path in self.folder.glob(f"{game}-*")]
        taken = [int(name.rpartition("-")[2]) for name in found if re.match(STUDY_ID, name)]
        return f"{game}-{max(taken, default=0) + 1}"

    async def _watch(self, name: str, process: asyncio.subprocess.Process) -> None:
        """Follow what a study says until it ends."""
        assert process.stdout is not None
        said: list[str] = []
        try:
            async for line in process.stdout:
                text = line.decode(errors="replace").strip()
                if found := re.fullmatch(r"(\d+) of (\d+)", text):
                    self._jobs[name].done, self._jobs[name].total = int(found[1]), int(found[2])
                elif text:
                    said.append(text)
                    (self.folder / name / LOG).write_text("\n".join(said), encoding="utf-8")
            await process.wait()
        finally:
            self._jobs.pop(name, None)

    async def stop(self, name: str) -> None:
        """Stop a study; what it has played is kept."""
        job = self._jobs.get(name)
        if job is not None:
            with contextlib.suppress(ProcessLookupError):
                job.process.terminate()
            await job.watcher

    async def delete(self, name: str) -> None:
        """Remove a study with all its games; one that runs is stopped first."""
        folder = self.place(name)
        await self.stop(name)
        await asyncio.to_thread(shutil.rmtree, folder)

    async def close(self) -> None:
        """Nothing runs on when the server ends."""
        for name in list(self._jobs):
            await self.stop(name)

    def place(self, name: str) -> Path:
        """The folder of a study that there is."""
        folder = self.folder / name
        if not (folder / COMMAND).exists():
            raise HTTPException(404, _("There is no such study."))
        return folder

    def report(self, name: str) -> str:
        """The report of a finished study."""
        file = self.place(name) / REPORT
        if not file.exists():
            raise HTTPException(404, _("This study is not finished."))
        return file.read_text(encoding="utf-8")

    async def game(self, name: str, setting: str, row: int) -> str:
        """A game of a study on the board, made by a process of its own."""
        folder = self.place(name)
        command = [*COMMANDS, "show", str(folder), str(row), "--setting", setting]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        told = (await process.communicate())[1].decode(errors="replace").strip()
        if process.returncode:
            raise strandline.BadOptions(told.removeprefix("strandline: "))
        return (folder / f"game-{row}.html").read_text(encoding="utf-8")


def _settings(folder: Path) -> list[dict[str, Any]]:
    """The settings of a finished study and how many games each has."""
    found = json.loads((folder / "study.json").read_text(encoding="utf-8"))["settings"]
    return [{"label": one["label"], "games": one["games"]} for one in found]


def _beside(report: str, name: str, value: str) -> str:
    """A report with something more for its script to read."""
    return report.replace("<body>", f'<body>\n<script type="application/json" id="{name}">{value}</script>', 1)


def _missing() -> str | None:
    """How to get what studies need, if it is not there."""
    return None if importlib.util.find_spec("pyarrow") else "pip install 'strandline[lab]'"


async def _only_here(request: Request) -> AsyncIterator[None]:
    """For whoever sits at this machine; to all others there is nothing, nor to other pages in their browser."""
    if not is_local(request) or not _is_asked_for(request.headers):
        raise HTTPException(404, "Not Found")
    yield


def _is_asked_for(headers: Headers) -> bool:
    """Whether a page of ours asks, or a person who has clicked: reports are pages of no origin, and link to games."""
    clicked = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-user") == "?1"
    return clicked or headers.get("sec-fetch-site", "none") in ("none", "same-origin")


def add(app: FastAPI, page: Path) -> Bench:
    """Add the page and what it asks for."""
    bench = Bench(folder())
    hidden: dict[str, Any] = {"include_in_schema": False, "dependencies": [Depends(_only_here)]}

    @app.get("/lab/", **hidden)
    def lab_page() -> FileResponse:
        return FileResponse(page)

    @app.get("/api/lab", **hidden)
    def look() -> dict[str, Any]:
        known = lobby.games()
        return {
            "missing": _missing(),
            "games": [{name: game[name] for name in ("name", "title", "seats", "options")} for game in known["games"]],
            "levels": known["levels"],
            "studies": bench.studies(),
        }

    @app.post("/api/lab/studies", status_code=201, **hidden)
    async def start(wanted: Wanted) -> dict[str, str]:
        if (how := _missing()) is not None:
            raise Refused("state", _("Studies need more than games do. Install it with: {command}", command=how))
        return {"id": await bench.start(arguments(wanted))}

    @app.post("/api/lab/studies/{study}/stop", **hidden)
    async def stop(study: StudyId) -> dict[str, str]:
        await bench.stop(study)
        return {"id": study}

    @app.post("/api/lab/studies/{study}/continue", **hidden)
    async def go_on(study: StudyId) -> dict[str, str]:
        words = json.loads((bench.place(study) / COMMAND).read_text(encoding="utf-8"))
        return {"id": await bench.start(words, study)}

    @app.post("/api/lab/studies/{study}/delete", **hidden)
    async def delete(study: StudyId) -> dict[str, str]:
        await bench.delete(study)
        return {"id": study}

    @app.get("/lab/{study}/report", **hidden)
    def report(study: StudyId, beside: StudyQuery = None) -> Response:
        found = _beside(bench.report(study), "place", json.dumps("games"))
        other = STUDY.search(bench.report(beside)) if beside else None
        return _page(_beside(found, "other", other[1]) if other else found)

    @app.get("/lab/{study}/games", **hidden)
    async def game(study: StudyId, setting: str, row: int) -> Response:
        return _page(await bench.game(study, setting, row))

    return bench


def _page(text: str) -> HTMLResponse:
    return HTMLResponse(text, headers={"content-security-policy": POLICY})
