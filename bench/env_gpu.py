"""Vectorized environments on a GPU: are they the CPU's, step by step, without copies, and how fast are they?

python bench/env_gpu.py make DIR    where Strandline is: kernels, and what the CPU's environment shows
python bench/env_gpu.py run DIR     where a GPU is, with CuPy, NumPy and PyTorch: the table, as Markdown
"""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

CHECKED, STEPS = 64, 120
"""Games and steps that are compared in every number that is seen."""
NUMBERS = (1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24)
"""Games at once when time counts; fewer where memory is short."""
SECONDS = 2.0


def action(lists: Any, listed: Any, step: int) -> Any:
    """Which legal action is played: the same on both sides."""
    rows = np.arange(len(listed))
    return lists[rows, (step * 7 + rows * 3) % listed].astype(np.int64)


def make(folder: Path) -> None:
    """Write all that the other machine needs."""
    import strandline
    from strandline.env import cuda, drivers
    from strandline.env.batch import Batch

    for name in strandline.games():
        start = strandline.game(name).new()
        began = time.perf_counter()
        cuda.write(start, folder / name)
        batch = Batch(start, CHECKED, drivers.EVERY, mode=drivers.SAME_STEP)
        batch.reset(range(CHECKED))
        seen: dict[str, list[Any]] = {key: [] for key in ("seen", "masks", "rewards", "over", "seats", "actions")}
        for step in range(STEPS):
            for key in ("seen", "masks", "rewards", "over", "seats"):
                seen[key].append(getattr(batch, key).copy())
            seen["actions"].append(action(batch.lists, batch.listed, step))
            batch.step(seen["actions"][-1])
        arrays: dict[str, Any] = {key: np.array(rows) for key, rows in seen.items()}
        np.savez_compressed(folder / name / "expected.npz", **arrays)
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)


def run(folder: Path) -> None:
    """Compare and measure."""
    import cupy
    import torch

    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"| game | same steps | same memory in PyTorch | games at once | steps/s, {device} | steps alone |")
    print("|---|---|---|---|---|---|", flush=True)
    for about in sorted(folder.glob("*/about.json")):
        sys.path.insert(0, str(about.parent))
        resident = importlib.import_module("resident")
        sys.path.pop(0)
        name = json.loads(about.read_text())["game"]
        games = resident.Games(about.parent, CHECKED)
        same = compared(games, np.load(about.parent / "expected.npz"))
        shared = all(
            torch.from_dlpack(array).data_ptr() == array.data.ptr
            for array in (games.seen, games.masks, games.lists, games.rewards)
        )
        number, chosen, alone = fastest(resident, about.parent)
        told = f"{same} of {STEPS} | {'yes' if shared else 'no'} | {number:,} | {chosen:.2e} | {alone:.2e}"
        print(f"| {name} | {told} |", flush=True)


def compared(games: Any, expected: Any) -> int:
    """In how many steps everything was as the CPU's environment had shown it."""
    import cupy

    games.reset(seed=0)
    same = 0
    for step in range(STEPS):
        here = {key: cupy.asnumpy(getattr(games, key)) for key in ("seen", "masks", "rewards", "over", "seats")}
        same += all(np.allclose(here[key], expected[key][step], rtol=1e-6, atol=1e-6) for key in here)
        games.step(cupy.asarray(expected["actions"][step]))
    return same


def fastest(resident: Any, folder: Path) -> tuple[int, float, float]:
    """The number of games at once with the most steps a second, and these: with random legal actions chosen, alone."""
    found = (0, 0.0, 0.0)
    for number in NUMBERS:
        try:
            chosen, alone = speed(resident.Games(folder, number))
        except MemoryError:
            break
        if alone > found[2]:
            found = (number, chosen, alone)
    return found


def speed(games: Any) -> tuple[float, float]:
    """Steps a second with everything written, once with the choice of random legal actions and once without."""
    import cupy

    choose = cupy.ElementwiseKernel(
        "raw int32 lists, int32 listed, float32 u, int32 room, int64 number", "int64 action",
        "int n = min(listed, room); action = lists[number * min((int)(u * n), n - 1) + i]", "choose",
    )  # fmt: skip
    games.reset(seed=1)
    room, in_memory = games.lists.shape[1], games.lists.T.ravel()

    def actions() -> Any:
        u = cupy.random.random(games.number, dtype=np.float32)
        return choose(in_memory, games.listed, u, np.int32(room), np.int64(games.number))

    for _ in range(20):
        games.step(actions())
    spent = alone = 0.0
    steps = 0
    while spent < SECONDS:
        marks = [cupy.cuda.Event() for _ in range(3)]
        marks[0].record()
        given = actions()
        marks[1].record()
        games.step(given)
        marks[2].record()
        marks[2].synchronize()
        spent += cupy.cuda.get_elapsed_time(marks[0], marks[2]) / 1000
        alone += cupy.cuda.get_elapsed_time(marks[1], marks[2]) / 1000
        steps += games.number
    return steps / spent, steps / alone


if __name__ == "__main__":
    {"make": make, "run": run}[sys.argv[1]](Path(sys.argv[2]))
