"""The HTTP interface keeps to its description, whatever is sent."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.openapi.loaders import from_url
from table.helpers import Running, make

import strandline

METHODS = {
    "/api/games": {"get"},
    "/api/games/{name}/board.svg": {"get"},
    "/api/games/{name}/guide": {"get"},
    "/api/games/{name}/rules": {"get"},
    "/api/tables": {"post"},
    "/api/tables/{table}": {"get"},
    "/api/tables/{table}/positions/{number}": {"get"},
    "/api/tables/{table}/record": {"get"},
    "/api/tables/{table}/verify": {"get"},
}


def test_everything_is_described(host: str) -> None:
    paths = httpx.get(f"http://{host}/api/openapi.json").json()["paths"]
    assert {path: set(methods) for path, methods in paths.items()} == METHODS


schema = schemathesis.pytest.from_fixture("described")


@pytest.fixture
def described(running: Running) -> Iterator[object]:
    yield from_url(f"http://{running.host}/api/openapi.json")


@schema.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_answers_are_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate()


def test_real_answers_are_as_described(running: Running, tmp_path: Path) -> None:
    """The same for tables that there are, which random ids never hit."""
    table = make(running.host, "sand_castles", ["here", "link", "bot:random"])
    found = from_url(f"http://{running.host}/api/openapi.json")
    for path in METHODS:
        for name in strandline.games() if "{name}" in path else ["undertow"]:
            if path == "/api/tables":
                continue
            operation = found[path]["GET"]
            values = {"table": table["id"], "number": 3, "name": name}
            parameters = {key: value for key, value in values.items() if f"{{{key}}}" in path}
            case = operation.Case(path_parameters=parameters, headers={}, query={}, cookies={})
            response = case.call()
            if response.status_code != 200 and "board" in path:
                continue
            assert response.status_code == 200, (path, response.text)
            case.validate_response(response)
