"""How a table is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import strandline
from strandline.engine.vocabulary import Value
from strandline.table import dice
from strandline.table.record import Header
from strandline.table.table import (
    HERE,
    LINK,
    Agreements,
    Entry,
    Kind,
    Setup,
    Step,
    Table,
    hashed,
    named,
    new_id,
    new_token,
)


@dataclass(frozen=True)
class Made:
    """A new table, with what is told only once."""

    table: Table
    token: str
    """The key of the maker's device, which holds all seats there."""
    invitations: dict[int, str]
    """An invitation for each seat that somebody else shall claim."""

    def sent(self) -> list[Step]:
        """The invitations, as the table's first entries."""
        return [Step(Entry(Kind.INVITE, seat, hashed(sent))) for seat, sent in self.invitations.items()]

    def links(self) -> dict[str, Any]:
        """What the maker of the table is told."""
        watch = f"/table/{self.table.id}"
        kinds = self.table.setup.header.kinds
        own = f"{watch}#{self.token}"
        seats = [
            {"seat": seat, "kind": kind, "link": own if kind == HERE else self._invitation(seat)}
            for seat, kind in enumerate(kinds)
        ]
        return {"id": self.table.id, "page": own if HERE in kinds else watch, "watch": watch, "seats": seats}

    def _invitation(self, seat: int) -> str | None:
        return invitation_link(self.table.id, self.invitations[seat]) if seat in self.invitations else None


def invitation_link(table: str, invitation: str) -> str:
    """The path of an invitation. The secret is in the fragment, which browsers keep to themselves."""
    return f"/table/{table}#invite={invitation}"


def new_table(
    game: str,
    options: Mapping[str, Value],
    kinds: Sequence[str],
    names: Sequence[str | None] = (),
    hints: bool = True,
    takeover_after: int | None = None,
    undo: bool = True,
    agreements: Agreements | None = None,
) -> Made:
    """A new table, before its first entry. The engine's errors say what is wrong with game, options or seats."""
    seed = dice.new_seed()
    rules = strandline.game(game).facts.version
    header = Header(new_id(), game, options, tuple(kinds), dice.commitment(seed), rules)
    header = dataclasses.replace(header, options=header.start().options)
    token, invited = new_token(), {seat: new_token() for seat, kind in enumerate(kinds) if kind == LINK}
    hashes = tuple(hashed(token) if kind == HERE else None for kind in kinds)
    table = Table(
        Setup(header, seed, hashes, named(kinds, names), hints, takeover_after, undo, agreements or Agreements())
    )
    return Made(table, token, invited)
