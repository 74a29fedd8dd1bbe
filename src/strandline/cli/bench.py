"""`strandline bench`: measure how fast random games are played."""

import argparse

import strandline

HELP = "measure how fast random games are played"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("games", metavar="GAME", nargs="*", help="default: all games")


def run(args: argparse.Namespace) -> None:
    """Measure random play."""
    from strandline import timing

    timing.print_table([strandline.game(name) for name in args.games or strandline.games()])
