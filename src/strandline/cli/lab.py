"""`strandline lab`: study a game: who wins, how long it is, what happens in it."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import strandline
from strandline.cli.arguments import add_options, options

HELP = "study a game: who wins, how long it is, what happens in it"
USAGE = """strandline lab GAME [options]            study a game and write a report
       strandline lab show STUDY ROW            show the game behind a row of a study
       strandline lab find STUDY [options]      find games by length, events or the course of the lead
       strandline lab ladder GAME [options]     rate players of all levels against each other
       strandline lab better GAME A B           test whether player A is better than player B
       strandline lab people GAME FILE...       study games that people have played, from their records"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.usage = USAGE
    command.add_argument("words", metavar="GAME", nargs="+", help="a game, or one of the words above")
    command.add_argument(
        "--games", type=int, metavar="N", help="games of each setting (default 100000, guided 5000, or 200 with bots)"
    )
    command.add_argument("--players", metavar="P,Q", help="one or more numbers of players (default: all)")
    command.add_argument(
        "--bots",
        metavar="A,B",
        help="who plays, in turn at each seat: random, guided, levels 1 to 5 or 6, search, or installed bots (default: "
        "guided where the game's hints say how to move, else level 2; with random play beside it)",
    )
    change = command.add_mutually_exclusive_group()
    change.add_argument("--compare", metavar="NAME=A,B", help="values of an option, or of a box entry (box.NAME)")
    change.add_argument("--sweep", metavar="NAME=A..B", help="the same for a range of numbers, shown as curves")
    command.add_argument(
        "--skill", metavar="A,B", help="a stronger and a weaker player for luck against skill, or none"
    )
    command.add_argument("--skill-games", type=int, metavar="N", help="games between them (default: the same numbers)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games (default 0)")
    command.add_argument(
        "--seconds-per-decision", type=float, metavar="X", help="the pace that minutes are estimated by (default 8)"
    )
    command.add_argument(
        "--drama", type=int, default=0, metavar="N", help="let the search review N games: chances of winning"
    )
    command.add_argument(
        "--decisions", type=int, default=0, metavar="N", help="have the search value the moves of N decisions"
    )
    command.add_argument("--data", metavar="csv,parquet", help="write a row for each game as well")
    command.add_argument(
        "--setting", metavar="LABEL", help="show, find: which setting of the study (default: the first)"
    )
    command.add_argument("--length", metavar="A..B", help="find: games of A to B rounds")
    command.add_argument(
        "--event", action="append", default=[], metavar="NAME=A..B", help="find: games with A to B of these events"
    )
    command.add_argument(
        "--curve", metavar="A,B,C", help="find: the winner's lead from beginning to end; 0 behind, 0.5 level, 1 ahead"
    )
    command.add_argument("--agreed", action="store_true", help="people: whoever played has agreed to be studied")
    command.add_argument("--out", type=Path, metavar="DIR", help="where report and data go (default lab/GAME)")
    command.add_argument("--threads", type=int, metavar="T", help="default: one for each core")
    command.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://scheduler:8786")
    command.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="default cpu")
    add_options(command)


def run(args: argparse.Namespace) -> None:
    """Do what the first word says, or study the game that it names."""
    match args.words:
        case ["show", study, row]:
            _show(Path(study), row, args)
        case ["find", study]:
            _find(Path(study), args)
        case ["ladder", game]:
            _ladder(strandline.game(game, args.box), args)
        case ["better", game, one, other]:
            _better(strandline.game(game, args.box), one, other, args)
        case ["people", game, _, *_]:
            _people(strandline.game(game, args.box), [Path(file) for file in args.words[2:]], args)
        case [game]:
            _study(strandline.game(game, args.box), args)
        case _:
            raise strandline.BadOptions(f"{' '.join(args.words)!r} cannot be studied. See 'strandline lab --help'.")


def _study(game: strandline.Game, args: argparse.Namespace) -> None:
    """Study a game and write a report."""
    from strandline.lab import conduct, plan, sample

    data = args.data.split(",") if args.data else []
    if not set(data) <= set(sample.FORMATS):
        raise strandline.BadOptions(f"--data is {' or '.join(sample.FORMATS)}, or both; not {args.data}.")
    study = plan.plan(
        game,
        players=_numbers(args.players),
        options=options(game, args.option),
        compare=_compared(game, args.compare or args.sweep),
        bots=args.bots.split(",") if args.bots else (),
        games=args.games,
        seed=args.seed,
        skill=None if args.skill is None else () if args.skill == "none" else args.skill.split(","),
        skill_games=args.skill_games,
        box=args.box,
        pace=_pace(args.seconds_per_decision),
        drama=args.drama,
        decisions=args.decisions,
    )
    if args.sweep and not study.is_sweep:
        raise strandline.BadOptions("--sweep needs three or more numbers, written NAME=1..5 or NAME=1,2,4.")
    folder = args.out or Path("lab") / game.name
    found = conduct.conduct(study, folder, args.threads, args.cluster, args.device, data)
    for sentence in found.headline():
        print(sentence)
    print(f"The report: {folder / 'report.html'}")


def _pace(seconds: float | None) -> Any:
    from strandline.lab.sample import Pace

    if seconds is not None and not 0 < seconds < 3600:
        raise strandline.BadOptions(f"--seconds-per-decision must be more than 0 and less than 3600, not {seconds:g}.")
    return None if seconds is None else Pace(seconds)


