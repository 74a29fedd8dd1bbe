"""The games' metrics once more, counted from move texts and JSON positions alone: for tests to compare with."""

from collections import Counter
from collections.abc import Callable
from typing import Any

View = dict[str, Any]
Count = Callable[[View, str, View], dict[str, int]]

COLOURS = ("yellow", "red", "green", "blue")
MODIFIER = {1: "lifeguards", 2: "calm", 3: "waves", 4: "currents", 5: "calm", 6: "undertows"}


def up_the_river(before: View, move: str, after: View) -> dict[str, int]:
    """All but the groundings and tides, which `test_metrics` plays by hand."""

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


def reef_route(before: View, move: str, after: View) -> dict[str, int]:
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


def undertow(before: View, move: str, after: View) -> dict[str, int]:
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


def sand_castles(before: View, move: str, after: View) -> dict[str, int]:
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


def over_the_next_dune(before: View, move: str, after: View) -> dict[str, int]:
    """All but the rough steps, which `test_metrics` plays by hand."""
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


COUNTS: dict[str, Count] = {
    "up_the_river": up_the_river,
    "reef_route": reef_route,
    "undertow": undertow,
    "sand_castles": sand_castles,
    "over_the_next_dune": over_the_next_dune,
}
