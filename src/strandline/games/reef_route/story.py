"""Reef Route, told: what lots, rolls and moves bring about, what can be done, and what there is to see."""

from collections.abc import Iterator, Sequence
from typing import Any

from strandline.engine import records
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, second, third, verb
from strandline.engine.words import Words, alternatives, listed, message, reader, seat_name

from . import rules
from .box import BACK, COLOURS, FACES, FRONT
from .notation import AWAY, SETTING_UP, WAYS, column_and_row
from .rules import COLOUR, EMPTY, PREDATOR_STEP, REEF, START_TILES, STRIDE, End, Phase, Verb

_ = Words(__file__)

KINDS = {
    "layout": "a lot lays out the predators (F-R5)",
    "put": "a player puts a predator against the reef (F3, F-R5)",
    "place": "a player places a fish (F7, F8)",
    "fill": "a lot decides about a starting tile (F10)",
    "rest": "the fish left take the tiles left, without a lot (F10)",
    "start": "the set-up is over, and the first player rolls (F11)",
    "roll": "both dice are rolled (F12)",
    "predator": "a predator swims one step (F13)",
    "eaten": "what the predator reaches is eaten (F17)",
    "out": "a player has no fish left (F29)",
    "swim": "a fish swims one step (F18, F19)",
    "reef": "a fish reaches the reef (F20, F30, F32)",
    "lost": "a die that cannot be used is lost (F26)",
    "any": "neither colour can move, so any one fish may go forward (F27)",
    "pass": "nothing can move, and the turn passes (F-R26)",
    "end": "the game is over (F30, F31, F32, F33, F35)",
}
SOUNDS = {"predator": "splash", "eaten": "caught", "out": "caught", "reef": "splash"}

FISH = {
    "yellow": message("yellow fish {n}"),
    "red": message("red fish {n}"),
    "green": message("green fish {n}"),
    "blue": message("blue fish {n}"),
}
SCHOOLS = {
    "yellow": message("yellow"),
    "red": message("red"),
    "green": message("green"),
    "blue": message("blue"),
}
SIZES = {"small": message("small"), "medium": message("medium"), "large": message("large")}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The move or the outcome, then what follows from it."""
    before, after = records.copy(s), records.copy(s)
    rules.apply(after, w, code)
    match verb(code):
        case Verb.ROLL:
            yield _roll(s, first(code), second(code))
        case Verb.PREDATOR:
            yield from _hunt(s, after, first(code) - 1, second(code))
        case Verb.SWIM:
            yield from _swim(s, after, first(code), second(code) - 1, third(code))
        case _:
            yield _set_up(s, after, code)
    records.assign(s, after)
    yield from _consequences(before, after, code)


def roll(s: Any) -> Roll | None:
    """The player rolls both dice; lots of the set-up are nobody's."""
    return Roll(s.seat, "roll", _("Roll the dice"), ("die-1",)) if s.phase == Phase.ROLL else None


def _set_up(s: Any, after: Any, code: int) -> Told:
    """A step of the set-up, by lot or by a player."""
    seat, colour = s.seat, COLOUR[s.seat]
    match verb(code):
        case Verb.LAYOUT:
            records.assign(s, after)
            return Told("layout", None, {}, tuple(f"predator-{i + 1}" for i, tile in enumerate(s.lair) if tile))
        case Verb.PUT:
            rules.lay_out(s, first(code) - 1, second(code))
            return Told("put", seat, {"predator": first(code), "row": second(code)}, (f"predator-{first(code)}",))
        case Verb.PLACE:
            rules.put_fish(s, colour, first(code) * STRIDE + second(code))
            return Told("place", seat, _named(colour, s.schools[colour]), (_shape(colour, s.schools[colour]),))
    tile = column_and_row(START_TILES[s.lot])
    if first(code) == EMPTY:
        return Told("fill", None, {"fish": None, "tile": tile})
    colour = first(code)
    rules.put_fish(s, colour, START_TILES[s.lot])
    data = {**_named(colour, s.schools[colour]), "tile": tile, "drawn": [COLOURS[colour]]}
    return Told("fill", None, data, (_shape(colour, s.schools[colour]),))


def _roll(s: Any, one: int, other: int) -> Told:
    """The dice lie there, whether or not they can be used."""
    s.rolls += 1
    rules.lay_ready(s, one)
    rules.lay_ready(s, other)
    s.phase = Phase.PREDATOR if s.predator_dice else Phase.FISH
    return Told("roll", s.seat, {"dice": [FACES[one], FACES[other]]}, ("die-1", "die-2"))


