"""A real scheduler and real workers, each a process of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

import strandline
from strandline.lab import cluster, running, study
from strandline.lab.study import PIECE, Setting, Store

GAME = strandline.game("up_the_river")


class Cluster:
    """A scheduler with workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        command = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        self.log = folder / "scheduler.log"
        self.scheduler = self.start(command, self.log)
        self.address = self.said(self.log, r"Scheduler at: +(tcp://\S+)")

    def start(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as file:
            return subprocess.Popen([sys.executable, "-m", "dask", *command], stdout=file, stderr=file, cwd=self.folder)

    def said(self, log: Path, pattern: str) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if found := re.search(pattern, log.read_text()):
                return found[1]
            time.sleep(0.02)
        raise AssertionError(log.read_text())

    def add_worker(self) -> None:
        log = self.folder / f"worker-{len(self.workers)}.log"
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60"]
        self.workers.append(self.start(["worker", self.address, *options], log))

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.stop()


def test_losing_a_worker_loses_nothing(machines: Cluster, tmp_path: Path) -> None:
    """One of two workers is killed in the middle. The rows are those that are played here."""
    settings = [Setting(GAME.new(players), ("random",), 20 * PIECE, 3, f"{players} players") for players in (2, 4)] + [
        Setting(GAME.new(2), ("1", "random"), 4, 3, "bots")
    ]
    machines.add_worker()
    machines.add_worker()
    done = 0

    def progress(games: int) -> None:
        nonlocal done
        done += games
        if done > 5 * PIECE and machines.workers[0].poll() is None:
            os.kill(machines.workers[0].pid, signal.SIGKILL)

    there = running.run(settings, tmp_path / "there", cluster=machines.address, progress=progress)
    assert machines.workers[0].wait() == -signal.SIGKILL
    assert done == sum(setting.games for setting in settings)
    here = running.run(settings, tmp_path / "here")
    for setting in settings:
        assert there.rows(setting).tobytes() == here.rows(setting).tobytes()


def test_a_cluster_with_other_sources_is_refused(
    machines: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.add_worker()
    monkeypatch.setattr(study, "sources", lambda game, is_compiled: "other")
    monkeypatch.setattr(cluster, "sources", lambda game, is_compiled: "other")
    with pytest.raises(strandline.BadOptions, match="another version of Strandline"):
        running.run([Setting(GAME.new(), ("random",), 10, 1)], tmp_path / "there", cluster=machines.address)
    assert not list(tmp_path.glob("there/pieces/*/*"))


def test_a_cluster_without_workers(machines: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = Client.wait_for_workers
    monkeypatch.setattr(Client, "wait_for_workers", lambda client, number, timeout: wait(client, number, timeout=0.1))
    with pytest.raises(strandline.BadOptions, match="has no workers"):
        running.run([Setting(GAME.new(), ("random",), 10, 1)], tmp_path / "there", cluster=machines.address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_no_cluster_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(strandline.BadOptions, match="No scheduler answers at"):
        running.run([Setting(GAME.new(), ("random",), 10, 1)], tmp_path, cluster=address)
    assert Store(tmp_path).missing([Setting(GAME.new(), ("random",), 10, 1)])
