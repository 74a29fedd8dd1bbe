"""Was chance fair? Every outcome of a record is derived again, and compared with what a page has kept of the game.

Signatures are checked by whoever can (`Signed`), so that a table needs no cryptography beyond hashes.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from strandline.engine import checks
from strandline.engine.errors import IllegalMove
from strandline.table import dice
from strandline.table.ledger import Anchor, Link, Note
from strandline.table.record import (
    HIDDEN,
    MOST_LINES,
    BadRecord,
    Document,
    Line,
    OtherVersion,
    Record,
    brief,
    from_json,
    hexadecimal,
)

SHOWN = 5
"""How many wrong outcomes are named one by one."""
KEPT_FORMAT = "strandline kept 3"
KEPT_BEFORE = "strandline kept 2"
KEPT_FIELDS = ("format", "table", "key", "anchors", "links", "bare", "commitments", "digests")
BARE_FIELDS = ("length", "move")
SENT_FIELDS = ("link", "epochs", "length", "numbers")

Signed = Callable[[str, bytes, str], bool]
"""Whether this is a key's signature of these bytes."""


@dataclass(frozen=True)
class Report:
    """What was found: a verdict and the reasons for it, in sentences.

    `passed`: all is right, and somebody vouches for it. `failed`: something is false. `open`: nothing contradicts the
    record, but what would prove it is missing, or nobody had a part in some draws who could have; or it is of another
    version, and cannot be checked by this one.
    """

    verdict: Literal["passed", "failed", "open"]
    findings: list[str]


@dataclass(frozen=True)
class Sent:
    """A link that a page has revealed, and what it knew when it did so first."""

    link: str
    epochs: int
    """How many commitments it had seen."""
    length: int
    """How many lines and notes the record had."""
    numbers: tuple[int | None, ...]
    """Each position in which it was sent as a tap; None: because the table asked for it."""


@dataclass(frozen=True)
class Bare:
    """What a page has sent without a link."""

    length: int
    """How many lines and notes the record had."""
    move: str | None
    """None: a tap for what was to come out as before."""


@dataclass(frozen=True)
class Kept:
    """What the page of a person has kept of a table."""

    table: str
    key: str | None = None
    anchors: list[str] = field(default_factory=list)
    links: list[Sent] = field(default_factory=list)
    bare: list[Bare] = field(default_factory=list)
    commitments: list[str] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)
    """By the number of lines and notes in the record."""


class Falsehood(Exception):
    """Something in the record is false; the message says what."""


def kept_from_json(value: Any) -> Kept:
    """What a page has saved. Raises `BadRecord`."""
    try:
        if checks.fields_of(value, "The file").get("format") == KEPT_BEFORE:
            value = _brought(value)
        checks.same(value.get("format"), KEPT_FORMAT, "format")
        fields = checks.fields(value, KEPT_FIELDS, "The file")
        digests = checks.fields_of(fields["digests"], "digests")
        return Kept(
            str(fields["table"]),
            None if fields["key"] is None else hexadecimal(fields["key"], "key"),
            checks.each(fields["anchors"], 0, MOST_LINES, "anchors", hexadecimal),
            checks.each(fields["links"], 0, MOST_LINES, "links", _sent),
            checks.each(fields["bare"], 0, MOST_LINES, "bare", _bare),
            checks.each(fields["commitments"], 0, MOST_LINES, "commitments", hexadecimal),
            {_length(int(length), "digests"): hexadecimal(digest, "digests") for length, digest in digests.items()},
        )
    except ValueError as error:
        raise BadRecord(f"This is not what a page keeps of a table: {error}") from None


def _brought(value: dict[str, Any]) -> dict[str, Any]:
    """What an older page has kept."""
    others = {name: found for name, found in value.items() if name != "again"}
    bare = [{"length": length, "move": None} for length in checks.items(value.get("again"), 0, MOST_LINES, "again")]
    return {**others, "format": KEPT_FORMAT, "bare": bare}