def _hunt(s: Any, after: Any, number: int, way: int) -> Iterator[Told]:
    """The predator swims over what it reaches, and then that is eaten."""
    seat, shape = s.seat, f"predator-{number + 1}"
    s.lair[number] += PREDATOR_STEP[way]
    yield Told("predator", seat, {"predator": number + 1, "way": WAYS[way]}, (shape,))
    eaten = [
        (colour, i + 1)
        for colour in range(len(COLOURS))
        for i in range(s.school)
        if s.fish[colour][i] != after.fish[colour][i]
    ]
    if eaten:
        for colour, i in eaten:
            s.fish[colour][i - 1] = after.fish[colour][i - 1]
        names = [f"{COLOURS[colour]} {i}" for colour, i in eaten]
        yield Told("eaten", None, {"predator": number + 1, "fish": names}, tuple(_shape(*fish) for fish in eaten))


def _swim(s: Any, after: Any, colour: int, number: int, way: int) -> Iterator[Told]:
    """A fish swims one step; the step onto the reef ends the game."""
    seat, shapes = s.seat, (_shape(colour, number + 1),)
    s.fish[colour][number] = after.fish[colour][number]
    if s.fish[colour][number] == REEF:
        yield Told("reef", seat, _named(colour, number + 1), shapes)
    else:
        yield Told("swim", seat, {**_named(colour, number + 1), "way": WAYS[way]}, shapes)


def _consequences(before: Any, after: Any, code: int) -> Iterator[Told]:
    """What follows by itself: a player without fish, a die that is lost, the end, or the rest of the set-up."""
    for seat in range(before.players):
        colour = COLOUR[seat]
        if before.phase == Phase.PREDATOR and before.schools[colour] and not after.schools[colour]:
            yield Told("out", seat)
    if after.phase == Phase.OVER:
        yield Told("end", None, {"why": after.end, "winner": rules.winner(after)})
    elif after.phase == Phase.ANY:
        yield Told("any", after.seat)
    elif after.phase == Phase.ROLL:
        if before.phase == Phase.ROLL:
            yield Told("pass", before.seat)
        elif before.phase in SETTING_UP:
            yield from _filled(before, after, code)
        elif lost := _lost(before, code):
            yield Told("lost", before.seat, {"colours": sorted(set(lost))})


def _filled(before: Any, after: Any, code: int) -> Iterator[Told]:
    """The fish that were laid out without a lot (F10), and the first roll (F11)."""
    drawn = first(code) if verb(code) == Verb.FILL else COLOUR[before.seat]
    for colour, name in enumerate(COLOURS):
        own = int(colour == drawn)
        if after.schools[colour] - before.schools[colour] > own:
            numbers = range(before.schools[colour] + own + 1, after.schools[colour] + 1)
            yield Told("rest", None, {"colour": name}, tuple(_shape(colour, number) for number in numbers))
    yield Told("start", after.seat)


def _lost(before: Any, code: int) -> list[str]:
    """The dice that a step leaves unused (F26); after two colours that cannot move there are none (F27)."""
    if before.phase == Phase.ANY:
        return []
    used = "predator" if verb(code) == Verb.PREDATOR else COLOURS[first(code)]
    left = ["predator"] * before.predator_dice
    for colour, name in enumerate(COLOURS):
        left += [name] * before.colour_dice[colour]
    left.remove(used)
    return left


def _named(colour: int, number: int) -> dict[str, Any]:
    return {"fish": COLOURS[colour], "number": number}


def _shape(colour: int, number: int) -> str:
    return f"fish-{COLOURS[colour]}-{number}"


# Sentences


def fish_name(colour: str, number: int) -> str:
    """A fish, by its colour and number."""
    return _(FISH[colour], n=number)


def sentence(event: Event) -> str:
    """An event, for the reader."""
    return _of_the_set_up(event) or _of_a_turn(event)


def _of_the_set_up(event: Event) -> str | None:
    who, data = event.who, event.data
    match event.kind:
        case "layout":
            return _("The predators are placed by lot.")
        case "put":
            numbers = {"n": data["predator"], "row": data["row"]}
            return _.who(who, "You put predator {n} in row {row}.", "{name} puts predator {n} in row {row}.", **numbers)
        case "place":
            fish = fish_name(data["fish"], data["number"])
            return _.who(who, "You place {fish}.", "{name} places {fish}.", fish=fish)
        case "fill":
            return _lot(fish_name(data["fish"], data["number"]) if data["fish"] else None, data["tile"])
        case "rest":
            return _("The {colour} fish take the remaining tiles.", colour=_(SCHOOLS[data["colour"]]))
        case "start":
            return _.who(who, "Now the race begins. You roll first.", "Now the race begins. {name} rolls first.")
    return None


