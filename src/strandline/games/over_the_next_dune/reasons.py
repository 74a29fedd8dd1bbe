"""Over the Next Dune: why a token, a square or a card cannot be chosen, or a move not made."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.vocabulary import CHANCE, first, second, third, verb
from strandline.engine.words import Words, seat_name

from . import rules
from .box import COLUMNS, OWNER, POINTS, RESCUERS, ROWS, SEARCHERS, TOKENS
from .rules import DOWN, RIGHT, Phase, Verb

_ = Words(__file__)


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """Tokens, squares and cards say what holds them back; all else says what it is."""
    match name.split("-"):
        case ["token", token]:
            return _of_turn(s) or _of_phase(s, Verb.MOVE) or _token(s, int(token))
        case ["square", row, column]:
            return _of_turn(s) or _goal(s, int(row), int(column), chosen)
        case ["exit", column]:
            return _of_turn(s) or _goal(s, 0, int(column), chosen)
        case ["order", card]:
            return _of_turn(s) or _of_phase(s, Verb.ORDER) or _card(s, int(card))
        case ["searcher" | "number", number]:
            return _searcher(int(number))
        case ["deck", _kind]:
            return Reason(_("The searchers draw these cards, one each, before the squad sneaks."), "D14")
        case ["terrain", _area]:
            return Reason(_("Rough ground: it costs one point more to enter."), "D34")
        case ["moon"]:
            return Reason(_("The sun rises after turn {last}. This is turn {n}.", n=s.round, last=s.turns), "D65")
        case ["points"]:
            return Reason(_("Token {token} has these points left. Choose a square.", token=s.mover), "D29")
    return None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The phase says what is done now; then it is up to the token."""
    what = verb(code)
    if reason := _of_turn(s) or _of_phase(s, what):
        return reason
    match what:
        case Verb.DROP:
            return _drop(s, first(code), second(code), third(code))
        case Verb.ORDER:
            return _card(s, first(code))
        case Verb.MOVE:
            return _move(s, first(code), second(code))
        case Verb.STOP:
            return Reason(_("No token is on its way, so there is nothing to stop."), "D29")
        case Verb.DONE if s.mover:
            return Reason(_("Token {token} is on its way. Let it stop first.", token=s.mover), "D28")
    return None


# Whose turn, which phase


def _of_turn(s: Any) -> Reason | None:
    """While chance is on, the set-up or the searchers come first."""
    if rules.to_move(s) != CHANCE:
        return None
    if s.phase == Phase.SEARCH:
        return Reason(_("The searchers move first. Searcher {n} draws a card.", n=s.searching), "D24")
    if s.phase in (Phase.TERRAIN, Phase.TERRAIN_AT):
        return Reason(_("The rough ground is laid out first."), "D4")
    return Reason(_("The searchers are put on the battlefield first."), "D9")


def _of_phase(s: Any, what: int) -> Reason | None:
    """What is done in this phase, if it is not this."""
    if what < Verb.DROP:
        return Reason(_("The searchers have moved. Now it is the squad’s turn."), "D24")
    if s.phase == Phase.DROP and what != Verb.DROP:
        said = _("Token {token} is free again. Choose a square for it first.", token=rules.captive(s))
        return Reason(said, "D52")
    if s.phase in (Phase.ORDER, Phase.LATE_ORDER) and what != Verb.ORDER:
        rule = "D25" if s.phase == Phase.ORDER else "D53"
        return Reason(_("Token {token} takes a turn-order card first.", token=rules.chooser(s)), rule)
    if s.phase == Phase.SNEAK and what == Verb.DROP:
        return Reason(_("Nobody is being freed: that takes {n} tokens beside a searcher.", n=RESCUERS), "D50")
    if s.phase == Phase.SNEAK and what == Verb.ORDER:
        if s.players == 1:
            return Reason(_("A player alone needs no turn-order cards."), "D28")
        return Reason(_("All turn-order cards for this turn have been chosen."), "D25")
    return None


# Cards


