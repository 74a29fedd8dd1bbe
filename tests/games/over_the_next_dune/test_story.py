"""Over the Next Dune, told: every kind of event, in both languages."""

import random
from itertools import pairwise

import pytest

import strandline
from games.over_the_next_dune.positions import GAME, at, planned, planned_games
from strandline.engine.story import Event
from strandline.engine.words import Reader, reading

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")
ENGLISH = Reader("en", frozenset({0}), NAMES)
GERMAN = Reader("de", frozenset({0}), NAMES)
FAR = {1: (20, 20)}
"""A token that nobody meets."""


def told(position: strandline.Position, *moves: str, reader: Reader = ENGLISH) -> list[tuple[str, str]]:
    """The story of the last of some moves."""
    *before, last = moves
    for move in before:
        position = position.play(move)
    with reading(reader):
        return [(event.kind, event.sentence) for event in position.story(last)]


def sentences(position: strandline.Position, *moves: str, reader: Reader = ENGLISH) -> list[str]:
    return [sentence for _, sentence in told(position, *moves, reader=reader)]


def kinds(position: strandline.Position, move: str) -> list[str]:
    return [event.kind for event in position.story(move)]


def test_set_up() -> None:
    start = GAME.new(players=1)
    assert told(start, "terrain 3") == [("terrain", "Area 1 gets a piece of rough ground.")]
    assert told(start, "terrain 3", "at 2 5") == [("lay", "The dice show row 2, column 5 of area 1.")]
    assert start.play("terrain 3").story("at 2 5")[0].data["dice"] == [2, 5]
    moves = [move for area in range(1, 7) for move in (f"terrain {area}", "at 3 3")]
    assert told(start, *moves, "searcher 7 14") == [("searcher", "Searcher 1 takes up its post.")]
    assert told(start, *moves, "searcher 7 14", "facing 6") == [("facing", "Searcher 1 faces up right.")]
    moves += [move for _ in range(5) for move in ("searcher 7 14", "facing 6")]
    assert told(start, *moves, "searcher 7 14", "facing 3", reader=GERMAN) == [
        ("facing", "Suchtrupp 6 blickt nach links."),
        ("turn", "Runde 1 beginnt. Die Suchtrupps fahren los."),
    ]


def test_a_search_move_is_a_card_and_a_drive() -> None:
    position = at("search", FAR, {1: ((10, 10), 5)})
    assert told(position, "card straight") == [
        ("card", "Searcher 1 draws a card: straight ahead."),
        ("search", "Searcher 1 drives 6 squares."),
    ]
    assert told(position, "card left", reader=GERMAN) == [
        ("card", "Suchtrupp 1 zieht eine Karte: links abbiegen."),
        ("search", "Suchtrupp 1 fährt 6 Felder weit."),
    ]
    card, drive = position.story("card right")
    assert card.data["drawn"] == ["right"] and not card.shapes
    assert card.position.to_json()["deck"]["right"] == position.to_json()["deck"]["right"] - 1
    assert card.position.to_json()["searchers"] == position.to_json()["searchers"]
    assert drive.shapes == ("searcher-1", "number-1")


def test_every_bounce_is_an_event() -> None:
    """Example 2 of the rule page, and a searcher that stands at the edge already."""
    position = at("search", FAR, {1: ((4, 3), 4)})
    story = position.story("card straight")
    assert [event.kind for event in story] == ["card", "search", "bounce", "bounce"]
    assert [event.position.to_json()["searchers"][0]["at"] for event in story] == [[4, 3], [3, 2], [2, 3], [6, 7]]
    assert [event.position.to_json()["searchers"][0]["facing"] for event in story] == [4, 4, 6, 8]
    assert sentences(position, "card straight")[1:] == [
        "Searcher 1 drives 1 square.",
        "Searcher 1 bounces off the edge and drives 1 square.",
        "Searcher 1 bounces off the edge and drives 4 squares.",
    ]
    assert kinds(at("search", FAR, {1: ((10, 2), 3)}), "card straight") == ["card", "bounce"]


