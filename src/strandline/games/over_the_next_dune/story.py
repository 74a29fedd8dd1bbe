"""Over the Next Dune, told: what searchers and squad bring about, what can be done, and what there is to see."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from strandline.engine import records
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, pack, second, third, verb
from strandline.engine.words import Words, listed, message, seat_name

from . import rules
from .box import COLUMNS, OWNER, OWNERS, PIECES, ROWS, SEARCHERS, STEPS, TOKENS
from .box import KINDS as CARDS
from .notation import REASONS, write
from .rules import Phase, Reason, Verb

_ = Words(__file__)

KINDS = {
    "terrain": "an area gets a piece of rough ground (D4)",
    "lay": "two dice say where the piece lies (D5)",
    "searcher": "a searcher is placed (D9)",
    "facing": "a searcher gets its facing (D10)",
    "turn": "a turn begins, with its search phase (D13)",
    "card": "a searcher draws a card (D14, D15)",
    "search": "a searcher drives the way of its card (D15, D21)",
    "bounce": "a searcher bounces off an edge and drives on (D17, D18, D19)",
    "trail": "a searcher finds markers, turns and removes them (D40, D42), and in a search move drives on",
    "catch": "a searcher catches tokens (D44, D45, D46)",
    "sneak": "all searchers have moved: the sneak phase begins (D24)",
    "nobody": "nobody is free, so the sneak phase is left out (D-R29, D-R30)",
    "order": "a token takes a turn-order card (D25, D53)",
    "first": "somebody else is first player (D27)",
    "mover": "it is the next token's turn to move (D28)",
    "stuck": "a token that cannot step at all loses its movement (D-R29)",
    "step": "a token steps (D30, D34), and may leave a marker (D37)",
    "away": "a token leaves by the top (D32)",
    "follow": "a searcher follows the moving token (D58)",
    "edge": "a searcher cannot follow, because it would leave the battlefield (D-R21)",
    "notice": "searchers notice the moving token (D57)",
    "spent": "a movement ends because the token can go no further (D-R29)",
    "stop": "a player ends a movement (D29)",
    "done": "the solo player ends the sneak phase (D33)",
    "rescue": "a searcher is surrounded, and its captives are freed (D50, D51)",
    "drop": "a freed token is placed (D52)",
    "crammed": "there is no room for a captive: it stays caught (D-R19)",
    "end": "the game is over (D63, D64, D65, D-R31)",
}
SOUNDS = {"catch": "caught", "notice": "caught"}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The outcome or the move, then all that goes on by itself."""
    what = verb(code)
    rules.withdraw_all(s)
    match what:
        case Verb.CARD:
            yield from _search(s, first(code))
        case Verb.MOVE:
            yield from _step(s, first(code), second(code))
        case Verb.STOP:
            token = s.mover
            rules.end_movement(s)
            yield Told("stop", _owner(s, token), {"token": token})
            yield from _next_mover(s)
        case Verb.DONE:
            yield Told("done", _owner(s, 1))
            yield from _end_sneak(s)
        case Verb.ORDER:
            yield from _order(s, first(code))
        case Verb.DROP:
            yield from _drop(s, first(code), second(code), third(code))
        case _:
            yield from _set_up(s, what, first(code), second(code))


def _owner(s: Any, token: int) -> int:
    return int(OWNER[s.players][token])


def _members(numbers: int) -> list[int]:
    return [number for number in range(1, 8) if numbers >> number & 1]


def _tokens(s: Any, tokens: int) -> list[list[int]]:
    """Some tokens with their owners."""
    return [[_owner(s, token), token] for token in _members(tokens)]


def _shapes(s: Any, searcher: int) -> tuple[str, ...]:
    """What moves with a searcher."""
    captives = (f"token-{token}" for token in _members(s.captives[searcher]))
    return f"searcher-{searcher}", f"number-{searcher}", *captives


# Set-up and search phase


