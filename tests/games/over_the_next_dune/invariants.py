"""What holds in every position of Over the Next Dune."""

from typing import Any

SET_UP = ("terrain", "terrain_at", "searcher", "facing")
SNEAKING = ("drop", "order", "late_order", "sneak")


def check(value: dict[str, Any]) -> None:
    """Assert it."""
    free = {i: tuple(token["at"]) for i, token in enumerate(value["tokens"], 1) if token["state"] == "free"}
    caught = [i for i, token in enumerate(value["tokens"], 1) if token["state"] == "caught"]
    check_tokens(value, free, caught)
    check_deck(value)
    check_markers(value)
    check_sneak(value, free)
    check_end(value, free, caught)


def distance(a: Any, b: Any) -> int:
    return int(max(abs(a[0] - b[0]), abs(a[1] - b[1])))


def check_tokens(value: dict[str, Any], free: dict[int, Any], caught: list[int]) -> None:
    assert len(value["tokens"]) == 5 and len(set(free.values())) == len(free)
    assert sorted(token for searcher in value["searchers"] for token in searcher["captives"]) == caught
    for searcher in value["searchers"]:
        assert 2 <= searcher["at"][0] <= 19 and 2 <= searcher["at"][1] <= 19
        assert all(distance(searcher["at"], at) > 1 for at in free.values())


def check_deck(value: dict[str, Any]) -> None:
    drawn = 60 - sum(value["deck"].values())
    done = 6 * (value["round"] - 1)
    assert (value["round"] == 0) == (value["phase"] in SET_UP) and value["round"] <= value["options"]["turns"]
    if value["phase"] in SET_UP:
        assert drawn == 0 and len(value["markers"]) == 0
    elif value["phase"] == "search":
        assert drawn == done + value["searching"] - 1
    elif value["phase"] == "over":
        assert done < drawn <= done + 6
    else:
        assert drawn == done + 6


def check_markers(value: dict[str, Any]) -> None:
    squares = [(row, column) for row, column, _ in value["markers"]]
    assert squares == sorted(set(squares))
    assert all(column <= 5 or column >= 16 for _, column in squares)
    for searcher in value["searchers"]:
        if not searcher["captives"]:
            assert all(distance(searcher["at"], square) > 1 for square in squares)


def check_sneak(value: dict[str, Any], free: dict[int, Any]) -> None:
    cards, mover = [card for card in value["cards"] if card], value["mover"]
    assert len(set(cards)) == len(cards)
    if value["players"] == 1 or value["phase"] not in (*SNEAKING, "over"):
        assert not cards
    if value["phase"] not in (*SNEAKING, "over"):
        assert not value["moved"] and mover is None
    if value["phase"] == "sneak" and value["players"] > 1:
        assert mover
        assert all(value["cards"][token - 1] for token in free if token not in value["moved"])
    if mover:
        assert mover["token"] in free and mover["token"] not in value["moved"]
        assert not {*mover["alert"]} & {*mover["halted"]}
        near = {i for i, s in enumerate(value["searchers"], 1) if distance(s["at"], free[mover["token"]]) == 2}
        assert near <= {*mover["alert"], *mover["halted"]}
    assert (value["rescue"] is not None) == (value["phase"] == "drop")


def check_end(value: dict[str, Any], free: dict[int, Any], caught: list[int]) -> None:
    camp = any(searcher["captives"] and searcher["at"][0] == 19 for searcher in value["searchers"])
    assert camp == (value["reason"] == "camp")
    assert (not free and not caught) == (value["reason"] == "lines") == (value["result"] == "won")
    hopeless = value["options"]["hopeless_ends"] and bool(caught) and len(free) < 3
    assert not hopeless or value["result"] == "lost"
    assert (value["phase"] == "over") == (value["result"] is not None) == (value["turn"] is None)
