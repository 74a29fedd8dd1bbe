"""`python -m tests.simulation --seed N`: play a simulation, or play it again."""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

DAY = 24 * 3600.0


def main() -> int:
    """Play one seed after another and say what they came to."""
    from samples import install
    from simulation.world import Failure, World

    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds are played, one after another")
    parser.add_argument("--hours", type=float, default=2.0, help="simulated hours, nights included")
    parser.add_argument("--servers", type=int, choices=(1, 2), default=1, help="servers on the same store")
    parser.add_argument("--trace", action="store_true", help="print every step")
    given = parser.parse_args()

    def tell(world: World) -> None:
        seconds = time.process_time() - began
        said = f"seed {world.seed}: {world.now / DAY:.1f} days, {seconds:.0f} s of one core"
        print(said, file=sys.stderr, flush=True)

    install()
    for seed in range(given.seed, given.seed + given.seeds):
        began = time.process_time()
        try:
            world = World(seed, given.servers, given.hours)
            world.telling = given.trace
            world.each_morning = tell
            print(f"seed {seed}: {world.run()}", flush=True)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
