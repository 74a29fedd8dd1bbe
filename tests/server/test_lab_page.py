"""The lab's page: for this machine alone, one study at a time, each a process of its own."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import strandline
from server.helpers import PATIENCE, Running
from strandline.server import lab_page
from strandline.server.store import Store

STUDY = """
import json, pathlib, sys, time
words = sys.argv[2:]
folder = pathlib.Path(words[words.index("--out") + 1])
if "--games" in words and words[words.index("--games") + 1] == "1":
    print("strandline: too few", flush=True)
    sys.exit(2)
print("compiling reef_route, once", flush=True)
print("1 of 2", flush=True)
while not (folder / "go").exists():
    time.sleep(0.01)
print("2 of 2", flush=True)
settings = [{"label": "2 players", "games": 2}]
(folder / "study.json").write_text(json.dumps({"settings": settings}))
page = '<html><body><script type="application/json" id="study">{"title": "One"}</script></body></html>'
(folder / "report.html").write_text(page)
print("What was found.")
print("The report: " + str(folder), flush=True)
"""


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[httpx.Client, Path]]:
    """A server whose studies are made by a script that waits for a file."""
    script = tmp_path / "study.py"
    script.write_text(STUDY)
    monkeypatch.setattr(lab_page, "COMMANDS", [sys.executable, str(script), "lab"])
    monkeypatch.setattr(lab_page, "folder", lambda: tmp_path / "lab")
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    server = Running(store)
    with httpx.Client(base_url=f"http://{server.host}", timeout=PATIENCE) as client:
        yield client, tmp_path / "lab"
    server.stop()
    store.close()


def wait(client: httpx.Client, is_so: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found: list[dict[str, Any]] = client.get("/api/lab").json()["studies"]
        if is_so(found):
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def test_a_study_from_beginning_to_end(lab: tuple[httpx.Client, Path]) -> None:
    client, folder = lab
    assert client.get("/lab/").status_code == 200
    wanted = {"game": "up_the_river", "players": [2], "compare": "tide_start", "values": [6, 7], "bots": ["random"]}
    made = client.post("/api/lab/studies", json=wanted)
    assert made.status_code == 201 and made.json() == {"id": "up_the_river-1"}
    (one,) = wait(client, lambda found: found[0]["done"] == 1)
    assert (one["state"], one["total"], one["said"]) == ("running", 2, ["compiling reef_route, once"])
    assert one["command"] == "strandline lab up_the_river --players 2 --compare tide_start=6,7 --bots random"
    assert client.post("/api/lab/studies", json=wanted).status_code == 409
    (folder / "up_the_river-1" / "go").touch()
    (one,) = wait(client, lambda found: found[0]["state"] == "finished")
    assert one["said"] == ["What was found."] and one["settings"] == [{"label": "2 players", "games": 2}]
    report = client.get("/lab/up_the_river-1/report", params={"beside": "up_the_river-1"})
    assert 'id="other">{"title": "One"}<' in report.text and 'id="place">"games"<' in report.text
    assert "sandbox" in report.headers["content-security-policy"]


def test_a_study_is_stopped_and_goes_on(lab: tuple[httpx.Client, Path]) -> None:
    client, folder = lab
    client.post("/api/lab/studies", json={"game": "reef_route", "players": []})
    wait(client, lambda found: found[0]["done"] == 1)
    assert client.post("/api/lab/studies/reef_route-1/stop").status_code == 200
    wait(client, lambda found: found[0]["state"] == "stopped")
    assert client.get("/lab/reef_route-1/report").status_code == 404
    (folder / "reef_route-1" / "go").touch()
    assert client.post("/api/lab/studies/reef_route-1/continue").status_code == 200
    wait(client, lambda found: found[0]["state"] == "finished")


def test_a_study_is_deleted(lab: tuple[httpx.Client, Path]) -> None:
    """Whether it runs or not; the next one has a number of its own."""
    client, folder = lab
    client.post("/api/lab/studies", json={"game": "reef_route", "players": []})
    wait(client, lambda found: found[0]["done"] == 1)
    assert client.post("/api/lab/studies/reef_route-1/delete").status_code == 200
    assert client.get("/api/lab").json()["studies"] == [] and not (folder / "reef_route-1").exists()
    assert client.post("/api/lab/studies/reef_route-1/delete").status_code == 404


def test_the_lobby_of_this_machine_leads_to_the_lab(lab: tuple[httpx.Client, Path]) -> None:
    client, _ = lab
    assert client.get("/api/games").json()["lab"] is True
    assert "lab" not in client.get("/api/games", headers={"x-forwarded-for": "203.0.113.9"}).json()


def test_what_a_study_complains_of_is_shown(lab: tuple[httpx.Client, Path]) -> None:
    client, _ = lab
    client.post("/api/lab/studies", json={"game": "up_the_river", "players": [2], "games": 1})
    (one,) = wait(client, lambda found: found[0]["state"] == "stopped")
    assert one["said"] == ["strandline: too few"]


def test_wrong_questions_get_one_sentence(lab: tuple[httpx.Client, Path]) -> None:
    client, _ = lab
    for wanted, status in (
        ({"game": "up_the_rivr", "players": [2]}, 422),
        ({"game": "up_the_river", "players": [9]}, 422),
        ({"game": "up_the_river", "players": [2], "options": {"tide": 3}}, 422),
        ({"game": "up_the_river", "players": [2], "bots": ["--out=/tmp"]}, 422),
    ):
        answer = client.post("/api/lab/studies", json=wanted)
        assert answer.status_code == status and answer.json()["error"]
    assert client.post("/api/lab/studies/undertow-7/continue").status_code == 404
    assert client.get("/lab/..%2F..%2Fetc-1/report").status_code in (404, 422)


def test_others_find_nothing(lab: tuple[httpx.Client, Path]) -> None:
    """Whoever comes through a proxy may be anybody."""
    client, _ = lab
    somebody = {"x-forwarded-for": "203.0.113.9"}
    for path in ("/lab/", "/api/lab", "/lab/up_the_river-1/report", "/lab/up_the_river-1/games?setting=a&row=1"):
        assert client.get(path, headers=somebody).status_code == 404
    wanted = {"game": "up_the_river", "players": [2]}
    assert client.post("/api/lab/studies", json=wanted, headers=somebody).status_code == 404
    elsewhere = {"origin": "http://example.com"}
    assert client.post("/api/lab/studies", json=wanted, headers=elsewhere).status_code == 403


def test_names_that_the_network_answers_to_find_nothing(
    lab: tuple[httpx.Client, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any machine there may say that a name is its own, and then that its address is ours."""
    client, _ = lab
    monkeypatch.setattr("socket.gethostname", lambda: "Lagoon")
    wanted = {"game": "up_the_river", "players": [9]}
    for name, status in (("lagoon.local", 404), ("lagoon", 404), ("localhost", 422), ("[::1]:80", 422)):
        headers = {"host": name, "origin": f"http://{name}"}
        assert client.post("/api/lab/studies", json=wanted, headers=headers).status_code == status
        assert client.get("/api/games", headers=headers).status_code == 200


