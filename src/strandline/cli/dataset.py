"""`strandline dataset`: games between bots as a Minari dataset, for learning offline."""

import argparse

import strandline
from strandline.cli.arguments import options

HELP = "write games between bots as a Minari dataset, for learning offline"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument("--bot", default="3", metavar="NAME", help="who plays every seat (default 3)")
    command.add_argument("--episodes", type=int, default=1000, metavar="N", help="how many games (default 1000)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--players", type=int, metavar="P", help="default: as few as possible")
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )


def run(args: argparse.Namespace) -> None:
    """Play the games and say where they are."""
    from strandline.env import datasets

    game = strandline.game(args.game)
    made = datasets.make(game, args.bot, args.episodes, args.players, args.seed, **options(game, args.option))
    episodes = f"{made.total_episodes:,} episode{'s' if made.total_episodes != 1 else ''}"
    print(f"{made.id}: {episodes}, {made.total_steps:,} steps. minari.load_dataset('{made.id}')")
