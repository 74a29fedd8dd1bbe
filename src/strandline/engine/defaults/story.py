"""A game without a story of its own: a move is one event, told by its text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strandline.engine.story import Event, Roll, Told
from strandline.engine.words import Words, seat_name, seat_names

_ = Words(__file__)

KINDS: Mapping[str, str] = {}
SOUNDS: Mapping[str, str] = {}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The engine plays the move and tells it as one event."""
    return iter(())


def sentence(event: Event) -> str:
    """The move as it is written."""
    move = event.data["move"]
    return _.who(event.who, "You play {move}.", "{name} plays {move}.", move=move) if event.who is not None else move


def roll(s: Any) -> Roll | None:
    """Nobody: chance events happen by themselves."""
    return None


def describe(s: Any, code: int) -> str | None:
    """Nothing but the text of the move."""
    return None


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """Scores, and who is to move or has won."""
    lines = [_("{name}: {score}", name=seat_name(seat), score=score) for seat, score in enumerate(scores)]
    if isinstance(view.get("turn"), int):
        lines.append(_("{name} is to move.", name=seat_name(view["turn"])))
    elif winners:
        told = {"n": len(winners), "names": seat_names(winners)}
        lines.append(_(("The game is over. Winner: {names}.", "The game is over. Winners: {names}."), **told))
    return "\n".join(lines)


def task(view: dict[str, Any]) -> str | None:
    """The list of moves says what to do."""
    return None


def warning(view: dict[str, Any], move: str) -> str | None:
    """No move gives anything up for good."""
    return None


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """The scores."""
    return [(_("Points"), [*scores])]


def auto_answer(view: dict[str, Any], move: str) -> str | None:
    """No move is one that people ask to be played for them."""
    return None
