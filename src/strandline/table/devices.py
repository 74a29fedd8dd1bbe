"""Which devices sit at a table. A device is known by the hash of its key, and holds one seat or several."""

from __future__ import annotations

from collections.abc import Sequence


class Devices:
    """The keys that hold seats, and the invitations that are open."""

    def __init__(self, tokens: Sequence[str | None]) -> None:
        self.keys: dict[str, set[int]] = {}
        self.invitations: dict[int, str] = {}
        """The hash of each seat's open invitation."""
        self.used: dict[str, str] = {}
        """By whose key an invitation was used up."""
        for seat, token in enumerate(tokens):
            if token is not None:
                self.keys.setdefault(token, set()).add(seat)

    def seats_of(self, key: str) -> frozenset[int]:
        """The seats that a device holds."""
        return frozenset(self.keys.get(key, ()))

    def claimed(self) -> set[int]:
        """The seats that some device holds."""
        return {seat for seats in self.keys.values() for seat in seats}

    def of(self, seat: int) -> list[str]:
        """The keys of the devices that hold a seat."""
        return [key for key, seats in self.keys.items() if seat in seats]

    def invited(self, invitation: str) -> list[int]:
        """The seats that an invitation is for; none if it has been used up or taken back."""
        return sorted(seat for seat, known in self.invitations.items() if known == invitation)

    # What happens

    def invite(self, seat: int, invitation: str) -> None:
        """An invitation to a seat; the one before does not hold any more."""
        self.invitations[seat] = invitation

    def withdraw(self, seat: int) -> None:
        """The invitation to a seat is taken back."""
        self.invitations.pop(seat, None)

    def claim(self, seat: int, key: str, invitation: str) -> None:
        """A device takes a seat, and with it the invitation is used up."""
        self.keys.setdefault(key, set()).add(seat)
        self.invitations.pop(seat, None)
        if invitation:
            self.used[invitation] = key

    def release(self, seat: int, key: str) -> None:
        """A device holds a seat no longer."""
        left = self.keys.get(key, set()) - {seat}
        if left:
            self.keys[key] = left
        else:
            self.keys.pop(key, None)