def _sent(value: Any, where: str) -> Sent:
    fields = checks.fields(value, SENT_FIELDS, where)
    return Sent(
        hexadecimal(fields["link"], f"{where}.link"),
        _length(fields["epochs"], f"{where}.epochs"),
        _length(fields["length"], f"{where}.length"),
        tuple(checks.each(fields["numbers"], 1, MOST_LINES, f"{where}.numbers", _line)),
    )


def _bare(value: Any, where: str) -> Bare:
    fields = checks.fields(value, BARE_FIELDS, where)
    move = fields["move"]
    return Bare(_length(fields["length"], f"{where}.length"), None if move is None else brief(move, f"{where}.move"))


def _length(value: Any, where: str) -> int:
    return checks.whole(value, 0, 2 * MOST_LINES, where)


def _line(value: Any, where: str) -> int | None:
    return None if value is None else checks.whole(value, 0, MOST_LINES, where)


def verify(
    value: Any,
    key: str | None = None,
    known: Collection[str] = (),
    kept: Kept | None = None,
    signed: Signed | None = None,
) -> Report:
    """Check a record, as JSON, from its first line to its last.

    `key`: the public key of the server. `known`: keys of servers that are trusted, whichever it is. `kept`: what a page
    has kept of the table.
    """
    try:
        document = from_json(value)
    except OtherVersion as error:
        return Report("open", [f"This version of Strandline cannot check this record. {error}"])
    except BadRecord as error:
        return Report("failed", [f"This is not a whole record: {error}"])
    findings: list[str] = []
    try:
        own = _compared(document, kept) if kept else []
        record, way = _replayed(document, findings, kept)
        vouched = _vouched(value, document, key, known, kept, signed, findings)
    except Falsehood as error:
        return Report("failed", [*findings, str(error)])
    findings += own
    if way.saw_the_end and not vouched:
        findings.append("The page saw the game to its end; for the names nobody vouches.")
        vouched = True
    if document.seeds is None:
        if record is not None and record.over:
            return Report("failed", [*findings, "The game is over, but the record does not reveal the seeds."])
        said = "The game is not over, so the seeds are still secret: what was rolled can be checked at the end."
        return Report("open", [*findings, said])
    if record is not None and not way.is_shared(record):
        return Report("open", findings)
    if not vouched:
        said = "Nothing contradicts this record, but nothing shows that it was played: give --key or --kept."
        return Report("open", [*findings, said])
    return Report("passed", findings)


# The record by itself


