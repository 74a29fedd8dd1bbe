"""Games of a study played again, for what rows do not hold: how the lead went, which kinds of moves were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from strandline.engine import binding, records
from strandline.engine.game import Game
from strandline.lab import drivers, matches
from strandline.lab.rows import POLICIES
from strandline.lab.sample import Sample, Values

MOMENTS = 11
"""The lead is looked at so often in a game, from its beginning to its end."""
VERBS = 256
SEEN = 500
"""Games of a setting that are played again for a report."""


@dataclass(frozen=True)
class Again:
    """What was seen in the first games of a sample."""

    curves: Values
    """The winner's lead at each moment, a row a game: 0.5 is level, 1 as far ahead as anybody ever was in the game, 0
    as far behind. Games that nobody won have no numbers."""
    kinds: Values
    """For each verb the decisions with a choice that offered it, in which it was made, that offered nothing else."""


def look(sample: Sample, games: int) -> Again:
    """Look at the first games of a sample again."""
    some = sample.rows[:games]
    first = np.argmax(sample.winners[:games], axis=1).astype(np.int32)
    lengths = np.asarray(some["rounds"], np.int32)
    leads, kinds = np.zeros((len(some), MOMENTS), np.int32), np.zeros((VERBS, 3), np.int64)
    setting, game = sample.setting, sample.setting.game
    if setting.is_compiled and not sample.texts:
        states, works = np.zeros(2, game.rules.STATE), np.zeros(1, binding.work(game.rules))
        policies = np.array([POLICIES[name] for name in setting.bots], np.int32)
        game.compiled(drivers).look_again(
            setting.start.records(), states, works, setting.seed, 0, policies, first, lengths, leads, kinds
        )
    else:
        for row in range(len(some)):
            codes = map(game.code, sample.texts[row]) if sample.texts else matches.codes(setting, row)
            _step(sample, codes, int(first[row]), int(lengths[row]), leads[row], kinds)
    most = np.maximum(np.abs(leads).max(axis=1, keepdims=True), 1)
    curves = 0.5 + leads / most / 2
    curves[~sample.is_won[:games]] = np.nan
    return Again(curves, kinds)


def _step(sample: Sample, codes: Any, seat: int, length: int, leads: Values, kinds: Values) -> None:
    """The same for a game that no compiled driver has played."""
    game, rules = sample.setting.game, sample.setting.game.rules
    lab = game.interpreted(drivers)
    s, work, reached = records.view(sample.setting.start.records())[0], game.work(), 0
    for code in codes:
        n = rules.count(s, work)
        if rules.to_move(s) >= 0 and n > 1:
            lab.count_kinds(s, work, n, code >> 24, kinds)
        rules.apply(s, work, code)
        reached = lab.follow(s, seat, reached, length, leads)
    lab.end(s, seat, reached, leads)


def word(game: Game, verb: int) -> str:
    """What a kind of move is called."""
    verbs = getattr(game.rules, "Verb", None)
    return str(verbs(verb).name.lower().replace("_", " ")) if verbs else f"move {verb}"
