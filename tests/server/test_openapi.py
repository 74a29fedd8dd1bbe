"""The HTTP interface keeps to its description, whatever is sent."""

from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from schemathesis.openapi.loaders import from_url
from schemathesis.specs.openapi.checks import positive_data_acceptance

import strandline
from server.helpers import make

METHODS = {
    "/api/games": {"get"},
    "/api/key": {"get"},
    "/api/words/{language}": {"get"},
    "/api/games/{name}/board.svg": {"get"},
    "/api/games/{name}/guide": {"get"},
    "/api/games/{name}/rules": {"get"},
    "/api/lan": {"get"},
    "/api/lan/open": {"post"},
    "/api/qr": {"post"},
    "/api/open": {"get"},
    "/api/codes": {"post"},
    "/api/notices": {"get"},
    "/api/games/{name}/lessons": {"get"},
    "/api/games/{name}/lessons/{lesson}": {"post"},
    "/api/games/{name}/lessons/{lesson}/left": {"post"},
    "/api/games/{name}/lessons/{lesson}/why": {"post"},
    "/api/tables": {"post"},
    "/api/tables/{table}": {"get"},
    "/api/tables/status": {"post"},
    "/api/tables/{table}/board.svg": {"get"},
    "/api/tables/{table}/board.png": {"get"},
    "/api/tables/{table}/moving.svg": {"get"},
    "/api/tables/{table}/claim": {"post"},
    "/api/tables/{table}/invitation": {"post"},
    "/api/tables/{table}/notices": {"post"},
    "/api/tables/{table}/notices/stop": {"post"},
    "/api/tables/{table}/positions/{number}": {"get"},
    "/api/tables/{table}/record": {"get"},
    "/api/tables/{table}/review": {"get"},
    "/api/tables/{table}/review/progress": {"get"},
}


def test_everything_is_described(host: str) -> None:
    paths = httpx.get(f"http://{host}/api/openapi.json").json()["paths"]
    assert {path: set(methods) for path, methods in paths.items()} == METHODS


@pytest.mark.parametrize("path", METHODS)
def test_answers_are_as_described(host: str, path: str) -> None:
    """Whatever is sent, right or wrong."""
    (method,) = METHODS[path]
    operation = from_url(f"http://{host}/api/openapi.json")[path][method]

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        case.call_and_validate(excluded_checks=[positive_data_acceptance])  # no schema knows which options go together

    check()


def test_real_answers_are_as_described(host: str) -> None:
    """The same for tables that there are, which random ids never hit."""
    table = make(host, "sand_castles", ["here", "link", "bot:random"])
    found = from_url(f"http://{host}/api/openapi.json")
    for path in METHODS:
        for name in strandline.games() if "{name}" in path else ["undertow"]:
            if METHODS[path] == {"post"} or path.endswith(("/review", "/moving.svg")):  # there is none before the end
                continue
            operation = found[path]["GET"]
            values = {"table": table["id"], "number": 3, "name": name, "language": "de"}
            parameters = {key: value for key, value in values.items() if f"{{{key}}}" in path}
            case = operation.Case(path_parameters=parameters, headers={}, query={}, cookies={})
            response = case.call()
            if response.status_code != 200 and "board" in path:
                continue
            assert response.status_code == 200, (path, response.text)
            case.validate_response(response)
