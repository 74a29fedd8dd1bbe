"""`strandline verify`: derive every roll of a record again."""

import argparse
from pathlib import Path

HELP = "derive every roll of a record again"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What can be said behind the command."""
    command.add_argument("file", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> None:
    """Say whether the dice of a record were fair; exit code 1 unless they were."""
    from strandline.server import launch

    report = launch.verify_file(args.file)
    for sentence in report.findings:
        print(sentence)
    print({"passed": "Passed.", "failed": "FAILED.", "open": "Not yet to be told."}[report.verdict])
    if report.verdict != "passed":
        raise SystemExit(1)
