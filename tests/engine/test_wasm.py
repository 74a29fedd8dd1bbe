"""The shipped WebAssembly modules: never stale, nothing imported, the same games and trees as at other speeds."""

import functools
import os
import random
import shutil
import struct
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import wasmtime

import strandline
from engine.node import Node
from strandline.bots import kernels
from strandline.bots.tree import Tree
from strandline.engine import simulation, speeds, wasm
from strandline.engine.errors import NoKernels
from strandline.engine.speeds import Interpreted, Native, Wasm
from strandline.engine.wasm import host
from strandline.engine.wasm.browser import BrowserHost
from strandline.engine.wasm.compiler import BoxBinder
from strandline.engine.wasm.wasmtime_host import WasmtimeHost
from strandline.games.up_the_river import induction
from support import random_setting


def of(kernels: host.Kernels) -> speeds.Maker:
    """The drivers of these kernels."""
    return functools.partial(Wasm, kernels=kernels)


def rows(start: strandline.Position, speed: speeds.Maker, seed: int, number: int, games: int) -> bytes:
    return simulation.Player(start.game, speed).play(bytes(start), seed, number, games)


def tree(start: strandline.Position, speed: speeds.Maker, seed: int, simulations: int) -> bytes:
    found = Tree(start.game, simulations, speed)
    found.grow(bytes(start), seed, 0, simulations)
    return bytes(found.nodes)


def interpreted_list(position: strandline.Position) -> list[int]:
    record, work, rules = position._record, position.game.work(), position.game.rules
    return [rules.nth(record, work, i) for i in range(rules.count(record, work))]


def starts(game: strandline.Game) -> list[strandline.Position]:
    """A first position for each number of players, with the usual options, and some with others."""
    rng = random.Random(5)
    settings = [random_setting(game, rng) for _ in range(4)]
    return [*(game.new(players=players) for players in game.seats), *(game.new(**setting) for setting in settings)]


@pytest.fixture(autouse=True)
def ships_modules(request: pytest.FixtureRequest) -> None:
    """A game without modules, as a new one is, has nothing to compare."""
    if "game" in request.fixturenames and not host.file(request.getfixturevalue("game"), any_box=False).exists():
        pytest.skip("The game is interpreted: it has no modules.")


@pytest.fixture
def changed(game: strandline.Game, folder: Path) -> strandline.Game:
    """The game with another box."""
    file = folder / "other_box.toml"
    if not file.exists():
        pytest.skip(f"{game.title} has no other box.")
    return strandline.game(game.name, box=file)


@pytest.mark.parametrize("any_box", [False, True])
def test_modules_are_of_these_sources(game: strandline.Game, any_box: bool) -> None:
    file = host.file(game, any_box)
    about, expected = host.about(file.read_bytes()), kernels.description(game, any_box)
    assert {name: about[name] for name in expected} == expected, f"{file} is stale: run `make kernels`."


@pytest.mark.parametrize("any_box", [False, True])
def test_modules_import_nothing(game: strandline.Game, any_box: bool) -> None:
    module = wasmtime.Module(wasmtime.Engine(), host.file(game, any_box).read_bytes())
    assert not module.imports
    names = {function.__name__ for function in kernels.functions(game)}
    assert {export.name for export in module.exports} == {*names, "memory", "box", "__heap_base"}


def test_the_same_as_interpreted(game: strandline.Game) -> None:
    for seed, start in enumerate(starts(game)):
        assert rows(start, Wasm, seed, 2**40, 2) == rows(start, Interpreted, seed, 2**40, 2)
        later = start.play_random(7, seed)
        assert wasm.of(game).listing(bytes(later)) == interpreted_list(later)
        if isinstance(later.turn, int):
            assert tree(later, Wasm, seed, 3) == tree(later, Interpreted, seed, 3)


def test_the_same_as_native(game: strandline.Game) -> None:
    for seed, start in enumerate(starts(game)):
        found = rows(start, Wasm, seed, 100, 50)
        assert found == rows(start, Native, seed, 100, 50)
        assert rows(start, of(wasm.of(game, stoppable=True)), seed, 100, 50) == found
        later = start.play_random(9, seed)
        if later.turn is not None:
            assert tree(later, Wasm, seed, 300) == tree(later, Native, seed, 300)


