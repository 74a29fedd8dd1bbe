"""Lessons: data that is played against the rules, by one player for all games."""

import re
from pathlib import Path

import pytest

import strandline
from samples import box_games
from strandline.cli import main
from strandline.engine.words import Reader, reading
from strandline.lessons import check, script, view
from strandline.lessons.player import BadAct, Player

RIVER = strandline.game("up_the_river")
FILE = (RIVER.folder / script.FILE).read_text()


def lesson(name: str, game: strandline.Game = RIVER) -> script.Lesson:
    course = script.of(game)
    found = course.lesson(name)
    assert found is not None
    return found


def test_every_lesson_can_be_played(game: strandline.Game) -> None:
    assert check.faults(game) == []


def test_every_game_of_the_box_has_lessons_and_a_coach() -> None:
    for name in box_games():
        course = script.of(strandline.game(name))
        assert len(course.lessons) > 1 and len(course.coach) > 5, name


def test_a_first_lesson_ends_in_a_decision() -> None:
    """The last thing that is asked has several answers."""
    for name in box_games():
        game = strandline.game(name)
        course = script.of(game)
        player = Player(game, course.lessons[0])
        place, asked = player.start, []
        while (step := player.step(place)) is not None:
            if step.asks:
                asked.append((place, step))
            way = player.way(place)
            assert way is not None
            for act in way:
                place = player.take(place, act).place
        last, _ = asked[-1]
        assert len(last.position.moves()) > 1, name


# What a learner does


def test_right_moves_go_on_and_the_others_follow() -> None:
    state = view.seen(RIVER, lesson("first"), [])
    assert (state["step"], state["waits"], state["moves"][0]["move"]) == (0, "roll", "roll")
    state = view.seen(RIVER, lesson("first"), state["acts"], "roll")
    assert (state["step"], state["verdict"], state["events"][0]["dice"]) == (1, "right", [3])
    state = view.seen(RIVER, lesson("first"), state["acts"], "sail 1")
    assert [event["kind"] for event in state["events"]] == ["sail", "roll", "sail", "current"]
    assert state["acts"] == ["roll", "sail 1"] and state["begins"] == [0, 1, 2]


def test_a_wrong_move_is_answered_and_changes_nothing() -> None:
    state = view.seen(RIVER, lesson("first"), ["roll"], "sail 3")
    assert state["verdict"] == "wrong" and "boat 1" in state["reply"]
    assert state["acts"] == ["roll"] and state["events"] == []
    with reading(Reader("de")):
        assert "Boot 1" in view.seen(RIVER, lesson("first"), ["roll"], "sail 3")["reply"]


def test_a_goal_may_take_several_moves_and_is_kept_within_reach() -> None:
    game = strandline.game("undertow")
    acts = ["roll", "out 2"]
    state = view.seen(game, lesson("first", game), acts, "in 2")
    assert state["verdict"] == "wrong", "the step would be missing for the goal"
    for _ in range(2):
        state = view.seen(game, lesson("first", game), acts, "in 1")
        acts = state["acts"]
        assert state["verdict"] == "on"
    assert view.seen(game, lesson("first", game), acts, "in 1")["verdict"] == "right"


def test_the_coach_does_what_is_skipped() -> None:
    for name in box_games():
        game = strandline.game(name)
        course = script.of(game)
        for each in course.lessons:
            place, begins = Player(game, each).replay(["skip"] * len(each.steps))
            assert place.number == len(each.steps) and begins == list(range(len(each.steps) + 1))


def test_the_coach_shows_what_is_worth_learning() -> None:
    """The shortest way to the end of the turn would be to give up five points."""
    game = strandline.game("undertow")
    acts = ["skip"] * 4
    for done, left in (([], 5), (["in 1"], 4), (["in 2", "in 2"], 3)):
        state = view.seen(game, lesson("first", game), [*acts, *done], "skip")
        assert state["verdict"] == "right"
        assert sum(event["kind"] in ("in", "land") for event in state["events"]) == left, state["events"]
    state = view.seen(game, lesson("first", game), [*acts, "left 2", "left 2"], "skip")
    assert state["verdict"] == "right"


