"""The review of a finished game, and the moves that are asked about before they are sent."""

import json
import random

import httpx
import pytest
from schemathesis.openapi.loaders import from_url

import strandline
from server.helpers import PATIENCE, Player, get, key_of, make, make_table, people, play_out, token_of
from server.helpers import move as take
from strandline.engine.defaults import story as defaults
from strandline.table import perspective, review
from strandline.table.table import Table


def finished(host: str) -> str:
    """The id of a table at which bots have played to the end."""
    table = make(host, "up_the_river", ["bot:random", "bot:random"], options={"round_limit": 3})
    with Player(host, table["id"]) as watcher:
        watcher.until(lambda state: state["turn"] == "over")
    return str(table["id"])


def test_there_is_none_before_the_end(host: str) -> None:
    """Not even for a seat of the table, so that it gives no secrets away."""
    table = make(host, "sand_castles", ["link", "link", "link"])
    with people(host, table) as (first, *_):
        assert first.move("seagull")["type"] == "state"
        key = key_of(host, table["id"], token_of(table["seats"][0]["link"]))
        for header in ({}, {"authorization": f"Bearer {key}"}):
            answer = httpx.get(f"http://{host}/api/tables/{table['id']}/review", headers=header)
            assert (answer.status_code, answer.json()) == (409, {"error": "A game can be reviewed when it is over."})


def test_unknown_tables_and_tokens(host: str) -> None:
    assert httpx.get(f"http://{host}/api/tables/nowhere/review").status_code == 404
    wrong = {"authorization": "Bearer wrong"}
    table = make(host, "up_the_river", ["here", "here"])
    assert httpx.get(f"http://{host}/api/tables/{table['id']}/review", headers=wrong).status_code == 401


def test_a_finished_game(host: str) -> None:
    table = finished(host)
    case = from_url(f"http://{host}/api/openapi.json")["/api/tables/{table}/review"]["GET"].Case(
        path_parameters={"table": table}, headers={}, query={}, cookies={}
    )
    answer = case.call(timeout=PATIENCE)
    case.validate_response(answer)
    found, state = answer.json(), get(host, f"/api/tables/{table}")
    assert [position["number"] for position in found["positions"]] == list(range(state["number"] + 1))
    share = [1 / len(state["winners"]) if seat in state["winners"] else 0 for seat in (0, 1)]
    assert found["positions"][-1]["chances"] == share
    for point in found["turning_points"]:
        assert point["after"] == found["positions"][point["number"]]["chances"]
        assert point["sentence"] == state["log"][point["number"] - 1]["events"][0]["sentence"]
    assert [seat["luck_error"] for seat in found["seats"]] == [0, 0]  # the game is solved
    assert get(host, f"/api/tables/{table}/review") == found


def taken_back() -> Table:
    """A finished game in which a move was taken back."""
    table = make_table("undertow", ("here", "here", "here"))
    rng = random.Random(1)
    while not (undo := table.undoable({0, 1, 2})) or not undo.free:
        table.fold(table.move({0, 1, 2}, rng.choice(table.record.position.moves()), table.number))
    table.fold(table.undo({0, 1, 2}, table.number))
    play_out(table, rng)
    return table


def test_what_was_taken_back_is_left_out() -> None:
    table = taken_back()
    way = review.way(table)
    assert way[0] == 0 and way[-1] == table.number and len(way) < table.number
    position = table.record.at(0)
    for number, move in zip(way[1:], review.moves(table), strict=True):
        position = position.play(move)
        assert position == table.record.at(number)


def test_a_game_that_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "SECONDS", 0.2)
    table = make_table(kinds=("here", "here", "here"), round_limit=3)
    play_out(table, random.Random(1))
    reviewed = review.compute(table.record.at(0), review.moves(table))
    found = review.shown(table, reviewed)
    assert reviewed.simulations >= review.FEWEST
    assert all(sum(position["chances"]) <= 1 + 1e-9 for position in found["positions"])
    assert all(0 < seat["luck_error"] < 1 and seat["cost"] >= 0 for seat in found["seats"])
    json.dumps(found)


# Moves that give something up for good


def test_ending_the_sneak_phase_asks() -> None:
    table = make_table("over_the_next_dune", ("here",))
    rng = random.Random(3)
    warned = 0
    while table.record.position.turn is not None and warned < 30:
        moves = perspective.state(table, perspective.seen_by(table, frozenset({0}), None), {0})["moves"]
        for move in moves:
            assert (move["warning"] is not None) == (move["move"] == "done")
            if move["warning"]:
                warned += 1
                assert move["warning"].endswith("not moved yet. End the sneak phase?")
        take(table, rng.choice(moves)["move"])
    assert warned


def test_most_games_ask_nothing(game: strandline.Game) -> None:
    table = make_table(game.name, ("here",) * min(game.seats))
    turn = table.record.position.turn
    assert isinstance(turn, int)
    if game.story.warning is defaults.warning:
        assert all(move["warning"] is None for move in perspective.offers(table.record.position, turn))
