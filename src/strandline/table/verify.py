"""Was chance fair? Every outcome of a record is derived again, and compared with what a page has kept of the game.

Signatures are checked by whoever can (`Signed`), so that a table needs no cryptography beyond hashes.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from strandline.engine import checks
from strandline.engine.errors import IllegalMove
from strandline.table import dice
from strandline.table.ledger import Anchor, Ledger, Link, Note
from strandline.table.record import HIDDEN, BadRecord, Document, Line, Record, from_json

SHOWN = 5
"""How many wrong outcomes are named one by one."""
KEPT_FORMAT = "strandline kept 1"
KEPT_FIELDS = ("format", "table", "key", "anchors", "links", "commitments", "digests")

Signed = Callable[[str, bytes, str], bool]
"""Whether this is a key's signature of these bytes."""


@dataclass(frozen=True)
class Report:
    """What was found: a verdict and the reasons for it, in sentences.

    `passed`: all is right, and somebody vouches for it. `failed`: something is false. `open`: nothing contradicts the
    record, but what would prove it is missing.
    """

    verdict: Literal["passed", "failed", "open"]
    findings: list[str]


@dataclass(frozen=True)
class Kept:
    """What the page of a person has kept of a table."""

    table: str
    key: str | None = None
    anchors: list[str] = field(default_factory=list)
    links: list[tuple[str, int, int | None]] = field(default_factory=list)
    """Each link, how many epochs were known, and the position in which it was a tap."""
    commitments: list[str] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)
    """By the number of lines and notes in the record."""


class Falsehood(Exception):
    """Something in the record is false; the message says what."""


def kept_from_json(value: Any) -> Kept:
    """What a page has saved. Raises `BadRecord`."""
    try:
        fields = checks.fields(value, KEPT_FIELDS, "The file")
        checks.same(fields["format"], KEPT_FORMAT, "format")
        links = [checks.fields(link, ("link", "epochs", "number"), "links") for link in fields["links"]]
        return Kept(
            str(fields["table"]),
            fields["key"],
            [str(anchor) for anchor in fields["anchors"]],
            [(str(link["link"]), int(link["epochs"]), _line(link["number"])) for link in links],
            [str(commitment) for commitment in fields["commitments"]],
            {int(length): str(digest) for length, digest in fields["digests"].items()},
        )
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadRecord(f"This is not what a page keeps of a table: {error}") from None


def _line(number: Any) -> int | None:
    """The line that a link was sent for, if it was a tap."""
    if number is not None and (type(number) is not int or number < 0):
        raise ValueError(f"the number of a line cannot be {number!r}.")
    return number


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
    except BadRecord as error:
        return Report("failed", [f"This is not a whole record: {error}"])
    findings: list[str] = []
    try:
        record = _replayed(document, findings, kept.anchors if kept else ())
        vouched = _vouched(value, document, key, known, signed, findings)
        if kept is not None:
            findings += _compare(document, kept)
            vouched = vouched or bool(kept.digests)  # a page that saw nothing of the game shows nothing
    except Falsehood as error:
        return Report("failed", [*findings, str(error)])
    if document.seeds is None:
        if record is not None and record.over:
            return Report("failed", [*findings, "The game is over, but the record does not reveal the seeds."])
        said = "The game is not over, so the seeds are still secret: what was rolled can be checked at the end."
        return Report("open", [*findings, said])
    if not vouched:
        said = "Nothing contradicts this record, but nothing shows that it was played: give --key or --kept."
        return Report("open", [*findings, said])
    return Report("passed", findings)


# The record by itself


