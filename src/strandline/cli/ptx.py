"""`strandline ptx`: write the random games of a game as a kernel for GPUs, and a launcher."""

import argparse
from pathlib import Path

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "write the random games of a game as a kernel for GPUs, and a launcher"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "--capability", default="9.0", metavar="C", help="compute capability of the GPU, or a lower one (default 9.0)"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="default GAME.ptx; launch.py is put beside it")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Write a kernel and its launcher."""
    from strandline.lab import cuda

    game = strandline.game(args.game, args.box)
    file = args.out or Path(f"{game.name}.ptx")
    cuda.write(game.new(args.players, **options(game, args.option)), file, args.capability)
    print(f"python {file.parent / cuda.LAUNCHER} {file} --games 1000000 --seed 0")
