"""A board as it goes over the wire: whole, or in pieces of which only the new ones are sent.

Most of a board stays as it is from one position to the next: the landscape, the style, whatever did not move. So its
pieces are kept, and whoever has the board before is sent the new ones and is told where the old ones stand.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence

from strandline.drawing import Image
from strandline.table.wire import written


class Picture:
    """The text of a board."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        self._since: tuple[weakref.ref[Picture], str] | None = None
        """What was written last, and after which picture, which is not kept for it: that one would keep its own."""

    @functools.cached_property
    def whole(self) -> str:
        """The board as JSON."""
        return written(self.svg)

    def since(self, before: Picture | None) -> str:
        """The board's pieces as JSON: texts, and `[from, to]` for pieces of `before`. Written once for all who ask."""
        if before is self:
            return f"[[0, {len(self.pieces)}]]"
        if before is None:
            return written(self.pieces)
        if self._since is None or self._since[0]() is not before:
            self._since = weakref.ref(before), written(self._changes(before))
        return self._since[1]

    def _changes(self, before: Picture) -> list[str | list[int]]:
        old, places = before.pieces, before._places
        changes: list[str | list[int]] = []
        following = 0
        for piece in self.pieces:
            same = following < len(old) and old[following] == piece
            place = following if same else places.get(piece)
            if place is None:
                changes.append(piece)
                following += 1
                continue
            last = changes[-1] if changes else None
            if isinstance(last, list) and last[1] == place:
                last[1] += 1
            else:
                changes.append([place, place + 1])
            following = place + 1
        return changes

    @functools.cached_property
    def pieces(self) -> Sequence[str]:
        """What the board is made of; one that somebody has drawn otherwise is one piece."""
        return self.svg.pieces if isinstance(self.svg, Image) else [self.svg]

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {piece: place for place, piece in enumerate(self.pieces)}
