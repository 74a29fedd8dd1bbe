"""Over the Next Dune's hints: they see the searchers come, leave positions as they are, and go home."""

import random
from typing import Any

import numpy as np
import pytest

import strandline
from strandline.engine import records
from strandline.engine.position import Position
from strandline.games.over_the_next_dune import foresight, hints

GAME = strandline.game("over_the_next_dune")
PARKED = {"at": [2, 11], "facing": 5, "captives": []}
AWAY = {"state": "away", "at": None}
TERRAIN = [(1, 3, 4), (6, 4, 10), (2, 3, 16), (3, 9, 5), (4, 10, 10), (5, 9, 16)]


def position(searcher: dict[str, Any], tokens: list[list[int]], markers: list[list[int]]) -> Position:
    """Turn 2 of a solo game: one searcher on patrol, the others parked, free tokens on squares, the rest away."""
    return GAME.position(
        GAME.new(1).to_json()
        | {
            "phase": "sneak",
            "turn": 0,
            "round": 2,
            "deck": {"straight": 36, "left": 6, "right": 6},
            "terrain": [{"piece": piece, "at": [row, column]} for piece, row, column in TERRAIN],
            "searchers": [searcher] + [PARKED] * 5,
            "tokens": [{"state": "free", "at": at} for at in tokens] + [AWAY] * (5 - len(tokens)),
            "markers": markers,
        }
    )


def some_position(rng: random.Random) -> Position:
    """One token, near a searcher and perhaps trails."""
    row, column = rng.randint(10, 19), rng.randint(2, 19)
    searcher = {"at": [row, column], "facing": rng.randint(1, 8), "captives": []}
    places = [[r, c] for r in range(10, 21) for c in range(1, 21) if 2 <= max(abs(r - row), abs(c - column)) <= 8]
    token, *marked = rng.sample(places, 5)
    markers = sorted([*at, rng.randint(1, 8)] for at in marked if at[1] <= 5 or at[1] >= 16)
    return position(searcher, [token], markers)


def risk_of(start: Position) -> float:
    """How likely token 1 is caught in the next search phase."""
    s, w = records.view(start.records())[0], records.blank(hints.WORK)
    foresight.foresee(s, w, 0)
    return float(foresight.risk_at(s, w, 0, s.token_row[1], s.token_column[1]) / foresight.CERTAIN)


def test_hints_know_the_odds_of_being_caught() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(60):
        start = some_position(rng)
        risk = risk_of(start)
        search = start.play("done")
        odds = zip(search.moves(), search.odds(), strict=True)
        exact = sum(part for card, part in odds if search.play(card).to_json()["tokens"][0]["state"] == "caught")
        assert risk == pytest.approx(exact, abs=0.001)
        seen.add(round(exact, 2))
    assert len(seen) > 3


def test_what_is_foreseen_is_the_same_whether_or_not_something_was_known_before() -> None:
    rng = random.Random(3)
    kept = np.zeros(1, hints.WORK)
    now, seen = GAME.new(1, turns=4), 0
    while now.turn is not None:
        if now.to_json()["phase"] == "sneak":
            fresh = np.zeros(1, hints.WORK)
            for known in (kept, fresh):
                foresight.foresee(records.view(now.records())[0], records.view(known)[0], 0)
            for name in ("danger", "hit", "calm", "fair", "ahead"):
                assert (kept[name] == fresh[name]).all()
            seen += bool(now.to_json()["markers"])
        now = now.play(rng.choices(now.moves(), now.odds() if now.turn == "chance" else None)[0])
    assert seen > 5


def picked(start: Position) -> str:
    """The move that a playout makes; asking for it changes nothing in the position."""
    found = start.records()
    s, w = records.view(found)[0], records.blank(hints.WORK)
    before = found.tobytes()
    move = str(start.moves()[hints.pick(s, w, len(start.moves()), 1)])
    assert found.tobytes() == before
    return move


def test_plans_leave_the_position_as_it_is() -> None:
    rng = random.Random(2)
    for _ in range(20):
        picked(some_position(rng))


