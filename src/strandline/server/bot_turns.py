"""What bots do at the tables: they take their turns, give hints and review games."""

import asyncio
import contextlib
import functools
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from strandline.server import thinkers
from strandline.server.commands import Command
from strandline.server.compiling import Compiling
from strandline.server.rooms import Room
from strandline.server.tasks import Tasks
from strandline.table import review
from strandline.table.table import Refused, Table

MOST_REVIEWS = 4
"""Reviews that may wait for each other: each takes seconds."""
ELSEWHERE_S = 15.0
"""How long the bots of a table are left to the server that has moved there last."""

logger = logging.getLogger("strandline.table")


class BotTurns:
    """The bots of all open tables."""

    def __init__(
        self,
        workers: thinkers.Thinkers,
        compiling: Compiling,
        tasks: Tasks,
        do: Callable[[Room, Command], Awaitable[None]],
    ) -> None:
        self._thinkers = workers
        self._compiling = compiling
        self._tasks = tasks
        self._do = do
        self._turnstile = asyncio.Lock()

    def start(self, room: Room) -> None:
        """Let a bot think if it is a bot's turn and none is thinking."""
        if self._to_think(room) and (room.thinking is None or room.thinking.done()):
            room.thinking = self._tasks.spawn(self._think(room))

    def has_work(self, room: Room) -> bool:
        """Whether it is a bot's turn here. A game of bots alone pauses while nobody watches."""
        return room.table.to_think() is not None and bool(room.guests or room.table.persons())

    def _to_think(self, room: Room) -> tuple[int, str] | None:
        """The bot that is to think here. The server of the last move lets bots think, another one if that is silent."""
        ours = time.monotonic() - room.moved_elsewhere > ELSEWHERE_S
        return room.table.to_think() if ours and self.has_work(room) else None

    async def _think(self, room: Room) -> None:
        while turn := self._to_think(room):
            seat, level = turn
            number = room.table.number
            try:
                async with room.thought:
                    move = await self._choose(room, seat, level)
                command = functools.partial(Table.bot_move, seat=seat, number=number, text=move)
            except thinkers.Failed as failure:
                logger.error("The bot %s has failed: %s. A bot of level %s plays on.", level, failure, thinkers.DEFAULT)
                command = functools.partial(Table.bot_failed, seat=seat, number=number, level=thinkers.DEFAULT)
            with contextlib.suppress(Refused):  # the table has moved on
                await self._let_people_go_first()
                await self._do(room, command)
            await asyncio.sleep(0)

    async def _let_people_go_first(self) -> None:
        """However many bots have made up their minds, one passes at a time, after all else that is waiting."""
        async with self._turnstile:
            await asyncio.sleep(0)

    async def _choose(self, room: Room, seat: int, level: str) -> str:
        position = room.table.record.position
        await self._compiling.ready(position, level)
        return await self._thinkers.choose(position, seat, level, waited_for=bool(room.here()))

    async def hint(self, room: Room, seats: frozenset[int], number: int) -> str:
        """What a bot would do in this seat's place."""
        async with room.thought:
            return await self._hint(room, seats, number)

    async def _hint(self, room: Room, seats: frozenset[int], number: int) -> str:
        table = room.table
        turn = table.record.position.turn
        if not table.setup.hints:
            raise Refused("hint", "This table plays without hints.")
        if not isinstance(turn, int) or turn not in seats:
            raise Refused("turn", "There are hints when it is your turn.")
        if number != table.number:
            raise Refused("stale", f"The table has moved on: the position is number {table.number}, you saw {number}.")
        if room.hinted is None or room.hinted[0] != number:
            room.hinted = number, await self._choose(room, turn, thinkers.HINTS)
        return room.hinted[1]

    async def review(self, room: Room) -> dict[str, Any]:
        """A review of the finished game; whoever asks later gets the same."""
        if not room.table.record.over:
            raise Refused("state", "A game can be reviewed when it is over.")
        if room.reviewing is None:
            if self._thinkers.reviews >= MOST_REVIEWS:
                raise Refused("rate", "Many games are being reviewed just now. Please try again in a minute.")
            room.reviewing = self._tasks.spawn(self._review(room.table))
        found = await asyncio.shield(room.reviewing)
        if found is None:
            room.reviewing = None
            raise Refused("server", "The review has failed. Please try again.")
        return found

    async def _review(self, table: Table) -> dict[str, Any] | None:
        try:
            found = await self._thinkers.review(table.setup.header.start(), review.moves(table))
        except Exception:
            logger.exception("A game could not be reviewed.")
            return None
        return review.shown(table, found) if found else None
