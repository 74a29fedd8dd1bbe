"""Whatever goes wrong, nothing is lost, doubled, told to the wrong person, or stuck; any failure can be replayed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.world import Failure, World

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("seed", [1, 3])
def test_an_evening_of_faults(seed: int, servers: int) -> None:
    outcome = World(seed, servers, hours=2.0).run()
    assert outcome.answers > 100 and outcome.entries > 100


def test_a_seed_is_a_trace() -> None:
    """Also in another process, which gives other hashes to texts."""
    outcome = World(5, servers=2, hours=0.1).run()
    command = [sys.executable, "-m", "tests.simulation", "--seed", "5", "--servers", "2", "--hours", "0.1"]
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    again = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert f"{outcome.steps} steps, trace {outcome.digest[:16]}" in again.stdout
    assert World(6, servers=2, hours=0.1).run().digest != outcome.digest


def test_a_failure_says_how_to_see_it_again() -> None:
    world = World(5, hours=0.1)
    world.disk.committed = lambda: world.guard(lambda: 1 / 0)  # type: ignore[arg-type]
    with pytest.raises(
        Failure, match=r"seed 5, step \d+: python -m tests\.simulation --seed 5 --servers 1 --hours 0\.1"
    ):
        world.run()


@pytest.mark.slow
@pytest.mark.parametrize("servers", [1, 2])
def test_days_of_faults(servers: int) -> None:
    for seed in range(100, 105):
        World(seed, servers, hours=72).run()


@pytest.mark.slow
@pytest.mark.parametrize("month", range(1, 13))
def test_a_year_of_faults(month: int) -> None:
    """A month is long enough for tables to be put away and forgotten, and for seats to change devices without end.

    Three months of the year two servers share the store.
    """
    World(200 + month, servers=1 if month % 4 else 2, hours=8766 / 12).run()
