"""What a browser keeps: a row for each table and one for each entry, in IndexedDB."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any, Protocol

from strandline.table.document import entry_from_json, entry_to_json, setup_from_json, setup_to_json
from strandline.table.table import Entry, Setup


class Rows(Protocol):
    """The browser's side: rows as JSON. See `web/worker.js`."""

    async def load(self, table: str, after: int) -> str | None:
        """A table and its entries after number `after`."""

    async def list(self) -> str:
        """The id of each table, the key of this browser's seats there, and when it was made."""

    async def add(self, text: str) -> bool:
        """New tables and entries, all or none; False if there are others in their places."""


class Store:
    """The tables of this browser."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def load(self, table: str, after: int = 0) -> tuple[Setup, Sequence[Entry]] | None:
        """A table and its entries after number `after`; None if there is no such table."""
        text = await self._rows.load(table, after)
        if text is None:
            return None
        found = json.loads(text)
        return setup_from_json(found["table"]["setup"]), [entry_from_json(row["entry"]) for row in found["entries"]]

    async def list(self) -> Sequence[dict[str, Any]]:
        """The `id` of each table, the `key` of this browser's seats there, and when it was `made`, the newest first."""
        return sorted(json.loads(await self._rows.list()), key=lambda row: -float(row["made"]))

    async def create(self, setup: Setup, first: Sequence[Entry], key: str | None) -> bool:
        """A new table with its first entries; False if there is one with that id."""
        return await self._add([(setup, key)], _rows(setup.header.table, 0, first))

    async def append(self, table: str, after: int, new: Sequence[Entry]) -> bool:
        """Add entries after number `after`; False if another tab has added others in that place."""
        return await self._add([], _rows(table, after, new))

    async def rematch(self, table: str, after: int, new: Sequence[Entry], setup: Setup, first: Sequence[Entry]) -> bool:
        """A new table and the entry that leads to it, both or neither."""
        keys = {row["id"]: row["key"] for row in await self.list()}
        return await self._add(
            [(setup, keys[table])], [*_rows(table, after, new), *_rows(setup.header.table, 0, first)]
        )

    async def _add(self, setups: Sequence[tuple[Setup, str | None]], entries: Sequence[dict[str, Any]]) -> bool:
        made = 1000 * time.time()
        tables = [
            {"id": setup.header.table, "setup": setup_to_json(setup), "key": key, "made": made} for setup, key in setups
        ]
        return bool(await self._rows.add(json.dumps({"tables": tables, "entries": entries})))


def _rows(table: str, after: int, new: Sequence[Entry]) -> Sequence[dict[str, Any]]:
    return [
        {"table": table, "number": number, "entry": entry_to_json(entry)} for number, entry in enumerate(new, after + 1)
    ]
