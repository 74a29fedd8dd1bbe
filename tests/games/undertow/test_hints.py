"""What helps bots in Undertow: how far a family has come, and turns that are played to their end."""

from typing import Any

import pytest

import strandline
from strandline.bots.tree import Tree
from strandline.bots.tree import best as tried_most
from strandline.engine import binding, hints, records, speeds
from strandline.engine.position import Position

UNDERTOW = strandline.game("undertow")
HINTS: Any = binding.part(UNDERTOW.rules, hints)


def swimmer(lane: int | None, step: int, pips: int = 3) -> dict[str, int | None]:
    return {"pips": pips, "lane": lane, "step": step}


def between_turns(own: list[tuple[int, int]], others: list[tuple[int, int]], **options: Any) -> Position:
    """Seat 0 is about to roll; swimmers are given as (lane, step), and all others are on the beach."""
    families = [
        [swimmer(*place) for place in places] + [swimmer(None, 0)] * (7 - len(places)) for places in (own, others)
    ]
    value = UNDERTOW.new(**options).to_json()
    return UNDERTOW.position(value | {"phase": "dice", "turn": "chance", "round": 3, "swimmers": families})


def record(position: Position) -> Any:
    return records.view(position.records())[0]


def evaluate(position: Position, seat: int) -> int:
    return int(HINTS.evaluate(record(position), None, seat))


def grown(position: Position, simulations: int) -> Tree:
    tree = Tree(UNDERTOW, simulations, speeds.Interpreted)
    tree.grow(bytes(position), 3, 0, simulations)
    return tree


def best(position: Position, simulations: int) -> str:
    return str(UNDERTOW.notation.write(tried_most(grown(position, simulations).outlook(), 0).code))


def test_nearer_is_better_and_so_is_the_next_roll() -> None:
    equal = between_turns([(3, 5), (6, 4)], [(4, 5), (8, 4)])
    assert evaluate(equal, 0) > 500 > evaluate(equal, 1)
    values = [evaluate(between_turns([(3, 5), (6, step)], [(4, 5), (8, 4)]), 0) for step in range(1, 13)]
    assert values == sorted(values, reverse=True) and len(set(values)) == 12
    assert evaluate(between_turns([(3, 5)], [(4, 5), (8, 4)]), 0) > values[0]


def test_somebody_in_the_way_costs_time() -> None:
    free, blocked = (between_turns([(3, 5)], [(lane, 4)]) for lane in (7, 3))
    assert evaluate(free, 0) > evaluate(blocked, 0)


def test_who_is_sure_to_win_or_to_lose_still_sees_a_difference() -> None:
    crowd = [(lane, 8) for lane in range(2, 9)]
    far = [evaluate(between_turns([(3, step)], crowd), 0) for step in (1, 4)]
    behind = [evaluate(between_turns(crowd, [(3, step)]), 0) for step in (1, 4)]
    assert 1000 > far[0] > far[1] > 900 and 100 > behind[1] > behind[0] >= 0


@pytest.mark.parametrize("seats", UNDERTOW.seats)
def test_chances_add_up(seats: int) -> None:
    position = UNDERTOW.new(seats, slow_start=True)
    while position.turn is not None and position.to_json()["phase"] != "dice":
        position = position.play(position.moves()[-1])
    chances = [HINTS.chance(record(position), seat) for seat in range(seats)]
    assert 1000 - seats <= sum(chances) <= 1000
    assert chances[0] == max(chances)


def test_in_a_vacation_pips_count_and_time_runs_out() -> None:
    def value(pips: int, rounds: int) -> int:
        families = [[swimmer(3, 2, pips)] + [swimmer(None, 0)] * 6, [swimmer(5, 2)] + [swimmer(None, 0)] * 6]
        day = UNDERTOW.new(vacation=3).to_json()
        places = {"phase": "dice", "turn": "chance", "round": rounds, "swimmers": families}
        return evaluate(UNDERTOW.position(day | places), 0)

    assert value(6, 2) > value(3, 2) == 500 > value(1, 2)
    assert value(6, 2) > value(6, 8)


def test_a_search_ends_with_the_turn() -> None:
    position = between_turns([(3, 5), (6, 4), (8, 7)], [(4, 5), (8, 4)]).play("roll 1 3 2")
    tree = grown(position, 300)
    met = {tree.nodes[i].who for i in range(1, tree.tree[0].nodes + 1)}
    assert met == {0, -1}


def test_the_sea_takes_the_farthest_and_the_last_steps_win() -> None:
    start = between_turns([(3, 1), (6, 9)], [(4, 5), (8, 4)])
    assert best(start.play("roll 3 1 2"), 100) == "out 2"
    assert best(start.play("roll 3 1 1"), 100) == "save 2"
    assert best(between_turns([(3, 3), (6, 9)], [(4, 1)]).play("roll 1 2 3"), 200) == "in 1"
