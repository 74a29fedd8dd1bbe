"""A game's record: a header and lines of text, to which lines are only ever added. Positions are derived by replay."""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import strandline
from strandline.engine import checks
from strandline.engine.position import Position
from strandline.engine.story import Event
from strandline.engine.vocabulary import Value
from strandline.engine.words import Words
from strandline.table import dice
from strandline.table.ledger import Anchor, BadLink, Ledger, Link, Note

_ = Words(__file__)

FORMAT = "strandline record 4"
OTHER_FORMAT = re.compile("strandline record [1-9][0-9]{0,3}")
HIDDEN = "?"
"""What a record has instead of a text that its reader may not see; no game has a move with this text."""
FIELDS = (
    *("format", "table", "game", "rules", "players", "options", "seats", "commitment"),
    *("moves", "by", "tickets", "secret", "dice", "seeds", "digest", "key", "signature"),
)
KEPT_EVERY = 16
"""One position in this many is kept; those between are played again when somebody asks."""
KEPT_LATEST = 8
"""And the latest ones: what has just happened is told to everybody at the table."""
KEPT_DIFFERENCES = 1024
"""What somebody cannot see after a line is what they cannot see before the next one."""
KEPT_STORIES = 4096
MOST_LINES = 100_000
MOST_TICKETS = 2**31
MOST_RULES = 10_000
HEX = re.compile("[0-9a-f]{64}")
ANCHOR_FIELDS = ("seats", "anchor", "commitment")
LINK_FIELDS = ("chain", "link", "epochs", "tap")
UNDO = re.compile("undo (0|[1-9][0-9]{0,5})")

By = int | Literal["chance"]
Tickets = tuple[int, int, int]
"""The first ticket of an outcome, how many stand for it, and how many there are in all."""


class BadRecord(strandline.BadPosition):
    """The record cannot be read or replayed; the message says where and why."""


