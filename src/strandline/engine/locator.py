"""The cache locator that Numba is given: see `cache`. Apart because it needs Numba to be imported."""

from types import FunctionType
from typing import Any

from numba.core.caching import _CacheLocator

from strandline.engine import cache


class Locator(_CacheLocator):  # type: ignore[misc]
    """Puts compiled code into the folder named by the function's stamp."""

    def __init__(self, function: FunctionType) -> None:
        self.stamp: str = function.__dict__["stamp"]

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> Any:
        """A locator for `function`, on a folder that can be written to: a temporary one if need be."""
        locator = cls(function)
        try:
            locator.ensure_cache_path()
        except OSError:
            cache.use_temporary_folder()
            locator.ensure_cache_path()
        return locator

    def get_cache_path(self) -> str:
        """The folder."""
        return str(cache.folder() / self.stamp)

    def get_source_stamp(self) -> str:
        """What the code depends on; the folder's name says it already."""
        return self.stamp

    def get_disambiguator(self) -> str:
        """Tells functions of one name apart; ours are told apart by their modules, wherever they stand in them."""
        return "k"
