"""What callers are shown: nothing that they may not see, and what a hot seat needs."""

import asyncio
import json
import random
from typing import Any
from unittest import mock

import pytest

from server.helpers import come, make_setup, make_table, move, play_out, record_of, roll, step
from strandline.table import perspective
from strandline.table.guest import Guest
from strandline.table.messages import Hello
from strandline.table.room import Room
from strandline.table.table import Entry, Kind, Table

THREE = ("link", "link", "link")


def shown(table: Table, seats: frozenset[int], person: int | None = None) -> dict[str, Any]:
    """Everything that ever reaches a caller, but for what follows from the seed."""
    seen = perspective.seen_by(table, seats, person)
    state = perspective.state(table, seen, {0, 1, 2})
    picture = perspective.picture(table.record.position, seen).svg
    past = perspective.replayed(seats, "en")
    positions = [perspective.at(table, past, number, table.record.at(number)) for number in range(table.number + 1)]
    alone = seats if len(seats) == 1 else frozenset()
    return {"state": state, "svg": picture, "positions": positions, "record": record_for(table, alone)}


def record_for(table: Table, seats: frozenset[int]) -> dict[str, Any]:
    return table.record.to_json(seats, table.names, table.seeds)


def peeked(*tiles: str) -> Table:
    """Seat 0 has looked at these tiles."""
    table = make_table("sand_castles", THREE)
    table.replay([Entry(Kind.MOVE, 0, "seagull"), *(Entry(Kind.CHANCE, None, f"peek {tile}") for tile in tiles)])
    return table


@pytest.mark.parametrize("seats", [frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})])
def test_what_was_looked_at_makes_no_difference_to_others(seats: frozenset[int]) -> None:
    """Two tables that differ only in what seat 0 has seen look the same to everybody else."""
    one, other = peeked("sand", "wave", "fan"), peeked("stick", "pebble", "spiral")
    assert json.dumps(shown(one, seats)) == json.dumps(shown(other, seats))
    assert "peek " not in json.dumps(shown(one, seats))


def test_the_one_who_looks_sees_it() -> None:
    table = peeked("sand", "wave", "fan")
    seen = shown(table, frozenset({0}))
    assert "peek wave" in json.dumps(seen["record"]) and "a wave" in json.dumps(seen["state"]["log"])
    assert shown(peeked("sand", "wave", "pebble"), frozenset({0}))["svg"] != seen["svg"]


def test_all_is_open_at_the_end() -> None:
    table = make_table("sand_castles", THREE, max_rounds=2)
    move(table, "seagull")
    assert record_of(table)["moves"][-3:] == ["?"] * 3
    play_out(table, random.Random(4))
    assert sum(text.startswith("peek ") for text in record_of(table)["moves"]) >= 3
    assert record_of(table)["seeds"] == [seed.hex() for seed in table.seeds]


def test_moves_are_for_the_seat_whose_turn_it_is() -> None:
    table = make_table("sand_castles", THREE)
    for seat in range(3):
        state = perspective.state(table, perspective.seen_by(table, frozenset({seat}), None), set())
        assert bool(state["moves"]) == (seat == 0) and state["acting"] == (0 if seat == 0 else None)
        assert all(
            set(move) == {"move", "sentence", "clicks", "warning", "auto_answer", "taps"} for move in state["moves"]
        )


# Hot seat


def hot_seat(*tiles: str) -> Table:
    table = make_table("sand_castles", ("here", "here", "link"))
    table.replay([Entry(Kind.MOVE, 0, "seagull"), *(Entry(Kind.CHANCE, None, f"peek {tile}") for tile in tiles)])
    return table


def test_secrets_at_one_screen_wait_for_the_person() -> None:
    both = frozenset({0, 1})
    table = hot_seat("sand", "wave", "fan")
    seen = perspective.seen_by(table, both, None)
    assert (seen.viewer, seen.ask) == (None, 0)
    state = perspective.state(table, seen, set())
    assert state["moves"] == [] and state["ask"] == 0 and state["acting"] is None
    assert json.dumps(shown(table, both)) == json.dumps(shown(hot_seat("stick", "stick", "wave"), both))
    there = perspective.seen_by(table, both, 0)
    assert (there.viewer, there.ask) == (0, None)
    assert perspective.state(table, there, set())["moves"]
    assert "wave" not in json.dumps(perspective.state(table, there, set())["log"])  # the log stays on the screen


def test_whoever_is_to_roll_is_told_so_and_nobody_else() -> None:
    table = Table(make_setup(kinds=("link", "link")))
    come(table)
    for seat in (0, 1, None):
        seats = frozenset() if seat is None else frozenset({seat})
        state = perspective.state(table, perspective.seen_by(table, seats, None), {0, 1})
        assert state["turn"] == 0 and state["roll"] == {"seat": 0, "verb": "roll"}
        assert [offer["move"] for offer in state["moves"]] == (["roll"] if seat == 0 else [])
        assert state["acting"] == (0 if seat == 0 else None)
    assert prompt(table, 0) == "Your turn. Roll the die." and prompt(table, 1) == "Waiting for Seat 0."
    assert prompt(table, 0, language="de") == "Du bist dran. Würfle."
    roll(table)
    assert perspective.state(table, perspective.seen_by(table, seats, None), {0, 1})["roll"] is None


