"""Every game as a Gymnasium environment in which one seat learns: `gymnasium.make("strandline/UpTheRiver-v0")`.

Importing this module registers the games. `vector` makes thousands of games at once, and so does `gymnasium.make_vec`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from strandline.bots import bot
from strandline.engine.discovery import game as find
from strandline.engine.discovery import games
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.env import drivers, rendering
from strandline.env.batch import Batch
from strandline.env.vector import Array, Infos, VectorEnv, learner

NAMESPACE = "strandline"


class Env(gymnasium.Env[Array, np.int64]):
    """A game in which one seat learns. The other seats are bots: "random", or of a level, or installed by name.

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
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """A game with its options; `seat` None is a seat that is drawn anew for each game."""
        game = find(name) if isinstance(name, str) else name
        if render_mode not in (None, *rendering.MODES):
            raise BadOptions(f"render_mode must be one of {', '.join(rendering.MODES)}, not {render_mode!r}.")
        start = game.new(players, **options)
        self._learner = learner(game, start.players, seat)
        self._bot = None if opponents == "random" else bot(opponents, game)
        self._batch = Batch(start, 1, drivers.EVERY if self._bot else self._learner)
        self._seat = 0
        self.space = self._batch.space
        self.render_mode = render_mode
        self.observation_space = spaces.Box(self.space.low, self.space.high, dtype=np.int8)
        self.action_space = spaces.Discrete(self.space.actions)

    @property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self._batch.position(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Infos]:
        """Begin a game: that of the seed, or the next one after it."""
        super().reset(seed=seed)
        self._batch.reset(None if seed is None else [seed])
        self._begin()
        while self._batch.over[0]:  # before the learner had anything to decide
            self._batch.reset()
            self._begin()
        return self._shown()

    def _begin(self) -> None:
        """See which seat learns, and let the bots before it move."""
        self._seat = self._batch.learning_seat(0, self._learner)
        self._let_bots_move()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, Infos]:
        """Make a move, and all that chance and the others do after it."""
        self._batch.step(np.array([action]))
        self._let_bots_move()
        observation, infos = self._shown()
        return observation, float(self._batch.rewards[0, self._seat]), bool(self._batch.over[0]), False, infos

    def _let_bots_move(self) -> None:
        while self._bot and not self._batch.over[0] and self._batch.seats[0] != self._seat:
            move = self._bot.choose(self.position, int(self._batch.seats[0]), int(self.np_random.integers(2**31)))
            self._batch.step(np.array([self.space.texts.index(move)]))

    def _shown(self) -> tuple[Array, Infos]:
        if self.render_mode == "human":
            self.render()
        return self._batch.look(0, self._seat), {"action_mask": self.action_masks(), "seat": self._seat}

    def action_masks(self) -> Array:
        """Which actions are legal: 1 or 0 for each; all are 1 when the game is over."""
        return np.array(self._batch.masks[0])

    def render(self) -> Any:
        """The board as the learning seat may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("Nothing is shown: name a render_mode when you make the environment.")
            return None
        return rendering.render(self.position, self._seat, self.render_mode)


def vector(name: str | Game, num_envs: int, players: int | None = None, **settings: Any) -> VectorEnv:
    """So many games at once; the settings are those of `VectorEnv`, and the game's options."""
    return VectorEnv(name, num_envs, players, **settings)


def identifier(name: str) -> str:
    """The id under which a game is registered, as `strandline/UpTheRiver-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in name.split('_'))}-v0"


def _register() -> None:
    for name in games():
        gymnasium.register(
            identifier(name),
            entry_point="strandline.env.gymnasium:Env",
            vector_entry_point="strandline.env.vector:VectorEnv",
            kwargs={"name": name},
        )


_register()
