"""Sand Castles, told: every kind of event, in both languages."""

import random
from typing import Any

import pytest

import strandline
from games.sand_castles.positions import GAME, peeked, position
from strandline.engine.words import Reader, reading
from strandline.games.sand_castles import story
from strandline.games.sand_castles.box import LONGEST_LINE

NAMES = ("Ann", "Ben", "Cleo")
ANN = Reader("en", frozenset({0}), NAMES)
BEN = Reader("en", frozenset({1}), NAMES)
CLEO = Reader("en", frozenset({2}), NAMES)
ANNE = Reader("de", frozenset({0}), NAMES)
BENNO = Reader("de", frozenset({1}), NAMES)

DRAWING: dict[str, Any] = {"phase": "draw", "turn": "chance"}
KNOWN = peeked((1, "wave", [0]), (3, "fan", [0, 1]))
BUILDING: dict[str, Any] = {"phase": "build", "crab": 1}
LIMIT: dict[str, Any] = {"walls": [[], []], "final_by": None, "seat": 1, "turn": 1, "round": 60}
FOUR: dict[str, Any] = {"walls": [[], [], [2, 3, 4, 6]], "final_by": 2}


def told(start: strandline.Position, move: str, reader: Reader = ANN) -> list[tuple[str, str]]:
    """Kinds and sentences, as the reader may hear them."""
    with reading(reader):
        return [(event.kind, event.seen_by(reader.seats).sentence) for event in start.story(move)]


def described(start: strandline.Position, *moves: str, reader: Reader = ANN) -> list[str]:
    with reading(reader):
        return [start.describe(move) for move in moves]


# Collecting


def test_the_game_begins_with_five_walls() -> None:
    start = GAME.new(2)
    for wall in (1, 2, 3, 4):
        assert [kind for kind, _ in told(start, f"wall {wall}")] == ["wall"]
        start = start.play(f"wall {wall}")
    assert told(start, "wall 12") == [("wall", "New wall: 10 points."), ("round", "Round 1 begins.")]
    assert told(start, "wall 12", ANNE) == [("wall", "Neue Mauer: 10 Punkte."), ("round", "Runde 1 beginnt.")]
    assert start.story("wall 12")[0].shapes == ("wall-12",)


def test_a_flip_and_the_tile_that_comes_up() -> None:
    start = position()
    assert told(start, "flip") == [("flip", "You flip a tile.")]
    assert told(start, "flip", BEN) == [("flip", "Ann flips a tile.")]
    assert told(start, "flip", BENNO) == [("flip", "Ann deckt ein Plättchen auf.")]
    drawing = position(**DRAWING, line=["sand"])
    (event,) = drawing.story("draw fan")
    assert (event.kind, event.who, event.data, event.shapes) == ("tile", 0, {"drawn": ["fan"]}, ("line-2",))
    assert told(drawing, "draw fan") == [("tile", "It is a fan.")]
    assert told(drawing, "draw sand") == [("tile", "It is sand.")]
    assert told(drawing, "draw rake", ANNE) == [("tile", "Es ist die Harke.")]


def test_a_known_tile_is_flipped_like_another() -> None:
    start = position(peeked=KNOWN, line=["sand"])
    assert told(start, "flip peeked 3") == [("flip", "You flip the tile at place 3."), ("tile", "It is a fan.")]
    flip, tile = start.story("flip peeked 3")
    assert flip.shapes == ("flipped",) and tile.shapes == ("line-2",)
    assert "fan" not in str(flip.data)


def test_a_match_is_seen_before_the_rest_is_dropped() -> None:
    start = position(**DRAWING, line=["sand", "sand", "pebble", "fan", "rake"])
    assert told(start, "draw pebble") == [
        ("match", "It is a pebble. That matches a tile in your line!"),
        ("drop", "You keep 2 sand and 1 pebble and drop 1 pebble, 1 fan and 1 rake for everybody to take."),
    ]
    match, drop = start.story("draw pebble")
    assert match.shapes == ("line-3", "line-6") and match.position.to_json()["line"][-1] == "pebble"
    assert set(drop.shapes) == {"dropped-pebble", "dropped-fan", "dropped-rake"}
    assert told(start, "draw pebble", BENNO) == [
        ("match", "Es ist ein Steinchen. So etwas liegt schon in der Reihe von Ann!"),
        (
            "drop",
            "Ann behält 2 Sand und 1 Steinchen und lässt 1 Steinchen, 1 Fächermuschel und 1 Harke für alle liegen.",
        ),
    ]