def _lot(fish: str | None, tile: Sequence[int]) -> str:
    """What a lot decides about a starting tile."""
    place = spot(tile)
    if fish is None:
        return _("The lot leaves {place} empty.", place=place)
    return _("The lot puts {fish} on {place}.", fish=fish, place=place)


def _of_a_turn(event: Event) -> str:
    who, data = event.who, event.data
    match event.kind:
        case "roll":
            return _.who(who, "You rolled {dice}.", "{name} rolled {dice}.", dice=rolled(data["dice"]))
        case "predator":
            return _.who(who, *PREDATOR_STEPS[data["way"]], n=data["predator"])
        case "eaten":
            fish = listed([fish_name(*_split(name)) for name in data["fish"]])
            return _("Predator {n} eats {fish}!", n=data["predator"], fish=fish)
        case "out":
            return _.who(who, "You have no fish left.", "{name} has no fish left.")
        case "swim":
            return _.who(who, *SWIMS[data["way"]], fish=fish_name(data["fish"], data["number"]))
        case "reef":
            fish = fish_name(data["fish"], data["number"])
            return _.who(who, "You bring {fish} to the reef!", "{name} brings {fish} to the reef!", fish=fish)
        case "lost":
            colours = alternatives([_(SCHOOLS[colour]) for colour in data["colours"]])
            return _("No {colours} fish can move, so that die is lost.", colours=colours)
        case "any":
            return _.who(
                who,
                "Neither colour can move, so you may move any fish forward.",
                "Neither colour can move, so {name} may move any fish forward.",
            )
        case "pass":
            return _("Nothing can move, so the turn passes.")
    return ending(data["why"], data["winner"])


PREDATOR_STEPS = {
    "forward": (message("You send predator {n} forward."), message("{name} sends predator {n} forward.")),
    "up": (message("You send predator {n} up."), message("{name} sends predator {n} up.")),
    "down": (message("You send predator {n} down."), message("{name} sends predator {n} down.")),
}
SWIMS = {
    "forward": (message("You move {fish} forward."), message("{name} moves {fish} forward.")),
    "up": (message("You move {fish} up."), message("{name} moves {fish} up.")),
    "down": (message("You move {fish} down."), message("{name} moves {fish} down.")),
}


def _split(name: str) -> tuple[str, int]:
    colour, number = name.split()
    return colour, int(number)


def rolled(faces: Sequence[str]) -> str:
    """Two dice in words."""
    one, other = faces
    if one == other:
        return _("two predators") if one == "predator" else _("{colour} twice", colour=_(SCHOOLS[one]))
    names = [_("a predator") if face == "predator" else _(SCHOOLS[face]) for face in faces]
    return listed(names)


def ending(why: int, winner: int) -> str:
    """How the game has ended, and for whom (F30, F31, F32, F33, F35)."""
    match why:
        case End.LIMIT:
            return _("That was the last roll. Nobody wins.")
        case End.GONE:
            return _("No player has a fish left. Nobody wins.")
        case End.LAST:
            said = _.who(winner, "Only your fish are left. You win!", "Only {name}’s fish are left. {name} wins.")
        case _ if winner < 0:
            return _("That fish is nobody’s, so nobody wins.")
        case _:
            said = _.who(
                winner, "Your fish is first at the reef. You win!", "{name}’s fish is first at the reef. {name} wins."
            )
    lost = bool(reader().seats) and winner not in reader().seats
    return f"{said} {_('Well swum all the same!')}" if lost else said


def describe(s: Any, code: int) -> str:
    """What a move would do."""
    match verb(code):
        case Verb.LAYOUT:
            return _("The predators are placed by lot.")
        case Verb.PUT:
            return _("Put predator {n} in row {row}.", n=first(code), row=second(code))
        case Verb.PLACE:
            return _("Place a fish on column {column}, row {row}.", column=first(code), row=second(code))
        case Verb.FILL:
            school = first(code)
            fish = None if school == EMPTY else fish_name(COLOURS[school], s.schools[school] + 1)
            return _lot(fish, column_and_row(START_TILES[s.lot]))
        case Verb.ROLL:
            return _("Rolled: {dice}.", dice=rolled([FACES[first(code)], FACES[second(code)]]))
    after = records.copy(s)
    rules.apply(after, None, code)
    if verb(code) == Verb.PREDATOR:
        return _hunt_described(s, after, first(code), second(code))
    return _swim_described(after, first(code), second(code), third(code))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _hunt_described(s: Any, after: Any, number: int, way: int) -> str:
    eaten = [
        fish_name(name, i + 1)
        for colour, name in enumerate(COLOURS)
        for i in range(s.school)
        if s.fish[colour][i] != after.fish[colour][i]
    ]
    match WAYS[way]:
        case "forward":
            step = _("Predator {n} forward.", n=number)
        case "up":
            step = _("Predator {n} up.", n=number)
        case _:
            step = _("Predator {n} down.", n=number)
    return f"{step} {_('It eats {fish}.', fish=listed(eaten))}" if eaten else step