def test_a_changed_box_plays_with_the_shipped_module(game: strandline.Game, changed: strandline.Game) -> None:
    for players in changed.seats:
        start = changed.new(players=players)
        found = rows(start, Wasm, 3, 0, 3)
        assert found == rows(start, Interpreted, 3, 0, 3)
        assert tree(start, Wasm, 4, 3) == tree(start, Interpreted, 4, 3)
        assert found != rows(game.new(players=players), Wasm, 3, 0, 3)


@pytest.mark.parametrize("steps", [11, 14])
def test_a_box_that_changes_records_says_so(tmp_path: Path, steps: int) -> None:
    with pytest.raises(NoKernels) as raised:
        wasm.of(undertow(tmp_path, steps))
    assert str(raised.value) == (
        "With this box, positions of Undertow are larger or smaller than the shipped module expects. So bots and random"
        " games run as ordinary Python and take about a hundred times as long. With the extra “native” they are"
        " compiled on your machine: pip install 'strandline[native]'."
    )


def undertow(folder: Path, steps: int) -> strandline.Game:
    """Undertow with another number of steps."""
    (folder / "box.toml").write_text(f"[board]\nsteps = {steps}\n")
    return strandline.game("undertow", box=folder / "box.toml")


def test_a_module_that_is_older_than_its_sources_is_not_blamed_on_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "box.toml").write_text("[searchers]\nsteps = 3\n")
    changed = strandline.game("over_the_next_dune", box=tmp_path / "box.toml")
    assert host.fitting(changed) == host.file(changed, any_box=True)
    monkeypatch.setattr("strandline.engine.stamps.digest", lambda *about, **more: "another")
    with pytest.raises(NoKernels, match="module of Over the Next Dune is older than its sources; `make kernels` makes"):
        host.fitting(changed)


def test_a_browser_has_no_sources_to_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "box.toml").write_text("[searchers]\nsteps = 3\n")
    changed = strandline.game("over_the_next_dune", box=tmp_path / "box.toml")
    monkeypatch.setattr("strandline.engine.stamps.digest", lambda *about, **more: "another")
    monkeypatch.setattr(host, "sys", SimpleNamespace(platform="emscripten"))
    assert host.fitting(changed) == host.file(changed, any_box=True)
    with pytest.raises(NoKernels, match="larger or smaller"):
        host.fitting(undertow(tmp_path, 14))


def test_a_box_file_that_says_what_the_box_says_changes_nothing(tmp_path: Path) -> None:
    game = strandline.game("undertow")
    (tmp_path / "box.toml").write_text("# A remark.\n" + (game.folder / "box.toml").read_text())
    assert host.fitting(strandline.game("undertow", box=tmp_path / "box.toml")) == host.file(game)


@pytest.mark.slow
def test_a_changed_box_is_the_same_as_native(changed: strandline.Game) -> None:
    for players in changed.seats:
        start = changed.new(players=players)
        assert rows(start, Wasm, 3, 0, 50) == rows(start, Native, 3, 0, 50)
        assert tree(start, Wasm, 4, 200) == tree(start, Native, 4, 200)


@pytest.mark.skipif(shutil.which("node") is None, reason="There is no Node here.")
@pytest.mark.parametrize("any_box", [False, True])
def test_a_browser_plays_the_same(game: strandline.Game, any_box: bool) -> None:
    start = game.new(players=max(game.seats))
    module = host.file(game, any_box).read_bytes()
    with Node() as js:
        found = host.Kernels(game, module, BrowserHost(js))
        assert rows(start, of(found), 6, 0, 40) == rows(start, Wasm, 6, 0, 40)
        assert found.listing(bytes(start)) == wasm.of(game).listing(bytes(start))
        assert tree(start, of(found), 7, 50) == tree(start, Wasm, 7, 50)


def test_threads_do_not_meet() -> None:
    start = strandline.game("undertow").new()
    expected = [rows(start, Wasm, seed, 0, 200) for seed in range(4)]
    found: dict[int, bytes] = {}

    def play(seed: int) -> None:
        found[seed] = rows(start, Wasm, seed, 0, 200)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == expected


