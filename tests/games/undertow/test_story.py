"""Undertow's stories: what happens by itself is told by itself, in words that a child can retell."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

import strandline
from games.undertow.positions import GAME, Spot, crowded, play, position
from strandline.engine.story import Event
from strandline.engine.words import Reader, reading
from strandline.games.undertow import story

NAMES = ("Ann", "Ben", "Cleo", "Dora")
ANN = Reader("en", frozenset({0}), NAMES)
BEN = Reader("en", frozenset({1}), NAMES)
ANNA = Reader("de", frozenset({0}), NAMES)


def told(events: list[Event], who: Reader = ANN) -> list[tuple[str, str]]:
    with reading(who):
        return [(event.kind, event.sentence) for event in events]


def vacation(others: Sequence[Spot] = (), **changes: Any) -> strandline.Position:
    """A day of a vacation: seat 0 has two swimmers in the water, the other family rests or swims."""
    value = position({1: (2, 1, 5), 2: (4, 12)}, others, vacation=3).to_json() | changes
    return strandline.Position.from_json(value)


ROLL = position({1: (4, 5), 2: (6, 5)}, [(4, 6), (9, 3)])
OUT = ROLL.play("roll 3 4 2")
ROUND = position({1: (4, 5)}, [(4, 6), (5, 6)], "roll 4 2 2")
IN = position({1: (4, 12), 2: (6, 12)}, [(9, 3)], "roll 3 4 4")
STRONG = position({1: (4, 5, 3), 2: (7, 5, 3)}, [(9, 3)], "roll 4 4 2", strength=True)
TRIPLE = position({1: (4, 5)}, [(9, 3)], "roll 6 6 6", triple_six=True)


# Rolls


@pytest.mark.parametrize(
    ("options", "move", "english", "german"),
    [
        (
            {},
            "roll 2 1 1",
            "You rolled the lifeguard: one of your swimmers goes straight home.",
            "Du hast den Bademeister gewürfelt: Einer deiner Schwimmer kommt gleich nach Hause.",
        ),
        (
            {},
            "roll 2 1 5",
            "You rolled calm water: 2 out, then 1 in.",
            "Du hast ruhige See gewürfelt: 2 hinaus, dann 1 herein.",
        ),
        (
            {},
            "roll 2 1 4",
            "You rolled a current: 2 out, then 1 in, and sideways is free.",
            "Du hast eine Strömung gewürfelt: 2 hinaus, dann 1 herein, und seitwärts ist umsonst.",
        ),
        (
            {},
            "roll 2 1 3",
            "You rolled 2, 1 and a big wave: 3 in.",
            "Du hast 2, 1 und eine große Welle gewürfelt: 3 herein.",
        ),
        (
            {"surge": "each"},
            "roll 2 1 3",
            "You rolled 2, 1 and a big wave: 3 in for each swimmer.",
            "Du hast 2, 1 und eine große Welle gewürfelt: 3 herein für jeden Schwimmer.",
        ),
        (
            {"easy": True},
            "roll 2 1 6",
            "You rolled 2, 1 and the undertow: 2 out.",
            "Du hast 2, 1 und den Sog gewürfelt: 2 hinaus.",
        ),
        (
            {"surge": "each"},
            "roll 2 1 6",
            "You rolled 2, 1 and the undertow: 3 out for each swimmer.",
            "Du hast 2, 1 und den Sog gewürfelt: 3 hinaus für jeden Schwimmer.",
        ),
        (
            {"triple_six": True},
            "roll 6 6 6",
            "You rolled 6, 6 and 6: the undertow, or a swimmer called back.",
            "Du hast 6, 6 und 6 gewürfelt: der Sog, oder ein Schwimmer wird zurückgerufen.",
        ),
    ],
)
def test_a_roll_says_what_the_sea_does(options: dict[str, Any], move: str, english: str, german: str) -> None:
    events = position({1: (4, 5), 2: (6, 5)}, **options).story(move)
    assert told(events) == [("roll", english)]
    assert told(events, ANNA) == [("roll", german)]
    assert events[0].data["dice"] == [int(face) for face in move.split()[1:]]
    assert events[0].shapes == ("die-red", "die-green", "die-modifier")


def test_others_hear_a_name() -> None:
    assert told(ROLL.story("roll 1 2 6"), BEN) == [("roll", "Ann rolled 1, 2 and the undertow: 3 out.")]
    assert told(OUT.story("out 2"), BEN) == [("out", "The sea pulls Ann’s swimmer 2 out to step 6.")]
    german = Reader("de", frozenset({1}), NAMES)
    assert told(OUT.story("out 2"), german) == [("out", "Das Meer zieht Schwimmer 2 von Ann hinaus in Reihe 6.")]


# Setting up


def test_dice_of_the_family_are_rolled_and_placed_and_then_round_1_begins() -> None:
    start = GAME.new(2)
    assert told(start.story("roll 4")) == [("family", "You rolled a 4 for swimmer 1.")]
    assert told(start.play("roll 4").story("roll 6"), ANNA) == [("family", "Du hast für Schwimmer 2 eine 6 gewürfelt.")]
    start = play(start, *["roll 4"] * 14)
    assert told(start.story("place 3 5")) == [("place", "You place swimmer 3 in lane 5, step 6.")]
    while start.to_json()["swimmers"][1][5]["step"] is None:
        start = start.play(start.moves()[0])
    start = start.play(start.moves()[0])
    assert [kind for kind, _ in told(start.story(start.moves()[0]))] == ["place", "round"]
    assert told(start.story(start.moves()[0]))[1] == ("round", "Round 1 begins.")


def test_a_full_step_is_named() -> None:
    start = play(GAME.new(2), *["roll 6"] * 14, *[f"place {1 + i // 2} {2 + i}" for i in range(8)])
    assert told(start.story("place 5 2")) == [
        ("place", "You place swimmer 5 in lane 2. Step 8 is full, so it starts at step 9.")
    ]
    assert told(start.story("place 5 2"), ANNA) == [
        ("place", "Du setzt Schwimmer 5 in Bahn 2. Reihe 8 ist voll, also beginnt er in Reihe 9.")
    ]


# Steps


@pytest.mark.parametrize(
    ("start", "move", "kind", "english", "german"),
    [
        (
            OUT,
            "out 2",
            "out",
            "The sea pulls your swimmer 2 out to step 6.",
            "Das Meer zieht deinen Schwimmer 2 hinaus in Reihe 6.",
        ),
        (
            position({1: (4, 11), 2: (6, 2)}, roll="roll 3 1 2"),
            "out 1",
            "out",
            "The sea pulls your swimmer 1 out to step 12, as far as it goes.",
            "Das Meer zieht deinen Schwimmer 1 hinaus in Reihe 12; weiter geht es nicht.",
        ),
        (
            ROUND,
            "left 1",
            "detour",
            "The way out is blocked: the sea pulls your swimmer 1 round to lane 3.",
            "Der Weg hinaus ist versperrt: Das Meer zieht deinen Schwimmer 1 zur Seite in Bahn 3.",
        ),
        (
            position({1: (4, 5)}, [(4, 6), (5, 6)], "roll 4 2 4"),
            "left 1",
            "detour",
            "The way out is blocked: the current carries your swimmer 1 round to lane 3, for free.",
            "Der Weg hinaus ist versperrt: Die Strömung trägt deinen Schwimmer 1 zur Seite in Bahn 3, umsonst.",
        ),
        (STRONG, "weaken 1", "weaken", "You weaken swimmer 1 to 2 pips.", "Du schwächst Schwimmer 1 auf 2 Augen."),
        (
            play(STRONG, "out 1", "out 1", "out 1", "out 2"),
            "strengthen 1",
            "strengthen",
            "You strengthen swimmer 1 to 4 pips.",
            "Du stärkst Schwimmer 1 auf 4 Augen.",
        ),
        (
            IN,
            "in 1",
            "in",
            "Your swimmer 1 swims in to step 11.",
            "Dein Schwimmer 1 schwimmt herein in Reihe 11.",
        ),
        (
            IN,
            "left 1",
            "drift",
            "The current carries your swimmer 1 over to lane 3.",
            "Die Strömung trägt deinen Schwimmer 1 hinüber in Bahn 3.",
        ),
        (
            position({1: (4, 5)}, roll="roll 1 2 3"),
            "right 1",
            "sideways",
            "Your swimmer 1 swims over to lane 5.",
            "Dein Schwimmer 1 schwimmt hinüber in Bahn 5.",
        ),
        (
            position({1: (4, 1), 2: (6, 6)}, roll="roll 1 2 3"),
            "in 1",
            "land",
            "Your swimmer 1 reaches the beach!",
            "Dein Schwimmer 1 erreicht den Strand!",
        ),
        (
            ROLL.play("roll 2 1 1"),
            "save 2",
            "lifeguard",
            "The lifeguard brings your swimmer 2 to the beach.",
            "Der Bademeister bringt deinen Schwimmer 2 an den Strand.",
        ),
        (
            TRIPLE,
            "recall 2",
            "recall",
            "You call swimmer 2 back from the beach.",
            "Du rufst Schwimmer 2 vom Strand zurück.",
        ),
    ],
)
def test_a_step_is_one_event_and_moves_one_swimmer(
    start: strandline.Position, move: str, kind: str, english: str, german: str
) -> None:
    events = start.story(move)
    assert told(events) == [(kind, english)]
    assert told(events, ANNA) == [(kind, german)]
    assert events[0].shapes == (f"swimmer-0-{move.split()[1]}",)
    assert events[0].position == start.play(move)


def test_stopping_says_what_is_left() -> None:
    assert told(IN.story("stop")) == [("stop", "You stop with 4 points left.")]
    assert told(IN.story("stop"), ANNA) == [("stop", "Du hörst auf; 4 Punkte bleiben übrig.")]
    spent = play(IN, "in 1", "in 1", "in 1", "in 1")
    assert told(spent.story("stop")) == [("stop", "You stop.")]


def test_the_undertow_may_be_taken_on_a_triple_six() -> None:
    assert told(TRIPLE.story("undertow")) == [("undertow", "You take the undertow: 12 out.")]
    back = TRIPLE.play("recall 2")
    assert told(back.story("roll 5")) == [("family", "You rolled a 5 for swimmer 2.")]
    assert told(back.play("roll 5").story("place 2 3")) == [("place", "You place swimmer 2 in lane 3, step 7.")]


# What follows by itself


def test_the_in_part_is_announced() -> None:
    events = play(OUT, "out 2", "out 2").story("out 2")
    assert told(events)[1:] == [("inward", "Now you swim in: 4 points.")]
    assert told(events, ANNA)[1:] == [("inward", "Jetzt schwimmst du herein: 4 Punkte.")]
    assert told(events, BEN)[1:] == [("inward", "Now Ann swims in: 4 points.")]


def test_points_that_pull_nobody_are_named() -> None:
    far = position({1: (4, 12)})
    assert told(far.story("roll 3 1 2"))[1:] == [
        ("blocked", "Nobody can be pulled further out: 3 points do not count."),
        ("inward", "Now you swim in: 1 point."),
    ]
    assert told(far.story("roll 3 1 2"), ANNA)[1][1] == (
        "Niemand kann weiter hinausgezogen werden: 3 Punkte zählen nicht."
    )
    assert [kind for kind, _ in told(far.story("roll 3 1 6"))] == ["roll", "blocked"]
    last = position({1: (4, 11)}, roll="roll 2 1 6").play("out 1")
    assert last.to_json()["player"] == 1
    assert told(position({1: (4, 11)}, roll="roll 2 1 6").story("out 1"))[1:] == [
        ("blocked", "Nobody can be pulled further out: 2 points do not count.")
    ]


def test_points_for_each_are_counted_for_each() -> None:
    each = position({1: (4, 9), 2: (6, 2)}, roll="roll 1 1 6", surge="each")
    spent = play(each, "out 1", "out 1", "out 2")
    assert [kind for kind, _ in told(spent.story("out 2"))] == ["out"], "nothing was left over"
    far = position({1: (4, 11)}, roll="roll 1 1 6", surge="each")
    assert told(far.story("out 1"))[1:] == [("blocked", "Nobody can be pulled further out: 1 point does not count.")]


def test_points_that_nobody_can_swim_with_are_named() -> None:
    boxed = position({1: (4, 5)}, [(4, 4), (3, 5), (5, 5), (4, 6)])
    assert told(boxed.story("roll 1 2 3"))[1:] == [("blocked", "Nobody can swim on: 3 points are not used.")]
    assert told(boxed.story("roll 1 2 3"), ANNA)[1:] == [
        ("blocked", "Niemand kann weiterschwimmen: 3 Punkte bleiben übrig.")
    ]
    assert [kind for kind, _ in told(boxed.story("roll 1 2 2"))] == ["roll", "blocked", "inward", "blocked"]


def test_a_round_begins_after_the_last_seat() -> None:
    second = play(ROLL, "roll 1 1 1", "save 1", "roll 1 1 1")
    assert told(second.story("save 1"), BEN) == [
        ("lifeguard", "The lifeguard brings your swimmer 1 to the beach."),
        ("round", "Round 2 begins."),
    ]
    assert told(second.story("save 1"), ANNA)[1] == ("round", "Runde 2 beginnt.")


# Days


def test_a_family_at_home_rests_until_the_evening() -> None:
    events = vacation(round=3).play("roll 1 1 1").story("save 2")
    assert told(events) == [
        ("lifeguard", "The lifeguard brings your swimmer 2 to the beach."),
        ("pass", "Ben’s family rests on the beach, so Ben has no turn."),
        ("round", "Round 4 begins."),
    ]
    german = told(events, Reader("de", frozenset({1}), NAMES))
    assert german[1] == ("pass", "Deine Familie ruht am Strand, also setzt du aus.")


def test_a_day_ends_with_its_points_and_the_next_one_begins() -> None:
    events = vacation(round=8).play("roll 1 1 1").story("save 2")
    assert told(events) == [
        ("lifeguard", "The lifeguard brings your swimmer 2 to the beach."),
        ("pass", "Ben’s family rests on the beach, so Ben has no turn."),
        ("evening", "Day 1 is over. Points: Ann 8 and Ben 7."),
        ("day", "Day 2 begins: all dice are rolled again."),
    ]
    assert told(events, ANNA)[2:] == [
        ("evening", "Tag 1 ist vorbei. Punkte: Ann 8 und Ben 7."),
        ("day", "Tag 2 beginnt: Alle Würfel werden neu geworfen."),
    ]
    assert len(events[-1].shapes) == 14, "everybody is taken off"


def test_the_day_is_over_when_everybody_is_home() -> None:
    start = play(vacation(), "roll 1 1 1", "save 2", "roll 1 1 3")
    events = start.story("in 1")
    assert [kind for kind, _ in told(events)] == ["land", "home", "evening", "day"]
    assert told(events)[1] == ("home", "Your whole family is home for today.")
    assert told(events, ANNA)[1] == ("home", "Deine ganze Familie ist für heute zu Hause.")
    assert told(events, BEN)[1] == ("home", "Ann’s whole family is home for today.")


# The end


def test_the_last_swimmer_home_wins() -> None:
    events = position({1: (4, 1)}, roll="roll 1 1 3").story("in 1")
    assert told(events) == [
        ("land", "Your swimmer 1 reaches the beach!"),
        ("end", "Your whole family is on the beach. You win!"),
    ]
    assert told(events, ANNA)[1] == ("end", "Deine ganze Familie ist am Strand. Du gewinnst!")
    assert told(events, BEN)[1] == (
        "end",
        "Ann’s whole family is on the beach. Ann wins. Well swum: you brought 6 of 7 home.",
    )
    assert told(events, Reader("en", frozenset(), NAMES))[1] == ("end", "Ann’s whole family is on the beach. Ann wins.")
    assert "Winner" not in events[0].position.svg(), "first the swimmer lands"
    saved = position({1: (4, 9)}, roll="roll 1 1 1").story("save 1")
    assert [kind for kind, _ in told(saved)] == ["lifeguard", "end"]


@pytest.mark.parametrize(
    ("mine", "others", "ann", "ben"),
    [
        (
            {1: (4, 5)},
            [(9, 6)],
            "That was the last round. You are nearest to home and win!",
            "That was the last round. Ann is nearest to home and wins. Well swum: you brought 6 of 7 home.",
        ),
        (
            {1: (4, 6)},
            [(9, 6)],
            "That was the last round. Ann and Ben share the win.",
            "That was the last round. Ann and Ben share the win.",
        ),
        (
            {1: (4, 6)},
            [(lane, 6) for lane in (2, 3, 5, 6, 7, 8, 9)],
            "That was the last round. You are nearest to home and win!",
            "That was the last round. Ann is nearest to home and wins. The sea was too strong for your family.",
        ),
    ],
)
def test_the_last_round_ends_the_game(mine: dict[int, Spot], others: list[Spot], ann: str, ben: str) -> None:
    start = play(position(mine, others, max_rounds=1), "roll 1 1 3", "stop", "roll 1 1 3")
    events = start.story("stop")
    assert told(events)[-1] == ("end", ann) and told(events, BEN)[-1] == ("end", ben)
    assert [kind for kind, _ in told(events)] == ["stop", "end"]


def test_a_vacation_ends_with_its_points() -> None:
    last = vacation(day=3, round=8, day_scores=[[1, 2], [3, 4]]).play("roll 1 1 1")
    events = last.story("save 2")
    assert told(events)[-2:] == [
        ("evening", "Day 3 is over. Points: Ann 8 and Ben 7."),
        ("end", "The vacation is over. Ben wins with 13 points. Well swum: you have 12 points."),
    ]
    assert told(events, ANNA)[-1][1] == (
        "Der Urlaub ist vorbei. Ben gewinnt mit 13 Punkten. Gut geschwommen: Du hast 12 Punkte."
    )
    assert told(last.story("save 1"), BEN)[-1] == (
        "end",
        "The vacation is over. Ann wins with 14 points. Well swum: you have 13 points.",
    )
    tied = vacation(day=3, round=8, day_scores=[[1, 2], [3, 3]]).play("roll 1 1 1")
    assert told(tied.story("save 2"))[-1] == ("end", "The vacation is over. Ann and Ben share the win with 12 points.")


# All of it


def test_every_kind_happens() -> None:
    chance, missing = random.Random(4), set(story.KINDS)
    for _ in range(60):
        here = crowded(chance)
        for _ in range(80):
            if here.turn is None or not missing:
                break
            move = chance.choice(here.moves())
            missing -= {event.kind for event in here.story(move)}
            here = here.play(move)
    assert missing <= {"recall", "undertow"}, "these need a triple six"


# Moves, tasks and the position


@pytest.mark.parametrize(
    ("start", "move", "english", "german"),
    [
        (
            ROLL,
            "roll 2 1 1",
            "Rolled: red 2, green 1 and the lifeguard.",
            "Gewürfelt: Rot 2, Grün 1 und der Bademeister.",
        ),
        (GAME.new(2), "roll 5", "A 5 is rolled.", "Eine 5 wird gewürfelt."),
        (OUT, "out 2", "Swimmer 2 out to step 6.", "Schwimmer 2 hinaus in Reihe 6."),
        (IN, "in 1", "Swimmer 1 in to step 11.", "Schwimmer 1 herein in Reihe 11."),
        (
            position({1: (4, 1), 2: (6, 6)}, roll="roll 1 2 3"),
            "in 1",
            "Swimmer 1 to the beach.",
            "Schwimmer 1 an den Strand.",
        ),
        (IN, "left 1", "Swimmer 1 over to lane 3, for free.", "Schwimmer 1 hinüber in Bahn 3, umsonst."),
        (
            position({1: (4, 5)}, roll="roll 1 2 3"),
            "right 1",
            "Swimmer 1 over to lane 5, for a point.",
            "Schwimmer 1 hinüber in Bahn 5, für einen Punkt.",
        ),
        (
            ROUND,
            "left 1",
            "Swimmer 1 round to lane 3, for a point.",
            "Schwimmer 1 zur Seite in Bahn 3, für einen Punkt.",
        ),
        (
            position({1: (4, 5)}, [(4, 6), (5, 6)], "roll 4 2 4"),
            "left 1",
            "Swimmer 1 round to lane 3, for free.",
            "Schwimmer 1 zur Seite in Bahn 3, umsonst.",
        ),
        (STRONG, "weaken 1", "Weaken swimmer 1 to 2 pips.", "Schwäche Schwimmer 1 auf 2 Augen."),
        (IN, "stop", "Stop with 4 points left.", "Hör auf und lass 4 Punkte übrig."),
        (TRIPLE, "recall 2", "Call swimmer 2 back from the beach.", "Ruf Schwimmer 2 vom Strand zurück."),
        (TRIPLE, "undertow", "Take the undertow: 12 out.", "Nimm den Sog: 12 hinaus."),
        (
            ROLL.play("roll 2 1 1"),
            "save 2",
            "Bring swimmer 2 home from step 5.",
            "Bring Schwimmer 2 aus Reihe 5 nach Hause.",
        ),
    ],
)
def test_moves_are_described(start: strandline.Position, move: str, english: str, german: str) -> None:
    assert start.describe(move) == english
    with reading(ANNA):
        assert start.describe(move) == german


@pytest.mark.parametrize(
    ("start", "english", "german"),
    [
        (ROLL, None, None),
        (OUT, "3 points: choose who is pulled out.", "3 Punkte: Wähle, wer hinausgezogen wird."),
        (
            ROUND.play("left 1"),
            "Swimmer 1 is on its way round: choose the next space.",
            "Schwimmer 1 muss seinen Umweg zu Ende schwimmen: Wähle das nächste Feld.",
        ),
        (
            ROLL.play("roll 2 1 1"),
            "Choose a swimmer for the lifeguard to bring home.",
            "Wähle einen Schwimmer, den der Bademeister nach Hause bringt.",
        ),
        (IN, "4 points: swim in, or stop.", "4 Punkte: Schwimm herein oder hör auf."),
        (
            play(IN, "in 1", "in 1", "in 1", "in 1"),
            "No points left. You may still drift sideways for free, or stop.",
            "Keine Punkte mehr. Du darfst dich noch umsonst seitwärts treiben lassen oder aufhören.",
        ),
        (
            position({1: (4, 5)}, roll="roll 1 2 3", surge="each"),
            "3 points for each swimmer: swim in, or stop.",
            "3 Punkte für jeden Schwimmer: Schwimm herein oder hör auf.",
        ),
        (
            position({1: (4, 5)}, roll="roll 1 2 6", surge="each"),
            "3 points for each swimmer: choose who is pulled out.",
            "3 Punkte für jeden Schwimmer: Wähle, wer hinausgezogen wird.",
        ),
        (
            TRIPLE,
            "Choose the undertow, or call a swimmer back from the beach.",
            "Wähle den Sog oder ruf einen Schwimmer vom Strand zurück.",
        ),
        (
            play(TRIPLE, "recall 2", "roll 5"),
            "Choose a lane for the swimmer who was called back.",
            "Wähle eine Bahn für den zurückgerufenen Schwimmer.",
        ),
        (play(GAME.new(2), *["roll 3"] * 14), "Choose a swimmer and a lane.", "Wähle einen Schwimmer und eine Bahn."),
    ],
)
def test_whoever_decides_has_a_task(start: strandline.Position, english: str | None, german: str | None) -> None:
    assert start.task() == english
    with reading(ANNA):
        assert start.task() == german


def test_the_position_in_words() -> None:
    with reading(ANN):
        assert ROUND.play("left 1").words().splitlines() == [
            "Round 1.",
            "Ann, 6 of 7 home: swimmer 1: 3 pips, in lane 3, step 5; "
            + "; ".join(f"swimmer {n}: 1 pip, on the beach" for n in range(2, 8))
            + ".",
            "Ben, 5 of 7 home: swimmer 1: 3 pips, in lane 4, step 6; swimmer 2: 3 pips, in lane 5, step 6; "
            + "; ".join(f"swimmer {n}: 1 pip, on the beach" for n in range(3, 8))
            + ".",
            "You rolled red 4, green 2 and calm water.",
            "Swimmer 1 is on its way round.",
            "The sea still pulls your swimmers 3 steps out.",
        ]
        assert IN.play("left 1").words().splitlines()[-2:] == [
            "Swimmer 1 is drifting to the left.",
            "You may still swim in: 4 points.",
        ]
        assert STRONG.play("out 1").words().splitlines()[-2] == "Swimmer 1 has spent 1 point."
        limits = position({1: (4, 12, 2)}, roll="roll 3 4 4", lane_limits=True).play("right 1")
        assert "Swimmer 1 has drifted 1 lane." in limits.words()
        assert "Each swimmer gets all the points." in position({1: (4, 5)}, roll="roll 1 2 3", surge="each").words()
        assert "swimmer 1: not rolled yet" in GAME.new(2).words()
        later = vacation(day=3, round=5, day_scores=[[1, 2], [3, 4]]).words().splitlines()
        assert later[:2] == ["Day 3 of 3, round 5 of 8.", "Points of day 1: Ann 1 and Ben 2."]
    with reading(ANNA):
        assert IN.words().splitlines()[-2:] == [
            "Dein Wurf: Rot 3, Grün 4 und eine Strömung.",
            "Du darfst noch hereinschwimmen: 4 Punkte.",
        ]
    over = play(position({1: (4, 1)}), "roll 1 1 3", "in 1")
    with reading(BEN):
        assert over.words().endswith("Ann wins. Well swum: you brought 6 of 7 home.")
