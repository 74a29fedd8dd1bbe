"""Sand Castles: what helps a bot."""

from random import Random
from typing import Any

from .box import TILES


def redrawn(view: dict[str, Any], rng: Random) -> dict[str, Any]:
    """A position that the view allows: tiles that the seat has not looked at are drawn from those it cannot place."""
    pool = dict(view["pool"])
    peeked = []
    for place in view["peeked"]:
        if place["tile"] is None:
            names = list(pool)
            tile = rng.choices(names, [pool[name] for name in names])[0]
            pool[tile] -= 1
            pool = {name: number for name, number in pool.items() if number}
            place = place | {"tile": tile}
        peeked.append(place)
    ordered = {name: pool[name] for name in TILES if name in pool}
    return {name: value for name, value in view.items() if name != "view"} | {"pool": ordered, "peeked": peeked}
