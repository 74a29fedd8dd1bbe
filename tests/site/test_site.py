"""A site, visited once: from then on it needs no network."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

import strandline
from web.browser import Server, launch, number, play, wait_for_decision, wait_for_table
from web.chrome import PLAY, Chrome, ask, wait_until_kept
from web.files import Host
from web.test_access import violations

KEPT = "async (table) => new (await import('../static/dice.js')).Dice(table, null).keepsake()"
UNSIGNED = """
async (table) => {
  const { ask } = await import("../static/common.js");
  const { verify } = await import("../static/verify.js");
  const { Dice } = await import("../static/dice.js");
  const record = { ...(await ask(`/api/tables/${table}/record`)), key: null, signature: null };
  return (await verify(record, { ...new Dice(table, null).keepsake(), key: null })).open;
}
"""
"""What the page says of a record in a browser that knows no Ed25519."""
FORGET = """
async (table) => {
  const open = indexedDB.open("strandline", 1);
  await new Promise((go) => (open.onsuccess = go));
  const change = open.result.transaction(["tables", "entries"], "readwrite");
  change.objectStore("tables").delete(table);
  change.objectStore("entries").delete(IDBKeyRange.bound([table, 0], [table, Infinity]));
  await new Promise((go) => (change.oncomplete = go));
}
"""
"""As if the table had been played in another browser."""
FETCHED = "() => performance.getEntriesByType('resource').map((each) => each.name.split('/').at(-1))"
"""The files that a worker has asked for."""
OWN = {
    "over_the_next_dune": "turns=4",
    "reef_route": "school=2&limit=6",
    "sand_castles": "max_rounds=2",
    "undertow": "max_rounds=2",
    "up_the_river": "round_limit=3",
}
"""Our games, and options with which they are short."""


@dataclass
class Visit:
    """A browser that has been at the site once, and cannot reach it any more."""

    chrome: Chrome
    host: Host
    context: BrowserContext

    def open(self, path: str = "") -> Page:
        """A page of the site."""
        return self.chrome.page(self.context, self.host.address + path)

    def lose_power(self) -> None:
        """The browser is killed and started again, still without a network."""
        self.chrome.kill()
        self.context = self.chrome.start()
        self.context.set_offline(True)


@pytest.fixture(scope="module")
def visited(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """The first visit lasts until everything is kept; then the network is cut."""
    with sync_playwright() as playwright:
        known = launch(playwright)
        if known is None:
            pytest.skip("There is no browser here: install Debian's package chromium.")
        known.close()
        chrome = Chrome(playwright, tmp_path_factory.mktemp("browser") / "profile")
        context = chrome.start()
        page = chrome.page(context, host.address)
        wait_until_kept(page)
        page.close()
        host.stop()
        context.set_offline(True)
        yield Visit(chrome, host, context)
        chrome.kill()


@pytest.fixture
def visit(visited: Visit) -> Iterator[Visit]:
    """The pages of a test may not complain; they are closed after it."""
    yield visited
    for page in visited.context.pages:
        page.close()
    faults, visited.chrome.faults = visited.chrome.faults, []
    assert faults == []


def make(visit: Visit, game: str, *seats: str, options: str = "") -> Page:
    """A table, by its address."""
    page = visit.open(f"new/?game={game}&seats={','.join(seats)}&{options}")
    page.wait_for_url("**/table/?*#*")
    wait_for_table(page)
    return page


def id_of(page: Page) -> str:
    return str(page.get_attribute("main", "data-table"))


def test_all_games_are_played_to_the_end_without_a_network(visit: Visit, tmp_path: Path) -> None:
    for game in OWN:
        page = make(visit, game, "here", "bot:1", options=OWN[game])
        assert page.evaluate(PLAY, 2000) < 2000
        table = id_of(page)
        record = ask(page, f"/api/tables/{table}/record")
        assert record["game"] == game and record["seeds"]
        if game != list(OWN)[-1]:
            page.close()
    page.get_by_role("button", name="Verify the dice").click()
    expect(page.locator("#verdict[data-verdict=passed]")).to_contain_text("signed the whole record")
    kept = page.evaluate(KEPT, table)
    assert "This browser cannot sign records" in str(page.evaluate(UNSIGNED, table))
    assert violations(page) == []

    page = visit.open()
    expect(page.locator("#finished a")).to_have_count(len(OWN))
    assert violations(page) == []

    assert kept["links"] and kept["key"] == record["key"]
    file, keepsake = tmp_path / "record.json", tmp_path / "kept.json"
    file.write_text(json.dumps(record))
    keepsake.write_text(json.dumps(kept))
    command = [sys.executable, "-m", "strandline", "verify", str(file), "--kept", str(keepsake)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = Server(tmp_path)
    try:
        assert shown.replay(record)
    finally:
        shown.stop()


@pytest.mark.slow
def test_the_champion_has_its_network_without_a_network(visit: Visit) -> None:
    page = make(visit, "sand_castles", "here", "bot:6")
    (python,) = (worker for worker in page.workers if worker.url.endswith("/worker.js"))
    assert "champion.sand_castles.2.zip" not in python.evaluate(FETCHED)
    while "champion.sand_castles.2.zip" not in python.evaluate(FETCHED):  # until the bot has its first choice
        page.evaluate(PLAY, 1)
    seen = number(page)
    page.evaluate(PLAY, 2)
    assert number(page) > seen


def test_a_game_outlives_the_browser_and_goes_on_at_a_server(visit: Visit, tmp_path: Path) -> None:
    """Every move is kept before it is shown."""
    page = make(visit, "undertow", "here", "bot:2")
    table = id_of(page)
    page.evaluate(PLAY, 4)
    seen = number(page)
    assert seen > 0
    visit.lose_power()

    page = visit.open()
    page.locator(f'#tables [data-table="{table}"] a').click()
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
        visit.context.set_offline(False)
        page = visit.chrome.page(visit.context, f"{server.address}/table/{table}#{key}")
        wait_for_table(page)
        there = number(page)
        assert there >= sum(entry["kind"] in ("move", "chance") for entry in saved["entries"])
        page.evaluate(PLAY, 3)
        assert number(page) > there
    finally:
        page.close()
        visit.context.set_offline(True)
        server.stop()


@pytest.mark.slow
def test_a_table_is_hinted_reviewed_saved_and_loaded(visit: Visit, tmp_path: Path) -> None:
    page = make(visit, "sand_castles", "here", "here")
    assert violations(page) == []
    play(page)
    wait_for_decision(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#moves .hinted")).to_have_count(1)
    page.locator("#menu").click()
    expect(page.locator("dialog[open]")).to_contain_text("This table is kept in this browser alone.")
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the game to a file").click()
    download.value.save_as(tmp_path / "saved.json")
    table, seen = id_of(page), number(page)

    page.goto(visit.host.address)
    page.locator("#saved").set_input_files(tmp_path / "saved.json")
    expect(page.locator("#note")).to_contain_text("This table is here already.")
    page.evaluate(FORGET, table)
    page.reload()
    page.locator("#saved").set_input_files(tmp_path / "saved.json")
    page.wait_for_url(f"**/table/?{table}#*")
    wait_for_table(page)
    assert number(page) == seen
    page.go_back()
    expect(page.locator("#games .card button").first).to_be_visible()
    page.close()
    page = make(visit, "up_the_river", "here", "bot:5", options="round_limit=3")
    page.evaluate(PLAY, 2000)
    assert any(worker.url.endswith("/solver.js") for worker in page.workers)
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".chances svg[role=group]")).to_be_visible()
    assert violations(page) == []
    page.goto(visit.host.address)
    page.locator("#saved").set_input_files(__file__)
    expect(page.locator("#note")).to_contain_text("This is not a saved game.")


@pytest.mark.slow
def test_lessons_guides_rules_and_settings_are_there(visit: Visit) -> None:
    page = visit.open("learn/?up_the_river#first")
    page.locator('[data-act="roll"]').click()
    page.locator('#learn[data-step="1"]').wait_for()
    assert violations(page) == []
    page.goto(visit.host.address)
    page.get_by_role("button", name="Play Undertow", exact=True).click()
    assert "by link" not in page.locator("form.setup").inner_text()
    said = visit.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    assert said["installabilityErrors"] == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="How to play Undertow", exact=True).click()
    expect(page.locator("dialog[open] h2").first).to_have_text("Undertow")
    expect(page.locator("dialog[open] .dialog-body svg").first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    with page.expect_navigation():
        page.get_by_text("Deutsch").click()
    expect(page.locator("#games h3").first).to_have_text("Hinter der nächsten Düne")
    page.get_by_role("button", name="Im Sog spielen", exact=True).click()
    page.locator("dialog[open] button.main").click()
    page.wait_for_url("**/table/?*#*")
    expect(page.locator("#menu")).to_have_attribute("aria-label", "Menü")
    page.evaluate("() => localStorage.setItem('strandline.settings', '{}')")
    page.goto(f"{visit.host.address}?lang=de")
    expect(page.locator("#games h3").first).to_have_text("Hinter der nächsten Düne")
    page.evaluate("() => sessionStorage.clear()")


@pytest.mark.slow
def test_what_needs_other_devices_says_so(visit: Visit) -> None:
    page = visit.open("new/?game=undertow&seats=here,link")
    expect(page.get_by_role("alert")).to_contain_text("need a server")
    assert violations(page) == []


@pytest.mark.slow
def test_a_new_version_is_fetched_beside_the_old_one(visit: Visit) -> None:
    assert visit.context.browser is not None
    script = visit.host.folder / "sw.js"
    old = script.read_text()
    visit.host.start()
    other = visit.context.browser.new_context()
    try:
        page = visit.chrome.page(other, visit.host.address)
        wait_until_kept(page)
        script.write_text(old.replace('VERSION = "', 'VERSION = "next-'))
        page.reload()
        expect(page.locator("#update")).to_contain_text("new version")
        with page.expect_navigation():
            page.get_by_role("button", name="Update").click()
        expect(page.locator("#games .card button").first).to_be_visible()
        expect(page.locator("#update")).to_have_count(0)
        (kept,) = page.evaluate("() => caches.keys()")
        assert kept.startswith("strandline-next-")
    finally:
        script.write_text(old)
        other.close()
        visit.host.stop()


def test_the_lobby_needs_no_script(built: Path) -> None:
    """Its games are in the page, in all languages, and whatever they show or lead to is there."""
    english, german = (built / "index.html").read_text().split('<template lang="de">')
    for language, page, title in (("en", english, "Up the River"), ("de", german, "Den Fluss hinauf")):
        assert page.count('<li class="card"') == len(OWN) and f"<h3>{title}</h3>" in page
        cards = page[page.index('<li class="card"') :].partition("</ul>")[0].partition("</template>")[0]
        places = {place.partition("?")[0].partition("#")[0] for place in re.findall(r'(?:href|src)="([^"]+)"', cards)}
        assert f"api/games/up_the_river/board.{language}.svg" in places
        assert all((built / place).exists() for place in places)


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
    networks = {f"champion.{game['name']}.{seats}.zip" for game in games for seats in game["champion"]}
    assert networks == {file.name for file in (built / "python").glob("champion.*")} and networks
