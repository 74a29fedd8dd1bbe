"""`strandline play`: play a game."""

import argparse
from typing import Any

import strandline
from strandline.cli.arguments import add_setting, options

HELP = "play a game"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument(
        "game", metavar="GAME", nargs="?", help="left out, it is chosen on the page, or asked for in the terminal"
    )
    command.add_argument("--terminal", action="store_true", help="in the terminal, with numbered moves")
    command.add_argument(
        "--bots", metavar="A,B", help="who plays the last seats: levels 1 to 5 or 6, search, random, or installed"
    )
    command.add_argument("--port", type=int, metavar="N", help="default 7245, or the next one that is free")
    command.add_argument("--lan", action="store_true", help="let others on the local network join at once")
    add_setting(command)


def run(args: argparse.Namespace) -> None:
    """Play in the browser or in the terminal."""
    if not args.terminal:
        return _play_in_browser(args)
    from strandline.cli import terminal

    name = args.game or terminal.choose_game()
    if name is None:
        return
    game = strandline.game(name, args.box)
    start = game.new(args.players, **options(game, args.option))
    terminal.play(start, _bots(args.bots, start))


def _play_in_browser(args: argparse.Namespace) -> None:
    from strandline.server import launch

    if args.box is not None:
        raise strandline.BadOptions("--box goes with --terminal: tables in the browser use the games' own boxes.")
    if args.game is None and (args.players is not None or args.option or args.bots):
        raise strandline.BadOptions("Name a GAME to choose players, options and bots here, or choose them on the page.")
    port = launch.PORT if args.port is None else args.port
    if not 1 <= port < 2**16 - launch.PORTS:
        raise strandline.BadOptions(f"--port must be from 1 to {2**16 - launch.PORTS - 1}.")
    launch.play(_table(args) if args.game else None, port, args.lan)


def _table(args: argparse.Namespace) -> dict[str, Any]:
    """The table that is asked for."""
    game = strandline.game(args.game)
    chosen = options(game, args.option)
    start = game.new(args.players, **chosen)
    bots = _bots(args.bots, start)
    kinds = ["here"] * (start.players - len(bots)) + [f"bot:{name}" for name in bots]
    return {"game": args.game, "options": chosen, "kinds": kinds}


def _bots(names: str | None, start: strandline.Position) -> list[str]:
    """The bots that are asked for, which play the last seats."""
    from strandline.table import levels

    wanted = [name.strip() for name in names.split(",")] if names else []
    known = levels.known(start.game, start.players)
    for name in wanted:
        if name not in known:
            raise levels.unknown(name, known)
    if len(wanted) > start.players:
        raise strandline.BadOptions(f"--bots names {len(wanted)} bots, but there are {start.players} seats.")
    return wanted