def test_a_token_flees_from_a_searcher_and_does_not_lead_it_on() -> None:
    start = position({"at": [12, 10], "facing": 1, "captives": []}, [[16, 10]], [])
    while start.turn == 0:
        start = start.play(picked(start))
    assert risk_of(start) == 0


def with_captive(tokens: list[list[int]]) -> Position:
    """Searcher 1 carries token 4, and three others are free."""
    value = position({"at": [8, 10], "facing": 1, "captives": []}, tokens, []).to_json()
    value["searchers"][0]["captives"] = [4]
    value["tokens"][3] = {"state": "caught", "at": None}
    return GAME.position(value)


def test_three_tokens_free_a_captive() -> None:
    start = with_captive([[5, 9], [5, 11], [6, 14]])
    while start.turn == 0:
        start = start.play(picked(start))
    assert start.to_json()["searchers"][0]["captives"] == []


def test_tokens_go_home() -> None:
    start = position({"at": [12, 10], "facing": 1, "captives": []}, [[3, 9], [4, 12]], [])
    while start.turn == 0:
        start = start.play(picked(start))
    assert start.winners() == [0]


def test_a_searcher_that_will_stand_beside_a_token_is_trouble_for_the_turn_after() -> None:
    start = position({"at": [4, 5], "facing": 1, "captives": []}, [[20, 18]], [])
    s, w = records.view(start.records())[0], records.blank(hints.WORK)
    foresight.foresee(s, w, 0)
    assert foresight.risk_at(s, w, 0, 12, 5) == 0  # a straight card takes it to row 10, two squares away
    assert foresight.prospects(w, 0, 12, 5)[0] > 3000  # from there it comes over the token, wherever that goes
    assert foresight.prospects(w, 0, 20, 14)[0] == 0


def test_playouts_go_on_to_the_second_sneak_phase_after_this_one() -> None:
    start = position({"at": [12, 10], "facing": 5, "captives": []}, [[20, 2], [20, 18]], [])
    after = start.play("done")
    sneaking, over = (records.view(p.records())[0] for p in (start, after))
    w = records.blank(hints.WORK)
    assert not hints.stop_playout(sneaking, w, 0) and hints.stop_playout(over, w, 0)  # the tree ends with this turn
    for first in (sneaking, over):
        now = after
        assert not hints.stop_playout(first, w, 1)
        while now.turn == "chance" or now.to_json()["round"] == 3:
            assert not hints.stop_playout(records.view(now.records())[0], w, 2)
            now = now.play(now.moves()[-1])
        assert now.to_json()["round"] == 4
        assert hints.stop_playout(records.view(now.records())[0], w, 9)


def chance_of(start: Position) -> int:
    """How likely the squad gets home, in thousandths."""
    return int(hints.evaluate(records.view(start.records())[0], records.blank(hints.WORK), 0))


def test_a_squad_with_captives_needs_three_that_can_help_at_once() -> None:
    can, cannot = ([[5, 9], [5, 11], row] for row in ([6, 14], [20, 18]))
    assert chance_of(with_captive(can)) > 500
    assert chance_of(with_captive(cannot)) < 50
    assert chance_of(position(PARKED, can, [])) > chance_of(with_captive(can))


def test_time_and_company_make_it_likelier_to_get_home() -> None:
    squads = [[[17, 9], [17, 11], [17, 13]], [[12, 9], [12, 11], [12, 13]], [[12, 2], [12, 11], [12, 19]]]
    late, best, apart = (chance_of(position(PARKED, tokens, [])) for tokens in squads)
    assert best > late and best > apart
    value = position(PARKED, squads[0], []).to_json()
    assert chance_of(GAME.position(value | {"options": value["options"] | {"turns": 4}})) == 0
    assert late > chance_of(GAME.position(value | {"options": value["options"] | {"turns": 5}})) > 0


def test_the_foremost_token_takes_the_first_card() -> None:
    value = position({"at": [12, 10], "facing": 5, "captives": []}, [[20, 2], [18, 6], [19, 12]], []).to_json()
    value |= {"players": 3, "phase": "order", "first": 0}
    start = GAME.position(value)
    while start.to_json()["phase"] == "order":
        start = start.play(picked(start))
    assert start.to_json()["cards"] == [3, 1, 2, None, None]
