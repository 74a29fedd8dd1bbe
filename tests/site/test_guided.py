"""Level 6 on a site chooses what a server's does."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import strandline
from strandline.bots import bot, network
from strandline.engine.position import Position
from strandline.engine.wasm.host import host
from strandline.site import searching
from strandline.site.build import tool
from strandline.site.searching import BrowserThinkers, Guided, Step, Unfetched

CASTLES = strandline.game("sand_castles")
SCRIPT = Path(__file__).with_name("guided.mjs")
BEGINNING = network.digest(CASTLES, 2)
"""What stands on a site for a network until it is fetched."""
SEED = 7


def with_choice(players: int, **options: int) -> Position:
    """A position with several moves, some way into a game."""
    position, number = CASTLES.new(players, **options), 0
    while position.turn == "chance" or len(position.moves()) < 4:
        position = position.play(position.moves()[number % len(position.moves())])
        number += 1
    return position


async def search(module: Any, steps: list[Step]) -> Callable[[int, int], bytes]:
    """Carries steps out here, as a worker does there."""
    memory = host().run(module)
    for step, *given in steps:
        getattr(memory, step)(*given)
    return memory.read


async def unreachable(*given: Any) -> Any:
    raise AssertionError("nobody is to be asked")


def seat_of(position: Position) -> int:
    assert isinstance(position.turn, int)
    return position.turn


@pytest.mark.parametrize("players", network.seats(CASTLES))
def test_the_choice_is_that_of_a_servers_bot(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("strandline.bots.registry", "strandline.site.searching"):
        monkeypatch.setattr(f"{module}.CHAMPION_SIMULATIONS", 400)
    position = with_choice(players)
    thinkers = BrowserThinkers(search, unreachable, unreachable, host())
    chosen = asyncio.run(Guided(CASTLES, thinkers).chosen(position, seat_of(position), SEED))
    assert chosen == bot(6, CASTLES).choose(position, seat_of(position), SEED)


def test_a_network_is_fetched_when_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.site.searching.CHAMPION_SIMULATIONS", 50)
    real = network.file
    (tmp_path / "2.bin").write_bytes(BEGINNING)
    monkeypatch.setattr(network, "file", lambda game, players: tmp_path / f"{players}.bin")
    network.network.cache_clear()
    asked = []

    async def fetch(name: str) -> None:
        asked.append(name)
        shutil.copy(real(CASTLES, 2), tmp_path / "2.bin")

    position = with_choice(2)
    thinkers = BrowserThinkers(search, unreachable, fetch, host())
    for _ in range(2):
        assert asyncio.run(thinkers.choose(position, seat_of(position), "6")) in position.moves()
    assert asked == ["champion.sand_castles.2"]


def test_without_its_network_and_with_other_options_it_searches_as_level_5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "file", lambda game, players: tmp_path / f"{players}.bin")
    (tmp_path / "2.bin").write_bytes(BEGINNING)
    levels = []

    async def choose(self: searching.Searching, *position: Any) -> str:
        levels.append(self.budget.simulations)
        return "searched"

    async def fetch(name: str) -> None:
        raise Unfetched(name)

    monkeypatch.setattr(searching.Searching, "chosen", choose)
    position = with_choice(2)
    other = with_choice(2, max_rounds=5)
    for start, how in ((position, fetch), (other, unreachable)):
        thinkers = BrowserThinkers(unreachable, unreachable, how, host())
        assert asyncio.run(thinkers.choose(start, seat_of(start), "6")) == "searched"
    assert levels == [searching.Searching(CASTLES, 5, thinkers).budget.simulations] * 2


def test_the_python_of_a_browser_chooses_the_same(built: Path) -> None:
    """The archives of the site, in the interpreter of the site, run by Node."""
    position = with_choice(2)
    asked = json.dumps({"position": position.to_json(), "seat": position.turn, "seed": SEED})
    done = subprocess.run([tool("node"), str(SCRIPT), str(built), asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {
        "fetched": ["champion.sand_castles.2"],
        "chosen": bot(6, CASTLES).choose(position, seat_of(position), SEED),
    }
