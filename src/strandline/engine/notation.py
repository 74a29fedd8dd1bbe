"""Move codes as text and back, from a line of text for each verb."""

import functools
import re
from collections.abc import Mapping, Sequence

from strandline.engine.vocabulary import first, pack, second, third, verb

REMEMBERED = 1 << 13
"""Moves and texts that are read and written at once; most of them occur again and again."""


class Notation:
    """How a game writes its moves.

    Each verb has a line such as `"swim {colour} {1-4} {way}"`. `{1-4}` stands for a number in that range, `{colour}`
    for one of the words handed over as `colour=(...)`, whose index is the number in the code. The slots are the first,
    second and third number of the code, in the order in which they appear.
    """

    def __init__(self, lines: Mapping[int, str], **words: Sequence[str]) -> None:
        self.write = functools.lru_cache(REMEMBERED)(self._write)
        """The text of a move."""
        self.read = functools.lru_cache(REMEMBERED)(self._read)
        """The code of the move that `write` writes as a text, or None if there is none."""
        self._lines = {verb: [_slot(part, words) for part in line.split()] for verb, line in lines.items()}

    def _write(self, code: int) -> str:
        numbers = iter((first(code), second(code), third(code)))
        return " ".join(part if isinstance(part, str) else part[next(numbers)] for part in self._lines[verb(code)])

    def _read(self, text: str) -> int | None:
        words = text.split()
        for what, line in self._lines.items():
            numbers = _match(line, words)
            if numbers is not None:
                return pack(what, *numbers)
        return None


def _slot(part: str, words: Mapping[str, Sequence[str]]) -> str | dict[int, str]:
    """A word as it is, or what the numbers of a slot are written as."""
    slot = re.fullmatch(r"\{(?:(\d+)-(\d+)|(\w+))\}", part)
    if not slot:
        return part
    low, high, name = slot.groups()
    return dict(enumerate(words[name])) if name else {n: str(n) for n in range(int(low), int(high) + 1)}


def _match(line: Sequence[str | dict[int, str]], words: Sequence[str]) -> list[int] | None:
    """The numbers in the slots of `line` if it can be written as `words`."""
    if len(line) != len(words):
        return None
    numbers = []
    for part, word in zip(line, words, strict=True):
        if isinstance(part, str):
            if part != word:
                return None
        else:
            found = [number for number, text in part.items() if text == word]
            if not found:
                return None
            numbers += found
    return numbers
