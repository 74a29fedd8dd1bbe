"""Every game for OpenSpiel: importing this module registers `strandline_<game>`, with its options as parameters.

    import pyspiel
    import strandline.env.openspiel

    game = pyspiel.load_game("strandline_up_the_river(players=2,round_limit=30)")

Chance nodes are explicit: their actions count the outcomes of `position.moves()`, in that order. The actions of the
seats, the parts of observations and the returns are those of `strandline.env`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pyspiel

import strandline
from strandline.engine import records, spaces
from strandline.engine.errors import IllegalMove
from strandline.engine.position import Position
from strandline.engine.spaces import Extent
from strandline.env.spaces import has_space, space

PREFIX = "strandline_"
ENDLESS = 10**9
"""The length of a game without a limit: OpenSpiel wants a number, and adds two of them as 32-bit ints."""
UNSEEN = "?"
"""What a seat reads in place of a move or an outcome that is hidden from it."""

Private = pyspiel.PrivateInfoType


class Moment:
    """A position and how it came about. It never changes, so clones of a state share it.

    Where a move takes several actions, each is a moment: `taken` has those of the move so far.
    """

    __slots__ = ("_actions", "_outcomes", "_seen", "before", "move", "player", "position", "taken")

    def __init__(
        self, position: Position, before: Moment | None = None, move: str = "", taken: tuple[int, ...] = ()
    ) -> None:
        """The first moment of a game, or the one after the move or step that was made `before`."""
        self.position = position
        self.before = before
        self.move = move
        self.taken = taken
        turn = position.turn
        self.player: int = turn if isinstance(turn, int) else OTHERS[turn]
        self._actions: dict[int, int | None] | None = None
        self._outcomes: list[tuple[int, float]] | None = None
        self._seen: dict[int | None, str] = {}

    def after(self, action: int) -> Moment:
        """The moment after an action of the seat that decides, or of chance."""
        game = self.position.game
        if self.player < 0:
            codes = self.position.codes() if self.player == OTHERS["chance"] else []
            self._must_be(action, range(len(codes)))
            move = game.notation.write(codes[action])
            return Moment(self.position.after(move), self, move)
        self._must_be(action, self.actions())
        code = self.actions()[action]
        if code is None:
            step = space(game, self.position.players).texts[action]
            return Moment(self.position, self, step, (*self.taken, action))
        move = game.notation.write(code)
        return Moment(self.position.after(move), self, move)

    def _must_be(self, action: int, legal: Collection[int]) -> None:
        if action not in legal:
            allowed = f"Legal: {', '.join(map(str, legal))}." if legal else "The game is over."
            raise IllegalMove(f"Action {action} is not legal here. {allowed}")

    def actions(self) -> dict[int, int | None]:
        """The legal actions of the seat that decides, each with the code of the move that it completes."""
        if self._actions is None:
            legal = space(self.position.game, self.position.players).legal(self.position, self.taken)
            self._actions = dict(sorted(legal.items()))
        return self._actions

    def outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance by number, with their odds."""
        if self._outcomes is None:
            self._outcomes = list(enumerate(self.position.odds()))
        return self._outcomes

    def course(self) -> list[Moment]:
        """All moments from the first on."""
        found = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    def history(self, seat: int | None) -> list[str]:
        """What the seat, or a spectator, saw happen: all moves and outcomes, and what they told about hidden things."""
        course = self.course()[1:]
        if self.position.game.has_secrets:
            return [moment.seen(seat) for moment in course]
        return [moment.move for moment in course]

    def seen(self, seat: int | None) -> str:
        """How this moment came about, as the seat or a spectator saw it."""
        if seat not in self._seen and self.before is not None:
            self._seen[seat] = self._as_seen(self.before.position, seat)
        return self._seen[seat]

    def _as_seen(self, before: Position, seat: int | None) -> str:
        if self.taken:  # only who decides knows of a move that is not complete
            return self.move if before.turn == seat else UNSEEN
        text = self.move if before.secret(self.move) in (None, seat) else UNSEEN
        old = before.view(seat)
        if not _differences(old, before.to_json()):
            return text
        return f"{text} {_text(_differences(self.position.view(seat), old))}"

    def __deepcopy__(self, memo: Any) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, ([(moment.position, moment.move, moment.taken) for moment in self.course()],)


OTHERS: Mapping[Any, int] = {"chance": int(pyspiel.PlayerId.CHANCE), None: int(pyspiel.PlayerId.TERMINAL)}


def _replayed(course: list[tuple[Position, str, tuple[int, ...]]]) -> Moment:
    moment: Moment | None = None
    for position, move, taken in course:
        moment = Moment(position, moment, move, taken)
    assert moment is not None
    return moment