class Way:
    """What is noticed on the way through a record, and compared with what a page has kept of the game."""

    def __init__(self, document: Document, kept: Kept | None) -> None:
        self.draws = self.taps = self.earlier = self.chosen = self.foreseeable = self.left_out = self.idle = 0
        self.elsewhere = self.overtaken = self.redrawn = self.untapped = self.astray = 0
        self.saw_the_end = False
        self._kept = kept or Kept(document.header.table)
        self._sent = {sent.link: sent for sent in self._kept.links}
        self._due = dict(self._kept.digests)
        self._own = _own_chains(document, self._kept)
        self._own_seats = _seats_of(document, self._own)
        self._came = min(self._kept.digests, default=0)
        """How long the record was when the page came, as far as it has kept that: no later than its first chain."""
        self._revealed = Counter[int]()
        """How many links of each chain there are."""
        self._tap: Link | None = None
        """The tap that was noted last, if nothing was drawn since."""
        self._row: int | None = None
        """The seat whose tap the present row of draws belongs to."""
        self._known = 1, 1
        """How many epochs there were before the line before last, and before the last one."""
        self._moves: list[str] = []
        """What the page has sent without a link since the last line."""
        self._added: list[int] = []
        """How long the record was when others added links without rolling."""

    def look(self, record: Record) -> None:
        """Compare how far the record has come with what the page saw and did when it was as long."""
        sum_ = record.sum.hex()
        if self._due.pop(record.length, sum_) != sum_:
            if not record.length:
                raise Falsehood("The record does not begin as the page has seen it.")
            raise Falsehood(f"Up to line {record.number} the record is not the one that the page has seen.")
        for sent in self._kept.links:
            if sent.length == record.length:
                self._justify(record, sent)
        moves = [bare.move for bare in self._kept.bare if bare.length == record.length]
        if self._tap or not _is_redrawn(record):
            for move in moves:
                _check_bare(record, move)
        self._moves = [*self._moves, *(move for move in moves if move is not None)]

    def _justify(self, record: Record, sent: Sent) -> None:
        """Whatever the page reveals, the record shows why it was asked for then, and what it knew."""
        ledger, where = record.ledger, f"after line {record.number}"
        before = dice.hashed_link(sent.link)
        chain = next((chain for chain in ledger.live() & self._own if ledger.tips[chain] == before), None)
        if chain is None:
            raise Falsehood(f"The page was asked {where} for a link that does not follow the last one in the record.")
        if sent.epochs != ledger.epochs:
            there = f"the record has {ledger.epochs} there"
            raise Falsehood(f"The page had seen {sent.epochs} commitments {where}; {there}.")
        number = sent.numbers[0]
        if number is None and not ledger.is_due(chain):
            raise Falsehood(f"The page was asked {where} for a link that was not due.")
        if self._tap or (number is not None and not _may_tap(record, chain, number)):
            raise Falsehood(f"The page tapped {where}, where it had nothing to roll.")

    def go(self, record: Record, item: Line | Note) -> None:
        """Look at what comes next."""
        tap, self._tap = self._tap, item if isinstance(item, Link) and item.tap else None
        if tap:
            self._check_tapped(record, tap, item)
        if isinstance(item, Link):
            self._note(record, item)
        elif isinstance(item, Anchor):
            self._begin(record, item)
        else:
            self.redrawn += item.undo is not None and _draws_before(record, item) < record.drawn
            self._known = self._known[1], record.ledger.epochs
            self.astray += len(self._moves) - (item.text in self._moves and item.by != "chance")
            self._moves = []
            if item.by == "chance" and record.position.turn == "chance":
                self._draw(record, tap)
            else:
                self._row = None

    def _check_tapped(self, record: Record, tap: Link, item: Line | Note) -> None:
        """A tap belongs to the new roll that follows, and to the seat whose roll it is."""
        if not isinstance(item, Line) or item.by != "chance":
            raise Falsehood(f"The link after line {record.number} was a tap, but nothing was drawn with it.")
        roll = record.position.roll()
        if roll is None or record.ledger.chains.get(roll.seat) != tap.chain:
            raise Falsehood(f"The link after line {record.number} was a tap by somebody whose roll it was not.")
        if _is_redrawn(record):
            raise Falsehood(f"The link after line {record.number} was a tap for a roll that had been made before.")

    def _begin(self, record: Record, note: Anchor) -> None:
        """The page begins a new chain when it cannot go on with the last one, and not because it is told to."""
        ledger = record.ledger
        before = {ledger.chains.get(seat, -1) for seat in note.seats}
        (last,) = before if len(before) == 1 else (-1,)
        if {ledger.epochs, last} <= self._own:
            tip = ledger.tips[last]
            sent = next((sent for sent in self._sent.values() if dice.hashed_link(sent.link) == tip), None)
            # Where all wait, nobody can tap, and the link of a tap that got lost is no news.
            is_stuck = sent is not None and not ledger.is_open and sent.epochs <= ledger.known[last]
            goes_on = sent.epochs >= record.seen_epochs if sent else self._revealed[last] < dice.LINKS
            if goes_on and not is_stuck:
                raise Falsehood(f"After line {record.number} the page was made to begin a new chain without need.")

    def _note(self, record: Record, link: Link) -> None:
        self._revealed[link.chain] += 1
        if not link.tap:
            if link.chain not in self._own:
                self._added.append(record.length)
            return
        if link.chain not in record.ledger.live():
            return  # it cannot follow, and is refused for that
        self.taps += 1
        last = record.lines[-1].by if record.lines else "chance"
        with_move = last != "chance" and record.ledger.chains.get(last) == link.chain  # sent before that move's line
        if link.epochs < self._known[not with_move]:
            raise Falsehood(f"The link after line {record.number} knows less than its page had seen.")
        if link.chain in self._own:
            sent = self._sent[link.link]
            self.overtaken += any(length >= sent.length for length in self._added)
        else:
            seats = record.ledger.begun[link.chain - 1].seats
            self.elsewhere += self._is_there(record) and not self._own_seats.isdisjoint(seats)

    def _draw(self, record: Record, tap: Link | None) -> None:
        roll, ledger = record.position.roll(), record.ledger
        self.draws += 1
        seat = roll.seat if roll else None
        if tap and self._row == seat:
            raise Falsehood(f"The link after line {record.number} was a second tap in one row, which takes one.")
        if tap or self._row != seat:
            self._row = seat if tap else None
        if _is_redrawn(record):
            return
        if roll and self._row is None and roll.seat in ledger.awaited():
            raise Falsehood(f"Line {record.number + 1} was drawn without the link of the person whose roll it was.")
        parts = ledger.key.parts
        self.earlier += bool(self._own) and not self._is_there(record)
        self.untapped += roll is not None and self._row is None and roll.seat in self._own_seats
        self.chosen += not ledger.is_open
        self.foreseeable += ledger.is_open and ledger.is_foreseeable
        others = {chain for seat, chain in ledger.chains.items() if seat in self._own_seats}  # of other devices
        counted = not parts.isdisjoint(self._own if self._has_begun(record) else others)
        self.left_out += self._is_there(record) and not counted
        self.idle += counted and tap is not None and tap.chain in self._own - parts

    def _has_begun(self, record: Record) -> bool:
        """Whether the page has begun a chain."""
        return any(chain < record.ledger.epochs for chain in self._own)

    def _is_there(self, record: Record) -> bool:
        """Whether the page has come."""
        return self._has_begun(record) or (bool(self._own) and record.length >= self._came)

    def is_shared(self, record: Record) -> bool:
        """Whether somebody had a part in every draw; bots alone have nobody."""
        return not self.chosen or all(map(record.is_bots, range(record.position.players)))

    def end(self, record: Record) -> None:
        """The record has been gone through."""
        if self._tap:
            raise Falsehood("The last link was a tap, but nothing was drawn with it.")
        sent = (each.length for each in self._kept.links)
        lengths = [*self._due, *sent, *(bare.length for bare in self._kept.bare)]
        if max(lengths, default=0) > record.length:
            raise Falsehood("The record is shorter than what the page has seen: its end is missing.")
        self.saw_the_end = record.over and record.length in self._kept.digests

    def told(self, record: Record) -> Iterator[str]:
        """What does not prove anything false, and yet should be known."""
        if self.chosen and record.ledger.anchors:
            came = f"{_counted(self.chosen, 'draw')} came before any page’s links counted"
            yield f"{came}: whoever ran the server could choose what came."
        if self.earlier:
            yield f"{_counted(self.earlier, 'draw')} had come before this page did: of that it can say nothing."
        if self.foreseeable:
            came = f"{_counted(self.foreseeable, 'draw')} came while no page’s links counted"
            yield f"{came}: whoever knew the server’s seeds could foresee that."
        if self.left_out:
            came = f"{_counted(self.left_out, 'draw')} came after this page had come and before its links counted"
            yield f"{came}: the server and the other players together could foresee that."
        if self.untapped:
            rolled = f"{_counted(self.untapped, 'roll')} of this page’s seats came without a tap"
            yield f"{rolled}: a bot rolled, or the server said that the person was away."
        if self.elsewhere:
            rolled = f"{_counted(self.elsewhere, 'roll')} came with chains of other devices"
            yield f"{rolled} that play for this page’s seats: if there are none, the server tapped in their place."
        if self.overtaken:
            taps = f"{_counted(self.overtaken, 'tap')} of this page counted only after others had added links"
            yield f"{taps}: the server and they together had several outcomes to choose from."
        if self.idle:
            taps = f"{_counted(self.idle, 'tap')} of this page came with a new chain, before its links counted"
            yield f"{taps}: if the page did not change, the server made up other devices to foresee those rolls."
        if self.astray:
            moves = f"{_counted(self.astray, 'move')} of this page did not come where it sent them"
            yield f"{moves}: lost on the way, or the server asked for something else than it showed."
        if self.redrawn:
            undos = f"{_counted(self.redrawn, 'undo')} went back over a draw"
            yield f"{undos}: whatever was drawn again was known before."


