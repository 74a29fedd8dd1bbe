"""`strandline simulate`: play many random games and count the results."""

import argparse

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "play many random games and count the results"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument("--games", type=int, default=100_000, metavar="N", help="how many (default 100000)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="default cpu")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Play many random games and print what came of them."""
    from strandline import summary

    game = strandline.game(args.game, args.box)
    start = game.new(args.players, **options(game, args.option))
    totals = summary.run(start, args.games, args.seed, args.threads, args.device)
    summary.print_json(totals) if args.json else summary.print_tables(totals)
