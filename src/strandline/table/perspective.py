"""What a caller is shown of a table: the board, moves, words and log as that caller may see them, and nothing else."""

from __future__ import annotations

import functools
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from strandline.drawing import Seat
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.story import Event
from strandline.engine.words import ENGLISH, Reader, Words, cached_for_reader, reader, reading, seat_name, seat_names
from strandline.table.invitations import hosts
from strandline.table.picture import Picture
from strandline.table.record import hidden
from strandline.table.table import Table, Undo, Vote, level_of

_ = Words(__file__)

VERSION = 3
"""Of what pages are told: it changes when fields do."""
KEPT_PICTURES = 256
"""Pictures drawn last; the people at a table mostly ask for the same one."""
KEPT_OFFERS = 64
"""Moves offered last: they are offered again whenever something else changes at the table."""


@dataclass(frozen=True)
class Perspective:
    """Whose view a caller has just now."""

    seats: frozenset[int]
    viewer: int | None
    """Whose view the board shows; None is a spectator's."""
    ask: int | None
    """The person who must first say that they are at the screen."""
    language: str = ENGLISH
    wide: bool = False
    """Whether boards are arranged for a wide window."""

    @property
    def log_seats(self) -> frozenset[int]:
        """Whose secrets the log tells. It stays on the screen, so with several persons there it tells none."""
        return self.seats if len(self.seats) == 1 else frozenset()


def seen_by(
    table: Table, seats: frozenset[int], shown: int | None, language: str = ENGLISH, wide: bool = False
) -> Perspective:
    """How `seats` see the table; `shown` is the person of a hot seat who has said that they are there."""
    position = table.record.position
    if len(seats) < 2:
        return Perspective(seats, min(seats, default=None), None, language, wide)
    turn = table.turn
    if not isinstance(turn, int) or turn not in seats or table.bot(turn) is not None:
        return Perspective(seats, None, None, language, wide)
    if table.roll() and shown != turn:  # nothing has to be seen to roll
        return Perspective(seats, None, None, language, wide)
    if shown == turn or hidden(position, turn) == hidden(position, None):
        return Perspective(seats, turn, None, language, wide)
    return Perspective(seats, None, turn, language, wide)


def replayed(seats: frozenset[int], language: str, wide: bool = False) -> Perspective:
    """How `seats` see the past: with several persons at a screen, as a spectator does."""
    return Perspective(seats, min(seats) if len(seats) == 1 else None, None, language, wide)


def reader_of(table: Table, perspective: Perspective) -> Reader:
    """Who is spoken to. Where several persons look at one screen nobody is "you"."""
    return Reader(perspective.language, perspective.log_seats, table.names_for(perspective.language))


def state(table: Table, perspective: Perspective, present: Collection[int], since: int = 0) -> dict[str, Any]:
    """The whole table for one caller, but for the pictures; the log begins after line `since`."""
    with reading(reader_of(table, perspective)):
        return _state(table, perspective, present, since)


def _state(table: Table, perspective: Perspective, present: Collection[int], since: int) -> dict[str, Any]:
    record, position = table.record, table.record.position
    header = table.setup.header
    acting = _acting(table, perspective)
    return {
        "version": VERSION,
        "language": perspective.language,
        "table": table.id,
        "game": header.game,
        "title": position.game.told_title,
        "options": position.options,
        "number": table.number,
        "turn": "over" if table.turn is None else table.turn,
        "you": sorted(perspective.seats),
        "acting": acting,
        "ask": perspective.ask,
        "prompt": _prompt(table, perspective, acting),
        "ending": _told_ending(table, perspective) if record.over else None,
        "score_lines": _score_lines(position) if record.over else [],
        "words": words(position, perspective.viewer),
        "moves": _moves(table, acting) if acting is not None else [],
        "roll": _roll(table),
        "scores": position.scores(),
        "winners": position.winners(),
        "shared": shared(position),
        "seats": [_seat(table, perspective, present, seat) for seat in range(table.players)],
        "log": _log(table, perspective, since),
        "outcome": _outcome(table, perspective),
        "undo": _undo(table, perspective, table.undoable(perspective.seats)) if perspective.seats else None,
        "votes": [_vote(number, vote) for number, vote in table.votes.items()],
        "rematch": f"/table/{table.rematch}" if table.rematch else None,
        "chance": position.game.has_chance,
        "dice": seen_dice(table, perspective.seats),
        "hints": table.setup.hints,
        "takeover_after": table.setup.takeover_after,
        "host": bool(hosts(table) & perspective.seats),
        "quiet": table.setup.agreements.quiet,
        "clock": _clock(table),
    }


