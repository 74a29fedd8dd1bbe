"""A site, visited once: from then on it needs no network."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

import strandline
from web.browser import Server, launch, number, wait_for_table
from web.chrome import PLAY, Chrome, ask, wait_until_kept
from web.files import Host
from web.test_access import violations

pytestmark = pytest.mark.slow
"""A site takes its time to be built, and a browser to play five games on it."""

KEPT = "async (table) => new (await import('../static/dice.js')).Dice(table, null).keepsake()"
UNSIGNED = """
async (table) => {
  const { ask } = await import("../static/common.js");
  const { verify } = await import("../static/verify.js");
  const { Dice } = await import("../static/dice.js");
  const { key, signature, ...record } = await ask(`/api/tables/${table}/record`);
  return (await verify(record, { ...new Dice(table, null).keepsake(), key: null })).open;
}
"""
"""What the page says of a record in a browser that knows no Ed25519."""
OWN = {
    "over_the_next_dune": "turns=4",
    "reef_route": "school=2&limit=15",
    "sand_castles": "max_rounds=5",
    "undertow": "max_rounds=6",
    "up_the_river": "round_limit=20",
}
"""Our games, and options with which they are short."""


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:
        known = launch(found)
        if known is None:
            pytest.skip("There is no browser here: install Debian's package chromium.")
        known.close()
        yield found


@pytest.fixture
def chrome(playwright: Playwright, tmp_path: Path) -> Iterator[Chrome]:
    """A browser; its pages may not complain."""
    found = Chrome(playwright, tmp_path / "profile")
    yield found
    found.kill()
    assert found.faults == []


def visit(chrome: Chrome, host: Host) -> tuple[BrowserContext, Page]:
    """The first visit, until everything is kept; then the network is cut."""
    context = chrome.start()
    page = chrome.page(context, host.address)
    expect(page.locator("#games .card")).to_have_count(len(OWN))
    wait_until_kept(page)
    host.stop()
    context.set_offline(True)
    return context, page


def make(page: Page, host: Host, game: str, *seats: str) -> str:
    """A table for a short game, by its address; gives its id."""
    page.goto(f"{host.address}new/?game={game}&seats={','.join(seats)}&{OWN[game]}")
    page.wait_for_url("**/table/?*#*")
    wait_for_table(page)
    return str(page.get_attribute("main", "data-table"))


def test_all_games_are_played_to_the_end_without_a_network(chrome: Chrome, host: Host, tmp_path: Path) -> None:
    _, page = visit(chrome, host)
    for game in OWN:
        table = make(page, host, game, "here", "bot:1")
        assert page.evaluate(PLAY, 2000) < 2000
        record = ask(page, f"/api/tables/{table}/record")
        assert record["game"] == game and record["seeds"]
    page.get_by_role("button", name="Verify the dice").click()
    expect(page.locator("#verdict[data-verdict=passed]")).to_contain_text("signed the whole record")
    kept = page.evaluate(KEPT, table)
    page.goto(host.address)
    expect(page.locator("#finished a")).to_have_count(len(OWN))

    assert kept["links"] and kept["key"] == record["key"]
    file, keepsake = tmp_path / "record.json", tmp_path / "kept.json"
    file.write_text(json.dumps(record))
    keepsake.write_text(json.dumps(kept))
    for vouching in (["--key", record["key"]], ["--kept", str(keepsake)]):
        command = [sys.executable, "-m", "strandline", "verify", str(file), *vouching]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    shown = Server(tmp_path)
    try:
        assert shown.replay(record)
    finally:
        shown.stop()


def test_a_game_outlives_the_browser_and_goes_on_at_a_server(chrome: Chrome, host: Host, tmp_path: Path) -> None:
    """Every move is kept before it is shown."""
    context, page = visit(chrome, host)
    table = make(page, host, "undertow", "here", "bot:2")
    page.evaluate(PLAY, 12)
    seen = number(page)
    assert seen > 0
    chrome.kill()

    context = chrome.start()
    context.set_offline(True)
    page = chrome.page(context, host.address)
    page.locator("#tables a").click()
    page.wait_for_url("**/table/?*")
    wait_for_table(page)
    assert number(page) >= seen
    page.evaluate(PLAY, 4)
    assert number(page) > seen
    key = page.evaluate("() => location.hash.slice(1)")
    saved = ask(page, f"/api/tables/{table}/whole", key)

    file = tmp_path / "saved.json"
    file.write_text(json.dumps({**saved, "key": key}))
    store = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    command = [sys.executable, "-m", "strandline", "store", "import", "--store", store, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "1 tables were added" in done.stdout, done.stderr
    server = Server(tmp_path)
    server.start()
    try:
        context.set_offline(False)
        page = chrome.page(context, f"{server.address}/table/{table}#{key}")
        wait_for_table(page)
        there = number(page)
        assert there >= sum(entry["kind"] in ("move", "chance") for entry in saved["entries"])
        page.evaluate(PLAY, 3)
        assert number(page) > there
    finally:
        page.close()
        server.stop()


def test_what_is_shown_is_accessible_and_kind(chrome: Chrome, host: Host) -> None:
    _, page = visit(chrome, host)
    assert violations(page) == []
    page.get_by_role("button", name="Play Undertow", exact=True).click()
    assert "by link" not in page.locator("form.setup").inner_text()
    table = make(page, host, "undertow", "here", "bot:1")
    page.locator("#menu").click()
    expect(page.locator("dialog")).to_contain_text("This table is kept in this browser alone.")
    assert violations(page) == []
    assert "This browser cannot sign records" in str(page.evaluate(UNSIGNED, table))
    page.goto(f"{host.address}new/?game=undertow&seats=here,link")
    expect(page.get_by_role("alert")).to_contain_text("need a server")


def test_a_new_version_is_fetched_beside_the_old_one(chrome: Chrome, host: Host, tmp_path: Path) -> None:
    context = chrome.start()
    page = chrome.page(context, host.address)
    wait_until_kept(page)
    script = host.folder / "sw.js"
    old = script.read_text()
    try:
        script.write_text(old.replace("strandline-", "strandline-next-"))
        page.reload()
        expect(page.locator("#update")).to_contain_text("new version")
        with page.expect_navigation():
            page.get_by_role("button", name="Use it").click()
        expect(page.locator("#games .card")).to_have_count(len(OWN))
        expect(page.locator("#update")).to_have_count(0)
    finally:
        script.write_text(old)


def test_the_manifest_is_whole(built: Path) -> None:
    manifest = json.loads((built / "manifest.webmanifest").read_text())
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        data = (built / icon["src"]).read_bytes()
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        assert data.startswith(b"\x89PNG") and f"{width}x{height}" == icon["sizes"]


def test_nothing_is_loaded_from_elsewhere(built: Path) -> None:
    """Every address in our pages and scripts is relative."""
    for file in (*built.rglob("*.html"), *(built / "static").glob("*.js")):
        if "api" not in file.relative_to(built).parts:
            text = file.read_text()
            assert '="/' not in text and 'from "/' not in text, file
            assert set(re.findall(r"https?://(\w[\w.-]*)", text)) <= {"www.w3.org"}, file


def test_all_our_games_are_on_it(built: Path) -> None:
    games = json.loads((built / "api" / "games.en.json").read_text())["games"]
    assert [game["name"] for game in games] == list(OWN) and set(OWN) <= set(strandline.games())
