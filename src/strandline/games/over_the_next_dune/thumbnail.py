"""The game in a small picture: the squad steals past a searcher's lights, with its own tents in sight."""

from strandline.drawing import board, box, circle, dots, element, line, sheet, smooth, use

from .board import LAMP, TALL, definitions, figure, strewn, tent


def draw(title: str, description: str) -> str:
    """The picture."""
    return board(
        "over_the_next_dune", 300, title, description, _night(), _sand(), _pieces(),
        defs=definitions(TALL), width=480,
    )  # fmt: skip


def _night() -> str:
    hills = smooth([(-20, 82), (70, 58), (170, 80), (280, 54), (390, 78), (500, 60)])
    return (
        box(0, 0, 480, 130, 0, "url(#dune-sky)")
        + dots(strewn(1, 26, (6, 474), (4, 60)), 1.5, "#dfe6ff", opacity=0.9)
        + circle((92, 40), 40, "#f4ecd2", opacity=0.14)
        + circle((92, 40), 24, "#f4ecd2")
        + dots([(84, 34), (100, 48)], 4, "#d8cfae")
        + sheet(f"{hills}V140H-20z", "url(#dune-far)")
        + tent(318, 92, 0.95)
        + tent(400, 98, 1.15)
        + tent(246, 94, 0.75)
    )


def _sand() -> str:
    drawn = ""
    for i, top in enumerate((96, 150, 214)):
        crest = smooth([(-20, top + 12), (90, top - 6 + 5 * i), (220, top + 12), (340, top - 8), (500, top + 8)])
        drawn += sheet(f"{crest}V320H-20z", "url(#dune-sand)") + line(crest, "#f3dfae", 2.5, opacity=0.45)
    return drawn


def _pieces() -> str:
    lights = element("g", use("dune-light"), transform="translate(352 204) rotate(-112) scale(1.45)")
    jeep = element("g", use("dune-jeep"), transform="translate(352 204) rotate(-112) scale(1.45)")
    prints = "".join(
        element("g", use("dune-trail"), transform=f"translate({x} {y}) rotate({turn})")
        for x, y, turn in ((46, 288, 30), (72, 256, 40), (172, 272, 20))
    )
    squad = ((0, 1, 96, 214, 1.5), (1, 2, 186, 232, 1.6), (2, 3, 60, 152, 1.25))
    tokens = "".join(
        element("g", figure(seat, token), transform=f"translate({x} {y}) scale({size})")
        for seat, token, x, y, size in squad
    )
    return lights + jeep + prints + tokens + circle((352, 204), 4, LAMP)
