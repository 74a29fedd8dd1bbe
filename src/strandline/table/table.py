"""The table: who sits where and what may be done now.

A table is a fold over its entries, which are only ever added: moves, outcomes, undos, votes, seats given to bots and
taken back. A command looks at the table and gives the steps that it would take, each an entry and what it leads to, or
refuses in a sentence; nothing changes until the store has the entries and `fold` is called. So two servers that
disagree are told so by the primary key, and a table that is loaded again is the same table.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import secrets
import time
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from strandline.engine.errors import IllegalMove
from strandline.engine.position import Position
from strandline.engine.story import Roll
from strandline.engine.words import Reader, Words, languages, message, reading, seat_name
from strandline.table import dice
from strandline.table.devices import Devices
from strandline.table.ledger import Anchor, Link
from strandline.table.record import BadRecord, Header, Line, Next, Record

_ = Words(__file__)

MISMATCH = message("This page’s part in the dice does not match. Reload the page.")

HERE, LINK, BOT = "here", "link", "bot"
SHORTEST_CLOCK, LONGEST_CLOCK = 10, 14 * 86_400
"""Seconds: what a table may choose as the time for a move."""
SHORTEST_WAIT, LONGEST_WAIT = 60, 86_400
"""Seconds: what a table may choose as the time after which a bot plays for an absent person."""
LONGEST_NAME = 24
INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What looks like nothing at all: Unicode's Default_Ignorable_Code_Point, and the empty Braille cell."""
LOOKALIKES = str.maketrans(
    "авгеіјкмнорсѕтухԁһԛԝѵүӏь"  # Cyrillic
    "αβγεζηικμνορστυχω"  # Greek
    "ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᎹᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴ"  # Cherokee
    "աոսօհզցյ"  # Armenian
    "ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ"  # Lisu
    "ⲁⲃⲅⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲱϳ"  # Coptic, and a Greek letter of its time
    "ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡ"  # other Latin
    "ǀ∣׀ⵏ"  # strokes
    "l1|0",
    "abreijkmhopcstyxdhqwvyib"
    "abyezhikmnopotyxw"
    "drtiajewmhyyghzbrwsvsicpkdgb"
    "wnuohqgj"
    "bpddtgkjczfmnisrvhwxyaeiou"
    "abrezhikmnopctyxwj"
    "abcdeghijkimnoprstuvwyziag"
    "iiii"
    "iiio",
)
"""Small letters and digits that look like others, or whose capitals do. Cherokee is folded to its capitals."""
MOST_MARKS = 3
"""Marks that one letter carries in a name; more would pile up over other lines."""
MOST_UNDOS = 1000
MOST_REMARKS = 2000
"""How many entries a table takes that are not in the record: names, votes, seats left and taken back."""
MOST_CHAINS = 100
"""How many more chains than taps a seat may have at any pace: every new device, cleared browser and change between two
devices takes a chain, and every tap gives one back. Due links do not: whoever comes again is asked for one."""
CHAIN_PAUSE_S = 60.0
"""Between two chains of a seat that has had so many: whoever has lost the device with the last one can still roll."""
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 16


Refusal = Literal[
    "malformed", "hello", "token", "table", "code", "invitation",
    "stale", "turn", "illegal", "seat", "state", "link", "hint", "rate", "server",
]  # fmt: skip
"""Why something is refused, for programs."""