def test_a_match_with_the_longest_line_is_told_too() -> None:
    line = ["pebble", "seaweed", "stick", "butterfly", "fan", "spiral", "shovel", "rake", *["sand"] * 14]
    start = position(**DRAWING, line=line)
    assert len(line) == LONGEST_LINE
    assert [kind for kind, _ in told(start, "draw fan")] == ["match", "drop"]
    assert start.story("draw fan")[-1].position == start.play("draw fan")


def test_dropped_tiles_are_taken_and_the_turn_ends_when_nothing_can_be_built() -> None:
    draft: dict[str, Any] = {"phase": "draft", "turn": 1, "seagull": 1}
    assert told(position(**draft, dropped={"fan": 2}), "take fan") == [("take", "Ben takes a fan.")]
    last = position(**draft, dropped={"fan": 1})
    assert told(last, "take fan", BEN) == [("take", "You take a fan."), ("unable", "Ann cannot build a wall now.")]
    assert told(last, "take fan", ANNE) == [
        ("take", "Ben nimmt eine Fächermuschel."),
        ("unable", "Du kannst jetzt keine Mauer bauen."),
    ]
    assert last.story("take fan")[0].shapes == ("stash-1-fan",)


def test_stopping_leads_to_building() -> None:
    start = position(line=["sand", "pebble", "sand"], crab=0, stashes=[{}, {"fan": 1}, {}])
    assert told(start, "stop") == [("stop", "You stop and put 2 sand and 1 pebble into your stash.")]
    assert told(start, "stop", BEN) == [("stop", "Ann stops and puts 2 sand and 1 pebble into the stash.")]
    assert set(start.story("stop")[0].shapes) == {"stash-0-sand", "stash-0-pebble"}


# Waves


def test_a_wave_is_told_thing_by_thing() -> None:
    start = position(
        **DRAWING,
        line=["sand", "fan"],
        peeked=KNOWN[1:],
        beach={"stick": 2},
        waves_out=2,
        stashes=[{}, {"sand": 1}, {}],
    )
    assert told(start, "draw wave", BEN) == [
        ("wave", "It is a wave! Now everybody may keep only 4 tiles."),
        ("waves", "That was wave 3: all waves go back into the pool."),
        ("wash", "The wave washes 2 tiles from the beach back into the pool."),
        ("mix", "The wave mixes the pool: nobody knows where any tile is now."),
        ("safe", "Ann’s line is safe: 1 sand and 1 fan."),
    ]
    assert told(start, "draw wave", ANNE) == [
        ("wave", "Es ist eine Welle! Jetzt dürfen alle nur 4 Plättchen behalten."),
        ("waves", "Das war Welle 3: Alle Wellen kommen zurück in den Tümpel."),
        ("wash", "Die Welle spült 2 Plättchen vom Strand zurück in den Tümpel."),
        ("mix", "Die Welle mischt den Tümpel: Niemand weiß mehr, wo was liegt."),
        ("safe", "Deine Reihe ist gerettet: 1 Sand und 1 Fächermuschel."),
    ]
    events = start.story("draw wave")
    assert [event.position.to_json()["waves_out"] for event in events] == [3, 0, 0, 0, 0]
    assert [bool(event.position.to_json()["beach"]) for event in events] == [True, True, False, False, False]
    assert events[0].shapes == ("wave-3",)


def test_a_wave_as_the_first_tile() -> None:
    assert told(position(**DRAWING), "draw wave") == [
        ("wave", "It is a wave!"),
        ("nimble", "Nimble toes! The wave was your first tile, so you collect again."),
    ]
    waiting = position(phase="wave", stashes=[{}, {"sand": 2}, {}], turn=1, waves_out=1, nimble=True)
    assert told(waiting, "keep") == [
        ("keep", "Ben keeps 2 sand."),
        ("nimble", "Nimble toes! The wave was your first tile, so you collect again."),
    ]
    assert told(waiting, "keep", BENNO)[1] == (
        "nimble",
        "Flinke Füße! Die Welle war das erste Plättchen von Ann, also sammelt Ann noch einmal.",
    )


def test_tiles_are_given_back_and_kept() -> None:
    start = position(phase="wave", stashes=[{"fan": 1, "sand": 4}, {"sand": 1}, {}], waves_out=1, seagull=1)
    assert told(start, "discard fan") == [("discard", "You give back a fan.")]
    after = start.play("discard fan").play("keep")
    assert told(after, "discard sand", BEN) == [
        ("discard", "You give back sand."),
        ("unable", "Ann cannot build a wall now."),
    ]
    assert told(after, "keep", ANNE)[0] == ("keep", "Ben behält 1 Sand.")


# The Seagull and the Crab