def test_trails_are_found_and_followed() -> None:
    """Example 3 of the rule page; then one that is found with the last step."""
    position = at("search", FAR, {1: ((14, 4), 5)}, markers=[[12, 3, 7], [12, 5, 8]])
    assert told(position, "card straight")[1:] == [
        ("search", "Searcher 1 drives 1 square."),
        ("trail", "Searcher 1 finds a trail and follows it for 5 squares."),
    ]
    last = at("search", FAR, {1: ((14, 4), 5)}, markers=[[7, 3, 7]])
    assert told(last, "card straight", reader=GERMAN)[1:] == [
        ("search", "Suchtrupp 1 fährt 6 Felder weit."),
        ("trail", "Suchtrupp 1 findet eine Spur und dreht sich in ihre Richtung."),
    ]
    into_the_edge = at("search", FAR, {1: ((14, 3), 5)}, markers=[[12, 3, 3]])
    story = into_the_edge.story("card straight")
    assert [event.kind for event in story] == ["card", "search", "trail", "bounce"]
    assert [event.data.get("steps") for event in story] == [None, 1, 1, 4]


def test_a_catch_ends_the_drive_and_captives_ride_along() -> None:
    """Examples 4 and 5 of the rule page."""
    position = at("search", {1: (9, 5), 2: (10, 5)}, {1: ((10, 8), 3)}, players=2)
    assert told(position, "card straight")[1:] == [
        ("search", "Searcher 1 drives 2 squares."),
        ("catch", "Searcher 1 catches your token 1 and Ben’s token 2!"),
    ]
    assert position.story("card straight")[-1].shapes == ("token-1", "token-2")
    carrier = at("search", FAR, {1: ((9, 9), 5)}, {1: [2, 3]})
    assert carrier.story("card straight")[-1].shapes == ("searcher-1", "number-1", "token-2", "token-3")
    camp = at("search", {1: (20, 6)}, {1: ((15, 6), 1)})
    assert told(camp, "card straight")[1:] == [
        ("search", "Searcher 1 drives 4 squares."),
        ("catch", "Searcher 1 catches your token 1!"),
        ("end", "The captives are in the camp, and the game is lost. 4 of 5 were home."),
    ]


def test_after_the_sixth_searcher_the_squad_sneaks() -> None:
    assert told(at("search", FAR, searching=6), "card straight")[-1] == (
        "sneak",
        "All searchers have moved. Now the squad sneaks.",
    )
    nobody = at("search", {}, {1: ((9, 9), 1)}, {1: [1]}, searching=6, round=9)
    assert told(nobody, "card right")[-2:] == [
        ("nobody", "Nobody is free, so nobody can sneak."),
        ("turn", "The last turn before sunrise begins. The searchers set out."),
    ]
    around = {1: (7, 9), 2: (11, 9), 3: (9, 7)}
    due = at("search", around, {1: ((9, 9), 1)}, {1: [4, 5]}, players=2, searching=6)
    assert told(due, "card straight")[-2:] == [
        ("sneak", "All searchers have moved. Now the squad sneaks."),
        ("rescue", "Searcher 1 is surrounded and must let Ben’s token 4 and your token 5 go!"),
    ]


def test_turn_order_cards() -> None:
    """Example 12 of the rule page, where seat 0 must take card 1."""
    tokens = {1: (20, 2), 3: (18, 10), 5: (18, 18)}
    position = at("order", tokens, {6: ((6, 10), 1)}, {6: [4]}, players=3, first=1)
    assert told(position, "order 4") == [("order", "Ben takes card 4 for token 5.")]
    assert told(position, "order 4", "order 2", "order 1") == [
        ("order", "You take card 1 for token 1."),
        ("first", "You are the first player now."),
        ("mover", "Your token 1 moves next."),
    ]
    ben = Reader("de", frozenset({1}), NAMES)
    assert told(position, "order 4", "order 2", "order 1", reader=ben) == [
        ("order", "Ann nimmt Karte 1 für Figur 1."),
        ("first", "Ab jetzt beginnt Ann."),
        ("mover", "Figur 1 von Ann zieht als Nächste."),
    ]


