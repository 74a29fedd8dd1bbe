"""`strandline new-game`: a folder with a small game that runs, to be changed into your own."""

import argparse
import keyword
import re
from pathlib import Path

import strandline

HELP = "write the folder of a new game, with a small game in it that runs"
TEMPLATE = Path(__file__).parent / "template"
NAME, TITLE = "game_name", "Game Title"
"""What stands in the template for the name of the game and its title."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("name", metavar="NAME", help="in lower case, such as beach_ball")
    command.add_argument("--title", metavar="TITLE", help="as people write it (default: made from NAME)")
    command.add_argument("--into", type=Path, metavar="DIR", help="a source tree of Strandline (default: this one)")


def run(args: argparse.Namespace) -> None:
    """Write the game and its tests, and say what to do next."""
    if not re.fullmatch("[a-z][a-z0-9_]*", args.name):
        raise strandline.BadOptions(
            f"A game's name begins with a lower-case letter, and letters, digits and _ follow: not {args.name!r}."
        )
    if keyword.iskeyword(args.name):
        raise strandline.BadOptions(f"{args.name!r} is a word of Python's own, and cannot be the name of a game.")
    root = args.into or Path(strandline.__file__).parents[2]
    if not (root / "pyproject.toml").exists() or not (root / "tests" / "games").is_dir():
        raise strandline.BadOptions(f"{root} is not a source tree of Strandline; name one with --into.")
    folder, tests = root / "src" / "strandline" / "games" / args.name, root / "tests" / "games" / args.name
    write(args.name, args.title or args.name.replace("_", " ").title(), folder, tests)
    print(f"The game: {folder}\nIts tests: {tests}\n")
    print(f"Play it:                      strandline play {args.name}")
    print("Once, for its tests:          pip install -e '.[test]'")
    print(f"Test it:                      pytest tests/games -k {args.name}")
    print(f"Golden games and counts:      strandline golden {args.name}")
    print("Read on:                      docs/adding_a_game.md")


def write(name: str, title: str, folder: Path, tests: Path) -> None:
    """Write the template under a name."""
    for place in (folder, tests):
        if place.exists():
            raise strandline.BadOptions(f"{place} already exists.")
    for file in sorted(path for path in TEMPLATE.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        inner = file.relative_to(TEMPLATE)
        target = tests.joinpath(*inner.parts[1:]) if inner.parts[0] == "tests" else folder / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text(encoding="utf-8").replace(NAME, name).replace(TITLE, title)
        target.write_text(text, encoding="utf-8")