def test_what_the_seagull_shows_is_for_one_alone() -> None:
    start = position(peeked=KNOWN)
    assert told(start, "seagull", BEN) == [("look", "Ann peeks at 3 tiles with the Seagull.")]
    assert told(start, "seagull peeked 1 3", ANN) == [
        ("look", "You peek at 3 tiles with the Seagull."),
        ("peek", "You see a wave at place 1."),
        ("peek", "You see a fan at place 3."),
    ]
    assert told(start, "seagull peeked 1 3", BENNO) == [
        ("look", "Ann sieht sich mit der Möwe 3 Plättchen an."),
        ("peek", "Ann sieht sich das Plättchen an Stelle 1 an."),
        ("peek", "Ann sieht sich das Plättchen an Stelle 3 an."),
    ]
    looking = start.play("seagull")
    assert told(looking, "peek spiral") == [("peek", "You see a spiral at place 2.")]
    assert told(looking, "peek spiral", BEN) == [("peek", "Ann looks at the tile at place 2.")]
    (event,) = looking.story("peek spiral")
    assert event.shapes == ("place-2",) and event.seen_by({1, 2}).data == {"place": 2}


def test_one_of_the_tiles_is_taken() -> None:
    start = position(
        phase="pick", peeked=[*KNOWN, *peeked((2, "fan", [0]))][::2] + KNOWN[1:], seagull_used=True, looking=[1, 2, 3]
    )
    assert told(start, "take peeked 2") == [("pick", "You take the tile at place 2."), ("tile", "It is a fan.")]
    assert told(start, "take peeked 1", BEN)[:2] == [
        ("pick", "Ann takes the tile at place 1."),
        ("wave", "It is a wave!"),
    ]


def test_the_seagull_flies_by_itself_or_is_sent() -> None:
    sent = position(phase="seagull")
    assert told(sent, "seagull to 2") == [("seagull", "You send the Seagull to Cleo.")]
    assert told(sent, "seagull to 2", BEN) == [("seagull", "Ann sends the Seagull to Cleo.")]
    assert told(sent, "seagull to 1", BENNO) == [("seagull", "Ann schickt die Möwe zu dir.")]
    flies = position(**BUILDING, walls=[[], [2], []])
    assert told(flies, "pass") == [("pass", "You end your turn."), ("seagull", "The Seagull flies on to Cleo.")]
    assert told(flies, "pass", CLEO)[1] == ("seagull", "The Seagull flies on to you.")
    assert flies.story("pass")[1].shapes == ("seagull",)


@pytest.mark.parametrize(
    ("reader", "pinch", "crab"),
    [
        (ANN, "You pinch a fan from Ben with the Crab.", "The Crab crawls over to Ben."),
        (BEN, "Ann pinches a fan from you with the Crab.", "The Crab crawls over to you."),
        (CLEO, "Ann pinches a fan from Ben with the Crab.", "The Crab crawls over to Ben."),
        (BENNO, "Ann zwickt dir mit der Krabbe eine Fächermuschel weg.", "Die Krabbe krabbelt zu dir."),
    ],
)
def test_the_crab_pinches_and_moves_on(reader: Reader, pinch: str, crab: str) -> None:
    start = position(phase="build", crab=0, stashes=[{}, {"fan": 1}, {}], seagull=1)
    assert told(start, "crab 1 fan", reader)[:2] == [("pinch", pinch), ("crab", crab)]
    assert [kind for kind, _ in told(start, "crab 1 fan")][2:] == ["unable"]


# Building and the end


def test_a_wall_is_paid_for_and_built() -> None:
    stash = {"sand": 1, "seaweed": 1, "butterfly": 1, "shovel": 1}
    start = position(**BUILDING, stashes=[stash, {}, {}])
    assert told(start, "build 5") == [
        ("build", "You pay 1 sand, 1 seaweed and 1 butterfly and build a wall: 5 points.")
    ]
    assert told(start, "build 5 shovel butterfly", BEN) == [
        ("build", "Ann pays 1 sand, 1 seaweed and the shovel (for a butterfly) and builds a wall: 5 points.")
    ]
    assert told(start, "build 5", ANNE) == [
        ("build", "Du bezahlst 1 Sand, 1 Tang und 1 Schmetterlingsmuschel und baust eine Mauer: 5 Punkte.")
    ]
    assert start.story("build 5")[0].shapes == ("wall-5",)


def test_a_new_wall_ends_the_turn_and_the_round() -> None:
    start = position(2, **DRAWING | {"phase": "refill"}, seat=1, row=[1, 5, 9, 10], crab=0, walls=[[], [2]])
    assert told(start, "wall 12") == [("wall", "New wall: 10 points."), ("round", "Round 2 begins.")]


