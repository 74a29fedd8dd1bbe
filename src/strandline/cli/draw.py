"""`strandline draw`: draw a board as an SVG image."""

import argparse
import json
import sys
from pathlib import Path

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "draw a board as an SVG image"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument("--moves", type=int, default=0, metavar="N", help="after N random moves (default 0)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="of the random moves (default 0)")
    command.add_argument(
        "--position", type=Path, metavar="FILE", help="a JSON position to begin with; - reads standard input"
    )
    command.add_argument("--seat", type=int, metavar="SEAT", help="as this seat sees it (default: a spectator)")
    command.add_argument("--wide", action="store_true", help="arranged for a wide window")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Draw a position."""
    game = strandline.game(args.game, args.box)
    start = _position(game, args.position) if args.position else game.new(args.players, **options(game, args.option))
    if args.moves < 0:
        raise strandline.BadOptions(f"--moves must be 0 or more, not {args.moves}.")
    if args.seat is not None and not 0 <= args.seat < start.players:
        raise strandline.BadOptions(f"There is no seat {args.seat}: --seat must be from 0 to {start.players - 1}.")
    picture = start.play_random(args.moves, args.seed).svg(args.seat, args.wide)
    if args.output:
        args.output.write_text(picture, encoding="utf-8")
    else:
        print(picture)


def _position(game: strandline.Game, file: Path) -> strandline.Position:
    try:
        return game.position(json.loads(sys.stdin.read() if file == Path("-") else file.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        raise strandline.BadPosition(f"{file} is not valid JSON: {error}.") from None
