"""What goes over the wire, as types: they check requests, and the OpenAPI page is made of them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from strandline.engine.words import ENGLISH, Words, reader
from strandline.table.table import LONGEST_CLOCK, LONGEST_WAIT, SHORTEST_CLOCK, SHORTEST_WAIT

_ = Words(__file__)

Text = Annotated[StrictStr, Field(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A line of text; some stores cannot keep all of what is not printed."""
Kind = Annotated[StrictStr, Field(pattern=r"^(here|link|bot:[a-z0-9_-]{1,32})$")]


class Closed(BaseModel):
    """A model that knows all its fields."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What was wrong."""

    error: str = Field(description="A sentence that says what was wrong and what is allowed.")


class NewTable(Closed):
    """A table to be made."""

    game: Text = Field(examples=["up_the_river"])
    seats: list[Kind] = Field(min_length=1, max_length=16, examples=[["here", "link", "bot:random"]])
    options: dict[Text, StrictBool | StrictInt | Text] = Field(default_factory=dict, max_length=32)
    names: list[Annotated[StrictStr, Field(max_length=24)] | None] = Field(default_factory=list, max_length=16)
    hints: StrictBool = True
    undo: StrictBool = True
    takeover_after: Annotated[StrictInt, Field(ge=SHORTEST_WAIT, le=LONGEST_WAIT)] | None = None
    clock: Annotated[StrictInt, Field(ge=SHORTEST_CLOCK, le=LONGEST_CLOCK)] | None = Field(
        default=None, description="Seconds for a move, after which a bot makes it for the person, once."
    )
    quiet: StrictBool = False
    open: StrictBool = False


class NewSeat(BaseModel):
    """A seat of a new table; the link is told only here: the maker's own, or an invitation to be sent."""

    seat: int
    kind: str
    link: str | None


class TableMade(BaseModel):
    """A new table."""

    id: str
    page: str
    watch: str
    seats: list[NewSeat]


class Invited(Closed):
    """An invitation, or a code that was typed."""

    invitation: Text | None = None
    code: Text | None = None


class InvitationSeen(BaseModel):
    """What somebody is invited to."""

    title: str
    own: bool = Field(description="Whether it hands a seat on to another device of the same person.")
    names: list[str]
    seats: list[int] = Field(
        description="The seats that it is for, none if it was used; with a code, those that are free."
    )
    looks: list["Look"] = Field(description="How all seats look, seat 0 first.")


class Claim(Invited):
    """A device that sits down. It makes its key itself, so that it can ask again when the answer is lost."""

    key: Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9_-]{32,64}$")]
    seat: Annotated[StrictInt, Field(ge=0, le=15)] | None = None
    name: Annotated[StrictStr, Field(max_length=24)] | None = None


class Seated(BaseModel):
    """Where a device sits now."""

    page: str
    seats: list[int]


class CodeTyped(Closed):
    """A code that was typed."""

    code: Annotated[StrictStr, Field(min_length=1, max_length=24)]


class CodeFound(BaseModel):
    """The page that a code opens."""

    page: str


class TableAsked(Closed):
    """A table that a browser remembers, with its key there."""

    id: Annotated[StrictStr, Field(pattern="^[a-z0-9]{1,32}$")]
    token: Text | None = None


class TablesAsked(Closed):
    """The tables of a browser."""

    tables: Annotated[list[TableAsked], Field(max_length=24)]


class TableStatus(BaseModel):
    """What goes on at a table, for one caller."""

    id: str
    game: str
    title: str
    names: list[str]
    you: list[int]
    number: int
    turn: int | Literal["chance", "over"]
    your_turn: bool
    winners: list[int]
    status: str = Field(description="A sentence: whose turn it is, or how the game has ended.")
    picture: str = Field(description="The path of the board as a spectator sees it.")
    touched: float = Field(description="When something was last done there, in seconds since 1970.")


class TablesStatus(BaseModel):
    """What goes on at the tables that there are, newest first."""

    tables: list[TableStatus]


class OpenTable(BaseModel):
    """A table with seats that anybody may take."""

    id: str
    game: str
    title: str
    names: list[str]
    free: list[int]
    picture: str


class OpenTables(BaseModel):
    """The open tables of a server."""

    enabled: bool = Field(description="Whether this server lists any.")
    tables: list[OpenTable]


class Subscription(Closed):
    """What a browser says of a push subscription."""

    endpoint: Annotated[StrictStr, Field(max_length=1000)]
    p256dh: Annotated[StrictStr, Field(max_length=100, pattern="^[A-Za-z0-9_-]+$")]
    auth: Annotated[StrictStr, Field(max_length=40, pattern="^[A-Za-z0-9_-]+$")]


class NoticeAsked(Closed):
    """A notice that somebody asks for: by push, or by webhook."""

    push: Subscription | None = None
    webhook: Annotated[StrictStr, Field(max_length=1000)] | None = None
    language: Annotated[StrictStr, Field(pattern="^[a-z]{2,3}$")] = "en"


