"""Records signed in a browser, with keys that stand in for the browser's."""

import asyncio

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from strandline.server.signing import is_signed
from strandline.site.signing import Signer
from strandline.table.table import Refused
from strandline.table.verify import signed_bytes

RECORD = {"format": "strandline record", "names": ["Zoë"], "moves": []}


class Browser:
    """Signs as a browser does."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()

    async def key(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    async def sign(self, text: str) -> str:
        return self._key.sign(text.encode()).hex()


class OldBrowser(Browser):
    """Knows no Ed25519."""

    async def key(self) -> str:
        return ""


def test_what_is_signed_in_a_browser_is_checked_as_a_servers() -> None:
    signer = Signer(Browser())
    signed = asyncio.run(signer.signed(RECORD))
    assert signed["key"] == asyncio.run(signer.key())
    assert is_signed(signed["key"], signed_bytes(signed), signed["signature"])
    assert not is_signed(signed["key"], signed_bytes({**signed, "moves": ["a"]}), signed["signature"])


def test_a_browser_that_cannot_sign_says_so() -> None:
    signer = Signer(OldBrowser())
    assert asyncio.run(signer.signed(RECORD)) == RECORD
    with pytest.raises(Refused, match="cannot sign"):
        asyncio.run(signer.key())
