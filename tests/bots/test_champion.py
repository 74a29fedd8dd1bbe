"""The champion: a network in whole numbers, and only where it was seen to win."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strandline
from strandline import bots
from strandline.bots import network, puct
from strandline.bots.tree import GuidedTree
from strandline.engine import speeds
from strandline.engine.position import Position
from strandline.env import quantize, space

CASTLES = strandline.game("sand_castles")
RIVER = strandline.game("up_the_river")


def first_choice(start: Position) -> Position:
    """A position of a random game in which a seat has something to choose."""
    rng, position = random.Random(5), start
    while not isinstance(position.turn, int) or len(position.moves()) < 2:
        position = position.play(rng.choice(position.moves()))
    return position


def grown(position: Position, simulations: int, speed: speeds.Maker) -> GuidedTree:
    tree = GuidedTree(position.game, simulations, speed, players=position.players)
    tree.grow(bytes(position), 7, 0, simulations)
    return tree


def test_a_seat_alone_is_worth_what_the_network_says() -> None:
    """Its value is its own, not what it has more than others: with no others that would be the same everywhere."""
    root = grown(first_choice(strandline.game("over_the_next_dune").new(1)), 40, speeds.Wasm).root()
    assert 0 < root.value[0] < root.visits
    assert root.square[0] / root.visits - (root.value[0] / root.visits) ** 2 > 1e-6


def test_a_network_is_small() -> None:
    games = [strandline.game(name) for name in strandline.games()]
    files = [network.file(game, players) for game in games for players in network.seats(game)]
    assert files and max(file.stat().st_size for file in files) < 1_000_000


def test_whole_numbers_say_what_the_network_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of random weights, which nobody has trained: its likings and values by NumPy and in the search."""
    monkeypatch.setattr(network, "file", lambda game, players: tmp_path / "champion.bin")
    position = first_choice(RIVER.new(2))
    assert isinstance(position.turn, int)
    here, rng = space(RIVER, 2), np.random.default_rng(5)
    sizes = [here.size, puct.WIDTH, puct.WIDTH, here.actions]
    arrays: dict[str, Any] = {"scale": 1 / here.scale}
    for i in range(3):
        arrays[f"weights_{i}"] = rng.normal(0, (2 / sizes[i]) ** 0.5, (sizes[i], sizes[i + 1]))
        arrays[f"biases_{i}"] = rng.normal(0, 0.1, sizes[i + 1])
    arrays |= {"value_weights": rng.normal(0, 0.02, (puct.WIDTH, 2)), "value_biases": rng.normal(0, 0.1, 2)}
    network.file(RIVER, 2).write_bytes(quantize.quantized(RIVER, 2, arrays))

    inner = here.scaled(here.observe(position, position.turn))
    for i in range(2):
        inner = np.maximum(inner @ arrays[f"weights_{i}"] + arrays[f"biases_{i}"], 0)
    logits = (inner @ arrays["weights_2"] + arrays["biases_2"])[[here.action(code) for code in position.codes()]]
    likely = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    values = inner @ arrays["value_weights"] + arrays["value_biases"]

    network.network.cache_clear()
    tree = grown(position, 1, speeds.Interpreted)
    network.network.cache_clear()
    root = tree.root()
    liked = [tree.edges[i].liked / puct.SURE for i in range(root.first, root.first + root.size)]
    assert liked == pytest.approx(likely, abs=0.03)
    in_turn = [root.value[(position.turn + step) % 2] * 2 - 1 for step in range(2)]
    assert in_turn == pytest.approx(np.clip(values, -1, 1), abs=0.01)


def test_weights_that_whole_numbers_cannot_hold_are_refused() -> None:
    here = space(RIVER, 2)
    arrays: dict[str, Any] = {"scale": 1 / here.scale, "weights_0": np.full((here.size, puct.WIDTH), 9.0)}
    arrays |= {"weights_1": np.zeros((puct.WIDTH, puct.WIDTH)), "weights_2": np.zeros((puct.WIDTH, here.actions))}
    arrays |= {f"biases_{i}": np.zeros(size) for i, size in enumerate((puct.WIDTH, puct.WIDTH, here.actions))}
    arrays |= {"value_weights": np.zeros((puct.WIDTH, 2)), "value_biases": np.zeros(2)}
    with pytest.raises(ValueError, match="16 bits"):
        quantize.quantized(RIVER, 2, arrays)


def test_level_6_is_there_where_the_game_has_networks() -> None:
    assert "6" in bots.names(CASTLES) and "6" not in bots.names(RIVER) and "6" not in bots.names()
    with pytest.raises(strandline.BadOptions, match="There is no bot '6'"):
        bots.bot(6, RIVER)


def test_the_champion_plays_from_its_view_and_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.bots.registry.CHAMPION_SIMULATIONS", 200)
    position = first_choice(CASTLES.new(4))
    assert isinstance(position.turn, int)
    champion = bots.bot(6, CASTLES)
    move = champion.choose(position, position.turn, 3)
    assert move == champion.choose(position.view(position.turn), position.turn, 3) and move in position.moves()


def test_games_without_a_network_are_left_to_level_5(monkeypatch: pytest.MonkeyPatch) -> None:
    position = first_choice(CASTLES.new(2, max_rounds=5))
    assert isinstance(position.turn, int)
    assert not network.fits(position) and network.fits(first_choice(CASTLES.new(2)))
    champion = bots.bot(6, CASTLES)
    monkeypatch.setattr(type(champion.otherwise), "choose", lambda *_: "as level 5 does")  # type: ignore[attr-defined]
    assert champion.choose(position, position.turn) == "as level 5 does"


def test_a_network_that_was_not_seen_to_win_is_left_to_level_5(monkeypatch: pytest.MonkeyPatch) -> None:
    position = first_choice(CASTLES.new(2))
    assert isinstance(position.turn, int)
    champion = bots.bot(6, CASTLES)
    monkeypatch.setattr(network, "champions", lambda game: (4,))
    monkeypatch.setattr(type(champion.otherwise), "choose", lambda *_: "as level 5 does")  # type: ignore[attr-defined]
    assert network.fits(position) and champion.choose(position, position.turn) == "as level 5 does"


def test_another_box_has_neither_champion_nor_network(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("[tiles]\npebble = 8\n")
    other = strandline.game("sand_castles", box=tmp_path / "other.toml")
    assert network.champions(other) == network.seats(other) == () and "6" not in bots.names(other)
    assert not network.fits(other.new(2)) and not network.is_champions(other.new(2))
    with pytest.raises(strandline.BadOptions, match="Sand Castles has no network for this box"):
        bots.bot("network", other)
    (tmp_path / "same.toml").write_text("")
    assert network.champions(strandline.game("sand_castles", box=tmp_path / "same.toml")) == (2, 4)
