"""Reports in the documentation are those that the code would make now."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

import strandline
from strandline import cli
from strandline.lab import stamps

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
