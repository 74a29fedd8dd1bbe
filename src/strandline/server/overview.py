"""What goes on at the tables of a browser: for the cards of its lobby."""

import contextlib
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from strandline.server import models, waiting
from strandline.table import overview
from strandline.table.invitations import free_seats
from strandline.table.table import Refused

if TYPE_CHECKING:
    from strandline.server.hall import Hall


def add(app: FastAPI, hall: "Hall") -> None:
    """Add the addresses of the lobby's cards."""
    problems: dict[int | str, dict[str, Any]] = {
        code: {"model": models.Problem} for code in (400, 403, 404, 413, 422, 429)
    }

    @app.post("/api/tables/status", response_model=models.TablesStatus, responses=problems)
    async def status(asked: models.TablesAsked) -> Any:
        """What goes on at the tables that a browser remembers; those that no longer exist are left out."""
        touched = await waiting.read(hall.store.touched, [each.id for each in asked.tables])
        found = []
        for each in asked.tables:
            try:
                room = await hall.rooms.find(each.id) if each.id in touched else None
            except Refused:  # played by other rules, or damaged: its own page says so
                continue
            if room is not None:
                found.append({**overview.status(room.table, each.token), "touched": touched[each.id]})
        return {"tables": sorted(found, key=lambda each: -float(each["touched"]))}

    @app.get("/api/open", response_model=models.OpenTables, responses={429: problems[429]})
    async def open_tables() -> Any:
        """The tables that anybody may join, where the owner of the server allows any."""
        if not hall.settings.public:
            return {"enabled": False, "tables": []}
        found = []
        for name in await waiting.read(hall.store.open_tables):
            with contextlib.suppress(Refused):  # it cannot be opened
                room = await hall.rooms.find(name)
                if room is None:
                    continue
                free = [] if room.table.record.over else free_seats(room.table)
                if free:
                    found.append({**overview.card(room.table), "free": free})
                else:
                    hall.store.set_full(name)
        return {"enabled": True, "tables": found}
