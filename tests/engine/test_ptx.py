"""Kernels for GPUs, as far as they can be judged without one: made, small, and playing the games."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import strandline
from stand_in import play_on_cpu
from strandline.engine import cache, kernels, ptx, simulation

LARGEST = 400_000
"""The text of a kernel is not longer. With loops unrolled it was up to three times as long, and four times slower."""


@pytest.mark.slow
def test_the_kernel_is_made_and_small(game: strandline.Game, tmp_path: Path) -> None:
    """In a process where nothing has been compiled before, by the command for it."""
    pytest.importorskip("numba_cuda", reason="needs the extra 'cuda'")
    file = tmp_path / "kernel.ptx"
    command = [sys.executable, "-m", "strandline", "ptx", game.name, "--capability", "8.0", "--out", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = file.read_text()
    assert ".target sm_80" in text and text.count(".visible .entry") == 1
    assert "call" not in text.split(".visible .entry")[1], "the rules are part of the kernel"
    assert len(text) < LARGEST
    assert (tmp_path / "launch.py").exists()


@pytest.mark.slow
def test_the_kernel_plays_the_same_games(game: strandline.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    check_same_games(game, monkeypatch)


def test_the_kernel_of_a_small_game_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    check_same_games(strandline.game("up_the_river"), monkeypatch)


def check_same_games(game: strandline.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    start, row = game.new(), simulation.row_layout(max(game.seats)).dtype
    expected = np.zeros(3, row)
    states, works = np.zeros(1, game.rules.STATE), np.zeros(1, game.rules.WORK)
    game.compiled().simulate(start.records(), states, works, 7, 100, expected)
    played = play_on_cpu(monkeypatch, game, kernels.simulate, start.records(), 7, 100, np.zeros(3, row))
    assert played.tobytes() == expected.tobytes()


def test_jumps_back_are_marked() -> None:
    module = "\n".join(
        (
            "define i32 @f() {",
            "entry:",
            "  br label %B1",
            "B1:",
            '  br i1 %c, label %B1, label %"B2.if"',
            '"B2.if":',
            "  br label %B3",
            "B3:",
            '  br i1 %c, label %"B2.if", label %B4',
            "B4:",
            "  ret i32 0",
            "}",
            "define i32 @g() {",
            "  br label %B1",
            "B1:",
            "  ret i32 0",
            "}",
        )
    )
    lines = ptx.without_unrolling(module).split("\n")
    marked = [number for number, line in enumerate(lines) if line.endswith(", !llvm.loop !9000")]
    assert marked == [4, 8]
    assert [line.removesuffix(", !llvm.loop !9000") for line in lines[: module.count("\n") + 1]] == module.split("\n")


def test_memory_of_a_threads_own_is_not_cleared() -> None:
    """Numba would: tens of kilobytes for each step of a game."""
    lines = (
        "define void @f() {",
        '  %"_cudapy_lmem.1" = alloca [1 x [39872 x i8]], align 16',
        '  store [1 x [39872 x i8]] zeroinitializer, [1 x [39872 x i8]]* %"_cudapy_lmem.1"',
        '  %"key" = alloca [2 x i64]',
        '  store [2 x i64] zeroinitializer, [2 x i64]* %"key"',
        "  ret void",
        "}",
    )
    assert ptx.without_clearing("\n".join(lines)).split("\n") == [*lines[:2], *lines[3:]]


def test_a_kept_kernel_is_made_anew_when_kernels_are_made_in_another_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba_cuda", reason="needs the extra 'cuda'")
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    rules = strandline.game("up_the_river").rules
    found = []
    for way in ("one way", "one way", "another"):
        (tmp_path / "ptx.py").write_text(way)
        monkeypatch.setattr(ptx, "__file__", str(tmp_path / "ptx.py"))
        monkeypatch.setattr(ptx, "text", lambda *_, way=way: way)
        found.append(ptx.kept(rules, kernels.simulate, (rules.STATE.dtype, int, int), (9, 0)))
    assert found[0] == found[1] != found[2]
    assert found[2].read_text() == "another"
