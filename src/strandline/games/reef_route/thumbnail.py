"""The game in a small picture: a school on its way to the reef, and who is coming."""

from strandline.drawing import (
    FOAM,
    SAND,
    SAND_EDGE,
    board,
    box,
    circle,
    element,
    line,
    path,
    polygon,
    sheet,
    smooth,
    use,
    wave,
)

from .board import GOLD, MINT, ORANGE, PINK, TALL, TOKENS, VIOLET, definitions

CORALS = (("branch", PINK), ("brain", GOLD), ("fan", VIOLET), ("tubes", ORANGE), ("anemone", MINT))


def draw(title: str, description: str) -> str:
    """The picture."""
    return board(
        "reef_route", 300, title, description, _sea(), _reef(), _swimmers(),
        defs=definitions(TALL), tokens=TOKENS, width=480,
    )  # fmt: skip


def _sea() -> str:
    drawn = box(0, 0, 480, 60, 0, "url(#reef-dusk)") + circle((110, 34), 22, "var(--reef-moon)")
    for i, column in enumerate((1, 3, 5, 7, 9)):
        drawn += sheet(f"M{i * 96 - 10} 40H490V310H{i * 96 - 10}q-8-70 0-135t0-135z", f"var(--reef-{column})")
    rays = "".join(polygon([(x, 40), (x + 40, 40), (x - 60, 280), (x - 150, 280)]) for x in (170, 300, 440))
    drawn += path(rays, FOAM, opacity=0.1)
    drawn += path(f"M-10-10H490V44{wave(490, -10, 44, -8, 60, start='L')}z", "url(#reef-dusk)")
    return drawn + circle((110, 26), 20, "var(--reef-moon)") + line(wave(-10, 490, 44, 8, 60), FOAM, 4, opacity=0.85)


def _reef() -> str:
    rock = smooth([(500, 70), (452, 80), (436, 130), (448, 180), (424, 230), (410, 310)])
    floor = smooth([(-20, 276), (90, 262), (220, 276), (350, 264), (500, 250)])
    drawn = sheet(f"{rock}H500z", "var(--reef-rock)") + path(
        "M452 172c-8-30 4-48 24-48s24 18 20 48z", "var(--reef-cave)"
    )
    drawn += sheet(f"{floor}V320H-20z", SAND_EDGE) + sheet("M-20 286q120-14 250-2t270-8V320H-20z", SAND)
    spots = (
        (462, 96, 1.2),
        (440, 142, 0.9),
        (466, 206, 1.3),
        (428, 236, 1.1),
        (392, 276, 1.3),
        (350, 284, 0.9),
        (60, 276, 1.0),
        (28, 284, 1.3),
    )
    for i, (x, y, size) in enumerate(spots):
        kind, colour = CORALS[i % len(CORALS)]
        drawn += element("g", use(f"reef-{kind}", color=colour), transform=f"translate({x} {y}) scale({size})")
    return drawn


def _swimmers() -> str:
    fish = (
        ("yellow", 78, 112, 1.7, -6),
        ("red", 150, 176, 1.9, 4),
        ("green", 62, 206, 1.4, -4),
        ("blue", 182, 92, 1.3, 8),
    )
    drawn = "".join(
        element("g", use(f"reef-{name}"), transform=f"translate({x} {y}) rotate({turn}) scale({size})")
        for name, x, y, size, turn in fish
    )
    drawn += element("g", use("reef-large"), transform="translate(316 172) scale(1.75)")
    bubbles = ((120, 70, 6), (134, 58, 4), (226, 140, 5), (238, 122, 7), (34, 150, 5), (252, 236, 5))
    return drawn + "".join(circle((x, y), r, "none", stroke=FOAM, stroke_width=2, opacity=0.8) for x, y, r in bubbles)
