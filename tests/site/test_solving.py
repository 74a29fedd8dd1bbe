"""Level 5 on a site plays perfectly where a server's does."""

import asyncio
from typing import Any

import pytest

import strandline
from strandline.bots import bot
from strandline.engine.wasm.host import host
from strandline.site import searching, solving
from strandline.site.searching import BrowserThinkers, Unsolved

RIVER = strandline.game("up_the_river")


async def unreachable(*given: Any) -> Any:
    raise AssertionError("nobody is to be asked")


def thinkers(solve: searching.Solve) -> BrowserThinkers:
    return BrowserThinkers(unreachable, solve, unreachable, host())


def chosen(thinkers: BrowserThinkers, level: str, players: int = 2) -> str:
    position = RIVER.new(players=players).play("roll 2").play("sail 1").play("roll 4")
    return asyncio.run(thinkers.choose(position, 1, level))


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(self: searching.Searching, *position: Any) -> str:
        return "searched"

    monkeypatch.setattr(searching.Searching, "chosen", choose)


def test_the_answer_is_that_of_a_servers_bot() -> None:
    position = RIVER.new(players=2).play("roll 2").play("sail 1").play("roll 4")
    found = solving.answer(solving.question(position, 1, 7))
    assert found == bot("5", RIVER).choose(position, 1, 7)


@pytest.mark.usefixtures("searched")
def test_perfect_play_is_asked_for_where_there_is_one() -> None:
    asked = []

    async def solve(question: str) -> str:
        asked.append(question)
        return "sail 3"

    assert chosen(thinkers(solve), "5") == "sail 3" and len(asked) == 1
    assert {chosen(thinkers(unreachable), level) for level in ("4", "search", "6", "tidal")} == {"searched"}
    assert chosen(thinkers(unreachable), "5", players=3) == "searched"


@pytest.mark.usefixtures("searched")
def test_a_browser_that_cannot_solve_searches() -> None:
    async def solve(question: str) -> str:
        raise Unsolved("out of memory")

    assert chosen(thinkers(solve), "5") == "searched"