def _check_bare(record: Record, move: str | None) -> None:
    """What the page has sent without a link was no tap for a new roll."""
    where, position = f"After line {record.number}", record.position
    if move is None:
        raise Falsehood(f"{where} the page was told that its roll comes out as before; it was a new one.")
    if position.roll():
        raise Falsehood(f"{where} the page was shown a roll as a move.")
    try:
        roll = position.play(move).roll()
    except IllegalMove:
        raise Falsehood(f"{where} the page was offered {move!r}, which nobody can play there.") from None
    if roll and roll.of_move and roll.seat == position.turn:
        raise Falsehood(f"{where} the page was told that its move takes no link; it was a tap.")


def _draws_before(record: Record, undo: Line) -> int:
    """How many draws there are on the way to the position that an undo goes back to."""
    try:
        return record.next(undo).drawn
    except BadRecord:
        return record.drawn  # it cannot follow, and is refused for that


def _may_tap(record: Record, chain: int, number: int) -> bool:
    """Whether a page with that chain had a new roll to tap for, or a move that is a tap."""
    position, ledger = record.position, record.ledger
    if _is_redrawn(record):
        return False
    if roll := position.roll():
        return ledger.chains.get(roll.seat) == chain and number == record.number
    seat = position.turn
    if not isinstance(seat, int) or ledger.chains.get(seat) != chain or number != record.number + 1:
        return False
    rolls = (position.play(move).roll() for move in position.moves())
    return any(roll is not None and roll.of_move and roll.seat == seat for roll in rolls)


