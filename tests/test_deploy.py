"""What `deploy/` says is so: every option, variable, path and address that is named there exists."""

import configparser
import ipaddress
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from strandline import cli
from strandline.server import launch
from strandline.server.app import create
from strandline.server.hall import Settings
from strandline.server.store import Store

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
CADDYFILE = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VARIABLES = {"STRANDLINE_NAME": "games.example.org", "STRANDLINE_PASSWORD": "secret"}
"""What the owner of a server writes into `.env`."""


def lines(word: str) -> list[str]:
    """What follows a word of the Containerfile."""
    return re.findall(rf"^{word} +(.+)$", CONTAINERFILE, re.MULTILINE)


def unit() -> configparser.RawConfigParser:
    found = configparser.RawConfigParser(strict=False)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read(DEPLOY / "strandline.service", encoding="utf-8")
    return found


def served(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, int, Settings]:
    """With what a server would start."""
    found: list[Any] = []
    monkeypatch.setattr(launch, "serve", lambda *how: found.append(how))
    assert arguments[0].rpartition("/")[2] == "strandline" and cli.main(arguments[1:]) == 0
    store, host, port, settings = found[0]
    return store, host, port, settings


def put_in(text: str) -> str:
    """With the variables of `.env`; those that are missing fail."""
    return re.sub(r"\$\{(\w+):\?\}", lambda match: VARIABLES[match[1]], text)


def test_the_container_is_made_of_what_there_is() -> None:
    extras = re.search(r"\.\[([\w,]+)\]", CONTAINERFILE)
    assert extras and set(extras[1].split(",")) <= PROJECT["optional-dependencies"].keys()
    for copied in lines("COPY"):
        if "--from" not in copied:
            assert all((ROOT / path).exists() for path in copied.split()[:-1])
    assert {PROJECT["readme"], *PROJECT["license-files"], "src", "docs/rules"} <= set(" ".join(lines("COPY")).split())
    assert all(re.fullmatch(r"docker\.io/library/python:3\.1[1-9]-slim( AS build)?", base) for base in lines("FROM"))
    assert lines("USER") == ["strandline"]


def test_the_server_of_the_compose_file_is_found_by_its_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    services, networks = COMPOSE["services"], COMPOSE["networks"]
    server, proxy = services["server"], services["proxy"]
    entry = json.loads(lines("ENTRYPOINT")[0])
    store, host, port, settings = served([*entry, *map(put_in, server["command"])], monkeypatch)
    assert store == f"postgresql://{services['store']['environment']['POSTGRES_USER']}@store/strandline"
    assert host == "0.0.0.0" and [str(port)] == lines("EXPOSE")
    assert settings.hosts == (VARIABLES["STRANDLINE_NAME"],)
    assert settings.proxies == (proxy["networks"]["outside"]["ipv4_address"],)
    subnet = ipaddress.ip_network(networks["outside"]["ipam"]["config"][0]["subnet"])
    assert ipaddress.ip_address(settings.proxies[0]) in subnet
    assert proxy["environment"]["STRANDLINE_SERVER"] == f"server:{port}"
    assert "outside" in server["networks"] and "outside" not in services["store"]["networks"]
    assert server["environment"]["PGPASSWORD"] == services["store"]["environment"]["POSTGRES_PASSWORD"]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    for volume in (volume for service in services.values() for volume in service.get("volumes", ())):
        source = volume.split(":")[0]
        assert (DEPLOY / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]


def test_the_service_starts_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    service = unit()["Service"]
    _, host, port, settings = served(shlex.split(service["ExecStart"]), monkeypatch)
    assert host == settings.proxies[0] == "127.0.0.1"
    assert f"{{$STRANDLINE_SERVER:{host}:{port}}}" in CADDYFILE
    set_ = dict(pair.split("=") for pair in service["Environment"].split())
    monkeypatch.setenv("XDG_DATA_HOME", set_["XDG_DATA_HOME"])
    monkeypatch.setattr("pathlib.Path.mkdir", lambda *_, **__: None)
    assert launch.default_store() == f"sqlite:////var/lib/{service['StateDirectory']}/tables.sqlite"
    assert set_["STRANDLINE_CACHE"] == f"/var/cache/{service['CacheDirectory']}"


def test_variables_are_read_by_somebody() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    named = {name for text in lines("ENV") for name in re.findall(r"(STRANDLINE_\w+)=", text)}
    named |= set(re.findall(r"STRANDLINE_\w+", unit()["Service"]["Environment"]))
    assert named and all(f'"{name}"' in sources for name in named)
    asked = set(re.findall(r"\{\$(\w+)", CADDYFILE))
    assert asked == COMPOSE["services"]["proxy"]["environment"].keys()


def test_the_paths_that_are_named_are_served(tmp_path: Path) -> None:
    inside = re.search(r"@inside path (.+)", CADDYFILE)
    health = re.search(r"http://127\.0\.0\.1:8000(/\w+)", lines("HEALTHCHECK")[0])
    assert inside and health
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    paths = {getattr(route, "path", None) for route in create(store, Settings()).routes}
    store.close()
    assert {health[1], *inside[1].split()} <= paths