@dataclass
class Way:
    """What is noticed on the way through a record."""

    own: Collection[str]
    """The anchors of the page whose notes are compared."""
    draws: int = 0
    taps: int = 0
    foreseeable: int = 0
    left_out: int = 0
    tap: Link | None = None
    """The tap that was noted last, if nothing was drawn since."""
    row: int | None = None
    """The chain whose tap the present row of draws belongs to."""
    known: tuple[int, int] = (1, 1)
    """How many epochs there were before the line before last, and before the last one."""

    def go(self, record: Record, item: Line | Note) -> None:
        """Look at what comes next."""
        if self.tap and (not isinstance(item, Line) or item.by != "chance"):
            raise Falsehood(f"The link after line {record.number} was a tap, but nothing was drawn with it.")
        self.tap = item if isinstance(item, Link) and item.tap else None
        if self.tap:
            self.row, self.taps = self.tap.chain, self.taps + 1
            if self.tap.epochs < self.known[0]:  # with a move that is a tap the link was sent before that move's line
                raise Falsehood(f"The link after line {record.number} knows less than its page had seen.")
        if isinstance(item, Line):
            self.known = (self.known[1], record.ledger.epochs)
            if item.by == "chance" and record.position.turn == "chance":
                self._draw(record)
            else:
                self.row = None

    def _draw(self, record: Record) -> None:
        roll, ledger = record.position.roll(), record.ledger
        self.draws += 1
        if self.row != (ledger.chains.get(roll.seat) if roll else None):
            self.row = None
        if record.drawn < len(ledger.keys):
            return  # it comes out as it did before
        if roll and self.row is None and roll.seat in ledger.awaited():
            raise Falsehood(f"Line {record.number + 1} was drawn without the link of the person whose roll it was.")
        self.foreseeable += bool(ledger.anchors) and ledger.is_foreseeable
        self.left_out += _is_left_out(ledger, self.own)

    def told(self) -> list[str]:
        """What does not prove anything false, and yet should be known."""
        told = []
        if self.foreseeable:
            came = f"{_counted(self.foreseeable, 'draw')} came while no page’s links counted"
            told.append(f"{came}: whoever knew the server’s seeds could foresee that.")
        if self.left_out:
            came = (
                f"{_counted(self.left_out, 'draw')} came after this page had begun a chain and before its links counted"
            )
            told.append(f"{came}: the server and the other players together could foresee that.")
        return told


def _replayed(document: Document, findings: list[str], own: Collection[str]) -> Record | None:
    """The record, played again with all its draws; None where it ends in what is hidden."""
    _check_seeds(document, findings)
    record, way = Record(document.header), Way(own)
    wrong: list[str] = []
    for item in document.items():
        if isinstance(item, Line) and item.text == HIDDEN:
            findings.append(f"From line {record.number + 1} on something is hidden until the game is over.")
            return None
        way.go(record, item)
        if isinstance(item, Line) and item.by == record.position.turn == "chance" and document.seeds is not None:
            wrong += _check_draw(document, record, item)
        _append(record, item)
    _check_ending(document, record)
    if document.seeds is not None:
        findings += _draws(way.draws, wrong)
        if wrong:
            raise Falsehood("The dice of this record are not what was committed to.")
    findings += [*_chains(record, way.taps), *way.told()]
    return record


def _is_left_out(ledger: Ledger, own: Collection[str]) -> bool:
    """Whether a page with these anchors has begun a chain, and has no part in the next draw."""
    chains = [chain for chain in ledger.live() if ledger.anchors[chain] in own]
    return bool(chains) and all(chain > ledger.key.epoch for chain in chains)


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
    findings.append(f"All seeds ({len(found)}) match the commitments that were published before they were used.")


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
    found = [f"{held}, with {_counted(links, 'link')}; {_counted(taps, 'tap')} rolled with one."]
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
    signed: Signed | None,
    findings: list[str],
) -> bool:
    if document.key is None or document.signature is None:
        findings.append("The record is not signed.")
        return False
    if signed is None:
        findings.append("The signature was not checked.")
        return False
    if not signed(document.key, signed_bytes(value), document.signature):
        raise Falsehood("The signature does not match: something in the record was changed after it was signed.")
    if key is not None and document.key != key:
        raise Falsehood(f"It is signed with another key: {document.key}.")
    if key is None and document.key not in known:
        findings.append(f"It is signed with the key {document.key}, which is not known here.")
        return False
    findings.append("The server that has this key has signed the whole record.")
    return True


