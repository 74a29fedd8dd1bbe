"""The game in a small picture: swimmers between the open sea and the beach."""

from strandline.drawing import FOAM, SAND, board, box, circle, element, line, path, sheet, use, wave

from .board import TALL, TOKENS, WET, chair, definitions, figure
from .box import STEPS


def draw(title: str, description: str) -> str:
    """The picture."""
    return board(
        "undertow", 300, title, description, _sea(), _beach(), _swimmers(),
        defs=definitions(TALL), tokens=TOKENS, width=480,
    )  # fmt: skip


def _sea() -> str:
    sky = box(0, 0, 480, 70, 0, "url(#undertow-dusk)") + circle((356, 52), 44, "var(--surf-moon)", opacity=0.3)
    drawn = ""
    for i in range(5):
        low, step = 262 - 42 * i, 1 + round((STEPS - 1) * i / 4)
        drawn += sheet(f"M-10 {low - 70}H490V{low}{wave(490, -10, low, -9, 70, start='L')}z", f"var(--surf-{step})")
        drawn += line(wave(-10, 490, low - 3, 9, 70), FOAM, 3, opacity=0.55)
    ground = box(0, 200, 480, 110, 0, SAND) + path(f"M-10 200H490V282{wave(490, -10, 282, -8, 120, start='L')}z", WET)
    surf = path(f"M-10 200H490V270{wave(490, -10, 270, -10, 120, start='L')}z", FOAM, opacity=0.95)
    horizon = path(f"M-10-10H490V52{wave(490, -10, 52, -5, 44, start='L')}z", "url(#undertow-dusk)")
    return sky + ground + surf + drawn + horizon + circle((356, 44), 26, "var(--surf-moon)")


def _beach() -> str:
    parasol = element("g", use("undertow-parasol", color="#e2503f"), transform="translate(70 248) scale(1.5)")
    return parasol + element("g", chair(), transform="translate(-172 178)")


def _swimmers() -> str:
    crowd = (
        (1, 3, 5, 92, 110, 1.25),
        (2, 1, 2, 344, 122, 1.35),
        (0, 4, 6, 214, 146, 1.7),
        (3, 2, 3, 300, 216, 1.35),
        (1, 5, 4, 142, 222, 1.35),
    )
    return "".join(
        element("g", use("undertow-foam") + figure(seat, n, pips, 0), transform=f"translate({x} {y}) scale({size})")
        for seat, n, pips, x, y, size in crowd
    )