def _swim_described(after: Any, colour: int, number: int, way: int) -> str:
    fish = _capital(fish_name(COLOURS[colour], number))
    if after.fish[colour][number - 1] == REEF:
        return _("{fish} to the reef!", fish=fish)
    match WAYS[way]:
        case "forward":
            return _("{fish} forward.", fish=fish)
        case "up":
            return _("{fish} up.", fish=fish)
    return _("{fish} down.", fish=fish)


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    match view["phase"]:
        case "layout" if view["turn"] != "chance":
            return _("Choose a row for predator {n}.", n=unplaced(view))
        case "place":
            return _("Choose a tile for your next fish.")
        case "predator":
            return _("Choose a predator and where it swims.")
        case "fish":
            colours = alternatives([_(SCHOOLS[name]) for name in dict.fromkeys(view["dice"])])
            return _("Move a {colours} fish.", colours=colours)
        case "any":
            return _("No fish of these colours can move: move any fish forward.")
    return None


def unplaced(view: dict[str, Any]) -> int:
    """The number of the next predator to be put."""
    return next(number for number, entry in enumerate(view["predators"], start=1) if entry["col"] is None)


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """What has become of each school."""
    schools = [view["fish"][COLOURS[colour]] for colour in COLOUR[: view["players"]]]
    eaten = [school.count("eaten") for school in schools]
    reef = [school.count(AWAY[REEF]) for school in schools]
    left = [len(school) - gone - home for school, gone, home in zip(schools, eaten, reef, strict=True)]
    return [(_("At the reef"), [*reef]), (_("Still swimming"), [*left]), (_("Eaten"), [*eaten])]


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words."""
    lines = [_("Roll {n}.", n=view["rolls"])] if view["rolls"] else []
    for number, entry in enumerate(view["predators"], start=1):
        about = {"n": number, "size": _(SIZES[entry["size"]])}
        if entry["col"]:
            lines.append(_("Predator {n}, {size}: {place}.", **about, place=spot((entry["col"], entry["row"]))))
        else:
            lines.append(_("Predator {n}, {size}: not on the board yet.", **about))
    for seat, colour in enumerate(COLOUR):
        name = COLOURS[colour]
        owner = seat_name(seat) if seat < view["players"] else _("Nobody")
        school = ", ".join(f"{i} {whereabouts(place)}" for i, place in enumerate(view["fish"][name], start=1))
        lines.append(_("{owner}, {colour} fish: {school}.", owner=owner, colour=_(SCHOOLS[name]), school=school))
    return "\n".join([*lines, _what_now(view, winners)])


def spot(tile: Sequence[int]) -> str:
    """A tile in words, from its column and row."""
    return _("column {column}, row {row}", column=tile[0], row=tile[1])


def whereabouts(place: Sequence[int] | str) -> str:
    """Where a fish is, in words."""
    match place:
        case "waiting":
            return _("waiting")
        case "eaten":
            return _("eaten")
        case str():
            return _("on the reef")
    return spot(place)


def _what_now(view: dict[str, Any], winners: Sequence[int]) -> str:
    """Who is to do what, or how the game has ended."""
    name = seat_name(view["seat"]) if view["seat"] is not None else ""
    match view["phase"]:
        case "layout" if view["turn"] == "chance":
            return _("The predators are placed by lot.")
        case "layout":
            return _("{name} puts the next predator against the reef.", name=name)
        case "place":
            return _("{name} places a fish on column {back} or {front}.", name=name, back=BACK, front=FRONT)
        case "fill":
            return _("Lots are drawn for {place}.", place=spot(view["tile"]))
        case "roll":
            return _("{name} rolls next.", name=name)
        case "predator":
            return _("{name} moves a predator.", name=name)
        case "fish" | "any":
            return _("{name} moves a fish.", name=name)
    why = {"reef": End.REEF, "last": End.LAST, "gone": End.GONE}.get(view["end"], End.LIMIT)
    return ending(why, winners[0] if winners else -1)


def why_over(view: dict[str, Any]) -> str:
    """How the game ended, in a few words."""
    match view["end"]:
        case "reef":
            name = next(name for name, school in view["fish"].items() if AWAY[REEF] in school)
            return _("{colour} is first at the reef", colour=_capital(_(SCHOOLS[name])))
        case "last":
            return _("only one colour is left")
        case "gone":
            return _("no player has a fish left")
    return _("the last roll")
