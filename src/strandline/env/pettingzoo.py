"""Every game as a PettingZoo environment in which the seats move in turn: `env("up_the_river", players=2)`.

An observation is an array of small whole numbers, laid out as `strandline.env.observation` says, from the seat's own
point of view. The legal actions are in `info["action_mask"]`, or in the observation if that is asked for.

In `parallel_env` all seats act at once, and in each cycle the action of the seat that decides counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import parallel_to_aec

from strandline.engine.discovery import game as find
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.env import arguments, drivers, rendering
from strandline.env.batch import Batch
from strandline.env.vector import observation_box

Observation = Any
"""An array, or a dictionary with the array and its mask."""
NO_GAME = "There is no game, or it is over: call reset before the next step."


def env(
    name: str | Game,
    players: int | None = None,
    render_mode: str | None = None,
    masks: Literal["info", "observation"] = "info",
    max_cycles: int | None = None,
    scaled: bool = False,
    **options: Value,
) -> AECEnv[str, Observation, Any]:
    """The environment as it is best used: illegal actions lose the game, and calls out of order are refused.

    With `max_cycles` it is played in cycles, each seat acting once in each, as in `parallel_env`. With `scaled`,
    observations are `float32` from -1 to 1.
    """
    if max_cycles is not None:
        cycles = parallel_to_aec(parallel_env(name, players, render_mode, max_cycles, masks, scaled, **options))
        return wrappers.OrderEnforcingWrapper(Checked(cycles))
    return wrappers.OrderEnforcingWrapper(raw_env(name, players, render_mode, masks, scaled, **options))


class Checked(wrappers.BaseWrapper[str, Observation, Any]):  # type: ignore[misc]
    """Refuses what is no action at once, before a cycle is complete."""

    def step(self, action: Any) -> None:
        """Hand in the action of the selected agent."""
        who = self.agent_selection
        if not (self.terminations[who] or self.truncations[who]):
            arguments.single(action, self.action_space(who).n)
        super().step(action)


class raw_env(AECEnv[str, Observation, Any]):  # type: ignore[misc]
    """The environment itself. Seat `i` is the agent `player_i`; chance is played inside, from the seed."""

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        render_mode: str | None = None,
        masks: Literal["info", "observation"] = "info",
        scaled: bool = False,
        **options: Value,
    ) -> None:
        """A game with its options. Masks are in the infos, or make each observation a dictionary."""
        super().__init__()
        game = name if isinstance(name, Game) else find(name)
        if render_mode not in (None, *rendering.MODES):
            raise BadOptions(f"render_mode must be one of {', '.join(rendering.MODES)}, not {render_mode!r}.")
        if masks not in ("info", "observation"):
            raise BadOptions(f"masks must be 'info' or 'observation', not {masks!r}.")
        self.render_mode = render_mode
        self.masks = masks
        self.scaled = scaled
        self.metadata = {
            "name": f"strandline_{game.name}_v0",
            "render_modes": list(rendering.MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self._batch = Batch(arguments.start(game, players, options), 1, drivers.EVERY, mode=drivers.DISABLED)
        self.space = self._batch.space
        self.possible_agents = [f"player_{seat}" for seat in range(self.space.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.space.actions) for agent in self.possible_agents}

    def _observation_space(self) -> spaces.Space[Any]:
        seen = observation_box(self.space, self.scaled)
        if self.masks == "info":
            return seen
        return spaces.Dict({"observation": seen, "action_mask": spaces.MultiBinary(self.space.actions)})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent does; `strandline.env.actions` has the text of each action."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self._batch.position(0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: that of the seed, or the next one after it."""
        self._batch.reset(None if seed is None else [arguments.checked_seed(seed)])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def step(self, action: Any) -> None:
        """Make the move of the selected agent, and all that chance does after it."""
        if not self.agents:
            raise ResetNeeded(NO_GAME)
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._batch.step(arguments.single(action, self.space.actions))
        self.rewards = dict(zip(self.agents, self._batch.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, bool(self._batch.over[0]))
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self) -> None:
        """Select the agent that decides, and tell it what is legal; nothing is for the others."""
        self.agent_selection = self.possible_agents[self._batch.seats[0]]
        self.infos = {
            agent: {} if self.masks == "observation" else {"action_mask": self.mask(agent)} for agent in self.agents
        }
        if self.render_mode == "human":
            self.render()

    def mask(self, agent: str) -> np.ndarray[Any, Any]:
        """The agent's legal actions: none when it does not decide."""
        mask: np.ndarray[Any, Any] = self._batch.masks[0].copy()
        if agent != self.agent_selection or self._batch.over[0]:
            mask[:] = 0
        return mask

    def observe(self, agent: str) -> Observation:
        """What the agent sees now, and nothing that is hidden from it."""
        seen = self._batch.look(0, self.possible_agents.index(agent))
        seen = self.space.scaled(seen) if self.scaled else seen
        return seen if self.masks == "info" else {"observation": seen, "action_mask": self.mask(agent)}

    def render(self) -> Any:
        """The board as everybody may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("Nothing is shown: name a render_mode when you make the environment.")
            return None
        return rendering.render(self.position, None, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


class parallel_env(ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """The game in cycles: every seat hands an action in, and that of the seat that decides is played.

    The others have action 0 alone in their masks, and what they hand in does not matter. An action that is not legal is
    not played: it gives -1, and the seat is asked again in the next cycle. After `max_cycles` the game is broken off.
    """

    def __init__(
        self,
        name: str | Game,
        players: int | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        masks: Literal["info", "observation"] = "info",
        scaled: bool = False,
        **options: Value,
    ) -> None:
        """A game with its options. Masks are in the infos, or make each observation a dictionary."""
        self._inner = raw_env(name, players, render_mode, masks, scaled, **options)
        self._cycles = 0
        self.max_cycles = None if max_cycles is None else arguments.count(max_cycles, "max_cycles", ", or None")
        self.metadata = self._inner.metadata | {"is_parallelizable": True}
        self.render_mode = render_mode
        self.space = self._inner.space
        self.possible_agents = self._inner.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent sees."""
        return self._inner.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent does."""
        return self._inner.action_space(agent)

    @property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self._inner.position

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Begin a game: that of the seed, or the next one after it."""
        self._inner.reset(seed)
        self._cycles = 0
        self.agents = self.possible_agents[:]
        return self._observed(), self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """One cycle."""
        if not self.agents:
            raise ResetNeeded(NO_GAME)
        rewards = dict.fromkeys(self.agents, 0.0)
        who = self._inner.agent_selection
        if not isinstance(actions, Mapping):
            raise BadOptions(f"Actions must be a dictionary with one for each agent, not {shown(actions)}.")
        if who not in actions:
            raise BadOptions(f"There is no action of {who}, who decides.")
        if self._is_legal(actions[who]):
            self._inner.step(actions[who])
            rewards = dict(self._inner.rewards)
        else:
            rewards[who] = drivers.ILLEGAL
        self._cycles += 1
        ends = dict(self._inner.terminations)
        cut = dict.fromkeys(self.agents, self._cycles == self.max_cycles)
        observed, infos = self._observed(), self._infos()
        if any(ends.values()) or any(cut.values()):
            self.agents = []
        return observed, rewards, ends, cut, infos

    def _is_legal(self, action: Any) -> bool:
        mask = self._inner.mask(self._inner.agent_selection)
        number = arguments.single(action, len(mask))[0]
        return bool(0 <= number < len(mask) and mask[number])

    def _mask(self, agent: str) -> np.ndarray[Any, Any]:
        """What a program can choose from: for one that does not decide action 0, since all 0 would mean nothing."""
        mask = self._inner.mask(agent)
        mask[0] |= not mask.any()
        return mask

    def _infos(self) -> dict[str, Any]:
        masked = self._inner.masks == "info"
        return {agent: {"action_mask": self._mask(agent)} if masked else {} for agent in self.agents}

    def _observed(self) -> dict[str, Observation]:
        seen = {agent: self._inner.observe(agent) for agent in self.agents}
        if self._inner.masks == "observation":
            seen = {agent: one | {"action_mask": self._mask(agent)} for agent, one in seen.items()}
        return seen

    def render(self) -> Any:
        """The board as everybody may see it."""
        return self._inner.render()

    def close(self) -> None:
        """There is nothing to close."""