def _show(folder: Path, row: str, args: argparse.Namespace) -> None:
    """Print the game behind a row, and write it as a page that shows it on the board."""
    from strandline.lab import replay, report

    setting = replay.setting_of(folder, args.setting)
    if not row.isdecimal() or int(row) >= setting.games:
        raise strandline.BadOptions(f"ROW is a whole number from 0 to {setting.games - 1}, not {row}.")
    texts = replay.moves(setting, int(row))
    for text, sentence in zip(texts, replay.sentences(setting.start, texts), strict=True):
        print(f"{text:<20} {sentence}")
    page = (args.out or folder) / f"game-{row}.html"
    page.write_text(report.game_page(setting, int(row), texts), encoding="utf-8")
    print(f"On the board: {page}")


def _find(folder: Path, args: argparse.Namespace) -> None:
    """Print the games of a study that fit best."""
    from strandline.lab import finding, replay
    from strandline.lab.sample import Sample
    from strandline.lab.study import Store

    setting = replay.setting_of(folder, args.setting)
    sample = Sample(setting, Store(folder).rows(setting))
    events = dict(_event(text) for text in args.event)
    wanted = finding.Wanted(
        finding.span(args.length) if args.length else finding.Span(),
        {name: finding.span(text) for name, text in events.items()},
        finding.curve(args.curve) if args.curve else (),
    )
    found = finding.find(sample, wanted)
    print(f"{len(found):,} of {len(sample):,} games ({setting.label}).")
    most = args.games or finding.MOST
    for hit in found[:most]:
        winners = " and ".join(f"seat {seat}" for seat in hit.winners) or "nobody"
        told = [f"game {hit.row}", f"{hit.rounds} rounds", f"won by {winners}"]
        told += [f"{name} {number}" for name, number in zip(events, hit.events, strict=True)]
        told += [f"{hit.distance:.2f} from the curve"] if hit.distance is not None else []
        print(", ".join(told))
    if len(found) > most:
        print(f"And {len(found) - most:,} more: --games {len(found)} names them all.")
    if found:
        label = f' --setting "{setting.label}"' if args.setting else ""
        print(f"To see the first: strandline lab show {folder} {found[0].row}{label}")


def _event(text: str) -> tuple[str, str]:
    name, equals, limits = text.partition("=")
    return name, limits if equals else "1.."


def _ladder(game: strandline.Game, args: argparse.Namespace) -> None:
    """Rate players against each other and print the table."""
    from strandline.lab import ladder

    start = game.new(_single(args.players), **options(game, args.option))
    names = args.bots.split(",") if args.bots else ladder.rungs(game)
    found = ladder.climb(start, names, args.games or ladder.GAMES, args.seed, args.threads)
    for line in ladder.lines(found):
        print(line)


def _better(game: strandline.Game, one: str, other: str, args: argparse.Namespace) -> None:
    """Test, game by game, whether one player is better than another."""
    from strandline.lab import ladder

    start = game.new(_single(args.players), **options(game, args.option))
    print(ladder.better(start, one, other, args.games or ladder.MOST, args.seed, args.threads))


def _people(game: strandline.Game, files: list[Path], args: argparse.Namespace) -> None:
    """Study the records of games that people have played beside simulated ones."""
    from strandline.lab import people

    folder = args.out or Path("lab") / f"{game.name}-people"
    played = [found for file in files for found in _finished(game, file, args.agreed)]
    found = people.study(game, played, folder, args.seed, _pace(args.seconds_per_decision))
    for sentence in found.headline():
        print(sentence)
    print(f"The report: {folder / 'report.html'}")


def _finished(game: strandline.Game, file: Path, agreed: bool) -> Iterator[tuple[strandline.Position, list[str]]]:
    """The game in a record, if it was played to its end: the first position and the moves that were not taken back."""
    from strandline.lab import people
    from strandline.table import record

    try:
        value, willing = people.opened(json.loads(file.read_text(encoding="utf-8")))
        document = record.from_json(value)
    except (ValueError, strandline.BadPosition) as error:
        raise strandline.BadOptions(f"{file} is not a record: {error}") from None
    persons = {seat for seat, kind in enumerate(document.header.kinds) if not kind.startswith("bot:")}
    if not agreed and not persons <= willing:
        raise strandline.BadOptions(
            f"{file} does not say that all its players agree. Have it saved at the table, in the menu under "
            "'Save for a study', or name --agreed if they have told you so."
        )
    if document.header.game != game.name:
        raise strandline.BadOptions(f"{file} is a record of {document.header.game}, not of {game.name}.")
    played = record.Record(document.header)
    for line in document.lines:
        played.append(line)
    if played.over:
        numbers = [number for number in reversed(list(played.path())) if number]
        yield document.header.start(), [played.lines[number - 1].text for number in numbers]


def _single(text: str | None) -> int | None:
    """The one number of players of a command that takes no more."""
    found = _numbers(text)
    if len(found) > 1:
        raise strandline.BadOptions(f"--players is one number here, not {text}.")
    return found[0] if found else None


def _numbers(text: str | None) -> list[int]:
    """The numbers of players written as 2,3,4."""
    words = text.split(",") if text else []
    if not all(word.strip().isdecimal() for word in words):
        raise strandline.BadOptions(f"--players is one or more whole numbers, written as 2,3,4; not {text!r}.")
    return list(dict.fromkeys(int(word) for word in words))


def _compared(game: strandline.Game, text: str | None) -> tuple[str, list[Any]] | None:
    """The option or the box entry, and its values, written as NAME=A,B or NAME=1..5."""
    from strandline.lab import boxes

    if text is None:
        return None
    name, equals, values = text.partition("=")
    if not equals:
        raise strandline.BadOptions(f"--compare is written NAME=A,B, not {text!r}.")
    if name.startswith(boxes.PREFIX):
        return name, boxes.values(values)
    written = [str(value) for value in boxes.values(values)] if ".." in values else values.split(",")
    return name, [options(game, [f"{name}={value}"])[name] for value in written]
