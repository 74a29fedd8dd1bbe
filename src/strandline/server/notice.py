"""What the store keeps of a notice."""

from dataclasses import dataclass

PUSH, WEBHOOK = "push", "webhook"
"""The kinds of notices."""


@dataclass(frozen=True)
class Notice:
    """What somebody asked for: to be told by a push message or a webhook when it is their turn."""

    id: str
    table_id: str
    seat: int
    device: str
    kind: str
    target: str
    page: str
    language: str