def test_folders_of_other_names_are_left_alone(tmp_path: Path) -> None:
    for name in ("up_the_river-x", "up_the_river-2", "up_the_river-old-7", "up_the_river-²"):
        (tmp_path / name).mkdir()
    assert lab_page.Bench(tmp_path)._free("up_the_river") == "up_the_river-3"


def test_without_the_extra_the_page_says_what_to_install(
    lab: tuple[httpx.Client, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = lab
    monkeypatch.setattr(lab_page, "_missing", lambda: "pip install 'strandline[lab]'")
    assert client.get("/api/lab").json()["missing"] == "pip install 'strandline[lab]'"
    answer = client.post("/api/lab/studies", json={"game": "up_the_river", "players": [2]})
    assert answer.status_code == 409 and "pip install 'strandline[lab]'" in answer.json()["error"]


def test_a_question_becomes_a_command() -> None:
    wanted = lab_page.Wanted(
        game="undertow", players=[2, 3], options={"easy": True}, games=50, drama=True, decisions=True, bots=["2~in"]
    )
    assert lab_page.arguments(wanted) == [
        *("undertow", "--players", "2,3", "--option", "easy=true", "--bots", "2~in", "--games", "50"),
        *("--drama", "20", "--decisions", "80"),
    ]
    with pytest.raises(strandline.BadOptions):
        lab_page.arguments(lab_page.Wanted(game="undertow", players=[2], options={"hard": True}))
    assert json.dumps(lab_page.arguments(lab_page.Wanted(game="undertow", players=[]))) == '["undertow"]'
