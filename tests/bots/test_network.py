"""Networks without a search: small files, the same choice at every speed, and a clear word where there is none."""

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
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.env import benchmark, quantize, space

GAMES = [strandline.game(name) for name in strandline.games()]
NETWORKS = [(game, players) for game in GAMES for players in network.seats(game)]
RIVER = strandline.game("up_the_river")


def with_choice(start: Position) -> Position:
    """A position of a random game in which a seat has something to choose."""
    rng, position = random.Random(5), start
    while not isinstance(position.turn, int) or len(position.moves()) < 2:
        position = position.play(rng.choice(position.moves()))
    return position


@pytest.mark.parametrize(("played", "players"), NETWORKS, ids=lambda item: getattr(item, "name", item))
def test_every_network_chooses_alike_at_all_speeds(played: Game, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    position = with_choice(played.new(players))
    assert isinstance(position.turn, int)
    chosen = []
    for speed in (speeds.Interpreted, speeds.Wasm):
        monkeypatch.setattr(GuidedTree.__init__, "__defaults__", (speed,))
        player = bots.bot("network", played)
        chosen.append(player.choose(position.view(position.turn), position.turn, 7))
    assert chosen[0] == chosen[1] == player.choose(position, position.turn, 7)
    assert chosen[0] in position.moves()


def test_every_network_was_trained_for_the_box_that_its_game_comes_with() -> None:
    for game in GAMES:
        files = {game.folder / f"{kind}.{n}.bin" for kind in ("network", "champion") for n in game.seats}
        assert {network.file(game, n) for n in network.seats(game)} == {file for file in files if file.exists()}
        assert network.has_any(game) == bool(network.seats(game))


def test_a_network_that_makes_no_champion_makes_no_level_6() -> None:
    for game in GAMES:
        assert ("6" in bots.names(game)) == bool(network.champions(game))
        assert ("network" in bots.names(game)) == bool(network.seats(game))
        assert set(network.champions(game)) <= set(network.seats(game))
    assert "network" not in bots.names()


def test_games_without_a_network_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(network, "file", lambda game, players: tmp_path / "none")
    with pytest.raises(strandline.BadOptions, match="Up the River has no network"):
        bots.bot("network", RIVER)
    with pytest.raises(strandline.BadOptions, match="Up the River has no network"):
        benchmark.model("network", RIVER)


def test_a_network_plays_the_games_that_it_has_learned() -> None:
    position = with_choice(RIVER.new(3))
    with pytest.raises(strandline.BadOptions, match=r"networks of Up the River play with 2\b.* seats"):
        bots.bot("network", RIVER).choose(position, 0)


def layers(width: int) -> dict[str, Any]:
    """A network of random weights, which nobody has trained."""
    here, rng = space(RIVER, 2), np.random.default_rng(5)
    sizes = [here.size, width, width, here.actions]
    arrays: dict[str, Any] = {"scale": 1 / here.scale}
    for i in range(3):
        arrays[f"weights_{i}"] = rng.normal(0, (2 / sizes[i]) ** 0.5, (sizes[i], sizes[i + 1]))
        arrays[f"biases_{i}"] = rng.normal(0, 0.1, sizes[i + 1])
    return arrays | {"value_weights": rng.normal(0, 0.02, (width, 2)), "value_biases": rng.normal(0, 0.1, 2)}


def widened(arrays: dict[str, Any], width: int) -> dict[str, Any]:
    """The same network with units that are always 0 in both layers."""
    more = width - len(arrays["weights_1"])
    pads = {"weights_0": ((0, 0), (0, more)), "weights_1": ((0, more), (0, more)), "weights_2": ((0, more), (0, 0))}
    pads |= {"value_weights": ((0, more), (0, 0))}
    found = {name: np.pad(arrays[name], pad) for name, pad in pads.items()}
    return arrays | found | {name: np.pad(arrays[name], (0, more)) for name in ("biases_0", "biases_1")}


def test_narrow_networks_are_written_narrow_and_read_wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "file", lambda game, players: tmp_path / "network.bin")
    read, sizes = [], []
    for arrays in (layers(40), widened(layers(40), puct.WIDTH)):
        written = quantize.quantized(RIVER, 2, arrays)
        (tmp_path / "network.bin").write_bytes(written)
        network.network.cache_clear()
        read.append(network.network(RIVER, 2))
        sizes.append(len(written))
    network.network.cache_clear()
    assert read[0] == read[1] and sizes[0] < sizes[1] / 4


def test_a_network_that_sees_something_else_is_refused() -> None:
    arrays = layers(40)
    arrays |= {"weights_0": arrays["weights_0"][:-1], "scale": arrays["scale"][:-1]}
    with pytest.raises(ValueError, match="networks of Up the River see 106 numbers, not 105"):
        quantize.quantized(RIVER, 2, arrays)


def test_networks_that_bots_cannot_play_are_refused() -> None:
    with pytest.raises(ValueError, match="two layers of 256 units or fewer"):
        quantize.quantized(RIVER, 2, layers(300))
