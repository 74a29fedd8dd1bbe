"""Boards for programs that know less of SVG than browsers do."""

import re

DARK = "@media (prefers-color-scheme:dark)"
SHADOW = ' filter="url(#strandline-shadow)"'


def plain(svg: str) -> str:
    """The image with its colours put in for their names and without soft shadows, which would take most of the time."""
    day, _, _ = svg.partition(DARK)
    colours = dict(re.findall(r"(--[\w-]+):([^;}]+)", day))
    return re.sub(r"var\((--[\w-]+)\)", lambda name: colours[name[1]], svg).replace(SHADOW, "")
