"""Draw the house from the imports in the code: `python docs/make_house.py` writes docs/pictures/house.svg."""

import ast
from pathlib import Path

from strandline.drawing import INK, PAPER, SEA, SHADOW, Point, board, box, line, words

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "strandline"
ROWS = (
    ("cli",),
    ("site",),
    ("server", "lab", "env"),
    ("lessons",),
    ("table", "bots"),
    ("games",),
    ("drawing", "engine"),
)
"""From top to bottom; whoever uses another stands above it."""
HEIGHT, TOP, STEP, WIDE, TALL = 880, 40, 120, 150, 64


def main() -> None:
    """Write the picture."""
    (DOCS / "pictures" / "house.svg").write_text(picture() + "\n", encoding="utf-8")


def picture() -> str:
    """The packages as boxes, with a line from each to those that it imports."""
    places = {name: _place(row, i) for row, names in enumerate(ROWS) for i, name in enumerate(names)}
    edges = sorted((one, other) for one in places for other in used_by(one) if other in places)
    lines = "".join(line(_way(places[one], places[other]), SEA[3], 2.5, opacity=0.55) for one, other in edges)
    boxes = "".join(
        box(x - WIDE / 2, y, WIDE, TALL, 16, PAPER, filter=SHADOW) + words(name, (x, y + 41), 26, INK)
        for name, (x, y) in places.items()
    )
    told = "; ".join(f"{one} uses {', '.join(other for who, other in edges if who == one)}" for one in places)
    return board("house", HEIGHT, "The packages of Strandline", told, box(0, 0, 720, HEIGHT, 0, SEA[0]), lines, boxes)


def used_by(package: str) -> set[str]:
    """The packages that the modules of one import."""
    found = set()
    for file in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module == "strandline":
                names += [f"strandline.{alias.name}" for alias in node.names]
            found |= {name.split(".")[1] for name in names if name.startswith("strandline.")}
    return found - {package}


def _place(row: int, i: int) -> Point:
    count = len(ROWS[row])
    return 720 * (i + 1) / (count + 1), TOP + STEP * row


def _way(one: Point, other: Point) -> str:
    return f"M{one[0]:.0f} {one[1] + TALL:.0f}L{other[0]:.0f} {other[1]:.0f}"


if __name__ == "__main__":
    main()
