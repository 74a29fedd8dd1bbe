"""The game's metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from typing import Any

View = dict[str, Any]


def count(before: View, move: str, after: View) -> dict[str, int]:
    """All but the rough steps, which the tests of the lab play by hand."""
    word = move.split()[0]

    def tokens(view: View, state: str) -> int:
        return sum(token["state"] == state for token in view["tokens"])

    caught = tokens(after, "caught") - tokens(before, "caught")
    pairs = zip(before["searchers"], after["searchers"], strict=False)
    return {
        "home": tokens(after, "away") - tokens(before, "away"),
        "caught in a search": caught if word == "card" else 0,
        "caught by a follower": caught if word == "move" else 0,
        "rescued": -caught if word == "drop" else 0,
        "steps": word == "move",
        "followed steps": sum(a["at"] != b["at"] for a, b in pairs) if word == "move" else 0,
        "markers found": len(before["markers"]) - len(after["markers"]) if word == "card" else 0,
        "won": after["reason"] == "lines",
        "camp": after["reason"] == "camp",
        "sunrise": after["reason"] == "sunrise",
        "hopeless": after["reason"] == "hopeless",
    }
