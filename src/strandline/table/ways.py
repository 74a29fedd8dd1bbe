"""Several moves in one go: where a piece can get to by moves that its player makes one after another."""

import re
from collections import deque
from typing import Any

from strandline.engine.position import Position

MOST_POSITIONS = 40
"""Positions that are looked at for one piece."""


def ways(position: Position, seat: int, shape: str) -> list[dict[str, Any]]:
    """Where the piece can get to by more than one move: the shape to click for it, and the moves, as few as possible.

    All on the way is foreseen: the piece alone moves, at its player's will, and nothing else comes of it. Games with
    secrets have no such ways, for where one ends would tell what is hidden. None leads back to where the piece is.
    """
    if position.game.has_secrets or position.turn != seat:
        return []
    found: dict[str, list[str]] = {}
    queue: deque[tuple[Position, list[str]]] = deque([(position, [])])
    looked = 0
    while queue and looked < MOST_POSITIONS:
        here, before = queue.popleft()
        looked += 1
        for goal, move in _steps(here, seat, shape):
            if goal in found:
                continue
            found[goal] = [*before, move]
            if len(here.story(move)) == 1 and (after := here.play(move)).turn == seat:
                queue.append((after, found[goal]))
    far = {goal: moves for goal, moves in found.items() if len(moves) > 1}
    home = _drawn(position, shape) if far else None
    return [
        {"goal": goal, "moves": moves} for goal, moves in far.items() if _drawn(_after(position, moves), shape) != home
    ]


def _after(position: Position, moves: list[str]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def _drawn(position: Position, shape: str) -> str | None:
    """Where the piece is on the board, as the board writes it down; None if it is nowhere."""
    found = re.search(rf'<g [^>]*id="{re.escape(shape)}"[^>]*>', position.svg())
    place = found and re.search('transform="[^"]*"', found[0])
    return place[0] if place else None


def _steps(position: Position, seat: int, shape: str) -> list[tuple[str, str]]:
    """The moves of the piece, each with where it leads."""
    view, game = position.view(seat), position.game
    found = [(game.board.clicks(view, move), move) for move in position.moves()]
    return [
        (clicks[1], move)
        for clicks, move in found
        if len(clicks) == 2 and clicks[0] == shape and game.story.warning(view, move) is None
    ]