def _set_up(s: Any, what: int, a: int, b: int) -> Iterator[Told]:
    number = s.placing
    if what == Verb.FACING:
        s.facing[number] = a
        yield Told("facing", None, {"searcher": number, "side": a}, (f"searcher-{number}",))
        rules.set_up(s, what, a, b)
        if s.phase == Phase.SEARCH:
            yield _turn(s)
        return
    rules.set_up(s, what, a, b)
    if what == Verb.TERRAIN:
        yield Told("terrain", None, {"area": number}, (f"terrain-{number}",))
    elif what == Verb.AT:
        yield Told("lay", None, {"area": number, "dice": [a, b]}, (f"terrain-{number}",))
    else:
        yield Told("searcher", None, {"searcher": number}, _shapes(s, number))


def _turn(s: Any) -> Told:
    return Told("turn", None, {"turn": s.round, "last": s.round == s.turns}, ("moon",))


def _search(s: Any, card: int) -> Iterator[Told]:
    """As `rules.search` does it."""
    searcher = s.searching
    s.deck[card] -= 1
    yield Told("card", None, {"searcher": searcher, "drawn": [CARDS[card]]})
    yield from _search_move(s, searcher, (s.facing[searcher] - 1 + rules.TURN[card]) % rules.DIRECTIONS + 1)
    if s.captives[searcher] and rules.on_last_row(s, searcher):
        yield _end(s, Reason.CAMP)
    elif rules.hopeless(s):
        yield _end(s, Reason.HOPELESS)
    elif searcher < SEARCHERS:
        s.searching += 1
    elif s.free:
        yield from _begin_sneak(s)
    else:
        yield Told("nobody")
        s.searching = 0
        yield from _end_sneak(s)


def _search_move(s: Any, searcher: int, d: int) -> Iterator[Told]:
    """As `rules.search_move` does it, stopping wherever the searcher turns, so that it always goes straight."""
    kind, steps = "search", 0

    def leg() -> Told:
        return Told(kind, None, {"searcher": searcher, "steps": steps}, _shapes(s, searcher))

    for _step_number in range(STEPS):
        onward = rules.bounce(s.searcher_row[searcher], s.searcher_column[searcher], d)
        if onward != d:
            if steps or kind == "trail":
                yield leg()
            kind, steps = "bounce", 0
            d = s.facing[searcher] = onward
        rules.move_searcher(s, searcher, d)
        steps += 1
        if rules.tokens_within(s, searcher, 1):
            yield leg()
            yield _catch(s, searcher)
            return
        if s.captives[searcher]:
            if rules.on_last_row(s, searcher):
                break
        elif rules.covered_marker(s, searcher):
            yield leg()
            d = rules.read_markers(s, searcher)
            kind, steps = "trail", 0
    yield leg()


def _catch(s: Any, searcher: int) -> Told:
    found = rules.tokens_within(s, searcher, 1)
    rules.catch(s, searcher)
    shapes = tuple(f"token-{token}" for token in _members(found))
    return Told("catch", None, {"searcher": searcher, "tokens": _tokens(s, found)}, shapes)


def _find_trail(s: Any, searcher: int) -> Iterator[Told]:
    """A searcher that does not drive by itself reads the markers under it."""
    if rules.read_markers(s, searcher):
        yield Told("trail", None, {"searcher": searcher, "steps": 0}, (f"searcher-{searcher}",))


# Sneak phase


def _begin_sneak(s: Any) -> Iterator[Told]:
    """The squad's half of the turn, with the rescues that are due already (D-R18)."""
    s.searching, s.phase = 0, Phase.SNEAK
    yield Told("sneak")
    yield from _rescues(s)


def _order(s: Any, card: int) -> Iterator[Told]:
    """As `rules.take_card` does it."""
    token, leader = rules.chooser(s), s.first
    after = records.copy(s)
    rules.take_card(after, card)
    s.cards[token] = card
    over = not rules.choosers(s)
    if over:
        s.phase = Phase.SNEAK
    yield Told("order", _owner(s, token), {"token": token, "card": card})
    if over:
        s.first = after.first
        if s.first != leader:
            yield Told("first", s.first)
        yield from _go_on(s)


