"""Arguments that several commands share: how a game is played."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import strandline
from strandline.engine.vocabulary import Value


def add_setting(command: argparse.ArgumentParser) -> None:
    """The arguments that say how a game is played."""
    command.add_argument("--players", type=int, metavar="P", help="default: as few as possible")
    add_options(command)


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of the game, and its box."""
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    command.add_argument(
        "--box", type=Path, metavar="FILE", help="a TOML file that overrides entries of the game's own box.toml"
    )


def options(game: strandline.Game, texts: Sequence[str]) -> dict[str, Value]:
    """The options written as NAME=VALUE."""
    found: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise strandline.BadOptions(f"An option is written NAME=VALUE, not {text!r}.")
        known = {str(v).lower(): v for v in game.options[name].values} if name in game.options else {}
        found[name] = known.get(value.lower(), value)
    return found
