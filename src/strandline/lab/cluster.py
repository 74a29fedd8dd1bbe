"""The pieces of a study on the workers of a Dask cluster. A piece whose worker is lost is played by another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from strandline.engine.errors import BadOptions
from strandline.lab.rows import Rows
from strandline.lab.study import Piece, sources

PATIENCE = 30
"""Seconds to wait for the scheduler, and then for a first worker."""
AHEAD = 4
"""Pieces that wait for each thread of the cluster."""


def played(pieces: Sequence[Piece], address: str, device: str) -> Iterator[tuple[Piece, Rows]]:
    """The pieces as they are finished."""
    try:
        from distributed import Client
    except ImportError:
        raise BadOptions("--cluster needs Dask: pip install 'strandline[cluster]'.") from None
    if not pieces:
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise BadOptions(f"No scheduler answers at {address}: {str(error).rstrip('.')}.") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise BadOptions(f"The scheduler at {address} has no workers.") from None
        yield from _played(client, pieces, device)


def _played(client: Any, pieces: Sequence[Piece], device: str) -> Iterator[tuple[Piece, Rows]]:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker, as_completed

    known = {piece.setting.key: sources(piece.setting.game, piece.setting.is_compiled) for piece in pieces}
    waiting, running = iter(pieces), dict[Any, Piece]()

    def submit(piece: Piece) -> Any:
        future = client.submit(play, piece, known[piece.setting.key], device, pure=False)
        running[future] = piece
        return future

    room = max(AHEAD, AHEAD * sum(client.nthreads().values()))
    finished = as_completed([submit(piece) for piece in islice(waiting, room)])
    try:
        for future in finished:
            piece = running.pop(future)
            try:
                rows = future.result()
            except KilledWorker:  # several workers were lost under it; that is not its fault
                finished.add(submit(piece))
                continue
            for next_piece in islice(waiting, 1):
                finished.add(submit(next_piece))
            yield piece, rows
    except CancelledError:
        raise BadOptions("The scheduler is gone. The same command continues the study.") from None


def play(piece: Piece, expected: str, device: str) -> Rows:
    """Play a piece on a worker, if the worker has the same sources."""
    if sources(piece.setting.game, piece.setting.is_compiled) != expected:
        raise BadOptions("A worker of the cluster has another version of Strandline, or another box.")
    return piece.play(device)
