"""Write the page of all actions and observations. `python docs/env/make_spaces.py`."""

from itertools import groupby
from pathlib import Path

import strandline
from strandline.engine.spaces import Part
from strandline.engine.vocabulary import verb
from strandline.env import Space, space
from strandline.env.gymnasium import identifier
from strandline.env.spaces import has_space

PAGE = Path(__file__).parent / "spaces.md"

HEAD = """# Actions and observations

This page is written by `docs/env/make_spaces.py`; a test compares it with the code.

An action is the place of a move in a list that depends on the game, its box and the number of players alone. In Python
`strandline.env.actions("up_the_river", players=2)` gives the texts of all moves in that order. Seats in moves have the
numbers that they have everywhere: `ill 1 3` is an Ill Wind against seat 1, whoever chooses it. `name` and `look` in
Sand Castles are the steps of a Seagull's look.

An observation is a row of features, small whole numbers (`int8`), the parts below one after the other, each in its
shape, the last index running fastest. It is written from the point of view of the seat: where a part has a number or a
row for each seat, the own one comes first and the others follow in turn. Where a part holds kinds or places, the one
that is meant is 1 and the others are 0. `strandline.env.observation("up_the_river", players=2)` gives the parts, and
`strandline.env.space("up_the_river", 2).split(observations)` cuts an observation, or a batch, into named arrays.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole page."""
    games = [strandline.game(name) for name in strandline.games()]
    return "\n".join([HEAD, *(section(game) for game in games if has_space(game))])


def section(game: strandline.Game) -> str:
    """Both tables of a game."""
    found = [space(game, players) for players in game.seats]
    seats = " | ".join("1 player" if players == 1 else f"{players} players" for players in game.seats)
    return "\n".join(
        [
            f"## {game.title}",
            "",
            f"Gymnasium's `{identifier(game.name)}`.",
            "",
            f"| actions | {seats} |",
            f"|---{'|---' * len(found)}|",
            *(f"| {row} |" for row in action_rows(found)),
            f"| **number of actions** | {' | '.join(str(one.actions) for one in found)} |",
            "",
            "| part | shape | from | to | meaning |",
            "|---|---|---|---|---|",
            *(f"| {row} |" for row in part_rows(found)),
            "",
            f"Features, with {listed([str(players) for players in game.seats])} players: "
            f"{listed([str(one.size) for one in found])}.",
            "",
        ]
    )


def action_rows(found: list[Space]) -> list[str]:
    """A row for each kind of move: its first and last text, and its actions with each number of players."""
    blocks = [blocks_of(one) for one in found]
    kinds = list(dict.fromkeys(kind for block in reversed(blocks) for kind in block))
    rows = []
    for kind in kinds:
        having = [(one.texts, *block[kind]) for one, block in zip(found, blocks, strict=True) if kind in block]
        texts, low, high = max(having, key=lambda block: block[2] - block[1])
        name = f"`{texts[low]}`" if low == high else f"`{texts[low]}` … `{texts[high]}`"
        rows.append(" | ".join([name, *(span(*block[kind]) if kind in block else "–" for block in blocks)]))
    return rows


def blocks_of(one: Space) -> dict[int, tuple[int, int]]:
    """The first and the last action of each kind of move; a kind's actions stand together."""
    found = {}
    for kind, group in groupby(range(one.actions), lambda action: verb(one.code(action))):
        members = list(group)
        assert kind not in found
        found[kind] = members[0], members[-1]
    return found


def span(low: int, high: int) -> str:
    """From one number to another."""
    return str(low) if low == high else f"{low}–{high}"


def part_rows(found: list[Space]) -> list[str]:
    """A row for each part; its shape holds `players` where it goes with their number."""
    rows = []
    for name in dict.fromkeys(part.name for one in found for part in one.parts):
        having = {one.players: part for one in found for part in one.parts if part.name == name}
        first, *_ = having.values()
        shape = " × ".join(length(having, i) for i in range(len(first.shape)))
        low, high = (listed([str(getattr(part, side)) for part in having.values()]) for side in ("low", "high"))
        only = "" if len(having) == len(found) else f" (with {listed([str(players) for players in having])} players)"
        rows.append(f"`{name}` | {shape} | {low} | {high} | {first.meaning}{only}")
    return rows


def length(having: dict[int, Part], i: int) -> str:
    """One length of a shape."""
    lengths = {players: part.shape[i] for players, part in having.items()}
    if len(having) > 1 and all(players == number for players, number in lengths.items()):
        return "players"
    found = listed([str(number) for number in lengths.values()])
    return f"({found})" if "or" in found else found


def listed(items: list[str]) -> str:
    """`2, 3 or 4`, or the one item if they are all alike."""
    if len(set(items)) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} or {items[-1]}"


if __name__ == "__main__":
    main()
