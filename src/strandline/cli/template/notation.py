"""Game Title in text and JSON."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation

from .rules import Phase, Verb

MOVES = Notation({Verb.ROLL: "roll {1-6}", Verb.AGAIN: "again", Verb.STOP: "stop"})
write = MOVES.write
read = MOVES.read

FIELDS = ("phase", "turn", "player", "die", "round", "turn_points", "scores")
PHASES = tuple(phase.name.lower() for phase in Phase)
MOST_POINTS = 10_000


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    turns = {Phase.ROLL: "chance", Phase.CHOOSE: s.player, Phase.END: None}
    return {
        "phase": PHASES[s.phase],
        "turn": turns[s.phase],
        "player": s.player,
        "die": s.die or None,
        "round": s.round,
        "turn_points": s.turn_points,
        "scores": list(s.scores[: s.players]),
    }


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in; what can be told from other fields is compared afterwards by the engine."""
    fields = checks.fields(value, FIELDS, "The position")
    s.phase = PHASES.index(checks.word(fields["phase"], PHASES, "phase"))
    s.player = checks.whole(fields["player"], 0, s.players - 1, "player")
    s.round = checks.whole(fields["round"], 1, 2**31 - 1, "round")
    s.turn_points = checks.whole(fields["turn_points"], 0, MOST_POINTS, "turn_points")
    scores = checks.items(fields["scores"], s.players, s.players, "scores")
    for seat, points in enumerate(scores):
        s.scores[seat] = checks.whole(points, 0, MOST_POINTS, f"scores[{seat}]")
    if s.phase == Phase.CHOOSE:
        s.die = checks.whole(fields["die"], 2, 6, "die")
    over = [seat for seat in range(s.players) if s.scores[seat] >= s.goal]
    if over != ([s.player] if s.phase == Phase.END else []):
        raise checks.Flaw("The game is over when the player has reached the goal, and nobody else has.")
    if (s.turn_points >= max(s.die, 2)) != (s.phase == Phase.CHOOSE) and not (s.phase == Phase.ROLL and s.turn_points):
        raise checks.Flaw("The points of the turn do not go with what the game waits for.")
