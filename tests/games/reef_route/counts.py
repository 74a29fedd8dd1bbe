"""The game's metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from collections import Counter
from typing import Any

View = dict[str, Any]

COLOURS = ("yellow", "red", "green", "blue")


def count(before: View, move: str, after: View) -> dict[str, int]:
    """All of them."""
    word, *rest = move.split()
    found = Counter[str]()
    if word == "predator":
        eaten = [sum(row.count("eaten") for row in view["fish"].values()) for view in (before, after)]
        found[f"eaten by {before['predators'][int(rest[0]) - 1]['size']}"] += eaten[1] - eaten[0]
        found["predator steps"] += 1
    if word == "swim":
        owner = COLOURS.index(rest[0])
        own = owner == before["seat"]
        found["own fish" if own else "others' fish" if owner < before["players"] else "nobody's fish"] += 1
    ready = rest if word == "roll" else before["dice"] if word in ("predator", "swim") else []
    colours = sum(die != "predator" for die in ready) - (word == "swim" and before["phase"] == "fish")
    if not set(after["dice"]) & set(COLOURS) and after["end"] in (None, "limit"):
        found["unused dice"] += colours
    if after["end"] == "reef":
        players = COLOURS[: after["players"]]
        mine = any("reef" in after["fish"][colour] for colour in players)
        found["won at the reef" if mine else "neutral fish reached the reef"] += 1
    elif after["end"]:
        found[{"last": "won as last survivor", "gone": "all eaten", "limit": "stopped"}[after["end"]]] += 1
    return found
