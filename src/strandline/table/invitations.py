"""Who may invite, sit down, and be let go: commands at a table, like those of `Table` itself."""

from __future__ import annotations

from collections.abc import Collection

from strandline.engine.words import Words, seat_name
from strandline.table.table import Entry, Kind, Refused, Setup, Step, Table, turned

_ = Words(__file__)

MOST_DEVICES = 8
"""Devices that one seat may have."""


def hosts(table: Table) -> set[int]:
    """The seats whose persons invite others: those at the maker's screen, or everybody where nobody is there."""
    claimed = table.devices.claimed()
    return {seat for seat in claimed if table.setup.header.kinds[seat] == "here"} or claimed


def free_seats(table: Table) -> list[int]:
    """The seats of persons that nobody has claimed."""
    return sorted(table.all_persons() - table.devices.claimed())


def invite(table: Table, seats: Collection[int], seat: int, invitation: str) -> list[Step]:
    """Invite somebody to a free seat, or another device of one's own to all that this one holds."""
    table.check_seat(seat)
    table.check_remarks()
    if seat in seats:
        return [Step(Entry(Kind.INVITE, each, invitation)) for each in sorted(seats)]
    _check_host(table, seats)
    if seat not in free_seats(table):
        raise Refused("state", _("{name}’s seat is taken.", name=seat_name(seat)))
    return [Step(Entry(Kind.INVITE, seat, invitation))]


def withdraw(table: Table, seats: Collection[int], seat: int) -> list[Step]:
    """Take an invitation back."""
    table.check_seat(seat)
    table.check_remarks()
    if seat not in seats:
        _check_host(table, seats)
        if seat in table.devices.claimed():  # then it is the person's own, for another device
            raise Refused("seat", _("That seat is not yours."))
    invitation = table.devices.invitations.get(seat)
    if invitation is None:
        raise Refused("state", _("There is no open invitation to this seat."))
    return [Step(Entry(Kind.WITHDRAW, each)) for each in table.devices.invited(invitation)]


def claim(table: Table, invitation: str, key: str, name: str | None = None) -> list[Step]:
    """Sit down by invitation. Whoever has just done so and asks again has what they want."""
    if table.devices.used.get(invitation) == key and table.devices.seats_of(key):
        return []
    seats = table.devices.invited(invitation)
    if not seats:
        raise Refused("invitation", _("This invitation has been used or taken back. Ask for a new one."))
    return _seated(table, seats, key, invitation, name)


def sit(table: Table, seat: int | None, key: str, name: str | None = None) -> list[Step]:
    """Sit down without an invitation, where that is allowed: on a free seat, or on the first one."""
    free = free_seats(table)
    if not free:
        raise Refused("state", _("All seats at this table are taken."))
    if seat is not None and seat not in free:
        table.check_seat(seat)
        raise Refused("state", _("{name}’s seat is taken.", name=seat_name(seat)))
    return _seated(table, [free[0] if seat is None else seat], key, "", name)


def let_go_others(table: Table, seats: Collection[int], seat: int, key: str) -> list[Step]:
    """Disconnect all other devices of one's own seat."""
    table.check_own(seats, seat)
    others = [other for other in table.devices.of(seat) if other != key]
    if not others:
        raise Refused("state", _("No other device holds this seat."))
    return [Step(Entry(Kind.RELEASE, seat, other)) for other in others]


def let_go(table: Table, seats: Collection[int], seat: int, present: Collection[int]) -> list[Step]:
    """Ask whether somebody's lost devices shall be let go, so that the seat is free. Those who are present decide."""
    table.check_seat(seat)
    voters = sorted(table.persons() & set(seats) - {seat})
    if not voters:
        raise Refused("seat", _("Only the others at the table can ask for that."))
    if seat not in table.devices.claimed():
        raise Refused("state", _("Nobody holds this seat."))
    if seat in present:
        raise Refused("state", _("{name} was here not long ago. Please wait.", name=seat_name(seat)))
    others = (table.persons() & set(present)) - {seat, voters[0]}
    return [table.ask("release", voters[0], seat, others)] if others else table.released(seat)


def seated_again(table: Table, setup: Setup) -> list[Step]:
    """At a rematch everybody's devices sit down again, one seat further."""
    begun = Table(setup).devices
    held = [frozenset(table.devices.of(seat)) for seat in range(table.players)]
    return [
        Step(Entry(Kind.CLAIM, seat, f"{key} "))
        for seat, keys in enumerate(turned(held))
        for key in sorted(keys)
        if seat not in begun.seats_of(key)
    ]


def _seated(table: Table, seats: Collection[int], key: str, invitation: str, name: str | None) -> list[Step]:
    if any(len(table.devices.of(seat)) >= MOST_DEVICES for seat in seats):
        raise Refused("state", _("This seat already has {n} devices. Disconnect one first.", n=MOST_DEVICES))
    steps = [Step(Entry(Kind.CLAIM, seat, f"{key} {invitation}")) for seat in seats]
    return [*steps, *table.rename(seats, min(seats), name)] if name else steps


def _check_host(table: Table, seats: Collection[int]) -> None:
    if not hosts(table) & set(seats):
        raise Refused("seat", _("Only those who made the table can invite others."))
