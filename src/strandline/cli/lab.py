"""`strandline lab`: study a game: who wins, how long it is, what happens in it."""

import argparse
from pathlib import Path

import strandline
from strandline.cli.arguments import add_options, options
from strandline.engine.vocabulary import Value

HELP = "study a game: who wins, how long it is, what happens in it"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What can be said behind the command."""
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
    add_options(command)


def run(args: argparse.Namespace) -> None:
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
