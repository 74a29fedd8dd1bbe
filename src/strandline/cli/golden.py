"""`strandline golden`: write golden games and counts of a game's rules, for tests to hold the rules to."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import strandline
from strandline.engine import draws

HELP = "write golden games and counts of moves into a game's tests"
MOST_COUNTED = 20_000
"""Counts go as deep as they stay below this."""
MOST_MOVES = 100_000


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument("--out", type=Path, metavar="DIR", help="default: the game's folder in tests/games")


def run(args: argparse.Namespace) -> None:
    """Write a game for each number of seats, and counts from their first positions."""
    game = strandline.game(args.game)
    folder = Path(strandline.__file__).parents[2] / "tests" / "games" / game.name
    if args.out is None and (folder / "golden").exists():
        raise strandline.BadOptions(
            f"{game.title} has golden games already: name --out to write others beside them, or remove"
            f" {folder / 'golden'} if the rules have changed."
        )
    folder = args.out or folder
    for file in write(game, folder):
        print(file)


def write(game: strandline.Game, folder: Path) -> Iterator[Path]:
    """Write the files; gives what was written."""
    (folder / "golden").mkdir(parents=True, exist_ok=True)
    for players in game.seats:
        file = folder / "golden" / f"seats_{players}.txt"
        file.write_text(golden(game, players), encoding="utf-8")
        yield file
    counts = folder / "perft.txt"
    counts.write_text("".join(_counts(game, players) for players in game.seats), encoding="utf-8")
    yield counts


def golden(game: strandline.Game, players: int, seed: int = 1) -> str:
    """A random game: its setting, its moves, a line each, and its last position."""
    position, key = game.new(players), draws.stream(seed, players)
    lines = [json.dumps({"players": players})]
    for k in range(MOST_MOVES):
        moves = position.moves()
        if not moves:
            break
        move = moves[draws.draw(key, k, len(moves))]
        lines.append(move)
        position = position.play(move)
    else:
        raise strandline.BadOptions(f"{game.title} has not ended after {MOST_MOVES:,} moves: give it a limit.")
    return "\n".join([*lines, json.dumps(position.to_json())]) + "\n"


def _counts(game: strandline.Game, players: int) -> str:
    """How many rows of moves and outcomes there are, by their length."""
    setting: dict[str, Any] = {"players": players}
    lines, positions, depth = [], {game.new(players): 1}, 0
    while sum(positions.values()) < MOST_COUNTED and any(position.moves() for position in positions):
        following: dict[strandline.Position, int] = {}
        for position, rows in positions.items():
            for after in [position.play(move) for move in position.moves()] or [position]:
                following[after] = following.get(after, 0) + rows
        positions, depth = following, depth + 1
        lines.append(f"{depth} {sum(positions.values())} {json.dumps(setting)}\n")
    return lines[-1]
