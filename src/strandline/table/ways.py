"""Several moves in one go: where a piece can get to by moves that its player makes one after another."""

import itertools
import re
from typing import Any

from strandline.engine.position import Position

MOST_POSITIONS = 100
"""Positions that are looked at for one piece."""


def ways(position: Position, seat: int, shape: str) -> list[dict[str, Any]]:
    """Where the piece can get to by more than one move: the shape to click for it, and the moves, few and straight.

    All on the way is foreseen: the piece alone moves, at its player's will, and nothing else comes of it. Games with
    secrets have no such ways, for where one ends would tell what is hidden. Goals are shapes of the present board; none
    is where the piece stands.
    """
    if position.game.has_secrets or position.turn != seat:
        return []
    found: dict[str, list[str]] = {}
    reached = [(position, list[str]())]
    looked = 0
    while reached and looked < MOST_POSITIONS:
        further: dict[str, tuple[Position, list[str]]] = {}
        for here, before in reached:
            looked += 1
            for goal, move in _steps(here, seat, shape):
                way = [*before, move]
                if goal not in found and (goal not in further or _turns(way) < _turns(further[goal][1])):
                    further[goal] = here, way
        found |= {goal: way for goal, (_, way) in further.items()}
        reached = [
            (after, way)
            for here, way in further.values()
            if len(here.story(way[-1])) == 1 and (after := here.play(way[-1])).turn == seat
        ]
    far = {goal: moves for goal, moves in found.items() if len(moves) > 1}
    places = _places(position.svg()) if far else {}
    home = places.get(shape)
    return [{"goal": goal, "moves": moves} for goal, moves in far.items() if places.get(goal, home) != home]


def _turns(way: list[str]) -> int:
    """How often a way goes on by another move than the one before: of ways of one length the straightest is meant."""
    return sum(one != other for one, other in itertools.pairwise(way))


def _places(board: str) -> dict[str, str]:
    """Where every shape is on the board, as the board writes it down: a piece is where its goal was."""
    found = {}
    for tag in re.findall(r"<g [^>]*>", board.rpartition("</defs>")[2]):
        name, place = re.search(' id="([^"]*)"', tag), re.search('transform="([^"]*)"', tag)
        if name:
            found[name[1]] = place[1] if place else ""
    return found


def _steps(position: Position, seat: int, shape: str) -> list[tuple[str, str]]:
    """The moves of the piece, each with where it leads."""
    view, game = position.view(seat), position.game
    found = [(game.board.clicks(view, move), move) for move in position.moves()]
    return [
        (clicks[1], move)
        for clicks, move in found
        if len(clicks) == 2 and clicks[0] == shape and game.story.warning(view, move) is None
    ]