def test_the_first_castle_starts_the_final_round() -> None:
    stashes: list[dict[str, int]] = [{"sand": 1, "pebble": 1, "seaweed": 1}, {}, {}]
    start = position(**BUILDING, walls=[[2, 3, 4], [], []], stashes=stashes)
    assert told(start, "build 1")[1:] == [("final", "Your castle is finished! Everybody else has one more turn.")]
    assert told(start, "build 1", BENNO)[1:] == [
        ("final", "Die Burg von Ann ist fertig! Alle anderen haben noch einen Zug.")
    ]


def test_in_the_final_round_the_turn_goes_on_and_ends_without_a_reason() -> None:
    """Whoever has just built is not told that nothing more can be built."""
    stashes: list[dict[str, int]] = [{"sand": 1, "pebble": 1, "seaweed": 1}, {}, {}]
    start = position(**BUILDING, **FOUR, seagull=1, stashes=stashes).play("build 1")
    assert told(start, "wall 16") == [("wall", "New wall: 8 points.")]
    assert start.play("wall 16").to_json()["seat"] == 1


def test_the_last_wall_of_all_ends_the_turn_at_once() -> None:
    """With an empty stack nothing is turned up (S-R23)."""
    walls = [[2, 3, 4], [6, 7, 8, 11]]
    stashes: list[dict[str, int]] = [{"sand": 1, "pebble": 1, "seaweed": 1}, {}]
    start = position(2, phase="build", crab=1, walls=walls, final_by=1, stashes=stashes)
    assert start.to_json()["stack"] == []
    assert [kind for kind, _ in told(start, "build 1")] == ["build", "end"]


@pytest.mark.parametrize(
    ("changes", "reader", "sentence"),
    [
        ({}, ANN, "The game is over. Ben wins with 28 points. Well built all the same!"),
        ({}, BEN, "The game is over. You win with 28 points!"),
        ({}, ANNE, "Das Spiel ist aus. Ben gewinnt mit 28 Punkten. Trotzdem schön gebaut!"),
        ({}, Reader("en", frozenset(), NAMES), "The game is over. Ben wins with 28 points."),
        (
            {"stashes": [{"sand": 13}, {}]},
            BEN,
            "The game is over. You win with 28 points! The points are equal, so the number of walls decides.",
        ),
        (
            LIMIT | {"walls": [[1, 2], [3, 4]], "stashes": [{"sand": 2}, {}], "row": [5, 6, 7, 8, 9]},
            ANN,
            "The last round is over, and no castle is finished. You win with 10 points!"
            " Points and walls are equal, so the number of tiles decides.",
        ),
        (
            LIMIT,
            ANN,
            "The last round is over, and no castle is finished. Ann and Ben share the win with 0 points each.",
        ),
        (
            LIMIT,
            ANNE,
            "Die letzte Runde ist vorbei, und keine Burg ist fertig."
            " Ann und Ben teilen sich den Sieg mit je 0 Punkten.",
        ),
    ],
)
def test_the_end_says_who_has_won_and_why(changes: dict[str, Any], reader: Reader, sentence: str) -> None:
    last: dict[str, Any] = {"phase": "build", "crab": 1, "walls": [[2, 3, 7], [4, 6, 8, 12]], "final_by": 1}
    start = position(2, **(last | {"row": [1, 5, 9, 10, 11]} | changes))
    assert told(start, "pass", reader)[-1] == ("end", sentence)
    with reading(reader):
        assert start.play("pass").words().splitlines()[-1] == sentence


def test_every_kind_is_told_in_random_games() -> None:
    """What no game brings about would be no kind of event."""
    found: set[str] = set()
    chance = random.Random(5)
    for players in (2, 3, 4):
        for _ in range(6):
            now = GAME.new(players, max_rounds=30)
            while now.turn is not None:
                moves = now.moves()
                build = [move for move in moves if move.startswith("build")]
                move = chance.choice(build or moves)
                events = now.story(move)
                found |= {event.kind for event in events}
                now = events[-1].position
    assert found == set(story.KINDS)


# What can be done


