"""A trained policy as a bot: what `examples/train_up_the_river.py` saved, played with NumPy alone.

The file is the one that the environment variable STRANDLINE_POLICY names, or `policy.npz` in the current folder.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import strandline
from strandline.bots.views import guesses
from strandline.env import space

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {"tanh": np.tanh, "relu": lambda values: np.maximum(values, 0)}


class PolicyBot:
    """A bot that makes the move its network likes best."""

    def __init__(self, game: strandline.Game) -> None:
        """The policy in the file, which must have been trained on the game."""
        file = Path(os.environ.get("STRANDLINE_POLICY", "policy.npz"))
        try:
            self.arrays = dict(np.load(file))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it holds no arrays"
            raise strandline.BadOptions(
                f"The bot has no policy to play from: {file} cannot be read ({reason})."
                " Train one, and name its file in STRANDLINE_POLICY."
            ) from None
        if self.arrays["game"] != game.name:
            raise strandline.BadOptions(f"The policy in {file} plays {self.arrays['game']}, not {game.name}.")
        self.game = game
        self.space = space(game, int(self.arrays["players"]))

    def choose(self, position: strandline.Position | Mapping[str, Any], seat: int, seed: int = 0) -> str:
        """The legal move that the network likes best; there is no chance in it, so the seed does not matter."""
        here = guesses(self.game, position, seat, seed)[0]  # what the seat cannot see does not reach the network
        if here.players != self.space.players:
            raise strandline.BadOptions(f"The policy plays with {self.space.players} seats, not with {here.players}.")
        look = self.space.observe if len(self.arrays["scale"]) == self.space.size else self.space.look_into
        liking = self.liking(look(here, seat))
        return self.space.texts[max(map(self.space.action, here.codes()), key=lambda action: liking[action])]

    def liking(self, observation: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """What the network says to each action."""
        values = observation / self.arrays["scale"]
        activation = ACTIVATIONS[str(self.arrays["activation"])]
        for number in range(sum(name.startswith("weights") for name in self.arrays)):
            if number > 0:
                values = activation(values)
            values = values @ self.arrays[f"weights_{number}"] + self.arrays[f"biases_{number}"]
        return np.asarray(values)
