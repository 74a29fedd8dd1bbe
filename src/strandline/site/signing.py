"""Records of a site are signed as those of a server are, with a key that never leaves the browser."""

from __future__ import annotations

from typing import Any, Protocol

from strandline.engine.words import Words
from strandline.table.table import Refused
from strandline.table.verify import signed_bytes

_ = Words(__file__)


class Keys(Protocol):
    """The browser's side. See `web/worker.js`."""

    async def key(self) -> str:
        """The public key in hexadecimal digits; empty where the browser knows no Ed25519."""

    async def sign(self, text: str) -> str:
        """The signature in hexadecimal digits."""


class Signer:
    """Signs records with the key of this browser."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    async def key(self) -> str:
        """The public key. `Refused` where the browser cannot sign."""
        if found := await self._keys.key():
            return found
        raise Refused("state", _("This browser cannot sign records."))

    async def signed(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with key and signature, or as it is where the browser cannot sign."""
        key = await self._keys.key()
        if not key:
            return record
        whole = {**record, "key": key}
        return {**whole, "signature": await self._keys.sign(signed_bytes(whole).decode())}
