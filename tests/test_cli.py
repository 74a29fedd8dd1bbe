"""The command line, as people type it."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

import strandline
from strandline import cli, intervals
from strandline.engine.errors import NoKernels
from strandline.server import pages


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = cli.main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def _rule_numbers(name: str) -> list[str]:
    """The numbers of the rules on a game's page."""
    found = re.findall(r"^- \*\*([A-Z](?:-R)?\d+)\b", pages.rules(strandline.game(name)), re.MULTILINE)
    assert found
    return found


def test_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games")
    assert code == 0
    for name in strandline.games():
        assert name in out


@pytest.mark.parametrize("name", strandline.games())
def test_rules_are_shown(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = run(capsys, "rules", name)
    assert code == 0 and all(number in out for number in _rule_numbers(name))


def test_simulate_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "up_the_river", "--games", "2000", "--players", "3", "--seed", "4", "--json")
    code, out, _ = run(capsys, *arguments, "--option", "tide_start=7", "--threads", "2")
    value = json.loads(out)
    rows = strandline.game("up_the_river").simulate(2000, players=3, seed=4, tide_start=7)
    assert code == 0
    assert (value["game"], value["players"], value["games"], value["seed"]) == ("up_the_river", 3, 2000, 4)
    assert value["wins"] == rows.winners.sum(0).tolist()
    assert value["shared"] == (rows.winners.sum(1) > 1).sum() and value["nobody"] == (~rows.winners.any(1)).sum()
    assert value["mean_scores"] == pytest.approx(rows.scores.mean(0).tolist())
    assert (value["steps"], value["decisions"]) == (rows.steps.sum(), rows.decisions.sum())
    assert value["seconds"] > 0 and value["options"]["tide_start"] == 7


def test_simulate_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "up_the_river", "--games", "2000")
    assert code == 0
    for words in ("2,000 random games, 2 players", "95 % interval", "Shared wins", "decisions", "games a second"):
        assert words in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "up_the_rivre"], "Did you mean up_the_river"),
        (["simulate", "up_the_river", "--games", "0"], "--games must be 1 or more"),
        (["simulate", "up_the_river", "--games", "many"], "--games is a whole number, not 'many'."),
        (["lab", "up_the_river", "--seconds-per-decision", "few"], "--seconds-per-decision is a number, not 'few'."),
        (["simulate", "up_the_river", "--seed", "-1"], "seed must be"),
        (["simulate", "up_the_river", "--threads", "0"], "threads must be"),
        (["simulate", "up_the_river", "--players", "7"], "2, 3 or 4 players"),
        (["simulate", "up_the_river", "--option", "tide"], "NAME=VALUE"),
        (["simulate", "up_the_river", "--option", "tide=4"], "no option 'tide'"),
        (["simulate", "up_the_river", "--option", "tide_start=high"], "tide_start must be"),
        (["simulate", "up_the_river", "--box", "nowhere.toml"], "cannot be read"),
        (["new-game", "9x"], "begins with a lower-case letter"),
        (["new-game", "class"], "'class' is a word of Python's own"),
        (["golden", "reef_route"], "has golden games already: name --out to write others beside them"),
        (["benchmark", "os:getcwd", "--task", "up_the_river-2-random"], "os:getcwd makes no bot for Up the River"),
        (["play", "up_the_river", "--bots", "1,1,1"], "--bots names 3 bots, but there are 2 seats."),
        (["play", "up_the_river", "--terminal", "--bots", "1,2,3"], "--bots names 3 bots, but there are 2 seats."),
        (["play", "up_the_river", "--terminal", "--bots", "0"], "There is no bot '0'. There are: 1, 2, 3,"),
        (["play", "--players", "3"], "Name a GAME"),
        (["play", "up_the_river", "--box", "mine.toml"], "--box goes with --terminal"),
        (["serve", "--archive-after", "0"], "--archive-after must be above 0"),
        (["serve", "--tables", "0"], "--tables must be above 0"),
        (["serve", "--away-after", "59"], "--away-after must be at least 60"),
        (["serve", "--away-after", "nan"], "--away-after must be at least 60"),
        (["serve", "--port", "99999"], "--port must be from 0 to 65535"),
        (["serve", "--port", "-1"], "--port must be from 0 to 65535"),
        *(
            (["serve", "--proxy", proxy], f"--proxy is an address or a network like 10.0.0.0/8, not {proxy}.")
            for proxy in ("nonsense", "*", "10.0.0.1/8")
        ),
        (["serve", "--store", "mysql://here"], "A store is sqlite:///FILE or postgresql://"),
        (["serve", "--store", "foo"], "A store is sqlite:///FILE or postgresql://…, not foo."),
        (["verify", "no such file"], "cannot be read"),
        (["verify", "package.json"], "package.json is not the record of a game"),
        (["verify", "package.json", "--key", "zz"], "'zz' is not a server's public key"),
        (["replay", "pyproject.toml"], "pyproject.toml is not a JSON file."),
        (["replay", "package.json"], "package.json is not the record of a game"),
        (["words", "--update", "xx9"], "'xx9' cannot be a language"),
        (["words", "--update", "en"], "'en' cannot be a language"),
        (["benchmark", "magic"], "magic"),
        (["benchmark", "random", "--task", "foo"], "There is no task 'foo'"),
        (["dance"], "There is no command dance. See"),
        (["simulat"], "There is no command simulat; did you mean simulate? See"),
        (["simulate", "undertow", "--dice"], "What is --dice? See 'strandline simulate --help'."),
    ],
)
def test_wrong_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err and err.startswith("strandline: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"format": "strandline record 4", "moves": [], "moves": ["sail 1"]}',
            'has the name "moves" twice in one object',
        ),
        (
            '{"format": "strandline kept 3"}',
            "is what a page has kept, not the record: name the record, and this one with --kept",
        ),
    ],
)
def test_what_is_no_record_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    file = tmp_path / "record.json"
    file.write_text(content, encoding="utf-8")
    code, _, err = run(capsys, "verify", str(file))
    assert code == 2 and message in err and err.count("\n") == 1


