"""Positions of Reef Route in few words."""

from typing import Any

import strandline

COLOURS = ("yellow", "red", "green", "blue")
SIZES = {"s": "small", "m": "medium", "l": "large"}
OUT_OF_THE_WAY = {"s": (10, 1), "m": (9, 8), "l": (9, 3)}

Json = dict[str, Any]
DEFAULTS: Json = {"school": 4, "predators": "sml", "setup": "table", "predator_faces": 2, "limit": 300}
Place = tuple[int, int] | str


def value(
    phase: str,
    *dice: str,
    players: int = 2,
    seat: int = 0,
    rolls: int = 17,
    tile: list[int] | None = None,
    lairs: list[tuple[int, int] | None] | None = None,
    end: str | None = None,
    options: Json | None = None,
    **fish: list[Place],
) -> Json:
    """A JSON position. Fish not named are eaten, or wait while the game is set up; predators not named lie far off."""
    chosen: Json = {"school": 4, "predators": "sml", "setup": "table", "predator_faces": 2, "limit": 300} | (
        options or {}
    )
    setting_up = phase in ("layout", "place", "fill")
    rest = "waiting" if setting_up else "eaten"
    chance = phase in ("roll", "fill") or (phase == "layout" and chosen["setup"] == "chance")
    places: list[tuple[int, int] | None] = lairs or [OUT_OF_THE_WAY[letter] for letter in chosen["predators"]]
    schools = {colour: [*fish.get(colour, []), *[rest] * chosen["school"]][: chosen["school"]] for colour in COLOURS}
    return {
        "game": "reef_route",
        "players": players,
        "options": chosen,
        "phase": phase,
        "turn": None if phase == "over" else "chance" if chance else seat,
        "seat": seat,
        "rolls": 0 if setting_up else rolls,
        "dice": list(dice),
        "tile": tile,
        "predators": [
            {"size": SIZES[letter], "col": lair[0] if lair else None, "row": lair[1] if lair else None}
            for letter, lair in zip(chosen["predators"], places, strict=True)
        ],
        "fish": {
            colour: [place if isinstance(place, str) else list(place) for place in school]
            for colour, school in schools.items()
        },
        "end": end,
    }


def at(phase: str, *dice: str, **rest: Any) -> strandline.Position:
    """The same as a position."""
    return strandline.Position.from_json(value(phase, *dice, **rest))


def after(position: strandline.Position, *moves: str) -> Json:
    """The JSON position after some moves."""
    for move in moves:
        position = position.play(move)
    return position.to_json()


def living(position: Json, colour: str) -> dict[int, tuple[int, int]]:
    """The tiles of a colour's fish on the board, by their numbers."""
    return {n: tuple(place) for n, place in enumerate(position["fish"][colour], 1) if isinstance(place, list)}
