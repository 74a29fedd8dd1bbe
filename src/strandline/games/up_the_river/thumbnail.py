"""The game in a small picture: three boats in the river above the waterfall."""

from strandline.drawing import (
    FOAM,
    MEADOW,
    SAND_EDGE,
    board,
    box,
    circle,
    dots,
    element,
    group,
    line,
    sheet,
    smooth,
    use,
    wave,
)
from strandline.drawing.festive import bunting, colours_of, swag

from .board import TALL, TOKENS, definitions, house, lighthouse, sailboat, strewn


def draw(title: str, description: str) -> str:
    """The picture."""
    return board(
        "up_the_river", 300, title, description, _far(), _river(), _banks(), _boats(),
        defs=definitions(TALL), tokens=TOKENS, width=480,
    )  # fmt: skip


def _far() -> str:
    hills = smooth([(-20, 70), (60, 46), (160, 66), (270, 40), (380, 62), (500, 48)])
    houses = "".join(
        house(i, x, width, high) for i, (x, width, high) in enumerate(((40, 44, 28), (84, 34, 38), (392, 44, 26)))
    )
    return (
        box(0, 0, 480, 120, 0, "url(#river-sky)")
        + circle((302, 44), 40, "var(--river-moon)", opacity=0.3)
        + circle((302, 44), 26, "var(--river-moon)")
        + sheet(f"{hills}V130H-20z", "var(--river-hill)")
        + box(-10, 72, 500, 40, 0, MEADOW)
        + group(houses, group(lighthouse(), at=(-246, 0)), at=(0, 78))
        + bunting(swag((0, 12), (480, 12), 16, 19), colours_of((0, 1, 3)), 18)
    )


def _river() -> str:
    drawn = box(30, 240, 420, 80, 0, "url(#river-fall)")
    for place, low in ((2, 256), (4, 200), (7, 148), (9, 108)):
        drawn += sheet(f"M-10 {low - 50}H490V{low}{wave(490, -10, low, -9, 70, start='L')}z", f"var(--river-{place})")
        drawn += line(wave(-10, 490, low - 3, 9, 70), FOAM, 3, opacity=0.6)
    streaks = "".join(f"M{x} {262 + x * 7 % 9}v{16 + x * 5 % 13}" for x in range(60, 440, 17))
    return drawn + line(streaks, FOAM, 5, opacity=0.7)


def _banks() -> str:
    drawn = ""
    for left in (True, False):
        shore = [(-20, 84), (40, 98), (70, 150), (48, 204), (76, 252), (60, 262)]
        points = [(x if left else 480 - x, y) for x, y in shore]
        way = smooth(points) + f"H{-20 if left else 500}z"
        drawn += sheet(way, "url(#river-meadow)", stroke=SAND_EDGE, stroke_width=7)
    trees = (
        ("fir", 18, 130),
        ("bush", 30, 190),
        ("fir", 14, 248),
        ("bush", 456, 136),
        ("fir", 446, 196),
        ("fir", 466, 246),
    )
    drawn += "".join(use(f"river-{kind}", (x, y)) for kind, x, y in trees)
    foam = dots(strewn(2, 12, (20, 500), (288, 306)), 24, FOAM) + dots(strewn(6, 15, (10, 500), (278, 300)), 13, FOAM)
    return drawn + foam


def _boats() -> str:
    fleet = ((sailboat(3, 1), 336, 146, 1.3), (sailboat(1, 2), 150, 186, 1.55), (sailboat(0, 3), 268, 258, 2.2))
    return "".join(element("g", boat, transform=f"translate({x} {y}) scale({size})") for boat, x, y, size in fleet)
