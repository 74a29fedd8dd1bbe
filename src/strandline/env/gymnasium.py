"""Every game as a Gymnasium environment in which one seat learns: `gymnasium.make("strandline/UpTheRiver-v0")`.

Importing this module registers the games. `vector` makes thousands of games at once, and so does `gymnasium.make_vec`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from strandline.engine.discovery import game as find
from strandline.engine.discovery import games
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.env import arguments, drivers, rendering
from strandline.env.batch import Batch
from strandline.env.opponents import SELF
from strandline.env.spaces import has_space
from strandline.env.vector import Array, Infos, VectorEnv, learner, observation_box

NAMESPACE = "strandline"


class Env(gymnasium.Env[Array, np.int64]):
    """A game in which one seat learns. The others are bots: "random", "guided", of a level, or installed by name.

    An action that is not legal loses the game: it gives -1 and ends it.
    """

    metadata: dict[str, Any] = {"render_modes": list(rendering.MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        *,
        opponents: str | int = "random",
        seat: int | None = 0,
        scaled: bool = False,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """A game with its options; `seat` None is a seat that is drawn anew for each game.

        With `scaled`, observations are `float32` from -1 to 1.
        """
        game = name if isinstance(name, Game) else find(name)
        if render_mode not in (None, *rendering.MODES):
            raise BadOptions(f"render_mode must be one of {', '.join(rendering.MODES)}, not {render_mode!r}.")
        if opponents == SELF:
            raise BadOptions("Here one seat learns: use the vector environment or PettingZoo's for self-play.")
        start = arguments.start(game, players, options)
        self._batch = Batch(start, 1, learner(game, start.players, seat), opponents=opponents, mode=drivers.DISABLED)
        self.space = self._batch.space
        self.scaled = scaled
        self.render_mode = render_mode
        self.observation_space = observation_box(self.space, scaled)
        self.action_space = spaces.Discrete(self.space.actions)

    @property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self._batch.position(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Infos]:
        """Begin a game: that of the seed, or the next one after it."""
        found = None if seed is None else arguments.checked_seed(seed)
        super().reset(seed=found)
        self._batch.reset(None if found is None else [found])
        return self._shown()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Infos]:
        """Make a move, and all that chance and the others do after it."""
        if not self._batch.has_begun or self._batch.over[0]:
            raise ResetNeeded("There is no game, or it is over: call reset before the next step.")
        seat = self._batch.seats[0]
        self._batch.step(arguments.single(action, self.space.actions))
        observation, infos = self._shown()
        return observation, float(self._batch.rewards[0, seat]), bool(self._batch.over[0]), False, infos

    def _shown(self) -> tuple[Array, Infos]:
        if self.render_mode == "human":
            self.render()
        seen = self._batch.seen[0]
        infos = {"action_mask": self.action_masks(), "seat": int(self._batch.seats[0])}
        return self.space.scaled(seen) if self.scaled else seen.copy(), infos

    def action_masks(self) -> Array:
        """Which actions are legal: 1 or 0 for each; when the game is over none counts, and the first is 1."""
        return np.array(self._batch.masks[0])

    def render(self) -> Any:
        """The board as the learning seat may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("Nothing is shown: name a render_mode when you make the environment.")
            return None
        return rendering.render(self.position, int(self._batch.seats[0]), self.render_mode)


def vector(name: str | Game, num_envs: int, players: int | None = None, **settings: Any) -> VectorEnv:
    """That many games at once; the settings are those of `VectorEnv`, and the game's options."""
    return VectorEnv(name, num_envs, players, **settings)


def identifier(name: str) -> str:
    """The id under which a game is registered, as `strandline/UpTheRiver-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in name.split('_'))}-v0"


def _register() -> None:
    for name in filter(lambda name: has_space(find(name)), games()):
        gymnasium.register(
            identifier(name),
            entry_point="strandline.env.gymnasium:Env",
            vector_entry_point="strandline.env.vector:VectorEnv",
            kwargs={"name": name},
        )


_register()
