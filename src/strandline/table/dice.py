"""Fair chance. Every outcome is derived from a secret seed with a keyed hash, and can be derived again afterwards.

The table draws a seed of 32 bytes and publishes its hash, the commitment, before the first roll. What comes up at line
`number` of the record is a function of that seed and of all that stands in the record before it, the seats' own salts
included: the table cannot choose an outcome once the seed is committed, and the seats cannot foresee one while it is
secret. A changed line changes every later outcome, so a record that was tampered with does not verify.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Any

from strandline.engine.position import Position

SEED_BYTES = 32
RANGE = 2**256
"""How many values one hash can take."""


def new_seed() -> bytes:
    """A secret seed from the system's own generator."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is published before the first roll."""
    return hashlib.sha256(seed).hexdigest()


def digest(before: bytes, *content: Any) -> bytes:
    """The digest of a record that had the digest `before` and has grown by `content`."""
    return hashlib.sha256(before + canonical(content)).digest()


def seal(seed: bytes, table: str, number: int, sum_: bytes) -> str:
    """Published with the seed at the end: the record had `number` lines and this digest."""
    return _hash(seed, "strandline seal 1", table, number, sum_.hex()).hex()


def outcome(seed: bytes, table: str, number: int, sum_: bytes, position: Position) -> str:
    """What chance decides at line `number` of the record, whose digest so far is `sum_`."""
    tickets = position.tickets()
    return str(position.game.notation.write(tickets[ticket(seed, table, number, sum_, len(tickets))]))


def ticket(seed: bytes, table: str, number: int, sum_: bytes, size: int) -> int:
    """One of `size` equally likely tickets. Hashes beyond the last full round of tickets are drawn again."""
    attempt = 0
    while True:
        value = int.from_bytes(_hash(seed, "strandline dice 1", table, number, sum_.hex(), attempt), "big")
        if value < RANGE - RANGE % size:
            return value % size
        attempt += 1


def canonical(content: Sequence[Any]) -> bytes:
    """One way to write a value as bytes."""
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()


def _hash(seed: bytes, *content: Any) -> bytes:
    return hmac.new(seed, canonical(content), hashlib.sha256).digest()
