"""`strandline verify`: derive every roll of a record again."""

import argparse
from pathlib import Path

HELP = "check a record by deriving every roll again"
CODES = {"passed": 0, "failed": 1, "open": 2}
SAID = {
    "passed": "Passed: all draws are right, and the game was played by the rules.",
    "failed": "FAILED: this record, or what was kept, is not what was played.",
    "open": "Not proved: nothing false was found, but something is missing or could not be checked.",
}


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--kept", type=Path, metavar="FILE", help="what a player's page has kept of the table")
    command.add_argument("--key", metavar="HEX", help="the server's public key (default: those of this machine)")


def run(args: argparse.Namespace) -> None:
    """Say whether the dice of a record were fair: exit code 0 if so, 1 if not, 2 if that cannot be proved."""
    from strandline.server import launch

    report = launch.verify_file(args.file, args.kept, args.key)
    for sentence in report.findings:
        print(sentence)
    print(SAID[report.verdict])
    raise SystemExit(CODES[report.verdict])
