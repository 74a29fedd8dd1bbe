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
from strandline.table.table import HERE, LINK, Setup, Table, hashed, named, new_id, new_token


@dataclass(frozen=True)
class Made:
    """A new table, with the tokens that are told only once."""

    table: Table
    tokens: list[str | None]

    def links(self) -> dict[str, Any]:
        """What the maker of the table is told."""
        watch = f"/table/{self.table.id}"
        links = [f"{watch}#{token}" if token else None for token in self.tokens]
        kinds = self.table.setup.header.kinds
        here = [link for kind, link in zip(kinds, links, strict=True) if kind == HERE]
        seats = [
            {"seat": seat, "kind": kind, "link": link}
            for seat, (kind, link) in enumerate(zip(kinds, links, strict=True))
        ]
        return {"id": self.table.id, "page": here[0] if here else watch, "watch": watch, "seats": seats}


def new_table(
    game: str,
    options: Mapping[str, Value],
    kinds: Sequence[str],
    names: Sequence[str | None] = (),
    hints: bool = True,
    takeover_after: int | None = None,
    salt: str = "",
    undo: bool = True,
) -> Made:
    """A new table, before its first entry. The engine's errors say what is wrong with game, options or seats."""
    seed = dice.new_seed()
    rules = strandline.game(game).facts.version
    header = Header(new_id(), game, options, tuple(kinds), dice.commitment(seed), salt, rules)
    tokens = _tokens(kinds)
    header = dataclasses.replace(header, options=header.start().options)
    hashes = tuple(hashed(token) if token else None for token in tokens)
    return Made(Table(Setup(header, seed, hashes, named(kinds, names), hints, takeover_after, undo)), tokens)


def _tokens(kinds: Sequence[str]) -> list[str | None]:
    """One token for all who sit here, one for each who comes by link, none for bots."""
    maker = new_token()
    return [maker if kind == HERE else new_token() if kind == LINK else None for kind in kinds]
