"""Kind words: a fixed set, so that there is nothing to moderate. Pages show them in the reader's language."""

from collections.abc import Collection

from strandline.engine.words import Words
from strandline.table.table import Refused, Table

_ = Words(__file__)

EMOTES = (
    *("hello", "thanks", "well_played", "good_luck", "oops", "lucky"),
    *("thinking", "hurry", "laugh", "wow", "sorry", "one_more", "goodbye"),
)


def check(table: Table, seats: Collection[int], seat: int, emote: str) -> None:
    """Refuse what is not an emote, or not for this table."""
    table.check_own(seats, seat)
    if emote not in EMOTES:
        raise Refused("malformed", f"There is no emote {emote[:32]!r}. There are: {', '.join(EMOTES)}.")
    if table.setup.agreements.quiet:
        raise Refused("state", _("This is a quiet table."))
