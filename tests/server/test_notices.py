"""Notices of a turn, against a real push endpoint and a real webhook receiver of our own."""

import base64
import contextlib
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import httpx
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from server.helpers import FAST, PATIENCE, Player, Running, key_of, make, make_setup, token_of
from strandline.server import notices, outbox, push
from strandline.server.hall import Settings
from strandline.server.store import Store
from strandline.table.table import Table

REEF = "reef_route"  # seats place their fish in turn before the first roll
OPEN = Settings(**{**vars(FAST), "webhooks": True, "notices_inside": True, "notice_after": 0.1})


def text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def unpacked(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


class Receiver:
    """A server that takes down what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        self.got: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self.answers = [201]
        self.holds = threading.Event()
        """Answers are given when it is set."""
        self.holds.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.put(({name.lower(): value for name, value in self.headers.items()}, body))
                receiver.holds.wait(PATIENCE)
                self.send_response(receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0])
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    started = Receiver()
    yield started
    started.close()


@pytest.fixture
def telling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that sends notices anywhere, soon, and tries again soon."""
    monkeypatch.setattr(notices, "PAUSES_S", (0.05, 0.05, 0.05))
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, OPEN)
    yield running.host
    running.stop()
    store.close()


def ask(host: str, table: dict[str, Any], seat: int, **what: Any) -> httpx.Response:
    key = key_of(host, table["id"], token_of(table["seats"][seat]["link"]))
    headers = {"authorization": f"Bearer {key}"}
    return httpx.post(f"http://{host}/api/tables/{table['id']}/notices", json=what, headers=headers, timeout=PATIENCE)


def stop(host: str, table: dict[str, Any], seat: int) -> None:
    key = key_of(host, table["id"], token_of(table["seats"][seat]["link"]))
    where = f"http://{host}/api/tables/{table['id']}/notices/stop"
    assert httpx.post(where, headers={"authorization": f"Bearer {key}"}).status_code == 200


def quiet(receiver: Receiver) -> bool:
    """Whether nothing comes for longer than a notice takes."""
    try:
        receiver.got.get(timeout=1.0)
    except queue.Empty:
        return True
    return False


def test_a_webhook_is_told_once_a_turn(telling: str, receiver: Receiver) -> None:
    table = make(telling, REEF, ["here", "link"], names=["Ada", "Ben"])
    assert ask(telling, table, 1, webhook=receiver.url, language="de").json() == {"notices": 1}
    with Player(telling, table["id"], token_of(table["page"])) as ada:
        ada.move()
        headers, body = receiver.got.get(timeout=PATIENCE)
        said = json.loads(body)
        page = f"http://{telling}/table/{table['id']}"
        assert said["text"] == said["content"] == f"Ben, du bist dran: Der Weg zum Riff. {page}"
        assert headers["content-type"] == "application/json" and said["seat"] == 1
        ada.say(type="name", seat=0, name="Ava")  # something happens, but no turn begins
        assert quiet(receiver)
        stop(telling, table, 1)
        with Player(telling, table["id"], token_of(table["seats"][1]["link"])) as ben:
            ben.move()
        ada.until(lambda state: state["acting"] == 0)
        ada.move()
        assert quiet(receiver)


def test_a_roll_that_waits_is_a_turn() -> None:
    table = Table(make_setup("up_the_river", ("link", "link")))
    assert table.roll() is not None
    assert notices.turn_of(table) == (0, 0)


def test_nobody_is_told_who_looks_at_the_table(telling: str, receiver: Receiver) -> None:
    table = make(telling, REEF, ["here", "link"])
    ask(telling, table, 1, webhook=receiver.url)
    with (
        Player(telling, table["id"], token_of(table["page"])) as ada,
        Player(telling, table["id"], token_of(table["seats"][1]["link"])) as ben,
    ):
        ada.move()
        assert quiet(receiver)
        ben.until(lambda state: state["acting"] == 1)
        ben.move()
        assert ben.say(type="look", visible=False)["type"] == "noted"
        ada.until(lambda state: state["acting"] == 0)
        ada.move()
        receiver.got.get(timeout=PATIENCE)


def test_what_fails_is_tried_again(telling: str, receiver: Receiver) -> None:
    receiver.answers = [500, 503, 200]
    table = make(telling, REEF, ["here", "link"])
    ask(telling, table, 1, webhook=receiver.url)
    with Player(telling, table["id"], token_of(table["page"])) as ada:
        ada.move()
        for _ in range(3):
            receiver.got.get(timeout=PATIENCE)
        assert quiet(receiver)


