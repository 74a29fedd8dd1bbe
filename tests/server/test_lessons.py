"""Lessons over HTTP: what is asked, answered and counted."""

import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.test_attacks import serving
from strandline.cli import main


def post(host: str, path: str, body: dict[str, Any], language: str = "en") -> httpx.Response:
    return httpx.post(f"http://{host}/api/games/{path}", json=body, headers={"accept-language": language})


def test_a_server_knows_nothing_about_a_learner(host: str) -> None:
    """All is in what the learner sends."""
    begin = post(host, "up_the_river/lessons/first", {}).json()
    assert (begin["step"], begin["waits"], begin["verdict"]) == (0, "roll", None)
    rolled = post(host, "up_the_river/lessons/first", {"acts": begin["acts"], "act": "roll"}, "de").json()
    assert rolled["verdict"] == "right" and rolled["events"][0]["sentence"] == "Du hast eine 3 gewürfelt."
    again = post(host, "up_the_river/lessons/first", {"acts": rolled["acts"], "wide": True}).json()
    assert again["step"] == 1 and again["say"].startswith("A 3!")


def test_lessons_are_listed_in_the_readers_language(host: str) -> None:
    found = httpx.get(f"http://{host}/api/games/undertow/lessons", headers={"accept-language": "de"}).json()
    assert [lesson["name"] for lesson in found["lessons"]] == ["first", "undertow"]
    assert found["lessons"][0]["title"] == "Zurück an den Strand" and "Strand" in found["coach"]["land"]
    assert found["first_game"] == {"seats": ["here", "bot:1"], "options": {"easy": True}}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("chess/lessons/first", {}, 404),
        ("nim/lessons/first", {}, 404),
        ("undertow/lessons/last", {}, 404),
        ("undertow/lessons/first", {"act": "dance"}, 422),
        ("undertow/lessons/first", {"acts": ["next"]}, 422),
        ("undertow/lessons/first", {"acts": ["roll"] * 201}, 422),
        ("undertow/lessons/first/left", {"step": -1}, 422),
        ("undertow/lessons/first/why", {"acts": ["next"], "shape": "beach"}, 422),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(host: str, path: str, body: dict[str, Any], status: int) -> None:
    answer = post(host, path, body)
    assert answer.status_code == status and answer.json()["error"].endswith(".")


def test_steps_reached_and_left_are_counted_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that starts anew goes on counting."""
    monkeypatch.setenv("COLUMNS", "100")
    with serving(tmp_path) as running:
        post(running.host, "up_the_river/lessons/first", {})
    with serving(tmp_path) as running:
        post(running.host, "up_the_river/lessons/first", {})
        post(running.host, "up_the_river/lessons/first", {"act": "roll"})
        post(running.host, "up_the_river/lessons/first", {"acts": ["roll"], "act": "sail 3"})
        post(running.host, "up_the_river/lessons/first", {"acts": ["roll"]})
        assert post(running.host, "up_the_river/lessons/first/left", {"step": 1}).status_code == 204
        while 'came="left"' not in httpx.get(f"http://{running.host}/metrics").text:
            time.sleep(0.01)  # it is counted last, after the answer
        main(["lessons", "--counts", f"http://{running.host}"])
    lines = [re.split(r" +", line.strip()) for line in capsys.readouterr().out.splitlines()[-2:]]
    assert lines == [["up_the_river", "first", "1", "2", "0"], ["up_the_river", "first", "2", "1", "1"]]
