"""Reports in the documentation are those that the code would make now."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

import strandline
from strandline import cli
from strandline.lab import stamps, study

ROOT = Path(__file__).parents[2]
REPORTS = sorted((ROOT / "docs" / "reports").glob("*.html"))
TABLES = [path for path in sorted((ROOT / "bench").glob("*.md")) if stamps.MARK.search(path.read_text())]


def test_reports_and_tables_are_not_stale() -> None:
    """By their stamps; `make reports` makes the reports anew, the command above a table the table."""
    assert REPORTS and TABLES
    assert stamps.stale([*REPORTS, *TABLES]) == []


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
    page.write_text(stamps.table_line(river, ["random"]))
    assert stamps.stale([page]) == []
    page.write_text("<html>")
    assert stamps.stale([page]) == ["page.html"]
