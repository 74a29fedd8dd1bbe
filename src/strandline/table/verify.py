"""Was chance fair? Every outcome of a record is derived again from its revealed seed."""

import hmac
from dataclasses import dataclass
from typing import Any, Literal

from strandline.engine.errors import IllegalMove
from strandline.table import dice
from strandline.table.record import HIDDEN, BadRecord, Document, Record, from_json

SHOWN = 5
"""How many wrong outcomes are named one by one."""


@dataclass(frozen=True)
class Report:
    """What was found: a verdict and the reasons for it, in sentences."""

    verdict: Literal["passed", "failed", "open"]
    findings: list[str]


def verify(value: Any) -> Report:
    """Check a record, as JSON, from its first line to its last."""
    try:
        document = from_json(value)
    except BadRecord as error:
        return Report("failed", [f"This is not a whole record: {error}"])
    return _open(document) if document.seed is None else _closed(document, document.seed)


def _open(document: Document) -> Report:
    """Without the seed only the moves can be checked, up to the first hidden one."""
    record = Record(document.header)
    for number, line in enumerate(document.lines, 1):
        if line.text == HIDDEN:
            break
        try:
            record.append(line)
        except (IllegalMove, BadRecord) as error:
            return Report("failed", [f"Line {number} breaks the rules: {error}"])
    if record.over:
        return Report("failed", ["The game is over, but the record does not reveal the seed."])
    return Report("open", ["The game is not over, so the seed is still secret: the dice can be checked at the end."])


def _closed(document: Document, seed: bytes) -> Report:
    header = document.header
    if not hmac.compare_digest(dice.commitment(seed), header.commitment):
        return Report("failed", ["The seed does not fit the commitment that was published before the first roll."])
    findings = ["The seed fits the commitment that was published before the first roll."]
    record = Record(header)
    wrong: list[str] = []
    events = 0
    for number, line in enumerate(document.lines, 1):
        if line.by == "chance" and record.position.turn == "chance":
            events += 1
            due = dice.outcome(seed, header.table, record.number, record.sum, record.position)
            if due != line.text:
                wrong.append(f"Line {number} says {line.text!r}, but the seed gives {due!r}.")
        try:
            record.append(line)
        except (IllegalMove, BadRecord) as error:
            return Report("failed", [*findings, *wrong[:SHOWN], f"Line {number} breaks the rules: {error}"])
    findings += _events(events, wrong)
    sealed = document.seal is not None and hmac.compare_digest(
        document.seal, dice.seal(seed, header.table, record.number, record.sum)
    )
    findings.append("The seal fits: no line was changed, added or left out." if sealed else "The seal does not fit.")
    if not record.over:
        findings.append("The game is not over, and yet the seed is revealed: lines are missing.")
    return Report("passed" if sealed and not wrong and record.over else "failed", findings)


def _events(events: int, wrong: list[str]) -> list[str]:
    if not wrong:
        return [f"All {events} chance events were derived again from the seed, and all are right."]
    more = [f"And {len(wrong) - SHOWN} more."] if len(wrong) > SHOWN else []
    return [f"{len(wrong)} of {events} chance events are not what the seed gives.", *wrong[:SHOWN], *more]
