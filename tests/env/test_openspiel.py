"""The games as OpenSpiel knows them. OpenSpiel's own checks are the judges."""

import doctest
import pickle
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.observation import make_observation

import strandline
import strandline.env
import strandline.env.openspiel
from strandline.env.openspiel import ENDLESS, PREFIX
from strandline.env.spaces import has_space
from support import random_setting

GAMES = Path(__file__).parents[1] / "games"
PAGE = Path(__file__).parents[2] / "docs" / "env" / "openspiel.md"
SETTINGS = {
    name: (GAMES / name / "openspiel.txt").read_text().replace("usual", "").splitlines()
    for name in strandline.games()
    if has_space(strandline.game(name)) and (GAMES / name / "openspiel.txt").exists()
}
"""Settings of each game that has some in its tests, as OpenSpiel writes parameters."""
LOADED = [f"{PREFIX}{name}({setting})" for name, settings in SETTINGS.items() for setting in settings]
CASTLES = f"{PREFIX}sand_castles(players=3,max_rounds=8)"


def load(text: str, parameters: Any = None) -> Any:
    return pyspiel.load_game(text, parameters) if parameters else pyspiel.load_game(text)


def play(state: Any, rng: random.Random, moves: int = 10**6) -> Any:
    """The state after some random moves and outcomes, with all before it."""
    states = [state.clone()]
    while len(states) <= moves and not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("chance", [True, False])
def test_illegal_actions_are_refused(chance: bool) -> None:
    """By number: those beyond the list, and those before it, which Python would count from its end."""
    state = load(f"{PREFIX}up_the_river").new_initial_state()
    if not chance:
        state.apply_action(2)
    legal = ", ".join(map(str, state.legal_actions()))
    for action in (-2, 6, 2**40):
        with pytest.raises(strandline.IllegalMove, match=f"Action {action} is not legal here. Legal: {legal}"):
            state.apply_action(action)


def test_nothing_is_legal_when_the_game_is_over() -> None:
    state = play(load(f"{PREFIX}up_the_river(round_limit=1)").new_initial_state(), random.Random(1))[-1]
    with pytest.raises(strandline.IllegalMove, match=r"Action 0 is not legal here\. The game is over\."):
        state.apply_action(0)


def test_games_with_spaces_are_registered() -> None:
    registered = pyspiel.registered_names()
    for name in strandline.games():
        assert (PREFIX + name in registered) == has_space(strandline.game(name))


@pytest.mark.parametrize("text", LOADED)
def test_random_simulations_pass_its_checks(text: str) -> None:
    game = load(text)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    observer = game.make_observer(pyspiel.IIGObservationType(perfect_recall=False), {})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False, observer=observer)


@pytest.mark.parametrize("text", LOADED)
def test_the_integration_test_passes(text: str) -> None:
    class Enforced(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game = load(text)
        game_name = text

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Enforced).run(result)
    assert result.testsRun > 3
    assert not result.errors and not result.failures and not result.skipped


