"""A lesson being played. All of it follows from what the learner has done so far, so nobody needs to keep it.

What a learner can do is an **act**: a move in the game's notation, or one of the words `roll` (let chance decide),
`next` (go on, where there is nothing to do) and `skip` (let the coach do this step).
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.story import Event
from strandline.engine.words import Words
from strandline.lessons.script import BadLesson, Lesson, Step, matching

_ = Words(__file__)

LEARNER = 0
"""The learner's seat."""
ROLL, NEXT, SKIP = "roll", "next", "skip"
MOST_POSITIONS = 5000
"""A step in which more positions than this can come about is too open to be taught."""

Verdict = Literal["right", "on", "wrong"]


class BadAct(ValueError):
    """What cannot be done at this point of the lesson."""


@dataclass(frozen=True)
class Place:
    """Where a learner is: in which step, in which position, and how many of the step's dice have fallen."""

    number: int
    position: Position
    fallen: int = 0


@dataclass(frozen=True)
class Answer:
    """What came of an act."""

    verdict: Verdict
    place: Place
    reply: str = ""
    events: list[Event] = field(default_factory=list)
    """What is to be seen, one after another."""


class Player:
    """Plays one lesson of a game."""

    def __init__(self, game: Game, lesson: Lesson) -> None:
        self.game = game
        self.lesson = lesson

    @property
    def start(self) -> Place:
        """Where the lesson begins."""
        return Place(0, self.lesson.base(self.game, self.lesson.steps[0]))

    def step(self, place: Place) -> Step | None:
        """The step at a place; None at the end of the lesson."""
        return self.lesson.steps[place.number] if place.number < len(self.lesson.steps) else None

    def waits_for(self, place: Place) -> Literal["roll", "next", "move", "end"]:
        """What the learner can do at a place."""
        step = self.step(place)
        if step is None:
            return "end"
        if place.position.turn == "chance" and place.fallen < len(step.dice):
            return "roll"
        return "move" if step.asks else "next"

    def replay(self, acts: Sequence[str]) -> tuple[Place, list[int]]:
        """Where somebody is who has done all this, and after how many acts each step began.

        Raises `BadAct` where that cannot be.
        """
        place, begins = self.start, [0]
        for number, act in enumerate(acts, 1):
            answer = self.take(place, act)
            if answer.verdict == "wrong":
                raise BadAct(f"{act!r} does not lead on in this lesson.")
            if answer.place.number > place.number:
                begins.append(number)
            place = answer.place
        return place, begins

    def take(self, place: Place, act: str) -> Answer:
        """What comes of an act. Raises `BadAct` where it means nothing."""
        step, waits = self.step(place), self.waits_for(place)
        if step is None:
            raise BadAct("The lesson is over.")
        if act == SKIP:
            return self._skip(place, step)
        if waits == "move":
            return self._move(place, step, act)
        if act != waits:
            raise BadAct(f"{act!r} means nothing here; {waits!r} would go on.")
        if act == NEXT:
            return self._passed(place, step, [], "")
        events: list[Event] = []
        after = self._fall(place, step, events)
        done = not step.asks or is_reached(step.goal, after.position)
        return self._passed(after, step, events, "") if done else Answer("on", after, events=events)

    def _move(self, place: Place, step: Step, move: str) -> Answer:
        if move not in place.position.moves():
            raise BadAct(f"{move!r} cannot be played here.")
        reply = matching(step.wrong, move)
        no = Answer(
            "wrong", place, self.said(reply) or _("That is allowed, but this step is about something else. Try again.")
        )
        if step.right and not step.is_right(move):
            return no
        events: list[Event] = []
        after = self._played(place, step, move, events)
        if step.right or is_reached(step.goal, after.position):
            return self._passed(after, step, events, self.said(matching(step.right, move)))
        return Answer("on", after, events=events) if self.way(after) is not None else no

    def _skip(self, place: Place, step: Step) -> Answer:
        """The coach does what is left of the step."""
        way = self.way(place)
        if way is None:
            raise BadLesson(f"Step {place.number + 1} of {self.lesson.name} cannot be done.")
        events: list[Event] = []
        for act in way:
            answer = self.take(place, act)
            place, events = answer.place, events + answer.events
        return Answer("right", place, events=events)

    def _played(self, place: Place, step: Step, move: str, events: list[Event] | None) -> Place:
        """After a move of the learner's, and after the dice that it makes fall."""
        if events is not None:
            events += place.position.story(move)
        return self._fall(replace(place, position=place.position.after(move)), step, events)

    def _fall(self, place: Place, step: Step, events: list[Event] | None) -> Place:
        """After the step's dice, as many as fall in a row."""
        while place.position.turn == "chance" and place.fallen < len(step.dice):
            outcome = step.dice[place.fallen]
            if events is not None:
                events += place.position.story(outcome)
            place = Place(place.number, place.position.play(outcome), place.fallen + 1)
        return place

    def _passed(self, place: Place, step: Step, events: list[Event], reply: str) -> Answer:
        """The step is done: the others move, and the next one begins."""
        position = place.position
        for move in step.then:
            events = events + position.story(move)
            position = position.after(move)
        return Answer("right", self._next(place), reply, events)

    def _next(self, place: Place) -> Place:
        """Where the step after this one begins."""
        position, number = place.position, place.number + 1
        for move in self.lesson.steps[place.number].then:
            position = position.play(move)
        if number < len(self.lesson.steps) and self.lesson.steps[number].begins:
            position = self.lesson.base(self.game, self.lesson.steps[number])
        return Place(number, position)

    def said(self, text: str | None) -> str:
        """A text of the lesson in the reader's language."""
        return self.game.words(text) if text else ""

    def way(self, place: Place) -> tuple[str, ...] | None:
        """The acts that finish the step from a place: those that it shows, else as few as possible; None if none do."""
        return self.demonstration(place) or _way(self.game, self.lesson, place)

    def demonstration(self, place: Place) -> tuple[str, ...]:
        """What is left to play of what the step shows; nothing where that does not finish it."""
        step = self.step(place)
        left = [step.show[played:] for played in range(len(step.show))] if step else []
        return next((acts for acts in left if self._finishes(place, acts)), ())

    def _finishes(self, place: Place, acts: Sequence[str]) -> bool:
        number = place.number
        for act in acts:
            leads = dict(self.leads(place)) if place.number == number else {}
            if act not in leads:
                return False
            place = leads[act]
        return place.number > number

    def found(self, place: Place) -> tuple[str, ...] | None:
        """The shortest way, searched for."""
        seen = {place}
        open_: deque[tuple[Place, tuple[str, ...]]] = deque([(place, ())])
        while open_:
            here, acts = open_.popleft()
            for act, there in self.leads(here):
                if there.number > place.number:
                    return (*acts, act)
                if there not in seen:
                    seen.add(there)
                    open_.append((there, (*acts, act)))
            if len(seen) > MOST_POSITIONS:
                raise BadLesson(f"Step {place.number + 1} of {self.lesson.name} is too open: narrow its goal down.")
        return None

    def leads(self, place: Place) -> list[tuple[str, Place]]:
        """Every act at a place that is not wrong by itself, and where it leads; the goal may be out of reach there."""
        step, waits = self.step(place), self.waits_for(place)
        if step is None or waits == "end":
            return []
        if waits != "move":
            after = self._fall(place, step, None)
            done = not step.asks or is_reached(step.goal, after.position)
            return [(waits, self._next(after) if done else after)]
        if place.position.turn != LEARNER:
            return []
        moves = [move for move in place.position.moves() if step.goal or step.is_right(move)]
        places = [self._played(place, step, move, None) for move in moves]
        return [
            (move, self._next(after) if step.right or is_reached(step.goal, after.position) else after)
            for move, after in zip(moves, places, strict=True)
        ]


@functools.lru_cache(4096)
def _way(game: Game, lesson: Lesson, place: Place) -> tuple[str, ...] | None:
    return Player(game, lesson).found(place)


def is_reached(goal: Mapping[str, Any], position: Position) -> bool:
    """Whether all that a goal says holds of a position."""
    value = position.to_json()
    return bool(goal) and all(_holds(_field(value, path), wanted) for path, wanted in goal.items())


def _field(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def _holds(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    return bool(wanted.get("least", value) <= value <= wanted.get("most", value))
