"""Sand Castles, told: what a tile and a move bring about, what can be done, and what there is to see."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from strandline.engine import records
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, second, third, verb
from strandline.engine.words import Words, listed, message, reader, seat_name, seat_names

from . import rules
from .box import COST, DECORATIONS, LONGEST_LINE, PAID, POINTS, TILES, WAVES, Tile
from .notation import counts, members
from .rules import KEPT, NOBODY, Phase, Verb

_ = Words(__file__)

KINDS = {
    "wall": "a wall is turned up (S5, S48)",
    "round": "a round begins (S8)",
    "flip": "a tile of the pool is chosen and flipped (S13, S-R13)",
    "pick": "one of the tiles that the Seagull showed is taken (S37)",
    "tile": "the tile joins the line (S10)",
    "match": "the tile is a decoration that is in the line already (S15)",
    "drop": "the left part of the line goes to the stash, the rest is dropped (S16)",
    "take": "somebody takes a dropped tile (S17, S18)",
    "stop": "the player stops, and the line goes to the stash (S12)",
    "wave": "the tile is a wave, which is set aside (S20)",
    "waves": "it was the last wave: all waves go back into the pool (S21)",
    "wash": "the wave washes the used tiles back into the pool (S22)",
    "mix": "tiles that somebody has peeked at are mixed into the pool (S26)",
    "safe": "the line of the player whom the wave caught goes to the stash (S23)",
    "discard": "somebody gives a tile back after a wave (S25)",
    "keep": "somebody keeps the other tiles (S25, S-R5)",
    "nimble": "Nimble Toes: the wave was the first tile, so the player collects again (S28)",
    "look": "the Seagull lets its holder peek at tiles (S34, S35)",
    "peek": "one of these tiles is seen, by its holder alone (S36)",
    "pinch": "the Crab pinches a tile of somebody else (S30)",
    "crab": "the Crab goes to whom it has pinched (S31)",
    "build": "a wall is paid for and built (S46, S47)",
    "final": "the first castle is finished, and the final round begins (S51, S52)",
    "unable": "nothing can be built or pinched, so the turn is over (S-R10)",
    "pass": "the player ends the turn (S33)",
    "seagull": "the Seagull goes to another player with the fewest walls (S40)",
    "end": "the game is over (S52, S-R28)",
}
SOUNDS = {"wave": "splash", "wash": "splash", "pinch": "caught"}
BUILDING = ("stashes", "beach", "row", "walls", "final_by")
"""What building changes at once."""


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The move or what chance brings, then what follows from the rules."""
    a, b, c = first(code), second(code), third(code)
    match verb(code):
        case Verb.FLIP:
            s.phase = Phase.DRAW
            yield Told("flip", s.seat, {}, ("flipped",))
        case Verb.FLIP_PEEKED:
            yield from _lift(s, w, "flip", a)
        case Verb.TAKE_PEEKED:
            yield from _lift(s, w, "pick", a)
        case Verb.DRAW:
            s.pool[a] -= 1
            yield from _comes_up(s, w, a)
        case Verb.STOP:
            line = _line(s)
            rules.clear_line(s, s.line_length, s.stashes[s.seat])
            s.phase = Phase.BUILD
            yield Told("stop", s.seat, {"tiles": line}, _stash(s.seat, line))
            yield from _build_step(s, w)
        case Verb.TAKE:
            yield from _take(s, w, a)
        case Verb.DISCARD:
            s.stashes[s.chooser][a] -= 1
            s.pool[a] += 1
            yield Told("discard", s.chooser, {"tile": TILES[a]}, _stash(s.chooser, [TILES[a]]))
            if not any(s.stashes[s.chooser]):
                yield from _ask(s, w, rules.ask_next)
        case Verb.KEEP:
            yield Told("keep", s.chooser, {"tiles": counts(s.stashes[s.chooser])})
            yield from _ask(s, w, rules.ask_next)
        case Verb.SEAGULL:
            yield from _look(s, [place for place in (a, b, c) if place])
        case Verb.PEEK:
            known = s.places
            rules.peek(s, a)
            yield _seen(s, members(s.places ^ known)[0])
        case Verb.CRAB:
            yield from _pinch(s, w, a, b)
        case Verb.BUILD:
            yield from _build(s, w, a, b, c)
        case Verb.PASS:
            yield Told("pass", s.seat)
            yield from _end_of_turn(s, rules.end_of_turn)
        case Verb.WALL:
            yield from _turn_up(s, w, a)
        case Verb.SEAGULL_TO:
            yield from _end_of_turn(s, lambda after: rules.pass_seagull(after, a), s.seat)


