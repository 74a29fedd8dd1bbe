"""A game shown to others: pictures, and what a link says of itself."""

import re
import xml.etree.ElementTree as ET

import httpx
import pytest

from server.helpers import Player, make, token_of


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
