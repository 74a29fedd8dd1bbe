"""Emotes pass through a server and are not kept."""

from strandline.engine.words import Words
from strandline.server.limits import Buckets
from strandline.server.rooms import Room, Rooms
from strandline.server.store import Store
from strandline.table import emotes
from strandline.table.table import Refused

_ = Words(__file__)

EMOTES, BURST_S = 0.25, 12.0
"""Emotes a second that one seat may send on average: three at once, then one every four seconds."""


class Emotes:
    """What the people at all tables say to each other."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms
        self._sent = Buckets(EMOTES, BURST_S)

    def send(self, room: Room, seats: frozenset[int], seat: int, emote: str) -> None:
        """Say it to everybody at the table, here and at other servers."""
        emotes.check(room.table, seats, seat, emote)
        if not self._sent.take(f"{room.table.id} {seat}"):
            raise Refused("rate", _("Let the others get a word in."))
        _call(room, seat, emote)
        self._store.tell(room.table.id, f"emote {seat} {emote}")

    def heard(self, table: str, seat: int, emote: str) -> None:
        """Somebody has said it at another server."""
        for room in self._rooms.known([table]):
            _call(room, seat, emote)


def _call(room: Room, seat: int, emote: str) -> None:
    room.call({"type": "emote", "seat": seat, "emote": emote})