def _card(s: Any, card: int) -> Reason | None:
    if rules.holder(s, card):
        return Reason(_("Card {card} is taken: token {token} has it.", card=card, token=rules.holder(s, card)), "D26")
    return Reason(_("Card 1 is still there, and whoever chooses last must take it."), "D27")


# Tokens


def _token(s: Any, token: int) -> Reason | None:
    """Why a token cannot be chosen in the sneak phase."""
    if reason := _gone(s, token):
        return reason
    if token == s.mover:
        return Reason(_("Token {token} is on its way. Choose the next square.", token=token), "D29")
    if s.moved >> token & 1:
        return Reason(_("Token {token} has already moved this turn.", token=token), "D33")
    if s.mover and s.players > 1:
        who = seat_name(OWNER[s.players][s.mover])
        said = _("Token {mover} of {name} moves now: its card comes first.", mover=s.mover, name=who)
        return Reason(said, "D28")
    if s.mover:
        return Reason(_("Token {token} is on its way. Let it stop first.", token=s.mover), "D28")
    return Reason(_("Token {token} is shut in: it has no square to go to.", token=token), "D31")


def _gone(s: Any, token: int) -> Reason | None:
    if s.away >> token & 1:
        return Reason(_("Token {token} is already over the dune. It never comes back.", token=token), "D32")
    if rules.caught(s) >> token & 1:
        said = _(
            "Token {token} is caught. It is free when {n} others stand beside its searcher.", token=token, n=RESCUERS
        )
        return Reason(said, "D49")
    return None


def _searcher(number: int) -> Reason:
    said = _("Nobody controls searcher {n}. It moves by its cards and follows whoever it notices.", n=number)
    return Reason(said, "D14")


# Squares


def _goal(s: Any, row: int, column: int, chosen: Sequence[str]) -> Reason | None:
    """Why nobody can go to a square, or be placed there."""
    if s.phase == Phase.DROP:
        return _drop(s, rules.captive(s), row, column)
    if reason := _of_phase(s, Verb.MOVE):
        return reason
    if not s.mover and not chosen:
        return Reason(_("Choose a token first."), "D28")
    token = s.mover or int(chosen[0].split("-")[1])
    if max(abs(s.token_row[token] - row), abs(s.token_column[token] - column)) > 1:
        return Reason(_("That is too far for one go. Choose a square nearer to token {token}.", token=token), "D30")
    return _step(s, token, row, column)


def _move(s: Any, token: int, d: int) -> Reason | None:
    if reason := _gone(s, token):
        return reason
    if token != s.mover and (s.mover or s.moved >> token & 1):
        return _token(s, token)
    return _step(s, token, s.token_row[token] + DOWN[d], s.token_column[token] + RIGHT[d])


def _step(s: Any, token: int, row: int, column: int) -> Reason | None:
    if row < 1 and not 1 <= column <= COLUMNS:
        return Reason(_("Nobody leaves across a corner."), "D-R7")
    if row > ROWS or not 1 <= column <= COLUMNS:
        return Reason(_("The squad leaves by the top only."), "D32")
    if reason := _held(s, row, column, "D31"):
        return reason
    left = s.points if s.mover else POINTS
    said = _("Rough ground costs 2 points, and token {token} has {n} left.", token=token, n=left)
    return Reason(said, "D35")


def _held(s: Any, row: int, column: int, rule: str) -> Reason | None:
    """What stands on a square: a searcher or a token."""
    for searcher in range(1, SEARCHERS + 1):
        if rules.distance(s, searcher, row, column) <= 1:
            return Reason(_("Searcher {n} is there.", n=searcher), rule)
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1 and (s.token_row[token], s.token_column[token]) == (row, column):
            return Reason(_("Token {token} is there.", token=token), rule)
    return None


def _drop(s: Any, token: int, row: int, column: int) -> Reason | None:
    """Freed tokens are placed one after another beside the searcher that had them (D52)."""
    if token != rules.captive(s):
        said = _("Token {token} is free again. Choose a square for it first.", token=rules.captive(s))
        return Reason(said, "D52")
    if reason := _held(s, row, column, "D52"):
        return reason
    return Reason(_("Token {token} is placed right beside searcher {n}.", token=token, n=s.rescue), "D52")
