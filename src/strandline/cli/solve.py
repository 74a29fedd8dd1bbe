"""`strandline solve`: solve a game exactly and say what perfect players can expect."""

import argparse

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "solve a game exactly and say what perfect players can expect"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Solve a game exactly and print what perfect players can expect."""
    from strandline.bots import exact

    game = strandline.game(args.game, args.box)
    exact.print_solution(game.new(args.players, **options(game, args.option)))
