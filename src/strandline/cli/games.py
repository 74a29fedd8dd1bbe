"""`strandline games`: list the games."""

import argparse

import strandline

HELP = "list the games"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """There is nothing more to say."""


def run(args: argparse.Namespace) -> None:
    """List the games with their options."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for title in ("game", "players", "minutes", "what it is"):
        table.add_column(title)
    for name in strandline.games():
        game = strandline.game(name)
        table.add_row(name, f"{game.seats[0]} to {game.seats[-1]}", str(game.facts.minutes), game.facts.tagline)
    Console().print(table)