def _go_on(s: Any) -> Iterator[Told]:
    """As `rules.go_on` does it."""
    s.phase = Phase.SNEAK
    rules.offer(s)
    if not rules.count_ways(s):
        token, points = s.mover, s.points
        rules.end_movement(s)
        if token:
            yield Told("spent", _owner(s, token), {"token": token, "points": points})
        yield from _next_mover(s)


def _next_mover(s: Any) -> Iterator[Told]:
    """As `rules.next_mover` does it; alone, too, it is told who cannot step."""
    waiting = s.free & ~s.moved
    if s.players > 1:
        rules.next_card(s)
    rules.offer(s)
    over = not rules.count_ways(s)
    shut_in = waiting if over else waiting & s.moved
    for token in _members(shut_in):
        yield Told("stuck", _owner(s, token), {"token": token})
    if over:
        yield from _end_sneak(s)
    elif s.mover:
        yield Told("mover", _owner(s, s.mover), {"token": s.mover})
        yield from _noticed(s, s.alert)


def _step(s: Any, token: int, d: int) -> Iterator[Told]:
    """As `rules.step` does it: procedure B."""
    seat = _owner(s, token)
    if not s.mover:
        rules.begin_movement(s, token)
    row, column = s.token_row[token], s.token_column[token]
    rules.leave_marker(s, row, column, d)
    trail = bool(s.marked[row] >> column & 1)
    row, column = row + rules.DOWN[d], column + rules.RIGHT[d]
    if row == 0:
        rules.leave(s, token)
        won = s.phase == Phase.OVER
        if won:
            s.phase, s.reason = Phase.SNEAK, Reason.NONE
        yield Told("away", seat, {"token": token}, (f"token-{token}",))
        if won:
            yield _end(s, Reason.LINES)
            return
    else:
        rough = s.rough[row] >> column & 1
        s.points -= 1 + rough
        rules.put_token(s, token, row, column)
        data = {"token": token, "side": d, "rough": bool(rough), "trail": trail}
        yield Told("step", seat, data, (f"token-{token}",))
        yield from _follow(s, d)
        if s.phase == Phase.OVER:
            return
    alert = s.alert
    rules.notice(s)
    if s.points:
        yield from _noticed(s, s.alert & ~alert)
    if rules.hopeless(s):
        yield _end(s, Reason.HOPELESS)
    else:
        yield from _rescues(s)


def _noticed(s: Any, searchers: int) -> Iterator[Told]:
    if searchers:
        seat, token = _owner(s, s.mover), s.mover
        yield Told("notice", None, {"searchers": _members(searchers), "owner": seat, "token": token})


def _follow(s: Any, d: int) -> Iterator[Told]:
    """As `rules.follow` does it."""
    for searcher in _members(s.alert):
        if not rules.inside(s.searcher_row[searcher] + rules.DOWN[d], s.searcher_column[searcher] + rules.RIGHT[d]):
            yield Told("edge", None, {"searcher": searcher})
            continue
        rules.move_searcher(s, searcher, d)
        yield Told("follow", None, {"searcher": searcher, "token": s.mover}, _shapes(s, searcher))
        if rules.tokens_within(s, searcher, 1):
            told = _catch(s, searcher)
            s.halted |= 1 << searcher
            s.alert &= ~(1 << searcher)
            yield told
        if s.captives[searcher] and rules.on_last_row(s, searcher):
            yield _end(s, Reason.CAMP)
            return
        yield from _find_trail(s, searcher)


def _end_sneak(s: Any) -> Iterator[Told]:
    """The next turn begins, or the sun rises."""
    rules.end_sneak(s)
    yield _end(s, Reason.SUNRISE) if s.phase == Phase.OVER else _turn(s)


# Rescues and the end


def _rescues(s: Any) -> Iterator[Told]:
    """As `rules.rescues` does it."""
    if searcher := rules.due_rescue(s):
        rules.rescues(s)
        captives = _tokens(s, s.captives[searcher])
        yield Told("rescue", None, {"searcher": searcher, "tokens": captives})
    elif s.players > 1 and rules.choosers(s):
        rules.rescues(s)
    else:
        s.rescue = 0
        yield from _go_on(s)