class NoticesKept(BaseModel):
    """How many notices were taken down."""

    notices: int


class NoticesOffered(BaseModel):
    """How a server can tell people that it is their turn."""

    push: str = Field(description="The server's public key, for a browser's subscription.")
    webhooks: bool


class Lan(BaseModel):
    """Whether others on the local network can come, and where."""

    open: bool
    can_open: bool = Field(description="Whether the caller can have it opened.")
    addresses: list[str]


class Pictured(Closed):
    """A link to be drawn as a QR code."""

    text: Annotated[StrictStr, Field(min_length=1, max_length=300, pattern=r"^[\x21-\x7e]+$")]


class Option(BaseModel):
    """One option of a game."""

    name: str
    kind: Literal["flag", "number", "choice"]
    default: bool | int | str
    help: str
    title: str
    labels: dict[str, str]
    low: int | None = None
    high: int | None = None
    values: list[int | str] | None = None


class Look(BaseModel):
    """How a seat is told apart: by colour, shape and, in some games, pattern."""

    colour: str
    ink: str = Field(description="The colour of letters on the seat's colour.")
    path: str = Field(description="The outline of the shape, about 20 units wide around (0, 0).")
    shape: str = Field(description="The shape in a word.")
    name: str = Field(description="The colour in a word.")
    pattern: str


class GameInfo(BaseModel):
    """A game for the lobby."""

    name: str
    title: str
    tagline: str
    seats: list[int]
    minutes: int
    secrets: bool
    looks: list[Look] = Field(description="How the seats look in this game, seat 0 first.")
    board: str
    scene: list[float] = Field(description="The picture's left, top, width, height.")
    guide: str
    rules: str
    lessons: str | None = Field(description="The page of its lessons, if it has any.")
    champion: list[int] = Field(description="The numbers of players with which there are bots of level 6.")
    warning: str | None = Field(description="Why bots think long here, where no compiled module fits the game's box.")
    options: list[Option]


class LevelInfo(BaseModel):
    """How well a bot plays."""

    name: str
    description: str


class Catalogue(BaseModel):
    """The sentences of the pages in a language, by their English text; plural sentences have their forms in a list."""

    language: str
    languages: list[str]
    sentences: dict[str, str | list[str]]


class Games(BaseModel):
    """All that a lobby needs."""

    games: list[GameInfo]
    levels: list[LevelInfo]
    level: str
    lab: bool = False


class MoveOffer(BaseModel):
    """A legal move."""

    move: str
    sentence: str
    clicks: list[str]
    warning: str | None = Field(description="What the move gives up for good: ask before it is sent.")
    auto_answer: str | None = Field(
        description="What a person may ask to be answered for them from now on with this move."
    )
    taps: bool = Field(description="Whether choosing it is the tap for a draw: it is sent with a link.")


class EventSeen(BaseModel):
    """One thing that happened, for one caller, in their language."""

    number: int = Field(description="The line that brought it about.")
    kind: str
    who: int | None
    sentence: str
    shapes: list[str] = Field(description="The shapes of the board that move.")
    dice: list[int | str]
    drawn: list[str]
    sound: str | None = Field(description="What it sounds like: dice, slide, splash, caught, or nothing.")


class Step(EventSeen):
    """An event with the board after it."""

    svg: str


class LogLine(BaseModel):
    """A line of the record for one caller, told as events."""

    number: int
    by: int | Literal["chance"]
    bot: bool
    text: str = Field(description="The move or outcome as it is written; ? if it is hidden.")
    undo: int | None = Field(description="The position it goes back to, if a move was taken back.")
    hidden: bool = Field(description="Whether something in it is for others' eyes only.")
    events: list[EventSeen]
    dropped: bool


class PositionSeen(BaseModel):
    """A position for one caller."""

    number: int
    last: int
    turn: int | Literal["chance", "over"]
    svg: str
    words: str
    scores: list[int]
    winners: list[int]
    line: LogLine | None
    steps: list[Step]
    moves: list[MoveOffer]


class SeatSeen(BaseModel):
    """A seat as everybody sees it."""

    seat: int
    kind: str
    name: str
    yours: bool
    away: bool
    look: Look
    bot: str | None
    claimed: bool
    invited: bool = Field(description="Whether an invitation to the seat is open.")
    devices: int | None = Field(description="How many devices hold the caller's own seat.")
    status: str


class UndoOffer(BaseModel):
    """What an undo would do."""

    to: int
    free: bool
    sentence: str


class VoteSeen(BaseModel):
    """An open vote."""

    vote: int
    kind: Literal["undo", "takeover", "release"]
    by: int
    seat: int | None
    yes: list[int]
    open: list[int]
    sentence: str
    question: str
    waiting: str


