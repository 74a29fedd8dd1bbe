"""Actions by number, observations by part: complete, within bounds, and nothing that a seat may not see."""

import random
from typing import Any

import numpy as np
import pytest

import strandline
from env.sights import line, seen
from strandline import Game, Position
from strandline.bots.views import guesses
from strandline.engine import binding, spaces
from strandline.engine.spaces import Part
from strandline.env import Space, actions, drivers, observation, space
from strandline.env.batch import Batch
from strandline.env.spaces import has_space
from strandline.games.undertow.box import MODIFIER
from support import random_setting

# What an observation leaves out where a seat decides: what follows from the rest, what no rule asks for any more, and
# how far away a distant end is.
LEFT_OUT = {
    "over_the_next_dune": ("options", "terrain"),
    "reef_route": ("options",),
    "sand_castles": ("options", "view"),
    "undertow": ("options", "round"),
    "up_the_river": ("options", "docks"),
}


def test_actions_are_moves_or_steps(game: Game) -> None:
    for players in game.seats:
        one = space(game, players)
        texts = actions(game.name, players)
        assert len(set(texts)) == len(texts) == one.actions
        for action, text in enumerate(texts):
            assert one.action(one.code(action)) == action
            if game.interpreted(spaces).is_move(one.code(action)):
                assert game.notation.read(text) == one.code(action)