def _drop(s: Any, token: int, row: int, column: int) -> Iterator[Told]:
    """As `rules.drop` does it."""
    searcher = s.rescue
    s.captives[searcher] &= ~(1 << token)
    rules.put_token(s, token, row, column)
    told = Told("drop", _owner(s, token), {"token": token, "searcher": searcher}, (f"token-{token}",))
    if s.captives[searcher] and rules.open_squares(s, searcher):
        yield told
        return
    s.phase, s.rescue = Phase.SNEAK, 0
    yield told
    if s.captives[searcher]:
        yield Told("crammed", None, {"searcher": searcher, "tokens": _tokens(s, s.captives[searcher])})
    yield from _find_trail(s, searcher)
    yield from _rescues(s)


def _end(s: Any, reason: int) -> Told:
    rules.end(s, reason)
    return Told("end", None, {"reason": REASONS[reason], "home": rules.score(s, 0)})


# Sentences

SIDES = (
    "",
    message("down"),
    message("down left"),
    message("left"),
    message("up left"),
    message("up"),
    message("up right"),
    message("right"),
    message("down right"),
)


DRAWN = {
    "straight": message("Searcher {searcher} draws a card: straight ahead."),
    "left": message("Searcher {searcher} draws a card: turn left."),
    "right": message("Searcher {searcher} draws a card: turn right."),
}


def side(way: int) -> str:
    """A direction of the dial, as people see it on the board."""
    return _(SIDES[way])


def roll(s: Any) -> Roll | None:
    """The first player draws for the searchers; the set-up is nobody's."""
    return Roll(s.first, "draw", _("Draw the searchers’ cards")) if s.phase == Phase.SEARCH else None


def sentence(event: Event) -> str:
    """An event, for the reader."""
    return _said(event.kind, event.who, event.data)


def _said(kind: str, who: int | None, data: Mapping[str, Any]) -> str:
    numbers = {name: data[name] for name in ("area", "searcher", "token", "card", "turn") if name in data}
    match kind:
        case "search" | "bounce" | "trail":
            return _drive(kind, data["searcher"], data["steps"])
        case "card":
            return _(DRAWN[data["drawn"][0]], **numbers)
        case "catch" | "rescue" | "crammed" | "notice" | "first" | "end" | "sneak" | "nobody" | "done" | "turn":
            return _happening(kind, who, data)
        case "terrain":
            return _("Area {area} gets a piece of rough ground.", **numbers)
        case "lay":
            row, column = data["dice"]
            return _("The dice show row {row}, column {column} of area {area}.", row=row, column=column, **numbers)
        case "searcher":
            return _("Searcher {searcher} takes up its post.", **numbers)
        case "facing":
            return _("Searcher {searcher} faces {side}.", side=side(data["side"]), **numbers)
        case "follow":
            return _("Searcher {searcher} follows token {token}.", **numbers)
        case "edge":
            return _("Searcher {searcher} is at the edge and cannot follow.", **numbers)
        case "step":
            return _step_said(who, data)
        case "away":
            return _.who(who, "You bring token {token} home!", "{name} brings token {token} home!", **numbers)
        case "order":
            return _.who(
                who, "You take card {card} for token {token}.", "{name} takes card {card} for token {token}.", **numbers
            )
        case "mover":
            return _.who(who, "Your token {token} moves next.", "{name}’s token {token} moves next.", **numbers)
        case "stuck":
            return _.who(
                who,
                "Your token {token} is shut in and cannot move.",
                "{name}’s token {token} is shut in and cannot move.",
                **numbers,
            )
        case "spent" if data["points"]:
            return _.who(
                who,
                "Your token {token} can go no further.",
                "{name}’s token {token} can go no further.",
                **numbers,
            )
        case "spent":
            return _.who(
                who,
                "Your token {token} has no points left.",
                "{name}’s token {token} has no points left.",
                **numbers,
            )
        case "stop":
            return _.who(who, "Your token {token} stops.", "{name}’s token {token} stops.", **numbers)
    return _.who(
        who,
        "You put token {token} down beside searcher {searcher}.",
        "{name} puts token {token} down beside searcher {searcher}.",
        **numbers,
    )


