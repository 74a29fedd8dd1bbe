"""`strandline lessons`: list the lessons of the games, or play every one of them against the rules."""

import argparse
import re
import urllib.request

import strandline

HELP = "list the lessons, check them, or see how far people get in them"
COUNT = re.compile(r'strandline_lesson_steps_total\{came="(\w+)",game="(\w+)",lesson="(\w+)",step="(\d+)"\} ([\d.e+]+)')


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("game", metavar="GAME", nargs="?", help="default: all games")
    command.add_argument("--check", action="store_true", help="play every lesson against the rules")
    command.add_argument("--counts", metavar="ADDRESS", help="what a server has counted, such as http://127.0.0.1:8000")


def run(args: argparse.Namespace) -> None:
    """List, check or count."""
    games = [strandline.game(name) for name in ([args.game] if args.game else strandline.games())]
    if args.counts:
        _count(args.counts, [game.name for game in games])
    elif args.check:
        _check(games)
    else:
        _list(games)


def _list(games: list[strandline.Game]) -> None:
    from rich.console import Console
    from rich.table import Table

    from strandline.lessons import check, script

    table = Table(box=None, header_style="bold")
    for title in ("game", "lesson", "steps", "minutes", "what it is about"):
        table.add_column(title)
    for game in games:
        for lesson in script.of(game).lessons:
            minutes = check.seconds(game, lesson)[1] / 60
            table.add_row(game.name, lesson.name, str(len(lesson.steps)), f"{minutes:.1f}", lesson.about)
    Console().print(table)


def _check(games: list[strandline.Game]) -> None:
    from strandline.lessons import check, script

    faults = [f"{game.name}: {fault}" for game in games for fault in check.faults(game)]
    for fault in faults:
        print(fault)
    number = sum(len(script.of(game).lessons) for game in games)
    print(f"{number} lessons: {'all can be played' if not faults else f'{len(faults)} to fix'}.")
    if faults:
        raise SystemExit(1)


def _count(address: str, games: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    with urllib.request.urlopen(f"{address.rstrip('/')}/metrics") as answer:
        found = COUNT.findall(answer.read().decode())
    counts = {(game, lesson, int(step), came): int(float(n)) for came, game, lesson, step, n in found}
    table = Table(box=None, header_style="bold")
    for title in ("game", "lesson", "step", "reached", "left"):
        table.add_column(title)
    for game, lesson, step in sorted({key[:3] for key in counts if key[0] in games}):
        reached, left = (str(counts.get((game, lesson, step, came), 0)) for came in ("reached", "left"))
        table.add_row(game, lesson, str(step), reached, left)
    Console().print(table)