def test_every_decision_has_actions(game: Game) -> None:
    """Each legal move is a path of legal actions, no two the same, and no action leads nowhere."""
    rng = random.Random(1)
    for players in game.seats:
        one = space(game, players)
        for _ in range(4):
            setting = random_setting(game, rng) | {"players": players}
            for position in line(game, rng, **setting):
                if isinstance(position.turn, int):
                    paths = [one.path(code) for code in position.codes()]
                    assert len(set(paths)) == len(paths)
                    for path in paths[:: 1 + len(paths) // 20]:
                        for i, action in enumerate(path):
                            assert action in one.legal(position, path[:i])
                    assert set(one.legal(position)) == {path[0] for path in paths}


def test_a_look_is_taken_in_steps() -> None:
    game = strandline.game("sand_castles")
    one = space(game, 4)
    assert one.actions < 300
    games = (line(game, random.Random(seed), players=4) for seed in range(100))
    looks = ((p, move) for positions in games for p in positions for move in p.moves() if "peeked" in move)
    position, move = next((p, move) for p, move in looks if move.startswith("seagull") and len(move.split()) == 4)
    code = game.code(move)
    path = one.path(code)
    first, second = move.split()[2:]
    assert [one.texts[action] for action in path] == [f"name {first}", f"name {second}", "look"]
    assert one.legal(position, path[:1])[path[1]] is None
    assert one.legal(position, path[:2])[path[2]] == code
    assert isinstance(position.turn, int)
    named = one.split(one.observe(position, position.turn, path[:2]))["named"]
    assert np.flatnonzero(named).tolist() == [int(first) - 1, int(second) - 1]


def test_observations_are_as_wide_as_their_parts(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    own = binding.part(game.rules, spaces)
    parts = own.parts  # type: ignore[union-attr]
    assert space(game).dtype == np.int8
    for high, low, expected in ((127, 0, np.int8), (128, 0, np.int16), (0, -129, np.int16), (40_000, -1, np.int32)):
        monkeypatch.setattr(
            own, "parts", lambda players, low=low, high=high: (*parts(players), Part("sum", (1,), low, high, "a sum"))
        )
        wide = Space(game, game.seats[0])
        assert wide.dtype == expected and (wide.low[-1], wide.high[-1]) == (low, high)
        assert wide.scaled(wide.high).dtype == np.float32 and abs(wide.scaled(wide.high)).max() <= 1


def test_observations_keep_to_their_bounds(game: Game) -> None:
    rng = random.Random(2)
    for _ in range(12):
        for position in line(game, rng):
            one = space(game, position.players)
            if rng.random() < 0.3 or position.turn is None:
                for seat in range(position.players):
                    found = seen(position, seat)
                    assert (one.low <= found).all() and (found <= one.high).all(), position.to_json()


def test_parts_lie_one_after_the_other(game: Game) -> None:
    for players in game.seats:
        one = space(game, players)
        parts = observation(game.name, players)
        assert sum(part.size for part in parts) == one.size
        assert len({part.name for part in parts}) == len(parts)
        assert all(part.low < part.high and part.meaning for part in parts)
        split = one.split(np.arange(2 * one.size).reshape(2, one.size))
        assert [split[part.name].shape for part in parts] == [(2, *part.shape) for part in parts]


def test_seats_are_counted_from_the_own_one(game: Game) -> None:
    position = next(p for p in line(game, random.Random(3)) if isinstance(p.turn, int))
    for seat in range(position.players):
        split = space(game, position.players).split(seen(position, seat))
        assert split["seat"].argmax() == seat and split["seat"].sum() == 1
        assert isinstance(position.turn, int)
        assert split["turn"].argmax() == (position.turn - seat) % position.players


def test_nothing_hidden_is_seen(game: Game) -> None:
    """Every position that a seat's view allows looks the same to it."""
    rng = random.Random(4)
    differ = 0
    for _ in range(3):
        setting = random_setting(game, rng) | {"players": max(game.seats)}
        for position in line(game, rng, **setting):
            for seat in range(position.players) if rng.random() < 0.15 else ():
                for other in set(guesses(game, position, seat, rng.randrange(2**31))):
                    assert (seen(position, seat) == seen(other, seat)).all()
                    differ += other != position
    assert (differ > 0) == game.has_secrets


def test_what_matters_is_seen(game: Game) -> None:
    """What a seat can tell apart of all that may come of a move or an outcome does not look the same to it."""
    rng = random.Random(5)
    for _ in range(2):
        for position in line(game, rng, 120):
            moves = position.moves()
            after = [position.play(move) for move in rng.sample(moves, min(len(moves), 12))]
            for seat in range(position.players):
                looks: dict[bytes, dict[str, Any]] = {}
                for other in after:
                    if other.turn is not None:
                        view = known(other, seat)
                        assert looks.setdefault(seen(other, seat).tobytes(), view) == view


def known(position: Position, seat: int) -> dict[str, Any]:
    """What the seat knows of the position, and an observation tells it."""
    left_out = LEFT_OUT.get(position.game.name, ())
    view = {name: value for name, value in position.view(seat).items() if name not in left_out}
    if position.game.name == "undertow" and view["dice"]:
        view["dice"] |= {"modifier": MODIFIER[view["dice"]["modifier"]]}  # two faces mean the same
    return view


def test_both_speeds_see_the_same(game: Game) -> None:
    rng = random.Random(6)
    for _ in range(3):
        positions = list(line(game, rng))
        batch = Batch(positions[0], len(positions), drivers.EVERY)
        batch._states[:] = np.concatenate([position.records() for position in positions])
        for i, position in enumerate(positions):
            for seat in range(position.players):
                assert (batch.look(i, seat) == seen(position, seat)).all()


def test_networks_see_the_same_at_both_speeds_nothing_hidden_and_within_bounds(game: Game) -> None:
    rng = random.Random(7)
    for _ in range(2):
        positions = list(line(game, rng))
        one = space(game, positions[0].players)
        batch = Batch(positions[0], len(positions), drivers.EVERY)
        batch.reset(range(len(positions)))
        batch._states[:] = np.concatenate([position.records() for position in positions])
        chosen = [i for i, p in enumerate(positions) if isinstance(p.turn, int) and rng.random() < 0.5]
        for i in chosen:
            batch._desks["seat"][i] = positions[i].turn
        batch._show()
        seen = batch.insight()
        for i in chosen:
            here, seat = positions[i], int(batch._desks["seat"][i])
            assert (seen[i] == one.look_into(here, seat)).all()
            assert (one.insight.low <= seen[i]).all() and (seen[i] <= one.insight.high).all()
            for other in set(guesses(game, here, seat, rng.randrange(2**31))) if rng.random() < 0.2 else ():
                assert (seen[i] == one.look_into(other, seat)).all()
        assert one.insight is one or len({part.name for part in one.insight.parts}) == len(one.insight.parts)


def test_rewards_follow_the_winners(game: Game) -> None:
    rng = random.Random(7)
    for _ in range(20):
        *_, last = line(game, rng, 100_000, **random_setting(game, rng) | _short(game))
        rewards = [game.interpreted(spaces).reward(last._record, seat) for seat in range(last.players)]
        winners = last.winners()
        assert all(-1 <= reward <= 1 for reward in rewards)
        if len(winners) == last.players:
            assert len(set(rewards)) == 1
        elif winners:
            assert {seat for seat, reward in enumerate(rewards) if reward == max(rewards)} == set(winners)
            assert sum(rewards) == pytest.approx(0)
            assert len(winners) > 1 or max(rewards) == 1


def _short(game: Game) -> dict[str, Any]:
    """Options that end a game soon."""
    limits = {"round_limit": 30, "max_rounds": 5, "limit": 40, "vacation": 0}
    return {name: value for name, value in limits.items() if name in game.options}


def test_positions_of_others_are_refused() -> None:
    here = space("up_the_river", 2)
    for name, players in (("undertow", 2), ("up_the_river", 3)):
        other = strandline.game(name).new(players)
        for look in (here.legal, lambda position: here.observe(position, 0)):
            with pytest.raises(
                strandline.BadOptions, match=f"of Up the River for 2, and the position of .* for {players}"
            ):
                look(other)
    for seat in (-1, 2):
        with pytest.raises(strandline.BadOptions, match=f"seat must be from 0 to 1, not {seat}"):
            here.observe(strandline.game("up_the_river").new(2), seat)


def test_a_game_without_spaces_says_so(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "part", lambda rules, ours: None)
    assert not has_space(game)
    with pytest.raises(strandline.BadOptions, match=r"has no spaces\.py"):
        Space(game, game.seats[0])


def test_hope_begins_with_nothing_and_is_whole_when_all_are_away() -> None:
    """Over the Next Dune is never won by chance; a game that is needs no hope."""
    dune = space("over_the_next_dune")
    start = strandline.game("over_the_next_dune").new()
    seen = dune.observe(start, 0)
    assert dune.hope @ seen == 0
    parts = dune.split(seen)  # views of the same numbers
    parts["token_rows"][:] = 0
    parts["tokens"][:] = (0, 0, 1)
    assert dune.hope @ seen == pytest.approx(1)
    assert not space("undertow").hope.any()