def _drive(kind: str, searcher: int, steps: int) -> str:
    """One straight leg of a searcher's way."""
    if kind == "search":
        return _(
            ("Searcher {searcher} drives {n} square.", "Searcher {searcher} drives {n} squares."),
            searcher=searcher,
            n=steps,
        )
    if kind == "bounce":
        return _(
            (
                "Searcher {searcher} bounces off the edge and drives {n} square.",
                "Searcher {searcher} bounces off the edge and drives {n} squares.",
            ),
            searcher=searcher,
            n=steps,
        )
    if not steps:
        return _("Searcher {searcher} finds a trail and turns that way.", searcher=searcher)
    return _(
        (
            "Searcher {searcher} finds a trail and follows it for {n} square.",
            "Searcher {searcher} finds a trail and follows it for {n} squares.",
        ),
        searcher=searcher,
        n=steps,
    )


def _step_said(who: int | None, data: Mapping[str, Any]) -> str:
    what = {"token": data["token"], "side": side(data["side"])}
    if data["rough"]:
        said = _.who(
            who,
            "You move token {token} {side}, onto rough ground.",
            "{name} moves token {token} {side}, onto rough ground.",
            **what,
        )
    else:
        said = _.who(who, "You move token {token} {side}.", "{name} moves token {token} {side}.", **what)
    return f"{said} {_('It leaves a trail.')}" if data["trail"] else said


def _happening(kind: str, who: int | None, data: Mapping[str, Any]) -> str:
    """What happens to the squad as a whole, or to several tokens."""
    match kind:
        case "catch":
            return _("Searcher {searcher} catches {tokens}!", searcher=data["searcher"], tokens=_owned(data["tokens"]))
        case "rescue":
            return _(
                "Searcher {searcher} is surrounded and must let {tokens} go!",
                searcher=data["searcher"],
                tokens=_owned(data["tokens"]),
            )
        case "crammed":
            return _(
                "There is no more room around searcher {searcher}, which keeps {tokens}.",
                searcher=data["searcher"],
                tokens=_owned(data["tokens"]),
            )
        case "notice":
            return _(
                (
                    "Searcher {searchers} notices {token} and will follow.",
                    "Searchers {searchers} notice {token} and will follow.",
                ),
                n=len(data["searchers"]),
                searchers=listed([str(number) for number in data["searchers"]]),
                token=_owned([(data["owner"], data["token"])]),
            )
        case "first":
            return _.who(who, "You are the first player now.", "{name} is the first player now.")
        case "done":
            return _.who(who, "You stop sneaking for this turn.", "{name} stops sneaking for this turn.")
        case "sneak":
            return _("All searchers have moved. Now the squad sneaks.")
        case "nobody":
            return _("Nobody is free, so nobody can sneak.")
        case "turn" if data["last"]:
            return _("The last turn before sunrise begins. The searchers set out.")
        case "turn":
            return _("Turn {turn} begins. The searchers set out.", turn=data["turn"])
    return ending(data["reason"], data["home"])


def _owned(tokens: Iterable[Sequence[int]]) -> str:
    """Tokens with whose they are."""
    return listed(
        [_.who(owner, "your token {token}", "{name}’s token {token}", token=token) for owner, token in tokens]
    )


def ending(reason: str, home: int) -> str:
    """How it went, and why."""
    match reason:
        case "lines":
            return _("The whole squad is home before sunrise. You have won together!")
        case "camp":
            return f"{_('The captives are in the camp, and the game is lost.')} {at_home(home)}"
        case "sunrise":
            return f"{_('The sun rises. Caught at dawn!')} {at_home(home)}"
    return f"{_('Too few of you are free to rescue the captives, and the game is lost.')} {at_home(home)}"


def at_home(home: int) -> str:
    """How many have made it."""
    if not home:
        return _("Nobody was home yet.")
    return _(("{n} of {all} was home.", "{n} of {all} were home."), n=home, all=TOKENS)


TOLD_BEFOREHAND = ("follow", "edge", "catch", "trail", "notice", "rescue", "end")
"""What people want to know of a move before they make it."""


