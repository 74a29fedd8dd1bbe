"""Have the pieces of a study played: by threads and processes here, on a GPU, or by the workers of a cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path

from strandline.engine import simulation
from strandline.engine.errors import BadOptions
from strandline.lab.rows import Rows
from strandline.lab.study import PIECE, Piece, Setting, Store, check
from strandline.processes import end_with_parent

BATCH = 1 << 20
"""Games that a GPU plays at once, at most: pieces that follow each other are played together."""

Played = Iterator[tuple[Piece, Rows]]


def run(
    settings: Sequence[Setting],
    folder: Path,
    threads: int | None = None,
    cluster: str | None = None,
    device: str = "cpu",
    progress: Callable[[int], None] = lambda games: None,
) -> Store:
    """Play what is missing of the settings and keep it in the folder. `progress` is told the games as they are done."""
    if threads is not None and threads < 1:
        raise BadOptions(f"--threads must be 1 or more, not {threads}.")
    for setting in settings:
        check(setting)
    store = Store(folder)
    missing = store.missing(settings)
    progress(sum(setting.games for setting in settings) - sum(piece.number for piece in missing))
    for piece, played in _played(missing, threads or simulation.cores(), cluster, device):
        store.keep(piece, played)
        progress(piece.number)
    return store


def _played(missing: Sequence[Piece], threads: int, cluster: str | None, device: str) -> Played:
    if cluster is not None:
        from strandline.lab import cluster as machines

        yield from machines.played(missing, cluster, device)
        return
    compiled = [piece for piece in missing if piece.setting.is_compiled]
    others = [piece for piece in missing if not piece.setting.is_compiled]
    yield from on_device(compiled, device) if device != "cpu" else in_threads(compiled, threads)
    yield from in_processes(others, threads)


def on_device(pieces: Sequence[Piece], device: str) -> Played:
    """On a GPU, many pieces at once."""
    for batch in _batches(pieces):
        number = sum(piece.number for piece in batch)
        played = Piece(batch[0].setting, batch[0].first, number).play(device)
        for piece in batch:
            at = piece.first - batch[0].first
            yield piece, played[at : at + piece.number]


def _batches(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Pieces of one setting that follow each other, together."""
    batch: list[Piece] = []
    for piece in pieces:
        follows = batch and piece.setting is batch[0].setting and piece.first == batch[-1].first + batch[-1].number
        if batch and (not follows or len(batch) * PIECE >= BATCH):
            yield batch
            batch = []
        batch.append(piece)
    if batch:
        yield batch


def in_threads(pieces: Sequence[Piece], threads: int) -> Played:
    """By threads: compiled code runs beside other compiled code."""
    for setting in {id(piece.setting): piece.setting for piece in pieces}.values():
        Piece(setting, 0, 0).play()  # no games: one thread alone meets the compiler
    with ThreadPoolExecutor(threads) as pool:
        yield from _finished(pool, pieces, threads)


def in_processes(pieces: Sequence[Piece], processes: int) -> Played:
    """By processes: bots think in Python."""
    if not pieces:
        return
    own = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _settle)
    try:
        with pool:
            yield from _finished(pool, pieces, processes)
    except BaseException:  # nobody waits for games that nobody wants any more
        for process in set(multiprocessing.active_children()) - own:
            process.terminate()
        raise


def _settle() -> None:
    """A new process leaves interrupts to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _finished(pool: Executor, pieces: Sequence[Piece], workers: int) -> Played:
    """The pieces as they are finished; few are held at a time."""
    waiting, running = iter(pieces), dict[Future[Rows], Piece]()
    try:
        while True:
            for piece in islice(waiting, 2 * workers - len(running)):
                running[pool.submit(piece.play)] = piece
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