def test_a_module_is_kept_as_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = strandline.game("up_the_river")
    start, module = game.new(), host.file(game).read_bytes()

    def play() -> bytes:
        return rows(start, of(host.Kernels(game, module, WasmtimeHost())), 1, 0, 9)

    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    first = play()
    (kept,) = tmp_path.rglob("*.cwasm")
    written = kept.stat().st_mtime_ns
    assert play() == first
    assert kept.stat().st_mtime_ns == written
    kept.write_bytes(b"damaged")
    assert play() == first
    monkeypatch.setenv("STRANDLINE_CACHE", str(kept / "no folder"))
    assert play() == first


def test_arrays_of_several_dimensions_and_results_that_are_not_whole() -> None:
    game = strandline.game("up_the_river")
    rng, instance = np.random.default_rng(1), wasm.of(game).instance()
    blocks = np.array([[[0, 0, 0, 0, 4, 0, 4]]] * 2)  # four fleets without boats at home against four
    rows, carried = np.array([[[4 * fleet, 16]] * 4 for fleet in range(4)]), rng.integers(0, 4, (2, 4))
    goals = [rng.integers(0, 4, shape, np.int32) for shape in ((1, 4, 5, 3), (1, 4, 3), (4, 3))]
    goals[0][0, 1] = goals[1][0, 1:3] = goals[2][2:] = -1
    expected, after, totals = rng.random((3, 2, 2, 16)), np.zeros((3, 2, 2, 16)), np.zeros(2 * induction.ROOM)
    arrays = [blocks, rows, carried, *goals, expected, after, totals]
    places = []
    for array in arrays:
        places.append((instance.room(array.nbytes), *array.shape))
        instance.write(places[-1][0], array.tobytes())
    bits = instance.call("go_back", 5, *places)
    changed = game.interpreted(induction).go_back(5, *arrays)
    assert 0 < changed < 1 and struct.unpack("<d", struct.pack("<q", bits)) == (changed,)
    assert instance.read(places[-3][0], expected.nbytes) == expected.tobytes()


def test_long_lists_find_room() -> None:
    game = strandline.game("undertow")
    start = game.new(players=4)
    lists = [wasm.of(game).listing(bytes(start.play_random(n, 1))) for n in range(40)]
    assert lists == [interpreted_list(start.play_random(n, 1)) for n in range(40)]


def test_what_is_slow_without_a_compiler_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speeds, "has_compiler", lambda: False)
    game = undertow(tmp_path, 14)
    for _ in range(2):
        speeds.fastest_class.cache_clear()
        assert simulation.Player(game).speed == "interpreted"
    speeds.fastest_class.cache_clear()
    said = capsys.readouterr().err
    assert said.count("positions of Undertow are larger or smaller") == 1 and "a hundred times as long" in said


def test_a_game_without_a_module_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = strandline.game("undertow")
    monkeypatch.setattr(host, "file", lambda game, any_box=False: tmp_path / "none")
    with pytest.raises(NoKernels, match="Undertow has no compiled module for this box; `make kernels` makes one"):
        host.fitting(game)


def test_folders_that_nobody_uses_go_when_a_module_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = strandline.game("up_the_river")
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    old = tmp_path / "wasm-0123456789abcdef"
    old.mkdir()
    os.utime(old, (0, 0))
    WasmtimeHost().compile(host.file(game).read_bytes())
    (kept,) = tmp_path.iterdir()
    assert kept != old
    os.utime(kept, (0, 0))
    WasmtimeHost().compile(host.file(game).read_bytes())
    assert kept.stat().st_mtime > 0


def test_everything_that_a_module_holds_can_be_bound() -> None:
    game = strandline.game("up_the_river")
    binder = BoxBinder(game.rules, any_box=True)
    assert all(binder.bound(function).py_func for function in kernels.functions(game))


@pytest.mark.slow
def test_the_same_sources_give_the_same_bytes() -> None:
    game = strandline.game("up_the_river")
    assert kernels.built_apart(game, any_box=False) == host.file(game).read_bytes()