# Tiles that come up


def _lift(s: Any, w: Any, kind: str, place: int) -> Iterator[Told]:
    """The tile at a place is flipped like one that nobody knows."""
    s.looking = 0
    tile = rules.lift(s, place)
    s.phase = Phase.DRAW
    yield Told(kind, s.seat, {"place": place}, ("flipped",))
    yield from _comes_up(s, w, tile)


def _comes_up(s: Any, w: Any, tile: int) -> Iterator[Told]:
    """As `rules.comes_up` does it."""
    if tile == Tile.WAVE:
        yield from _wave(s, w)
        return
    at = rules.match(s, tile)
    if at < s.line_length:
        yield from _drop(s, tile, at)
        return
    rules.comes_up(s, w, tile)
    yield Told("tile", s.seat, {"drawn": [TILES[tile]]}, (f"line-{s.line_length}",))


def _drop(s: Any, tile: int, at: int) -> Iterator[Told]:
    """First both of the equal tiles are seen in the line, if it has room for another."""
    before = records.copy(s)
    s.phase = Phase.COLLECT
    if s.line_length < LONGEST_LINE:
        s.line[s.line_length] = tile
        s.line_length += 1
    yield Told("match", s.seat, {"drawn": [TILES[tile]]}, (f"line-{at + 1}", f"line-{s.line_length}"))
    records.assign(s, before)
    kept = _counted_names(s.line[: at + 1])
    rules.drop(s, tile, at)
    dropped = counts(s.dropped)
    yield Told("drop", s.seat, {"kept": kept, "dropped": dropped}, tuple(f"dropped-{name}" for name in dropped))


def _take(s: Any, w: Any, tile: int) -> Iterator[Told]:
    """As `rules.take` does it."""
    seat = s.chooser
    s.dropped[tile] -= 1
    s.stashes[seat][tile] += 1
    left = any(s.dropped)
    if left:
        s.chooser = rules.clockwise(s, seat)
    else:
        s.chooser = 0
        s.phase = Phase.BUILD
    yield Told("take", seat, {"tile": TILES[tile]}, _stash(seat, [TILES[tile]]))
    if not left:
        yield from _build_step(s, w)


def _wave(s: Any, w: Any) -> Iterator[Told]:
    """As `rules.wave` does it, one thing after another."""
    s.phase = Phase.COLLECT
    s.waves_out += 1
    concerns = s.line_length > 0 or any(any(s.stashes[seat]) for seat in range(s.players))
    yield Told("wave", s.seat, {"drawn": ["wave"], "concerns": concerns}, (f"wave-{s.waves_out}",))
    if s.waves_out == WAVES:
        s.pool[Tile.WAVE] += WAVES
        s.waves_out = 0
        yield Told("waves", None, {"waves": WAVES})
    if any(s.beach):
        washed = rules.tiles(s.beach)
        rules.pour(s.beach, s.pool)
        yield Told("wash", None, {"tiles": washed})
    if s.places:
        while s.places:
            s.pool[rules.lift(s, rules.nth_of(s.places, 0))] += 1
        yield Told("mix")
    line = _line(s)
    s.nimble = s.line_length == 0
    s.chooser = s.seat
    s.phase = Phase.WAVE
    if line:
        rules.clear_line(s, s.line_length, s.stashes[s.seat])
        yield Told("safe", s.seat, {"tiles": line}, _stash(s.seat, line))
    yield from _ask(s, w, lambda after, w: rules.ask(after, w, 0))


