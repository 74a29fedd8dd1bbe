"""The report: what it says, and that it is one sound page of its own."""

import re
from pathlib import Path
from typing import Any

import html5lib
import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import strandline
from strandline.lab import again, findings, plan, replay, report, rows
from strandline.lab.conduct import conduct
from strandline.lab.findings import Found
from strandline.lab.sample import Pace, Sample, write
from strandline.lab.study import Setting
from web.browser import PHONE, WIDE

RIVER = strandline.game("up_the_river")


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Found, Path]:
    """A study with several numbers of players and an option compared."""
    folder = tmp_path_factory.mktemp("study")
    made = plan.plan(
        RIVER,
        [2, 3],
        compare=("tide_start", [6, 7]),
        bots=["random"],
        games=3000,
        seed=2,
        skill=["2", "1"],
        skill_games=8,
    )
    return conduct(made, folder, threads=1), folder


def text_of(page: str) -> str:
    page = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    body = html5lib.parse(page, namespaceHTMLElements=False).find("body")
    return re.sub(r"\s+", " ", "".join(body.itertext()))


def test_the_page_is_valid_and_needs_nothing_else(studied: tuple[Found, Path]) -> None:
    page = (studied[1] / "report.html").read_text()
    parser = html5lib.HTMLParser(strict=True)  # raises at the first fault
    parser.parse(page)
    page = re.sub(
        r"<script>.*?</script>", "", page, flags=re.DOTALL
    )  # they are embedded, and ask for nothing: see below
    for target in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert target.startswith(("data:", "#")), target
    assert not re.search(r"<(?:link|script|img|iframe)[^>]+(?:src|href)=\"(?!data:)", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) | set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_the_numbers_are_those_of_the_games(studied: tuple[Found, Path]) -> None:
    found, folder = studied
    told = text_of((folder / "report.html").read_text())
    expected = RIVER.simulate(3000, 3, seed=2, tide_start=6)
    won = expected.winners[expected.winners.any(1)]
    share = (won / won.sum(1, keepdims=True)).mean(0)
    for seat in range(3):
        assert f"3 players, tide_start 6, seat {seat}{share[seat] * 100:.1f} %" in told
    assert f"{expected.rounds.mean():.0f} rounds and {expected.decisions.mean():.0f} decisions" in told
    nobody = 1 - expected.winners.any(1).mean()
    assert f"Nobody wins {nobody * 100:.1f} % of the games" in told
    for sentence in found.headline():
        assert sentence in told
    for name in (
        "Seats and winners",
        "Effect of the option tide_start",
        "Length",
        "Choices",
        "Special events",
        "Luck against",
    ):
        assert name in told
    for metric in rows.metrics_of(RIVER):
        assert metric.meaning in told


