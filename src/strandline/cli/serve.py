"""`strandline serve`: serve game tables to browsers."""

import argparse

import strandline

HELP = "serve game tables to browsers"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What can be said behind the command."""
    command.add_argument("--host", default="127.0.0.1", metavar="H", help="default 127.0.0.1: this machine only")
    command.add_argument("--port", type=int, default=8000, metavar="N", help="default 8000; 0 is any free one")
    command.add_argument("--store", metavar="URL", help="sqlite:///FILE or postgresql://… (default: your data folder)")
    command.add_argument(
        "--archive-after", type=float, default=30, metavar="DAYS", help="put untouched tables away (default 30)"
    )


def run(args: argparse.Namespace) -> None:
    """Serve tables until stopped."""
    from strandline.server import launch
    from strandline.server.hall import Settings

    if args.archive_after <= 0:
        raise strandline.BadOptions("--archive-after must be above 0.")
    settings = Settings(archive_after=args.archive_after * 86_400)
    launch.serve(args.store or launch.default_store(), args.host, args.port, settings)
