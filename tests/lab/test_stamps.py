"""Reports in the documentation are those that the code would make now."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

import strandline
from strandline import cli
from strandline.bots import levels
from strandline.lab import stamps, study

ROOT = Path(__file__).parents[2]
REPORTS = sorted((ROOT / "docs" / "reports").glob("*.html"))
BENCH = sorted((ROOT / "bench").glob("*.md"))


def test_reports_are_not_stale() -> None:
    """By their stamps; `make reports` makes them anew."""
    assert REPORTS
    assert stamps.stale(REPORTS) == []


def test_tables_are_not_stale() -> None:
    """By the stamps below them, which name the commands that make them anew."""
    pages = [*BENCH, *(ROOT / "docs").glob("*.md")]
    assert {what for page in pages for what, *_ in stamps.TABLE.findall(page.read_text())} == set(stamps.RESTS)
    assert stamps.stale_tables(pages) == []


@pytest.mark.parametrize("page", BENCH, ids=lambda path: path.name)
def test_every_table_of_numbers_says_what_it_rests_on_or_when_it_was_measured(page: Path) -> None:
    for section in re.split(r"(?m)^##+ ", page.read_text())[page.name == "README.md" :]:
        if "|---" in section:
            marks = [*stamps.TABLE.finditer(section), *stamps.MEASURED.finditer(section)]
            assert marks and section.count("<!--") == len(marks), section.partition("\n")[0]
            assert all(mark[mark.lastindex or 0].startswith(("python ", "strandline ", "chrt ")) for mark in marks)


def test_error_rates_are_told_alike() -> None:
    rows = [
        {line for line in (ROOT / page).read_text().splitlines() if re.match(r"\| [^|]+, \d players \| ", line)}
        for page in ("bench/lab.md", "docs/lab.md")
    ]
    assert len(rows[0]) == 9 and rows[0] == rows[1]


@pytest.mark.slow
@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_reports_are_made_by_their_commands(report: Path, tmp_path: Path) -> None:
    page = report.read_text()
    command = re.search(r"<dt>Command</dt><dd>(.*?)</dd>", page)
    assert command is not None
    assert cli.main([*shlex.split(unescape(command[1]))[1:], "--out", str(tmp_path)]) == 0
    assert (tmp_path / "report.html").read_text() == page


def test_a_stamp_rests_on_what_is_played() -> None:
    """Reports on guided play do not rest on bots; those that the search has looked at do, but not on tournaments."""
    river = strandline.game("up_the_river")
    assert study.sources(river, True) != study.sources(river, False)
    analysed = study.searching("strandline.lab.drama", "strandline.lab.values")
    names = {
        name: stamps._plain(ROOT / "src" / "strandline" / "bots" / f"{name}.py") for name in ("tree", "tournament")
    }
    assert any("def think" in text for text in analysed) and "def think" in names["tree"]
    assert not any("def print_table" in text for text in analysed) and "def print_table" in names["tournament"]
    assert stamps.digest(river, ["guided"], stamps.SPEAKING) != stamps.digest(
        river, ["guided", stamps.ANALYSIS], stamps.SPEAKING
    )


def test_tables_say_which_command_makes_them() -> None:
    for path in sorted((ROOT / "bench").glob("*.md")):
        scripts = re.findall(r"bench/(\w+\.py)", path.read_text())
        assert scripts or "strandline " in path.read_text(), path.name
        assert [script for script in scripts if not (ROOT / "bench" / script).exists()] == [], path.name


def test_a_stamp_follows_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    river = strandline.game("up_the_river")
    page = tmp_path / "page.html"
    page.write_text(f'<meta name="strandline-stamp" content="{stamps.line(river, ["random", "guided"])}">')
    assert stamps.stale([page]) == []
    told = [stamps._plain(stamps.HERE / "stats.py")]
    module = tmp_path / "stats.py"
    module.write_text("# a comment\n" + (stamps.HERE / "stats.py").read_text())
    assert [stamps._plain(module)] == told
    monkeypatch.setattr(stamps, "sources", lambda game, is_compiled: "other rules")
    assert stamps.stale([page]) == ["page.html"]
    page.write_text("<html>")
    assert stamps.stale([page]) == ["page.html"]


def test_the_stamp_of_a_table_follows_what_it_rests_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    castles, page = strandline.game("sand_castles"), tmp_path / "page.md"
    page.write_text("\n".join(stamps.table_line(what, castles, "strandline it") for what in stamps.RESTS))
    assert stamps.stale_tables([page]) == []
    monkeypatch.setitem(levels.LEVELS, 4, levels.Level(1_999, 0.07))
    told = [
        f"page.md: {what} of sand_castles have changed, to {stamps.RESTS[what](castles)}; strandline it"
        for what in ("bots", "champion", "guided")
    ]
    assert stamps.stale_tables([page]) == told
