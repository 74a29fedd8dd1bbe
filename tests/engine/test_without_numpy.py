"""Playing needs neither NumPy nor a compiler: all that a table does is done where neither can be imported."""

import subprocess
import sys
from pathlib import Path

import strandline

BEFORE = """
import sys
ABSENT = "numpy", "numba", "llvmlite"
sys.modules.update(dict.fromkeys(ABSENT))  # whoever imports one of them fails
import strandline
"""
AFTER = """
assert all(sys.modules[name] is None for name in ABSENT)
print("played")
"""
EVERY_GAME = """
for name in strandline.games():
    game = strandline.game(name)
    position = game.new(max(game.seats)).play_random(60, 1)
    assert position.svg() and position.words()
    assert game.position(position.to_json()) == position == game.new(max(game.seats)).play_random(60, 1)
    while position.turn is not None:
        position = position.play_random(1, len(str(position)))
    assert position.moves() == []
"""
BOTS = """
from strandline import bots
from strandline.engine import speeds
from strandline.bots.tree import Tree

for name in strandline.games():
    game = strandline.game(name)
    position = game.new()
    while not isinstance(position.turn, int) or len(position.moves()) == 1:
        position = position.play_random(1)
    assert Tree(game, 10)._kernels.speed == "wasm"
    for bot in ("2", "search"):
        assert bots.bot(bot, game).choose(position, position.turn, 1) in position.moves()
    assert len(bots.analyse(position, position.turn, simulations=200)) == len(position.moves())
"""
SOLVED = """
from strandline import bots
game = strandline.game("up_the_river")
position = game.new(round_limit=3).play("roll 2")
assert bots.bot(5, game).choose(position, 0) in position.moves()
game, start = strandline.game("reef_route"), strandline.game("reef_route").new().play_random(20)
assert len(bots.review(start, [start.moves()[0]], simulations=50).chances) == 2
"""
TABLE = """
import asyncio, os
from strandline.cli import main
from strandline.server.app import create
from strandline.server.store import Store
from strandline.server.hall import Hall, Settings

class Watcher:  # games of bots pause while nobody looks on
    seats = frozenset()

    def wake(self):
        pass

async def play():
    store = Store(f"sqlite:///{os.environ['STRANDLINE_CACHE']}/tables.sqlite")
    assert create(store) is not None
    hall = Hall(store, Settings())
    made = await hall.make("undertow", {}, ["bot:1", "bot:2"])
    room = await hall.rooms.find(made.table.id)
    await hall.enter(room, Watcher())
    while room.table.number < 60 and not room.table.record.over:
        await asyncio.sleep(0.02)
    await hall.close()
    store.close()

asyncio.run(play())
rows = strandline.game("up_the_river").simulate(50, players=3, seed=1)
assert len(rows) == len(rows.scores) == len(rows["winners"]) == 50
assert all(any(won) and len(scores) == 3 for won, scores in zip(rows.winners, rows.scores))
assert min(rows.rounds) > 0 and sum(rows.steps) > sum(rows.decisions)
assert main(["simulate", "up_the_river", "--games", "50", "--json"]) == 0
assert main(["tournament", "reef_route", "--bots", "1,random", "--games", "2"]) == 0
"""


def run(program: str, folder: Path) -> None:
    environment = {"STRANDLINE_CACHE": str(folder), "PYTHONPATH": str(Path(strandline.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + program + AFTER], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0 and done.stdout.endswith("played\n") and not done.stderr, done.stderr


def test_every_game_is_played_and_drawn(tmp_path: Path) -> None:
    run(EVERY_GAME, tmp_path)


def test_bots_choose_and_say_what_moves_are_worth(tmp_path: Path) -> None:
    run(BOTS, tmp_path)


def test_perfect_play_and_reviews(tmp_path: Path) -> None:
    run(SOLVED, tmp_path)


def test_a_table_of_bots_and_the_commands(tmp_path: Path) -> None:
    run(TABLE, tmp_path)