def test_who_is_gone_is_forgotten(tmp_path: Path, receiver: Receiver) -> None:
    receiver.answers = [410]
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, OPEN)
    try:
        table = make(running.host, REEF, ["here", "link"])
        ask(running.host, table, 1, webhook=receiver.url)
        assert len(store.notices(table["id"], 1, 10**6)) == 1
        with Player(running.host, table["id"], token_of(table["page"])) as ada:
            ada.move()
            receiver.got.get(timeout=PATIENCE)
        end = time.monotonic() + PATIENCE
        while store.notices(table["id"], 1, 10**6):
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        running.stop()
        store.close()


class Device:
    """A browser that has subscribed to push messages, with its keys."""

    def __init__(self, endpoint: str) -> None:
        self._own = ec.generate_private_key(ec.SECP256R1())
        self._auth = bytes(range(16))
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        point = self._own.public_key().public_bytes(*form)
        self.subscription = {"endpoint": endpoint, "p256dh": text(point), "auth": text(self._auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        read = http_ece.decrypt(body, private_key=self._own, auth_secret=self._auth, version="aes128gcm")
        message: dict[str, Any] = json.loads(read)
        return message


def test_a_push_message_is_for_the_browser_alone(telling: str, receiver: Receiver) -> None:
    device = Device(receiver.url)
    table = make(telling, REEF, ["here", "link"], names=["Ada", "Ben"])
    assert ask(telling, table, 1, push=device.subscription).status_code == 200
    with Player(telling, table["id"], token_of(table["page"])) as ada:
        ada.move()
    headers, body = receiver.got.get(timeout=PATIENCE)
    message = device.read(body)
    page = f"http://{telling}/table/{table['id']}"
    assert message == {
        "title": "Reef Route",
        "body": "Ben, it is your turn: Reef Route.",
        "tag": table["id"],
        "page": page,
        "withdrawn": False,
    }
    assert len(headers["topic"]) == 32 and table["id"] not in headers["topic"]
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    _check_signature(headers["authorization"], receiver.url, telling)


def _check_signature(authorization: str, endpoint: str, host: str) -> None:
    token, key = (part.partition("=")[2] for part in authorization.removeprefix("vapid ").split(", "))
    assert key == httpx.get(f"http://{host}/api/notices").json()["push"]
    signed, _, signature = token.rpartition(".")
    claims = json.loads(unpacked(signed.partition(".")[2]))
    assert endpoint.startswith(claims["aud"]) and time.time() < claims["exp"] < time.time() + 86_400
    raw = unpacked(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpacked(key))
    public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))


@dataclass
class Home:
    """Ben's phone, which was told that it is his turn, and a link for his tablet. Ada is at the table."""

    table: dict[str, Any]
    ada: Player
    phone: Device
    tablet: str


@contextlib.contextmanager
def told(host: str, receiver: Receiver, there: str | None = None) -> Iterator[Home]:
    """`there`: the server that Ada plays at, if it is another."""
    table = make(host, REEF, ["here", "link"], names=["Ada", "Ben"])
    phone = Device(receiver.url)
    assert ask(host, table, 1, push=phone.subscription).status_code == 200
    with Player(host, table["id"], token_of(table["seats"][1]["link"])) as ben:
        tablet = ben.say(type="invite", seat=1)["link"]
    with Player(there or host, table["id"], token_of(table["page"])) as ada:
        ada.move()
        assert not phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
        yield Home(table, ada, phone, token_of(tablet))


def test_a_notice_is_withdrawn_from_the_other_devices_of_whoever_looks(telling: str, receiver: Receiver) -> None:
    with told(telling, receiver) as home:
        with Player(telling, home.table["id"], home.tablet):
            headers, body = receiver.got.get(timeout=PATIENCE)
        message = home.phone.read(body)
        assert message["withdrawn"] and message["body"] == "Ben, you have seen it on another device."
        assert (
            message["tag"] == home.table["id"] and headers["topic"]
        )  # a notice that waits to be delivered is replaced
        with Player(telling, home.table["id"], home.tablet):
            assert quiet(receiver)


