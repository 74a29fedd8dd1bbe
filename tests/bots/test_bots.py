"""Bots by name and level: legal, pure, and honest."""

import json
import random
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import numpy as np
import pytest

import strandline
from strandline import bots
from strandline.bots import registry, tournament
from strandline.bots.views import guesses
from strandline.engine.position import Position
from strandline.env.gymnasium import Env
from strandline.lab import matches
from strandline.lab.study import Setting

RIVER = strandline.game("up_the_river")
CASTLES = strandline.game("sand_castles")


def with_hidden_tiles() -> Position:
    """Three seats; seat 1 decides with two places in sight that only seat 0 has looked at."""
    rng = random.Random(6)
    position = CASTLES.new(3)
    while True:
        moves = position.moves()
        hidden = [place for place in position.to_json()["peeked"] if place["known_by"] == [0]]
        if position.turn == 1 and len(moves) > 3 and len(hidden) > 1:
            return position
        wanted = [move for move in moves if move == "seagull"] or [move for move in moves if move != "stop"] or moves
        position = position.play(rng.choice(wanted)) if moves else CASTLES.new(3)


def with_others(position: Position) -> Position:
    """The same to seat 1, but the tiles that it has not seen are others."""
    return next(guess for guess in guesses(CASTLES, position, 1, 0) if guess != position)


@pytest.mark.parametrize("level", [1, 3])
def test_a_choice_does_not_depend_on_hidden_tiles(level: int) -> None:
    position = with_hidden_tiles()
    other = with_others(position)
    assert other.view(1) == position.view(1) and other.to_json() != position.to_json()
    bot = bots.bot(level, CASTLES)
    for seed in range(3):
        choices = {bot.choose(p, 1, seed) for p in (position, other, position.view(1), other.view(1))}
        assert len(choices) == 1 and choices < set(position.moves())


def test_a_redrawn_position_is_what_the_seat_sees() -> None:
    position = with_hidden_tiles()
    for seat in (0, 1, 2):
        for guess in guesses(CASTLES, position, seat, 4):
            assert guess.view(seat) == position.view(seat)
    assert len(set(guesses(CASTLES, position, 1, 4))) > 1
    assert set(guesses(CASTLES, position, 0, 4)) == {position}


@pytest.mark.parametrize("name", ["1", "2", "4", "random"])
def test_the_same_seed_gives_the_same_choice(name: str) -> None:
    position = RIVER.new().play("roll 5").play("sail 1").play("roll 3")
    choices = set()
    for state in (1, 2, 3):
        random.seed(state)
        before = random.getstate()
        choices.add(bots.bot(name, RIVER, threads=1 + state % 2).choose(position, 1, seed=17))
        assert random.getstate() == before
    assert len(choices) == 1


def test_seeds_matter() -> None:
    position = RIVER.new().play("roll 5")
    assert len({bots.bot("random", RIVER).choose(position, 0, seed) for seed in range(20)}) == 3


def test_a_bot_that_reuses_its_tree_plays_a_whole_game() -> None:
    final = tournament.play(RIVER.new(), [bots.bot(3, RIVER, reuse=True), bots.bot(1, RIVER)], 3)
    assert final.turn is None


def test_there_is_no_such_seat(game: strandline.Game) -> None:
    with pytest.raises(strandline.BadOptions, match="There is no seat 9"):
        bots.bot(1, game).choose(game.new(), 9)


def test_other_packages_bring_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("last", "bots.test_bots:LastBot", registry.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: LastBot)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    assert bots.names() == ["1", "2", "3", "4", "5", "search", "random", "last"]
    assert bots.bot("last", RIVER).choose(RIVER.new().play("roll 1"), 0) == "sail 3"


class Curious:
    """A bot that notes what it is shown."""

    shown: ClassVar[list[tuple[Any, int]]] = []

    def __init__(self, game: strandline.Game) -> None:
        self.game = game

    def choose(self, position: Any, seat: int, seed: int = 0) -> str:
        self.shown.append((position, seat))
        return bots.bot("random", self.game).choose(position, seat, seed)


def _by_tournament() -> None:
    list(tournament.results(CASTLES.new(3), ["curious"], 2, seed=1, threads=1))


def _by_a_study() -> None:
    matches._bots.cache_clear()
    matches.play(Setting(CASTLES.new(3), ("curious",), 2, 1), 0, 2)


def _by_gymnasium() -> None:
    env = Env("sand_castles", 3, opponents="curious")
    _, info = env.reset(seed=1)
    for _ in range(300):
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, over, cut, info = env.step(action)
        if over or cut:
            _, info = env.reset()


@pytest.mark.parametrize("play", [_by_tournament, _by_a_study, _by_gymnasium])
def test_bots_of_other_packages_see_what_their_seat_sees(
    play: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever lets them play, they are given views: no tile that only others have looked at is in one."""
    monkeypatch.setattr(EntryPoint, "load", lambda self: Curious)
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("curious", "", registry.GROUP)])
    monkeypatch.setattr(Curious, "shown", [])
    play()
    hidden = 0
    for view, seat in Curious.shown:
        assert type(view) is dict
        others = [place for place in view["peeked"] if seat not in place["known_by"]]
        assert all(place["tile"] is None for place in others)
        hidden += len(others)
    assert hidden > 0


class LastBot:
    def __init__(self, game: strandline.Game) -> None:
        pass

    def choose(self, position: Any, seat: int, seed: int = 0) -> str:
        return str(RIVER.position(position).moves()[-1])


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(strandline.BadOptions, match="random"):
        bots.bot("randm", RIVER)
    with pytest.raises(strandline.BadOptions, match="There is no bot '7'"):
        bots.bot(7, RIVER)


@pytest.mark.parametrize("name", strandline.games())
def test_guesses_fit_the_view(name: str) -> None:
    """Where nothing is hidden there is nothing to guess: whoever is given the view knows the position."""
    game = strandline.game(name)
    position = next(found for found in map(game.new().play_random, range(100)) if isinstance(found.turn, int))
    assert isinstance(position.turn, int)
    view = position.view(position.turn)
    found = guesses(game, view, position.turn, 1)
    assert {json.dumps(guess.view(position.turn)) for guess in found} == {json.dumps(view)}
    assert game.has_secrets or set(found) == {position}
