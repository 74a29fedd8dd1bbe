"""Records seen by interpreted rules: a ctypes twin of the dtype, over the same memory.

Plain Python ints come out, unknown field names are refused, and `grid[i][j]` works as in compiled code.
"""

import ctypes
import functools
from typing import Any

import numpy as np


@functools.cache
def twin(dtype: np.dtype[Any]) -> Any:
    """The ctypes type with the layout of `dtype`."""
    if dtype.subdtype:
        kind = twin(dtype.base)
        for length in reversed(dtype.shape):
            kind = kind * length
        return kind
    if dtype.names is None:
        return np.ctypeslib.as_ctypes_type(dtype)
    fields = [(name, twin(dtype[name])) for name in dtype.names]
    kind = type("Record", (ctypes.Structure,), {"__slots__": (), "_fields_": fields})
    assert ctypes.sizeof(kind) == dtype.itemsize
    return kind


def blank(dtype: np.dtype[Any]) -> Any:
    """A record of zeros."""
    return twin(dtype)()


def copy(record: Any) -> Any:
    """A copy of a record."""
    return type(record).from_buffer_copy(record)


def assign(record: Any, other: Any) -> None:
    """Make a record what another one of its kind is."""
    ctypes.memmove(ctypes.addressof(record), ctypes.addressof(other), ctypes.sizeof(record))


def view(records: np.ndarray[Any, Any]) -> Any:
    """An array of records for interpreted code, sharing its memory."""
    return (twin(records.dtype) * len(records)).from_buffer(records)
