"""Vectorized environments: thousands of games at once for Gymnasium, stepped by compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import repr as shown
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as Base
from gymnasium.vector.utils import batch_space

from strandline.engine.discovery import game as find
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.env import arguments, drivers, rendering
from strandline.env.batch import Batch
from strandline.env.opponents import RANDOM, SELF
from strandline.env.spaces import Space

Array = np.ndarray[Any, Any]
Infos = dict[str, Any]
MODES = {
    AutoresetMode.NEXT_STEP: drivers.NEXT_STEP,
    AutoresetMode.SAME_STEP: drivers.SAME_STEP,
    AutoresetMode.DISABLED: drivers.DISABLED,
}


def learner(game: Game, players: int, seat: int | None) -> int:
    """The place of a learner for the drivers: a seat, or one that is drawn anew for each game."""
    if seat is None:
        return drivers.ANY
    found = arguments.whole(seat)
    if found is None or not 0 <= found < players:
        raise BadOptions(f"seat must be from 0 to {players - 1}, or None for any, not {shown(seat)}.")
    return found


def sample(infos: Infos, rng: np.random.Generator) -> Array:
    """A random legal action of each game, from the lists: much faster than from masks where there are many actions."""
    number = infos["legal_count"]
    return np.asarray(infos["legal_actions"][np.arange(len(number)), (rng.random(len(number)) * number).astype(int)])


class VectorEnv(Base[Array, Array, Array]):
    """Many games of one kind, each with its own seed.

    One seat learns and the others move at random, guided by hints, or as bots; with `opponents="self"` each step is
    that of the next seat to decide, whoever it is. Infos: `action_mask`, `legal_actions` (of which the first
    `legal_count` count), `seat` (whose observation it is) and `rewards` (of all seats).
    """

    def __init__(
        self,
        name: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        *,
        opponents: str | int = RANDOM,
        seat: int | None = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        scaled: bool = False,
        masks: bool = True,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """Games with their options.

        With `scaled`, observations are `float32` from -1 to 1. Without `masks`, infos have the lists of legal actions
        only. Without `copy` each step overwrites the arrays that the last one returned.
        """
        game = name if isinstance(name, Game) else find(name)
        modes = [mode for mode in rendering.MODES if mode != "human"]
        if render_mode not in (None, *modes):
            raise BadOptions(f"render_mode must be one of {', '.join(modes)}, not {render_mode!r}.")
        num_envs, threads = arguments.count(num_envs, "num_envs"), arguments.count(threads, "threads")
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(f"'{mode.value}'" for mode in MODES)
            raise BadOptions(f"autoreset_mode must be one of {known}, not {shown(autoreset_mode)}.") from None
        start = arguments.start(game, players, options)
        who = drivers.EVERY if opponents == SELF else learner(game, start.players, seat)
        self._batch = Batch(start, num_envs, who, threads, opponents=opponents, mode=MODES[mode])
        self._copy = copy
        self._masks = masks
        self._rows = np.arange(num_envs)
        self._all = np.ones(num_envs, bool)
        self.space = self._batch.space
        self._floats = np.zeros(self._batch.seen.shape, np.float32) if scaled else None
        self.autoreset_mode = mode  # where TorchRL looks for it
        self.metadata = {"autoreset_mode": mode, "render_modes": modes, "render_fps": 2}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = observation_box(self.space, scaled)
        self.single_action_space = spaces.Discrete(self.space.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Infos]:
        """Begin new games: with seeds, with the seed and those that follow it, or the next ones after those before.

        The option `reset_mask` marks those that begin anew, if not all do.
        """
        seeds = self._seeds(seed)
        super().reset(seed=None if seeds is None else seeds[0])
        self._batch.reset(seeds, _reset_mask(options))
        return self._seen(), self._infos()

    def _seeds(self, seed: Any) -> list[int] | None:
        if seed is None:
            return None
        listed = isinstance(seed, Sequence) and not isinstance(seed, (str, bytes))
        if not listed and not (isinstance(seed, np.ndarray) and seed.ndim):
            return arguments.seeds_from(seed, self.num_envs)
        if len(seed) != self.num_envs:
            raise BadOptions(f"There must be a seed for each of the {self.num_envs} games, not {len(seed)}.")
        return [arguments.checked_seed(one) for one in seed]

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Infos]:
        """Play an action in each game. The reward is that of the seat whose action it was."""
        seats = self._batch.seats.copy()
        self._batch.step(actions)
        rewards = self._batch.rewards[self._rows, seats]
        over = self._batch.over.copy()
        infos = self._infos()
        if self._batch.mode == drivers.SAME_STEP and over.any():
            infos |= self._last(over)
        return self._seen(), rewards, over, np.zeros(self.num_envs, bool), infos

    def _last(self, over: Array) -> Infos:
        """What was seen last of the games that began anew, as Gymnasium's own vectors tell it."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            seen = self._batch.finals[i]
            final[i] = seen.copy() if self._floats is None else self.space.scaled(seen)
        told = {"rewards": np.where(over[:, None], self._batch.rewards, 0.0), "_rewards": over.copy()}
        return {"final_obs": final, "_final_obs": over.copy(), "final_info": told, "_final_info": over.copy()}

    def action_masks(self) -> Array:
        """The legal actions of each game as they are now."""
        return self._given(self._batch.masks)

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

    def _seen(self) -> Array:
        if self._floats is None:
            return self._given(self._batch.seen)
        np.multiply(self._batch.seen, self.space.scale, out=self._floats)
        return self._given(self._floats)

    def _infos(self) -> Infos:
        infos = {
            "legal_actions": self._given(self._batch.lists),
            "legal_count": self._batch.listed.copy(),
            "seat": self._batch.seats.copy(),
            "rewards": self._batch.rewards.copy(),
        }
        if self._masks:
            infos["action_mask"] = self._given(self._batch.masks)
        return infos | {f"_{name}": self._all.copy() for name in infos}

    def _given(self, array: Array) -> Array:
        """An array for the caller: a copy, or the array itself, only to be read."""
        if self._copy:
            return array.copy()
        shown = array.view()
        shown.flags.writeable = False
        return shown


def _reset_mask(options: Any) -> Any:
    """The one option that a reset knows."""
    given = {} if options is None else options
    if not isinstance(given, Mapping) or not given.keys() <= {"reset_mask"}:
        raise BadOptions(f"A reset has one option, {{'reset_mask': …}}, not {shown(options)}.")
    return given.get("reset_mask")


def observation_box(space: Space, scaled: bool) -> spaces.Box:
    """The space of observations, whole numbers or scaled."""
    low, high = space.box(scaled)
    return spaces.Box(low, high, dtype=low.dtype.type)
