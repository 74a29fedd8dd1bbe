"""The vector environment's kernels, as far as they can be judged without a GPU: made, and playing the same games."""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import strandline
from stand_in import local_array
from strandline import Game
from strandline.engine import binding, records
from strandline.env import cuda, drivers, kernels, resident, training
from strandline.env.batch import DESK, Batch

NUMBER = 3


FLAGS = np.dtype([(n, DESK[n].base.str.replace("|b1", "|i1"), DESK[n].shape) for n in DESK.names or ()], align=True)
"""A desk with bytes in place of booleans, which interpreted records do not have."""


def plain(item: Any) -> Any:
    """An argument for interpreted code."""
    if not getattr(item, "dtype", np.dtype("i4")).names:
        return item
    return records.view(item.view(FLAGS) if item.dtype == DESK else item)


class StandIn:
    """Games that are stepped by the kernels as ordinary Python, one thread after another."""

    def __init__(self, batch: Batch, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads = itertools.count()
        local = SimpleNamespace(array=local_array)
        stand_in = SimpleNamespace(grid=lambda _: next(self.threads), local=local)
        with monkeypatch.context() as patch:
            patch.setattr(kernels, "cuda", stand_in)
            self.kernels = binding.Binder(batch.space.game.rules, None).bind(kernels)
        self.mode, self.space = mode, batch.space
        self.start, self.states = batch._start.copy(), batch._states.copy()
        self.desks = np.zeros(NUMBER, DESK)
        self.desks["seed"] = np.arange(NUMBER)
        self.desks["learner"], self.desks["alone"] = batch._desks["learner"], batch._desks["alone"]
        self.desks["due"] = True
        arrays = (batch.seen, batch.masks, batch.lists, batch.rewards)
        self.seen, self.masks, self.lists, self.rewards = (np.zeros_like(a, order="F") for a in arrays)
        self.over = np.zeros(NUMBER, bool)
        self.run("reset", self.start, self.states, self.desks)
        self.show()

    def run(self, name: str, *arguments: Any) -> None:
        self.threads = itertools.count()
        given = [plain(item) for item in arguments]
        for _ in range(NUMBER + 2):  # blocks are full: some threads have no game
            getattr(self.kernels, name)(*given)

    def step(self, actions: Any) -> None:
        arrays = (self.start, self.states, self.desks, self.space.codes, actions, self.masks.T.reshape(-1))
        self.run("step", *arrays, self.rewards.T.reshape(-1), self.over, self.mode)
        self.show()

    def show(self) -> None:
        self.seen[:] = 0
        flat = (array.T.reshape(-1) for array in (self.seen, self.masks, self.lists))
        self.run("show", self.states, self.desks, self.space.slots, *flat)


@pytest.mark.parametrize("mode", [drivers.NEXT_STEP, drivers.SAME_STEP], ids=["next", "same"])
@pytest.mark.parametrize("learner", [drivers.EVERY, drivers.ANY], ids=["every", "any"])
def test_kernels_play_as_the_cpu_does(game: Game, learner: int, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(game.new(game.seats[-1]), NUMBER, learner, mode=mode)
    batch.reset(range(NUMBER))
    other = StandIn(batch, mode, monkeypatch)
    for step in range(12):
        listed = [row[:n].tolist() for row, n in zip(batch.lists, batch.listed, strict=True)]
        assert listed == [row[:n].tolist() for row, n in zip(other.lists, other.desks["listed"], strict=True)]
        for name in ("seen", "masks", "over"):
            assert (getattr(batch, name) == getattr(other, name)).all(), name
        assert np.allclose(batch.rewards, other.rewards)
        assert (batch._states == other.states).all()
        actions = np.array([-1 if step == 9 and i == 1 else row[step % len(row)] for i, row in enumerate(listed)])
        batch.step(actions)
        other.step(actions)


@pytest.mark.slow
def test_a_folder_has_all_that_is_needed(tmp_path: Path) -> None:
    pytest.importorskip("numba_cuda", reason="needs the extra 'cuda'")
    cuda.write(strandline.game("up_the_river").new(), tmp_path, (8, 0))
    about = json.loads((tmp_path / "about.json").read_text())
    assert (about["game"], about["players"], about["actions"], about["features"]) == ("up_the_river", 2, 12, 106)
    assert resident.desk_dtype(about) == DESK
    for name in ("reset", "step", "show"):
        text = (tmp_path / f"{name}.ptx").read_text()
        assert ".target sm_80" in text and text.count(".visible .entry") == 1
    for module in (resident, training):
        assert (tmp_path / Path(str(module.__file__)).name).read_text() == Path(str(module.__file__)).read_text()
    assert {*np.load(tmp_path / "tables.npz")} == {"codes", "hope", "scale", "slots"}


def test_words_that_must_agree() -> None:
    """What plays where the GPU is knows nothing of Strandline."""
    for name in ("NEXT_STEP", "SAME_STEP", "ANY", "EVERY"):
        assert getattr(resident, name) == getattr(drivers, name)
