"""What holds in every position of Up the River."""

from typing import Any


def check(value: dict[str, Any]) -> None:
    """Boats, docks and special cards are where they can be."""
    boats = [place for seat in value["boats"] for place in seat]
    docks = [dock for seat in value["docks"] for dock in seat if dock]
    assert len(boats) == 3 * value["players"]
    assert all(0 <= place <= 11 for place in boats)
    assert boats.count(11) == len(docks)
    assert sorted(docks) == list(range(13 - len(docks), 13))
    for card in ("sandbank", "tide"):
        assert value[card] == 1 + (value["options"][card + "_start"] - value["round"]) % 10
    limit = value["options"]["round_limit"]
    assert not limit or value["round"] <= limit
    if value["phase"] != "end":
        assert any(0 < place < 11 for place in value["boats"][value["player"]])
