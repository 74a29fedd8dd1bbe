"""Who is at the tables: on this server, and as far as the store knows on others."""

import time

from strandline.server import waiting
from strandline.server.rooms import Room, Rooms
from strandline.server.store import Store
from strandline.table.room import Guest

PRESENT_S = 60.0
"""How long a person counts as present after a server has last said so."""


class Presence:
    """The persons at all open tables."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms

    def enter(self, room: Room, guest: Guest) -> None:
        """A connection begins."""
        room.guests.add(guest)
        if guest.seats:
            self._mark(room, guest.seats, time.time() + PRESENT_S)

    def depart(self, room: Room, guest: Guest) -> bool:
        """A connection has ended; whether with it somebody is gone."""
        room.guests.discard(guest)
        gone = guest.seats - room.here()
        if gone:
            self._mark(room, gone, time.time())
        return bool(gone)

    def _mark(self, room: Room, seats: frozenset[int], until: float) -> None:
        room.present_until.update(dict.fromkeys(seats, until))
        self._store.mark_present([(room.table.id, seat) for seat in seats], until)

    async def renew(self, now: float) -> None:
        """Say again that those who are connected are present."""
        places = []
        for room in self._rooms.all():
            due = [seat for seat in room.here() if room.present_until.get(seat, now) < now + PRESENT_S / 2]
            room.present_until.update(dict.fromkeys(due, now + PRESENT_S))
            places += [(room.table.id, seat) for seat in due]
        if places:
            await waiting.done(self._store.mark_present(places, now + PRESENT_S))

    async def look_around(self) -> list[Room]:
        """See who is connected to other servers; the rooms where that has changed."""
        if not self._store.shared:
            return []
        rooms = [room for room in self._rooms.all() if room.guests]
        found = await waiting.read(self._store.presence, [room.table.id for room in rooms])
        changed = []
        for room in rooms:
            room.present_until.update(found.get(room.table.id, {}))
            before, room.met = room.met, room.present()
            if room.met != before:
                changed.append(room)
        return changed

    async def absent_for(self, room: Room, seat: int, now: float) -> float:
        """For how many seconds a person has been gone, 0 while they are present."""
        if self._store.shared:
            room.present_until.update(await waiting.read(self._store.present_until, room.table.id))
        return 0.0 if seat in room.present() else now - room.present_until.get(seat, now)
