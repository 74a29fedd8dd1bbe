"""The command line: `strandline COMMAND`. What goes wrong is said in one sentence, with exit code 2."""

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import strandline
from strandline.engine import pages
from strandline.engine.vocabulary import Value


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is to be had."""
        raise SystemExit(_complain(f"{message[0].upper()}{message[1:]}. See '{self.prog} --help'."))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    args = _parser().parse_args(arguments)
    try:
        args.run(args)
    except (strandline.UnknownGame, strandline.BadBox, strandline.BadOptions, strandline.BadPosition) as error:
        return _complain(str(error))
    except KeyboardInterrupt as stop:
        print(f"\n{str(stop) or 'Stopped.'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # somebody read enough of our output
        sys.stderr.close()
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")
    return 0


def _complain(sentence: str) -> int:
    print(f"strandline: {sentence}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="strandline", description="Five seaside games: play them, simulate them, study them.")
    parser.add_argument("--version", action="version", version=f"strandline {strandline.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    command = commands.add_parser("games", help="list the games")
    command.set_defaults(run=games)

    command = commands.add_parser("rules", help="show the rules of a game")
    command.add_argument("game", metavar="GAME")
    command.set_defaults(run=rules)

    command = commands.add_parser("play", help="play a game")
    command.add_argument("game", metavar="GAME", nargs="?", help="asked for when left out")
    command.add_argument("--terminal", action="store_true", help="in the terminal, with numbered moves")
    command.add_argument("--bots", type=int, default=0, metavar="N", help="bots play the last N seats (default 0)")
    _add_setting(command)
    command.set_defaults(run=play)

    command = commands.add_parser("serve", help="serve game tables to browsers")
    command.add_argument("--host", default="127.0.0.1", metavar="H", help="default 127.0.0.1: this machine only")
    command.add_argument("--port", type=int, default=8000, metavar="N", help="default 8000; 0 is any free one")
    command.add_argument("--store", metavar="URL", help="sqlite:///FILE or postgresql://… (default: your data folder)")
    command.add_argument(
        "--archive-after", type=float, default=30, metavar="DAYS", help="put untouched tables away (default 30)"
    )
    command.set_defaults(run=serve)

    command = commands.add_parser("verify", help="derive every roll of a record again")
    command.add_argument("file", type=Path, metavar="FILE")
    command.set_defaults(run=verify)

    command = commands.add_parser("replay", help="look at a record in the browser")
    command.add_argument("file", type=Path, metavar="FILE")
    command.set_defaults(run=replay)

    command = commands.add_parser("simulate", help="play many random games and count the results")
    command.add_argument("game", metavar="GAME")
    command.add_argument("--games", type=int, default=100_000, metavar="N", help="how many (default 100000)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="default cpu")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    _add_setting(command)
    command.set_defaults(run=simulate)

    command = commands.add_parser("ptx", help="write the random games of a game as a kernel for GPUs, and a launcher")
    command.add_argument("game", metavar="GAME")
    command.add_argument("--capability", default="9.0", metavar="C", help="of the GPU, or less (default 9.0)")
    command.add_argument("--out", type=Path, metavar="FILE", help="default GAME.ptx; launch.py is put beside it")
    _add_setting(command)
    command.set_defaults(run=ptx)

    command = commands.add_parser("draw", help="draw a board as an SVG image")
    command.add_argument("game", metavar="GAME")
    command.add_argument("--moves", type=int, default=0, metavar="N", help="after N random moves (default 0)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="of the random moves (default 0)")
    command.add_argument("--position", type=Path, metavar="FILE", help="a JSON position to begin with; - reads it here")
    command.add_argument("--seat", type=int, metavar="SEAT", help="as this seat sees it (default: a spectator)")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    _add_setting(command)
    command.set_defaults(run=draw)

    command = commands.add_parser("solve", help="solve a game exactly and say what perfect players can expect")
    command.add_argument("game", metavar="GAME")
    _add_setting(command)
    command.set_defaults(run=solve)

    command = commands.add_parser("tournament", help="let bots play against each other")
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "--bots", default="5,random", metavar="A,B", help="levels 1 to 5, search, random, or installed"
    )
    command.add_argument("--games", type=int, default=100, metavar="N", help="how many (default 100)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    _add_setting(command)
    command.set_defaults(run=tournament)

    command = commands.add_parser("lab", help="study a game: who wins, how long it is, what happens in it")
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "--games", type=int, metavar="N", help="of each setting (default 100000, guided 20000, or 100 with bots)"
    )
    command.add_argument("--players", metavar="P,Q", help="one or more numbers of players (default: all)")
    command.add_argument(
        "--bots",
        metavar="A,B",
        help="who plays, in turn at each seat: random, guided, levels 1 to 5, search, or installed bots (default: "
        "guided where the game's hints say how to move, else random)",
    )
    command.add_argument("--compare", metavar="NAME=A,B", help="values of an option to compare with the first of them")
    command.add_argument(
        "--skill", metavar="A,B", help="a stronger and a weaker player for luck against skill, or none"
    )
    command.add_argument("--skill-games", type=int, metavar="N", help="games between them (default: the same numbers)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument("--out", type=Path, metavar="DIR", help="where report and data go (default lab/GAME)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, as tcp://scheduler:8786")
    command.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="default cpu")
    _add_options(command)
    command.set_defaults(run=lab)

    command = commands.add_parser("bench", help="measure how fast random games are played")
    command.add_argument("games", metavar="GAME", nargs="*", help="default: all games")
    command.set_defaults(run=bench)
    return parser


def _add_setting(command: argparse.ArgumentParser) -> None:
    """The arguments that say how a game is played."""
    command.add_argument("--players", type=int, metavar="P", help="default: as few as possible")
    _add_options(command)


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    command.add_argument("--box", type=Path, metavar="FILE", help="a TOML file over the game's own box.toml")


def options(game: strandline.Game, texts: Sequence[str]) -> dict[str, Value]:
    """The options written as NAME=VALUE."""
    found: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise strandline.BadOptions(f"An option is written NAME=VALUE, not {text!r}.")
        known = {str(v).lower(): v for v in game.options[name].values} if name in game.options else {}
        found[name] = known.get(value.lower(), value)
    return found


def games(args: argparse.Namespace) -> None:
    """List the games with their options."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for title in ("game", "players", "minutes", "what it is"):
        table.add_column(title)
    for name in strandline.games():
        game = strandline.game(name)
        table.add_row(name, f"{game.seats[0]} to {game.seats[-1]}", str(game.facts.minutes), game.facts.line)
    Console().print(table)