class OtherVersion(BadRecord):
    """The record was written or played by another version; the message says by which."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is settled before the first line."""

    table: str
    game: str
    options: Mapping[str, Value]
    kinds: tuple[str, ...]
    """For each seat `here`, `link` or `bot:LEVEL`."""
    commitment: str
    """To the first seed."""
    rules: int = 1
    """The version of the game's rules."""

    def start(self) -> Position:
        """The first position. `OtherVersion` if the game is played by other rules now."""
        _check_version(strandline.game(self.game), self.rules)
        return strandline.game(self.game).start(len(self.kinds), self.options)

    def digest(self) -> bytes:
        """What the digest of the record begins with."""
        content = (self.table, self.game, self.rules, dict(self.options), self.kinds, self.commitment)
        return dice.digest(hashlib.sha256(FORMAT.encode()).digest(), *content)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a move, an outcome of chance, or `undo M`, which goes back to position M."""

    by: By
    text: str
    bot: bool = False
    """Whether a bot moved for the seat."""

    @property
    def undo(self) -> int | None:
        """The number of the position that an undo goes back to; None if the line is no undo."""
        if self.by == "chance" or not self.text.startswith("undo "):
            return None
        found = UNDO.fullmatch(self.text)
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Next:
    """A line or a note that can follow, and what it leads to."""

    item: Line | Note
    number: int
    position: Position
    """The position after it."""
    sum: bytes
    """The digest of the record with it."""
    ledger: Ledger
    drawn: int
    """How many draws are on the way to the position."""
    secret: int | None = None
    """The only seat that may see the line."""


class Record:
    """The header, the lines so far and the notes between them, with the position they lead to."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.lines: list[Line] = []
        self.notes: list[tuple[int, Note]] = []
        """Commitments and links, each with the number of lines before it."""
        self.sum = header.digest()
        """The digest of header, lines and notes."""
        self.position = header.start()
        self.ledger = Ledger(header.commitment)
        self.seen_epochs = 1
        """How many epochs there were before the last line: whoever has seen that line knows of them."""
        self.tickets: list[Tickets | None] = []
        """For each outcome of chance, the tickets that stand for it."""
        self.over = self.position.turn is None
        """Whether the game has ended."""
        self._kept = {0: self.position}
        self._stands = [0]
        self._drawn = [0]
        self._latest_draws = [0]
        self._secrets: list[int | None] = []
        self._undos = 0
        self._revealing: dict[int, bool] = {}

    @property
    def length(self) -> int:
        """How many lines and notes there are."""
        return len(self.lines) + len(self.notes)

    @property
    def drawn(self) -> int:
        """How many draws were not taken back."""
        return self._drawn[-1]

    @property
    def latest_draw(self) -> int:
        """The number of the last outcome that was not taken back, 0 if there is none."""
        return self._latest_draws[-1]

    @property
    def number(self) -> int:
        """How many lines there are, and the number of the position after them."""
        return len(self.lines)

    @property
    def undos(self) -> int:
        """How many lines are undos."""
        return self._undos

    def append(self, item: Line | Note) -> None:
        """Add a line or a note. `IllegalMove` or `BadRecord` if it cannot follow; then nothing has changed."""
        self.add(self.next(item))

    def next(self, item: Line | Note, after: Next | None = None) -> Next:
        """What a line or a note leads to from here, or from `after`, which is not added yet. Nothing changes."""
        before = after or self
        position, ledger, drawn = before.position, before.ledger, before.drawn
        if isinstance(item, Anchor | Link):
            if isinstance(item, Anchor) and any(map(self.is_bots, item.seats)):
                raise BadRecord("A bot’s seat has no page, and so no chain.")
            sum_ = dice.digest(before.sum, *note_fields(item).items())
            try:
                return Next(item, before.number, position, sum_, ledger.noted(item), drawn)
            except BadLink as error:
                raise BadRecord(str(error)) from None
        number = before.number + 1
        undo = item.undo
        if undo is not None:
            sum_ = dice.digest(before.sum, item.by, item.text)
            return Next(item, number, self._taken_back(undo, item.by), sum_, ledger, self._drawn[undo])
        if item.by != position.turn:
            raise BadRecord(f"{_who(item.by)} cannot play {item.text!r}: {_who(position.turn)} decides.")
        secret = position.secret(item.text) if position.game.has_secrets else None
        sum_ = dice.digest(before.sum, item.by, item.text if secret is None else HIDDEN)  # digests are for all to see
        if item.by == "chance":
            ledger, drawn = ledger.drawn(drawn), drawn + 1
        return Next(item, number, position.play(item.text), sum_, ledger, drawn, secret)

    def add(self, new: Next) -> None:
        """Add what is known to be able to follow."""
        item = new.item
        if new.number != self.number + isinstance(item, Line):
            raise BadRecord(f"Line {new.number} cannot follow line {self.number}.")
        self.sum, self.ledger = new.sum, new.ledger
        if not isinstance(item, Line):
            self.notes.append((self.number, item))
            return
        self.seen_epochs = self.ledger.epochs
        self.tickets.append(_tickets_for(self.position, item))
        self.lines.append(item)
        undo = item.undo
        self._stands.append(self.number if undo is None else self._stands[undo])
        self._drawn.append(new.drawn)
        latest = self._latest_draws[-1 if undo is None else undo]
        self._latest_draws.append(self.number if item.by == "chance" else latest)
        self._undos += undo is not None
        self._secrets.append(new.secret)
        self.position = new.position
        self.over = self.position.turn is None
        self._kept[self.number] = new.position
        if (old := self.number - KEPT_LATEST) % KEPT_EVERY:
            self._kept.pop(old, None)

    def _taken_back(self, to: int, by: By) -> Position:
        """The position before a move of a person's seat, while the game goes on."""
        later = None
        for number in self.path():
            if number == to:
                break
            later = number
        else:
            raise BadRecord(f"The game cannot go back to position {to}: it is not on the way to the present one.")
        if self.over or later is None or self.lines[later - 1].by != by or self.is_bots(by):
            raise BadRecord(f"{_who(by).capitalize()} cannot take back what came after position {to}.")
        return self.at(to)

    def is_bots(self, by: By) -> bool:
        """Whether the seat is a bot's from the beginning."""
        return by != "chance" and self.header.kinds[by].startswith("bot:")

    def at(self, number: int) -> Position:
        """Position `number`; 0 is the start."""
        number = self._stands[number]
        if number == self._stands[-1]:
            return self.position
        way = []
        while number not in self._kept:
            way.append(number)
            number = self.before(number)
        position = self._kept[number]
        for step in reversed(way):
            position = position.after(self.lines[step - 1].text)
        return position

    def path(self, number: int | None = None) -> Iterator[int]:
        """The numbers of the positions that lead to position `number` (default: the present one), backwards to 0."""
        number = self._stands[-1 if number is None else number]
        while number:
            yield number
            number = self.before(number)
        yield 0

    def before(self, number: int) -> int:
        """The number of the position in which line `number` was played."""
        return self._stands[number - 1]

    def dropped(self, since: int = 0) -> set[int]:
        """The numbers of the lines after line `since` that were taken back."""
        if not self._undos:
            return set()
        stand = set(itertools.takewhile(lambda number: number > since, self.path()))
        return {n for n in range(since + 1, self.number + 1) if self._stands[n] == n and n not in stand}

    def may_see(self, number: int, seats: Collection[int]) -> bool:
        """Whether the persons at `seats` may see what line `number` says."""
        secret = self._secrets[number - 1]
        return secret is None or secret in seats or self.over

    def text(self, number: int, seats: Collection[int]) -> str:
        """What line `number` says to these seats."""
        return self.lines[number - 1].text if self.may_see(number, seats) else HIDDEN

    def events(self, number: int, seats: Collection[int]) -> tuple[Event, ...]:
        """What line `number` brought about, as these seats may see it; an undo brings about nothing."""
        line = self.lines[number - 1]
        if line.undo is not None:
            return ()
        told = _story(self.at(self.before(number)), line.text)
        open_ = self.over or not self.position.game.has_secrets
        return told if open_ else tuple(event.seen_by(seats) for event in told)

    def reveals(self, number: int) -> bool:
        """Whether line `number` let anybody know what was hidden before."""
        if not self.position.game.has_secrets:
            return False
        if number not in self._revealing:
            before, after = self.at(number - 1), self.at(number)
            viewers: list[int | None] = [None, *range(before.players)]
            self._revealing[number] = any(hidden(before, viewer) != hidden(after, viewer) for viewer in viewers)
        return self._revealing[number]

    def to_json(self, seats: Collection[int], names: Sequence[str], seeds: Sequence[bytes]) -> dict[str, Any]:
        """The record as these seats may see it, not yet signed. The seeds are revealed when the game is over."""
        header = self.header
        numbers = range(1, self.number + 1)
        return {
            "format": FORMAT,
            "table": header.table,
            "game": header.game,
            "rules": header.rules,
            "players": len(header.kinds),
            "options": dict(header.options),
            "seats": [{"kind": kind, "name": name} for kind, name in zip(header.kinds, names, strict=True)],
            "commitment": header.commitment,
            "moves": [self.text(number, seats) for number in numbers],
            "by": [line.by for line in self.lines],
            "tickets": [self.tickets[n - 1] if self.may_see(n, seats) else None for n in numbers],
            "secret": [number for number in numbers if self._secrets[number - 1] is not None],
            "dice": [{"after": after, **note_fields(note)} for after, note in self.notes],
            "seeds": [seed.hex() for seed in seeds] if self.over else None,
            "digest": self.sum.hex(),
            "key": None,
            "signature": None,
        }


