"""The game in a small picture: a castle with its flags, the Crab, the Seagull, and what castles are built from."""

from strandline.drawing import (
    FOAM,
    SAND,
    SAND_EDGE,
    SEA,
    SEATS,
    SHADE,
    board,
    box,
    circle,
    dots,
    element,
    line,
    path,
    sheet,
    smooth,
    use,
    wave,
)

from .board import MOUND, TOKENS, definitions


def draw(title: str, description: str) -> str:
    """The picture."""
    return board(
        "sand_castles", 300, title, description, _beach(), _castle(), _guests(),
        defs=definitions(), tokens=TOKENS, width=480,
    )  # fmt: skip


def _beach() -> str:
    drawn = box(0, 0, 480, 110, 0, "url(#castles-sky)") + circle((92, 70), 44, "var(--castles-sun)", opacity=0.35)
    drawn += circle((92, 70), 27, "var(--castles-sun)")
    for low, fill, length in ((84, SEA[3], 60), (98, SEA[2], 80), (114, SEA[1], 96)):
        drawn += sheet(f"{wave(-20, 500, low, 9, length)}V200H-20z", fill)
    edge = smooth([(-20, 136), (90, 126), (210, 140), (340, 128), (500, 138)])
    grains = dots([(i * 97.3 % 480, 170 + i * 61.7 % 130) for i in range(40)], 2.2, SAND_EDGE)
    return (
        drawn
        + line(edge, FOAM, 12, opacity=0.9)
        + sheet(f"{edge}V320H-20z", "var(--castles-wet)")
        + sheet("M-20 168q120-18 250 0t270-6V320H-20z", SAND)
        + grains
    )


def _castle() -> str:
    colour = SEATS[0].colour
    towers = ((150, 118), (218, 96), (286, 108), (352, 128))
    drawn = path("M70 262q170-26 364 0-170 26-364 0z", SHADE, opacity=0.22)
    for x, y in towers:
        for part in ("castles-tower", "castles-flag"):
            drawn += element("g", use(part, color=colour), transform=f"translate({x} {y}) scale(1.05)")
    drawn += path("M104 236H400Q420 256 426 284H78Q84 254 104 236z", MOUND, stroke=SAND_EDGE, stroke_width=3)
    for x in (116, 184, 252, 320):
        drawn += use("castles-built", (x, 162))
    doors = "M184 240v-26a14 14 0 0 1 28 0v26zM294 240v-26a14 14 0 0 1 28 0v26z"
    return drawn + path(doors, "#12303b", opacity=0.75)


def _guests() -> str:
    tiles = (("fan", 60, 222, -14), ("spiral", 116, 262, 10), ("butterfly", 364, 268, -8), ("seaweed", 62, 274, 8))
    drawn = "".join(
        element("g", use(f"castles-{kind}-tile"), transform=f"translate({x} {y}) rotate({turn}) scale(1.05)")
        for kind, x, y, turn in tiles
    )
    drawn += element("g", use("castles-crab"), transform="translate(434 234) scale(1.6)")
    return drawn + element("g", use("castles-gull"), transform="translate(58 146) scale(1.7)")
