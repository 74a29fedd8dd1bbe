"""`strandline guide`: show how a game is played, or write the guide with its pictures."""

import argparse
import contextlib
from pathlib import Path

import strandline
from strandline import guides
from strandline.engine import words

HELP = "show how a game is played, or write the guide with its pictures"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument("--language", choices=words.languages(), default=words.ENGLISH, help="default: en")
    command.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="write GAME.md there, and its pictures as SVG files beside it"
    )


def run(args: argparse.Namespace) -> None:
    """Show the guide, each picture in words; or write it."""
    game = strandline.game(args.game)
    with words.reading(words.Reader(args.language)):
        if args.output:
            args.output.mkdir(parents=True, exist_ok=True)
            for name, text in guides.files(game).items():
                (args.output / name).write_text(text, encoding="utf-8")
            return
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        page = Markdown(guides.plain(game.guide))
    with console.pager(styles=True) if console.is_terminal else contextlib.nullcontext():
        console.print(page)
