"""The shipped WebAssembly modules: never stale, nothing imported, run by every host. `test_speeds` has their games."""

import functools
import os
import struct
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import wasmtime

import strandline
from strandline.bots import kernels
from strandline.engine import simulation, speeds, wasm
from strandline.engine.errors import NoKernels
from strandline.engine.speeds import Wasm
from strandline.engine.wasm import host
from strandline.engine.wasm.compiler import BoxBinder
from strandline.engine.wasm.wasmtime_host import WasmtimeHost
from strandline.games.up_the_river import induction
from support import listed, starts

pytestmark = pytest.mark.usefixtures("ships_modules")


def of(kernels: host.Kernels) -> speeds.Maker:
    """The drivers of these kernels."""
    return functools.partial(Wasm, kernels=kernels)


def rows(start: strandline.Position, speed: speeds.Maker, seed: int, number: int, games: int) -> bytes:
    return simulation.Player(start.game, speed).play(bytes(start), seed, number, games)


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


def test_kernels_that_can_be_stopped_play_the_same(game: strandline.Game) -> None:
    for seed, start in enumerate(starts(game)):
        assert rows(start, of(wasm.of(game, stoppable=True)), seed, 100, 50) == rows(start, Wasm, seed, 100, 50)


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


@pytest.mark.usefixtures("each_host")
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


@pytest.mark.usefixtures("each_host")
def test_long_lists_find_room() -> None:
    game = strandline.game("undertow")
    start = game.new(players=4)
    lists = [wasm.of(game).listing(bytes(start.play_random(n, 1))) for n in range(40)]
    assert lists == [listed(start.play_random(n, 1)) for n in range(40)]


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
    with pytest.raises(NoKernels, match="Undertow has no compiled module that fits; `make kernels` makes one"):
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
@pytest.mark.parametrize("any_box", [False, True])
def test_the_same_sources_give_the_same_bytes(game: strandline.Game, any_box: bool) -> None:
    assert kernels.built_apart(game, any_box) == host.file(game, any_box).read_bytes()
