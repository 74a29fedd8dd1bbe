"""A guest at a table: carries out what a person or a spectator says, and shows them their table.

Nothing here knows how messages travel: over a WebSocket of a server, or from a page to its worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from strandline.engine import words
from strandline.table import levels, messages
from strandline.table.advice import Advice
from strandline.table.perspective import Perspective, first_to_show, picture, reader_of, seen_by, state, steps
from strandline.table.picture import Picture
from strandline.table.reasons import reason_for
from strandline.table.room import Command, Room
from strandline.table.table import Refusal, Refused, Table, hashed
from strandline.table.ways import ways
from strandline.table.wire import written

_ = words.Words(__file__)

MOST_STEPS = 60
"""Events that are shown one after another; of a longer run only the last ones are."""

TableMessage = (
    messages.Chain
    | messages.Link
    | messages.Roll
    | messages.Undo
    | messages.Takeover
    | messages.Vote
    | messages.Leave
    | messages.Return
    | messages.Name
)
"""Messages that are answered with the table as it is after them."""

RoomT = TypeVar("RoomT", bound=Room)
TheirRoom = TypeVar("TheirRoom", bound=Room, contravariant=True)

logger = logging.getLogger("strandline.table")


class Gone(Exception):
    """The guest is not there any more."""


class LetGo(Gone):
    """The guest's device holds no seat any more."""


class Host(Protocol[TheirRoom]):
    """Whoever looks after the tables."""

    async def do(self, room: TheirRoom, command: Command) -> None:
        """Carry out a command and tell everybody. `Refused` says why not; then nothing has changed."""

    async def rematch(self, room: TheirRoom, seats: frozenset[int], visitor: str) -> None:
        """Open a new table for the same people and tell them. `visitor`: where whoever asks for it comes from."""

    async def hint(self, room: TheirRoom, seats: frozenset[int], number: int) -> Advice:
        """What a bot would do in this seat's place."""

    def attending(self, room: TheirRoom) -> set[int]:
        """The seats whose persons are there, or were until a moment ago."""


