"""Draw the gallery: every game at the start, in the middle and at the end, and wide. `python docs/make_gallery.py`."""

from collections.abc import Sequence
from pathlib import Path

import strandline

DOCS = Path(__file__).parent
SEED = 8


def main() -> None:
    """Write the pictures and the page that shows them."""
    (DOCS / "pictures").mkdir(exist_ok=True)
    for name, text in files(strandline.games()).items():
        (DOCS / name).write_text(text, encoding="utf-8")


def files(names: Sequence[str]) -> dict[str, str]:
    """Every file of a gallery of these games, with its contents."""
    found: dict[str, str] = {}
    sections = [
        "# Gallery",
        "Every board is drawn by code, for the page, a notebook or a report: `position.svg()`, and"
        " `position.svg(wide=True)` for a window that is wider than high."
        " `game.thumbnail` is the small picture for lists.",
    ]
    for name in names:
        game = strandline.game(name)
        sections += [f"## {game.title}", game.facts.tagline]
        shown = moments(game)
        for moment, position in shown.items():
            picture = f"pictures/{name}-{moment}.svg"
            found[picture] = position.svg() + "\n"
            sections.append(f'<img src="{picture}" width="32%" alt="{game.title}, {moment}">')
        for form, drawn in (("wide", shown["middle"].svg(wide=True)), ("small", game.thumbnail)):
            picture = f"pictures/{name}-{form}.svg"
            found[picture] = drawn + "\n"
            sections.append(f'<img src="{picture}" width="{64 if form == "wide" else 32}%" alt="{game.title}, {form}">')
    return found | {"gallery.md": "\n\n".join(sections) + "\n"}


def moments(game: strandline.Game) -> dict[str, strandline.Position]:
    """A random game with three seats, or as near to that as the game allows."""
    players = min(game.seats, key=lambda seats: abs(seats - 3))
    steps = int(game.simulate(1, players, seed=SEED, threads=1).steps[0])
    start = game.new(players)
    return {"start": start, "middle": start.play_random(steps // 2, SEED), "end": start.play_random(steps, SEED)}


if __name__ == "__main__":
    main()
