"""Small checks of data from outside. Each returns what it checked, or raises `Flaw` with a sentence about the place."""

import json
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Any


class Flaw(ValueError):
    """What is wrong with the data; turned into `BadPosition`, `BadBox` or `BadOptions` by whoever asked."""


def fields_of(value: Any, where: str) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise Flaw(f"{where} must be an object, not {shown(value)}.")
    return value


def fields(value: Any, names: Collection[str], where: str) -> dict[str, Any]:
    """An object with exactly these fields."""
    fields_of(value, where)
    missing = [name for name in names if name not in value]
    if missing:
        raise Flaw(f"{where} lacks {', '.join(missing)}.")
    for name in value:
        if name not in names:
            close = get_close_matches(str(name), names, 1)
            raise Flaw(
                f"{where} has an unknown field {shown(name)}" + (f"; did you mean {close[0]}?" if close else ".")
            )
    return dict(value)


def whole(value: Any, low: int, high: int, where: str) -> int:
    """A whole number from `low` to `high`; `true` and `false` do not count as one."""
    if type(value) is not int or not low <= value <= high:
        raise Flaw(f"{where} must be a whole number from {low} to {high}, not {shown(value)}.")
    return value


def flag(value: Any, where: str) -> bool:
    """`true` or `false`."""
    if type(value) is not bool:
        raise Flaw(f"{where} must be true or false, not {shown(value)}.")
    return value


def word(value: Any, words: Collection[str], where: str) -> str:
    """One of `words`."""
    if not isinstance(value, str) or value not in words:
        raise Flaw(f"{where} must be one of {', '.join(words)}, not {shown(value)}.")
    return value


def items(value: Any, least: int, most: int, where: str) -> list[Any]:
    """A list of `least` to `most` items."""
    size = str(least) if least == most else f"{least} to {most}"
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise Flaw(f"{where} must be a list of {size} items, not {shown(value)}.")
    return value


def each(value: Any, least: int, most: int, where: str, check: Callable[[Any, str], Any]) -> list[Any]:
    """A list of `least` to `most` items that pass `check`, which is told the place of each one."""
    return [check(item, f"{where}[{i}]") for i, item in enumerate(items(value, least, most, where))]


def same(value: Any, right: Any, where: str) -> None:
    """`value` is exactly `right`, types included; the sentence names the first place where it is not."""
    if type(value) is not type(right):
        raise Flaw(f"{where} should be {shown(right)} here, not {shown(value)}.")
    if isinstance(right, dict):
        fields(value, right, where)
        for name in right:
            same(value[name], right[name], f"{where}.{name}" if where != "The position" else name)
    elif isinstance(right, list):
        if len(value) != len(right):
            raise Flaw(f"{where} should be {shown(right)} here, not {shown(value)}.")
        for i, item in enumerate(right):
            same(value[i], item, f"{where}[{i}]")
    elif value != right:
        raise Flaw(f"{where} should be {shown(right)} here, not {shown(value)}.")


def shown(value: Any) -> str:
    """The value as JSON writes it, cut to a readable length."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
