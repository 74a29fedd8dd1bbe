"""`strandline site`: write a site that needs no server."""

import argparse
from pathlib import Path

HELP = "write a folder for any web host: all games, played in the browser alone"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("--out", type=Path, default=Path("build/site"), metavar="DIR", help="(default build/site)")


def run(args: argparse.Namespace) -> None:
    """Build it, and say what to do with it."""
    from strandline.site.build import build

    size = build(args.out)
    print(f"The site is in {args.out} ({size / 1e6:.1f} MB). Put the folder on any web host, or try it with:")
    print(f"python3 -m http.server --directory {args.out}")
