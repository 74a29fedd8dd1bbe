"""Thousands of games at once as a Gymnasium vector environment, stepped by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as Base
from gymnasium.vector.utils import batch_space

from strandline.engine import checks
from strandline.engine.discovery import game as find
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.env import drivers, rendering
from strandline.env.batch import Batch

Array = np.ndarray[Any, Any]
Infos = dict[str, Any]


def learner(game: Game, players: int, seat: int | None) -> int:
    """The place of a learner for the drivers: a seat, or one that is drawn anew for each game."""
    if seat is None:
        return drivers.ANY
    if type(seat) is not int or not 0 <= seat < players:
        raise BadOptions(f"seat must be from 0 to {players - 1}, or None for any, not {checks.shown(seat)}.")
    return seat


class VectorEnv(Base[Array, Array, Array]):
    """So many games of one kind, each with its own seed; one that is over begins anew with the next step.

    One seat learns and the others move at random, or with `opponents="self"` each step is that of the next seat to
    decide, whoever it is. Infos: `action_mask`, `seat` (whose observation it is) and `rewards` (of all seats).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "autoreset_mode": AutoresetMode.NEXT_STEP,
        "render_modes": [mode for mode in rendering.MODES if mode != "human"],
        "render_fps": 2,
    }

    def __init__(
        self,
        name: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        *,
        opponents: Literal["random", "self"] = "random",
        seat: int | None = 0,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """Games with their options. Without `copy` each step overwrites the arrays that the last one returned."""
        game = find(name) if isinstance(name, str) else name
        if opponents not in ("random", "self"):
            raise BadOptions(f"opponents must be 'random' or 'self', not {checks.shown(opponents)}.")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions(f"render_mode must be one of {', '.join(self.metadata['render_modes'])}.")
        for what, number in (("num_envs", num_envs), ("threads", threads)):
            if type(number) is not int or number < 1:
                raise BadOptions(f"{what} must be a whole number from 1 on, not {checks.shown(number)}.")
        start = game.new(players, **options)
        who = drivers.EVERY if opponents == "self" else learner(game, start.players, seat)
        self._batch = Batch(start, num_envs, who, threads)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._all = np.ones(num_envs, bool)
        self.space = self._batch.space
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = spaces.Box(self.space.low, self.space.high, dtype=np.int8)
        self.single_action_space = spaces.Discrete(self.space.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Infos]:
        """Begin new games: with seeds, with the seed and those that follow it, or the next ones after those before.

        The option `reset_mask` marks those that begin anew, if not all do.
        """
        super().reset(seed=seed if seed is None or isinstance(seed, int) else seed[0])
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise BadOptions(f"There must be a seed for each of the {self.num_envs} games, not {len(seeds)}.")
        self._batch.reset(seeds, (options or {}).get("reset_mask"))
        return self._given(self._batch.seen), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Infos]:
        """Play an action in each game. The reward is that of the seat whose action it was."""
        seats = self._batch.seats.copy()
        self._batch.step(np.asarray(actions))
        rewards = self._batch.rewards[self._rows, seats]
        over = self._batch.over.copy()
        return self._given(self._batch.seen), rewards, over, np.zeros(self.num_envs, bool), self._infos()

    def position(self, i: int) -> Position:
        """The position of a game, with all that is hidden."""
        return self._batch.position(i)

    def render(self) -> tuple[Any, ...] | None:
        """The boards as everybody may see them."""
        if self.render_mode is None:
            return None
        return tuple(rendering.render(self.position(i), None, self.render_mode) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._batch.close()

    def _infos(self) -> Infos:
        infos = {
            "action_mask": self._given(self._batch.masks),
            "seat": self._batch.seats.copy(),
            "rewards": self._batch.rewards.copy(),
        }
        return infos | {f"_{name}": self._all.copy() for name in infos}

    def _given(self, array: Array) -> Array:
        """An array for the caller: a copy, or the array itself, only to be read."""
        if self._copy:
            return array.copy()
        shown = array.view()
        shown.flags.writeable = False
        return shown
