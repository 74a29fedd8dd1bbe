"""What must hold whatever goes wrong. The witness reads what the store has committed, and compares all that is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

from server.helpers import SIGNER, put_together
from simulation.disk import Disk
from strandline.engine.words import reading
from strandline.server import store as stores
from strandline.server.signing import is_signed
from strandline.table import dice, perspective
from strandline.table.perspective import Perspective
from strandline.table.record import HIDDEN, hidden
from strandline.table.table import Entry, Kind, Table, hashed
from strandline.table.verify import Report, verify

CHANGING = ("move", "undo", "takeover", "vote", "leave", "return", "name", "rematch", "invite", "release")
"""Messages that change a table."""

ONLY_DIGITS = bytes(b"0"[0] if byte in b"0123456789abcdef" else b" "[0] for byte in range(256))
SEED = b"0" * 2 * dice.SEED_BYTES
"""What a seed looks like where only its digits are seen, as zeros."""


class Broken(AssertionError):
    """An invariant does not hold."""


@dataclass(eq=False)
class Asked:
    """A message of a page: it takes effect at most once, and exactly once if it is answered so."""

    seats: frozenset[int]
    message: dict[str, Any]
    after: int
    """How many entries the table had."""
    at: float
    done: bool = False


@dataclass(eq=False)
class Known:
    """A table as the store has it."""

    table: Table
    entries: list[Entry] = field(default_factory=list)
    lines: list[Entry] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    grew: float = 0.0
    """When its last entry came."""
    _seeds: dict[str, None] = field(default_factory=dict)
    _commitments: tuple[int, str] = 0, ""

    @property
    def number(self) -> int:
        """The number of the present position."""
        return self.table.number

    def seeds(self) -> Set[str]:
        """The seeds of all epochs, as they would be told."""
        self._seeds.update((seed.hex(), None) for seed in self.table.seeds[len(self._seeds) :])
        return self._seeds.keys()

    def unpublished(self, text: str) -> str:
        """A JSON text without the commitments to all seeds, if it has exactly these: most of what is told in a game of
        days is these, and there is no secret in them.
        """
        ledger = self.table.record.ledger
        if self._commitments[0] != ledger.epochs:
            self._commitments = ledger.epochs, '","'.join(ledger.commitments)
        published = self._commitments[1]
        begin = text.find(ledger.first)
        if begin < 0 or not text.startswith(published, begin):
            return text
        return text[:begin] + text[begin + len(published) :]


def holds(report: Report) -> bool:
    """Whether a record proves what it can: not what was drawn before anybody's links counted."""
    shared = not any("links counted: whoever ran" in said for said in report.findings)
    return report.verdict == ("passed" if shared else "open")


