"""`strandline tournament`: let bots play against each other."""

import argparse

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "let bots play against each other"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "--bots", default="5,random", metavar="A,B", help="levels 1 to 5 or 6, network, search, random, or installed"
    )
    command.add_argument("--games", type=int, default=100, metavar="N", help="how many (default 100)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Let bots play against each other."""
    from strandline.bots import tournament as bots

    game = strandline.game(args.game, args.box)
    start = game.new(args.players, **options(game, args.option))
    table = bots.run(start, args.bots.split(","), args.games, args.seed, args.threads)
    bots.print_json(table) if args.json else bots.print_table(table)