def note_fields(note: Note) -> dict[str, Any]:
    """A note as JSON, and as it goes into the digest."""
    if isinstance(note, Anchor):
        return {"seats": list(note.seats), "anchor": note.anchor, "commitment": note.commitment}
    return {"chain": note.chain, "link": note.link, "epochs": note.epochs, "tap": note.tap}


def _tickets_for(position: Position, line: Line) -> Tickets | None:
    """Tickets that share an outcome stand side by side."""
    if line.by != "chance":
        return None
    tickets, code = position.tickets(), position.game.code(line.text)
    return tickets.index(code), tickets.count(code), len(tickets)


@functools.lru_cache(KEPT_STORIES)
def _story(position: Position, move: str) -> tuple[Event, ...]:
    """A move's story; everybody at the table asks for the same one."""
    return tuple(position.story(move))


@functools.lru_cache(KEPT_DIFFERENCES)
def hidden(position: Position, viewer: int | None) -> tuple[tuple[str, Any, Any], ...]:
    """Where the position differs from what `viewer` may see of it."""
    if not position.game.has_secrets:
        return ()
    view = position.view(viewer)
    view.pop("view", None)
    return tuple(_differences("", position.to_json(), view))


def _differences(where: str, real: Any, seen: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(real, dict) and isinstance(seen, dict):
        for name in {**real, **seen}:
            yield from _differences(f"{where}.{name}", real.get(name), seen.get(name))
    elif isinstance(real, list) and isinstance(seen, list) and len(real) == len(seen):
        for i, (one, other) in enumerate(zip(real, seen, strict=True)):
            yield from _differences(f"{where}.{i}", one, other)
    elif real != seen:
        yield where, real, seen


def _who(by: By | None) -> str:
    return "nobody" if by is None else by if by == "chance" else f"seat {by}"


# Records as files


@dataclass(frozen=True, slots=True)
class Document:
    """A record as a file holds it: checked for its form, not yet replayed."""

    header: Header
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[tuple[int, Note], ...]
    tickets: tuple[Tickets | None, ...]
    secret: tuple[int, ...]
    seeds: tuple[bytes, ...] | None
    digest: str
    key: str | None
    signature: str | None

    def items(self) -> Iterator[Line | Note]:
        """Lines and notes in their order."""
        notes = [*self.notes]
        for number, line in enumerate(self.lines):
            while notes and notes[0][0] == number:
                yield notes.pop(0)[1]
            yield line
        yield from (note for _, note in notes)


def from_json(value: Any) -> Document:
    """The record in a JSON object. Raises `BadRecord`, which says what is wrong with its form."""
    try:
        return _read(value)
    except checks.Flaw as flaw:
        raise BadRecord(str(flaw)) from None
    except (strandline.UnknownGame, strandline.BadOptions) as error:
        raise BadRecord(str(error)) from None


def _read(value: Any) -> Document:
    written = checks.fields_of(value, "The record").get("format")
    if written != FORMAT and isinstance(written, str) and OTHER_FORMAT.fullmatch(written):
        raise OtherVersion(f"It is a “{written}”; this version reads “{FORMAT}”.")
    checks.same(written, FORMAT, "format")
    fields = checks.fields(value, FIELDS, "The record")
    game = strandline.game(checks.word(fields["game"], strandline.games(), "game"))
    _check_version(game, checks.whole(fields["rules"], 1, MOST_RULES, "rules"))
    seats = checks.each(fields["seats"], 1, max(game.seats), "seats", _seat)
    checks.same(fields["players"], len(seats), "players")
    options = checks.fields_of(fields["options"], "options")
    game.start(len(seats), options)
    kinds = tuple(seat["kind"] for seat in seats)
    header = Header(
        brief(fields["table"], "table"),
        game.name,
        options,
        kinds,
        hexadecimal(fields["commitment"], "commitment"),
        game.facts.version,
    )
    lines = tuple(_lines(fields, len(seats)))
    return Document(
        header,
        tuple(seat["name"] for seat in seats),
        lines,
        tuple(_notes(fields["dice"], len(lines), len(seats))),
        tuple(_tickets(fields["tickets"], len(lines))),
        tuple(checks.each(fields["secret"], 0, len(lines), "secret", functools.partial(_number, most=len(lines)))),
        _seeds(fields["seeds"]),
        hexadecimal(fields["digest"], "digest"),
        None if fields["key"] is None else hexadecimal(fields["key"], "key"),
        None if fields["signature"] is None else _signature(fields["signature"]),
    )


def _check_version(game: strandline.Game, rules: int) -> None:
    ours = game.facts.version
    if rules != ours:
        raise OtherVersion(
            _(
                "It was played by version {theirs} of the rules of {title}; this is version {ours}.",
                theirs=rules,
                title=game.told_title,
                ours=ours,
            )
        )


def _lines(fields: dict[str, Any], players: int) -> Iterator[Line]:
    moves = checks.each(fields["moves"], 0, MOST_LINES, "moves", brief)
    by = checks.items(fields["by"], len(moves), len(moves), "by")
    for i, (who, text) in enumerate(zip(by, moves, strict=True)):
        yield Line("chance" if who == "chance" else checks.whole(who, 0, players - 1, f"by[{i}]"), text)


def _notes(value: Any, lines: int, players: int) -> Iterator[tuple[int, Note]]:
    last = 0
    for i, fields in enumerate(checks.items(value, 0, MOST_LINES, "dice")):
        where = f"dice[{i}]"
        is_anchor = "anchor" in checks.fields_of(fields, where)
        fields = checks.fields(fields, ("after", *(ANCHOR_FIELDS if is_anchor else LINK_FIELDS)), where)
        last = checks.whole(fields["after"], last, lines, f"{where}.after")
        if is_anchor:
            seat = functools.partial(_number, most=players - 1)
            seats = checks.each(fields["seats"], 1, players, f"{where}.seats", seat)
            anchor = None if fields["anchor"] is None else hexadecimal(fields["anchor"], f"{where}.anchor")
            yield last, Anchor(tuple(seats), anchor, hexadecimal(fields["commitment"], f"{where}.commitment"))
        else:
            chain = checks.whole(fields["chain"], 1, MOST_LINES, f"{where}.chain")
            epochs = checks.whole(fields["epochs"], 1, MOST_LINES, f"{where}.epochs")
            tap = checks.flag(fields["tap"], f"{where}.tap")
            yield last, Link(chain, hexadecimal(fields["link"], f"{where}.link"), epochs, tap)


def _tickets(value: Any, lines: int) -> Iterator[Tickets | None]:
    for i, found in enumerate(checks.items(value, lines, lines, "tickets")):
        where = f"tickets[{i}]"
        if found is None:
            yield None
        else:
            first, count, size = checks.each(found, 3, 3, where, functools.partial(_number, most=MOST_TICKETS))
            yield first, count, size


def _seeds(value: Any) -> tuple[bytes, ...] | None:
    return None if value is None else tuple(map(bytes.fromhex, checks.each(value, 1, MOST_LINES, "seeds", hexadecimal)))


def _number(value: Any, where: str, most: int) -> int:
    return checks.whole(value, 0, most, where)


def _seat(value: Any, where: str) -> dict[str, str]:
    fields = checks.fields(value, ("kind", "name"), where)
    return {name: brief(fields[name], f"{where}.{name}") for name in fields}


def brief(value: Any, where: str) -> str:
    """A text that is not too long."""
    if not isinstance(value, str) or len(value) > 200:
        raise checks.Flaw(f"{where} must be a text of at most 200 letters, not {checks.shown(value)}.")
    return value


def hexadecimal(value: Any, where: str) -> str:
    """A hash, a seed or a key."""
    if not isinstance(value, str) or not HEX.fullmatch(value):
        raise checks.Flaw(f"{where} must be 64 hexadecimal digits, not {checks.shown(value)}.")
    return value


def _signature(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{128}", value):
        raise checks.Flaw(f"signature must be 128 hexadecimal digits, not {checks.shown(value)}.")
    return value