class Witness:
    """Sees every commit and every message."""

    def __init__(self, disk: Disk, forgotten_after: float) -> None:
        self._disk = disk
        self._forgotten_after = forgotten_after
        self.known: dict[str, Known] = {}
        self.tokens: set[str] = set()
        self.now = disk.loop.time
        self.finished = 0
        self.retired = 0
        self.answers = 0

    # What is committed

    def look(self) -> None:
        """Take in what was just committed."""
        for row in self._disk.written():
            known = self.table(row["table_id"])
            entry = stores._entry(row)
            if row["number"] <= len(known.entries):
                self._same(known, row["number"], entry)  # it came back from the archive, or was overwritten
            else:
                self._take_in(known, row["number"], entry)

    def table(self, name: str) -> Known:
        """A table, as committed."""
        if name not in self.known:
            content = self._content(name)
            if not content["tables"]:
                raise Broken(f"There is no table {name}, though it has entries, or was answered for.")
            tokens = [place["token_hash"] for place in content["seats"]]
            known = self.known[name] = Known(
                Table(stores._setup(content["tables"][0], tokens, content["agreements"][0]))
            )
            for row in content["entries"]:
                self._fold(known, stores._entry(row))
        return self.known[name]

    def _same(self, known: Known, number: int, entry: Entry) -> None:
        if known.entries[number - 1] != entry:
            raise Broken(f"Entry {number} of {known.table.id} was {known.entries[number - 1]}, and is {entry} now.")

    def _take_in(self, known: Known, number: int, entry: Entry) -> None:
        if number != len(known.entries) + 1:
            raise Broken(f"Entry {number} of {known.table.id} follows entry {len(known.entries)}.")
        before = known.entries[-1] if known.entries else None
        if (wanted := _wish(entry, known, before)) is not None:
            self._grant(known, entry, wanted)
        self._fold(known, entry)
        if known.table.record.over and entry is known.lines[-1]:
            self._check_dice(known)

    def _fold(self, known: Known, entry: Entry) -> None:
        known.entries.append(entry)
        known.grew = self.now()
        try:
            known.table.replay([entry])
        except Exception as error:
            raise Broken(f"The record of {known.table.id} cannot be replayed: {entry}: {error}") from error
        if known.table.number > len(known.lines):
            known.lines.append(entry)

    def _grant(self, known: Known, entry: Entry, wanted: Callable[[dict[str, Any]], bool]) -> None:
        for asked in known.asked:
            if not asked.done and entry.seat in asked.seats and wanted(asked.message):
                if asked.message["type"] == "claim":  # it may be for several seats, each of them once
                    asked.seats -= {entry.seat}
                    return
                asked.done = True
                known.asked.remove(asked)
                return
        raise Broken(f"Nobody asked for {entry} at {known.table.id}, or it was done twice.")

    def _check_dice(self, known: Known) -> None:
        table = known.table
        record = SIGNER.signed(table.record.to_json((), table.names, table.seeds))
        report = verify(json.loads(json.dumps(record)), SIGNER.public, signed=is_signed)
        if not holds(report):
            raise Broken(f"The dice of {table.id} do not verify: {report.findings}")
        self.finished += 1

    def audit(self) -> None:
        """Everything that was ever committed is still there, but for tables that nobody has touched for too long."""
        for name, known in list(self.known.items()):
            if self.now() - known.grew < self._forgotten_after or self._content(name)["tables"]:
                self._check_kept(name, known)
            else:
                self._let_go(name)

    def _check_kept(self, name: str, known: Known) -> None:
        kept = [stores._entry(row) for row in self._content(name)["entries"]]
        if kept != known.entries:
            raise Broken(f"{name}: {len(known.entries)} entries were committed, and {len(kept)} are there, or others.")

    def _content(self, name: str) -> dict[str, list[dict[str, Any]]]:
        """All that the store has of a table, wherever it is kept."""
        found = self._disk.open.execute("SELECT content FROM archive WHERE id = ?", (name,)).fetchone()
        if found is not None:
            content: dict[str, list[dict[str, Any]]] = json.loads(found["content"])
        else:
            content = {
                kind.name: [
                    dict(row)
                    for row in self._disk.open.execute(f"SELECT * FROM {kind.name} WHERE {key.name} = ?", (name,))
                ]
                for kind, key in stores.LIVE
            }
        content["seats"].sort(key=lambda row: row["seat"])
        content["entries"].sort(key=lambda row: row["number"])
        return content

    def introduce(self, name: str, tokens: list[str]) -> None:
        """A table is answered for, with the tokens of those who come."""
        self.table(name).tokens.update(tokens)
        self.tokens.update(tokens)

    def claims(self, name: str, key: str) -> None:
        """A device is about to sit down."""
        known = self.table(name)
        known.asked.append(Asked(frozenset(range(16)), {"type": "claim", "key": key}, len(known.entries), self.now()))

    def retire(self, name: str) -> None:
        """Nobody comes to a table any more: check it for the last time."""
        self._check_kept(name, self.known[name])
        self._let_go(name)

    def _let_go(self, name: str) -> None:
        known = self.known.pop(name)
        self.retired += len(known.entries)
        self.tokens -= known.tokens

    # What is said

    def check_log(self, text: str) -> None:
        """No secret stands in the log."""
        for known in self.known.values():
            if known.table.setup.seed.hex() in text:
                raise Broken(f"The seed of {known.table.id} stands in the log.")
        if any(token in text or hashed(token) in text for token in self.tokens):
            raise Broken("A token stands in the log.")


