"""Every guide shows its game: pictures drawn by code, in every language."""

import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import strandline
from samples import box_games
from strandline import cli, guides
from strandline.drawing import WIDTH
from strandline.drawing.excerpt import without_repetition
from strandline.engine.words import Reader, languages, reading
from strandline.server import lobby

SVG = "{http://www.w3.org/2000/svg}"
MOST_WORDS = 420
"""What a player needs, and no more."""
BOARD = 'alt = "A boat."\nframe = [0, 300, 720, 400]\n'


@pytest.fixture(params=languages())
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_picture_can_be_drawn_and_shows_what_it_is_about(game: strandline.Game, language: str) -> None:
    with reading(Reader(language)):
        for picture in guides.pictures(game):
            root = ET.fromstring(picture.svg)
            left, top, width, height = picture.frame
            assert root.attrib["viewBox"] == " ".join(f"{number:g}" for number in picture.frame)
            assert root.attrib["aria-label"] == picture.alt and picture.alt.endswith(".")
            assert left >= 0 and top >= 0 and left + width <= WIDTH and 0.9 <= width / height <= 8, picture.alt
            for x, y in picture.marked:
                assert left <= x <= left + width and top <= y <= top + height, (picture.alt, x, y)


def test_every_section_of_the_box_has_its_picture(language: str) -> None:
    for name in box_games():
        with reading(Reader(language)):
            text = strandline.game(name).guide
        sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
        assert 4 <= len(sections) <= 6
        assert all(len(guides.blocks(section)) == 1 for section in sections), name
        assert len(guides.BLOCK.sub("", text).split()) <= MOST_WORDS, name


def test_languages_show_the_same_pictures(game: strandline.Game) -> None:
    shown = []
    for language in languages():
        with reading(Reader(language)):
            pictures = [tomllib.loads(block) for block in guides.blocks(game.guide)]
        shown.append([{key: value for key, value in fields.items() if key != "alt"} for fields in pictures])
    assert all(other == shown[0] for other in shown)


def test_a_page_defines_everything_once(game: strandline.Game) -> None:
    page = lobby.guide(game.name)
    assert page.count("<figure>") == len(guides.blocks(game.guide))
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)
    assert "```" not in page and "alt =" not in page


def test_what_is_defined_once_is_not_defined_again() -> None:
    one, two = "<svg><style>a</style><defs>b</defs>1</svg>", "<svg><style>a</style><defs>c</defs>2</svg>"
    assert without_repetition([one, two, one]) == [one, "<svg><defs>c</defs>2</svg>", "<svg>1</svg>"]


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ("alt = ", "not valid TOML"),
        ('alt = "A boat."', "needs alt and frame"),
        (BOARD + 'colour = "red"', "colour"),
        (BOARD + 'rings = ["kraken"]', "kraken"),
        (BOARD + 'moves = ["fly"]', "fly"),
        (BOARD + "players = 9", "9"),
        (BOARD + 'position = {phase = "sail"}', "cannot be drawn"),
    ],
)
def test_a_picture_that_cannot_be_drawn_says_why(block: str, complaint: str) -> None:
    with pytest.raises(guides.BadGuide, match=re.escape(complaint)):
        guides.picture(strandline.game("up_the_river"), block)


def test_readers_without_pictures_are_told_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["guide", "up_the_river"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "A 3 was rolled: boat 1 sails three cards up" in said and "```" not in said and "frame" not in said


def test_a_guide_is_written_with_its_pictures(tmp_path: Path) -> None:
    assert cli.main(["guide", "reef_route", "--language", "de", "-o", str(tmp_path / "guides")]) == 0
    page = (tmp_path / "guides" / "reef_route.md").read_text(encoding="utf-8")
    assert page.startswith("# Der Weg zum Riff")
    linked = re.findall(r"^!\[.+\]\((.+)\)$", page, re.MULTILINE)
    assert sorted(linked) == sorted(file.name for file in (tmp_path / "guides").glob("*.svg")) and len(linked) == 4