def test_a_roll_waits_at_one_screen_without_a_cover() -> None:
    """Also in a game with secrets: nothing has to be seen to turn a tile up."""
    table = make_table("sand_castles", ("here", "here", "link"))
    seen = perspective.seen_by(table, frozenset({0, 1}), None)
    taps = {offer["move"]: offer["taps"] for offer in perspective.state(table, seen, set())["moves"]}
    assert taps["flip"] and any(taps[move] for move in taps if move.startswith("seagull"))
    table.fold(table.move({0}, "flip", table.number))
    seen = perspective.seen_by(table, frozenset({0, 1}), None)
    assert seen.ask is None and perspective.state(table, seen, set())["acting"] == 0


def test_without_secrets_nobody_is_asked() -> None:
    table = make_table("sand_castles", ("here", "here", "link"))
    assert perspective.seen_by(table, frozenset({0, 1}), None) == perspective.Perspective(frozenset({0, 1}), 0, None)
    river = make_table(kinds=("here", "here"))
    rng = random.Random(1)
    for _ in range(5):
        seen = perspective.seen_by(river, frozenset({0, 1}), None)
        assert seen.ask is None and seen.viewer == river.record.position.turn
        step(river, rng)


def test_who_does_not_know_anything_is_not_asked() -> None:
    """Seat 1 has looked at nothing: what it sees, everybody at the screen may see."""
    table = hot_seat("sand", "stick", "fan")
    table.fold(table.move({0}, "take peeked 1", table.number))
    table.fold(table.move({0}, "stop", table.number))
    while table.record.position.turn == 0:
        table.fold(table.move({0}, table.record.position.moves()[-1], table.number))
    assert table.record.position.turn == 1
    assert perspective.seen_by(table, frozenset({0, 1}), None).ask is None


# Words


def prompt(table: Table, *seats: int, language: str = "en") -> str:
    seen = perspective.seen_by(table, frozenset(seats), None, language)
    return str(perspective.state(table, seen, {0})["prompt"])


def test_prompts_say_what_to_do() -> None:
    table = make_table(kinds=("link", "bot:random"), round_limit=2)
    assert prompt(table, 0).startswith("Your turn. Choose a boat")
    assert prompt(table, 0, language="de").startswith("Du bist dran. Wähle ein Boot")
    assert prompt(table) == "Waiting for Seat 0."
    table.fold(table.move({0}, table.record.position.moves()[0], table.number))
    assert prompt(table, 0) == "Bot 1 is thinking."
    play_out(table, random.Random(1))
    assert prompt(table, 0).startswith("The game is over.")


def test_steps_are_the_events_since_with_their_positions() -> None:
    table = make_table(kinds=("link", "link"))
    table.fold(table.rename({0}, 0, "Ada"))
    before = table.number
    move(table, table.record.position.moves()[0])
    seen = perspective.seen_by(table, frozenset({1}), None)
    log = perspective.state(table, seen, set(), before)["log"]
    steps = list(perspective.steps(table, log))
    assert [step for step, _ in steps] == [event for line in log for event in line["events"]]
    assert [step["number"] for step, _ in steps] == sorted(step["number"] for step, _ in steps)
    assert steps[0][0]["kind"] == "sail" and steps[0][0]["sentence"].startswith("Ada sails boat")
    assert steps[-1][0]["kind"] in ("roll", "calm") and steps[-1][1] == table.record.position


def test_whoever_comes_is_shown_what_happened_since_a_person_moved() -> None:
    table = make_table(kinds=("link", "link"))
    assert perspective.first_to_show(table) == 0
    before, turn = table.number, table.record.position.turn
    assert isinstance(turn, int)
    table.fold(table.move({turn}, table.record.position.moves()[0], before))
    assert perspective.first_to_show(table) == before


def test_whoever_comes_to_a_game_of_bots_sees_what_they_do_next() -> None:
    """And not sixty boards of what they have done."""
    table = play_out(make_table(kinds=("bot:1", "bot:1")), random.Random(1), 5)
    assert perspective.first_to_show(table) == table.number > 5


def test_others_are_served_while_boards_are_drawn() -> None:
    table = make_table("reef_route", kinds=("link", "bot:1"))
    play_out(table, random.Random(1), 20)
    said: list[str] = []
    served = 0

    async def send(text: str) -> None:
        said.append(text)

    async def show() -> None:
        nonlocal served
        guest = Guest(send, mock.Mock(), Room(table), Hello(story=True), frozenset({0}), "en")
        guest._told = 0
        showing = asyncio.create_task(guest.show())
        while not showing.done():
            await asyncio.sleep(0)
            served += 1

    asyncio.run(show())
    assert len(json.loads(said[0])["steps"]) > 20 and served > 20


def test_away_means_no_connection() -> None:
    table = make_table(kinds=("link", "link", "bot:random"))
    seats = perspective.state(table, perspective.seen_by(table, frozenset({0}), None), {0})["seats"]
    assert [seat["away"] for seat in seats] == [False, True, False]
    assert [seat["bot"] for seat in seats] == [None, None, "random"]


def test_at_a_screen_of_several_nobody_is_called_you() -> None:
    table = make_table("up_the_river", ("here", "here", "link"))

    def statuses(*seats: int) -> list[str]:
        seen = perspective.seen_by(table, frozenset(seats), None)
        return [seat["status"] for seat in perspective.state(table, seen, {0, 1, 2})["seats"]]

    assert statuses(0, 1)[:2] == ["here", "here"] and statuses(2)[2] == "you"