def test_moves_that_could_be_made() -> None:
    start = position(peeked=KNOWN, line=["sand", "pebble"])
    moves = ("flip", "flip peeked 3", "stop", "seagull", "seagull peeked 1 3", "seagull peeked 1")
    assert described(start, *moves) == [
        "Flip a tile.",
        "Flip the tile at place 3, which Ann and Ben peeked at.",
        "Stop and put 1 sand and 1 pebble into your stash.",
        "Seagull: peek at 3 tiles and take one of them.",
        "Seagull: peek at places 1 and 3 and at other tiles, 3 in all, and take one of them.",
        "Seagull: peek at place 1 and at other tiles, 3 in all, and take one of them.",
    ]
    assert described(start, "flip peeked 3", reader=ANNE) == [
        "Deck das Plättchen an Stelle 3 auf (angesehen von Ann und Ben)."
    ]
    stash = {"sand": 1, "seaweed": 1, "butterfly": 1, "shovel": 1}
    building = position(phase="build", crab=0, stashes=[stash, {"rake": 1}, {}])
    assert described(building, "build 5 shovel butterfly", "crab 1 rake", "pass") == [
        "Build wall 5 for 5 points and pay 1 sand, 1 seaweed and the shovel (for a butterfly).",
        "Crab: pinch the rake from Ben.",
        "End your turn.",
    ]
    wave = position(phase="wave", stashes=[{"fan": 2, "sand": 1}, {}, {}], waves_out=1)
    assert described(wave, "discard fan", "keep") == ["Give back a fan.", "Keep 1 sand and 2 fans."]
    assert described(position(phase="draft", turn=1, dropped={"fan": 1}), "take fan") == ["Take a fan."]
    assert described(position(phase="seagull"), "seagull to 1") == ["Send the Seagull to Ben."]
    assert described(position(**DRAWING), "draw wave") == ["The tile is a wave."]
    assert described(GAME.new(), "wall 12") == [
        "New wall: wall 12, 10 points for 1 sand, 1 pebble, 1 fan and 1 spiral."
    ]


@pytest.mark.rules("S36")
def test_sentences_about_moves_do_not_tell_hidden_tiles() -> None:
    one = position(peeked=KNOWN, line=["sand"])
    other = position(peeked=peeked((1, "fan", [0]), (3, "wave", [0, 1])), line=["sand"])
    assert one.moves() == other.moves()
    assert described(one, *one.moves()) == described(other, *other.moves())


@pytest.mark.parametrize(
    ("changes", "task"),
    [
        ({"seagull": 1}, "Flip a tile."),
        ({}, "Flip a tile, or use the Seagull."),
        ({"line": ["sand"]}, "Flip another tile, or stop and keep your line."),
        ({"line": ["sand", "fan"]}, "Risk another flip, or stop and keep your line."),
        ({"phase": "draft", "dropped": {"fan": 2}}, "Take one of the dropped tiles."),
        (
            {"phase": "wave", "stashes": [{"sand": 6}, {}, {}], "waves_out": 1},
            "You may keep 4 tiles, so give 2 tiles back.",
        ),
        (
            {"phase": "wave", "stashes": [{"sand": 3}, {}, {}], "waves_out": 1},
            "The wave leaves you up to 4. You have 3: keep them all, or give some back.",
        ),
        (
            {"phase": "wave", "stashes": [{"sand": 1}, {}, {}], "waves_out": 1},
            "The wave leaves you up to 4. You have 1: keep it, or give it back.",
        ),
        (BUILDING, "Build a wall, or end your turn."),
        ({"phase": "build", "crab": 0}, "Build a wall, pinch a tile with the Crab, or end your turn."),
        ({"phase": "seagull"}, "Choose who gets the Seagull."),
        (DRAWING, None),
    ],
)
def test_whoever_decides_is_told_what_to_do(changes: dict[str, Any], task: str | None) -> None:
    assert position(**changes).task(0) == task


def test_keeping_all_is_an_answer_that_may_be_given_for_people() -> None:
    said = {move: GAME.story.auto_answer({}, move) for move in ("keep", "discard sand", "stop", "pass")}
    assert said == {
        "keep": "Keep all my tiles when I have 4 or fewer.",
        "discard sand": None,
        "stop": None,
        "pass": None,
    }


def test_the_position_in_words() -> None:
    middle = position(
        peeked=KNOWN,
        beach={"pebble": 2},
        waves_out=1,
        line=["sand", "seaweed"],
        stashes=[{"sand": 2}, {}, {"fan": 1}],
        walls=[[2], [], [3, 6]],
        round=4,
    )
    with reading(BEN):
        text = middle.words(1)
    assert text.splitlines()[0] == "Round 4."
    assert "Peeked at: place 1, known to Ann; place 3, fan, known to Ann and Ben." in text
    assert "Ann, 6 points: wall 2, 2 sand and the Seagull." in text
    assert "Ben, 0 points: nothing yet." in text
    assert text.splitlines()[-1] == "Ann decides next."
    with reading(ANNE):
        assert "In der Reihe: Sand und Tang." in middle.words(0)
        assert middle.words(0).splitlines()[-1] == "Du entscheidest."
