"""What bots do at the tables: they take their turns, give hints and review games."""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from strandline.engine.words import Words
from strandline.table import levels, review
from strandline.table.advice import Advice
from strandline.table.review import Reviewed
from strandline.table.room import Command, Room
from strandline.table.table import Refused, Table
from strandline.table.tasks import Tasks

_ = Words(__file__)

MOST_REVIEWS = 4
"""Reviews that may wait for each other: each takes seconds."""
BREATH_S, LONGEST_BREATH_S = 5.0, 60.0
"""How long to wait when the stand-in for failing bots has failed itself, before it is asked again; each time twice as
long."""

logger = logging.getLogger("strandline.table")


RoomT = TypeVar("RoomT", bound=Room)


class BotTurns(Generic[RoomT]):
    """The bots of all open tables."""

    def __init__(
        self,
        thinkers: levels.Thinkers,
        tasks: Tasks,
        do: Callable[[RoomT, Command], Awaitable[None]],
        pause: Callable[[RoomT], float] = lambda _: 0.0,
    ) -> None:
        """`pause`: the seconds for which the bots of a table rest after a move."""
        self._thinkers = thinkers
        self._tasks = tasks
        self._do = do
        self._pause = pause

    def start(self, room: RoomT) -> None:
        """Let a bot think if it is a bot's turn and none is thinking."""
        if self._to_think(room) and (room.thinking is None or room.thinking.done()):
            room.thinking = self._tasks.spawn(self._think(room))

    def has_work(self, room: RoomT) -> bool:
        """Whether it is a bot's turn here. A game of bots alone pauses while nobody watches."""
        return room.table.to_think() is not None and bool(room.guests or room.table.persons())

    def _to_think(self, room: RoomT) -> tuple[int, str] | None:
        """The bot that is to think here."""
        return room.table.to_think() if room.thinks() and self.has_work(room) else None

    async def _think(self, room: RoomT) -> None:
        breath = BREATH_S
        while turn := self._to_think(room):
            seat, level = turn
            number = room.table.number
            try:
                async with room.thought:
                    move = await self.choose(room, seat, level)
                command = functools.partial(Table.bot_move, seat=seat, number=number, text=move)
                breath = BREATH_S
            except levels.Failed as failure:
                if level == levels.DEFAULT:
                    again = "The bot %s has failed: %s. It is asked again in %.0f seconds."
                    logger.error(again, level, failure, breath)
                    await asyncio.sleep(breath)
                    breath = min(2 * breath, LONGEST_BREATH_S)
                    continue
                logger.error("The bot %s has failed: %s. A bot of level %s plays on.", level, failure, levels.DEFAULT)
                command = functools.partial(Table.bot_failed, seat=seat, number=number, level=levels.DEFAULT)
            with contextlib.suppress(Refused):  # the table has moved on
                await self._do(room, command)
            await asyncio.sleep(self._pause(room))

    async def choose(self, room: RoomT, seat: int, level: str) -> str:
        """What a bot of that level would do in this seat's place. `levels.Failed` if it gives no legal move."""
        return await self._thinkers.choose(room.table.record.position, seat, level, room.waiting())

    async def hint(self, room: RoomT, seats: frozenset[int], number: int) -> Advice:
        """What a bot would do in this seat's place."""
        async with room.thought:
            return await self._hint(room, seats, number)

    async def _hint(self, room: RoomT, seats: frozenset[int], number: int) -> Advice:
        table = room.table
        turn = table.record.position.turn
        if not table.setup.hints:
            raise Refused("hint", _("This table plays without hints."))
        if not isinstance(turn, int) or turn not in seats:
            raise Refused("turn", _("You can get hints when it is your turn."))
        if number != table.number:
            raise Refused("stale", _("The game has moved on. Look again before you move."))
        if room.hinted is None or room.hinted[0] != number:
            try:
                room.hinted = number, await self._thinkers.advise(table.record.position, turn, room.waiting())
            except levels.Failed as failure:
                logger.error("A hint has failed: %s.", failure)
                raise Refused("server", _("The hint failed. Please try again.")) from None
        return room.hinted[1]

    async def review(self, room: RoomT) -> Reviewed:
        """A review of the finished game; whoever asks later gets the same."""
        if not room.table.record.over:
            raise Refused("state", _("A game can be reviewed when it is over."))
        if room.reviewing is None:
            if self._thinkers.reviews >= MOST_REVIEWS:
                raise Refused("rate", _("Many games are being reviewed just now. Please try again in a minute."))
            room.reviewed = 0.0
            room.reviewing = self._tasks.spawn(self._review(room))
        found = await asyncio.shield(room.reviewing)
        if found is None:
            room.reviewing = None
            raise Refused("server", _("The review failed. Please try again."))
        return found

    async def _review(self, room: RoomT) -> Reviewed | None:
        start, moves = room.table.setup.header.start(), review.moves(room.table)

        def progress(done: float) -> None:
            room.reviewed = done

        try:
            return await self._thinkers.review(start, moves, progress)
        except Exception:
            logger.exception("A game could not be reviewed.")
            return None
