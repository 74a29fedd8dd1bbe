"""Sand Castles: why a tile, a wall or a critter cannot be chosen, or a move not made.

Nothing here looks at which tile lies at a peeked place: reasons tell nobody's secrets (S36).
"""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.vocabulary import CHANCE, first, pack, second, third, verb
from strandline.engine.words import Words, seat_name

from . import rules, story
from .box import COST, PAID, TILES, TOOLS, WAVES, Tile
from .rules import CASTLE, KEPT, PAID_KINDS, Phase, Verb

_ = Words(__file__)


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """What can be chosen at some time says what holds it back; all else says what it is."""
    what, *rest = name.split("-")
    return _lying(s, what, rest) or _of_turn(s) or _clicked(s, w, what, rest, chosen)


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The phase says what is done now; then it is up to tiles, walls and critters."""
    what, a, b = verb(code), first(code), second(code)
    if reason := _of_turn(s) or _of_phase(s, what):
        return reason
    match what:
        case Verb.FLIP | Verb.FLIP_PEEKED:
            return _pool(s) if what == Verb.FLIP else Reason(_("Nobody has looked at a tile in that place."), "S-R13")
        case Verb.STOP:
            return Reason(_("The line is empty. Flip at least one tile."), "S9")
        case Verb.SEAGULL:
            return _seagull(s) or Reason(
                _("The Seagull looks at {n} tiles of the pool.", n=rules.looked_at(s)), "S-R15"
            )
        case Verb.TAKE_PEEKED:
            return Reason(_("Take one of the tiles that have just been looked at."), "S37")
        case Verb.TAKE:
            return Reason(_("There is no {tile} among the dropped tiles.", tile=story.kind_name(TILES[a])), "S17")
        case Verb.DISCARD:
            return _lacks(s.chooser, TILES[a], "S25")
        case Verb.KEEP:
            tiles = rules.tiles(s.stashes[s.chooser])
            return Reason(_("A wave leaves {most} tiles, and there are {n}.", most=KEPT, n=tiles), "S25")
        case Verb.CRAB:
            return _crab(s) or _pinch(s, a, TILES[b])
        case Verb.BUILD:
            return _wall(s, a) or _tools(s, a, b, third(code))
        case Verb.SEAGULL_TO:
            return _receiver(s, a)
    return None


# Whose turn, which phase


def _of_turn(s: Any) -> Reason | None:
    """While chance is on, walls and tiles come up first."""
    if rules.to_move(s) != CHANCE:
        return None
    match s.phase:
        case Phase.SETUP:
            return Reason(_("The walls are turned up first."), "S5")
        case Phase.REFILL:
            return Reason(_("A new wall is turned up first."), "S48")
        case Phase.PEEK:
            return Reason(_("The Seagull looks at its tiles first."), "S35")
    return Reason(_("The tile is turned over first."), "S10")


def _of_phase(s: Any, what: int) -> Reason | None:
    """What is done in this phase, if it is not this."""
    if what in (Verb.DRAW, Verb.PEEK, Verb.WALL):
        return Reason(_("Chance decides which tiles and walls come up."), "S-R30")
    match s.phase:
        case Phase.COLLECT:
            return _while_collecting(what)
        case Phase.PICK if what != Verb.TAKE_PEEKED:
            return Reason(_("First take one of the tiles that have just been looked at."), "S37")
        case Phase.DRAFT if what != Verb.TAKE:
            return Reason(_("The dropped tiles are taken first, one after another."), "S17")
        case Phase.WAVE if what not in (Verb.DISCARD, Verb.KEEP):
            return Reason(_("A wave is here: everybody may keep only {n} tiles.", n=KEPT), "S25")
        case Phase.BUILD if what not in (Verb.BUILD, Verb.CRAB, Verb.PASS):
            return Reason(_("Collecting is over. Now a wall can be built."), "S8")
        case Phase.SEAGULL if what != Verb.SEAGULL_TO:
            return Reason(_("First choose who gets the Seagull."), "S40")
    return None


def _while_collecting(what: int) -> Reason | None:
    match what:
        case Verb.TAKE_PEEKED:
            return Reason(_("That comes right after the Seagull has looked."), "S37")
        case Verb.TAKE:
            return Reason(_("Nothing has been dropped."), "S17")
        case Verb.DISCARD | Verb.KEEP:
            return Reason(_("Tiles are given back only when a wave comes."), "S25")
        case Verb.CRAB:
            return Reason(_("Collect first. The Crab pinches when walls are built."), "S30")
        case Verb.BUILD | Verb.PASS:
            return Reason(_("Collect first. Building comes after that."), "S8")
        case Verb.SEAGULL_TO:
            return Reason(_("The Seagull flies on at the end of the turn."), "S40")
    return None


# Shapes


def _lying(s: Any, what: str, rest: Sequence[str]) -> Reason | None:
    """What is never clicked."""
    match what, rest:
        case "beach", _rest:
            return Reason(_("Tiles that were paid stay here until the next wave."), "S22")
        case "wave", _rest:
            return Reason(_("This wave has passed. Wave {n} brings them all back.", n=WAVES), "S21")
        case "tally", _rest:
            return Reason(_("This shows how many tiles lie face down in the pool."), "S4")
        case "line", _rest:
            return Reason(_("The line goes to the stash when its player stops."), "S12")
        case "wall", [wall]:
            for seat in range(s.players):
                if s.walls[seat] >> int(wall) & 1:
                    said = _("Wall {wall} stands in {name}’s castle for good.", wall=wall, name=seat_name(seat))
                    return Reason(said, "S47")
    return None


def _clicked(s: Any, w: Any, what: str, rest: Sequence[str], chosen: Sequence[str]) -> Reason | None:
    match what, rest:
        case (("pool" | "heap"), _rest):
            return _of_phase(s, Verb.FLIP) or _pool(s)
        case "place", [place]:
            taken = Verb.TAKE_PEEKED if s.phase == Phase.PICK else Verb.FLIP_PEEKED
            return move(s, w, pack(taken, int(place)))
        case "dropped", _rest:
            return _of_phase(s, Verb.TAKE)
        case "stash", [seat, kind]:
            return _stash(s, int(seat), kind, chosen)
        case "crab", _rest:
            return _of_phase(s, Verb.CRAB) or _crab(s)
        case "seagull", _rest:
            return _of_phase(s, Verb.SEAGULL) or _seagull(s)
        case "perch", [seat]:
            return _of_phase(s, Verb.SEAGULL_TO) or _receiver(s, int(seat))
        case (("wall" | "cost"), [wall, *_kind]):
            return _of_phase(s, Verb.BUILD) or _wall(s, int(wall)) or _cost(chosen)
        case "slot", [seat, _number]:
            return _of_phase(s, Verb.BUILD) or _slot(s, int(seat), chosen)
    return None


def _stash(s: Any, seat: int, kind: str, chosen: Sequence[str]) -> Reason | None:
    """Tiles of a stash are given back at a wave, pinched by the Crab, or stand for others if they are tools."""
    if s.phase == Phase.WAVE:
        if seat == s.chooser:
            return _lacks(seat, kind, "S25")
        return Reason(_("That is {name}’s stash. Everybody chooses for themselves.", name=seat_name(seat)), "S25")
    if reason := _of_phase(s, Verb.BUILD):
        return reason
    if seat != s.seat:
        there = s.stashes[seat][TILES.index(kind)]
        return _crab(s) or (_choose_crab() if there else _lacks(seat, kind, "S32"))
    if not s.stashes[seat][TILES.index(kind)]:
        return _lacks(seat, kind, "S46")
    if kind in TOOLS and not chosen:
        return Reason(_("Choose a wall first."), "S45")
    if kind in TOOLS:
        return Reason(_("The {tool} cannot stand for anything this wall needs.", tool=story.kind_name(kind)), "S41")
    return Reason(_("A wall takes its tiles by itself. Choose the wall."), "S46")


def _slot(s: Any, seat: int, chosen: Sequence[str]) -> Reason:
    if seat != s.seat:
        return Reason(_("That is {name}’s castle. You build your own.", name=seat_name(seat)), "S47")
    if not chosen:
        return Reason(_("Choose a wall first."), "S45")
    return Reason(_("Once it is paid for, the wall goes to the next free place in the castle."), "S47")


def _cost(chosen: Sequence[str]) -> Reason:
    if chosen and chosen[-1].split("-")[-1] in TOOLS:
        return Reason(_("The tool cannot stand for that."), "S41")
    return Reason(_("That is what the wall costs. Choose the wall itself."), "S46")


# Tiles


def _pool(s: Any) -> Reason:
    if rules.tiles(s.pool):
        return Reason(_("Choose the water of the pool to flip a tile."), "S13")
    return Reason(_("Every tile in the pool is known to somebody. Flip one of those."), "S-R13")


def _lacks(seat: int, kind: str, rule: str) -> Reason:
    tile = story.kind_name(kind)
    return Reason(
        _.who(seat, "There is no {tile} in your stash.", "There is no {tile} in {name}’s stash.", tile=tile), rule
    )


# Critters


def _choose_crab() -> Reason:
    return Reason(_("Choose the Crab first. Then it pinches a tile."), "S30")


def _crab(s: Any) -> Reason | None:
    """Whether the Crab can pinch at all."""
    if s.crab != s.seat:
        return Reason(_("The Crab is with {name}.", name=seat_name(s.crab)), "S30")
    if not any(rules.tiles(s.stashes[seat]) for seat in range(s.players) if seat != s.seat):
        return Reason(_("The Crab finds nothing: nobody else has a tile."), "S-R8")
    return None


def _pinch(s: Any, seat: int, kind: str) -> Reason:
    if seat >= s.players:
        return _nobody(s)
    if seat == s.seat:
        return Reason(_("The Crab pinches from other stashes, not from its holder’s."), "S30")
    return _lacks(seat, kind, "S32")


def _seagull(s: Any) -> Reason | None:
    if s.players == 2:
        return Reason(_("With two players there is no Seagull."), "S3")
    if s.seagull != s.seat:
        return Reason(_("The Seagull is with {name}.", name=seat_name(s.seagull)), "S34")
    if s.seagull_used:
        return Reason(_("The Seagull has already looked this turn. Now it sleeps."), "S34")
    return None


def _receiver(s: Any, seat: int) -> Reason:
    if seat >= s.players:
        return _nobody(s)
    if seat == s.seat:
        return Reason(_("The Seagull flies on: it cannot stay."), "S40")
    return Reason(_("The Seagull flies to whoever has the fewest walls. {name} has more.", name=seat_name(seat)), "S40")


def _nobody(s: Any) -> Reason:
    return Reason(_("Nobody sits there: there are {n} players.", n=s.players), "S1")


# Walls


def _wall(s: Any, wall: int) -> Reason | None:
    """Why a wall cannot be built, however it is paid; None if it can."""
    if not s.row >> wall & 1:
        return Reason(_("Wall {wall} is not in the row.", wall=wall), "S45")
    if rules.size(s.walls[s.seat]) == CASTLE:
        return Reason(_("The castle is finished: it has {n} walls.", n=CASTLE), "S49")
    lack = min((_lack(s, wall, *tools) for tools in _ways(s, wall)), key=lambda tiles: sum(tiles.values()))
    if not lack:
        return None
    return Reason(_("For wall {wall} you still need {tiles}.", wall=wall, tiles=story.heap(lack)), "S46")


def _ways(s: Any, wall: int) -> list[tuple[int, int]]:
    """What shovel and rake can stand for (S41), 0 if they do not."""
    stash, kinds = s.stashes[s.seat], range(PAID_KINDS)
    return [
        (shovel, rake)
        for shovel in (kinds if stash[Tile.SHOVEL] else (0,))
        for rake in (kinds if stash[Tile.RAKE] else (0,))
        if rules.stands_for(shovel, rake) and all(rules.due(wall, tile, shovel, rake) >= 0 for tile in kinds)
    ]


def _lack(s: Any, wall: int, shovel: int, rake: int) -> dict[str, int]:
    """The tiles that the stash does not have."""
    stash = s.stashes[s.seat]
    short = {kind: rules.due(wall, tile, shovel, rake) - stash[tile] for tile, kind in enumerate(PAID)}
    return {kind: number for kind, number in short.items() if number > 0}


def _tools(s: Any, wall: int, shovel: int, rake: int) -> Reason:
    """The wall can be built, but not paid in this way."""
    for tool, stands_for in ((Tile.SHOVEL, shovel), (Tile.RAKE, rake)):
        if stands_for and not s.stashes[s.seat][tool]:
            return _lacks(s.seat, TILES[tool], "S46")
        if stands_for and not COST[wall][stands_for]:
            return _no_use(tool)
    if (shovel, rake) not in _ways(s, wall):
        return _no_use(Tile.RAKE)
    return Reason(_("The stash lacks the other tiles for that wall."), "S46")


def _no_use(tool: int) -> Reason:
    return Reason(_("The {tool} cannot stand for anything this wall needs.", tool=story.kind_name(TILES[tool])), "S41")
