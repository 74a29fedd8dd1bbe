"""A game in a plain terminal: the position in words, the moves with numbers."""

import secrets
from collections.abc import Sequence

import strandline
from strandline import guides
from strandline.bots import Bot, bot
from strandline.engine.words import Reader, reading, seat_name

HELP = "Type a move's number, or the move as the rules write it; ? shows how to play, q leaves."


def choose_game() -> str | None:
    """Ask which game to play; None when nobody wants to."""
    names = strandline.games()
    for number, name in enumerate(names, 1):
        game = strandline.game(name)
        print(f"{number}. {game.title}: {game.facts.tagline}")
    while True:
        answer = _ask("Which game? ")
        if answer is None:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        if answer in names:
            return answer
        print(f"Please type a number from 1 to {len(names)}, or a name such as {names[0]}.")


def play(position: strandline.Position, bots: Sequence[str] = ()) -> None:
    """Play from `position` to the end; these bots have the last seats. Chance is the system's own."""
    people = position.players - len(bots)
    names = tuple(f"Player {seat + 1}" for seat in range(position.players))
    with reading(Reader(names=names, seats=frozenset({0}) if people == 1 else frozenset())):
        _play(position, people, [bot(name, position.game) for name in bots])


def _play(position: strandline.Position, people: int, bots: Sequence[Bot]) -> None:
    chance = secrets.SystemRandom()
    print(f"{position.game.title}. {HELP}")
    move: str | None
    while position.turn is not None:
        seat = position.turn
        if seat == "chance":
            tapped = _tapped(position, people)
            move = chance.choices(position.moves(), position.odds())[0] if tapped else None
        elif seat >= people:
            move = bots[seat - people].choose(position, seat, chance.getrandbits(32))
        else:
            move = _decision(position, seat)
        if move is None:
            print("Goodbye.")
            return
        for event in position.story(move):
            print(f"  {event.seen_by(range(people)).sentence}")
        position = position.play(move)
    print(f"\n{position.words()}")


def _tapped(position: strandline.Position, people: int) -> bool:
    """Whether the roll may go ahead: people press Enter first; False to leave."""
    roll = position.roll()
    if roll is None or roll.seat >= people:
        return True
    while answer := _ask(f"{seat_name(roll.seat)}: {roll.label} (Enter). "):
        print(
            guides.plain(position.game.guide) if answer == "?" else "Press Enter alone; ? shows how to play, q leaves."
        )
    return answer is not None


def _decision(position: strandline.Position, seat: int) -> str | None:
    """The move that the person at `seat` chooses; None to leave."""
    print(f"\n{position.words(seat)}\n{position.task(seat) or ''}\n")
    moves = position.moves()
    for number, move in enumerate(moves, 1):
        print(f"{number:4}. {position.describe(move)}")
    while True:
        answer = _ask(f"{seat_name(seat)}, your move? ")
        if answer in moves or answer is None:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        print(_reply(position, answer))


def _reply(position: strandline.Position, answer: str) -> str:
    """What is said to an answer that is not a legal move."""
    if answer == "?":
        return guides.plain(position.game.guide)
    reason = position.why_not(answer)
    if reason and reason.rule:
        return f"{reason.sentence} ({reason.rule})"
    number = len(position.moves())
    there = f"they have numbers from 1 to {number}" if number > 1 else "the only one is 1"
    return f"There is no such move: {there}. {HELP}"


def _ask(question: str) -> str | None:
    """What the person types; None for q or the end of the input."""
    try:
        answer = " ".join(input(question).split())
    except EOFError:
        print()
        return None
    return None if answer.lower() in ("q", "quit", "exit") else answer
