"""How often a report finds an effect where there is none, how long a default study takes, how well its players play.

python bench/lab.py errors      # reports on games without any effect
python bench/lab.py studies     # a default study of every game
python bench/lab.py strength    # guided players against random ones and levels
"""

import argparse
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

import strandline
from strandline.lab import findings, stamps, stats
from strandline.lab.conduct import conduct
from strandline.lab.findings import Found
from strandline.lab.plan import Plan, plan
from strandline.lab.rows import Rows
from strandline.lab.sample import Sample
from strandline.lab.study import Setting

GAMES = {"up_the_river": 2, "reef_route": 3, "sand_castles": 2}
SIZES = (30, 100, 1000)
POOL = 50_000


def without_effect(rows: Rows, players: int, rng: np.random.Generator) -> Rows:
    """The same games with the seats shuffled in each, so that none can have an advantage."""
    order = np.argsort(rng.random((len(rows), players)), axis=1)
    won = rows["winners"][:, None] >> order & 1
    found = rows.copy()
    found["winners"] = (won << np.arange(players)).sum(1)
    return found


def report(pool: Rows, start: strandline.Position, games: int, compared: bool, rng: np.random.Generator) -> Found:
    """A report on games of one kind: two settings compared, or three side by side."""
    number = 2 if compared else 3
    picked = rng.choice(len(pool), number * games, replace=False).reshape(number, games)
    settings = tuple(Setting(start, ("random",), games, 0, f"setting {i}") for i in range(number))
    samples = [
        Sample(setting, without_effect(pool[some], start.players, rng))
        for setting, some in zip(settings, picked, strict=True)
    ]
    made = Plan(
        start.game,
        settings,
        ((),) * number,
        option="nothing" if compared else None,
        values=("a", "b") if compared else (),
    )
    return Found(made, samples, [()] * number)


def errors(reports: int) -> None:
    """Print the shares of reports with a false verdict."""
    print("| game | games of a setting | compared: any verdict | compared: a seat | three settings: a seat |")
    print("|---|---|---|---|---|")
    for name, players in GAMES.items():
        start = strandline.game(name).new(players)
        pool = np.concatenate([piece.play() for piece in Setting(start, ("random",), POOL, 1).pieces()])
        for size in SIZES:
            rng = np.random.default_rng(size)
            counts = np.zeros(3, int)
            for _ in range(reports):
                two, three = (report(pool, start, size, compared, rng) for compared in (True, False))
                seat = min(two.seat_tests) < stats.LEVEL
                counts += (
                    seat or any(change.is_clear for changes in two.changes.values() for change in changes),
                    seat,
                    min(three.seat_tests) < stats.LEVEL,
                )
            told = " | ".join(_spanned(int(count), reports) for count in counts)
            print(f"| {strandline.game(name).title}, {players} players | {size:,} | {told} |", flush=True)
    _stamp("verdicts", GAMES, "errors")


def _spanned(count: int, reports: int) -> str:
    share = stats.share(count, reports)
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})".replace("%", " %")


def strength(games: Sequence[str], number: int) -> None:
    """Print what a guided player wins against others, with two seats, seats in turn; together, how often all win."""
    print("| game | against | games | guided players win | 95 % interval | |")
    print("|---|---|---|---|---|---|")
    for name in games:
        game = strandline.game(name)
        start = game.new(2)
        for other in ("random", "2", "3"):
            played = number * (20 if other == "random" else 1)
            seats = (other, other) if game.facts.cooperative else ("guided", other)
            sample = _sample(Setting(start, seats, played, 0))
            if game.facts.cooperative:
                own = findings.victories(_sample(Setting(start, ("guided", "guided"), 20 * number, 0)))
                note = f"{findings.who(other)} win {findings.victories(sample).value:.1%}"
            else:
                numbers = np.arange(played)
                shares = sample.shares[numbers, -numbers % 2][sample.is_won]
                own = stats.share(float(shares.sum()), len(shares))
                note = f"somebody wins {sample.is_won.mean():.0%} of the games"
            told = (
                game.title,
                findings.who(other),
                f"{played:,}",
                f"{own.value:.1%}",
                f"{own.low:.1%} to {own.high:.1%}",
            )
            print(f"| {' | '.join((*told, note))} |".replace("%", " %"), flush=True)
    _stamp("guided", games, f"strength --games {number}")


def _stamp(what: str, games: Iterable[str], arguments: str) -> None:
    """Print what the table rests on, so that a test can tell when it is stale."""
    print()
    for name in games:
        print(stamps.table_line(what, strandline.game(name), f"python bench/lab.py {arguments}"))


def _sample(setting: Setting) -> Sample:
    return Sample(setting, np.concatenate([piece.play() for piece in setting.pieces()]))


def studies(games: Sequence[str]) -> None:
    """Print how long a default study takes, and how wide the intervals of its seats are."""
    print("| game | players | settings | games of each | seconds | seconds of CPU | widest half interval of a seat |")
    print("|---|---|---|---|---|---|---|")
    for name in games:
        made = plan(strandline.game(name))
        with tempfile.TemporaryDirectory() as folder:
            conduct(plan(strandline.game(name), games=2, skill_games=2), Path(folder) / "first")  # meets the compiler
            began, worked = time.perf_counter(), time.process_time()
            found = conduct(made, Path(folder) / "study")
            seconds, work = time.perf_counter() - began, time.process_time() - worked
        widest = max(
            share.half
            for sample in found.samples
            for share in ([findings.victories(sample)] if found.together else findings.seats(sample))
        )
        setting = made.settings[0]
        who = findings.who(setting.bots[0])
        length = (str(len(made.settings)), f"{setting.games:,}", f"{seconds:.0f}", f"{work:.0f}")
        row = (made.game.title, who, *length, f"± {widest * 100:.1f} points")
        print(f"| {' | '.join(row)} |", flush=True)
    print(f"\n<!-- measured {time.strftime('%Y-%m-%d')}; made by: python bench/lab.py studies -->")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("errors", "studies", "strength"))
    parser.add_argument("--reports", type=int, default=400)
    parser.add_argument("--games", type=int, default=100, help="of guided players against a level")
    parser.add_argument("--game", action="append", help="default: all")
    args = parser.parse_args()
    if args.what == "errors":
        errors(args.reports)
    elif args.what == "strength":
        strength(args.game or strandline.games(), args.games)
    else:
        studies(args.game or strandline.games())


if __name__ == "__main__":
    main()