class Refused(Exception):
    """What was asked for cannot be done. Nothing has changed."""

    def __init__(self, code: Refusal, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.rule = rule
        """The number of the rule behind it, if it is one of the game's."""


class Kind(StrEnum):
    """What an entry is."""

    MOVE = "move"
    BOT = "bot"
    """A move that a bot made for its seat."""
    CHANCE = "chance"
    UNDO = "undo"
    ANCHOR = "anchor"
    """A page commits to a hash chain, or a bot plays or rolls for a person; and the table commits to a new seed."""
    LINK = "link"
    """A page reveals the next link of its chain."""
    NAME = "name"
    ASK = "ask"
    """A vote begins; its number is the entry's."""
    YES = "yes"
    NO = "no"
    AWAY = "away"
    """From now on a bot plays for the person, or for a bot that has failed; the text is its level."""
    BACK = "back"
    REMATCH = "rematch"
    INVITE = "invite"
    """An invitation to the seat; the text is its hash."""
    WITHDRAW = "withdraw"
    CLAIM = "claim"
    """A device takes the seat; the text is the hash of its key, and that of the invitation."""
    RELEASE = "release"
    """A device holds the seat no longer; the text is the hash of its key."""


LINES = (Kind.MOVE, Kind.BOT, Kind.CHANCE, Kind.UNDO)
"""The entries that are lines of the record."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened at a table."""

    kind: Kind
    seat: int | None = None
    text: str = ""
    seed: str = ""
    """The secret seed that comes with an anchor."""
    made: float = field(default=0.0, compare=False)
    """When, in seconds since 1970; 0 where nobody has noted it."""

    def line(self) -> Line:
        """The entry as a line of the record."""
        by = "chance" if self.seat is None else self.seat
        return Line(by, self.text, self.kind == Kind.BOT)  # type: ignore[arg-type]

    def item(self) -> Line | Anchor | Link | None:
        """The entry as part of the record, None if it is none."""
        if self.kind == Kind.ANCHOR:
            seats, anchor = json.loads(self.text)
            return Anchor(tuple(seats), anchor, dice.commitment(bytes.fromhex(self.seed)))
        if self.kind == Kind.LINK:
            return Link(*json.loads(self.text))
        return self.line() if self.kind in LINES else None


@dataclass(frozen=True, slots=True)
class Step:
    """An entry that can follow, and what it does to the record if it is part of it."""

    entry: Entry
    next: Next | None = None


@dataclass(frozen=True, slots=True)
class Agreements:
    """What the people of a table may agree on besides."""

    clock: int | None = None
    """Seconds for a move, after which a bot makes it for the person, once; None: no clock."""
    quiet: bool = False
    """Whether nobody sends emotes."""
    open: bool = False
    """Whether anybody on this server may take a free seat."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled when a table is made."""

    header: Header
    seed: bytes
    """The first one."""
    tokens: tuple[str | None, ...]
    """The hash of each token that holds a seat from the beginning; who comes later claims theirs."""
    names: tuple[str, ...]
    hints: bool = True
    takeover_after: int | None = None
    undo: bool = True
    """Whether moves can be taken back."""
    agreements: Agreements = Agreements()
    dice_version: int = dice.VERSION
    """With which dice the game began: of older ones no record can prove anything."""


@dataclass
class Vote:
    """A question to the table. It passes when nobody is left in `open`."""

    kind: str
    by: int
    target: int
    """Undo: the position to go back to. Takeover and release: the seat."""
    open: set[int]
    yes: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Undo:
    """What it means to take back the last move of some seats."""

    seat: int
    to: int
    free: bool
    line: int
    """The number of the line that the seat takes back."""


def _check(setup: Setup) -> None:
    """Refuse at once what would fail only when somebody looks at it: what was kept may be damaged."""
    players, agreed = len(setup.header.kinds), setup.agreements
    right = {
        "names": len(setup.names) == players and all(map(_is_text, setup.names)),
        "tokens": len(setup.tokens) == players and all(token is None or _is_text(token) for token in setup.tokens),
        "seed": len(setup.seed) == dice.SEED_BYTES and dice.commitment(setup.seed) == setup.header.commitment,
        "agreements": all(each in (False, True) for each in (setup.hints, setup.undo, agreed.quiet, agreed.open))
        and all(each is None or type(each) is int for each in (setup.takeover_after, agreed.clock)),
        "dice": type(setup.dice_version) is int,
    }
    if wrong := [name for name, is_right in right.items() if not is_right]:
        raise BadRecord(f"These are not as a table has them: {', '.join(wrong)}.")


def _is_text(value: Any) -> bool:
    """Whether it can be sent to somebody: half a character of UTF-16, which JSON can name, cannot."""
    return isinstance(value, str) and value == value.encode(errors="ignore").decode()


@functools.lru_cache(1024)
def _names(language: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Names as people have chosen them, and where they have not, what seats and bots are called in a language."""
    with reading(Reader(language)):
        return tuple(
            name or (_("Bot {n}", n=seat) if level_of(kind) else seat_name(seat))
            for seat, (name, kind) in enumerate(zip(names, kinds, strict=True))
        )


def new_id() -> str:
    """An id that nobody guesses."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether a table might have this id."""
    return re.fullmatch("[a-z0-9]{1,32}", text) is not None


def new_token() -> str:
    """A seat's token."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What the store keeps of a token. Tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


@functools.lru_cache(256)
def level_of(kind: str) -> str | None:
    """The level of a bot's seat, None for a person's."""
    what, _, level = kind.partition(":")
    return level if what == BOT else None


class Table:
    """A table with all that has happened at it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.record = Record(setup.header)
        _check(setup)
        self.seeds = [setup.seed]
        """Of all epochs."""
        self.entries = 0
        self.names = list(setup.names)
        self.stand_ins: dict[int, str] = {}
        self.votes: dict[int, Vote] = {}
        self.rematch: str | None = None
        self.devices = Devices(setup.tokens)
        self.began = 0.0
        """When the present turn began: with the last line, or when the last person came; 0 where that is not known."""
        self.settled = 0
        """The last line before somebody's seat was let go: nobody takes back what they had a part in."""
        self._chained: dict[int, float] = {}
        """When each seat last began a chain."""
        self.turn = self._turn()
        """The seat that is to decide or to roll; `"chance"` while bots wait for a person's link; None at the end."""

    # What is

    @property
    def id(self) -> str:
        """The table's id."""
        return self.setup.header.table

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.setup.header.kinds)

    @property
    def number(self) -> int:
        """The number of the present position."""
        return self.record.number

    def bot(self, seat: int) -> str | None:
        """The level of the bot that plays for a seat now, None if a person does."""
        return self.stand_ins.get(seat) or level_of(self.setup.header.kinds[seat])

    def persons(self) -> set[int]:
        """The seats that persons play for now."""
        return {seat for seat in range(self.players) if self.bot(seat) is None}

    def all_persons(self) -> set[int]:
        """The seats of persons, also while a bot plays for them."""
        return {seat for seat, kind in enumerate(self.setup.header.kinds) if level_of(kind) is None}

    def seats_of(self, token: str) -> frozenset[int]:
        """The seats that a token stands for; none if it is not of this table."""
        return self.devices.seats_of(hashed(token))

    def roll(self) -> Roll | None:
        """The roll that waits for a person's tap, if one does."""
        roll = self.record.position.roll()
        return roll if roll and self.bot(roll.seat) is None else None

    def _turn(self) -> int | Literal["chance"] | None:
        roll = self.roll()
        return roll.seat if roll else self.record.position.turn

    def to_think(self) -> tuple[int, str] | None:
        """The seat and level of the bot whose turn it is, if it is one's."""
        turn = self.record.position.turn
        level = self.bot(turn) if isinstance(turn, int) else None
        return (turn, level) if isinstance(turn, int) and level is not None else None

    # What happens

    def step(self, entry: Entry, after: Next | None = None) -> Step:
        """What an entry leads to that is to be folded next, or after what is to be folded before it."""
        item = entry.item()
        return Step(entry, self.record.next(item, after) if item is not None else None)

    def ahead(self, steps: Sequence[Step]) -> Position:
        """The position to which steps lead."""
        found = [step.next for step in steps if step.next]
        return found[-1].position if found else self.record.position

    def replay(self, entries: Iterable[Entry]) -> None:
        """Take in entries of which only the store knows."""
        for entry in entries:
            self._take_in(self.step(entry))
        self.turn = self._turn()

    def fold(self, steps: Iterable[Step]) -> None:
        """Take in steps whose entries the store has."""
        for step in steps:
            self._take_in(step)
        self.turn = self._turn()

    def _take_in(self, step: Step) -> None:
        self.entries += 1
        if step.next:
            self.record.add(step.next)
        if step.entry.kind in LINES:
            self.began = step.entry.made
        self._fold(step.entry)

    def _fold(self, entry: Entry) -> None:
        match entry.kind:
            case Kind.MOVE | Kind.BOT | Kind.CHANCE | Kind.UNDO:  # a vote on an undo was about another position
                self._drop_votes("undo")
            case Kind.ANCHOR:
                self.seeds.append(bytes.fromhex(entry.seed))
                seats, anchor = json.loads(entry.text)
                self._chained.update(dict.fromkeys(seats if anchor else (), entry.made))
            case Kind.NAME:
                self.names[_seat(entry)] = entry.text
            case Kind.ASK:
                asked = json.loads(entry.text)
                vote = Vote(asked["kind"], _seat(entry), asked["target"], set(asked["open"]), {_seat(entry)})
                self.votes = {n: v for n, v in self.votes.items() if (v.kind, v.target) != (vote.kind, vote.target)}
                self.votes[self.entries] = vote
            case Kind.YES:
                if answered := self.votes.get(
                    int(entry.text)
                ):  # in older tables a vote may be over here, but not there
                    answered.open.discard(_seat(entry))
                    answered.yes.add(_seat(entry))
                    if not answered.open:
                        del self.votes[int(entry.text)]
            case Kind.NO:
                self.votes.pop(int(entry.text), None)
            case Kind.AWAY:
                self.stand_ins[_seat(entry)] = entry.text
                self._drop_votes("takeover", "release")  # who had to answer has changed
            case Kind.BACK:
                self.stand_ins.pop(_seat(entry), None)
                self._drop_votes("takeover", "release")
            case Kind.REMATCH:
                self.rematch = entry.text
            case Kind.INVITE:
                self.devices.invite(_seat(entry), entry.text)
            case Kind.WITHDRAW:
                self.devices.withdraw(_seat(entry))
            case Kind.CLAIM:
                if not self.devices.of(_seat(entry)):
                    self.began = entry.made
                self.devices.claim(_seat(entry), *entry.text.split(" "))
                self._drop_votes("release")
            case Kind.RELEASE:
                self.devices.release(_seat(entry), entry.text)
                self._drop_votes("release")
                if not self.devices.of(_seat(entry)):  # the others did it: people keep the device with which they ask
                    self._drop_votes("undo")
                    self.settled = self.number

    def names_for(self, language: str) -> tuple[str, ...]:
        """What everybody is called, in a language."""
        return _names(language, tuple(self.names), self.setup.header.kinds)

    def _drop_votes(self, *kinds: str) -> None:
        self.votes = {number: vote for number, vote in self.votes.items() if vote.kind not in kinds}

    # What may be done: each command gives the steps that it would take

    def opening(self) -> list[Step]:
        """What chance decides before the first move, where no person has a part in it."""
        return self._with_chance([])

    def move(
        self, seats: Collection[int], text: str, number: int, link: str | None = None, epochs: int = 0
    ) -> list[Step]:
        """A person's move, and what chance makes of it. `link`: as for `tap`, where choosing the move is the tap."""
        self._check_number(number)
        turn = self.record.position.turn
        if not isinstance(turn, int):
            raise Refused("turn", _("The game is over.") if turn is None else _("The dice are rolled first."))
        self._check_turn(seats, turn)
        steps = self._moved(Entry(Kind.MOVE, turn, text))
        last = steps[-1].next
        assert last is not None
        roll = last.position.roll()
        if roll is None or not roll.of_move or roll.seat != turn or (link is None and not self._is_redrawn(last)):
            return steps
        return self._tapped(steps, turn, link, epochs)

    def tap(self, seats: Collection[int], number: int, link: str | None, epochs: int) -> list[Step]:
        """A person rolls, flips or draws: the tap reveals the next link of their chain.

        `epochs`: how many epochs the page knew when it first revealed the link. What is drawn again after an undo comes
        out as before, and takes no link.
        """
        known = link in self.record.ledger.tips.values()
        if known and number < self.number:
            return []  # the tap has come already
        self._check_number(-1 if known else number)  # a link that was added otherwise is no tap
        roll = self.roll()
        if roll is None:
            raise Refused("turn", _("There is nothing to roll now."))
        self._check_turn(seats, roll.seat)
        return self._tapped([], roll.seat, link, epochs)

    def anchor(self, seats: Collection[int], anchor: str) -> list[Step]:
        """The page of these seats commits to a hash chain; only then the table draws a new seed."""
        if not seats:
            raise Refused("seat", _("You are watching; only players can move."))
        ledger = self.record.ledger
        if all(ledger.anchors.get(ledger.chains.get(seat, 0)) == anchor for seat in seats):
            return []
        self._check_going()
        self._check_chains(seats)
        seed = dice.new_seed()
        try:
            step = self.step(Entry(Kind.ANCHOR, min(seats), json.dumps([sorted(seats), anchor]), seed.hex()))
        except BadRecord as error:
            raise Refused("link", _(MISMATCH)) from error
        return self._with_chance([step])

    def reveal(self, seats: Collection[int], link: str, epochs: int) -> list[Step]:
        """A page adds a link because somebody has joined; chance goes on where it waited for that."""
        if link in self.record.ledger.tips.values():
            return []
        return self._with_chance([self._link(seats, link, epochs)])

    def bot_move(self, seat: int, text: str, number: int) -> list[Step]:
        """A bot's move, and what chance makes of it. Refused if the bot has thought about a position of the past."""
        self._check_thought(seat, number)
        return self._moved(Entry(Kind.BOT, seat, text))

    def bot_failed(self, seat: int, number: int, level: str) -> list[Step]:
        """The bot gives no move: one of `level` plays on in its place."""
        self._check_thought(seat, number)
        return [Step(Entry(Kind.AWAY, seat, level))]

    def undo(self, seats: Collection[int], number: int) -> list[Step]:
        """Take back the last move of these seats, or ask everybody whether that may be done.

        Everybody is every person themselves: no bot in their place agrees for them.
        """
        self._check_number(number)
        self._check_going()
        if not self.setup.undo:
            raise Refused("state", _("This table plays without undo."))
        undo = self.undoable(seats)
        if undo is None:
            raise Refused("state", _("You have no move to take back."))
        if self.record.undos >= MOST_UNDOS:
            raise Refused("state", _("After {n} undos this game can only go forward.", n=MOST_UNDOS))
        others = self.all_persons() - {undo.seat}
        if undo.free or not others:
            return [self._undone(undo.seat, undo.to)]
        return [self.ask("undo", undo.seat, undo.to, others)]

    def takeover(self, seats: Collection[int], seat: int, present: Collection[int], level: str) -> list[Step]:
        """Ask whether a bot shall play for a person who is away. Those who are present decide.

        Whoever has just lost their connection counts as present.
        """
        self._check_going()
        self.check_remarks()
        self.check_seat(seat)
        voters = sorted((self.persons() - {seat}) & set(seats))
        if not voters:
            raise Refused("seat", _("Only the others at the table can ask for that."))
        if seat not in self.persons():
            raise Refused("state", _("A bot is already playing for {name}.", name=seat_name(seat)))
        if seat in present:
            raise Refused("state", _("{name} is here, or has only just left. Please wait.", name=seat_name(seat)))
        others = (self.persons() & set(present)) - {seat, voters[0]}
        return [self.ask("takeover", voters[0], seat, others)] if others else self._away(seat, level)

    def vote(self, seats: Collection[int], number: int, seat: int, yes: bool, level: str) -> list[Step]:
        """Answer a vote; the last yes carries it out."""
        self.check_own(seats, seat)
        vote = self.votes.get(number)
        if vote is None:
            raise Refused("state", _("That vote is over."))
        if seat not in vote.open:
            raise Refused("state", _("{name} has no answer to give here.", name=seat_name(seat)))
        if not yes:
            return [Step(Entry(Kind.NO, seat, str(number)))]
        steps = [Step(Entry(Kind.YES, seat, str(number)))]
        if vote.open == {seat}:
            steps += self._agreed(vote, level)
        return steps

    def _agreed(self, vote: Vote, level: str) -> list[Step]:
        match vote.kind:
            case "takeover":
                return self._away(vote.target, level)
            case "release":
                return self.released(vote.target)
            case _:
                return [self._undone(vote.by, vote.target)]

    def released(self, seat: int) -> list[Step]:
        """All devices of a seat are let go."""
        return [Step(Entry(Kind.RELEASE, seat, key)) for key in self.devices.of(seat)]

    def overdue(self, seat: int, level: str) -> list[Step]:
        """The time that the table chose is up: a bot plays for the absent person whose turn it is.

        Not for the last one: where only bots would be left the game waits.
        """
        if self.waits_for() != seat or seat not in self.persons() or self.persons() == {seat}:
            raise Refused("state", _("Nobody is waiting for {name}.", name=seat_name(seat)))
        return self._away(seat, level)

    def waits_for(self) -> int | None:
        """The seat that the game waits for: to decide or to roll, or to add a link without which no bot rolls."""
        if self.turn != "chance":
            return self.turn
        ledger, persons = self.record.ledger, self.persons()
        owing = (seat for seat, chain in ledger.awaited().items() if seat in persons and ledger.is_due(chain))
        return min(owing, default=None)

    def deadline(self) -> float | None:
        """When the time for the present move is up; None: no clock runs. It does when several persons are all there."""
        clock = self.setup.agreements.clock
        if clock is None:
            return None
        everybody = self.all_persons()
        runs = (
            self.began
            and self.waits_for() in self.persons()
            and len(everybody) > 1
            and everybody <= self.devices.claimed()
        )
        return self.began + clock if runs else None

    def out_of_time(self, seat: int, text: str, number: int, now: float) -> list[Step]:
        """The time for a move is up: a bot makes this one for the person, or rolls, without a link of theirs."""
        self._check_number(number)
        deadline = self.deadline()
        if self.waits_for() != seat or deadline is None or deadline > now:
            raise Refused("state", _("{name} has time left.", name=seat_name(seat)))
        if self.turn == "chance":
            return self._with_chance([self._absent(seat, None)])
        if self.roll():
            return self._with_chance([], away=seat)
        return self._moved(Entry(Kind.BOT, seat, text))

    def leave(self, seats: Collection[int], seat: int, level: str) -> list[Step]:
        """A bot plays on for the person, who may come back."""
        self.check_own(seats, seat)
        self.check_remarks()
        self._check_going()
        if seat in self.stand_ins:
            raise Refused("state", _("A bot is already playing for you."))
        if self.persons() == {seat}:
            raise Refused("state", _("Only bots would be left: the game waits for you instead."))
        return self._away(seat, level)

    def come_back(self, seats: Collection[int], seat: int) -> list[Step]:
        """The person plays again."""
        self.check_own(seats, seat)
        if seat not in self.stand_ins:
            raise Refused("state", _("The seat is already yours."))
        return [Step(Entry(Kind.BACK, seat))]

    def rename(self, seats: Collection[int], seat: int, name: str) -> list[Step]:
        """The person says their name."""
        self.check_own(seats, seat)
        self.check_remarks()
        shown = clean_name(name)
        others = [other for other in range(self.players) if other != seat]
        taken = {_folded(self.names[other]) for other in others}
        if _is_impostor(shown):
            raise Refused("malformed", _("That name is reserved. Please choose another."))
        if _folded(shown) in taken:
            raise Refused("malformed", _("Somebody else is called {name}. Please choose another name.", name=shown))
        return [Step(Entry(Kind.NAME, seat, shown))] if shown != self.names[seat] else []

    def offer_rematch(self, seats: Collection[int], new: str) -> tuple[Setup, list[Step]]:
        """A rematch at table `new` with the same people, who all move up by one seat and keep their tokens.

        A device that was let go does not come back by it.
        """
        if not seats:
            raise Refused("seat", _("You are watching; only players can ask for a rematch."))
        if not self.record.over:
            raise Refused("state", _("You can have a rematch when the game is over."))
        if self.rematch:
            raise Refused("state", _("There is a rematch already."))
        was, seed = self.setup, dice.new_seed()
        old = was.header
        header = Header(new, old.game, old.options, turned(old.kinds), dice.commitment(seed), rules=old.rules)
        held = (token if token in self.devices.of(seat) else None for seat, token in enumerate(was.tokens))
        names, tokens = turned(self.names), turned(tuple(held))
        setup = Setup(header, seed, tokens, names, was.hints, was.takeover_after, was.undo, was.agreements)
        return setup, [Step(Entry(Kind.REMATCH, min(seats), new))]

    def undoable(self, seats: Collection[int]) -> Undo | None:
        """What it means to take back the last move of these seats, None if there is none."""
        if self.record.over or not self.setup.undo:
            return None
        free = True
        for number in self.record.path():
            if number <= self.settled:
                break
            line = self.record.lines[number - 1]
            free = free and line.by != "chance" and not self.record.reveals(number)
            if line.by != "chance" and line.by in seats and not line.bot:
                return Undo(line.by, self.record.before(number), free, number)
            free = free and line.by not in self.all_persons()
        return None

    # Helpers

    def _check_going(self) -> None:
        if self.record.over:
            raise Refused("turn", _("The game is over."))

    def _check_turn(self, seats: Collection[int], turn: int) -> None:
        if turn not in seats:
            watching = _("You are watching; only players can move.")
            raise Refused("turn", _("It is {name}’s turn.", name=seat_name(turn)) if seats else watching)
        if turn in self.stand_ins:
            raise Refused("turn", _("A bot is playing for you. Take your seat back first."))

    def _check_number(self, number: int) -> None:
        if number != self.number:
            raise Refused("stale", _("The game has moved on. Look again before you move."))

    def _check_thought(self, seat: int, number: int) -> None:
        self._check_number(number)
        if self.record.position.turn != seat or self.bot(seat) is None:
            raise Refused("turn", _("No bot is playing for {name} now.", name=seat_name(seat)))

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that does not exist."""
        if not 0 <= seat < self.players:
            raise Refused("seat", _("There is no seat {seat} at this table.", seat=seat))

    def check_own(self, seats: Collection[int], seat: int) -> None:
        """Refuse a seat that is not among `seats`."""
        self.check_seat(seat)
        if seat not in seats:
            raise Refused("seat", _("That seat is not yours."))

    def check_remarks(self) -> None:
        """Refuse one more entry that is not in the record, where there are too many already."""
        if self.entries - self.record.length >= MOST_REMARKS:
            raise Refused("state", _("There has been too much back and forth here: this table takes only moves now."))

    def _check_chains(self, seats: Collection[int]) -> None:
        """Refuse one more chain of a seat that begins them without rolling. The others are not touched by that."""
        begun = self.record.ledger.begun
        spare = Counter(seat for each in begun if each.anchor for seat in each.seats)
        for _after, note in self.record.notes:
            if isinstance(note, Link) and note.tap:
                spare.subtract(begun[note.chain - 1].seats)
        paused = (seat for seat in seats if time.time() - self._chained.get(seat, 0.0) < CHAIN_PAUSE_S)
        if any(spare[seat] >= MOST_CHAINS for seat in paused):
            often = _("This seat has changed devices too often. Roll on the one that rolled last, or wait a minute.")
            raise Refused("link", often)

    def _moved(self, entry: Entry) -> list[Step]:
        if entry.line().undo is not None:
            raise Refused("illegal", f"{entry.text!r} is not a move. Ask for an undo instead.")
        try:
            return self._with_chance([self.step(entry)])
        except IllegalMove:
            reason = self.record.position.why_not(entry.text)
            assert reason is not None
            raise Refused("illegal", reason.sentence, reason.rule) from None

    def _tapped(self, steps: list[Step], seat: int, link: str | None, epochs: int) -> list[Step]:
        """The steps, and the whole row of draws for which `seat` has tapped, with its link if it takes one."""
        last = steps[-1].next if steps else None
        if not self._is_redrawn(last or self.record):
            if link is None:
                raise Refused("link", _("Your page must add its part to the dice. Reload the page."))
            if epochs < self.record.seen_epochs:  # or a page could keep the others' links out of the dice for ever
                raise Refused("link", _("Your page must add its part to the dice. Reload the page."))
            steps = [*steps, self._link({seat}, link, epochs, tap=True, last=last)]
        return self._with_chance(steps, tapped=seat)

    def _link(
        self, seats: Collection[int], link: str, epochs: int, tap: bool = False, last: Next | None = None
    ) -> Step:
        """The next link of the chain of one of these seats."""
        ledger = self.record.ledger
        for chain in {ledger.chains[seat] for seat in seats if seat in ledger.chains}:
            if dice.hashed_link(link) == ledger.tips[chain]:
                entry = Entry(Kind.LINK, min(seats), json.dumps([chain, link, epochs, tap]))
                try:
                    return Step(entry, self.record.next(Link(chain, link, epochs, tap), last))
                except BadRecord as error:
                    raise Refused("link", _(MISMATCH)) from error
        raise Refused("link", _(MISMATCH))

    def _is_redrawn(self, at: Next | Record) -> bool:
        """Whether the next draw was made before, and taken back."""
        return at.drawn < len(at.ledger.keys)

    def _away(self, seat: int, level: str) -> list[Step]:
        """A bot plays for the person, and rolls if that is what the table waited for."""
        absent = [self._absent(seat, None)] if seat in self.record.ledger.awaited() else []
        return self._with_chance([Step(Entry(Kind.AWAY, seat, level)), *absent], away=seat)

    def _absent(self, seat: int, last: Next | None) -> Step:
        """Nobody waits for links of this seat any longer."""
        entry = Entry(Kind.ANCHOR, seat, json.dumps([[seat], None]), dice.new_seed().hex())
        return self.step(entry, last)

    def _with_chance(self, steps: list[Step], tapped: int | None = None, away: int | None = None) -> list[Step]:
        """The steps, and what chance decides after them, until a seat decides or is to tap, or the game is over.

        `tapped`: the seat that has tapped for a row of draws. `away`: the seat for which a bot rolls.
        """
        last = next((step.next for step in reversed(steps) if step.next), None)
        before = last or self.record
        persons = self.persons() - {away}
        redrawn = self._is_redrawn(before)
        while before.position.turn == "chance":
            roll = before.position.roll()
            seat = roll.seat if roll else None
            if seat != tapped or self._is_redrawn(before) != redrawn:
                tapped = None  # the row is over
            if seat in persons and seat != tapped:
                break
            if seat not in persons and persons and not before.ledger.is_open:
                break
            if seat != tapped and seat in before.ledger.awaited() and not self._is_redrawn(before):
                absent = self._absent(seat, last)
                steps, last = [*steps, absent], absent.next
                before = last or before
            last = self._drawn(before, last)
            steps = [*steps, Step(Entry(Kind.CHANCE, None, last.item.text), last)]  # type: ignore[union-attr]
            before = last
        return [*steps, *self._not_waited_for(before, last, away)]

    def _not_waited_for(self, before: Next | Record, last: Next | None, away: int | None) -> list[Step]:
        """While nothing has begun, nobody waits for those for whom bots play, whose pages may look in and go again."""
        if before.ledger.is_open:
            return []
        steps = []
        for seat in sorted(before.ledger.awaited().keys() & {*self.stand_ins, away}):
            steps.append(self._absent(seat, last))
            last = steps[-1].next
        return steps

    def _drawn(self, before: Next | Record, last: Next | None) -> Next:
        key = before.ledger.key_of(before.drawn)
        text = dice.outcome(self.seeds[key.epoch], self.id, before.drawn, key.mix, before.position)
        return self.record.next(Line("chance", text), last)

    def _undone(self, seat: int, to: int) -> Step:
        return self.step(Entry(Kind.UNDO, seat, f"undo {to}"))

    def ask(self, kind: str, by: int, target: int, others: Collection[int]) -> Step:
        """Begin a vote."""
        self.check_remarks()
        for vote in self.votes.values():
            if (vote.kind, vote.target) == (kind, target) and vote.open <= set(others):
                raise Refused("state", _("The table has already been asked."))
        return Step(Entry(Kind.ASK, by, json.dumps({"kind": kind, "target": target, "open": sorted(others)})))


def _seat(entry: Entry) -> int:
    assert entry.seat is not None
    return entry.seat


def turned(items: Sequence[Any]) -> tuple[Any, ...]:
    """Everything one seat further."""
    return (*items[-1:], *items[:-1])


def named(kinds: Sequence[str], names: Sequence[str | None] = ()) -> tuple[str, ...]:
    """The names that were given; a seat without one is called by its number, in the language of whoever reads."""
    given = [*names, *[None] * len(kinds)][: len(kinds)]
    found = tuple(clean_name(name) if name else "" for name in given)
    own = [_folded(name) for name in found if name]
    if any(_is_impostor(name) for name in found):
        raise Refused("malformed", _("That name is reserved. Please choose another."))
    if len(set(own)) < len(own):
        raise Refused("malformed", _("Everybody needs a name of their own."))
    return found


def _folded(name: str) -> str:
    """The same for all names that look alike. Latin letters count without their marks, which are easily overlooked."""
    small = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    small = "".join(str(unicodedata.decimal(letter, letter)) for letter in small)  # digits of all scripts
    folded = ""
    for letter in "".join(INVISIBLE.sub("", small).split()).translate(LOOKALIKES):
        if unicodedata.category(letter) != "Mn" or not folded[-1:].isascii():
            folded += letter
    return folded


def _is_impostor(name: str) -> bool:
    """Whether a name is what a seat without one is called, in any language."""
    return any(_folded(name) in _default_names(language) for language in languages())


@functools.cache
def _default_names(language: str) -> frozenset[str]:
    with reading(Reader(language)):
        return frozenset(_folded(name) for n in range(16) for name in (seat_name(n), _("Bot {n}", n=n)))


def clean_name(name: str) -> str:
    """A name fit to be shown: one line, 1 to 24 letters."""
    letters = [letter if letter.isprintable() else " " for letter in INVISIBLE.sub("", name)]
    marks = [unicodedata.category(letter) in ("Mn", "Me") for letter in letters]
    lean = [letter for i, letter in enumerate(letters) if i < MOST_MARKS or not all(marks[i - MOST_MARKS : i + 1])]
    shown = " ".join("".join(lean).split())
    if not 1 <= len(shown) <= LONGEST_NAME or all(unicodedata.category(letter)[0] in "MZ" for letter in shown):
        raise Refused("malformed", _("A name has 1 to {n} letters.", n=LONGEST_NAME))
    return shown