def test_steps_over_rough_ground_and_with_a_trail() -> None:
    position = at("sneak", {1: (10, 2), 2: (15, 10)}, players=1)
    assert told(position, "move 2 ne") == [("step", "You move token 2 up right.")]
    assert told(position, "move 1 ne") == [("step", "You move token 1 up right, onto rough ground. It leaves a trail.")]
    assert told(position, "move 1 ne", reader=GERMAN) == [
        ("step", "Du ziehst Figur 1 nach rechts oben, ins Geröll. Sie hinterlässt eine Spur.")
    ]
    guest = Reader("en", frozenset(), NAMES)
    assert told(position, "move 2 n", reader=guest) == [("step", "Ann moves token 2 up.")]


def test_searchers_notice_follow_and_find_trails() -> None:
    position = at("sneak", {1: (14, 10), 2: (20, 2)}, {5: ((11, 10), 3)}, mover=(1, 5))
    assert told(position, "move 1 n") == [
        ("step", "You move token 1 up."),
        ("notice", "Searcher 5 notices your token 1 and will follow."),
    ]
    assert told(position, "move 1 n", "move 1 e") == [
        ("step", "You move token 1 right."),
        ("follow", "Searcher 5 follows token 1."),
    ]
    trail = at("sneak", {1: (12, 3), 2: (20, 20)}, {5: ((14, 3), 7)}, mover=(1, 5))
    assert told(trail, "move 1 n")[1:] == [
        ("follow", "Searcher 5 follows token 1."),
        ("trail", "Searcher 5 finds a trail and turns that way."),
    ]


def test_at_the_edge_a_searcher_cannot_follow() -> None:
    """Example 7 of the rule page."""
    position = at("sneak", {1: (20, 4), 2: (12, 18)}, {1: ((18, 2), 7)}, mover=(1, 5))
    assert told(position, "move 1 w")[1:] == [("edge", "Searcher 1 is at the edge and cannot follow.")]
    assert told(position, "move 1 w", reader=GERMAN)[1:] == [
        ("edge", "Suchtrupp 1 steht am Rand und kann nicht nachfahren.")
    ]


def test_a_follower_catches_a_friend_and_may_lose_the_game() -> None:
    """Examples 9 and 14 of the rule page."""
    friend = at("sneak", {1: (14, 10), 2: (17, 13), 3: (20, 2)}, {4: ((16, 11), 1)}, players=5, mover=(1, 5),
                cards=[1, 2, 3, None, None])  # fmt: skip
    assert told(friend, "move 1 e") == [
        ("step", "You move token 1 right."),
        ("follow", "Searcher 4 follows token 1."),
        ("catch", "Searcher 4 catches Ben’s token 2!"),
    ]
    lost = at("sneak", {1: (18, 8), 3: (12, 14)}, {5: ((18, 10), 1), 6: ((17, 6), 1)}, {5: [2]}, mover=(1, 5))
    assert kinds(lost, "move 1 s") == ["step", "follow", "end"]
    assert lost.story("move 1 s")[1].shapes == ("searcher-5", "number-5", "token-2")


def test_a_movement_ends_and_the_next_token_moves() -> None:
    cards = {"players": 2, "cards": [1, 2, None, None, None]}
    position = at("sneak", {1: (14, 10), 2: (16, 3)}, {5: ((18, 3), 3)}, mover=(1, 1), **cards)
    next_one = [
        ("mover", "Ben’s token 2 moves next."),
        ("notice", "Searcher 5 notices Ben’s token 2 and will follow."),
    ]
    assert told(position, "stop") == [("stop", "Your token 1 stops."), *next_one]
    assert told(position, "move 1 n")[1:] == [("spent", "Your token 1 has no points left."), *next_one]
    driven = at("sneak", {1: (20, 19), 2: (19, 20)}, {5: ((19, 17), 3)}, mover=(1, 5))
    assert told(driven, "move 1 e")[1:] == [
        ("follow", "Searcher 5 follows token 1."),
        ("trail", "Searcher 5 finds a trail and turns that way."),
        ("spent", "Your token 1 can go no further."),
    ]


