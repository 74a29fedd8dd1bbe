"""Invitations over the wire: used up once, on any number of servers, and whoever lost a device comes back."""

import threading
import webbrowser
from pathlib import Path
from typing import Any

import httpx
import pytest

import strandline
from server.helpers import FAST, PATIENCE, Player, Process, Running, claim, get, make, token_of
from strandline.server import lan, launch
from strandline.server.hall import Settings
from strandline.server.store import Store, is_in_use
from strandline.table.table import new_token

RIVER = "up_the_river"


def invitation_of(table: dict[str, Any], seat: int) -> str:
    return token_of(table["seats"][seat]["link"])


def seat_of(player: Player, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = player.state["seats"][seat]
    return found


def test_the_maker_holds_no_keys_of_others(host: str) -> None:
    table = make(host, RIVER, ["here", "link"])
    invitation = invitation_of(table, 1)
    assert invitation.startswith("invite=")
    for secret in (invitation, invitation.removeprefix("invite=")):
        wrong = {"authorization": f"Bearer {secret}"}
        assert httpx.get(f"http://{host}/api/tables/{table['id']}", headers=wrong).status_code == 401


def test_an_invitation_is_used_up(host: str) -> None:
    table = make(host, RIVER, ["here", "link", "link"])
    invitation = invitation_of(table, 1)
    with Player(host, table["id"], token_of(table["page"])) as maker:
        assert [seat_of(maker, seat)["claimed"] for seat in range(3)] == [True, False, False]
        seen = httpx.post(
            f"http://{host}/api/tables/{table['id']}/invitation",
            json={"invitation": invitation.removeprefix("invite=")},
        ).json()
        assert seen["seats"] == [1] and not seen["own"] and seen["title"] == "Up the River"
        key = new_token()
        answer = claim(host, table["id"], invitation, key, name="Ben")
        assert answer.json() == {"page": f"/table/{table['id']}#{key}", "seats": [1]}
        maker.until(lambda state: state["seats"][1]["claimed"])
        assert seat_of(maker, 1)["name"] == "Ben" and not seat_of(maker, 2)["claimed"]
        again = claim(host, table["id"], invitation)
        assert again.status_code == 409 and "used or taken back" in again.json()["error"]
        lost_answer = claim(host, table["id"], invitation, key)  # the same device asks again
        assert lost_answer.status_code == 200 and lost_answer.json()["seats"] == [1]
        assert maker.say(type="invite", seat=1)["code"] == "state"
        with Player(host, table["id"], key) as ben:
            assert ben.state["you"] == [1] and not ben.state["host"]
            assert ben.say(type="invite", seat=2)["code"] == "seat"
            assert ben.say(type="withdraw", seat=2)["code"] == "seat"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({}, 422),
        ({"key": "short"}, 422),
        ({"key": "k" * 32}, 422),
        ({"key": "k" * 32, "invitation": "nonsense"}, 409),
        ({"key": "k" * 32, "code": "KELP-7"}, 404),
        ({"key": "k" * 32, "invitation": "x" * 65}, 422),
        ({"key": "k" * 32, "invitation": None, "seat": 99}, 422),
    ],
)
def test_bad_claims_change_nothing(host: str, said: dict[str, Any], status: int) -> None:
    table = make(host, RIVER, ["here", "link"])
    answer = httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json=said)
    assert answer.status_code == status and answer.json()["error"].endswith("."), answer.text
    assert not get(host, f"/api/tables/{table['id']}")["seats"][1]["claimed"]


def test_a_name_that_cannot_be_leaves_the_invitation_open(host: str) -> None:
    table = make(host, RIVER, ["here", "link"], names=["Ada", None])
    assert claim(host, table["id"], invitation_of(table, 1), name="ADA").status_code == 422
    assert claim(host, table["id"], invitation_of(table, 1), name="Ben").status_code == 200


def test_taken_back_and_sent_anew(host: str) -> None:
    table = make(host, RIVER, ["here", "link"])
    with Player(host, table["id"], token_of(table["page"])) as maker:
        assert maker.say(type="withdraw", seat=1)["seats"][1]["invited"] is False
        assert claim(host, table["id"], invitation_of(table, 1)).status_code == 409
        assert maker.say(type="withdraw", seat=1)["code"] == "state"
        sent = maker.say(type="invite", seat=1)
        anew = maker.say(type="invite", seat=1)
        assert claim(host, table["id"], token_of(sent["link"])).status_code == 409
        assert claim(host, table["id"], token_of(anew["link"])).status_code == 200