class State(pyspiel.State):  # type: ignore[misc]
    """A game that is being played. OpenSpiel's functions, which its own documentation describes."""

    def __init__(self, game: Game) -> None:
        """A new game; others use `new_initial_state`."""
        super().__init__(game)
        self.moment = game.first

    @property
    def position(self) -> Position:
        """The position as all other parts of Strandline know it."""
        return self.moment.position

    def current_player(self) -> int:
        """A seat, chance, or the sign that the game is over."""
        return self.moment.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.moment.actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes by number, with their odds."""
        return self.moment.outcomes()

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        if player >= 0:
            return space(position.game, position.players).texts[action]
        return str(position.game.notation.write(position.codes()[action]))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment.player == OTHERS[None]

    def returns(self) -> list[float]:
        """What the game gives to each seat, all of it at its end."""
        if not self.is_terminal():
            return [0.0] * self.position.players
        record = records.view(self.position.records())[0]
        reward = self.position.game.interpreted(spaces).reward
        return [float(reward(record, seat)) for seat in range(self.position.players)]

    def __str__(self) -> str:
        texts = space(self.position.game, self.position.players).texts
        return " ".join([_text(self.position.to_json()), *(texts[action] for action in self.moment.taken)])


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and its options."""

    name = ""
    """The game's name in Strandline; there is a class for each game."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """The game with all its parameters; those that it does not allow are refused with a sentence."""
        self.game = strandline.game(self.name)
        players, options = parameters["players"], {key: parameters[key] for key in self.game.options}
        self.first = Moment(self.game.new(players, **options))
        extent = space(self.game, players).extent(options)
        super().__init__(kind(self.game, extent), info(self.first.position, extent), dict(parameters))

    def new_initial_state(self) -> State:
        """A new game."""
        return State(self)

    def action_to_string(self, player: int, action: int) -> str:
        """The text of a seat's move, in any position; what a chance action stands for, its state alone knows."""
        return space(self.game, self.first.position.players).texts[action] if player >= 0 else f"outcome {action}"

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """What sees a state as somebody may see it: by default a seat's own view of it as it is now.

        There is none for private information alone with perfect recall.
        """
        if params:
            raise ValueError(f"Observers have no parameters, so {params} cannot be set.")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if wanted.perfect_recall and not wanted.public_info:
            return None
        return Observer(self.first.position, wanted)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


def _loaded(text: str) -> Any:
    return pyspiel.load_game(text)


class Observer:
    """What somebody sees of a state, as text and as numbers (`tensor`, and its parts by name in `dict`).

    There are numbers for the ordinary view: what is public and what the seat itself knows, as it is now. Other views,
    those with perfect recall among them, are texts only.
    """

    def __init__(self, position: Position, wanted: Any) -> None:
        """For games that begin with the position."""
        self.wanted = wanted
        self._space = space(position.game, position.players)
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if not wanted.perfect_recall and wanted.public_info and wanted.private_info == Private.SINGLE_PLAYER:
            self.tensor = np.zeros(self._space.size, np.float32)
            self.dict = self._space.split(self.tensor)

    def set_from(self, state: State, player: int) -> None:
        """Write what the seat sees into `tensor`."""
        if self.tensor is not None:
            taken = state.moment.taken if player == state.moment.player else ()
            self.tensor[:] = self._space.observe(state.position, player, taken)

    def string_from(self, state: State, player: int) -> str:
        """What the seat sees: the position as JSON, or with perfect recall all that has happened."""
        if self.wanted.perfect_recall:
            return "; ".join([f"seat {player}", *self._history(state.moment, player)])
        view = self._view(state.position, player)
        if state.moment.taken and player == state.moment.player and self.wanted.private_info != Private.NONE:
            view |= {"taken": [self._space.texts[action] for action in state.moment.taken]}
        return _text(view)

    def _history(self, moment: Moment, player: int) -> list[str]:
        if self.wanted.private_info == Private.ALL_PLAYERS:
            return [then.move for then in moment.course()[1:]]
        return moment.history(player if self.wanted.private_info == Private.SINGLE_PLAYER else None)

    def _view(self, position: Position, player: int) -> dict[str, Any]:
        if self.wanted.private_info == Private.ALL_PLAYERS:
            return position.to_json()
        public = position.view(None)
        own = public if self.wanted.private_info == Private.NONE else position.view(player)
        return own if self.wanted.public_info else _differences(own, public)


def _differences(value: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What is different in two views of a position or of two, beside whose views they are."""
    return {name: item for name, item in value.items() if name != "view" and item != other[name]}


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) if value else ""


def kind(game: strandline.Game, extent: Extent) -> Any:
    """What sort of game it is."""
    chance = "EXPLICIT_STOCHASTIC" if extent.outcomes else "DETERMINISTIC"
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=getattr(pyspiel.GameType.ChanceMode, chance),
        information=getattr(pyspiel.GameType.Information, f"{'IM' if extent.secrets else ''}PERFECT_INFORMATION"),
        utility=getattr(pyspiel.GameType.Utility, "IDENTICAL" if game.facts.cooperative else "ZERO_SUM"),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=min(game.seats),
        max_num_players=max(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={
            "players": game.seats[0],
            **{name: option.default for name, option in game.options.items()},
        },
    )


def info(start: Position, extent: Extent) -> Any:
    """The numbers that OpenSpiel wants to know about a game that begins with the position."""
    seen, players, together = space(start.game, start.players), start.players, start.game.facts.cooperative
    return pyspiel.GameInfo(
        num_distinct_actions=seen.actions,
        max_chance_outcomes=extent.outcomes,
        num_players=players,
        min_utility=-1.0 if together else -1.0 / (players - 1),
        max_utility=1.0,
        utility_sum=None if together else 0.0,
        max_game_length=extent.decisions or ENDLESS,
    )


def register() -> None:
    """Register every game that has a space, of the kind that it is with the fewest players and the default options."""
    for name in strandline.games():
        game = strandline.game(name)
        if not has_space(game):
            continue
        defaults = {option.name: option.default for option in game.options.values()}
        extent = space(game).extent(defaults)
        pyspiel.register_game(kind(game, extent), type(game.title.replace(" ", ""), (Game,), {"name": name}))


register()
