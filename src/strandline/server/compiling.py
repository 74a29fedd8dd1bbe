"""All that a server does because compiling takes long: nobody at a table waits for the compiler more than they must."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import strandline
from strandline.engine.position import Position
from strandline.server import thinkers
from strandline.server.tasks import Tasks
from strandline.table.table import Table

LISTING_S = 20.0
"""How long tables wait for the compiler after the first of them has asked for it."""
LISTERS = 4
"""Threads that list moves where that may take long."""

logger = logging.getLogger("strandline.table")


class Compiling:
    """What is compiled, or being compiled, for the tables of this server."""

    def __init__(self, workers: thinkers.Thinkers, tasks: Tasks) -> None:
        self._thinkers = workers
        self._tasks = tasks
        self._warm_ups: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._listings: dict[str, tuple[asyncio.Task[None], float]] = {}
        self._listers = ThreadPoolExecutor(LISTERS, "strandline-lister")

    def close(self) -> None:
        """End the threads."""
        self._listers.shutdown(wait=False, cancel_futures=True)

    # Long lists of moves

    async def list_moves(self, position: Position) -> None:
        """Have the moves listed, beside the event loop where that may take long. Then the rest is quick everywhere."""
        if position.is_laborious:
            await self.compile_listing(position.game)
            await asyncio.get_running_loop().run_in_executor(self._listers, position.codes)

    def expect_listing(self, game: strandline.Game) -> None:
        """What a game will need is compiled meanwhile."""
        if game.is_laborious and game.name not in self._listings:
            self._tasks.spawn(self.compile_listing(game))

    async def compile_listing(self, game: strandline.Game) -> None:
        """Wait until a game that needs it lists moves with compiled code; not for ever, for it can be done without."""
        if not game.is_laborious:
            return
        now = time.monotonic()
        if game.name not in self._listings:
            self._listings[game.name] = self._tasks.spawn(self._compile_listing(game)), now + LISTING_S
        task, until = self._listings[game.name]
        await asyncio.wait([task], timeout=max(0, until - now))

    async def _compile_listing(self, game: strandline.Game) -> None:
        """The compiler would hold up this process, so it is another that runs it; here it is found in the cache."""
        try:
            await self._thinkers.compile_listing(game.name)
            await asyncio.to_thread(game.quicken)
        except Exception:  # then the list is made without it
            logger.exception("The list of moves of %s could not be compiled.", game.title)

    # Bots

    def warm_up(self, position: Position, level: str) -> asyncio.Task[None] | None:
        """Have ready what bots of a level need. Whoever asks for the same waits for the same process; None: nothing."""
        needed = thinkers.warmed_up_by(position, level)
        if needed is None:
            return None
        key = position.game.name, needed
        if key not in self._warm_ups:
            self.expect_listing(position.game)
            self._warm_ups[key] = self._tasks.spawn(self._thinkers.warm_up(position, needed))
        return self._warm_ups[key]

    def is_getting_ready(self, table: Table) -> bool:
        """Whether the bot whose turn it is waits for the compiler, as it does the first time on a machine."""
        turn = table.to_think()
        needed = thinkers.warmed_up_by(table.record.position, turn[1]) if turn else None
        task = self._warm_ups.get((table.setup.header.game, needed)) if needed else None
        return task is not None and not task.done()

    async def ready(self, position: Position, level: str) -> None:
        """Wait until a bot of that level can think about the position."""
        if len(position.codes()) > 1 and (task := self.warm_up(position, level)):
            await asyncio.wait([task])
