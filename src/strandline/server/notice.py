"""What the store keeps of a notice."""

from dataclasses import dataclass


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
