"""The public face: names, errors, positions that never change."""

import subprocess
import sys

import pytest

import strandline

GAME = strandline.game("up_the_river")


def test_the_games_are_found_by_looking() -> None:
    assert "up_the_river" in strandline.games()
    assert strandline.games() == sorted(strandline.games())


def test_an_unknown_game_gets_a_hint() -> None:
    with pytest.raises(strandline.UnknownGame, match=r"^There is no game 'up_river'. Did you mean up_the_river"):
        strandline.game("up_river")
    with pytest.raises(KeyError, match=r"There are: .*up_the_river"):
        strandline.game("zzz")


def test_errors_are_the_builtin_kinds_that_people_expect() -> None:
    for error in (strandline.BadOptions, strandline.BadPosition, strandline.IllegalMove, strandline.BadBox):
        assert issubclass(error, ValueError)


def test_a_game_is_one_object() -> None:
    assert strandline.game("up_the_river") is GAME


def test_options_are_told() -> None:
    option = GAME.options["round_limit"]
    assert (option.name, option.default, option.values) == ("round_limit", 100, range(1001))
    assert option.help


def test_a_position_does_not_change() -> None:
    position = GAME.new()
    before = position.to_json()
    after = position.play("roll 3")
    assert position.to_json() == before and after != position
    assert (position.turn, after.turn, position.players) == ("chance", 0, 2)
    assert after.options == {"sandbank_start": 9, "tide_start": 6, "round_limit": 100}
    position.to_json()["boats"][0][0] = 9
    assert position.to_json() == before


def test_an_illegal_move_names_legal_ones() -> None:
    position = GAME.new().play("roll 3")
    with pytest.raises(strandline.IllegalMove, match=r"^'sail 4' is not legal here. Legal: sail 1, sail 2, sail 3\.$"):
        position.play("sail 4")
    with pytest.raises(strandline.IllegalMove, match="not possible here"):
        GAME.new().play("sail 1")
    for nonsense in (None, 3, "", "sail", "sail 01", "sail -1", "sail 1 1", "SAIL 1"):
        with pytest.raises(strandline.IllegalMove):
            position.play(nonsense)  # type: ignore[arg-type]


def test_nothing_can_be_played_when_it_is_over() -> None:
    position = GAME.new(round_limit=1)
    while position.turn is not None:
        position = position.play(position.moves()[0])
    with pytest.raises(strandline.IllegalMove, match="over"):
        position.play("roll 1")


def test_equal_positions_are_equal_whatever_led_there() -> None:
    a = GAME.new().play("roll 1").play("sail 1").play("roll 1").play("sail 2")
    b = strandline.Position.from_json(a.to_json())
    assert a == b and hash(a) == hash(b) and len({a, b}) == 1
    assert a != GAME.new() and a != "something else"


def test_repr_tells_the_state() -> None:
    assert repr(GAME.new()) == "<Up the River, 2 players: chance decides>"
    assert repr(GAME.new().play("roll 1")) == "<Up the River, 2 players: seat 0 decides>"
    assert repr(GAME) == "<Game up_the_river>"


def test_one_position_never_waits_for_the_compiler() -> None:
    """Playing by hand does not even import it."""
    code = (
        "import sys, strandline\n"
        "p = strandline.game('up_the_river').new().play('roll 2').play('sail 1')\n"
        "strandline.Position.from_json(p.to_json()); p.words()\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_playing_at_random_is_random_play_with_a_seed() -> None:
    """It is the game that the compiled driver plays for that seed."""
    end = GAME.new().play_random(10_000, seed=6)
    rows = GAME.simulate(1, seed=6)
    assert end.turn is None and end.scores() == rows.scores[0].tolist()
    assert GAME.new().play_random(0) == GAME.new()
    assert GAME.new().play_random(7, 1) == GAME.new().play_random(7, 1) != GAME.new().play_random(7, 2)