def describe(s: Any, code: int) -> str:
    """What an outcome would be; or what a move does, and what searchers make of it."""
    story = list(tell(records.copy(s), None, code))
    what = verb(code)
    if rules.to_move(s) < 0:
        return " ".join(_said(told.kind, told.who, told.data) for told in story)
    follows = (_said(told.kind, told.who, told.data) for told in story[1:] if told.kind in TOLD_BEFOREHAND)
    return " ".join([_order_to(s, what, code, story[0]), *follows])


def _order_to(s: Any, what: int, code: int, told: Told) -> str:
    """The move itself."""
    token = first(code)
    match what:
        case Verb.MOVE if told.kind == "away":
            return _("Bring token {token} home.", token=token)
        case Verb.MOVE:
            where = side(second(code))
            if told.data["rough"]:
                return _("Move token {token} {side}, onto rough ground.", token=token, side=where)
            return _("Move token {token} {side}.", token=token, side=where)
        case Verb.STOP:
            return _("Stop here with token {token}.", token=s.mover)
        case Verb.ORDER:
            return _("Take card {card} for token {token}.", card=first(code), token=rules.chooser(s))
        case Verb.DROP:
            return _(
                "Put token {token} down at row {row}, column {column}.",
                token=token,
                row=second(code),
                column=third(code),
            )
    return _("Stop sneaking for this turn.")


def warning(view: dict[str, Any], move: str) -> str | None:
    """Whoever ends the solo sneak phase (D33) gives up the moves of the tokens that have not moved."""
    if move != write(pack(Verb.DONE)):
        return None
    free = [number for number, token in enumerate(view["tokens"], 1) if token["state"] == "free"]
    return _(
        (
            "{n} token has not moved yet. End the sneak phase?",
            "{n} tokens have not moved yet. End the sneak phase?",
        ),
        n=len(set(free) - set(view["moved"])),
    )


# The position


def owner(view: dict[str, Any], token: int) -> int:
    """The seat that a token belongs to."""
    return int(OWNERS[view["players"] - 1][token - 1])


