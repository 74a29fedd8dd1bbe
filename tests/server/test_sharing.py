"""A game shown to others: pictures, and what a link says of itself."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import httpx
import pytest

from server.helpers import PATIENCE, Player, Running, make, token_of
from strandline.server import sharing
from strandline.server.store import Store
from strandline.table.table import Table


@pytest.fixture(scope="module")
def finished(running: object) -> str:
    host = str(getattr(running, "host"))  # noqa: B009
    table = make(host, "reef_route", ["here", "here"], options={"limit": 1}, names=["Ada", "Ben"])
    with Player(host, table["id"], token_of(table["page"])) as both:
        while both.state["turn"] != "over":
            both.move()
    return str(table["id"])


def test_pictures_of_the_end(host: str, finished: str) -> None:
    still = httpx.get(f"http://{host}/api/tables/{finished}/board.svg")
    assert still.status_code == 200 and "Ada" in still.text
    points = httpx.get(f"http://{host}/api/tables/{finished}/board.png", timeout=60)
    assert points.headers["content-type"] == "image/png" and points.content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(points.content[at : at + 4], "big") for at in (16, 20))
    assert width == sharing.WIDTH > height  # wide, as chat programs show it


def test_a_board_that_nothing_has_changed_is_drawn_once(
    host: str, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = f"http://{host}/api/tables/{finished}"
    number = httpx.get(where).json()["number"]
    first = httpx.get(f"{where}/board.svg?at={number}")
    monkeypatch.setattr(sharing, "_drawn", lambda *_: pytest.fail("It is drawn again."))
    again = httpx.get(f"{where}/board.svg?at={number}")
    assert again.text == first.text and "max-age" in again.headers["cache-control"]
    assert httpx.get(f"{where}/board.svg?at={number - 1}").headers["cache-control"] == "no-store"


def test_nobody_asks_for_picture_after_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a second of a core; what is drawn already costs nothing."""
    drawn: list[str] = []

    def draw(table: Table, language: str) -> bytes:
        drawn.append(table.id)
        return b""

    monkeypatch.setattr(sharing, "_points", draw)
    monkeypatch.setattr(sharing, "PICTURES", 1e-6)
    monkeypatch.setattr(sharing, "BURST_S", 2e6)
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    running = Running(store)
    try:
        tables = [make(running.host, "reef_route", ["here", "here"])["id"] for _ in range(3)]

        def ask(table: str) -> httpx.Response:
            return httpx.get(f"http://{running.host}/api/tables/{table}/board.png", timeout=PATIENCE)

        assert [ask(table).status_code for table in (*tables, tables[0])] == [200, 200, 429, 200]
        assert drawn == tables[:2] and ask(tables[2]).json()["error"].startswith("Many pictures")
    finally:
        running.stop()
        store.close()


def test_a_moving_picture_of_the_whole_game(host: str, finished: str) -> None:
    film = httpx.get(f"http://{host}/api/tables/{finished}/moving.svg", timeout=60)
    assert film.status_code == 200 and "<script" not in film.text
    assert ET.fromstring(film.text).find(".//{http://www.w3.org/2000/svg}animate") is not None
    running = make(host, "reef_route", ["here", "here"])
    assert httpx.get(f"http://{host}/api/tables/{running['id']}/moving.svg").status_code == 409


def test_a_link_says_what_it_is(host: str, finished: str) -> None:
    page = httpx.get(f"http://{host}/table/{finished}?at=0").text
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert told["title"] == "Reef Route" and told["url"] == f"http://{host}/table/{finished}"
    assert httpx.get(told["image"], timeout=60).status_code == 200
    for nowhere in ("nowhere", "%22%3E%3Cscript%3E"):
        assert "<script>" not in httpx.get(f"http://{host}/table/{nowhere}").text
