"""`strandline replay`: look at a record in the browser."""

import argparse
from pathlib import Path

HELP = "look at a record in the browser"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("file", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> None:
    """Open a record in the browser."""
    from strandline.server import launch

    launch.replay_file(args.file)