def shared(position: Position) -> bool:
    """Whether several have won who played against each other."""
    return len(position.winners()) > 1 and not position.game.facts.cooperative


def _clock(table: Table) -> dict[str, Any] | None:
    """The time for the present move, in seconds."""
    deadline = table.deadline()
    return None if deadline is None else {"limit": table.setup.agreements.clock, "left": max(0, deadline - time.time())}


def _moves(table: Table, acting: int) -> list[dict[str, Any]]:
    """What the person can do: roll if that is due, else the legal moves."""
    roll = table.roll()
    if roll is None:
        return offers(table.record.position, acting)
    one = {"move": roll.verb, "sentence": roll.label, "clicks": list(roll.clicks)}
    return [{**one, "warning": None, "auto_answer": None, "taps": True}]


def _roll(table: Table) -> dict[str, Any] | None:
    """The roll that waits for a person's tap."""
    roll = table.roll()
    return {"seat": roll.seat, "verb": roll.verb} if roll else None


def seen_dice(table: Table, seats: Collection[int]) -> dict[str, Any]:
    """What a page needs to know for its part in the dice, and what it keeps to check them."""
    record, ledger = table.record, table.record.ledger
    chain = _chain(table, seats)
    return {
        "commitments": list(ledger.commitments),
        "anchor": None if chain is None else ledger.anchors[chain],
        "tip": None if chain is None else ledger.tips[chain],
        "due": chain is not None and ledger.is_due(chain),
        "least": record.seen_epochs,
        "open": ledger.is_open,
        "backed": chain is not None and chain in ledger.key.parts,
        "again": record.drawn < len(ledger.keys),
        "length": record.length,
        "digest": record.sum.hex(),
    }


def _chain(table: Table, seats: Collection[int]) -> int | None:
    """The chain that the page is asked about: of the seat that rolls or decides, or one whose next link is due."""
    ledger = table.record.ledger
    if isinstance(table.turn, int) and table.turn in seats:
        return ledger.chains.get(table.turn)
    chains = [ledger.chains[seat] for seat in sorted(seats) if seat in ledger.chains]
    return next((chain for chain in chains if ledger.is_due(chain)), chains[0] if chains else None)


def steps(table: Table, lines: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Position]]:
    """What lines of the log tell, event by event, each with the position after it."""
    for line in lines:
        number = line["number"]
        after = [event.position for event in table.record.events(number, ())] or [table.record.at(number)]
        yield from zip(line["events"], after, strict=True)


def first_to_show(table: Table) -> int:
    """Whoever comes to a table is shown what happened after this line: since a person has last moved."""
    if not table.all_persons():
        return table.number
    for number in table.record.path():
        line = table.record.lines[number - 1] if number else None
        if line is not None and line.by != "chance" and not line.bot:
            return table.record.before(number)
    return 0


def at(table: Table, perspective: Perspective, number: int, position: Position) -> dict[str, Any]:
    """The table's position `number` for one caller, with how it came about, for replays."""
    turn = position.turn
    open_ = table.record.over or (isinstance(turn, int) and turn == perspective.viewer)
    with reading(reader_of(table, perspective)):
        line = _line(table, perspective, number, table.record.dropped(number - 1)) if number else None
        found = {
            "number": number,
            "last": table.number,
            "turn": "over" if turn is None else turn,
            "svg": picture(position, perspective).svg,
            "words": words(position, perspective.viewer),
            "scores": position.scores(),
            "winners": position.winners(),
            "line": line,
            "moves": offers(position, turn) if open_ and isinstance(turn, int) else [],
        }
        told = steps(table, [line]) if line and line["undo"] is None else []
        return {**found, "steps": [{**step, "svg": picture(after, perspective).svg} for step, after in told]}


@cached_for_reader(KEPT_PICTURES)
def _picture(position: Position, viewer: int | None, wide: bool) -> Picture:
    return Picture(position.svg(viewer, wide))


def picture(position: Position, perspective: Perspective) -> Picture:
    """The board, drawn once for all who see the same: boards call everybody by name."""
    who = reader()
    with reading(Reader(who.language, frozenset(), who.names)):
        return _picture(position, perspective.viewer if position.game.has_secrets else None, perspective.wide)


@cached_for_reader(KEPT_PICTURES)
def _words(position: Position, viewer: int | None) -> str:
    return position.words(viewer)


