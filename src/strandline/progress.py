"""How far long work is: a bar on standard error, where somebody looks at it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def of_games(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar for that many games. Call what it gives with the number of games finished since the last call."""
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
