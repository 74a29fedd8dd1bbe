"""Words for people: a sentence is made once, for one reader, in their language.

A module that speaks to people has `_ = Words(__file__)`. The English stands in the code; other languages lie beside it,
a file of GNU gettext each, `de.po` for German. `_("Boat {boat} sails.", boat=1)` looks the sentence up in the reader's
language and fills it in. Two forms, `_(("{n} card", "{n} cards"), n=2)`, are singular and plural. `_.who` knows the
person: it is told both what the reader hears about themselves and what they hear about others.

Who reads is a matter of context: `with reading(Reader("de", seats, names)):` holds for all that is said inside.
"""

from __future__ import annotations

import functools
import gettext
import io
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

ENGLISH = "en"
ROOT = Path(__file__).parents[1]
"""The package's folder."""

Message = str | tuple[str, str]
"""A sentence, or its singular and its plural, which depend on `n`."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who is spoken to: their language, the seats that are theirs, and what everybody at the table is called."""

    language: str = ENGLISH
    seats: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()


_reader: ContextVar[Reader] = ContextVar("reader", default=Reader())  # noqa: B039  # it never changes


def reader() -> Reader:
    """Who is being spoken to."""
    return _reader.get()


class reading:  # it reads as a statement: with reading(somebody)
    """All that is said inside is said to `who`."""

    def __init__(self, who: Reader) -> None:
        self._who = who

    def __enter__(self) -> None:
        self._before = _reader.set(self._who)

    def __exit__(self, *_: object) -> None:
        _reader.reset(self._before)


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages that there are: English, and those with a file beside this one."""
    return ENGLISH, *sorted(file.stem for file in Path(__file__).parent.glob("*.[mp]o"))


def best(wanted: Sequence[str]) -> str:
    """The first of the wanted languages that there is, whatever its country; else English."""
    for language in wanted:
        known = language.strip().lower().partition("-")[0]
        if known in languages():
            return known
    return ENGLISH


def accepted(header: str) -> str:
    """The best language for a browser's `Accept-Language`."""

    def weight(part: str) -> float:
        try:
            return float(part.partition(";q=")[2] or 1)
        except ValueError:
            return 0.0

    parts = sorted(header.split(","), key=weight, reverse=True)
    return best([part.partition(";")[0] for part in parts])


@functools.cache
def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    """The sentences of a folder in a language; those of the engine stand in for what it lacks."""
    found = gettext.NullTranslations()
    if (ready := folder / f"{language}.mo").exists():  # a site has these instead
        found = gettext.GNUTranslations(io.BytesIO(ready.read_bytes()))
    elif (file := folder / f"{language}.po").exists():
        import polib

        found = gettext.GNUTranslations(io.BytesIO(polib.pofile(str(file), encoding="utf-8").to_binary()))
    if folder != ROOT / "engine":
        found.add_fallback(catalogue(ROOT / "engine", language))
    return found


class Words:
    """The sentences of one folder."""

    def __init__(self, file: str) -> None:
        self._folder = Path(file).parent
        self._catalogues: dict[str, gettext.NullTranslations] = {}

    def __call__(self, message: Message, /, **data: Any) -> str:
        """The message in the reader's language, filled in."""
        language = _reader.get().language
        if language != ENGLISH:
            found = self._translated(message, language, data)
        elif isinstance(message, tuple):
            found = message[data["n"] != 1]
        else:
            found = message
        return found.format(**data) if data else found

    def who(self, seat: int | None, you: Message, other: Message, /, **data: Any) -> str:
        """`you` if the seat is the reader's own, else `other`, in which `{name}` is what the seat is called."""
        if seat is not None and seat in reader().seats:
            return self(you, **data)
        return self(other, **data, name=seat_name(seat) if seat is not None else "")

    def _translated(self, message: Message, language: str, data: dict[str, Any]) -> str:
        known = self._catalogues.get(language)
        if known is None:
            known = self._catalogues[language] = catalogue(self._folder, language)
        return known.ngettext(*message, data["n"]) if isinstance(message, tuple) else known.gettext(message)


_ = Words(__file__)


def message(text: str) -> str:
    """A sentence written here and said elsewhere: marks `text` for translators and returns it."""
    return text


def seat_name(seat: int) -> str:
    """What the person or bot at a seat is called, to the reader."""
    names = _reader.get().names
    return names[seat] if seat < len(names) else _("Seat {n}", n=seat)


def seat_names(seats: Sequence[int]) -> str:
    """Several seats as a list: "Ann, Ben and Cleo"."""
    return listed([seat_name(seat) for seat in seats])


def listed(items: Sequence[str]) -> str:
    """Items as a list, with "and" before the last."""
    *others, last = items
    return _("{others} and {last}", others=", ".join(others), last=last) if others else last


def alternatives(items: Sequence[str]) -> str:
    """Items as a list, with "or" before the last."""
    *others, last = items
    return _("{others} or {last}", others=", ".join(others), last=last) if others else last


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cached_for_reader(
    size: int | None = None,
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Like `functools.lru_cache`, for functions that speak: what was said is remembered for each reader separately."""

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @functools.lru_cache(size)
        def remembered(_: Reader, *args: Any, **kwargs: Any) -> Result:
            return function(*args, **kwargs)

        @functools.wraps(function)
        def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            return remembered(reader(), *args, **kwargs)  # type: ignore[arg-type]  # what is cached is hashable

        return call

    return decorate
