"""`strandline play`: play a game."""

import argparse

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
        "--bots",
        type=int,
        default=0,
        metavar="N",
        help="bots play the last N seats (default 0); in the terminal they move at random",
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
    if not 0 <= args.bots <= start.players:
        raise strandline.BadOptions(f"--bots must be from 0 to {start.players}, the number of players.")
    terminal.play(start, bots=args.bots)


def _play_in_browser(args: argparse.Namespace) -> None:
    from strandline.server import launch

    if args.box is not None:
        raise strandline.BadOptions("--box goes with --terminal: tables in the browser use the games' own boxes.")
    if args.game is None and (args.players is not None or args.option or args.bots):
        raise strandline.BadOptions("Name a GAME to choose players, options and bots here, or choose them on the page.")
    chosen = options(strandline.game(args.game), args.option) if args.game else {}
    port = launch.PORT if args.port is None else args.port
    if not 1 <= port < 2**16 - launch.PORTS:
        raise strandline.BadOptions(f"--port must be from 1 to {2**16 - launch.PORTS - 1}.")
    launch.play(args.game, args.players, chosen, args.bots, port, args.lan)
