"""Bots of other packages fail in ways of their own. The table goes on all the same, and the log says why."""

import functools
from collections.abc import Iterator

import pytest

from server.helpers import Player, Running, get, make, token_of
from strandline.server import lobby, thinkers
from strandline.server.store import Store
from strandline.table import levels

MODULE = """
import os, sys, time

class Bad:
    def __init__(self, game):
        pass

class Cheating(Bad):
    def choose(self, position, seat, seed=0):
        return "sail 9"

class Wordless(Bad):
    def choose(self, position, seat, seed=0):
        return lambda: None

class Raising(Bad):
    def choose(self, position, seat, seed=0):
        raise LookupError("no map")

class Leaving(Bad):
    def choose(self, position, seat, seed=0):
        sys.exit("I give up")

class Dying(Bad):
    def choose(self, position, seat, seed=0):
        os._exit(3)

class Sleeping(Bad):
    def choose(self, position, seat, seed=0):
        time.sleep(3600)
"""
FAILURES = {
    "cheating": "it answers 'sail 9', which is not a legal move",
    "wordless": "it answers <function",
    "raising": "LookupError: no map",
    "leaving": "SystemExit: I give up",
    "dying": "its process has ended",
    "sleeping": "it has not answered within 2 seconds",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the bots installed."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "bad_bots.py").write_text(MODULE)
    info = folder / "bad_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-bots\nVersion: 1\n")
    points = "".join(f"{name} = bad_bots:{name.title()}\n" for name in FAILURES)
    (info / "entry_points.txt").write_text(f"[strandline.bots]\n{points}missing = bad_bots:Missing\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for module, name in ((levels, "levels"), (lobby, "games")):  # what this process has found so far
            patch.setattr(module, name, functools.cache(getattr(module, name).__wrapped__))
        store = Store(f"sqlite:///{folder / 'tables.sqlite'}")
        running = Running(store)
        yield running
        running.stop()
        store.close()


@pytest.mark.parametrize("name", [*FAILURES, "missing"])
def test_a_table_goes_on(
    server: Running, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot of level 2 plays on in its stead, for the rest of the game; whoever looks at the seat sees that."""
    if name == "sleeping":
        monkeypatch.setattr(thinkers, "PATIENCE_S", 2.0)
    table = make(server.host, "up_the_river", ["here", f"bot:{name}"], options={"round_limit": 12})
    with Player(server.host, table["id"], token_of(table["page"])) as person:
        while person.until(lambda state: state["turn"] in (0, "over"))["turn"] == 0:
            assert person.move()["type"] == "state"
        seat = person.state["seats"][1]
    assert seat["kind"] == f"bot:{name}" and seat["bot"] == levels.DEFAULT
    again, given_up = dict.fromkeys(said for said in caplog.messages if said.startswith(f"The bot {name} "))
    failure = f"The bot {name} has failed: {FAILURES.get(name, 'AttributeError')}"
    assert again.startswith(failure) and again.endswith("It is asked again.")
    assert given_up.startswith(failure) and given_up.endswith("A bot of level 2 plays on.")
    assert 1 in get(server.host, f"/api/tables/{table['id']}/record")["by"]
