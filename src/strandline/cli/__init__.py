"""The command line: `strandline COMMAND`. What goes wrong is said in one sentence, with exit code 2.

Each command is a module here: `HELP`, `add_arguments` and `run`.
"""

import argparse
import difflib
import importlib
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

import strandline

COMMANDS = (
    "games",
    "rules",
    "guide",
    "lessons",
    "play",
    "serve",
    "site",
    "store",
    "verify",
    "replay",
    "simulate",
    "ptx",
    "draw",
    "solve",
    "tournament",
    "benchmark",
    "dataset",
    "lab",
    "bench",
    "words",
    "new_game",
    "golden",
)
"""In the order in which they are listed."""

EXTRAS = {"lab": "lab", "ptx": "cuda", "benchmark": "native", "dataset": "offline"}
"""Commands that need more than the default installation, and the extra that brings it."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to find help."""
        if found := re.fullmatch(r"argument (\S+): invalid (int|float) value: (.*)", message, re.S):
            kind = "a whole number" if found[2] == "int" else "a number"
            message = f"{found[1]} is {kind}, not {found[3]}"
        if found := re.match(r"argument COMMAND: invalid choice: '(.*?)' ", message):
            close = difflib.get_close_matches(found[1], [name.replace("_", "-") for name in COMMANDS])
            message = f"there is no command {found[1]}" + (f"; did you mean {' or '.join(close)}" if close else "")
        end = "?" if "did you mean" in message else "."
        raise SystemExit(_complain(f"{message[0].upper()}{message[1:]}{end} See '{self.prog} --help'."))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    parser = _parser()
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        command = f"{parser.prog} {args.command or ''}".rstrip()
        return _complain(f"What is {' '.join(unknown)}? See '{command} --help'.")
    if args.command is None:
        parser.print_help()
        return 0
    try:
        args.run(args)
    except (strandline.UnknownGame, strandline.BadBox, strandline.BadOptions, strandline.BadPosition) as error:
        return _complain(str(error))
    except ModuleNotFoundError:
        extra = "cuda" if getattr(args, "device", None) == "cuda" else EXTRAS.get(args.command)
        if extra is None:
            raise
        return _complain(
            f"{args.command} needs the extra {extra!r}. Install it with: pip install 'strandline[{extra}]'"
        )
    except KeyboardInterrupt as stop:
        print(f"\n{str(stop) or 'Stopped.'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")
    return 0


def _complain(sentence: str) -> int:
    print(f"strandline: {sentence}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="strandline", description="Seaside board games: play them, simulate them, study them.")
    parser.add_argument("--version", action="version", version=f"strandline {strandline.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in COMMANDS:
        module = importlib.import_module(f"strandline.cli.{name}")
        what = f"{module.HELP[0].upper()}{module.HELP[1:]}."
        command = commands.add_parser(name.replace("_", "-"), help=module.HELP, description=what)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
