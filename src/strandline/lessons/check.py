"""Lessons checked like code: every one is played against the rules, every way, and read in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from strandline.engine.errors import BadOptions, BadPosition, IllegalMove
from strandline.engine.game import Game
from strandline.engine.words import ENGLISH, Reader, languages, reading
from strandline.lessons import script as scripts
from strandline.lessons.player import LEARNER, MOST_POSITIONS, Place, Player, is_reached
from strandline.lessons.script import BadLesson, Lesson, Script, Step, matching

MOST_WORDS = {"say": 30, "task": 15, "reply": 24}
"""The most words, in every language."""
MOST_SENTENCES, SHORT_CRY = 2, 3
"""The most sentences; what has no more words than a short cry is not counted."""
WORDS_S, ACT_S, EVENT_S = 2.3, 3.0, 1.2
"""How many words a child reads in a second, and how many seconds an act and the sight of an event take."""
FIRST_ACT_S, FIRST_LESSON_S = 30, 180
"""The first act of the first lesson comes, and the lesson ends, within this many seconds."""


def faults(game: Game) -> list[str]:
    """All that is wrong with the lessons of a game, a sentence each."""
    try:
        script = scripts.of(game)
    except BadLesson as error:
        return [str(error)]
    return list(_faults(game, script)) if script.lessons else []


def _faults(game: Game, script: Script) -> Iterator[str]:
    names = [lesson.name for lesson in script.lessons]
    if len(set(names)) < len(names):
        yield "Two lessons have the same name."
    for lesson in script.lessons:
        found = [*_played(game, lesson), *_read(game, lesson)]
        yield from (f"{lesson.name}: {fault}" for fault in found)
        if lesson is script.lessons[0] and not found:
            yield from _pace(game, lesson)
    yield from _table(game, script)


# Played


def _played(game: Game, lesson: Lesson) -> Iterator[str]:
    """Every way through the lesson."""
    player = Player(game, lesson)
    try:
        places = {player.start}
    except (BadPosition, BadOptions, IllegalMove) as error:
        yield f"step 1: {error}"
        return
    for number, step in enumerate(lesson.steps, 1):
        try:
            found = _Ways(player, step, places)
            yield from (f"step {number}: {fault}" for fault in found.faults())
            places = found.ends
        except (BadPosition, BadOptions, BadLesson, IllegalMove, LookupError) as error:
            yield f"step {number}: {error}"
            return
        if not places:
            return


@dataclass
class _Ways:
    """All that can happen in one step."""

    player: Player
    step: Step
    begins: set[Place]

    def __post_init__(self) -> None:
        self.leads: dict[Place, list[tuple[str, Place]]] = {}
        open_ = list(self.begins)
        while open_:
            place = open_.pop()
            if place in self.leads:
                continue
            self.leads[place] = self.player.leads(place)
            open_ += [after for _, after in self.leads[place] if after.number == place.number]
            if len(self.leads) > MOST_POSITIONS:
                raise BadLesson("too much can happen; narrow the goal down.")
        found = [after for leads in self.leads.values() for _, after in leads]
        self.ends = {after for after in found if after not in self.leads}
        self.hopeful = self._hopeful()

    def _hopeful(self) -> set[Place]:
        """The places from which the step can be finished."""
        before: dict[Place, list[Place]] = {}
        for place, leads in self.leads.items():
            for _, after in leads:
                before.setdefault(after, []).append(place)
        found, open_ = set(self.ends), list(self.ends)
        while open_:
            fresh = [place for place in before.get(open_.pop(), []) if place not in found]
            found.update(fresh)
            open_ += fresh
        return found

    def faults(self) -> Iterator[str]:
        step = self.step
        if not self.begins <= self.hopeful:
            yield "it cannot be done."
        if any(is_reached(step.goal, place.position) for place in self.begins):
            yield "the goal is reached before anything is done."
        if step.asks and not step.task:
            yield "it has no task."
        if step.dice and not any(place.position.turn == "chance" or step.asks for place in self.begins):
            yield "its dice never fall."
        if not step.asks and not step.dice and step.task:
            yield "it has a task, and nothing to do."
        if step.show and not all(self.player.demonstration(place) == step.show for place in self.begins):
            yield "what it shows does not finish it."
        yield from self._answers()
        for place in self.begins:
            yield from self._shapes(place)

    def _answers(self) -> Iterator[str]:
        """Every pattern of right and wrong moves is about something that can be played."""
        decisions = [place for place in self.leads if self.player.waits_for(place) == "move"]
        legal = {place: place.position.moves() for place in decisions if place.position.turn == LEARNER}
        for pattern in self.step.right:
            fits = [any(matching({pattern: ""}, move) is not None for move in moves) for moves in legal.values()]
            if not fits or not all(fits):
                yield f"{pattern!r} is not legal."
        taken = {place: {move for move, after in self.leads[place] if after in self.hopeful} for place in legal}
        refused = {move for place, moves in legal.items() for move in moves if move not in taken[place]}
        for pattern in self.step.wrong:
            if not any(matching({pattern: ""}, move) is not None for move in refused):
                yield f"{pattern!r} is never wrong, so its answer is never heard."

    def _shapes(self, place: Place) -> Iterator[str]:
        """What is pointed at, and what is to be tapped, is on the board."""
        if not (self.step.look or self.step.arrows or self.step.asks):
            return
        shapes = set(re.findall(r'\bid="([^"]+)"', place.position.svg(LEARNER).rpartition("</defs>")[2]))
        named = {*self.step.look, *(shape for arrow in self.step.arrows for shape in arrow)}
        if missing := sorted(named - shapes):
            yield f"there is no shape {missing[0]!r} on the board; there are {', '.join(sorted(shapes))}."
        if self.player.waits_for(place) != "move":
            return
        view = place.position.view(LEARNER)
        for move in place.position.moves():
            for shape in self.player.game.board.clicks(view, move)[:1]:
                if shape not in shapes:
                    yield f"{move!r} is to be tapped on {shape!r}, which is not on the board."


# Read


def _read(game: Game, lesson: Lesson) -> Iterator[str]:
    """Every text, in every language."""
    for number, step in enumerate(lesson.steps, 1):
        texts = [("say", step.say), ("task", step.task)]
        texts += [("reply", text) for text in (*step.right.values(), *step.wrong.values())]
        for kind, text in texts:
            yield from (f"step {number}: {fault}" for fault in _text(game, kind, text))
    for text in (lesson.title, lesson.about):
        yield from _text(game, "task", text)


def _text(game: Game, kind: str, text: str) -> Iterator[str]:
    if not text:
        return
    for language in languages():
        with reading(Reader(language)):
            said = game.words(text)
        if language != ENGLISH and said == text:
            yield f"{text!r} is not there in {language!r}."
        if (words := len(said.split())) > MOST_WORDS[kind]:
            yield f"{said!r} has {words} words; {MOST_WORDS[kind]} are allowed."
        if len(_sentences(said)) > MOST_SENTENCES:
            yield f"{said!r} has more than {MOST_SENTENCES} sentences."


def _sentences(text: str) -> list[str]:
    """The sentences of a text; a short cry ("You decide!") is none."""
    return [sentence for sentence in re.split(r"(?<=[.!?…])\s+", text) if len(sentence.split()) > SHORT_CRY]


def _pace(game: Game, lesson: Lesson) -> Iterator[str]:
    """Whether the first lesson lets people act at once, and is short."""
    first, whole = seconds(game, lesson)
    if first > FIRST_ACT_S:
        yield f"{lesson.name}: the first own act comes after {first:.0f} s; {FIRST_ACT_S} are allowed."
    if whole > FIRST_LESSON_S:
        yield f"{lesson.name} takes {whole:.0f} s; {FIRST_LESSON_S} are allowed."


def seconds(game: Game, lesson: Lesson) -> tuple[float, float]:
    """About how long it takes to the first act that is not `next`, and to the end of the lesson."""
    player = Player(game, lesson)
    place, spent, first = player.start, 0.0, None
    while (step := player.step(place)) is not None:
        spent += len(f"{step.say} {step.task}".split()) / WORDS_S
        way = player.way(place)
        if way is None:
            raise BadLesson(f"Step {place.number + 1} of {lesson.name} cannot be done.")
        for act in way:
            if act != "next" and first is None:
                first = spent + ACT_S
            answer = player.take(place, act)
            place, spent = answer.place, spent + ACT_S + EVENT_S * len(answer.events)
    return first or spent, spent


# At the table


def _table(game: Game, script: Script) -> Iterator[str]:
    """The first real game, and what the coach says in it."""
    seats = script.first_game.seats
    try:
        game.start(len(seats), script.first_game.options)
    except BadOptions as error:
        yield f"first_game: {error}"
    if "here" not in seats:
        yield "first_game: nobody sits here."
    for kind, text in script.coach.items():
        if kind not in game.story.KINDS:
            yield f"coach: there is no event {kind!r}; there are {', '.join(game.story.KINDS)}."
        yield from (f"coach: {fault}" for fault in _text(game, "say", text))