def test_the_integration_test_passes_on_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of Up the River for two. Five faces let a seat choose among three boats, nothing blows on a six.

    That is all but one when nobody has moved before: then seat 0 has a boat ahead that an Ill Wind can bring back.
    """
    text = f"{PREFIX}up_the_river(round_limit=1)"
    after_first = 5 * 3 + 1
    decisions = 5 + 15 * (5 + 1) + 5
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, text, (1 + after_first, decisions, 15 * (15 + 1) + 15 + 1))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, text, decisions)

    class Enforced(api_test.EnforceAPIOnFullTreeBase):  # type: ignore[misc]
        game = load(text)
        game_name = text

    names = set(unittest.defaultTestLoader.getTestCaseNames(Enforced))
    names -= {"test_current_player_infosets_no_overlap_between_players"}  # it needs numbers with perfect recall
    result = unittest.TestResult()
    unittest.TestSuite(map(Enforced, sorted(names))).run(result)
    assert result.testsRun > 4
    assert not result.errors and not result.failures and not result.skipped


def test_infostates_of_different_seats_are_different(game: strandline.Game) -> None:
    players = game.seats[-1]
    state = load(PREFIX + game.name, {"players": players}).new_initial_state()
    for then in play(state, random.Random(1), 40):
        assert len({then.information_state_string(seat) for seat in range(players)}) == players


def test_a_state_follows_the_position(game: strandline.Game) -> None:
    rng = random.Random(5)
    for _ in range(3):
        setting = random_setting(game, rng)
        state = load(PREFIX + game.name, setting).new_initial_state()
        position = game.new(**setting)
        one = strandline.env.space(game, position.players)
        for _ in range(150):
            assert state.position == position and str(state) == state.clone().__str__()
            if position.turn is None:
                break
            moves = position.moves()
            if position.turn == "chance":
                assert state.is_chance_node()
                assert state.chance_outcomes() == list(enumerate(position.odds()))
                action = rng.randrange(len(moves))
                assert [state.action_to_string(i) for i in state.legal_actions()] == moves
            else:
                assert state.current_player() == position.turn
                legal = one.legal(position, state.moment.taken)
                assert state.legal_actions() == sorted(legal)
                action = rng.choice(state.legal_actions())
                assert state.action_to_string(action) == one.texts[action]
                if (code := legal[action]) is not None:
                    position = position.play(game.notation.write(code))
                state.apply_action(action)
                continue
            position = position.play(state.action_to_string(action))
            state.apply_action(action)


def test_returns_follow_the_winners(game: strandline.Game) -> None:
    rng = random.Random(7)
    for players in game.seats:
        loaded = load(PREFIX + game.name, {"players": players})
        final = play(loaded.new_initial_state(), rng)[-1]
        winners, returns = final.position.winners(), final.returns()
        if game.facts.cooperative:
            assert returns == [1.0 if winners else -1.0] * players
            assert loaded.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
        else:
            assert sum(returns) == pytest.approx(0.0)
            assert loaded.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
            best = [seat for seat in range(players) if returns[seat] == max(returns)]
            assert best == (winners or list(range(players)))


def test_a_lone_win_is_one() -> None:
    """Two rounds, and the tide in reach: seat 0 comes home at once, seat 1 does not."""
    state = load(f"{PREFIX}up_the_river(players=3,sandbank_start=1,tide_start=8,round_limit=1)").new_initial_state()
    for move in ("roll 4", "sail 1", "roll 1", "sail 1", "roll 1", "sail 2"):
        assert state.returns() == [0.0] * 3
        state.apply_action(state.string_to_action(move))
    assert state.is_terminal() and state.returns() == [1.0, -0.5, -0.5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("up_the_river(players=5)", "Up the River is for 2, 3 or 4 players, not 5"),
        ("up_the_river(sandbank_start=6)", "sandbank_start and tide_start must differ"),
        ("undertow(surge=some)", "surge must be 'pool' or 'each'"),
        ("undertow(vacation=1)", "vacation must be 0, 3, 4, 5, 6 or 7"),
        ("undertow(easy=3)", "Wrong type for parameter easy"),
        ("undertow(eazy=True)", "Unknown parameter 'eazy'. Available parameters are: .*easy"),
    ],
)
def test_wrong_parameters_are_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises((strandline.BadOptions, pyspiel.SpielError), match=words):
        load(PREFIX + text)


def test_parameters_are_the_options(game: strandline.Game) -> None:
    loaded = load(PREFIX + game.name)
    defaults = {"players": game.seats[0], **{option.name: option.default for option in game.options.values()}}
    assert loaded.get_parameters() == defaults
    assert loaded.get_type().parameter_specification == defaults
    assert loaded.get_type().long_name == game.title
    setting = random_setting(game, random.Random(2))
    other = load(PREFIX + game.name, setting)
    assert other.num_players() == setting.pop("players")
    assert other.new_initial_state().position.options == setting
    assert str(load(str(other))) == str(other)


def test_bounds_hold(game: strandline.Game) -> None:
    """Random games stay within them, and chance has all the outcomes that it is said to have."""
    rng = random.Random(3)
    for _ in range(4):
        setting = random_setting(game, rng)
        loaded = load(PREFIX + game.name, setting)
        rows = game.simulate(2000, seed=rng.randrange(99), **setting)
        assert rows.decisions.max() <= loaded.max_game_length() <= ENDLESS
        assert (rows.steps - rows.decisions).max() <= loaded.max_chance_nodes_in_history()
        states = play(loaded.new_initial_state(), rng)
        most = max(len(state.chance_outcomes()) for state in states if state.is_chance_node())
        assert most <= loaded.max_chance_outcomes()
        if game.name != "sand_castles":  # where the stack of walls is largest at the start, in which nobody is asked
            assert most == loaded.max_chance_outcomes()


def test_games_without_a_limit_have_no_length(game: strandline.Game) -> None:
    limits = {
        name: 0 for name, option in game.options.items() if isinstance(option.values, range) and 0 in option.values
    }
    assert (load(PREFIX + game.name, limits).max_game_length() == ENDLESS) == (game.name != "over_the_next_dune")


def test_states_can_be_kept(game: strandline.Game) -> None:
    loaded = load(PREFIX + game.name, {"players": game.seats[-1]})
    state = play(loaded.new_initial_state(), random.Random(4), 35)[-1]
    for kept in (pickle.loads(pickle.dumps(state)), loaded.deserialize_state(state.serialize())):
        assert str(kept) == str(state) and kept.history() == state.history()
        assert kept.information_state_string(0) == state.information_state_string(0)
        before = str(state)
        kept.apply_action(kept.legal_actions()[0])
        assert str(state) == before != str(kept)
    assert str(pickle.loads(pickle.dumps(loaded))) == str(loaded)


def test_observers_have_named_parts(game: strandline.Game) -> None:
    players = game.seats[-1]
    loaded = load(PREFIX + game.name, {"players": players})
    observer = make_observation(loaded)
    parts = strandline.env.observation(game, players)
    assert [(name, piece.shape) for name, piece in observer.dict.items()] == [(part.name, part.shape) for part in parts]
    for state in play(loaded.new_initial_state(), random.Random(6), 80)[::10]:
        for seat in range(players):
            observer.set_from(state, seat)
            assert observer.dict["seat"].tolist() == np.eye(players)[seat].tolist()
            for part in parts:
                assert observer.dict[part.name].min() >= part.low and observer.dict[part.name].max() <= part.high
            assert observer.tensor.tolist() == state.observation_tensor(seat)
            assert observer.string_from(state, seat) == state.observation_string(seat)


def seen_by(game: Any, public: bool, private: Any, recall: bool) -> Any:
    return make_observation(
        game, pyspiel.IIGObservationType(public_info=public, private_info=private, perfect_recall=recall)
    )


def test_observers_of_all_kinds() -> None:
    """What the Seagull shows is for its holder; there is nothing to hide in other games."""
    nobody, one, everybody = (
        getattr(pyspiel.PrivateInfoType, name) for name in ("NONE", "SINGLE_PLAYER", "ALL_PLAYERS")
    )
    game = load(CASTLES)
    state = game.new_initial_state()
    while not (state.is_chance_node() and state.action_to_string(0).startswith("peek")):
        state.apply_action(state.string_to_action("look") if not state.is_chance_node() else 0)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    state.apply_action(names.index("peek fan"))
    assert "peek fan" in seen_by(game, True, one, True).string_from(state, 0)
    assert "fan" in seen_by(game, False, one, False).string_from(state, 0)
    assert seen_by(game, False, one, False).string_from(state, 1) == ""
    for hidden in (seen_by(game, True, nobody, True).string_from(state, 0), state.information_state_string(1)):
        assert "peek" not in hidden and hidden.endswith("?")
    assert "peek fan" in seen_by(game, True, everybody, True).string_from(state, 2)
    assert seen_by(game, True, everybody, False).string_from(state, 1) == str(state)
    assert seen_by(game, True, nobody, False).string_from(state, 0) != state.observation_string(0)
    assert seen_by(game, True, nobody, False).tensor is None
    assert seen_by(game, False, one, True) is None
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"colour": 1})
    river = load(PREFIX + "up_the_river")
    assert seen_by(river, False, one, False).string_from(river.new_initial_state(), 0) == ""


def test_what_a_seat_cannot_see_changes_nothing_for_it() -> None:
    """Where the Seagull shows another tile to its holder, nobody else's view tells."""
    rng = random.Random(8)
    compared = 0
    for _ in range(12):
        state = load(CASTLES).new_initial_state()
        for then in play(state, rng, 60):
            if then.is_chance_node() and then.action_to_string(0).startswith("peek"):
                looks = then.position.to_json()["seat"]
                twins = [then.child(action) for action in then.legal_actions()]
                for seat in range(3):
                    for see in ("information_state_string", "observation_string", "observation_tensor"):
                        views = {str(getattr(twin, see)(seat)) for twin in twins}
                        assert len(views) == (len(twins) if seat == looks else 1)
                compared += 1
    assert compared > 10


def places(state: Any) -> set[int]:
    return {item["place"] for item in state.position.to_json()["peeked"]}


def test_what_comes_to_light_is_part_of_the_infostate() -> None:
    """A tile that was seen by its holder alone is public once it is taken: different tiles, different infostates."""
    rng = random.Random(9)
    compared = 0
    for _ in range(12):
        for then in play(load(CASTLES).new_initial_state(), rng, 60):
            if then.is_chance_node() and then.action_to_string(0).startswith("peek"):
                ends = []
                for action in then.legal_actions():
                    twin = then.child(action)
                    (place,) = places(twin) - places(then)
                    while twin.is_chance_node():
                        twin.apply_action(twin.legal_actions()[0])
                    twin.apply_action(twin.string_to_action(f"take peeked {place}"))
                    ends.append(twin.information_state_string((then.position.to_json()["seat"] + 1) % 3))
                compared += len(ends) > 1
                assert len(set(ends)) == len(ends)
    assert compared > 10


def test_a_program_that_used_it_ends_quietly() -> None:
    program = "import pyspiel, strandline.env.openspiel; print(pyspiel.load_game('strandline_reef_route'))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("strandline_reef_route(")


def test_the_page_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 5 and result.failed == 0
