"""One position of one game, as people and programs handle it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from strandline.engine import checks, draws, reasons, records
from strandline.engine.errors import BadOptions, BadPosition, IllegalMove
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import CHANCE, OVER, Value

if TYPE_CHECKING:
    import numpy as np

    from strandline.engine.game import Game

KEPT_VIEWS = 64
"""Views that were made last: a position is mostly drawn and told to several people at once."""
SHOWN_MOVES = 8
"""How many legal moves an error message names."""


class Position:
    """A position. It never changes: `play` gives a new one. Equal positions have equal bytes."""

    __slots__ = ("_bytes", "_codes", "_hash", "_listed", "_record", "_scores", "_to_move", "game")

    def __init__(self, game: Game, record: Any) -> None:
        """For the engine; others use `Game.new`, `from_json` and `play`."""
        self.game = game
        self._record = record
        self._codes: tuple[int, ...] | None = None
        self._listed: tuple[int, ...] | None = None
        self._bytes: bytes | None = None
        self._hash: int | None = None
        self._scores: list[int] | None = None
        self._to_move: int | None = None

    @staticmethod
    def from_json(value: Any) -> Position:
        """The position that a JSON object describes. Raises `BadPosition`, which says what is wrong with it."""
        from strandline.engine.discovery import game, games

        try:
            checks.word(checks.fields_of(value, "The position").get("game"), games(), "game")
        except checks.Flaw as flaw:
            raise BadPosition(str(flaw)) from None
        return game(value["game"]).position(value)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self._record.players)

    @property
    def options(self) -> dict[str, Value]:
        """The options that this game is played with."""
        return {name: option.decode(getattr(self._record, name)) for name, option in self.game.options.items()}

    @property
    def turn(self) -> int | Literal["chance"] | None:
        """The seat that decides, `"chance"`, or None when the game is over."""
        who = self._to_move
        if who is None:
            who = self._to_move = self.game.rules.to_move(self._record)
        return None if who == OVER else "chance" if who == CHANCE else int(who)

    def moves(self) -> list[str]:
        """The legal moves, or all possible outcomes when chance decides."""
        return [self.game.notation.write(code) for code in self.codes()]

    def odds(self) -> list[float]:
        """The probability of each outcome, in the order of `moves()`."""
        if self.turn != "chance":
            raise ValueError("There are odds only when turn is 'chance'.")
        tickets = self.tickets()
        return [tickets.count(code) / len(tickets) for code in self.codes()]

    def codes(self) -> tuple[int, ...]:
        """The codes of `moves()`, for programs that work with the rules themselves."""
        if self._codes is None:
            self._codes = tuple(dict.fromkeys(self.tickets()))
        return self._codes

    def tickets(self) -> tuple[int, ...]:
        """The codes on all tickets of chance's bag, all equally likely; in a decision the codes of the legal moves."""
        if self._listed is None:
            self._listed = tuple(self.game.listed(self._record))
        return self._listed

    def records(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """A copy of the position as a NumPy array of one record; `bytes(position)` needs no NumPy."""
        import numpy as np

        return np.frombuffer(bytearray(self._record), dtype=self.game.rules.STATE.dtype)

    def __bytes__(self) -> bytes:
        if self._bytes is None:  # a table compares what it shows with what it has shown, again and again
            self._bytes = bytes(self._record)
        return self._bytes

    def record(self) -> Any:
        """A copy of the record, for the rules' own functions."""
        return records.copy(self._record)

    def play(self, move: str) -> Position:
        """The position after a move. Raises `IllegalMove`, which names some legal ones."""
        return self._after(self._code(move))

    def after(self, move: str) -> Position:
        """The position after a move that is known to be legal here, so it is not looked up in the list of moves."""
        return self._after(self.game.code(move))

    def _after(self, code: int) -> Position:
        record = records.copy(self._record)
        self.game.rules.apply(record, self.game.work(), code)
        return Position(self.game, record)

    def play_random(self, moves: int, seed: int = 0) -> Position:
        """The position after that many random moves and outcomes, or at the end if that comes first."""
        key, position = draws.stream(seed, 0), self
        for k in range(moves):
            tickets = position.tickets()
            if not tickets:
                break
            position = position._after(tickets[draws.draw(key, k, len(tickets))])
        return position

    def describe(self, move: str) -> str:
        """A legal move in a sentence."""
        return self.game.story.describe(self._record, self._code(move)) or f"{move.capitalize()}."

    def story(self, move: str) -> list[Event]:
        """What a legal move or a possible outcome brings about, event by event; the last one's position is `play`'s."""
        code = self._code(move)
        record = records.copy(self._record)
        events = [self._event(told, record) for told in self.game.story.tell(record, self.game.work(), code)]
        if events:  # the turn passes with the last of them
            return [*events[:-1], replace(events[-1], position=Position(self.game, record))]
        who = self.turn if isinstance(self.turn, int) else None
        return [Event("move", who, {"move": move}, (), self._after(code))]

    def _event(self, told: Told, record: Any) -> Event:
        after = Position(self.game, records.copy(record))
        return Event(told.kind, told.who, told.data, told.shapes, after, told.secret, told.private)

    def roll(self) -> Roll | None:
        """Who makes the chance event that is due, and how; None when nobody does, or none is due."""
        return self.game.story.roll(self._record) if self.turn == "chance" else None

    def secret(self, move: str) -> int | None:
        """The only seat that may see a move or an outcome before the game is over; None when everybody may."""
        return self.game.notation.secret(self._record, self._code(move))

    def scores(self) -> list[int]:
        """The score of each seat, at any time."""
        if self._scores is None:  # everybody at the table is told them
            self._scores = [int(self.game.rules.score(self._record, seat)) for seat in range(self.players)]
        return list(self._scores)

    def winners(self) -> list[int]:
        """The seats that have won; none before the end."""
        bits = self.game.rules.winners(self._record)
        return [seat for seat in range(self.players) if bits >> seat & 1]

    def to_json(self) -> dict[str, Any]:
        """The JSON object that the game's rule page specifies."""
        head = {"game": self.game.name, "players": self.players, "options": self.options}
        return {**head, **self.game.notation.to_json(self._record)}

    def view(self, seat: int | None) -> dict[str, Any]:
        """The JSON object as that seat may see it; None is a spectator."""
        self.check_seat(seat)
        return self.game.notation.view(self.to_json(), seat)

    def words(self, seat: int | None = None) -> str:
        """The position in words, a line for each thing, as that seat may see it."""
        return self.game.story.words(*_seen(self, seat))

    def task(self, seat: int | None = None) -> str | None:
        """What the person who decides is to do, in a sentence, as that seat may see it."""
        return self.game.story.task(_seen(self, seat)[0])

    def why(self, shape: str, chosen: Sequence[str] = (), seat: int | None = None) -> reasons.Reason | None:
        """Why a shape of the board cannot be clicked now, after those in `chosen`; None if it can.

        `seat` asks; without one it is whoever decides.
        """
        self.check_seat(seat)
        decides = self.turn if isinstance(self.turn, int) else None
        if f' id="{shape}"' not in self.svg(decides if seat is None else seat):
            return reasons.nowhere()
        return reasons.of_shape(self, shape, chosen, seat)

    def why_not(self, move: str, seat: int | None = None) -> reasons.Reason | None:
        """Why a move cannot be made now; None if it can. `seat` asks; without one it is whoever decides."""
        self.check_seat(seat)
        return reasons.of_move(self, move, seat)

    def svg(self, seat: int | None = None, wide: bool = False) -> str:
        """The board as that seat may see it, as an SVG image; `wide` is for windows wider than they are high."""
        return self.game.board.draw(*_seen(self, seat), wide=wide)

    def _repr_svg_(self) -> str:
        return self.svg()

    def check_seat(self, seat: int | None) -> None:
        """Raise `BadOptions` if there is no such seat; None is a spectator."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.players):
            raise BadOptions(
                f"There is no seat {seat!r}; the seats are 0 to {self.players - 1}, and None is a spectator."
            )

    def _code(self, move: str) -> int:
        code = self.game.notation.read(move) if isinstance(move, str) else None
        if code is None or code not in self.codes():
            raise IllegalMove(self._refusal(move))
        return int(code)

    def _refusal(self, move: object) -> str:
        legal = self.moves()
        if not legal:
            return f"{move!r} cannot be played: the game is over."
        named = ", ".join(legal[:SHOWN_MOVES])
        more = f" and {len(legal) - SHOWN_MOVES} more" if len(legal) > SHOWN_MOVES else ""
        kind = "possible" if self.turn == "chance" else "legal"
        return f"{move!r} is not {kind} here. {kind.capitalize()}: {named}{more}."

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self is other or (self.game is other.game and bytes(self) == bytes(other))

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.game.name, bytes(self)))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.game, bytes(self))

    def __repr__(self) -> str:
        who = "over" if self.turn is None else f"{'' if self.turn == 'chance' else 'seat '}{self.turn} decides"
        return f"<{self.game.title}, {self.players} players: {who}>"


def _seen(position: Position, seat: int | None) -> tuple[dict[str, Any], list[int], list[int]]:
    """What `seat` may see, the scores and the winners, for boards and stories, which change nothing in them."""
    position.check_seat(seat)
    return _view(position, seat if position.game.has_secrets else None)


@functools.lru_cache(KEPT_VIEWS)
def _view(position: Position, seat: int | None) -> tuple[dict[str, Any], list[int], list[int]]:
    return position.view(seat), position.scores(), position.winners()


def _restored(game: Game, data: bytes) -> Position:
    return Position(game, game.rules.STATE.structure.from_buffer_copy(data))
