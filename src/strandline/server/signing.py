"""Signed records: the server's key, and the keys that are known on this machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import platformdirs
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from strandline.table.verify import signed_bytes


class Signer:
    """Signs records with an Ed25519 key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()
        """The public key, in hexadecimal digits."""

    def signed(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with this server's key and signature, which covers all the rest of it."""
        whole = {**record, "key": self.public}
        return {**whole, "signature": self._key.sign(signed_bytes(whole)).hex()}


def is_signed(key: str, content: bytes, signature: str) -> bool:
    """Whether `key` has signed the content so."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_key(text: str) -> bool:
    """Whether a text can be a public key."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def known_keys() -> list[str]:
    """The public keys of servers that have run on this machine."""
    file = _known_file()
    return file.read_text(encoding="ascii").split() if file.exists() else []


def remember(key: str) -> None:
    """A server of this machine signs with this key."""
    if key not in known_keys():
        with _known_file().open("a", encoding="ascii") as known:
            print(key, file=known)


def _known_file() -> Path:
    return platformdirs.user_data_path("strandline", appauthor=False, ensure_exists=True) / "known_keys"
