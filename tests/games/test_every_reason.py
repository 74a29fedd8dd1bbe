"""Whatever cannot be done says why: one test for all games and all their options."""

import random
import re
from collections.abc import Sequence

import pytest

import strandline
from strandline.engine import reasons
from strandline.engine.reasons import Reason
from strandline.engine.words import Reader, languages, reading
from strandline.server import pages
from support import random_positions

POSITIONS = 1000
SHAPES = 8
"""How many shapes and how many moves of each position are asked about."""
GENERAL = ("This cannot be used now. Choose something highlighted.", "That cannot be played now.")


@pytest.fixture
def rules(game: strandline.Game) -> set[str]:
    return set(re.findall(r"^- \*\*([A-Z](?:-R)?\d+)\b", pages.rules(game), re.MULTILINE))


def drawn(position: strandline.Position) -> list[str]:
    """The ids of the shapes on the board as whoever decides sees it."""
    seat = position.turn if isinstance(position.turn, int) else None
    return re.findall(r' id="([^"]+)"', re.sub(r"<defs>.*?</defs>", "", position.svg(seat), flags=re.DOTALL))


def check(position: strandline.Position, told: Sequence[Reason | None], rules: set[str]) -> None:
    """Sentences, of which each language has its own, with a rule that there is."""
    sentences = [reason.sentence for reason in told if reason]
    assert len(set(sentences)) == len(languages()), sentences
    for sentence in sentences:
        assert re.fullmatch(r"[\w„#].*[.!]", sentence), sentence
    numbers = {reason.rule for reason in told if reason}
    assert len(numbers) == 1
    if position.game.reasons.move.__module__ == f"{position.game.rules.__name__.removesuffix('.rules')}.reasons":
        assert sentences[0] not in GENERAL
        assert not rules or numbers <= rules | {None}


def told_to_all(ask: str, position: strandline.Position, what: str, chosen: Sequence[str] = ()) -> list[Reason | None]:
    found = []
    for language in languages():
        with reading(Reader(language, frozenset(), ("Ann", "Ben", "Cleo", "Dora", "Emil"))):
            found.append(position.why_not(what) if ask == "move" else reasons.of_shape(position, what, chosen, None))
    return found


def test_every_shape_that_cannot_be_used_says_why_and_no_other_does(game: strandline.Game, rules: set[str]) -> None:
    rng = random.Random(11)
    for position in random_positions(game, rng, POSITIONS):
        paths = reasons.click_paths(position)
        path = rng.choice(paths) if paths else []
        chosen = path[: rng.randrange(len(path))] if path else []
        usable = {way[0] for way in paths} | set(chosen)
        usable |= {way[len(chosen)] for way in paths if way[: len(chosen)] == chosen and len(way) > len(chosen)}
        longer = [way for way in paths if len(way) > 1]
        if len({way[0] for way in longer}) == 1:  # nobody needs to choose the only piece that can move
            usable |= {way[1] for way in longer}
        shapes = drawn(position)
        for shape in rng.sample(shapes, min(SHAPES, len(shapes))):
            told = told_to_all("shape", position, shape, chosen)
            if shape in usable:
                assert told == [None] * len(told), (shape, chosen)
            else:
                check(position, told, rules)


def test_every_move_of_another_position_says_why_it_is_refused(game: strandline.Game, rules: set[str]) -> None:
    rng = random.Random(12)
    known: list[str] = []
    for position in random_positions(game, rng, POSITIONS):
        moves = position.moves()
        for move in rng.sample(known, min(SHAPES, len(known))):
            told = told_to_all("move", position, move)
            if move in moves and position.turn != "chance":
                assert told == [None] * len(told), move
            else:
                check(position, told, rules)
        known = list(dict.fromkeys([*known, *moves]))


def test_who_is_not_on_hears_whose_turn_it_is(game: strandline.Game) -> None:
    for position in random_positions(game, random.Random(13), 60):
        turn = position.turn
        others = [seat for seat in range(position.players) if seat != turn]
        if not isinstance(turn, int) or not others:
            continue
        with reading(Reader(names=("Ann", "Ben", "Cleo", "Dora", "Emil"))):
            name = ("Ann", "Ben", "Cleo", "Dora", "Emil")[turn]
            assert position.why_not(position.moves()[0], seat=others[0]) == Reason(f"It is {name}’s turn.")
            assert position.why(drawn(position)[0], seat=others[0]) == Reason(f"It is {name}’s turn.")


def test_nonsense_is_answered_in_general(game: strandline.Game) -> None:
    position = game.new()
    nonsense = position.why_not("castle kingside")
    assert nonsense and nonsense.sentence == "That is not a move of this game."
    for shape in ("", "boat", "boat-9-9", "swimmer-x-1", "tile", "space-0", "stash-7-gold", '"><script>'):
        found = position.why(shape)
        assert found and found.sentence == "There is nothing like that on the board."
    assert position.why(drawn(position)[0], chosen=["no", "such", "path"]) == position.why(drawn(position)[0])
