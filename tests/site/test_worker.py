"""A site's worker speaks with its pages as a server does: the same messages, and one answer to each."""

import asyncio
import json
from typing import Any, cast

import pytest

from conversation import check_told, fits
from strandline.site.searching import BrowserThinkers
from strandline.site.worker import Hall, Line
from strandline.table import dice, messages

SAID: dict[str, dict[str, Any]] = {
    "chain": {"anchor": dice.Chain(bytes(32)).anchor},
    "link": {"link": "0" * 64, "epochs": 0},
    "roll": {"number": 0},
    "move": {"move": "sail 1", "number": 0},
    "form": {"wide": True},
    "here": {"seat": 0, "number": 0},
    "undo": {"number": 0},
    "takeover": {"seat": 1},
    "vote": {"vote": 1, "seat": 0, "yes": True},
    "leave": {"seat": 0},
    "return": {"seat": 0},
    "name": {"seat": 0, "name": "Ada"},
    "invite": {"seat": 0},
    "withdraw": {"seat": 0},
    "release": {"seat": 0},
    "code": {},
    "emote": {"seat": 0, "emote": "hello"},
    "look": {"visible": False},
    "rematch": {},
    "hint": {"number": 9},
    "ways": {"shape": "boat-0-1", "number": 0},
    "why": {"shape": "boat-0-1"},
    "ping": {},
}


class Kept:
    """Rows in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self.entries: list[Any] = []

    async def load(self, table: str, after: int) -> str | None:
        if table not in self.tables:
            return None
        entries = [row for row in self.entries if row["table"] == table and row["number"] > after]
        return json.dumps({"table": self.tables[table], "entries": entries})

    async def list(self) -> str:
        return json.dumps(list(self.tables.values()))

    async def add(self, text: str) -> bool:
        rows = json.loads(text)
        self.tables |= {row["id"]: row for row in rows["tables"]}
        self.entries += rows["entries"]
        return True


async def answers(kinds: list[str]) -> list[dict[str, Any]]:
    """What a page is told after its hello and these messages, in that order."""
    hall = Hall(Kept(), cast(BrowserThinkers, None))
    made = await hall.make({"game": "up_the_river", "seats": ["here", "here"]})
    heard: list[dict[str, Any]] = []

    def tell(kind: str, told: dict[str, Any]) -> None:
        assert kind == "told"
        heard.append(check_told(told["text"]))

    line = Line(hall, made["id"], tell)
    hello = {"type": "hello", "token": made["page"].partition("#")[2], "pieces": True, "story": True}
    for number, message in enumerate([hello, *({"type": kind, **SAID[kind]} for kind in kinds)]):
        message["id"] = number
        assert fits(message)
        await line.hear(json.dumps(message))
    line.end()
    await hall.tasks.close()
    return heard


def test_all_messages_are_here() -> None:
    assert {"hello", *SAID} == set(messages.KINDS)


@pytest.mark.parametrize("kind", SAID)
def test_every_message_has_one_answer(kind: str) -> None:
    heard = asyncio.run(answers(["chain", kind]))
    assert sorted(message["re"] for message in heard if message.get("re") is not None) == [0, 1, 2]