def _is_redrawn(record: Record) -> bool:
    """Whether the next draw was made before, and taken back: it comes out as it did."""
    return record.drawn < len(record.ledger.keys)


def _replayed(document: Document, findings: list[str], kept: Kept | None) -> tuple[Record | None, Way]:
    """The record, played again with all its draws, None where it ends in what is hidden; and what was noticed."""
    _check_seeds(document, findings)
    record, way = Record(document.header), Way(document, kept)
    wrong: list[str] = []
    way.look(record)
    for item in document.items():
        if isinstance(item, Line) and item.text == HIDDEN:
            if document.seeds is not None:
                raise Falsehood(f"Line {record.number + 1} is hidden, although the game is over.")
            findings += [*_chains(record, way.taps), *way.told(record)]
            findings.append(f"From line {record.number + 1} on something is hidden until the game is over.")
            return None, way
        way.go(record, item)
        if isinstance(item, Line) and item.by == record.position.turn == "chance" and document.seeds is not None:
            wrong += _check_draw(document, record, item)
        _append(record, item)
        way.look(record)
    way.end(record)
    _check_ending(document, record)
    if document.seeds is not None:
        findings += _draws(way.draws, wrong)
        if wrong:
            raise Falsehood("The dice of this record are not what was committed to.")
    findings += [*_chains(record, way.taps), *way.told(record)]
    return record, way


def _check_seeds(document: Document, findings: list[str]) -> None:
    if document.seeds is None:
        return
    anchors = [note for _, note in document.notes if isinstance(note, Anchor)]
    due = [document.header.commitment, *(anchor.commitment for anchor in anchors)]
    found = [dice.commitment(seed) for seed in document.seeds]
    if len(found) != len(due) or not all(map(hmac.compare_digest, found, due)):
        raise Falsehood(
            "The seeds do not match the commitments that were published before anything was drawn with them."
        )
    seeds = "The seed matches its commitment" if len(found) == 1 else f"All {len(found)} seeds match their commitments"
    findings.append(f"{seeds} in the record.")