def words(position: Position, viewer: int | None) -> str:
    """The position in words for `viewer`."""
    return _words(position, viewer if position.game.has_secrets else None)


@cached_for_reader(KEPT_OFFERS)
def offers(position: Position, seat: int) -> list[dict[str, Any]]:
    """The legal moves of `seat`, whose turn it is, with sentences and what to click."""
    view, story = position.view(seat), position.game.story
    return [
        {
            "move": move,
            "sentence": position.describe(move),
            "clicks": position.game.board.clicks(view, move),
            "warning": story.warning(view, move),
            "auto_answer": story.auto_answer(view, move),
            "taps": _taps(position, move),
        }
        for move in position.moves()
    ]


def _taps(position: Position, move: str) -> bool:
    """Whether choosing the move is the tap for the draw that belongs to it."""
    roll = position.after(move).roll()
    return roll is not None and roll.of_move and roll.seat == position.turn


# The log


def _log(table: Table, perspective: Perspective, since: int) -> list[dict[str, Any]]:
    dropped = table.record.dropped(since)
    return [_line(table, perspective, number, dropped) for number in range(since + 1, table.number + 1)]


def _line(table: Table, perspective: Perspective, number: int, dropped: Collection[int]) -> dict[str, Any]:
    record = table.record
    line = record.lines[number - 1]
    events = record.events(number, perspective.log_seats)
    return {
        "number": number,
        "by": line.by,
        "bot": line.bot,
        "text": record.text(number, perspective.log_seats),
        "undo": line.undo,
        "hidden": not record.may_see(number, perspective.log_seats),
        "events": [_event(number, event) for event in events] or [_undone(table, number)],
        "dropped": number in dropped,
    }


def _event(number: int, event: Event) -> dict[str, Any]:
    return {
        "number": number,
        "kind": event.kind,
        "who": event.who,
        "sentence": event.sentence,
        "shapes": list(event.shapes),
        "dice": event.data.get("dice", []),
        "drawn": event.data.get("drawn", []),
        "sound": _sound(event),
    }


def _sound(event: Event) -> str | None:
    """What the event sounds like to those who see it."""
    if event.data.get("dice"):
        return "dice"
    return event.position.game.story.SOUNDS.get(event.kind) or ("slide" if event.shapes else None)


def _undone(table: Table, number: int) -> dict[str, Any]:
    """A move taken back is an event too, though not one of the game's."""
    by = table.record.lines[number - 1].by
    assert by != "chance"
    sentence = _.who(by, "You took back a move.", "{name} took back a move.")
    nothing: dict[str, Any] = {"shapes": [], "dice": [], "drawn": [], "sound": "slide"}
    return {"number": number, "kind": "undo", "who": by, "sentence": sentence, **nothing}


def _outcome(table: Table, perspective: Perspective) -> dict[str, Any] | None:
    """The last roll or draw of the seat whose turn it is, if the caller may see it: what others rolled is over."""
    record, number = table.record, table.record.latest_draw
    if not number:
        return None
    event = record.events(number, perspective.log_seats)[0]
    seen = event.who == record.position.turn and record.may_see(number, perspective.log_seats)
    return _event(number, event) if seen else None


# Seats, undo, votes


def _acting(table: Table, perspective: Perspective) -> int | None:
    turn = table.turn
    if not isinstance(turn, int) or turn not in perspective.seats or turn in table.stand_ins:
        return None
    return turn if perspective.ask is None else None


def _seat(table: Table, perspective: Perspective, present: Collection[int], seat: int) -> dict[str, Any]:
    kind = table.setup.header.kinds[seat]
    yours, away = seat in perspective.seats, level_of(kind) is None and seat not in present
    claimed = level_of(kind) is not None or bool(table.devices.of(seat))
    return {
        "seat": seat,
        "kind": kind,
        "name": seat_name(seat),
        "yours": yours,
        "away": away,
        "look": _looks(table.record.position.game, perspective.language)[seat],
        "bot": table.bot(seat),
        "claimed": claimed,
        "invited": seat in table.devices.invitations and (yours or not claimed),
        "devices": len(table.devices.of(seat)) if yours else None,
        "status": _status(kind, table.bot(seat), yours, away, len(perspective.seats) > 1)
        if claimed
        else _status_of_free(table.bot(seat)),
    }


@functools.lru_cache(64)
def _looks(game: Game, language: str) -> list[dict[str, str]]:
    with reading(Reader(language, frozenset(), ())):
        return [look_of(look) for look in game.board.looks()]