def test_the_device_that_looks_is_not_bothered(telling: str, receiver: Receiver) -> None:
    with told(telling, receiver) as home, Player(telling, home.table["id"], token_of(home.table["seats"][1]["link"])):
        assert quiet(receiver)


def test_a_notice_is_withdrawn_when_the_turn_is_over(telling: str, receiver: Receiver) -> None:
    with told(telling, receiver) as home:
        home.ada.until(lambda state: state["seats"][1]["away"])
        home.ada.say(type="takeover", seat=1)  # there is nobody else to vote: a bot plays
        message = home.phone.read(receiver.got.get(timeout=PATIENCE)[1])
        assert message["withdrawn"] and message["body"] == "Ben, your turn is over."


def test_a_notice_that_is_seen_while_it_is_under_way_is_withdrawn_too(telling: str, receiver: Receiver) -> None:
    receiver.holds.clear()  # the push service takes its time
    table = make(telling, REEF, ["here", "link"], names=["Ada", "Ben"])
    phone = Device(receiver.url)
    ask(telling, table, 1, push=phone.subscription)
    with Player(telling, table["id"], token_of(table["seats"][1]["link"])) as ben:
        tablet = token_of(ben.say(type="invite", seat=1)["link"])
    with Player(telling, table["id"], token_of(table["page"])) as ada:
        ada.move()
        assert not phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
        with Player(telling, table["id"], tablet):
            assert phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
            receiver.holds.set()  # only now the first is answered: it may be the later one to arrive
            assert phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
            assert quiet(receiver)


def test_pages_of_other_devices_hear_of_it(telling: str) -> None:
    table = make(telling, REEF, ["here", "link"])
    with Player(telling, table["id"], token_of(table["seats"][1]["link"])) as laptop:
        tablet = token_of(laptop.say(type="invite", seat=1)["link"])
        laptop.say(type="look", visible=False)
        with (
            Player(telling, table["id"], token_of(table["page"])) as ada,
            Player(telling, table["id"], tablet),
        ):
            ada.move()
            while (message := laptop.receive())["type"] != "seen":
                pass
            assert (message["seat"], message["number"]) == (1, 1)


