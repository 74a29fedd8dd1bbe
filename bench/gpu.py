"""Random games on a GPU beside one core of a CPU: are they the same, and how fast are they?

python bench/gpu.py make DIR    where Strandline is: kernels, the first games of the CPU, and its speed
python bench/gpu.py run DIR     where a GPU is, with CuPy and NumPy alone: the table, as Markdown
"""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

CHECKED = 1 << 14
"""Games that are compared row by row."""
STEPS = 1_000_000_000
"""How many steps a measurement has, about."""
REPEATS = 5
SEED = 2026


def make(folder: Path) -> None:
    """Write all that the other machine needs."""
    import shutil

    import strandline
    from strandline.engine import ptx, simulation
    from strandline.lab import cuda, kernels, rows

    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}
    for name in strandline.games():
        game = strandline.game(name)
        start, row, policies = game.new(), simulation.row_layout(max(game.seats)).dtype, np.array([0, 1], np.int32)
        cuda.write(start, folder / f"{name}.ptx", "9.0")
        arguments = (game.rules.STATE.dtype, int, int, policies.dtype, rows.row_dtype(game))
        shutil.copyfile(ptx.kept(game.rules, kernels.play, arguments, (9, 0)), folder / f"{name}.lab.ptx")
        states, works = np.zeros(1, game.rules.STATE), np.zeros(1, game.rules.WORK)
        played = np.zeros(CHECKED, row)
        play = game.compiled().simulate
        play(start.records(), states, works, SEED, 0, played[:1])
        began = time.process_time()
        play(start.records(), states, works, SEED, 0, played)
        steps = int(played["steps"].sum())
        found[name] = {"title": game.title, "mean": steps / CHECKED, "cpu": steps / (time.process_time() - began)}
        np.save(folder / f"{name}.npy", played)
        np.save(folder / f"{name}.lab.npy", rows.play(start, policies.tolist(), SEED, 0, CHECKED))
        print(name, found[name], flush=True)
    (folder / "games.json").write_text(json.dumps(found))


def run(folder: Path) -> None:
    """Compare and measure."""
    import cupy

    sys.path.insert(0, str(folder))
    launch = importlib.import_module("launch")

    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"| game | same games | steps/s, {device} | games/s | same study rows | steps/s | CPU core, steps/s | × |")
    print("|---|---|---|---|---|---|---|---|")
    for name, about in json.loads((folder / "games.json").read_text()).items():
        start = launch.record(launch.header(folder / f"{name}.ptx")["start"])
        games = int(STEPS / about["mean"]) >> 16 << 16
        told = []
        for file, tables in ((f"{name}", ()), (f"{name}.lab", (np.array([0, 1], np.int32),))):
            kernel, expected = launch.Kernel(folder / f"{file}.ptx"), np.load(folder / f"{file}.npy")
            played = kernel.play(start, SEED, 0, CHECKED, expected.dtype, *tables)
            same = int((played == expected).sum())
            random = [np.zeros_like(table) for table in tables]
            seconds, steps = measured(launch, kernel, start, games, expected.dtype, random)
            told += [f"{same:,} of {CHECKED:,}", steps / seconds, games / seconds]
        print(
            f"| {about['title']} | {told[0]} | {told[1]:.2e} | {told[2]:.2e} | {told[3]} | {told[4]:.2e} "
            f"| {about['cpu']:.2e} | {told[1] / about['cpu']:,.0f} |",
            flush=True,
        )


def measured(
    launch: Any, kernel: Any, start: Any, games: int, row: np.dtype[np.void], tables: Any
) -> tuple[float, float]:
    """The median seconds for that many games, once all is in the memory of the GPU, and the mean of their steps."""
    import cupy

    times, steps = [], []
    at = dict(row.fields or {})["steps"][1] // 4
    for repeat in range(REPEATS + 1):
        rows = cupy.zeros(games * row.itemsize, np.uint8)
        given = launch.on_device(start), tuple(map(launch.on_device, tables))
        began, ended = cupy.cuda.Event(), cupy.cuda.Event()
        began.record()
        kernel.launch(given[0], SEED, repeat * games, (rows, row.itemsize), *given[1])
        ended.record()
        ended.synchronize()
        times.append(cupy.cuda.get_elapsed_time(began, ended) / 1000)
        steps.append(int(rows.view(np.int32).reshape(games, -1)[:, at].sum(dtype=np.int64)))
    return float(np.median(times[1:])), float(np.mean(steps[1:]))  # the first one warms up


if __name__ == "__main__":
    {"make": make, "run": run}[sys.argv[1]](Path(sys.argv[2]))
