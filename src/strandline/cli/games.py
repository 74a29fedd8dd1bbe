"""`strandline games`: list the games."""

import argparse

import strandline

HELP = "list the games"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """It takes no arguments."""


def run(args: argparse.Namespace) -> None:
    """List the games with their options."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for title in ("game", "players", "minutes", "what it is"):
        table.add_column(title)
    for name in strandline.games():
        game = strandline.game(name)
        table.add_row(name, _seats(game), str(game.facts.minutes), game.facts.tagline)
    Console().print(table)


def _seats(game: strandline.Game) -> str:
    first, last = game.seats[0], game.seats[-1]
    return str(first) if first == last else f"{first} to {last}"