def _race(hosts: list[str], table: dict[str, Any]) -> list[int]:
    """Eight devices claim one invitation at the same moment."""
    answers: list[int] = []
    start = threading.Barrier(8)

    def run(host: str) -> None:
        start.wait()
        answers.append(claim(host, table["id"], invitation_of(table, 1)).status_code)

    threads = [threading.Thread(target=run, args=(hosts[i % len(hosts)],)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(answers)


def test_one_of_many_claims_wins(host: str) -> None:
    assert _race([host], make(host, RIVER, ["here", "link"])) == [200] + [409] * 7


def test_one_of_many_claims_wins_on_two_servers(empty_postgres: str) -> None:
    with Process(empty_postgres) as here, Process(empty_postgres) as there:
        for _ in range(3):
            table = make(here.host, RIVER, ["here", "link"])
            get(there.host, f"/api/tables/{table['id']}")
            assert _race([here.host, there.host], table) == [200] + [409] * 7
        table = make(here.host, RIVER, ["here", "link"])
        with (
            Player(here.host, table["id"], token_of(table["page"])) as maker,
            Player(there.host, table["id"], invitation_of(table, 1)) as friend,
        ):
            maker.until(lambda state: state["seats"][1]["claimed"])
            code = maker.say(type="code")
            assert code["code"] == "state"  # no seat is free
            own = friend.say(type="invite", seat=1)["link"]
            with Player(here.host, table["id"], token_of(own)) as phone:
                assert phone.state["you"] == [1]
                assert phone.say(type="release", seat=1)["seats"][1]["devices"] == 1
            with pytest.raises(Exception, match="4401"):  # at the other server
                while True:
                    friend.receive()


def test_a_claim_outlives_a_crash(tmp_path: Path) -> None:
    store, key = f"sqlite:///{tmp_path / 'tables.sqlite'}", new_token()
    with Process(store) as server:
        table = make(server.host, RIVER, ["here", "link"])
        assert claim(server.host, table["id"], invitation_of(table, 1), key).status_code == 200
        server.kill()
    with Process(store) as server:
        assert claim(server.host, table["id"], invitation_of(table, 1)).status_code == 409
        assert get(server.host, f"/api/tables/{table['id']}", key)["you"] == [1]


def test_a_seat_on_two_devices(host: str) -> None:
    table = make(host, RIVER, ["here", "link"])
    with Player(host, table["id"], invitation_of(table, 1)) as tablet:
        link = tablet.say(type="invite", seat=1)["link"]
        with Player(host, table["id"], token_of(link)) as phone:
            assert phone.state["you"] == [1] and phone.state["seats"][1]["devices"] == 2
            assert phone.say(type="release", seat=1)["seats"][1]["devices"] == 1
            with pytest.raises(Exception, match="4401"):
                while True:
                    tablet.receive()
            assert phone.say(type="release", seat=1)["code"] == "state"


def test_a_lost_device_is_let_go_by_vote(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, Settings(**{**vars(FAST), "lost_after": 0.0}))
    host = running.host
    try:
        table = make(host, RIVER, ["here", "link", "link"])
        lost = Player(host, table["id"], invitation_of(table, 2))
        with (
            Player(host, table["id"], token_of(table["page"])) as maker,
            Player(host, table["id"], invitation_of(table, 1)) as second,
        ):
            assert maker.say(type="release", seat=2)["code"] == "state"  # they are here
            lost.close()
            maker.until(lambda state: state["seats"][2]["away"])
            (vote,) = maker.say(type="release", seat=2)["votes"]
            assert (vote["kind"], vote["seat"]) == ("release", 2)
            done = second.say(type="vote", vote=vote["vote"], seat=1, yes=True)
            assert done["votes"] == [] and not done["seats"][2]["claimed"]
            with pytest.raises(AssertionError, match="does not match a seat"):
                get(host, f"/api/tables/{table['id']}", invitation_of(table, 2))
            link = maker.say(type="invite", seat=2)["link"]
            assert claim(host, table["id"], token_of(link)).status_code == 200
    finally:
        running.stop()
        store.close()


def test_everybody_keeps_their_key_at_a_rematch(host: str) -> None:
    table = make(host, "reef_route", ["here", "link", "bot:random"], options={"limit": 1})
    key = new_token()
    claim(host, table["id"], invitation_of(table, 1), key)
    with (
        Player(host, table["id"], token_of(table["page"])) as maker,
        Player(host, table["id"], key) as friend,
    ):
        while maker.state["turn"] != "over":
            number = max(maker.state["number"], friend.state["number"])
            for player in (maker, friend):
                player.until(lambda state: state["number"] >= number)  # noqa: B023
            acting = [player for player in (maker, friend) if player.state["acting"] is not None]
            if acting:
                acting[0].move()
            elif maker.state["turn"] != "over":
                maker.until(lambda state: state["number"] > number)  # noqa: B023
        path = maker.say(type="rematch")["rematch"]
    assert get(host, f"/api/tables/{path.rpartition('/')[2]}", key)["you"] == [2]


def test_codes(host: str) -> None:
    table = make(host, RIVER, ["here", "link", "link"])
    with Player(host, table["id"], token_of(table["page"])) as maker:
        code = maker.say(type="code")["code"]
    word, number = code.split("-")
    found = httpx.post(f"http://{host}/api/codes", json={"code": f" {word.lower()} {number}"})
    assert found.json() == {"page": f"/table/{table['id']}#code={code}"}
    for seat in (1, 2):
        said = {"code": code, "key": new_token(), "seat": seat if seat == 1 else None}
        answer = httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json=said)
        assert answer.json()["seats"] == [seat]
    said = {"code": code, "key": new_token()}
    assert httpx.post(f"http://{host}/api/tables/{table['id']}/claim", json=said).status_code == 409
    other = make(host, RIVER, ["here", "link"])
    assert httpx.post(f"http://{host}/api/tables/{other['id']}/claim", json=said).status_code == 404


def test_qr_codes(host: str) -> None:
    drawn = httpx.post(f"http://{host}/api/qr", json={"text": "http://192.0.2.7:7245/table/abc#invite=xyz"})
    assert drawn.status_code == 200 and drawn.text.startswith("<svg")
    assert httpx.post(f"http://{host}/api/qr", json={"text": "two words"}).status_code == 422


def test_a_server_stays_shut_unless_its_owner_says_otherwise(host: str) -> None:
    assert httpx.get(f"http://{host}/api/lan").json() == {"open": False, "can_open": False, "addresses": []}
    assert httpx.post(f"http://{host}/api/lan/open").status_code == 409


def test_opened_to_the_local_network_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda: ["127.0.0.9"])  # an address of this machine on any network
    monkeypatch.setattr(launch, "own_addresses", lambda: ["127.0.0.9"])
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, lan="asked")
    port = running.host.rpartition(":")[2]
    try:
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.9:{port}/healthz")
        forwarded = {"x-forwarded-for": "192.0.2.1"}
        assert httpx.post(f"http://{running.host}/api/lan/open", headers=forwarded).status_code == 409
        there = httpx.post(f"http://{running.host}/api/lan/open").json()
        assert there == {"open": True, "can_open": False, "addresses": [f"http://127.0.0.9:{port}"]}
        assert httpx.get(f"http://127.0.0.9:{port}/healthz", timeout=PATIENCE).text == "alive\n"
    finally:
        running.stop()
        store.close()