def test_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    own = push._private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    theirs = unpacked("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    auth, salt = unpacked("BTBZMqHH6r4Tts7J_aSIgg"), unpacked("DGv6ra1nlYgDCS1FRnbzlw")
    assert text(push._encrypted(b"When I grow up, I want to be a watermelon", theirs, auth, own, salt)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_one_of_two_servers_tells(empty_postgres: str, receiver: Receiver) -> None:
    stores = [Store(empty_postgres) for _ in range(2)]
    here, there = (Running(store, OPEN) for store in stores)
    try:
        table = make(here.host, REEF, ["here", "link"])
        assert ask(there.host, table, 1, webhook=receiver.url).status_code == 200
        assert here.app.state.hall.store.secret("push", "a").result() == stores[1].secret("push", "b").result()
        with Player(here.host, table["id"], token_of(table["page"])) as ada:
            with Player(there.host, table["id"], token_of(table["seats"][1]["link"])) as ben:
                ada.move()
                ben.until(lambda state: state["acting"] == 1)
                assert quiet(receiver)  # he looks at it, at the other server
                ben.move()
            ada.until(lambda state: state["acting"] == 0)
            ada.move()
            receiver.got.get(timeout=PATIENCE)
            assert quiet(receiver)
    finally:
        for server, store in zip((here, there), stores, strict=True):
            server.stop()
            store.close()


def test_withdrawn_by_the_server_that_the_person_looks_at(empty_postgres: str, receiver: Receiver) -> None:
    stores = [Store(empty_postgres) for _ in range(2)]
    here, there = (Running(store, OPEN) for store in stores)
    try:
        with told(here.host, receiver, there.host) as home:
            with Player(there.host, home.table["id"], home.tablet) as ben:
                assert home.phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
                ben.until(lambda state: state["acting"] == 1)
                ben.move()
            home.ada.until(lambda state: state["acting"] == 0)
            home.ada.move()
            assert not home.phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
            with Player(here.host, home.table["id"], home.tablet):
                assert home.phone.read(receiver.got.get(timeout=PATIENCE)[1])["withdrawn"]
                assert quiet(receiver)
    finally:
        for server, store in zip((here, there), stores, strict=True):
            server.stop()
            store.close()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        *((address, False) for address in ("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0")),
        *(
            (address, False)
            for address in ("::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "224.0.0.1")
        ),
        *((address, True) for address in ("1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1")),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert outbox.is_public(address) == public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_nothing_is_sent_inside_unless_the_owner_says_so(host: str, receiver: Receiver) -> None:
    port = receiver.url.split(":")[2].partition("/")[0]
    with pytest.raises(outbox.NotThere):
        outbox.post(f"https://{host}:{port}/", b"", {}, inside=False)
    assert receiver.got.empty()


def test_a_name_that_leads_inside_is_not_followed(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    """Nor is it looked up twice, so that it could lead elsewhere the second time."""
    looked_up: list[str] = []
    port = int(receiver.url.split(":")[2].partition("/")[0])

    def look_up(host: str, *_: object, **__: object) -> list[Any]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(outbox.NotThere, match="no public address"):
        outbox.post(f"https://rebound.example:{port}/", b"", {}, inside=False)
    assert looked_up == ["rebound.example"] and receiver.got.empty()


@pytest.mark.parametrize("answer", [b"", b"H" * 5000, b"HTTP/1.1 ok\r\n\r\n", b"SSH-2.0-x\r\n"])
def test_what_is_no_answer_counts_as_none(answer: bytes) -> None:
    with drip(answer, end=True) as url, pytest.raises(outbox.NotThere):
        outbox.post(url, b"", {}, inside=True)


def test_who_answers_byte_by_byte_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "TIMEOUT_S", 0.5)
    with drip(b"", end=False) as url, pytest.raises(outbox.NotThere, match="Timeout"):
        outbox.post(url, b"", {}, inside=True)


@contextlib.contextmanager
def drip(answer: bytes, end: bool) -> Iterator[str]:
    """A server that answers so; then it ends the connection, or goes on with a byte now and then."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(4096)
                connection.sendall(answer)
                while not end:
                    connection.sendall(b"H")
                    time.sleep(0.05)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def test_who_is_slow_to_take_notices_holds_up_nobody(telling: str, receiver: Receiver) -> None:
    """As many as can be under way at once wait for an answer, and tables are opened and played all the same."""
    receiver.holds.clear()
    tables = [make(telling, REEF, ["here", "link"]) for _ in range(notices.AT_ONCE)]
    for table in tables:
        assert ask(telling, table, 1, webhook=receiver.url).status_code == 200
        with Player(telling, table["id"], token_of(table["page"])) as ada:
            ada.move()
    for _ in tables:
        receiver.got.get(timeout=PATIENCE)
    asked = {"tables": [{"id": table["id"]} for table in tables]}
    told = httpx.post(f"http://{telling}/api/tables/status", json=asked, timeout=PATIENCE)  # read from the store
    assert len(told.json()["tables"]) == len(tables)
    receiver.holds.set()


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ({}, 422),
        ({"webhook": "http://192.0.2.1/hook"}, 409),
        ({"push": {"endpoint": "http://push.example/1", "p256dh": "AA", "auth": "AA"}}, 422),
        ({"push": {"endpoint": "https://push.example/1", "p256dh": "AA", "auth": "AA"}}, 422),
        ({"push": {"endpoint": "https://a:b@push.example/1", "p256dh": "AA", "auth": "AA"}}, 422),
        ({"webhook": "x", "push": None, "sound": 1}, 422),
    ],
)
def test_bad_requests_change_nothing(host: str, what: dict[str, Any], status: int) -> None:
    table = make(host, REEF, ["here", "link"])
    answer = ask(host, table, 0, **what)
    assert answer.status_code == status and answer.json()["error"].endswith("."), answer.text


def test_an_address_asks_for_so_many(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "ASKED", 1e-6)
    monkeypatch.setattr(notices, "ASKED_BURST_S", 2e6)
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store, OPEN)
    try:
        table = make(running.host, REEF, ["here", "link"])
        answers = [ask(running.host, table, 0, webhook=f"{receiver.url}/{n}") for n in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
    finally:
        running.stop()
        store.close()


def test_only_seats_ask(host: str) -> None:
    table = make(host, REEF, ["here", "link"])
    for path in ("notices", "notices/stop"):
        where = f"http://{host}/api/tables/{table['id']}/{path}"
        assert httpx.post(where, json={"webhook": "https://example.org"}).status_code == 401
