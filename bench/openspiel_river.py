"""Up the River in OpenSpiel's Python API, as its own examples are written: a yardstick, not part of the package."""

from typing import Any

import pyspiel

CARDS, HARBOR, BOATS, LIMIT = 10, 11, 3, 100
GOOD, ILL = BOATS, 2 * BOATS

GAME_TYPE = pyspiel.GameType(
    short_name="python_up_the_river",
    long_name="Up the River",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"players": 2},
)


class UpTheRiverGame(pyspiel.Game):  # type: ignore[misc]
    """The game: it makes new states."""

    def __init__(self, params: Any = None) -> None:
        self.players = int((params or {}).get("players", 2))
        info = pyspiel.GameInfo(
            num_distinct_actions=ILL + 4 * BOATS,
            max_chance_outcomes=6,
            num_players=self.players,
            min_utility=0.0,
            max_utility=33.0,
            max_game_length=LIMIT * self.players,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "UpTheRiverState":
        """All boats on card 4."""
        return UpTheRiverState(self, self.players)


class UpTheRiverState(pyspiel.State):  # type: ignore[misc]
    """A position, changed in place by `apply_action`."""

    def __init__(self, game: UpTheRiverGame, players: int) -> None:
        super().__init__(game)
        self.players = players
        self.boats = [[4] * BOATS for _ in range(players)]
        self.scores = [0] * players
        self.sandbank, self.tide, self.dock, self.round = 9, 6, 12, 1
        self.player, self.die, self.over = 0, 0, False

    def current_player(self) -> int:
        """Chance, a seat, or the end."""
        if self.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.player if self.die else int(pyspiel.PlayerId.CHANCE)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The die."""
        return [(face, 1 / 6) for face in range(6)]

    def _legal_actions(self, player: int) -> list[int]:
        if self.die < 6:
            return [boat for boat, place in enumerate(self.boats[player]) if 0 < place < HARBOR]
        return self._winds()

    def _winds(self) -> list[int]:
        own = [place for place in self.boats[self.player] if 0 < place < HARBOR]
        winds = [GOOD + b for b, place in enumerate(self.boats[self.player]) if place in own and place < max(own)]
        for seat, boats in enumerate(self.boats):
            theirs = [place for place in boats if 0 < place < HARBOR]
            if seat != self.player:
                winds += [
                    ILL + seat * BOATS + b for b, place in enumerate(boats) if place in theirs and place > min(theirs)
                ]
        return winds

    def _apply_action(self, action: int) -> None:
        if not self.die:
            self.die = action + 1
            if self.die == 6 and not self._winds():
                self._next_turn()
            return
        if action < GOOD:
            self._sail(action)
        elif action < ILL:
            boats = self.boats[self.player]
            place = boats[action - GOOD]
            boats[action - GOOD] = self._upstream(place, min(p for p in boats if place < p < HARBOR))
        else:
            seat, boat = divmod(action - ILL, BOATS)
            boats = self.boats[seat]
            boats[boat] = max(p for p in boats if 0 < p < boats[boat])
        self._next_turn()

    def _sail(self, boat: int) -> None:
        place = self.boats[self.player][boat]
        goal = self._upstream(place, place + self.die)
        if goal == self.tide and goal == place + self.die:
            goal = self._upstream(goal, goal + 3)
        self.boats[self.player][boat] = goal
        if goal == HARBOR:
            self.scores[self.player] += self.dock
            self.dock -= 1

    def _upstream(self, place: int, goal: int) -> int:
        goal = min(goal, HARBOR)
        return self.sandbank if place < self.sandbank < goal else goal

    def _afloat(self, seat: int) -> bool:
        return any(0 < place < HARBOR for place in self.boats[seat])

    def _next_turn(self) -> None:
        self.die = 0
        sailing = [seat for seat in range(self.players) if self._afloat(seat)]
        later = [seat for seat in sailing if seat > self.player]
        if sailing and not later and self.round != LIMIT:
            self.round += 1
            self.boats = [[p - (0 < p < HARBOR) for p in boats] for boats in self.boats]
            self.sandbank = self.sandbank - 1 or CARDS
            self.tide = self.tide - 1 or CARDS
            later = [seat for seat in range(self.players) if self._afloat(seat)]
        self.over = not later
        self.player = later[0] if later else 0

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.over

    def returns(self) -> list[float]:
        """The dock points."""
        return [float(score) for score in self.scores]

    def __str__(self) -> str:
        return f"{self.boats} {self.die}"


pyspiel.register_game(GAME_TYPE, UpTheRiverGame)
