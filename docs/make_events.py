"""List the kinds of events of each game at the end of its rule page: `python docs/make_events.py`."""

from pathlib import Path

import strandline

PAGES = Path(__file__).parent / "rules"
HEADING = "## What is told"


def main() -> None:
    """Write the lists."""
    for page in PAGES.glob("*.md"):
        page.write_text(told(page.read_text(encoding="utf-8"), strandline.game(page.stem)), encoding="utf-8")


def told(text: str, game: strandline.Game) -> str:
    """The page with the list of its game's events, in place of an older one."""
    rows = "".join(f"| `{kind}` | {meaning} |\n" for kind, meaning in game.story.KINDS.items())
    head = "A move is told as events, each of one of these kinds (`position.story(move)`)."
    return f"{text.partition(HEADING)[0].rstrip()}\n\n{HEADING}\n\n{head}\n\n| kind | what happens |\n|---|---|\n{rows}"


if __name__ == "__main__":
    main()
