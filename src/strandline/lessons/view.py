"""What a learner is shown of a lesson: the board, the coach's words, what can be done, and what has just happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from strandline.engine.game import Game
from strandline.engine.story import Event
from strandline.engine.words import Reader, Words, reader, reading
from strandline.lessons import script as scripts
from strandline.lessons.player import LEARNER, ROLL, Place, Player
from strandline.lessons.script import Lesson, Step
from strandline.table import perspective
from strandline.table.perspective import Perspective

_ = Words(__file__)


def listed(game: Game) -> dict[str, Any]:
    """The lessons of a game, in the reader's language."""
    script = scripts.of(game)
    return {
        "game": game.name,
        "title": game.told_title,
        "lessons": [
            {
                "name": lesson.name,
                "title": game.words(lesson.title),
                "about": game.words(lesson.about),
                "steps": len(lesson.steps),
            }
            for lesson in script.lessons
        ],
        "first_game": {"seats": list(script.first_game.seats), "options": dict(script.first_game.options)},
        "coach": {kind: game.words(text) for kind, text in script.coach.items()},
    }


def seen(game: Game, lesson: Lesson, acts: Sequence[str], act: str | None = None, wide: bool = False) -> dict[str, Any]:
    """The lesson for a learner who has done `acts` and now does `act`. Raises `BadAct` where that cannot be."""
    player, learner = Player(game, lesson), Perspective(frozenset({LEARNER}), LEARNER, None, reader().language, wide)
    with reading(Reader(reader().language, frozenset({LEARNER}), _names(lesson.players))):
        place, begins = player.replay(acts)
        if act is None:
            return _state(player, place, learner, acts, begins)
        answer = player.take(place, act)
        done = acts if answer.verdict == "wrong" else [*acts, act]
        return {
            **_state(
                player, answer.place, learner, done, [*begins, len(done)] if answer.verdict == "right" else begins
            ),
            "verdict": answer.verdict,
            "reply": answer.reply,
            "events": [_event(event, learner) for event in answer.events],
        }


def why(game: Game, lesson: Lesson, acts: Sequence[str], shape: str, chosen: Sequence[str]) -> dict[str, Any]:
    """Why a shape cannot be tapped now; no sentence if it can."""
    with reading(Reader(reader().language, frozenset({LEARNER}), _names(lesson.players))):
        place, _begins = Player(game, lesson).replay(acts)
        reason = place.position.why(shape, chosen, LEARNER)
        return {"sentence": reason and reason.sentence, "rule": reason and reason.rule}


def _names(players: int) -> tuple[str, ...]:
    return (_("You"), _("Otter"), _("Heron"), _("Puffin"), _("Seal"))[:players]


def _state(
    player: Player, place: Place, learner: Perspective, acts: Sequence[str], begins: list[int]
) -> dict[str, Any]:
    step, waits = player.step(place), player.waits_for(place)
    board = perspective.picture(place.position, learner).svg
    return {
        "lesson": player.lesson.name,
        "step": place.number,
        "steps": len(player.lesson.steps),
        "acts": list(acts),
        "begins": begins,
        "waits": waits,
        "anew": bool(step and step.begins and len(acts) == begins[-1]),
        "say": player.said(step.say) if step else "",
        "task": player.said(step.task) if step else "",
        "look": list(step.look) if step else [],
        "arrows": [list(arrow) for arrow in step.arrows] if step else [],
        "svg": board,
        "words": perspective.words(place.position, LEARNER),
        "moves": _offers(player, place, step, board) if step else [],
        "verdict": None,
        "reply": "",
        "events": [],
    }


def _offers(player: Player, place: Place, step: Step, board: str) -> list[dict[str, Any]]:
    match player.waits_for(place):
        case "move":
            return [_offer(**offer) for offer in perspective.offers(place.position, LEARNER)]
        case "roll":
            roll = place.position.roll()
            sentence = roll.label if roll else _("Go on")
            return [_offer(ROLL, sentence, [shape]) for shape in tapped(step, board)] or [_offer(ROLL, sentence, [])]
        case _:
            return []


def _offer(move: str, sentence: str, clicks: list[str], **_more: Any) -> dict[str, Any]:
    return {"move": move, "sentence": sentence, "clicks": clicks}


def tapped(step: Step, board: str) -> list[str]:
    """The shapes that a learner may tap to let chance decide: the dice, or else those to look at."""
    return re.findall(r'<g [^>]*\bid="(die(?:-[^"]*)?)"', board) or list(step.look)


def _event(event: Event, learner: Perspective) -> dict[str, Any]:
    event = event.seen_by(learner.seats)
    return {
        "kind": event.kind,
        "who": event.who,
        "sentence": event.sentence,
        "shapes": list(event.shapes),
        "dice": event.data.get("dice", []),
        "drawn": event.data.get("drawn", []),
        "svg": perspective.picture(event.position, learner).svg,
    }