def test_a_taken_port_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < launch.free_port(port) <= port + launch.PORTS


def test_a_device_is_known_at_a_server_that_has_heard_nothing(
    empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was invited and sat down at another one a moment ago: the store knows."""
    monkeypatch.setattr(Store, "listen", lambda *_: None)
    stores = [Store(empty_postgres) for _ in range(2)]
    here, there = map(Running, stores)
    try:
        table = make(here.host, RIVER, ["here", "link"])
        name, maker = table["id"], token_of(table["page"])
        get(there.host, f"/api/tables/{name}")  # open at both from now on
        with Player(here.host, name, maker) as host:
            invitation = host.say(type="invite", seat=1)["link"].rpartition("invite=")[2]
        keys = [new_token() for _ in range(2)]
        seen = httpx.post(f"http://{there.host}/api/tables/{name}/invitation", json={"invitation": invitation})
        assert seen.json()["seats"] == [1]
        assert claim(here.host, name, invitation, keys[0]).status_code == 200
        with Player(there.host, name, keys[0]) as device:
            assert device.state["you"] == [1]
            other = device.say(type="invite", seat=1)["link"].rpartition("invite=")[2]
        assert claim(here.host, name, other, keys[1]).status_code == 200  # which has not heard of the invitation
        assert get(there.host, f"/api/tables/{name}", keys[1])["you"] == [1]
        stranger = {"authorization": f"Bearer {new_token()}"}
        assert httpx.get(f"http://{there.host}/api/tables/{name}", headers=stranger).status_code == 401
    finally:
        for server, store in zip((here, there), stores, strict=True):
            server.stop()
            store.close()


def test_playing_again_leads_to_the_server_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    monkeypatch.setattr(launch, "default_store", lambda: url)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    store = Store(url)
    store.claim()
    running = Running(store)
    try:
        port = int(running.host.rpartition(":")[2])
        launch.play(None, port)
        table = {"game": "undertow", "options": {"easy": True}, "kinds": ["here", "here", "bot:2"]}
        launch.play(table, port, lan=True)
        new = "/new/?game=undertow&seats=here%2Chere%2Cbot%3A2&easy=true"
        assert opened == [f"http://{running.host}{page}" for page in ("/", new)]
        assert "running already" in (said := capsys.readouterr().out) and "Let others join" in said
        with pytest.raises(strandline.BadOptions, match=r"is older than beach_ball\. Stop it"):
            launch.play(table | {"game": "beach_ball"}, port)
    finally:
        running.stop()
        store.close()
    assert not is_in_use(url)