def _wish(entry: Entry, known: Known, before: Entry | None) -> Callable[[dict[str, Any]], bool] | None:
    """What somebody must have asked for before such an entry is written; None: nobody need have."""
    number = known.table.number
    match entry.kind:
        case Kind.MOVE:
            return lambda said: said["type"] == "move" and (said["number"], said["move"]) == (number, entry.text)
        case Kind.UNDO if before is not None and before.kind == Kind.YES:
            return None  # the last yes carries it out
        case Kind.UNDO:
            return lambda said: said["type"] == "undo" and said["number"] == number
        case Kind.NAME:
            return lambda said: said["type"] == "name" and said["name"] == entry.text
        case Kind.ASK:
            return lambda said: said["type"] in ("undo", "takeover", "release")
        case Kind.YES | Kind.NO:
            yes = entry.kind == Kind.YES
            return lambda said: said["type"] == "vote" and (said["vote"], said["yes"]) == (int(entry.text), yes)
        case Kind.REMATCH:
            return lambda said: said["type"] == "rematch"
        case Kind.INVITE if before is not None and (before.kind, before.text) == (entry.kind, entry.text):
            return None  # one invitation to all seats of a screen
        case Kind.INVITE:
            return lambda said: said["type"] == "invite"
        case Kind.CLAIM if before is not None and (before.kind, before.text) == (entry.kind, entry.text):
            return None  # one claim of all seats of a screen
        case Kind.CLAIM:
            return lambda said: said["type"] == "claim" and entry.text.startswith(hashed(said["key"]))
    return None


def _effect(said: dict[str, Any], entry: Entry) -> bool:
    """Whether an entry is what a message, answered with the table, must have led to."""
    match said["type"]:
        case "undo":
            return entry.kind in (Kind.UNDO, Kind.ASK)
        case "takeover":
            return entry.kind in (Kind.AWAY, Kind.ASK)
        case "vote":
            return entry.kind == (Kind.YES if said["yes"] else Kind.NO) and int(entry.text) == said["vote"]
        case "leave":
            return entry.kind == Kind.AWAY and entry.seat == said["seat"]
        case "return":
            return entry.kind == Kind.BACK and entry.seat == said["seat"]
        case "name":
            return entry.kind == Kind.NAME and entry.text == said["name"]
        case "rematch":
            return entry.kind == Kind.REMATCH
    return True


def _tells(text: str, seeds: Set[str]) -> bool:
    """Whether a seed stands anywhere in a text. A game of days has hundreds; the text is looked through once."""
    raw = text.encode()
    digits = raw.translate(ONLY_DIGITS)
    at = digits.find(SEED)
    while at >= 0 and raw[at : at + len(SEED)].decode() not in seeds:
        at = digits.find(SEED, at + 1)
    return at >= 0