def rules(args: argparse.Namespace) -> None:
    """Show the rule page."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    page = Markdown(pages.rules(strandline.game(args.game)))
    with console.pager(styles=True) if console.is_terminal else contextlib.nullcontext():
        console.print(page)


def play(args: argparse.Namespace) -> None:
    """Play in the browser or in the terminal."""
    if not args.terminal:
        return _play_in_browser(args)
    from strandline import terminal

    name = args.game or terminal.choose_game()
    if name is None:
        return
    game = strandline.game(name, args.box)
    start = game.new(args.players, **options(game, args.option))
    if not 0 <= args.bots <= start.players:
        raise strandline.BadOptions(f"--bots must be from 0 to {start.players}, the number of players.")
    terminal.play(start, bots=args.bots)


def _play_in_browser(args: argparse.Namespace) -> None:
    from strandline.table import launch

    if args.box is not None:
        raise strandline.BadOptions("--box goes with --terminal: tables in the browser have the games' own boxes.")
    if args.game is None and (args.players is not None or args.option or args.bots):
        raise strandline.BadOptions("Name a GAME to choose players, options and bots here, or choose them on the page.")
    chosen = options(strandline.game(args.game), args.option) if args.game else {}
    launch.play(args.game, args.players, chosen, args.bots)


def serve(args: argparse.Namespace) -> None:
    """Serve tables until stopped."""
    from strandline.table import launch
    from strandline.table.hall import Settings

    if args.archive_after <= 0:
        raise strandline.BadOptions("--archive-after must be above 0.")
    settings = Settings(archive_after=args.archive_after * 86_400)
    launch.serve(args.store or launch.default_store(), args.host, args.port, settings)


def verify(args: argparse.Namespace) -> None:
    """Say whether the dice of a record were fair; exit code 1 unless they were."""
    from strandline.table import launch

    report = launch.verify_file(args.file)
    for sentence in report.findings:
        print(sentence)
    print({"passed": "Passed.", "failed": "FAILED.", "open": "Not yet to be told."}[report.verdict])
    if report.verdict != "passed":
        raise SystemExit(1)


def replay(args: argparse.Namespace) -> None:
    """Open a record in the browser."""
    from strandline.table import launch

    launch.replay_file(args.file)


def simulate(args: argparse.Namespace) -> None:
    """Play many random games and print what came of them."""
    from strandline import summary

    game = strandline.game(args.game, args.box)
    start = game.new(args.players, **options(game, args.option))
    totals = summary.run(start, args.games, args.seed, args.threads, args.device)
    summary.print_json(totals) if args.json else summary.print_tables(totals)


def ptx(args: argparse.Namespace) -> None:
    """Write a kernel and its launcher."""
    from strandline.lab import cuda

    game = strandline.game(args.game, args.box)
    file = args.out or Path(f"{game.name}.ptx")
    cuda.write(game.new(args.players, **options(game, args.option)), file, args.capability)
    print(f"python {file.parent / cuda.LAUNCHER} {file} --games 1000000 --seed 0")


def draw(args: argparse.Namespace) -> None:
    """Draw a position."""
    game = strandline.game(args.game, args.box)
    start = _position(game, args.position) if args.position else game.new(args.players, **options(game, args.option))
    picture = start.wander(args.moves, args.seed).svg(args.seat)
    if args.output:
        args.output.write_text(picture, encoding="utf-8")
    else:
        print(picture)


def _position(game: strandline.Game, file: Path) -> strandline.Position:
    try:
        return game.position(json.loads(sys.stdin.read() if file == Path("-") else file.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        raise strandline.BadPosition(f"{file} is not valid JSON: {error}.") from None


def solve(args: argparse.Namespace) -> None:
    """Solve a game exactly and print what perfect players can expect."""
    from strandline.bots import exact

    game = strandline.game(args.game, args.box)
    exact.print_solution(game.new(args.players, **options(game, args.option)))


def tournament(args: argparse.Namespace) -> None:
    """Let bots play against each other."""
    from strandline.bots import tournament as bots

    game = strandline.game(args.game, args.box)
    start = game.new(args.players, **options(game, args.option))
    table = bots.run(start, args.bots.split(","), args.games, args.seed, args.threads)
    bots.print_json(table) if args.json else bots.print_table(table)


def lab(args: argparse.Namespace) -> None:
    """Study a game and write a report."""
    from strandline.lab import conduct, plan

    game = strandline.game(args.game, args.box)
    study = plan.plan(
        game,
        players=_numbers(args.players),
        options=options(game, args.option),
        compare=_compared(game, args.compare),
        bots=args.bots.split(",") if args.bots else (),
        games=args.games,
        seed=args.seed,
        skill=None if args.skill is None else () if args.skill == "none" else args.skill.split(","),
        skill_games=args.skill_games,
        box=args.box,
    )
    folder = args.out or Path("lab") / game.name
    found = conduct.conduct(study, folder, args.threads, args.cluster, args.device)
    for sentence in found.headline():
        print(sentence)
    print(f"The report: {folder / 'report.html'}")


def _numbers(text: str | None) -> list[int]:
    """The numbers of players written as 2,3,4."""
    words = text.split(",") if text else []
    if not all(word.strip().isdecimal() for word in words):
        raise strandline.BadOptions(f"--players is one or more whole numbers, written as 2,3,4; not {text!r}.")
    return list(dict.fromkeys(int(word) for word in words))


def _compared(game: strandline.Game, text: str | None) -> tuple[str, list[Value]] | None:
    """The option and its values written as NAME=A,B."""
    if text is None:
        return None
    name, equals, values = text.partition("=")
    if not equals:
        raise strandline.BadOptions(f"--compare is written NAME=A,B, not {text!r}.")
    return name, [options(game, [f"{name}={value}"])[name] for value in values.split(",")]


def bench(args: argparse.Namespace) -> None:
    """Measure random play."""
    from strandline import timing

    timing.print_table([strandline.game(name) for name in args.games or strandline.games()])