def _ask(s: Any, w: Any, ask: Callable[[Any, Any], None]) -> Iterator[Told]:
    """The next who has tiles is asked; after the last the turn goes on, as `rules.calm` has it."""
    after = records.copy(s)
    ask(after, w)
    if after.phase == Phase.WAVE:
        records.assign(s, after)
        return
    s.chooser = 0
    if s.nimble:
        s.nimble = 0
        s.phase = Phase.COLLECT
        yield Told("nimble", s.seat)
    else:
        s.phase = Phase.BUILD
        yield from _build_step(s, w)


def _look(s: Any, places: Sequence[int]) -> Iterator[Told]:
    """As `rules.look` does it; the tiles that nobody knows yet come up one by one, later."""
    s.seagull_used = 1
    s.look_left = rules.looked_at(s)
    yield Told("look", s.seat, {"tiles": s.look_left}, ("seagull",))
    s.phase = Phase.PEEK
    for place in places:
        rules.see(s, place)
        yield _seen(s, place)
    if s.look_left == 0:
        s.phase = Phase.PICK


def _seen(s: Any, place: int) -> Told:
    """Everybody sees which tile it is that somebody looks at, but not what it shows (S36)."""
    data = {"place": place, "drawn": [TILES[s.peeked[place]]]}
    return Told("peek", s.seat, data, (f"place-{place}",), secret=s.seat, private=frozenset({"drawn"}))


# The build step and the end of the turn


def _build_step(s: Any, w: Any, built: bool = False) -> Iterator[Told]:
    """It ends by itself if nothing is possible; a player who has just built needs no explanation."""
    s.phase = Phase.BUILD
    if rules.list_build_step(s, w) == 1:
        if not built:
            yield Told("unable", s.seat)
        yield from _end_of_turn(s, rules.end_of_turn)


def _pinch(s: Any, w: Any, victim: int, tile: int) -> Iterator[Told]:
    """As `rules.pinch` does it."""
    s.stashes[victim][tile] -= 1
    s.stashes[s.seat][tile] += 1
    yield Told("pinch", s.seat, {"victim": victim, "tile": TILES[tile]}, _stash(s.seat, [TILES[tile]]))
    s.crab = victim
    yield Told("crab", None, {"to": victim}, ("crab",))
    yield from _build_step(s, w)


def _build(s: Any, w: Any, wall: int, shovel: int, rake: int) -> Iterator[Told]:
    """Paying and building are one event; the end of the turn, if no wall can be turned up any more, has its own."""
    before, after = s.final_by, records.copy(s)
    rules.build(after, w, wall, shovel, rake)
    for name in BUILDING:
        setattr(s, name, getattr(after, name))
    refill = rules.stack(s) != 0
    s.phase = Phase.REFILL if refill else Phase.BUILD
    yield Told("build", s.seat, _price(wall, shovel, rake), (f"wall-{wall}",))
    if s.final_by != before:
        yield Told("final", s.seat)
    if not refill:
        yield from _after_build(s, w)


def _turn_up(s: Any, w: Any, wall: int) -> Iterator[Told]:
    """As `rules.turn_up` does it."""
    refill = s.phase == Phase.REFILL
    s.row |= 1 << wall
    yield Told("wall", None, {"wall": wall, "points": POINTS[wall]}, (f"wall-{wall}",))
    if refill:
        yield from _after_build(s, w)
    elif rules.size(s.row) == rules.ROW:
        s.phase = Phase.COLLECT
        yield Told("round", None, {"round": s.round})


def _after_build(s: Any, w: Any) -> Iterator[Told]:
    """As `rules.after_build` does it."""
    if s.final_by in (NOBODY, s.seat):
        yield from _end_of_turn(s, rules.end_of_turn)
    else:
        yield from _build_step(s, w, built=True)


