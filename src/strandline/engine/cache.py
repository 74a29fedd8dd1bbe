"""Where compiled code is kept: a folder in the user's cache for each function by its stamp, so that it is never stale.

Numba by itself looks at the file of a function alone and would not notice a change in what the function calls. Here
the folder's name is a hash of all that goes into the code: see `stamps`.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

KEPT_DAYS = 30


def has_folder() -> bool:
    """Whether anything can be kept: a browser has no disk."""
    return sys.platform != "emscripten"


def folder() -> Path:
    """The cache folder: `STRANDLINE_CACHE`, or the user's own."""
    if chosen := os.environ.get("STRANDLINE_CACHE"):
        return Path(chosen)
    import platformdirs  # nothing is cached in a browser, where it is missing

    return platformdirs.user_cache_path("strandline")


def use_temporary_folder() -> None:
    """Keep compiled code for this process only, because the cache folder cannot be written to."""
    os.environ["STRANDLINE_CACHE"] = tempfile.mkdtemp(prefix="strandline-")


def is_cold(stamp: str) -> bool:
    """Whether the function of that stamp has not been compiled yet."""
    return not any((folder() / stamp).glob("*.nbi"))


def prune(kind: str = "*") -> None:
    """Remove the folders of sources that have not been used for a month; of one kind only, if it is named."""
    oldest = time.time() - KEPT_DAYS * 86400
    for path in folder().glob(f"{kind}-" + "?" * 16):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                shutil.rmtree(path)


@contextlib.contextmanager
def located() -> Iterator[None]:
    """While it lasts, Numba keeps what it compiles in our folder."""
    import numba

    config = numba.config
    old = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = "strandline.engine.locator.Locator"
    try:
        yield
    finally:
        config.CACHE_LOCATOR_CLASSES = old
