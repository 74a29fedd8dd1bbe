"""Undertow in text, JSON and sentences."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation

from .box import FAMILY, LANES, LARGEST_FAMILY
from .rules import BEACH, DAYS, LEFT, NOT_PLACED, RIGHT, Phase, Verb

SWIMMER = f"{{1-{LARGEST_FAMILY}}}"
MOVES = Notation(
    {
        Verb.ROLL: "roll {1-6}",
        Verb.DICE: "roll {1-6} {1-6} {1-6}",
        Verb.PLACE: f"place {SWIMMER} {{1-{LANES}}}",
        Verb.SAVE: f"save {SWIMMER}",
        Verb.RECALL: f"recall {SWIMMER}",
        Verb.UNDERTOW: "undertow",
        Verb.OUT: f"out {SWIMMER}",
        Verb.IN: f"in {SWIMMER}",
        Verb.LEFT: f"left {SWIMMER}",
        Verb.RIGHT: f"right {SWIMMER}",
        Verb.WEAKEN: f"weaken {SWIMMER}",
        Verb.STRENGTHEN: f"strengthen {SWIMMER}",
        Verb.STOP: "stop",
    }
)
write = MOVES.write
read = MOVES.read
