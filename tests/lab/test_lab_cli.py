"""`strandline lab`, as people type it."""

import sys
from pathlib import Path

import pytest

from strandline import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = cli.main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_study_says_what_it_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(
        capsys, "lab", "up_the_river", "--players", "2", "--games", "500", "--skill", "none", "--out", str(tmp_path)
    )
    assert code == 0
    sentence, length, where = out.splitlines()
    assert sentence.startswith("With 2 players") and length.startswith("A game takes")
    assert where == f"The report: {tmp_path / 'report.html'}"
    assert {path.name for path in tmp_path.iterdir()} == {"pieces", "report.html", "study.json"}
    assert sentence in (tmp_path / "report.html").read_text().replace("&nbsp;", " ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reef_rout"], "Did you mean reef_route"),
        (["up_the_river", "--games", "0"], "--games must be 1 or more"),
        (["up_the_river", "--skill-games", "0"], "--games must be 1 or more"),
        (["up_the_river", "--players", "7"], "2, 3 or 4 players"),
        (["up_the_river", "--players", "two"], "one or more whole numbers"),
        (["up_the_river", "--seed", "-1"], "--seed must be"),
        (["up_the_river", "--threads", "0"], "--threads must be"),
        (
            ["up_the_river", "--bots", "6"],
            "There is no bot '6'. There are: 1, 2, 3, 4, 5, search, random, network, guided.",
        ),
        (["up_the_river", "--bots", "guide"], "There is no bot 'guide'. Did you mean guided?"),
        (["up_the_river", "--skill", "guided,nobody"], "There is no bot 'nobody'. There are: 1, 2, 3, 4, 5, search, r"),
        (["up_the_river", "--skill", "5"], "STRONGER,WEAKER"),
        (["up_the_river", "--option", "tide=4"], "no option 'tide'"),
        (["up_the_river", "--compare", "tide_start"], "NAME=A,B"),
        (["up_the_river", "--compare", "tide=4,5"], "no option 'tide'"),
        (["up_the_river", "--compare", "tide_start=4,high"], "tide_start must be"),
        (["up_the_river", "--compare", "tide_start=4"], "two or more different values"),
        (["up_the_river", "--compare", "tide_start=4,5", "--option", "tide_start=4"], "no --option tide_start"),
        (["up_the_river", "--device", "abacus"], "invalid choice"),
        (["up_the_river", "--data", "xlsx"], "--data is csv or parquet"),
        (["up_the_river", "--seconds-per-decision", "0"], "--seconds-per-decision must be"),
        (["up_the_river", "--sweep", "tide_start=4,5"], "three or more numbers"),
        (["up_the_river", "--sweep", "box.tide=4..6"], "The box has no entry tide"),
        (["up_the_river", "undertow"], "cannot be studied"),
        (["show", "nowhere", "0"], "There is no study in nowhere"),
        (["ladder", "over_the_next_dune"], "needs players who play against each other"),
        (["ladder", "up_the_river", "--bots", "1"], "two or more different players"),
        (["better", "over_the_next_dune", "1", "2"], "do not play against each other"),
    ],
)
def test_wrong_input_gets_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    code, out, err = run(capsys, "lab", *arguments, "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert message in err and err.startswith("strandline: ") and err.count("\n") == 1


def test_a_folder_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run(capsys, "lab", "up_the_river", "--games", "10", "--out", str(tmp_path / "file" / "out"))
    assert code == 2 and "Not a directory" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("pyarrow", ["--data", "csv"], "strandline[lab]"),
        ("distributed", ["--cluster", "tcp://127.0.0.1:8786"], "strandline[cluster]"),
    ],
)
def test_a_missing_extra_is_named(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    arguments: list[str],
    extra: str,
) -> None:
    """Before a single game is played."""
    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = run(capsys, "lab", "up_the_river", "--games", "10", "--out", str(tmp_path), *arguments)
    assert code == 2 and extra in err and err.count("\n") == 1
    assert not list(tmp_path.glob("pieces/*/*"))
