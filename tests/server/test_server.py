"""The server as browsers use it: a real one, over HTTP and WebSockets."""

import contextlib
import json
import random
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

import strandline
from server.helpers import FAST, PATIENCE, Player, Running, get, make, people, put_together, token_of
from strandline.bots.levels import LEVELS
from strandline.server import limits, lobby, sockets
from strandline.server.hall import Settings
from strandline.server.signing import is_signed
from strandline.server.store import Store
from strandline.table import levels
from strandline.table.verify import verify

BOUND = 4000
"""No game of the tests has more moves."""


def play_to_the_end(players: list[Player], rng: random.Random) -> dict[str, Any]:
    for _ in range(BOUND):
        number = max(player.state["number"] for player in players)
        for player in players:
            player.until(lambda state: state["number"] >= number)  # noqa: B023
        state = players[0].state
        if state["turn"] == "over":
            return state
        asked = [player for player in players if player.state["ask"] is not None]
        acting = [player for player in players if player.state["acting"] is not None]
        if asked:
            asked[0].say(type="here", seat=state["turn"], number=state["number"])
        elif acting:
            acting[0].move(rng.choice(acting[0].state["moves"])["move"])
        else:
            players[0].until(lambda new: new["number"] > number)  # noqa: B023
    raise AssertionError("The game does not end.")


# Making tables


def test_a_new_table(host: str) -> None:
    table = make(host, "up_the_river", ["here", "link", "here", "bot:random"])
    assert set(table) == {"id", "page", "watch", "seats"}
    links = [seat["link"] for seat in table["seats"]]
    assert [seat["seat"] for seat in table["seats"]] == [0, 1, 2, 3]
    assert [seat["kind"] for seat in table["seats"]] == ["here", "link", "here", "bot:random"]
    assert links[0] == links[2] == table["page"] and links[3] is None and links[1] != links[0]
    assert table["watch"] == f"/table/{table['id']}" and links[1].startswith(table["watch"] + "#")
    for path in (table["page"], table["watch"], "/", "/static/favicon.svg"):
        assert httpx.get(f"http://{host}{path}").status_code == 200


