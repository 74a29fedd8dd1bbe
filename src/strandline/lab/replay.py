"""Any row of a study as the game that was played: its moves, and the board after each of them."""

from __future__ import annotations

import base64
import difflib
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import strandline
from strandline.engine import binding
from strandline.engine.draws import block, stream, word
from strandline.engine.errors import BadOptions
from strandline.engine.position import Position
from strandline.lab import drivers, matches
from strandline.lab.rows import POLICIES
from strandline.lab.sample import Sample
from strandline.lab.study import Setting

SPLIT = re.compile(r"<[^>]*>[^<]*")
"""A tag of a picture with the text behind it."""


def moves(setting: Setting, number: int) -> list[str]:
    """The moves and outcomes of game `number` of a setting: the game whose row the study has kept."""
    codes = _compiled(setting, number) if setting.is_compiled else matches.codes(setting, number)
    return [str(setting.game.notation.write(code)) for code in codes]


def texts(sample: Sample, row: int) -> list[str]:
    """The moves and outcomes of a game of a sample."""
    return sample.texts[row] if sample.texts else moves(sample.setting, row)


def _compiled(setting: Setting, number: int) -> Iterator[int]:
    """The game that `drivers.play_one` plays, move by move, by the same compiled functions: some hints think long."""
    key, driver = stream(setting.seed, number), setting.game.compiled(drivers)
    policies = np.array([POLICIES[name] for name in setting.bots], np.int32)
    states, works = setting.start.records().copy(), np.zeros(1, binding.work(setting.game.rules))
    s, work, k = states[0], works[0], 0
    while n := driver.count(s, work):
        code = driver.nth(s, work, driver.chosen(s, work, n, number, policies, word(block(key, k >> 1), k)))
        yield int(code)
        driver.apply(s, work, code)
        k += 1


def frames(start: Position, texts: list[str]) -> str:
    """The board before the first move and after every one, each written as its changes; compressed, as base64."""
    position, before = start, list[str]()
    told: list[list[list[Any]]] = []
    for text in [None, *texts]:
        position = position if text is None else position.after(text)
        after = SPLIT.findall(position.svg())
        told.append(_changes(before, after))
        before = after
    return base64.b64encode(zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 9)).decode()


def _changes(before: list[str], after: list[str]) -> list[list[Any]]:
    """What to put in which place, from the end to the beginning, so that places stay what they are."""
    if len(before) == len(after):  # pieces that have moved: much faster than to look for insertions
        return [[i, 1, after[i]] for i in range(len(after)) if before[i] != after[i]]
    found = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[a, b - a, *after[c:d]] for kind, a, b, c, d in reversed(found) if kind != "equal"]


def sentences(start: Position, texts: list[str]) -> list[str]:
    """The game in words, a sentence a move."""
    told, position = [], start
    for text in texts:
        told.append(" ".join(event.sentence for event in position.story(text)))
        position = position.after(text)
    return told


# Studies as they are kept


def described(setting: Setting) -> dict[str, Any]:
    """A setting as JSON, with all that its games depend on."""
    box = setting.game._box_file
    return {
        "label": setting.label,
        "game": setting.game.name,
        "box": None if box is None else str(box),
        "start": setting.start.to_json(),
        "bots": list(setting.bots),
        "games": setting.games,
        "seed": setting.seed,
        "key": setting.key,
    }


def setting_of(folder: Path, label: str | None) -> Setting:
    """A setting of the study in a folder: that of the label, or the first."""
    try:
        found = json.loads((folder / "study.json").read_text(encoding="utf-8"))["settings"]
    except FileNotFoundError:
        raise BadOptions(f"There is no study in {folder}.") from None
    labels = [one["label"] for one in found]
    if label is not None and label not in labels:
        raise BadOptions(f"The study has no setting {label!r}. There are: {'; '.join(labels)}.")
    told = found[0 if label is None else labels.index(label)]
    game = strandline.game(told["game"], None if told["box"] is None else Path(told["box"]))
    setting = Setting(game.position(told["start"]), tuple(told["bots"]), told["games"], told["seed"], told["label"])
    if setting.key != told["key"]:
        raise BadOptions("The study was made by other rules or bots: its games cannot be shown any more.")
    return setting
