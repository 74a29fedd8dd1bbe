"""Boxes with one entry changed, for studies of what it does."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from strandline.engine import box, cache, discovery
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game

PREFIX = "box."
"""What the name of a box entry begins with where an option could stand too."""


def changed(game: Game, entry: str, value: Any, file: Path | None = None) -> Game:
    """The game with one entry of its box changed, as `box.tiles.wave`; `file` is the owner's box beneath it."""
    entries = tomllib.loads(file.read_text(encoding="utf-8")) if file else {}
    table = entries
    *path, name = entry.removeprefix(PREFIX).split(".")
    for key in path:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise BadOptions(f"{entry} is no entry of the box of {game.title}: {key} has no entries.")
    table[name] = value
    text = "".join(f"{_key(key)} = {written(item)}\n" for key, item in entries.items())
    made = cache.folder() / "boxes" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.toml"
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text, encoding="utf-8")
    return discovery.game(game.name, made)


def values(text: str) -> list[Any]:
    """The values written as `1,2,3`, `1..5` or any TOML values between commas."""
    first, dots, last = text.partition("..")
    if dots and all(end.lstrip("-").isdecimal() for end in (first, last)):
        return list(range(int(first), int(last) + 1))
    try:
        return list(tomllib.loads(f"values = [{text}]")["values"])
    except tomllib.TOMLDecodeError:
        return text.split(",")


def contents(game: Game) -> str:
    """The whole box that a game is played with, entry by entry."""
    return "\n".join(f"{key} = {written(item)}" for key, item in box.contents(str(game.rules.__package__)).items())


def written(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {written(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)
