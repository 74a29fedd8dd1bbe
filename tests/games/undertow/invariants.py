"""What holds in every position of Undertow."""

from typing import Any

FAMILY = {2: 7, 3: 6, 4: 5}
MODIFIERS = {"save": (1,), "out": (2, 4, 5, 6), "in": (2, 3, 4, 5), "choose": (6,), "reroll": (6,), "return": (6,)}


def check(value: dict[str, Any]) -> None:
    """Swimmers are where they can be, and the fields fit the phase."""
    check_swimmers(value)
    check_clock(value)
    check_turn(value)


def check_swimmers(value: dict[str, Any]) -> None:
    """Nobody is lost, on anybody, or in a lane out of use."""
    lanes = range(2, 10) if value["players"] == 2 else range(1, 11)
    assert [len(family) for family in value["swimmers"]] == [FAMILY[value["players"]]] * value["players"]
    spaces = []
    unplaced = 0
    for swimmer in (swimmer for family in value["swimmers"] for swimmer in family):
        assert swimmer["pips"] in (None, *range(1, 7))
        if swimmer["step"]:
            assert swimmer["lane"] in lanes and 1 <= swimmer["step"] <= 12 and swimmer["pips"]
            spaces.append((swimmer["lane"], swimmer["step"]))
        else:
            assert swimmer["lane"] is None
            unplaced += swimmer["step"] is None
            assert swimmer["pips"] or swimmer["step"] is None
    assert len(set(spaces)) == len(spaces)
    if value["round"] == 0:
        assert all(swimmer["step"] is None or swimmer["step"] > 2 for family in value["swimmers"] for swimmer in family)
    else:
        assert unplaced == (value["phase"] in ("reroll", "return"))


def check_clock(value: dict[str, Any]) -> None:
    """Days, rounds and scores."""
    days, over = value["options"]["vacation"], value["phase"] == "over"
    limit = 8 if days else value["options"]["max_rounds"]
    assert (value["round"] == 0) == (value["phase"] in ("family", "place"))
    assert value["round"] <= (limit or 10**9)
    assert 1 <= value["day"] <= (days or 1)
    assert len(value["day_scores"]) == (days if over else value["day"] - 1)
    complete = [all(swimmer["step"] == 0 for swimmer in family) for family in value["swimmers"]]
    if not days:
        assert sum(complete) <= over
        assert not over or any(complete) or value["round"] == limit


def check_turn(value: dict[str, Any]) -> None:
    """Dice, points and what the player's swimmers have done."""
    phase, options, dice = value["phase"], value["options"], value["dice"]
    assert (value["player"] is None) == (phase == "over")
    assert value["turn"] == ("chance" if phase in ("family", "dice", "reroll") else value["player"])
    assert (dice is None) == (phase not in MODIFIERS)
    if phase not in ("out", "in"):
        assert value["points"] == 0 and value["detour"] is None
        assert not any(value["swum"]) and not any(value["drifted"]) and not any(value["drift"])
    if dice is None:
        return
    assert dice["modifier"] in MODIFIERS[phase]
    assert 0 <= value["points"] <= dice["red"] + dice["green"]
    assert any(swimmer["step"] for swimmer in value["swimmers"][value["player"]])
    total = dice["modifier"] in (3, 6)
    current = dice["modifier"] == 4
    assert not any(value["swum"]) or (options["surge"] == "each" if total else options["strength"])
    assert not any(value["drifted"]) or (current and options["lane_limits"])
    assert not any(value["drift"]) or (current and phase == "in")
    if value["detour"] is not None:
        assert phase == "out" and value["swimmers"][value["player"]][value["detour"] - 1]["step"]