def look_of(look: Seat) -> dict[str, str]:
    """How a seat is told apart, for pages."""
    told = {"colour": look.colour, "ink": look.on, "path": look.shape, "shape": look.word}
    return {**told, "name": look.name, "pattern": look.pattern}


def _status(kind: str, bot: str | None, yours: bool, away: bool, shared: bool) -> str:
    """What is said beside the name; where several look at one screen, nobody there is "you"."""
    own = level_of(kind)
    if own is not None and bot is not None:
        return level_name(own) if bot == own else _("{bot} in place of {own}", bot=level_name(bot), own=level_name(own))
    if bot is not None:
        return _("a bot plays for you") if yours else _("away, a bot plays")
    if away or not yours:
        return _("away") if away else ""
    return _("here") if shared else _("you")


def _status_of_free(bot: str | None) -> str:
    return _("not here yet") if bot is None else _("not here yet, a bot plays")


def level_name(level: str) -> str:
    """What a bot is called by its level."""
    return _("bot, level {n}", n=level) if level.isdecimal() else _("bot, {level}", level=level)


def _undo(table: Table, perspective: Perspective, undo: Undo | None) -> dict[str, Any] | None:
    if undo is None:
        return None
    what = table.record.events(undo.line, perspective.log_seats)[0].sentence
    alone = undo.free or table.all_persons() == {undo.seat}
    ask = _("Take back: {what}", what=what) if alone else _("Ask everybody to take back: {what}", what=what)
    return {"to": undo.to, "free": alone, "sentence": ask}


def _vote(number: int, vote: Vote) -> dict[str, Any]:
    if vote.kind == "release":
        asked = _.who(
            vote.by,
            "You ask to disconnect {other}’s lost device.",
            "{name} asks to disconnect {other}’s lost device.",
            other=seat_name(vote.target),
        )
    elif vote.kind == "takeover":
        asked = _.who(
            vote.by,
            "You ask to let a bot play for {other}.",
            "{name} asks to let a bot play for {other}.",
            other=seat_name(vote.target),
        )
    else:
        asked = _.who(vote.by, "You ask to take back a move.", "{name} asks to take back a move.")
    return {
        "vote": number,
        "kind": vote.kind,
        "by": vote.by,
        "seat": None if vote.kind == "undo" else vote.target,
        "yes": sorted(vote.yes),
        "open": sorted(vote.open),
        "sentence": asked,
        "question": _("Do you agree?"),
        "waiting": _("Waiting for {names}.", names=seat_names(sorted(vote.open))) if vote.open else "",
    }


# What to do now


def _prompt(table: Table, perspective: Perspective, acting: int | None) -> str:
    position, turn = table.record.position, table.turn
    if turn is None:
        return _ending(position, perspective)
    if turn == "chance":
        return _("The game begins as soon as a player joins.")
    if perspective.ask is not None:
        return _("{name}, are you there? Your secrets are shown to you alone.", name=seat_name(turn))
    if acting is None:
        name = seat_name(turn)
        return _("{name} is thinking.", name=name) if table.bot(turn) else _("Waiting for {name}.", name=name)
    roll = table.roll()
    task = f"{roll.label}." if roll else position.task(turn) or _("Choose a move.")
    shared = len(perspective.seats) > 1
    turn_ = _("{name}, it’s your turn.", name=seat_name(turn)) if shared else _("Your turn.")
    return f"{turn_} {task}"


def _told_ending(table: Table, perspective: Perspective) -> str:
    """Who has won and why: the game's own last words, if it has any."""
    record = table.record
    events = record.events(next(iter(record.path())), perspective.log_seats)
    if events and events[-1].kind == "end":
        return events[-1].sentence
    return _ending(record.position, perspective)


def _score_lines(position: Position) -> list[dict[str, Any]]:
    lines = position.game.story.score_lines(position.view(None), position.scores())
    return [{"label": label, "values": [str(value) for value in values]} for label, values in lines]


def _ending(position: Position, perspective: Perspective) -> str:
    winners, mine = position.winners(), perspective.log_seats
    if not winners:
        return _("The game is over. Nobody wins.")
    if position.game.facts.cooperative:
        return _("The game is over. You all win!") if perspective.seats else _("The game is over. Everybody wins!")
    if len(winners) == 1:
        return _.who(winners[0], "The game is over. You win!", "The game is over. {name} wins.")
    if mine & set(winners):
        return _("The game is over. You share the win!")
    return _("The game is over. {names} share the win.", names=seat_names(winners))