def _end_of_turn(s: Any, end: Callable[[Any], None], passed_by: int | None = None) -> Iterator[Told]:
    """The Seagull flies, and a round may begin; or the game is over."""
    after = records.copy(s)
    end(after)
    if after.seagull != s.seagull:
        s.seagull, s.seagull_used = after.seagull, 0
        yield Told("seagull", passed_by, {"to": s.seagull}, ("seagull",))
    begins = after.round != s.round
    records.assign(s, after)
    if s.phase == Phase.OVER:
        seats = range(s.players)
        scores = [rules.score(s, seat) for seat in seats]
        walls = [rules.size(s.walls[seat]) for seat in seats]
        yield Told("end", None, _result(scores, walls, members(rules.winners(s)), s.final_by == NOBODY))
    elif begins:
        yield Told("round", None, {"round": s.round})


# What events say of themselves


def _line(s: Any) -> dict[str, int]:
    return _counted_names(s.line[: s.line_length])


def _counted_names(tiles: Sequence[int]) -> dict[str, int]:
    """The tiles by name, with their numbers, in the tile order."""
    return {TILES[tile]: tiles.count(tile) for tile in sorted(set(tiles))}


def _stash(seat: int, names: Sequence[str] | Mapping[str, int]) -> tuple[str, ...]:
    """Where tiles of these names lie in a stash."""
    return tuple(f"stash-{seat}-{name}" for name in names)


def _price(wall: int, shovel: int, rake: int) -> dict[str, Any]:
    """A wall, its points, the tiles that are paid, and what tools stand for."""
    due = {name: rules.due(wall, tile, shovel, rake) for tile, name in enumerate(PAID)}
    tools = {name: TILES[tile] for name, tile in (("shovel", shovel), ("rake", rake)) if tile}
    paid = {name: number for name, number in due.items() if number}
    return {"wall": wall, "points": POINTS[wall], "paid": paid, "tools": tools}


def _result(scores: Sequence[int], walls: Sequence[int], winners: Sequence[int], limit: bool) -> dict[str, Any]:
    """Who has won with how many points, what decided between equals (S57), and whether no castle was finished."""
    best = winners[0]
    equals = [seat for seat, score in enumerate(scores) if score == scores[best] and seat not in winners]
    decided = "points" if not equals else "tiles" if any(walls[seat] == walls[best] for seat in equals) else "walls"
    return {"winners": list(winners), "points": scores[best], "decided": decided, "limit": limit}


# Tiles in words

NAMES = {
    "sand": message("sand"),
    "pebble": message("pebble"),
    "seaweed": message("seaweed"),
    "stick": message("stick"),
    "butterfly": message("butterfly"),
    "fan": message("fan"),
    "spiral": message("spiral"),
    "shovel": message("shovel"),
    "rake": message("rake"),
    "wave": message("wave"),
}
ONE = {
    "sand": message("sand"),
    "pebble": message("a pebble"),
    "seaweed": message("seaweed"),
    "stick": message("a stick"),
    "butterfly": message("a butterfly"),
    "fan": message("a fan"),
    "spiral": message("a spiral"),
    "shovel": message("the shovel"),
    "rake": message("the rake"),
    "wave": message("a wave"),
}
MANY: Mapping[str, Callable[[int], str]] = {
    "sand": lambda n: _("{n} sand", n=n),
    "pebble": lambda n: _(("{n} pebble", "{n} pebbles"), n=n),
    "seaweed": lambda n: _("{n} seaweed", n=n),
    "stick": lambda n: _(("{n} stick", "{n} sticks"), n=n),
    "butterfly": lambda n: _(("{n} butterfly", "{n} butterflies"), n=n),
    "fan": lambda n: _(("{n} fan", "{n} fans"), n=n),
    "spiral": lambda n: _(("{n} spiral", "{n} spirals"), n=n),
    "shovel": lambda n: _(("{n} shovel", "{n} shovels"), n=n),
    "rake": lambda n: _(("{n} rake", "{n} rakes"), n=n),
    "wave": lambda n: _(("{n} wave", "{n} waves"), n=n),
}


def kind_name(kind: str) -> str:
    """What a kind of tile is called."""
    return _(NAMES[kind])


def one(kind: str) -> str:
    """One tile, as "a fan"."""
    return _(ONE[kind])


def many(kind: str, number: int) -> str:
    """Equal tiles with their number, as "2 fans"."""
    return MANY[kind](number)


