"""The game's metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from collections import Counter
from typing import Any

View = dict[str, Any]

MODIFIER = {1: "lifeguards", 2: "calm", 3: "waves", 4: "currents", 5: "calm", 6: "undertows"}


def count(before: View, move: str, after: View) -> dict[str, int]:
    """All of them."""
    word, *numbers = move.split()
    found = Counter[str]()
    if word == "roll" and len(numbers) == 3:
        found[MODIFIER[int(numbers[2])]] += 1
    elif word == "stop":
        own, water = before["swimmers"][before["player"]], before["points"]
        if before["options"]["surge"] == "each" and before["dice"]["modifier"] in (3, 6):
            water = sum(
                before["points"] - swum
                for swimmer, swum in zip(own, before["swum"], strict=True)
                if (swimmer["step"] or 0) > 0
            )
        found["points left"] += water
    elif word == "in":
        found["steps in"] += 1
        found["swum ashore"] += before["swimmers"][before["player"]][int(numbers[0]) - 1]["step"] == 1
    elif word in ("left", "right"):
        found["ways round"] += before["phase"] == "out" and before["detour"] is None
    else:
        found[{"out": "steps out", "recall": "recalls"}.get(word, "")] += 1
    found.pop("", None)
    return found