def test_without_anybody_here_the_maker_watches(host: str) -> None:
    table = make(host, "up_the_river", ["link", "bot:random"])
    assert table["page"] == table["watch"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"{", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[]", 422, "dictionary"),
        (b"{}", 422, "game"),
        ({"game": "chess", "seats": ["here", "here"]}, 422, "no game 'chess'"),
        ({"game": "up_the_river", "seats": ["here"]}, 422, "2, 3 or 4 players, not 1"),
        ({"game": "up_the_river", "seats": []}, 422, "seats"),
        ({"game": "up_the_river", "seats": ["here"] * 99}, 422, "seats"),
        ({"game": "up_the_river", "seats": ["here", "there"]}, 422, "Seat 1 must be “here”, “link” or “bot:LEVEL”"),
        ({"game": "up_the_river", "seats": ["here", "bot:genius"]}, 422, "no bot 'genius'"),
        ({"game": "up_the_river", "seats": "here"}, 422, "list"),
        ({"game": "up_the_river", "seats": ["here", 1]}, 422, "Seat 1 must be"),
        ({"game": "up_the_river", "seats": ["here", "here"], "options": {"tide": 1}}, 422, "no option 'tide'"),
        ({"game": "up_the_river", "seats": ["here", "here"], "options": {"tide_start": 77}}, 422, "tide_start must be"),
        ({"game": "up_the_river", "seats": ["here", "here"], "options": {"tide_start": True}}, 422, "tide_start must"),
        ({"game": "up_the_river", "seats": ["here", "here"], "options": {"tide_start": []}}, 422, "tide_start"),
        ({"game": "up_the_river", "seats": ["here", "here"], "colour": 1}, 422, "colour"),
        ({"game": "up_the_river", "seats": ["here", "here"], "takeover_after": 1}, 422, "60"),
        ({"game": "up_the_river", "seats": ["here", "here"], "names": ["x" * 25]}, 422, "names"),
        ({"game": "up_the_river", "seats": ["here", "here"], "more": "x" * 20_000}, 413, "At most"),
    ],
)
def test_bad_tables(host: str, body: Any, status: int, says: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = httpx.post(f"http://{host}/api/tables", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, list(answer.json())) == (status, ["error"]), answer.text
    assert says in answer.json()["error"]


def test_what_is_not_there(host: str) -> None:
    for path in (
        *("/api/tables/nowhere", "/api/tables/nowhere/record", "/api/tables/nowhere/review", "/api/games/chess/guide"),
        *("/api/tables/nowhere/positions/0", "/nothing", "/static/nothing.js", "/static/../server.py", "/api/nothing"),
    ):
        answer = httpx.get(f"http://{host}{path}")
        assert answer.status_code == 404 and answer.json()["error"].endswith("."), path
    table = make(host, "up_the_river", ["here", "here"])
    assert httpx.get(f"http://{host}/api/tables/{table['id']}/positions/99").status_code == 404
    wrong = {"authorization": "Bearer wrong"}
    assert httpx.get(f"http://{host}/api/tables/{table['id']}/record", headers=wrong).status_code == 401


def test_people_who_are_lost_get_a_page(host: str) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nowhere", "/table", "/table/", "/table/a/b", "/index.html", "/static/nothing.html"):
        answer = httpx.get(f"http://{host}{path}", headers=browser)
        assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/html"), path
        assert "There is nothing here." in answer.text and 'href="/"' in answer.text
        assert httpx.get(f"http://{host}{path}").json() == {"error": "There is nothing here."}
    assert httpx.get(f"http://{host}/api/nothing", headers=browser).json() == {"error": "There is nothing here."}


# The lobby


def test_the_lobby_knows_all_games(host: str) -> None:
    lobby = get(host, "/api/games")
    assert [game["name"] for game in lobby["games"]] == strandline.games()
    lines = {level["name"]: level["description"] for level in lobby["levels"]}
    assert lobby["level"] in lines and {"1", "2", "3", "4", "5", "random"} <= set(lines)
    assert "search" not in lines  # to people it is level 5 once more
    assert set(levels.DESCRIPTIONS) == {*map(str, LEVELS), "6", "search", "random"}
    for game in lobby["games"]:
        assert [option["name"] for option in game["options"]] == list(strandline.game(game["name"]).options)
        assert httpx.get(f"http://{host}{game['rules']}").text.startswith("<h2>")


def test_seats_look_in_the_lobby_as_on_the_board(host: str, game: strandline.Game) -> None:
    (told,) = (one for one in get(host, "/api/games")["games"] if one["name"] == game.name)
    board = ET.fromstring(game.new(game.seats[-1]).svg())
    for seat, look in enumerate(told["looks"][: game.seats[-1]]):
        card = next(shape for shape in board.iter() if shape.get("id") == f"seat-{seat}")
        marks = [shape for shape in card.iter() if shape.get("d") == look["path"]]
        assert [shape.attrib["fill"] for shape in marks] == [look["colour"]] and look["name"] and look["shape"]


def test_games_have_pictures(host: str, game: strandline.Game) -> None:
    answer = httpx.get(f"http://{host}/api/games/{game.name}/board.svg")
    assert answer.headers["content-type"] == "image/svg+xml" and answer.text.startswith("<svg")


# Play


def test_two_people_by_link_play_to_the_end(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"], options={"round_limit": 6})
    with people(host, table) as players:
        assert [player.state["you"] for player in players] == [[0], [1]]
        end = play_to_the_end(players, random.Random(1))
        others = [player.until(lambda state: state["turn"] == "over") for player in players]
    assert all(state["winners"] == end["winners"] for state in others)
    record = get(host, f"/api/tables/{table['id']}/record")
    key = get(host, "/api/key")["key"]
    assert len(record["moves"]) == end["number"] and verify(record, key, signed=is_signed).verdict == "passed"
    assert sum("link" in note and note["tap"] for note in record["dice"]) > 2
    position = strandline.game(record["game"]).new(record["players"], **record["options"])
    for number, text in enumerate(record["moves"]):
        seen = get(host, f"/api/tables/{table['id']}/positions/{number}")
        assert (seen["number"], seen["words"], seen["svg"]) == (number, position.words(), position.svg())
        position = position.play(text)
    assert position.scores() == end["scores"] and position.winners() == end["winners"]


def test_hot_seat_with_secrets(host: str) -> None:
    table = make(host, "sand_castles", ["here", "here", "bot:random"], options={"max_rounds": 3})
    with people(host, {**table, "seats": table["seats"][:1]}) as players:
        play_to_the_end(players, random.Random(2))
        texts = [line["text"] for state in players[0].seen if state["type"] == "state" for line in state["log"]]
    assert not [text for text in texts if text.startswith("peek ")] or players[0].state["turn"] == "over"


def test_a_table_of_bots_plays_by_itself(host: str) -> None:
    table = make(host, "sand_castles", ["bot:random", "bot:random"], options={"max_rounds": 3})
    with Player(host, table["id"]) as watcher:
        watcher.until(lambda state: state["turn"] == "over")
        numbers = [line["number"] for state in watcher.seen for line in state["log"]]
    assert numbers == list(range(1, watcher.state["number"] + 1))


def test_the_champion_sits_where_it_has_networks(host: str) -> None:
    offered = {game["name"]: game["champion"] for game in get(host, "/api/games")["games"]}
    assert offered["sand_castles"] == [2, 4] and offered["up_the_river"] == []
    table = make(host, "sand_castles", ["bot:6", "bot:6"])
    with Player(host, table["id"]) as watcher:
        watcher.until(lambda state: state["number"] >= 10)
    wanted = {"game": "sand_castles", "seats": ["here", "bot:6", "bot:6"]}
    refused = httpx.post(f"http://{host}/api/tables", json=wanted)
    assert refused.status_code == 422 and "There is no bot '6'" in refused.json()["error"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"game": "chess"}, "Ein Spiel 'chess' gibt es nicht. Es gibt: "),
        ({"seats": ["here", "bot:99"]}, "Einen Bot '99' gibt es nicht. Es gibt: 1, 2, 3"),
        ({"seats": ["here"]}, "Im Sog ist für 2, 3 oder 4 Spieler, nicht für 1."),
        ({"options": {"colour": "red"}}, "Im Sog hat keine Option 'colour'. Es gibt: "),
        ({"options": {"max_rounds": "many"}}, 'eine ganze Zahl von 0 bis 1000 sein, aber nicht "many".'),
        ({"options": {"easy": 3}}, "false oder true sein, aber nicht 3."),
        ({"undo": "never"}, "Das passt hier nicht: undo."),
        ({"seats": ["here", "sofa"]}, "Platz 1 muss „here“, „link“ oder „bot:STUFE“ sein"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_in_the_readers_language(
    host: str, wanted: dict[str, Any], said: str
) -> None:
    body = {"game": "undertow", "seats": ["here", "here"], **wanted}
    refused = httpx.post(f"http://{host}/api/tables", json=body, headers={"accept-language": "de"})
    assert refused.status_code == 422 and said in refused.json()["error"], refused.json()


@pytest.mark.parametrize(
    ("headers", "body", "status", "says"),
    [
        ({"host": "evil.example"}, b"{}", 421, "nicht bekannt"),
        ({"origin": "http://evil.example"}, b"{}", 403, "eigenen Seiten"),
        ({}, b"x" * 20_000, 413, "Höchstens 16384 Bytes"),
        ({}, b"{", 400, "kein JSON"),
        ({}, b"\xff", 400, "kein JSON"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_in_the_readers_language(
    host: str, headers: dict[str, str], body: bytes, status: int, says: str
) -> None:
    headers = {"accept-language": "de", "content-type": "application/json", **headers}
    refused = httpx.post(f"http://{host}/api/tables", content=body, headers=headers)
    assert refused.status_code == status and says in refused.json()["error"]


def test_an_unforeseen_error_is_owned_up_to_in_the_readers_language(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(lobby, "games", fail)
    broken = httpx.get(f"http://{host}/api/games", headers={"accept-language": "de"})
    assert broken.status_code == 500 and broken.json()["error"].startswith("Etwas ging schief.")


def test_links_that_do_not_fit_are_refused_in_the_readers_language(host: str, caplog: pytest.LogCaptureFixture) -> None:
    table = make(host, "up_the_river", ["here", "bot:random"])
    with (
        caplog.at_level("INFO", "strandline.table"),
        Player(host, table["id"], token_of(table["seats"][0]["link"]), language="de") as first,
    ):
        refused = first.say(type="link", **first._part())
    assert refused["code"] == "link"
    assert refused["error"] == "Der Anteil dieser Seite an den Würfeln passt nicht. Lade die Seite neu."
    assert "No link was asked for then." in caplog.text


@pytest.mark.parametrize("wanted", ["foo", "bytes=9-1", "bytes=99999999-", "bytes=0-9"])
def test_whoever_asks_for_a_part_gets_the_whole(host: str, wanted: str) -> None:
    answer = httpx.get(f"http://{host}/", headers={"range": wanted})
    assert answer.status_code == 200 and "</html>" in answer.text


def test_refusals_change_nothing(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"])
    with people(host, table) as (first, second), Player(host, table["id"]) as watcher:
        number, move = first.state["number"], first.state["moves"][0]["move"]
        assert second.move(move)["code"] == "turn"
        assert watcher.move(move)["code"] == "turn"
        assert first.move(move, number + 1)["code"] == "stale"
        assert first.move("sail 99")["code"] == "illegal"
        assert first.move("roll 3")["code"] == "illegal"
        assert first.say(type="vote", vote=3, seat=0, yes=True)["code"] == "state"
        assert first.say(type="name", seat=1, name="Eve")["code"] == "seat"
        assert first.say(type="rematch")["code"] == "state"
        assert watcher.say(type="leave", seat=0)["code"] == "seat"
        assert first.say(type="hello", token=None)["code"] == "malformed"
        assert get(host, f"/api/tables/{table['id']}")["number"] == number
        now = first.move(move, number)["number"]
        answer = first.move(move, number)
        assert now > number and answer["code"] == "stale" and answer["number"] == now


def test_whoever_asks_hears_why_a_shape_cannot_be_used(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"], names=["Ada", "Ben"])
    with people(host, table) as (first, second), Player(host, table["id"]) as watcher:
        ready = first.state["moves"][0]["clicks"][0]
        answer = first.say(type="why", shape=ready)
        assert (answer["type"], answer["shape"]) == ("why", ready)
        assert answer["sentence"] is answer["rule"] is None
        asked = first.say(type="why", shape="sandbank", chosen=[])
        assert asked["rule"] == "R5" and asked["sentence"].startswith("The sandbank stops every boat")
        assert second.say(type="why", shape="boat-1-1")["sentence"] == "It is Ada’s turn."
        assert "only players" in watcher.say(type="why", shape=ready)["sentence"]
        assert "nothing like that" in first.say(type="why", shape="kraken")["sentence"]
        refused = first.move("roll 3")
        assert (refused["code"], refused["rule"]) == ("illegal", "R4") and "The die shows" in refused["error"]


def test_reasons_are_given_in_the_language_of_whoever_asks(host: str) -> None:
    table = make(host, "up_the_river", ["here", "here"])
    with Player(host, table["id"], token_of(table["seats"][0]["link"]), language="de") as both:
        assert both.say(type="why", shape="sandbank")["sentence"].startswith("Die Sandbank hält jedes Boot auf")


@pytest.mark.parametrize(
    "text",
    [
        *('{"type": "why"}', '{"type": "why", "shape": 3}', '{"type": "why", "shape": "x", "chosen": "x"}'),
        *("{", "[]", "null", "7", '"text"', "{}", '{"type": "dance"}', '{"type": "move"}', "[" * 3000),
        *('{"type": "move", "move": 3, "number": 1}', '{"type": "move", "move": "sail 1", "number": "1"}'),
        *('{"type": "move", "move": "sail 1", "number": true}', '{"type": "move", "move": "sail 1", "number": NaN}'),
        *('{"type": "move", "move": "x", "number": 1, "more": 1}', '{"type": "vote", "vote": 1, "seat": 0, "yes": 1}'),
        *('{"type": "undo", "number": 1e400}', '{"type": "name", "seat": 0, "name": ""}', '{"type": "ping", "id": []}'),
        '{"type": "move", "move": "\\ud800", "number": 1}',
        *('{"type": "move", "move": "\\u0000", "number": 1}', '{"type": "ping", "id": "\\u0000"}'),
        *('{"type": "chain", "anchor": "xyz"}', '{"type": "link", "link": "' + "0" * 64 + '"}'),
    ],
)
def test_malformed_messages(host: str, text: str) -> None:
    table = make(host, "up_the_river", ["link", "link"])
    with people(host, table) as (first, _):
        first.socket.send(text)
        while (answer := first.receive())["type"] == "state":
            pass
        assert answer["type"] == "refused" and answer["code"] in ("malformed", "illegal") and answer["error"]
        assert first.say(type="ping")["type"] == "pong"
        assert get(host, f"/api/tables/{table['id']}")["number"] == first.state["number"]


def test_every_message_is_answered_with_its_own_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is refused for, for whoever waits for the answer would wait for ever."""
    monkeypatch.setattr(limits, "BURST_S", 4e6)
    monkeypatch.setattr(sockets, "PATIENCE", 1)
    with opened(tmp_path, Settings(requests=1e6, messages=1e-6, tables=1e6)) as host:
        table = make(host, "up_the_river", ["link", "link"])
        with people(host, table) as (first, _):
            refused = [first.say(**what) for what in ({"type": "dance"}, {"type": "move"}, {"type": "ping", "more": 1})]
            assert [answer["code"] for answer in refused] == ["malformed"] * 3
            assert first.say(type="move", move="sail 99", number=first.state["number"])["code"] == "illegal"
            assert [first.say(type="ping")["code"] for _ in range(2)] == ["rate"] * 2
            assert closed(first.socket) == 4429
        with people(host, table) as (first, _):
            assert first.say(type="ping", more="x" * 5000)["code"] == "malformed"
            assert closed(first.socket) == 4400
        with connect(f"ws://{host}/api/tables/{table['id']}/play") as socket:
            socket.send('{"type": "ping", "more": 1, "id": 7}')
            answer = json.loads(socket.recv(PATIENCE))
            assert (answer["re"], answer["code"]) == (7, "malformed") and closed(socket) == 4400


def closed(socket: Any) -> int:
    with pytest.raises(ConnectionClosed) as ended:
        while True:
            socket.recv(PATIENCE)
    return ended.value.rcvd.code if ended.value.rcvd else 0


def test_connections_that_are_closed(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"])
    address = f"ws://{host}/api/tables/{table['id']}/play"
    for first, code in (
        ('{"type": "ping"}', 4400),
        ("nonsense", 4400),
        (b"bytes", 4400),
        ("x" * 5000, 4400),
        ("x" * 100_000, 1009),
        ('{"type": "hello", "token": "wrong"}', 4401),
    ):
        with connect(address) as socket:
            socket.send(first)
            assert closed(socket) == code, first
    for nowhere in ("nowhere", "%00", "x" * 1000, "NOWHERE"):
        with connect(f"ws://{host}/api/tables/{nowhere}/play") as socket:
            socket.send('{"type": "hello"}')
            assert json.loads(socket.recv(PATIENCE))["code"] == "table"
            assert closed(socket) == 4404
    with pytest.raises(InvalidStatus), connect(address, origin=Origin("http://evil.example")):
        pass
    with connect(address, origin=Origin(f"http://{host}")):
        pass
    evil = {"origin": "http://evil.example"}
    body = {"game": "up_the_river", "seats": ["here", "here"]}
    assert httpx.post(f"http://{host}/api/tables", json=body, headers=evil).status_code == 403


def test_two_tabs_stay_in_step_and_a_new_device_sees_all(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"])
    token = token_of(table["seats"][0]["link"])
    with people(host, table) as (first, _), Player(host, table["id"], token) as tab:
        first.move()
        tab.until(lambda state: state["number"] == first.state["number"])
        assert tab.state["svg"] == first.state["svg"]
    with Player(host, table["id"], token) as again, Player(host, table["id"], token, since=2) as later:
        number = again.state["number"]
        assert [line["number"] for line in again.state["log"]] == list(range(1, number + 1))
        assert [line["number"] for line in later.state["log"]] == list(range(3, number + 1))


def test_boards_in_pieces(host: str) -> None:
    """Put together they are the boards that others get whole; a new connection begins with a whole one."""
    table = make(host, "reef_route", ["link", "link"])
    tokens = [token_of(seat["link"]) for seat in table["seats"]]
    for _ in range(2):
        with people(host, table) as players, Player(host, table["id"], tokens[0], pieces=True) as page:
            assert all(isinstance(piece, str) for piece in page.state["svg"])
            for _ in range(6):
                mover = next(player for player in players if player.state["acting"] is not None)
                number = mover.move()["number"]
                for player in (*players, page):
                    player.until(lambda state: state["number"] == number)  # noqa: B023
            pieces: list[str] = []
            for state in page.seen:
                pieces = put_together(json.dumps(state["svg"]), pieces)
            assert "".join(pieces) == players[0].state["svg"]


def test_boards_follow_the_form_of_the_window(host: str) -> None:
    table = make(host, "sand_castles", ["link", "link"])
    token = token_of(table["seats"][0]["link"])
    with Player(host, table["id"], token, wide=True, story=True) as page:
        seen = get(host, f"/api/tables/{table['id']}/positions/{page.state['number']}?wide=true")
        narrow = get(host, f"/api/tables/{table['id']}/positions/{page.state['number']}")
        assert view_box(page.state["svg"]) == view_box(seen["svg"]) != view_box(narrow["svg"])
        assert {view_box(step["svg"]) for step in [*page.state["steps"], *seen["steps"]]} == {view_box(seen["svg"])}
        assert view_box(page.say(type="form", wide=False)["svg"]) == view_box(narrow["svg"])
        page.move()
        assert view_box(page.state["svg"]) == view_box(narrow["svg"])


def view_box(svg: str) -> str:
    return svg.partition('viewBox="')[2].partition('"')[0]


def test_undo_by_vote(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link"])
    with people(host, table) as (first, second):
        board = first.state["svg"]
        first.move()
        while not first.state["roll"] and first.state["acting"] == 0:
            first.move()
        mover = second if first.state["acting"] is None else first
        mover.until(lambda state: state["roll"] and state["acting"] is not None)
        number = mover.move()["number"]
        first.until(lambda state: state["number"] == number)
        asked = first.say(type="undo", number=first.state["number"])
        (vote,) = asked["votes"]
        second.until(lambda state: state["votes"])
        done = second.say(type="vote", vote=vote["vote"], seat=1, yes=True)
        assert done["votes"] == [] and done["svg"] == board and done["log"][-1]["text"].startswith("undo ")
        first.until(lambda state: state["number"] == done["number"])
        assert first.state["acting"] == 0 and first.state["moves"]


def test_takeover_by_vote_and_return(host: str) -> None:
    table = make(host, "up_the_river", ["link", "link", "bot:random"])
    token = token_of(table["seats"][0]["link"])
    with people(host, {**table, "seats": table["seats"][1:2]}) as (second,):
        with Player(host, table["id"], token):
            second.until(lambda state: not state["seats"][0]["away"])
        second.until(lambda state: state["seats"][0]["away"])
        taken = second.say(type="takeover", seat=0)
        assert taken["seats"][0]["bot"] is not None
        second.until(lambda state: state["turn"] == 1)
        with Player(host, table["id"], token) as first:
            seat = {"seat": 0, "kind": "link", "name": "Seat 0", "yours": True, "away": False, "bot": None}
            held = {"claimed": True, "invited": False, "devices": 1}
            look = first.state["seats"][0]["look"]
            assert look["name"] == "red"
            assert first.state["seats"][0] == {**seat, **held, "look": look, "status": "you"}
        assert second.say(type="takeover", seat=2)["code"] == "state"


def test_takeover_after_the_time_that_the_table_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store)
    try:
        table = make(running.host, "up_the_river", ["link", "link"], takeover_after=60)
        with people(running.host, {**table, "seats": table["seats"][1:]}) as (second,):
            time.sleep(0.5)
            assert second.say(type="ping")["type"] == "pong" and second.state["seats"][0]["bot"] is None
            real = time.time
            monkeypatch.setattr(time, "time", lambda: real() + 70)
            second.until(lambda state: state["seats"][0]["bot"] is not None)
            monkeypatch.undo()
    finally:
        running.stop()
        store.close()


def test_leaving_names_hints_and_a_rematch(host: str) -> None:
    table = make(host, "up_the_river", ["link", "here"], options={"round_limit": 1}, names=["Ada"])
    with people(host, table) as players:
        first, second = players
        assert first.say(type="name", seat=0, name="Bea")["seats"][0]["name"] == "Bea"
        hint = first.say(type="hint", number=first.state["number"])
        assert hint["move"] in [move["move"] for move in first.state["moves"]]
        assert second.say(type="hint", number=second.state["number"])["code"] == "turn"
        assert first.say(type="leave", seat=0)["seats"][0]["bot"]
        assert first.say(type="return", seat=0)["seats"][0]["bot"] is None
        second.say(type="ping")
        play_to_the_end(players, random.Random(1))
        again = first.say(type="rematch")["rematch"]
        assert second.until(lambda state: state["rematch"])["rematch"] == again
        assert second.say(type="rematch")["code"] == "state"
    with Player(host, again.removeprefix("/table/"), token_of(table["seats"][0]["link"])) as first:
        assert first.state["you"] == [1] and first.state["seats"][1]["name"] == "Bea"


def test_tables_without_hints(host: str) -> None:
    table = make(host, "up_the_river", ["here", "bot:random"], hints=False)
    with people(host, table) as (first,):
        assert first.say(type="hint", number=first.state["number"])["code"] == "hint"


# What nobody may learn


def test_secrets_stay_secret_on_the_wire(host: str) -> None:
    """Seat 0 looks; until the end of the game nothing that the others get names what it saw."""
    table = make(host, "sand_castles", ["link", "link", "link"])
    with people(host, table) as (first, *others), Player(host, table["id"]) as watcher:
        first.move("seagull")
        tiles = [line["text"] for line in first.state["log"] if line["text"].startswith("peek ")]
        assert len(tiles) == 3
        for player in (*others, watcher):
            player.until(lambda state: state["number"] == first.state["number"])
            everything = json.dumps(player.seen)
            assert "peek " not in everything and "looks at an unknown tile" not in everything
    for token in (None, token_of(table["seats"][1]["link"])):
        for path in ("", "/record", "/positions/6", "/positions/9"):
            assert "peek " not in json.dumps(get(host, f"/api/tables/{table['id']}{path}", token))
    own = get(host, f"/api/tables/{table['id']}/record", token_of(table["seats"][0]["link"]))
    assert own["moves"][-3:] == tiles


def test_tokens_reach_nobody_else_and_no_log(host: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    table = make(host, "up_the_river", ["here", "link"])
    tokens = [token_of(seat["link"]) for seat in table["seats"]]
    with people(host, table) as players, Player(host, table["id"]) as watcher:
        players[0].move()
        for player in (*players, watcher):
            player.say(type="ping")
            assert not any(token in json.dumps(player.seen) for token in tokens)
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")]
    assert not any(token in text for token in tokens for text in ours)


def test_headers(host: str) -> None:
    for path in ("/", "/api/games", "/static/favicon.svg"):
        headers = httpx.get(f"http://{host}{path}").headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy and "default-src 'none'" in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert httpx.get(f"http://{host}/docs").status_code == 404


# Limits, archive, restart


@contextlib.contextmanager
def opened(folder: Path, settings: Settings) -> Iterator[str]:
    """A server of its own, where it listens."""
    store = Store(f"sqlite:///{folder / 's.sqlite'}")
    running = Running(store, settings)
    try:
        yield running.host
    finally:
        running.stop()
        store.close()


def test_rates_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six messages and ten requests may come at once, and hardly any more for as long as a test takes."""
    monkeypatch.setattr(limits, "BURST_S", 6e6)
    monkeypatch.setattr(limits, "REQUEST_BURST_S", 1e7)
    monkeypatch.setattr(limits, "PAUSE_S", 0.0)
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, Settings(requests=1e-6, messages=1e-6, tables=1e6))
    try:
        table = make(running.host, "reef_route", ["here", "here"])
        with people(running.host, table) as (first, _):
            answers = [first.say(type="ping")["type"] for _ in range(6)]
            first.socket.send('{"type": "ping"}')
            assert answers == ["pong"] * 6 and first.receive()["code"] == "rate"
        statuses = [httpx.get(f"http://{running.host}/api/games").status_code for _ in range(30)]
        assert statuses[0] == 200 and statuses[-1] == 429
        with pytest.raises(InvalidStatus), connect(f"ws://{running.host}/api/tables/{table['id']}/play"):
            pass
    finally:
        running.stop()
        store.close()


def test_untouched_tables_are_archived_and_come_back_with_a_person(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, Settings(archive_after=0.5, tick=0.1, requests=1e6, messages=1e6))
    try:
        table = make(running.host, "up_the_river", ["link", "link"])
        while (kept := store.load(table["id"])) is None or not kept.archived:
            time.sleep(0.1)
        number = get(running.host, f"/api/tables/{table['id']}")["number"]
        with people(running.host, table) as (first, _):
            assert first.state["number"] == number < first.move()["number"]
    finally:
        running.stop()
        store.close()


def test_an_archived_table_with_guests_stays_one_table(tmp_path: Path) -> None:
    """Who was there when it was put away and who comes later see each other's moves."""
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, Settings(archive_after=0.5, tick=0.1, requests=1e6, messages=1e6))
    try:
        table = make(running.host, "up_the_river", ["link", "link"])
        tokens = [token_of(seat["link"]) for seat in table["seats"]]
        with Player(running.host, table["id"], tokens[1]) as second:
            while (kept := store.load(table["id"])) is None or not kept.archived:
                time.sleep(0.1)
            time.sleep(0.3)
            with Player(running.host, table["id"], tokens[0]) as first:
                number = first.move()["number"]
                assert second.until(lambda state: state["number"] == number)
    finally:
        running.stop()
        store.close()


def test_a_table_has_room_for_so_many(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_SPECTATORS", 1)
    table = make(host, "up_the_river", ["link", "link"])
    with (
        people(host, table),
        Player(host, table["id"]),
        connect(f"ws://{host}/api/tables/{table['id']}/play") as socket,
    ):
        socket.send('{"type": "hello"}')
        assert json.loads(socket.recv(PATIENCE))["code"] == "rate"
        assert closed(socket) == 4429


def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.sqlite'}"
    store = Store(url)
    running = Running(store)
    table = make(running.host, "up_the_river", ["link", "link"])
    with people(running.host, table) as (first, _):
        state = first.move()
    running.stop()
    store.close()
    store = Store(url)
    running = Running(store, FAST)
    with people(running.host, table) as (first, second):
        assert first.state["number"] == state["number"] and first.state["svg"] == state["svg"]
        second.move()
    running.stop()
    store.close()