def active(view: dict[str, Any]) -> int | None:
    """The token that moves, takes a card or is placed."""
    waiting: list[int] = []
    if view["phase"] == "drop":
        waiting = view["searchers"][view["rescue"] - 1]["captives"]
    elif view["phase"] in ("order", "late_order"):
        waiting = [
            token
            for token, entry in enumerate(view["tokens"], 1)
            if entry["state"] == "free" and token not in view["moved"] and view["cards"][token - 1] is None
        ]
    else:
        return view["mover"]["token"] if view["mover"] else None
    return min(waiting, key=lambda token: ((owner(view, token) - view["first"]) % view["players"], token))


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    token = active(view)
    match view["phase"]:
        case "drop":
            return _("Choose a square for token {token}.", token=token)
        case "order" | "late_order":
            return _("Choose a turn-order card for token {token}.", token=token)
        case "sneak" if token:
            return _(
                ("Move token {token}, or stop: {n} point left.", "Move token {token}, or stop: {n} points left."),
                token=token,
                n=view["mover"]["points"],
            )
        case "sneak":
            return _("Choose a token to move.")
    return None


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """What has become of the squad, which wins and loses together (D63, D64)."""
    states = [token["state"] for token in view["tokens"]]
    return [
        (_("Home"), [states.count("away")]),
        (_("Caught"), [states.count("caught")]),
        (_("Still on the way"), [states.count("free")]),
    ]


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words: the turn, the squad, the searchers, trails and rough ground, and what is going on."""
    lines = [progress(view)]
    if view["players"] > 1:
        lines.append(_("First player: {name}.", name=seat_name(view["first"])))
    lines += [whereabouts(view, token) for token in range(1, TOKENS + 1)]
    lines += [_searcher(number, entry) for number, entry in enumerate(view["searchers"], 1)]
    for row, column, way in view["markers"]:
        lines.append(_("Trail at row {row}, column {column}: {side}.", row=row, column=column, side=side(way)))
    lines += _rough_ground(view)
    lines.append(_("Cards left: {straight} straight ahead, {left} left, {right} right.", **view["deck"]))
    if mover := view["mover"]:
        lines += [
            _("Searcher {searcher} follows token {token}.", searcher=n, token=mover["token"]) for n in mover["alert"]
        ]
        lines += [_("Searcher {searcher} stops following.", searcher=number) for number in mover["halted"]]
    lines.append(ending(view["reason"], scores[0]) if view["reason"] else _under_way(view))
    return "\n".join(lines)


def progress(view: dict[str, Any]) -> str:
    """How far the night is."""
    if not view["round"]:
        return _("Set-up")
    return _("Turn {turn} of {turns}", turn=view["round"], turns=view["options"]["turns"])


def whereabouts(view: dict[str, Any], token: int) -> str:
    """Where a token is."""
    entry, seat = view["tokens"][token - 1], owner(view, token)
    if entry["state"] == "away":
        said = _.who(seat, "Your token {token}: home.", "{name}’s token {token}: home.", token=token)
    elif entry["state"] == "caught":
        said = _.who(
            seat,
            "Your token {token}: caught by searcher {searcher}.",
            "{name}’s token {token}: caught by searcher {searcher}.",
            token=token,
            searcher=captor(view, token),
        )
    else:
        row, column = entry["at"]
        said = _.who(
            seat,
            "Your token {token}: row {row}, column {column}.",
            "{name}’s token {token}: row {row}, column {column}.",
            token=token,
            row=row,
            column=column,
        )
    if card := view["cards"][token - 1]:
        said += " " + _("It has turn-order card {card}.", card=card)
    if token in view["moved"]:
        said += " " + _("It has moved.")
    return said


def captor(view: dict[str, Any], token: int) -> int:
    """The searcher that has caught a token."""
    return next(number for number, entry in enumerate(view["searchers"], 1) if token in entry["captives"])


def _searcher(number: int, entry: dict[str, Any]) -> str:
    row, column = entry["at"]
    if not entry["facing"]:
        return _("Searcher {searcher}: row {row}, column {column}.", searcher=number, row=row, column=column)
    return _(
        "Searcher {searcher}: row {row}, column {column}, facing {side}.",
        searcher=number,
        row=row,
        column=column,
        side=side(entry["facing"]),
    )


def _rough_ground(view: dict[str, Any]) -> Iterator[str]:
    """The rough squares, row by row."""
    squares = {
        (entry["at"][0] + down, entry["at"][1] + across)
        for entry in view["terrain"]
        if entry["at"]
        for down, across in PIECES[entry["piece"] - 1]
    }
    inside = sorted((row, column) for row, column in squares if 1 <= row <= ROWS and 1 <= column <= COLUMNS)
    for row, found in groupby(inside, key=lambda square: square[0]):
        columns = ", ".join(str(column) for _row, column in found)
        yield _("Rough ground in row {row}: columns {columns}.", row=row, columns=columns)


def _under_way(view: dict[str, Any]) -> str:
    """What is to happen next."""
    token = active(view)
    match view["phase"]:
        case "terrain":
            return _("The next area gets its rough ground.")
        case "terrain_at":
            return _("Two dice decide where the rough ground lies.")
        case "searcher":
            return _("The next searcher is placed.")
        case "facing":
            return _("The searcher gets its facing.")
        case "search":
            return _("Searcher {searcher} draws a card.", searcher=view["searching"])
        case "drop":
            return _.who(view["turn"], "You place token {token}.", "{name} places token {token}.", token=token)
        case "order" | "late_order":
            return _.who(
                view["turn"],
                "You choose a turn-order card for token {token}.",
                "{name} chooses a turn-order card for token {token}.",
                token=token,
            )
        case "sneak" if token:
            return _.who(
                view["turn"],
                ("You move token {token}: {n} point left.", "You move token {token}: {n} points left."),
                ("{name} moves token {token}: {n} point left.", "{name} moves token {token}: {n} points left."),
                token=token,
                n=view["mover"]["points"],
            )
    return _.who(view["turn"], "You choose a token to move.", "{name} chooses a token to move.")
