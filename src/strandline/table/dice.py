"""Fair chance: what outcomes are derived from, and the hash chains by which people take part in it.

`docs/dice.md` has the protocol and its argument. In short: a person's page commits to a hash chain, then the table
draws a secret seed and commits to that; the tap that rolls reveals the next link of the chain. An outcome is a keyed
hash of the seed, of the number of the draw and of the links revealed so far.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Any

from strandline.engine.position import Position

VERSION = 3
"""Of all that outcomes are derived by."""
SEED_BYTES = 32
LINKS = 512
"""How many rolls a chain is good for."""
RANGE = 2**256
"""How many values one hash can take."""

_canonical = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode


def new_seed() -> bytes:
    """A secret seed from the system's own generator."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is published of a seed before anything is drawn with it."""
    return hashlib.sha256(seed).hexdigest()


def digest(before: bytes, *content: Any) -> bytes:
    """The digest of a record that had the digest `before` and has grown by `content`."""
    return hashlib.sha256(before + canonical(content)).digest()


def mixed(mix: bytes, link: str) -> bytes:
    """The running hash of all links, with one more."""
    return hashlib.sha256(mix + bytes.fromhex(link)).digest()


def outcome(seed: bytes, table: str, draw: int, mix: bytes, position: Position) -> str:
    """What chance decides in draw number `draw` of a table, after links with the running hash `mix`."""
    tickets = position.tickets()
    return str(position.game.notation.write(tickets[ticket(seed, table, draw, mix, len(tickets))]))


def ticket(seed: bytes, table: str, draw: int, mix: bytes, size: int) -> int:
    """One of `size` equally likely tickets. Hashes beyond the last full round of tickets are drawn again."""
    attempt = 0
    while True:
        value = int.from_bytes(_hash(seed, f"strandline dice {VERSION}", table, draw, mix.hex(), attempt), "big")
        if value < RANGE - RANGE % size:
            return value % size
        attempt += 1


def canonical(content: Sequence[Any] | dict[str, Any]) -> bytes:
    """One way to write a value as bytes."""
    return _canonical(content).encode()


def _hash(seed: bytes, *content: Any) -> bytes:
    return hmac.new(seed, canonical(content), hashlib.sha256).digest()


# Chains


def hashed_link(link: str) -> str:
    """The link that was revealed before this one, or the anchor."""
    return hashlib.sha256(bytes.fromhex(link)).hexdigest()


class Chain:
    """A person's hash chain: its anchor is published first, then link after link, each the hash of the next."""

    def __init__(self, secret: bytes | None = None, links: int = LINKS) -> None:
        values = [(new_seed() if secret is None else secret).hex()]
        for _ in range(links):
            values.append(hashed_link(values[-1]))
        self.anchor = values.pop()
        self._links = dict(zip([self.anchor, *values[:0:-1]], reversed(values), strict=True))

    def next(self, tip: str) -> str | None:
        """The link after `tip`, which is the anchor or the last link revealed; None where the chain ends."""
        return self._links.get(tip)