def heap(tiles: Mapping[str, int]) -> str:
    """Tiles with their numbers, as "2 sand, 2 fans and 1 butterfly"."""
    return listed([many(kind, number) for kind, number in tiles.items()])


def _paid(data: Mapping[str, Any]) -> str:
    """What is paid for a wall."""
    paid = [many(kind, number) for kind, number in data["paid"].items()]
    if "shovel" in data["tools"]:
        paid.append(_("the shovel (for {tile})", tile=one(data["tools"]["shovel"])))
    if "rake" in data["tools"]:
        paid.append(_("the rake (for {tile})", tile=one(data["tools"]["rake"])))
    return listed(paid)


# Sentences


def roll(s: Any) -> Roll | None:
    """Whoever flips a tile, or peeks, turns it up with that; walls come from the stack by themselves."""
    match s.phase:
        case Phase.DRAW:
            return Roll(s.seat, "flip", _("Turn the tile up"), of_move=True)
        case Phase.PEEK:
            return Roll(s.seat, "peek", _("Peek at the tiles"), of_move=True)
    return None


def sentence(event: Event) -> str:
    """An event, for the reader."""
    return SENTENCES[event.kind](event.who, event.data)


def _wall(who: int | None, data: Mapping[str, Any]) -> str:
    return _(("New wall: {n} point.", "New wall: {n} points."), n=data["points"])


def _flip(who: int | None, data: Mapping[str, Any]) -> str:
    if "place" in data:
        return _.who(
            who,
            "You flip the tile at place {place}.",
            "{name} flips the tile at place {place}.",
            place=data["place"],
        )
    return _.who(who, "You flip a tile.", "{name} flips a tile.")


def _is_wave(who: int | None, data: Mapping[str, Any]) -> str:
    if data["concerns"]:
        return _("It is a wave! Now everybody may keep only {n} tiles.", n=KEPT)
    return _("It is a wave!")


def _peeked(who: int | None, data: Mapping[str, Any]) -> str:
    if "drawn" in data:
        return _.who(
            who,
            "You see {tile} at place {place}.",
            "{name} sees {tile} at place {place}.",
            tile=one(data["drawn"][0]),
            place=data["place"],
        )
    return _.who(
        who,
        "You look at the tile at place {place}.",
        "{name} looks at the tile at place {place}.",
        place=data["place"],
    )


def _pinched(who: int | None, data: Mapping[str, Any]) -> str:
    assert who is not None
    tile, victim = one(data["tile"]), data["victim"]
    if who in reader().seats:
        return _("You pinch {tile} from {victim} with the Crab.", tile=tile, victim=seat_name(victim))
    return _.who(
        victim,
        "{thief} pinches {tile} from you with the Crab.",
        "{thief} pinches {tile} from {name} with the Crab.",
        thief=seat_name(who),
        tile=tile,
    )


def _built(who: int | None, data: Mapping[str, Any]) -> str:
    return _.who(
        who,
        ("You pay {tiles} and build a wall: {n} point.", "You pay {tiles} and build a wall: {n} points."),
        ("{name} pays {tiles} and builds a wall: {n} point.", "{name} pays {tiles} and builds a wall: {n} points."),
        tiles=_paid(data),
        n=data["points"],
    )


def _flies(who: int | None, data: Mapping[str, Any]) -> str:
    """A Seagull that is passed on, or one that flies by itself, because only one player has the fewest walls."""
    to = data["to"]
    if who is None:
        return _.who(
            to,
            "The Seagull flies on to you.",
            "The Seagull flies on to {name}.",
        )
    if who in reader().seats:
        return _("You send the Seagull to {receiver}.", receiver=seat_name(to))
    return _.who(to, "{giver} sends the Seagull to you.", "{giver} sends the Seagull to {name}.", giver=seat_name(who))