class Ear:
    """Hears all that a server says on one connection, before it travels."""

    def __init__(self, witness: Witness, table: str, token: str | None, hello: dict[str, Any]) -> None:
        self._witness = witness
        self._known = witness.table(table)
        self._token = token
        self._device = hashed(token) if token else ""
        self.wide: bool = hello["wide"]
        self.open: dict[Any, Asked] = {}
        """Messages without an answer."""
        self._number = 0
        self._shown: int | None = None
        self._pieces: list[str] = []
        self.last: dict[str, Any] = {}
        """The last table that was shown."""

    @property
    def seats(self) -> frozenset[int]:
        """The caller's seats."""
        return self._known.table.devices.seats_of(self._device)

    def said(self, message: dict[str, Any]) -> None:
        """The page says something."""
        asked = Asked(self.seats, message, len(self._known.entries), self._witness.now())
        self.open[message["id"]] = asked
        if message["type"] in CHANGING:
            self._known.asked.append(asked)

    def heard(self, text: str, message: dict[str, Any]) -> None:
        """The server says something, `message` as it is written in `text`."""
        asked = None
        if message.get("re") is not None:
            asked = self.open.pop(message["re"], None)
            if asked is None:
                raise Broken(f"{message['type']} answers {message['re']}, which is answered already or was never said.")
            self._witness.answers += 1
        if message["type"] == "state":
            if asked is not None:
                self._check_done(asked)
            self._check_state(message)
            self.last = message
        elif asked is not None and message["type"] == "refused" and asked in self._known.asked and not asked.done:
            self._known.asked.remove(asked)  # it must not take effect any more
        self._check_secrets(text)

    def _check_done(self, asked: Asked) -> None:
        """Whoever is told that something was done can rely on it."""
        said = asked.message
        if said["type"] == "move":
            line = self._known.lines[said["number"]] if said["number"] < self._known.number else None
            if line is None or line.kind != Kind.MOVE or line.seat not in self.seats or line.text != said["move"]:
                raise Broken(f"{said} was answered at {self._known.table.id}, but the store has {line}.")
            self._shown = line.seat
        elif said["type"] == "roll" and self._known.number <= said["number"]:
            raise Broken(f"{said} was answered at {self._known.table.id}, but nothing was drawn.")
        elif said["type"] == "here":
            self._shown = said["seat"]
        elif said["type"] == "form":
            self.wide = said["wide"]
        elif said["type"] == "name" and self._known.table.names[said["seat"]] == said["name"]:
            pass  # nothing is written where the seat is called that already
        elif said["type"] in CHANGING and not any(_effect(said, entry) for entry in self._known.entries[asked.after :]):
            raise Broken(f"{said} was answered at {self._known.table.id}, but the store has nothing of it.")

    def _check_state(self, state: dict[str, Any]) -> None:
        record, number = self._known.table.record, state["number"]
        where = f"Position {number} of {self._known.table.id}"
        if number > self._known.number:
            raise Broken(f"{where} is shown, but the store has {self._known.number} lines.")
        if number < self._number:
            raise Broken(f"{where} is shown after position {self._number}.")
        self._number = number
        position = record.at(number)
        roll = position.roll()
        turn = roll.seat if roll else position.turn
        shown = state["turn"], state["scores"], state["winners"]
        turns = {"over" if turn is None else turn, "chance" if position.turn == "chance" else turn}
        if state["turn"] not in turns or shown[1:] != (position.scores(), position.winners()):
            raise Broken(f"{where} is shown with {shown}.")
        if state["you"] != sorted(self.seats):
            raise Broken(f"{where}: {sorted(self.seats)} is told to be {state['you']}.")
        acting = state["acting"]
        if acting is not None and (acting not in self.seats or acting != turn):
            raise Broken(f"{where}: {acting} acts on the connection of {sorted(self.seats)}.")
        moves = [roll.verb] if roll else position.moves()
        if [offer["move"] for offer in state["moves"]] != (moves if acting is not None else []):
            raise Broken(f"{where}: wrong moves are offered.")
        if self._shown != turn:
            self._shown = None
        self._check_lines(where, state["log"], position.turn is None)
        self._check_board(where, state)

    def _check_lines(self, where: str, log: list[dict[str, Any]], over: bool) -> None:
        record = self._known.table.record
        told = self.seats if len(self.seats) == 1 else frozenset()
        for line in log:
            real = record.lines[line["number"] - 1]
            secret = record._secrets[line["number"] - 1]
            text = real.text if over or secret is None or secret in told else HIDDEN
            if (line["by"], line["text"]) != (real.by, text):
                raise Broken(f"{where}: line {line['number']} is told as {line['text']!r}, not {text!r}.")

    def _check_board(self, where: str, state: dict[str, Any]) -> None:
        """The board is the one that this caller may see."""
        for step in state["steps"]:
            self._board(step["svg"])
        board = self._board(state["svg"])
        table = self._known.table
        if state["number"] != self._known.number or [seat["name"] for seat in state["seats"]] != list(
            table.names_for(state["language"])
        ):
            return  # drawn for names, or before lines, that have changed since
        viewer = self._viewer(state)
        forms = {self.wide, *(asked.message["wide"] for asked in self.open.values() if asked.message["type"] == "form")}
        if not any(
            board == self._drawn(Perspective(self.seats, viewer, None, state["language"], wide)) for wide in forms
        ):
            raise Broken(f"{where}: {sorted(self.seats)} is shown another board than {viewer} may see.")

    def _drawn(self, seen: Perspective) -> str:
        table = self._known.table
        with reading(perspective.reader_of(table, seen)):
            return perspective.picture(table.record.position, seen).svg

    def _board(self, sent: Any) -> str:
        if isinstance(sent, str):
            return sent
        self._pieces = put_together(json.dumps(sent), self._pieces)
        return "".join(self._pieces)

    def _viewer(self, state: dict[str, Any]) -> int | None:
        """Through whose eyes the caller may look at the present position."""
        table = self._known.table
        turn = table.turn
        if len(self.seats) < 2:
            return min(self.seats, default=None)
        if not isinstance(turn, int) or turn not in self.seats or table.bot(turn) is not None:
            return None
        if table.roll() and self._shown != turn:
            return None
        open_ = hidden(table.record.position, turn) == hidden(table.record.position, None)
        if state["ask"] is None and not open_ and self._shown != turn:
            raise Broken(
                f"Secrets of seat {turn} of {table.id} are shown before its person has said that they are there."
            )
        return turn if open_ or state["ask"] is None else None

    def _check_secrets(self, text: str) -> None:
        table = self._known.table
        text = self._known.unpublished(text)
        if not table.record.over and _tells(text, self._known.seeds()):
            raise Broken(f"The seed of {table.id} is told during the game.")
        if any(token in text for token in self._known.tokens if token != self._token):
            raise Broken(f"Somebody else's token is told at {table.id}.")
