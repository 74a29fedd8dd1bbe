"""`strandline benchmark`: how well a bot does in fixed tasks, beside perfect play where that is known."""

import argparse
import sys

HELP = "measure a bot in fixed tasks: share of the win, regret against perfect play"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument(
        "model", metavar="MODEL", help="a level, network, random, search, an installed bot, or MODULE:FUNCTION"
    )
    command.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="NAME",
        help="such as up_the_river-2-3, or only the beginning of it",
    )
    command.add_argument("--games", type=int, default=200, metavar="N", help="of each task (default 200)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(args: argparse.Namespace) -> None:
    """Play the tasks, and print a row for each as soon as it is done."""
    import json

    from strandline.env import benchmark

    sys.path.append("")  # a MODULE may lie in the current folder
    scores = benchmark.run(args.model, args.task, args.games, args.threads)
    if args.json:
        print(json.dumps(benchmark.as_json(args.model, list(scores))))
        return
    print(benchmark.HEAD, flush=True)
    for one in scores:
        print(benchmark.row(one), flush=True)