SENTENCES: Mapping[str, Callable[[int | None, Mapping[str, Any]], str]] = {
    "wall": _wall,
    "round": lambda who, data: _("Round {n} begins.", n=data["round"]),
    "flip": _flip,
    "pick": lambda who, data: _.who(
        who,
        "You take the tile at place {place}.",
        "{name} takes the tile at place {place}.",
        place=data["place"],
    ),
    "tile": lambda who, data: _("It is {tile}.", tile=one(data["drawn"][0])),
    "match": lambda who, data: _.who(
        who,
        "It is {tile}. That matches a tile in your line!",
        "It is {tile}. That matches a tile in {name}’s line!",
        tile=one(data["drawn"][0]),
    ),
    "drop": lambda who, data: _.who(
        who,
        "You keep {kept} and drop {dropped} for everybody to take.",
        "{name} keeps {kept} and drops {dropped} for everybody to take.",
        kept=heap(data["kept"]),
        dropped=heap(data["dropped"]),
    ),
    "take": lambda who, data: _.who(who, "You take {tile}.", "{name} takes {tile}.", tile=one(data["tile"])),
    "stop": lambda who, data: _.who(
        who,
        "You stop and put {tiles} into your stash.",
        "{name} stops and puts {tiles} into the stash.",
        tiles=heap(data["tiles"]),
    ),
    "wave": _is_wave,
    "waves": lambda who, data: _("That was wave {n}: all waves go back into the pool.", n=data["waves"]),
    "wash": lambda who, data: _(
        (
            "The wave washes {n} tile from the beach back into the pool.",
            "The wave washes {n} tiles from the beach back into the pool.",
        ),
        n=data["tiles"],
    ),
    "mix": lambda who, data: _("The wave mixes the pool: nobody knows where any tile is now."),
    "safe": lambda who, data: _.who(
        who,
        "Your line is safe: {tiles}.",
        "{name}’s line is safe: {tiles}.",
        tiles=heap(data["tiles"]),
    ),
    "discard": lambda who, data: _.who(
        who, "You give back {tile}.", "{name} gives back {tile}.", tile=one(data["tile"])
    ),
    "keep": lambda who, data: _.who(who, "You keep {tiles}.", "{name} keeps {tiles}.", tiles=heap(data["tiles"])),
    "nimble": lambda who, data: _.who(
        who,
        "Nimble toes! The wave was your first tile, so you collect again.",
        "Nimble toes! The wave was {name}’s first tile, so {name} collects again.",
    ),
    "look": lambda who, data: _.who(
        who,
        ("You peek at {n} tile with the Seagull.", "You peek at {n} tiles with the Seagull."),
        ("{name} peeks at {n} tile with the Seagull.", "{name} peeks at {n} tiles with the Seagull."),
        n=data["tiles"],
    ),
    "peek": _peeked,
    "pinch": _pinched,
    "crab": lambda who, data: _.who(data["to"], "The Crab crawls over to you.", "The Crab crawls over to {name}."),
    "build": _built,
    "final": lambda who, data: _.who(
        who,
        "Your castle is finished! Everybody else has one more turn.",
        "{name}’s castle is finished! Everybody else has one more turn.",
    ),
    "unable": lambda who, data: _.who(who, "You cannot build a wall now.", "{name} cannot build a wall now."),
    "pass": lambda who, data: _.who(who, "You end your turn.", "{name} ends the turn."),
    "seagull": _flies,
    "end": lambda who, data: _ending(data),
}


def _ending(data: Mapping[str, Any]) -> str:
    """Who has won, and why; a kind word for a reader who has not."""
    winners, points = data["winners"], data["points"]
    said = [
        _("The last round is over, and no castle is finished.") if data["limit"] else _("The game is over."),
        _.who(
            winners[0],
            ("You win with {n} point!", "You win with {n} points!"),
            ("{name} wins with {n} point.", "{name} wins with {n} points."),
            n=points,
        )
        if len(winners) == 1
        else _(
            ("{names} share the win with {n} point each.", "{names} share the win with {n} points each."),
            names=seat_names(winners),
            n=points,
        ),
    ]
    if data["decided"] == "walls":
        said.append(_("The points are equal, so the number of walls decides."))
    elif data["decided"] == "tiles":
        said.append(_("Points and walls are equal, so the number of tiles decides."))
    if reader().seats and not reader().seats & set(winners):
        said.append(_("Well built all the same!"))
    return " ".join(said)