def test_the_data_is_written_on_request(studied: tuple[Found, Path], tmp_path: Path) -> None:
    found, folder = studied
    assert {path.name for path in folder.iterdir()} == {"pieces", "report.html", "study.json"}
    write(found.samples, tmp_path, ["csv", "parquet"])
    table = pyarrow.parquet.read_table(tmp_path / "data.parquet")
    assert table.num_rows == 4 * 3000
    two, three = found.samples[0], found.samples[2]
    assert table["rounds"].to_pylist()[:3000] == two.column("rounds").tolist()
    assert table["won_2"].to_pylist()[6000:9000] == three.winners[:, 2].tolist()
    assert table["won_2"].null_count == 6000
    assert table["groundings"].to_pylist()[:10] == two.rows["tally"][:10, 2].tolist()
    assert set(table["option_tide_start"].to_pylist()) == {6, 7}
    again = pyarrow.csv.read_csv(tmp_path / "data.csv")
    assert again.column_names == table.column_names and again["steps"].to_pylist() == table["steps"].to_pylist()


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_page_can_be_read_by_everybody(studied: tuple[Found, Path], browser: Browser, size: Any) -> None:
    page = browser.new_page(viewport=size)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((studied[1] / "report.html").as_uri())
    page.wait_for_selector("figure svg")
    for drawn in page.locator("figure[data-figure]").all():
        words = drawn.locator("svg[role=img]").get_attribute("aria-label")
        assert words is not None and len(words) > 40
    assert page.locator("figure[data-figure]").count() >= 8
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    smallest = page.evaluate(
        """Math.min(...[...document.querySelectorAll("figure svg text, p, td, th, dd")].map((item) => {
            const drawn = item.getScreenCTM?.();
            return parseFloat(getComputedStyle(item).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
        }))"""
    )
    assert smallest >= 11
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_the_page_can_be_touched(studied: tuple[Found, Path], browser: Browser) -> None:
    """Settings are hidden, tables sorted, games found and watched, another report laid beside."""
    size: Any = WIDE
    page = browser.new_page(viewport=size)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto((studied[1] / "report.html").as_uri())
    page.wait_for_selector("figure svg")
    assert "never" in page.locator("figure[data-figure=events] svg text").all_text_contents()
    rows = page.locator("tr[data-setting='3 players, tide_start 7']:visible")
    before = rows.count()
    page.get_by_role("checkbox", name="3 players, tide_start 7", exact=True).uncheck()
    assert before > 0 and rows.count() == 0
    page.get_by_role("checkbox", name="3 players, tide_start 7", exact=True).check()
    assert rows.count() == before
    table = page.locator("table.sorted").filter(has_text="Length of games")
    table.get_by_role("button", name="mean", exact=True).click()
    means = [float(text.replace(",", "")) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert means == sorted(means)
    page.locator("#games-measure").select_option("rounds")
    values = [int(text) for text in page.locator("#games tbody td:nth-of-type(1)").all_inner_texts()]
    assert values == sorted(studied[0].samples[0].column("rounds")[: again.SEEN].tolist(), reverse=True)[:12]
    page.locator("button[data-replay]").first.click()
    page.locator("dialog img").wait_for()
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("decisive([[0.5, 0.5], [0.6, 0.4], [0.1, 0.9], [0, 1]])") == 2
    assert page.locator("dialog li[aria-current]").inner_text() == page.locator("dialog .found").inner_text()
    page.get_by_role("button", name="Close").click()
    page.locator("input[type=file]").set_input_files(studied[1] / "report.html")
    page.get_by_role("checkbox", name="Up the River: 2 players, tide_start 6", exact=True).wait_for()
    beside = page.locator("section").filter(has_text="Two studies side by side")
    beside.get_by_label("the other").select_option("2 players, tide_start 7")
    told = {row.split("\t")[0]: row.split("\t")[1:] for row in beside.locator("tbody").inner_text().splitlines()}
    for change in studied[0].changes[0, 1]:
        is_share = change.unit == findings.SHARE
        scale, write = (100, findings.percent) if is_share else (1, findings.number)
        assert told[change.name][:2] == [write(change.before), write(change.after)]
        value, low, high = (
            float(part.replace("−", "-").replace(",", "")) for part in re.findall(r"[+−]?[\d,.]+", told[change.name][2])
        )
        near = pytest.approx(scale * change.change.half, rel=0.15, abs=0.06)
        assert value == pytest.approx(scale * change.change.value, rel=0.06, abs=0.06) and (high - low) / 2 == near
    assert Axe().run(page).violations_count == 0
    assert faults == []
    page.close()


def test_random_players_who_never_win_are_no_trouble(tmp_path: Path) -> None:
    start = RIVER.new(2)
    setting = Setting(start, ("guided",), 3, 0, "2 players")
    won, lost = rows.play(start, [1], 0, 0, 3), rows.play(start, [0], 0, 0, 3)
    lost["winners"] = 0
    beside = Setting(start, ("random",), 3, 0, "2 players")
    made = plan.Plan(RIVER, (setting,), ((),), (beside,))
    page = report.page(Found(made, [Sample(setting, won)], [()], [Sample(beside, lost)]), "strandline lab")
    assert "<td>nobody won</td>" in page


def test_a_game_alone_is_a_page(studied: tuple[Found, Path], browser: Browser, tmp_path: Path) -> None:
    setting = studied[0].samples[0].setting
    file = tmp_path / "game.html"
    file.write_text(report.game_page(setting, 3, replay.moves(setting, 3)))
    size: Any = PHONE
    page = browser.new_page(viewport=size)
    page.goto(file.as_uri())
    page.locator("#replay img").wait_for()
    assert page.locator("#replay li").count() == len(replay.moves(setting, 3))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.close()


# What is found, from rows made by hand


def made(wins: list[int], players: int = 2, label: str = "", **fields: Any) -> Sample:
    """A sample in which the seats win that many games alone."""
    found = np.zeros(sum(wins), rows.row_dtype(RIVER))
    found["winners"] = np.repeat([1 << seat if seat < players else 0 for seat in range(len(wins))], wins)
    found["rounds"], found["decisions"], found["steps"] = 10, 20, 40
    found["menu"][:, 2], found["choices"], found["most"] = 20, 60, 3
    for name, values in fields.items():
        found[name] = values
    setting = Setting(RIVER.new(players), ("random",), len(found), 0, label or f"{players} players")
    return Sample(setting, found)


def told(sample: Sample) -> str:
    """What is said about the seats of a report with this sample alone."""
    return findings.edge_sentence(sample, findings.equality(sample).p)


def test_an_edge_is_told() -> None:
    assert "the first player has a moderate advantage: 55.0 %" in told(made([5500, 4500]))
    assert "a large disadvantage: 25.0 %" in told(made([1000, 1500, 1500], 3))
    assert "a negligible advantage: 50.5 %" in told(made([50500, 49500]))
    assert "p < 0.001" in told(made([5500, 4500]))


def test_no_edge_is_told() -> None:
    sentence = told(made([5010, 4990, 700]))
    assert "no seat has a statistically detectable advantage" in sentence and "50.1 % of the games that" in sentence
    assert "nobody won any game" in told(made([0, 0, 50]))
    sentence = told(made([10000, 10600, 9400], 3))
    assert "the first player has no detectable advantage (33.3 %" in sentence and "seat 1 wins 35.3 %" in sentence


def test_players_who_win_together() -> None:
    """No seat has an edge, and numbers of players of which the same is told are told together."""
    dune = strandline.game("over_the_next_dune")
    settings = tuple(Setting(dune.new(players), ("random",), 100, 0, f"{players} players") for players in dune.seats)
    samples = []
    for setting in settings:
        played = np.zeros(100, rows.row_dtype(dune))
        played["winners"][:25] = (1 << setting.players) - 1
        played["rounds"], played["steps"], played["decisions"] = 10, 200, 100
        samples.append(Sample(setting, played))
    found = Found(plan.Plan(dune, settings, ((),) * 5), samples, [()] * 5)
    win, length = found.headline()
    assert win == "The players win 25.0 % of the games with 1 to 5 players (± 8.4 points)."
    assert length.startswith("A game takes 10 rounds and 100 decisions, about 18 minutes, with 1 to 5 players; ")
    assert length.endswith("; minutes assume 8 seconds for a decision.")
    page = text_of(report.page(found, "strandline lab"))
    assert "Winning together" in page and "Seats and winners" not in page and "how early" not in page


def test_minutes_are_reckoned_as_the_page_says() -> None:
    sample = made([10, 10])
    assert Sample(sample.setting, sample.rows, Pace(30)).minutes[0] == (30 * 20 + 3 * 20) / 60
    assert sample.pace_of_the_box == (60 * RIVER.facts.minutes - 3 * 20) / 20
    assert sample.minutes[0] == (8 * 20 + 3 * 20) / 60
    forced = made([10, 10], menu=[20, 0, 0, 0, 0, 0, 0, 0])
    assert forced.minutes[0] == 3 * 40 / 60


def study_of(*samples: Sample) -> Found:
    made_plan = plan.Plan(
        RIVER,
        tuple(s.setting for s in samples),
        ((),) * len(samples),
        option="tide_start" if len(samples) > 1 else None,
        values=(6, 7),
    )
    return Found(made_plan, samples, [()] * len(samples))


def test_changes_are_told_and_corrected() -> None:
    base = made([5000, 5000], label="tide_start 6")
    other = made([5500, 4500], label="tide_start 7", rounds=10 + np.arange(10000) % 2)
    found = study_of(base, other)
    changes = {change.name: change for change in found.changes[0, 1]}
    assert changes["wins of seat 0"].is_clear and changes["wins of seat 0"].change.value == pytest.approx(0.05)
    assert changes["rounds"].is_clear and changes["rounds"].after == 10.5
    assert not changes["decisions"].is_clear and changes["decisions"].p == 1
    assert "goes from 50.0 % to 55.0 %, +5.0 points" in found.what_changes()
    assert "most clearly it changes rounds, from 10 to 10.5" in found.what_changes()
    same = study_of(base, base)
    assert (
        "does not change detectably" in same.what_changes() and "nothing else changes detectably" in same.what_changes()
    )


def test_skill_is_the_stronger_players_share() -> None:
    """In game `i` the stronger player sits at seat `-i`: here it wins three games in four."""
    sample = made([8, 0], 2)
    sample.rows["winners"] = [1 << (-i % 2) if i % 4 else 1 << ((1 - i) % 2) for i in range(8)]
    mixed = Sample(Setting(RIVER.new(2), ("2", "1"), 8, 0), sample.rows)
    skill = findings._skill(sample, [mixed])
    assert (skill.share.value, skill.even, skill.part) == (0.75, 0.5, 0.5)
    assert (skill.strong, skill.weak) == ("2", "1")


def test_pages_for_games_of_every_kind(game: strandline.Game) -> None:
    """Few games, one setting: nothing breaks where nobody wins or nothing happens."""
    players = game.seats[0]
    setting = plan.plan(game, [players], games=20, skill=()).settings[0]
    sample = Sample(setting, next(setting.pieces()).play())
    found = Found(plan.Plan(game, (setting,), ((),)), [sample], [()])
    page = report.page(found, "strandline lab")
    html5lib.HTMLParser(strict=True).parse(page)
    assert "nan" not in text_of(page) and 2 <= len(found.headline()) <= 3