class ScoreLine(BaseModel):
    """What is counted at the end: a value for each seat, or one for all together."""

    label: str
    values: list[str]


class ClockSeen(BaseModel):
    """The time for the present move, in seconds."""

    limit: int
    left: float


class RollSeen(BaseModel):
    """A roll, a flip or a draw that waits for a person's tap."""

    seat: int
    verb: str


class DiceSeen(BaseModel):
    """What a page needs for its part in the dice, and what it keeps to check them."""

    commitments: list[str] = Field(description="To the seeds of all epochs so far.")
    anchor: str | None = Field(description="Of the chain of the caller's seats.")
    tip: str | None = Field(description="The last link of it that was revealed, at first the anchor.")
    due: bool = Field(description="Whether the page is to add a link now, by itself.")
    least: int = Field(description="How many commitments a tap must know of.")
    open: bool = Field(description="Whether anybody's links are in the dice.")
    backed: bool = Field(description="Whether the caller's links count in what is drawn next.")
    again: bool = Field(description="Whether the next draw was made before, and taken back: it takes no link.")
    length: int = Field(description="How many lines and notes the record has.")
    digest: str = Field(description="The digest of the record.")


class TableSeen(BaseModel):
    """A table for one caller, but for the pictures."""

    version: int
    language: str
    table: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    number: int
    turn: int | Literal["chance", "over"]
    you: list[int]
    acting: int | None
    ask: int | None
    prompt: str
    ending: str | None
    score_lines: list[ScoreLine]
    words: str
    moves: list[MoveOffer]
    roll: RollSeen | None
    scores: list[int]
    winners: list[int]
    shared: bool = Field(description="Whether several have won who played against each other.")
    seats: list[SeatSeen]
    log: list[LogLine]
    outcome: EventSeen | None
    undo: UndoOffer | None
    votes: list[VoteSeen]
    rematch: str | None
    chance: bool
    dice: DiceSeen
    hints: bool
    takeover_after: int | None
    host: bool = Field(description="Whether the caller may invite others.")
    quiet: bool = Field(description="Whether nobody sends emotes here.")
    clock: ClockSeen | None


class State(TableSeen):
    """A table for one caller."""

    svg: str


class SeatInRecord(BaseModel):
    """Who played."""

    kind: str
    name: str


class AnchorInRecord(BaseModel):
    """A page committed to a chain, and then the server to a seed."""

    after: int
    seats: list[int]
    anchor: str | None = Field(description="null: a bot plays or rolls for these seats.")
    commitment: str


class LinkInRecord(BaseModel):
    """A page revealed a link."""

    after: int
    chain: int
    link: str
    epochs: int
    tap: bool


class RecordSeen(BaseModel):
    """A record as its caller may see it."""

    format: str
    table: str
    game: str
    rules: int = Field(description="The version of the game's rules.")
    players: int
    options: dict[str, bool | int | str]
    seats: list[SeatInRecord]
    commitment: str
    moves: list[str]
    by: list[int | Literal["chance"]]
    tickets: list[tuple[int, int, int] | None] = Field(
        description="For each outcome the first ticket that stands for it, how many do, and how many there are."
    )
    secret: list[int] = Field(description="The lines whose text is not in the digest, because not everybody saw them.")
    dice: list[AnchorInRecord | LinkInRecord]
    seeds: list[str] | None
    digest: str
    key: str
    signature: str


class PublicKey(BaseModel):
    """With which the server signs records."""

    key: str = Field(description="Ed25519, 32 bytes in hexadecimal digits.")


class ReviewedPosition(BaseModel):
    """What could be expected in a position, for each seat: from 0 (lost) to 1 (won alone)."""

    number: int
    chances: list[float]


class TurningPoint(BaseModel):
    """A move or an outcome that changed much."""

    number: int = Field(description="The position after it.")
    by: int | Literal["chance"]
    sentence: str
    before: list[float]
    after: list[float]


class ReviewedSeat(BaseModel):
    """Luck apart from skill, in parts of a win, with standard errors."""

    seat: int
    luck: float
    luck_error: float
    cost: float
    cost_error: float


class ReviewProgress(BaseModel):
    """How far a review is."""

    done: float = Field(description="From 0 to 1.")


class ReviewSeen(BaseModel):
    """A review of a finished game."""

    positions: list[ReviewedPosition]
    turning_points: list[TurningPoint]
    seats: list[ReviewedSeat]


def complaint(errors: list[Any]) -> str:
    """The first error of a check, as a sentence. What exactly is wrong with it is known in English only."""
    first = errors[0]
    if first["loc"][-2:-1] == ("seats",):
        return _("Seat {n} must be “here”, “link” or “bot:LEVEL”, such as “bot:2”.", n=first["loc"][-1])
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    if reader().language == ENGLISH:
        return f"{where + ': ' if where else ''}{first['msg']}."
    return _("This does not fit here: {where}.", where=where) if where else _("The server does not understand this.")