def _check_draw(document: Document, record: Record, line: Line) -> list[str]:
    assert document.seeds is not None
    number = record.number + 1
    key = record.ledger.key_of(record.drawn)
    seed, table = document.seeds[key.epoch], document.header.table
    due = dice.outcome(seed, table, record.drawn, key.mix, record.position)
    return [] if due == line.text else [f"Line {number} says {line.text!r}, but seeds and links give {due!r}."]


def _append(record: Record, item: Line | Note) -> None:
    try:
        record.append(item)
    except IllegalMove as error:
        raise Falsehood(f"Line {record.number + 1} breaks the rules: {error}") from None
    except BadRecord as error:
        raise Falsehood(f"What follows line {record.number} is impossible: {error}") from None


def _check_ending(document: Document, record: Record) -> None:
    if record.sum.hex() != document.digest:
        raise Falsehood("The digest does not match: lines were changed, added, left out or reordered.")
    if document.seeds is not None and not record.over:
        raise Falsehood("The game is not over, and yet the seeds are revealed: lines are missing.")
    claimed = record.to_json(range(record.position.players), document.names, ())
    if list(document.tickets) != claimed["tickets"] or list(document.secret) != claimed["secret"]:
        raise Falsehood("The tickets of the record are not those of the rules.")


def _draws(draws: int, wrong: list[str]) -> list[str]:
    if not wrong:
        return [f"All {draws} draws were derived again from seeds and links, and all are right."]
    more = [f"And {len(wrong) - SHOWN} more."] if len(wrong) > SHOWN else []
    return [f"{len(wrong)} of {draws} draws are not what seeds and links give.", *wrong[:SHOWN], *more]


def _chains(record: Record, taps: int) -> list[str]:
    ledger = record.ledger
    if not ledger.anchors:
        return ["No person had a part in the dice: whoever ran the server could choose its seed for what was rolled."]
    links = sum(isinstance(note, Link) for _, note in record.notes)
    held = (
        "1 chain of a person’s page holds"
        if len(ledger.anchors) == 1
        else f"{len(ledger.anchors)} chains of people’s pages hold"
    )
    found = [f"{held}. Links revealed: {links}; by a tap to roll: {taps}."]
    if len(ledger.anchors) > len(ledger.live()):
        found.append(
            "Some chains took the place of others, as after a change of device; docs/dice.md says what that means."
        )
    if absences := ledger.epochs - 1 - len(ledger.anchors):
        found.append(f"{_counted(absences, 'time')} a bot began to play or roll for a person.")
    return found


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


# Who vouches for it


def _vouched(
    value: dict[str, Any],
    document: Document,
    key: str | None,
    known: Collection[str],
    kept: Kept | None,
    signed: Signed | None,
    findings: list[str],
) -> bool:
    seen = kept.key if kept else None
    if document.key is None or document.signature is None:
        if key or seen:
            raise Falsehood("The record is not signed, and yet its server signs.")
        findings.append("The record is not signed.")
        return False
    if signed is None:
        findings.append("The signature was not checked.")
        return False
    if not signed(document.key, signed_bytes(value), document.signature):
        raise Falsehood(
            "The signature does not match: something in the record, be it only a name, was changed after it was signed."
        )
    if key is not None and document.key != key:
        raise Falsehood(f"It is signed with another key: {document.key}.")
    if document.key not in (key, seen, *known):
        findings.append(f"It is signed with the key {document.key}, which is not known here.")
        return False
    whose = "given" if document.key == key else "that the page has kept" if document.key == seen else "of this machine"
    findings.append(f"The whole record is signed with the key {whose}: {document.key[:16]}….")
    return True


def signed_bytes(record: dict[str, Any]) -> bytes:
    """What is signed of a record: all of it but the signature."""
    return dice.canonical({name: value for name, value in record.items() if name != "signature"})


# What a page has kept


