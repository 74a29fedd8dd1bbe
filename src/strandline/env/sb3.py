"""Thousands of games at once for Stable-Baselines3: `VecGames("up_the_river", 128)`, for `MaskablePPO` and its like."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.env import arguments
from strandline.env.opponents import SELF
from strandline.env.vector import Array, VectorEnv


class VecGames(VecEnv):  # type: ignore[misc]
    """The vector environment as a `VecEnv`: scaled observations, masks, and games that begin anew in the same step.

    A game that is over leaves its last observation and its reward in its info, as `Monitor` does.
    """

    def __init__(self, name: str | Game, num_envs: int, players: int | None = None, **settings: Any) -> None:
        """That many games; the settings are those of `VectorEnv`, and the game's options."""
        if settings.get("opponents") == SELF:
            raise BadOptions("Stable-Baselines3 learns for one seat: opponents must be players, not 'self'.")
        for fixed in ("autoreset_mode", "copy", "masks"):
            if fixed in settings:
                raise BadOptions(f"Stable-Baselines3 leaves no choice of {fixed}: leave it out.")
        self.inner = VectorEnv(
            name, num_envs, players, **{"scaled": True, **settings}, autoreset_mode=AutoresetMode.SAME_STEP
        )
        self._next_seeds: list[int] | None = None
        self._actions: Any = None
        self._lengths = np.zeros(self.inner.num_envs, int)
        self.masks = self.inner.action_masks()
        self.render_mode = self.inner.render_mode
        super().__init__(self.inner.num_envs, self.inner.single_observation_space, self.inner.single_action_space)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The next reset begins with this seed, and those that follow it."""
        self._next_seeds = None if seed is None else arguments.seeds_from(seed, self.num_envs)
        return list(self._next_seeds) if self._next_seeds else [None] * self.num_envs

    def reset(self) -> Array:
        """Begin all games."""
        seen, infos = self.inner.reset(seed=self._next_seeds)
        self._next_seeds = None
        self._lengths[:] = 0
        self.masks = infos["action_mask"]
        return seen

    def step_async(self, actions: Array) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them."""
        seen, rewards, over, _, infos = self.inner.step(self._actions)
        self._lengths += 1
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over):
            told[i]["terminal_observation"] = infos["final_obs"][i]
            told[i]["episode"] = {"r": float(rewards[i]), "l": int(self._lengths[i])}
        self._lengths[over] = 0
        self.masks = infos["action_mask"]
        return seen, rewards.astype(np.float32), over, told

    def action_masks(self) -> Array:
        """The legal actions of each game."""
        return self.masks

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The masks of the games are all that can be asked of each."""
        if method_name != "action_masks":
            raise AttributeError(f"The games have no method {method_name!r}, only 'action_masks'.")
        return [self.masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Each game has masks."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """How boards are drawn is all that is known of each game."""
        if attr_name != "render_mode":
            raise AttributeError(f"The games have no attribute {attr_name!r}.")
        return [self.render_mode for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing can be set."""
        raise AttributeError(f"The games have no attribute {attr_name!r} that can be set.")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game has a wrapper; what `Monitor` would tell, infos have."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[Any]:
        """The boards as everybody may see them."""
        return list(self.inner.render() or ())

    def close(self) -> None:
        """End the games."""
        self.inner.close()
