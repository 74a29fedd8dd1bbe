"""What holds in every position of Game Title."""

from typing import Any


def check(value: dict[str, Any]) -> None:
    """Nobody has reached the goal before the end."""
    goal = value["options"]["goal"]
    reached = [score >= goal for score in value["scores"]]
    assert sum(reached) == (value["phase"] == "end")
    assert (value["die"] is None) == (value["phase"] != "choose")