class Guest(Generic[RoomT]):
    """A guest at a table. `send` takes what is said to them, and raises `Gone` if they are not there any more."""

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        hall: Host[RoomT],
        room: RoomT,
        hello: messages.Hello,
        seats: frozenset[int],
        language: str,
    ) -> None:
        self.seats = seats
        self.is_looking = True
        self.visitor = ""
        self._device = hashed(hello.token) if hello.token else None
        self._send = send
        self._hall = hall
        self._room = room
        self._shown: int | None = None
        self._logged = hello.since
        self._pieces = hello.pieces
        self._wide = hello.wide
        self._language = words.best([hello.language]) if hello.language else language
        self._told = max(hello.since, first_to_show(room.table)) if hello.story else None
        self._board: Picture | None = None
        self._has_news = False
        self._woken = asyncio.Event()
        self._heard: list[dict[str, Any]] = []
        self._sending = asyncio.Lock()

    def wake(self) -> None:
        """Something has changed at the table: the sender shows it."""
        self._has_news = True
        self._woken.set()

    def hear(self, message: dict[str, Any]) -> None:
        """Somebody says something: the sender passes it on."""
        self._heard.append(message)
        self._woken.set()

    async def tell(self) -> None:
        """Send the table whenever it has changed. What changes faster than it can be sent is sent as one."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            heard, self._heard = self._heard, []
            for message in heard:
                await self._say(message)
            await self.show(only_news=True)

    async def show(self, re: Any = None, only_news: bool = False) -> None:
        """Send the table as this caller may see it; `only_news`: unless it has been sent meanwhile."""
        async with self._sending:
            if only_news and not self._has_news:
                return
            self._has_news = False
            self._look_at_seats()
            table = self._room.table
            if self._shown != table.turn:
                self._shown = None
            seen, position = seen_by(table, self.seats, self._shown, self._language, self._wide), table.record.position
            value = state(table, seen, self._room.present(), self._logged)
            self._logged = table.number
            head = written({"type": "state", "re": re, **value})
            with words.reading(reader_of(table, seen)):
                told = ", ".join([step async for step in self._steps(table, seen, value["log"])])
                board = self._drawn(picture(position, seen))
            await self._send(f'{head[:-1]}, "steps": [{told}], "svg": {board}}}')
        self.was_shown()

    def was_shown(self) -> None:
        """The guest has been sent the table as it is."""

    def _look_at_seats(self) -> None:
        """A device may sit down on one more seat, or be let go."""
        if self._device is not None:
            self.seats = self._room.table.devices.seats_of(self._device)
            if not self.seats:
                raise LetGo

    async def _steps(self, table: Table, seen: Perspective, log: list[dict[str, Any]]) -> AsyncIterator[str]:
        """What has happened since the last time, as JSON, for those who asked for it."""
        if self._told is None:
            return
        told = steps(table, [line for line in log if line["number"] > self._told])
        self._told = table.number
        for step, after in list(told)[-MOST_STEPS:]:
            yield f'{written(step)[:-1]}, "svg": {self._drawn(picture(after, seen))}}}'
            await asyncio.sleep(0)  # others are not to wait for all these boards

    def _drawn(self, board: Picture) -> str:
        """The board as JSON: whole, or in pieces for those who asked for it."""
        if not self._pieces:
            return board.whole
        before, self._board = self._board, board
        return board.since(before)

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        """All that is said to the guest is said in their language."""
        with words.reading(reader_of(self._room.table, seen_by(self._room.table, self.seats, None, self._language))):
            yield

    async def refuse(self, re: Any, code: Refusal, sentence: str, rule: str | None = None) -> None:
        """Say why not."""
        await self._say(refusal(re, code, sentence, self._room.table.number, rule))

    async def _say(self, value: dict[str, Any]) -> None:
        async with self._sending:
            await self._send(written(value))

    async def answer(self, text: str) -> None:
        """Carry out what the guest says."""
        with self._speaking():
            await self._answer_or_refuse(text)

    async def _answer_or_refuse(self, text: str) -> None:
        self._look_at_seats()
        try:
            await self._carry_out(messages.read(text))
        except Refused as refused:
            if refused.__cause__:
                logger.info("A message was refused: %s", refused.__cause__)
            await self.refuse(messages.id_in(text), refused.code, str(refused), refused.rule)
            if refused.code == "stale":
                await self.show()
        except Gone:
            raise
        except Exception as error:
            await self.refuse(messages.id_in(text), "server", self.excuse(error))

    def excuse(self, error: Exception) -> str:
        """What the guest is told when something fails that should not."""
        logger.error("A message could not be carried out.", exc_info=error)
        return apology()

    async def _carry_out(self, message: messages.Message) -> None:
        match message:
            case messages.Hello():
                raise Refused("malformed", "You have said hello already. Connect again to be somebody else.")
            case messages.Ping():
                await self._say({"type": "pong", "re": message.id})
            case messages.Move():
                await self._move(message)
            case messages.Here():
                await self._here(message)
            case messages.Form():
                self._wide = message.wide
                await self.show(message.id)
            case messages.Hint():
                await self._hint(message)
            case messages.Ways():
                await self._ways(message)
            case messages.Why():
                reason = reason_for(self._room.table, self.seats, message.shape, message.chosen)
                await self._say({"type": "why", "re": message.id, "shape": message.shape, **reason})
            case messages.Rematch():
                await self._hall.rematch(self._room, self.seats, self.visitor)
                await self.show(message.id)
            case (
                messages.Chain()
                | messages.Link()
                | messages.Roll()
                | messages.Undo()
                | messages.Takeover()
                | messages.Vote()
                | messages.Leave()
                | messages.Return()
                | messages.Name()
            ):
                await self._hall.do(self._room, self._command(message))
                await self.show(message.id)
            case _:
                await self.reach_others(message)

    async def reach_others(self, message: messages.Message) -> None:
        """Carry out what concerns other devices; where there is no server there are none."""
        raise Refused("state", _("This game is played on this device alone. On a server others can join."))

    def _command(self, message: TableMessage) -> Command:
        """What a message asks the table for."""
        match message:
            case messages.Chain():
                return functools.partial(Table.anchor, seats=self.seats, anchor=message.anchor)
            case messages.Link():
                return functools.partial(Table.reveal, seats=self.seats, link=message.link, epochs=message.epochs)
            case messages.Roll():
                tap = functools.partial(Table.tap, seats=self.seats, number=message.number)
                return functools.partial(tap, link=message.link, epochs=message.epochs)
            case messages.Undo():
                return functools.partial(Table.undo, seats=self.seats, number=message.number)
            case messages.Takeover():
                ask = functools.partial(Table.takeover, seats=self.seats, seat=message.seat, level=levels.DEFAULT)
                return functools.partial(ask, present=self._hall.attending(self._room))
            case messages.Vote():
                vote = functools.partial(Table.vote, seats=self.seats, number=message.vote, seat=message.seat)
                return functools.partial(vote, yes=message.yes, level=levels.DEFAULT)
            case messages.Leave():
                return functools.partial(Table.leave, seats=self.seats, seat=message.seat, level=levels.DEFAULT)
            case messages.Return():
                return functools.partial(Table.come_back, seats=self.seats, seat=message.seat)
            case messages.Name():
                return functools.partial(Table.rename, seats=self.seats, seat=message.seat, name=message.name)

    async def _move(self, message: messages.Move) -> None:
        play = functools.partial(Table.move, seats=self.seats, text=message.move, number=message.number)
        await self._hall.do(self._room, functools.partial(play, link=message.link, epochs=message.epochs))
        turn = self._room.table.turn
        if turn in self.seats and self._mover() == turn:
            self._shown = self._mover()  # who has just moved is at the screen
        await self.show(message.id)

    def _mover(self) -> int | None:
        """The seat that made the last move that was not taken back."""
        record = self._room.table.record
        for number in record.path():
            by = record.lines[number - 1].by if number else None
            if by != "chance":
                return by
        return None

    async def _here(self, message: messages.Here) -> None:
        table = self._room.table
        if message.seat not in self.seats:
            raise Refused("seat", _("That seat is not yours."))
        if message.number != table.number or table.turn != message.seat:
            raise Refused("stale", _("The game has moved on. Look again before you move."))
        self._shown = message.seat
        await self.show(message.id)

    async def _ways(self, message: messages.Ways) -> None:
        table = self._room.table
        turn = table.record.position.turn
        current = message.number == table.number and isinstance(turn, int) and turn in self.seats
        found = ways(table.record.position, turn, message.shape) if current and isinstance(turn, int) else []
        await self._say({"type": "ways", "re": message.id, "shape": message.shape, "ways": found})

    async def _hint(self, message: messages.Hint) -> None:
        position = self._room.table.record.position
        advice = await self._hall.hint(self._room, self.seats, message.number)
        answer = {"type": "hint", "re": message.id, "number": message.number, "move": advice.move}
        sentence = _("A bot would play: {move}", move=position.describe(advice.move))
        await self._say({**answer, "sentence": sentence, "reason": advice.reason})


def apology() -> str:
    """What people are told when something fails that nobody foresaw."""
    return _("Something went wrong. Nothing was changed; please try again.")


def refusal(re: Any, code: Refusal, sentence: str, number: int | None, rule: str | None = None) -> dict[str, Any]:
    """Why not, as a message."""
    return {"type": "refused", "re": re, "code": code, "error": sentence, "rule": rule, "number": number}
