"""The game's metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from typing import Any

View = dict[str, Any]


def count(before: View, move: str, after: View) -> dict[str, int]:
    """All of them."""
    word = move.split()[0]
    waves = (after["waves_out"] - before["waves_out"]) % 3
    built = [[len(walls) for walls in view["walls"]] for view in (before, after)]
    dropped = after["phase"] == "draft" != before["phase"]
    return {
        "flips": word == "draw" or move.startswith(("flip peeked", "take peeked")),
        "stops": word == "stop",
        "drops": dropped,
        "tiles dropped": sum(after["dropped"].values()) if dropped else 0,
        "waves": waves,
        "nimble toes": waves if not before["line"] else 0,
        "washed away": word == "discard",
        "seagulls": word == "seagull" and before["phase"] == "collect",
        "crabs": word == "crab",
        "walls": sum(built[1]) - sum(built[0]),
        "castles": built[1].count(4) - built[0].count(4),
        "tools": sum(
            after["beach"].get(tool, 0) - before["beach"].get(tool, 0) for tool in ("shovel", "rake") if word == "build"
        ),
    }