def _compared(document: Document, kept: Kept) -> list[str]:
    """What the page has sent and seen must be there; what was so when, `Way` looks at."""
    if kept.table != document.header.table:
        raise Falsehood("What was kept is about another table.")
    if kept.key is not None and document.key is not None and kept.key != document.key:
        raise Falsehood("The record is not signed with the key that the page knew.")
    anchors = [anchor for _, anchor in _chain_notes(document)]
    if missing := [anchor for anchor in kept.anchors if anchor not in anchors]:
        raise Falsehood(f"The page committed to a chain that the record does not have: {missing[0]}.")
    notes = [note for _, note in document.notes if isinstance(note, Anchor)]
    commitments = [document.header.commitment, *(note.commitment for note in notes)]
    if kept.commitments != commitments[: len(kept.commitments)]:
        raise Falsehood("The server’s commitments are not those that the page has seen.")
    _compare_links(document, kept)
    if not kept.links:
        return ["This page has added nothing to the dice."]
    return [
        f"The record has what the page kept: {_counted(len(kept.anchors), 'anchor')}, "
        f"{_counted(len(kept.links), 'link')}, {_counted(len(kept.commitments), 'commitment')} and "
        f"{_counted(len(kept.digests), 'digest')}.",
        *_known_before(document, kept),
        *_passed_over(document, kept),
    ]


def _chain_notes(document: Document) -> Iterator[tuple[int, str]]:
    """Each chain with its anchor."""
    notes = (note for _, note in document.notes if isinstance(note, Anchor))
    return ((chain, note.anchor) for chain, note in enumerate(notes, 1) if note.anchor is not None)


def _own_chains(document: Document, kept: Kept) -> frozenset[int]:
    return frozenset(chain for chain, anchor in _chain_notes(document) if anchor in kept.anchors)


def _seats_of(document: Document, chains: Collection[int]) -> frozenset[int]:
    """The seats of these chains."""
    notes = (note for _, note in document.notes if isinstance(note, Anchor))
    return frozenset(seat for chain, note in enumerate(notes, 1) if chain in chains for seat in note.seats)


def _known_before(document: Document, kept: Kept) -> Iterator[str]:
    """Links that were due, and did not come, or only with a tap."""
    own = _own_chains(document, kept)
    added = {note.link for _, note in document.notes if isinstance(note, Link) and not note.tap and note.chain in own}
    if early := sum(sent.numbers[0] is None and sent.link not in added for sent in kept.links):
        links = f"{_counted(early, 'link')} that this page added without a tap did not come, or only with one"
        yield f"{links}: lost on the way, or the server knew before what that would roll."


def _passed_over(document: Document, kept: Kept) -> list[str]:
    """Taps that the table went on without. They can get lost on the way, so that proves nothing."""
    own = _own_chains(document, kept)
    notes = [(after, note) for after, note in document.notes if isinstance(note, Link) and note.chain in own]
    taps = {after for after, note in notes if note.tap}
    tapped = {note.link for _, note in notes if note.tap}
    numbers = {
        number
        for sent in kept.links
        for number in sent.numbers
        if number is not None and (number not in taps or sent.link not in tapped)
    }
    return [
        f"The page had tapped after line {number}, and its link is not there: it got lost, or was left out."
        for number in sorted(numbers)
        if number < len(document.lines)
    ]


def _compare_links(document: Document, kept: Kept) -> None:
    own = _own_chains(document, kept)
    sent = {each.link: each for each in kept.links}
    found = [(after, note) for after, note in document.notes if isinstance(note, Link) and note.chain in own]
    for after, note in found:
        known = sent.get(note.link)
        if known is None:
            raise Falsehood(f"After line {after} there is a link of the page’s own chain that the page never sent.")
        if note.epochs != known.epochs:
            raise Falsehood(
                f"The page knew {known.epochs} seeds when it sent the link after line {after}, not {note.epochs}."
            )
        if (after if note.tap else None) not in known.numbers:
            what = "tapped" if note.tap else "added a link"
            raise Falsehood(f"The record says that the page {what} after line {after}; it did not.")
    unused = sent.keys() - {note.link for _, note in found}
    if len(unused) > len(own):  # one for each chain may be on its way, or have been refused and wait for the next tap
        raise Falsehood("Links that the page has sent are not in the record.")
