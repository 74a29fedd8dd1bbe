"""The game's metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from typing import Any

View = dict[str, Any]


def count(before: View, move: str, after: View) -> dict[str, int]:
    """All but the groundings and tides, which the tests of the lab play by hand."""

    def boats(view: View, place: int) -> int:
        return sum(row.count(place) for row in view["boats"])

    word = move.split()[0]
    return {
        "docked": boats(after, 11) - boats(before, 11),
        "waterfall": boats(after, 0) - boats(before, 0),
        "good winds": word == "good",
        "ill winds": word == "ill",
        "lost sixes": move == "roll 6" and after["phase"] != "wind",
    }
