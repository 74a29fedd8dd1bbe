"""The vector environment in TorchRL: a rollout of masked random actions, as a TensorDict.

python examples/torchrl_rollout.py
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import torch
from gymnasium.vector import AutoresetMode
from torchrl.envs.libs.gym import GymWrapper

from strandline.env.gymnasium import vector


def main(arguments: Sequence[str] | None = None) -> Any:
    """Play so many steps in so many games. Returns the rollout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="up_the_river", help="default up_the_river")
    parser.add_argument("--desks", type=int, default=64, help="games at a time (default 64)")
    parser.add_argument("--steps", type=int, default=100, help="of each game (default 100)")
    args = parser.parse_args(arguments)
    games = vector(args.game, args.desks, scaled=True, autoreset_mode=AutoresetMode.SAME_STEP)
    env = GymWrapper(games, categorical_action_encoding=True)

    def choose(*_: Any) -> Any:
        return torch.multinomial(torch.as_tensor(games.action_masks(), dtype=torch.float32), 1).squeeze(-1)

    found = env.rollout(args.steps, choose, break_when_any_done=False)
    over, rewards = found["next", "done"].sum(), found["next", "reward"].mean()
    print(f"{found.numel():,} steps, {int(over):,} games over, mean reward {float(rewards):+.4f}")
    return found


if __name__ == "__main__":
    main()