def test_a_game_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One person who always takes the first move, after some wrong answers, against a bot."""
    answers = iter(["99", "hello", "?", "roll 3", "sail 1"])
    rolls = iter(["banana", "?"])
    monkeypatch.setattr(
        "builtins.input", lambda question: next(rolls, "") if "(Enter)" in question else next(answers, "1")
    )
    code, out, _ = run(capsys, "play", "up_the_river", "--terminal", "--bots", "1", "--option", "round_limit=4")
    assert code == 0
    for words in (
        "Press Enter alone",
        "numbers from 1 to",
        "Your turn: one roll",
        "(R4)",
        "Round 4.",
        "The game is over.",
    ):
        assert words in out
    assert "You rolled" in out and "Player 2 rolled" in out and not re.search("[Ss]eat [0-9]|Player [03]", out)


def test_people_at_a_terminal_count_from_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "q" if len(asked) == 40 else "" if "(Enter)" in question else "1"

    monkeypatch.setattr("builtins.input", answer)
    code, out, _ = run(capsys, "play", "sand_castles", "--terminal", "--players", "3")
    assert code == 0 and "Player 1 flips a tile." in out
    assert all(re.match("Player [123][,:] ", question) for question in asked)
    assert not re.search("[Ss]eat [0-9]|Player 0", out)


def test_what_bots_see_is_not_told_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.SystemRandom", lambda: random.Random(1))
    bots = ("--players", "3", "--bots", "random,random,random", "--option", "max_rounds=3")
    code, out, _ = run(capsys, "play", "sand_castles", "--terminal", *bots)
    assert code == 0 and "looks at the tile at place" in out and " sees " not in out


def test_leaving_a_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["0", "up_the_river", "q"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    code, out, _ = run(capsys, "play", "--terminal")
    assert code == 0 and out.endswith("Goodbye.\n")


def test_the_end_of_the_input_ends_the_game() -> None:
    command = [sys.executable, "-m", "strandline", "play", "up_the_river", "--terminal"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Goodbye." in done.stdout and done.stderr == ""


def test_intervals_hold_the_truth() -> None:
    low, high = intervals.interval(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert intervals.interval(0, 10)[0] == 0 and intervals.interval(10, 10)[1] == pytest.approx(1)


def test_bench_measures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.timing.SECONDS", 0.01)
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, "bench", "over_the_next_dune")
    assert code == 0 and " ns" in out and " µs" in out and "native" in out
    assert "…" not in out and out.endswith("\n")
    assert out.splitlines()[0].strip().endswith("time for a step")  # the title stands in one line


def test_bench_measures_a_game_without_kernels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_kernels(game: strandline.Game) -> NoReturn:
        raise NoKernels("None here.", "None.")

    monkeypatch.setattr("strandline.timing.SECONDS", 0.01)
    monkeypatch.setattr("strandline.engine.wasm.of", no_kernels)
    code, out, _ = run(capsys, "bench", "up_the_river")
    assert code == 0 and "–" in out and " µs" in out


def test_a_box_can_be_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[layout]\ntide_start = 7\n")
    arguments = ("simulate", "up_the_river", "--games", "10", "--json", "--box", str(tmp_path / "mine.toml"))
    assert json.loads(run(capsys, *arguments)[1])["options"]["tide_start"] == 7


def test_boards_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "draw", "up_the_river", "--players", "3", "--moves", "20", "--seed", "4")
    assert code == 0 and out.startswith("<svg")
    again = strandline.game("up_the_river").new(3).play_random(20, 4)
    assert out == again.svg() + "\n"
    (tmp_path / "position.json").write_text(json.dumps(again.to_json()))
    picture = tmp_path / "board.svg"
    run(capsys, "draw", "up_the_river", "--position", str(tmp_path / "position.json"), "-o", str(picture))
    assert picture.read_text() == again.svg()


def test_what_cannot_be_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    for arguments, message in (
        (["--position", str(tmp_path / "bad.json")], "not valid JSON"),
        (["--position", str(tmp_path / "none.json")], "No such file"),
        (["--seat", "7"], "--seat must be from 0 to 1"),
        (["--moves", "-3"], "--moves must be 0 or more"),
        (["-o", str(tmp_path / "no" / "where.svg")], "No such file"),
    ):
        code, out, err = run(capsys, "draw", "up_the_river", *arguments)
        assert (code, out) == (2, "") and message in err and err.count("\n") == 1


def test_a_bare_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "") and "tournament" in out
