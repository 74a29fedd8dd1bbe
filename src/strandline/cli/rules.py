"""`strandline rules`: show the rules of a game."""

import argparse
import contextlib

import strandline
from strandline.server import pages

HELP = "show the rules of a game"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")


def run(args: argparse.Namespace) -> None:
    """Show the rule page."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    page = Markdown(pages.rules(strandline.game(args.game)))
    with console.pager(styles=True) if console.is_terminal else contextlib.nullcontext():
        console.print(page)