def signed_bytes(record: dict[str, Any]) -> bytes:
    """What is signed of a record: all of it but the signature."""
    return dice.canonical({name: value for name, value in record.items() if name != "signature"})


# What a page has kept


def _compare(document: Document, kept: Kept) -> list[str]:
    if kept.table != document.header.table:
        raise Falsehood("What was kept is about another table.")
    if kept.key is not None and kept.key != document.key:
        raise Falsehood("The record is not signed with the key that the page knew.")
    notes = [note for _, note in document.notes]
    anchors = _anchors(document)
    if missing := [anchor for anchor in kept.anchors if anchor not in anchors]:
        raise Falsehood(f"The page committed to a chain that the record does not have: {missing[0]}.")
    commitments = [document.header.commitment, *(note.commitment for note in notes if isinstance(note, Anchor))]
    if kept.commitments != commitments[: len(kept.commitments)]:
        raise Falsehood("The server’s commitments are not those that the page has seen.")
    _compare_links(document, kept)
    _compare_digests(document, kept)
    return [
        f"The record has what the page kept: {len(kept.anchors)} anchors, {len(kept.links)} links, "
        f"{len(kept.commitments)} commitments and {len(kept.digests)} digests.",
        *_passed_over(document, kept),
    ]


def _passed_over(document: Document, kept: Kept) -> list[str]:
    """Taps that the table went on without. They can get lost on the way, so that proves nothing."""
    taps = {note.link for _, note in document.notes if isinstance(note, Link) and note.tap}
    lines = [number for link, _, number in kept.links if number is not None and link not in taps]
    by = [document.lines[number].by if number < len(document.lines) else None for number in lines]
    return [
        f"The page had tapped after line {number}, and yet line {number + 1} was drawn without its link."
        for number, who in zip(lines, by, strict=True)
        if who == "chance"
    ]


def _compare_links(document: Document, kept: Kept) -> None:
    own = set(kept.anchors)
    chains = {n for n, anchor in enumerate(_anchors(document), 1) if anchor in own}
    known = {link: (epochs, number) for link, epochs, number in kept.links}
    found = {note.link: (after, note) for after, note in document.notes if isinstance(note, Link)}
    for after, note in found.values():
        if note.chain not in chains:
            continue
        if note.link not in known:
            raise Falsehood(f"After line {after} there is a link of the page’s own chain that the page never sent.")
        epochs, number = known[note.link]
        if note.epochs != epochs:
            raise Falsehood(
                f"The page knew {epochs} seeds when it sent the link after line {after}, not {note.epochs}."
            )
        if note.tap and number is not None and number != after:
            raise Falsehood(f"The page tapped after line {number}; the record says after line {after}.")
    unused = [link for link, *_ in kept.links if link not in found]
    if len(unused) > len(own):  # one for each chain may be on its way, or have been refused and wait for the next tap
        raise Falsehood("Links that the page has sent are not in the record.")


def _anchors(document: Document) -> list[str | None]:
    return [note.anchor for _, note in document.notes if isinstance(note, Anchor)]


def _compare_digests(document: Document, kept: Kept) -> None:
    record = Record(document.header)
    due = dict(kept.digests)
    if due.pop(0, record.sum.hex()) != record.sum.hex():
        raise Falsehood("The record does not begin as the page has seen it.")
    for item in document.items():
        if isinstance(item, Line) and item.text == HIDDEN:
            return
        record.append(item)
        seen = due.pop(record.length, record.sum.hex())
        if seen != record.sum.hex():
            raise Falsehood(f"Up to line {record.number} the record is not the one that the page has seen.")
    if due:
        raise Falsehood("The record is shorter than what the page has seen: its end is missing.")
