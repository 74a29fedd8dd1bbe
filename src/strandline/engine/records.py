"""How records lie in memory, and how interpreted rules see them: as ctypes structures over the same bytes.

Plain Python ints come out, unknown field names are refused, and `grid[i][j]` works as in compiled code. NumPy is
needed only by whoever asks for a `dtype`.
"""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

KINDS: dict[str, Any] = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "f8": ctypes.c_double,
}
"""The numbers that a record can hold, named as NumPy names them."""

Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]
"""The name, the kind of number, and the shape where it is an array."""
_Fields = tuple[tuple[str, str, tuple[int, ...]], ...]


class Layout:
    """The fields of a record, in their order and aligned as C aligns them."""

    def __init__(self, *fields: Field) -> None:
        """A layout with these fields."""
        self._fields: _Fields = tuple((name, kind, _shape(*shape)) for name, kind, *shape in fields)
        self.structure = _structure(self._fields)
        """The ctypes structure of such a record."""

    @property
    def itemsize(self) -> int:
        """The bytes of a record."""
        return ctypes.sizeof(self.structure)

    @functools.cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The same layout for NumPy and for compilers."""
        return dtype_of(self.structure)

    def __repr__(self) -> str:
        return f"Layout{self._fields}"


def _shape(shape: int | tuple[int, ...] = ()) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else shape


@functools.cache
def _structure(fields: _Fields) -> Any:
    """One type for each layout, so that records of it can be assigned to each other."""
    named = []
    for name, kind, shape in fields:
        item = KINDS[kind]
        for length in reversed(shape):
            item = item * length
        named.append((name, item))
    return type("Record", (ctypes.Structure,), {"__slots__": (), "_fields_": named})


@functools.cache
def ctypes_mirror(dtype: np.dtype[Any]) -> Any:
    """The ctypes type with the layout of a NumPy `dtype`: a structure, or a number."""
    if dtype.names is None:
        return KINDS[dtype.str[1:]]
    fields = ((name, dtype[name].base.str[1:], dtype[name].shape) for name in dtype.names)
    found = _structure(tuple(fields))
    assert ctypes.sizeof(found) == dtype.itemsize
    return found


@functools.cache
def dtype_of(kind: Any) -> np.dtype[Any]:
    """The NumPy dtype of a ctypes structure, array or number."""
    import numpy as np

    if hasattr(kind, "_fields_"):
        return np.dtype([(name, dtype_of(item)) for name, item in kind._fields_], align=True)
    shape = []
    while hasattr(kind, "_length_"):
        shape.append(kind._length_)
        kind = kind._type_
    return np.dtype((kind, tuple(shape)))


def blank(layout: Layout) -> Any:
    """A record of zeros."""
    return layout.structure()


def copy(record: Any) -> Any:
    """A copy of a record."""
    return type(record).from_buffer_copy(record)


def assign(record: Any, other: Any) -> None:
    """Make a record equal to another one of its kind."""
    ctypes.memmove(ctypes.addressof(record), ctypes.addressof(other), ctypes.sizeof(record))


def view(records: np.ndarray[Any, Any]) -> Any:
    """An array of records for interpreted code, sharing its memory."""
    return (ctypes_mirror(records.dtype) * len(records)).from_buffer(records)