# What can be done


def describe(s: Any, code: int) -> str:
    """What a move would do, or what chance would bring. A tile at a place is not named: all may read it."""
    a, b, c = first(code), second(code), third(code)
    match verb(code):
        case Verb.FLIP:
            return _("Flip a tile.")
        case Verb.FLIP_PEEKED:
            return _(
                "Flip the tile at place {place}, which {names} peeked at.",
                place=a,
                names=seat_names(members(s.known_by[a])),
            )
        case Verb.STOP:
            return _("Stop and put {tiles} into your stash.", tiles=heap(_line(s)))
        case Verb.SEAGULL:
            return _describe_look(rules.looked_at(s), [place for place in (a, b, c) if place])
        case Verb.TAKE_PEEKED:
            return _("Take the tile at place {place}.", place=a)
        case Verb.TAKE:
            return _("Take {tile}.", tile=one(TILES[a]))
        case Verb.DISCARD:
            return _("Give back {tile}.", tile=one(TILES[a]))
        case Verb.KEEP:
            return _("Keep {tiles}.", tiles=heap(counts(s.stashes[s.chooser])))
        case Verb.CRAB:
            return _("Crab: pinch {tile} from {name}.", tile=one(TILES[b]), name=seat_name(a))
        case Verb.BUILD:
            price = _price(a, b, c)
            return _(
                (
                    "Build wall {wall} for {n} point and pay {tiles}.",
                    "Build wall {wall} for {n} points and pay {tiles}.",
                ),
                wall=a,
                n=price["points"],
                tiles=_paid(price),
            )
        case Verb.SEAGULL_TO:
            return _("Send the Seagull to {name}.", name=seat_name(a))
        case Verb.DRAW:
            return _("The tile is {tile}.", tile=one(TILES[a]))
        case Verb.PEEK:
            return _("The Seagull shows {tile}.", tile=one(TILES[a]))
        case Verb.WALL:
            return _("New wall: {wall}.", wall=_priced(a))
    return _("End your turn.")


def _describe_look(tiles: int, places: Sequence[int]) -> str:
    if not places:
        return _(
            ("Seagull: peek at {n} tile and take it.", "Seagull: peek at {n} tiles and take one of them."), n=tiles
        )
    known = listed([str(place) for place in places])
    if len(places) == tiles:
        return _(
            (
                "Seagull: peek at the tile at place {places} and take it.",
                "Seagull: peek at the tiles at places {places} and take one of them.",
            ),
            n=len(places),
            places=known,
        )
    return _(
        (
            "Seagull: peek at place {places} and at other tiles, {tiles} in all, and take one of them.",
            "Seagull: peek at places {places} and at other tiles, {tiles} in all, and take one of them.",
        ),
        n=len(places),
        places=known,
        tiles=tiles,
    )


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    turn = view["turn"]
    if not isinstance(turn, int):
        return None
    match view["phase"]:
        case "collect" if set(view["line"]).intersection(DECORATIONS):
            return _("Risk another flip, or stop and keep your line.")
        case "collect" if view["line"]:
            return _("Flip another tile, or stop and keep your line.")
        case "collect" if view["seagull"] == turn and not view["seagull_used"]:
            return _("Flip a tile, or use the Seagull.")
        case "collect":
            return _("Flip a tile.")
        case "pick":
            return _("Take one of the tiles that you have peeked at.")
        case "draft":
            return _("Take one of the dropped tiles.")
        case "wave":
            own = sum(view["stashes"][turn].values())
            if own <= KEPT:
                return _(
                    (
                        "The wave leaves you up to {most}. You have {n}: keep it, or give it back.",
                        "The wave leaves you up to {most}. You have {n}: keep them all, or give some back.",
                    ),
                    most=KEPT,
                    n=own,
                )
            return _(
                (
                    "You may keep {most} tiles, so give {n} tile back.",
                    "You may keep {most} tiles, so give {n} tiles back.",
                ),
                most=KEPT,
                n=own - KEPT,
            )
        case "seagull":
            return _("Choose who gets the Seagull.")
    if view["crab"] == turn:
        return _("Build a wall, pinch a tile with the Crab, or end your turn.")
    return _("Build a wall, or end your turn.")