def test_a_token_that_is_shut_in_loses_its_movement() -> None:
    corner = {1: (20, 1), 2: (20, 2), 3: (19, 1), 4: (19, 2)}
    together = at("sneak", corner, players=4, mover=(2, 5), cards=[2, 1, 3, 4, None])
    assert told(together, "stop", reader=GERMAN) == [
        ("stop", "Figur 2 von Ben hält an."),
        ("stuck", "Deine Figur 1 ist eingeschlossen und kann nicht ziehen."),
        ("mover", "Figur 3 von Cleo zieht als Nächste."),
    ]
    alone = at("sneak", corner, mover=(4, 1), moved=[2, 3])
    assert told(alone, "stop") == [
        ("stop", "Your token 4 stops."),
        ("stuck", "Your token 1 is shut in and cannot move."),
        ("turn", "Turn 3 begins. The searchers set out."),
    ]


def test_home_and_the_end_of_the_night() -> None:
    position = at("sneak", {1: (1, 7), 2: (9, 9)}, round=10)
    assert told(position, "move 1 n") == [("away", "You bring token 1 home!")]
    assert told(position, "done") == [
        ("done", "You stop sneaking for this turn."),
        ("end", "The sun rises. Caught at dawn! 3 of 5 were home."),
    ]
    last = at("sneak", {1: (1, 7)}, players=2, mover=(1, 5), cards=[1, None, None, None, None])
    assert told(last, "move 1 n") == [
        ("away", "You bring token 1 home!"),
        ("end", "The whole squad is home before sunrise. You have won together!"),
    ]
    assert last.story("move 1 n")[0].position.to_json()["reason"] is None, "the end is told after the last step"


@pytest.mark.parametrize(
    ("home", "said"), [(0, "Nobody was home yet."), (1, "1 of 5 was home."), (3, "3 of 5 were home.")]
)
def test_a_loss_says_how_many_were_home(home: int, said: str) -> None:
    tokens = {token: (15, 2 * token) for token in range(1, 6 - home)}
    assert sentences(at("sneak", tokens, round=10), "done")[-1] == f"The sun rises. Caught at dawn! {said}"


def test_hopeless() -> None:
    position = at("search", {1: (9, 5), 2: (9, 18), 3: (12, 18)}, {1: ((10, 8), 3)}, hopeless_ends=True)
    assert told(position, "card straight", reader=GERMAN)[-1] == (
        "end",
        "Zu wenige sind noch frei, um die Gefangenen zu retten: Das Spiel ist verloren. 2 von 5 waren schon daheim.",
    )


def test_rescues() -> None:
    """Example 10 of the rule page."""
    position = at("sneak", {1: (16, 9), 2: (20, 10), 3: (19, 6)}, {2: ((18, 9), 1)}, {2: [5]}, mover=(3, 4), moved=[1])
    assert told(position, "move 3 e")[-1] == ("rescue", "Searcher 2 is surrounded and must let your token 5 go!")
    assert told(position, "move 3 e", "drop 5 16 7") == [("drop", "You put token 5 down beside searcher 2.")]
    assert position.play("move 3 e").story("drop 5 16 7")[0].shapes == ("token-5",)


def test_without_room_a_captive_stays_caught() -> None:
    """Two captives of a searcher in the corner, and one open square beside it."""
    tokens = {1: (1, 4), 2: (2, 4), 3: (3, 4)}
    position = at("drop", tokens, {1: ((2, 2), 1), 2: ((5, 2), 1)}, {1: [4, 5]}, players=2, rescue=1)
    assert told(position, "drop 5 4 4") == [
        ("drop", "You put token 5 down beside searcher 1."),
        ("crammed", "There is no more room around searcher 1, which keeps Ben’s token 4."),
    ]


def test_moves_that_could_be_made() -> None:
    position = at("sneak", {1: (14, 10), 2: (17, 13), 3: (20, 2)}, {4: ((16, 11), 1)}, mover=(1, 5))
    with reading(ENGLISH):
        assert position.describe("move 1 e") == (
            "Move token 1 right. Searcher 4 follows token 1. Searcher 4 catches your token 2!"
        )
        assert position.describe("stop") == "Stop here with token 1."
        assert at("sneak", {1: (1, 7), 2: (9, 9)}).describe("move 1 n") == "Bring token 1 home."
        assert at("sneak", FAR).describe("done") == "Stop sneaking for this turn."
        assert at("order", FAR, players=2).describe("order 1") == "Take card 1 for token 1."
        assert at("search", FAR, {1: ((10, 10), 5)}).describe("card left") == (
            "Searcher 1 draws a card: turn left. Searcher 1 drives 6 squares."
        )
    around = {1: (16, 9), 2: (20, 10), 3: (19, 7)}
    freed = at("drop", around, {2: ((18, 9), 1)}, {2: [5]}, mover=(3, 3), rescue=2)
    assert freed.describe("drop 5 16 7") == "Put token 5 down at row 16, column 7."


