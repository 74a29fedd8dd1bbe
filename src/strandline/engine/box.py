"""What the owner of a box may change: the tables in a game's `box.toml`, or a file of the owner's own over them.

A game with another box is the same folder imported a second time, as a package of its own name: its rules then have
that box's numbers as their constants, at every speed.
"""

import functools
import hashlib
import importlib.util
import sys
import tomllib
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from strandline.engine.errors import BadBox

_owners: dict[str, Path] = {}
"""The owner's file of each package that was imported for one."""


@functools.cache
def contents(package: str) -> dict[str, Any]:
    """The tables of the game in `package`: its `box.toml`, if it has one, with the owner's entries over it.

    They are read once: a file that changes later does not change the rules that have been imported.
    """
    file = Path(sys.modules[package].__path__[0]) / "box.toml"
    own = _read(file) if file.exists() else {}
    return _over(own, _read(_owners[package]), "") if package in _owners else own


def digest(package: str) -> str:
    """A hash of those tables, which tells a box from every other."""
    return hashlib.sha256(repr(contents(package)).encode()).hexdigest()


def with_box(package: ModuleType, file: Path) -> ModuleType:
    """The game folder `package` once more, with the box in `file`."""
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise BadBox(f"The box file {file} cannot be read: {error.strerror}.") from None
    name = f"{package.__name__}@{digest}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, package.__file__, submodule_search_locations=list(package.__path__)
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        _owners[name] = file
        spec.loader.exec_module(module)
    return sys.modules[name]


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadBox(f"The box file {file} is not valid TOML: {error}.") from None


def _over(own: dict[str, Any], owner: dict[str, Any], path: str) -> dict[str, Any]:
    """`own` with the entries of `owner` in their places; tables are merged, everything else is replaced."""
    merged = dict(own)
    for key, value in owner.items():
        if key not in own:
            close = get_close_matches(key, own, 1)
            hint = f"Did you mean {path}{close[0]}?" if close else f"There are: {', '.join(own)}."
            raise BadBox(f"The box has no entry {path}{key}. {hint}")
        if isinstance(own[key], dict) and isinstance(value, dict):
            value = _over(own[key], value, f"{path}{key}.")
        merged[key] = value
    return merged
