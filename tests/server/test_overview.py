"""What a lobby is told about the tables of its browser."""

import random
from typing import Any

import httpx

from server.helpers import Player, make, make_table, play_out, token_of
from strandline.table import overview, perspective


def ask(host: str, *tables: tuple[str, str | None]) -> list[dict[str, Any]]:
    said = {"tables": [{"id": table, "token": token} for table, token in tables]}
    answer = httpx.post(f"http://{host}/api/tables/status", json=said)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["tables"]
    return found


def test_each_table_says_what_goes_on_newest_first(host: str) -> None:
    older = make(host, "reef_route", ["here", "here"], names=["Ada", "Ben"])
    newer = make(host, "reef_route", ["link", "here"], names=["Cy", "Dee"])
    key = token_of(newer["page"])
    found = ask(host, (older["id"], token_of(older["page"])), ("nowhere", None), (newer["id"], key))
    assert [table["id"] for table in found] == [newer["id"], older["id"]]
    assert [table["status"] for table in found] == ["Cy is thinking", "Ada’s turn"]
    assert [table["your_turn"] for table in found] == [False, True]
    assert found[0]["names"] == ["Cy", "Dee"] and found[0]["you"] == [1]
    with Player(host, newer["id"], token_of(newer["seats"][0]["link"])) as cy:
        cy.move()
    (mine,) = ask(host, (newer["id"], key))
    assert mine["status"] == "Your turn" and mine["your_turn"] and mine["number"] == 1
    picture = httpx.get(f"http://{host}{mine['picture']}")
    assert picture.headers["content-type"] == "image/svg+xml" and picture.text.startswith("<svg")


def test_the_end_is_told_to_each_in_their_words(host: str) -> None:
    table = make(host, "reef_route", ["here", "bot:random"], options={"limit": 1}, names=["Ada", "Ben"])
    token = token_of(table["page"])
    with Player(host, table["id"], token) as ada:
        while ada.state["turn"] != "over":
            if ada.state["acting"] is None:
                number = ada.state["number"]
                ada.until(lambda state: state["number"] > number)  # noqa: B023
            else:
                ada.move()
        winners = ada.state["winners"]
    (mine,), (others,) = ask(host, (table["id"], token)), ask(host, (table["id"], None))
    assert mine["turn"] == "over" and mine["winners"] == winners
    named = {(0,): "Ada", (1,): "Ben", (0, 1): "Ada and Ben", (): "nobody"}[tuple(winners)]
    assert others["status"] == f"finished: {named} won"
    assert mine["status"] == ("finished: you won" if 0 in winners else others["status"])


def test_a_shared_win_is_told_as_one() -> None:
    tables = (make_table("sand_castles", ("link", "bot:random"), max_rounds=2) for _ in range(200))
    played = (play_out(table, random.Random(seed)) for seed, table in enumerate(tables))
    table = next(table for table in played if len(table.record.position.winners()) == 2)
    assert overview.status(table, "token-0")["status"] == "finished: you shared the win"
    assert overview.status(table, None)["status"] == "finished: Seat 0 and Bot 1 shared the win"
    assert perspective.state(table, perspective.seen_by(table, frozenset({0}), None), {0})["shared"]


def test_the_last_person_does_not_leave_a_game_to_bots(host: str) -> None:
    table = make(host, "reef_route", ["here", "bot:random"])
    with Player(host, table["id"], token_of(table["page"])) as ada:
        refused = ada.say(type="leave", seat=0)
        assert refused["code"] == "state" and "waits for you" in refused["error"]
