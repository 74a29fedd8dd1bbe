"""The box's numbers, checked."""

from strandline.engine import box, checks

PLACES = 10

_layout = checks.fields(box.contents(__package__)["layout"], ("sandbank_start", "tide_start"), "layout")
SANDBANK_START = checks.whole(_layout["sandbank_start"], 1, PLACES, "layout.sandbank_start")
TIDE_START = checks.whole(_layout["tide_start"], 1, PLACES, "layout.tide_start")
if SANDBANK_START == TIDE_START:
    raise checks.Flaw("sandbank_start and tide_start must differ: two cards cannot lie at one place.")
