"""How far long work is: a bar on standard error, where somebody looks at it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LINES = "STRANDLINE_PROGRESS_LINES"
"""The variable by which a program asks for lines, `300 of 2000`, on standard output instead of a bar."""


@contextmanager
def of_games(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar for that many games. Call what it gives with the number of games finished since the last call."""
    if os.environ.get(LINES):
        done = 0

        def tell(games: int) -> None:
            nonlocal done
            done += games
            print(f"{done} of {total}", flush=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        yield lambda games: bar.advance(task, games)