def test_what_a_move_leads_to_is_told_beforehand() -> None:
    rng = random.Random(3)
    seen = dict.fromkeys(("catch", "rescue", "end"), 0)
    for position in planned_games(rng, 40):
        for move in rng.sample(position.moves(), min(2, len(position.moves()))):
            sentence = position.describe(move)
            for event in position.story(move):
                if event.kind in seen:
                    seen[event.kind] += 1
                    assert event.sentence in sentence
    assert all(seen.values()), seen


def test_the_task() -> None:
    assert at("sneak", FAR).task() == "Choose a token to move."
    assert at("sneak", FAR, mover=(1, 1)).task() == "Move token 1, or stop: 1 point left."
    assert at("order", FAR, players=2).task() == "Choose a turn-order card for token 1."
    around = {1: (16, 9), 2: (20, 10), 3: (19, 7)}
    freed = at("drop", around, {2: ((18, 9), 1)}, {2: [5]}, mover=(3, 3), rescue=2)
    with reading(GERMAN):
        assert freed.task() == "Wähle ein Feld für Figur 5."
    assert at("search", FAR).task() is None


def test_ending_the_sneak_phase_counts_the_tokens() -> None:
    tokens = [{"state": "free"}] * 4 + [{"state": "away"}]
    said = "not moved yet. End the sneak phase?"
    assert GAME.story.warning({"tokens": tokens, "moved": [1, 2]}, "done") == f"2 tokens have {said}"
    assert GAME.story.warning({"tokens": tokens, "moved": [1, 2, 4]}, "done") == f"1 token has {said}"
    assert GAME.story.warning({"tokens": tokens, "moved": []}, "stop") is None


def test_the_position_in_words() -> None:
    position = at("sneak", {1: (16, 9), 2: (20, 10)}, {2: ((18, 14), 1)}, {2: [5]}, players=2, mover=(1, 3),
                  cards=[1, 2, None, None, None], markers=[[20, 3, 7]])  # fmt: skip
    with reading(ENGLISH):
        lines = position.words().splitlines()
    assert lines[:7] == [
        "Turn 2 of 10",
        "First player: Ann.",
        "Your token 1: row 16, column 9. It has turn-order card 1.",
        "Ben’s token 2: row 20, column 10. It has turn-order card 2.",
        "Your token 3: home.",
        "Ben’s token 4: home.",
        "Your token 5: caught by searcher 2.",
    ]
    assert "Searcher 2: row 18, column 14, facing down." in lines
    assert "Trail at row 20, column 3: right." in lines
    assert "Rough ground in row 4: columns 8, 9, 10, 11, 12, 17, 18." in lines
    assert lines[-1] == "You move token 1: 3 points left."


def test_in_stories_pieces_go_straight_and_all_that_moved_is_named() -> None:
    """Between two events of a move, whatever changes its place is among the shapes that move, along a line."""
    rng = random.Random(6)
    for position in planned_games(rng, 12):
        if position.turn is None:
            continue
        start = Event("", None, {}, (), position)
        for before, event in pairwise([start, *position.story(planned(position, rng))]):
            old, new = before.position.to_json(), event.position.to_json()
            for number, (was, now) in enumerate(zip(old["searchers"], new["searchers"], strict=False), 1):
                down, right = (abs(a - b) for a, b in zip(was["at"], now["at"], strict=True))
                assert down == right or 0 in (down, right), event.kind
                assert (f"searcher-{number}" in event.shapes) or not (down or right), event.kind
            for number, (token, then) in enumerate(zip(old["tokens"], new["tokens"], strict=True), 1):
                assert token == then or f"token-{number}" in event.shapes, event.kind