@pytest.mark.parametrize("acts", [["sail 1"], ["next"], ["roll", "roll"], ["roll", "sail 2"], ["roll", "dance"]])
def test_what_cannot_have_been_done_is_refused(acts: list[str]) -> None:
    with pytest.raises(BadAct):
        view.seen(RIVER, lesson("first"), acts)


def test_secrets_are_the_learners_own() -> None:
    game = strandline.game("sand_castles")
    acts = ["crab 1 fan", "build 8", "seagull"]
    state = view.seen(game, lesson("critters", game), acts)
    assert state["waits"] == "move" and "place 1" in state["words"]


# What the check finds


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ('right = ["sail 1"]', 'right = ["sail 4"]', "'sail 4' is not legal"),
        ('dice = ["roll 3"]', 'dice = ["roll 7"]', "'roll 7' is not possible here"),
        ('look = ["tide"]', 'look = ["whale"]', "there is no shape 'whale'"),
        ('then = ["roll 4", "sail 1"]', 'then = ["roll 4", "good 1"]', "'good 1' is not legal here"),
        ('wrong = { "sail *" =', 'wrong = { "fly *" =', "'fly *' is never wrong"),
        ('right = ["sail 1"]', 'goal = { "boats.0.0" = 9 }', "it cannot be done"),
        ('right = ["sail 1"]', 'right = ["sail 1"]\nshow = ["sail 2"]', "what it shows does not finish it"),
        ('right = ["sail 1"]', 'goal = { "boats.0.0" = 4 }', "the goal is reached before"),
        ('task = "Tap boat 1."\n', "", "it has no task"),
        ('"round": 3', '"round": 4', "sandbank"),
        ("A 3! One", f"{'A long story. ' * 11}One", "words; 30 are allowed"),
        ("A 3! One", "You rolled a 3. That is a lot. One", "more than 2 sentences"),
        ("A 3! One", "A three! One", "is not there in 'de'"),
        ("[coach]", '[coach]\nwhale = "A whale!"', "there is no event 'whale'"),
        ('seats = ["here", "bot:1"]', 'seats = ["here"]', "for 2, 3 or 4 players"),
        ('name = "wind"', 'name = "first"', "Two lessons have the same name"),
        ('right = ["sail 1"]', 'right = ["sail 1"]\nrite = 1', "has 'rite', which means nothing"),
    ],
)
def test_what_is_wrong_is_found(was: str, becomes: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(_: strandline.Game) -> script.Script:
        return script.read(FILE.replace(was, becomes, 1))

    assert was in FILE
    monkeypatch.setattr(script, "of", changed)
    assert any(fault in found for found in check.faults(RIVER)), check.faults(RIVER)


def test_the_command_lists_and_checks(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["lessons", "up_the_river"]) == 0
    assert re.search(r"up_the_river +wind +8 ", capsys.readouterr().out)
    assert main(["lessons", "up_the_river", "--check"]) == 0
    assert capsys.readouterr().out == "2 lessons: all can be played.\n"
    monkeypatch.setattr(script, "of", lambda _: script.read(FILE.replace('"sail 1"', '"sail 4"', 1)))
    with pytest.raises(SystemExit):
        main(["lessons", "up_the_river", "--check"])


def test_translators_are_given_all_texts_of_lessons(tmp_path: Path) -> None:
    from strandline.engine import catalogues

    (tmp_path / "lessons.toml").write_text(FILE)
    texts = catalogues.sentences(tmp_path)
    for said in (
        "Tap boat 1.",
        "Current and wind",
        "Otter is blown back four cards. Now you may well be in the harbor first!",
    ):
        assert said in texts
    assert "sail 1" not in texts
