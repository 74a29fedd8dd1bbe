"""Lessons over HTTP: whoever asks says what they have done so far, and nobody keeps anything about them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI
from fastapi import Path as InPath
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictBool
from starlette.exceptions import HTTPException

import strandline
from strandline.lessons import script, view
from strandline.lessons.player import BadAct
from strandline.server.hall import Hall
from strandline.server.models import Closed, Problem, Text

GameName = Annotated[str, InPath(pattern="^[a-z_]{1,64}$", description="The game's name.")]
LessonName = Annotated[str, InPath(pattern="^[a-z_]{1,64}$", description="The lesson's name.")]
PROBLEMS: dict[int | str, dict[str, Any]] = {code: {"model": Problem} for code in (404, 422, 429)}


class LessonInfo(BaseModel):
    """A lesson in a list."""

    name: str
    title: str
    about: str
    steps: int


class FirstGame(BaseModel):
    """How the first real game is set up."""

    seats: list[str]
    options: dict[str, bool | int | str]


class Lessons(BaseModel):
    """The lessons of a game, and what the coach says at a table."""

    game: str
    title: str
    lessons: list[LessonInfo]
    first_game: FirstGame
    coach: dict[str, str] = Field(description="What the coach says when an event of a kind happens for the first time.")


class Done(Closed):
    """What a learner has done so far, and does now."""

    acts: Annotated[list[Text], Field(max_length=200)] = Field(default_factory=list)
    act: Text | None = Field(default=None, description="A move, or `roll`, `next` or `skip`; null to look only.")
    wide: StrictBool = Field(default=False, description="Whether boards are arranged for a wide window.")


class Tapped(Closed):
    """A shape of the board that somebody tapped."""

    acts: Annotated[list[Text], Field(max_length=200)] = Field(default_factory=list)
    shape: Text
    chosen: Annotated[list[Text], Field(max_length=8)] = Field(default_factory=list)


class WhySeen(BaseModel):
    """Why a shape cannot be used now; no sentence if it can."""

    sentence: str | None
    rule: str | None


class Left(Closed):
    """A lesson that somebody leaves before its end."""

    step: Annotated[int, Field(ge=0, le=1000)]


class ActOffer(BaseModel):
    """Something that the learner can do."""

    move: str
    sentence: str
    clicks: list[str]


class LessonEvent(BaseModel):
    """One thing that happened, with the board after it."""

    kind: str
    who: int | None
    sentence: str
    shapes: list[str]
    dice: list[int | str]
    drawn: list[str]
    svg: str


class LessonSeen(BaseModel):
    """A lesson for a learner."""

    lesson: str
    step: int
    steps: int
    acts: list[str] = Field(description="What to send with the next act.")
    begins: list[int] = Field(description="After how many acts each step began.")
    waits: Literal["move", "roll", "next", "end"]
    anew: bool = Field(description="Whether the board has nothing to do with the one before.")
    say: str
    task: str
    look: list[str]
    arrows: list[list[str]]
    svg: str
    words: str
    moves: list[ActOffer]
    verdict: Literal["right", "on", "wrong"] | None
    reply: str
    events: list[LessonEvent]


def add(app: FastAPI, hall: Hall) -> None:
    """Add the addresses of lessons."""

    @app.get("/api/games/{name}/lessons", response_model=Lessons, responses=PROBLEMS)
    def lessons(name: GameName) -> Any:
        """The lessons of a game."""
        return view.listed(_game(name))

    @app.post("/api/games/{name}/lessons/{lesson}", response_model=LessonSeen, responses=PROBLEMS)
    def lesson(name: GameName, lesson: LessonName, done: Done) -> Any:
        """A lesson as it stands after what the learner has done, and what came of their last act."""
        game, found = _lesson(name, lesson)
        try:
            state = view.seen(game, found, done.acts, done.act, done.wide)
        except BadAct as error:
            raise HTTPException(422, str(error)) from None
        if state["verdict"] == "right" or not (done.acts or done.act):
            hall.store.count_step(name, lesson, state["step"] + 1, "reached")
        return state

    @app.post("/api/games/{name}/lessons/{lesson}/why", response_model=WhySeen, responses=PROBLEMS)
    def why(name: GameName, lesson: LessonName, tapped: Tapped) -> Any:
        """Why a shape of the board cannot be tapped now."""
        game, found = _lesson(name, lesson)
        try:
            return view.why(game, found, tapped.acts, tapped.shape, tapped.chosen)
        except BadAct as error:
            raise HTTPException(422, str(error)) from None

    @app.post("/api/games/{name}/lessons/{lesson}/left", status_code=204, responses=PROBLEMS)
    def left(name: GameName, lesson: LessonName, where: Left) -> Response:
        """Somebody leaves a lesson before its end; only that is counted."""
        _, found = _lesson(name, lesson)
        if where.step < len(found.steps):
            hall.store.count_step(name, lesson, where.step + 1, "left")
        return Response(status_code=204)


def _game(name: str) -> strandline.Game:
    if name not in strandline.games():
        raise HTTPException(404, f"There is no game {name!r}. There are: {', '.join(strandline.games())}.")
    return strandline.game(name)


def _lesson(name: str, lesson: str) -> tuple[strandline.Game, script.Lesson]:
    game = _game(name)
    known = script.of(game)
    found = known.lesson(lesson)
    if found is None:
        names = ", ".join(each.name for each in known.lessons) or "none"
        raise HTTPException(404, f"There is no lesson {lesson!r}. There are: {names}.")
    return game, found
