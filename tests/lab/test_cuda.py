"""Games on a GPU, with a stand-in for it, and what is said where there is none."""

import json
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import strandline
from stand_in import play_on_cpu
from strandline.cli import main
from strandline.engine import ptx, simulation
from strandline.lab import cuda, kernels, launcher, rows


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are played by the CPU."""

    def kernel(game: strandline.Game, kernel: FunctionType, arguments: Any, what: str) -> Any:
        def play(start: Any, seed: int, first: int, number: int, row: Any, *tables: Any) -> Any:
            return play_on_cpu(monkeypatch, game, kernel, start, seed, first, *tables, np.zeros(number, row))

        return SimpleNamespace(play=play)

    monkeypatch.setattr(cuda, "_kernel", kernel)


@pytest.mark.usefixtures("stand_in")
def test_studies_have_the_same_rows_on_every_device(game: strandline.Game) -> None:
    start = game.new(game.seats[-1])
    policies = [0, 1]
    expected, found = (rows.play(start, policies, 3, 50, 2, device) for device in ("cpu", "cuda"))
    assert expected.dtype == found.dtype and expected.tobytes() == found.tobytes()


@pytest.mark.usefixtures("stand_in")
def test_simulate_has_the_same_totals_on_every_device(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "BATCH", 8)
    told = []
    for device in ("cpu", "cuda"):
        assert main(["simulate", "up_the_river", "--games", "20", "--seed", "4", "--json", "--device", device]) == 0
        told.append(json.loads(capsys.readouterr().out))
        del told[-1]["seconds"]
    assert told[0] == told[1]


@pytest.mark.parametrize("command", (["simulate"], ["lab", "--games", "10"]))
def test_without_a_gpu(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def nothing_here() -> None:
        raise launcher.NoGPU("no GPU or no driver was found")

    monkeypatch.setattr(launcher, "capability", nothing_here)
    monkeypatch.setattr(cuda, "find_spec", lambda name: name)
    monkeypatch.chdir(tmp_path)
    assert main([command[0], "up_the_river", *command[1:], "--device", "cuda"]) == 2
    assert "--device cuda needs an NVIDIA GPU: no GPU or no driver was found." in capsys.readouterr().err


@pytest.mark.parametrize("command", (["simulate", "reef_route", "--device", "cuda"], ["ptx", "reef_route"]))
def test_without_the_extra(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    cuda._kernel.cache_clear()
    assert main(command) == 2
    assert "needs the extra 'cuda'. Install it with: pip install 'strandline[cuda]'" in capsys.readouterr().err


def test_an_unknown_capability(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ptx", "reef_route", "--capability", "1.1"]) == 2
    assert "--capability must be one of 7.5, 8.0," in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", [n if n == "up_the_river" else pytest.param(n, marks=pytest.mark.slow) for n in strandline.games()]
)
def test_the_kernel_for_studies_is_made(name: str) -> None:
    pytest.importorskip("numba_cuda", reason="needs the extra 'cuda'")
    game = strandline.game(name)
    arguments = (game.rules.STATE.dtype, int, int, np.dtype("i4"), rows.row_dtype(game))
    assert ptx.kept(game.rules, kernels.play, arguments, (9, 0)).read_text().count(".visible .entry") == 1


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel's file whose games a stand-in plays, and their totals beside it."""
    start = strandline.game("reef_route").new(3, predators="ssml")
    monkeypatch.setattr(cuda, "_check_extra", lambda *_: None)
    empty = tmp_path / "empty.ptx"
    empty.write_text("")
    monkeypatch.setattr(ptx, "kept", lambda *_: empty)
    cuda.write(start, tmp_path / "reef.ptx", "9.0")

    def kernel(file: Path) -> Any:
        def play(record: Any, seed: int, first: int, number: int, row: Any) -> Any:
            played = np.zeros(number, simulation.row_layout(max(start.game.seats)).dtype)
            states, works = np.zeros(1, game.STATE), np.zeros(1, game.WORK)
            start.game.compiled().simulate(record.view(game.STATE), states, works, seed, first, played)
            return played.view(row)

        game = start.game.rules
        return SimpleNamespace(play=play)

    monkeypatch.setattr(launcher, "Kernel", kernel)
    monkeypatch.setattr(launcher, "BATCH", 150)
    return tmp_path / "reef.ptx"


def test_the_launcher_counts_as_simulate_does(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate = ["simulate", "reef_route", "--players", "3", "--option", "predators=ssml", "--games", "400", "--json"]
    assert main(simulate) == 0
    expected = written.with_suffix(".json")
    expected.write_text(capsys.readouterr().out)
    assert launcher.main([str(written), "--games", "400", "--check", str(expected)]) == 0
    assert "The same as there." in capsys.readouterr().err
    assert launcher.main([str(written), "--games", "400", "--seed", "1", "--check", str(expected)]) == 1
    said = capsys.readouterr().err
    assert "Not the same. seed: 1 here, 0 there" in said and "Not the same. wins: " in said


def test_the_launcher_refuses_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.ptx"
    other.write_text(".version 8.0\n")
    assert launcher.main([str(other)]) == 2
    assert "was not written by 'strandline ptx'" in capsys.readouterr().err


def test_arrays_as_kernels_take_them() -> None:
    memory = SimpleNamespace(size=96, data=SimpleNamespace(ptr=4096))
    assert launcher.words(memory, 32) == [0, 0, 3, 32, 4096, 3, 32]
