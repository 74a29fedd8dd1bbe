"""The simulation finds faults: planted one at a time, each is found within its minute."""

import re
import time

import pytest

from simulation.planted import PLANTED, Plant
from simulation.world import Failure, World

MINUTE = 60.0
FOUND = re.compile("\n(Broken|BadRecord): ")
"""An invariant does not hold, or a record refuses what does not follow."""


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(plant: Plant) -> None:
    began = time.process_time()
    for seed in range(1000):
        assert time.process_time() - began < MINUTE, f"{plant.__name__} was not found with {seed} seeds."
        try:
            with plant():
                World(seed, PLANTED[plant], hours=0.25).run()
        except Failure as failure:
            assert FOUND.search(str(failure))
            return