def auto_answer(view: dict[str, Any], move: str) -> str | None:
    """Nearly everybody keeps all that a wave leaves them (S-R5), so that may be answered for them."""
    return _("Keep all my tiles when I have {n} or fewer.", n=KEPT) if move == "keep" else None


# The position in words


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """What walls and tiles are worth (S55)."""
    tiles = [sum(stash.values()) for stash in view["stashes"]]
    return [
        (_("Walls built"), [len(walls) for walls in view["walls"]]),
        (_("Points of the walls"), [score - own for score, own in zip(scores, tiles, strict=True)]),
        (_("Tiles in the stash, 1 point each"), [*tiles]),
        (_("Points"), [*scores]),
    ]


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words."""
    lines = [_("Round {n}.", n=view["round"])]
    if view["final_by"] is not None:
        lines.append(
            _.who(
                view["final_by"],
                "This is the final round: you have finished your castle.",
                "This is the final round: {name} has finished a castle.",
            )
        )
    if view["row"]:
        lines.append(_("Walls to build: {walls}.", walls="; ".join(map(_priced, view["row"]))))
    lines += [
        _(("There is {n} more wall in the stack.", "There are {n} more walls in the stack."), n=len(view["stack"])),
        _("Face down in the pool: {tiles}.", tiles=heap(view["pool"]) if view["pool"] else _("nothing unknown")),
        _("Waves set aside: {n}.", n=view["waves_out"]),
    ]
    if view["peeked"]:
        lines.append(_("Peeked at: {places}.", places="; ".join(map(place, view["peeked"]))))
    if view["beach"]:
        lines.append(_("On the beach: {tiles}.", tiles=heap(view["beach"])))
    if view["line"]:
        lines.append(_("In the line: {tiles}.", tiles=listed([kind_name(kind) for kind in view["line"]])))
    if view["dropped"]:
        lines.append(_("Dropped: {tiles}.", tiles=heap(view["dropped"])))
    lines += [_seat(view, seat, score) for seat, score in enumerate(scores)]
    return "\n".join([*lines, _what_next(view, scores, winners)])


def _priced(wall: int) -> str:
    cost = {kind: number for kind, number in zip(PAID, COST[wall], strict=True) if number}
    return _(
        ("wall {wall}, {n} point for {tiles}", "wall {wall}, {n} points for {tiles}"),
        wall=wall,
        n=POINTS[wall],
        tiles=heap(cost),
    )


def place(item: Mapping[str, Any]) -> str:
    """A place that somebody has peeked at, with its tile for those who know it."""
    names = seat_names(item["known_by"])
    if item["tile"] is None:
        return _("place {place}, known to {names}", place=item["place"], names=names)
    return _("place {place}, {tile}, known to {names}", place=item["place"], tile=kind_name(item["tile"]), names=names)


def _seat(view: dict[str, Any], seat: int, score: int) -> str:
    walls, stash = view["walls"][seat], view["stashes"][seat]
    has = [_("wall {wall}", wall=wall) for wall in walls]
    has += [many(kind, number) for kind, number in stash.items()]
    has += [_("the Crab")] if view["crab"] == seat else []
    has += [_("the Seagull")] if view["seagull"] == seat else []
    return _(
        ("{name}, {n} point: {things}.", "{name}, {n} points: {things}."),
        name=seat_name(seat),
        n=score,
        things=listed(has) if has else _("nothing yet"),
    )


def _what_next(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    match view["phase"]:
        case "over":
            limit = view["final_by"] is None
            return _ending(_result(scores, [len(walls) for walls in view["walls"]], winners, limit))
        case "setup" | "refill":
            return _("A new wall is turned up next.")
        case "draw":
            return _.who(view["seat"], "You are flipping a tile.", "{name} is flipping a tile.")
        case "peek":
            return _.who(view["seat"], "You are peeking at tiles.", "{name} is peeking at tiles.")
    return _.who(view["turn"], "It is your turn to decide.", "{name} decides next.")
