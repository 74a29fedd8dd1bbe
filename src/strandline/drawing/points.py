"""SVG from standard input as PNG to standard output: `python points.py WIDTH BACKGROUND`.

The library that draws holds Python's lock for a second or more, so a server lets a process of its own do this.
"""

import os
import sys

import resvg_py

NICENESS = 15


def main() -> None:
    """Draw, leaving the cores to others."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    width, background = sys.argv[1:]
    drawn = resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), width=int(width), background=background)
    sys.stdout.buffer.write(bytes(drawn))


if __name__ == "__main__":
    main()
